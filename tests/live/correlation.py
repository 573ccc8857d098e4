"""Compares `bolide correlate` with SciPy: Pearson, Spearman, Kendall b and c, on random and tied numbers.

    python3 tests/live/correlation.py              # 400 pairs of lists
    python3 tests/live/correlation.py --full       # 4,000, some of them long

Coefficients must agree to 1e-12, because both sides add many rounded numbers, each in its own order. No
registry has a package for pairwise accuracy with tie calibration, so it is compared exactly with its
definition, computed here pair by pair.
"""

from __future__ import annotations

import argparse
import csv
import io
import math
import os
import random
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import peers

try:
    from scipy import stats
except ImportError:
    # Starts again in the environment that has SciPy.
    python = str(peers.python("programs"))
    os.execv(python, [python, *sys.argv])

TOLERANCE = 1e-12


def lists(rng: random.Random, longest: int) -> tuple[list[float], list[float]]:
    """Two lists: continuous, tied, of few values, far from zero, or sometimes constant."""
    n = rng.choice([2, 3, 5, 20, 60, longest])
    kinds = [
        lambda: rng.gauss(0, 1),
        lambda: rng.random() * 100,
        lambda: float(rng.randrange(3)),
        lambda: float(rng.randrange(10)) / 4,
        lambda: 1e6 + rng.random(),
        lambda: rng.gauss(0, 1) * 1e-9,
        lambda: 25.0 if rng.random() < 0.9 else 50.0,
    ]
    first, second = rng.choice(kinds), rng.choice(kinds)
    x = [first() for _ in range(n)]
    y = [second() for _ in range(n)]
    if rng.random() < 0.5:
        share = rng.choice([-1.0, 0.2, 1.0, 5.0])
        y = [b + share * a for a, b in zip(x, y)]
    if rng.random() < 0.03:
        y = [1.5] * n
    return x, y


def accuracy(metric: list[float], human: list[float]) -> tuple[float, float]:
    """The best accuracy over all thresholds, and the smallest threshold that has it."""
    pairs = []
    for i in range(len(metric)):
        for j in range(i):
            difference = metric[i] - metric[j]
            people = (human[i] > human[j]) - (human[i] < human[j])
            ours = (difference > 0) - (difference < 0)
            pairs.append((abs(difference), ours == people, people == 0))
    pairs.sort(key=lambda pair: pair[0])
    # With each difference as the threshold, all smaller or equal differences are ties of the metric.
    right = sum(pair[2] if pair[0] == 0 else pair[1] for pair in pairs)
    best, at = right, 0.0
    start = 0
    while start < len(pairs):
        end = start
        while end < len(pairs) and pairs[end][0] == pairs[start][0]:
            if pairs[end][0] > 0:
                right += pairs[end][2] - pairs[end][1]
            end += 1
        if right > best:
            best, at = right, pairs[start][0]
        start = end
    return best / len(pairs), at


def expected(x: list[float], y: list[float]) -> dict[str, float]:
    with warnings.catch_warnings():
        # SciPy warns about constant lists and returns NaN for them, as we do.
        warnings.simplefilter("ignore")
        return {
            "pearson": float(stats.pearsonr(x, y).statistic),
            "spearman": float(stats.spearmanr(x, y).statistic),
            "kendall-b": float(stats.kendalltau(x, y, variant="b").statistic),
            "kendall-c": float(stats.kendalltau(x, y, variant="c").statistic),
        }


def same(ours: float, theirs: float) -> bool:
    return (math.isnan(ours) and math.isnan(theirs)) or abs(ours - theirs) <= TOLERANCE


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    default = os.environ.get("BOLIDE", peers.ROOT / "target" / "release" / "bolide")
    parser.add_argument("--bolide", default=default)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    made = [lists(rng, 2000 if options.full else 200) for _ in range(4000 if options.full else 400)]
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.csv"
        with table.open("w") as file:
            file.write("list,score,human\n")
            for number, (x, y) in enumerate(made):
                file.writelines(f"{number},{a!r},{b!r}\n" for a, b in zip(x, y))
        command = [options.bolide, "correlate", "-q", "-i", table, "--human-column", "human"]
        command += ["--score-column", "score", "--group-column", "list"]
        command += ["--coefficient", "all", "--format", "csv"]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = list(csv.DictReader(io.StringIO(printed)))
    ours = {(int(row["group"]), row["coefficient"]): row for row in rows}
    passed = failed = 0
    worst = 0.0
    for number, (x, y) in enumerate(made):
        for name, theirs in expected(x, y).items():
            value = float(ours[number, name]["value"] or "nan")
            good = same(value, theirs)
            if not math.isnan(value) and not math.isnan(theirs):
                worst = max(worst, abs(value - theirs))
            passed, failed = passed + good, failed + (not good)
            if not good and failed < 5:
                print(f"{name}: ours {value!r}, SciPy's {theirs!r}, n = {len(x)}, list {number}")
        if len(x) <= 200:
            row = ours[number, "accuracy"]
            good = (float(row["value"]), float(row["threshold"])) == accuracy(x, y)
            passed, failed = passed + good, failed + (not good)
            if not good and failed < 5:
                print(f"accuracy: {row}, by definition {accuracy(x, y)}")
    print(f"{len(made)} pairs of lists, largest difference from SciPy {worst:.1e}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
