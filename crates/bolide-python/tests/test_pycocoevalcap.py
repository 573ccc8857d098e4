"""``bolide.compat.pycocoevalcap`` against the package itself.

Run as a program, it compares a whole evaluation of 5,000 images and prints the time of both, or METEOR alone on odd captions:

    python tests/test_pycocoevalcap.py --images 5000
    python tests/test_pycocoevalcap.py --meteor 5000
"""

import argparse
import contextlib
import importlib
import io
import pickle
import random
import time

import numpy as np
import pytest

import bolide
from bolide.compat import pycocoevalcap as ours

their_bleu = importlib.import_module("pycocoevalcap.bleu.bleu")
their_rouge = importlib.import_module("pycocoevalcap.rouge.rouge")
WORDS = "a the man woman dog rides sits on in of bench street red big with and".split()


def captions(seed, n_images):
    generator = random.Random(seed)

    def caption():
        return " ".join(generator.choices(WORDS, k=generator.randrange(0, 12)))

    gts = {idx: [caption() for _ in range(generator.randrange(1, 6))] for idx in range(n_images)}
    res = {idx: [caption() if generator.random() < 0.8 else gts[idx][0]] for idx in gts}
    return gts, res


def bits(values):
    return [float(value).hex() for value in values]


@pytest.mark.parametrize("n", [1, 2, 4])
def test_bleu(n):
    gts, res = captions(1, 300)
    with contextlib.redirect_stdout(io.StringIO()):
        expected = their_bleu.Bleu(n).compute_score(gts, res)
        scores = ours.Bleu(n).compute_score(gts, res)
    assert bits(scores[0]) == bits(expected[0])
    assert [bits(column) for column in scores[1]] == [bits(column) for column in expected[1]]
    assert ours.Bleu().method() == their_bleu.Bleu().method()


def test_rouge():
    gts, res = captions(2, 300)
    gts[300], res[300] = ["a  man "], ["a  dog"]
    expected, scores = (it.Rouge().compute_score(gts, res) for it in (their_rouge, ours))
    assert float(scores[0]).hex() == float(expected[0]).hex()
    assert isinstance(scores[1], np.ndarray) and bits(scores[1]) == bits(expected[1])


@pytest.mark.parametrize("verbose", [-1, 0, 1, 2])
def test_bleu_prints_its_counts(verbose, capsys):
    gts, res = captions(4, 12)
    for n in (1, 4):
        printed = []
        for it in (their_bleu, ours):
            it.Bleu(n).compute_score(gts, res, verbose)
            printed.append(capsys.readouterr().out)
        assert printed[0] == printed[1]
    assert bool(printed[1]) == (verbose > 0)


def test_rouge_of_one_caption():
    gts, res = captions(5, 50)
    for image in gts:
        expected, score = (it.Rouge().calc_score(res[image], gts[image]) for it in (their_rouge, ours))
        assert score.hex() == expected.hex()
    for candidate, references in (([], ["a"]), (["a", "b"], ["a"]), (["a"], [])):
        for it in (their_rouge, ours):
            with pytest.raises(AssertionError):
                it.Rouge().calc_score(candidate, references)


def test_scores_have_the_types_of_the_original():
    their_cider = importlib.import_module("pycocoevalcap.cider.cider")
    gts, res = captions(6, 4)
    for theirs, mine in ((their_rouge.Rouge(), ours.Rouge()), (their_cider.Cider(), ours.Cider())):
        assert type(mine.compute_score(gts, res)[0]) is type(theirs.compute_score(gts, res)[0]) is np.float64


@pytest.mark.parametrize(
    "gts, res",
    [
        ({1: ["a"]}, {2: ["a"]}),
        ({1: ["a"]}, {1: ["a", "b"]}),
        ({1: []}, {1: ["a"]}),
        ({1: ("a",)}, {1: ["a"]}),
        ({1: ["a"], 2: ["b"]}, {1: ["a"]}),
    ],
)
def test_mistakes(gts, res):
    for module in (ours, their_bleu):
        with pytest.raises(AssertionError):
            module.Bleu(4).compute_score(gts, res)
    for module in (ours, their_rouge):
        with pytest.raises(AssertionError):
            module.Rouge().compute_score(gts, res)


@pytest.mark.parametrize("options", [{}, {"sigma": 2.5}, {"n": 5}, {"n": 11, "sigma": 1}])
def test_cider(options):
    theirs = importlib.import_module("pycocoevalcap.cider.cider")
    for seed, n_images in [(5, 1), (6, 2), (7, 9), (8, 500)]:
        gts, res = captions(seed, n_images)
        expected, scores = (it.Cider(**options).compute_score(gts, res) for it in (theirs, ours))
        assert float(scores[0]).hex() == float(expected[0]).hex()
        assert isinstance(scores[1], np.ndarray) and bits(scores[1]) == bits(expected[1])
        assert (scores[0] > 0) == (n_images > 1)
    assert ours.Cider().method() == theirs.Cider().method()
    for n in (1, 2, 3):
        for text, error in [("a b c d", IndexError), ("a b c", IndexError if n < 3 else None), ("", ValueError)]:
            for it in (theirs, ours):
                with pytest.raises(error) if error else contextlib.nullcontext():
                    assert it.Cider(n=n).compute_score({1: [text]}, {1: [text]})[0] == 0


class Captions:
    """What COCOEvalCap asks a COCO data set for."""

    def __init__(self, by_image):
        self.imgToAnns = {
            image: [{"image_id": image, "caption": text} for text in texts]
            for image, texts in by_image.items()
        }

    def getImgIds(self):
        return list(self.imgToAnns)


class Nothing:
    """A metric that says nothing, in the place of the original's SPICE: its models are not on PyPI."""

    def compute_score(self, gts, res):
        return 0.0, [0.0] * len(gts)

    def method(self):
        return "SPICE"


# The last bit of Java's `pow` depends on the processor, unless it is told to use that of StrictMath. Before version 18, Java reads texts
# in the encoding of the locale.
STRICT = {"JAVA_TOOL_OPTIONS": "-XX:+UnlockDiagnosticVMOptions -XX:-UseLibmIntrinsic -Dfile.encoding=UTF-8"}
TAILS = (
    "A man's dog, sat.|Two (big) cats & 1,000 mats!|isn't it?|by Smith Inc.|in the U.S.|No. 5 \u2014 \"quoted\"|$5.00 @ 3 p.m.|don\u2019t; can't"
).split("|")


def evaluations(seed, n_images):
    """The same images evaluated by the original and by ours, each with its seconds."""
    generator = random.Random(seed)
    words = WORDS + [f"word{idx}" for idx in range(n_images)]

    def caption():
        return " ".join([*generator.choices(words, k=generator.randrange(3, 12)), generator.choice(TAILS)]).capitalize()

    gts = {image: [caption() for _ in range(5)] for image in range(n_images)}
    res = {image: [caption() if generator.random() < 0.5 else generator.choice(gts[image])] for image in gts}
    results = []
    for name in ("pycocoevalcap.eval", "bolide.compat.pycocoevalcap.eval"):
        module = importlib.import_module(name)
        evaluation = module.COCOEvalCap(Captions(gts), Captions(res))
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()):
            patch.setattr(module, "Spice", Nothing)
            for key, value in STRICT.items():
                patch.setenv(key, value)
            started = time.monotonic()
            evaluation.evaluate()
            results.append((evaluation, time.monotonic() - started))
    return results


def test_a_whole_evaluation():
    (theirs, _), (mine, _) = evaluations(9, 60)
    assert list(mine.eval.items()) == list(theirs.eval.items())
    assert mine.evalImgs == theirs.evalImgs
    assert len(mine.eval) == 8 and len(mine.evalImgs) == 60


def test_an_evaluation_goes_on_without_spice(capsys):
    our_eval = importlib.import_module("bolide.compat.pycocoevalcap.eval")
    gts, res = captions(9, 5)
    mine = our_eval.COCOEvalCap(Captions(gts), Captions(res))
    with pytest.warns(UserWarning, match="SPICE is left out"):
        mine.evaluate()
    assert "SPICE" not in mine.eval and mine.eval["CIDEr"] >= 0


def test_tokens_are_those_of_the_jar():
    theirs = importlib.import_module("pycocoevalcap.tokenizer.ptbtokenizer").PTBTokenizer()
    mine = pickle.loads(pickle.dumps(importlib.import_module("bolide.compat.pycocoevalcap.tokenizer.ptbtokenizer").PTBTokenizer()))
    generator = random.Random(3)
    pieces = [*WORDS, *TAILS, "", " ", "\n", "\u2028", "Inc.", "The", "\u00a0", "1 1/2", ":-)", "\U0001f600", "<b>"]
    images = {
        image: [{"caption": " ".join(generator.choices(pieces, k=generator.randrange(6)))} for _ in range(generator.randrange(5))]
        for image in range(500)
    }
    assert mine.tokenize(images) == theirs.tokenize(images)


ODD = (
    "Isn't|I'm|U.S.|e.g.|Mr.|3.5|1,000|$5|50%|#1|@home|A&B|&amp;|&quot;|&lt;b&gt;|<b>|--|---|...|!?|;|:|'|\"|``|''|(|)|[|]|{|}|/|\\|~|^|_|*|café|"
    "naïve|İstanbul|ß|ΣΑΣ|日本|аб|😀|’|“q”|—|…| |　|​|﻿|­|é|dogs|dog's|running|ran|"
    "bicycle|bike|in front of|at the end of the day|woman|women|skateboard|skate board|ICE-CREAM|ice cream|a|the|of|,|."
).split("|")


def odd_captions(seed, n_images):
    """Captions that no tokenizer has cleaned: punctuation, entities, other scripts, phrases, doubled blanks."""
    generator = random.Random(seed)

    def caption():
        words = generator.choices([*ODD, *WORDS], k=generator.randrange(0, 14))
        return generator.choice([" ", " ", " ", "  "]).join(words)

    def changed(text):
        words = text.split(" ")
        generator.shuffle(words)
        return " ".join(words[: generator.randrange(1, len(words) + 1)]).swapcase()

    gts = {image: [caption() for _ in range(generator.randrange(1, 6))] for image in range(n_images)}
    res = {image: [generator.choice([caption, lambda image=image: changed(gts[image][0])])()] for image in gts}
    return gts, res


def meteors(gts, res):
    """What the class of the package gives with its jar, ours, and the metric by its name."""
    their_meteor = importlib.import_module("pycocoevalcap.meteor.meteor")
    with pytest.MonkeyPatch.context() as patch:
        for key, value in STRICT.items():
            patch.setenv(key, value)
        jar = their_meteor.Meteor()
        theirs = jar.compute_score(gts, res)
        jar.meteor_p.stdin.close()
        jar.meteor_p.wait()
    mine = ours.Meteor().compute_score(gts, res)
    sent = [res[image][0].replace("|||", "").replace("  ", " ") for image in gts]
    named = bolide.Meteor("coco")
    corpus = named.corpus(sent, list(gts.values()))
    return [(score, list(scores)) for score, scores in (theirs, mine, (corpus.score, named.segments(sent, list(gts.values()))))]


def test_meteor():
    gts, res = captions(3, 120)
    res[0] = ["a man ||| rides  a dog"]
    theirs, mine, named = meteors(gts, res)
    assert theirs == mine == named


def test_meteor_of_odd_captions():
    theirs, mine, named = meteors(*odd_captions(4, 400))
    assert theirs == mine == named
    assert sum(0 < score < 1 for score in theirs[1]) > 200


def main():
    parser = argparse.ArgumentParser(description="A whole evaluation by pycocoevalcap and by bolide.")
    parser.add_argument("--images", type=int, default=5000)
    parser.add_argument("--meteor", type=int, metavar="IMAGES", help="only METEOR, of captions that no tokenizer has cleaned")
    parser.add_argument("--seed", type=int, default=19)
    options = parser.parse_args()
    if options.meteor:
        theirs, *others = meteors(*odd_captions(options.seed, options.meteor))
        different = sum(a != b for other in others for a, b in zip([theirs[0], *theirs[1]], [other[0], *other[1]], strict=True))
        print(f"METEOR {theirs[0]:.6f}, {options.meteor:,} captions: {different} scores differ")
        raise SystemExit(int(different > 0))
    (theirs, their_seconds), (mine, our_seconds) = evaluations(options.seed, options.images)
    different = sum(mine.eval[name] != score for name, score in theirs.eval.items())
    different += sum(ours != image for ours, image in zip(mine.evalImgs, theirs.evalImgs, strict=True))
    print(f"{options.images:,} images: pycocoevalcap {their_seconds:.1f} s, bolide {our_seconds:.1f} s")
    print(", ".join(f"{name} {score:.4f}" for name, score in mine.eval.items()))
    print(f"{len(theirs.eval) + len(theirs.evalImgs) - different} passed, {different} failed")
    raise SystemExit(int(different > 0))


if __name__ == "__main__":
    main()
