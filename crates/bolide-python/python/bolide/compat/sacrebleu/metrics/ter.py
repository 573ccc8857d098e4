"""Translation edit rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from .... import _bolide
from ... import _original
from ..scores import TERScore
from ..tokenizers.tokenizer_ter import TercomTokenizer
from ._engine import EngineMetric, Hooks, configured
from .base import Signature, _References

__all__ = ["TER", "TERScore", "TERSignature"]
__getattr__: _original.Getattr = _original.names_of("sacrebleu.metrics.ter")


class TERSignature(Signature):
    """The settings of a translation edit rate."""

    _own_short = {"case": "c", "tok": "t", "norm": "nr", "punct": "pn", "asian": "as"}

    def _own(self, args: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "case": "mixed" if args["case_sensitive"] else "lc",
            "tok": args["tokenizer_signature"],
            "norm": args["normalized"],
            "punct": not args["no_punct"],
            "asian": args["asian_support"],
        }


class TER(EngineMetric[TERScore]):
    """Translation edit rate.

    >>> TER().corpus_score(["the cat sat"], [["the cat sat down"]])
    TER = 25.00
    """

    _SIGNATURE_TYPE = TERSignature
    _label = "TER"

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: _References | None = None,
    ) -> None:
        super().__init__()
        self.normalized = normalized
        self.no_punct = no_punct
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive
        self.tokenizer: TercomTokenizer = TercomTokenizer(normalized, no_punct, asian_support, case_sensitive)
        self.tokenizer_signature: str = self.tokenizer.signature()
        if references is not None:
            self._keep(references)

    def _preprocess_segment(self, sent: str) -> str:
        return self.tokenizer(sent.rstrip())

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        # sacreBLEU does this to references twice.
        return {"ref_words": [self._preprocess_segment(ref).split() for ref in refs]}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: Any) -> list[Any]:
        # Tokens are compared as they are; their case stays.
        edits = _configured(False, False, False, True)
        assert edits is not None
        rows, _ = edits.statistics_rows([hypothesis.split()], [ref_kwargs["ref_words"]], threads=1)
        return self._statistics(rows[0])

    def _compute_score_from_stats(self, stats: Any) -> TERScore:
        n_edits, length = stats[0], stats[1]
        # Without a word of a reference, any edit is a whole one.
        rate = n_edits / length if length > 0 else float(n_edits > 0)
        return TERScore(100 * rate, n_edits, length)

    def _statistics(self, row: list[float]) -> list[Any]:
        return [int(row[0]), row[1]]

    def _configured(self) -> _bolide.Metric | None:
        # The tokenizer keeps the settings that it was made with, as sacreBLEU's does.
        return _configured(*self.tokenizer._options) if type(self.tokenizer) is TercomTokenizer else None

    def _score(self, value: float, components: dict[str, Any]) -> TERScore:
        return TERScore(value, components["edits"], components["reference_length"])


TER._hooks = Hooks(TER)


@lru_cache(maxsize=64)
def _configured(
    normalized: bool, no_punct: bool, asian_support: bool, case_sensitive: bool
) -> _bolide.Metric | None:
    return configured(
        "ter:sacrebleu",
        {
            "case": "mixed" if case_sensitive else "lc",
            "norm": bool(normalized),
            "punct": not no_punct,
            "asian": bool(asian_support),
        },
    )
