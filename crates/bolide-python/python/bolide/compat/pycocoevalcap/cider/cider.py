"""CIDEr as the COCO tools define it, which is CIDEr-D: clipped counts and a penalty for other lengths."""

from __future__ import annotations

from typing import Any

from .... import _bolide
from .._captions import Captions, as_array, pairs

__all__ = ["Cider"]


class Cider:
    """CIDEr-D; gives the mean over the images and the score of each. Words are weighed by all images given.

    >>> gts = {1: ["a cat sat on a mat"], 2: ["the dog barked at me", "a dog"]}
    >>> res = {1: ["a cat sat on a mat"], 2: ["a dog"]}
    >>> Cider().compute_score(gts, res)[0]
    6.496665383014021
    """

    def __init__(self, test: Any = None, refs: Any = None, n: int = 4, sigma: float = 6.0) -> None:
        self._n = n
        self._sigma = sigma

    def compute_score(self, gts: Captions, res: Captions) -> tuple[float, Any]:
        """The mean, and the scores as a NumPy array if NumPy is there, else as a list."""
        hypotheses, references = pairs(gts, res)
        # The original counts n-grams of up to 4 words, and has no place for those of more than n.
        texts = [hypotheses, *references]
        if self._n < 4 and any(len(text.split()) > self._n for column in texts for text in column):
            raise IndexError("list index out of range")
        score, scores = _bolide.cider(hypotheses, references, self._n, float(self._sigma))
        if score != score:
            raise ValueError("no reference has a word")
        return score, as_array(scores)

    def method(self) -> str:
        """The name of the metric."""
        return "CIDEr"
