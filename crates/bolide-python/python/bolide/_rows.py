"""Turns columns of Python objects into the JSON lines that the command reads, and checks each value.

JSON keeps line ends and tabs in a text. Numbers are written as strings, because the command reads those to the exact bits.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from . import _bolide, _columns

_Cell = Callable[[Any], Any]


class Rows:
    """Named columns of one length."""

    def __init__(self) -> None:
        self._columns: dict[str, tuple[str, list[Any], _Cell]] = {}
        self._systems: list[str] = []

    def add_systems(self, systems: Mapping[str, Any] | Sequence[Any]) -> list[str]:
        """Adds a column of hypotheses for each system; gives their names."""
        named = _named(systems)
        for name, column in named.items():
            if not isinstance(name, str) or not name:
                raise TypeError(f"the name of a system is a string with something in it, got {name!r}")
            self._add(name, f"system {name!r}", column, _text)
        self._systems = list(named)
        return self._systems

    def add_scores_of_systems(self, scores: Mapping[str, Any] | Sequence[Any]) -> list[str]:
        """Adds a column of numbers for each system, by their names or in their order; gives the columns' names."""
        named = _named(scores)
        if not isinstance(scores, Mapping) and not hasattr(scores, "columns"):
            named = dict(zip(self._systems, named.values())) if len(named) == len(self._systems) else {}
        if set(named) != set(self._systems):
            raise ValueError(f"human scores need a column for each system: {', '.join(self._systems)}")
        return [
            self.add_numbers(f"human {idx + 1}", f"human scores of {name!r}", named[name], may_miss=True)
            for idx, name in enumerate(self._systems)
        ]

    def add_hypotheses(self, column: Any) -> str:
        return self._add("hypothesis", "hypotheses", column, _text)

    def add_references(self, column: Any) -> str:
        """Adds a column with one or several references for each segment; gives its name."""
        return self._add("references", "references", column, _references)

    def add_candidates(self, column: Any) -> str:
        """Adds a column with several texts for each segment; gives its name."""
        return self._add("candidates", "candidates", column, _candidates)

    def add_names(self, name: str, column: Any) -> str:
        """Adds a column of texts that name something."""
        return self._add(name, name, column, _label)

    def add_numbers(self, name: str, what: str, column: Any, *, may_miss: bool) -> str:
        """Adds a column of numbers; None and NaN are none."""
        return self._add(name, what, column, _number if may_miss else _required)

    def _add(self, name: str, what: str, column: Any, cell: _Cell) -> str:
        values = _values(what, column)
        while name in self._columns:
            name += "'"
        if "\0" in name or not _is_encodable(name):
            raise ValueError(f"the command cannot take {name!r} as a name")
        for other, known, _ in self._columns.values():
            if len(known) != len(values):
                raise _bolide.InvalidSegmentError(
                    f"the columns differ in length: {other} has {len(known)} entries, {what} has {len(values)}"
                    + _hint(cell, len(known), len(values))
                )
        self._columns[name] = (what, values, cell)
        return name

    def lines(self) -> Iterator[bytes]:
        """One object for each row. A value that cannot be used is an error when its turn comes."""
        columns = self._columns.items()
        n_rows = len(next(iter(self._columns.values()))[1]) if self._columns else 0
        for row in range(n_rows):
            cells = {}
            for name, (what, values, cell) in columns:
                try:
                    cells[name] = cell(values[row])
                except TypeError as problem:
                    raise TypeError(f"{what}: segment {row}: {problem}") from None
                except ValueError as problem:
                    raise _bolide.InvalidSegmentError(f"{what}: segment {row}: {problem}") from None
            yield json.dumps(cells, ensure_ascii=False).encode() + b"\n"


def _named(systems: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    names = getattr(systems, "columns", None)
    if isinstance(systems, Mapping):
        return dict(systems)
    if names is not None:
        return {name: systems[name] for name in names}
    columns = list(systems)
    if not isinstance(systems, str) and not any(isinstance(column, str) for column in columns):
        return {f"system {idx + 1}": column for idx, column in enumerate(columns)}
    raise TypeError(
        "the systems are a dict of names and texts, a data frame, or a list with a list of texts for each "
        "system; texts were given"
    )


def _values(what: str, column: Any) -> list[Any]:
    if isinstance(column, (str, bytes)):
        raise TypeError(f"{what}: a column is expected, one entry for each segment, got a string")
    column = _columns.native(column)
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            column = getattr(column, method)()
            break
    return column if isinstance(column, list) else list(column)


def _hint(cell: _Cell, n_rows: int, n_values: int) -> str:
    if cell is _references and 0 < n_values < n_rows:
        return "; references go by segment, so turn reference streams around with zip(*references)"
    return ""


def _is_missing(value: Any) -> bool:
    """None, NaN, or the missing value of pandas, which equals nothing."""
    return value is None or (isinstance(value, float) and math.isnan(value)) or type(value).__name__ == "NAType"


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _text(value: Any) -> str:
    if not isinstance(value, str):
        kind = "nothing" if _is_missing(value) else type(value).__name__
        raise TypeError(f"a text is a string, got {kind}")
    if not _is_encodable(value):
        raise ValueError("the text has a lone surrogate, which is not a character")
    return value


def _several(value: Any) -> list[Any]:
    if _is_missing(value):
        return []
    if isinstance(value, str):
        return [value]
    if hasattr(value, "tolist"):
        value = value.tolist()
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"expected a string or a list of strings, got {type(value).__name__}")
    return list(value)


def _references(value: Any) -> list[str]:
    texts = [_text(text) for text in _several(value) if not _is_missing(text)]
    if not texts:
        raise ValueError("there is no reference")
    return texts


def _candidates(value: Any) -> list[str]:
    if isinstance(value, str):
        raise TypeError("expected a list of candidates, got a string")
    texts = [_text(text) for text in _several(value)]
    if not texts:
        raise ValueError("there are no candidates")
    return texts


def _label(value: Any) -> str | None:
    if _is_missing(value):
        return None
    return _text(value if isinstance(value, str) else str(value))


def _number(value: Any) -> str | None:
    if _is_missing(value):
        return None
    if isinstance(value, str):
        raise TypeError("expected a number, got a string")
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"expected a finite number, got {number}")
    return repr(number)


def _required(value: Any) -> str:
    number = _number(value)
    if number is None:
        raise ValueError("there is no number (skip_empty=True leaves such rows out)")
    return number
