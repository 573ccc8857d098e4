"""Translation edit rate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .... import _bolide
from ....metric import _name
from ... import _original
from ..scores import TERScore
from ..tokenizers.tokenizer_ter import TercomTokenizer
from .base import Metric, _References

__all__ = ["TER", "TERScore"]
__getattr__: _original.Getattr = _original.names_of("sacrebleu.metrics.ter")


class TER(Metric[TERScore]):
    """Translation edit rate.

    >>> TER().corpus_score(["the cat sat"], [["the cat sat down"]])
    TER = 25.00
    """

    _short = {"case": "c", "tok": "t", "norm": "nr", "punct": "pn", "asian": "as"}

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: _References | None = None,
    ) -> None:
        super().__init__(references)
        self._force = True
        self.normalized = normalized
        self.no_punct = no_punct
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive
        self.tokenizer: TercomTokenizer = TercomTokenizer(normalized, no_punct, asian_support, case_sensitive)
        self.tokenizer_signature: str = self.tokenizer.signature()
        self._metric = _bolide.Metric(_name("ter:sacrebleu", self._info()))

    def _preprocess_segment(self, sent: str) -> str:
        return self.tokenizer(sent.rstrip())

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"ref_words": [ref.split() for ref in refs]}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: Any) -> list[Any]:
        rows, _ = self._metric.statistics_rows(
            [hypothesis.split()], [ref_kwargs["ref_words"]], threads=1
        )
        return self._statistics(rows[0])

    def _statistics(self, row: list[float]) -> list[Any]:
        return [int(row[0]), row[1]]

    def _native(self) -> _bolide.Metric:
        return self._metric

    def _score(self, value: float, components: dict[str, Any]) -> TERScore:
        return TERScore(value, components["edits"], components["reference_length"])

    def _info(self) -> dict[str, Any]:
        return {
            "case": "mixed" if self.case_sensitive else "lc",
            "tok": self.tokenizer_signature,
            "norm": self.normalized,
            "punct": not self.no_punct,
            "asian": self.asian_support,
        }
