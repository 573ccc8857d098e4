#!/usr/bin/env python3
"""The wheel against the packages it replaces: the same pairs, one thread, in one run.

There are three corpora: the verses of two English Bibles, the same pairs as in the rest of the benchmark; those of
two Bibles with more words in common, which leaves NLTK less to do; and, if ../shared has them, the systems of WMT17
de-en and fi-en with their references. Peer and bolide take turns, and each turn gives a ratio. The script prints the
median of the ratios with their range, because a shared machine changes its speed within seconds. Times are CPU
seconds, so that other work on the machine does not count; only METEOR 1.5's jar, which is another process, is timed
by wall clock on both sides. Every peer is warmed up on the same pairs first, and its scores are compared bit for bit
before anything is timed. Usage:

    scripts/test-python quick                       # makes target/python-venv
    target/python-venv/bin/maturin build --profile dist --manifest-path crates/bolide-python/Cargo.toml --out target/python-release
    target/python-venv/bin/pip install --force-reinstall --no-deps target/python-release/*.whl
    target/python-venv/bin/python bench/wheel.py [--pairs 100000] [--sample 500] [--turns 7]
"""

import argparse
import os
import pathlib
import platform
import statistics
import sys
import time
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from suite.corpora import ROOT, peers, verse_rows  # noqa: E402

os.environ["NLTK_DATA"] = str(peers.nltk_data())
os.environ.setdefault("BOLIDE_DATA", str(ROOT / "target" / "python-data"))

import nltk  # noqa: E402
import numpy  # noqa: E402
from nltk.translate import bleu_score, meteor_score  # noqa: E402

import bolide  # noqa: E402
from bolide.compat import evaluate as our_evaluate  # noqa: E402
from bolide.compat import nltk as our_nltk  # noqa: E402
from bolide.compat import pycocoevalcap as our_coco  # noqa: E402


WMT17 = ROOT.parent / "shared" / "data" / "wmt17" / "systems"


def verse_pairs(other):
    """Hypotheses from one translation of the Bible, references from another."""
    return [(row[0], row[other]) for row in verse_rows()]


def wmt17_pairs():
    """Every segment of every system with its reference; None if the data are absent."""
    pairs = []
    for folder in sorted(WMT17.glob("*-en")):
        references = (folder / "reference").read_text("utf-8").split("\n")[:-1]
        for system in sorted(folder.glob("newstest2017.*")):
            hypotheses = system.read_text("utf-8").split("\n")[:-1]
            pairs += [pair for pair in zip(hypotheses, references) if all(text.strip() for text in pair)]
    # The separator of METEOR 1.5's line protocol must not be in a text.
    return [tuple(text.replace("|||", " ") for text in pair) for pair in pairs]


def seconds(call, clock):
    start = clock()
    call()
    return clock() - start


def compare(name, peer, ours, target, turns, clock=time.process_time):
    """Times peer and bolide in turn. Each side is a function and the number of pairs that it scores."""
    peer[0]()
    ours[0]()
    rates = []
    for _ in range(turns):
        rates.append([n_pairs / seconds(call, clock) for call, n_pairs in (peer, ours)])
    ratios = sorted(quick / slow for slow, quick in rates)
    ratio = statistics.median(ratios)
    verdict = "" if target is None else f"   target {target}x: {'met' if ratio >= target else 'MISSED'}"
    medians = [statistics.median(side) for side in zip(*rates)]
    spread = f"({ratios[0]:.0f} to {ratios[-1]:.0f})"
    print(f"{name:44} {medians[0]:10,.0f} {medians[1]:12,.0f} {ratio:7.0f}x {spread:14}{verdict}", flush=True)


def same(ours, theirs):
    assert [float(x).hex() for x in ours] == [float(x).hex() for x in theirs], "scores differ"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--sample", type=int, default=500)
    parser.add_argument("--turns", type=int, default=7)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print(
        f"Python {platform.python_version()}, NLTK {nltk.__version__}, bolide {bolide.__version__}; "
        f"{arguments.sample} pairs for the peers, {arguments.pairs} for bolide, {arguments.turns} turns"
    )
    corpora = {
        "WEB and KJV": verse_pairs(1),
        "WEB and ASV": verse_pairs(2),
        "WMT17 de-en and fi-en": wmt17_pairs(),
    }
    for corpus, pairs in corpora.items():
        if not pairs:
            print(f"\n{corpus}: skipped, ../shared is absent")
            continue
        sample = pairs[:: max(1, len(pairs) // arguments.sample)][: arguments.sample]
        many = [pairs[idx % len(pairs)] for idx in range(arguments.pairs)]
        print(f"\n{corpus + ', pairs per second':44} {'peer':>10} {'bolide':>12}")
        measure(sample, many, arguments.turns)
        coco(sample, many, min(3, arguments.turns))


def measure(sample, many, turns):
    tokens = [(h.split(), r.split()) for h, r in sample]
    many_tokens = [(h.split(), r.split()) for h, r in many]
    hypotheses, references = map(list, zip(*many))
    token_hypotheses, token_references = map(list, zip(*many_tokens))
    shared_hypotheses, shared_references = (
        [list(map(sys.intern, tokens)) for tokens in side] for side in (token_hypotheses, token_references)
    )

    def loop(function, pairs=tokens):
        return [function([reference], hypothesis) for hypothesis, reference in pairs]

    def peer():
        return loop(meteor_score.meteor_score)

    same(loop(our_nltk.meteor_score), peer())
    metric = bolide.Meteor("nltk")
    same(metric.segments(*map(list, zip(*sample)), threads=1), peer())
    for name, ours, target in (
        ("compat.nltk.meteor_score in a loop", lambda: loop(our_nltk.meteor_score, many_tokens), 50),
        ('Meteor("nltk").segments', lambda: metric.segments(hypotheses, references, threads=1), 200),
        ("the same on token lists", lambda: metric.segments(token_hypotheses, token_references, threads=1), 150),
        ("the same, equal tokens one object", lambda: metric.segments(shared_hypotheses, shared_references, threads=1), 150),
    ):
        compare(name, (peer, len(sample)), (ours, len(many)), target, turns)

    def hugging_face():
        return numpy.mean(
            [
                meteor_score.single_meteor_score(
                    nltk.word_tokenize(reference), nltk.word_tokenize(hypothesis), alpha=0.9, beta=3, gamma=0.5
                )
                for hypothesis, reference in sample
            ]
        )

    module = our_evaluate.load("meteor")
    few = {"predictions": [h for h, _ in sample], "references": [r for _, r in sample]}
    same([module.compute(**few)["meteor"]], [hugging_face()])
    sides = {"predictions": hypotheses, "references": references}
    ours = (lambda: module.compute(**sides, threads=1)), len(many)
    compare('evaluate.load("meteor").compute', (hugging_face, len(sample)), ours, 200, turns)

    def peer_bleu():
        return loop(bleu_score.sentence_bleu)

    same(loop(our_nltk.sentence_bleu), peer_bleu())
    for name, ours in (
        ("compat.nltk.sentence_bleu in a loop", lambda: loop(our_nltk.sentence_bleu, many_tokens)),
        ('Bleu("nltk").segments', lambda: bolide.Bleu("nltk").segments(hypotheses, references, threads=1)),
    ):
        compare(name, (peer_bleu, len(sample)), (ours, len(many)), None, turns)


def coco(sample, many, turns):
    """pycocoevalcap's METEOR: the jar is started and warmed up before it is timed."""
    from pycocoevalcap.meteor.meteor import Meteor

    def shaped(pairs):
        return (
            {idx: [reference] for idx, (_, reference) in enumerate(pairs)},
            {idx: [hypothesis] for idx, (hypothesis, _) in enumerate(pairs)},
        )

    jar, ours = Meteor(), our_coco.Meteor()
    few, all_pairs = shaped(sample), shaped(many)
    (expected, scores), (score, our_scores) = jar.compute_score(*few), ours.compute_score(*few)
    # Java's `pow` may differ in the last bit, as `meteor:1.5` says of its agreement.
    assert max(abs(a - b) for a, b in zip([score, *our_scores], [expected, *scores])) <= 4e-16
    for _ in range(3):
        jar.compute_score(*few)
    peer = (lambda: jar.compute_score(*few)), len(sample)
    mine = (lambda: ours.compute_score(*all_pairs)), len(many)
    compare("pycocoevalcap.Meteor().compute_score (wall)", peer, mine, 20, turns, time.monotonic)
    jar.meteor_p.stdin.close()
    jar.meteor_p.wait()


if __name__ == "__main__":
    main()
