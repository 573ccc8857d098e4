"""Japanese words by MeCab's dictionary, which `bolide data import` installs."""

from __future__ import annotations

from .tokenizer_base import BaseTokenizer

__all__ = ["TokenizerJaMecab"]


class TokenizerJaMecab(BaseTokenizer):
    """Japanese words by MeCab's dictionary."""

    _name = "ja-mecab"

    def signature(self) -> str:
        """Its name in signatures, with the version of MeCab that it is equal to."""
        return "ja-mecab-0.996-IPA"
