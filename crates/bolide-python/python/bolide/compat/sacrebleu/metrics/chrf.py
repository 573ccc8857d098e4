"""chrF and chrF++."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from .... import _bolide
from ... import _original
from ..scores import CHRFScore
from ._engine import EngineMetric, Hooks, configured
from .base import Signature, _References
from .helpers import extract_all_char_ngrams, extract_word_ngrams

__all__ = ["CHRF", "CHRFScore", "CHRFSignature"]
__getattr__: _original.Getattr = _original.names_of("sacrebleu.metrics.chrf")


class CHRFSignature(Signature):
    """The settings of a chrF score."""

    _own_short = {"case": "c", "eff": "e", "nc": "nc", "nw": "nw", "space": "s"}

    def _own(self, args: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "no" if args["eps_smoothing"] else "yes",
            "nc": args["char_order"],
            "nw": args["word_order"],
            "space": "yes" if args["whitespace"] else "no",
        }


class CHRF(EngineMetric[CHRFScore]):
    """chrF and chrF++.

    >>> CHRF(word_order=2).corpus_score(["the cat sat"], [["the cat sat down"]])
    chrF2++ = 68.36
    """

    CHAR_ORDER = 6
    WORD_ORDER = 0
    BETA = 2
    _PUNCTS = frozenset(string.punctuation)
    _SIGNATURE_TYPE = CHRFSignature

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: int = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: _References | None = None,
    ) -> None:
        super().__init__()
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        self.order: int = char_order + word_order
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing
        if references is not None:
            self._keep(references)

    @property
    def _label(self) -> str:
        return f"chrF{self.beta}" + "+" * self.word_order

    def _preprocess_segment(self, sent: str) -> str:
        return sent.lower() if self.lowercase else sent

    def _remove_punctuation(self, sent: str) -> list[str]:
        words = []
        for word in sent.split():
            if len(word) > 1 and word[-1] in self._PUNCTS:
                words += [word[:-1], word[-1]]
            elif len(word) > 1 and word[0] in self._PUNCTS:
                words += [word[0], word[1:]]
            else:
                words.append(word)
        return words

    def _all_ngrams(self, sent: str) -> list[Counter[str]]:
        ngrams = extract_all_char_ngrams(sent, self.char_order, self.whitespace)
        if self.word_order > 0:
            words = self._remove_punctuation(sent)
            orders = range(1, self.word_order + 1)
            ngrams += [extract_word_ngrams(words, order) for order in orders]
        return ngrams

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"ref_ngrams": [self._all_ngrams(ref) for ref in refs]}

    @staticmethod
    def _get_match_statistics(hyp_ngrams: Any, ref_ngrams: Any) -> list[Any]:
        matches = sum(min(count, ref_ngrams.get(ngram, 0)) for ngram, count in hyp_ngrams.items())
        n_hypothesis, n_reference = sum(hyp_ngrams.values()), sum(ref_ngrams.values())
        return [n_hypothesis if ref_ngrams else 0, n_reference, matches]

    def _compute_f_score(self, statistics: Any) -> float:
        eps = 1e-16
        factor = self.beta**2
        score, n_effective, precision_sum, recall_sum = 0.0, 0, 0.0, 0.0
        for order in range(self.order):
            n_hypothesis, n_reference, matches = statistics[3 * order : 3 * order + 3]
            precision = matches / n_hypothesis if n_hypothesis > 0 else eps
            recall = matches / n_reference if n_reference > 0 else eps
            divisor = factor * precision + recall
            score += (1 + factor) * precision * recall / divisor if divisor > 0 else eps
            if n_hypothesis > 0 and n_reference > 0:
                precision_sum += precision
                recall_sum += recall
                n_effective += 1
        if self.eps_smoothing:
            return 100 * score / self.order
        if n_effective == 0:
            return 0.0
        precision, recall = precision_sum / n_effective, recall_sum / n_effective
        if not precision + recall:
            return 0.0
        return 100 * ((1 + factor) * precision * recall / ((factor * precision) + recall))

    def _compute_score_from_stats(self, stats: Any) -> CHRFScore:
        return self._score(self._compute_f_score(stats))

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: Any) -> list[Any]:
        ngrams = self._all_ngrams(hypothesis)
        best, best_score = [0] * 3 * self.order, -1.0
        for reference in ref_kwargs["ref_ngrams"]:
            row: list[Any] = []
            for ours, theirs in zip(ngrams, reference):
                row += self._get_match_statistics(ours, theirs)
            score = self._compute_f_score(row)
            if score > best_score:
                best, best_score = row, score
        return best

    def _configured(self) -> _bolide.Metric | None:
        if self.order != self.char_order + self.word_order:
            return None
        return _configured(
            bool(self.lowercase),
            bool(self.eps_smoothing),
            self.char_order,
            self.word_order,
            bool(self.whitespace),
            self.beta,
        )

    def _score(self, value: float, components: Any = None) -> CHRFScore:
        return CHRFScore(value, self.char_order, self.word_order, self.beta)


CHRF._hooks = Hooks(CHRF)


@lru_cache(maxsize=64)
def _configured(
    lowercase: bool, smoothed: bool, char_order: int, word_order: int, whitespace: bool, beta: float
) -> _bolide.Metric | None:
    return configured(
        "chrf:sacrebleu",
        {
            "case": "lc" if lowercase else "mixed",
            "eff": not smoothed,
            "nc": char_order,
            "nw": word_order,
            "space": whitespace,
            "beta": beta,
        },
    )
