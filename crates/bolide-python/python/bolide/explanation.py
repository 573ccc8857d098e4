"""Explains a METEOR score: the alignment, the steps of the formula, the cost of each word."""

from __future__ import annotations

from typing import Any

from . import _html

_MARKS = {
    "exact": "~",
    "case": "~c~",
    "stem": "~s~",
    "synonym": "~w~",
    "near": "~n~",
    "paraphrase": "~p~",
}


class Explanation:
    """How a score was computed from two texts.

    The fields are attributes, with the names of ``bolide explain --format json``; ``to_dict`` returns
    all of them. In a notebook, the alignment is drawn.

    >>> import bolide
    >>> it = bolide.Meteor("classic").explain("on the mat sat the cat", "the cat sat on the mat")
    >>> it.matches, it.chunks, it.proven, it.score
    (6, 3, True, 0.9375)
    >>> print(it)
    on the mat sat the cat
    the cat sat on the mat
    on~on the~the mat~mat | sat~sat | the~the cat~cat
    precision 1, recall 1, fmean 1, penalty 0.0625, score 0.9375
    """

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = fields

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._fields[name]
        except KeyError:
            raise AttributeError(f"an explanation has no field {name!r}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._fields]

    def to_dict(self) -> dict[str, Any]:
        """All fields, nested as in the JSON of the command."""
        return dict(self._fields)

    def __float__(self) -> float:
        return float(self._fields["score"])

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self._fields,))

    def __repr__(self) -> str:
        return f"<Explanation {self.score!r} {self.signature}>"

    def __str__(self) -> str:
        hypothesis, reference = (self.tokens[side] for side in ("hypothesis", "reference"))
        chunks: dict[int, list[str]] = {}
        for pair in self.pairs:
            ours = hypothesis[pair["hypothesis"] : pair["hypothesis"] + pair["hypothesis_tokens"]]
            theirs = reference[pair["reference"] : pair["reference"] + pair["reference_tokens"]]
            match = _MARKS[pair["stage"]].join(
                "_".join(token["text"] for token in side) for side in (ours, theirs)
            )
            chunks.setdefault(pair["chunk"], []).append(match)
        steps = ", ".join(
            f"{name} {self._fields[name]:.6g}"
            for name in ("precision", "recall", "fmean", "penalty", "score")
        )
        return "\n".join(
            [
                " ".join(token["text"] for token in hypothesis),
                " ".join(token["text"] for token in reference),
                " | ".join(" ".join(chunk) for chunk in chunks.values()) or "(no match)",
                steps,
            ]
        )

    def _repr_html_(self) -> str:
        return _html.explanation(self._fields)
