"""sacreBLEU's base class of metrics: arguments, checks, and the hooks in which a metric counts and scores.

Metrics of one's own derive from it. What the engine counts for BLEU, chrF and TER is in ``_engine``.
"""

from __future__ import annotations

import logging
import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from .... import _bolide
from ....metric import _threads
from ... import _original
from ..scores import Score
from ._signature import Signature

__all__ = ["Metric", "Score", "Signature"]
__getattr__: _original.Getattr = _original.names_of("sacrebleu.metrics.base")

_logger = logging.getLogger("sacrebleu")
_References = Sequence[Sequence[str]]
_S = TypeVar("_S", bound=Score)


def _n_threads() -> int:
    from ... import sacrebleu

    return _threads(sacrebleu.threads)


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence)


class Metric(ABC, Generic[_S]):
    """The base class of BLEU, chrF and TER, and of metrics of one's own."""

    _SIGNATURE_TYPE: type[Signature] = Signature

    num_refs: int
    """How many references each segment of the last corpus has; -1 if they have different numbers."""

    def __init__(self) -> None:
        self._ref_cache: list[Any] | None = None
        self._force = True
        self.n_bootstrap: int | None = None
        self.seed: str | None = None

    @abstractmethod
    def _aggregate_and_compute(self, stats: Sequence[Sequence[Any]]) -> _S:
        """The score of the statistics of several segments."""

    @abstractmethod
    def _compute_score_from_stats(self, stats: Any) -> _S:
        """The score of summed statistics."""

    @abstractmethod
    def _preprocess_segment(self, sent: str) -> str:
        """A text as it is counted."""

    @abstractmethod
    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        """What is kept of the references of a segment."""

    @abstractmethod
    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: Any) -> list[Any]:
        """The statistics of a segment."""

    def _native(self) -> _bolide.Metric:
        """The engine's metric, which a metric of one's own does not have."""
        raise TypeError(f"the engine has no metric {type(self).__name__}")

    def _cache_references(self, references: _References) -> list[Any]:
        """What is kept of the references of each segment."""
        cache, counts = [], set()
        for refs in zip(*references):
            present = [line for line in refs if line is not None]
            counts.add(len(present))
            lines = [self._preprocess_segment(line) for line in present]
            cache.append(self._extract_reference_info(lines))
        self.num_refs = counts.pop() if len(counts) == 1 else -1
        return cache

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: _References | None
    ) -> list[list[Any]]:
        """The statistics of each segment."""
        cache = self._cache_references(references) if references else self._cached()
        if not cache:
            raise RuntimeError("No references provided and the cache is empty.")
        hypotheses = [*hypotheses][: len(cache)]
        rows = [
            self._compute_segment_statistics(self._preprocess_segment(hypothesis), info)
            for hypothesis, info in zip(hypotheses, cache)
        ]
        if not self._force:
            _warn_of_tokens(hypotheses)
        return rows

    def _cached(self) -> list[Any] | None:
        """What was kept of references before."""
        return self._ref_cache

    def corpus_score(
        self, hypotheses: Sequence[str], references: _References | None, n_bootstrap: int = 1
    ) -> _S:
        """The score of a corpus. ``references`` are streams, each as long as the hypotheses."""
        self._check_corpus_score_args(hypotheses, references)
        if references is not None:
            n_references = min(map(len, references))
            _warn_of_streams(references)
        else:
            n_references = len(self._ref_cache or ())
        if n_references:
            _warn_of_lengths(len(hypotheses), n_references)
        stats = self._extract_corpus_statistics(hypotheses, references)
        score = self._aggregate_and_compute(stats)
        if n_bootstrap > 1:
            from ..significance import _bootstrap_resample

            self.n_bootstrap = n_bootstrap
            self.seed, scores = _bootstrap_resample(stats, self, n_bootstrap)
            score.estimate_ci(scores)
        return score

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> _S:
        """The score of one segment against any number of references."""
        self._check_sentence_score_args(hypothesis, references)
        streams = [[reference] for reference in references]
        return self._aggregate_and_compute(self._extract_corpus_statistics([hypothesis], streams))

    def get_signature(self) -> Signature:
        """The settings of the last score."""
        return self._SIGNATURE_TYPE(self.__dict__)

    def _check_sentence_score_args(self, hyp: Any, refs: Any) -> None:
        name = type(self).__name__
        if not isinstance(hyp, str):
            raise TypeError(f"{name}: The argument `hyp` should be a string.")
        if isinstance(refs, str) or not _is_sequence(refs):
            raise TypeError(f"{name}: The argument `refs` should be a sequence of strings.")
        if not all(isinstance(reference, str) or reference is None for reference in refs):
            raise TypeError(f"{name}: Each element of `refs` should be a string.")
        if len(refs) == 0:
            raise IndexError("list index out of range")

    def _check_corpus_score_args(self, hyps: Any, refs: Any) -> None:
        name = type(self).__name__
        if not _is_sequence(hyps):
            raise TypeError(f"{name}: `hyps` should be a sequence of strings.")
        if not all(isinstance(hypothesis, str) for hypothesis in hyps):
            raise TypeError(f"{name}: Each element of `hyps` should be a string.")
        if refs is not None and not (_is_sequence(refs) and all(map(_is_sequence, refs))):
            raise TypeError(f"{name}: `refs` should be a sequence of sequence of strings.")
        if len(hyps) == 0 or (refs is not None and min(map(len, refs), default=0) == 0):
            raise IndexError("list index out of range")


def _warn_of_streams(references: _References) -> None:
    if len({len(stream) for stream in references}) > 1:
        _logger.warning(
            "The reference streams have different lengths: only the segments of the shortest "
            "are scored."
        )


def _warn_of_lengths(n_hypotheses: int, n_references: int) -> None:
    if n_hypotheses != n_references:
        _logger.warning(
            f"{n_hypotheses} hypotheses and {n_references} references: only the first "
            f"{min(n_hypotheses, n_references)} segments are scored."
        )


def _warn_of_tokens(hypotheses: Sequence[Any]) -> None:
    ends = sum(isinstance(line, str) and line.endswith(" .") for line in hypotheses)
    if ends < 100:
        return
    _logger.warning("That's 100 lines that end in a tokenized period ('.')")
    _logger.warning(
        "It looks like you forgot to detokenize your test data, which may hurt your score."
    )
    _logger.warning(
        "If you insist your data is detokenized, or don't care, you can suppress this message with "
        "the `force` parameter."
    )


def _seed() -> tuple[str, int]:
    """The seed as sacreBLEU reads it, and as a number; ``none`` draws one."""
    text = os.environ.get("SACREBLEU_SEED", "12345")
    if text.lower() == "none":
        return "none", int.from_bytes(os.urandom(8), "little")
    return text, int(text)
