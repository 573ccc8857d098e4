"""Polars expressions: scores as columns. Arrow data goes straight to the engine.

``score`` takes any metric; a function for every family is named after it. ``corpus`` scores rows as one corpus.

>>> import polars as pl
>>> import bolide.polars
>>> frame = pl.DataFrame({"hyp": ["the cat sat", "a dog"], "ref": ["the cat sat", "the dog"]})
>>> frame.select(bolide.polars.meteor(pl.col("hyp"), pl.col("ref"), dialect="nltk").round(4))["score"].to_list()
[0.9815, 0.25]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

from ._columns import Nulls
from .family import families, metric_name
from .metric import Metric, _metric


def score(
    metric: Metric | str,
    hypothesis: Any,
    reference: Any,
    *,
    threads: int = 1,
    nulls: Nulls = "skip",
) -> pl.Expr:
    """The score of each row by any metric, as a column ``score``.

    References are strings, or lists of strings; a literal stands for every row. A null on either side gives null; ``nulls`` can change that, as in
    ``Metric.segments``. Polars has its own threads, so the default is one thread.
    """
    chosen = _metric(metric)

    def batch(columns: Any) -> pl.Series:
        scores: pl.Series = chosen.segments(*_stretched(columns), threads=threads, nulls=nulls)
        return scores

    return pl.map_batches(
        _sides(hypothesis, reference), batch, return_dtype=pl.Float64, is_elementwise=True
    ).alias("score")


def corpus(
    metric: Metric | str,
    hypothesis: Any,
    reference: Any,
    *,
    threads: int = 1,
    nulls: Nulls = "error",
) -> pl.Expr:
    """The corpus score of all rows, or of the rows of each group, as a column ``score``.

    >>> import polars as pl
    >>> import bolide.polars
    >>> frame = pl.DataFrame({"system": ["a", "a", "b"], "hyp": ["the cat", "a dog", "a cat"], "ref": ["the cat", "the dog", "the cat"]})
    >>> frame.group_by("system", maintain_order=True).agg(bolide.polars.corpus("ter", "hyp", "ref")).rows()
    [('a', 25.0), ('b', 50.0)]
    """
    chosen = _metric(metric)

    def whole(columns: Any) -> pl.Series:
        found = chosen._accumulated(*_stretched(columns), threads=threads, nulls=nulls)
        # Nothing that could be scored has no score: 0 would be a perfect TER.
        value = float(found.compute()) if found.n_segments else None
        return pl.Series("score", [value], dtype=pl.Float64)

    return pl.map_batches(
        _sides(hypothesis, reference), whole, return_dtype=pl.Float64, returns_scalar=True
    ).alias("score")


def _sides(*sides: Any) -> list[Any]:
    return [pl.col(side) if isinstance(side, str) else side for side in sides]


def _stretched(columns: Any) -> tuple[pl.Series, pl.Series]:
    """Both columns, one value of a literal as often as the other column is long."""
    hypotheses, references = columns
    if len(hypotheses) == 1:
        hypotheses = hypotheses.new_from_index(0, len(references))
    elif len(references) == 1:
        references = references.new_from_index(0, len(hypotheses))
    return hypotheses, references


def __getattr__(name: str) -> Callable[..., pl.Expr]:
    """``meteor(hypothesis, reference, dialect=None, **keys)`` and so on: a function for every family."""
    if name.startswith("_"):
        raise AttributeError(name)
    metric_name(name, None, {})

    def of_family(
        hypothesis: Any,
        reference: Any,
        dialect: str | None = None,
        *,
        threads: int = 1,
        nulls: Nulls = "skip",
        **keys: Any,
    ) -> pl.Expr:
        chosen = metric_name(name, dialect, keys)
        return score(chosen, hypothesis, reference, threads=threads, nulls=nulls)

    of_family.__name__ = of_family.__qualname__ = name
    return of_family


def __dir__() -> list[str]:
    return [*globals(), *(family["name"] for family in families())]
