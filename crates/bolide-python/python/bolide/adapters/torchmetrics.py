"""A metric in the shape of torchmetrics: ``update``, ``compute``, ``reset``.

Its state is one tensor of 64-bit integers, which processes add (``dist_reduce_fx="sum"``), so the score of a run on many
devices has the bits of the score of one run. Without torchmetrics, the same class keeps the integers in a list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..metric import Metric, References
from ..result import Score
from ._common import metric_of, references_of

if TYPE_CHECKING:
    _Base = Any
else:
    try:
        from torchmetrics import Metric as _Base
    except ImportError:
        _Base = object

__all__ = ["CorpusScore"]


class CorpusScore(_Base):  # type: ignore[misc]
    """The corpus score of any metric whose statistics are sums; others are refused.

    >>> from bolide.adapters.torchmetrics import CorpusScore
    >>> bleu = CorpusScore("bleu")
    >>> bleu.update(["the cat sat on the mat"], [["the cat sat on a mat"]])
    >>> round(float(bleu.compute()), 2)
    53.73
    """

    is_differentiable = False
    full_state_update = False

    def __init__(self, metric: str | Metric, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.metric: Metric = metric_of(metric)
        zeros = self.metric._native.empty().counts()
        if zeros is None:
            name = self.metric.dialect["name"]
            raise ValueError(f"the statistics of {name} are more than sums: collect them with bolide.Accumulator")
        if _Base is object:
            self.counts: Any = zeros
        else:
            import torch

            self.add_state("counts", torch.tensor(zeros, dtype=torch.int64), dist_reduce_fx="sum")

    @property
    def higher_is_better(self) -> bool:
        """Whether a larger score is better."""
        return not self.metric.lower_is_better

    def update(self, hypotheses: str | Sequence[str], references: Sequence[References]) -> None:
        """Adds a batch: hypotheses, and one reference or a list of references for each."""
        if isinstance(hypotheses, str):
            hypotheses, references = [hypotheses], [references_of(references)]
        added = self.metric._native.corpus(
            list(hypotheses), list(references), threads=1, progress=None
        ).counts()
        if _Base is object:
            self.counts = [old + new for old, new in zip(self.counts, added or [])]
        else:
            self.counts += self.counts.new_tensor(added)

    def compute(self) -> Any:
        """The score of everything since the last reset: a tensor, or a ``Score`` without torchmetrics."""
        if _Base is object:
            return Score(*self.metric._native.score_of_counts(self.counts))
        import torch

        value, _, _ = self.metric._native.score_of_counts(self.counts.tolist())
        return torch.tensor(value, dtype=torch.float64)

    if _Base is object:

        def reset(self) -> None:
            """Forgets everything."""
            self.counts = [0] * len(self.counts)
