"""``Spice``: that of pycocoevalcap itself, whose scene graphs only its own Java program parses."""

from __future__ import annotations

from typing import Any

from ... import _original
from .._captions import Captions

__all__ = ["Spice"]
__getattr__: _original.Getattr = _original.names_of("pycocoevalcap.spice.spice")


class Spice:
    """SPICE by pycocoevalcap; without it a clear error."""

    def __init__(self) -> None:
        theirs = _original.function("pycocoevalcap.spice.spice", "Spice")
        if theirs is None:
            raise ImportError(
                "SPICE compares scene graphs, which only the Java program of pycocoevalcap parses: install that"
            )
        self._theirs = theirs()

    def compute_score(self, gts: Captions, res: Captions) -> tuple[float, Any]:
        """The mean, and what pycocoevalcap says of each image."""
        score, scores = self._theirs.compute_score(gts, res)
        return score, scores

    def method(self) -> str:
        """The name of the metric."""
        return "SPICE"
