"""``nltk.translate.chrf_score`` of NLTK 3.10.4.

>>> sentence_chrf("the cat sat", "the cat slept")
0.6656653037241756
"""

from __future__ import annotations

from typing import Any

from ....metric import _named
from ... import _original, sum_kind

__all__ = ["corpus_chrf", "sentence_chrf"]
__getattr__: _original.Getattr = _original.names_of("nltk.translate.chrf_score")


def sentence_chrf(
    reference: Any,
    hypothesis: Any,
    min_len: int = 1,
    max_len: int = 6,
    beta: float = 3.0,
    ignore_whitespace: bool = True,
) -> float:
    """chrF of one hypothesis against one reference: texts, or tokens that are joined."""
    return corpus_chrf([reference], [hypothesis], min_len, max_len, beta, ignore_whitespace)


def corpus_chrf(
    references: Any,
    hypotheses: Any,
    min_len: int = 1,
    max_len: int = 6,
    beta: float = 3.0,
    ignore_whitespace: bool = True,
) -> float:
    """chrF of a corpus, one reference for each hypothesis."""
    assert len(references) == len(hypotheses), (
        "The number of hypotheses and their references should be the same"
    )
    if not hypotheses or max_len < min_len:
        raise ZeroDivisionError("division by zero")
    keys = f"min:{min_len}|max:{max_len}|beta:{float(beta)!r}|sum:{sum_kind()}"
    space = "no" if ignore_whitespace else "yes"
    metric = _named(f"chrf:nltk|{keys}|space:{space}")
    corpus = metric.corpus(
        [_joined(hypothesis) for hypothesis in hypotheses],
        [_joined(reference) for reference in references],
        threads=1,
        progress=None,
    )
    return corpus.score()[0]


def _joined(sentence: Any) -> str:
    return sentence if type(sentence) is str else " ".join(sentence)
