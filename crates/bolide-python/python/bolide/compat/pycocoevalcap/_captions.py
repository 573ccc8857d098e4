"""Captions by image, as pycocoevalcap takes them, for the engine."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from typing import Any

from ... import _bolide
from ...metric import _threads

Captions = Mapping[Any, Sequence[str]]


def _few(keys: set[Any]) -> str:
    return repr(sorted(keys, key=repr)[:3]) if keys else "none"


def pairs(gts: Captions, res: Captions) -> tuple[list[str], list[list[str]]]:
    """Hypotheses and references, with the checks of the originals."""
    missing, unknown = gts.keys() - res.keys(), res.keys() - gts.keys()
    assert not missing and not unknown, (
        f"gts and res have different keys: {_few(missing)} only in gts, {_few(unknown)} only in res"
    )
    keys = list(gts.keys())
    for key in keys:
        assert type(res[key]) is list and len(res[key]) == 1, f"res[{key!r}] is not a list of one caption"
        assert type(gts[key]) is list and len(gts[key]) > 0, f"gts[{key!r}] is not a list of captions"
    return [res[key][0] for key in keys], [list(gts[key]) for key in keys]


def as_array(scores: list[Any]) -> Any:
    """The scores as the COCO tools give them: a NumPy array, if NumPy is there."""
    if importlib.util.find_spec("numpy") is None:
        return scores
    import numpy

    return numpy.array(scores, dtype=numpy.float64)


def mean_and_scores(metric: _bolide.Metric, gts: Captions, res: Captions) -> tuple[float, list[Any]]:
    """The score of the corpus, and those of the captions."""
    hypotheses, references = pairs(gts, res)
    corpus, floats, _ = metric.corpus_and_segments(
        hypotheses, references, threads=_threads(None), details=False
    )
    score, _, _ = corpus.score()
    return score, floats.to_list()
