"""MLflow: scorers for ``mlflow.genai.evaluate``."""

from __future__ import annotations

from typing import Any

from mlflow.entities import Feedback
from mlflow.genai.scorers import Scorer
from mlflow.genai.scorers import scorer as as_scorer

from ..metric import Metric
from ._common import metric_of, name_of, reason, references_of

__all__ = ["scorer"]


def scorer(metric: str | Metric, name: str | None = None, *, expectation: str = "expected_response") -> Scorer:
    """A scorer that compares ``outputs`` with one of the ``expectations``: a text, or a list of references.

    The rationale of each assessment is the alignment.
    """
    chosen = metric_of(metric)

    # MLflow pickles the name, not the engine.
    def score(outputs: Any, expectations: dict[str, Any]) -> Feedback:
        references = references_of(expectations.get(expectation))
        value = chosen.segment(outputs, references)
        return Feedback(
            name=name_of(chosen, name),
            value=float(value),
            rationale=reason(chosen, outputs, references),
            metadata={"signature": value.signature},
        )

    made: Scorer = as_scorer(score, name=name_of(chosen, name), aggregations=["mean"])
    return made
