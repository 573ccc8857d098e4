"""The paired tests of ``bolide.compat.sacrebleu`` against sacreBLEU's, and metrics of one's own."""

import importlib
import random

import numpy as np
import pytest
from test_sacrebleu import corpus, ours, parts, their_metrics

import bolide.compat.sacrebleu.metrics.base as our_base
import bolide.compat.sacrebleu.significance as our_significance

their_significance = importlib.import_module("sacrebleu.significance")
their_base = importlib.import_module("sacrebleu.metrics.base")
SIDES = [
    (ours.metrics, our_base, our_significance),
    (their_metrics, their_base, their_significance),
]


def results(run):
    """Signatures and bits of what ``run`` gives on both sides."""

    def bits(value):
        return value if value is None or isinstance(value, str) else float(value).hex()

    found = []
    for metrics, base, significance in SIDES:
        signatures, scores = run(metrics, base, significance)
        rows = {
            name: [row if isinstance(row, str) else [bits(part) for part in vars(row).values()] for row in of_metric]
            for name, of_metric in scores.items()
        }
        found.append(({key: str(value) for key, value in signatures.items()}, rows))
    return found


def systems(seed, n_segments=30, n_references=2, longest=13):
    generator = random.Random(seed)
    words = "a b c d e f g the cat sat".split()

    def lines():
        return [" ".join(generator.choices(words, k=generator.randrange(1, longest))) for _ in range(n_segments)]

    return [("old", lines()), ("new", lines()), ("other", lines())], [lines() for _ in range(n_references)]


@pytest.mark.parametrize("kind", ["ar", "bs"])
def test_intervals_of_both_tests(kind):
    named, streams = systems(1)

    def run(metrics, base, significance):
        of = {"bleu": metrics.BLEU(), "chrf": metrics.CHRF(), "ter": metrics.TER()}
        return significance.PairedTest(named, of, streams, kind, 60, n_ar_confidence=50)()

    mine, real = results(run)
    assert mine == real
    assert "bs:50" in mine[0]["TER"] and mine[1]["TER"][2][2] is not None


def test_the_default_number_of_samples():
    for options in ({"n_samples": -3}, {"n_ar_confidence": 0}):
        tests = [significance.PairedTest([("a", ["x"])], {}, [["x"]], **options) for _, _, significance in SIDES]
        assert tests[0].n_samples == tests[1].n_samples
        assert tests[0].n_ar_confidence == tests[1].n_ar_confidence


def test_mean_lengths_of_three_references_are_added_as_numpy_does():
    # Up to 256 segments are one block of the matrix product; a test of more depends on the processor.
    for seed, n_segments in enumerate([3, 5, 20, 64, 100, 256] * 3):
        named, streams = systems(seed, n_segments, 3, 9)
        mine, real = results(lambda m, _, s: s.PairedTest(named[:2], {"ter": m.TER()}, streams, "ar", 100)())
        assert mine == real, (seed, n_segments)


NOTHING_MATCHES = [
    ("CHRF", {}, ["abc def", "q"], ["abc d", "w"], ["abc def", "xyz"]),
    ("CHRF", {"eps_smoothing": True}, ["abc def", ""], ["abc d", ""], ["abc def", ""]),
    ("TER", {}, ["abc def", "q"], ["abc d", ""], ["abc def", ""]),
]


@pytest.mark.parametrize("name, options, old, new, lines", NOTHING_MATCHES)
def test_a_resample_in_which_nothing_is_divided(name, options, old, new, lines):
    named = [("a", old), ("b", new)]
    mine, real = results(lambda m, _, s: s.PairedTest(named, {"it": getattr(m, name)(**options)}, [lines], "bs", 50)())
    assert mine == real


def own_metric(base):
    """A metric that only uses sacreBLEU's base classes."""

    class WordsSignature(base.Signature):
        def __init__(self, args):
            super().__init__(args)
            self._abbr["kind"] = "k"
            self.info["kind"] = args["kind"]

    class Words(base.Metric):
        _SIGNATURE_TYPE = WordsSignature

        def __init__(self, references=None):
            super().__init__()
            self.kind = "set"
            if references is not None:
                self._ref_cache = self._cache_references(references)

        def _preprocess_segment(self, sent):
            return sent.lower()

        def _extract_reference_info(self, refs):
            return {"words": set(" ".join(refs).split())}

        def _compute_segment_statistics(self, hypothesis, ref_kwargs):
            words = set(hypothesis.split())
            return [len(words & ref_kwargs["words"]), len(words) + 1]

        def _compute_score_from_stats(self, stats):
            return base.Score("words", 100 * stats[0] / stats[1])

        def _aggregate_and_compute(self, stats):
            return self._compute_score_from_stats([sum(column) for column in zip(*stats)])

    return Words


def test_metrics_of_ones_own():
    hypotheses, streams = corpus(8, holes=True)
    found = []
    for _, base, _ in SIDES:
        kind = own_metric(base)
        metric = kind()
        with pytest.raises(ValueError, match="Number of references unknown"):
            metric.get_signature()
        score = metric.corpus_score(hypotheses, streams, n_bootstrap=30)
        cached = kind(streams).corpus_score(hypotheses, None)
        one = metric.sentence_score("The cat", ["the dog", "a bird"])
        signature = metric.get_signature()
        found.append([*map(parts, (score, cached, one)), str(score), str(signature), signature.format(short=True)])
    assert found[0] == found[1]


@pytest.mark.parametrize("kind", ["ar", "bs"])
def test_paired_tests_of_metrics_of_ones_own(kind):
    named, streams = systems(2)

    def run(metrics, base, significance):
        class Lower(metrics.BLEU):
            def _preprocess_segment(self, sent):
                return sent.replace("sat", "cat")

        of = {"own": own_metric(base)(), "lower": Lower(), "wide": metrics.CHRF(char_order=9)}
        return significance.PairedTest(named, of, streams, kind, 60, n_ar_confidence=20)()

    mine, real = results(run)
    assert mine == real


def test_cached_references_are_compared():
    named, streams = systems(3)
    mine, real = results(lambda m, _, s: s.PairedTest(named, {"it": m.BLEU(references=streams)}, None, "bs", 20)())
    assert mine == real


def test_a_metric_of_sacrebleu_itself_can_be_compared():
    # It was made before `install`, or derives from a class that was not replaced.
    named, streams = systems(4)
    scores = [
        significance.PairedTest(named, {"own": own_metric(their_base)()}, streams, "bs", 20)()[1]
        for _, _, significance in SIDES
    ]
    assert str(scores[0]) == str(scores[1])


def test_estimates_are_those_of_numpy():
    values = np.random.default_rng(1).random(130)
    assert our_significance.estimate_ci(values) == their_significance.estimate_ci(values)
    scores = [their_base.Score("x", float(value)) for value in values]
    mine, real = our_base.Score("x", 1.0), their_base.Score("x", 1.0)
    mine.estimate_ci(scores)
    real.estimate_ci(scores)
    assert parts(mine) == parts(real)
