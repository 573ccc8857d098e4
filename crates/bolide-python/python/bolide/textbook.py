"""The teaching definitions, taken literally.

METEOR: lower-case, split at white space, clipped counts of exact matches; chunks are runs of
matched words in the candidate. The score is rounded to three decimals.
"""

from __future__ import annotations

from . import _bolide


def meteor_score(
    reference: str, candidate: str, alpha: float = 0.9, beta: float = 3, gamma: float = 0.5
) -> float:
    """METEOR by the teaching definition, rounded to three decimals.

    >>> from bolide.textbook import meteor_score
    >>> meteor_score("Rain falls gently from the sky", "Gentle rain drops from the sky")
    0.625
    >>> meteor_score("the cat sat on the mat", "the cat sat on the mat")
    0.998
    >>> meteor_score("anything", "")
    0.0
    """
    return _bolide.textbook_meteor(reference, candidate, alpha, beta, gamma)


def bleu_unigram(candidate: str, reference: str) -> float:
    """BLEU with words only: clipped precision times the brevity penalty.

    >>> from bolide.textbook import bleu_unigram
    >>> bleu_unigram("the cat sat on the mat", "the cat is on the mat")
    0.8333333333333334
    >>> bleu_unigram("", "the cat")
    0.0
    """
    return _unigram.segment_score(candidate, reference)


_unigram = _bolide.Metric("bleu:unigram")
