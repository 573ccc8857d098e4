"""lm-evaluation-harness: registers metrics that a task's ``metric_list`` can name.

>>> from bolide.adapters import lm_eval
>>> lm_eval.register("meteor:nltk")  # doctest: +SKIP
'meteor:nltk'

The harness has no entry points for metrics, so ``register`` must be called before the task is built, for example in the
module that a task's ``!function`` names.
"""

from __future__ import annotations

from typing import Any, Literal

from lm_eval.api import metrics, registry

from ..metric import Metric
from ._common import corpus_of, metric_of, name_of, references_of

__all__ = ["register"]


def register(metric: str | Metric, name: str | None = None, *, level: Literal["corpus", "segment"] = "corpus") -> str:
    """Registers a metric, and returns the name to write into ``metric_list``.

    The score of a task is the corpus score, or with ``level="segment"`` the mean of segment scores, for which the harness
    has a standard error.

    The harness reduces a task whose ``doc_to_target`` is a list to right or wrong, whatever the metric says. For several
    references, give the task a ``process_results`` that returns ``{name: (references, hypothesis)}``.
    """
    chosen = metric_of(metric)
    name = name_of(chosen, name)

    def pair(references: list[Any], predictions: list[str], **_: Any) -> tuple[Any, str]:
        return references[0], predictions[0]

    def segment(references: list[Any], predictions: list[str], **_: Any) -> float:
        return float(chosen.segment(predictions[0], references_of(references[0])))

    def corpus(items: list[Any]) -> float:
        if not all(isinstance(item, (tuple, list)) and len(item) == 2 for item in items):
            raise TypeError(
                f"{name}: the harness has reduced several references to right or wrong; "
                "let process_results return (references, hypothesis)"
            )
        return corpus_of(chosen, ((hypothesis, references) for references, hypothesis in items))

    aggregation = "mean"
    if level == "corpus":
        aggregation = name
        registry.register_aggregation(name)(corpus)
    assert metrics  # Its import has registered the harness's own metrics: an empty registry would be filled later.
    registry.register_metric(
        metric=name,
        higher_is_better=not chosen.lower_is_better,
        output_type="generate_until",
        aggregation=aggregation,
    )(pair if level == "corpus" else segment)
    return name
