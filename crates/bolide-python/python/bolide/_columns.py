"""Recognises the caller's kind of column, and makes columns of scores of the same kind.

This module imports no package that the caller has not imported: the module of an object's type says
what it is. Objects that the native half can read (lists, tuples, anything with the Arrow C data
interface) are passed on unchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, get_args

if TYPE_CHECKING:
    from ._bolide import Floats

Wrap = Callable[["Floats"], Any]
"""Makes a column of the caller's kind from scores."""


def package(column: Any) -> str:
    """The package that an object's type comes from."""
    return type(column).__module__.partition(".")[0]


def native(column: Any) -> Any:
    """The same column in a form that the native half can read."""
    kind = package(column)
    if kind == "numpy":
        return column.tolist()
    if kind == "pandas":
        return _from_pandas(column)
    if kind == "polars":
        if hasattr(column, "collect"):
            raise TypeError("expected a column, got a LazyFrame: collect it and pass one of its columns, or use bolide.polars")
        if hasattr(column, "rows"):
            return [list(row) for row in column.rows()]
        # Polars exports columns of nothing but null in a form that Arrow does not read.
        return column.to_list() if "Null" in str(column.dtype) else column
    if isinstance(column, dict):
        raise TypeError(
            "expected one entry for each segment, got a dict: pass its values in a list"
        )
    return column


def _from_pandas(column: Any) -> Any:
    if hasattr(column, "itertuples"):
        return [list(row) for row in column.itertuples(index=False, name=None)]
    # Pass on Arrow-backed strings as they are, and everything else as Python objects.
    values = getattr(column, "array", column)
    storage = getattr(getattr(values, "dtype", None), "storage", None)
    if storage == "pyarrow" or type(values).__name__ == "ArrowExtensionArray":
        return values.__arrow_array__()
    return column.tolist()


def may_miss(column: Any) -> bool:
    """Whether missing values are normal in such a column."""
    return not isinstance(column, (list, tuple))


Nulls = Literal["error", "skip", "zero"]
"""What becomes of a missing hypothesis or reference."""


def nulls_of(column: Any, nulls: Nulls | None) -> Nulls:
    """What the caller wants; if nothing, what is usual for such a column."""
    if nulls is None:
        return "skip" if may_miss(column) else "error"
    if nulls not in get_args(Nulls):
        raise ValueError(f"nulls must be 'error', 'skip' or 'zero', got {nulls!r}")
    return nulls


def is_missing(value: Any) -> bool:
    """None, and pandas' and NumPy's signs for it."""
    return value is None or (isinstance(value, float) and value != value) or type(value).__name__ in ("NAType", "NaTType")


def as_list(column: Any) -> list[Any]:
    """The values of a column that ``native`` gave, as Python objects."""
    for name in ("to_pylist", "to_list"):
        if hasattr(column, name):
            values: list[Any] = getattr(column, name)()
            return values
    if hasattr(column, "__arrow_c_stream__") or hasattr(column, "__arrow_c_array__"):
        import pyarrow

        chunked: list[Any] = pyarrow.chunked_array(column).to_pylist()
        return chunked
    return list(column)


def filled(column: Any) -> list[Any]:
    """A column of hypotheses with empty ones in the place of missing ones."""
    values = as_list(column)
    lists = any(isinstance(value, (list, tuple)) for value in values)
    return [([] if lists else "") if is_missing(value) else value for value in values]


def present(hypotheses: Any, references: Any) -> tuple[list[Any], list[Any]]:
    """The rows of which nothing is missing. A list of no references, or of missing ones, is nothing too, but not one of no tokens."""
    sides = as_list(hypotheses), as_list(references)
    if len(sides[0]) != len(sides[1]):
        return sides

    def is_there(hypothesis: Any, references: Any) -> bool:
        if is_missing(hypothesis) or is_missing(references):
            return False
        is_list = isinstance(references, (list, tuple)) and not isinstance(hypothesis, (list, tuple))
        return not is_list or not all(map(is_missing, references))

    rows = [row for row in zip(*sides) if is_there(*row)]
    return [row[0] for row in rows], [row[1] for row in rows]


def wrap_like(column: Any) -> Wrap:
    """A function that makes a column of the same kind as `column`."""
    kind = package(column)
    if isinstance(column, tuple):
        return lambda floats: tuple(floats.to_list())
    if kind == "numpy":
        return _to_numpy
    if kind == "pandas":
        import pandas

        def to_series(floats: Floats) -> Any:
            index = getattr(column, "index", None)
            return pandas.Series(_to_numpy(floats), index=index, name="score")

        return to_series
    if kind == "polars":
        import polars

        return lambda floats: polars.Series(floats, dtype=polars.Float64).alias("score")
    if kind == "pyarrow":
        import pyarrow

        if isinstance(column, pyarrow.ChunkedArray):
            return lambda floats: pyarrow.chunked_array([pyarrow.array(floats)])
        return lambda floats: pyarrow.array(floats)
    if hasattr(column, "__arrow_c_array__") or hasattr(column, "__arrow_c_stream__"):
        return lambda floats: floats
    return lambda floats: floats.to_list()


def _to_numpy(floats: Floats) -> Any:
    import numpy

    return numpy.frombuffer(floats.to_bytes(), dtype=numpy.float64)


def table_like(column: Any, columns: dict[str, Floats]) -> Any:
    """Several columns of scores as a table of the same kind as `column`, or as a dict of columns."""
    kind = package(column)
    wrap = wrap_like(column)
    wrapped = {name: wrap(floats) for name, floats in columns.items()}
    if kind == "pandas":
        import pandas

        return pandas.DataFrame(wrapped)
    if kind == "polars":
        import polars

        return polars.DataFrame(wrapped)
    if kind == "pyarrow":
        import pyarrow

        return pyarrow.table(wrapped)
    return wrapped
