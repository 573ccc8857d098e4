"""Langfuse: evaluators for ``run_experiment``, of each item and of the whole run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langfuse import Evaluation

from ..metric import Metric
from ._common import corpus_of, metric_of, name_of, reason, references_of

__all__ = ["evaluator", "run_evaluator"]


def evaluator(metric: str | Metric, name: str | None = None) -> Callable[..., Evaluation]:
    """Scores the output of an item against its expected output: a text, or a list of references.

    The comment of each evaluation is the alignment.
    """
    chosen = metric_of(metric)

    def evaluate(*, output: Any, expected_output: Any, **_: Any) -> Evaluation:
        references = references_of(expected_output)
        value = chosen.segment(output, references)
        return Evaluation(
            name=name_of(chosen, name),
            value=float(value),
            comment=reason(chosen, output, references),
            metadata={"signature": value.signature},
        )

    return evaluate


def run_evaluator(metric: str | Metric, name: str | None = None) -> Callable[..., Evaluation]:
    """The corpus score of all items."""
    chosen = metric_of(metric)

    def evaluate(*, item_results: list[Any], **_: Any) -> Evaluation:
        rows = [(result.output, _expected(result.item)) for result in item_results]
        return Evaluation(
            name=f"{name_of(chosen, name)} (corpus)",
            value=corpus_of(chosen, rows),
            metadata={"signature": chosen.signature},
        )

    return evaluate


def _expected(item: Any) -> Any:
    return item["expected_output"] if isinstance(item, dict) else item.expected_output
