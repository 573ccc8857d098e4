"""Lets the tests import `reader`, which has the golden cases of testdata/."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "testdata"))
