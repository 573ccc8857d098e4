"""``evaluate.combine``."""

from __future__ import annotations

from typing import Any

from .. import _original
from ._modules import EvaluationModule
from .loading import load

__all__ = ["combine"]
__getattr__: _original.Getattr = _original.names_of("evaluate.module")


class _Combined(EvaluationModule):
    name = "combined"

    def __init__(
        self, modules: list[EvaluationModule], force: bool, names: list[str] | None = None
    ) -> None:
        super().__init__()
        self.evaluation_modules = modules
        self.force_prefix = force
        self.module_names = names or [module.name for module in modules]

    def _compute(
        self, predictions: list[Any], references: list[Any], **options: Any
    ) -> dict[str, Any]:
        results = [
            (name, module._compute(predictions, references, **options))
            for name, module in zip(self.module_names, self.evaluation_modules)
        ]
        keys = [key for _, result in results for key in result]
        return {
            f"{name}_{key}" if self.force_prefix or keys.count(key) > 1 else key: value
            for name, result in results
            for key, value in result.items()
        }


def combine(evaluations: Any, force_prefix: bool = False) -> Any:
    """Computes several modules together; keys that clash get the module's name as a prefix.

    >>> sorted(combine(["meteor", "chrf"]).compute(predictions=["a b"], references=["a b"]))
    ['beta', 'char_order', 'meteor', 'score', 'word_order']
    """
    names = list(evaluations) if isinstance(evaluations, dict) else None
    several = evaluations.values() if isinstance(evaluations, dict) else evaluations
    modules = [load(it) if isinstance(it, str) else it for it in several]
    if names is None and all(isinstance(module, EvaluationModule) for module in modules):
        return _Combined(modules, force_prefix)
    theirs = _original.function("evaluate.module", "combine")
    if theirs is None:
        if names is None:
            raise TypeError("these modules are not bolide's, and evaluate is not installed")
        return _Combined(modules, True, names)
    return theirs(dict(zip(names, modules)) if names else modules, force_prefix)
