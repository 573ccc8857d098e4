"""The metric classes of sacreBLEU."""

from __future__ import annotations

from .bleu import BLEU, BLEUScore
from .chrf import CHRF, CHRFScore
from .ter import TER, TERScore

__all__ = ["BLEU", "CHRF", "METRICS", "TER", "BLEUScore", "CHRFScore", "TERScore"]

METRICS: dict[str, type[BLEU] | type[CHRF] | type[TER]] = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}
