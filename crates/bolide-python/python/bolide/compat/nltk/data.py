"""``nltk.data`` and ``nltk.download`` without NLTK: what is built in is there, and nothing else is.

Programs begin with ``nltk.download("punkt")``, or look for it with ``nltk.data.find``. With NLTK installed, both are NLTK's.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from .. import _original

__all__ = ["find", "path"]

path: list[str]
"""NLTK's folders; without NLTK, a list that nothing reads."""

_path: list[str] = []
_names = _original.names_of("nltk.data")

BUILT_IN = {
    "punkt": "tokenizers",
    "punkt_tab": "tokenizers",
    "wordnet": "corpora",
    # NLTK loads it with WordNet; METEOR has no use for it.
    "omw-1.4": "corpora",
}
"""The packages of NLTK's data that programs get for the functions that are here, by where NLTK has them."""


def __getattr__(name: str) -> Any:
    if name == "path":
        theirs = _original.function("nltk.data", "path")
        return _path if theirs is None else theirs
    return _names(name)


def find(resource_name: str, paths: Any = None) -> Any:
    """Where a resource is; ``LookupError`` if it is not there. What is built in has a name and no path."""
    theirs = _original.function("nltk.data", "find")
    if theirs is not None:
        return theirs(resource_name, paths)
    parts = resource_name.removeprefix("nltk:").strip("/").split("/")
    name = parts[1].removesuffix(".zip") if len(parts) > 1 else ""
    if BUILT_IN.get(name) != parts[0]:
        raise LookupError(f"resource {resource_name!r} is not in bolide, and NLTK is not installed")
    return f"bolide:{resource_name}"


def download(
    info_or_id: str | Iterable[str] | None = None,
    download_dir: Any = None,
    quiet: bool = False,
    *args: Any,
    raise_on_error: bool = False,
    **kwargs: Any,
) -> Any:
    """Whether NLTK's data are there: what is built in is, without a download.

    With NLTK installed, NLTK downloads them, because its own functions read them.
    """
    theirs = _original.function("nltk", "download")
    if theirs is not None:
        return theirs(info_or_id, download_dir, quiet, *args, raise_on_error=raise_on_error, **kwargs)
    names = [info_or_id] if isinstance(info_or_id, str) else list(info_or_id or ["all"])
    for name in names:
        if name not in BUILT_IN:
            message = f"Error loading {name}: it is not in bolide, and NLTK is not installed"
            if raise_on_error:
                raise ValueError(message)
            print(f"[nltk_data] {message}", file=sys.stderr)
            return False
        if not quiet:
            print(f"[nltk_data] {name} is built into bolide", file=sys.stderr)
    return True
