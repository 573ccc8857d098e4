"""The international tokenizer of mteval-v14."""

from __future__ import annotations

from .tokenizer_base import BaseTokenizer

__all__ = ["TokenizerV14International"]


class TokenizerV14International(BaseTokenizer):
    """The international tokenizer of mteval-v14."""

    _name = "intl"
