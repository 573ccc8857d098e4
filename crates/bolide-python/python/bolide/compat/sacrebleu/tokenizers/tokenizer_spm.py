"""The pieces of a SentencePiece model that sacreBLEU has downloaded."""

from __future__ import annotations

from .... import _bolide
from ... import _original
from .tokenizer_base import BaseTokenizer

__all__ = ["Flores101Tokenizer", "Flores200Tokenizer", "TokenizerSPM", "spBLEU1KTokenizer"]
__getattr__: _original.Getattr = _original.names_of("sacrebleu.tokenizers.tokenizer_spm")


class TokenizerSPM(BaseTokenizer):
    """The pieces of the model with this name."""

    _name = "spm"

    def __init__(self, key: str = "spm") -> None:
        self.name: str = {"spm": "flores101"}.get(key, key)

    def signature(self) -> str:
        """Its name in signatures."""
        return self.name

    def __call__(self, line: str) -> str:
        """The pieces of the line with single spaces between them."""
        return " ".join(_bolide.tokenize(self.name, line))


class Flores200Tokenizer(TokenizerSPM):
    """The model of Flores-200."""

    _name = "flores200"

    def __init__(self) -> None:
        super().__init__("flores200")


class Flores101Tokenizer(TokenizerSPM):
    """The model of Flores-101."""

    _name = "flores101"

    def __init__(self) -> None:
        super().__init__("flores101")


class spBLEU1KTokenizer(TokenizerSPM):  # noqa: N801
    """The model of spBLEU-1K."""

    _name = "spBLEU-1K"

    def __init__(self) -> None:
        super().__init__("spBLEU-1K")
