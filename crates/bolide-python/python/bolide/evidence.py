"""Explains a score without an alignment: the n-grams, edits or common words that it is counted from, and the formula."""

from __future__ import annotations

import copy
from typing import Any, TypedDict

from . import _evidence_html
from .explanation import Fields


class Words(TypedDict):
    """The words that were compared: tokenised, case-folded, stemmed. Empty if only characters were."""

    hypothesis: list[str]
    references: list[list[str]]


class Ngram(TypedDict):
    """One n-gram, and how often each side has it."""

    text: str
    hypothesis: int
    reference: int
    matches: int


class Order(TypedDict):
    """The n-grams of one order."""

    unit: str
    n: int
    hypothesis: int
    reference: int | None
    matches: int
    precision: float | None
    recall: float | None
    smoothed: bool
    ngrams: list[Ngram]


Shift = TypedDict("Shift", {"words": list[int], "from": int, "to": int})
"""A moved block: its words as positions in the hypothesis, where it was, and where it is afterwards."""


class Edit(TypedDict):
    """A step of an edit path: ``keep``, ``substitute``, ``delete`` or ``insert``."""

    kind: str
    hypothesis: int | None
    reference: int | None


class Edits(TypedDict):
    """The moves, and the steps from the moved hypothesis to the reference."""

    shifts: list[Shift]
    path: list[Edit]


class Common(TypedDict):
    """A word of a common subsequence."""

    reference: int
    hypothesis: int | None


# What a metric that shows only its components does not have.
_ABSENT: dict[str, Any] = {
    "words": {"hypothesis": [], "references": []},
    "reference_idx": None,
    "orders": [],
    "edits": None,
    "subsequence": None,
    "steps": [],
}


class Evidence(Fields):
    """What a score was counted from.

    The fields are attributes, with the names of ``bolide explain --format json``; ``to_dict`` returns all of
    them. It prints as the command prints it, and a notebook draws it. A metric that shows nothing else has its
    ``components``.

    >>> import bolide
    >>> it = bolide.Ter().explain("the cat sat", "the dog sat down")
    >>> [edit["kind"] for edit in it.edits["path"]], it.components["edits"], it.score
    (['keep', 'substitute', 'keep', 'insert'], 2, 50.0)
    >>> print(it)
    hypothesis   the cat sat
    <BLANKLINE>
    hypothesis   the cat sat *
                 =   S   =   I
    reference    the dog sat down
    ...
    """

    components: dict[str, float | int | bool]
    """The components of the score, by name."""
    words: Words
    """The words of both sides."""
    reference_idx: int | None
    """Which of the references counted, from 0; None if all count together."""
    orders: list[Order]
    """The n-grams of each order."""
    edits: Edits | None
    """The edits that turn the hypothesis into the reference."""
    subsequence: list[Common] | None
    """The words in common, in their order in the reference."""

    def __init__(self, fields: dict[str, Any], text: str) -> None:
        super().__init__(fields, text)
        for name in _ABSENT.keys() - fields.keys():
            self.__dict__[name] = copy.deepcopy(_ABSENT[name])

    def _repr_html_(self) -> str:
        return _evidence_html.evidence({**_ABSENT, **self._fields})
