"""The paired tests of ``sacrebleu.significance``, with the same p-values.

The engine resamples its own metrics; those that count in Python are resampled here, with NumPy as in sacreBLEU.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ... import _bolide
from .. import _original
from .metrics._engine import EngineMetric, Lines
from .metrics.base import Metric, Signature, _n_threads, _seed
from .scores import Score

__all__ = ["PairedTest", "Result", "estimate_ci"]
__getattr__: _original.Getattr = _original.names_of("sacrebleu.significance")


@dataclass
class Result:
    """A system's score and, except for the baseline, the p-value of the difference."""

    score: float
    p_value: float | None = None
    mean: float | None = None
    ci: float | None = None

    def __repr__(self) -> str:
        return ",".join(f"{key}={value!s}" for key, value in vars(self).items())


def estimate_ci(scores: Any) -> tuple[float, float]:
    """The mean of an array of bootstrap scores, and half the width of their 95 % interval."""
    import numpy as np

    scores = np.sort(scores)
    outside = len(scores) // 40
    return scores.mean(), 0.5 * (scores[-1 - outside] - scores[outside])


class PairedTest:
    """Compares systems with the first one, by bootstrap (``bs``) or randomisation (``ar``).

    >>> from bolide.compat.sacrebleu import BLEU
    >>> systems = [("old", ["a b c d x", "f g h i j"]), ("new", ["a b c d e", "f g h i j"])]
    >>> test = PairedTest(systems, {"BLEU": BLEU()}, [["a b c d e", "f g h i j"]], "bs", 100)
    >>> signatures, scores = test()
    >>> [round(result.score, 2) for result in scores["BLEU"]]
    [83.76, 100.0]
    """

    _DEFAULT_SAMPLES = {"bs": 1000, "ar": 10000}

    def __init__(
        self,
        named_systems: list[tuple[str, Sequence[str]]],
        metrics: Mapping[str, Metric[Any]],
        references: Sequence[Sequence[str]] | None,
        test_type: str = "ar",
        n_samples: int = 0,
        n_ar_confidence: int = -1,
        n_jobs: int = 1,
    ) -> None:
        assert test_type in self._DEFAULT_SAMPLES, f"Unknown test type {test_type!r}"
        self.test_type = test_type
        self.named_systems = named_systems
        self.n_systems: int = len(named_systems) - 1
        self.metrics = metrics
        self.references = references
        self.n_samples: int = n_samples if n_samples > 0 else self._DEFAULT_SAMPLES[test_type]
        self.n_ar_confidence: int = n_ar_confidence if n_ar_confidence != 0 else self._DEFAULT_SAMPLES["bs"]
        self.n_jobs = n_jobs

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[Any]]]:
        """The signature of each metric, and for each a list of results."""
        seed_text, seed = _seed()
        signatures: dict[str, Signature] = {}
        scores: dict[str, list[Any]] = {"System": [name for name, _ in self.named_systems]}
        for metric in self.metrics.values():
            name, results = self._in_engine(metric, seed) or self._in_python(metric, seed)
            signature = metric.get_signature()
            signature.update("seed", seed_text)
            signature.update(self.test_type, self.n_samples)
            if self.n_ar_confidence > 0:
                signature.update("bs", self.n_ar_confidence)
            signatures[name] = signature
            scores[name] = results
        return signatures, scores

    def _in_engine(self, metric: Any, seed: int) -> tuple[str, list[Result]] | None:
        """The name of the scores and the results, if the engine has the metric."""
        if not isinstance(metric, EngineMetric):
            return None
        native, lines = metric._engine(), metric._lines(self.references)
        if native is None or lines is None:
            return None
        if self.references is not None:
            metric.num_refs = Lines(self.references, {}).num_refs()
        rows = _bolide.paired(
            native,
            [list(hypotheses) for _, hypotheses in self.named_systems],
            lines,
            test=self.test_type,
            n_samples=self.n_samples,
            n_confidence=max(self.n_ar_confidence, 0),
            seed=seed,
            threads=_n_threads(),
        )
        return metric._label, [
            Result(score, p_value, *(interval or (None, None))) for score, p_value, interval in rows
        ]

    def _in_python(self, metric: Metric[Any], seed: int) -> tuple[str, list[Result]]:
        """The same through the hooks of the metric."""
        (_, first), *others = self.named_systems
        baseline = metric._extract_corpus_statistics(first, self.references)
        score = metric._aggregate_and_compute(baseline)
        result = Result(score.score)
        n_resamples = self.n_samples if self.test_type == "bs" else self.n_ar_confidence
        if n_resamples > 0:
            _, resampled = _bootstrap_resample(baseline, metric, n_resamples)
            result.mean, result.ci = estimate_ci([one.score for one in resampled])
        results = [result]
        compare = self._bootstrap if self.test_type == "bs" else self._randomization
        for _, hypotheses in others:
            rows = metric._extract_corpus_statistics(hypotheses, self.references)
            theirs = metric._aggregate_and_compute(rows).score
            results.append(compare(metric, baseline, rows, abs(score.score - theirs), theirs, seed))
        return score.name, results

    def _bootstrap(
        self, metric: Any, baseline: Any, rows: Any, difference: float, score: float, seed: int
    ) -> Result:
        import numpy as np

        chosen = _resamples(np.random.default_rng(seed or None), len(rows), self.n_samples)
        ours, theirs = (_scores(metric, stats, chosen) for stats in (rows, baseline))
        differences = np.abs(ours - theirs)
        p_value = _p_value(differences - differences.mean(), difference)
        return Result(score, p_value, *estimate_ci(ours))

    def _randomization(
        self, metric: Any, baseline: Any, rows: Any, difference: float, score: float, seed: int
    ) -> Result:
        import numpy as np

        generator = np.random.default_rng(seed or None)
        kept = generator.integers(2, size=(self.n_samples, len(rows)), dtype=bool)
        one = kept @ baseline + ~kept @ rows
        other = ~kept @ baseline + kept @ rows
        ours, theirs = (
            np.array([metric._aggregate_and_compute([stats]).score for stats in trials]) for trials in (one, other)
        )
        result = Result(score, _p_value(np.abs(ours - theirs), difference))
        if self.n_ar_confidence > 0:
            chosen = _resamples(generator, len(rows), self.n_ar_confidence)
            result.mean, result.ci = estimate_ci(_scores(metric, rows, chosen))
        return result


def _bootstrap_resample(
    stats: Sequence[Sequence[Any]], metric: Metric[Any], n_samples: int = 1000
) -> tuple[str, list[Score]]:
    """The seed, and the scores of bootstrap samples of the statistics of segments."""
    import numpy as np

    text, seed = _seed()
    chosen = _resamples(np.random.default_rng(seed), len(stats), n_samples)
    rows = np.array(stats, dtype="float32")
    return text, [metric._compute_score_from_stats(rows[sample].sum(0)) for sample in chosen]


def _resamples(generator: Any, n_segments: int, n_samples: int) -> Any:
    return generator.choice(n_segments, size=(n_samples, n_segments), replace=True)


def _scores(metric: Any, stats: Any, chosen: Any) -> Any:
    import numpy as np

    rows = np.array(stats, dtype="float32")
    return np.array([metric._compute_score_from_stats(rows[sample].sum(0)).score for sample in chosen])


def _p_value(differences: Any, observed: float) -> float:
    """How probable a difference as large as the observed one is."""
    n_larger = int((differences > observed).sum())
    return (n_larger + 1) / (len(differences) + 1)
