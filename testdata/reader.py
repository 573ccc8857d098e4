"""Reads the golden cases for the tests of the Python doors, and compares to the last bit.

    for case in cases(): ...
    tally = Tally("the wheel"); tally.case(case, score, segment_scores); tally.finish()
"""

from __future__ import annotations

import gzip
import json
import math
import os
import struct
import subprocess
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Case:
    """A segment, or a corpus of segments. A score of None means that there is no number."""

    name: str
    metric: str
    hypotheses: list[str]
    references: list[list[str]]
    score: float | None
    source: str
    segments: list[float | None] | None = None
    statistics: dict[str, float] = field(default_factory=dict)
    tables: list[str] = field(default_factory=list)

    @property
    def dialect(self) -> str:
        return self.metric.split("|")[0]

    @property
    def is_corpus(self) -> bool:
        return self.segments is not None


def cases() -> list[Case]:
    """All cases of all files; a folder without any is a mistake."""
    paths = sorted(FOLDER.glob("*.jsonl.gz"))
    if not paths:
        raise FileNotFoundError(f"{FOLDER} has no cases")
    return [read(line) for path in paths for line in gzip.decompress(path.read_bytes()).decode().split("\n")[:-1]]


def read(line: str) -> Case:
    row = json.loads(line)
    if "hypothesis" in row:
        row["hypotheses"], row["references"] = [row.pop("hypothesis")], [row["references"]]
    return Case(**row)


def by_metric(cases: list[Case]) -> dict[str, list[Case]]:
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(case.metric, []).append(case)
    return groups


def same(found: float | None, expected: float | None) -> bool:
    """Whether the bits are equal. None equals only NaN."""
    if expected is None:
        return found is not None and math.isnan(found)
    return found is not None and struct.pack("<d", found) == struct.pack("<d", expected)


def import_tables(command: str, folder: Path) -> None:
    """Installs the paraphrases of this folder as tables, and sets BOLIDE_DATA to their folder."""
    os.environ["BOLIDE_DATA"] = str(folder)
    for path in sorted(FOLDER.glob("paraphrase-*.gz")):
        subprocess.run([command, "-q", "data", "import", path], check=True)


class Tally:
    """The numbers of cases and values of each dialect that a door has compared, and the differences."""

    def __init__(self, door: str) -> None:
        self.door = door
        self.counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        self.differences: list[str] = []

    def case(self, case: Case, score: float | None, segments: Any = ()) -> None:
        """Compares the score of a case and, if they are given, those of a corpus's segments."""
        self.counts[case.dialect][0] += 1
        self.number(case, "score", score, case.score)
        if case.segments is not None and len(segments):
            assert len(segments) == len(case.segments), (case.metric, case.name)
            for at, (found, expected) in enumerate(zip(segments, case.segments), 1):
                self.number(case, f"segment {at}", found, expected)

    def statistics(self, case: Case, components: dict[str, Any]) -> None:
        for name, expected in case.statistics.items():
            found = components.get(name)
            self.number(case, name, None if found is None else float(found), float(expected))

    def number(self, case: Case, what: str, found: float | None, expected: float | None) -> None:
        self.counts[case.dialect][1] += 1
        if not same(found, expected):
            self.differences.append(f"{case.metric}, {case.name}, {what}: {found!r}, expected {expected!r} ({case.source})")

    def finish(self) -> None:
        """Prints the counts; fails if something differed or nothing was compared."""
        print(f"golden cases through {self.door}:")
        for dialect, (cases, numbers) in sorted(self.counts.items()):
            print(f"  {dialect:<20} {cases:>6} cases {numbers:>7} numbers")
        totals = [sum(counts[at] for counts in self.counts.values()) for at in (0, 1)]
        print(f"  {'all':<20} {totals[0]:>6} cases {totals[1]:>7} numbers")
        assert totals[1] > 0, "no number was compared"
        shown = "\n".join(self.differences[:20])
        assert not self.differences, f"{len(self.differences)} numbers differ:\n{shown}"
