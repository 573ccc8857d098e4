#!/usr/bin/env python3
"""Rows per second and core through Spark and in the plain library, on the same file in one run.

Both read a Parquet file of generated pairs and score every row: Spark with one executor process per core, the
library with one thread per core on the same batches of rows. The cost is CPU time, so other work on the machine
does not count; for Spark it is that of all its processes, Java and Python, while the job runs. Java compiles
while it runs, so every job has a few warm-up runs. Then library and Spark take turns. Prints the median of the
ratios with their range, and where Spark's CPU time was spent. Usage:

    scripts/test-cluster duckdb                     # makes target/cluster-venv
    target/cluster-venv/bin/maturin build --profile dist --manifest-path crates/bolide-python/Cargo.toml --out target/python-release
    target/cluster-venv/bin/pip install --force-reinstall --no-deps target/python-release/*.whl
    target/cluster-venv/bin/python bench/spark.py [--rows 1000000] [--conf NAME=VALUE …]
"""

import argparse
import os
import pathlib
import statistics
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT / "tests" / "cluster")
import pairs  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from pyspark.sql import functions as F  # noqa: E402

import bolide  # noqa: E402
import bolide.spark  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")


CORES = len(os.sched_getaffinity(0))


def family_seconds():
    """CPU seconds of the living descendants of this process and of their dead children: those of the
    driver's Java, of the executors' and of the Python workers."""
    parents, seconds, kinds = {}, {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                command = (entry / "cmdline").read_text()
            except OSError:
                continue
            pid = int(entry.name)
            parents[pid] = int(fields[1])
            seconds[pid] = sum(map(int, fields[11:15])) / TICKS
            kinds[pid] = "executors" if "CoarseGrainedExecutorBackend" in command else "driver"
            if "pyspark" in command and "SparkSubmit" not in command and "Coarse" not in command:
                kinds[pid] = "Python"

    def is_ours(pid):
        while pid in parents:
            pid = parents[pid]
            if pid == os.getpid():
                return True
        return False

    found = dict.fromkeys(("Python", "executors", "driver"), 0.0)
    for pid, value in seconds.items():
        if is_ours(pid):
            found[kinds[pid]] += value
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--metrics", nargs="+", default=["meteor", "meteor:nltk"])
    parser.add_argument("--warm-up", type=int, default=3, help="jobs of each kind before one counts")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--times", type=int, default=2, help="pairs of the tests that make one text")
    parser.add_argument("--conf", nargs="+", default=[], metavar="NAME=VALUE", help="settings of Spark")
    arguments = parser.parse_args()
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(f"local-cluster[{CORES},1,1024]").appName("bolide")
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    settings |= dict(setting.split("=", 1) for setting in arguments.conf)
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/pairs.parquet"
        hypotheses, references = pairs.distinct_pairs()
        longer = [
            [" ".join([texts[idx], *(texts[idx - n] for n in range(1, arguments.times))]) for idx in range(len(texts))]
            for texts in (hypotheses, references)
        ]
        rows = pairs.table(arguments.rows, distinct=longer)
        words = sum(len(text.split()) for text in rows["hyp"][:1000].to_pylist()) / 1000
        pq.write_table(rows, path, row_group_size=50_000, compression="zstd")
        print(f"{arguments.rows:,} rows of {words:.0f} words, bolide {bolide.__version__}")
        print(f"{'rows per second and core':34} {'library':>10} {'Spark':>10}")
        compare(spark, path, arguments)
    spark.stop()


def compare(spark, path, arguments):
    frame = spark.read.parquet(path)
    for name in arguments.metrics:
        metric = bolide.Metric(name)

        def scores(batches):
            for batch in batches:
                metric.segments(batch.column("hyp"), batch.column("ref"), threads=1)

        def corpus(batches):
            total = metric.accumulator()
            for batch in batches:
                total.update(batch.column("hyp"), batch.column("ref"), threads=1)
            return total

        def column():
            return frame.select(F.sum(bolide.spark.score(name, "hyp", "ref"))).collect()

        # A new frame every time: Spark would keep what it shuffled for the old one.
        def of_groups(*by):
            return bolide.spark.corpus(frame, by, [name], refs="ref").collect()

        first, *others = library(path, corpus)[0]
        (row,) = of_groups()
        assert row["score"].hex() == first.merge(*others).compute().score.hex()
        jobs = [
            ("a column", scores, column),
            ("one corpus", corpus, of_groups),
            ("a corpus by language", corpus, lambda: of_groups("lang")),
        ]
        for what, plain, job in jobs:
            line(f"{name}, {what}", *take_turns(path, plain, job, arguments))


def library(path, work):
    """The results of `work` for the rows of each core, and the CPU seconds it took."""

    def part(core):
        file = pq.ParquetFile(path)
        groups = range(core, file.num_row_groups, CORES)
        return work(file.iter_batches(10_000, groups, ["hyp", "ref"], use_threads=False))

    start = time.process_time()
    with ThreadPoolExecutor(CORES) as pool:
        made = list(pool.map(part, range(CORES)))
    return made, time.process_time() - start


def take_turns(path, plain, job, arguments):
    """Rows per CPU second of the library and of Spark, turn by turn, and where Spark's time was spent."""
    for _ in range(arguments.warm_up):
        job()
    turns = []
    for _ in range(arguments.turns):
        _, alone = library(path, plain)
        before = family_seconds()
        start = time.monotonic()
        job()
        wall = time.monotonic() - start
        spent = {kind: seconds - before[kind] for kind, seconds in family_seconds().items()}
        turns.append((arguments.rows / alone, arguments.rows / sum(spent.values()), spent, wall))
    return turns, arguments.rows


def line(name, turns, rows):
    ratios = sorted(spark / library for library, spark, _, _ in turns)
    medians = [statistics.median(turn[side] for turn in turns) for side in (0, 1)]
    spent = {kind: statistics.median(turn[2][kind] for turn in turns) / rows * 1e6 for kind in turns[0][2]}
    parts = ", ".join(f"{kind} {microseconds:.1f}" for kind, microseconds in spent.items())
    print(
        f"{name:34} {medians[0]:10,.0f} {medians[1]:10,.0f} {statistics.median(ratios):5.0%} "
        f"({ratios[0]:.0%} to {ratios[-1]:.0%}); microseconds a row: {parts}; "
        f"{statistics.median(turn[3] for turn in turns):.1f} s",
        flush=True,
    )


if __name__ == "__main__":
    main()
