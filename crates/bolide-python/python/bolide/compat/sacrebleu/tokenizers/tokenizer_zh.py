"""Chinese characters one by one, the rest as mteval-v13a has it."""

from __future__ import annotations

from ... import _original
from .tokenizer_base import BaseTokenizer

__all__ = ["TokenizerZh"]
__getattr__: _original.Getattr = _original.names_of("sacrebleu.tokenizers.tokenizer_zh")


class TokenizerZh(BaseTokenizer):
    """Chinese characters one by one, the rest as mteval-v13a has it."""

    _name = "zh"
