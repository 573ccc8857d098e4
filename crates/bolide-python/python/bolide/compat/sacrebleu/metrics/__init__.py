"""The metric classes of sacreBLEU."""

from __future__ import annotations

from ... import _original
from .bleu import BLEU, BLEUScore
from .chrf import CHRF, CHRFScore
from .ter import TER, TERScore

__all__ = ["BLEU", "CHRF", "METRICS", "TER", "BLEUScore", "CHRFScore", "TERScore"]
__getattr__: _original.Getattr = _original.names_of("sacrebleu.metrics")

METRICS: dict[str, type[BLEU] | type[CHRF] | type[TER]] = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}
