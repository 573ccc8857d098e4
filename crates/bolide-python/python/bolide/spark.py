"""Scores in PySpark: Arrow batches go straight to the engine, and corpus scores of any grouping are exact.

Column functions, one for every family, score rows: ``meteor(hyp, refs)``, for example. ``with_scores`` adds several
columns at once. ``corpus`` scores groups: executors merge the statistics of their rows, and only the statistics
travel. ``bolide`` must be installed on the executors (docs/cluster.md).

References are strings or arrays of strings. A row that cannot be scored (a null hypothesis, a null or
empty array of references, bytes that are not UTF-8) has a null score; ``problem`` says why, and a
corpus counts such rows as ``skipped``. No row ends a job. With ``nulls="zero"``, a null hypothesis counts as an
empty one, which scores 0 (in TER, an error rate, every word of the reference is missing).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark import TaskContext
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from . import _bolide
from .family import families, metric_name
from .metric import _named, _refuse_share

__all__ = [
    "corpus",
    "finish",
    "problem",
    "score",
    "statistics",
    "with_scores",
]

DEFAULT = families()[0]["name"]
"""The default metric of a corpus."""

MOST_GROUPS = 100_000
"""How many groups a task keeps in memory before it passes on their statistics."""


# Columns


def score(metric: str, hyp: Any, refs: Any, *, nulls: str = "skip") -> Column:
    """The score of each row by any metric."""
    _named(metric)
    _check_nulls(nulls)

    def scores(hypotheses: Any, references: Any) -> Any:
        return _scores(metric, hypotheses, references, nulls)

    return _arrow_function(scores, T.DoubleType())(_column(hyp), _column(refs))


def __getattr__(name: str) -> Callable[..., Column]:
    """``meteor(hyp, refs, dialect=None, *, nulls="skip", **keys)`` and so on: a function for every family."""
    if name.startswith("_"):
        raise AttributeError(name)
    metric_name(name, None, {})

    def of_family(
        hyp: Any, refs: Any, dialect: str | None = None, *, nulls: str = "skip", **keys: Any
    ) -> Column:
        return score(metric_name(name, dialect, keys), hyp, refs, nulls=nulls)

    of_family.__name__ = of_family.__qualname__ = name
    return of_family


def __dir__() -> list[str]:
    return [*globals(), *(family["name"] for family in families())]


def problem(hyp: Any, refs: Any) -> Column:
    """Why a row cannot be scored; null for a row that can."""
    return _arrow_function(_problems, T.StringType())(_column(hyp), _column(refs))


def with_scores(
    df: DataFrame,
    metrics: Sequence[str],
    *,
    hyp: str = "hyp",
    refs: str = "refs",
    nulls: str = "skip",
    problem: str | None = None,
) -> DataFrame:
    """The frame with a column of scores for each metric, named after the metric.

    ``problem`` names one more column, which says why a row has no score.
    """
    _check(df, hyp, refs, metrics, nulls)
    names = [*metrics, *([problem] if problem else [])]
    _check_free(df.columns, names)
    schema = T.StructType(list(df.schema.fields))
    for metric in metrics:
        schema = schema.add(metric, T.DoubleType())
    if problem:
        schema = schema.add(problem, T.StringType())

    def scored(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            sides = batch.column(hyp), batch.column(refs)
            columns = [_scores(metric, *sides, nulls) for metric in metrics]
            if problem:
                columns.append(_problems(*sides))
            yield pa.RecordBatch.from_arrays(
                [*batch.columns, *columns], names=[*batch.schema.names, *names]
            )

    return df.mapInArrow(scored, schema)


# Corpora


def corpus(
    df: DataFrame,
    by: Sequence[str] = (),
    metrics: Sequence[str] = (DEFAULT,),
    *,
    hyp: str = "hyp",
    refs: str = "refs",
    nulls: str = "skip",
    confidence: int = 0,
    seed: int = 12345,
    order: Sequence[str] = (),
) -> DataFrame:
    """The corpus score of every group, one row for each group and metric.

    Columns: those of ``by``, ``metric``, ``score``, ``segments`` (rows that were scored), ``skipped`` (rows
    that could not be), ``signature`` and ``components``. The score has the same bits as if the group were scored in
    one process, however the frame is partitioned.

    ``confidence`` is a number of bootstrap samples, drawn from the statistics of the rows. It adds the columns
    ``confidence_mean`` and ``confidence_half_width`` (of the 95 % interval). They equal those of
    ``bolide.Metric.corpus`` for the rows sorted by the columns ``order``. Without ``order``, and where it leaves rows
    equal, they are sorted by their statistics, so that the result does not depend on partitions. The statistics of a
    group must fit in the memory of one task.
    """
    _refuse_share(confidence, seed)
    if not confidence:
        partial = statistics(df, by, metrics, hyp=hyp, refs=refs, nulls=nulls)
        return finish(partial, by)
    _check_keys(df, order, "order")
    return _confidence(df, list(by), metrics, hyp, refs, nulls, confidence, seed, list(order))


def statistics(
    df: DataFrame,
    by: Sequence[str] = (),
    metrics: Sequence[str] = (DEFAULT,),
    *,
    hyp: str = "hyp",
    refs: str = "refs",
    nulls: str = "skip",
) -> DataFrame:
    """The statistics of every group in every partition, to be stored or passed to ``finish``.

    Frames of several days or sources can be joined with ``union`` before ``finish``.
    """
    _check(df, hyp, refs, metrics, nulls)
    _check_keys(df, by, "by")
    by = list(by)
    columns = ["metric", "part", "statistics", "skipped"]
    _check_free(by, columns)
    schema = T.StructType([df.schema[name] for name in by])
    schema = schema.add("metric", T.StringType()).add("part", T.LongType())
    schema = schema.add("statistics", T.BinaryType()).add("skipped", T.LongType())

    def collected(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        context = TaskContext.get()
        part = (context.partitionId() if context else 0) << 32
        keys: dict[tuple[Any, ...], int] = {}
        groups = [_bolide.Groups(_named(metric)) for metric in metrics]
        types: list[Any] = []
        for batch in batches:
            types = [batch.schema.field(name).type for name in by]
            numbers = _group_numbers(batch, by, keys)
            sides = _filled(batch.column(hyp), nulls), batch.column(refs)
            for group in groups:
                _sound_call(group.update, *sides, numbers)
            if len(keys) >= MOST_GROUPS:
                yield _partial(by, types, keys, metrics, groups, part)
                keys, part = {}, part + 1
                groups = [_bolide.Groups(_named(metric)) for metric in metrics]
        if keys:
            yield _partial(by, types, keys, metrics, groups, part)

    return df.select(*dict.fromkeys([*by, hyp, refs])).mapInArrow(collected, schema)


def finish(partial: DataFrame, by: Sequence[str] = ()) -> DataFrame:
    """Merges the result of ``statistics`` on the executors, and scores it."""
    by = list(by)
    part = F.struct("part", "statistics")
    gathered = partial.groupBy(*by, "metric").agg(
        # In the order of partitions: a few metrics add floats, and their sums depend on the order.
        F.array_sort(F.collect_list(part)).alias("parts"),
        F.sum("skipped").alias("skipped"),
    )
    schema = _result_schema([partial.schema[name] for name in by])

    def finished(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            rows: list[dict[str, Any]] = []
            names, parts = batch.column("metric").to_pylist(), batch.column("parts").to_pylist()
            for name, group, skipped in zip(names, parts, batch.column("skipped").to_pylist()):
                merged = _bolide.merge_corpora(
                    _named(name), [entry["statistics"] for entry in group]
                )
                rows.append(_result_row(name, merged, skipped))
            yield _with_keys(batch, by, rows)

    return gathered.mapInArrow(finished, schema)


def _confidence(
    df: DataFrame,
    by: list[str],
    metrics: Sequence[str],
    hyp: str,
    refs: str,
    nulls: str,
    n_samples: int,
    seed: int,
    order: list[str],
) -> DataFrame:
    _check(df, hyp, refs, metrics, nulls)
    _check_keys(df, by, "by")
    keep = list(dict.fromkeys([*by, *order]))
    _check_free(keep, ["metric", "statistics"])
    fields = [df.schema[name] for name in keep]
    schema = T.StructType(fields).add("metric", T.StringType()).add("statistics", T.BinaryType())

    def rows(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            sides = _filled(batch.column(hyp), nulls), batch.column(refs)
            for metric in metrics:
                made = _sound_call(_bolide.batch_statistics, *sides, first=_named(metric))
                names = pa.array([metric] * len(batch), pa.string())
                columns = [batch.column(name) for name in keep]
                yield pa.RecordBatch.from_arrays(
                    [*columns, names, pa.array(made)], names=[*keep, "metric", "statistics"]
                )

    def resampled(table: pa.Table) -> pa.Table:
        metric = table.column("metric")[0].as_py()
        skipped = table.column("statistics").null_count
        # Rows that are equal in `order` arrive in any order, and the statistics decide.
        table = table.sort_by([(name, "ascending") for name in [*order, "statistics"]])
        found = table.column("statistics").drop_null()
        merged, mean, half_width = _bolide.confidence_of_rows(
            _named(metric), found, n_samples, seed
        )
        row = _result_row(metric, merged, skipped)
        row |= {"confidence_mean": mean, "confidence_half_width": half_width}
        return pa.Table.from_batches([_with_keys(table, by, [row])])

    result = _result_schema([df.schema[name] for name in by])
    result = result.add("confidence_mean", T.DoubleType())
    result = result.add("confidence_half_width", T.DoubleType())
    needed = df.select(*dict.fromkeys([*keep, hyp, refs]))
    return needed.mapInArrow(rows, schema).groupBy(*by, "metric").applyInArrow(resampled, result)


def _partial(
    by: Sequence[str],
    types: Sequence[Any],
    keys: dict[tuple[Any, ...], int],
    metrics: Sequence[str],
    groups: Sequence[_bolide.Groups],
    part: int,
) -> pa.RecordBatch:
    """The statistics of the groups of a task, one row for each group and metric."""
    found = [group.to_bytes() for group in groups]
    n_groups = len(keys)
    columns = [
        pa.array([key[idx] for key in keys] * len(metrics), type) for idx, type in enumerate(types)
    ]
    columns += [
        pa.array([metric for metric in metrics for _ in range(n_groups)], pa.string()),
        pa.array([part] * (n_groups * len(metrics)), pa.int64()),
        pa.array([bytes_ for rows in found for bytes_, _ in rows], pa.binary()),
        pa.array([skipped for rows in found for _, skipped in rows], pa.int64()),
    ]
    names = [*by, "metric", "part", "statistics", "skipped"]
    return pa.RecordBatch.from_arrays(columns, names=names)


def _group_numbers(
    batch: pa.RecordBatch, by: Sequence[str], keys: dict[tuple[Any, ...], int]
) -> Any:
    """The group number of each row. Only the distinct keys of a batch become Python objects."""
    if not by:
        keys.setdefault((), 0)
        return None
    codes = None
    for name in by:
        encoded = batch.column(name).dictionary_encode(null_encoding="encode")
        column = encoded.indices.cast(pa.int64())
        if codes is not None:
            column = pc.add(pc.multiply(codes, max(1, len(encoded.dictionary))), column)
        codes = column.dictionary_encode().indices.cast(pa.int64())
    rows = pa.array(range(len(batch)), pa.int64())
    table = pa.table({"code": codes, "row": rows})
    first = table.group_by("code", use_threads=False).aggregate([("row", "min")]).sort_by("code")
    distinct = batch.select(list(by)).take(first["row_min"].combine_chunks())
    values = zip(*(column.to_pylist() for column in distinct.columns))
    numbers = [keys.setdefault(key, len(keys)) for key in values]
    return pa.array(numbers, pa.int64()).take(codes)


_RESULT: list[tuple[str, T.DataType, Any]] = [
    ("metric", T.StringType(), pa.string()),
    ("score", T.DoubleType(), pa.float64()),
    ("segments", T.LongType(), pa.int64()),
    ("skipped", T.LongType(), pa.int64()),
    ("signature", T.StringType(), pa.string()),
    ("components", T.MapType(T.StringType(), T.DoubleType()), pa.map_(pa.string(), pa.float64())),
]


def _result_schema(keys: Sequence[T.StructField]) -> T.StructType:
    _check_free([key.name for key in keys], [name for name, _, _ in _RESULT])
    schema = T.StructType(list(keys))
    for name, type, _ in _RESULT:
        schema = schema.add(name, type)
    return schema


def _result_row(name: str, merged: _bolide.Corpus, skipped: int) -> dict[str, Any]:
    value, components, signature = merged.score()
    return {
        "metric": name,
        # Nothing that could be scored has no score: 0 would be a perfect TER.
        "score": value if merged.n_segments else None,
        "segments": merged.n_segments,
        "skipped": skipped,
        "signature": signature,
        "components": [(key, float(part)) for key, part in components.items()],
    }


def _with_keys(batch: Any, by: Sequence[str], rows: list[dict[str, Any]]) -> pa.RecordBatch:
    """Result rows, each with the keys of its group in front."""
    types = {name: type for name, _, type in _RESULT}
    # Spark's, which has large strings if its settings say so, and wants the same back.
    text = batch.schema.field("metric").type
    types |= {"metric": text, "signature": text, "components": pa.map_(text, pa.float64())}
    names = list(rows[0]) if rows else list(types)
    columns = [
        pa.array([row[name] for row in rows], types.get(name, pa.float64())) for name in names
    ]
    keys = [batch.column(name)[: len(rows)] for name in by]
    keys = [key.combine_chunks() if isinstance(key, pa.ChunkedArray) else key for key in keys]
    return pa.RecordBatch.from_arrays([*keys, *columns], names=[*by, *names])


# Batches


def _scores(metric: str, hypotheses: Any, references: Any, nulls: str) -> Any:
    sides = _filled(hypotheses, nulls), references
    return pa.array(_sound_call(_bolide.batch_scores, *sides, first=_named(metric)))


def _problems(hypotheses: Any, references: Any) -> Any:
    try:
        return pa.array(_bolide.batch_problems(hypotheses, references))
    except (TypeError, ValueError):
        sides = _sound_sides(hypotheses, references)
        problems = pa.array(_bolide.batch_problems(*sides))
    what = "has a null token or is not UTF-8" if pa.types.is_list(hypotheses.type) else "is not UTF-8"
    for name, before, after in zip(("hypothesis", "reference"), (hypotheses, references), sides):
        lost = pc.and_(pc.is_valid(before), pc.is_null(after))
        problems = pc.if_else(lost, f"the {name} {what}", problems)
    return problems


def _filled(hypotheses: Any, nulls: str) -> Any:
    if nulls == "skip" or hypotheses.null_count == 0:
        return hypotheses
    nothing: Any = "" if not pa.types.is_list(hypotheses.type) else []
    return pc.coalesce(hypotheses, pa.scalar(nothing, hypotheses.type))


def _sound_call(function: Callable[..., Any], *columns: Any, first: Any = None) -> Any:
    """Calls a function of the engine; if it refuses a value, calls it again without such values.

    Spark accepts any bytes as a string, and null as a token; Arrow or the engine do not. Checking every value here would be
    slow, and the engine checks anyway.
    """
    before = () if first is None else (first,)
    try:
        return function(*before, *columns)
    except (TypeError, ValueError):
        hypotheses, references, *others = columns
        return function(*before, *_sound_sides(hypotheses, references), *others)


def _sound_sides(hypotheses: Any, references: Any) -> tuple[Any, Any]:
    """The columns with null instead of texts that are not UTF-8 or lack a token. A list of references loses only such texts."""
    tokens = pa.types.is_list(hypotheses.type)
    return _sound(hypotheses, tokens), _sound(references, tokens)


def _sound(column: Any, tokens: bool) -> Any:
    def sound(value: Any) -> Any:
        if isinstance(value, list):
            parts = [sound(part) for part in value]
            return None if tokens and None in parts else parts
        try:
            return None if value is None else value.decode("utf-8")
        except UnicodeDecodeError:
            return None

    raw = pa.list_(pa.binary()) if pa.types.is_list(column.type) else pa.binary()
    return pa.array([sound(value) for value in column.cast(raw).to_pylist()], column.type)


def _column(column: Any) -> Column:
    return F.col(column) if isinstance(column, str) else column


def _arrow_function(function: Callable[[Any, Any], Any], result: T.DataType) -> Callable[..., Any]:
    """A column function over Arrow arrays; before Spark 4.1 over pandas Series."""
    arrow_udf = getattr(F, "arrow_udf", None)
    if arrow_udf is not None:

        def arrays(hypotheses: pa.Array, references: pa.Array) -> pa.Array:
            return function(hypotheses, references)

        arrays.__annotations__ = dict.fromkeys(("hypotheses", "references", "return"), pa.Array)
        made: Callable[..., Any] = arrow_udf(arrays, result)
        return made
    import pandas

    def series(hypotheses: Any, references: Any) -> Any:
        sides = (pa.Array.from_pandas(side) for side in (hypotheses, references))
        return function(*sides).to_pandas()

    series.__annotations__ = dict.fromkeys(("hypotheses", "references", "return"), pandas.Series)
    fallback: Callable[..., Any] = F.pandas_udf(series, result)  # type: ignore[call-overload,unused-ignore]
    return fallback


# Mistakes that should be found before a job starts.


def _check(df: DataFrame, hyp: str, refs: str, metrics: Sequence[str], nulls: str) -> None:
    _check_nulls(nulls)
    if isinstance(metrics, str) or not metrics:
        raise ValueError(f"metrics must be a list of names, got {metrics!r}")
    for metric in metrics:
        _named(metric)
    twice = [metric for idx, metric in enumerate(metrics) if metric in metrics[:idx]]
    if twice:
        raise ValueError(f"the metric {twice[0]!r} is there more than once")
    texts = T.StringType(), T.ArrayType(T.StringType())
    for name in (hyp, refs):
        type = df.schema[name].dataType
        simple = type.simpleString()
        if simple not in [text.simpleString() for text in texts]:
            raise TypeError(f"column {name!r}: expected string or array<string>, got {simple}")


def _check_keys(df: DataFrame, names: Sequence[str], what: str) -> None:
    """Refuses columns of which Arrow can neither find the distinct values nor sort them."""
    if isinstance(names, str):
        raise ValueError(f"{what} must be a list of names, got {names!r}")
    for name in names:
        type = df.schema[name].dataType
        if isinstance(type, (T.ArrayType, T.MapType, T.StructType)):
            raise TypeError(f"{what}: column {name!r}: a single value is expected, such as its to_json, got {type.simpleString()}")


def _check_nulls(nulls: str) -> None:
    # There is no "error": one row would end the job.
    if nulls not in ("skip", "zero"):
        raise ValueError(f"nulls must be 'skip' or 'zero', got {nulls!r}")


def _check_free(there: Sequence[str], names: Sequence[str]) -> None:
    for name in names:
        if name in there:
            raise ValueError(f"there is already a column {name!r}, which the result would need")
