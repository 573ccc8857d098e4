"""METEOR 1.5 as its jar computes it, without Java."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from .... import _bolide
from ... import _original
from .._captions import Captions, mean_and_scores

__all__ = ["Meteor"]
__getattr__: _original.Getattr = _original.names_of("pycocoevalcap.meteor.meteor")


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
        score, scores = mean_and_scores(self._metric, gts, sent)
        return score, scores

    def method(self) -> str:
        """The name of the metric."""
        return "METEOR"


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
