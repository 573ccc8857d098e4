"""For lines that are already tokenised."""

from __future__ import annotations

from .tokenizer_base import BaseTokenizer

__all__ = ["NoneTokenizer"]


class NoneTokenizer(BaseTokenizer):
    """Leaves a line as it is."""

    def __call__(self, line: str) -> str:
        """The line."""
        return line
