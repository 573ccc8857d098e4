"""Every character is a token."""

from __future__ import annotations

from ... import _original
from .tokenizer_base import BaseTokenizer

__all__ = ["TokenizerChar"]
__getattr__: _original.Getattr = _original.names_of("sacrebleu.tokenizers.tokenizer_char")


class TokenizerChar(BaseTokenizer):
    """Every character is a token."""

    _name = "char"

    def __call__(self, line: str) -> str:
        """The characters of a line, separated by spaces."""
        return " ".join(line)
