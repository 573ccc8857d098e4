"""The tokenizers of sacreBLEU."""

from __future__ import annotations

from ... import _original
from .tokenizer_13a import Tokenizer13a
from .tokenizer_base import BaseTokenizer
from .tokenizer_char import TokenizerChar
from .tokenizer_intl import TokenizerV14International
from .tokenizer_ja_mecab import TokenizerJaMecab
from .tokenizer_ko_mecab import TokenizerKoMecab
from .tokenizer_none import NoneTokenizer
from .tokenizer_spm import Flores101Tokenizer, Flores200Tokenizer, TokenizerSPM, spBLEU1KTokenizer
from .tokenizer_zh import TokenizerZh

__all__ = ["BaseTokenizer"]
__getattr__: _original.Getattr = _original.names_of("sacrebleu.tokenizers")

_KINDS = (
    NoneTokenizer,
    TokenizerZh,
    Tokenizer13a,
    TokenizerV14International,
    TokenizerChar,
    TokenizerJaMecab,
    TokenizerKoMecab,
    TokenizerSPM,
    Flores101Tokenizer,
    Flores200Tokenizer,
    spBLEU1KTokenizer,
)

NAMES: tuple[str, ...] = tuple(kind._name for kind in _KINDS)
"""Their names in signatures."""


def of(name: str) -> BaseTokenizer:
    """The tokenizer with this name in signatures; an unknown name is a ``KeyError``."""
    return {kind._name: kind for kind in _KINDS}[name]()


def name_of(tokenizer: object) -> str | None:
    """The name of a tokenizer of ours; None of any other."""
    if type(tokenizer) is TokenizerSPM:
        return tokenizer.name
    return tokenizer._name if type(tokenizer) in _KINDS else None  # type: ignore[attr-defined]
