"""The common part of sacreBLEU's metric classes: arguments, checks, signatures, statistics."""

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

__all__ = ["Metric", "Score", "Signature"]
__getattr__: _original.Getattr = _original.names_of("sacrebleu.metrics.base")

_logger = logging.getLogger("sacrebleu")
_References = Sequence[Sequence[str]]
_S = TypeVar("_S", bound=Score)

_SHORT = {
    "version": "v",
    "nrefs": "#",
    "test": "t",
    "lang": "l",
    "subset": "S",
    "origlang": "o",
    "bs": "bs",
    "ar": "ar",
    "seed": "rs",
}


class Signature:
    """The settings of a score: ``str()`` is the line for a paper."""

    def __init__(self, info: dict[str, Any], short: dict[str, str]) -> None:
        self.info = info
        self._abbr = {**_SHORT, **short}

    def format(self, short: bool = False) -> str:
        """The line, optionally with short keys."""
        order = ["nrefs", "bs", "ar", "seed", "test", "lang", "origlang", "subset"]
        order += [key for key in self.info if key not in _SHORT]
        order.append("version")
        pairs = []
        for key in order:
            value = self.info.get(key)
            if value is not None:
                text = ("yes" if value else "no") if isinstance(value, bool) else value
                pairs.append(f"{self._abbr[key] if short else key}:{text}")
        return "|".join(pairs)

    def update(self, key: str, value: Any) -> None:
        """Sets one of the values."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return self.format()


def _n_threads() -> int:
    from ... import sacrebleu

    return _threads(sacrebleu.threads)


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence)


class Metric(ABC, Generic[_S]):
    """The base class of BLEU, chrF and TER."""

    _short: dict[str, str]

    def __init__(self, references: _References | None = None) -> None:
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self.num_refs: int | str | None = None
        self._ref_cache = None if references is None else self._by_segment(references)

    @abstractmethod
    def _native(self) -> _bolide.Metric: ...

    @abstractmethod
    def _score(self, value: float, components: dict[str, Any]) -> _S: ...

    @property
    def _label(self) -> str:
        """The name of its scores."""
        return type(self).__name__

    @abstractmethod
    def _info(self) -> dict[str, Any]: ...

    @abstractmethod
    def _preprocess_segment(self, sent: str) -> str: ...

    @abstractmethod
    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]: ...

    @abstractmethod
    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: Any) -> list[Any]: ...

    def _statistics(self, row: list[float]) -> list[Any]:
        """Statistics with the same types as sacreBLEU's."""
        return [int(count) for count in row]

    def _cache_references(self, references: _References) -> list[dict[str, Any]]:
        """What is cached of the references of each segment."""
        cache, counts = [], set()
        for refs in zip(*references):
            lines = [self._preprocess_segment(line) for line in refs if line is not None]
            counts.add(len(lines))
            cache.append(self._extract_reference_info(lines))
        self.num_refs = counts.pop() if len(counts) == 1 else "var"
        return cache

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: _References | None
    ) -> list[list[Any]]:
        """The statistics of each segment."""
        by_segment = self._by_segment(references) if references else self._ref_cache
        if by_segment is None:
            raise RuntimeError("No references provided and the cache is empty.")
        n_segments = min(len(hypotheses), len(by_segment))
        rows, nrefs = self._native().statistics_rows(
            [*hypotheses][:n_segments], by_segment[:n_segments], threads=_n_threads()
        )
        self.num_refs = _count(nrefs)
        return [self._statistics(row) for row in rows]

    def _aggregate_and_compute(self, stats: Sequence[Sequence[Any]]) -> _S:
        """The score of the statistics of several segments."""
        return self._compute_score_from_stats([sum(column) for column in zip(*stats)])

    def _compute_score_from_stats(self, stats: Any) -> _S:
        """The score of summed statistics."""
        native = self._native()
        score = self._score(*native.score_of_row([float(number) for number in stats]))
        if str(getattr(stats, "dtype", "")) == "float32":
            score.score = native.score_of_single_row([float(number) for number in stats])
        return score

    def _by_segment(self, references: _References) -> list[Sequence[str | None]]:
        if len({len(stream) for stream in references}) > 1:
            _logger.warning(
                "The reference streams have different lengths: only the segments of the shortest "
                "are scored."
            )
        if len(references) == 0:
            raise IndexError("list index out of range")
        return list(zip(*references))

    def corpus_score(
        self, hypotheses: Sequence[str], references: _References | None, n_bootstrap: int = 1
    ) -> _S:
        """The score of a corpus. ``references`` are streams, each as long as the hypotheses."""
        name = type(self).__name__
        self._check_corpus(name, hypotheses, references)
        if references is not None:
            by_segment = self._by_segment(references)
        elif self._ref_cache is None:
            raise RuntimeError("No references provided and the cache is empty.")
        else:
            by_segment = self._ref_cache
        n_segments = min(len(hypotheses), len(by_segment))
        if n_segments == 0:
            raise IndexError("list index out of range")
        if len(hypotheses) != len(by_segment):
            _logger.warning(
                f"{len(hypotheses)} hypotheses and {len(by_segment)} references: only the first "
                f"{n_segments} segments are scored."
            )
        rows = ([*hypotheses][:n_segments], by_segment[:n_segments])
        native = self._native()
        if n_bootstrap == 1:
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
        name = type(self).__name__
        if not isinstance(hypothesis, str):
            raise TypeError(f"{name}: The argument `hyp` should be a string.")
        if isinstance(references, str) or not _is_sequence(references):
            raise TypeError(f"{name}: The argument `refs` should be a sequence of strings.")
        if not all(isinstance(reference, str) or reference is None for reference in references):
            raise TypeError(f"{name}: Each element of `refs` should be a string.")
        if len(references) == 0:
            raise IndexError("list index out of range")
        corpus = self._native().corpus([hypothesis], [references], threads=1, progress=None)
        self.num_refs = _count(corpus.nrefs)
        return self._score(*corpus.score()[:2])

    def get_signature(self) -> Signature:
        """The settings of the last score."""
        if self.num_refs is None:
            if self._ref_cache is None:
                raise ValueError("Number of references unknown, please evaluate the metric first.")
            counts = {sum(ref is not None for ref in refs) for refs in self._ref_cache}
            self.num_refs = counts.pop() if len(counts) == 1 else "var"
        info: dict[str, Any] = {
            "version": "2.6.0",
            "nrefs": self.num_refs,
            "bs": self.n_bootstrap,
            "ar": None,
            "seed": self.seed,
            "test": None,
            "lang": None,
            "origlang": None,
            "subset": None,
        }
        return Signature({**info, **self._info()}, self._short)

    def _check_corpus(self, name: str, hypotheses: Any, references: Any) -> None:
        if not _is_sequence(hypotheses):
            raise TypeError(f"{name}: `hyps` should be a sequence of strings.")
        if not all(isinstance(hypothesis, str) for hypothesis in hypotheses):
            raise TypeError(f"{name}: Each element of `hyps` should be a string.")
        if references is not None and not (
            _is_sequence(references) and all(map(_is_sequence, references))
        ):
            raise TypeError(f"{name}: `refs` should be a sequence of sequence of strings.")


def _count(nrefs: str | None) -> int | str:
    return nrefs if nrefs is None or nrefs == "var" else int(nrefs)  # type: ignore[return-value]


def _seed() -> tuple[str, int]:
    """The seed as sacreBLEU reads it, and as a number; ``none`` draws one."""
    text = os.environ.get("SACREBLEU_SEED", "12345")
    if text.lower() == "none":
        return "none", int.from_bytes(os.urandom(8), "little")
    return text, int(text)
