"""NLTK's Snowball stemmer for English."""

from __future__ import annotations

from .... import _bolide
from ... import _original

__all__ = ["SnowballStemmer"]
__getattr__: _original.Getattr = _original.names_of("nltk.stem.snowball")


class SnowballStemmer:
    """NLTK's Snowball stemmer for English, compiled.

    >>> SnowballStemmer("english").stem("generously")
    'generous'
    """

    def __init__(self, language: str = "english", ignore_stopwords: bool = False) -> None:
        if language != "english" or ignore_stopwords:
            raise ValueError("bolide's Snowball stemmer is English and stems every word")

    def stem(self, word: str) -> str:
        """The stem of a word."""
        return _bolide.stem_snowball(word)
