"""``bolide.compat.evaluate`` against the packages behind it."""

import importlib

import datasets
import numpy
import pytest

from bolide.compat import evaluate


def bits(value):
    return [part.hex() for part in value] if isinstance(value, list) else value.hex()


PREDICTIONS = ["the cat sat on the mat .", "a dog barked", "Hello there General Kenobi"]
REFERENCES = [["the cat sat on a mat .", "x y"], ["the dog barked", "z"], ["Hello there General", "!"]]


def test_the_sacrebleu_family():
    theirs = importlib.import_module("sacrebleu")
    streams = [list(stream) for stream in zip(*REFERENCES)]
    arguments = {"predictions": PREDICTIONS, "references": REFERENCES}
    bleu = theirs.corpus_bleu(PREDICTIONS, streams)
    assert evaluate.load("sacrebleu").compute(**arguments) == {
        "score": bleu.score,
        "counts": bleu.counts,
        "totals": bleu.totals,
        "precisions": bleu.precisions,
        "bp": bleu.bp,
        "sys_len": bleu.sys_len,
        "ref_len": bleu.ref_len,
    }
    chrf = theirs.corpus_chrf(PREDICTIONS, streams, word_order=2)
    assert evaluate.load("chrf").compute(**arguments, word_order=2) == {
        "score": chrf.score, "char_order": 6, "word_order": 2, "beta": 2,
    }
    ter = theirs.corpus_ter(PREDICTIONS, streams, normalized=True)
    assert evaluate.load("ter").compute(**arguments, normalized=True) == {
        "score": ter.score, "num_edits": ter.num_edits, "ref_length": ter.ref_length,
    }
    segments = evaluate.load("ter").compute(**arguments, segments=True)["segments"]
    sentences = [theirs.sentence_ter(h, r).score for h, r in zip(PREDICTIONS, REFERENCES)]
    assert segments == sentences
    with pytest.raises(ValueError, match="the same number of references"):
        evaluate.load("sacrebleu").compute(predictions=["a", "b"], references=[["a"], ["a", "b"]])


def test_rouge():
    scorer = importlib.import_module("rouge_score.rouge_scorer")
    kinds = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    for stem in (False, True):
        rouge = scorer.RougeScorer(kinds, use_stemmer=stem)
        expected = {
            kind: [
                rouge.score_multi(refs, pred)[kind].fmeasure
                for pred, refs in zip(PREDICTIONS, REFERENCES)
            ]
            for kind in kinds
        }
        options = {"use_aggregator": False, "use_stemmer": stem}
        result = evaluate.load("rouge").compute(
            predictions=PREDICTIONS, references=REFERENCES, **options
        )
        assert {kind: bits(scores) for kind, scores in result.items()} == {
            kind: bits(scores) for kind, scores in expected.items()
        }


def test_rouge_aggregates_as_numpy_would_with_the_same_seed():
    scoring = importlib.import_module("rouge_score.scoring")
    scorer = importlib.import_module("rouge_score.rouge_scorer")
    kinds = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    rouge, aggregator = scorer.RougeScorer(kinds), scoring.BootstrapAggregator()
    for prediction, references in zip(PREDICTIONS, REFERENCES):
        aggregator.add_scores(rouge.score_multi(references, prediction))
    numpy.random.seed(7)
    expected = {kind: it.mid.fmeasure for kind, it in aggregator.aggregate().items()}
    ours = evaluate.load("rouge").compute(predictions=PREDICTIONS, references=REFERENCES, seed=7)
    assert {kind: float(score).hex() for kind, score in ours.items()} == {
        kind: float(score).hex() for kind, score in expected.items()
    }


class Scores:
    """What evaluate does around a metric, with the features of its METEOR and of its WER."""

    def __init__(self, cache, name):
        theirs = importlib.import_module("evaluate")
        features = [datasets.Features(predictions=TEXT, references=kind) for kind in (datasets.Sequence(TEXT), TEXT)]

        class Metric(theirs.Metric):
            def _info(self):
                return theirs.MetricInfo("d", "c", features if name == "meteor" else features[1], "i")

            def _compute(self, predictions, references):
                return evaluate.load(name).compute(predictions=predictions, references=references)

        self.load = lambda: Metric(cache_dir=str(cache))


TEXT = datasets.Value("string")
CALLS = [
    lambda module: module.compute(),
    lambda module: (module.compute(predictions=["a b"], references=["a c"]), module.compute()),
    lambda module: module.compute(predictions=[], references=[]),
    lambda module: module.compute(predictions=["a"], references=["a", "b"]),
    lambda module: module.compute(predictions=["a"]),
    lambda module: module.compute(references=["a"]),
    lambda module: module.compute(predictions=[1, 2], references=[1, 2]),
    lambda module: module.compute(predictions=["a", 2, 2.5], references=["a", "2", "2.5"]),
    lambda module: module.compute(predictions=[["a", "b"]], references=[["a", "b"]]),
    lambda module: module.compute(predictions=[["a", "b"]], references=[[["a", "b"]]]),
    lambda module: module.compute(predictions=["a b", "c d"], references=["a b", ["c d", "e"]]),
    lambda module: module.compute(predictions=["a b", "c d", "a"], references=[["c d", "e"], "a b", "a b"]),
    lambda module: module.compute(predictions="a b", references="a c"),
    lambda module: module.compute(predictions=numpy.array(["a b", "c"]), references=numpy.array([["a b"], ["d"]])),
    lambda module: module.add_batch(foo=1),
    lambda module: module.add_batch(predictions=["a b"], references=["a b"], foo=1),
    lambda module: module.add(prediction="a b", reference="a b", foo=1),
    lambda module: (module.add(prediction="a b", reference="a c"), module.add(predictions="a", references="b"), len(module), module.compute()),
    lambda module: (module.add_batch(predictions=["a b"], references=["a c"]), len(module), module.compute(), len(module)),
    lambda module: module.add(prediction=3, reference="a b"),
]


@pytest.mark.filterwarnings("ignore:a (list|text) where the first segment has")
@pytest.mark.parametrize("name", ["meteor", "wer"])
@pytest.mark.parametrize("call", CALLS)
def test_what_modules_accept(tmp_path, name, call):
    def outcome(module):
        try:
            return repr(call(module))
        except Exception as error:
            # What follows has the names of the features' classes.
            return type(error), str(error).partition("format.")[0] if isinstance(error, ValueError) else ""

    theirs, ours = outcome(Scores(tmp_path, name).load()), outcome(evaluate.load(name))
    if theirs == (ValueError, "Evaluation module inputs don't match the expected "):
        theirs = (ValueError, "Predictions and/or references don't match the expected ")
    assert ours == theirs


def test_texts_and_lists_that_evaluate_mixes_up_are_a_warning():
    module = evaluate.load("meteor")
    with pytest.warns(UserWarning, match="a list where the first segment has a text is scored as Python writes it"):
        module.compute(predictions=["a b", "c d"], references=["a b", ["c d", "e"]])
    with pytest.warns(UserWarning, match="one reference for each character"):
        module.compute(predictions=["a b", "c d"], references=[["a b"], "c d"])


@pytest.mark.parametrize("name", [*evaluate.loading.MODULES])
def test_modules_say_what_they_are(name):
    module = evaluate.load(name)
    assert (module.name, module.module_type, len(module)) == (name, "metric", 0)
    assert module.description and "predictions" in module.inputs_description and "segments" not in module.inputs_description
    assert (module.info.description, module.info.citation) == (module.description, module.citation)
    assert bool(module.citation) == (name != "exact_match")
    several = module.features if isinstance(module.features, list) else [module.features]
    assert all(isinstance(it, datasets.Features) and [*it] == ["predictions", "references"] for it in several)


def test_the_version_is_there_without_evaluate():
    assert evaluate.__version__ == importlib.import_module("evaluate").__version__


def test_numpys_floats_where_evaluate_has_them():
    arguments = {"predictions": ["a b"], "references": ["a c"]}
    for name in ("meteor", "rouge", "exact_match"):
        assert all(type(value) is numpy.float64 for value in evaluate.load(name).compute(**arguments).values()), name
    assert type(evaluate.load("bleu").compute(**arguments)["bleu"]) is float


def test_collecting():
    module = evaluate.load("evaluate-metric/meteor")
    module.add(prediction=PREDICTIONS[0], reference=REFERENCES[0])
    module.add_batch(predictions=PREDICTIONS[1:], references=REFERENCES[1:])
    whole = evaluate.meteor.compute(predictions=PREDICTIONS, references=REFERENCES)
    assert module.compute() == whole
    both = evaluate.combine(["meteor", "bleu"])
    result = both.compute(predictions=PREDICTIONS, references=REFERENCES)
    assert result["meteor"] == whole["meteor"] and "precisions" in result


SETS = [
    lambda load: [load("bleu"), load("bleu")],
    lambda load: [load("meteor"), load("chrf")],
    lambda load: [load("chrf"), load("ter"), load("chrf")],
    lambda load: {"x": load("meteor"), "y": load("chrf")},
    lambda load: {"x": load("chrf"), "y": load("ter")},
    lambda load: [load("meteor")],
]
USES = [
    lambda it, p, r: it.compute(predictions=p, references=r),
    lambda it, p, r: it.compute(p, r),
    lambda it, p, r: (it.add_batch(p, r), it.compute()),
    lambda it, p, r: (it.add_batch(predictions=p, references=r), it.compute()),
    lambda it, p, r: ([it.add(*pair) for pair in zip(p, r)], it.compute()),
    lambda it, p, r: ([it.add(prediction=a, reference=b) for a, b in zip(p, r)], it.compute()),
    lambda it, p, r: ([it.add(predictions=a, references=b) for a, b in zip(p, r)], it.compute()),
]


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("modules", SETS)
def test_combine_merges_as_evaluate_does(modules, force):
    # Of two modules of one name, one was lost; a dict always gave prefixes and could not collect.
    theirs = importlib.import_module("evaluate")
    references = [several[0] for several in REFERENCES]
    for use in USES:
        found = [use(combine(modules(evaluate.load), force), PREDICTIONS, references) for combine in (evaluate.combine, theirs.combine)]
        assert repr(found[0]) == repr(found[1])


def test_combine_takes_modules_of_evaluate(tmp_path):
    both = evaluate.combine({"ours": "meteor", "theirs": Scores(tmp_path, "meteor").load()})
    for pair in zip(PREDICTIONS, REFERENCES):
        both.add(*pair)
    result = both.compute()
    assert set(result) == {"ours_meteor", "theirs_meteor"} and result["ours_meteor"] == result["theirs_meteor"]


def test_mistakes():
    with pytest.raises(FileNotFoundError, match="its metrics are meteor"):
        evaluate.load("bertscore")
    with pytest.raises(ValueError, match="Mismatch in the number"):
        evaluate.load("meteor").compute(predictions=["a"], references=["a", "b"])
    with pytest.raises(IndexError):
        evaluate.load("meteor").compute(predictions=[], references=[])
    with pytest.raises(ValueError):
        evaluate.load("meteor").compute(predictions=["a"], references=[[]])
    with pytest.raises(ZeroDivisionError):
        evaluate.load("bleu").compute(predictions=[""], references=["a"])


class Tokens:
    """A function as rouge-score takes it."""

    def __init__(self, tokenize):
        self.tokenize = tokenize


def numbers(text):
    return [len(word) for word in text.split()]


PAIRS = [
    ("The cat sat", "the cat sat"),
    ("running dogs", "run dog"),
    ("a b\nc d", "c d\na b"),
    ("the cat on it", "a dog in the mat"),
    ("", "a"),
    ("a", "b"),
]


@pytest.mark.parametrize("tokenizer", [str.split, list, numbers, lambda text: tuple(text.lower().split())])
def test_a_tokenizer_of_the_callers_own(tokenizer):
    # ROUGE took tokens for words, which it lowers and stems, and lines for one text; numbers were an error everywhere.
    scorer = importlib.import_module("rouge_score.rouge_scorer")
    gleu = importlib.import_module("nltk.translate.gleu_score")
    kinds = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    predictions, references = [[side for side in column] for column in zip(*PAIRS)]
    options = {"predictions": predictions, "tokenizer": tokenizer}
    for stem in (False, True):
        rouge = scorer.RougeScorer(kinds, use_stemmer=stem, tokenizer=Tokens(tokenizer))
        ours = evaluate.load("rouge").compute(**options, references=references, use_stemmer=stem, use_aggregator=False)
        rows = [rouge.score(reference, prediction) for prediction, reference in PAIRS]
        assert repr(ours) == repr({kind: [row[kind].fmeasure for row in rows] for kind in kinds})
        several = [[reference, "the x"] for reference in references]
        ours = evaluate.load("rouge").compute(**options, references=several, use_stemmer=stem, use_aggregator=False)
        rows = [rouge.score_multi(*pair) for pair in zip(several, predictions)]
        assert repr(ours) == repr({kind: [row[kind].fmeasure for row in rows] for kind in kinds})
    tokens = [[tokenizer(side)] for side in references], [tokenizer(side) for side in predictions]
    assert evaluate.load("google_bleu").compute(**options, references=references)["google_bleu"] == gleu.corpus_gleu(*tokens)
    assert evaluate.load("bleu").compute(**options, references=references) == evaluate.load("bleu").compute(
        **{**options, "tokenizer": lambda text: [repr(token) for token in tokenizer(text)]}, references=references
    )
    assert evaluate.load("bleu").compute(**options, references=references)["translation_length"] == sum(map(len, tokens[1]))


def test_rouge_l_without_words_is_an_integer():
    scorer = importlib.import_module("rouge_score.rouge_scorer").RougeScorer(["rouge1", "rougeL", "rougeLsum"], use_stemmer=True)
    predictions, references = ["", "a", "?", "b"], [["a"], ["!", "a b"], ["x"], ["c"]]
    expected = [scorer.score_multi(*pair) for pair in zip(references, predictions)]
    ours = evaluate.load("rouge").compute(
        predictions=predictions, references=references, rouge_types=list(expected[0]), use_aggregator=False, use_stemmer=True
    )
    assert repr(ours) == repr({kind: [row[kind].fmeasure for row in expected] for kind in expected[0]})
