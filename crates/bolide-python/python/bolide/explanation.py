"""Explains a score with an alignment: the matches, the steps of the formula, the cost of each word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from . import _html

_MARKS = {
    "exact": "~",
    "case": "~c~",
    "stem": "~s~",
    "synonym": "~w~",
    "near": "~n~",
    "paraphrase": "~p~",
}


class Token(TypedDict):
    """A token and its bytes in the original text."""

    text: str
    start: int
    end: int


class Tokens(TypedDict):
    """The tokens of the hypothesis and of the chosen reference."""

    hypothesis: list[Token]
    reference: list[Token]


class Pair(TypedDict):
    """A match of the alignment. Positions count from 0."""

    hypothesis: int
    hypothesis_tokens: int
    reference: int
    reference_tokens: int
    stage: str
    reason: str
    credit: float
    chunk: int


class Cost(TypedDict):
    """What repairing one error would gain."""

    at: int
    cost: float


class Losses(TypedDict):
    """Where the points were lost: the first three add up to 1 − score."""

    unmatched_hypothesis: float
    unmatched_reference: float
    fragmentation: float
    hypothesis_words: list[Cost]
    reference_words: list[Cost]
    breaks: list[Cost]


class Step(TypedDict):
    """A step of the formula, with its numbers."""

    name: str
    formula: str
    value: float


class Fields:
    """Fields of the command's JSON as attributes."""

    version: str
    """The version of bolide."""
    metric: str
    """The metric as it was asked for."""
    signature: str
    """The full name of the metric."""
    score: float
    """The score."""
    steps: list[Step]
    """The formula, step by step, where the metric describes it."""

    def __init__(self, fields: dict[str, Any], text: str) -> None:
        self._fields = fields
        self._text = text

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            try:
                return self._fields[name]
            except KeyError:
                pass
            if name == "steps":
                return []
            raise AttributeError(f"an explanation has no field {name!r}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._fields]

    def to_dict(self) -> dict[str, Any]:
        """All fields, nested as in the JSON of the command."""
        return dict(self._fields)

    @property
    def drawing(self) -> str:
        """What ``bolide explain`` prints."""
        return self._text

    def __float__(self) -> float:
        score = self._fields["score"]
        return float("nan") if score is None else float(score)

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self._fields, self._text))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {float(self)!r} {self.signature}>"

    def __str__(self) -> str:
        return self._text


class Explanation(Fields):
    """How a score was computed from the alignment of two texts.

    The fields are attributes, with the names of ``bolide explain --format json``; ``to_dict`` returns
    all of them. In a notebook, the alignment is drawn. ``drawing`` is what the command prints.

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

    tokens: Tokens
    """The tokens of both sides."""
    reference_idx: int
    """Which of the references counted, from 0."""
    pairs: list[Pair]
    """The alignment, sorted by hypothesis position."""
    matches: int
    chunks: int
    crossings: int
    proven: bool | None
    """Whether the alignment is proven to have the fewest chunks; None if the dialect does not look for them."""
    chunks_lower_bound: int | None
    alpha: float
    beta: float
    gamma: float
    precision: float
    recall: float
    fmean: float
    fmean_check: float
    """Fmean computed a second way."""
    penalty: float
    counts_breaks: bool
    """Whether the penalty counts the breaks between chunks instead of the chunks."""
    losses: Losses
    """Where the points were lost."""

    def __str__(self) -> str:
        hypothesis, reference = self.tokens["hypothesis"], self.tokens["reference"]
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
