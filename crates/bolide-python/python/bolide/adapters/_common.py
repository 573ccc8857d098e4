"""What the adapters share: metrics by name or object, their names, and why a score is what it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..family import families
from ..metric import Metric
from ..metric import _metric as metric_of

DEFAULT = families()[0]["default"]
"""The metric that is meant if none is named."""

__all__ = ["DEFAULT", "corpus_of", "metric_of", "name_of", "reason", "references_of"]


def name_of(metric: Metric, name: str | None = None) -> str:
    """What the framework calls the metric: the caller's name for it, or its dialect."""
    return name or str(metric.dialect["name"])


def references_of(value: Any) -> list[str]:
    """The references of one segment: a framework hands over one text or several."""
    references = [value] if isinstance(value, str) else list(value or [])
    if not references or not all(isinstance(text, str) for text in references):
        raise TypeError(f"expected a reference or a list of references, got {value!r}")
    return references


def reason(metric: Metric, hypothesis: str, references: list[str]) -> str:
    """The alignment of a metric that has one, the components of any other."""
    if metric.dialect["alignment"]:
        return str(metric.explain(hypothesis, references))
    components = metric.segment(hypothesis, references).components
    return ", ".join(f"{name} {value:.6g}" for name, value in components.items())


def corpus_of(metric: Metric, rows: Iterable[tuple[str, Any]]) -> float:
    """The corpus score of hypotheses with their references."""
    pairs = [(hypothesis, references_of(references)) for hypothesis, references in rows]
    return float(metric.corpus([pair[0] for pair in pairs], [pair[1] for pair in pairs]))
