"""NLTK's default stemmer."""

from __future__ import annotations

from .... import _bolide
from ... import _original

__all__ = ["PorterStemmer"]
__getattr__: _original.Getattr = _original.names_of("nltk.stem.porter")


class PorterStemmer:
    """NLTK's default stemmer, compiled. In its other modes, it is NLTK's own.

    >>> PorterStemmer().stem("Running")
    'run'
    """

    NLTK_EXTENSIONS: str = "NLTK_EXTENSIONS"
    MARTIN_EXTENSIONS: str = "MARTIN_EXTENSIONS"
    ORIGINAL_ALGORITHM: str = "ORIGINAL_ALGORITHM"

    def __init__(self, mode: str = NLTK_EXTENSIONS) -> None:
        modes = (self.NLTK_EXTENSIONS, self.MARTIN_EXTENSIONS, self.ORIGINAL_ALGORITHM)
        if mode not in modes:
            raise ValueError(
                "Mode must be one of PorterStemmer.NLTK_EXTENSIONS, PorterStemmer.MARTIN_EXTENSIONS, or "
                "PorterStemmer.ORIGINAL_ALGORITHM"
            )
        self.mode: str = mode
        if mode != self.NLTK_EXTENSIONS:
            original = _original.function("nltk.stem.porter", "PorterStemmer")
            if original is None:
                raise ImportError("the Porter stemmer's other modes need NLTK")
            self._theirs = original(mode)

    def stem(self, word: str, to_lowercase: bool = True) -> str:
        """The stem of a word."""
        if self.mode == self.NLTK_EXTENSIONS:
            return _bolide.stem_porter(word, to_lowercase)
        stem: str = self._theirs.stem(word, to_lowercase)
        return stem

    def __repr__(self) -> str:
        return "<PorterStemmer>"
