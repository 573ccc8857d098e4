"""ROUGE-L as the COCO tools define it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .... import _bolide
from ....metric import _name, _named
from ... import _original, numpy_float
from .._captions import Captions, as_array, mean_and_scores

__all__ = ["Rouge"]
__getattr__: _original.Getattr = _original.names_of("pycocoevalcap.rouge.rouge")


class Rouge:
    """ROUGE-L as the COCO tools define it; gives the mean and the score of each caption."""

    def __init__(self) -> None:
        self.beta: float = 1.2

    def compute_score(self, gts: Captions, res: Captions) -> tuple[float, Any]:
        """The mean, and the scores as a NumPy array if NumPy is there, else as a list."""
        score, scores = mean_and_scores(self._metric(), gts, res)
        return numpy_float(score), as_array(scores)

    def calc_score(self, candidate: Sequence[str], refs: Sequence[str]) -> float:
        """The score of one caption, in a list, against its references.

        >>> round(Rouge().calc_score(["a cat sat"], ["the cat sat", "a dog"]), 4)
        0.6667
        """
        assert len(candidate) == 1, f"expected a list of one caption, got {len(candidate)}"
        assert len(refs) > 0, "expected at least one reference"
        return self._metric().segment_score(candidate[0], list(refs))

    def _metric(self) -> _bolide.Metric:
        return _named(_name("rougeL:coco", {"beta": self.beta}))

    def method(self) -> str:
        """The name of the metric."""
        return "Rouge"
