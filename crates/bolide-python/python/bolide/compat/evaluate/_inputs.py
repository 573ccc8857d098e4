"""What the modules of evaluate accept, and what evaluate makes of other types.

A feature is written as evaluate's ``datasets`` prints it, in plain Python: ``"string"``, a list with the feature of its items,
or a dict. Only the first segment must have the types of the features: evaluate writes what follows as strings.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Sized
from typing import Any

Feature = Any
Features = dict[str, Feature]

ONE_REFERENCE: Features = {"predictions": "string", "references": "string"}
SEVERAL_REFERENCES: Features = {"predictions": "string", "references": ["string"]}


def chosen(options: list[Features], example: dict[str, Any]) -> Features:
    """The first of several features that a segment has; ``ValueError`` if it has none of them."""
    for option in options:
        if all(_fits(feature, example[name]) for name, feature in option.items()):
            return option
    expected = "\n".join(f"Feature option {idx}: {option}" for idx, option in enumerate(options))
    raise ValueError(
        "Predictions and/or references don't match the expected format.\n"
        f"Expected format:\n{expected},\n"
        f"Input predictions: {_short(example['predictions'])},\n"
        f"Input references: {_short(example['references'])}"
    )


def as_written(feature: Feature, value: Any) -> Any:
    """What evaluate writes for a value, and reads again."""
    if value is None or isinstance(feature, dict):
        return value
    if isinstance(feature, list):
        if isinstance(value, str):
            _warn("a text where the first segment has a list of references is scored as one reference for each character")
        return [as_written(feature[0], item) for item in value]
    if isinstance(value, str):
        return value
    if isinstance(value, Sized):
        _warn("a list where the first segment has a text is scored as Python writes it, with brackets")
    return str(value)


def _warn(message: str) -> None:
    warnings.warn(f"{message}, by evaluate as well", stacklevel=5)


def datasets_features(features: Features | list[Features]) -> Any:
    """The features as objects of ``datasets``, if that is installed."""
    try:
        datasets = importlib.import_module("datasets")
    except ImportError:
        return features

    def of(feature: Feature) -> Any:
        if isinstance(feature, dict):
            return {name: of(part) for name, part in feature.items()}
        return datasets.Sequence(of(feature[0])) if isinstance(feature, list) else datasets.Value(feature)

    several = [datasets.Features(of(option)) for option in features] if isinstance(features, list) else []
    return several or datasets.Features(of(features))


def _fits(feature: Feature, value: Any) -> bool:
    if isinstance(feature, dict):
        return isinstance(value, dict) and all(name in value and _fits(part, value[name]) for name, part in feature.items())
    if not isinstance(feature, list):
        return feature != "string" or isinstance(value, str)
    if value is None:
        return True
    if isinstance(feature[0], dict):
        return isinstance(value, (dict, list, tuple))
    if isinstance(value, str) or not isinstance(value, Sized):
        return False
    items = [item for item in value if item is not None]  # type: ignore[attr-defined]
    return not items or _fits(feature[0], items[0])


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:100]} ... {text[-90:]}"
