"""rouge-score's words: runs of ASCII letters and digits, in lower case."""

from __future__ import annotations

import re
from typing import Any

from ... import _bolide
from .. import _original
from ..nltk.stem.porter import PorterStemmer

__all__ = ["tokenize"]
__getattr__: _original.Getattr = _original.names_of("rouge_score.tokenize")

_WORD = re.compile("[a-z0-9]+$")


def as_text(text: Any) -> str:
    """The text of bytes, without letters outside ASCII: ``bytes.lower`` leaves them as they are, and no word has them."""
    string: str = re.sub("[^\0-\x7f]", " ", text.decode()) if isinstance(text, bytes) else text
    return string


def tokenize(text: str, stemmer: Any) -> list[str]:
    """The words of a text; with a stemmer, words of more than three letters are stemmed.

    >>> tokenize("It's the Cats!", None)
    ['it', 's', 'the', 'cats']
    """
    text = as_text(text)
    if stemmer is None or (type(stemmer) is PorterStemmer and not vars(stemmer)):
        return _bolide.tokenize_rouge(text, stemmer is not None)
    words = _bolide.tokenize_rouge(text, False)
    words = [stemmer.stem(word) if len(word) > 3 else word for word in words]
    return [word for word in words if _WORD.match(word)]
