"""Inspect AI: the scorer ``bolide/score``, which Inspect finds by its entry point, and the metric ``bolide/corpus``."""

from __future__ import annotations

from typing import Any

from inspect_ai.scorer import (
    Metric as SampleMetric,
)
from inspect_ai.scorer import (
    SampleScore,
    Scorer,
    Target,
    mean,
    metric,
    scorer,
    stderr,
)
from inspect_ai.scorer import (
    Score as SampleResult,
)
from inspect_ai.solver import TaskState

from ..accumulator import Accumulator
from ..metric import Metric
from ._common import DEFAULT, metric_of, reason

__all__ = ["corpus", "score"]


@metric  # type: ignore[untyped-decorator]
def corpus() -> SampleMetric:
    """The corpus score: the statistics of the samples, merged."""

    def merged(scores: list[SampleScore]) -> float:
        total: Accumulator | None = None
        for sample in scores:
            metadata: dict[str, Any] = sample.score.metadata or {}
            part = Accumulator.from_bytes(Metric(metadata["metric"]), bytes.fromhex(metadata["statistics"]))
            total = part if total is None else total.merge(part)
        return float("nan") if total is None else float(total.compute())

    return merged


@scorer(metrics=[mean(), stderr(), corpus()])  # type: ignore[untyped-decorator]
def score(metric: str = DEFAULT) -> Scorer:
    """Scores the output of each sample with any metric by name; several targets are several references.

    The explanation of a score is its alignment. ``inspect score log.eval --scorer bolide/score -S metric=meteor:nltk``
    scores a log again.
    """
    chosen = metric_of(metric)

    async def scored(state: TaskState, target: Target) -> SampleResult:
        hypothesis, references = state.output.completion, list(target)
        value = chosen.segment(hypothesis, references)
        statistics = chosen.accumulator()
        statistics.update(hypothesis, references)
        return SampleResult(
            value=float(value),
            answer=hypothesis,
            explanation=reason(chosen, hypothesis, references),
            metadata={
                **value.components,
                "signature": value.signature,
                "metric": metric,
                "statistics": statistics.to_bytes().hex(),
            },
        )

    return scored
