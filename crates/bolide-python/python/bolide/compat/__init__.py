"""Modules that speak the names of other packages: change the import, keep the program.

``bolide.compat.nltk``, ``bolide.compat.evaluate``, ``bolide.compat.sacrebleu``,
``bolide.compat.rouge_score`` and ``bolide.compat.pycocoevalcap`` have the functions and classes of those
packages, in modules of the same names, with the same arguments, results and exceptions. None of the packages
needs to be installed. ``install`` puts them in the place of the packages, for programs that cannot be changed.
"""

from __future__ import annotations

import sys

from ._install import Installed, install

__all__ = ["Installed", "install"]


def python_sum() -> str:
    """Which kind of float sum this Python has: compensated from 3.12, plain before.

    The last digit of some scores of the packages imitated here depends on it, so it is asked for
    by the signature key ``sum``.
    """
    return "py312" if sys.version_info >= (3, 12) else "py311"


def sum_kind() -> str:
    """The same as the dialects of NLTK's metrics name it."""
    return "compensated" if sys.version_info >= (3, 12) else "plain"
