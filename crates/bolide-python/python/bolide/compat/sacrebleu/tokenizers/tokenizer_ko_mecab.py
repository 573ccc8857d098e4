"""Korean words by MeCab's dictionary, which `bolide data import` installs."""

from __future__ import annotations

from ... import _original
from .tokenizer_base import BaseTokenizer

__all__ = ["TokenizerKoMecab"]
__getattr__: _original.Getattr = _original.names_of("sacrebleu.tokenizers.tokenizer_ko_mecab")


class TokenizerKoMecab(BaseTokenizer):
    """Korean words by MeCab's dictionary."""

    _name = "ko-mecab"

    def signature(self) -> str:
        """Its name in signatures, with the version of MeCab that it is equal to."""
        return "ko-mecab-0.996/ko-0.9.2-KO"
