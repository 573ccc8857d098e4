"""Scores the same pairs with bolide and with a real program, and compares all bits.

An oracle is a script that runs in the peer's own environment and answers requests, one JSON object
per line. The answer to `{"metrics": […], "segments": [[hypothesis, reference, …], …]}` is
`{"scores": [[…], …], "corpus": […]}`, one row per segment and one number per metric. A string in
place of a number is the name of the exception that was raised; bolide then returns NaN.
"""

from __future__ import annotations

import csv
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pairs import Pair
from peers import ROOT

Score = float | str
Segment = tuple[str, ...]


class CompareError(Exception):
    """The comparison could not run; the message gives the reason."""


class Peer:
    """A running oracle."""

    def __init__(self, python: Path, script: str, **environment: str) -> None:
        command = [python, Path(__file__).parent / "oracles" / script]
        self.process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **environment, "PYTHONIOENCODING": "utf-8"},
        )

    def ask(self, **request) -> dict:
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise CompareError(f"the peer ended: {self.process.args[-1]}")
        return json.loads(answer)

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()


class Bolide:
    """The command under test."""

    def __init__(self, binary: Path | None = None) -> None:
        self.binary = binary or built()

    def segments(self, metrics: Sequence[str], segments: Sequence[Segment]) -> list[list[float]]:
        """One row per segment, one score per metric, as `--segments --format csv` prints them."""
        text = self.score(metrics, segments, "--segments", "--format", "csv")
        rows = csv.DictReader(text.splitlines())
        columns: dict[str, list[float]] = {}
        for row in rows:
            scores = columns.setdefault(row["metric"], [])
            if int(row["segment"]) != len(scores) + 1:
                raise CompareError(f"segments of {row['metric']} are not in order: {row}")
            # An undefined score is an empty cell.
            scores.append(float(row["score"] or "nan"))
        if len(columns) != len(metrics) or any(len(c) != len(segments) for c in columns.values()):
            found = {metric: len(scores) for metric, scores in columns.items()}
            raise CompareError(f"expected {len(segments)} rows for each of {metrics}, got {found}")
        return [list(row) for row in zip(*columns.values())]

    def corpus(self, metrics: Sequence[str], segments: Sequence[Segment]) -> list[float]:
        """One score per metric, as `--format json` prints them."""
        results = json.loads(self.score(metrics, segments, "--format", "json"))["results"]
        scores = [math.nan if r["score"] is None else float(r["score"]) for r in results]
        if len(scores) != len(metrics):
            raise CompareError(f"expected {len(metrics)} results, got {len(scores)}")
        return scores

    def score(self, metrics: Sequence[str], segments: Sequence[Segment], *options: str) -> str:
        with tempfile.TemporaryDirectory() as scratch:
            paths = []
            for column, texts in enumerate(zip(*segments)):
                paths.append(str(Path(scratch) / f"{column}.txt"))
                with open(paths[-1], "w", encoding="utf-8", newline="") as file:
                    file.writelines(f"{text}\n" for text in texts)
            command = [str(self.binary), "score", "-r", *paths[1:], "-i", paths[0], "-m", *metrics]
            done = subprocess.run([*command, *options], capture_output=True)
        if done.returncode != 0:
            raise CompareError(f"{' '.join(command[:2])}: {done.stderr.decode().strip()}")
        return done.stdout.decode()


def built() -> Path:
    """The binary that BOLIDE names, or the one that Cargo builds now."""
    if os.environ.get("BOLIDE"):
        return Path(os.environ["BOLIDE"])
    command = ["cargo", "build", "--package", "bolide-cli", "--message-format", "json"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE)
    if done.returncode != 0:
        raise CompareError("bolide does not build")
    messages = (json.loads(line) for line in done.stdout.splitlines() if line.startswith(b"{"))
    found = [m["executable"] for m in messages if m.get("executable")]
    if not found:
        raise CompareError("cargo built no executable")
    return Path(found[-1])


def as_read(segment: Segment) -> Segment:
    """A segment as the command reads it: blank ones among several references are dropped."""
    hypothesis, *references = segment
    if len(references) > 1:
        # Only Python treats the separators U+001C to U+001F as space.
        blank = lambda text: all(c.isspace() and not "\x1c" <= c <= "\x1f" for c in text)
        references = [text for text in references if not blank(text)] or [""]
    return (hypothesis, *references)


def same(ours: float, theirs: Score) -> bool:
    """Equal bits; NaN where the peer raised an exception."""
    if isinstance(theirs, str):
        return math.isnan(ours)
    return struct.pack("<d", ours) == struct.pack("<d", float(theirs))


@dataclass
class Tally:
    """How many scores of each metric were equal, and the first that was not."""

    equal: dict[str, int] = field(default_factory=dict)
    different: dict[str, int] = field(default_factory=dict)
    first: tuple[str, Pair] | None = None

    def add(self, metric: str, pair: Pair | None, ours: float, theirs: Score) -> None:
        if same(ours, theirs):
            self.equal[metric] = self.equal.get(metric, 0) + 1
            return
        self.different[metric] = self.different.get(metric, 0) + 1
        if pair is None:
            print(f"{metric}: bolide {ours!r}, peer {theirs!r}")
        elif self.first is None:
            self.first = (metric, pair)

    def report(self) -> int:
        """Prints a line for each metric and the totals; returns the exit code."""
        names = sorted({*self.equal, *self.different})
        width = max(map(len, names), default=0)
        for name in names:
            equal, different = self.equal.get(name, 0), self.different.get(name, 0)
            print(f"{name:{width}}  {equal:>8,} equal  {different:>6,} different")
        failed = sum(self.different.values())
        print(f"{sum(self.equal.values())} passed, {failed} failed")
        return 1 if failed else 0


def shrink(segment: Segment, differs: Callable[[Segment], bool]) -> Segment:
    """Drops words, then characters, for as long as the two programs still differ."""
    for split, join in ((lambda text: text.split(" "), " ".join), (list, "".join)):
        smaller = True
        while smaller:
            smaller = False
            for side, text in enumerate(segment):
                parts = split(text)
                for at in reversed(range(len(parts))):
                    rest = join(parts[:at] + parts[at + 1 :])
                    candidate = (*segment[:side], rest, *segment[side + 1 :])
                    if rest != text and differs(candidate):
                        segment, parts, text, smaller = candidate, split(rest), rest, True
    return segment


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
