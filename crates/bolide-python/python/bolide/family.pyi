"""The classes of ``family.py``, for type checkers: ``tests/test_family.py`` writes this file."""

from typing import Any, ClassVar, Literal, TypeAlias

from .evidence import Evidence
from .explanation import Explanation
from .metric import Metric, References, Text

_Value = str | float | list[float] | tuple[float, ...]

__all__ = [
    "Family",
    "families",
    "Bleu",
    "Chrf",
    "Cider",
    "Gleu",
    "Meteor",
    "Nist",
    "Ribes",
    "Rouge",
    "Ter",
]

class Family(Metric):
    family: ClassVar[str]
    def __init__(self, dialect: str | None = None, **keys: Any) -> None: ...

class Bleu(Family):
    def __init__(
        self,
        dialect: Literal[
            "BLEU",
            "bleu",
            "coco",
            "hf",
            "nltk",
            "pycocoevalcap",
            "sacrebleu",
            "unigram",
        ]
        | None = None,
        *,
        case: _Value = ...,
        eff: _Value = ...,
        nrefs: _Value = ...,
        order: _Value = ...,
        reweigh: _Value = ...,
        segments: _Value = ...,
        smooth: _Value = ...,
        sum: _Value = ...,
        tok: _Value = ...,
        version: _Value = ...,
        weights: _Value = ...,
    ) -> None: ...
    def explain(self, hypothesis: Text, references: References) -> Evidence: ...

class Chrf(Family):
    def __init__(
        self,
        dialect: Literal[
            "chrF",
            "chrF++",
            "chrF1",
            "chrF1+",
            "chrF1++",
            "chrF2",
            "chrF2+",
            "chrF2++",
            "chrF3",
            "chrF3+",
            "chrF3++",
            "chrf",
            "chrf++",
            "chrf++:sacrebleu",
            "nltk",
            "sacrebleu",
        ]
        | None = None,
        *,
        beta: _Value = ...,
        case: _Value = ...,
        eff: _Value = ...,
        max: _Value = ...,
        min: _Value = ...,
        nc: _Value = ...,
        nrefs: _Value = ...,
        nw: _Value = ...,
        space: _Value = ...,
        sum: _Value = ...,
        version: _Value = ...,
    ) -> None: ...
    def explain(self, hypothesis: Text, references: References) -> Evidence: ...

class Cider(Family):
    def __init__(
        self,
        dialect: Literal[
            "cider",
            "cider-d",
            "coco",
        ]
        | None = None,
        *,
        nrefs: _Value = ...,
        sigma: _Value = ...,
    ) -> None: ...
    def explain(self, hypothesis: Text, references: References) -> Evidence: ...

class Gleu(Family):
    def __init__(
        self,
        dialect: Literal[
            "gleu",
            "google_bleu",
            "hf",
            "nltk",
        ]
        | None = None,
        *,
        max: _Value = ...,
        min: _Value = ...,
        nrefs: _Value = ...,
        tok: _Value = ...,
    ) -> None: ...
    def explain(self, hypothesis: Text, references: References) -> Evidence: ...

class Meteor(Family):
    def __init__(
        self,
        dialect: Literal[
            "1.5",
            "1.5-ar-bw-red",
            "1.5-cs",
            "1.5-cz",
            "1.5-da",
            "1.5-de",
            "1.5-en",
            "1.5-es",
            "1.5-fi",
            "1.5-fr",
            "1.5-hu",
            "1.5-it",
            "1.5-nl",
            "1.5-no",
            "1.5-nopara",
            "1.5-optimal",
            "1.5-other",
            "1.5-pt",
            "1.5-ro",
            "1.5-ru",
            "1.5-se",
            "1.5-sv",
            "1.5-tr",
            "2026",
            "classic",
            "coco",
            "evaluate",
            "hf",
            "meteor",
            "nltk",
            "nltk-3.6.2",
            "textbook",
        ]
        | None = None,
        *,
        alpha: _Value = ...,
        beam: _Value = ...,
        beta: _Value = ...,
        budget: _Value = ...,
        case: _Value = ...,
        ch: _Value = ...,
        credits: _Value = ...,
        data: _Value = ...,
        evalid: _Value = ...,
        function: _Value = ...,
        gamma: _Value = ...,
        language: _Value = ...,
        match: _Value = ...,
        modules: _Value = ...,
        near: _Value = ...,
        norm: _Value = ...,
        normal: _Value = ...,
        nrefs: _Value = ...,
        objective: _Value = ...,
        params: _Value = ...,
        paraphrases: _Value = ...,
        punct: _Value = ...,
        shared: _Value = ...,
        stemmer: _Value = ...,
        stems: _Value = ...,
        syn: _Value = ...,
        synonyms: _Value = ...,
        task: _Value = ...,
        tok: _Value = ...,
        weights: _Value = ...,
        wordnet: _Value = ...,
    ) -> None: ...
    def explain(self, hypothesis: Text, references: References) -> Explanation: ...

class Nist(Family):
    def __init__(
        self,
        dialect: Literal[
            "nist",
            "nltk",
        ]
        | None = None,
        *,
        n: _Value = ...,
        nrefs: _Value = ...,
        sum: _Value = ...,
    ) -> None: ...
    def explain(self, hypothesis: Text, references: References) -> Evidence: ...

class Ribes(Family):
    def __init__(
        self,
        dialect: Literal[
            "nltk",
            "ribes",
        ]
        | None = None,
        *,
        alpha: _Value = ...,
        beta: _Value = ...,
        nrefs: _Value = ...,
    ) -> None: ...
    def explain(self, hypothesis: Text, references: References) -> Evidence: ...

class Rouge(Family):
    def __init__(
        self,
        dialect: Literal[
            "rouge1",
            "rouge1:google",
            "rouge2",
            "rouge2:google",
            "rouge3",
            "rouge4",
            "rouge5",
            "rouge6",
            "rouge7",
            "rouge8",
            "rouge9",
            "rougeL",
            "rougeL:coco",
            "rougeL:google",
            "rougeL:pycocoevalcap",
            "rougeLsum",
            "rougeLsum:google",
            "rougeN",
            "rougeN:google",
        ]
        | None = None,
        *,
        beta: _Value = ...,
        nrefs: _Value = ...,
        order: _Value = ...,
        stem: _Value = ...,
    ) -> None: ...
    def explain(self, hypothesis: Text, references: References) -> Evidence: ...

class Ter(Family):
    def __init__(
        self,
        dialect: Literal[
            "TER",
            "sacrebleu",
            "ter",
        ]
        | None = None,
        *,
        asian: _Value = ...,
        case: _Value = ...,
        norm: _Value = ...,
        nrefs: _Value = ...,
        punct: _Value = ...,
        tok: _Value = ...,
        version: _Value = ...,
    ) -> None: ...
    def explain(self, hypothesis: Text, references: References) -> Evidence: ...

# Metrics with an alignment and without one, as objects and by name.
Aligned: TypeAlias = (
    Meteor |
    Literal[
        "meteor",
        "meteor:1.5",
        "meteor:1.5-ar-bw-red",
        "meteor:1.5-cs",
        "meteor:1.5-cz",
        "meteor:1.5-da",
        "meteor:1.5-de",
        "meteor:1.5-en",
        "meteor:1.5-es",
        "meteor:1.5-fi",
        "meteor:1.5-fr",
        "meteor:1.5-hu",
        "meteor:1.5-it",
        "meteor:1.5-nl",
        "meteor:1.5-no",
        "meteor:1.5-nopara",
        "meteor:1.5-optimal",
        "meteor:1.5-other",
        "meteor:1.5-pt",
        "meteor:1.5-ro",
        "meteor:1.5-ru",
        "meteor:1.5-se",
        "meteor:1.5-sv",
        "meteor:1.5-tr",
        "meteor:2026",
        "meteor:classic",
        "meteor:coco",
        "meteor:evaluate",
        "meteor:hf",
        "meteor:nltk",
        "meteor:nltk-3.6.2",
        "meteor:textbook",
    ]
)

Counted: TypeAlias = (
    Bleu |
    Chrf |
    Cider |
    Gleu |
    Nist |
    Ribes |
    Rouge |
    Ter |
    Literal[
        "BLEU",
        "TER",
        "bleu",
        "bleu:coco",
        "bleu:hf",
        "bleu:nltk",
        "bleu:pycocoevalcap",
        "bleu:sacrebleu",
        "bleu:unigram",
        "chrF",
        "chrF++",
        "chrF1",
        "chrF1+",
        "chrF1++",
        "chrF2",
        "chrF2+",
        "chrF2++",
        "chrF3",
        "chrF3+",
        "chrF3++",
        "chrf",
        "chrf++",
        "chrf++:sacrebleu",
        "chrf:nltk",
        "chrf:sacrebleu",
        "cider",
        "cider-d",
        "cider:coco",
        "gleu",
        "gleu:hf",
        "gleu:nltk",
        "google_bleu",
        "nist",
        "nist:nltk",
        "ribes",
        "ribes:nltk",
        "rouge",
        "rouge1",
        "rouge1:google",
        "rouge2",
        "rouge2:google",
        "rouge3",
        "rouge4",
        "rouge5",
        "rouge6",
        "rouge7",
        "rouge8",
        "rouge9",
        "rougeL",
        "rougeL:coco",
        "rougeL:google",
        "rougeL:pycocoevalcap",
        "rougeLsum",
        "rougeLsum:google",
        "rougeN",
        "rougeN:google",
        "ter",
        "ter:sacrebleu",
    ]
)

def families() -> list[dict[str, str]]: ...
def metric_name(family: str, dialect: str | None, keys: dict[str, Any]) -> str: ...
