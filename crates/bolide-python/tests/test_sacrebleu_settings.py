"""Settings that change after a metric of ``bolide.compat.sacrebleu`` was made, and hooks that a program replaces."""

import copy
import pickle
import random

import pytest
from test_sacrebleu import corpus, ours, parts, their_metrics

HYPOTHESES, STREAMS = corpus(6, n_segments=12)


def both(make):
    """What the same steps give with our classes and with sacreBLEU's."""
    results = []
    for metrics in (ours.metrics, their_metrics):
        try:
            results.append(make(metrics))
        except Exception as error:
            results.append((type(error).__name__, str(error)))
    return results


def scores(metric, references=STREAMS):
    corpus_score = metric.corpus_score(HYPOTHESES, references)
    signature = str(metric.get_signature())
    resampled = metric.corpus_score(HYPOTHESES, references, n_bootstrap=20)
    with_interval = str(metric.get_signature())
    lines = [stream[1] for stream in STREAMS]
    sentence = metric.sentence_score(HYPOTHESES[1], lines)
    return [parts(corpus_score), signature, parts(resampled), with_interval, parts(sentence), str(metric.get_signature())]


LATER = [
    ("BLEU", {"lowercase": True}),
    ("BLEU", {"effective_order": True, "smooth_method": "none"}),
    ("BLEU", {"smooth_method": "floor", "smooth_value": 0.3}),
    ("BLEU", {"smooth_method": "add-k", "smooth_value": 2}),
    ("BLEU", {"max_ngram_order": 2}),
    ("BLEU", {"max_ngram_order": 12}),
    ("BLEU", {"trg_lang": "de", "_force": True}),
    ("CHRF", {"lowercase": True, "beta": 1}),
    ("CHRF", {"whitespace": True}),
    ("CHRF", {"word_order": 2}),
    ("CHRF", {"word_order": 2, "order": 8}),
    ("CHRF", {"char_order": 3}),
    ("CHRF", {"eps_smoothing": True}),
    ("CHRF", {"beta": 0.5}),
    ("TER", {"normalized": True}),
    ("TER", {"case_sensitive": True, "no_punct": True}),
]


@pytest.mark.parametrize("name, settings", LATER)
def test_settings_that_change_count(name, settings):
    def steps(metrics):
        metric = getattr(metrics, name)()
        before = parts(metric.corpus_score(HYPOTHESES, STREAMS))
        vars(metric).update(settings)
        return before, scores(metric)

    mine, real = both(steps)
    assert mine == real


@pytest.mark.parametrize("name, settings", LATER)
def test_cached_references_keep_the_settings_of_their_time(name, settings):
    def steps(metrics):
        metric = getattr(metrics, name)(references=STREAMS)
        vars(metric).update(settings)
        found = parts(metric.corpus_score(HYPOTHESES, None))
        again = pickle.loads(pickle.dumps(metric))
        assert parts(copy.deepcopy(metric).corpus_score(HYPOTHESES, None)) == found
        return found, parts(again.corpus_score(HYPOTHESES, None)), str(again.get_signature())

    mine, real = both(steps)
    assert mine == real


def test_what_was_cached_by_hand_is_used():
    def steps(metrics):
        metric = metrics.BLEU()
        metric._ref_cache = metric._cache_references(STREAMS)
        return parts(metric.corpus_score(HYPOTHESES, None))

    mine, real = both(steps)
    assert mine == real


class Reversed:
    """Not one of sacreBLEU's tokenizers."""

    def signature(self):
        return "reversed"

    def __call__(self, line):
        return " ".join(word[::-1] for word in line.lower().split(","))


@pytest.mark.parametrize("name", ["BLEU", "TER"])
def test_tokenizers_of_ones_own(name):
    def steps(metrics):
        metric = getattr(metrics, name)()
        metric.tokenizer = Reversed()
        return scores(metric)

    mine, real = both(steps)
    assert mine == real
    assert mine[0] != scores(getattr(ours, name)())[0]


def test_another_tokenizer_of_sacrebleu():
    def steps(metrics):
        metric = metrics.BLEU()
        metric.tokenizer = metrics.BLEU(tokenize="char").tokenizer
        return scores(metric)

    mine, real = both(steps)
    assert mine == real
    metric = ours.BLEU()
    metric.tokenizer = ours.BLEU(tokenize="char").tokenizer
    assert metric._engine() is not None


def replaced(kind, hook):
    """A subclass whose hook does more than the original."""
    original = getattr(kind, hook)

    def instead(self, *arguments, **keywords):
        if hook == "_preprocess_segment":
            return original(self, arguments[0].replace("a", " b"))
        if hook == "_extract_reference_info":
            return original(self, [line.replace("the", "a") for line in arguments[0]])
        if hook == "_compute_segment_statistics":
            return [number + 1 for number in original(self, *arguments)]
        if hook == "_extract_corpus_statistics":
            return original(self, *arguments)[:5]
        if hook == "_get_closest_ref_len":
            return max(arguments[1])
        if hook == "_remove_punctuation":
            return arguments[0].split()
        if hook == "_get_match_statistics":
            return [3, 2, 1]
        result = original(self, *arguments, **keywords)
        if hook == "_compute_f_score":
            return result / 2
        if hook == "_cache_references":
            return result[1:] + result[:1]
        result.score += 1
        return result

    if hook in ("_get_match_statistics", "compute_bleu"):
        instead = staticmethod(lambda *arguments, **keywords: _halved(original, hook, arguments, keywords))
    return type(kind.__name__, (kind,), {hook: instead})


def _halved(original, hook, arguments, keywords):
    result = original(*arguments, **keywords)
    if hook == "compute_bleu":
        result.score /= 2
        return result
    return [result[0] + 1, result[1] + 1, result[2]]


GENERAL = [
    "_preprocess_segment",
    "_extract_reference_info",
    "_compute_segment_statistics",
    "_extract_corpus_statistics",
    "_cache_references",
    "_compute_score_from_stats",
    "_aggregate_and_compute",
]
HOOKS = [(name, hook) for name in ("BLEU", "CHRF", "TER") for hook in GENERAL] + [
    ("BLEU", "_get_closest_ref_len"),
    ("BLEU", "compute_bleu"),
    ("CHRF", "_compute_f_score"),
    ("CHRF", "_get_match_statistics"),
    ("CHRF", "_remove_punctuation"),
]


@pytest.mark.parametrize("name, hook", HOOKS)
def test_hooks_of_subclasses_are_called(name, hook):
    options = {"word_order": 2} if name == "CHRF" else {}

    def steps(metrics):
        return scores(replaced(getattr(metrics, name), hook)(**options))

    def cached(metrics):
        return scores(replaced(getattr(metrics, name), hook)(references=STREAMS, **options), None)

    mine, real = both(steps)
    assert mine == real
    assert mine != scores(getattr(ours, name)(**options))
    mine, real = both(cached)
    assert mine == real


def test_a_hook_of_one_object_is_called():
    def steps(metrics):
        metric = metrics.CHRF()
        metric._preprocess_segment = str.upper
        return scores(metric)

    mine, real = both(steps)
    assert mine == real


def test_python_counts_what_the_engine_does_not():
    generator = random.Random(7)
    for _ in range(20):
        order = {"char_order": generator.choice([1, 8, 10]), "word_order": generator.choice([0, 2, 4, 7])}
        options = {**order, "beta": generator.choice([-2, 1, 3]), "eps_smoothing": generator.random() < 0.3}
        mine, real = both(lambda metrics: scores(metrics.CHRF(**options)))
        assert mine == real, options
    mine, real = both(lambda metrics: scores(metrics.CHRF(char_order=0, word_order=1)))
    assert mine == real
    for options in ({"max_ngram_order": 0}, {"max_ngram_order": 15}, {"smooth_method": "floor", "smooth_value": -1}):
        mine, real = both(lambda metrics: scores(metrics.BLEU(**options)))
        assert mine == real, options
