"""Ragas: a metric that compares ``response`` with ``reference``, whole."""

from __future__ import annotations

from typing import Any

from ragas.dataset_schema import SingleTurnSample
from ragas.metrics.base import MetricType, SingleTurnMetric

from ..metric import Metric
from ._common import DEFAULT, metric_of, name_of

__all__ = ["ReferenceMetric"]


class ReferenceMetric(SingleTurnMetric):  # type: ignore[misc]
    """Any metric by name. Texts are not split into sentences, so no sentence is left out."""

    def __init__(self, metric: str | Metric = DEFAULT, name: str | None = None) -> None:
        self.metric: Metric = metric_of(metric)
        columns = {MetricType.SINGLE_TURN: {"reference", "response"}}
        super().__init__(name=name_of(self.metric, name), _required_columns=columns)

    def init(self, run_config: Any) -> None:
        """There is nothing to prepare."""

    async def _single_turn_ascore(self, sample: SingleTurnSample, callbacks: Any) -> float:
        return float(self.metric.segment(sample.response, sample.reference))
