"""Compares the referee's tools of `bolide correlate` with NumPy and SciPy: averages by item and by system, Williams' test, soft
pairwise accuracy, PCE and rank clusters.

    python3 tests/live/referee.py                  # 60 sets of systems
    python3 tests/live/referee.py --full           # 240
    python3 tests/live/referee.py --write          # writes testdata/correlation.json.gz, which `cargo test` reads

mt-metrics-eval is on no registry, so its documented definitions are computed here in the simplest way, with SciPy's
coefficients and t distribution and NumPy's generator. Numbers must agree to 1e-12, and ranks exactly.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import warnings
from fractions import Fraction
from pathlib import Path

import peers

try:
    import numpy
    from scipy import stats
except ImportError:
    # Starts again in the environment that has SciPy.
    python = str(peers.python("programs"))
    os.execv(python, [python, *sys.argv])

TOLERANCE = 1e-12
SAMPLES, SEED = 400, 4
COEFFICIENTS = {
    "pearson": lambda x, y: stats.pearsonr(x, y).statistic,
    "spearman": lambda x, y: stats.spearmanr(x, y).statistic,
    "kendall-b": lambda x, y: stats.kendalltau(x, y, variant="b").statistic,
    "kendall-c": lambda x, y: stats.kendalltau(x, y, variant="c").statistic,
}


class Set:
    """Judged texts of some systems: the texts are in any order, and some are missing."""

    def __init__(self, rng: random.Random) -> None:
        n_systems, n_items = rng.randrange(2, 7), rng.randrange(3, 13)
        places = [(system, item) for system in range(n_systems) for item in range(n_items)]
        if rng.random() < 0.5:
            places = [place for place in places if rng.random() < 0.9 or place[1] == 0]
        rng.shuffle(places)
        quality = [rng.choice([0.0, 0.3, 1.0]) * system for system in range(n_systems)]
        steps = rng.choice([2, 8, 1024])

        def score(noise: float, own: float) -> list[float]:
            # Multiples of 1/1024, so that sums are exact and ties are ties on both sides.
            made = []
            for system, item in places:
                value = quality[system] * own + 0.2 * item + rng.gauss(0, noise)
                made.append(round(value * steps) * (1024 // steps) / 1024)
            return made

        # Systems and items are numbered as they first appear, as the command numbers them.
        self.system, self.item = [[column.index(one) for one in column] for column in map(list, zip(*places))]
        self.human = score(0.5, 1.0)
        self.metrics = [score(rng.choice([0.3, 1.0, 3.0]), rng.choice([0.0, 1.0])) for _ in range(3)]

    def lists(self, by: str) -> list[list[int]]:
        if by == "none":
            return [list(range(len(self.human)))]
        column = self.item if by == "item" else self.system
        return [[at for at, value in enumerate(column) if value == wanted] for wanted in sorted(set(column))]


def pick(values: list[float], at: list[int]) -> list[float]:
    return [values[one] for one in at]


def average(data: Set, metric: list[float], name: str, by: str) -> float:
    """The mean over the lists that have a figure."""
    figures = []
    for at in data.lists(by):
        if len(at) > 1:
            figures.append(float(COEFFICIENTS[name](pick(metric, at), pick(data.human, at))))
    figures = [figure for figure in figures if not math.isnan(figure)]
    return sum(figures) / len(figures) if figures else math.nan


def accuracy(data: Set, metric: list[float], by: str) -> float:
    """The best mean accuracy over all thresholds, which all lists share."""
    lists = []
    for at in data.lists(by):
        pairs = []
        for one in range(len(at)):
            for other in range(one):
                i, j = at[one], at[other]
                difference = metric[i] - metric[j]
                people = (data.human[i] > data.human[j]) - (data.human[i] < data.human[j])
                pairs.append((difference, people))
        if pairs:
            lists.append(pairs)
    thresholds = {0.0} | {abs(difference) for pairs in lists for difference, _ in pairs}

    def right(pair: tuple[float, int], threshold: float) -> bool:
        difference, people = pair
        ours = 0 if abs(difference) <= threshold else (1 if difference > 0 else -1)
        return ours == people

    def mean(threshold: float) -> Fraction:
        shares = [Fraction(sum(right(pair, threshold) for pair in pairs), len(pairs)) for pairs in lists]
        return sum(shares, Fraction(0)) / len(shares)

    return float(max(map(mean, thresholds)))


def williams(data: Set, first: list[float], second: list[float], name: str) -> float:
    """One-sided, as in the paper of Graham and Baldwin 2014."""
    r12, r13 = (float(COEFFICIENTS[name](metric, data.human)) for metric in (first, second))
    r23 = float(COEFFICIENTS[name](first, second))
    n = len(data.human)
    if r12 == r13:
        return 0.5
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    below = math.sqrt(2 * k * (n - 1) / (n - 3) + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3)
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23)) / below
    return float(stats.t.sf(abs(t), n - 3))


def matrix(data: Set, values: list[float]) -> numpy.ndarray:
    """Systems by items; only items that every system has."""
    cells = {place: value for place, value in zip(zip(data.system, data.item), values)}
    systems = sorted(set(data.system))
    # The order counts, because the generator gives each item its own sign.
    items = [item for item in sorted(set(data.item)) if all((system, item) in cells for system in systems)]
    return numpy.array([[cells[system, item] for item in items] for system in systems])


def p_values(scores: numpy.ndarray) -> numpy.ndarray:
    """p of "i is better than j", from random exchanges of the two systems' items."""
    drawn = numpy.random.default_rng(SEED).random((SAMPLES, scores.shape[1]), dtype=numpy.float32)
    signs = numpy.where(drawn > 0.5, 1.0, -1.0)
    sums, totals = signs @ scores.T, scores.sum(axis=1)
    n = len(scores)
    found = numpy.zeros((n, n))
    for i in range(n):
        for j in range(n):
            found[i, j] = (sums[:, i] - sums[:, j] >= totals[i] - totals[j]).mean()
    return found


def soft(data: Set, metric: list[float]) -> float:
    upper = numpy.triu_indices(len(set(data.system)), 1)
    ours, people = p_values(matrix(data, metric)), p_values(matrix(data, data.human))
    return float(1 - numpy.abs(ours - people)[upper].mean())


def clusters(figures: list[float], p: list[list[float]]) -> list[int | None]:
    """A metric starts a new rank if one of the current rank beats it significantly."""
    order = sorted((at for at in range(len(figures)) if not math.isnan(figures[at])), key=lambda at: -figures[at])
    ranks: list[int | None] = [None] * len(figures)
    rank, members = 1, []
    for at in order:
        if any(p[better][at] <= 0.05 for better in members):
            rank, members = rank + 1, []
        ranks[at] = rank
        members.append(at)
    return ranks


def expected(data: Set) -> dict:
    """Everything that the command prints for a set."""
    found: dict = {"averages": {}, "williams": {}, "ranks": {}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about constant lists
        for name in COEFFICIENTS:
            for by in ("none", "item", "system"):
                found["averages"][f"{name}/{by}"] = [average(data, metric, name, by) for metric in data.metrics]
            p = [[williams(data, a, b, name) if a is not b else 1.0 for b in data.metrics] for a in data.metrics]
            found["williams"][name] = p
            found["ranks"][name] = clusters(found["averages"][f"{name}/none"], p)
    for by in ("none", "item", "system"):
        found["averages"][f"accuracy/{by}"] = [accuracy(data, metric, by) for metric in data.metrics]
    found["soft-accuracy"] = [soft(data, metric) for metric in data.metrics]
    found["systems"] = []
    for values in [data.human, *data.metrics]:
        scores = matrix(data, values)
        found["systems"].append(clusters(list(scores.sum(axis=1)), p_values(scores).tolist()))
    return found


def columns(data: Set) -> dict:
    return {"system": data.system, "item": data.item, "human": data.human, "metrics": data.metrics}


def without_nan(value):
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, dict):
        return {key: without_nan(one) for key, one in value.items()}
    return [without_nan(one) for one in value] if isinstance(value, list) else value


def write(path: Path, sets: list[Set]) -> None:
    cases = [without_nan({**columns(data), "expected": expected(data)}) for data in sets]
    text = json.dumps({"samples": SAMPLES, "seed": SEED, "cases": cases}, separators=(",", ":"))
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


class Tally:
    def __init__(self) -> None:
        self.passed = self.failed = 0
        self.worst = 0.0

    def check(self, what: str, ours, theirs) -> None:
        if isinstance(theirs, float):
            ours = math.nan if ours is None else ours
            both = math.isnan(ours) and math.isnan(theirs)
            good = both or abs(ours - theirs) <= TOLERANCE
            self.worst = max(self.worst, 0.0 if both or not good else abs(ours - theirs))
        else:
            good = ours == theirs
        self.passed, self.failed = self.passed + good, self.failed + (not good)
        if not good and self.failed < 6:
            print(f"{what}: ours {ours!r}, expected {theirs!r}")


def compare(bolide: str, sets: list[Set]) -> Tally:
    tally = Tally()
    wanted = [expected(data) for data in sets]
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.tsv"
        with table.open("w") as file:
            print("set", "system", "item", "human", *(f"m{at}" for at in range(3)), sep="\t", file=file)
            for number, data in enumerate(sets):
                for system, item, *numbers in zip(data.system, data.item, data.human, *data.metrics):
                    print(number, f"{number}.{system}", f"{number}.{item}", *numbers, sep="\t", file=file)
        base = [bolide, "correlate", "-q", "-i", table, "--human-column", "human", "--group-column", "set"]
        base += ["--system-column", "system", "--item-column", "item", "--score-column", "m0", "m1", "m2"]
        base += ["-n", str(SAMPLES), "--seed", str(SEED), "--format", "json"]

        def run(*options: str) -> dict:
            return json.loads(subprocess.run([*base, *options], check=True, capture_output=True, text=True).stdout)

        for by in ("none", "item", "system"):
            for row in run("--level", "segment", "--coefficient", "all", "--average", by)["results"]:
                key = f"{row['coefficient']}/{by}"
                theirs = wanted[int(row["group"])]["averages"][key][int(row["metric"][1])]
                tally.check(f"{key} of set {row['group']}", row["value"], theirs)
        options = ["--level", "segment", "--coefficient", *COEFFICIENTS, "--test", "williams", "--one-sided", "--clusters"]
        for row in run(*options)["results"]:
            theirs, at = wanted[int(row["group"])], int(row["metric"][1])
            what = f"{row['coefficient']} of set {row['group']}"
            tally.check(f"rank by {what}", row["rank"], theirs["ranks"][row["coefficient"]][at])
            if at:
                tally.check(f"p of {what}", row["p_value"], theirs["williams"][row["coefficient"]][0][at])
        printed = run("--level", "system", "--coefficient", "soft-accuracy", "pce", "--clusters")
        for row in printed["results"]:
            theirs = wanted[int(row["group"])]["soft-accuracy"][int(row["metric"][1])]
            turned = theirs if row["coefficient"] == "soft-accuracy" else 1 - theirs
            tally.check(f"{row['coefficient']} of set {row['group']}", row["value"], turned)
        for row in printed["systems"]:
            by = 0 if row["by"] == "human" else 1 + int(row["by"][1])
            group, system = map(int, row["system"].split("."))
            theirs = wanted[group]["systems"][by][sorted(set(sets[group].system)).index(system)]
            tally.check(f"rank of system {row['system']} of set {row['group']}", row["rank"], theirs)
    return tally


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    default = os.environ.get("BOLIDE", peers.ROOT / "target" / "release" / "bolide")
    parser.add_argument("--bolide", default=default)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    if options.write:
        write(peers.ROOT / "testdata" / "correlation.json.gz", [Set(rng) for _ in range(40)])
        return 0
    sets = [Set(rng) for _ in range(240 if options.full else 60)]
    tally = compare(str(options.bolide), sets)
    print(f"{len(sets)} sets of systems, largest difference {tally.worst:.1e}")
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
