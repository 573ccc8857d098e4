"""Mistakes that are easy to make, and what their errors say."""

import warnings

import polars as pl
import pytest

import bolide
import bolide.polars


def test_a_literal_stands_for_every_row():
    frame = pl.DataFrame({"hyp": ["a b", "a c", None], "group": [1, 1, 2]})
    expected = [0.0, 50.0, None]
    for name, score in (("hyp", bolide.polars.score("ter", "hyp", pl.lit("a b"))), ("lit", bolide.polars.ter(pl.lit("a b"), "hyp"))):
        assert frame.select(score)["score"].to_list() == expected, name
        assert frame.lazy().select(score).collect(engine="streaming")["score"].to_list() == expected, name
        assert frame.clear().select(score)["score"].to_list() == []
    several = bolide.polars.score("ter", "hyp", pl.lit(pl.Series([["a b", "a c"]])))
    assert frame.select(several)["score"].to_list() == [0.0, 0.0, None]
    corpus = bolide.polars.corpus("ter", "hyp", pl.lit("a b"), nulls="skip")
    assert frame.select(corpus)["score"].to_list() == [25.0]
    grouped = frame.group_by("group", maintain_order=True).agg(corpus)
    assert grouped["score"].to_list() == [25.0, None]


def test_columns_of_other_lengths_stay_an_error():
    frame = pl.DataFrame({"hyp": ["a b", "a c"]})
    with pytest.raises(Exception, match="2 hypotheses need as many entries of references, got 3"):
        frame.select(bolide.polars.score("ter", "hyp", pl.lit(pl.Series(["a", "b", "c"]))))


@pytest.mark.parametrize("metric, what", [(None, "NoneType"), (bolide.Ter, "the class Ter, which has to be called"), (5, "int")])
def test_what_is_not_a_metric(metric, what):
    for call in (
        lambda: bolide.score(metric, "a", "a"),
        lambda: bolide.segments(metric, ["a"], ["a"]),
        lambda: bolide.corpus(metric, ["a"], ["a"]),
        lambda: bolide.explain(metric, "a", "a"),
        lambda: bolide.Metric(metric),
        lambda: bolide.polars.score(metric, "hyp", "ref"),
        lambda: bolide.polars.corpus(metric, "hyp", "ref"),
    ):
        with pytest.raises(TypeError, match=f"a metric is a name or a metric object, got {what}"):
            call()


def test_a_metric_that_was_refused_can_be_shown():
    assert repr(bolide.Ter.__new__(bolide.Ter)) == "<bolide.Ter without a name>"


def test_a_lazy_frame_is_not_a_column():
    frame = pl.LazyFrame({"hyp": ["a"]})
    with pytest.raises(TypeError, match="expected a column, got a LazyFrame: collect it"):
        bolide.segments("ter", frame, ["a"])


@pytest.mark.parametrize("confidence", [0.95, "1000", True])
def test_confidence_is_a_number_of_samples(confidence):
    with pytest.raises(TypeError, match="confidence is a number of bootstrap samples, such as 1000, got"):
        bolide.corpus("ter", ["a"], ["a"], confidence=confidence)


def test_confidence_is_not_negative():
    with pytest.raises(ValueError, match="confidence must be at least 0, got -1"):
        bolide.corpus("ter", ["a"], ["a"], confidence=-1)
    with pytest.raises(ValueError, match="seed must be at least 0, got -1"):
        bolide.corpus("ter", ["a"], ["a"], confidence=10, seed=-1)


def test_a_number_is_not_a_text():
    nltk = bolide.Meteor("nltk")
    for call in (lambda: nltk.segments([1], ["a"]), lambda: nltk.corpus([1], ["a"]), lambda: nltk.accumulator().update([1], ["a"])):
        with pytest.raises(TypeError, match="segment 0: a hypothesis is a string or a list of tokens, got an object of type int"):
            call()
    with pytest.raises(TypeError, match="segment 0: a reference is a string or a list of tokens, got an object of type int"):
        nltk.segments([["a"]], [[["a"], 1]])


def test_nist_of_few_words_says_why_it_is_no_number():
    with pytest.warns(UserWarning, match="nist:nltk is not defined for texts as short") as caught:
        assert str(bolide.score("nist", "a b", "a b")) == "nan"
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert bolide.score("nist", "a b c d e f", "a b c d e f") > 0


def test_no_segments_have_no_score():
    for call in (
        lambda: bolide.corpus("ter", [], []),
        lambda: bolide.corpus("ter", [], [], confidence=10),
        lambda: bolide.corpus("bleu", [None], ["a"], nulls="skip"),
        lambda: bolide.Ter().accumulator().compute(),
    ):
        with pytest.raises(bolide.InvalidSegmentError, match="nothing to score: there are no segments"):
            call()
    empty = pl.DataFrame({"hyp": [], "ref": []}, schema={"hyp": pl.String, "ref": pl.String})
    assert empty.select(bolide.polars.corpus("ter", "hyp", "ref"))["score"].to_list() == [None]
