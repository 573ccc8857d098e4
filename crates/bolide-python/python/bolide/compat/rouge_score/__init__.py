"""rouge-score 0.1.2: ``rouge_scorer``, ``scoring`` and ``tokenizers``.

>>> from bolide.compat.rouge_score import rouge_scorer
>>> scorer = rouge_scorer.RougeScorer(["rouge1", "rougeL"], use_stemmer=True)
>>> scorer.score("the cats sat on the mat", "on the mat sat a cat")["rougeL"]
Score(precision=0.5, recall=0.5, fmeasure=0.5)
"""

from __future__ import annotations

from . import rouge_scorer, scoring, tokenize, tokenizers

__all__ = ["rouge_scorer", "scoring", "tokenize", "tokenizers"]
