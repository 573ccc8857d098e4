"""Metrics: configured once, used many times."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, overload

from . import _bolide, _columns
from .accumulator import Accumulator, _nothing
from .evidence import Evidence
from .explanation import Explanation
from .result import Score

if TYPE_CHECKING:
    from .family import Aligned, Counted

Text = str | Sequence[str]
"""A text, or its tokens."""

References = str | Sequence[str | None] | Sequence[Sequence[str] | None]
"""One reference or several, as texts or as tokens."""

Progress = Callable[[int, int], object]
"""Called regularly with the number of segments done and the number of all segments."""


class Metric:
    """Any metric by its name, which is a partial signature; of a metric, the same metric.

    >>> import bolide
    >>> metric = bolide.Metric("meteor:nltk|alpha:0.8")
    >>> metric.signature.startswith("meteor:nltk|match:exact+stem+synonym|")
    True
    >>> bolide.Metric("meteor:nltkk")
    Traceback (most recent call last):
    bolide.UnknownMetricError: there is no metric 'meteor:nltkk': did you mean meteor:nltk

    Texts are strings, which the metric tokenises, or lists of tokens, which are not split again. If the
    hypothesis is a string, ``references`` is a string or a list of strings; if it is a token list,
    ``references`` is a token list or a list of token lists.
    """

    _native: _bolide.Metric

    def __init__(self, name: str | Metric) -> None:
        self._native = name._native if isinstance(name, Metric) else _bolide.Metric(_checked(name))

    @property
    def signature(self) -> str:
        """The full name: every setting that changes the score."""
        return self._native.signature

    @property
    def dialect(self) -> dict[str, Any]:
        """The registry's entry of the dialect: what it reproduces, its range, and more.

        >>> import bolide
        >>> bolide.Metric("ter").dialect["range"], bolide.Metric("ter").dialect["references"]
        ([0.0, None], 'mean_length')
        """
        dialect: dict[str, Any] = json.loads(self._native.dialect)
        return dialect

    @property
    def lower_is_better(self) -> bool:
        """Whether a smaller score is better, as in an error rate."""
        return bool(self.dialect["lower_is_better"])

    def segment(self, hypothesis: Text, references: References) -> Score:
        """The score of one segment, with its components.

        >>> import bolide
        >>> bolide.Meteor("textbook").segment("the cat sat", ["the cat sat", "a cat"]).components["chunks"]
        1
        """
        if type(hypothesis) is list:
            _refuse_a_sentence_as_token(hypothesis)
        return Score(*self._native.segment(hypothesis, references))

    def segments(
        self,
        hypotheses: Any,
        references: Any,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        details: bool = False,
        nulls: _columns.Nulls | None = None,
    ) -> Any:
        """The scores of many segments, as the same kind of column as the hypotheses.

        The columns may be lists, tuples, NumPy arrays, pandas and Polars Series, PyArrow arrays, and
        anything else with the Arrow C data interface. In a list, a missing hypothesis or reference is an
        error (``nulls="error"``); in other columns, it gives a missing score (``nulls="skip"``). With
        ``nulls="zero"``, a missing hypothesis counts as an empty one; a row without references still has
        no score.

        ``threads`` defaults to the number of cores that this process may use; it never changes a score.
        ``progress`` is called with the number of segments done and the number of all segments. With
        ``details``, the result is a table of the components instead of a column.

        >>> import bolide
        >>> bolide.Bleu("unigram").segments(("the cat", "a dog"), ("the cat", ["the dog", "dog"]))
        (1.0, 0.5)
        >>> bolide.Bleu("unigram").segments(["the cat", None], ["the cat", "a dog"], nulls="zero")
        [1.0, 0.0]
        """
        nulls = _columns.nulls_of(hypotheses, nulls)
        _look_at(hypotheses, references)
        _hint(self._native, "", [])
        native_hypotheses, native_references = _sides(hypotheses, references)
        if nulls == "zero":
            native_hypotheses = _columns.filled(native_hypotheses)
        floats, columns = self._native.segments(
            native_hypotheses,
            native_references,
            threads=_threads(threads),
            progress=progress,
            missing=nulls != "error",
            details=details,
        )
        if nulls == "error" and (_columns.may_miss(hypotheses) or _columns.may_miss(references)):
            _refuse_missing(floats)
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
        nulls: _columns.Nulls = "error",
    ) -> Score:
        """The score of a corpus, as the authors of the metric define it.

        A missing hypothesis or reference is an error. ``nulls="skip"`` leaves such rows out;
        ``nulls="zero"`` counts a missing hypothesis as an empty one.

        No segments have no score: they are an error, as in the command.

        ``confidence`` is a number of bootstrap samples. The score's ``confidence`` is then their mean and
        the half-width of their 95 % interval, as sacreBLEU computes them.

        >>> import bolide
        >>> bolide.Ter().corpus(["the cat sat"], ["the cat sat down"]).score
        25.0
        >>> bolide.Ter().corpus(["the cat sat", None], ["the cat sat down", "a dog"], nulls="skip").score
        25.0
        """
        _refuse_share(confidence, seed)
        if not confidence:
            return self._accumulated(hypotheses, references, threads=threads, progress=progress, nulls=nulls).compute()
        hypotheses, references = _present(hypotheses, references, nulls)
        native_hypotheses, native_references = _sides(hypotheses, references)
        corpus, mean, half_width = self._native.confidence(
            native_hypotheses,
            native_references,
            threads=_threads(threads),
            progress=progress,
            n_samples=confidence,
            seed=seed,
        )
        if not corpus.n_segments:
            raise _nothing()
        return Score(*corpus.score(), (mean, half_width))

    def _accumulated(
        self,
        hypotheses: Any,
        references: Any,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        nulls: _columns.Nulls = "error",
    ) -> Accumulator:
        """The statistics of a corpus."""
        hypotheses, references = _present(hypotheses, references, nulls)
        accumulator = self.accumulator()
        accumulator.update(hypotheses, references, threads=threads, progress=progress)
        return accumulator

    def explain(self, hypothesis: Text, references: References) -> Explanation | Evidence:
        """How a score comes about: the alignment of a metric that has one (``dialect["alignment"]``), else the
        n-grams, edits or common words that it is counted from. It prints, and a notebook draws it.

        >>> import bolide
        >>> it = bolide.Metric("rouge1").explain("the cat sat", "the cat slept")
        >>> [(ngram["text"], ngram["matches"]) for ngram in it.orders[0]["ngrams"]]
        [('the', 1), ('cat', 1), ('sat', 0), ('slept', 0)]
        """
        if type(hypothesis) is list:
            _refuse_a_sentence_as_token(hypothesis)
        fields, text = self._native.explain(hypothesis, references)
        found = json.loads(fields)
        return (Explanation if "pairs" in found else Evidence)(found, text)

    def accumulator(self) -> Accumulator:
        """An object that collects statistics batch by batch."""
        return Accumulator(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (type(self), self._native.name))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Metric) and other.signature == self.signature

    def __hash__(self) -> int:
        return hash(self.signature)

    def __repr__(self) -> str:
        # A debugger may show one whose name was refused.
        native = getattr(self, "_native", None)
        return f"<bolide.{type(self).__name__} {native.signature if native else 'without a name'}>"


def _rebuild(kind: type[Metric], name: str) -> Metric:
    metric = kind.__new__(kind)
    metric._native = _bolide.Metric(name)
    return metric


def _sides(hypotheses: Any, references: Any) -> tuple[Any, Any]:
    return _columns.native(hypotheses), _columns.native(references)


def _present(hypotheses: Any, references: Any, nulls: _columns.Nulls) -> tuple[Any, Any]:
    """The columns of a corpus without what is missing, unless that is an error."""
    _look_at(hypotheses, references)
    if _columns.nulls_of(hypotheses, nulls) == "error":
        return hypotheses, references
    hypotheses, references = _sides(hypotheses, references)
    if nulls == "zero":
        hypotheses = _columns.filled(hypotheses)
    return _columns.present(hypotheses, references)


# More threads than this, or than there are cores, would only get in each other's way.
_MOST_THREADS = 256


def _threads(threads: int | None) -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    if threads is None:
        return cores
    if threads < 1:
        raise ValueError(f"threads must be at least 1, got {threads}")
    return min(threads, max(cores, _MOST_THREADS))


def _name(metric: str, keys: dict[str, Any]) -> str:
    """A partial signature from keyword arguments."""

    def text(value: Any) -> str:
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, (list, tuple)):
            return ",".join(text(part) for part in value)
        return str(value)

    return "|".join([metric, *(f"{key}:{text(value)}" for key, value in keys.items())])


@lru_cache(maxsize=64)
def _named(name: str) -> _bolide.Metric:
    return _bolide.Metric(name)


def import_tables(
    path: str | os.PathLike[str], folder: str | os.PathLike[str] | None = None, language: str | None = None
) -> list[str]:
    """Compiles the tables of a file, a wheel or another archive, a jar or its folder; returns their names.

    Metrics that are named from now on use them.
    """
    names = _bolide.import_tables(path, folder, language)
    _named.cache_clear()
    return names


def _of(metric: str | Metric) -> _bolide.Metric:
    return _named(metric) if isinstance(metric, str) else _metric(metric)._native


def score(metric: str | Metric, hypothesis: Text, references: References) -> float:
    """Scores one segment with a metric or the name of one.

    >>> import bolide
    >>> bolide.score("meteor", "the cat sat on the mat", "on the mat sat the cat")
    0.9375
    >>> bolide.score("ter", ["the", "cat"], ["the", "dog"])
    50.0
    """
    if type(hypothesis) is list:
        _refuse_a_sentence_as_token(hypothesis)
    native = _of(metric)
    value = native.segment_score(hypothesis, references)
    if value == 0.0 and isinstance(hypothesis, str):
        _hint(native, hypothesis, references)
    elif value != value:
        name = json.loads(native.dialect)["name"]
        _warn(f"{name} is not defined for texts as short or as long as these, so their score is not a number")
    return value


def segments(metric: str | Metric, hypotheses: Any, references: Any, **options: Any) -> Any:
    """The scores of many segments: see ``Metric.segments``.

    >>> import bolide
    >>> bolide.segments("bleu:unigram", ["the cat", "a dog"], ["the cat", "the dog"])
    [1.0, 0.5]
    """
    return _metric(metric).segments(hypotheses, references, **options)


def corpus(metric: str | Metric, hypotheses: Any, references: Any, **options: Any) -> Score:
    """The score of a corpus: see ``Metric.corpus``.

    >>> import bolide
    >>> bolide.corpus("ter", ["the cat sat"], ["the cat sat down"]).score
    25.0
    """
    return _metric(metric).corpus(hypotheses, references, **options)


@overload
def explain(metric: Aligned, hypothesis: Text, references: References) -> Explanation: ...
@overload
def explain(metric: Counted, hypothesis: Text, references: References) -> Evidence: ...
@overload
def explain(metric: str | Metric, hypothesis: Text, references: References) -> Explanation | Evidence: ...
def explain(metric: str | Metric, hypothesis: Text, references: References) -> Explanation | Evidence:
    """How a score comes about: see ``Metric.explain``.

    >>> import bolide
    >>> print(bolide.explain("meteor", "the cats sat", "a cat sat"))
    the cats sat
    a cat sat
    cats~s~cat sat~sat
    precision 0.666667, recall 0.666667, fmean 0.666667, penalty 0.0625, score 0.625
    """
    return _metric(metric).explain(hypothesis, references)


def _metric(metric: str | Metric) -> Metric:
    return metric if isinstance(metric, Metric) else Metric(metric)


def _checked(name: Any) -> str:
    """The name of a metric; anything else is a ``TypeError``."""
    if isinstance(name, str):
        return name
    what = f"the class {name.__name__}, which has to be called" if isinstance(name, type) else type(name).__name__
    raise TypeError(f"a metric is a name or a metric object, got {what}")


def _refuse_share(confidence: Any, seed: Any) -> None:
    """Refuses a confidence that is not a number of samples, such as 0.95."""
    if isinstance(confidence, bool) or not hasattr(confidence, "__index__"):
        raise TypeError(f"confidence is a number of bootstrap samples, such as 1000, got {confidence!r}")
    for name, number in (("confidence", confidence), ("seed", seed)):
        if number < 0:
            raise ValueError(f"{name} must be at least 0, got {number}")


def _refuse_missing(scores: _bolide.Floats) -> None:
    """Of Arrow's columns: lists are refused before they are scored."""
    values = scores.to_list()
    if None in values:
        raise _bolide.InvalidSegmentError(f"segment {values.index(None)}: the hypothesis or its references are missing")


def _refuse_a_sentence_as_token(tokens: Any) -> None:
    """Refuses a list of one string of three or more words, which is a text; two words may be a token, `New York`."""
    if len(tokens) != 1 or not isinstance(tokens[0], str) or len(tokens[0].split()) < 3:
        return
    raise TypeError(
        f"the hypothesis is a list of one token, {tokens[0]!r}: pass the string itself, or a list of its tokens"
    )


def _hint(native: _bolide.Metric, hypothesis: str, references: References) -> None:
    """Warns where a score of nothing is the fault of the metric rather than of the text: Chinese without spaces, CIDEr of one caption."""
    texts = [references] if isinstance(references, str) else [text for text in references if isinstance(text, str)]
    try:
        hint = native.hint(hypothesis, texts)
    except UnicodeEncodeError:
        return  # Lone surrogates.
    if hint is not None:
        _warn(hint)


def _warn(message: str) -> None:
    """Warns at the caller's line, however many of our own functions are between."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "bolide":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, stacklevel=level)


def _look_at(hypotheses: Any, references: Any) -> None:
    """Refuses or warns about likely mistakes, judging only by the shape of lists."""
    if type(hypotheses) is not list or not hypotheses:
        return
    if type(hypotheses[0]) is list:
        _refuse_a_sentence_as_token(hypotheses[0])
    n_rows = len(hypotheses)
    if (
        n_rows > 1
        and type(hypotheses[0]) is str
        and type(references) is list
        and len(references) == n_rows
        and all(type(row) is list and len(row) == n_rows for row in references)
    ):
        _warn(
            f"references are {n_rows} lists of {n_rows}: they are read as {n_rows} references for each "
            "segment; if they are streams, transpose them with zip(*references)"
        )


def dialects() -> list[dict[str, Any]]:
    """Every dialect: its name and family, what it reproduces, how that was checked, and the range of its scores.

    >>> import bolide
    >>> bolide.dialects()[0]["name"]
    'meteor:classic'
    """
    dialects: list[dict[str, Any]] = json.loads(_bolide.dialects())
    return dialects


def languages() -> list[dict[str, Any]]:
    """Every language that METEOR knows by code: its tokens, stems and synonyms, where they come from and on what terms.

    ``tables`` are the tables of synonyms that ``import_tables`` has installed for it.

    >>> import bolide
    >>> next(language for language in bolide.languages() if language["code"] == "de")["stems"]
    'snowball-3.0'
    >>> bolide.score("meteor|language:de", "die alten Häuser", "das alte Haus") > 0.5
    True
    """
    languages: list[dict[str, Any]] = json.loads(_bolide.languages())
    return languages
