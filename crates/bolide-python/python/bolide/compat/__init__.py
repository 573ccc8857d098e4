"""Drop-in replacements for other packages: change the import, keep the program.

``bolide.compat.nltk``, ``bolide.compat.evaluate``, ``bolide.compat.sacrebleu``,
``bolide.compat.rouge_score`` and ``bolide.compat.pycocoevalcap`` have the functions and classes of those
packages, in modules of the same names, with the same arguments, results and exceptions. None of the packages
needs to be installed. ``install`` replaces the packages themselves, for programs that cannot be changed.
"""

from __future__ import annotations

import sys
from typing import Any

from ._install import Installed, install

__all__ = ["Installed", "install"]


def python_sum() -> str:
    """How this Python adds floats: with compensation from 3.12, plainly before.

    The last digit of some scores of the packages depends on it; the signature key ``sum`` sets it.
    """
    return "py312" if sys.version_info >= (3, 12) else "py311"


def sum_kind() -> str:
    """The same in the words of the dialects of NLTK's metrics."""
    return "compensated" if sys.version_info >= (3, 12) else "plain"


def numpy_float(value: float) -> Any:
    """The float of NumPy that some packages return, if NumPy is there."""
    try:
        from numpy import float64
    except ImportError:
        return value
    return float64(value)
