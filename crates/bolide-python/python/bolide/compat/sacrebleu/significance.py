"""The paired tests of ``sacrebleu.significance``, with the same p-values, computed in Rust."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ... import _bolide
from .. import _original
from .metrics.base import Metric, Signature, _n_threads, _seed

__all__ = ["PairedTest", "Result"]
__getattr__: _original.Getattr = _original.names_of("sacrebleu.significance")


@dataclass
class Result:
    """A system's score and, except for the baseline, the p-value of the difference."""

    score: float
    p_value: float | None = None
    mean: float | None = None
    ci: float | None = None

    def __repr__(self) -> str:
        return ",".join(f"{key}={value}" for key, value in vars(self).items())


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
        self.n_samples: int = n_samples or self._DEFAULT_SAMPLES[test_type]
        self.n_ar_confidence = n_ar_confidence
        self.n_jobs = n_jobs

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[Any]]]:
        """The signature of each metric, and for each a list of results."""
        seed_text, seed = _seed()
        signatures: dict[str, Signature] = {}
        scores: dict[str, list[Any]] = {"System": [name for name, _ in self.named_systems]}
        for metric in self.metrics.values():
            name = metric._label
            if self.references is not None:
                references = metric._by_segment(self.references)
            elif metric._ref_cache is not None:
                references = metric._ref_cache
            else:
                raise RuntimeError("No references provided and the cache is empty.")
            rows = _bolide.paired(
                metric._native(),
                [list(hypotheses) for _, hypotheses in self.named_systems],
                references,
                test=self.test_type,
                n_samples=self.n_samples,
                seed=seed,
                threads=_n_threads(),
            )
            counts = {sum(ref is not None for ref in refs) for refs in references}
            metric.num_refs = counts.pop() if len(counts) == 1 else "var"
            signature = metric.get_signature()
            signature.update("seed", seed_text)
            signature.update(self.test_type, self.n_samples)
            signatures[name] = signature
            scores[name] = [
                Result(score, p_value, *(interval or (None, None)))
                for score, p_value, interval in rows
            ]
        return signatures, scores
