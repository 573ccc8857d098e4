"""Japanese words by MeCab's dictionary, which `bolide data import` installs."""

from __future__ import annotations

from ... import _original
from .tokenizer_base import BaseTokenizer

__all__ = ["TokenizerJaMecab"]
__getattr__: _original.Getattr = _original.names_of("sacrebleu.tokenizers.tokenizer_ja_mecab")


class TokenizerJaMecab(BaseTokenizer):
    """Japanese words by MeCab's dictionary."""

    _name = "ja-mecab"

    def signature(self) -> str:
        """Its name in signatures, with the version of MeCab that it is equal to."""
        return "ja-mecab-0.996-IPA"
