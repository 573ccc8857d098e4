#!/usr/bin/env python3
"""The wheel beside the packages it replaces: the same verses, one thread, in one run.

Times are CPU seconds, because other work on the machine would count in wall time; only the jar of
METEOR 1.5, which is another process, is timed by the wall on both sides. Every peer is warmed up on
the same pairs first. Scores are compared bit for bit before anything is timed. Usage:

    scripts/test-python quick                       # makes target/python-venv
    target/python-venv/bin/maturin build --release --manifest-path crates/bolide-python/Cargo.toml --out target/python-release
    target/python-venv/bin/pip install --force-reinstall --no-deps target/python-release/*.whl
    target/python-venv/bin/python bench/wheel.py [--pairs 100000] [--sample 1500]
"""

import argparse
import os
import pathlib
import platform
import sys
import time

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


def seconds(call, clock=time.process_time):
    start = clock()
    result = call()
    return result, clock() - start


def line(name, theirs, ours, target):
    """Pairs per second on both sides, and whether the target is met."""
    ratio = ours / theirs
    verdict = "" if target is None else f"   target {target}x: {'met' if ratio >= target else 'MISSED'}"
    print(f"{name:44} {theirs:12,.0f} {ours:14,.0f} {ratio:9.1f}x{verdict}", flush=True)


def same(ours, theirs):
    assert [float(x).hex() for x in ours] == [float(x).hex() for x in theirs], "scores differ"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--sample", type=int, default=1500)
    arguments = parser.parse_args()
    # Hypotheses from one translation of the Bible, references from another.
    pairs = [(row[0], row[2]) for row in verse_rows()]
    sample = pairs[:: max(1, len(pairs) // arguments.sample)][: arguments.sample]
    many = [pairs[idx % len(pairs)] for idx in range(arguments.pairs)]
    print(
        f"Python {platform.python_version()}, NLTK {nltk.__version__}, bolide {bolide.__version__}; "
        f"{len(sample)} pairs for the peers, {len(many)} for bolide\n"
    )
    print(f"{'pairs per second':44} {'peer':>12} {'bolide':>14}")

    tokens = [(h.split(), r.split()) for h, r in sample]

    def loop(function):
        return [function([reference], hypothesis) for hypothesis, reference in tokens]

    theirs = loop(meteor_score.meteor_score)
    same(loop(our_nltk.meteor_score), theirs)
    _, slow = seconds(lambda: loop(meteor_score.meteor_score))
    nltk_rate = len(tokens) / slow
    many_tokens = [(h.split(), r.split()) for h, r in many]
    _, quick = seconds(
        lambda: [our_nltk.meteor_score([reference], hypothesis) for hypothesis, reference in many_tokens]
    )
    line("compat.nltk.meteor_score in a loop", nltk_rate, len(many) / quick, 50)

    hypotheses, references = map(list, zip(*many))
    metric = bolide.Meteor("nltk")
    metric.segments(hypotheses[:1000], references[:1000], threads=1)
    scores, quick = seconds(lambda: metric.segments(hypotheses, references, threads=1))
    line('Meteor("nltk").segments, one thread', nltk_rate, len(many) / quick, 200)
    token_hypotheses, token_references = map(list, zip(*many_tokens))
    again, quick = seconds(
        lambda: metric.segments(token_hypotheses, token_references, threads=1)
    )
    same(again, scores)
    line("the same on token lists", nltk_rate, len(many) / quick, 200)

    def hugging_face():
        return numpy.mean(
            [
                meteor_score.single_meteor_score(
                    nltk.word_tokenize(reference), nltk.word_tokenize(hypothesis), alpha=0.9, beta=3, gamma=0.5
                )
                for hypothesis, reference in sample
            ]
        )

    expected = hugging_face()
    module = our_evaluate.load("meteor")
    sides = {"predictions": [h for h, _ in sample], "references": [r for _, r in sample]}
    same([module.compute(**sides)["meteor"]], [expected])
    _, slow = seconds(hugging_face)
    sides = {"predictions": hypotheses, "references": references}
    _, quick = seconds(lambda: module.compute(**sides, threads=1))
    line('evaluate.load("meteor").compute', len(sample) / slow, len(many) / quick, 200)

    import warnings

    warnings.simplefilter("ignore")
    same(loop(our_nltk.sentence_bleu), loop(bleu_score.sentence_bleu))
    _, slow = seconds(lambda: loop(bleu_score.sentence_bleu))
    _, quick = seconds(
        lambda: [our_nltk.sentence_bleu([reference], hypothesis) for hypothesis, reference in many_tokens]
    )
    line("compat.nltk.sentence_bleu in a loop", len(tokens) / slow, len(many) / quick, None)
    _, quick = seconds(lambda: bolide.Bleu("nltk").segments(hypotheses, references, threads=1))
    line('Bleu("nltk").segments, one thread', len(tokens) / slow, len(many) / quick, None)

    coco(sample, many)


def coco(sample, many):
    """pycocoevalcap's METEOR: the jar is started and warmed up before it is timed."""
    from pycocoevalcap.meteor.meteor import Meteor

    def shaped(pairs):
        return (
            {idx: [reference] for idx, (_, reference) in enumerate(pairs)},
            {idx: [hypothesis] for idx, (hypothesis, _) in enumerate(pairs)},
        )

    jar = Meteor()
    jar.compute_score(*shaped(sample))
    (expected, scores), slow = seconds(lambda: jar.compute_score(*shaped(sample)), time.monotonic)
    jar.meteor_p.stdin.close()
    jar.meteor_p.wait()
    ours = our_coco.Meteor()
    score, ours_scores = ours.compute_score(*shaped(sample))
    # Java's `pow` may differ in the last bit, as `meteor:1.5` says of its agreement.
    assert max(abs(a - b) for a, b in zip([score, *ours_scores], [expected, *scores])) <= 4e-16
    _, quick = seconds(lambda: ours.compute_score(*shaped(many)), time.monotonic)
    line("pycocoevalcap.Meteor().compute_score (wall)", len(sample) / slow, len(many) / quick, 20)


if __name__ == "__main__":
    main()
