"""Replaces NLTK's and sacreBLEU's modules by ours, in every process of a test run.

Every interpreter that has this folder on its path imports this file at its start, so the processes
that NLTK's tests start use our modules too.
"""

from bolide import compat

compat.install("nltk", "sacrebleu", "rouge_score")
