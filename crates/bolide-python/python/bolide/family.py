"""A class for every family of metrics, and what the interfaces for data frames need to know about families.

Families come from the engine's registry: this file names none. ``family.pyi`` lists the classes for type
checkers; ``tests/test_family.py`` writes and checks it.
"""

from __future__ import annotations

import json
from typing import Any, ClassVar

from . import _bolide
from .metric import Metric, _name, dialects


class Family(Metric):
    """The metrics of one family: a dialect of it, and keys of its signature."""

    family: ClassVar[str]
    """The name of the family, in lower case."""

    def __init__(self, dialect: str | None = None, **keys: Any) -> None:
        super().__init__(_name(_bolide.metric_name(self.family, dialect), keys))


def families() -> list[dict[str, str]]:
    """Every family: its name, its name as people write it, and its default dialect.

    >>> import bolide
    >>> bolide.families()[0]
    {'name': 'meteor', 'title': 'METEOR', 'default': 'meteor:classic'}
    """
    families: list[dict[str, str]] = json.loads(_bolide.families())
    return families


def metric_name(family: str, dialect: str | None, keys: dict[str, Any]) -> str:
    """The name of a metric of a family. An attribute that is not a family is an ``AttributeError``."""
    if family not in _NAMES:
        raise AttributeError(f"there is no family {family!r}: the families are {', '.join(_NAMES)}")
    return _name(_bolide.metric_name(family, dialect), keys)


def _class(family: dict[str, str]) -> type[Family]:
    name, default = family["name"], family["default"]
    lines = [f"{family['title']}: ``{default}`` by default.", ""]
    for dialect in dialects():
        if dialect["family"] == name:
            lines.append(f"- ``{dialect['name']}``: {dialect['summary']}")
    attributes = {"__doc__": "\n".join(lines), "__module__": __name__, "family": name}
    return type(name.capitalize(), (Family,), attributes)


_NAMES = [family["name"] for family in families()]
_CLASSES = [_class(family) for family in families()]
globals().update({kind.__name__: kind for kind in _CLASSES})
__all__ = ["Family", "families", *sorted(kind.__name__ for kind in _CLASSES)]
