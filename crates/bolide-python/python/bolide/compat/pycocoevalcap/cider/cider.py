"""CIDEr as the COCO tools define it, which is CIDEr-D: clipped counts and a penalty for other lengths."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any

from .... import _bolide
from ... import _original, numpy_float
from .._captions import Captions, as_array, pairs
from ._frequencies import Frequencies

__all__ = ["Cider"]
__getattr__: _original.Getattr = _original.names_of("pycocoevalcap.cider.cider")


class Cider:
    """CIDEr-D; gives the mean over the images and the score of each. Words are weighed by all images given.

    >>> gts = {1: ["a cat sat on a mat"], 2: ["the dog barked at me", "a dog"]}
    >>> res = {1: ["a cat sat on a mat"], 2: ["a dog"]}
    >>> print(Cider().compute_score(gts, res)[0])
    6.496665383014021

    ``df`` gives the document frequencies instead: a file as CIDEr's users share it (``coco-val-df.p``), the same as JSON, or
    a dict with ``document_frequency`` (from tuples of words) and ``ref_len``, the number of documents. ``documents`` is that
    number where the file lacks it. ``signature`` says which frequencies were used.

    >>> given = {"document_frequency": {("a",): 90, ("cat",): 3}, "ref_len": 100}
    >>> cider = Cider(df=given)
    >>> bool(cider.compute_score({1: ["a cat"]}, {1: ["a cat"]})[0] > 0)
    True
    >>> cider.signature
    'cider:coco|sigma:6|bolide:...|df:given|documents:100|ngrams:2'
    """

    def __init__(
        self,
        test: Any = None,
        refs: Any = None,
        n: int = 4,
        sigma: float = 6.0,
        *,
        df: str | PathLike[str] | Mapping[Any, Any] = "corpus",
        documents: float | None = None,
    ) -> None:
        self._n = n
        self._sigma = sigma
        self._frequencies = None if isinstance(df, str) and df == "corpus" else Frequencies(df, documents)

    @property
    def signature(self) -> str:
        """The full name: also whose document frequencies are used."""
        name: str = _bolide.Metric(f"cider:coco|sigma:{self._sigma}").signature
        given = self._frequencies
        if given is None:
            return f"{name}|df:corpus"
        return f"{name}|df:{given.name}|documents:{given.documents:g}|ngrams:{len(given.ngrams)}"

    def compute_score(self, gts: Captions, res: Captions) -> tuple[float, Any]:
        """The mean, and the scores as a NumPy array if NumPy is there, else as a list."""
        hypotheses, references = pairs(gts, res)
        # The original counts n-grams of up to 4 words, and has no place for those of more than n.
        texts = [hypotheses, *references]
        if self._n < 4 and any(len(text.split()) > self._n for column in texts for text in column):
            raise IndexError("list index out of range")
        frequencies = self._frequencies
        given = None if frequencies is None else (frequencies.ngrams, frequencies.documents)
        score, scores = _bolide.cider(hypotheses, references, self._n, float(self._sigma), given)
        if score != score:
            raise ValueError("no reference has a word")
        return numpy_float(score), as_array(scores)

    def method(self) -> str:
        """The name of the metric."""
        return "CIDEr"
