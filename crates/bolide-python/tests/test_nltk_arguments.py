"""Arguments of NLTK's functions that few programs pass, against NLTK itself."""

import importlib
import random
import subprocess
import sys
import textwrap
import warnings

import pytest
from beside_nltk import both, outcome


def test_orders_from_zero():
    generator = random.Random(1)
    gleu, chrf = both("translate.gleu_score"), both("translate.chrf_score")
    for _ in range(200):
        references, hypothesis = (
            [generator.choices("abcd", k=generator.randrange(0, 7)) for _ in range(3)] for _ in range(2)
        )
        for lengths in [(0, 4), (0, 0), (1, -1), (0, -1), (-1, 3), (2, -1), (0, 1), (1, -2), (2, 1), (1, 0), (3, 9)]:
            found = [outcome(lambda: module.sentence_gleu(references, hypothesis[0], *lengths)) for module in gleu]
            assert found[0] == found[1], (lengths, references, hypothesis[0])
            found = [outcome(lambda: module.corpus_gleu([references] * 3, hypothesis, *lengths)) for module in gleu]
            assert found[0] == found[1], (lengths, references, hypothesis)
            for spaces in (True, False):
                found = [
                    outcome(lambda: module.corpus_chrf(references, hypothesis, *lengths, ignore_whitespace=spaces))
                    for module in chrf
                ]
                assert found[0] == found[1], (lengths, references, hypothesis)


@pytest.mark.parametrize("package, make", [("numpy", "array"), ("pandas", "Series")])
def test_chrf_of_columns(package, make):
    column = getattr(importlib.import_module(package), make)
    found = [
        module.corpus_chrf(column(["the cat", "a dog"]), column(["a cat", "a dog"]))
        for module in both("translate.chrf_score")
    ]
    assert found[0] == found[1]


def test_ribes_of_tokens_without_a_hash():
    generator = random.Random(2)
    ours, theirs = both("translate.ribes_score")
    for _ in range(50):
        references, hypothesis = (
            [[generator.choice(([1], [2], {3: 4}, "x", 5)) for _ in range(5)] for _ in range(2)] for _ in range(2)
        )
        assert ours.sentence_ribes(references, hypothesis[0]) == theirs.sentence_ribes(references, hypothesis[0])
        sides = [references] * 2, hypothesis
        assert ours.corpus_ribes(*sides) == theirs.corpus_ribes(*sides)
    ours, theirs = both("translate.gleu_score")
    assert outcome(lambda: ours.sentence_gleu([[[1]]], [[1]]))[0] == outcome(lambda: theirs.sentence_gleu([[[1]]], [[1]]))[0]


def test_the_warning_of_zero_counts():
    found = []
    for module in both("translate.bleu_score"):
        module.__dict__.pop("__warningregistry__", None)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            for _ in range(2):
                module.sentence_bleu([["a", "b"]], ["a", "c"])
            module.sentence_bleu([["a", "b"]], [7, "a"])
        found.append([(str(warning.message), warning.category) for warning in caught])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            warnings.filterwarnings("ignore", module="nltk")
            module.sentence_bleu([["a", "b"]], ["a", "c"])
        assert caught == []
    assert found[0] == found[1] and len(found[0]) == 3


def test_modules_of_the_package_are_ours():
    program = """
        from bolide.compat.nltk import bleu_score, chrf_score, gleu_score, nist_score, ribes_score
        for module in (bleu_score, chrf_score, gleu_score, nist_score, ribes_score):
            assert module.__name__.startswith("bolide.compat.nltk.translate."), module
        """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
