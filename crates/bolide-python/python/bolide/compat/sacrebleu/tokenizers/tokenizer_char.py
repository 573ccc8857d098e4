"""Every character is a token."""

from __future__ import annotations

from .tokenizer_base import BaseTokenizer

__all__ = ["TokenizerChar"]


class TokenizerChar(BaseTokenizer):
    """Every character is a token."""

    _name = "char"

    def __call__(self, line: str) -> str:
        """The characters of a line, separated by spaces."""
        return " ".join(line)
