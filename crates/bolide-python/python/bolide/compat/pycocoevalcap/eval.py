"""``COCOEvalCap``: all metrics of captions for the results of a COCO data set."""

from __future__ import annotations

import warnings
from typing import Any

from .. import _original
from .bleu.bleu import Bleu as Bleu
from .cider.cider import Cider as Cider
from .meteor.meteor import Meteor as Meteor
from .rouge.rouge import Rouge as Rouge
from .spice.spice import Spice as Spice
from .tokenizer.ptbtokenizer import PTBTokenizer as PTBTokenizer

__all__ = ["COCOEvalCap"]
__getattr__: _original.Getattr = _original.names_of("pycocoevalcap.eval")


class COCOEvalCap:
    """Scores the captions of ``cocoRes`` against those of ``coco``, image by image and together.

    A metric that cannot run here (METEOR without its tables, SPICE without Java) is left out with a warning, and
    the others are still there.
    """

    def __init__(self, coco: Any, cocoRes: Any) -> None:
        self.evalImgs: list[dict[str, Any]] = []
        self.eval: dict[str, float] = {}
        self.imgToEval: dict[Any, dict[str, Any]] = {}
        self.coco = coco
        self.cocoRes = cocoRes
        self.params: dict[str, Any] = {"image_id": coco.getImgIds()}

    def evaluate(self) -> None:
        """Fills ``eval``, ``imgToEval`` and ``evalImgs``."""
        images = self.params["image_id"]
        print("tokenization...")
        tokenizer = PTBTokenizer()
        gts = tokenizer.tokenize({image: self.coco.imgToAnns[image] for image in images})
        res = tokenizer.tokenize({image: self.cocoRes.imgToAnns[image] for image in images})
        print("setting up scorers...")
        bleus = [f"Bleu_{order}" for order in range(1, 5)]
        several: list[tuple[Any, Any]] = [
            (lambda: Bleu(4), bleus),
            (Meteor, "METEOR"),
            (Rouge, "ROUGE_L"),
            (Cider, "CIDEr"),
            (Spice, "SPICE"),
        ]
        for make, name in several:
            try:
                scorer = make()
                print(f"computing {scorer.method()} score...")
                score, scores = scorer.compute_score(gts, res)
            except Exception as error:
                if name not in ("METEOR", "SPICE"):
                    raise
                warnings.warn(f"{name} is left out: {error}", stacklevel=2)
                continue
            named = zip(name, score, scores) if isinstance(name, list) else [(name, score, scores)]
            for key, value, values in named:
                self.setEval(value, key)
                self.setImgToEvalImgs(values, gts.keys(), key)
                print(f"{key}: {value:0.3f}")
        self.setEvalImgs()

    def setEval(self, score: float, method: str) -> None:
        """Keeps the score of a metric."""
        self.eval[method] = score

    def setImgToEvalImgs(self, scores: Any, imgIds: Any, method: str) -> None:
        """Keeps the scores of the images by a metric."""
        for image, score in zip(imgIds, scores):
            self.imgToEval.setdefault(image, {"image_id": image})[method] = score

    def setEvalImgs(self) -> None:
        """Lists what is kept of each image."""
        self.evalImgs = list(self.imgToEval.values())
