"""Compares bolide with the real NLTK on generated pairs and real verses: all bits of all scores.

    python3 tests/live/nltk_meteor.py                     # 3,000 pairs
    python3 tests/live/nltk_meteor.py --full --seed 7     # 20,000 pairs, all variants on each
    python3 tests/live/nltk_meteor.py -m meteor:nltk bleu:nltk
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import peers
from compare import Bolide, CompareError, Peer, Segment, Tally, as_read, progress, same, shrink
from pairs import Generator, Pair

BATCH = 500

# Partial signatures; the oracle turns their keys into arguments of NLTK's functions.
METRICS = [
    "meteor:nltk",
    "meteor:hf",
    "meteor:nltk-3.6.2",
    "bleu:nltk",
    "gleu:nltk",
    "nist:nltk",
    "chrf:nltk",
    "ribes:nltk",
]
VARIANTS = [
    "meteor:nltk|alpha:0.85|beta:0.2|gamma:0.6",
    "meteor:nltk|match:exact",
    "meteor:nltk|match:exact+stem",
    "meteor:nltk|match:exact+synonym",
    "meteor:nltk|stemmer:snowball",
    "meteor:nltk|case:mixed",
    "meteor:nltk-3.6.2|alpha:0.8|beta:2|gamma:0.4",
    *(f"bleu:nltk|smooth:method{n}" for n in range(1, 8)),
    "bleu:nltk|weights:1",
    "bleu:nltk|weights:0.2,0.2,0.2,0.2,0.2",
    "bleu:nltk|smooth:method3|weights:0.1,0.3,0.5,0.1",
    "bleu:nltk|smooth:method1|reweigh:yes",
    "gleu:nltk|min:2|max:3",
    "nist:nltk|n:3",
    "chrf:nltk|beta:2|min:2|max:4|space:yes",
    "ribes:nltk|alpha:0.5|beta:0.3",
]


def main() -> int:
    options = arguments()
    bolide = Bolide(options.bolide)
    data = peers.nltk_data()
    generator = Generator(options.seed, data / "corpora" / "wordnet", peers.verses())
    contests = [Contest(bolide, group, data) for group in ("programs", "others")]
    tally = Tally()
    for batch, number in enumerate(range(0, options.pairs, BATCH)):
        # Every third batch has two references; every second one also goes through the variants.
        n_references = 2 if batch % 3 == 2 else 1
        metrics = METRICS + (VARIANTS if options.full or batch % 2 == 0 else [])
        if options.metrics:
            metrics = [name for name in metrics if name.split("|")[0] in options.metrics]
        numbers = range(number, min(number + BATCH, options.pairs))
        pairs = [generator.pair(n, n_references) for n in numbers]
        for contest in contests:
            contest.run(metrics, pairs, tally)
        if tally.first:
            metric, pair = tally.first
            next(contest for contest in contests if contest.has(metric)).show(metric, pair)
            break
    return tally.report()


class Contest:
    """Compares bolide with one version of NLTK."""

    def __init__(self, bolide: Bolide, group: str, data: Path) -> None:
        self.bolide = bolide
        self.peer = Peer(peers.python(group), "nltk_oracle.py", NLTK_DATA=str(data))
        self.version = self.peer.ask()
        progress(f"NLTK {self.version['nltk']}, Python {self.version['python']}")

    def has(self, metric: str) -> bool:
        return ("nltk-3.6.2" in metric) == (self.version["nltk"] == "3.6.2")

    def run(self, metrics: list[str], pairs: list[Pair], tally: Tally) -> None:
        metrics = [metric for metric in metrics if self.has(metric)]
        if not metrics:
            return
        start = time.monotonic()
        segments = [(pair.hypothesis, *pair.references) for pair in pairs]
        theirs = self.peer.ask(metrics=metrics, segments=[as_read(s) for s in segments])
        middle = time.monotonic()
        ours = self.bolide.segments(metrics, segments)
        end = time.monotonic()
        for pair, our_row, their_row in zip(pairs, ours, theirs["scores"]):
            for metric, our, their in zip(metrics, our_row, their_row):
                tally.add(metric, pair, our, their)
        corpora = self.bolide.corpus(metrics, segments)
        for metric, our, their in zip(metrics, corpora, theirs["corpus"]):
            tally.add(f"{metric} (corpus)", None, our, their)
        progress(
            f"pairs {pairs[0].number}-{pairs[-1].number}, {len(segments[0]) - 1} references, "
            f"{len(metrics)} metrics: NLTK {middle - start:.1f} s, bolide {end - middle:.2f} s"
        )

    def show(self, metric: str, pair: Pair) -> None:
        """Prints a difference, shrunk to a minimal pair."""

        def scores(segment: Segment) -> tuple:
            [[ours]] = self.bolide.segments([metric], [segment])
            [[theirs]] = self.peer.ask(metrics=[metric], segments=[as_read(segment)])["scores"]
            return ours, theirs

        small = shrink((pair.hypothesis, *pair.references), lambda s: not same(*scores(s)))
        ours, theirs = scores(small)
        print(f"{metric} differs on pair {pair.number} ({pair.kind}); in its smallest form:")
        print(f"  hypothesis {small[0]!r}")
        for reference in small[1:]:
            print(f"  reference  {reference!r}")
        print(f"  bolide {ours!r}\n  NLTK   {theirs!r}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pairs", type=int, default=3_000, help="how many pairs (default 3000)")
    parser.add_argument("--full", action="store_true", help="20,000 pairs, all variants on each")
    parser.add_argument("--seed", type=int, default=1, help="which pairs (default 1)")
    parser.add_argument("-m", "--metrics", nargs="+", default=[], help="only these metrics")
    parser.add_argument("--bolide", type=Path, help="the binary (default: what Cargo builds)")
    options = parser.parse_args()
    if options.full:
        options.pairs = 20_000
    known = {name.split("|")[0] for name in METRICS}
    if not known.issuperset(options.metrics):
        parser.error(f"the metrics are {', '.join(sorted(known))}")
    return options


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (CompareError, peers.PeerError) as error:
        print(f"nltk_meteor: {error}", file=sys.stderr)
        print("0 passed, 1 failed")
        sys.exit(1)
