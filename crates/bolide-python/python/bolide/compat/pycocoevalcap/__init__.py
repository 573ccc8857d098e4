"""The scorers of pycocoevalcap: ``Meteor().compute_score(gts, res)`` without a Java machine.

>>> from bolide.compat.pycocoevalcap import Bleu, Rouge
>>> gts = {1: ["a cat sat on the mat", "the cat is on a mat"], 2: ["a dog"]}
>>> res = {1: ["a cat on the mat"], 2: ["the dog"]}
>>> Bleu(2).compute_score(gts, res, verbose=0)[0]
[0.7430381995735735, 0.6216703597532959]
>>> print(Rouge().compute_score(gts, res)[0])
0.6972140762463342

As there, captions come tokenised (``PTBTokenizer``), ``gts`` and ``res`` have the same keys, and there is one
caption in each entry of ``res``. The modules are where the package has them (``bleu.bleu``, ``rouge.rouge``, …). ``Meteor`` scores as the jar does with ``-l en
-norm``; its paraphrase table has its own licence and comes from your own copy of pycocoevalcap, which
is compiled on the first use if it is installed, or by ``bolide data import``.
"""

from __future__ import annotations

from .. import _original
from .bleu.bleu import Bleu
from .cider.cider import Cider
from .meteor.meteor import Meteor
from .rouge.rouge import Rouge

__all__ = ["Bleu", "Cider", "Meteor", "Rouge"]
__getattr__: _original.Getattr = _original.names_of("pycocoevalcap")
