"""Scores in DuckDB's SQL. Arrow batches go straight to the engine; files may be larger than memory.

>>> import duckdb
>>> import bolide.duckdb
>>> connection = bolide.duckdb.register(duckdb.connect())
>>> connection.execute("SELECT meteor('on the mat sat the cat', 'the cat sat on the mat')").fetchone()
(0.9375,)
>>> connection.execute('''
...     SELECT system, meteor_corpus(hyp, ref)
...     FROM (VALUES ('a', 'the cat sat', 'the cat sat'), ('a', 'a dog', 'the dog'),
...                  ('b', 'a cat', 'the cat sat')) AS pairs(system, hyp, ref)
...     GROUP BY system ORDER BY system
... ''').fetchall()
[('a', 0.7500000000000001), ('b', 0.17241379310344826)]

Corpus scores are exact: statistics are integers, SQL sums them, and ``bolide_finish`` computes the score of
the whole corpus from the sums.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from . import _bolide
from .metric import _named

__all__ = ["METRICS", "register"]

METRICS: dict[str, str] = dict(_bolide.identifiers())
"""The functions that ``register`` creates by default, one for every dialect, and their metrics."""


def register(
    connection: duckdb.DuckDBPyConnection, metrics: Mapping[str, str] | None = None
) -> duckdb.DuckDBPyConnection:
    """Registers the functions with a connection, and returns it.

    ``metrics`` maps names of functions to metrics. The default is ``METRICS`` without the metrics whose tables are
    missing. For each name there are

    - ``name(hyp, ref)``, the score of a row. Several references are a list: ``VARCHAR[]``;
    - ``name_statistics(hyp, ref)``, its statistics as ``BIGINT[]``, and ``name_sum(statistics)``, which
      sums them over rows;
    - ``name_corpus(hyp, ref)``, the exact score of the rows of a group: ``bolide_finish`` of that sum.

    Metrics whose corpus score is not a function of sums (CIDEr) have the first and the last, which gathers the texts of a
    group: they must fit in memory. For any metric by name there are
    ``bolide_score('meteor:nltk', hyp, ref)``, ``bolide_statistics``, ``bolide_finish('meteor:nltk', sums)`` and
    ``bolide_corpus('cider', list(hyp ORDER BY id), list(ref ORDER BY id))``, whose order of rows may decide the last
    bit of a sum of floats; ``bolide_problem(hyp, ref)`` says why a row has no score.

    Every ``cursor()`` of the connection sees them. For a database in a file, the two that are macros (``name_sum``,
    ``name_corpus``) are temporary, and belong to the connection they are registered with: register them with each cursor.
    A cursor of a database in memory needs that too if it uses another database (``USE``).

    The result is NULL if the hypothesis or the reference is null or the list of references is empty; SQL's sums
    ignore it. To count a missing hypothesis as an empty one, write ``coalesce(hyp, '')``.
    """
    for name, metric in (METRICS if metrics is None else metrics).items():
        try:
            _register_metric(connection, name, metric)
        except _bolide.UnavailableError:
            # A default metric may lack its table; a metric that the caller names may not.
            if metrics is not None:
                raise
    _create(connection, "bolide_score", "DOUBLE", _by_name(_bolide.batch_scores, pa.float64()))
    counts = pa.list_(pa.int64())
    _create(connection, "bolide_statistics", "BIGINT[]", _by_name(_bolide.batch_counts, counts))
    _create(connection, "bolide_finish", "DOUBLE", _by_name(_bolide.finish_counts, pa.float64()))
    _create(connection, "bolide_corpus", "DOUBLE", _by_name(_bolide.list_scores, pa.float64()))
    _create(connection, "bolide_problem", "VARCHAR", _whole(_bolide.batch_problems))
    return connection


def _register_metric(connection: duckdb.DuckDBPyConnection, name: str, metric: str) -> None:
    if not name.isidentifier():
        raise ValueError(f"a function's name must be letters, digits and underscores, got {name!r}")
    native = _named(metric)
    _create(connection, name, "DOUBLE", _whole(_bolide.batch_scores, native))
    n_counts = native.n_counts
    if n_counts is None:
        _create(connection, f"{name}_gathered", "DOUBLE", _whole(_bolide.list_scores, native))
        _create_macro(connection, f"{name}_corpus(hyp, ref)", f"{name}_gathered(list(hyp), list(ref))")
        return
    statistics = _whole(_bolide.batch_counts, native)
    _create(connection, f"{name}_statistics", "BIGINT[]", statistics)
    _create(connection, f"{name}_finish", "DOUBLE", _whole(_bolide.finish_counts, native))
    # DuckDB adds integers in 128 bits; if a sum does not fit in 64, the cast raises an error.
    sums = ", ".join(f"sum(statistics[{idx}])::BIGINT" for idx in range(1, n_counts + 1))
    _create_macro(connection, f"{name}_sum(statistics)", f"[{sums}]")
    # The statistics are the same expression in every sum, and DuckDB computes it once.
    _create_macro(connection, f"{name}_corpus(hyp, ref)", f"{name}_finish({name}_sum({name}_statistics(hyp, ref)))")


def _create_macro(connection: duckdb.DuckDBPyConnection, call: str, body: str) -> None:
    """Temporary, which the connection finds in whatever database it uses. In memory also one that every cursor sees; a file gets
    none that outlives the process whose functions it calls."""
    connection.execute(f"CREATE OR REPLACE TEMP MACRO {call} AS {body}")
    query = "SELECT path FROM duckdb_databases() WHERE database_name = current_database()"
    # All rows: an unfinished result would block the connection.
    if connection.execute(query).fetchall() == [(None,)]:
        connection.execute(f"CREATE OR REPLACE MACRO {call} AS {body}")


def _create(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    return_type: str,
    function: Callable[..., Any],
) -> None:
    try:
        connection.remove_function(name)
    except duckdb.InvalidInputException:
        pass  # It did not exist yet.
    # A function with a variable number of arguments accepts any types: texts and lists of texts.
    try:
        connection.create_function(
            name, function, return_type=return_type, type="arrow", null_handling="special"
        )
    except duckdb.CatalogException:
        # Another cursor of the database has registered it. Names of our own mean the same there.
        if not name.startswith("bolide_") and _of_dialect(name) not in METRICS:
            raise


def _of_dialect(name: str) -> str:
    """The name of the dialect whose function this is."""
    return name.removesuffix("_statistics").removesuffix("_finish").removesuffix("_gathered")


def _whole(function: Callable[..., Any], *first: Any) -> Callable[..., Any]:
    """A function over columns, for DuckDB."""

    def call(*columns: Any) -> Any:
        return pa.array(function(*first, *columns))

    return call


def _by_name(function: Callable[..., Any], type: pa.DataType) -> Callable[..., Any]:
    """The same with the metric's name in the first column: almost always one name."""

    def call(names: Any, *columns: Any) -> Any:
        names = names.cast(pa.string())
        distinct = pc.unique(names).to_pylist()
        if len(distinct) == 1 and distinct[0] is not None:
            return pa.array(function(_named(distinct[0]), *columns))
        result: list[Any] = [None] * len(names)
        for name in distinct:
            if name is None:
                continue
            rows = pc.indices_nonzero(pc.equal(names, name))
            taken = [_taken(column, rows) for column in columns]
            made = pa.array(function(_named(name), *taken)).to_pylist()
            for row, value in zip(rows.to_pylist(), made):
                result[row] = value
        return pa.array(result, type)

    return call


def _taken(column: Any, rows: Any) -> Any:
    """Some rows of a column."""
    plain = _without_views(column.type)
    if plain is column.type:
        return column.take(rows).combine_chunks()
    # DuckDB gives views if its settings say so. PyArrow cannot take rows of all of them, and casts some wrongly.
    values = column.to_pylist()
    return pa.array([values[row] for row in rows.to_pylist()], plain)


def _without_views(type: pa.DataType) -> pa.DataType:
    """The type of the same values without views; the same object if it has none."""
    if pa.types.is_string_view(type):
        return pa.large_string()
    is_view = pa.types.is_list_view(type) or pa.types.is_large_list_view(type)
    if is_view or pa.types.is_list(type) or pa.types.is_large_list(type):
        below = type.value_type
        of = _without_views(below)
        return pa.large_list(of) if is_view or of is not below else type
    return type
