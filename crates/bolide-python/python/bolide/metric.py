"""Metrics: configured once, used for the day."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from . import _bolide, _columns
from .accumulator import Accumulator
from .explanation import Explanation
from .result import Score

Progress = Callable[[int, int], object]
"""Called now and then with the segments done and their number."""


class Metric:
    """Any metric by its name, which is a partial signature.

    >>> import bolide
    >>> metric = bolide.Metric("meteor:nltk|alpha:0.8")
    >>> metric.signature.startswith("meteor:nltk|match:exact+stem+synonym|")
    True
    >>> bolide.Metric("meteor:nltkk")
    Traceback (most recent call last):
    bolide.UnknownMetricError: there is no metric 'meteor:nltkk': did you mean meteor:nltk

    Texts are strings, which the metric tokenises, or lists of tokens, which it takes as they are.
    Beside a string, ``references`` is a string or a list of strings; beside a token list it is a
    token list or a list of token lists.
    """

    _native: _bolide.Metric

    def __init__(self, name: str) -> None:
        self._native = _bolide.Metric(name)

    @property
    def signature(self) -> str:
        """The full name: everything that moves the number."""
        return self._native.signature

    @property
    def dialect(self) -> dict[str, Any]:
        """What is known of the dialect: what it reproduces, and how that was measured."""
        return self._native.dialect

    @property
    def lower_is_better(self) -> bool:
        """Whether this is an error rate."""
        return bool(self._native.dialect["lower_is_better"])

    def segment(self, hypothesis: Any, references: Any) -> Score:
        """The score of one segment, with its components.

        >>> import bolide
        >>> bolide.Meteor("textbook").segment("the cat sat", ["the cat sat", "a cat"]).components["chunks"]
        1
        """
        value, components = self._native.segment(hypothesis, references)
        return Score(value, components, self.signature)

    def segments(
        self,
        hypotheses: Any,
        references: Any,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        details: bool = False,
    ) -> Any:
        """The scores of many segments, as the kind of column that the hypotheses are.

        Lists, tuples, NumPy arrays, pandas and Polars Series and PyArrow arrays give the same kind
        back, and so does anything else with the Arrow C data interface. A missing hypothesis or
        reference in such a column gives a missing score; in a list it is a mistake.

        ``threads`` defaults to the cores this process may use and never changes a score.
        ``progress`` is called with the segments done and their number. With ``details`` a table of
        the components comes back instead of a column.

        >>> import bolide
        >>> bolide.Bleu("unigram").segments(("the cat", "a dog"), ("the cat", ["the dog", "dog"]))
        (1.0, 0.5)
        """
        native_hypotheses, native_references = _sides(hypotheses, references)
        floats, columns = self._native.segments(
            native_hypotheses,
            native_references,
            threads=_threads(threads),
            progress=progress,
            missing=_columns.may_miss(hypotheses),
            details=details,
        )
        if columns is not None:
            return _columns.table_like(hypotheses, {"score": floats, **columns})
        return _columns.wrap_like(hypotheses)(floats)

    def corpus(
        self,
        hypotheses: Any,
        references: Any,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        confidence: int = 0,
        seed: int = 12345,
    ) -> Score:
        """The score of a corpus, as the authors of the metric define it.

        With ``confidence`` that many bootstrap samples are drawn, and the score's ``confidence``
        is their mean and the half-width of their 95 % interval, as sacreBLEU computes them.

        >>> import bolide
        >>> bolide.Ter().corpus(["the cat sat"], ["the cat sat down"]).score
        25.0
        """
        if not confidence:
            accumulator = self.accumulator()
            accumulator.update(hypotheses, references, threads=threads, progress=progress)
            return accumulator.compute()
        native_hypotheses, native_references = _sides(hypotheses, references)
        statistics, mean, half_width = self._native.confidence(
            native_hypotheses,
            native_references,
            threads=_threads(threads),
            progress=progress,
            n_samples=confidence,
            seed=seed,
        )
        value, components = statistics.finish()
        signature = self._native.signature_with(statistics.nrefs or "0")
        return Score(value, components, signature, (mean, half_width))

    def explain(self, hypothesis: Any, references: Any) -> Explanation:
        """The alignment, the steps of the formula and the cost of each word (METEOR only)."""
        fields = self._native.explain(hypothesis, references)
        if fields is None:
            raise TypeError(
                f"{self._native.dialect['name']} has no alignment to explain: METEOR does"
            )
        return Explanation(fields)

    def accumulator(self) -> Accumulator:
        """An object that collects statistics batch by batch."""
        return Accumulator(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (type(self), self.signature))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Metric) and other.signature == self.signature

    def __hash__(self) -> int:
        return hash(self.signature)

    def __repr__(self) -> str:
        return f"<bolide.{type(self).__name__} {self.signature}>"


def _rebuild(kind: type[Metric], signature: str) -> Metric:
    metric = kind.__new__(kind)
    metric._native = _bolide.Metric(signature)
    return metric


def _sides(hypotheses: Any, references: Any) -> tuple[Any, Any]:
    return _columns.native(hypotheses), _columns.native(references)


def _threads(threads: int | None) -> int:
    if threads is None:
        affinity = getattr(os, "sched_getaffinity", None)
        return len(affinity(0)) if affinity else os.cpu_count() or 1
    if threads < 1:
        raise ValueError(f"threads is at least 1, got {threads}")
    return threads


def _name(family: str, keys: dict[str, Any]) -> str:
    """A partial signature from keyword arguments."""

    def text(value: Any) -> str:
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, (list, tuple)):
            return ",".join(text(part) for part in value)
        return str(value)

    return "|".join([family, *(f"{key}:{text(value)}" for key, value in keys.items())])


class Meteor(Metric):
    """METEOR: ``classic`` unless told otherwise, ``textbook``, ``nltk``, ``hf``, ``1.5``, ….

    >>> import bolide
    >>> [bolide.Meteor(d).segment("on the mat sat the cat", "the cat sat on the mat").score
    ...  for d in ("classic", "nltk")]
    [0.9375, 0.5]
    >>> bolide.Meteor("nltk", match="exact", alpha=0.5).signature
    'meteor:nltk|match:exact|tok:space|case:lower|alpha:0.5|beta:3|gamma:0.5|bolide:...'
    """

    def __init__(self, dialect: str = "classic", **keys: Any) -> None:
        super().__init__(_name(f"meteor:{dialect}", keys))


class Bleu(Metric):
    """BLEU: ``sacrebleu`` unless told otherwise, ``nltk``, ``hf``, ``unigram``.

    >>> import bolide
    >>> round(bolide.Bleu(tok="intl", case="lc").segment("The cat sat!", "the cat sat !").score, 9)
    100.0
    """

    def __init__(self, dialect: str = "sacrebleu", **keys: Any) -> None:
        super().__init__(_name(f"bleu:{dialect}", keys))


class Chrf(Metric):
    """chrF: ``chrf`` as sacreBLEU has it, ``chrf++``, or ``nltk``.

    >>> import bolide
    >>> bolide.Chrf("chrf++").dialect["name"]
    'chrf++:sacrebleu'
    """

    def __init__(self, dialect: str = "chrf", **keys: Any) -> None:
        name = dialect if dialect.startswith("chrf") else f"chrf:{dialect}"
        super().__init__(_name(name, keys))


class Ter(Metric):
    """Translation edit rate as sacreBLEU has it. Lower is better.

    >>> import bolide
    >>> bolide.Ter().segment("sat the cat", "the cat sat").score
    33.33333333333333
    """

    def __init__(self, dialect: str = "sacrebleu", **keys: Any) -> None:
        super().__init__(_name(f"ter:{dialect}", keys))


class Rouge(Metric):
    """ROUGE as rouge-score has it: ``rouge1`` to ``rouge9``, ``rougeL`` (the default), ``rougeLsum``.

    >>> import bolide
    >>> bolide.Rouge("rouge1").segment("the cat sat", "the cat").components["recall"]
    1.0
    """

    def __init__(self, dialect: str = "rougeL", **keys: Any) -> None:
        super().__init__(_name(dialect, keys))


@lru_cache(maxsize=64)
def _named(name: str) -> _bolide.Metric:
    return _bolide.Metric(name)


def score(metric: str, hypothesis: Any, references: Any) -> float:
    """Scores one segment by a metric's name.

    >>> import bolide
    >>> bolide.score("meteor", "the cat sat on the mat", "on the mat sat the cat")
    0.9375
    >>> bolide.score("ter", ["the", "cat"], ["the", "dog"])
    50.0
    """
    return _named(metric).segment_score(hypothesis, references)


def dialects() -> list[dict[str, Any]]:
    """Every dialect: its name, what it reproduces and how that was measured.

    >>> import bolide
    >>> bolide.dialects()[0]["name"]
    'meteor:classic'
    """
    return _bolide.dialects()
