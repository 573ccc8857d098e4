"""The package's own API: kinds of columns, threads, notebooks and pickling, mistakes."""

import json
import os
import pickle
import re
import signal
import statistics
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bolide
import bolide.polars

HYPOTHESES = ["the cat sat on the mat", "a dog barked", "on the mat sat the cat", ""]
REFERENCES = ["the cat sat on a mat", "the dog barked", "the cat sat on the mat", "x"]
METRICS = [d["name"] for d in bolide.dialects() if not d["name"].startswith("meteor:1.5")]


def bits(values):
    return [float(value).hex() for value in values]


def expected(metric="meteor:nltk"):
    return [bolide.score(metric, h, r) for h, r in zip(HYPOTHESES, REFERENCES)]


@pytest.mark.parametrize("name", METRICS)
def test_every_size_of_call_gives_the_same(name):
    metric = bolide.Metric(name)
    scores = metric.segments(HYPOTHESES[:3], REFERENCES[:3])
    singles = [metric.segment(h, r) for h, r in zip(HYPOTHESES[:3], REFERENCES[:3])]
    assert bits(scores) == bits(singles)
    assert bits(scores) == bits(expected(name)[:3])
    details = metric.segments(HYPOTHESES[:3], REFERENCES[:3], details=True)
    for key in singles[0].components:
        assert bits(details[key]) == bits(single.components[key] for single in singles)
    whole = metric.corpus(HYPOTHESES[:3], REFERENCES[:3])
    assert "nrefs:1" in whole.signature
    for cut in range(4):
        parts = [metric.accumulator(), metric.accumulator()]
        parts[0].update(HYPOTHESES[:cut], REFERENCES[:cut])
        parts[1].update(HYPOTHESES[cut:3], REFERENCES[cut:3])
        parts = [pickle.loads(pickle.dumps(part)) for part in parts]
        merged = parts[0].merge(parts[1]).compute()
        assert merged.hex() == whole.hex()
        assert merged.signature == whole.signature
        assert repr(merged.components) == repr(whole.components)


COLUMNS = {
    "list": (list, list),
    "tuple": (tuple, tuple),
    "numpy": (np.array, np.ndarray),
    "numpy of objects": (lambda rows: np.array(rows, dtype=object), np.ndarray),
    "pandas": (lambda rows: pd.Series(rows, index=list("wxyz")[: len(rows)]), pd.Series),
    "pandas with Arrow": (
        lambda rows: pd.Series(rows, dtype=pd.ArrowDtype(pa.string())),
        pd.Series,
    ),
    "polars": (pl.Series, pl.Series),
    "pyarrow": (pa.array, pa.Array),
    "pyarrow large": (lambda rows: pa.array(rows, pa.large_string()), pa.Array),
    "pyarrow view": (lambda rows: pa.array(rows, pa.string_view()), pa.Array),
    "pyarrow chunks": (lambda rows: pa.chunked_array([rows[:1], rows[1:]]), pa.ChunkedArray),
    "pyarrow slice": (lambda rows: pa.array(["?", *rows, "?"]).slice(1, len(rows)), pa.Array),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_columns_come_back_as_they_went_in(kind):
    make, result = COLUMNS[kind]
    scores = bolide.Meteor("nltk").segments(make(HYPOTHESES), make(REFERENCES))
    assert isinstance(scores, result)
    values = scores.to_pylist() if isinstance(scores, (pa.Array, pa.ChunkedArray)) else scores
    assert bits(values) == bits(expected())
    if kind == "pandas":
        assert list(scores.index) == list("wxyz")
    corpus = bolide.Meteor("nltk").corpus(make(HYPOTHESES), make(REFERENCES))
    assert corpus.hex() == bolide.Meteor("nltk").corpus(HYPOTHESES, REFERENCES).hex()


def test_kinds_may_be_mixed_and_other_iterables_are_read():
    metric = bolide.Meteor("nltk")
    assert bits(metric.segments(pl.Series(HYPOTHESES), pa.array(REFERENCES))) == bits(expected())
    assert bits(metric.segments(iter(HYPOTHESES), REFERENCES)) == bits(expected())


def test_tables_of_details_are_of_the_same_kind_too():
    metric = bolide.Bleu()
    for column, kind in [
        (pd.Series(HYPOTHESES), pd.DataFrame),
        (pl.Series(HYPOTHESES), pl.DataFrame),
        (pa.array(HYPOTHESES), pa.Table),
        (HYPOTHESES, dict),
    ]:
        table = metric.segments(column, REFERENCES, details=True)
        assert isinstance(table, kind)
        names = {pa.Table: "column_names", dict: "keys"}.get(kind, "columns")
        names = getattr(table, names)
        names = list(names() if callable(names) else names)
        assert names[:2] == ["score", "precision1"]


def test_token_lists():
    metric = bolide.Meteor("nltk")
    hypotheses = [text.split() for text in HYPOTHESES]
    references = [text.split() for text in REFERENCES]
    several = [[tokens, ["y"]] for tokens in references]
    for make in (list, pa.array, pl.Series, pd.Series):
        scores = metric.segments(make(hypotheses), make(references))
        assert bits(scores.to_pylist() if make is pa.array else scores) == bits(expected())
    assert bits(metric.segments(hypotheses, several)) == bits(expected())
    assert metric.segments(pa.array(hypotheses), pa.array(several)).to_pylist() == expected()
    assert metric.segment(hypotheses[0], references[0]) == expected()[0]
    assert bolide.score("bleu:nltk|order:1", ["a b"], ["a b"]) == 1.0


def test_several_references():
    metric = bolide.Bleu()
    rows = [[reference, "the cat"] for reference in REFERENCES]
    scores = metric.segments(HYPOTHESES, rows)
    assert bits(metric.segments(pa.array(HYPOTHESES), pa.array(rows)).to_pylist()) == bits(scores)
    assert bits(metric.segments(pl.Series(HYPOTHESES), pl.Series(rows))) == bits(scores)
    frame = pd.DataFrame(rows)
    assert bits(metric.segments(pd.Series(HYPOTHESES), frame)) == bits(scores)
    assert "nrefs:2" in metric.corpus(HYPOTHESES, rows).signature
    uneven = [rows[0], [None, "x"], rows[2], rows[3]]
    assert "nrefs:var" in metric.corpus(HYPOTHESES, uneven).signature
    arrow = pa.array([[None, "x"], ["y"]])
    assert metric.segments(pa.array(["x", "y"]), arrow).to_pylist() == metric.segments(["x", "y"], ["x", "y"])


def test_missing_values():
    metric = bolide.Meteor("nltk")
    holes = ["the cat", None, "a dog"]
    full = ["the cat", "x", None]
    assert metric.segments(pa.array(holes), pa.array(full)).to_pylist() == [0.9375, None, None]
    assert metric.segments(pl.Series(holes), pl.Series(full)).to_list() == [0.9375, None, None]
    series = metric.segments(pd.Series(holes), pd.Series(full))
    assert series[0] == 0.9375 and series.isna().tolist() == [False, True, True]
    with pytest.raises(TypeError, match="segment 1: a hypothesis is a string"):
        metric.segments(holes, full)
    with pytest.raises(bolide.InvalidSegmentError, match="segment 1"):
        metric.corpus(pa.array(holes), pa.array(full))


def test_arrow_is_not_copied():
    class Watched:
        """Exports the same buffers again and counts the exports."""

        def __init__(self, array):
            self.array, self.asked = array, 0

        def __arrow_c_array__(self, requested_schema=None):
            self.asked += 1
            return self.array.__arrow_c_array__(requested_schema)

    hypotheses, references = (Watched(pa.array(column)) for column in (HYPOTHESES, REFERENCES))
    before = pa.total_allocated_bytes()
    floats = bolide.Meteor("nltk").segments(hypotheses, references)
    assert pa.total_allocated_bytes() == before
    assert (hypotheses.asked, references.asked) == (1, 1)
    assert bits(pa.array(floats).to_pylist()) == bits(expected())
    assert len(floats) == 4


def test_lists_of_fixed_size_past_their_values_are_refused():
    """Arrow's own validation accepts them, but building the array would panic."""
    values = pa.array(["a", "b", "c", "d"])
    lists = pa.Array.from_buffers(pa.list_(pa.string(), 2), 2, [None], offset=3, children=[values])
    with pytest.raises(ValueError, match="an Arrow array cannot be read: .* more than the 4 values"):
        bolide.Meteor("classic").segments(["a", "b"], lists)


def test_damaged_arrow_is_refused():
    offsets = pa.py_buffer(np.array([0, 2], dtype=np.int32).tobytes())
    text = pa.py_buffer(b"\xff\xfe")
    array = pa.Array.from_buffers(pa.string(), 1, [None, offsets, text])
    with pytest.raises(ValueError, match="an Arrow array cannot be read"):
        bolide.Meteor("nltk").segments(array, ["x"])
    with pytest.raises(TypeError, match="expected an Arrow column of string"):
        bolide.Meteor("nltk").segments(pa.array([1, 2]), ["x", "y"])


def test_polars_expressions():
    frame = pl.DataFrame({"hyp": HYPOTHESES, "ref": REFERENCES, "refs": [[r, "z"] for r in REFERENCES]})
    out = frame.lazy().with_columns(
        nltk=bolide.polars.meteor(pl.col("hyp"), pl.col("ref"), dialect="nltk"),
        bleu=bolide.polars.bleu("hyp", "refs", tok="none"),
        chrf=bolide.polars.chrf("hyp", "ref"),
        ter=bolide.polars.ter("hyp", "ref"),
        rouge=bolide.polars.rouge("hyp", "ref"),
    ).collect()
    assert bits(out["nltk"]) == bits(expected())
    rows = [[reference, "z"] for reference in REFERENCES]
    assert bits(out["bleu"]) == bits(bolide.Bleu(tok="none").segments(HYPOTHESES, rows))
    assert bits(out["ter"]) == bits(bolide.Ter().segments(HYPOTHESES, REFERENCES))


def many(n_rows):
    words = "the a cat dog sat on under mat house big small red and".split()
    rows = [
        " ".join(words[(row * 7 + place * place) % len(words)] for place in range(5 + row % 9))
        for row in range(n_rows)
    ]
    return rows, rows[1:] + rows[:1]


@pytest.mark.parametrize("name", ["meteor:classic", "meteor:hf", "ter", "bleu:nltk|smooth:method5"])
def test_threads_never_change_a_bit(name):
    hypotheses, references = many(3000)
    metric = bolide.Metric(name)
    alone = metric.segments(hypotheses, references, threads=1)
    corpus = metric.corpus(hypotheses, references, threads=1)
    for threads in (2, 7, None):
        assert bits(metric.segments(hypotheses, references, threads=threads)) == bits(alone)
        assert metric.corpus(hypotheses, references, threads=threads).hex() == corpus.hex()


def test_threads_are_at_least_one():
    with pytest.raises(ValueError, match="threads must be at least 1, got 0"):
        bolide.Bleu().segments(["a"], ["a"], threads=0)


def test_progress_is_told_and_may_stop_the_run():
    calls = []
    bolide.Bleu().segments(*many(2000), progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (2000, 2000)

    def stop(done, total):
        raise RuntimeError("enough")

    for threads in (1, 2):
        with pytest.raises(RuntimeError, match="enough"):
            bolide.Bleu().corpus(*many(2000), threads=threads, progress=stop)


def test_other_threads_run_meanwhile():
    ticks, stop = [0], threading.Event()

    def tick():
        while not stop.is_set():
            ticks[0] += 1
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    begin = time.monotonic()
    bolide.Ter().segments(*many(40000), threads=1)
    took = time.monotonic() - begin
    stop.set()
    ticker.join()
    # If the interpreter were held, the ticker would have stopped until the end.
    assert took < 0.05 or ticks[0] > 5


CTRL_C = """
import bolide, sys
words = [str(n % 50) for n in range(400)]
text = " ".join(words)
rows = [text] * 1000000
print("ready", flush=True)
try:
    bolide.Ter().corpus(rows, [" ".join(reversed(words))] * len(rows), threads=int(sys.argv[1]))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("threads", ["1", "2"])
def test_ctrl_c(threads):
    command = [sys.executable, "-c", CTRL_C, threads]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert process.wait(30) == 0


TOKENS = """
import bolide, random, sys
draw = random.Random(1)
rows = [[f"w{draw.randrange(200)}" for _ in range(int(sys.argv[1]))] for _ in range(500)]
hypotheses, references = rows * 4000, (rows[1:] + rows[:1]) * 4000
metric = bolide.Meteor(sys.argv[2])
print("ready", flush=True)
try:
    metric.segments(hypotheses, references, threads=1)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("metric", ["nltk", "classic"])
@pytest.mark.parametrize("length", ["20", "400"])
def test_ctrl_c_in_token_lists(metric, length):
    # 0.2 s on a machine that has nothing else to do.
    assert seconds_to_stop([TOKENS, length, metric], 0.5) < 1


# One segment that takes minutes.
LONG = """
import bolide, sys
text = "word " * 3000000
metric = bolide.Metric("rougeL")
print("ready", flush=True)
try:
    match sys.argv[1]:
        case "score":
            metric.segment(text, text + "end")
        case threads:
            metric.segments([text] + ["a"] * 300, [text + "end"] + ["a"] * 300, threads=int(threads))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("call", ["score", "1", "2"])
def test_ctrl_c_in_a_long_segment(call):
    assert seconds_to_stop([LONG, call], 2) < 2


# Resampling that takes minutes.
RESAMPLING = """
import bolide, sys
from bolide import _bolide
texts = [f"a b c d {n % 7} {n % 11}" for n in range(20000)]
print("ready", flush=True)
try:
    match sys.argv[1]:
        case "confidence":
            bolide.Meteor().corpus(texts, texts[1:] + texts[:1], confidence=1000000)
        case test:
            systems = [texts, texts[1:] + texts[:1]]
            _bolide.paired(bolide.Meteor()._native, systems, texts, test=test, n_samples=1000000, n_confidence=0, seed=1, threads=1)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("call", ["confidence", "bs", "ar"])
def test_ctrl_c_while_resampling(call):
    assert seconds_to_stop([RESAMPLING, call], 3) < 2


def seconds_to_stop(script, wait):
    """How long a script, which says when it is ready, takes to end after Ctrl-C."""
    with subprocess.Popen([sys.executable, "-c", *script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(wait)
        process.send_signal(signal.SIGINT)
        sent = time.monotonic()
        assert process.stdout.readline() == "interrupted\n"
        taken = time.monotonic() - sent
        process.wait(30)
        return taken


# One segment of many words, or of many references, that takes at least several seconds.
HUGE = """
import bolide, random, sys
name, what = sys.argv[1:]
metric = bolide.Metric(name)
if what == "words":
    draw = random.Random(1)
    texts = [" ".join(draw.choices([f"w{n}" for n in range(20)], k=300000)) for _ in range(2)]
    hypothesis, references = texts[0], [texts[1]]
else:
    hypothesis, references = "word " * 400, ["word " * 400] * 200000
print("ready", flush=True)
try:
    metric.segment(hypothesis, references)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize(
    "metric, what",
    [("meteor:1.5-nopara", "words"), ("rougeLsum", "words")]
    + [(name, "references") for name in ("meteor:classic", "meteor:1.5-nopara", "ter", "chrf++", "gleu", "rougeL", "rougeL:coco")],
)
def test_ctrl_c_in_a_huge_segment(metric, what):
    # 0.2 s on a machine that has nothing else to do.
    assert seconds_to_stop([HUGE, metric, what], 0.7) < 2


def score_in_child(metric):
    return metric.segments(*many(600), threads=2)[-1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_forked_and_spawned_children_score():
    import multiprocessing

    metric = bolide.Meteor("nltk")
    here = score_in_child(metric)
    for method in ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(1) as pool:
            assert pool.apply(score_in_child, (metric,)) == here


@pytest.mark.parametrize("name", METRICS)
def test_metrics_pickle_by_signature(name):
    metric = bolide.Metric(name)
    again = pickle.loads(pickle.dumps(metric))
    assert again == metric and hash(again) == hash(metric) and again.signature == metric.signature


def test_subclasses_pickle_too():
    again = pickle.loads(pickle.dumps(bolide.Meteor("nltk", alpha=0.8)))
    assert type(again) is bolide.Meteor and "alpha:0.8" in again.signature
    score = bolide.Bleu().segment("a b c d", "a b c d")
    again = pickle.loads(pickle.dumps(score))
    assert again == score and again.components == score.components
    explanation = bolide.Meteor().explain("a cat", "the cat")
    assert pickle.loads(pickle.dumps(explanation)).to_dict() == explanation.to_dict()


def test_scores_are_floats():
    score = bolide.Bleu().corpus(HYPOTHESES, REFERENCES)
    assert isinstance(score, float) and json.loads(json.dumps(score)) == score.score
    assert f"{score:.1f}" == f"{score.score:.1f}" and str(score) == repr(score.score)
    html = score._repr_html_()
    assert "brevity_penalty" in html and "bleu:sacrebleu" in html


def test_confidence():
    score = bolide.Bleu().corpus(*many(200), confidence=500)
    mean, half_width = score.confidence
    assert abs(mean - score) < half_width
    assert bolide.Bleu().corpus(*many(200), confidence=500).confidence == score.confidence
    assert bolide.Bleu().corpus(*many(200), confidence=500, seed=1).confidence != score.confidence
    assert bolide.Bleu().corpus(*many(200)).confidence is None


def test_explanations():
    it = bolide.Meteor().explain("on the <b>mat</b> sat the cats", "the cat sat on the <b>mat</b>")
    assert it.matches == len(it.pairs) and it.score == float(it)
    stages = {pair["stage"] for pair in it.pairs}
    assert stages == {"exact", "stem"}
    html = it._repr_html_()
    assert "<svg" in html and "precision" in html and "mat" in html
    assert "<b>" not in html and "<script" not in html
    assert str(it).count("\n") == 3
    empty = bolide.Meteor("nltk").explain("x", "y")
    assert empty.matches == 0 and "(no match)" in str(empty) and empty._repr_html_()
    with pytest.raises(AttributeError):
        it.no_such_field


MISTAKES = [
    (lambda: bolide.Metric("meteor:nltkk"), bolide.UnknownMetricError, "did you mean meteor:nltk"),
    (lambda: bolide.Meteor("nltk", colour=1), bolide.InvalidSignatureError, "no key 'colour'"),
    (lambda: bolide.Bleu(tok="ja-mecab"), bolide.UnavailableError, "needs MeCab"),
    (lambda: bolide.score("bleu", "a", []), bolide.InvalidSegmentError, "at least one reference"),
    (lambda: bolide.score("bleu", 1, "a"), TypeError, "got an object of type int"),
    (lambda: bolide.score("bleu", None, "a"), TypeError, "got None"),
    (lambda: bolide.score("bleu", b"a", "a"), TypeError, "got an object of type bytes"),
    (lambda: bolide.score("bleu", ["a", 1], "a"), TypeError, "the tokens of a hypothesis"),
    (lambda: bolide.score("bleu", ["a"], "a"), TypeError, "all strings or all token lists"),
    (lambda: bolide.score("bleu", "a", [["a"]]), TypeError, "all strings or all token lists"),
    (lambda: bolide.Bleu().segments("a", ["a"]), TypeError, "expected a list or a column"),
    (lambda: bolide.Bleu().segments(["a", ["b"]], ["a", "b"]), TypeError, "segment 1"),
    (lambda: bolide.Bleu().segments(["a", "b"], ["a"]), ValueError, r"zip\(\*references\)"),
    (lambda: bolide.Bleu().segments(["a"], [[]]), bolide.InvalidSegmentError, "segment 0"),
    (lambda: bolide.Bleu().segments({"a": 1}, ["a"]), TypeError, "got a dict: pass its values in a list"),
    (lambda: bolide.Bleu().segments(5, ["a"]), TypeError, "expected a list or a column"),
    (
        lambda: bolide.score("meteor", ["the cat sat"], [["the cat sat"]]),
        TypeError,
        "a list of one token, 'the cat sat': pass the string itself",
    ),
    (
        lambda: bolide.Bleu().segments([["the cat sat"]], [[["the cat sat"]]]),
        TypeError,
        "a list of one token",
    ),
    (
        lambda: bolide.Meteor("nltk", alpha=-5),
        bolide.InvalidSignatureError,
        "meteor:nltk: alpha is a number from 0 to 1, got '-5'",
    ),
    (lambda: bolide.Meteor(beta=0), bolide.InvalidSignatureError, "beta is a number above 0"),
    (lambda: bolide.Metric("bert-score"), bolide.UnknownMetricError, "asks a neural network"),
    (
        lambda: bolide.Bleu().accumulator().merge(bolide.Ter().accumulator()),
        bolide.InvalidStatisticsError,
        "different metrics do not merge",
    ),
    (
        lambda: bolide.Accumulator.from_bytes(bolide.Bleu(), b"12345678"),
        bolide.InvalidStatisticsError,
        "no statistics of bleu:sacrebleu: too short",
    ),
    (
        lambda: bolide.Accumulator.from_bytes(bolide.Bleu(), bolide.Ter().accumulator().to_bytes()),
        bolide.InvalidStatisticsError,
        "those of another metric",
    ),
    (
        lambda: bolide.score("bleu|nrefs:2", "a", "b"),
        bolide.InvalidSegmentError,
        "is for 2 references, but the references given are nrefs:1",
    ),
    (
        lambda: bolide.Metric("bleu|nrefs:2").segments(["a", "b"], [["a", "b"], ["a"]]),
        bolide.InvalidSegmentError,
        "segment 1: 'bleu.nrefs:2' is for 2 references",
    ),
    (
        lambda: bolide.Metric("bleu|nrefs:var").corpus(["a", "b"], ["a", "b"]),
        bolide.InvalidSegmentError,
        "is for var references",
    ),
]


@pytest.mark.parametrize("call, kind, message", MISTAKES)
def test_mistakes(call, kind, message):
    with pytest.raises(kind, match=message) as raised:
        call()
    assert raised.type is kind
    assert not str(raised.value).endswith(".")


def test_nothing_to_score():
    assert bolide.Bleu().segments([], []) == []
    with pytest.raises(bolide.InvalidSegmentError, match="nothing to score"):
        bolide.Bleu().accumulator().compute()
    assert len(bolide.Meteor().segments(pa.array([], pa.string()), pa.array([], pa.string()))) == 0


def test_accumulators_reset_and_describe_themselves():
    accumulator = bolide.Meteor("nltk").accumulator()
    accumulator.update("a", "a")
    assert "1 segments" in repr(accumulator)
    accumulator.reset()
    assert accumulator.n_segments == 0


def test_the_textbook():
    from bolide.textbook import bleu_unigram, meteor_score

    assert meteor_score("the cat sat on the mat", "the cat sat on the mat", 0.5, 1, 0.0) == 1.0
    assert bleu_unigram("the the the the", "the cat is on the mat") == pytest.approx(0.30326533)


def test_names_in_any_case():
    for name, dialect in [("METEOR", "meteor:classic"), ("rouge-l", "rougeL:google")]:
        assert bolide.Metric(name).dialect["name"] == dialect
    assert bolide.Meteor("NLTK") == bolide.Meteor("nltk")


def test_a_metric_is_as_good_as_its_name():
    metric = bolide.Meteor("nltk")
    assert bolide.score(metric, "a b", "a b") == bolide.score("meteor:nltk", "a b", "a b")
    rows = ["a b", "c"], ["a b", "d"]
    assert bolide.segments(metric, *rows) == bolide.segments("meteor:nltk", *rows)
    assert bolide.corpus(metric, *rows) == bolide.corpus("meteor:nltk", *rows) == metric.corpus(*rows)
    assert bolide.Metric(metric) == metric and bolide.Metric(metric).signature == metric.signature


def test_streams_of_the_same_size_are_warned_of():
    rows = ["a b", "c d"]
    with pytest.warns(UserWarning, match="transpose them with zip"):
        bolide.Bleu().corpus(rows, [rows, rows])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bolide.Bleu().corpus(rows, [["a b", "x", "y"], ["c d"]])
        bolide.Bleu().corpus(rows, rows)


def test_a_score_of_nothing_for_text_without_spaces_is_warned_of():
    with pytest.warns(UserWarning, match=r"language:zh"):
        assert bolide.score("meteor", "我喜欢猫", "我爱猫") == 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert bolide.score("meteor|language:zh", "我喜欢猫", ["我爱猫"]) > 0.3
        assert bolide.score("meteor", "é", "è") == 0.0
        assert bolide.score("meteor", ["我喜欢猫"], ["我爱猫"]) == 0.0
        assert bolide.score("meteor", "\ud800", "a") == 0.0


def test_a_metric_of_corpora_says_why_one_segment_scores_nothing():
    with pytest.warns(UserWarning, match="a segment alone scores 0"):
        assert bolide.score("cider", "a cat sat", "a cat sat") == 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert bolide.score("bleu:unigram", "a dog", "the cat") == 0.0
    with pytest.warns(UserWarning, match="a segment alone scores 0"):
        assert bolide.segments("cider", ["a cat sat", "two dogs ran"], ["a cat sat", "a dog ran"]) == [0.0, 0.0]


def test_languages_are_those_of_the_engine():
    languages = {language["code"]: language for language in bolide.languages()}
    assert languages["en"]["synonyms"] == "wordnet-3.0"
    assert languages["zh"]["tokens"] == "unspaced" and languages["zh"]["stems"] is None
    for code, language in languages.items():
        signature = bolide.Metric(f"meteor|language:{code}").signature
        assert f"|tok:{language['tokens']}|" in signature


def test_synonyms_are_imported(tmp_path, monkeypatch):
    table = tmp_path / "wn-data-fin.tab"
    table.write_text("1\tlemma\ttalo\n1\tlemma\trakennus\n", encoding="utf-8")
    monkeypatch.setenv("BOLIDE_DATA", str(tmp_path / "data"))
    before = bolide.score("meteor|language:fi", "vanhat talot", "vanhat rakennus")
    assert bolide.import_tables(table) == ["synonyms-omw-fi"]
    assert bolide.list_tables() == ["synonyms-omw-fi"]
    assert bolide.score("meteor|language:fi", "vanhat talot", "vanhat rakennus") > before
    assert bolide.score("meteor|language:fi|synonyms:none", "vanhat talot", "vanhat rakennus") == before
    (listed,) = next(row for row in bolide.languages() if row["code"] == "fi")["tables"]
    assert f"|synonyms:{listed['name']}|" in bolide.Metric("meteor|language:fi").signature
    assert bolide.import_tables(table, tmp_path / "other", "et") == ["synonyms-omw-et"]
    with pytest.raises(bolide.BolideError, match="there is no language 'xx'"):
        bolide.import_tables(table, language="xx")


@pytest.mark.parametrize("name", ["spm", "flores101", "flores200", "spBLEU-1K", "ja-mecab", "ko-mecab"])
def test_a_missing_model_is_named(name, tmp_path, monkeypatch):
    for variable in ["SACREBLEU", "BOLIDE_DATA"]:
        monkeypatch.setenv(variable, str(tmp_path))
    with pytest.raises(bolide.UnavailableError, match="models|needs MeCab's dictionary"):
        bolide.Bleu(tok=name)


def test_lone_surrogates_are_characters():
    assert bolide.score("chrf", "a \ud800", "a \ud800") == 100.0
    assert bolide.score("chrf", "a \ud800", "a \ud801") < 100.0
    assert bolide.Bleu("unigram").segments(["\ud800 x"], [["\ud800 y"]]) == [0.5]
    assert bolide.Meteor().explain("a \udfff", "a \udfff").matches == 2


@pytest.mark.parametrize("kind", ["list", "pandas", "polars", "pyarrow"])
def test_nulls(kind):
    def column(values):
        if kind == "pandas":
            return pd.Series(values, dtype="object")
        if kind == "polars":
            return pl.Series(values)
        return pa.array(values) if kind == "pyarrow" else values

    hypotheses = column(["the cat", None, "a dog", "a cow"])
    references = column(["the cat", "a dog", None, "a cow"])
    bleu = bolide.Bleu("unigram")

    def scores(**options):
        found = bleu.segments(hypotheses, references, **options)
        return [None if score is None or score != score else score for score in list(getattr(found, "to_pylist", found.__iter__)())]

    assert scores(nulls="skip") == [1.0, None, None, 1.0]
    assert scores(nulls="zero") == [1.0, 0.0, None, 1.0]
    with pytest.raises((bolide.BolideError, TypeError), match="segment 1: "):
        scores(nulls="error")
    with pytest.raises(ValueError, match="nulls must be 'error', 'skip' or 'zero', got 'none'"):
        scores(nulls="none")
    with pytest.raises(ValueError, match="nulls must be 'error', 'skip' or 'zero', got 'none'"):
        bleu.corpus(hypotheses, references, nulls="none")
    if kind != "list":
        assert scores() == [1.0, None, None, 1.0]
    whole = bleu.corpus(["the cat", "a cow"], ["the cat", "a cow"])
    assert bleu.corpus(hypotheses, references, nulls="skip") == whole
    assert bleu.corpus(hypotheses, references, nulls="zero") == bleu.corpus(
        ["the cat", "", "a cow"], ["the cat", "a dog", "a cow"]
    )
    with pytest.raises((bolide.BolideError, TypeError)):
        bleu.corpus(hypotheses, references)


@pytest.mark.parametrize("kind", ["list", "pandas", "polars", "pyarrow", "expression"])
def test_an_empty_list_of_references_is_a_missing_one(kind):
    hypotheses, references = ["the cat", "a dog", "a cow"], [["the cat"], [], [None]]
    bleu = bolide.Bleu("unigram")
    if kind == "pandas":
        hypotheses, references = pd.Series(hypotheses), pd.Series(references)
    elif kind == "polars":
        hypotheses, references = pl.Series(hypotheses), pl.Series(references, dtype=pl.List(pl.String))
    elif kind == "pyarrow":
        hypotheses, references = pa.array(hypotheses), pa.array(references, pa.list_(pa.string()))
    elif kind == "expression":
        frame = pl.DataFrame({"hyp": hypotheses, "refs": references}, schema_overrides={"refs": pl.List(pl.String)})
        expression = bolide.polars.bleu("hyp", "refs", dialect="unigram")
        assert frame.select(expression)["score"].to_list() == [1.0, None, None]
        return
    for nulls in ("skip", "zero"):
        found = bleu.segments(hypotheses, references, nulls=nulls)
        found = found.to_pylist() if kind == "pyarrow" else list(found)
        assert [None if score is None or score != score else score for score in found] == [1.0, None, None]
    with pytest.raises(bolide.InvalidSegmentError, match="segment 1: "):
        bleu.segments(hypotheses, references, nulls="error")
    with pytest.raises(bolide.InvalidSegmentError, match="segment 1: "):
        bleu.corpus(hypotheses, references)


def test_a_long_signature_leaves_the_numbers_in_sight():
    html = bolide.Meteor().explain("a cat", "the cat")._repr_html_()
    before, _, table = html.partition("<table>")
    assert "meteor:classic" in before and "overflow-wrap:anywhere" in before
    assert "meteor:classic" not in table and "<caption" not in html


def luminance(channels):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(share * c for share, c in zip((0.2126, 0.7152, 0.0722), linear))


@pytest.mark.parametrize("background, text", [(0xFFFFFF, 0x000000), (0x111111, 0xE0E0E0), (0x1E1E1E, 0xD4D4D4)])
def test_an_alignment_can_be_read_on_light_and_dark(background, text):
    # The notebooks' own colours: Jupyter's light and dark, and that of VS Code.
    def channels(colour):
        return [(colour >> shift & 255) / 255 for shift in (16, 8, 0)]

    html = bolide.Meteor().explain("a cat sat", "the cats sit")._repr_html_()
    html += bolide.Rouge("rouge1").explain("a cat sat", "the cats sit")._repr_html_()
    html += bolide.Ter().explain("a cat sat", "the cat sit on")._repr_html_()
    mixed = set(re.findall(r"color-mix\(in srgb, currentColor (\d+)%, #([0-9a-f]{6})\)", html))
    assert len(mixed) > 6 and not re.search(r'(fill|stroke)="#', html)
    for share, colour in mixed:
        part = int(share) / 100
        seen = [part * a + (1 - part) * b for a, b in zip(channels(text), channels(int(colour, 16)))]
        lights = sorted((luminance(seen), luminance(channels(background))))
        assert (lights[1] + 0.05) / (lights[0] + 0.05) >= 4.5, (colour, share)


def test_a_score_makes_numbers_of_its_own_type():
    scores = bolide.Bleu("unigram").segment("a b", "a c"), bolide.Bleu("unigram").segment("a", "a")
    assert statistics.mean(scores) == 0.75 and statistics.median(scores) == 0.75
    assert type(scores[0]).fromhex("0x1p-1") == 0.5 and type(scores[0])("2.5") == 2.5
    plain = type(scores[0])(0.25)
    assert plain == 0.25 and plain.components == {} and plain.signature == "" and plain.confidence is None
