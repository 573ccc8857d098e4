"""``bolide.compat.nltk`` on the golden cases, by the fast path and by the slow path; and what it accepts."""

import itertools
import math
import pickle
import warnings
from fractions import Fraction

import numpy
import pandas
import pytest
import reader

from bolide.compat import nltk
from bolide.compat.nltk.translate.chrf_score import corpus_chrf


class AskedPorter:
    """A custom stemmer, which forces the slow path."""

    def stem(self, word):
        return nltk.PorterStemmer().stem(word)


def outcome(call):
    """The number, or the name of the exception, and the number of warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = call()
        except Exception as error:
            result = {"error": type(error).__name__}
    return result, len(caught)


def asked(function):
    """The same smoothing as a custom function."""
    return lambda *args, **kwargs: function(*args, **kwargs)


def test_golden_cases():
    tally = reader.Tally("bolide.compat.nltk")
    for case in reader.cases():
        if case.is_corpus or case.score is None or case.metric not in ("meteor:nltk", "bleu:nltk"):
            continue
        hypothesis, references = case.hypotheses[0].split(), [text.split() for text in case.references[0]]
        if case.metric == "bleu:nltk":
            for function in (nltk.SmoothingFunction().method0, asked(nltk.SmoothingFunction().method0)):
                found, _ = outcome(lambda f=function: nltk.sentence_bleu(references, hypothesis, smoothing_function=f))
                tally.case(case, float(found))
        else:
            for stemmer in (nltk.PorterStemmer(), AskedPorter()):
                tally.case(case, nltk.meteor_score(references, hypothesis, stemmer=stemmer))
    tally.finish()


def test_an_overflow_is_an_exception():
    with pytest.raises(OverflowError):
        nltk.single_meteor_score(["a", "b"], ["a", "b"], beta=-5000)


def test_both_roads_agree_on_corpora():
    words = ["a", "b", "c", "d"]
    pairs = list(itertools.product(itertools.product(words, repeat=3), repeat=2))[::97]
    refs = [[list(ref)] for ref, _ in pairs]
    hyps = [list(hyp) for _, hyp in pairs]
    smoothing = nltk.SmoothingFunction(epsilon=0.2, alpha=4, k=3)
    for method in range(8):
        function = getattr(smoothing, f"method{method}")
        quick, _ = outcome(lambda: nltk.corpus_bleu(refs, hyps, (0.4, 0.3, 0.3), function))
        slow, _ = outcome(lambda: nltk.corpus_bleu(refs, hyps, (0.4, 0.3, 0.3), asked(function)))
        assert quick == slow and quick is not None


def test_tokens_of_any_kind():
    assert nltk.sentence_bleu([[1, 2, 3, 4]], [1, 2, 3, 4]) == 1.0
    assert nltk.sentence_bleu(["abcd"], "abcd") == 1.0
    assert nltk.corpus_bleu((((1, 2),),), ((1, 2),), weights=(1.0,)) == 1.0


def test_sentences():
    # What NLTK 3.10.4 gives with its English model.
    for text, sentences in {
        "": [],
        "  ": [],
        "Dr. Who left the U.S. on Jan. 5. (Why?) \"Nobody knows.\"  He said.": [
            "Dr. Who left the U.S. on Jan. 5.", "(Why?)", '"Nobody knows."', "He said.",
        ],
        "a b\nc d. e f?! G... h": ["a b\nc d. e f?!", "G... h"],
        "One. \ud800 Two.": ["One.", "\ud800 Two."],
    }.items():  # fmt: skip
        assert nltk.sent_tokenize(text) == sentences
    with pytest.raises(TypeError):
        nltk.sent_tokenize(b"a")


def test_chrf_of_columns():
    hypotheses, references = ["the cat sat", "a dog"], ["the cat slept", "the dog"]
    expected = corpus_chrf(references, hypotheses)
    for column in (numpy.array, pandas.Series):
        assert corpus_chrf(column(references), column(hypotheses)) == expected


def test_mismatched_corpora_are_an_assertion():
    with pytest.raises(AssertionError):
        nltk.corpus_bleu([[["a"]]], [["a"], ["b"]])


def test_fractions_keep_their_counts():
    precision = nltk.modified_precision([["a", "b", "a", "b"]], ["a", "b", "a", "b"], 2)
    assert (precision.numerator, precision.denominator) == (3, 3)
    assert precision == 1 and isinstance(precision + 1, Fraction)
    assert math.isclose(precision / 3, 1 / 3)


def test_stemmers_pickle():
    assert pickle.loads(pickle.dumps(nltk.PorterStemmer())).stem("running") == "run"
