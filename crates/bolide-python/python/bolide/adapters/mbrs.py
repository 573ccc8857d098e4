"""mbrs: metrics for minimum Bayes risk decoding, registered under a name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from mbrs import metrics

from .. import metric as _metrics
from ._common import metric_of, name_of

__all__ = ["register"]


def register(metric: str | _metrics.Metric, name: str | None = None) -> type[metrics.Metric]:
    """Registers a metric with ``mbrs.metrics``, and returns its class.

    Scores are segment scores. The matrix of all hypotheses and references is computed by bolide in one call.
    ``mbrs-decode`` knows only its own names; use the class in a program.
    """
    chosen = metric_of(metric)

    class ReferenceMetric(metrics.Metric):  # type: ignore[misc]
        HIGHER_IS_BETTER = not chosen.lower_is_better

        @dataclass
        class Config(metrics.Metric.Config):  # type: ignore[misc]
            threads: int | None = None

        def score(self, hypothesis: str, reference: str, source: str | None = None) -> float:
            return float(chosen.segment(hypothesis, reference))

        def scores(self, hypotheses: list[str], references: list[str], *_: Any, **__: Any) -> torch.Tensor:
            return torch.Tensor(chosen.segments(list(hypotheses), list(references), threads=self.cfg.threads))

        def pairwise_scores(self, hypotheses: list[str], references: list[str], *_: Any, **__: Any) -> torch.Tensor:
            rows = [(hypothesis, reference) for hypothesis in hypotheses for reference in references]
            flat = self.scores([row[0] for row in rows], [row[1] for row in rows])
            return flat.view(len(hypotheses), len(references))

        def corpus_score(
            self, hypotheses: list[str], references_lists: list[list[str]], sources: list[str] | None = None
        ) -> float:
            """The lists of references are streams, as in sacreBLEU."""
            return float(chosen.corpus(list(hypotheses), [list(row) for row in zip(*references_lists)]))

    registered: type[metrics.Metric] = metrics.register(name_of(chosen, name))(ReferenceMetric)
    return registered
