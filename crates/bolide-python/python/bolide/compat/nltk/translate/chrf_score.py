"""``nltk.translate.chrf_score`` of NLTK 3.10.4.

>>> sentence_chrf("the cat sat", "the cat slept")
0.6656653037241756
"""

from __future__ import annotations

import re
from collections import Counter
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
    if len(hypotheses) == 0 or max_len < min_len:
        raise ZeroDivisionError("division by zero")
    if min_len < 1:
        return _counted_chrf(references, hypotheses, range(min_len, max_len + 1), beta, ignore_whitespace)
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


def _counted_chrf(references: Any, hypotheses: Any, orders: range, beta: float, ignore_whitespace: bool) -> float:
    """chrF with an order of 0, which NLTK counts at every place between characters."""
    if orders.start < 0:
        raise ValueError("Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    scores: list[list[float]] = [[] for _ in orders]
    for sides in zip(hypotheses, references):
        texts = [_joined(side) for side in sides]
        if ignore_whitespace:
            texts = [re.sub(r"\s+", "", text) for text in texts]
        for of_order, order in zip(scores, orders):
            ours, theirs = (
                Counter(text[at : at + order] for at in range(len(text) - order + 1)) for text in texts
            )
            of_order.append(_f_score((ours & theirs).total(), ours.total(), theirs.total(), beta**2))
    return sum([sum(of_order) for of_order in scores]) / len(orders) / len(hypotheses)


def _f_score(matches: int, n_ours: int, n_theirs: int, factor: float) -> float:
    if not (matches and n_ours and n_theirs):
        return 1e-16
    precision, recall = matches / n_ours, matches / n_theirs
    return (1 + factor) * (precision * recall) / (factor * precision + recall)
