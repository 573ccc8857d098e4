"""Finds the original packages, if they are installed.

A name or a whole module that ``bolide.compat`` lacks is looked up in the original package, so that a program
still runs after ``bolide.compat.`` is put before its imports.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

PACKAGES = ("evaluate", "nltk", "pycocoevalcap", "rouge_score", "sacrebleu")
"""The packages that ``bolide.compat`` has a module for."""

_HERE = "bolide.compat."

replaced: dict[tuple[str, str], Any] = {}
"""The originals that ``install`` replaced, by module and name."""


def function(module: str, name: str) -> Any:
    """A package's original object, even if ``install`` replaced it; None if the package is not installed."""
    if (module, name) in replaced:
        return replaced[module, name]
    try:
        theirs = importlib.import_module(module)
    except ImportError:
        return None
    # If the package is not installed, ``install`` gives its name to our modules.
    found = None if theirs.__name__.startswith(_HERE) else getattr(theirs, name, None)
    is_ours = str(getattr(found, "__module__", "")).startswith(_HERE)
    return None if is_ours else found


Getattr = Callable[[str], Any]
"""A module's ``__getattr__``."""


def names_of(module: str) -> Getattr:
    """A module's ``__getattr__``: names that it lacks come from the original."""

    def get(name: str) -> Any:
        if not name.startswith("__"):
            found = function(module, name)
            if found is not None:
                return found
        raise AttributeError(
            f"module '{_HERE}{module}' has no attribute {name!r}, and {module} is not installed "
            "or has none either"
        )

    return get


class _Modules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds modules of the originals under our names, after all other finders."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        theirs = name.removeprefix(_HERE)
        if theirs == name or theirs.partition(".")[0] not in PACKAGES or "." not in theirs:
            return None
        try:
            found = importlib.util.find_spec(theirs)
        except (ImportError, ValueError):
            return None
        if found is None or isinstance(found.loader, type(self)):
            return None
        is_package = found.submodule_search_locations is not None
        return importlib.util.spec_from_loader(name, self, is_package=is_package)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        theirs = importlib.import_module(module.__name__.removeprefix(_HERE))
        names = {key: value for key, value in vars(theirs).items() if not key.startswith("__")}
        vars(module).update(names)
        module.__doc__ = theirs.__doc__


if not any(isinstance(finder, _Modules) for finder in sys.meta_path):
    sys.meta_path.append(_Modules())
