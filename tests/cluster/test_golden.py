"""The golden cases of testdata/ through DuckDB's SQL."""

import os

import duckdb
import pyarrow as pa
import pytest
import reader

import bolide
import bolide.duckdb


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Provides the paraphrases of testdata/ to the tests of this file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOLIDE_DATA", "")
        reader.import_tables(os.environ["BOLIDE_COMMAND"], tmp_path_factory.mktemp("tables"))
        yield


def scores(connection, metric, cases):
    """The scores of rows. The first of two places that run SQL."""
    rows = pa.table(
        {
            "number": list(range(len(cases))),
            "hyp": [case.hypotheses[0] for case in cases],
            "refs": pa.array([case.references[0] for case in cases], pa.list_(pa.string())),
        }
    )
    query = "SELECT bolide_score(?, hyp, refs) FROM rows ORDER BY number"
    return [row[0] for row in connection.execute(query, [metric]).fetchall()]


def corpus_score(connection, metric, case):
    """The score of a corpus by two functions of SQL; the one by sums may have none."""
    bolide.duckdb.register(connection, {"golden": metric})
    rows = pa.table({"number": range(len(case.hypotheses)), "hyp": case.hypotheses, "refs": pa.array(case.references, pa.list_(pa.string()))})
    query = "SELECT bolide_corpus(?, list(hyp ORDER BY number), list(refs ORDER BY number)) FROM rows"
    gathered = connection.execute(query, [metric]).fetchall()[0][0]
    try:
        return gathered, connection.execute("SELECT golden_corpus(hyp, refs) FROM rows").fetchall()[0][0]
    except duckdb.Error as error:
        # Several references in TER, whose mean length is a sum of fractions.
        if "more than sums" in str(error):
            return gathered, None
        raise


def test_every_case(tables):
    connection = bolide.duckdb.register(duckdb.connect())
    tally, without_sums = reader.Tally("DuckDB"), set()
    for metric, cases in reader.by_metric(reader.cases()).items():
        singles = [case for case in cases if not case.is_corpus]
        for case, score in zip(singles, scores(connection, metric, singles) if singles else []):
            tally.case(case, score)
        for case in cases:
            if not case.is_corpus:
                continue
            gathered, summed = corpus_score(connection, metric, case)
            tally.case(case, gathered)
            if summed is None:
                without_sums.add(case.dialect)
            else:
                tally.case(case, summed)
    tally.finish()
    print(f"no corpus scores by sums for several references: {', '.join(sorted(without_sums))}")
    assert without_sums <= {"ter:sacrebleu"}
