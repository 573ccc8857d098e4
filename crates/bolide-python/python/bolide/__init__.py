"""METEOR, BLEU, chrF, TER and ROUGE: every dialect, named, bit for bit.

There are three levels. A function scores one segment:

>>> import bolide
>>> round(bolide.score("meteor:textbook", "Gentle rain drops from the sky", "Rain falls gently from the sky"), 3)
0.625

A metric scores many segments and corpora:

>>> meteor = bolide.Meteor("nltk")
>>> meteor.segments(["the cat sat", "a dog"], ["the cat sat", "the dog"])
[0.9814814814814815, 0.25]
>>> float(meteor.corpus(["the cat sat", "a dog"], ["the cat sat", "the dog"]))
0.6157407407407407

Its methods show the details: ``explain`` draws how a score comes about, ``accumulator`` collects mergeable
statistics, and ``signature`` names every setting that changes the score. The modules of ``bolide.compat``
replace those of NLTK, Hugging Face evaluate, sacreBLEU, rouge-score and pycocoevalcap.
"""

from . import family, textbook
from ._bolide import (
    BolideError,
    InvalidSegmentError,
    InvalidSignatureError,
    InvalidStatisticsError,
    InvalidTableError,
    UnavailableError,
    UnknownMetricError,
    __version__,
    list_tables,
)
from .accumulator import Accumulator
from .evidence import Evidence
from .explanation import Explanation
from .family import *
from .metric import Metric, corpus, dialects, explain, import_tables, languages, score, segments
from .result import Score
from .studies import compare, correlate, mbr, report, tune, which

__all__ = [
    "Accumulator",
    "BolideError",
    "Evidence",
    "Explanation",
    "InvalidSegmentError",
    "InvalidSignatureError",
    "InvalidStatisticsError",
    "InvalidTableError",
    "Metric",
    "Score",
    "UnavailableError",
    "UnknownMetricError",
    "__version__",
    "compare",
    "corpus",
    "correlate",
    "dialects",
    "explain",
    "import_tables",
    "languages",
    "list_tables",
    "mbr",
    "report",
    "score",
    "segments",
    "textbook",
    "tune",
    "which",
]
__all__ += family.__all__
