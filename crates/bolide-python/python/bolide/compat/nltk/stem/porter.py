"""NLTK's default stemmer."""

from __future__ import annotations

from .... import _bolide
from ... import _original

__all__ = ["PorterStemmer"]
__getattr__: _original.Getattr = _original.names_of("nltk.stem.porter")


class PorterStemmer:
    """NLTK's default stemmer, compiled.

    >>> PorterStemmer().stem("Running")
    'run'
    """

    def stem(self, word: str, to_lowercase: bool = True) -> str:
        """The stem of a word."""
        return _bolide.stem_porter(word, to_lowercase)
