"""``evaluate.load``."""

from __future__ import annotations

from typing import Any

from .. import _original
from . import _answers, _modules

__all__ = ["load"]
__getattr__: _original.Getattr = _original.names_of("evaluate.loading")

MODULES = {**_modules.MODULES, **_answers.MODULES}


def load(path: str, *args: Any, **kwargs: Any) -> Any:
    """The module with a name. Our modules download nothing; others come from evaluate itself, if it is installed.

    >>> load("evaluate-metric/bleu")
    EvaluationModule(name: "bleu")
    """
    owner, _, name = path.rpartition("/")
    if name in MODULES and owner in ("", "evaluate-metric"):
        return MODULES[name]()
    message = f"bolide has no metric {path!r}: its metrics are {', '.join(MODULES)}"
    theirs = _original.function("evaluate.loading", "load")
    if theirs is None:
        raise FileNotFoundError(message)
    try:
        return theirs(path, *args, **kwargs)
    except FileNotFoundError as error:
        raise FileNotFoundError(f"{message}; evaluate itself says: {error}") from error
