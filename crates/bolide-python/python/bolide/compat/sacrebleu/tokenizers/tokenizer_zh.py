"""Chinese characters one by one, the rest as mteval-v13a has it."""

from __future__ import annotations

from .tokenizer_base import BaseTokenizer

__all__ = ["TokenizerZh"]


class TokenizerZh(BaseTokenizer):
    """Chinese characters one by one, the rest as mteval-v13a has it."""

    _name = "zh"
