"""The commands about whole corpora as functions: ``which``, ``compare``, ``report``, ``correlate``, ``tune``, ``mbr``.

Each function passes its columns to the command of the same name and returns the numbers and the table that the
command prints. ``bolide help COMMAND`` explains the options.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike, fspath
from os.path import abspath
from typing import TYPE_CHECKING, Any, Literal

from . import _child
from ._rows import Rows
from .metric import Metric, _metric

if TYPE_CHECKING:
    # Imported on use, because `dataclasses` takes a while to import.
    from .study import Answers, Comparison, Correlations, Report, Selection, Tuning

Metrics = str | Metric | Iterable[str | Metric]
"""A metric or several, as names or as objects."""

Systems = Mapping[str, Any] | Sequence[Any]
"""A column of texts for each system: a dict by name, a list, or a data frame."""

Coefficient = Literal[
    "pearson", "spearman", "kendall-b", "kendall-c", "accuracy", "soft-accuracy", "pce", "all"
]


def which(
    score: str | float, hypothesis: Any, references: Any, *, all: bool = False, threads: int | None = None
) -> Answers:
    """Finds the dialects and configurations that give a score.

    The score is compared to its printed digits, so the string ``"0.50"`` is more precise than ``0.5``. If the hypothesis is
    a string, it is one segment; columns are a corpus. If nothing gives the score, a ``BolideError`` says what is closest.

    >>> import bolide
    >>> answers = bolide.which("0.9375", "on the mat sat the cat", "the cat sat on the mat")
    >>> answers.data["answers"][0]["metric"]
    'meteor:classic'
    """
    from .study import Answers

    alone = isinstance(hypothesis, str)
    rows = Rows()
    options = {
        "hypothesis-column": rows.add_hypotheses([hypothesis] if alone else hypothesis),
        "reference-column": rows.add_references([references] if alone else references),
        "segment": alone,
        "all": all,
        "threads": threads,
    }
    number = score if isinstance(score, str) else repr(float(score))
    return Answers(*_answered("which", ["--input=-", *_given(options)], rows, [number]))


def compare(
    systems: Systems,
    references: Any,
    metrics: Metrics | None = None,
    *,
    test: Literal["bootstrap", "randomization"] = "bootstrap",
    samples: int | None = None,
    seed: int = 12345,
    level: float = 0.05,
    correct: Literal["none", "holm"] = "none",
    width: int | None = None,
    threads: int | None = None,
) -> Comparison:
    """Compares systems with the first of them: scores, intervals and p-values.

    >>> import bolide
    >>> old, new = ["a cat sat", "the dog"], ["the cat sat", "a dog"]
    >>> it = bolide.compare({"old": old, "new": new}, ["the cat sat", "the dog"], "meteor", samples=100)
    >>> [(row["system"], row["p_value"] is None) for row in it.data["results"]]
    [('old', True), ('new', False)]
    """
    from .study import Comparison

    rows = Rows()
    options = _corpus(rows, systems, references, metrics) + _given(
        {
            "test": test,
            "samples": samples,
            "seed": seed,
            "level": level,
            "correct": correct,
            "width": width,
            "threads": threads,
        }
    )
    return Comparison(*_answered("compare", options, rows))


def report(
    systems: Systems,
    references: Any,
    metrics: Metrics | None = None,
    *,
    path: str | PathLike[str],
    source: Any = None,
    human: Systems | None = None,
    buckets: Mapping[str, Any] | None = None,
    title: str | None = None,
    samples: int = 1000,
    seed: int = 12345,
    level: float = 0.05,
    correct: Literal["none", "holm"] = "none",
    threads: int | None = None,
) -> Report:
    """Writes an HTML report: leaderboard, histograms, segments with their alignments, buckets, words.

    ``human`` has a column of scores for each system, by name or in the order of the systems; None means that there is no
    score. ``buckets`` are columns of labels or numbers by which the segments are grouped.
    """
    from .study import Report

    rows = Rows()
    options = _corpus(rows, systems, references, metrics)
    if source is not None:
        options += _given({"source": rows.add_names("source", source)})
    if human is not None:
        options += _given({"human": rows.add_scores_of_systems(human)})
    for name, column in (buckets or {}).items():
        # The command would take it for the path of a file.
        if "/" in name or "\\" in name:
            raise ValueError(f"the name of a bucket has no slash, got {name!r}")
        options += _given({"bucket": rows.add_names(name, column)})
    options += _given(
        {
            "title": title,
            "samples": samples,
            "seed": seed,
            "level": level,
            "correct": correct,
            "threads": threads,
            "output": abspath(fspath(path)),
        }
    )
    _child.run(["report", *options, "--input-format=jsonl"], rows.lines())
    return Report(fspath(path))


def correlate(
    human: Any,
    hypotheses: Any = None,
    references: Any = None,
    metrics: Metrics = (),
    *,
    scores: Mapping[str, Any] | None = None,
    lower_is_better: Iterable[str] = (),
    systems: Any = None,
    groups: Any = None,
    items: Any = None,
    coefficients: Coefficient | Iterable[Coefficient] = "pearson",
    level: Literal["segment", "system", "both"] | None = None,
    average: Literal["none", "item", "system"] | None = None,
    confidence: bool = False,
    test: bool | Literal["permutation", "williams"] = False,
    one_sided: bool = False,
    clusters: bool = False,
    samples: int = 1000,
    seed: int = 12345,
    skip_empty: bool = False,
    width: int | None = None,
    threads: int | None = None,
) -> Correlations:
    """Correlates metrics with human judgements.

    Metrics are computed from ``hypotheses`` and ``references``. ``scores`` are columns that were computed elsewhere;
    ``lower_is_better`` names those that are error rates. If ``systems``, a column of names, is given, there are also figures
    at system level.

    >>> import bolide
    >>> it = bolide.correlate([1, 2, 4], scores={"mine": [0.2, 0.1, 0.6]}, coefficients="kendall-b")
    >>> it.data["results"][0]["value"]
    0.3333333333333333
    """
    from .study import Correlations

    rows = Rows()
    options = _judged(rows, human, hypotheses, references, systems, skip_empty)
    options += _named(metrics)
    renamed = {
        name: rows.add_numbers(name, f"scores {name!r}", column, may_miss=skip_empty)
        for name, column in (scores or {}).items()
    }
    for name in [lower_is_better] if isinstance(lower_is_better, str) else lower_is_better:
        options += _given({"lower-is-better": renamed.get(name, name)})
    options += _given(
        {
            "score-column": list(renamed.values()),
            "group-column": None if groups is None else rows.add_names("group", groups),
            "item-column": None if items is None else rows.add_names("item", items),
            "coefficient": [coefficients] if isinstance(coefficients, str) else list(coefficients),
            "level": level,
            "average": average,
            "confidence": confidence,
            "test": test,
            "one-sided": one_sided,
            "clusters": clusters,
            "samples": samples,
            "seed": seed,
            "width": width,
            "threads": threads,
        }
    )
    return Correlations(*_answered("correlate", options, rows))


def tune(
    human: Any,
    hypotheses: Any,
    references: Any,
    metric: str | Metric | None = None,
    *,
    objective: Literal["pearson", "spearman", "kendall-b", "system"] = "pearson",
    folds: int = 5,
    first: Iterable[float] | None = None,
    last: Iterable[float] | None = None,
    step: Iterable[float] | None = None,
    systems: Any = None,
    seed: int = 12345,
    skip_empty: bool = False,
    threads: int | None = None,
) -> Tuning:
    """Fits METEOR's parameters to human judgements; ``metric`` of the result has them.

    ``first``, ``last`` and ``step`` are the grid: alpha, beta, gamma, delta and the weights of the stages.
    """
    from .study import Tuning

    rows = Rows()
    options = _judged(rows, human, hypotheses, references, systems, skip_empty)
    options += _named(() if metric is None else metric)
    options += _given(
        {
            "objective": objective,
            "folds": folds,
            "first": _joined(first),
            "last": _joined(last),
            "step": _joined(step),
            "seed": seed,
            "threads": threads,
        }
    )
    return Tuning(*_answered("tune", options, rows))


def mbr(
    candidates: Any, metric: str | Metric | None = None, *, matrix: bool = False, threads: int | None = None
) -> Selection:
    """Chooses, for each segment, the candidate that the others agree with most (minimum Bayes risk).

    ``candidates`` has a list of texts for each segment. With ``matrix`` the scores of all pairs are in ``data``.

    >>> import bolide
    >>> bolide.mbr([["dogs bark", "the cat sat", "a cat sat"]], "rouge1").texts
    ['the cat sat']
    """
    from .study import Selection

    rows = Rows()
    options = _named(() if metric is None else metric)
    options += _given(
        {"candidate-column": rows.add_candidates(candidates), "matrix": matrix, "threads": threads}
    )
    options += ["--input=-", "--input-format=jsonl", "--format=json"]
    data = json.loads(_child.run(["mbr", *options], rows.lines()))
    return Selection(data, "\n".join(segment["text"] for segment in data["segments"]))


def _answered(
    command: str, options: list[str], rows: Rows, values: Sequence[str] = ()
) -> tuple[dict[str, Any], str]:
    """The document that a command prints, and its table."""
    arguments = [command, *options, "--input-format=jsonl", "--format=json", "--with-text", "--", *values]
    document, _, text = _child.run(arguments, rows.lines()).partition("\0")
    return json.loads(document), text.rstrip("\n")


def _given(options: Mapping[str, Any]) -> list[str]:
    """Options of the command line: one that is None or False is left out, one that is True has no value."""
    arguments = []
    for name, value in options.items():
        for one in value if isinstance(value, list) else [value]:
            if one is not None and one is not False:
                arguments.append(f"--{name}" if one is True else f"--{name}={one}")
    return arguments


def _named(metrics: Metrics) -> list[str]:
    """Metrics as options. An unknown name raises the package's own exception."""
    several = [metrics] if isinstance(metrics, (str, Metric)) else list(metrics)
    for metric in several:
        if not isinstance(metric, (str, Metric)):
            raise TypeError(f"a metric is a name or a metric object, got {type(metric).__name__}")
    return _given({"metric": [_metric(metric)._native.name for metric in several]})


def _joined(numbers: Iterable[float] | None) -> str | None:
    return None if numbers is None else " ".join(repr(float(number)) for number in numbers)


def _corpus(rows: Rows, systems: Systems, references: Any, metrics: Metrics | None) -> list[str]:
    names = rows.add_systems(systems)
    if not names:
        raise ValueError("there are no systems")
    options = {"hypothesis-column": names, "reference-column": rows.add_references(references)}
    arguments = _given(options) + _named(() if metrics is None else metrics)
    if len(names) > 1:
        return [*arguments, "--input=-"]
    # The command shows the name of a column only if there are several.
    if "=" in names[0]:
        raise ValueError(f"the name of a single system has no '=', got {names[0]!r}")
    return [*arguments, f"--input={names[0]}=-"]


def _judged(
    rows: Rows, human: Any, hypotheses: Any, references: Any, systems: Any, skip_empty: bool
) -> list[str]:
    options: dict[str, Any] = {
        "human-column": rows.add_numbers("human", "human scores", human, may_miss=skip_empty),
        "skip-empty": skip_empty,
    }
    if hypotheses is not None:
        options["hypothesis-column"] = rows.add_hypotheses(hypotheses)
    if references is not None:
        options["reference-column"] = rows.add_references(references)
    if systems is not None:
        options["system-column"] = rows.add_names("system", systems)
    return ["--input=-", *_given(options)]
