"""BLEU as the COCO tools define it."""

from __future__ import annotations

from typing import Any

from .... import _bolide
from ....metric import _name, _threads
from ... import _original
from .._captions import Captions, pairs

__all__ = ["Bleu"]
__getattr__: _original.Getattr = _original.names_of("pycocoevalcap.bleu.bleu")


class Bleu:
    """BLEU-1 to BLEU-n; gives a list of n scores and n lists with a score for each caption."""

    def __init__(self, n: int = 4) -> None:
        self._n = n

    def compute_score(
        self, gts: Captions, res: Captions, verbose: int = 1
    ) -> tuple[list[float], list[list[float]]]:
        """The scores of the corpus, and those of the captions."""
        metric = _bolide.Metric(_name("bleu:coco", {"order": self._n}))
        hypotheses, references = pairs(gts, res)
        names = [f"bleu{order}" for order in range(1, self._n + 1)]
        corpus, _, details = metric.corpus_and_segments(
            hypotheses, references, threads=_threads(None), details=True
        )
        _, components, _ = corpus.score()
        assert details is not None
        if verbose > 1:
            # The original counts n-grams of up to four words, whatever it uses of them.
            of_four = _bolide.Metric("bleu:coco")
            for caption, texts in zip(hypotheses, references):
                one = _counts(of_four.corpus([caption], [texts], threads=1, progress=None), 4)
                print({**one, "reflen": [len(text.split()) for text in texts]}, one["reflen"])
        if verbose > 0:
            counts = _counts(corpus, self._n)
            print({key: counts[key] for key in ("testlen", "reflen", "guess", "correct")})
            print("ratio:", components["ratio"])
        columns: list[list[Any]] = [list(details[name].to_list()) for name in names]
        return [float(components[name]) for name in names], columns

    def method(self) -> str:
        """The name of the metric."""
        return "Bleu"


def _counts(corpus: _bolide.Corpus, n: int) -> dict[str, Any]:
    """Lengths, n-grams and matches, by the names and in the order in which the original prints those of a caption."""
    *ngrams, length, reference_length = corpus.counts() or []
    correct, guess = ngrams[: len(ngrams) // 2], ngrams[len(ngrams) // 2 :]
    return {"reflen": reference_length, "testlen": length, "guess": guess[:n], "correct": correct[:n]}
