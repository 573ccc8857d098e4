"""A pytest plugin: the fixture ``assert_score``, whose failure shows the alignment.

Pytest loads it by its entry point; ``from bolide.adapters.pytest import assert_score`` is the same function.
"""

from __future__ import annotations

from typing import Protocol

import pytest

from ..metric import Metric, References
from ..result import Score
from ._common import DEFAULT, metric_of, reason, references_of

__all__ = ["AssertScore", "assert_score"]


class AssertScore(Protocol):
    """The type of the fixture."""

    def __call__(
        self,
        hypothesis: str,
        references: References,
        metric: str | Metric = DEFAULT,
        *,
        at_least: float | None = None,
        at_most: float | None = None,
    ) -> Score: ...


def assert_score(
    hypothesis: str,
    references: References,
    metric: str | Metric = DEFAULT,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
) -> Score:
    """Fails the test unless the score is within the limits, and returns the score."""
    __tracebackhide__ = True
    if at_least is None and at_most is None:
        raise TypeError("assert_score needs at_least or at_most")
    chosen, texts = metric_of(metric), references_of(references)
    score = chosen.segment(hypothesis, texts)
    wrong = [
        f"{score} is {side} {limit}"
        for side, limit, bad in (
            ("below", at_least, at_least is not None and score < at_least),
            ("above", at_most, at_most is not None and score > at_most),
        )
        if bad
    ]
    if wrong:
        pytest.fail(f"{chosen.dialect['name']}: {', '.join(wrong)}\n{reason(chosen, hypothesis, texts)}")
    return score


@pytest.fixture(name="assert_score")
def _assert_score() -> AssertScore:
    """``assert_score(hypothesis, references, metric, at_least=0.8)``."""
    return assert_score
