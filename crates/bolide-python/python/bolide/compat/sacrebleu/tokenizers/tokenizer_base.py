"""What the tokenizers of sacreBLEU have in common."""

from __future__ import annotations

from .... import _bolide

__all__ = ["BaseTokenizer"]


class BaseTokenizer:
    """Turns a line into its tokens with single blanks between them."""

    _name = "none"

    def signature(self) -> str:
        """Its name in signatures."""
        return self._name

    def __call__(self, line: str) -> str:
        """A line with single blanks between its tokens."""
        return " ".join(_bolide.tokenize(self._name, line))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash(type(self))
