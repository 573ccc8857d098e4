"""Explanations of every dialect: the command's text and JSON, fields with types, and what a notebook shows."""

import json
import os
import pickle
import re
import subprocess
import types
import typing

import pytest

import bolide

PAIR = "the the cats <b>sat</b> on a mat now", "the cat sat on the <b>mat</b>"
COMMAND = os.environ["BOLIDE_COMMAND"]


def usable():
    for dialect in bolide.dialects():
        try:
            yield bolide.Metric(dialect["name"]).dialect["name"]
        except bolide.UnavailableError:
            pass  # The paraphrases of METEOR 1.5, if they are not imported.


DIALECTS = list(usable())


def printed(metric, *options):
    return subprocess.run([COMMAND, "explain", "-m", metric, *options, *PAIR], capture_output=True, text=True, check=True).stdout


def fits(value, hint):
    """Whether a value of JSON is what its type hint says."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, one) for one in arguments)
    if origin is list:
        return type(value) is list and all(fits(part, arguments[0]) for part in value)
    if origin is dict:
        return type(value) is dict and all(fits(part, arguments[1]) for part in value.values())
    if typing.is_typeddict(hint):
        hints = typing.get_type_hints(hint)
        return type(value) is dict and value.keys() == hints.keys() and all(fits(value[name], hints[name]) for name in hints)
    return type(value) is (type(None) if hint is None else hint) or (hint is float and type(value) is int)


def test_there_are_dialects_of_both_kinds():
    assert len(DIALECTS) >= len(bolide.dialects()) - 3
    kinds = {type(bolide.explain(name, *PAIR)).__name__ for name in DIALECTS}
    assert kinds == {"Explanation", "Evidence"}


@pytest.mark.parametrize("name", DIALECTS)
def test_an_explanation_is_that_of_the_command(name):
    it = bolide.explain(name, *PAIR)
    assert it.to_dict() == json.loads(printed(name, "--format", "json"))
    assert it.drawing == printed(name)
    assert isinstance(it, bolide.Explanation) == bolide.Metric(name).dialect["alignment"]
    if isinstance(it, bolide.Evidence):
        assert str(it) == it.drawing
    score = bolide.score(name, *PAIR)
    assert float(it) == score or (score != score and float(it) != float(it))


@pytest.mark.parametrize("name", DIALECTS)
def test_fields_are_what_their_types_say(name):
    it = bolide.explain(name, *PAIR)
    hints = typing.get_type_hints(type(it))
    known = it.to_dict()
    assert known.keys() <= hints.keys()
    for field in hints.keys() - {"version"}:
        value = getattr(it, field)
        assert fits(value, hints[field]) or (value is None and field == "score"), (field, value)
    again = pickle.loads(pickle.dumps(it))
    assert again.to_dict() == known and str(again) == str(it) and repr(again) == repr(it)


@pytest.mark.parametrize("name", DIALECTS)
def test_a_notebook_shows_all_of_it(name):
    it = bolide.explain(name, *PAIR)
    html = it._repr_html_()
    assert "<b>sat" not in html and "<script" not in html
    assert it.signature in html.replace("&lt;", "<")
    # No colour of its own: each is mixed with that of the notebook's text, for light and dark pages.
    assert not re.search(r"(?<!%, )#[0-9a-f]{6}", html)
    if isinstance(it, bolide.Evidence):
        for order in it.orders:
            assert all(ngram["text"].replace("<", "&lt;").replace(">", "&gt;") in html for ngram in order["ngrams"] if ngram["matches"])
        for step in it.steps:
            assert step["formula"].split("<")[0] in html


def test_evidence_by_hand():
    bleu = bolide.Bleu().explain("the the cat", ["the cat sat", "a cat"])
    the = bleu.orders[0]["ngrams"][0]
    assert the == {"text": "the", "hypothesis": 2, "reference": 1, "matches": 1}
    assert bleu.words == {"hypothesis": ["the", "the", "cat"], "references": [["the", "cat", "sat"], ["a", "cat"]]}
    assert "the×1/2" in str(bleu) and "the×1/2" in bleu._repr_html_()
    tokens = bolide.Bleu().explain(["the", "the", "cat"], [["the", "cat", "sat"], ["a", "cat"]])
    assert tokens.orders == bleu.orders
    ter = bolide.Ter().explain("on the mat sat the cat", "the cat sat on the mat")
    assert ter.edits["shifts"] and "moves from word" in str(ter) and "moves from word" in ter._repr_html_()
    rouge = bolide.Rouge("rougeL").explain("the cat sat", "the sat cat")
    assert rouge.subsequence == [{"reference": 0, "hypothesis": 0}, {"reference": 1, "hypothesis": 2}]
    assert rouge._repr_html_().count("<line ") == 2
    united = bolide.Rouge("rougeLsum").explain("the cat\nsat", "the cat\nslept")
    assert [one["reference"] for one in united.subsequence] == [0, 1] and "<svg" not in united._repr_html_()
    nothing = bolide.Nist().explain("a b", "a b")
    assert nothing.orders == [] and nothing.edits is None and nothing.components == bolide.Nist().segment("a b", "a b").components
    nothing.orders.append(1)
    assert bolide.Nist().explain("a b", "a b").orders == []
    for empty in ("", "   "):
        assert all(bolide.explain(name, empty, "a cat")._repr_html_() for name in DIALECTS)
        assert all(bolide.explain(name, "a cat", empty)._repr_html_() for name in DIALECTS)


def test_mistakes():
    with pytest.raises(TypeError, match="a list of one token"):
        bolide.explain("bleu", ["the cat sat"], [["the cat sat"]])
    with pytest.raises(bolide.InvalidSegmentError, match="is for 2 references"):
        bolide.explain("bleu|nrefs:2", "a", "b")
    with pytest.raises(AttributeError, match="no field 'pairs'"):
        bolide.explain("bleu", "a", "b").pairs
