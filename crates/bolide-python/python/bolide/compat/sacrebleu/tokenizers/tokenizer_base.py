"""The base class of sacreBLEU's tokenizers."""

from __future__ import annotations

from .... import _bolide
from ... import _original

__all__ = ["BaseTokenizer"]
__getattr__: _original.Getattr = _original.names_of("sacrebleu.tokenizers.tokenizer_base")


class BaseTokenizer:
    """Splits a line into tokens and joins them with single spaces."""

    _name = "none"

    def signature(self) -> str:
        """Its name in signatures."""
        return self._name

    def __call__(self, line: str) -> str:
        """The line with single spaces between its tokens."""
        return " ".join(_bolide.tokenize(self._name, line))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash(type(self))
