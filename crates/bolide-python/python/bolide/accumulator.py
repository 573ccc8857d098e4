"""Collects statistics batch by batch and merges those of several processes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import _bolide
from .result import Score

if TYPE_CHECKING:
    from .metric import Metric


class Accumulator:
    """``update`` adds batches, ``merge`` adds other accumulators, ``compute`` scores all segments.

    The score has the same bits as if the corpus were scored at once, however it was divided; of TER with three or more
    references, whose mean lengths are fractions, the last digits depend on the division. Merging is in segment order: merged
    segments come after the existing ones.

    >>> import bolide
    >>> first, second = (bolide.Meteor("nltk").accumulator() for _ in range(2))
    >>> first.update(["the cat sat"], ["the cat sat"])
    >>> second.update("a dog", "the dog")
    >>> first.merge(second).compute().score
    0.6157407407407407
    >>> first.n_segments
    2

    It can be pickled. ``to_bytes`` returns only the statistics, for example for another process:

    >>> bolide.Accumulator.from_bytes(first.metric, first.to_bytes()).compute() == first.compute()
    True
    """

    def __init__(self, metric: Metric) -> None:
        self._metric = metric
        self._corpus = metric._native.empty()

    @property
    def metric(self) -> Metric:
        """The metric that scores the segments."""
        return self._metric

    @property
    def n_segments(self) -> int:
        """How many segments were added so far."""
        return self._corpus.n_segments

    def update(
        self,
        hypotheses: Any,
        references: Any,
        *,
        threads: int | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> None:
        """Adds a batch, or a single segment if the hypothesis is a string."""
        from .metric import _sides, _threads

        if isinstance(hypotheses, str):
            hypotheses, references = [hypotheses], [references]
        native_hypotheses, native_references = _sides(hypotheses, references)
        corpus = self._metric._native.corpus(
            native_hypotheses, native_references, threads=_threads(threads), progress=progress
        )
        self._corpus = self._corpus.merged(corpus)

    def compute(self) -> Score:
        """The score of all segments so far. No segments have no score."""
        if not self.n_segments:
            raise _nothing()
        return Score(*self._corpus.score())

    def merge(self, *others: Accumulator) -> Accumulator:
        """Appends the segments of other accumulators to this one, and returns this one."""
        for other in others:
            self._corpus = self._corpus.merged(other._corpus)
        return self

    def reset(self) -> None:
        """Removes all segments."""
        self._corpus = self._metric._native.empty()

    def to_bytes(self) -> bytes:
        """The statistics without the metric, in the same form on every machine."""
        return self._corpus.to_bytes()

    @classmethod
    def from_bytes(cls, metric: Metric, data: bytes) -> Accumulator:
        """Reads statistics that ``to_bytes`` returned for the same metric."""
        accumulator = cls(metric)
        accumulator._corpus = metric._native.corpus_from_bytes(data)
        return accumulator

    def __reduce__(self) -> tuple[Any, ...]:
        return (Accumulator.from_bytes, (self._metric, self.to_bytes()))

    def __repr__(self) -> str:
        return f"<bolide.Accumulator of {self.n_segments} segments, {self._metric.signature}>"


def _nothing() -> _bolide.InvalidSegmentError:
    """The error of a corpus without segments: 0 would be a perfect TER."""
    return _bolide.InvalidSegmentError("nothing to score: there are no segments")
