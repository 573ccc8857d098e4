"""Lists that are longer than one read."""

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
