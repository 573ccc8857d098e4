"""What the tests share: the stored results of the real programs, where they are."""

import gzip
import json
import sys
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[4] / "shared" / "golden"


def golden(name):
    """The rows of a stored result; the test is skipped where there is none."""
    path = SHARED / name
    if not path.exists():
        print(f"skipped: ../shared is absent ({name})", file=sys.stderr)
        pytest.skip("../shared is absent")
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in text.decode().split("\n") if line]


def exact(text):
    """A stored number, with the difference between 0 and 0.0."""
    return int(text) if text == "0" else float(text)


def same(ours, theirs):
    """The same bits and the same type."""
    return type(ours) is type(theirs) and ours.hex() == theirs.hex() if isinstance(
        theirs, float
    ) else type(ours) is type(theirs) and ours == theirs
