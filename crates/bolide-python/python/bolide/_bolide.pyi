"""The native half of the package: names and types, checked against the module by stubtest."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, final

__all__ = [
    "BolideError",
    "Floats",
    "InvalidSegmentError",
    "InvalidSignatureError",
    "InvalidTableError",
    "Metric",
    "Statistics",
    "UnavailableError",
    "UnknownMetricError",
    "__version__",
    "dialects",
    "import_tables",
    "list_tables",
    "nltk_align",
    "nltk_bleu",
    "nltk_meteor",
    "paired",
    "rouge_aggregate",
    "sacrebleu_from_counts",
    "stem_porter",
    "stem_snowball",
    "synsets",
    "textbook_meteor",
    "tokenize",
    "tokenize_tercom",
    "tokenize_words",
]

__version__: str

class BolideError(ValueError): ...
class UnknownMetricError(BolideError): ...
class InvalidSignatureError(BolideError): ...
class InvalidSegmentError(BolideError): ...
class InvalidTableError(BolideError): ...
class UnavailableError(BolideError): ...

_Progress = Callable[[int, int], object] | None
_Components = dict[str, float | int | bool]

@final
class Metric:
    def __new__(cls, name: str) -> Metric: ...
    @staticmethod
    def with_tables(name: str, folder: str | PathLike[str]) -> Metric: ...
    @property
    def signature(self) -> str: ...
    @property
    def dialect(self) -> dict[str, Any]: ...
    def signature_with(self, nrefs: str) -> str: ...
    def segment(self, hypothesis: Any, references: Any) -> tuple[float, _Components]: ...
    def segment_score(self, hypothesis: Any, references: Any) -> float: ...
    def segments(
        self,
        hypotheses: Any,
        references: Any,
        *,
        threads: int,
        progress: _Progress,
        missing: bool,
        details: bool,
    ) -> tuple[Floats, dict[str, Floats] | None]: ...
    def statistics(
        self, hypotheses: Any, references: Any, *, threads: int, progress: _Progress
    ) -> Statistics: ...
    def confidence(
        self,
        hypotheses: Any,
        references: Any,
        *,
        threads: int,
        progress: _Progress,
        n_samples: int,
        seed: int,
    ) -> tuple[Statistics, float, float]: ...
    def statistics_from_bytes(self, bytes: bytes) -> Statistics: ...
    def empty(self) -> Statistics: ...
    def explain(self, hypothesis: Any, references: Any) -> dict[str, Any] | None: ...

@final
class Statistics:
    @property
    def n_segments(self) -> int: ...
    @property
    def nrefs(self) -> str | None: ...
    @property
    def signature(self) -> str: ...
    def merged(self, other: Statistics) -> Statistics: ...
    def to_bytes(self) -> bytes: ...
    def finish(self) -> tuple[float, _Components]: ...

@final
class Floats:
    def __len__(self) -> int: ...
    def to_list(self) -> list[float | None]: ...
    def to_bytes(self) -> bytearray: ...
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]: ...

def dialects() -> list[dict[str, Any]]: ...
def nltk_meteor(
    references: Any, hypothesis: Any, alpha: float, beta: float, gamma: float
) -> float | None: ...
def nltk_align(hypothesis: Any, reference: Any) -> list[tuple[int, int, str]] | None: ...
def nltk_bleu(
    list_of_references: Any,
    hypotheses: Any,
    weights: Sequence[Sequence[float]],
    smoothing: tuple[int, float, float, float],
    auto_reweigh: bool,
) -> tuple[list[float], int] | None: ...
def paired(
    metric: Metric,
    systems: list[list[str]],
    references: Any,
    *,
    test: str,
    n_samples: int,
    seed: int,
    threads: int,
) -> list[tuple[float, float | None, tuple[float, float] | None]]: ...
def sacrebleu_from_counts(
    correct: list[int],
    total: list[int],
    sys_len: int,
    ref_len: int,
    *,
    smooth: tuple[str, float],
    effective_order: bool,
    compensated: bool,
) -> tuple[float, _Components]: ...
def rouge_aggregate(
    kinds: list[list[tuple[float, float, float]]], n_samples: int, seed: int
) -> list[float]: ...
def import_tables(
    path: str | PathLike[str], folder: str | PathLike[str] | None = None
) -> list[str]: ...
def list_tables(folder: str | PathLike[str] | None = None) -> list[str]: ...
def tokenize(name: str, text: str) -> list[str]: ...
def tokenize_tercom(
    text: str, normalized: bool, no_punct: bool, asian_support: bool, case_sensitive: bool
) -> list[str]: ...
def tokenize_words(text: str) -> list[str]: ...
def stem_porter(word: str, to_lowercase: bool) -> str: ...
def stem_snowball(word: str) -> str: ...
def synsets(word: str) -> list[list[str]]: ...
def textbook_meteor(
    reference: str, hypothesis: str, alpha: float, beta: float, gamma: float
) -> float: ...
