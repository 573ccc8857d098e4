"""Time and peak memory of every dialect and peer for segments of 10 to 100,000 words.

The text always has the same number of words, split into segments of a given length. The time of a segment is the time of the
command minus that for a single short segment, divided by the number of segments. Peers get a part of the same segments. A
program that needs more than PATIENCE seconds for a cell is stopped, and gets no longer segments; nor does a peer that would
need more, judged by how its time grew before.
"""

from __future__ import annotations

import contextlib
import json
import math
import random
import subprocess
import sys
import threading
from pathlib import Path

from suite.corpora import Corpus, disordered, verse_rows, write
from suite.measure import Server, finish
from suite.programs import Programs
from suite.speed import PYTHON

LENGTHS = [10, 100, 1_000, 10_000, 100_000]
WORDS = 100_000
# The number of words of shorter segments that a peer scores.
PEER_WORDS = 5_000
# Processor seconds for one cell: bolide's, and a peer's.
OWN_PATIENCE = 12
PATIENCE = 5
# In addition to the comparisons of the part `speed`: bolide's name and the peer's task.
MORE = [("rougeLsum", "rouge-score ROUGE-Lsum", "rouge_Lsum"), ("rouge2", "rouge-score ROUGE-2", "rouge_2"), ("chrf:nltk", "NLTK chrF", "nltk_chrf"),
        ("nist", "NLTK NIST", "nltk_nist"), ("ribes", "NLTK RIBES", "nltk_ribes"), ("meteor:classic", "NLTK METEOR", "nltk_words_meteor"),
        ("cider", "pycocoevalcap CIDEr", "coco_cider"), ("gleu:hf", "NLTK GLEU", "nltk_gleu")]
JAR = "METEOR 1.5 jar"
# The metrics and the peers of the plot.
SHOWN = ["meteor:classic", "meteor:nltk", "meteor:1.5", "bleu:sacrebleu", "ter:sacrebleu", "rougeL:google", "NLTK METEOR", JAR]


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
    dialects = [dialect for dialect in json.loads(told.stdout)["dialects"]
                if not only or any(word.lower() in dialect["name"].lower() for word in only)]
    corpora = {kind: {n: cut(folder, kind, words, n) for n in LENGTHS} for kind, words in KINDS.items()}
    parts = {kind: {n: part(folder, corpus, n) for n, corpus in some.items()} for kind, some in corpora.items()}
    # Six words: NLTK's NIST fails on a text without n-grams of every length.
    single = write(folder, "single", [("a b c d e f", "a b c d e g", "a b c d e f")])
    rows, measured = [], {}
    for dialect in dialects:
        label, task = peer_of(dialect)
        # Two dialects may have the same peer.
        if task and task not in measured:
            measured[task] = beside(programs, single, task, parts)
        start = finish(programs.score(dialect["name"], single), programs.environment).processor
        for kind in KINDS:
            cells = own_cells(programs, dialect["name"], start, corpora[kind])
            rows.append(shown(row_of(dialect["name"], kind, cells, label, measured.get(task, {}).get(kind, []))))
    return sorted(rows, key=lambda row: list(KINDS).index(row["kind"]))


def cut(folder: Path, kind: str, words, n: int) -> Corpus:
    """The text of a kind in segments of this many words."""
    sides = [words(WORDS, side) for side in (0, 1)]
    rows = [tuple(" ".join(side[at : at + n]) for side in sides) for at in range(0, WORDS, n)]
    return write(folder, f"{kind}-{n}", [(*row, row[0]) for row in rows])


def part(folder: Path, corpus: Corpus, n: int) -> Corpus:
    """What a peer scores of it."""
    pairs = corpus.pairs[: max(1, PEER_WORDS // n)]
    return write(folder, f"{corpus.name}-part", [(*pair, pair[0]) for pair in pairs])


def own_cells(programs: Programs, metric: str, start: float, corpora: dict[int, Corpus]) -> list[dict]:
    cells = []
    for n, corpus in corpora.items():
        usage = finish(programs.score(metric, corpus), programs.environment, watch=True, patience=OWN_PATIENCE)
        if usage is None:
            cells.append({"words": n, "more_than": OWN_PATIENCE / len(corpus.pairs)})
            break
        cells.append({"words": n, "seconds": max(1e-7, (usage.processor - start) / len(corpus.pairs)), "peak": usage.peak})
    return cells


def row_of(metric: str, kind: str, cells: list[dict], label: str | None, peer_cells: list[dict]) -> dict:
    done = [cell for cell in cells if "seconds" in cell]
    by_length = {cell["words"]: cell["seconds"] for cell in done}
    ratios = [cell["seconds"] / by_length[cell["words"]] for cell in peer_cells if "seconds" in cell and cell["words"] in by_length]
    return {"metric": metric, "kind": kind, "cells": cells, "exponent": exponent(done), "peer": label, "peer_cells": peer_cells,
            "least_ratio": min(ratios, default=None)}


def exponent(cells: list[dict]) -> float | None:
    """The slope between the two longest, if a longer segment than the shortest was scored in time."""
    if len(cells) < 2:
        return None
    before, after = cells[-2:]
    return math.log(after["seconds"] / before["seconds"]) / math.log(after["words"] / before["words"])


def shown(row: dict) -> dict:
    last = row["cells"][-1]
    time = f"{last['seconds']:.3f} s and {last['peak']:.0f} MB" if "seconds" in last else f"more than {last['more_than']:.3f} s"
    ratio = "no peer" if row["least_ratio"] is None else f"{row['peer']} takes {row['least_ratio']:.1f} times as long at least"
    print(f"  {row['metric']}, {row['kind']}: {time} for {last['words']} words, {ratio}", file=sys.stderr)
    return row


def peer_of(dialect: dict) -> tuple[str | None, str | None]:
    """The peer of a dialect and its task."""
    names = {dialect["name"], *dialect["aliases"]}
    if "meteor:1.5" in names:
        return JAR, JAR
    found = [(peer.metric.split("|")[0], peer.label, peer.task) for peer in PYTHON if "paired" not in peer.task] + MORE
    for metric, label, task in found:
        if metric in names:
            return label, task
    return None, None


def beside(programs: Programs, single: Corpus, task: str, parts: dict[str, dict[int, Corpus]]) -> dict[str, list[dict]]:
    """The peer's cells, by kind of text."""
    if task == JAR:
        found, jar = {}, Jar(programs)
        for kind, some in parts.items():
            # Loading its tables takes ten seconds. Its peak is that of all cells so far.
            if jar.is_ended:
                jar = Jar(programs)
            found[kind] = cells_of(some, jar.cell)
        jar.end()
        return found
    server = Server([programs.python, Path(__file__).parents[1] / "peer.py", task, *single.files], programs.environment)
    server.answer()

    def cell(corpus: Corpus) -> tuple[float, float] | None:
        answer = server.ask("cell", PATIENCE, *corpus.files)
        return None if answer == ["stopped"] else (float(answer[0]), float(answer[1]))

    found = {kind: cells_of(some, cell) for kind, some in parts.items()}
    server.close()
    return found


def cells_of(parts: dict[int, Corpus], ask) -> list[dict]:
    """The peer's times, up to the length at which it is stopped or would be."""
    cells: list[dict] = []
    for n, corpus in parts.items():
        # The whole part takes longer the longer its segments are, if it grows faster than the text.
        if predicted(cells, n) * len(corpus.pairs) > PATIENCE:
            cells.append({"words": n, "not_run": predicted(cells, n)})
            break
        found = ask(corpus)
        if found is None:
            cells.append({"words": n, "more_than": PATIENCE / len(corpus.pairs)})
            # Of short segments there are as many words in the next cell, in fewer segments.
            if n >= PEER_WORDS:
                break
            continue
        cells.append({"words": n, "seconds": found[0] / len(corpus.pairs), "peak": found[1]})
    return cells


def predicted(cells: list[dict], n: int) -> float:
    """The time that a segment of n words would take: at least linear, and steeper if it was so before."""
    done = [cell for cell in cells if "seconds" in cell]
    if not done:
        return 0.0
    slope = max(1.0, exponent(done) or 1.0)
    return done[-1]["seconds"] * (n / done[-1]["words"]) ** slope


class Jar:
    """The jar over its line protocol. It compiles while it scores the first cell, so that cell is scored twice."""

    def __init__(self, programs: Programs) -> None:
        self.server = Server([*programs.jar, "-", "-", "-stdio", "-l", "en", "-norm"], programs.environment)
        # Its tables are loaded by then.
        self.server.ask_all(b"SCORE ||| a ||| b\n", 1)
        self.is_warm = self.is_ended = False

    def cell(self, corpus: Corpus) -> tuple[float, float] | None:
        requests = "".join(f"SCORE ||| {reference} ||| {hypothesis}\n" for hypothesis, reference in corpus.pairs).encode()
        for _ in range(1 if self.is_warm else 2):
            if self.is_ended:
                return None
            used, answered = self.server.processor(), threading.Event()
            threads = [threading.Thread(target=self.write, args=(requests,)), threading.Thread(target=self.watch, args=(used, answered))]
            for thread in threads:
                thread.start()
            answers = [self.server.process.stdout.readline() for _ in corpus.pairs]
            answered.set()
            for thread in threads:
                thread.join()
            if not all(answers):
                self.end()
                return None
            found = max(1e-3, self.server.processor() - used), self.server.peak()
        self.is_warm = True
        return found

    def watch(self, used: float, answered: threading.Event) -> None:
        """Ends the jar if it takes too long. Compiling counts, so it may take longer than other peers."""
        while not answered.wait(0.1):
            if self.server.processor() - used > 2 * PATIENCE:
                self.server.process.kill()
                return

    def write(self, requests: bytes) -> None:
        # The jar may be ended while it reads.
        with contextlib.suppress(BrokenPipeError):
            self.server.write(requests)

    def end(self) -> None:
        self.is_ended = True
        self.server.process.kill()
        self.server.process.wait()


def curves(rows: list[dict]) -> list[tuple[str, list[list[float]]]]:
    """The curves of the plot: time of one segment of prose against its length."""
    chosen = [row for row in rows if row["kind"] == "prose" and row["metric"] in SHOWN]
    found = {row["metric"]: row["cells"] for row in chosen} | {row["peer"]: row["peer_cells"] for row in chosen if row["peer"] in SHOWN}
    points = {name: [[cell["words"], cell["seconds"]] for cell in cells if "seconds" in cell] for name, cells in found.items()}
    return [(name, some) for name, some in points.items() if some]
