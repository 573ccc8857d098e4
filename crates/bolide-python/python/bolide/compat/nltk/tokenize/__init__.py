"""``nltk.tokenize``: ``word_tokenize`` and ``sent_tokenize`` with the English sentence model."""

from __future__ import annotations

from .... import _bolide
from ... import _original

__all__ = ["sent_tokenize", "word_tokenize"]
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


def sent_tokenize(text: str, language: str = "english") -> list[str]:
    """NLTK's sentence splitter, with the English model that NLTK downloads.

    >>> sent_tokenize("Dr. Who left. (Why?) Nobody knows.")
    ['Dr. Who left.', '(Why?)', 'Nobody knows.']
    """
    if language != "english":
        theirs = _original.function("nltk.tokenize", "sent_tokenize")
        if theirs is None:
            raise LookupError(f"bolide has the English sentence model; that for {language!r} needs NLTK")
        sentences: list[str] = theirs(text, language)
        return sentences
    return _bolide.tokenize_sentences(text)
