"""``RougeScorer``: ROUGE-N, ROUGE-L and ROUGE-Lsum of one prediction."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ...metric import _named
from .. import _original
from ..nltk.stem.porter import PorterStemmer
from ..nltk.tokenize import sent_tokenize
from . import scoring, tokenizers
from .tokenize import as_text

__all__ = ["RougeScorer"]
__getattr__: _original.Getattr = _original.names_of("rouge_score.rouge_scorer")


class RougeScorer(scoring.BaseScorer):
    """Scores a prediction with several kinds of ROUGE.

    >>> scorer = RougeScorer(["rouge1", "rougeLsum"])
    >>> scorer.score("a cat sat\\non a mat", "a cat\\nsat")["rougeLsum"].recall
    0.5
    """

    def __init__(
        self,
        rouge_types: Sequence[str],
        use_stemmer: bool = False,
        split_summaries: bool = False,
        tokenizer: Any = None,
    ) -> None:
        self.rouge_types = rouge_types
        self._tokenizer = tokenizer if tokenizer else tokenizers.DefaultTokenizer(use_stemmer)
        self._split_summaries = split_summaries

    def score_multi(self, targets: Iterable[str], prediction: str) -> dict[str, scoring.Score]:
        """The scores against the best target, for each kind of ROUGE."""
        scores = [self.score(target, prediction) for target in targets]
        if not scores:
            raise ValueError("attempt to get argmax of an empty sequence")
        return {
            kind: max((score[kind] for score in scores), key=lambda score: score.fmeasure)
            for kind in self.rouge_types
        }

    def score(self, target: str, prediction: str) -> dict[str, scoring.Score]:
        """Precision, recall and F-score of each kind of ROUGE."""
        keys = _keys(self._tokenizer)
        result = {}
        for kind in self.rouge_types:
            _check(kind)
            sides = [self._lines(text) if kind == "rougeLsum" else [text] for text in (target, prediction)]
            if keys is None:
                texts = _joined(*[[self._tokenizer.tokenize(line) for line in side] for side in sides])
            else:
                # A sentence that is wrapped is one line.
                texts = ["\n".join(as_text(line).replace("\n", " ") for line in side) for side in sides]
            result[kind] = _score(kind + (keys or ""), *texts)
        return result

    def _lines(self, text: Any) -> list[str]:
        if self._split_summaries:
            return sent_tokenize(text)
        text = text.decode() if isinstance(text, bytes) else text
        return [line for line in text.split("\n") if line]


def _keys(tokenizer: Any) -> str | None:
    """The signature's keys for the default tokenizer; None for one that has to be called, which a program may set at any
    time."""
    if type(tokenizer) is not tokenizers.DefaultTokenizer or vars(tokenizer).keys() != {"_stemmer"}:
        return None
    stemmer = tokenizer._stemmer
    if stemmer is None:
        return "|stem:no"
    return "|stem:yes" if type(stemmer) is PorterStemmer and not vars(stemmer) else None


def _check(kind: str) -> None:
    if kind in ("rougeL", "rougeLsum"):
        return
    if not re.fullmatch(r"rouge[0-9]", kind):
        raise ValueError(f"Invalid rouge type: {kind}")
    if kind == "rouge0":
        raise ValueError(f"rougen requires positive n: {kind}")


def _score(name: str, target: Any, prediction: Any) -> scoring.Score:
    fmeasure, components, _ = _named(name).segment(prediction, target)
    if fmeasure == 0.0 and name.startswith("rougeL") and not (has_words(target) and has_words(prediction)):
        return scoring.Score(0, 0, 0)
    return scoring.Score(components["precision"], components["recall"], fmeasure)


def has_words(text: str) -> bool:
    """Whether the default tokenizer finds any word."""
    return re.search("[a-z0-9]", text.lower()) is not None


def _joined(*sides: Sequence[Sequence[Any]]) -> list[str]:
    numbers: dict[Any, str] = {}

    def line(tokens: Sequence[Any]) -> str:
        return " ".join(numbers.setdefault(token, f"w{len(numbers)}") for token in tokens) or " "

    return ["\n".join(map(line, side)) for side in sides]


def _create_ngrams(tokens: Sequence[Any], n: int) -> Counter[tuple[Any, ...]]:
    return Counter(tuple(tokens[at : at + n]) for at in range(len(tokens) - n + 1))


def _score_ngrams(target_ngrams: Any, prediction_ngrams: Any) -> scoring.Score:
    matches = sum(min(count, prediction_ngrams[ngram]) for ngram, count in target_ngrams.items())
    precision = matches / max(sum(prediction_ngrams.values()), 1)
    recall = matches / max(sum(target_ngrams.values()), 1)
    return scoring.Score(precision, recall, scoring.fmeasure(precision, recall))


def _score_lcs(target_tokens: Sequence[Any], prediction_tokens: Sequence[Any]) -> scoring.Score:
    return _score("rougeL", *_joined([target_tokens], [prediction_tokens]))


def _summary_level_lcs(
    ref_sent: Sequence[Sequence[Any]], can_sent: Sequence[Sequence[Any]]
) -> scoring.Score:
    return _score("rougeLsum", *_joined(ref_sent, can_sent))
