"""sacreBLEU 2.6: ``BLEU``, ``CHRF``, ``TER`` and the functions around them.

>>> from bolide.compat import sacrebleu
>>> references = [["The dog bit the man.", "It was not unexpected."],
...               ["The dog had bit the man.", "No one was surprised."]]
>>> hypotheses = ["The dog bit the man.", "It was not surprising."]
>>> print(sacrebleu.corpus_bleu(hypotheses, references))
BLEU = 74.19 90.9/77.8/71.4/60.0 (BP = 1.000 ratio = 1.000 hyp_len = 11 ref_len = 11)

Segments are scored on several threads; ``sacrebleu.threads`` sets their number. The built-in test sets and the
tokenizers that need other programs (MeCab, SentencePiece) are only in sacreBLEU itself.
"""

from __future__ import annotations

from .. import _original
from . import metrics, tokenizers
from .compat import (
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from .metrics import BLEU, CHRF, TER
from .metrics.helpers import extract_char_ngrams, extract_word_ngrams

__version__ = "2.6.0"
"""The version of sacreBLEU that is reproduced."""

threads: int | None = None
"""How many threads score a corpus; one for each core if None."""

__all__ = [
    "BLEU",
    "CHRF",
    "TER",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "extract_char_ngrams",
    "extract_word_ngrams",
    "metrics",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
    "tokenizers",
]
__getattr__: _original.Getattr = _original.names_of("sacrebleu")
