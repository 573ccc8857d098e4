"""rouge-score's scores and their bootstrap.

The bootstrap draws from NumPy's global generator, as the original does: after ``numpy.random.seed`` both
give the same numbers. It needs NumPy.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

from .. import _original

__all__ = ["AggregateScore", "BaseScorer", "BootstrapAggregator", "Score", "fmeasure"]
__getattr__: _original.Getattr = _original.names_of("rouge_score.scoring")


class Score(NamedTuple):
    """Precision, recall and F-score."""

    precision: float
    recall: float
    fmeasure: float


class AggregateScore(NamedTuple):
    """The ends and the middle of an interval."""

    low: Any
    mid: Any
    high: Any


class BaseScorer(ABC):
    """The base class of scorers, which return scores by name."""

    @abstractmethod
    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """The scores of one prediction."""


class BootstrapAggregator:
    """Collects scores and computes confidence intervals of their means.

    >>> import numpy
    >>> numpy.random.seed(0)
    >>> aggregator = BootstrapAggregator(n_samples=100)
    >>> for value in (0.25, 0.5, 1.0):
    ...     aggregator.add_scores({"rouge1": Score(value, value, value)})
    >>> round(float(aggregator.aggregate()["rouge1"].mid.fmeasure), 3)
    0.583
    """

    def __init__(self, confidence_interval: float = 0.95, n_samples: int = 1000) -> None:
        if confidence_interval < 0 or confidence_interval > 1:
            raise ValueError("confidence_interval must be in range [0, 1]")
        if n_samples <= 0:
            raise ValueError("n_samples must be positive")
        self._n_samples = n_samples
        self._confidence_interval = confidence_interval
        self._scores: dict[str, list[Any]] = {}

    def add_scores(self, scores: Any) -> None:
        """Adds the scores of one segment, by name."""
        for name, score in scores.items():
            self._scores.setdefault(name, []).append(score)

    def aggregate(self) -> dict[str, AggregateScore]:
        """The interval of each score."""
        import numpy

        result = {}
        for name, scores in self._scores.items():
            kind = type(scores[0])
            ends = self._bootstrap_resample(numpy.vstack(tuple(scores)))
            result[name] = AggregateScore(*(kind(*row) for row in ends))
        return result

    def _bootstrap_resample(self, matrix: Any) -> Any:
        import numpy

        n_rows = matrix.shape[0]
        means = numpy.zeros((self._n_samples, matrix.shape[1]))
        for idx in range(self._n_samples):
            means[idx] = numpy.mean(matrix[numpy.random.choice(numpy.arange(n_rows), n_rows)], axis=0)
        beyond = (1 - self._confidence_interval) / 2
        return numpy.percentile(means, [100 * beyond, 50, 100 * (1 - beyond)], axis=0)


def fmeasure(precision: float, recall: float) -> float:
    """The harmonic mean of two numbers; 0 if both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
