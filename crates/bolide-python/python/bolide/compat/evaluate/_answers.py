"""The metrics of evaluate 0.4.6 that compare answers or transcripts rather than translations.

Word and character error rates are those of jiwer 4, CharacTER is that of the package ``cer``. They are not in the engine's
registry: they have no dialects, and Python's own ``str`` and ``re`` are part of their definitions.
"""

from __future__ import annotations

import re
import statistics
import string
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .. import numpy_float
from ._edits import character, distance
from ._inputs import ONE_REFERENCE
from ._modules import EvaluationModule

__all__ = ["MODULES"]


class _Cer(EvaluationModule):
    """Edits of characters over all segments, divided by the length of all references."""

    name = "cer"
    _features = ONE_REFERENCE

    def _units(self, text: str) -> Sequence[str]:
        return text.strip()

    def _compute(  # type: ignore[override]
        self, predictions: list[str], references: list[str], segments: bool, threads: int, concatenate_texts: bool = False
    ) -> Any:
        rows = [(self._units(reference), self._units(said)) for said, reference in zip(predictions, references)]
        edits = [distance(reference, said) for reference, said in rows]
        lengths = [len(reference) for reference, _ in rows]
        if concatenate_texts and not sum(lengths):
            return sum(edits)
        rate = sum(edits) / sum(lengths)
        if not segments:
            return rate
        return {self.name: rate, "segments": [n / length if length else None for n, length in zip(edits, lengths)]}


class _Wer(_Cer):
    """The same with words."""

    name = "wer"

    def _units(self, text: str) -> Sequence[str]:
        # Only spaces separate words: a single tab is part of one.
        return [word for word in re.sub(r"\s\s+", " ", text).strip().split(" ") if word]


class _ExactMatch(EvaluationModule):
    """The share of the predictions that are equal to their reference."""

    name = "exact_match"
    _features = ONE_REFERENCE

    def _compute(  # type: ignore[override]
        self,
        predictions: list[str],
        references: list[str],
        segments: bool,
        threads: int,
        regexes_to_ignore: Iterable[str] | None = None,
        ignore_case: bool = False,
        ignore_punctuation: bool = False,
        ignore_numbers: bool = False,
    ) -> dict[str, Any]:
        patterns = list(regexes_to_ignore or [])
        removed = (string.punctuation if ignore_punctuation else "") + (string.digits if ignore_numbers else "")
        without = str.maketrans("", "", removed)

        def reduced(texts: list[str]) -> list[str]:
            for pattern in patterns:
                texts = [re.sub(pattern, "", text) for text in texts]
            if ignore_case:
                # NumPy gives all texts of a column the length of the longest, which "İ" exceeds in lower case.
                length = max(map(len, texts), default=0)
                texts = [text.lower()[:length] for text in texts]
            return [text.translate(without) for text in texts]

        same = [float(said == meant) for said, meant in zip(reduced(predictions), reduced(references))]
        rate = numpy_float(sum(same) / len(same) if same else float("nan"))
        return {"exact_match": rate, **({"segments": same} if segments else {})}


class _Squad(EvaluationModule):
    """Exact matches and shared words of answers, by the rules of SQuAD 1.1."""

    name = "squad"
    _features = {
        "predictions": {"id": "string", "prediction_text": "string"},
        "references": {"id": "string", "answers": [{"text": "string", "answer_start": "int32"}]},
    }

    def _compute(  # type: ignore[override]
        self, predictions: list[dict[str, Any]], references: list[dict[str, Any]], segments: bool, threads: int
    ) -> dict[str, Any]:
        answers = {prediction["id"]: prediction["prediction_text"] for prediction in predictions}
        exact, f1 = [], []
        for reference in references:
            question = reference["id"]
            if question not in answers:
                print(f"Unanswered question {question} will receive score 0.", file=sys.stderr)
                exact.append(False)
                f1.append(0.0)
                continue
            said = _normalised(answers[question])
            meant = [_normalised(text) for text in _texts(reference["answers"])]
            exact.append(max(said == text for text in meant))
            f1.append(max(_shared_words(said, text) for text in meant))
        total = 0.0
        for score in f1:  # Not by `sum`, which Python 3.12 made more exact.
            total += score
        result = {"exact_match": 100.0 * sum(exact) / len(exact), "f1": 100.0 * total / len(f1)}
        return {**result, "segments": f1} if segments else result


def _texts(answers: Any) -> list[str]:
    """The texts of a dict of lists, or of a list of dicts."""
    texts: list[str] = answers["text"] if isinstance(answers, dict) else [answer["text"] for answer in answers]
    return texts


def _normalised(text: str) -> str:
    """SQuAD 1.1: lower case, without punctuation and articles, words separated by single spaces."""
    text = text.lower().translate(str.maketrans("", "", string.punctuation))
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def _shared_words(said: str, meant: str) -> float:
    words, others = said.split(), meant.split()
    n_shared = sum((Counter(words) & Counter(others)).values())
    if not n_shared:
        return 0.0
    precision, recall = n_shared / len(words), n_shared / len(others)
    return (2 * precision * recall) / (precision + recall)


class _Character(EvaluationModule):
    """CharacTER: edits of characters after shifts of words, divided by the length of the prediction."""

    name = "character"
    _features = [ONE_REFERENCE]

    _AGGREGATES: dict[str, Callable[[list[float]], float]] = {
        "sum": sum,
        "mean": statistics.mean,
        "median": statistics.median,
    }

    def _compute(  # type: ignore[override]
        self,
        predictions: list[str],
        references: list[str],
        segments: bool,
        threads: int,
        aggregate: str = "mean",
        return_all_scores: bool = False,
    ) -> dict[str, Any]:
        scores = [character(said.split(), meant.split()) for said, meant in zip(predictions, references)]
        if aggregate not in self._AGGREGATES:
            raise ValueError("'aggregate' must be one of 'sum', 'mean', 'median'")
        result: dict[str, Any] = {"cer_score": self._AGGREGATES[aggregate](scores)}
        if return_all_scores:
            result["cer_scores"] = scores
        return {**result, "segments": scores} if segments else result


MODULES: dict[str, type[EvaluationModule]] = {
    module.name: module for module in (_Wer, _Cer, _ExactMatch, _Squad, _Character)
}
