"""``nltk.translate.gleu_score`` of NLTK 3.10.4.

>>> sentence_gleu([["the", "cat", "sat"]], ["the", "cat", "slept"])
0.5
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
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
    if min_len < 1 or max_len < 0:
        return _counted_gleu(list_of_references, hypotheses, min_len, max_len)
    ours, theirs = _tokens.corpus(list_of_references, hypotheses)
    rows = [pair for pair in zip(ours, theirs) if pair[1]]
    if not rows or max_len < min_len:
        return 0.0
    metric = _named(f"gleu:nltk|min:{min_len}|max:{max_len}")
    hypotheses, references = zip(*rows)
    corpus = metric.corpus(hypotheses, references, threads=1, progress=None)
    return corpus.score()[0]


def _counted_gleu(list_of_references: Any, hypotheses: Any, min_len: int, max_len: int) -> float:
    """GLEU with the lengths that only NLTK's ``everygrams`` knows: 0, and -1 for the whole sentence."""
    matches = total = 0
    for references, hypothesis in zip(list_of_references, hypotheses):
        ours = Counter(_everygrams(list(hypothesis), min_len, max_len))
        pairs = []
        for reference in references:
            theirs = Counter(_everygrams(list(reference), min_len, max_len))
            longer = max(ours.total(), theirs.total())
            if longer:
                pairs.append(((ours & theirs).total(), longer))
        if pairs:
            best = max(pairs, key=lambda pair: pair[0] / pair[1])
            matches, total = matches + best[0], total + best[1]
    return matches / total if total else 0.0


def _everygrams(tokens: list[Any], min_len: int, max_len: int) -> Iterator[tuple[Any, ...]]:
    if max_len == -1:
        max_len = len(tokens)
    if max_len < 0:
        raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    for start in range(len(tokens) if max_len else 0):
        window = tokens[start : start + max_len]
        yield from (tuple(window[:length]) for length in range(min_len, len(window) + 1))
