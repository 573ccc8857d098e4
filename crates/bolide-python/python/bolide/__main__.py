"""The ``bolide`` command: ``python -m bolide``, and the script in the wheel."""

from __future__ import annotations

import signal
import sys

from . import _bolide


def main() -> int:
    """Runs the command with the arguments of this process; returns its exit code."""
    # Let Ctrl-C end the command at once: Python's handler would only set a flag.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _bolide.command(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
