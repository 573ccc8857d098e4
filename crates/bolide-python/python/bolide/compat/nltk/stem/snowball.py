"""NLTK's Snowball stemmer for English."""

from __future__ import annotations

from typing import Any

from .... import _bolide
from ... import _original

__all__ = ["SnowballStemmer"]
__getattr__: _original.Getattr = _original.names_of("nltk.stem.snowball")


class SnowballStemmer:
    """NLTK's Snowball stemmer for English, compiled. For other languages, and without stop words, it is NLTK's own.

    >>> SnowballStemmer("english").stem("generously")
    'generous'
    """

    languages: tuple[str, ...] = (
        *("arabic", "danish", "dutch", "english", "finnish", "french", "german", "hungarian"),
        *("italian", "norwegian", "porter", "portuguese", "romanian", "russian", "spanish", "swedish"),
    )

    def __new__(cls, language: str = "english", ignore_stopwords: bool = False) -> Any:
        if language == "english" and not ignore_stopwords:
            return super().__new__(cls)
        if language not in cls.languages:
            raise ValueError(f"The language '{language}' is not supported.")
        original = _original.function("nltk.stem.snowball", "SnowballStemmer")
        if original is None:
            raise ImportError("Snowball stemmers of other languages, and without stop words, need NLTK")
        return original(language, ignore_stopwords)

    def stem(self, word: str) -> str:
        """The stem of a word."""
        return _bolide.stem_snowball(word)
