"""DeepEval: a metric that compares ``actual_output`` with ``expected_output``."""

from __future__ import annotations

from typing import Any

from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

from ..metric import Metric
from ._common import DEFAULT, metric_of, name_of, reason, references_of

__all__ = ["ReferenceMetric"]


class ReferenceMetric(BaseMetric):  # type: ignore[misc]
    """Any metric by name. A test case passes if its score reaches the threshold, in the metric's own range.

    A smaller score is better for an error rate: it passes if its score is not above the threshold. The reason is
    the alignment.
    """

    async_mode: bool = False
    metric: Metric
    score: float | None
    score_breakdown: dict[str, float | int | bool]
    reason: str | None
    success: bool | None

    def __init__(self, metric: str | Metric = DEFAULT, threshold: float = 0.5, name: str | None = None) -> None:
        self.metric = metric_of(metric)
        self.threshold = threshold
        self._name = name_of(self.metric, name)

    def measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float:
        hypothesis, references = test_case.actual_output, references_of(test_case.expected_output)
        value = self.metric.segment(hypothesis, references)
        self.score = float(value)
        self.score_breakdown = dict(value.components)
        self.reason = reason(self.metric, hypothesis, references)
        self.is_successful()
        return float(value)

    async def a_measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float:
        return self.measure(test_case)

    def is_successful(self) -> bool:
        better = self.score is not None and (
            self.score <= self.threshold if self.metric.lower_is_better else self.score >= self.threshold
        )
        self.success = self.error is None and better
        return bool(self.success)

    @property
    def __name__(self) -> str:
        return self._name
