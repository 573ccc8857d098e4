"""The tokenizer of TER."""

from __future__ import annotations

from .... import _bolide
from ... import _original
from .tokenizer_base import BaseTokenizer

__all__ = ["TercomTokenizer"]
__getattr__: _original.Getattr = _original.names_of("sacrebleu.tokenizers.tokenizer_ter")


class TercomTokenizer(BaseTokenizer):
    """The tokenizer of TER.

    >>> TercomTokenizer(normalized=True)("It's 5-2, isn't it?")
    "it 's 5 - 2 , isn't it ?"
    """

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        self._options = (normalized, no_punct, asian_support, case_sensitive)

    def __call__(self, line: str) -> str:
        """A line with single spaces between the tokens."""
        return " ".join(_bolide.tokenize_tercom(line, *self._options))

    def signature(self) -> str:
        """Its name in signatures."""
        return "tercom"
