"""BLEU."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from .... import _bolide
from ... import _original, python_sum
from .. import tokenizers
from ..scores import BLEUScore
from ._engine import EngineMetric, Hooks, configured
from .base import Signature, _logger, _References
from .helpers import extract_all_word_ngrams

__all__ = ["BLEU", "MAX_NGRAM_ORDER", "BLEUScore", "BLEUSignature"]
__getattr__: _original.Getattr = _original.names_of("sacrebleu.metrics.bleu")

MAX_NGRAM_ORDER = 4


class BLEUSignature(Signature):
    """The settings of a BLEU score."""

    _own_short = {"case": "c", "eff": "e", "tok": "tok", "smooth": "s"}

    def _own(self, args: Mapping[str, Any]) -> dict[str, Any]:
        smooth, value = BLEU._smoothing(args["smooth_method"], args["smooth_value"])
        return {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "yes" if args["effective_order"] else "no",
            "tok": args["tokenizer_signature"],
            "smooth": smooth if value is None else f"{smooth}[{value:.2f}]",
        }


class BLEU(EngineMetric[BLEUScore]):
    """BLEU.

    >>> bleu = BLEU(lowercase=True)
    >>> bleu.corpus_score(["The cat sat on the mat."], [["the cat sat on a mat."]])
    BLEU = 48.89 85.7/66.7/40.0/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 7 ref_len = 7)
    >>> bleu.get_signature()
    nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0

    The settings are attributes, and may change:

    >>> bleu.lowercase = False
    >>> bleu.corpus_score(["The cat sat on the mat."], [["the cat sat on a mat."]]).score < 48
    True
    """

    SMOOTH_DEFAULTS: dict[str, float | None] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
    TOKENIZER_DEFAULT = "13a"
    TOKENIZERS: tuple[str, ...] = tokenizers.NAMES
    _TOKENIZER_MAP = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
    _LANGUAGES = {"zh": "Chinese", "ja": "Japanese", "ko": "Korean"}
    _SIGNATURE_TYPE = BLEUSignature
    _label = "BLEU"

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: _References | None = None,
    ) -> None:
        super().__init__()
        self._force = force
        self.trg_lang = trg_lang
        self.lowercase = lowercase
        self.smooth_value = smooth_value
        self.smooth_method = smooth_method
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        assert smooth_method in self.SMOOTH_DEFAULTS, f"Unknown smooth_method {smooth_method!r}"
        if tokenize is None:
            tokenize = self._TOKENIZER_MAP.get(trg_lang, self.TOKENIZER_DEFAULT)
        elif tokenize != self._TOKENIZER_MAP.get(trg_lang, tokenize):
            _logger.warning(
                f"Consider using the '{self._TOKENIZER_MAP[trg_lang]}' or 'spm' tokenizer for "
                f"{self._LANGUAGES[trg_lang]}."
            )
        self.tokenizer: tokenizers.BaseTokenizer = tokenizers.of(tokenize)
        self.tokenizer_signature: str = self.tokenizer.signature()
        # A table that is missing is found here.
        self._configured()
        if references is not None:
            self._keep(references)

    @classmethod
    def _smoothing(cls, method: str, value: float | None) -> tuple[str, float | None]:
        if method in ("none", "exp"):
            return method, None
        return method, cls.SMOOTH_DEFAULTS[method] if value is None else value

    def _preprocess_segment(self, sent: str) -> str:
        if self.lowercase:
            sent = sent.lower()
        return self.tokenizer(sent.rstrip())

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        most: Counter[tuple[str, ...]] = Counter()
        lengths = []
        for ref in refs:
            ngrams, length = extract_all_word_ngrams(ref, 1, self.max_ngram_order)
            lengths.append(length)
            most |= ngrams
        return {"ref_ngrams": most, "ref_lens": lengths}

    def _get_closest_ref_len(self, hyp_len: int, ref_lens: Sequence[int]) -> int:
        return min(ref_lens, key=lambda length: (abs(length - hyp_len), length), default=-1)

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: Any) -> list[Any]:
        ngrams, length = extract_all_word_ngrams(hypothesis, 1, self.max_ngram_order)
        correct, total = [0] * self.max_ngram_order, [0] * self.max_ngram_order
        for ngram, count in ngrams.items():
            total[len(ngram) - 1] += count
            correct[len(ngram) - 1] += min(count, ref_kwargs["ref_ngrams"][ngram])
        return [length, self._get_closest_ref_len(length, ref_kwargs["ref_lens"]), *correct, *total]

    def _configured(self) -> _bolide.Metric | None:
        tokenize = tokenizers.name_of(self.tokenizer)
        if tokenize is None:
            return None
        return _configured(
            bool(self.lowercase),
            bool(self.effective_order),
            tokenize,
            self.smooth_method,
            self.smooth_value,
            self.max_ngram_order,
        )

    def _compute_score_from_stats(self, stats: Any) -> BLEUScore:
        return self.compute_bleu(
            stats[2 : 2 + self.max_ngram_order],
            stats[2 + self.max_ngram_order :],
            int(stats[0]),
            int(stats[1]),
            self.smooth_method,
            self.smooth_value,
            self.effective_order,
            self.max_ngram_order,
        )

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> BLEUScore:
        """The score of one segment against any number of references."""
        if not self.effective_order:
            _logger.warning(
                "It is recommended to enable `effective_order` for sentence-level BLEU."
            )
        return super().sentence_score(hypothesis, references)

    def _score(self, value: float, components: dict[str, Any]) -> BLEUScore:
        whole = self.smooth_value is None or isinstance(self.smooth_value, int)
        return _bleu_score(value, components, self.max_ngram_order, whole)

    @staticmethod
    def compute_bleu(
        correct: list[int],
        total: list[int],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """BLEU from counts."""
        assert smooth_method in BLEU.SMOOTH_DEFAULTS, f"Unknown smooth_method {smooth_method!r}"
        smooth, value = BLEU._smoothing(smooth_method, smooth_value)
        penalty = 1.0
        if sys_len < ref_len:
            penalty = math.exp(1 - ref_len / sys_len) if sys_len > 0 else 0.0
        precisions = [0.0] * max_ngram_order
        if not any(correct):
            return BLEUScore(0.0, correct, total, precisions, penalty, sys_len, ref_len)
        divisor, order = 1.0, max_ngram_order
        for idx in range(max_ngram_order):
            if smooth == "add-k" and idx > 0:
                correct[idx] += value  # type: ignore[assignment,operator]
                total[idx] += value  # type: ignore[assignment,operator]
            if total[idx] == 0:
                break
            if effective_order:
                order = idx + 1
            if correct[idx] != 0:
                precisions[idx] = 100.0 * correct[idx] / total[idx]
            elif smooth == "exp":
                divisor *= 2
                precisions[idx] = 100.0 / (divisor * total[idx])
            elif smooth == "floor":
                precisions[idx] = 100.0 * value / total[idx]  # type: ignore[operator]
        logs = [math.log(precision) if precision else -9999999999 for precision in precisions[:order]]
        score = penalty * math.exp(sum(logs) / order)
        return BLEUScore(score, correct, total, precisions, penalty, sys_len, ref_len)


BLEU._hooks = Hooks(BLEU)


@lru_cache(maxsize=64)
def _configured(
    lowercase: bool, effective: bool, tokenize: str, method: str, value: float | None, max_order: int
) -> _bolide.Metric | None:
    smooth, value = BLEU._smoothing(method, value)
    return configured(
        "bleu:sacrebleu",
        {
            "case": "lc" if lowercase else "mixed",
            "eff": effective,
            "tok": tokenize,
            "smooth": smooth if value is None else f"{smooth}[{float(value)!r}]",
            "order": max_order,
            "sum": python_sum(),
        },
    )


@lru_cache(maxsize=16)
def _names(max_order: int) -> list[list[str]]:
    orders = range(1, max_order + 1)
    return [[f"{kind}{order}" for order in orders] for kind in ("correct", "total", "precision")]


def _bleu_score(
    value: float, components: dict[str, Any], max_order: int, whole: bool
) -> BLEUScore:
    correct, total, precisions = (
        [components[name] for name in names] for names in _names(max_order)
    )
    # Smoothing may make the counts of longer n-grams fractional; where nothing matches, nothing is smoothed.
    end = max_order if whole or not any(correct) else 1
    correct[:end], total[:end] = map(int, correct[:end]), map(int, total[:end])
    return BLEUScore(
        value,
        correct,
        total,
        precisions,
        components["brevity_penalty"],
        components["hypothesis_length"],
        components["reference_length"],
    )
