"""Converts NLTK's sentences, whose tokens may be any objects that can be compared, to strings for the engine."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any


class Numbers:
    """Maps equal tokens to equal strings. If all tokens are strings, they stay as they are."""

    def __init__(self, *sentences: Iterable[Any]) -> None:
        self._plain = all(type(token) is str for sentence in sentences for token in sentence)
        self._numbers: dict[Hashable, str] = {}

    def tokens(self, sentence: Iterable[Any]) -> list[str]:
        """The tokens of a sentence as strings."""
        if self._plain:
            return list(sentence)
        return [self._numbers.setdefault(token, str(len(self._numbers))) for token in sentence]


def segment(references: Iterable[Any], hypothesis: Any) -> tuple[list[str], list[list[str]]]:
    """Hypothesis and references as lists of strings."""
    theirs = [list(reference) for reference in references]
    ours = list(hypothesis)
    numbers = Numbers(ours, *theirs)
    return numbers.tokens(ours), [numbers.tokens(reference) for reference in theirs]


def corpus(
    list_of_references: Iterable[Any], hypotheses: Iterable[Any]
) -> tuple[list[list[str]], list[list[list[str]]]]:
    """Hypotheses and references as lists of strings."""
    theirs = [[list(reference) for reference in references] for references in list_of_references]
    ours = [list(hypothesis) for hypothesis in hypotheses]
    numbers = Numbers(*ours, *(reference for references in theirs for reference in references))
    return (
        [numbers.tokens(hypothesis) for hypothesis in ours],
        [[numbers.tokens(reference) for reference in references] for references in theirs],
    )
