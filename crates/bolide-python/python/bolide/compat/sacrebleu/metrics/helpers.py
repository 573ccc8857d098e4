"""sacreBLEU's public functions that count n-grams of words and characters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ... import _original

__all__ = [
    "extract_all_char_ngrams",
    "extract_all_word_ngrams",
    "extract_char_ngrams",
    "extract_word_ngrams",
]
__getattr__: _original.Getattr = _original.names_of("sacrebleu.metrics.helpers")


def extract_all_word_ngrams(
    line: str, min_order: int, max_order: int
) -> tuple[Counter[tuple[str, ...]], int]:
    """The n-grams of the tokens of a line as tuples, and the number of tokens.

    >>> extract_all_word_ngrams("a b", 1, 2)
    (Counter({('a',): 1, ('b',): 1, ('a', 'b'): 1}), 2)
    """
    tokens = line.split()
    ngrams: Counter[tuple[str, ...]] = Counter()
    for n in range(min_order, max_order + 1):
        ngrams.update(zip(*(tokens[start:] for start in range(n))))
    return ngrams, len(tokens)


def extract_word_ngrams(tokens: Sequence[str], n: int) -> Counter[str]:
    """The n-grams of tokens, as strings joined with spaces."""
    return Counter(" ".join(tokens[at : at + n]) for at in range(len(tokens) - n + 1))


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """The n-grams of the characters of a line."""
    if not include_whitespace:
        line = "".join(line.split())
    return Counter(line[at : at + n] for at in range(len(line) - n + 1))


def extract_all_char_ngrams(
    line: str, max_order: int, include_whitespace: bool = False
) -> list[Counter[str]]:
    """The same for every length from 1."""
    if not include_whitespace:
        line = "".join(line.split())
    return [extract_char_ngrams(line, n, True) for n in range(1, max_order + 1)]
