"""``bolide.compat.pycocoevalcap`` against the package itself."""

import contextlib
import importlib
import io
import random

import numpy as np
import pytest

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


@pytest.mark.parametrize("options", [{}, {"sigma": 2.5}])
def test_cider(options):
    theirs = importlib.import_module("pycocoevalcap.cider.cider")
    for seed, n_images in [(5, 1), (6, 2), (7, 9), (8, 500)]:
        gts, res = captions(seed, n_images)
        expected, scores = (it.Cider(**options).compute_score(gts, res) for it in (theirs, ours))
        assert float(scores[0]).hex() == float(expected[0]).hex()
        assert isinstance(scores[1], np.ndarray) and bits(scores[1]) == bits(expected[1])
        assert (scores[0] > 0) == (n_images > 1)
    assert ours.Cider().method() == theirs.Cider().method()


class Captions:
    """What COCOEvalCap asks a COCO data set for."""

    def __init__(self, by_image):
        self.imgToAnns = {
            image: [{"image_id": image, "caption": text} for text in texts]
            for image, texts in by_image.items()
        }

    def getImgIds(self):
        return list(self.imgToAnns)


def test_a_whole_evaluation(monkeypatch):
    # The last bit of Java's `pow` depends on the processor, unless it is told to use that of StrictMath.
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-XX:+UnlockDiagnosticVMOptions -XX:-UseLibmIntrinsic")
    their_eval = importlib.import_module("pycocoevalcap.eval")
    our_eval = importlib.import_module("bolide.compat.pycocoevalcap.eval")
    generator = random.Random(9)
    marks = ["A man's dog, sat.", "Two (big) cats & 1,000 mats!", "isn't it?"]
    gts, res = captions(9, 60)
    gts = {key: [f"{text} {generator.choice(marks)}" for text in texts] for key, texts in gts.items()}
    res = {key: [f"{text} {generator.choice(marks)}" for text in texts] for key, texts in res.items()}
    theirs = their_eval.COCOEvalCap(Captions(gts), Captions(res))
    mine = our_eval.COCOEvalCap(Captions(gts), Captions(res))
    # SPICE needs models that are not on PyPI: the original ends there, ours goes on without it.
    with contextlib.redirect_stdout(io.StringIO()):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(their_eval, "Spice", type("None", (Nothing,), {}))
            theirs.evaluate()
        with pytest.warns(UserWarning, match="SPICE is left out"):
            mine.evaluate()
    theirs.eval.pop("SPICE")
    assert list(mine.eval.items()) == list(theirs.eval.items())
    for image in theirs.evalImgs:
        image.pop("SPICE")
    assert mine.evalImgs == theirs.evalImgs


class Nothing:
    """A metric that says nothing."""

    def compute_score(self, gts, res):
        return 0.0, [0.0] * len(gts)

    def method(self):
        return "SPICE"


def test_meteor(monkeypatch):
    # The last bit of Java's `pow` depends on the processor, unless it is told to use that of StrictMath.
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-XX:+UnlockDiagnosticVMOptions -XX:-UseLibmIntrinsic")
    their_meteor = importlib.import_module("pycocoevalcap.meteor.meteor")
    gts, res = captions(3, 120)
    res[0] = ["a man ||| rides  a dog"]
    jar = their_meteor.Meteor()
    expected = jar.compute_score(gts, res)
    jar.meteor_p.stdin.close()
    jar.meteor_p.wait()
    score, scores = ours.Meteor().compute_score(gts, res)
    assert (score, list(scores)) == (expected[0], list(expected[1]))
