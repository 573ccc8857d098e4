"""Lists that are longer than one read."""

import sys
import threading

import bolide
import pyarrow as pa
import pytest

N = 1500
HYPOTHESES = [f"the cat number {n} sat on mat {n % 7}" for n in range(N)]
REFERENCES = [f"a cat number {n - n % 2} sat on the mat {n % 5}" for n in range(N)]


def bits(scores):
    return [score.hex() for score in scores]


def test_parts_do_not_show():
    metric = bolide.Meteor("nltk")
    wanted = bits(metric.segments(HYPOTHESES, REFERENCES, threads=2))
    assert bits(metric.segments(HYPOTHESES, REFERENCES, threads=1)) == wanted
    assert bits(metric.segments(tuple(HYPOTHESES), tuple(REFERENCES), threads=1)) == wanted
    columns = pa.array(HYPOTHESES), pa.array(REFERENCES)
    assert bits(metric.segments(*columns, threads=1).to_pylist()) == wanted
    tokens = [[text.lower().split() for text in side] for side in (HYPOTHESES, REFERENCES)]
    assert bits(metric.segments(*tokens, threads=1)) == wanted
    several = [[reference, "something else"] for reference in REFERENCES]
    assert all(a >= b for a, b in zip(metric.segments(HYPOTHESES, several, threads=1), metric.segments(HYPOTHESES, REFERENCES)))
    one = metric.corpus(HYPOTHESES, REFERENCES, threads=1)
    assert one.score.hex() == metric.corpus(HYPOTHESES, REFERENCES, threads=2).score.hex()


def test_long_texts_come_in_smaller_parts():
    long = [" ".join(f"w{n % 50}" for n in range(start, start + 30_000)) for start in range(4)]
    hypotheses = [long[n % 4] if n % 3 == 0 else "w1 w2" for n in range(40)]
    references = [long[n % 3] if n % 7 == 0 else "w2 w1" for n in range(40)]
    metric = bolide.Meteor("textbook")
    assert bits(metric.segments(hypotheses, references, threads=1)) == bits(
        [metric.segment(hypothesis, reference).score for hypothesis, reference in zip(hypotheses, references)]
    )


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "tokens",
    [["a b"], [""], [], ["cat", ""], ["", "cat"], ["a\u00a0b"], ["cat\t"], ["\u2003"], ["cat", "", "", "sat on"], ("The", "CAT")],
)
def test_tokens_stay_what_they_are(tokens, threads):
    """Tokens that contain white space are not joined with spaces."""
    for name in ("meteor:nltk", "meteor:textbook", "bleu:nltk", "bleu:nltk|smooth:method1"):
        metric = bolide.Metric(name)
        rows = [[text.split() for text in side] for side in (HYPOTHESES, REFERENCES)]
        plain = bits(metric.segments(*rows, threads=threads))
        assert plain == bits(metric.segments(HYPOTHESES, REFERENCES, threads=threads))
        rows[0][700] = rows[1][701] = tokens
        rows[1][702] = [tokens, ["the", "cat"]]
        mixed = bits(metric.segments(*rows, threads=threads))
        for n in (700, 701, 702):
            wanted = metric.segment(rows[0][n], rows[1][n]).score
            assert mixed[n] == wanted.hex(), (name, n)
        assert mixed[:700] + mixed[703:] == plain[:700] + plain[703:]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("gaps", [[0], [63, 64, 65], [700, 701, N - 1], range(0, N, 3), range(N)])
def test_missing_rows_keep_their_places(gaps, threads):
    """A column is scored in many batches; rows without a score must keep their place."""
    metric, gaps = bolide.Meteor("nltk"), set(gaps)
    whole = metric.segments(HYPOTHESES, REFERENCES, threads=threads)
    wanted = [None if n in gaps else score for n, score in enumerate(whole)]
    columns = [pa.array([None if n in gaps else text for n, text in enumerate(side)], pa.string()) for side in (HYPOTHESES, REFERENCES)]
    for hypotheses, references in ((columns[0], REFERENCES), (HYPOTHESES, columns[1])):
        scores = metric.segments(pa.array(hypotheses), pa.array(references), threads=threads)
        assert scores.null_count == len(gaps) and scores.to_pylist() == wanted


@pytest.mark.parametrize("threads", [1, 2])
def test_a_token_that_is_none_is_named(threads):
    rows = [[text.split() for text in side] for side in (HYPOTHESES, REFERENCES)]
    rows[0][700] = ["the", 3]
    with pytest.raises(TypeError, match="segment 700: the tokens of a hypothesis are strings, got an object of type int"):
        bolide.Meteor("nltk").segments(*rows, threads=threads)


@pytest.mark.parametrize("row", [0, 255, 256, 1000, N - 1])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_bad_row_is_named_wherever_it_is(row, threads):
    def given(hypothesis, reference):
        hypotheses, references = list(HYPOTHESES), list(REFERENCES)
        hypotheses[row], references[row] = hypothesis, reference
        return hypotheses, references

    metric = bolide.Meteor("nltk")
    with pytest.raises(TypeError, match=f"segment {row}: a hypothesis is a string or a list of tokens, got None"):
        metric.segments(*given(None, "a"), threads=threads)
    with pytest.raises(TypeError, match=f"segment {row}: a reference is a string or a list of tokens, got None"):
        metric.segments(*given("a", None), threads=threads)
    with pytest.raises(bolide.InvalidSegmentError, match=f"segment {row}: at least one reference is needed"):
        metric.segments(*given("a", []), threads=threads)
    with pytest.raises(bolide.InvalidSegmentError, match=f"segment {row}: the hypothesis or its reference is missing"):
        metric.corpus(*given(None, "a"), threads=threads)
    if row > 0:
        with pytest.raises(TypeError, match=f"segment {row}: this hypothesis is tokens where a string came before"):
            metric.segments(*given(["a"], "a"), threads=threads)
    with pytest.raises(ValueError, match=f"{N} hypotheses need as many entries of references, got {row}"):
        metric.segments(HYPOTHESES, REFERENCES[:row], threads=threads)


def test_a_list_that_shrinks_meanwhile_is_an_error():
    hypotheses, references = HYPOTHESES * 2, REFERENCES * 2

    def shrink(done, _):
        del references[600:]

    # The callback is called ten times a second, so the work must take that long.
    slow = [f"{text} " * 400 for text in hypotheses]
    with pytest.raises(RuntimeError, match="a list became shorter while it was read"):
        bolide.Meteor("nltk").segments(slow, references, threads=1, progress=shrink)


def test_others_run_meanwhile():
    """A thread that never releases the interpreter voluntarily delays each batch, not each row."""
    stop = threading.Event()

    def busy():
        while not stop.is_set():
            sum(range(1000))

    thread = threading.Thread(target=busy)
    thread.start()
    try:
        metric = bolide.Meteor("nltk")
        assert bits(metric.segments(HYPOTHESES * 8, REFERENCES * 8, threads=1)) == 8 * bits(
            metric.segments(HYPOTHESES, REFERENCES, threads=2)
        )
    finally:
        stop.set()
        thread.join()


class Word(str):
    """Strings may be of a class of their own."""


def shapes(text):
    """The tokens of a text as different objects."""
    words = text.lower().split()
    yield words
    yield tuple(words)
    yield [sys.intern(word) for word in words]
    yield [Word(word) for word in words]


@pytest.mark.parametrize("name", ["meteor:nltk", "meteor:textbook", "meteor:classic", "meteor:hf"])
def test_tokens_are_scored_as_their_text(name):
    metric = bolide.Metric(name)
    wanted = bits(metric.segments(HYPOTHESES, REFERENCES, threads=1))
    corpus = metric.corpus(HYPOTHESES, REFERENCES, threads=1)
    for hypotheses, references in zip(zip(*map(shapes, HYPOTHESES)), zip(*map(shapes, REFERENCES))):
        for several in (references, [[reference] for reference in references], [(reference, []) for reference in references]):
            assert bits(metric.segments(list(hypotheses), list(several), threads=1)) == wanted
        score = metric.corpus(hypotheses, references, threads=1)
        assert (score.score.hex(), score.components) == (corpus.score.hex(), corpus.components)


def test_several_references_of_tokens():
    metric = bolide.Meteor("nltk")
    several = [[reference, HYPOTHESES[n - 1], "something else"][: n % 3 + 1] for n, reference in enumerate(REFERENCES)]
    tokens = [[reference.split() for reference in references] for references in several]
    wanted = bits(metric.segments(HYPOTHESES, several, threads=1))
    assert bits(metric.segments([text.split() for text in HYPOTHESES], tokens, threads=1)) == wanted
    many = [[reference.split()] * 100 for reference in REFERENCES]
    assert bits(metric.segments([text.split() for text in HYPOTHESES], many, threads=1)) == bits(
        metric.segments(HYPOTHESES, REFERENCES, threads=1)
    )


@pytest.mark.parametrize("gaps", [[], range(0, 9000, 700)])
def test_tokens_keep_their_words_when_the_vocabulary_is_emptied(gaps):
    """Objects that were seen before are not given the numbers of other words."""
    shared = [sys.intern(word) for word in "the cat sat on a mat while it rained and Ünder cars were dogs".split()]
    hypotheses = [shared[n % 5 :] + [f"new{n}", f"newer{n}"] + shared[: n % 7] + [f"a{n}", f"b{n}"] for n in range(9000)]
    references = [shared[n % 3 :] + [f"new{n}", f"c{n}", f"d{n}"] + shared[: n % 4] + [f"e{n}", f"b{n}"] for n in range(9000)]
    for n in gaps:
        # Rows that another part of the package reads, which may empty the vocabulary too.
        hypotheses[n] = [*hypotheses[n], "lone \ud800"]
    metric = bolide.Meteor("nltk")
    wanted = [metric.segment(*row).score for row in zip(hypotheses, references)]
    assert bits(metric.segments(hypotheses, references, threads=1)) == bits(wanted)
    assert bits(metric.segments(hypotheses, references, threads=2)) == bits(wanted)


@pytest.mark.parametrize("row", [0, 1, 127, 128, 700, N - 1])
def test_a_token_that_is_no_string_is_named_wherever_it_is(row):
    metric = bolide.Meteor("nltk")
    for side, what in enumerate(("hypothesis", "reference")):
        rows = [[[sys.intern(word) for word in text.split()] for text in side] for side in (HYPOTHESES, REFERENCES)]
        rows[side][row] = ["the", b"cat"]
        with pytest.raises(TypeError, match=f"segment {row}: the tokens of a {what} are strings, got an object of type bytes"):
            metric.segments(*rows, threads=1)


def test_tokens_are_not_kept():
    """Objects that are looked up by their address are given back."""
    word = "".join(["sh", "ared"])
    before = sys.getrefcount(word)
    rows = [[word] * 5 for _ in range(1000)]
    bolide.Meteor("nltk").segments(rows, rows, threads=1)
    del rows
    assert sys.getrefcount(word) == before
