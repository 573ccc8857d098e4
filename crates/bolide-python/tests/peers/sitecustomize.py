"""Puts our modules in the place of NLTK's and sacreBLEU's, in every process of a test run.

Python imports this file at the start of every interpreter that has its folder on the path, so the
processes that NLTK's tests start see ours too.
"""

from bolide import compat

compat.install("nltk", "sacrebleu", "rouge_score")
