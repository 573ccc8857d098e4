"""``nltk.tokenize``: ``word_tokenize`` with the English sentence model."""

from __future__ import annotations

from .... import _bolide
from ... import _original

__all__ = ["word_tokenize"]
__getattr__: _original.Getattr = _original.names_of("nltk.tokenize")


def word_tokenize(text: str, language: str = "english", preserve_line: bool = False) -> list[str]:
    """NLTK's tokenizer, with the English sentence model that NLTK downloads."""
    if language != "english" or preserve_line:
        theirs = _original.function("nltk.tokenize", "word_tokenize")
        if theirs is None:
            raise ValueError("bolide's word_tokenize is for English and splits sentences")
        tokens: list[str] = theirs(text, language, preserve_line)
        return tokens
    return _bolide.tokenize_words(text)
