"""Time against the length of a sentence, up to 50,000 words: verses in a row, and twenty words in disorder.

The second kind is harder, because every word has thousands of possible partners. The exponent is the slope between the two
longest measured sentences; there it is 1.1 for n log n and 2 for n².
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

from suite.corpora import long_segment
from suite.measure import Server
from suite.programs import Programs

METRICS = ["bleu", "chrf", "ter", "rouge1", "rougeL", "meteor:nltk", "meteor:classic", "meteor:1.5"]
LENGTHS = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000]
KINDS = ["verses", "disordered"]
# A metric gets no longer sentences once one takes more than this many seconds.
PATIENCE = 10.0


def measure(programs: Programs, folder: Path) -> list[dict]:
    """One curve for each metric and kind of text."""
    rows = []
    for kind in KINDS:
        points: dict[str, list[list[float]]] = {metric: [] for metric in METRICS}
        for n_words in LENGTHS:
            corpus = long_segment(folder, n_words, kind)
            engine = Server([programs.engine, *corpus.files], programs.environment)
            for metric in METRICS:
                if len(points[metric]) == LENGTHS.index(n_words) and not too_slow(points[metric]):
                    points[metric].append([n_words, one(engine, metric, points[metric])])
            engine.close()
        for metric in METRICS:
            rows.append({"kind": kind, "metric": metric, "points": points[metric], "exponent": exponent(points[metric])})
            print(f"  growth: {metric}, {kind}: exponent {rows[-1]['exponent']:.2f}, "
                  f"{points[metric][-1][1]:.4f} s for {points[metric][-1][0]} words", file=sys.stderr)
    return rows


def one(engine: Server, metric: str, before: list[list[float]]) -> float:
    """The time of one segment: in the steady state, or a single run if it takes long."""
    if before and before[-1][1] > 0.3:
        return float(engine.ask("time", "bolide", metric, 0)[0])
    return float(engine.ask("steady", metric, 0.05)[0])


def too_slow(points: list[list[float]]) -> bool:
    return bool(points) and points[-1][1] > PATIENCE


def exponent(points: list[list[float]]) -> float:
    (n, time), (more, longer) = points[-2], points[-1]
    return math.log(longer / time) / math.log(more / n)
