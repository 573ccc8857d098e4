"""``bolide.compat.rouge_score`` against rouge-score: what its users do beyond scoring strings."""

import importlib

import numpy
import pandas
import pytest

from bolide.compat.rouge_score import rouge_scorer as ours

theirs = importlib.import_module("rouge_score.rouge_scorer")
KINDS = ["rouge1", "rouge2", "rougeL", "rougeLsum"]


class Letters:
    def tokenize(self, text):
        return list(text)


class Doubled:
    """A stemmer of the caller's own."""

    def stem(self, word):
        return word[:3]


def scores(module, change, target, prediction):
    scorer = module.RougeScorer(KINDS, use_stemmer=True)
    change(scorer)
    return scorer.score(target, prediction)


@pytest.mark.parametrize(
    "change",
    [
        lambda scorer: setattr(scorer, "_tokenizer", Letters()),
        lambda scorer: setattr(scorer._tokenizer, "_stemmer", Doubled()),
        lambda scorer: setattr(scorer._tokenizer, "_stemmer", None),
        lambda scorer: setattr(scorer._tokenizer._stemmer, "stem", lambda word: word[:3]),
        lambda scorer: setattr(scorer._tokenizer, "tokenize", str.split),
    ],
)
def test_a_tokenizer_that_is_set_afterwards_is_used(change):
    for target, prediction in (("今天好", "今天坏"), ("Running dogs ran!", "the runs\nof DOGS"), ("running", "ran runner")):
        expected = scores(theirs, change, target, prediction)
        assert scores(ours, change, target, prediction) == expected


def test_bytes_are_text():
    for target, prediction in ((b"the cat\nsat", b"The cat"), ("Élan K\u212a".encode(), "\u00e9lan k\u212a".encode()), ("a cat", b"a")):
        for stem in (False, True):
            expected = theirs.RougeScorer(KINDS, stem).score(target, prediction)
            assert ours.RougeScorer(KINDS, stem).score(target, prediction) == expected
    with pytest.raises(UnicodeDecodeError):
        ours.RougeScorer(KINDS).score(b"\xff", "a")


def test_targets_in_a_column():
    targets = ["the dog", "the cat sat", "a cat"]
    expected = theirs.RougeScorer(KINDS).score_multi(targets, "the cat")
    for column in (targets, numpy.array(targets), pandas.Series(targets), iter(targets)):
        assert ours.RougeScorer(KINDS).score_multi(column, "the cat") == expected
    with pytest.raises(ValueError, match="argmax of an empty sequence"):
        ours.RougeScorer(KINDS).score_multi(numpy.array([]), "the cat")
