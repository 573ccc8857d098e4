"""The scorers of pycocoevalcap: ``Meteor().compute_score(gts, res)`` without a Java machine.

>>> from bolide.compat.pycocoevalcap import Bleu, Rouge
>>> gts = {1: ["a cat sat on the mat", "the cat is on a mat"], 2: ["a dog"]}
>>> res = {1: ["a cat on the mat"], 2: ["the dog"]}
>>> Bleu(2).compute_score(gts, res, verbose=0)[0]
[0.7430381995735735, 0.6216703597532959]
>>> Rouge().compute_score(gts, res)[0]
0.6972140762463342

As there, captions come tokenised (``PTBTokenizer``), ``gts`` and ``res`` have the same keys in the same
order, and there is one caption in each entry of ``res``. ``Meteor`` scores as the jar does with ``-l en
-norm``; its paraphrase table has its own licence and comes from your own copy of pycocoevalcap, which
is compiled on the first use if it is installed, or by ``bolide data import``.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .. import _bolide
from ..metric import _name, _threads

__all__ = ["Bleu", "Meteor", "Rouge"]

Captions = Mapping[Any, Sequence[str]]


def _pairs(gts: Captions, res: Captions) -> tuple[list[str], list[list[str]]]:
    """Hypotheses and references, with the checks of the originals."""
    keys = list(gts.keys())
    assert keys == list(res.keys())
    for key in keys:
        assert type(res[key]) is list and len(res[key]) == 1
        assert type(gts[key]) is list and len(gts[key]) > 0
    return [res[key][0] for key in keys], [list(gts[key]) for key in keys]


class Bleu:
    """BLEU-1 to BLEU-n; gives a list of n scores and n lists with a score for each caption."""

    def __init__(self, n: int = 4) -> None:
        self._n = n

    def compute_score(
        self, gts: Captions, res: Captions, verbose: int = 1
    ) -> tuple[list[float], list[list[float]]]:
        """The scores of the corpus, and those of the captions."""
        metric = _bolide.Metric(_name("bleu:coco", {"order": self._n}))
        hypotheses, references = _pairs(gts, res)
        names = [f"bleu{order}" for order in range(1, self._n + 1)]
        corpus, _, details = metric.corpus_and_segments(
            hypotheses, references, threads=_threads(None), details=True
        )
        _, components, _ = corpus.score()
        assert details is not None
        if verbose:
            print(f"ratio: {components['ratio']}")
        columns: list[list[Any]] = [list(details[name].to_list()) for name in names]
        return [float(components[name]) for name in names], columns

    def method(self) -> str:
        """The name of the metric."""
        return "Bleu"


class Rouge:
    """ROUGE-L as the COCO tools define it; gives the mean and the score of each caption."""

    def __init__(self) -> None:
        self.beta = 1.2

    def compute_score(self, gts: Captions, res: Captions) -> tuple[float, Any]:
        """The mean, and the scores as a NumPy array if NumPy is there, else as a list."""
        metric = _bolide.Metric(_name("rougeL:coco", {"beta": self.beta}))
        return _mean_and_scores(metric, gts, res, as_array=True)

    def method(self) -> str:
        """The name of the metric."""
        return "Rouge"


class Meteor:
    """METEOR 1.5 for English; gives the score of the corpus and that of each caption."""

    def __init__(self) -> None:
        self._metric = _meteor()

    def compute_score(self, gts: Captions, res: Captions) -> tuple[float, list[float]]:
        """The score of the corpus, and those of the captions."""
        # What stands for the end of a field when a caption is sent to the jar is taken out of it.
        sent = {
            key: [caption.replace("|||", "").replace("  ", " ") for caption in captions]
            if type(captions) is list
            else captions
            for key, captions in res.items()
        }
        score, scores = _mean_and_scores(self._metric, gts, sent, as_array=False)
        return score, scores

    def method(self) -> str:
        """The name of the metric."""
        return "METEOR"


def _mean_and_scores(
    metric: _bolide.Metric, gts: Captions, res: Captions, as_array: bool
) -> tuple[float, Any]:
    hypotheses, references = _pairs(gts, res)
    corpus, floats, _ = metric.corpus_and_segments(
        hypotheses, references, threads=_threads(None), details=False
    )
    score, _, _ = corpus.score()
    if as_array and importlib.util.find_spec("numpy") is not None:
        import numpy

        return score, numpy.frombuffer(floats.to_bytes(), dtype=numpy.float64)
    return score, floats.to_list()


def _meteor() -> _bolide.Metric:
    """METEOR 1.5 with its paraphrases. Where the data folder has none, or those of another version,
    they are compiled from an installed pycocoevalcap."""
    try:
        return _bolide.Metric("meteor:1.5")
    except _bolide.UnavailableError:
        installed = importlib.util.find_spec("pycocoevalcap")
        for folder in (installed.submodule_search_locations or []) if installed else []:
            if (Path(folder) / "meteor" / "data" / "paraphrase-en.gz").exists():
                _bolide.import_tables(Path(folder) / "meteor")
                return _bolide.Metric("meteor:1.5")
        raise
