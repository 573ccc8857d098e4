"""The tokenizer of mteval-v13a, which WMT uses."""

from __future__ import annotations

from ... import _original
from .tokenizer_base import BaseTokenizer

__all__ = ["Tokenizer13a"]
__getattr__: _original.Getattr = _original.names_of("sacrebleu.tokenizers.tokenizer_13a")


class Tokenizer13a(BaseTokenizer):
    """The tokenizer of mteval-v13a, which WMT uses."""

    _name = "13a"
