#!/usr/bin/env python3
"""Compares bolide with every real program on fresh pairs.

    python3 tests/live/nightly.py                 # round after round, until something differs
    python3 tests/live/nightly.py --rounds 3      # this many rounds
    python3 tests/live/nightly.py nltk            # comparisons whose name contains a word

Each round draws a seed and runs all comparisons of run.py with it. The first difference ends the run. It is
shrunk to a minimal pair and printed with the command that reproduces it.
"""

from __future__ import annotations

import argparse
import secrets
import subprocess
import sys
from pathlib import Path

RUN = Path(__file__).parent / "run.py"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, help="how many (default: without end)")
    parser.add_argument("--full", action="store_true", help="rounds of full size")
    parser.add_argument("comparisons", nargs="*", help="only those whose name contains a word")
    options = parser.parse_args()
    done = 0
    while options.rounds is None or done < options.rounds:
        seed = secrets.randbelow(2**31)
        command = [str(RUN), *options.comparisons, f"--seed={seed}", *(["--full"] if options.full else [])]
        print(f"round {done + 1}, seed {seed}", flush=True)
        if subprocess.run([sys.executable, *command], check=False).returncode != 0:
            print(f"to see it again: python3 tests/live/run.py {' '.join(command[1:])}")
            return 1
        done += 1
    print(f"{done} rounds, nothing differs")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
