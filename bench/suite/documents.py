"""Time and peak memory of every dialect and peer for segments of 10 to 100,000 words.

The text always has the same number of words, split into segments of a given length. The time of a segment is the time of the
command minus that for a single short segment, divided by the number of segments. Peers get a part of the same segments; a peer
that takes too long is stopped and gets no longer segments.
"""

from __future__ import annotations

import json
import math
import os
import random
import resource
import subprocess
import sys
from pathlib import Path

from suite.corpora import Corpus, disordered, verse_rows, write
from suite.measure import finish
from suite.programs import Programs
from suite.speed import PYTHON

LENGTHS = [10, 100, 300, 1_000, 3_000, 10_000, 100_000]
WORDS = 100_000
# The number of words of shorter segments that a peer scores.
PEER_WORDS = 10_000
# Seconds of processor time, and bytes, that a peer may take for one length; and the seconds that bolide may.
PATIENCE = 6
OWN_PATIENCE = 30
MEMORY = 4 << 30
# In addition to the comparisons of the part `speed`: bolide's name and the peer's task.
MORE = [("rougeLsum", "rouge-score ROUGE-Lsum", "rouge_Lsum"), ("rouge2", "rouge-score ROUGE-2", "rouge_2"), ("chrf:nltk", "NLTK chrF", "nltk_chrf"),
        ("nist", "NLTK NIST", "nltk_nist"), ("ribes", "NLTK RIBES", "nltk_ribes"), ("meteor:classic", "NLTK METEOR", "nltk_words_meteor")]
# The metrics of the plot.
SHOWN = ["meteor:classic", "meteor:nltk", "meteor:1.5", "bleu:sacrebleu", "chrf:sacrebleu", "ter:sacrebleu", "rougeL:google"]


def prose(n: int, side: int) -> list[str]:
    words: list[str] = []
    rows = verse_rows()
    while len(words) < n:
        for row in rows:
            words += row[side].split()
            if len(words) >= n:
                break
    return words[:n]


def repetition(n: int, _: int) -> list[str]:
    return ["word"] * n


def disorder(n: int, side: int) -> list[str]:
    return disordered(n, side + 1)


def nothing(n: int, side: int) -> list[str]:
    letters = random.Random(side)
    return ["xy"[side] + "".join(letters.choices("abdeglmnoprstu", k=4)) + "xy"[side] for _ in range(n)]


KINDS = {"prose": prose, "repetition": repetition, "disorder": disorder, "nothing": nothing}


def measure(programs: Programs, folder: Path, only: list[str]) -> list[dict]:
    """One row for each dialect and kind of text."""
    told = subprocess.run([programs.bolide, "dialects", "--format", "json"], check=True, capture_output=True, text=True)
    dialects = json.loads(told.stdout)["dialects"]
    rows = []
    for kind, words in KINDS.items():
        corpora = {n: cut(folder, kind, words, n) for n in LENGTHS}
        for dialect in dialects:
            if not only or any(word.lower() in dialect["name"].lower() for word in only):
                rows.append(shown(row_of(programs, folder, dialect, kind, corpora)))
    return rows


def cut(folder: Path, kind: str, words, n: int) -> Corpus:
    """The text of a kind in segments of this many words."""
    sides = [words(WORDS, side) for side in (0, 1)]
    rows = [tuple(" ".join(side[at : at + n]) for side in sides) for at in range(0, WORDS, n)]
    return write(folder, f"{kind}-{n}", [(*row, row[0]) for row in rows])


def row_of(programs: Programs, folder: Path, dialect: dict, kind: str, corpora: dict[int, Corpus]) -> dict:
    metric = dialect["name"]
    start = finish(programs.score(metric, write(folder, "start", [("a", "b", "a")])), programs.environment).processor
    cells = []
    for n, corpus in corpora.items():
        usage = finish(programs.score(metric, corpus), programs.environment, watch=True, patience=OWN_PATIENCE)
        if usage is None:
            break
        cells.append({"words": n, "seconds": max(1e-7, (usage.processor - start) / len(corpus.pairs)), "peak": usage.peak})
    label, command = peer_of(programs, dialect)
    peer_cells = beside(programs, folder, label, command, kind, corpora) if label else []
    by_length = {cell["words"]: cell["seconds"] for cell in cells}
    ratios = [cell["seconds"] / by_length[cell["words"]] for cell in peer_cells if cell["words"] in by_length]
    return {"metric": metric, "kind": kind, "cells": cells, "exponent": exponent(cells), "peer": label, "peer_cells": peer_cells,
            "least_ratio": min(ratios, default=None)}


def exponent(cells: list[dict]) -> float | None:
    """The slope between the two longest, if a longer segment than the shortest was scored in time."""
    if len(cells) < 2:
        return None
    before, after = cells[-2:]
    return math.log(after["seconds"] / before["seconds"]) / math.log(after["words"] / before["words"])


def shown(row: dict) -> dict:
    last = row["cells"][-1]
    ratio = "no peer" if row["least_ratio"] is None else f"{row['peer']} takes {row['least_ratio']:.1f} times as long at least"
    print(f"  {row['metric']}, {row['kind']}: {last['seconds']:.3f} s and {last['peak']:.0f} MB for {last['words']} words, {ratio}",
          file=sys.stderr)
    return row


def peer_of(programs: Programs, dialect: dict) -> tuple[str | None, list]:
    """The peer of a dialect and how to run it."""
    names = {dialect["name"], *dialect["aliases"]}
    if names & {"meteor:1.5"}:
        return "METEOR 1.5 jar", [*programs.jar]
    found = [(peer.metric.split("|")[0], peer.label, peer.task) for peer in PYTHON if "paired" not in peer.task] + MORE
    for metric, label, task in found:
        if metric in names:
            return label, [programs.python, Path(__file__).parents[1] / "peer.py", task]
    return None, []


def beside(programs: Programs, folder: Path, label: str, command: list, kind: str, corpora: dict[int, Corpus]) -> list[dict]:
    """The peer's times, up to the length at which it is stopped."""
    cells = []
    for n, corpus in corpora.items():
        pairs = corpus.pairs[: max(1, PEER_WORDS // n)]
        part = write(folder, f"{kind}-{n}-part", [(*pair, pair[0]) for pair in pairs])
        found = ask_jar(programs, folder, command, part) if "jar" in label else ask_python(programs, command, part)
        if found is None:
            break
        cells.append({"words": n, "seconds": found[0] / len(pairs), "peak": found[1]})
    return cells


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def ask_python(programs: Programs, command: list, part: Corpus) -> tuple[float, float] | None:
    """Processor seconds of one pass and the peak in MB, or None if it was stopped."""
    words = [str(word) for word in [*command, *part.files]]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               env=programs.environment, preexec_fn=limited)
    try:
        answers = process.communicate(b"pass\npeak\n")[0].decode().split("\n")
        return float(answers[1].split("\t")[0]), float(answers[2])
    except (IndexError, ValueError):
        return None


def ask_jar(programs: Programs, folder: Path, command: list, part: Corpus) -> tuple[float, float] | None:
    """The same for the jar. The time for a single word is subtracted, because its tables take a while to load."""
    taken = []
    for corpus in (write(folder, "start", [("a", "b", "a")]), part):
        words = [str(word) for word in [*command, corpus.hypotheses, corpus.references, "-l", "en", "-norm", "-q"]]
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=programs.environment, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (4 * PATIENCE,) * 2))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            return None
        taken.append((usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024))
    return max(1e-3, taken[1][0] - taken[0][0]), taken[1][1]


def curves(rows: list[dict]) -> list[tuple[str, list[list[float]]]]:
    """The curves of the plot: time of one segment of prose against its length."""
    chosen = [row for row in rows if row["kind"] == "prose" and row["metric"] in SHOWN]
    return [(row["metric"], [[cell["words"], cell["seconds"]] for cell in row["cells"]]) for row in chosen]
