"""bolide in Spark: two executors in separate processes give the bits of the plain library."""

import os
import pathlib
import signal
import sys
import threading
import time

import numpy
import pairs
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
import reader
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import bolide
import bolide.spark

# The size of the large corpus; all other tests use a few rows.
ROWS = int(os.environ.get("BOLIDE_CLUSTER_ROWS", 1_000_000))
FEW = 20_000
METRICS = ["meteor", "bleu"]
MORE_METRICS = ["meteor:nltk", "chrf", "ter"]


@pytest.fixture(scope="module")
def spark():
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .appName("bolide")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.ansi.enabled", "true")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def all_rows():
    return pairs.table(ROWS)


@pytest.fixture(scope="module")
def rows(all_rows):
    return all_rows.slice(0, FEW)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return pathlib.Path(tmp_path_factory.mktemp("spark"))


def written(rows, path, row_group_size):
    # Not snappy: with musl installed, Spark's snappy assumes that there is no glibc.
    pq.write_table(rows, path, row_group_size=row_group_size, compression="zstd")
    return str(path)


@pytest.fixture(scope="module")
def large(all_rows, folder):
    return written(all_rows.drop_columns("ref"), folder / "large.parquet", 50_000)


@pytest.fixture(scope="module")
def path(rows, folder):
    return written(rows, folder / "few.parquet", 10_000)


@pytest.fixture(scope="module")
def expected(all_rows):
    """The results of the plain library in this process: scores of rows, and of groups."""
    scores = bolide.Meteor().segments(all_rows["hyp"], all_rows["refs"])
    return score_bits(scores), corpora(all_rows, METRICS)


def corpora(rows, metrics):
    found = {}
    for language in pairs.LANGUAGES:
        of_language = pc.equal(rows["lang"], language) if language else rows["lang"].is_null()
        for system in pairs.SYSTEMS:
            members = rows.filter(pc.and_(of_language, pc.equal(rows["system"], system)))
            for name in metrics:
                score = bolide.Metric(name).corpus(members["hyp"], members["refs"])
                found[language, system, name] = (score.score.hex(), len(members), score.signature)
    return found


def score_bits(column):
    assert column.null_count == 0
    return column.to_numpy().view(numpy.int64)


def scores_by_id(frame):
    """The bits of METEOR of every row, in the order of the rows."""
    scored = frame.select("id", bolide.spark.meteor("hyp", "refs").alias("meteor"))
    return score_bits(scored.toArrow().sort_by("id")["meteor"])


def bits(values):
    return [None if value is None else float(value).hex() for value in values]


def by_group(frame):
    found = {}
    for row in frame.collect():
        key = (row["lang"], row["system"], row["metric"])
        assert key not in found
        assert row["skipped"] == 0
        found[key] = (row["score"].hex(), row["segments"], row["signature"])
    return found


@pytest.mark.parametrize("partitions", [1, 2, 7])
def test_rows_and_groups_have_the_bits_of_the_library(spark, large, expected, partitions):
    frame = spark.read.parquet(large).repartition(partitions)
    scores, groups = expected
    assert numpy.array_equal(scores_by_id(frame), scores) and len(scores) == ROWS
    assert by_group(bolide.spark.corpus(frame, by=["lang", "system"], metrics=METRICS)) == groups


def test_other_metrics_have_the_bits_of_the_library(spark, path, rows):
    frame = spark.read.parquet(path).repartition(3)
    found = by_group(bolide.spark.corpus(frame, by=["lang", "system"], metrics=MORE_METRICS))
    assert found == corpora(rows, MORE_METRICS)


def test_captions_have_the_bits_of_pycocoevalcap(spark):
    """Golden corpora of CIDEr, in which what an n-gram weighs depends on all rows of a group."""
    cases = [case for case in reader.cases() if case.dialect == "cider:coco" and case.is_corpus]
    assert len(cases) > 5 and any(case.score for case in cases)
    for metric, corpora in reader.by_metric(cases).items():
        rows = [
            (number, hypothesis, references)
            for number, case in enumerate(corpora)
            for hypothesis, references in zip(case.hypotheses, case.references, strict=True)
        ]
        # In three parts, in the order of the rows.
        frame = spark.createDataFrame(spark.sparkContext.parallelize(rows, 3), "number int, hyp string, refs array<string>")
        found = {row["number"]: row["score"] for row in bolide.spark.corpus(frame, by=["number"], metrics=[metric]).collect()}
        assert len(found) == len(corpora)
        assert all(reader.same(found[number], case.score) for number, case in enumerate(corpora))


def test_several_columns_at_once(spark, path, rows):
    frame = spark.read.parquet(path).where("id < 500").repartition(3)
    scored = bolide.spark.with_scores(frame, ["meteor:nltk", "rougeL"], refs="ref", problem="problem")
    assert scored.columns == [*frame.columns, "meteor:nltk", "rougeL", "problem"]
    found = scored.orderBy("id").collect()
    hypotheses, references = (rows[side].to_pylist()[:500] for side in ("hyp", "ref"))
    for name in ("meteor:nltk", "rougeL"):
        assert bits(row[name] for row in found) == bits(bolide.Metric(name).segments(hypotheses, references))
    assert {row["problem"] for row in found} == {None}


def test_one_corpus_of_all_rows(spark, path, rows):
    frame = spark.read.parquet(path).repartition(5)
    (row,) = bolide.spark.corpus(frame, refs="ref").collect()
    expected = bolide.Meteor().corpus(rows["hyp"].to_pylist(), rows["ref"].to_pylist())
    assert (row["score"].hex(), row["segments"]) == (expected.score.hex(), FEW)
    assert row["signature"] == expected.signature
    assert row["components"] == {name: float(value) for name, value in expected.components.items()}


def test_statistics_of_two_days_are_one_corpus(spark, path, rows):
    frame = spark.read.parquet(path)
    days = [frame.where("id % 2 = 0"), frame.where("id % 2 = 1")]
    kept = [bolide.spark.statistics(day, ["lang"], ["bleu"]) for day in days]
    found = bolide.spark.finish(kept[0].union(kept[1]), ["lang"]).collect()
    at_once = bolide.spark.corpus(frame, ["lang"], ["bleu"]).collect()
    assert sorted(map(repr, found)) == sorted(map(repr, at_once))


def test_many_groups_in_a_task(spark, path, monkeypatch):
    monkeypatch.setattr(bolide.spark, "MOST_GROUPS", 100)
    frame = spark.read.parquet(path).where("id < 3000").withColumn("document", F.col("id") % 700)
    found = bolide.spark.corpus(frame, ["document"], ["meteor"]).collect()
    assert len(found) == 700 and sum(row["segments"] for row in found) == 3000


def test_bad_rows_are_named_and_end_nothing(spark):
    rows = [
        (1, b"a cat sat", [b"a cat sat"]),
        (2, None, [b"a cat"]),
        (3, b"a cat", None),
        (4, b"a cat", []),
        (5, b"a cat", [None, b"a cat sat"]),
        (6, b"a \xff cat", [b"a cat"]),
        (7, b"a cat", [b"\xfe", b"a cat"]),
        (8, b"a cat", [b"\xfe"]),
    ]
    frame = spark.createDataFrame(rows, "id int, hyp binary, refs array<binary>").select(
        "id", F.expr("cast(hyp AS string)").alias("hyp"),
        F.expr("transform(refs, x -> cast(x AS string))").alias("refs"),
    )  # fmt: skip
    scored = bolide.spark.with_scores(frame, ["meteor"], problem="problem").orderBy("id").collect()
    scores = {row["id"]: row["meteor"] for row in scored}
    assert [idx for idx, score in scores.items() if score is None] == [2, 3, 4, 6, 8]
    assert scores[7] == bolide.score("meteor", "a cat", ["a cat"])
    assert {row["id"]: row["problem"] for row in scored if row["problem"]} == {
        2: "the hypothesis is null",
        3: "the reference is null",
        4: "there is no reference",
        6: "the hypothesis is not UTF-8",
        8: "there is no reference",
    }
    named = frame.where(bolide.spark.problem("hyp", "refs").isNotNull()).orderBy("id").collect()
    assert [row["id"] for row in named] == [2, 3, 4, 6, 8]
    (row,) = bolide.spark.corpus(frame).collect()
    kept = bolide.Meteor().corpus(["a cat sat", "a cat", "a cat"], ["a cat sat", "a cat sat", "a cat"])
    assert (row["score"], row["segments"], row["skipped"]) == (kept.score, 3, 5)
    # A null hypothesis as an empty one: 0, and its reference counts.
    zero = frame.select("id", bolide.spark.meteor("hyp", "refs", nulls="zero").alias("score"))
    assert {row["id"]: row["score"] for row in zero.collect()}[2] == 0.0
    (row,) = bolide.spark.corpus(frame, nulls="zero").collect()
    assert (row["segments"], row["skipped"]) == (4, 4)


def test_token_lists(spark):
    frame = spark.createDataFrame(
        [(["a", "cat"], ["the", "cat"]), (None, ["a"])], "hyp array<string>, refs array<string>"
    )
    found = [row[0] for row in frame.select(bolide.spark.bleu("hyp", "refs", "unigram")).collect()]
    assert found == [bolide.score("bleu:unigram", ["a", "cat"], ["the", "cat"]), None]
    # A null token makes its row a bad one.
    rows = [(1, ["a"], ["a"]), (2, ["a", None], ["a"]), (3, ["b"], [None]), (4, ["b"], ["b"])]
    frame = spark.createDataFrame(rows, "id int, hyp array<string>, refs array<string>")
    scored = bolide.spark.with_scores(frame, ["ter"], problem="problem").orderBy("id").collect()
    assert [row["ter"] for row in scored] == [0.0, None, None, 0.0]
    assert [row["problem"] for row in scored] == [
        None,
        "the hypothesis has a null token or is not UTF-8",
        "the reference has a null token or is not UTF-8",
        None,
    ]
    (row,) = bolide.spark.corpus(frame, metrics=["ter"]).collect()
    assert (row["score"], row["segments"], row["skipped"]) == (0.0, 2, 2)


def test_a_group_of_which_nothing_can_be_scored_has_no_score(spark):
    frame = spark.createDataFrame([("a", "x", "x"), ("b", None, "x")], "g string, hyp string, refs string")
    for options in ({}, {"confidence": 10}):
        found = bolide.spark.corpus(frame, ["g"], ["ter"], **options).orderBy("g").collect()
        assert [(row["score"], row["segments"], row["skipped"]) for row in found] == [(0.0, 1, 0), (None, 0, 1)]


def test_mistakes_are_found_before_a_job(spark):
    frame = spark.createDataFrame([(1, "a", "b")], "hyp int, refs string, metric string")
    with pytest.raises(TypeError, match="column 'hyp': expected string or array<string>, got int"):
        bolide.spark.corpus(frame)
    good = frame.select(F.col("refs").alias("hyp"), "refs", "metric")
    with pytest.raises(bolide.UnknownMetricError):
        bolide.spark.corpus(good, metrics=["meteorr"])
    with pytest.raises(bolide.UnknownMetricError):
        bolide.spark.meteor("hyp", "refs", "nltkk")
    with pytest.raises(ValueError, match="there is already a column 'metric'"):
        bolide.spark.corpus(good, ["metric"])
    with pytest.raises(ValueError, match="the metric 'ter' is there more than once"):
        bolide.spark.corpus(good, metrics=["ter", "bleu", "ter"])
    with pytest.raises(ValueError, match="nulls must be 'skip' or 'zero'"):
        bolide.spark.corpus(good, nulls="nought")
    with pytest.raises(ValueError, match="by must be a list of names, got 'refs'"):
        bolide.spark.corpus(good, "refs")
    listed = good.withColumn("all", F.array("refs"))
    with pytest.raises(TypeError, match="by: column 'all': a single value is expected.*got array<string>"):
        bolide.spark.corpus(listed, ["all"])
    with pytest.raises(TypeError, match="order: column 'all': a single value"):
        bolide.spark.corpus(listed, confidence=10, order=["all"])
    with pytest.raises(TypeError, match="confidence is a number of bootstrap samples, such as 1000, got 0.95"):
        bolide.spark.corpus(good, confidence=0.95)
    with pytest.raises(ValueError, match="confidence must be at least 0, got -1"):
        bolide.spark.corpus(good, confidence=-1)


def test_confidence_from_statistics_rows(spark, path, rows):
    frame = spark.read.parquet(path).where("id < 2000")
    options = {"metrics": ["bleu", "meteor"], "refs": "ref", "confidence": 200}
    chosen = [row for row in rows.slice(0, 2000).to_pylist()]
    found = []
    for partitions in (1, 5):
        result = bolide.spark.corpus(frame.repartition(partitions), ["lang"], order=["id"], **options)
        found.append({(row["lang"], row["metric"]): row for row in result.collect()})
    assert found[0] == found[1]
    for language in pairs.LANGUAGES:
        sides = [[row[side] for row in chosen if row["lang"] == language] for side in ("hyp", "ref")]
        for name in ("bleu", "meteor"):
            row = found[0][language, name]
            score = bolide.Metric(name).corpus(*sides, confidence=200)
            interval = (row["confidence_mean"], row["confidence_half_width"])
            assert bits([row["score"], *interval]) == bits([score.score, *score.confidence])
    # Without an order the result is still the same for any partitioning.
    free = [
        sorted(map(repr, bolide.spark.corpus(frame.repartition(n), ["lang"], **options).collect()))
        for n in (2, 7)
    ]
    assert free[0] == free[1]


def test_rows_that_are_equal_in_the_order_come_in_any_order(spark, path):
    frame = spark.read.parquet(path).where("id < 600").withColumn("shift", F.when(F.col("id") % 4 > 0, F.col("id") % 4))
    found = [
        bolide.spark.corpus(frame.repartition(n), metrics=["bleu", "rougeL"], refs="ref", confidence=30, order=["shift"]).collect()
        for n in (1, 3, 8)
    ]
    assert sorted(map(repr, found[0])) == sorted(map(repr, found[1])) == sorted(map(repr, found[2]))


def test_groups_of_equal_texts(spark, path):
    """The columns of the texts may be keys."""
    frame = spark.read.parquet(path).where("id < 300")
    for options in ({}, {"confidence": 5}):
        found = bolide.spark.corpus(frame, ["ref", "lang"], ["ter"], refs="ref", **options).collect()
        assert len(found) == frame.select("ref", "lang").distinct().count()
        assert sum(row["segments"] for row in found) == 300


def test_large_types(spark, path):
    frame = spark.read.parquet(path).where("id < 300")
    options = {"by": ["lang"], "metrics": ["ter"], "order": ["id"]}
    expected = [bolide.spark.corpus(frame, confidence=n, **options).orderBy("lang").collect() for n in (0, 20)]
    spark.conf.set("spark.sql.execution.arrow.useLargeVarTypes", "true")
    try:
        found = [bolide.spark.corpus(frame, confidence=n, **options).orderBy("lang").collect() for n in (0, 20)]
    finally:
        spark.conf.unset("spark.sql.execution.arrow.useLargeVarTypes")
    assert found == expected


def executors():
    """The executors that this test started: descendants of this process."""
    parents, commands = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                status = (entry / "stat").read_text().rpartition(")")[2].split()
                commands[int(entry.name)] = (entry / "cmdline").read_text()
            except OSError:
                continue
            parents[int(entry.name)] = int(status[1])

    def is_ours(pid):
        while pid in parents:
            pid = parents[pid]
            if pid == os.getpid():
                return True
        return False

    found = [pid for pid, text in commands.items() if "CoarseGrainedExecutorBackend" in text]
    return [pid for pid in found if is_ours(pid) and b"java" in pathlib.Path(f"/proc/{pid}/exe").readlink().name.encode()]


def test_a_killed_executor_changes_nothing(spark, large, path, expected):
    frame = spark.read.parquet(large).repartition(24)
    killed = []

    def kill():
        deadline = time.monotonic() + 60
        tracker = spark.sparkContext.statusTracker()
        while time.monotonic() < deadline:
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            # In the middle: tasks of the scoring stage are done, others are not.
            if any(stage and 0 < stage.numCompletedTasks < stage.numTasks == 24 for stage in stages):
                victim = executors()[0]
                os.kill(victim, signal.SIGKILL)
                killed.append(victim)
                return
            time.sleep(0.005)

    before = executors()
    assert len(before) == 2
    killer = threading.Thread(target=kill)
    killer.start()
    found = by_group(bolide.spark.corpus(frame, by=["lang", "system"], metrics=METRICS))
    killer.join()
    assert killed, "the job was over before an executor could be killed"
    assert found == expected[1]
    # The next job works, too.
    assert numpy.array_equal(scores_by_id(spark.read.parquet(path)), expected[0][:FEW])
