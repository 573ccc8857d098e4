"""The tokenizers of rouge-score."""

from __future__ import annotations

from abc import ABC, abstractmethod

from .. import _original
from ..nltk.stem.porter import PorterStemmer
from .tokenize import tokenize

__all__ = ["DefaultTokenizer", "Tokenizer"]
__getattr__: _original.Getattr = _original.names_of("rouge_score.tokenizers")


class Tokenizer(ABC):
    """The base class of tokenizers."""

    @abstractmethod
    def tokenize(self, text: str) -> list[str]:
        """The tokens of a text."""


class DefaultTokenizer(Tokenizer):
    """Words in lower case, optionally stemmed."""

    def __init__(self, use_stemmer: bool = False) -> None:
        self._stemmer = PorterStemmer() if use_stemmer else None

    def tokenize(self, text: str) -> list[str]:
        """The tokens of a text."""
        return tokenize(text, self._stemmer)
