"""NLTK 3.10.4: the metrics of ``nltk.translate``, with the tokenizer, stemmers and WordNet that they use.

>>> from bolide.compat.nltk import meteor_score, sentence_bleu, word_tokenize
>>> reference, hypothesis = "the cat sat on the mat".split(), "on the mat sat the cat".split()
>>> meteor_score([reference], hypothesis)
0.5
>>> sentence_bleu([reference], hypothesis, weights=(0.5, 0.5))
0.7745966692414834
>>> word_tokenize("It's here.")
['It', "'s", 'here', '.']

The modules have NLTK's names: ``bolide.compat.nltk.translate.gleu_score``, and so on. Other names come from
NLTK itself, if it is installed.
"""

from __future__ import annotations

from .. import _original
from . import data
from .corpus import wordnet
from .data import download
from .stem import PorterStemmer, SnowballStemmer
from .tokenize import sent_tokenize, word_tokenize
from .translate import bleu_score, chrf_score, gleu_score, nist_score, ribes_score
from .translate.bleu_score import (
    Fraction,
    SmoothingFunction,
    brevity_penalty,
    closest_ref_length,
    corpus_bleu,
    modified_precision,
    sentence_bleu,
)
from .translate.meteor_score import (
    align_words,
    exact_match,
    meteor_score,
    single_meteor_score,
    stem_match,
    wordnetsyn_match,
)

__version__ = "3.10.4"
"""The version of NLTK that is reproduced."""

__all__ = [
    "Fraction",
    "PorterStemmer",
    "SmoothingFunction",
    "SnowballStemmer",
    "align_words",
    "bleu_score",
    "brevity_penalty",
    "chrf_score",
    "closest_ref_length",
    "corpus_bleu",
    "data",
    "download",
    "exact_match",
    "gleu_score",
    "meteor_score",
    "modified_precision",
    "nist_score",
    "ribes_score",
    "sent_tokenize",
    "sentence_bleu",
    "single_meteor_score",
    "stem_match",
    "word_tokenize",
    "wordnet",
    "wordnetsyn_match",
]
__getattr__: _original.Getattr = _original.names_of("nltk")
