"""bolide against the real NLTK on generated pairs and real verses: all bits of all scores.

    python3 tests/live/nltk_meteor.py                     # 3,000 pairs
    python3 tests/live/nltk_meteor.py --pairs 20000 --seed 7
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

# The peer's name of each metric, and bolide's where it needs more keys.
METRICS = {
    "meteor:nltk": "meteor:nltk",
    "meteor:hf": "meteor:hf",
    "meteor:nltk-3.6.2": "meteor:nltk-3.6.2",
    "gleu:nltk": "gleu:nltk",
    "nist:nltk": "nist:nltk",
    "chrf:nltk": "chrf:nltk",
    "ribes:nltk": "ribes:nltk",
    **{f"bleu:nltk|smooth:{n}": f"bleu:nltk|smooth:{n}" for n in range(8)},
}


def main() -> int:
    options = arguments()
    chosen = [name for name in METRICS if not options.metrics or name.split("|")[0] in options.metrics]
    if not chosen:
        raise CompareError(f"no such metric: {', '.join(options.metrics)}")
    bolide = Bolide(options.bolide)
    data = peers.nltk_data()
    generator = Generator(options.seed, data / "corpora" / "wordnet", peers.verses())
    contests = [Contest(bolide, "nltk", data, [name for name in chosen if "3.6.2" not in name])]
    contests.append(Contest(bolide, "nltk-3.6.2", data, [n for n in chosen if "3.6.2" in n]))
    tally = Tally()
    for number in range(0, options.pairs, BATCH):
        # Every third batch has two references.
        n_references = 2 if number // BATCH % 3 == 2 else 1
        numbers = range(number, min(number + BATCH, options.pairs))
        pairs = [generator.pair(n, n_references) for n in numbers]
        for contest in contests:
            contest.run(pairs, tally)
        if tally.first:
            break
    if tally.first:
        metric, pair = tally.first
        contest = next(contest for contest in contests if metric in contest.metrics)
        contest.show(metric, pair)
    return tally.report()


class Contest:
    """bolide against one version of NLTK."""

    def __init__(self, bolide: Bolide, group: str, data: Path, metrics: list[str]) -> None:
        self.bolide, self.metrics = bolide, metrics
        if metrics:
            self.peer = Peer(peers.python(group), "nltk_oracle.py", NLTK_DATA=str(data))
            self.version = self.peer.ask()
            progress(f"NLTK {self.version['nltk']}, Python {self.version['python']}")

    def ours(self, metric: str) -> str:
        """Python's `sum` of floats is compensated from 3.12 on; bolide can do both."""
        old = self.version["python"] < [3, 12]
        plain = "|sum:plain" if old and metric in ("nist:nltk", "chrf:nltk") else ""
        return METRICS[metric] + plain

    def run(self, pairs: list[Pair], tally: Tally) -> None:
        if not self.metrics:
            return
        start = time.monotonic()
        segments = [(pair.hypothesis, *pair.references) for pair in pairs]
        theirs = self.peer.ask(metrics=self.metrics, segments=[as_read(s) for s in segments])
        middle = time.monotonic()
        names = [self.ours(metric) for metric in self.metrics]
        ours = self.bolide.segments(names, segments)
        end = time.monotonic()
        for pair, our_row, their_row in zip(pairs, ours, theirs["scores"]):
            for metric, our, their in zip(self.metrics, our_row, their_row):
                tally.add(metric, pair, our, their)
        for metric, our, their in zip(
            self.metrics, self.bolide.corpus(names, segments), theirs["corpus"]
        ):
            tally.add(f"{metric} (corpus)", None, our, their)
        progress(
            f"pairs {pairs[0].number}-{pairs[-1].number}, {len(segments[0]) - 1} references, "
            f"{len(self.metrics)} metrics: NLTK {middle - start:.1f} s, bolide {end - middle:.2f} s"
        )

    def show(self, metric: str, pair: Pair) -> None:
        """Prints a difference in the smallest form that still differs."""

        def scores(segment: Segment) -> tuple:
            [[ours]] = self.bolide.segments([self.ours(metric)], [segment])
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
    parser.add_argument("--seed", type=int, default=1, help="which pairs (default 1)")
    parser.add_argument("-m", "--metrics", nargs="+", default=[], help="only these metrics")
    parser.add_argument("--bolide", type=Path, help="the binary (default: what Cargo builds)")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (CompareError, peers.PeerError) as error:
        print(f"nltk_meteor: {error}", file=sys.stderr)
        print("0 passed, 1 failed")
        sys.exit(1)
