"""Statistics that are collected batch by batch and merged over processes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .result import Score

if TYPE_CHECKING:
    from .metric import Metric


class Accumulator:
    """``update`` with batches, ``merge`` with others, ``compute`` the score of all.

    The score has the bits of the corpus scored at once, however it was cut. Merging is in segment
    order: what is merged comes after what was there.

    >>> import bolide
    >>> first, second = (bolide.Meteor("nltk").accumulator() for _ in range(2))
    >>> first.update(["the cat sat"], ["the cat sat"])
    >>> second.update("a dog", "the dog")
    >>> first.merge(second).compute().score
    0.6157407407407407
    >>> first.n_segments
    2

    It can be pickled, and ``to_bytes`` gives the statistics for another process by themselves:

    >>> bolide.Accumulator.from_bytes(first.metric, first.to_bytes()).compute() == first.compute()
    True
    """

    def __init__(self, metric: Metric) -> None:
        self._metric = metric
        self._corpus = metric._native.empty()

    @property
    def metric(self) -> Metric:
        """The metric that reads the segments."""
        return self._metric

    @property
    def n_segments(self) -> int:
        """How many segments were read so far."""
        return self._corpus.n_segments

    def update(
        self,
        hypotheses: Any,
        references: Any,
        *,
        threads: int | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> None:
        """Reads a batch, or a single segment if the hypothesis is a string."""
        from .metric import _sides, _threads

        if isinstance(hypotheses, str):
            hypotheses, references = [hypotheses], [references]
        native_hypotheses, native_references = _sides(hypotheses, references)
        corpus = self._metric._native.corpus(
            native_hypotheses, native_references, threads=_threads(threads), progress=progress
        )
        self._corpus = self._corpus.merged(corpus)

    def compute(self) -> Score:
        """The score of all segments so far."""
        return Score(*self._corpus.score())

    def merge(self, *others: Accumulator) -> Accumulator:
        """Adds the segments of others behind those of this one, and gives this one back."""
        for other in others:
            self._corpus = self._corpus.merged(other._corpus)
        return self

    def reset(self) -> None:
        """Forgets every segment."""
        self._corpus = self._metric._native.empty()

    def to_bytes(self) -> bytes:
        """The statistics, without the metric, in a form that is the same on every machine."""
        return self._corpus.to_bytes()

    @classmethod
    def from_bytes(cls, metric: Metric, data: bytes) -> Accumulator:
        """Statistics that ``to_bytes`` gave for the same metric."""
        accumulator = cls(metric)
        accumulator._corpus = metric._native.corpus_from_bytes(data)
        return accumulator

    def __reduce__(self) -> tuple[Any, ...]:
        return (Accumulator.from_bytes, (self._metric, self.to_bytes()))

    def __repr__(self) -> str:
        return f"<bolide.Accumulator of {self.n_segments} segments, {self._metric.signature}>"
