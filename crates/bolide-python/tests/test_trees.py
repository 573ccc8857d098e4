"""Compares the modules of ``bolide.compat``, function by function, with the packages that they imitate."""

import collections
import copy
import importlib
import pickle
import pkgutil
import random
import re

import numpy as np
import pytest

from bolide.compat import nltk, pycocoevalcap, rouge_score, sacrebleu
from bolide.compat import evaluate as our_evaluate

WORDS = "the a cat dog Dog sat sits on mat . , naïve 猫 running ran runs x-y \ud800 \udfff".split()


def outcome(call):
    """A result, floats by their bits; or the kind of exception."""

    def bits(value):
        if isinstance(value, (list, tuple)):
            return [bits(part) for part in value]
        return float(value).hex() if isinstance(value, (int, float, np.floating)) else value

    try:
        return bits(call())
    except Exception as error:
        return type(error).__name__


def sentence(generator, longest=9):
    return generator.choices(WORDS, k=generator.randrange(0, longest))


def both(module):
    return importlib.import_module(f"bolide.compat.{module}"), importlib.import_module(module)


NLTK = {
    "gleu_score": [{}, {"min_len": 2, "max_len": 3}, {"min_len": 3, "max_len": 2}],
    "nist_score": [{}, {"n": 2}, {"n": 1}],
    "chrf_score": [{}, {"min_len": 2, "max_len": 3, "beta": 2}, {"ignore_whitespace": False}],
    "ribes_score": [{}, {"alpha": 0.5, "beta": 0.2}],
}


@pytest.mark.parametrize("name", NLTK)
def test_metrics_of_nltk(name):
    ours, theirs = both(f"nltk.translate.{name}")
    generator = random.Random(name)
    kind = name.partition("_")[0]
    finite = 0
    for round_ in range(300):
        options = generator.choice(NLTK[name])
        n_rows = generator.randrange(0, 5)
        rows = []
        for _ in range(n_rows):
            references = [sentence(generator) for _ in range(generator.randrange(0 if round_ % 9 == 0 else 1, 4))]
            hypothesis = generator.choice([*references, sentence(generator)])
            if round_ % 7 == 0:  # Tokens need not be strings.
                number = {word: idx for idx, word in enumerate(WORDS)}
                references = [[number[word] for word in line] for line in references]
                hypothesis = [number.get(word, word) for word in hypothesis]
            rows.append((references, hypothesis))
        if name == "chrf_score":
            rows = [(" ".join(map(str, refs[0])), " ".join(map(str, hyp))) for refs, hyp in rows if refs]
        references, hypotheses = [row[0] for row in rows], [row[1] for row in rows]
        results = [
            outcome(lambda: getattr(module, f"corpus_{kind}")(references, hypotheses, **options))
            for module in (ours, theirs)
        ]
        assert results[0] == results[1], (references, hypotheses, options)
        finite += results[0].startswith("0x")
        for row in rows[:1]:
            results = [
                outcome(lambda: getattr(module, f"sentence_{kind}")(*row, **options))
                for module in (ours, theirs)
            ]
            assert results[0] == results[1], (row, options)
    assert finite > 100
    assert outcome(lambda: getattr(ours, f"corpus_{kind}")(["a"], [])) == outcome(
        lambda: getattr(theirs, f"corpus_{kind}")(["a"], [])
    )


def test_lengths_of_nist():
    ours, theirs = both("nltk.translate.nist_score")
    for lengths in [(3, 2), (2, 3), (3, 0), (7, 7), (1000, 999)]:
        results = [module.nist_length_penalty(*lengths).hex() for module in (ours, theirs)]
        assert results[0] == results[1]


ROUGE = ["rouge1", "rouge2", "rouge5", "rougeL", "rougeLsum"]


class Letters:
    """A tokenizer that keeps case and punctuation."""

    def tokenize(self, text):
        return list(text)


SPLIT = {"split_summaries": True}


@pytest.mark.parametrize(
    "options", [{}, {"use_stemmer": True}, {"tokenizer": Letters()}, SPLIT, {**SPLIT, "tokenizer": Letters()}]
)
def test_rouge(options, monkeypatch):
    # Sentences may go over several lines, as in wrapped text. NLTK's model is not needed for that.
    ours, theirs = both("rouge_score.rouge_scorer")
    for module in (ours, importlib.import_module("nltk")):
        monkeypatch.setattr(module, "sent_tokenize", lambda text: re.findall(r"[^.]+\.?", text))
    scorers = [module.RougeScorer(ROUGE, **options) for module in (ours, theirs)]
    generator = random.Random(7)
    for _ in range(200):
        lines = [
            "".join(word + generator.choice([" ", "\n", " ", ".\n", ". "]) for word in sentence(generator, 20))
            for _ in range(3)
        ]
        if generator.random() < 0.2:
            lines[generator.randrange(3)] = generator.choice(["", " ", "-", "\n"])
        # As printed, which also tells 0 from 0.0.
        one, other = (scorer.score(lines[0], lines[1]) for scorer in scorers)
        assert repr(one) == repr(other)
        one, other = (scorer.score_multi(lines[:2], lines[2]) for scorer in scorers)
        assert repr(one) == repr(other)
    for kind in ("rougex", "rouge0", "rouge10", "bleu"):
        errors = []
        for module in (ours, theirs):
            with pytest.raises(ValueError) as error:
                module.RougeScorer([kind]).score("a", "b")
            errors.append(str(error.value))
        assert errors[0] == errors[1]


def test_bootstrap_of_rouge():
    ours, theirs = both("rouge_score.scoring")
    values = np.random.RandomState(3).rand(40, 3)
    results = []
    for module in (ours, theirs):
        np.random.seed(5)
        aggregator = module.BootstrapAggregator(confidence_interval=0.9, n_samples=200)
        for row in values:
            aggregator.add_scores({"rouge1": module.Score(*row), "rougeL": module.Score(*row[::-1])})
        results.append(aggregator.aggregate())
    assert repr(results[0]) == repr(results[1])
    assert outcome(lambda: list(results[0]["rouge1"])) == outcome(lambda: list(results[1]["rouge1"]))
    for arguments in ({"confidence_interval": 2}, {"n_samples": 0}):
        for module in (ours, theirs):
            with pytest.raises(ValueError):
                module.BootstrapAggregator(**arguments)


def test_parts_of_rouge():
    # compare-mt uses these.
    ours, theirs = both("rouge_score.rouge_scorer")
    generator = random.Random(11)
    for _ in range(100):
        one, other, third = (sentence(generator) for _ in range(3))
        for call in (
            lambda m: m._score_lcs(one, other),
            lambda m: m._summary_level_lcs([one, third], [other]),
            lambda m: m._score_ngrams(m._create_ngrams(one, 2), m._create_ngrams(other, 2)),
        ):
            assert outcome(lambda: call(ours)) == outcome(lambda: call(theirs)), (one, other)


def test_tokenizers_of_rouge():
    from nltk.stem.porter import PorterStemmer

    ours, theirs = both("rouge_score.tokenizers")
    for line in ["It's the Cats, İstanbul K \ud800x", "", "running runs 1,000"]:
        for stem in (False, True):
            tokens = [module.DefaultTokenizer(stem).tokenize(line) for module in (ours, theirs)]
            assert tokens[0] == tokens[1]
        assert rouge_score.tokenize.tokenize(line, PorterStemmer()) == tokens[1]


METRICS = [
    ("BLEU", {}),
    ("BLEU", {"lowercase": True, "tokenize": "intl", "max_ngram_order": 3}),
    ("CHRF", {}),
    ("CHRF", {"word_order": 2, "lowercase": True}),
    ("CHRF", {"whitespace": True, "eps_smoothing": True}),
    ("TER", {}),
    ("TER", {"normalized": True, "no_punct": True}),
]


@pytest.mark.parametrize("name, options", METRICS)
def test_statistics_of_sacrebleu(name, options):
    ours, theirs = both("sacrebleu.metrics")
    generator = random.Random(13)
    hypotheses = [" ".join(sentence(generator, 14)) for _ in range(40)]
    streams = [
        [generator.choice([line, " ".join(sentence(generator, 14))]) for line in hypotheses]
        for _ in range(2)
    ]
    metrics = [getattr(module, name)(**options) for module in (ours, theirs)]
    rows = [metric._extract_corpus_statistics(hypotheses, streams) for metric in metrics]
    assert rows[0] == rows[1]
    assert [list(map(type, row)) for row in rows[0]] == [list(map(type, row)) for row in rows[1]]
    scores = [metric._aggregate_and_compute(rows[0]) for metric in metrics]
    assert str(scores[0]) == str(scores[1]) and scores[0].score.hex() == scores[1].score.hex()
    assert str(metrics[0].get_signature()) == str(metrics[1].get_signature())
    single = np.array(rows[0], dtype="float32").sum(axis=0)
    scores = [metric._compute_score_from_stats(single).score for metric in metrics]
    assert float(scores[0]) == float(scores[1])
    cached = [metric._cache_references(streams) for metric in metrics]
    assert cached[0] == cached[1]
    for hypothesis, info in zip(hypotheses, cached[0]):
        lines = [metric._preprocess_segment(hypothesis) for metric in metrics]
        assert lines[0] == lines[1]
        row = metrics[0]._compute_segment_statistics(lines[0], info)
        assert row == metrics[1]._compute_segment_statistics(lines[0], info)
    assert [getattr(metric, "num_refs") for metric in metrics] == [2, 2]


def test_counts_that_are_not_whole():
    # mbrs scores against the mean of many references.
    ours, theirs = both("sacrebleu.metrics")
    generator = random.Random(17)
    for _ in range(300):
        correct = [generator.choice([0.0, 0, generator.random() * 3]) for _ in range(4)]
        total = [n + generator.choice([0, 0.5, 2.25]) for n in correct]
        lengths = generator.choice([(5, 6.5), (7.25, 3), (0, 1.5)])
        options = generator.choice(
            [
                {},
                {"smooth_method": "exp"},
                {"smooth_method": "floor", "smooth_value": 0.2},
                {"smooth_method": "add-k", "effective_order": True},
                {"smooth_method": "exp", "effective_order": True},
            ]
        )
        results = [
            outcome(
                lambda: [
                    getattr(module.BLEU.compute_bleu(correct[:], total[:], *lengths, **options), key)
                    for key in ("score", "precisions", "bp", "sys_len", "ref_len")
                ]
            )
            for module in (ours, theirs)
        ]
        # The original's text needs integer lengths; both refuse others.
        assert results[0] == results[1], (correct, total, lengths, options)
        statistics = [generator.random() * 4 for _ in range(18)]
        scores = [module.CHRF()._compute_f_score(statistics) for module in (ours, theirs)]
        assert scores[0].hex() == scores[1].hex()


def test_helpers_of_sacrebleu():
    ours, theirs = both("sacrebleu.metrics.helpers")
    for line in ["", "a", " the cat  the cat 猫\ud800 "]:
        for call in (
            lambda m: m.extract_all_word_ngrams(line, 1, 4),
            lambda m: m.extract_all_word_ngrams(line, 2, 3),
            lambda m: m.extract_word_ngrams(line.split(), 2),
            lambda m: m.extract_char_ngrams(line, 3),
            lambda m: m.extract_char_ngrams(line, 2, True),
            lambda m: m.extract_all_char_ngrams(line, 4),
            lambda m: m.extract_all_char_ngrams(line, 2, True),
        ):
            assert call(ours) == call(theirs)


TOKENIZERS = {
    "13a": "Tokenizer13a",
    "char": "TokenizerChar",
    "intl": "TokenizerV14International",
    "none": "NoneTokenizer",
    "ter": "TercomTokenizer",
    "zh": "TokenizerZh",
}


@pytest.mark.parametrize("name", TOKENIZERS)
def test_tokenizers_of_sacrebleu(name):
    ours, theirs = (
        getattr(module, TOKENIZERS[name])() for module in both(f"sacrebleu.tokenizers.tokenizer_{name}")
    )
    assert ours.signature() == theirs.signature()
    for line in ["It's 5-2, isn't it? 猫x &amp; y", "", "a\ud800 b.c", "  two  blanks"]:
        assert ours(line) == theirs(line)


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_lone_surrogates(name):
    ours, theirs = both("sacrebleu.metrics")
    lines = ["a \ud800 cat sat on", "\udfff\udc00 x y z the", "plain text of five words"]
    others = ["a \ud801 cat sat on", "\udfff\udc00 x y z a", "plain text of six words"]
    one, other = (getattr(module, name)().corpus_score(lines, [others]) for module in (ours, theirs))
    assert one.score.hex() == other.score.hex()
    assert 0 < one.score < 100


def things():
    """One of each kind of object that people put into configurations."""
    bleu = sacrebleu.BLEU(lowercase=True, references=[["a b c d e"]])
    return {
        "BLEU": bleu,
        "CHRF": sacrebleu.CHRF(word_order=2),
        "TER": sacrebleu.TER(normalized=True),
        "BLEU's score": bleu.corpus_score(["a b c d f"], None),
        "signature": bleu.get_signature(),
        "tokenizer": sacrebleu.tokenizers.tokenizer_13a.Tokenizer13a(),
        "rouge": rouge_score.rouge_scorer.RougeScorer(ROUGE, use_stemmer=True),
        "aggregator": rouge_score.scoring.BootstrapAggregator(),
        "smoothing": nltk.SmoothingFunction().method1,
        "fraction": nltk.Fraction(2, 4),
        "stemmer": nltk.PorterStemmer(),
        "wordnet": nltk.wordnet,
        "meteor of evaluate": our_evaluate.load("meteor"),
        "combined": our_evaluate.combine(["bleu", "chrf"]),
        "Bleu": pycocoevalcap.Bleu(),
        "Cider": pycocoevalcap.Cider(),
        "Rouge": pycocoevalcap.Rouge(),
        "Meteor": pycocoevalcap.Meteor(),
    }


@pytest.mark.parametrize("name", things())
def test_things_are_copied_and_pickled(name):
    import dill
    from datasets.fingerprint import Hasher

    thing = things()[name]
    for again in (copy.deepcopy(thing), copy.copy(thing), pickle.loads(pickle.dumps(thing))):
        assert type(again) is type(thing)
    assert dill.loads(dill.dumps(thing)) is not None
    # `datasets.map` uses this hash as the key of its cache.
    assert Hasher.hash(thing) == Hasher.hash(pickle.loads(pickle.dumps(thing)))
    if name == "fraction":
        assert pickle.loads(pickle.dumps(thing)).denominator == copy.deepcopy(thing).denominator == 4


def test_a_copied_metric_scores():
    again = pickle.loads(pickle.dumps(sacrebleu.BLEU()))
    assert again.corpus_score(["a b c d"], [["a b c d"]]).score == 100.00000000000004
    assert copy.deepcopy(again)._native() == again._native()
    assert len({again._native(), sacrebleu.BLEU()._native()}) == 1


def test_names_that_are_not_here_come_from_the_original():
    import nltk as their_nltk

    assert nltk.edit_distance is their_nltk.edit_distance
    from bolide.compat.nltk.tokenize.treebank import TreebankWordTokenizer
    from bolide.compat.evaluate.utils.logging import get_logger
    from nltk.tokenize.treebank import TreebankWordTokenizer as Theirs

    assert TreebankWordTokenizer is Theirs and callable(get_logger)
    assert issubclass(our_evaluate.Metric, object)
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        nltk.nonsense


def public(module):
    """The names that a module defines."""
    here = {name: value for name, value in vars(module).items() if not name.startswith("_")}
    return [name for name, value in here.items() if name.isupper() or getattr(value, "__module__", None) == module.__name__]


@pytest.mark.parametrize("package", ["evaluate", "nltk.translate", "pycocoevalcap", "rouge_score", "sacrebleu"])
def test_every_name_of_every_module_is_found(package):
    top = importlib.import_module(package)
    modules = [top.__name__, *(found.name for found in pkgutil.walk_packages(top.__path__, f"{package}."))]
    n_names, missing = 0, []
    for module in modules:
        if module.endswith(("_test", "__main__")):
            continue
        try:
            theirs = importlib.import_module(module)
        except ImportError:
            continue  # It needs a package that is not installed: MeCab.
        mine = importlib.import_module(f"bolide.compat.{module}")
        names = public(theirs)
        n_names += len(names)
        missing += [f"{module}.{name}" for name in names if not hasattr(mine, name)]
    assert missing == []
    assert n_names > 10


def test_key_order_is_free():
    gts = {1: ["a cat"], 2: ["a dog"]}
    res = {2: ["a dog"], 1: ["the cat"]}
    theirs = importlib.import_module("pycocoevalcap.rouge.rouge")
    score, scores = pycocoevalcap.Rouge().compute_score(gts, res)
    expected = theirs.Rouge().compute_score(gts, res)
    assert score == expected[0] and list(scores) == list(expected[1])
    with pytest.raises(AssertionError, match=r"\[3\] only in gts"):
        pycocoevalcap.Rouge().compute_score({**gts, 3: ["x"]}, res)


def test_paired_tests_are_named_as_theirs():
    ours, theirs = both("sacrebleu.significance")
    metrics = [importlib.import_module(f"{prefix}sacrebleu.metrics") for prefix in ("bolide.compat.", "")]
    lines = ["a b c d e", "f g h i j", "k l m n"]
    systems = [("one", lines), ("other", [line[::-1] for line in lines])]
    results = []
    for module, them in zip((ours, theirs), metrics):
        them = {"bleu": them.BLEU(), "chrf": them.CHRF(word_order=2), "ter": them.TER()}
        signatures, scores = module.PairedTest(systems, them, [lines], "bs", 50)()
        results.append((list(signatures), list(scores), {key: str(value) for key, value in signatures.items()}))
    assert results[0] == results[1]
    assert collections.Counter(results[0][1])["System"] == 1


@pytest.mark.parametrize("arguments", [("english",), ("german",), ("russian",)])
def test_snowball(arguments):
    ours, theirs = (module.SnowballStemmer(*arguments) for module in both("nltk.stem.snowball"))
    for word in "generously having Häuser katzen кошками über themselves running".split():
        assert ours.stem(word) == theirs.stem(word)
