"""``nltk.translate``: the metrics, in modules with NLTK's names."""

from __future__ import annotations

from ... import _original
from .bleu_score import sentence_bleu as bleu
from .chrf_score import sentence_chrf as chrf
from .gleu_score import sentence_gleu as gleu
from .meteor_score import meteor_score as meteor
from .nist_score import sentence_nist as nist
from .ribes_score import sentence_ribes as ribes

__all__ = ["bleu", "chrf", "gleu", "meteor", "nist", "ribes"]
__getattr__: _original.Getattr = _original.names_of("nltk.translate")
