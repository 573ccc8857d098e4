"""``PTBTokenizer``: that of pycocoevalcap itself, which starts the Stanford tokenizer and needs Java.

Captions that are split already (by single blanks, in lower case, without punctuation) need none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ... import _original

__all__ = ["PTBTokenizer"]


class PTBTokenizer:
    """Splits the captions of images. Without pycocoevalcap it says what is missing."""

    def __init__(self) -> None:
        theirs = _original.function("pycocoevalcap.tokenizer.ptbtokenizer", "PTBTokenizer")
        if theirs is None:
            raise ImportError(
                "PTBTokenizer is the Stanford tokenizer of pycocoevalcap, in Java: install pycocoevalcap, or "
                "hand over captions that are split already"
            )
        self._theirs = theirs()

    def tokenize(self, captions_for_image: Mapping[Any, Sequence[Any]]) -> dict[Any, list[str]]:
        """The captions of each image as texts of tokens, without punctuation."""
        tokenised: dict[Any, list[str]] = self._theirs.tokenize(captions_for_image)
        return tokenised
