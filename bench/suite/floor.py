"""The command itself on a large file: against the floor, with more threads, and with more lines.

The floor is the processor time for reading, checking, lower-casing and splitting the same bytes (bench/engine's `floor`).
Metrics are measured as people run them: one process from start to end.
"""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from suite.corpora import Corpus, verses
from suite.measure import finish, spread
from suite.programs import Programs

# Metrics, and the goal for each as a multiple of the floor.
METRICS = {"bleu": 3, "meteor:nltk": 5, "meteor:classic": 5, "meteor:1.5": 15, "meteor:hf": None, "chrf": None,
           "rouge1": None, "rougeL": None, "ter": None}
THREADED = ["bleu", "meteor:classic", "meteor:1.5"]
LINES = [10_000, 100_000, 1_000_000]
STREAMED = ["bleu", "meteor:nltk", "meteor:classic", "chrf"]


def multiples(programs: Programs, corpus: Corpus, repetitions: int) -> list[dict]:
    """Each metric as a multiple of the floor of the same repetition."""
    floors: list[float] = []
    times: dict[str, list[float]] = {metric: [] for metric in METRICS}
    for _ in range(repetitions):
        command = [programs.floor, corpus.hypotheses, corpus.references]
        # Such a short run is repeated several times.
        floors.append(sum(finish(command).processor for _ in range(3)) / 3)
        for metric, kept in times.items():
            kept.append(finish(programs.score(metric, corpus), programs.environment).processor)
    rows = [{"metric": "floor", "goal": None, "pairs": len(corpus.pairs), "seconds": spread(floors),
             "multiple": spread([1.0])}]
    for metric, goal in METRICS.items():
        ratios = [time / floor for time, floor in zip(times[metric], floors)]
        rows.append({"metric": metric, "goal": goal, "pairs": len(corpus.pairs), "seconds": spread(times[metric]),
                     "multiple": spread(ratios)})
        print(f"  floor: {metric}: {rows[-1]['multiple']['median']:.2f} times", file=sys.stderr)
    return rows


def threads(programs: Programs, corpus: Corpus, repetitions: int) -> list[dict]:
    """Wall-clock time with one thread over that with two. Other work on the machine makes it too small, and so do cores that
    share resources: two independent processes, side by side, show how much the machine can gain."""
    rows = []
    for metric in THREADED:
        gains, limits = [], []
        for _ in range(repetitions):
            one, two = (finish(programs.score(metric, corpus, n), programs.environment).clock for n in (1, 2))
            gains.append(one / two)
            limits.append(2 * one / both(programs.score(metric, corpus), programs.environment))
        rows.append({"metric": metric, "gain": spread(gains), "processes": spread(limits), "load": os.getloadavg()[0]})
        print(f"  two threads: {metric}: {rows[-1]['gain']['median']:.2f} times", file=sys.stderr)
    return rows


def both(command: list, environment: dict[str, str]) -> float:
    """Wall-clock time of two simultaneous runs of a program."""
    started = time.perf_counter()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: finish(command, environment), range(2)))
    return time.perf_counter() - started


def memory(programs: Programs, folder: Path) -> list[dict]:
    """Peak memory by number of lines."""
    rows = []
    for n in LINES:
        corpus = verses(folder, n)
        for metric in STREAMED:
            peak = finish(programs.score(metric, corpus), programs.environment, watch=True).peak
            rows.append({"metric": metric, "pairs": n, "peak": peak})
            print(f"  memory: {metric}, {n} pairs: {peak:.1f} MB", file=sys.stderr)
        if n != LINES[0]:
            for path in corpus.files:
                path.unlink()
    return rows
