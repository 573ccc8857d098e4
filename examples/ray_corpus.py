"""The corpus score of Parquet files on a Ray cluster: statistics are made where the rows are read.

    python examples/ray_corpus.py meteor part-*.parquet

Every task reads one file (columns ``hyp`` and ``refs``) and sends back its statistics, a few hundred
bytes; the driver merges them in the order of the files. The score has the bits of the whole corpus
scored in one process. A task that is lost with its node is run again by Ray, and its statistics
count once, because only what a task returns is merged.
"""

import sys

import pyarrow.parquet as pq
import ray

import bolide


@ray.remote(max_retries=5)
def statistics(metric: str, path: str) -> bytes:
    """The statistics of one file, read in batches."""
    accumulator = bolide.Metric(metric).accumulator()
    for batch in pq.ParquetFile(path).iter_batches(columns=["hyp", "refs"]):
        # One thread: Ray starts as many tasks as there are cores.
        accumulator.update(batch.column("hyp"), batch.column("refs"), threads=1)
    return accumulator.to_bytes()


def corpus(metric: str, paths: list[str]) -> bolide.Score:
    """The score of all files."""
    total = bolide.Metric(metric).accumulator()
    for part in ray.get([statistics.remote(metric, path) for path in paths]):
        total.merge(bolide.Accumulator.from_bytes(total.metric, part))
    return total.compute()


if __name__ == "__main__":
    name, *files = sys.argv[1:]
    ray.init()
    score = corpus(name, files)
    print(score.score, score.signature)
