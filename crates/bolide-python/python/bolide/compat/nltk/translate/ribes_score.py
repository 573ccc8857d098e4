"""``nltk.translate.ribes_score`` of NLTK 3.10.4.

>>> sentence_ribes([["the", "cat", "sat"]], ["the", "sat", "cat"])
0.6666666666666666
"""

from __future__ import annotations

import math
from typing import Any

from ....metric import _named
from ... import _original
from . import _tokens

__all__ = ["corpus_ribes", "sentence_ribes"]
__getattr__: _original.Getattr = _original.names_of("nltk.translate.ribes_score")


def sentence_ribes(
    references: Any, hypothesis: Any, alpha: float = 0.25, beta: float = 0.10
) -> float:
    """RIBES of one hypothesis against its best reference."""
    ours, theirs = _tokens.segment(references, hypothesis, hashed=False)
    if not theirs:
        return 0.0
    return _finite(_metric(alpha, beta).segment_score(ours, theirs))


def corpus_ribes(
    list_of_references: Any, hypotheses: Any, alpha: float = 0.25, beta: float = 0.10
) -> float:
    """The mean RIBES of the sentences."""
    if not hypotheses:
        return 0.0
    if len(list_of_references) != len(hypotheses):
        raise ValueError("The number of reference sets must match the number of hypotheses.")
    ours, theirs = _tokens.corpus(list_of_references, hypotheses, hashed=False)
    if not all(theirs):
        scores = [sentence_ribes(*pair, alpha, beta) for pair in zip(theirs, ours)]
        return sum(scores) / len(scores)
    corpus = _metric(alpha, beta).corpus(ours, theirs, threads=1, progress=None)
    return _finite(corpus.score()[0])


def _metric(alpha: float, beta: float) -> Any:
    return _named(f"ribes:nltk|alpha:{float(alpha)!r}|beta:{float(beta)!r}")


def _finite(score: float) -> float:
    if math.isnan(score):
        raise ValueError("word_rank_alignment: sequence length exceeds MAX_ALIGNMENT_LEN (2000)")
    return score
