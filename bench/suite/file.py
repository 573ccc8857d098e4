"""The command on a file of a million pairs, against NLTK: verses, and the outputs of WMT17 systems if ../shared has them.

bolide is measured as people run it: one process from start to end, reading included. NLTK has a sample of the same pairs in memory
and has scored it once before, because a million would take it ten minutes. The two take turns, and each ratio comes from one
repetition. `meteor:classic` tokenises like `word_tokenize`, so there NLTK does that too.
"""

from __future__ import annotations

import sys
from pathlib import Path

from suite.corpora import Corpus, translations, verses, write
from suite.measure import Server, finish, spread
from suite.programs import Programs

LINES = 1_000_000
SAMPLE = 1_000
# Metrics, the corresponding tasks of bench/peer.py, and the goal for each ratio.
METRICS = [("meteor:nltk", "nltk_meteor", 200), ("meteor:classic", "nltk_words_meteor", 100)]


def measure(programs: Programs, folder: Path, repetitions: int) -> list[dict]:
    """One row for each corpus and metric."""
    rows = []
    for corpus in filter(None, (make(folder, LINES) for make in (verses, translations))):
        step = len(corpus.pairs) // SAMPLE
        sample = write(folder, "sample", [(h, r, h) for h, r in corpus.pairs[::step][:SAMPLE]])
        for metric, task, goal in METRICS:
            rows.append(beside(programs, corpus, sample, (metric, task, goal), repetitions))
        for path in corpus.files:
            path.unlink()
    return rows


def beside(programs: Programs, corpus: Corpus, sample: Corpus, wanted: tuple[str, str, int], repetitions: int) -> dict:
    metric, task, goal = wanted
    peer = Server([programs.python, Path(__file__).parents[1] / "peer.py", task, *sample.files], programs.environment)
    peer.answer()
    peer.ask("pass")
    theirs, ours, peak = [], [], 0.0
    for _ in range(repetitions):
        theirs.append(float(peer.ask("pass")[0]) / len(sample.pairs))
        done = finish(programs.score(metric, corpus), programs.environment, watch=True)
        ours.append(done.processor / len(corpus.pairs))
        peak = max(peak, done.peak)
    peer.close()
    ratios = [one / other for one, other in zip(theirs, ours)]
    row = {"corpus": corpus.name.partition("-")[0], "metric": metric, "pairs": len(corpus.pairs), "goal": goal, "peak": peak,
           "peer_microseconds": spread([1e6 * time for time in theirs]), "microseconds": spread([1e6 * time for time in ours]),
           "ratio": spread(ratios)}
    print(f"  file: {row['corpus']}: {metric}: {row['ratio']['median']:.0f} times NLTK, {peak:.1f} MB", file=sys.stderr)
    return row
