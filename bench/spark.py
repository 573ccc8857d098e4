#!/usr/bin/env python3
"""Rows per second and core through Spark, beside the plain library on the same file in one run.

Both read a Parquet file of generated pairs and score every row. Spark runs with two executors in
processes of their own; its cost is the CPU time of all of them, Java and Python, while the job runs,
so other work on the machine does not count. The library's is that of this process, one thread. Every
job has run twice before it is measured: Java compiles itself in the first minute. Usage:

    scripts/test-cluster duckdb                     # makes target/cluster-venv
    target/cluster-venv/bin/maturin build --release --manifest-path crates/bolide-python/Cargo.toml --out target/python-release
    target/cluster-venv/bin/pip install --force-reinstall --no-deps target/python-release/*.whl
    target/cluster-venv/bin/python bench/spark.py [--rows 1000000]
"""

import argparse
import os
import pathlib
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT / "tests" / "cluster")
import pairs  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from pyspark.sql import functions as F  # noqa: E402

import bolide  # noqa: E402
import bolide.spark  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")


def family_seconds():
    """CPU seconds of every descendant of this process that is alive, and of their dead children."""
    parents, seconds = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
            seconds[int(entry.name)] = sum(map(int, fields[11:15])) / TICKS

    def is_ours(pid):
        while pid in parents:
            pid = parents[pid]
            if pid == os.getpid():
                return True
        return False

    return sum(value for pid, value in seconds.items() if is_ours(pid))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--metrics", nargs="+", default=["meteor", "meteor:nltk", "bleu"])
    parser.add_argument("--times", type=int, default=2, help="pairs of the tests that make one text")
    arguments = parser.parse_args()
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("bolide")
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.files.maxPartitionBytes": "8m",
    }
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
        print(f"{'rows per second and core':34} {'library':>12} {'Spark':>12}")
        compare(spark, path, arguments)
    spark.stop()


def compare(spark, path, arguments):
    frame = spark.read.parquet(path)

    def cost(job):
        job()
        job()
        before = family_seconds()
        start = time.monotonic()
        result = job()
        return result, family_seconds() - before, time.monotonic() - start

    def column(name):
        return frame.select(F.sum(bolide.spark.score(name, "hyp", "ref"))).collect()[0][0]

    for name in arguments.metrics:
        metric = bolide.Metric(name)
        start = time.process_time()
        total = metric.accumulator()
        for batch in pq.ParquetFile(path).iter_batches(columns=["hyp", "ref"], use_threads=False):
            metric.segments(batch.column("hyp"), batch.column("ref"), threads=1)
        library = arguments.rows / (time.process_time() - start)
        _, seconds, wall = cost(lambda: column(name))
        line(f"{name}, a column", library, arguments.rows / seconds, wall)
        start = time.process_time()
        for batch in pq.ParquetFile(path).iter_batches(columns=["hyp", "ref"], use_threads=False):
            total.update(batch.column("hyp"), batch.column("ref"), threads=1)
        library = arguments.rows / (time.process_time() - start)
        (row,), seconds, wall = cost(lambda: bolide.spark.corpus(frame, (), [name], refs="ref").collect())
        assert row["score"].hex() == total.compute().score.hex()
        line(f"{name}, one corpus", library, arguments.rows / seconds, wall)
        # A new frame every time: Spark would keep what it shuffled for the old one.
        _, seconds, wall = cost(lambda: bolide.spark.corpus(frame, ["lang"], [name], refs="ref").collect())
        line(f"{name}, a corpus by language", library, arguments.rows / seconds, wall)


def line(name, library, spark, wall):
    print(f"{name:34} {library:12,.0f} {spark:12,.0f} {spark / library:7.0%}   ({wall:.1f} s)", flush=True)


if __name__ == "__main__":
    main()
