"""``bolide.compat.nltk`` against stored results of NLTK, by the fast path and by the slow path."""

import warnings

import pytest
from stored import exact, golden, same

from bolide.compat import nltk


class AskedPorter:
    """A custom stemmer, which forces the slow path."""

    def stem(self, word):
        return nltk.PorterStemmer().stem(word)


class Identity:
    def stem(self, word):
        return word


class Empty:
    def synsets(self, word):
        return []


def number(text):
    """A stored parameter, as an int or a float."""
    try:
        return int(text)
    except ValueError:
        return float(text)


SOURCES = ["meteor_ted.jsonl.gz", "meteor_xray.jsonl.gz", "meteor_synth.jsonl.gz"]


@pytest.mark.parametrize("name", SOURCES)
def test_meteor(name):
    rows = golden(f"nltk/{name}")
    for row in rows:
        assert same(nltk.single_meteor_score(row["ref"], row["hyp"]), float(row["score"])), row
    for row in rows[::5]:
        score = nltk.single_meteor_score(row["ref"], row["hyp"], stemmer=AskedPorter())
        assert same(score, float(row["score"])), row
        matches, _, _ = nltk.align_words(row["hyp"], row["ref"])
        assert matches == [tuple(pair[:2]) for pair in row["align"]], row


def test_meteor_with_several_references():
    for row in golden("nltk/meteor_multi.jsonl.gz"):
        assert same(nltk.meteor_score(row["refs"], row["hyp"]), float(row["score"])), row


def test_meteor_parameters():
    rows = golden("nltk/meteor_ted.jsonl.gz")
    for case in golden("nltk/meteor_params.jsonl.gz"):
        row = rows[case["row"]]
        parameters = {key: case[key] for key in ("alpha", "beta", "gamma")}
        parameters = {
            key: number(value) if isinstance(value, str) else value
            for key, value in parameters.items()
        }
        for stemmer in (nltk.PorterStemmer(), AskedPorter()):
            score = nltk.single_meteor_score(row["ref"], row["hyp"], stemmer=stemmer, **parameters)
            assert same(score, float(case["score"])), case


def test_meteor_variants():
    rows = golden("nltk/meteor_ted.jsonl.gz")
    variants = {
        "exact": {"stemmer": Identity(), "wordnet": Empty()},
        "stem": {"wordnet": Empty()},
        "snowball": {"stemmer": nltk.SnowballStemmer("english")},
        "syn_only": {"stemmer": Identity()},
        "nolower": {"preprocess": lambda word: word},
    }
    seen = set()
    for case in golden("nltk/meteor_variants.jsonl.gz"):
        row = rows[case["row"]]
        seen.add(case["variant"])
        score = nltk.single_meteor_score(row["ref"], row["hyp"], **variants[case["variant"]])
        assert same(score, float(case["score"])), case
    assert seen == set(variants)


def test_meteor_edges():
    for row in golden("nltk/meteor_edge.jsonl.gz"):
        parameters = {key: number(value) for key, value in (row.get("params") or {}).items()}
        for stemmer in (nltk.PorterStemmer(), AskedPorter()):
            if isinstance(row["score"], dict):
                with pytest.raises(BaseException) as raised:
                    nltk.single_meteor_score(row["ref"], row["hyp"], stemmer=stemmer, **parameters)
                assert raised.type.__name__ == row["score"]["error"], row["id"]
            else:
                score = nltk.single_meteor_score(
                    row["ref"], row["hyp"], stemmer=stemmer, **parameters
                )
                assert same(score, float(row["score"])), row["id"]


ERRORS = {
    "single: both strings": lambda: nltk.single_meteor_score("a b", "a b"),
    "single: reference string": lambda: nltk.single_meteor_score("a b", ["a", "b"]),
    "single: hypothesis string": lambda: nltk.single_meteor_score(["a", "b"], "a b"),
    "multi: list of strings": lambda: nltk.meteor_score(["a b"], ["a", "b"]),
    "multi: references string": lambda: nltk.meteor_score("a b", ["a", "b"]),
    "multi: hypothesis string": lambda: nltk.meteor_score([["a", "b"]], "a b"),
    "multi: no references": lambda: nltk.meteor_score([], ["a"]),
    "multi: one empty reference": lambda: nltk.meteor_score([[]], ["a"]),
    "multi: empty + real": lambda: nltk.meteor_score([[], ["a", "b"]], ["a", "b"]),
    "token not a string": lambda: nltk.single_meteor_score([1], ["a"]),
    "token bytes": lambda: nltk.single_meteor_score([b"a"], ["a"]),
    "tuple tokens ok": lambda: nltk.single_meteor_score(("a", "b"), ("a", "b")),
    "generator hypothesis, two references (second sees it exhausted)": lambda: nltk.meteor_score(
        [["x"], ["a", "b"]], (token for token in ["a", "b"])
    ),
}


def test_meteor_exceptions():
    rows = golden("nltk/meteor_errors.jsonl")
    assert {row["id"] for row in rows} == set(ERRORS)
    for row in rows:
        call = ERRORS[row["id"]]
        if "value" in row:
            assert same(call(), float(row["value"])), row
            continue
        with pytest.raises((TypeError, ValueError)) as raised:
            call()
        assert raised.type.__name__ == row["error"], row
        if row["error"] == "TypeError":
            assert str(raised.value) == row["message"]


WEIGHTS = {
    "m": (0.25, 0.25, 0.25, 0.25),
    "b1": (1.0,),
    "b2": (1 / 2, 1 / 2),
    "b3": (1 / 3, 1 / 3, 1 / 3),
    "b5": (0.2, 0.2, 0.2, 0.2, 0.2),
    "odd": (0.1, 0.3, 0.5, 0.1),
}


def outcome(call):
    """The number, or the name of the exception, and the number of warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = call()
        except Exception as error:
            result = {"error": type(error).__name__}
    return result, len(caught)


def check(call, stored, where):
    result, _ = outcome(call)
    if isinstance(stored, dict):
        assert result == stored, where
    else:
        assert same(result, exact(stored)), (where, result, stored)


def asked(function):
    """The same smoothing as a custom function."""
    return lambda *args, **kwargs: function(*args, **kwargs)


def test_sentence_bleu():
    smoothing = nltk.SmoothingFunction()
    for number, row in enumerate(golden("nltk/bleu_sentence.jsonl.gz")):
        refs, hyp = row["refs"], row["hyp"]
        for method in range(8):
            function = getattr(smoothing, f"method{method}")
            call = lambda f=function: nltk.sentence_bleu(refs, hyp, smoothing_function=f)
            check(call, row[f"m{method}"], (number, method))
            if number % 10 == 0:
                call = lambda f=function: nltk.sentence_bleu(refs, hyp, smoothing_function=asked(f))
                check(call, row[f"m{method}"], (number, method, "asked"))
        _, n_warnings = outcome(lambda: nltk.sentence_bleu(refs, hyp))
        assert n_warnings == row["warn0"], number
        for name in ("b1", "b2", "b3", "b5", "odd"):
            for method, stored in row[name].items():
                function = getattr(smoothing, method.replace("m", "method"))
                call = lambda f=function: nltk.sentence_bleu(refs, hyp, WEIGHTS[name], f)
                check(call, stored, (number, name, method))
        for order in range(5):
            precision = nltk.modified_precision(refs, hyp, order + 1)
            counts = (precision.numerator, precision.denominator)
            assert counts == (row["num"][order], row["den"][order])


def test_bleu_edges():
    for row in golden("nltk/bleu_edge.jsonl"):
        arguments = {}
        if "weights" in row:
            arguments["weights"] = eval(row["weights"])
        if "auto_reweigh" in row:
            arguments["auto_reweigh"] = row["auto_reweigh"]
        if "method" in row:
            options = {key: number(str(value)) for key, value in row.get("smoothing_params", {}).items()}
            smoothing = nltk.SmoothingFunction(**options)
            arguments["smoothing_function"] = getattr(smoothing, f"method{row['method']}")
        refs, hyp = row["refs"], row["hyp"]
        if "build" in row:
            start, extra = (3, 2) if "first 3 tokens" in row["build"] else (0, 0)
            refs, hyp = [refs[0] * 1250], (hyp * 1250)[start:] + hyp[:extra]
        function = getattr(nltk, row["call"])
        for ask in (False, True):
            if ask:
                base = arguments.get("smoothing_function", nltk.SmoothingFunction().method0)
                arguments = {**arguments, "smoothing_function": asked(base)}
            result, n_warnings = outcome(lambda: function(refs, hyp, **arguments))
            if isinstance(row["value"], dict):
                assert result == row["value"], row
            else:
                stored = row["value"]
                if stored.startswith("["):
                    expected = [exact(part.strip()) for part in stored[1:-1].split(",")]
                    assert all(map(same, result, expected)) and len(result) == len(expected), row
                else:
                    assert same(result, exact(stored)), (row, result)
            assert n_warnings == row["warnings"], row
