"""Columns that store equal texts once, the columns of Polars' expressions, and what the extras install."""

import array
import importlib.metadata

import polars as pl
import pyarrow as pa
import pytest

import bolide
import bolide.polars

SAID = ["the cat sat", "a dog", None, "the cat sat", ""]
MEANT = ["the cat", "the dog", "x", None, "the cat"]
EXPECTED = bolide.segments("chrf", pa.array(SAID), pa.array(MEANT)).to_pylist()


def run_ends(texts, ends=pa.int32()):
    """Every text as a run of its own, but neighbours that are equal as one."""
    values, at = [], []
    for idx, text in enumerate(texts):
        if values and values[-1] == text:
            at[-1] = idx + 1
        else:
            values.append(text)
            at.append(idx + 1)
    return pa.RunEndEncodedArray.from_arrays(pa.array(at, ends), pa.array(values, pa.string()))


KINDS = {
    "dictionary": lambda texts: pa.array(texts).dictionary_encode(),
    "dictionary of 8 bits": lambda texts: pa.array(texts).cast(pa.dictionary(pa.int8(), pa.large_string())),
    "null in the dictionary": lambda texts: pa.DictionaryArray.from_arrays(pa.array(range(len(texts))), pa.array(texts)),
    "runs": run_ends,
    "short runs": lambda texts: run_ends(texts, pa.int16()),
    "long runs": lambda texts: run_ends(texts, pa.int64()),
    "chunks": lambda texts: pa.chunked_array([pa.array(texts[:2]).dictionary_encode(), pa.array(texts[2:]).dictionary_encode()]),
    "a slice": lambda texts: pa.array(["x", "x", *texts, "y"]).dictionary_encode().slice(2, len(texts)),
    "a slice of runs": lambda texts: run_ends(["x", "x", *texts, "y", "y"]).slice(2, len(texts)),
    "categorical": lambda texts: pl.Series(texts, dtype=pl.Categorical),
    "enum": lambda texts: pl.Series(texts, dtype=pl.Enum(sorted({text for text in texts if text is not None}))),
}


@pytest.mark.parametrize("kind", KINDS)
def test_columns_that_store_equal_texts_once(kind):
    assert None in EXPECTED and EXPECTED[0] > 0
    column = KINDS[kind]
    found = bolide.segments("chrf", column(SAID), column(MEANT))
    assert (found.to_list() if isinstance(found, pl.Series) else found.to_pylist()) == EXPECTED
    mixed = bolide.segments("chrf", column(SAID), pa.array(MEANT))
    assert (mixed.to_list() if isinstance(mixed, pl.Series) else mixed.to_pylist()) == EXPECTED


@pytest.mark.parametrize("view, plain", [(pa.list_view, pa.list_), (pa.large_list_view, pa.large_list)])
def test_views_of_lists(view, plain):
    """Their lists may be in any order, and share values."""
    references = [["the cat", "a cat"], None, ["x"], ["a cat", "x"], []]
    expected = bolide.segments("chrf", pa.array(SAID), pa.array(references, plain(pa.string()))).to_pylist()
    assert expected[0] > expected[3] > 0 and expected[4] is None
    column = pa.array(references, view(pa.string_view()))
    assert bolide.segments("chrf", pa.array(SAID), column).to_pylist() == expected
    assert bolide.segments("chrf", pa.array(SAID[2:]), column.slice(2)).to_pylist() == expected[2:]
    offsets = pa.int32() if view is pa.list_view else pa.int64()
    kind = pa.ListViewArray if view is pa.list_view else pa.LargeListViewArray
    numbers = (pa.array(them, offsets) for them in ([1, 0, 3, 2, 0], [2, 0, 1, 2, 0]))
    mixed = kind.from_arrays(*numbers, pa.array(["x", "the cat", "a cat", "x"]), mask=pa.array([False, True, False, False, False]))
    assert bolide.segments("chrf", pa.array(SAID), mixed).to_pylist() == expected
    tokens = [["a", "cat"], ["x"]]
    found = bolide.segments("ter", pa.array(tokens, view(pa.string())), pa.array([[["a", "dog"], ["b"]], [["x"]]], view(view(pa.string()))))
    assert found.to_pylist() == [bolide.score("ter", ["a", "cat"], [["a", "dog"], ["b"]]), 0.0]


def test_an_empty_dictionary():
    empty = pa.DictionaryArray.from_arrays(pa.array([None, None], pa.int8()), pa.array([], pa.string()))
    assert bolide.segments("chrf", empty, ["a", "b"]).to_pylist() == [None, None]
    assert bolide.segments("chrf", empty.slice(0, 0), empty.slice(0, 0)).to_pylist() == []


def test_lists_of_categories_are_references():
    references = pa.array([["the cat", "a cat"], ["dog"]], pa.list_(pa.dictionary(pa.int32(), pa.string())))
    plain = pa.array([["the cat", "a cat"], ["dog"]])
    said = pa.array(["a cat", "a dog"])
    assert bolide.segments("meteor", said, references) == bolide.segments("meteor", said, plain)
    with pytest.raises(TypeError, match="expected an Arrow column of string or list<string>"):
        bolide.segments("meteor", pa.array([1, 1]).dictionary_encode(), said)


def test_polars_columns_are_called_score():
    frame = pl.DataFrame({"system": ["a", "a", "b"], "hyp": ["the cat", "a dog", "a cat"], "ref": ["the cat", "the dog", "the cat"]})
    for expression in (
        bolide.polars.score("ter", "hyp", "ref"),
        bolide.polars.ter("hyp", "ref", threads=2),
        bolide.polars.ter(pl.col("hyp").cast(pl.Categorical), pl.col("ref")),
    ):
        assert frame.select(expression).to_dict(as_series=False) == {"score": [0.0, 50.0, 50.0]}
        assert frame.lazy().select(expression).collect().columns == ["score"]


def test_a_corpus_in_polars():
    frame = pl.DataFrame({"system": ["a", "a", "b"], "hyp": ["the cat", "a dog", "a cat"], "ref": ["the cat", "the dog", "the cat"]})
    whole = bolide.polars.corpus("ter", "hyp", "ref")
    assert frame.select(whole).to_dict(as_series=False) == {"score": [bolide.corpus("ter", frame["hyp"], frame["ref"]).score]}
    groups = frame.group_by("system").agg(bolide.polars.corpus(bolide.Bleu("nltk"), "hyp", "ref"), n=pl.len()).sort("system")
    expected = [bolide.corpus("bleu:nltk", part["hyp"], part["ref"]).score for part in frame.partition_by("system")]
    assert groups.rows() == [("a", expected[0], 2), ("b", expected[1], 1)]
    assert frame.lazy().group_by("system").agg(whole).collect().columns == ["system", "score"]
    assert frame.with_columns(bolide.polars.corpus("ter", "hyp", "ref").over("system"))["score"].to_list() == [25.0, 25.0, 50.0]
    missing = frame.with_columns(hyp=pl.when(pl.col("system") == "b").then(None).otherwise("hyp"))
    with pytest.raises(Exception, match="missing|null|None"):
        missing.select(whole)
    assert missing.select(bolide.polars.corpus("ter", "hyp", "ref", nulls="skip")).item() == 25.0


def test_the_extras():
    """`pip install bolide` installs nothing else; `bolide[duckdb]` and so on install what those modules import."""
    required = importlib.metadata.requires("bolide") or []
    extras = {}
    for requirement in required:
        package, _, marker = requirement.partition(";")
        assert "extra" in marker, requirement
        extras.setdefault(marker.split("==")[1].strip(" '\""), set()).add(package.split(">")[0].strip())
    assert extras == {"duckdb": {"duckdb", "pyarrow"}, "polars": {"polars"}, "spark": {"pyspark", "pandas", "pyarrow"}}


def runs(ends, before):
    """Runs whose ends are overwritten after PyArrow has checked them."""
    memory = bytearray(array.array("i", before).tobytes())
    checked = pa.Array.from_buffers(pa.int32(), len(before), [None, pa.py_buffer(memory)])
    column = pa.RunEndEncodedArray.from_arrays(checked, pa.array([str(end) for end in before]))
    memory[:] = array.array("i", ends).tobytes()
    return column


@pytest.mark.parametrize(
    "damaged",
    [
        lambda: runs([1, 2], [1, 3]),
        lambda: runs([3, 2], [2, 3]),
        lambda: runs([3, 3], [2, 3]),
        lambda: runs([0, 3], [1, 3]),
        lambda: runs([-1, 3], [1, 3]),
        lambda: runs([1, 1], [1, 3]).slice(2, 1),
        lambda: pa.DictionaryArray.from_arrays(pa.array([5, 0]), pa.array(["a"]), safe=False),
        lambda: pa.DictionaryArray.from_arrays(pa.array([-1, 0]), pa.array(["a"]), safe=False),
        lambda: pa.DictionaryArray.from_arrays(pa.array([0]), pa.array([], pa.string()), safe=False),
    ],
)
def test_damaged_dictionaries_and_runs_are_refused(damaged):
    column = damaged()
    with pytest.raises(ValueError):
        bolide.segments("ter", column, ["a"] * len(column))


def test_a_missing_reference_in_another_kind_of_column_is_refused_too():
    ter = bolide.Metric("ter")
    for references in (pa.array(["a", None]), pl.Series(["a", None]), ["a", None]):
        with pytest.raises((TypeError, ValueError)):
            ter.segments(["a", "b"], references)
        assert ter.segments(["a", "b"], references, nulls="skip") == [0.0, None]


def test_nothing_but_nulls_in_polars():
    frame = pl.DataFrame({"h": ["a", "b"], "r": [None, None], "l": [[], []]})
    for column in ("r", "l"):
        scores = frame.select(bolide.polars.score("ter", "h", column))["score"]
        assert scores.to_list() == [None, None]
    assert bolide.segments("ter", pl.Series([]), pl.Series([])).name == "score"


def test_a_group_of_which_nothing_can_be_scored_has_no_score_in_polars():
    frame = pl.DataFrame({"g": [1, 1, 2], "h": ["a", None, None], "r": ["a", "b", "c"]}, schema_overrides={"h": pl.String})
    grouped = frame.group_by("g", maintain_order=True).agg(bolide.polars.corpus("ter", "h", "r", nulls="skip"))
    assert grouped.rows() == [(1, 0.0), (2, None)]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view(), pa.list_(pa.string())])
def test_an_empty_slice_at_an_offset(kind):
    texts = [["abc"], ["def"], ["g"]] if pa.types.is_list(kind) else ["abc", "def", "g"]
    column = pa.array(texts, kind)
    for empty in (column.slice(3), column.slice(2, 0), pa.chunked_array([column.slice(3), column.slice(0, 0)])):
        assert len(bolide.segments("ter", empty, empty)) == 0
    chunked = pa.chunked_array([column.slice(3), column])
    assert bolide.segments("ter", chunked, chunked).to_pylist() == [0.0] * 3


def test_lists_of_missing_references_and_of_no_tokens():
    ter = bolide.Metric("ter")
    assert ter.corpus(["a", "b"], [["a"], [None]], nulls="skip").components["edits"] == 0
    # No tokens are a text, and no references are none.
    hypotheses, references = [["a"], ["b"]], [["a"], []]
    assert ter.segments(hypotheses, references, nulls="skip") == [0.0, 100.0]
    assert ter.corpus(hypotheses, references, nulls="skip").components["edits"] == 1


def test_warnings_are_at_the_line_of_the_caller():
    for call in (lambda: bolide.segments("cider", ["a"], ["a"]), lambda: bolide.score("cider", "a", "a")):
        with pytest.warns(UserWarning) as told:
            call()
        assert told[0].filename == __file__


def test_a_table_of_one_column_is_that_column():
    columns = [pa.table({"text": ["a b", "c"]}), pa.table({"ref": ["a b", "d"]})]
    assert bolide.segments("bleu:unigram", *columns).to_pylist() == [1.0, 0.0]
    assert bolide.segments("bleu:unigram", *[column.slice(1) for column in columns]).to_pylist() == [0.0]
    with pytest.raises(TypeError, match="expected an Arrow column of string"):
        bolide.segments("ter", pa.table({"a": ["x"], "b": ["y"]}), ["x"])
