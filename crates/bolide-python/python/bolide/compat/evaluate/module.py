"""``evaluate.combine``."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .. import _original
from .loading import load

__all__ = ["CombinedEvaluations", "combine"]
__getattr__: _original.Getattr = _original.names_of("evaluate.module")


class CombinedEvaluations:
    """Several modules, ours or evaluate's, that get the same segments."""

    def __init__(self, evaluation_modules: Any, force_prefix: bool = False) -> None:
        is_named = isinstance(evaluation_modules, dict)
        several = evaluation_modules.values() if is_named else evaluation_modules
        self.evaluation_modules: list[Any] = [load(it) if isinstance(it, str) else it for it in several]
        self.evaluation_module_names: list[str] = (
            list(evaluation_modules) if is_named else [module.name for module in self.evaluation_modules]
        )
        self.force_prefix = force_prefix

    def add(self, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Collects one segment."""
        for module, batch in self._batches(prediction, reference, kwargs):
            module.add(**batch)

    def add_batch(self, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Collects several segments."""
        for module, batch in self._batches(predictions, references, kwargs):
            module.add_batch(**batch)

    def _batches(self, predictions: Any, references: Any, others: dict[str, Any]) -> list[tuple[Any, dict[str, Any]]]:
        batch = {"predictions": predictions, "references": references, **others}
        return [(module, {name: batch[name] for name in module._feature_names()}) for module in self.evaluation_modules]

    def compute(self, predictions: Any = None, references: Any = None, **kwargs: Any) -> dict[str, Any]:
        """The results of all modules; keys that clash get the name of the module, and its number among those of one name."""
        results = [
            module.compute(predictions=predictions, references=references, **kwargs) for module in self.evaluation_modules
        ]
        keys = Counter(key for result in results for key in result.keys())
        names = Counter(self.evaluation_module_names)
        seen: Counter[str] = Counter()
        merged = {}
        for name, result in zip(self.evaluation_module_names, results):
            prefix = f"{name}_{seen[name]}" if names[name] > 1 else name
            seen[name] += 1
            for key, value in result.items():
                merged[f"{prefix}_{key}" if self.force_prefix or keys[key] > 1 else key] = value
        return merged


def combine(evaluations: Any, force_prefix: bool = False) -> CombinedEvaluations:
    """Computes several modules together: a list, or a dict that names them. Keys that clash get the module's name as a prefix.

    >>> sorted(combine(["meteor", "chrf"]).compute(predictions=["a b"], references=["a b"]))
    ['beta', 'char_order', 'meteor', 'score', 'word_order']
    """
    return CombinedEvaluations(evaluations, force_prefix)
