"""ROUGE-L as the COCO tools define it."""

from __future__ import annotations

from typing import Any

from .... import _bolide
from ....metric import _name
from ... import _original
from .._captions import Captions, as_array, mean_and_scores

__all__ = ["Rouge"]
__getattr__: _original.Getattr = _original.names_of("pycocoevalcap.rouge.rouge")


class Rouge:
    """ROUGE-L as the COCO tools define it; gives the mean and the score of each caption."""

    def __init__(self) -> None:
        self.beta: float = 1.2

    def compute_score(self, gts: Captions, res: Captions) -> tuple[float, Any]:
        """The mean, and the scores as a NumPy array if NumPy is there, else as a list."""
        metric = _bolide.Metric(_name("rougeL:coco", {"beta": self.beta}))
        score, scores = mean_and_scores(metric, gts, res)
        return score, as_array(scores)

    def method(self) -> str:
        """The name of the metric."""
        return "Rouge"
