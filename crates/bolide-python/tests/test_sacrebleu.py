"""``bolide.compat.sacrebleu`` against sacreBLEU itself, attribute by attribute."""

import logging
import random
import subprocess
import sys
from pathlib import Path

import pytest
import sacrebleu as theirs
import sacrebleu.metrics as their_metrics

import bolide
from bolide.compat import sacrebleu as ours

WORDS = "the a cat dog Dog sat sits on under mat . , 's 5-2 1,000 &amp; naïve 猫 “quoted” x...y".split()


def corpus(seed, n_segments=40, n_references=2, holes=False):
    """Hypotheses and reference streams, some of them empty, some not there."""
    generator = random.Random(seed)

    def line():
        return " ".join(generator.choices(WORDS, k=generator.randrange(0, 14)))

    hypotheses = [line() for _ in range(n_segments)]
    streams = [
        [line() if generator.random() < 0.6 else hypothesis for hypothesis in hypotheses]
        for _ in range(n_references)
    ]
    if holes:
        streams[-1] = [line if generator.random() < 0.5 else None for line in streams[-1]]
    return hypotheses, streams


def parts(score):
    """Every attribute, floats by their bits; NumPy's 32-bit confidence as a float."""

    def bits(value):
        if isinstance(value, list):
            return [bits(part) for part in value]
        if isinstance(value, float) or type(value).__module__ == "numpy":
            return float(value).hex()
        return value

    # Some are made when they are asked for.
    str(score)
    return {key: bits(value) for key, value in vars(score).items()}


OPTIONS = {
    "BLEU": [
        {},
        {"lowercase": True, "tokenize": "intl"},
        {"tokenize": "zh", "smooth_method": "floor"},
        {"tokenize": "char", "smooth_method": "add-k"},
        {"tokenize": "none", "smooth_method": "add-k", "smooth_value": 0.5},
        {"smooth_method": "none", "max_ngram_order": 2},
        {"effective_order": True, "trg_lang": "zh"},
    ],
    "CHRF": [
        {},
        {"word_order": 2},
        {"char_order": 4, "word_order": 1, "beta": 3, "lowercase": True},
        {"whitespace": True, "eps_smoothing": True},
    ],
    "TER": [
        {},
        {"normalized": True},
        {"no_punct": True, "asian_support": True, "normalized": True},
        {"case_sensitive": True},
    ],
}
CASES = [(name, options) for name, several in OPTIONS.items() for options in several]


@pytest.mark.parametrize("name, options", CASES)
def test_corpora_and_sentences(name, options):
    for seed, holes in [(1, False), (2, True)]:
        hypotheses, streams = corpus(seed, holes=holes)
        mine = getattr(ours, name)(**options)
        real = getattr(their_metrics, name)(**options)
        score, expected = (m.corpus_score(hypotheses, streams) for m in (mine, real))
        assert parts(score) == parts(expected)
        assert str(score) == str(expected)
        assert repr(score) == repr(expected)
        signatures = [metric.get_signature() for metric in (mine, real)]
        assert str(signatures[0]) == str(signatures[1])
        assert signatures[0].format(short=True) == signatures[1].format(short=True)
        assert signatures[0].info == signatures[1].info
        for options_ in ({"width": 4}, {"score_only": True}, {"is_json": True}):
            arguments = {"signature": str(signatures[0]), **options_}
            assert score.format(**arguments) == expected.format(**arguments)
        for hypothesis, *references in list(zip(hypotheses, *streams))[:10]:
            references = [reference for reference in references if reference is not None]
            mine_one = mine.sentence_score(hypothesis, references)
            assert parts(mine_one) == parts(real.sentence_score(hypothesis, references))
        assert str(mine.get_signature()) == str(real.get_signature())


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_confidence(name):
    hypotheses, streams = corpus(3)
    mine, real = getattr(ours, name)(), getattr(their_metrics, name)()
    score, expected = (m.corpus_score(hypotheses, streams, n_bootstrap=200) for m in (mine, real))
    assert parts(score) == parts(expected)
    assert str(score) == str(expected)
    assert score.format(score_only=True) == expected.format(score_only=True)
    assert "±" in score.format(score_only=True)
    assert str(mine.get_signature()) == str(real.get_signature())


def test_cached_references():
    hypotheses, streams = corpus(4)
    mine, real = ours.BLEU(references=streams), their_metrics.BLEU(references=streams)
    assert str(mine.get_signature()) == str(real.get_signature())
    scores = [metric.corpus_score(hypotheses, None) for metric in (mine, real)]
    assert parts(scores[0]) == parts(scores[1])


FUNCTIONS = [
    ("corpus_bleu", {}),
    ("corpus_bleu", {"smooth_method": "floor", "lowercase": True, "use_effective_order": True}),
    ("raw_corpus_bleu", {}),
    ("raw_corpus_bleu", {"smooth_value": 0.0}),
    ("corpus_chrf", {"word_order": 2}),
    ("corpus_chrf", {"remove_whitespace": False, "beta": 1}),
    ("corpus_ter", {"normalized": True}),
]


@pytest.mark.parametrize("name, options", FUNCTIONS)
def test_functions(name, options):
    hypotheses, streams = corpus(5)
    arguments = (hypotheses, streams)
    assert parts(getattr(ours, name)(*arguments, **options)) == parts(
        getattr(theirs, name)(*arguments, **options)
    )
    sentence = name.replace("raw_", "").replace("corpus", "sentence")
    if not name.startswith("raw"):
        arguments = (hypotheses[1], [stream[1] for stream in streams])
        assert parts(getattr(ours, sentence)(*arguments, **options)) == parts(
            getattr(theirs, sentence)(*arguments, **options)
        )


def outcome(call):
    try:
        return parts(call())
    except Exception as error:
        return type(error).__name__, str(error)


MISTAKES = [
    lambda m: m.BLEU().get_signature(),
    lambda m: m.BLEU().corpus_score("abc", [["abc"]]),
    lambda m: m.BLEU().corpus_score(["abc"], ["abc"]),
    lambda m: m.BLEU().corpus_score([1], [["abc"]]),
    lambda m: m.BLEU().corpus_score([None], [["abc"]]),
    lambda m: m.BLEU().corpus_score([], [["abc"]]),
    lambda m: m.CHRF().corpus_score(["a"], []),
    lambda m: m.TER().corpus_score(["a"], None),
    lambda m: m.BLEU().corpus_score(["a b c d", "a b c d"], [["a b c d"]]),
    lambda m: m.BLEU().corpus_score(["a b c d"], [["a b c d"], ["a b", "c"]]),
    lambda m: m.BLEU().sentence_score(["abc"], ["abc"]),
    lambda m: m.BLEU().sentence_score("abc", "abc"),
    lambda m: m.BLEU().sentence_score("abc", [1]),
    lambda m: m.BLEU().sentence_score("abc", []),
    lambda m: m.BLEU(tokenize="xx"),
    lambda m: m.BLEU().corpus_score(iter(["a b c d"]), [["a b c d"]]),
    lambda m: m.BLEU().corpus_score(["a b c d"], iter([["a b c d"]])),
]


@pytest.mark.parametrize("call", MISTAKES)
def test_mistakes(call):
    assert outcome(lambda: call(ours)) == outcome(lambda: call(their_metrics))


def test_an_unknown_smoothing_is_an_assertion():
    # sacreBLEU's own message has a placeholder that it forgets to fill in.
    for metrics in (ours, their_metrics):
        with pytest.raises(AssertionError, match="Unknown smooth_method"):
            metrics.BLEU(smooth_method="xx")


def test_warnings(caplog):
    with caplog.at_level(logging.WARNING, logger="sacrebleu"):
        ours.BLEU().sentence_score("a", ["a"])
        ours.corpus_bleu(["a b c d ."] * 100, [["a b c d ."] * 100])
        ours.corpus_bleu(["a b c d ."] * 100, [["a b c d ."] * 100], force=True)
        ours.corpus_bleu(["a b c d", "e"], [["a b c d"]])
    messages = [record.message for record in caplog.records]
    assert sum("effective_order" in message for message in messages) == 1
    assert sum("tokenized period" in message for message in messages) == 1
    assert sum("only the first 1 segments" in message for message in messages) == 1


def test_from_counts():
    for arguments in [
        ([3, 2, 1, 0], [5, 4, 3, 2], 5, 6),
        ([0, 0, 0, 0], [5, 4, 3, 2], 5, 6),
        ([3, 0, 0, 0], [5, 4, 0, 0], 5, 5),
    ]:
        for options in [
            {},
            {"smooth_method": "exp"},
            {"smooth_method": "floor", "smooth_value": 0.3},
            {"smooth_method": "add-k", "effective_order": True},
        ]:
            score = ours.BLEU.compute_bleu(*map(list_copy, arguments), **options)
            expected = their_metrics.BLEU.compute_bleu(*map(list_copy, arguments), **options)
            assert parts(score) == parts(expected), (arguments, options)


def list_copy(value):
    return list(value) if isinstance(value, list) else value


def test_the_command_is_that_of_sacrebleu(tmp_path):
    # `python -m` found sacreBLEU's module, which our loader could not run.
    (tmp_path / "hyp").write_text("the cat sat on the mat .\na dog barked\n")
    (tmp_path / "ref").write_text("the cat sat on a mat .\nthe dog barked\n")
    options = [tmp_path / "ref", "-i", tmp_path / "hyp", "-m", "bleu", "chrf", "ter", "-w", "9", "--confidence", "--confidence-n", "20"]

    def run(module, *before):
        return subprocess.run([sys.executable, *before, "-m", module, *options], capture_output=True, text=True, cwd=tmp_path)

    theirs, ours = run("sacrebleu"), run("bolide.compat.sacrebleu")
    assert theirs.returncode == 0 and ours.stdout == theirs.stdout
    (tmp_path / "bolide").symlink_to(Path(bolide.__file__).parent, target_is_directory=True)
    alone = run("bolide.compat.sacrebleu", "-S")
    assert alone.returncode == 1 and "sacreBLEU's command needs sacreBLEU, which is not installed" in alone.stderr
