"""The optimal aligner at every length, by turns with NLTK: `meteor:classic` and `meteor:2026` on verses, news and hostile text.

Verses and the segments of all systems of newstest2017 de-en are joined to documents, which are spread over the whole. Hostile texts are
blocks of ten words in disorder, and a few words at random. In each turn both sides score the same documents, whole pairs from text to
score, and each ratio comes from one turn. How many documents are proven, and how far the bounds are below the chunks, is counted on the
same documents.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from suite.corpora import Corpus, systems, verse_rows, write
from suite.measure import Server, spread
from suite.programs import Programs

# Words, and so many documents for NLTK to score within seconds.
PROSE = {20: 300, 100: 100, 300: 60, 700: 60, 1_000: 60, 2_000: 40, 3_000: 30, 5_000: 20, 10_000: 12}
BLOCKS = {1_000: 40, 3_000: 20}
FEW = {(2, 50): 40, (2, 100): 40, (4, 50): 40, (4, 100): 40, (4, 300): 40, (4, 1_000): 20, (20, 100): 40, (20, 300): 40, (20, 1_000): 20}
METRICS = ["meteor:classic", "meteor:2026"]
PEER = "nltk_words_meteor"
# How long bolide runs within one turn.
SECONDS = 0.2
# The goals that prose and hostile text have to meet beside NLTK.
GOALS = {"prose": 50, "hostile": 20}

Pairs = list[tuple[str, str]]


def measure(programs: Programs, folder: Path, turns: int) -> list[dict]:
    """One row for each kind of text and length."""
    sources = {"verses": [row[:2] for row in verse_rows()], "news": systems("de-en")}
    rows = []
    for kind, pairs in sources.items():
        for words, n in PROSE.items() if pairs else ():
            rows.append(row_of(programs, folder, kind, words, spread_over(joined(pairs, words), n), turns, "prose"))
    for words, n in BLOCKS.items():
        texts = spread_over(joined(sources["verses"], words), n)
        rows.append(row_of(programs, folder, "shuffled blocks", words, shuffled(texts), turns, "hostile"))
    for (kinds, words), n in FEW.items():
        rows.append(row_of(programs, folder, f"{kinds} words in disorder", words, disorder(kinds, words, n), turns, "hostile"))
    return rows


def joined(pairs: Pairs, words: int) -> Pairs:
    """Neighbours joined until they have so many words; what is left at the end is dropped. A sentence stays one."""
    if words < 2 * 20:
        return pairs
    texts, open_sides, n_words = [], ([], []), 0
    for pair in pairs:
        for side, text in zip(open_sides, pair):
            side.append(text)
        n_words += len(pair[0].split())
        if n_words >= words:
            texts.append(tuple(map(" ".join, open_sides)))
            open_sides, n_words = ([], []), 0
    return texts


def spread_over(texts: Pairs, n: int) -> Pairs:
    return texts[:: max(1, len(texts) // n)][:n]


def shuffled(texts: Pairs) -> Pairs:
    """The same words on both sides, in blocks of ten that stand in another order."""
    order, found = random.Random(1), []
    for text, _ in texts:
        words = text.split()
        blocks = [words[at : at + 10] for at in range(0, len(words), 10)]
        order.shuffle(blocks)
        found.append((" ".join(sum(blocks, [])), text))
    return found


def disorder(kinds: int, words: int, n: int) -> Pairs:
    drawn = random.Random(kinds)
    side = lambda: " ".join(f"w{drawn.randrange(kinds)}" for _ in range(words))  # noqa: E731
    return [(side(), side()) for _ in range(n)]


def row_of(programs: Programs, folder: Path, kind: str, words: int, pairs: Pairs, turns: int, goal: str) -> dict:
    corpus = write(folder, f"{kind}-{words}".replace(" ", "-"), [(*pair, pair[0]) for pair in pairs])
    row = {"kind": kind, "words": sum(len(text.split()) for text, _ in corpus.pairs) / len(corpus.pairs), "documents": len(corpus.pairs),
           "goal": GOALS[goal], **by_turns(programs, corpus, turns)}
    ratio = row["ratio"]
    print(f"  {kind}, {row['words']:,.0f} words: {ratio['median']:.1f} ({ratio['min']:.1f}–{ratio['max']:.1f}) times NLTK", file=sys.stderr)
    return row


def by_turns(programs: Programs, corpus: Corpus, turns: int) -> dict:
    n = len(corpus.pairs)
    peer = Server([programs.python, Path(__file__).parents[1] / "peer.py", PEER, *corpus.files], programs.environment)
    peer.answer()
    engine = Server([programs.engine, *corpus.files], programs.environment)
    peer.ask("pass")
    theirs, ours = [], {metric: [] for metric in METRICS}
    for _ in range(turns):
        theirs.append(float(peer.ask("pass")[0]) / n)
        for metric, times in ours.items():
            times.append(float(engine.ask("steady", metric, SECONDS)[0]) / n)
    proofs = {metric: list(map(int, engine.ask("proofs", metric))) for metric in METRICS}
    peer.close()
    engine.close()
    return {"peer_seconds": spread(theirs), "seconds": {metric: spread(times) for metric, times in ours.items()},
            "ratio": spread([their / our for their, our in zip(theirs, ours[METRICS[0]])]),
            "proofs": {metric: dict(zip(("proven", "chunks", "bound"), found)) for metric, found in proofs.items()}}
