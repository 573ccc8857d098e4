"""The stored results of the real programs in ../shared, which is not part of the repository.

Only `scripts/test shared` runs this folder. A missing file is a failure.
"""

import gzip
import json
from pathlib import Path

SHARED = Path(__file__).resolve().parents[5] / "shared" / "golden"


def golden(name):
    """The rows of a stored result."""
    path = SHARED / name
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in text.decode().split("\n") if line]


def exact(text):
    """A stored number; 0 is an int and 0.0 a float."""
    return int(text) if text == "0" else float(text)


def same(ours, theirs):
    """The same bits and the same type."""
    if type(ours) is not type(theirs):
        return False
    return ours.hex() == theirs.hex() if isinstance(theirs, float) else ours == theirs
