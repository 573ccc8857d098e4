"""``nltk.stem``: the stemmers that METEOR uses."""

from __future__ import annotations

from ... import _original
from .porter import PorterStemmer
from .snowball import SnowballStemmer

__all__ = ["PorterStemmer", "SnowballStemmer"]
__getattr__: _original.Getattr = _original.names_of("nltk.stem")
