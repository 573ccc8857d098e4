"""What type checkers accept and refuse, by mypy and by pyright, and how much of the package has types."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bolide

RIGHT = """
import bolide
from bolide.adapters.pytest import assert_score
from bolide.compat.sacrebleu.metrics import BLEU

value: float = bolide.score("meteor", "the cat", ["a cat", "the cat"])
tokens: float = bolide.score(bolide.Meteor("nltk", alpha=0.8), ["the", "cat"], [["a", "cat"]])
score: bolide.Score = bolide.Bleu(tok="none", smooth="floor").corpus(["a"], ["a"])
pairs: list[float] = bolide.segments("ter", ["a"], ["a"], threads=2)
text: str = BLEU(effective_order=True).sentence_score("a", ["a"]).prec_str
assert_score("a", "a", at_least=0.5)
why: bolide.Explanation = bolide.Meteor().explain("a", "a")
stage: str = bolide.explain("meteor:nltk", "a", "a").pairs[0]["stage"]
lost: float = why.losses["fragmentation"]
evidence: bolide.Evidence = bolide.Bleu().explain("a", "a")
count: int = bolide.explain("bleu", "a", "a").orders[0]["ngrams"][0]["matches"]
either: bolide.Explanation | bolide.Evidence = bolide.Metric(text).explain("a", "a")
"""
# One mistake in each.
WRONG = [
    'bolide.score("meteor", 3, None)',
    'bolide.score("meteor", "a", 3)',
    'bolide.score("meteor", "a")',
    'bolide.Meteor("nltkk")',
    'bolide.Meteor("nltk", alhpa=3)',
    'bolide.Meteor(alpha=None)',
    'bolide.Bleu("textbook")',
    'bolide.corpus("ter", ["a"], ["a"]).scores',
    'bolide.Ter().segments(["a"], ["a"], thread=2)',
    'bolide.Ter().segments(["a"], ["a"], nulls="ignore")',
    'text: str = bolide.score("meteor", "a", "a")',
    'bolide.Meteor().explain("a", "a").match',
    'bolide.Meteor().explain("a", "a").pairs[0]["stages"]',
    'bolide.Bleu().explain("a", "a").pairs',
    'bolide.explain("ter", "a", 3)',
]


def environment():
    """The interpreter whose packages pyright looks at is the first on the path."""
    folder = Path(sys.executable).parent
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "VIRTUAL_ENV": str(folder.parent)}


def lines_refused(checker, file):
    """The lines in which a checker finds an error."""
    if checker == "mypy":
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(file.parent / "cache"), "--output", "json", str(file)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=file.parent)
        found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        assert done.returncode in (0, 1), done.stdout + done.stderr
        return {error["line"] for error in found if error["severity"] == "error"}
    command = [sys.executable, "-m", "pyright", "--outputjson", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), cwd=file.parent)
    found = json.loads(done.stdout[done.stdout.index("{") :])
    assert found["summary"]["filesAnalyzed"] == 1, done.stdout
    return {error["range"]["start"]["line"] + 1 for error in found["generalDiagnostics"] if error["severity"] == "error"}


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_what_is_right_is_accepted_and_what_is_wrong_is_refused(checker, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(RIGHT)
    assert lines_refused(checker, file) == set()
    file.write_text("\n".join(["import bolide", *WRONG]) + "\n")
    accepted = [WRONG[at] for at in range(len(WRONG)) if at + 2 not in lines_refused(checker, file)]
    assert accepted == []


def test_at_least_98_percent_of_the_public_names_have_types(tmp_path):
    # pyright looks for a copy of the package that is not a link.
    place = tmp_path / "venv/lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", tmp_path / "venv"], check=True)
    shutil.copytree(Path(bolide.__file__).parent, place / "bolide", ignore=shutil.ignore_patterns("__pycache__"))
    (place / "others.pth").write_text(f"{Path(pytest.__file__).parents[1]}\n")
    path = {**os.environ, "PATH": f"{tmp_path / 'venv/bin'}{os.pathsep}{os.environ['PATH']}", "VIRTUAL_ENV": str(tmp_path / "venv")}
    command = [sys.executable, "-m", "pyright", "--outputjson", "--ignoreexternal", "--verifytypes", "bolide"]
    done = subprocess.run(command, capture_output=True, text=True, env=path, cwd=tmp_path)
    found = json.loads(done.stdout[done.stdout.index("{") :])["typeCompleteness"]
    untyped = [symbol["name"] for symbol in found["symbols"] if symbol["isExported"] and not symbol["isTypeKnown"]]
    assert sum(found["exportedSymbolCounts"].values()) > 400
    assert found["completenessScore"] >= 0.98, untyped
    print(f"completeness {found['completenessScore']:.3f}, without types: {untyped}")
