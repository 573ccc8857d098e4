"""sacreBLEU's command with our metrics: ``python -m bolide.compat.sacrebleu refs.txt -i hyps.txt``."""

from __future__ import annotations

import importlib
import sys

from .. import install


def main() -> None:
    """Runs the command of the installed sacreBLEU."""
    with install("sacrebleu"):
        try:
            command = importlib.import_module("sacrebleu.sacrebleu").main
        except ImportError:
            sys.exit("sacreBLEU's command needs sacreBLEU, which is not installed; bolide's own is `python -m bolide score`")
        command()


if __name__ == "__main__":
    main()
