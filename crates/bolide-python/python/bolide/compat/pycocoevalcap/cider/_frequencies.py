"""Document frequencies from a file: the pickles that CIDEr's users share (``coco-val-df.p``), or JSON."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Ngrams = dict[tuple[str, ...], float]


class Frequencies:
    """How many documents have each n-gram, the number of all documents, and a name for both."""

    def __init__(self, source: str | os.PathLike[str] | Mapping[Any, Any], documents: float | None) -> None:
        found: Any = source
        self.name = "given"
        if not isinstance(source, Mapping):
            path = Path(source)
            self.name = path.name.partition(".")[0]
            found = json.loads(path.read_bytes()) if path.suffix == ".json" else _unpickled(path)
        if isinstance(found, Mapping) and "document_frequency" in found:
            documents = documents or found.get("ref_len")
            found = found["document_frequency"]
        if not isinstance(found, Mapping):
            raise TypeError(f"{source!s:.80}: expected a dict of n-grams, got {type(found).__name__}")
        if not documents or not documents > 0:
            raise ValueError(f"{source!s:.80}: the number of documents is not in it: pass documents=")
        self.documents = float(documents)
        # JSON has no tuples: an n-gram is its words with spaces between them.
        self.ngrams: Ngrams = {
            tuple(ngram.split(" ")) if isinstance(ngram, str) else tuple(ngram): float(count)
            for ngram, count in found.items()
        }


class _Unpickler(pickle.Unpickler):
    """Reads dicts of numbers, and runs nothing else that a pickle might ask for."""

    _ALLOWED = frozenset(
        [
            "collections.defaultdict", "builtins.float", "builtins.int", "__builtin__.float", "__builtin__.int",
            "numpy.dtype", "numpy.core.multiarray.scalar", "numpy._core.multiarray.scalar", "_codecs.encode",
        ]
    )  # fmt: skip

    def find_class(self, module: str, name: str) -> Any:
        if f"{module}.{name}" not in self._ALLOWED:
            raise pickle.UnpicklingError(f"document frequencies are dicts of numbers, but this pickle contains {module}.{name}")
        return super().find_class(module, name)


def _unpickled(path: Path) -> Any:
    with path.open("rb") as file:
        # The pickles that are shared were written by Python 2; their users read them like this.
        return _Unpickler(file, encoding="latin1").load()
