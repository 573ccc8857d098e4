"""bolide in DuckDB's SQL: the bits of the plain library, over files and under a memory limit."""

import os
import pathlib

import duckdb
import pairs
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bolide
import bolide.duckdb

ROWS = int(os.environ.get("BOLIDE_CLUSTER_DUCKDB_ROWS", 50_000))
SHARES = ["bleu", "chrf", "chrfpp", "meteor", "meteor_nltk", "ter"]


@pytest.fixture
def connection():
    return bolide.duckdb.register(duckdb.connect())


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = pathlib.Path(tmp_path_factory.mktemp("pairs"))
    distinct = pairs.distinct_pairs()
    step = 500_000
    for start in range(0, ROWS, step):
        part = pairs.table(min(step, ROWS - start), start, distinct)
        pq.write_table(part, folder / f"{start:012}.parquet")
    return folder


def bits(values):
    return [None if value is None else float(value).hex() for value in values]


def is_here(metric):
    try:
        return bool(bolide.Metric(metric))
    except bolide.UnavailableError:
        return False


HERE = [(name, metric) for name, metric in bolide.duckdb.METRICS.items() if is_here(metric)]


def test_every_dialect_has_a_function():
    metrics = [dialect["name"] for dialect in bolide.dialects()]
    assert list(bolide.duckdb.METRICS.values()) == metrics
    # Only METEOR 1.5 with paraphrases needs tables that the package does not have.
    assert len(HERE) >= len(metrics) - 2


@pytest.mark.parametrize("name, metric", HERE)
def test_rows_have_the_bits_of_the_library(connection, name, metric):
    rows = pairs.table(2000)
    for column in ("ref", "refs"):
        query = f"SELECT {name}(hyp, {column}) AS score FROM rows ORDER BY id"
        scores = connection.execute(query).fetchnumpy()["score"]
        hypotheses, references = (rows.column(side).to_pylist() for side in ("hyp", column))
        assert bits(scores) == bits(bolide.Metric(metric).segments(hypotheses, references))


@pytest.mark.parametrize("name", SHARES)
def test_groups_have_the_bits_of_the_library(connection, name):
    rows = pairs.table(6000)
    query = f"SELECT lang, {name}_corpus(hyp, refs) FROM rows GROUP BY lang"
    found = dict(connection.execute(query).fetchall())
    assert set(found) == set(pairs.LANGUAGES)
    for language, score in found.items():
        part = [row for row in rows.to_pylist() if row["lang"] == language]
        metric = bolide.Metric(bolide.duckdb.METRICS[name])
        expected = metric.corpus([row["hyp"] for row in part], [row["refs"] for row in part])
        assert score.hex() == expected.score.hex()


def test_documented_steps_are_the_same_as_the_macro(connection):
    rows = pairs.table(3000)
    assert rows.num_rows == 3000
    query = """
        WITH each AS (SELECT system, meteor_statistics(hyp, refs) AS statistics FROM rows)
        SELECT system, bolide_finish('meteor', meteor_sum(statistics)) FROM each GROUP BY ALL ORDER BY ALL
    """
    macro = "SELECT system, meteor_corpus(hyp, refs) FROM rows GROUP BY ALL ORDER BY ALL"
    assert connection.execute(query).fetchall() == connection.execute(macro).fetchall()


def test_sums_of_sums(connection):
    """Statistics summed per file and then over the files give the corpus of all."""
    rows = pairs.table(3000)
    assert rows.num_rows == 3000
    query = """
        WITH parts AS (SELECT system, bleu_sum(bleu_statistics(hyp, refs)) AS s FROM rows GROUP BY system)
        SELECT bolide_finish('bleu', bleu_sum(s)), (SELECT bleu_corpus(hyp, refs) FROM rows) FROM parts
    """
    by_parts, at_once = connection.execute(query).fetchone()
    assert by_parts.hex() == at_once.hex()


def test_any_metric_by_name(connection):
    query = "SELECT bolide_score(name, 'a cat sat', 'the cat sat') FROM (VALUES {}) AS names(name)"
    names = ["meteor:nltk", "bleu:unigram", "rouge1"]
    values = ", ".join(f"('{name}')" for name in [*names, names[0]]) + ", (NULL)"
    found = [row[0] for row in connection.execute(query.format(values)).fetchall()]
    expected = [bolide.score(name, "a cat sat", "the cat sat") for name in [*names, names[0]]]
    assert found == [*expected, None]
    with pytest.raises(duckdb.Error, match="there is no metric 'meteor:nltkk'"):
        connection.execute(query.format("('meteor:nltkk')")).fetchall()


def test_nulls_and_rows_without_reference(connection):
    query = "SELECT {} FROM (VALUES ('a b', ['a b']), (NULL, ['a']), ('a', NULL), ('a', []), ('a', [NULL])) AS t(h, r)"
    scores = connection.execute(query.format("meteor(h, r)")).fetchall()
    assert scores == [(0.9375,), (None,), (None,), (None,), (None,)]
    problems = connection.execute(query.format("bolide_problem(h, r)")).fetchall()
    assert problems == [
        (None,),
        ("the hypothesis is null",),
        ("the reference is null",),
        ("there is no reference",),
        ("there is no reference",),
    ]
    # Rows without a score are left out of the corpus, or counted as empty hypotheses.
    left_out, counted = connection.execute(
        query.format("bleu_corpus(h, r), meteor_corpus(coalesce(h, ''), r)")
    ).fetchone()
    assert left_out == bolide.Bleu().corpus(["a b"], ["a b"]).score
    assert counted == bolide.Meteor().corpus(["a b", ""], ["a b", "a"]).score
    nothing = "SELECT meteor('a', NULL), meteor(NULL, 'a'), meteor_corpus(NULL, NULL), bolide_finish('bleu', NULL)"
    assert connection.execute(nothing).fetchone() == (None,) * 4


def test_mistakes_are_one_clear_error(connection):
    for query, message in [
        ("SELECT meteor(1, 'a')", "expected an Arrow column of string"),
        ("SELECT bolide_finish('bleu', [1, 2]::BIGINT[])", "these are not the summed statistics of bleu:sacrebleu"),
        ("SELECT ter_statistics('a b', ['a', 'a b', 'a'])", "more than sums"),
        ("SELECT bolide_statistics('rougeL', 'a', 'a')", "more than sums"),
    ]:
        with pytest.raises(duckdb.Error, match=message):
            connection.execute(query).fetchall()
    with pytest.raises(ValueError, match="letters, digits and underscores"):
        bolide.duckdb.register(connection, {"a; b": "meteor"})


def test_registering_twice_and_own_names(connection):
    bolide.duckdb.register(connection)
    bolide.duckdb.register(connection, {"mine": "meteor:nltk|alpha:0.5"})
    found = connection.execute("SELECT mine('a cat', 'the cat'), meteor('a', 'a')").fetchone()
    assert found == (bolide.score("meteor:nltk|alpha:0.5", "a cat", "the cat"), 0.5)


def test_files_larger_than_memory(files):
    """An aggregate over Parquet under a memory limit, and a column of scores written to a file."""
    connection = bolide.duckdb.register(duckdb.connect())
    connection.execute(f"SET memory_limit = '1GB'; SET temp_directory = '{files}/spill'")
    query = f"SELECT lang, count(*), meteor_corpus(hyp, refs) FROM '{files}/*.parquet' GROUP BY lang"
    found = {lang: (count, score) for lang, count, score in connection.execute(query).fetchall()}
    metric = bolide.Meteor()
    totals = {}
    for part in sorted(files.glob("*.parquet")):
        rows = pq.read_table(part)
        for language in pairs.LANGUAGES:
            mask = pa.compute.equal(rows["lang"], language) if language else rows["lang"].is_null()
            chosen = rows.filter(mask)
            total = totals.setdefault(language, metric.accumulator())
            total.update(chosen["hyp"], chosen["refs"])
    assert sum(count for count, _ in found.values()) == ROWS
    for language, total in totals.items():
        count, score = found[language]
        assert (count, score.hex()) == (total.n_segments, total.compute().score.hex())
    out = files / "scored" / "scores.parquet"
    out.parent.mkdir()
    connection.execute(
        f"COPY (SELECT id, meteor(hyp, refs) AS meteor FROM '{files}/*.parquet' WHERE id < 4000) TO '{out}'"
    )
    written = pq.read_table(out).sort_by("id")["meteor"].to_pylist()
    rows = pairs.table(4000)
    assert bits(written) == bits(metric.segments(rows["hyp"].to_pylist(), rows["refs"].to_pylist()))


def test_cursors_see_functions_and_macros(connection):
    query = "SELECT ter_corpus(hyp, ref), ter_sum([ter_statistics(hyp, ref)][1]) IS NOT NULL FROM (VALUES ('a dog', 'the dog')) AS t(hyp, ref)"
    for cursor in (connection.cursor(), connection.cursor().cursor()):
        assert cursor.execute(query).fetchall() == [(50.0, True)]


def test_a_file_keeps_no_macro_whose_functions_end_with_the_process(tmp_path):
    path = str(tmp_path / "base.db")
    with duckdb.connect(path) as connection:
        bolide.duckdb.register(connection)
        assert connection.execute("SELECT ter_corpus('a dog', 'the dog')").fetchone() == (50.0,)
        cursor = bolide.duckdb.register(connection.cursor())
        assert cursor.execute("SELECT ter_corpus('a dog', 'the dog')").fetchone() == (50.0,)
    with duckdb.connect(path) as connection:
        names = connection.execute("SELECT function_name FROM duckdb_functions() WHERE function_name LIKE '%_corpus'").fetchall()
        assert names == []


def test_another_database_may_be_used_later(connection, tmp_path):
    connection.execute(f"ATTACH '{tmp_path / 'pairs.duckdb'}' AS pairs; USE pairs")
    connection.execute("CREATE TABLE lines AS SELECT 'a dog' AS hyp, 'the dog' AS ref")
    found = connection.execute("SELECT ter_corpus(hyp, ref), rougel_corpus(hyp, ref) FROM lines").fetchall()
    assert found == [(50.0, 0.5)]
    macros = "SELECT count(*) FROM duckdb_functions() WHERE function_type LIKE '%macro' AND database_name = 'pairs' AND function_name LIKE 'ter%'"
    assert connection.execute(macros).fetchall() == [(0,)]


def test_enums_are_texts(connection):
    connection.execute("CREATE TYPE said AS ENUM ('a dog', 'the cat')")
    connection.execute("CREATE TABLE lines AS SELECT * FROM (VALUES ('a dog'::said, 'the dog'), ('the cat', 'the cat'), (NULL, 'x')) AS t(hyp, ref)")
    assert connection.execute("SELECT ter(hyp, ref), bolide_score('ter', hyp, ref) FROM lines").fetchall() == [(50.0, 50.0), (0.0, 0.0), (None, None)]
    assert connection.execute("SELECT ter_corpus(hyp, ref) FROM lines").fetchall() == [(25.0,)]
    table = connection.sql("SELECT hyp, ref FROM lines").to_arrow_table()
    assert bolide.segments("ter", table["hyp"], table["ref"]).to_pylist() == [50.0, 0.0, None]


def test_captions_are_gathered(connection):
    """CIDEr has no sums: what an n-gram weighs depends on all rows of a group."""
    rows = [("x", "a red dog runs", ["the red dog runs", "a dog"]), ("x", "two cats sat", ["two cats sat"]), ("x", None, ["a"]), ("y", "a", [])]
    table = pa.table({"system": [row[0] for row in rows], "hyp": [row[1] for row in rows], "refs": pa.array([row[2] for row in rows], pa.list_(pa.string()))})
    connection.register("captions", table)
    expected = bolide.corpus("cider", [row[1] for row in rows[:2]], [row[2] for row in rows[:2]]).score
    assert expected > 1
    for query in ("cider_corpus(hyp, refs)", "bolide_corpus('cider', list(hyp ORDER BY hyp), list(refs ORDER BY hyp))"):
        found = connection.execute(f"SELECT system, {query} FROM captions GROUP BY system ORDER BY system").fetchall()
        assert found == [("x", expected), ("y", None)]
    with pytest.raises(duckdb.Error, match="a list of references of the same length"):
        connection.execute("SELECT bolide_corpus('cider', ['a', 'b'], ['a'])").fetchall()


def test_gathered_lists_may_be_null(connection):
    """A row without one of its lists has no score, and its texts are nobody else's."""
    query = """SELECT bolide_corpus('meteor', h, r) FROM (VALUES (0, ['p q'], ['p q']), (1, NULL, ['a b c']), (2, ['a b c'], NULL),
        (3, ['z w'], ['z w']), (4, [], [])) t(id, h, r) ORDER BY id"""
    same = bolide.corpus("meteor", ["p q"], ["p q"]).score
    assert connection.execute(query).fetchall() == [(same,), (None,), (None,), (same,), (None,)]
    nothing = "SELECT bolide_corpus('cider', NULL::VARCHAR[], NULL::VARCHAR[]), cider_corpus(h, r) FROM (SELECT 'a' h, 'a' r WHERE false)"
    assert connection.execute(nothing).fetchall() == [(None, None)]
    bare = "SELECT bolide_corpus('cider', NULL, ['a']), bolide_corpus('cider', ['a'], NULL)"
    assert connection.execute(bare).fetchall() == [(None, None)]


def test_random_texts_in_a_subquery_are_the_same_in_every_sum(connection):
    connection.register("rows", pairs.table(3000))
    query = "SELECT bleu_sum(bleu_statistics(h, refs)) FROM (SELECT CASE WHEN random() < 0.5 THEN hyp ELSE 'x' END AS h, refs FROM rows)"
    ((sums,),) = connection.execute(query).fetchall()
    length, n_unigrams = sums[0], sums[11]
    assert length == n_unigrams


@pytest.mark.parametrize("settings", [{}, {"arrow_large_buffer_size": "true"}, {"produce_arrow_string_view": "true", "arrow_output_version": "'1.5'"},
    {"arrow_output_list_view": "true", "arrow_output_version": "'1.5'"}, {"arrow_large_buffer_size": "true", "arrow_output_list_view": "true",
    "produce_arrow_string_view": "true", "arrow_output_version": "'1.5'"}])  # fmt: skip
def test_any_form_of_texts_and_lists(connection, settings):
    """Settings of the connection decide in which types of Arrow a function gets its texts and lists."""
    connection.register("rows", pairs.table(4000))
    queries = [
        "SELECT list(meteor(hyp, refs) ORDER BY id), list(ter(hyp, ref) ORDER BY id) FROM rows",
        "SELECT ter_corpus(hyp, refs), bolide_finish('ter', ter_sum(ter_statistics(hyp, ref))) FROM rows",
        "SELECT lang, bolide_corpus('rougeL', list(hyp ORDER BY id), list(refs ORDER BY id)) FROM rows GROUP BY lang ORDER BY lang",
        "SELECT bolide_corpus('ter', [NULL, hyp], [refs, NULL]), bolide_problem(hyp, refs) FROM rows ORDER BY id",
        "SELECT bolide_score(name, hyp, refs) FROM rows, (VALUES ('bleu'), (NULL), ('ter')) AS names(name) ORDER BY id, name",
        "SELECT bolide_score('ter', [hyp], [[ref], NULL]) FROM rows ORDER BY id",
    ]
    expected = [connection.execute(query).fetchall() for query in queries]
    for name, value in settings.items():
        connection.execute(f"SET {name} = {value}")
    assert [connection.execute(query).fetchall() for query in queries] == expected
