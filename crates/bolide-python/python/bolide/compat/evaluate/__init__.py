"""Hugging Face ``evaluate``: ``load("meteor").compute(predictions=…, references=…)``.

>>> from bolide.compat import evaluate
>>> meteor = evaluate.load("meteor")
>>> print(meteor.compute(predictions=["the cat sat"], references=["the cat sat"])["meteor"])
0.9814814814814815
>>> meteor.compute(predictions=["the cat sat"], references=[["a cat", "the cat sat"]], segments=True)["segments"]
[0.9814814814814815]

``meteor``, ``bleu``, ``google_bleu``, ``rouge``, ``sacrebleu``, ``chrf`` and ``ter`` take the arguments
and return the keys of evaluate 0.4.6. ``segments=True`` adds the score of every segment. For ROUGE's
bootstrap, evaluate uses NumPy's unseeded generator; this module uses ``seed``. Other names come from
evaluate itself, if it is installed.
"""

from __future__ import annotations

from .. import _original
from ._modules import MODULES, EvaluationModule
from .loading import load
from .module import CombinedEvaluations, combine

__version__ = "0.4.6"
"""The version of evaluate that is reproduced."""

__all__ = ["CombinedEvaluations", "EvaluationModule", "combine", "load"]

_get = _original.names_of("evaluate")


def __getattr__(name: str) -> object:
    if name in MODULES and name != "sacrebleu":
        return MODULES[name]()
    return _get(name)
