"""The golden cases of testdata/ through the wheel."""

import os

import pytest
import reader

import bolide


def score(metric, cases):
    """The score of each case, its components and the scores of its segments. Only this function calls the wheel."""
    found = []
    for case in cases:
        if case.is_corpus:
            result = metric.corpus(case.hypotheses, case.references)
            segments = metric.segments(case.hypotheses, case.references)
        else:
            result, segments = metric.segment(case.hypotheses[0], case.references[0]), ()
        found.append((result.score, result.components, segments))
    return found


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """The paraphrases of testdata/ for the tests of this file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOLIDE_DATA", "")
        reader.import_tables(os.environ["BOLIDE_COMMAND"], tmp_path_factory.mktemp("tables"))
        yield


def test_every_case(tables):
    tally = reader.Tally("the wheel")
    for name, cases in reader.by_metric(reader.cases()).items():
        for case, (value, components, segments) in zip(cases, score(bolide.Metric(name), cases)):
            tally.case(case, value, segments)
            if case.score is not None:
                tally.statistics(case, components)
    tally.finish()


def test_a_difference_of_one_bit_is_found():
    case = reader.cases()[0]
    case = reader.Case(**{**vars(case), "score": 0.1, "segments": None})
    for found in (0.1 + 2**-56, float("nan"), None):
        tally = reader.Tally("a test")
        tally.case(case, found)
        with pytest.raises(AssertionError, match="1 numbers differ"):
            tally.finish()
    assert not reader.same(0.0, -0.0) and not reader.same(0.1, None)
