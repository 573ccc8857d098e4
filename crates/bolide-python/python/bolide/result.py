"""A score: a float with its components and its signature."""

from __future__ import annotations

from typing import Any

from . import _html


class Score(float):
    """A number with its components and the signature of the metric.

    It is a ``float`` in every respect, so it compares, rounds, formats and serialises as one. Code that makes a
    number of the same type (``statistics.mean``) gets one without components and signature.

    >>> import bolide
    >>> score = bolide.Bleu().corpus(["the cat sat on the mat"], ["the cat sat on a mat"])
    >>> score > 50
    True
    >>> score.components["hypothesis_length"]
    6
    >>> score.signature.split("|")[:3]
    ['bleu:sacrebleu', 'nrefs:1', 'case:mixed']
    """

    __slots__ = ("components", "confidence", "signature")

    components: dict[str, float | int | bool]
    """The components of the score, by name."""
    signature: str
    """The full name of the metric, with the number of references."""
    confidence: tuple[float, float] | None
    """The mean of the bootstrap samples and the half-width of their 95 % interval, if there was a bootstrap."""

    def __new__(
        cls,
        value: float | str = 0.0,
        components: dict[str, float | int | bool] | None = None,
        signature: str = "",
        confidence: tuple[float, float] | None = None,
    ) -> Score:
        self = super().__new__(cls, value)
        self.components = {} if components is None else components
        self.signature = signature
        self.confidence = confidence
        return self

    @property
    def score(self) -> float:
        """The number itself, as a plain float."""
        return float(self)

    def __repr__(self) -> str:
        return f"Score({float(self)!r}, {self.signature!r})"

    def __str__(self) -> str:
        return float.__repr__(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (float(self), self.components, self.signature, self.confidence))

    def _repr_html_(self) -> str:
        rows: list[tuple[str, Any]] = [("score", float(self))]
        if self.confidence is not None:
            mean, half_width = self.confidence
            rows.append(("95 % interval", f"{mean:.6g} ± {half_width:.3g}"))
        rows += self.components.items()
        return _html.table(rows, caption=self.signature)
