"""Converts NLTK's sentences, whose tokens may be any objects that can be compared, to strings for the engine."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any


class Numbers:
    """Maps equal tokens to equal strings. If all tokens are strings, they stay as they are.

    Tokens without a hash are compared with one another, if ``hashed`` is false; else they are a ``TypeError``.
    """

    def __init__(self, *sentences: Iterable[Any], hashed: bool = True) -> None:
        self._plain = all(type(token) is str for sentence in sentences for token in sentence)
        self._numbers: dict[Hashable, str] = {}
        self._hashed = hashed
        self._others: list[Any] = []

    def tokens(self, sentence: Iterable[Any]) -> list[str]:
        """The tokens of a sentence as strings."""
        if self._plain:
            return list(sentence)
        return [self._number(token) for token in sentence]

    def _number(self, token: Any) -> str:
        try:
            return self._numbers.setdefault(token, str(len(self._numbers)))
        except TypeError:
            if self._hashed:
                raise
        if token not in self._others:
            self._others.append(token)
        return f"without a hash {self._others.index(token)}"


def segment(
    references: Iterable[Any], hypothesis: Any, hashed: bool = True
) -> tuple[list[str], list[list[str]]]:
    """Hypothesis and references as lists of strings."""
    theirs = [list(reference) for reference in references]
    ours = list(hypothesis)
    numbers = Numbers(ours, *theirs, hashed=hashed)
    return numbers.tokens(ours), [numbers.tokens(reference) for reference in theirs]


def corpus(
    list_of_references: Iterable[Any], hypotheses: Iterable[Any], hashed: bool = True
) -> tuple[list[list[str]], list[list[list[str]]]]:
    """Hypotheses and references as lists of strings."""
    theirs = [[list(reference) for reference in references] for references in list_of_references]
    ours = [list(hypothesis) for hypothesis in hypotheses]
    rows = (reference for references in theirs for reference in references)
    numbers = Numbers(*ours, *rows, hashed=hashed)
    return (
        [numbers.tokens(hypothesis) for hypothesis in ours],
        [[numbers.tokens(reference) for reference in references] for references in theirs],
    )
