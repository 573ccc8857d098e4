"""``nltk.translate.gleu_score`` of NLTK 3.10.4.

>>> sentence_gleu([["the", "cat", "sat"]], ["the", "cat", "slept"])
0.5
"""

from __future__ import annotations

from typing import Any

from ....metric import _named
from ... import _original
from . import _tokens

__all__ = ["corpus_gleu", "sentence_gleu"]
__getattr__: _original.Getattr = _original.names_of("nltk.translate.gleu_score")


def sentence_gleu(references: Any, hypothesis: Any, min_len: int = 1, max_len: int = 4) -> float:
    """GLEU of one hypothesis: matches divided by the n-grams of the longer side."""
    return corpus_gleu([references], [hypothesis], min_len=min_len, max_len=max_len)


def corpus_gleu(
    list_of_references: Any, hypotheses: Any, min_len: int = 1, max_len: int = 4
) -> float:
    """GLEU of a corpus.

    >>> corpus_gleu([[["a", "b"]], [["c"]]], [["a", "b"], ["d"]])
    0.75
    """
    assert len(list_of_references) == len(hypotheses), (
        "The number of hypotheses and their reference(s) should be the same"
    )
    ours, theirs = _tokens.corpus(list_of_references, hypotheses)
    rows = [pair for pair in zip(ours, theirs) if pair[1]]
    if not rows or max_len < max(min_len, 1):
        return 0.0
    metric = _named(f"gleu:nltk|min:{max(min_len, 1)}|max:{max_len}")
    hypotheses, references = zip(*rows)
    corpus = metric.corpus(hypotheses, references, threads=1, progress=None)
    return corpus.score()[0]
