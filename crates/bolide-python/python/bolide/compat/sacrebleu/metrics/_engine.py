"""What the engine counts for BLEU, chrF and TER, and when Python counts instead.

The engine scores with the settings that a metric has when it is asked, as sacreBLEU does. If a metric has hooks or a
tokenizer that are not ours, or settings that the engine lacks, the methods of ``base.Metric`` count in Python.
"""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, ClassVar

from .... import _bolide
from ....metric import _name
from .base import (
    _S,
    Metric,
    _n_threads,
    _References,
    _seed,
    _warn_of_lengths,
    _warn_of_streams,
    _warn_of_tokens,
)

_HOOKS = frozenset({
    "_aggregate_and_compute",
    "_cache_references",
    "_compute_f_score",
    "_compute_score_from_stats",
    "_compute_segment_statistics",
    "_extract_corpus_statistics",
    "_extract_reference_info",
    "_get_closest_ref_len",
    "_get_match_statistics",
    "_preprocess_segment",
    "_remove_punctuation",
    "compute_bleu",
})
"""What subclasses and programs replace in sacreBLEU's metrics."""


class Hooks:
    """The hooks of a class as it was made."""

    def __init__(self, kind: type[Any]) -> None:
        self._of: Callable[[Any], Any] = attrgetter(*sorted(name for name in _HOOKS if hasattr(kind, name)))
        self._own: Any = self._of(kind)

    def are_those_of(self, metric: object) -> bool:
        """Whether nobody has replaced one, in a subclass, in the class or in the object."""
        return self._of(type(metric)) == self._own and _HOOKS.isdisjoint(metric.__dict__)


def configured(metric: str, keys: dict[str, Any]) -> _bolide.Metric | None:
    """The engine's metric with these settings, if it has such a one."""
    try:
        return _bolide.Metric(_name(metric, keys))
    except _bolide.InvalidSignatureError:
        return None


class Lines(list[tuple[str | None, ...]]):
    """The references of each segment, as texts that the engine has not read yet."""

    def __init__(self, references: _References, settings: dict[str, Any]) -> None:
        super().__init__(zip(*references))
        self.settings: dict[str, Any] = settings

    def __reduce__(self) -> tuple[Any, ...]:
        return (Lines, ([*zip(*self)], self.settings))

    def num_refs(self) -> int:
        """How many each segment has; -1 if they have different numbers."""
        counts = {sum(ref is not None for ref in refs) for refs in self}
        return counts.pop() if len(counts) == 1 else -1


class EngineMetric(Metric[_S]):
    """A metric that the engine has."""

    _hooks: ClassVar[Hooks]

    @abstractmethod
    def _configured(self) -> _bolide.Metric | None:
        """The engine's metric with the present settings; None if it has no such metric."""

    @abstractmethod
    def _score(self, value: float, components: dict[str, Any]) -> _S:
        """A score from the engine's components."""

    @property
    @abstractmethod
    def _label(self) -> str:
        """The name of its scores."""

    def _engine(self) -> _bolide.Metric | None:
        """The engine's metric that scores as this one does now, if there is one."""
        return self._configured() if self._hooks.are_those_of(self) else None

    def _native(self) -> _bolide.Metric:
        """The same, if there must be one."""
        native = self._engine()
        if native is None:
            raise _bolide.InvalidSignatureError("the engine has no metric with these settings")
        return native

    def _settings(self) -> dict[str, Any]:
        """The attributes that say how texts are counted."""
        return {
            key: value
            for key, value in vars(self).items()
            if key not in ("_ref_cache", "n_bootstrap", "num_refs", "seed")
        }

    def _keep(self, references: _References) -> None:
        """Keeps references for later corpora."""
        if self._engine() is None:
            self._ref_cache = self._cache_references(references)
        else:
            _warn_of_streams(references)
            self._ref_cache = lines = Lines(references, self._settings())
            self.num_refs = lines.num_refs()

    def _cached(self) -> list[Any] | None:
        cache = self._ref_cache
        if not isinstance(cache, Lines):
            return cache
        # They are read with the settings of the time they were kept.
        then = copy.copy(self)
        then.__dict__ = dict(cache.settings)
        return then._cache_references(list(zip(*cache)))

    def _lines(self, references: _References | None) -> Sequence[Sequence[str | None]] | None:
        """The references of each segment, if the engine can read them."""
        if references is not None:
            return list(zip(*references))
        cache = self._ref_cache
        return cache if isinstance(cache, Lines) and cache.settings == self._settings() else None

    def _statistics(self, row: list[float]) -> list[Any]:
        """Statistics with the same types as sacreBLEU's."""
        return [int(count) for count in row]

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: _References | None
    ) -> list[list[Any]]:
        """The statistics of each segment."""
        native, lines = self._engine(), self._lines(references or None)
        if native is None or lines is None:
            return super()._extract_corpus_statistics(hypotheses, references)
        n_segments = min(len(hypotheses), len(lines))
        hypotheses = [*hypotheses][:n_segments]
        if not self._force:
            _warn_of_tokens(hypotheses)
        rows, nrefs = native.statistics_rows(hypotheses, lines[:n_segments], threads=_n_threads())
        self.num_refs = _count(nrefs)
        return [self._statistics(row) for row in rows]

    def _aggregate_and_compute(self, stats: Sequence[Sequence[Any]]) -> _S:
        """The score of the statistics of several segments."""
        if len(stats) == 1:
            return self._compute_score_from_stats(stats[0])
        return self._compute_score_from_stats([sum(column) for column in zip(*stats)])

    def corpus_score(
        self, hypotheses: Sequence[str], references: _References | None, n_bootstrap: int = 1
    ) -> _S:
        """The score of a corpus. ``references`` are streams, each as long as the hypotheses."""
        self._check_corpus_score_args(hypotheses, references)
        native, lines = self._engine(), self._lines(references)
        if native is None or lines is None:
            return super().corpus_score(hypotheses, references, n_bootstrap)
        if references is not None:
            _warn_of_streams(references)
        _warn_of_lengths(len(hypotheses), len(lines))
        n_segments = min(len(hypotheses), len(lines))
        rows = ([*hypotheses][:n_segments], lines[:n_segments])
        if not self._force:
            _warn_of_tokens(rows[0])
        if n_bootstrap <= 1:
            corpus = native.corpus(*rows, threads=_n_threads(), progress=None)
            mean, half_width = -1.0, -1.0
        else:
            self.n_bootstrap = n_bootstrap
            self.seed, seed = _seed()
            corpus, mean, half_width = native.confidence(
                *rows, threads=_n_threads(), progress=None, n_samples=n_bootstrap, seed=seed
            )
        self.num_refs = _count(corpus.nrefs)
        score = self._score(*corpus.score()[:2])
        score._mean, score._ci = mean, half_width
        return score

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> _S:
        """The score of one segment against any number of references."""
        native = self._engine()
        if native is None:
            return super().sentence_score(hypothesis, references)
        self._check_sentence_score_args(hypothesis, references)
        corpus = native.corpus([hypothesis], [references], threads=1, progress=None)
        self.num_refs = _count(corpus.nrefs)
        return self._score(*corpus.score()[:2])


def _count(nrefs: str | None) -> int:
    return -1 if nrefs is None or nrefs == "var" else int(nrefs)
