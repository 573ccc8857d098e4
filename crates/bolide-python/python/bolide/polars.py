"""Polars expressions: scores as columns, Arrow straight into the engine.

>>> import polars as pl
>>> import bolide.polars
>>> frame = pl.DataFrame({"hyp": ["the cat sat", "a dog"], "ref": ["the cat sat", "the dog"]})
>>> frame.select(bolide.polars.meteor(pl.col("hyp"), pl.col("ref"), dialect="nltk").round(4))["hyp"].to_list()
[0.9815, 0.25]
"""

from __future__ import annotations

from typing import Any

import polars as pl

from .metric import Bleu, Chrf, Meteor, Metric, Rouge, Ter


def score(metric: Metric | str, hypothesis: Any, reference: Any, *, threads: int = 1) -> pl.Expr:
    """The score of each row by any metric; named after the hypothesis column.

    References are strings, or lists of strings for several of them. A null on either side gives
    null. Polars has threads of its own, so one is the default here.
    """
    chosen = Metric(metric) if isinstance(metric, str) else metric
    sides = [pl.col(side) if isinstance(side, str) else side for side in (hypothesis, reference)]

    def batch(columns: Any) -> pl.Series:
        name = columns[0].name
        scores: pl.Series = chosen.segments(columns[0], columns[1], threads=threads)
        return scores.rename(name)

    return pl.map_batches(sides, batch, return_dtype=pl.Float64, is_elementwise=True)


def meteor(hypothesis: Any, reference: Any, dialect: str = "classic", **keys: Any) -> pl.Expr:
    """METEOR of each row."""
    return score(Meteor(dialect, **keys), hypothesis, reference)


def bleu(hypothesis: Any, reference: Any, dialect: str = "sacrebleu", **keys: Any) -> pl.Expr:
    """BLEU of each row."""
    return score(Bleu(dialect, **keys), hypothesis, reference)


def chrf(hypothesis: Any, reference: Any, dialect: str = "chrf", **keys: Any) -> pl.Expr:
    """chrF of each row."""
    return score(Chrf(dialect, **keys), hypothesis, reference)


def ter(hypothesis: Any, reference: Any, **keys: Any) -> pl.Expr:
    """Translation edit rate of each row."""
    return score(Ter(**keys), hypothesis, reference)


def rouge(hypothesis: Any, reference: Any, dialect: str = "rougeL", **keys: Any) -> pl.Expr:
    """ROUGE of each row."""
    return score(Rouge(dialect, **keys), hypothesis, reference)
