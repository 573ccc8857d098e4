"""Runs every live comparison and adds up their results.

    python3 tests/live/run.py             # all, at everyday size
    python3 tests/live/run.py nltk        # those whose name contains a word
    python3 tests/live/run.py --full      # at full size

Uses the binary that BOLIDE names, or else that of `cargo build --release`, or else builds one.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from peers import ROOT

# One line for each script; all of them understand `--full` and end with `N passed, M failed`.
COMPARISONS = [
    "nltk_meteor.py",
    "meteor15.py",
    "meteor2026.py",
    "sacrebleu_family.py",
    "sacrebleu_command.py",
    "ptb_tokenizer.py",
    "correlation.py",
    "referee.py",
    "alignment_ilp.py",
    "snowball.py",
    "words.py",
    "sentencepiece_models.py",
    "mecab.py",
    "parquet_tables.py",
]


def main() -> int:
    options = [word for word in sys.argv[1:] if word.startswith("-")]
    wanted = [word for word in sys.argv[1:] if not word.startswith("-")]
    chosen = [name for name in COMPARISONS if not wanted or any(word in name for word in wanted)]
    if not chosen:
        sys.exit(f"run: no comparison is named so; there are {', '.join(COMPARISONS)}")
    environment = dict(os.environ)
    target = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")
    if "BOLIDE" not in environment and (target / "release" / "bolide").is_file():
        environment["BOLIDE"] = str(target / "release" / "bolide")
    passed = failed = 0
    for name in chosen:
        print(f"{name}:", flush=True)
        command = [sys.executable, str(Path(__file__).parent / name), *options]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
        print(done.stdout, end="", flush=True)
        last = (done.stdout.splitlines() or [""])[-1]
        counts = re.fullmatch(r"(\d+) passed, (\d+) failed", last)
        n_passed, n_failed = map(int, counts.groups()) if counts else (0, 0)
        if n_failed == 0 and (done.returncode != 0 or n_passed == 0):
            print(f"{name} ended with code {done.returncode} and without a result")
            n_failed = 1
        passed, failed = passed + n_passed, failed + n_failed
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
