"""``nltk.translate.nist_score`` of NLTK 3.10.4.

>>> sentence_nist([["a", "b", "c", "d", "e"]], ["a", "b", "c", "d", "e"])
2.321928094887362
"""

from __future__ import annotations

import math
from typing import Any

from ....metric import _named
from ... import _original, sum_kind
from . import _tokens

__all__ = ["corpus_nist", "nist_length_penalty", "sentence_nist"]
__getattr__: _original.Getattr = _original.names_of("nltk.translate.nist_score")


def sentence_nist(references: Any, hypothesis: Any, n: int = 5) -> float:
    """NIST of one hypothesis, with information weights from its own references."""
    return corpus_nist([references], [hypothesis], n)


def corpus_nist(list_of_references: Any, hypotheses: Any, n: int = 5) -> float:
    """NIST of a corpus, with information weights from all references."""
    assert len(list_of_references) == len(hypotheses), (
        "The number of hypotheses and their reference(s) should be the same"
    )
    ours, theirs = _tokens.corpus(list_of_references, hypotheses)
    if not all(theirs):
        raise ValueError("max() arg is an empty sequence")
    if not ours or n < 1:
        raise ZeroDivisionError("division by zero")
    metric = _named(f"nist:nltk|n:{n}|sum:{sum_kind()}")
    score = metric.corpus(ours, theirs, threads=1, progress=None).score()[0]
    if math.isnan(score):
        raise ZeroDivisionError("division by zero")
    return score


def nist_length_penalty(ref_len: float, hyp_len: float) -> float:
    """1 for a hypothesis that is long enough, a half at two thirds of the reference's length."""
    ratio = hyp_len / ref_len
    if 0 < ratio < 1:
        beta = math.log(0.5) / math.log(1.5) ** 2
        return math.exp(beta * math.log(ratio) ** 2)
    return max(min(ratio, 1.0), 0.0)
