"""The ``bolide`` command: ``python -m bolide``, and the script that comes with the wheel."""

from __future__ import annotations

import signal
import sys

from . import _bolide


def main() -> int:
    """Runs the command with the arguments of this process; gives its exit code."""
    # Ctrl-C ends the command as it ends any other: Python would only take note of it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _bolide.command(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
