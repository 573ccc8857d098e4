"""lighteval: corpus and sample metrics for the ``metrics`` of a task."""

from __future__ import annotations

from typing import Any

from lighteval.metrics.metrics_corpus import CorpusLevelComputation
from lighteval.metrics.metrics_sample import SampleLevelComputation
from lighteval.metrics.sample_preparator import GenerativePreparator
from lighteval.metrics.utils.metric_utils import CorpusLevelMetric, SampleLevelMetric
from lighteval.tasks.requests import SamplingMethod

from ..metric import Metric
from ._common import corpus_of, metric_of, name_of, references_of

__all__ = ["corpus_metric", "sample_metric"]


class _Corpus(CorpusLevelComputation):  # type: ignore[misc]
    def __init__(self, metric: Metric) -> None:
        self.metric = metric

    def compute_corpus(self, items: list[Any]) -> float:
        return corpus_of(self.metric, ((_first(item.preds), item.golds) for item in items))


class _Sample(SampleLevelComputation):  # type: ignore[misc]
    def __init__(self, metric: Metric) -> None:
        self.metric = metric

    def compute(self, doc: Any, model_response: Any, **_: Any) -> float:
        return float(self.metric.segment(_first(model_response.final_text), references_of(doc.get_golds())))


def _first(predictions: str | list[str]) -> str:
    """lighteval's own corpus metrics also use the first of several predictions."""
    return predictions if isinstance(predictions, str) else predictions[0]


def corpus_metric(metric: str | Metric, name: str | None = None) -> CorpusLevelMetric:
    """The corpus score over all samples, with all references of each sample."""
    chosen = metric_of(metric)
    return CorpusLevelMetric(
        metric_name=name_of(chosen, name),
        higher_is_better=not chosen.lower_is_better,
        category=SamplingMethod.GENERATIVE,
        sample_level_fn=GenerativePreparator(),
        corpus_level_fn=_Corpus(chosen),
    )


def sample_metric(metric: str | Metric, name: str | None = None) -> SampleLevelMetric:
    """The mean of segment scores, for which lighteval has a standard error."""
    chosen = metric_of(metric)
    return SampleLevelMetric(
        metric_name=name_of(chosen, name),
        higher_is_better=not chosen.lower_is_better,
        category=SamplingMethod.GENERATIVE,
        sample_level_fn=_Sample(chosen),
        corpus_level_fn=_mean,
    )


def _mean(scores: list[float]) -> float:
    return sum(scores) / len(scores)
