"""What the questions about whole corpora give back: the command's numbers and its table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, ClassVar

from . import _html
from .metric import Metric

_PANDAS = {float: "float64", int: "int64", bool: "boolean"}


def _pandas_kind(kind: type, values: list[Any]) -> str | None:
    """pandas' name of a kind; integers of which some are missing have one of their own."""
    return "Int64" if kind is int and None in values else _PANDAS.get(kind)


@dataclass(frozen=True, repr=False)
class Study:
    """A result: it prints as the command's table, and a notebook draws it."""

    data: dict[str, Any]
    """The command's JSON, as docs/schema describes it."""
    text: str
    """The command's table."""

    _schema: ClassVar[dict[str, type]] = {}
    _list: ClassVar[str] = "results"

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of the frames, as dicts."""
        rows: list[dict[str, Any]] = self.data[self._list]
        return rows

    def _columns(self) -> dict[str, type]:
        return self._schema

    def to_pandas(self) -> Any:
        """The rows as a pandas data frame."""
        pandas = _package("pandas")
        rows = self.rows
        columns = {name: [row[name] for row in rows] for name in self._columns()}
        return pandas.DataFrame(
            {
                name: pandas.Series(columns[name], dtype=_pandas_kind(kind, columns[name]))
                for name, kind in self._columns().items()
            }
        )

    def to_polars(self) -> Any:
        """The rows as a Polars data frame."""
        polars = _package("polars")
        rows = self.rows
        return polars.DataFrame(
            {name: [row[name] for row in rows] for name in self._columns()}, schema=self._columns()
        )

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        shown = [name for name in self._columns() if name != "signature"]
        return _html.grid(shown, ([row[name] for name in shown] for row in self.rows), self._notes())

    def _notes(self) -> Iterable[str]:
        """Signatures to stand below the table, each once."""
        return dict.fromkeys(row["signature"] for row in self.rows if row.get("signature"))


def _package(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        raise ImportError(f"a data frame of {name} needs the package: pip install {name}") from None


class Answers(Study):
    """Which configurations give a number; the likeliest is first."""

    _schema = {"metric": str, "signature": str, "what": str, "how": str, "value": float}
    _list = "answers"

    @property
    def metrics(self) -> list[Metric]:
        """The metrics that give the number."""
        return [Metric(row["signature"]) for row in self.rows]


class Comparison(Study):
    """Systems against a baseline: scores, intervals and p-values."""

    _schema = {
        "system": str,
        "metric": str,
        "signature": str,
        "baseline": bool,
        "score": float,
        "mean": float,
        "half_width": float,
        "p_value": float,
        "significant": bool,
    }


class Correlations(Study):
    """How well metrics agree with people."""

    _schema = {
        "level": str,
        "group": str,
        "metric": str,
        "signature": str,
        "coefficient": str,
        "n": int,
        "value": float,
        "low": float,
        "high": float,
        "threshold": float,
        "p_value": float,
        "rank": int,
    }


class Tuning(Study):
    """Parameters fitted to judgements, and what they are worth on rows that were held out."""

    @property
    def signature(self) -> str:
        """The metric with the fitted parameters, by its name."""
        return str(self.data["signature"])

    @property
    def metric(self) -> Metric:
        """The metric with the fitted parameters."""
        return Metric(self.signature)

    @property
    def parameters(self) -> dict[str, float]:
        """The fitted parameters by name."""
        return dict(self.data["parameters"])

    @property
    def rows(self) -> list[dict[str, Any]]:
        folds = [{"rows": "all", **self.data, "held_out": None}]
        folds += [{"rows": f"fold {idx + 1}", **fold} for idx, fold in enumerate(self.data["folds"])]
        kept = ("rows", "before", "fitted", "held_out")
        return [{name: fold[name] for name in kept} | fold["parameters"] for fold in folds]

    def _columns(self) -> dict[str, type]:
        figures = {"rows": str, "before": float, "fitted": float, "held_out": float}
        return figures | dict.fromkeys(self.parameters, float)

    def _notes(self) -> Iterable[str]:
        return [self.signature]


class Selection(Study):
    """The candidate of each segment that the others agree with most."""

    _schema = {"segment": int, "candidate": int, "utility": float, "text": str}

    @property
    def texts(self) -> list[str]:
        """The chosen candidates."""
        return [segment["text"] for segment in self.data["segments"]]

    @property
    def indices(self) -> list[int]:
        """The places of the chosen candidates in their lists, from 0. In ``data`` they count from 1."""
        return [segment["candidate"] - 1 for segment in self.data["segments"]]

    @property
    def utilities(self) -> list[list[float | None]]:
        """The mean score of each candidate with the others as its references."""
        return [segment["utilities"] for segment in self.data["segments"]]

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [
            {
                "segment": segment["segment"],
                "candidate": segment["candidate"],
                "utility": segment["utilities"][segment["candidate"] - 1],
                "text": segment["text"],
            }
            for segment in self.data["segments"]
        ]

    def _notes(self) -> Iterable[str]:
        return [self.data["signature"]]


@dataclass(frozen=True, repr=False)
class Report:
    """An HTML report that was written. It is a path; a notebook shows the page."""

    path: str
    """Where it is."""

    def __fspath__(self) -> str:
        return self.path

    def __str__(self) -> str:
        return self.path

    def __repr__(self) -> str:
        return f"<bolide report {self.path}>"

    def _repr_html_(self) -> str:
        from urllib.parse import quote

        file = Path(self.path)
        # Notebooks serve files by paths that are relative to their own folder.
        if file.is_relative_to(Path.cwd()):
            file = file.relative_to(Path.cwd())
        address = escape(quote(file.as_posix()))
        return (
            f'<a href="{address}" target="_blank">{escape(self.path)}</a>'
            f'<iframe src="{address}" style="width:100%;height:600px;border:1px solid #8884"></iframe>'
        )
