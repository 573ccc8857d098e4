"""The international tokenizer of mteval-v14."""

from __future__ import annotations

from ... import _original
from .tokenizer_base import BaseTokenizer

__all__ = ["TokenizerV14International"]
__getattr__: _original.Getattr = _original.names_of("sacrebleu.tokenizers.tokenizer_intl")


class TokenizerV14International(BaseTokenizer):
    """The international tokenizer of mteval-v14."""

    _name = "intl"
