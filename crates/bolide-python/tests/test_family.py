"""The classes and functions of families come from the registry, and no door names a metric.

``python tests/test_family.py`` rewrites ``family.pyi``; bolide must be installed.
"""

import ast
import json
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import polars
import pytest

import bolide
import bolide.family
import bolide.polars
from bolide import _bolide

PACKAGE = Path(__file__).parents[1] / "python" / "bolide"
STUB = PACKAGE / "family.pyi"

TEMPLATE = '''"""The classes of ``family.py``, for type checkers: ``tests/test_family.py`` writes this file."""

from typing import Any, ClassVar, Literal, TypeAlias

from .evidence import Evidence
from .explanation import Explanation
from .metric import Metric, References, Text

_Value = str | float | list[float] | tuple[float, ...]

__all__ = [
{names}
]

class Family(Metric):
    family: ClassVar[str]
    def __init__(self, dialect: str | None = None, **keys: Any) -> None: ...

{classes}

# Metrics with an alignment and without one, as objects and by name.
{unions}

def families() -> list[dict[str, str]]: ...
def metric_name(family: str, dialect: str | None, keys: dict[str, Any]) -> str: ...
'''


def class_of(name: str, dialects: list[dict]) -> str:
    """A class with the names of its dialects and the keys that any of them has."""
    family = getattr(bolide, name).family
    mine = [dialect for dialect in dialects if dialect["family"] == family]
    names = [known for dialect in mine for known in (dialect["name"], *dialect["aliases"])]
    names = sorted({known.removeprefix(f"{family}:") for known in names})
    keys = sorted({key for dialect in mine for key in _bolide.dialect_keys(dialect["name"])} | {"nrefs"})
    return "\n".join(
        [
            f"class {name}(Family):",
            "    def __init__(",
            "        self,",
            "        dialect: Literal[",
            *(f"            {json.dumps(known)}," for known in names),
            "        ]",
            "        | None = None,",
            "        *,",
            *(f"        {key}: _Value = ...," for key in keys),
            "    ) -> None: ...",
            f"    def explain(self, hypothesis: Text, references: References) -> {explained(mine)}: ...",
            "",
        ]
    )


def explained(dialects: list[dict]) -> str:
    """What ``explain`` gives for dialects that are alike in this."""
    [has_alignment] = {dialect["alignment"] for dialect in dialects}
    return "Explanation" if has_alignment else "Evidence"


def union(name: str, dialects: list[dict]) -> str:
    """The classes and the names of these dialects."""
    families = sorted({dialect["family"] for dialect in dialects})
    names = {known for dialect in dialects for known in (dialect["name"], *dialect["aliases"], dialect["family"])}
    return "\n".join(
        [
            f"{name}: TypeAlias = (",
            *(f"    {family.capitalize()} |" for family in families),
            "    Literal[",
            *(f"        {json.dumps(known)}," for known in sorted(names)),
            "    ]",
            ")",
        ]
    )


def stub() -> str:
    names = bolide.family.__all__
    classes = [name for name in names if name not in ("Family", "families")]
    dialects = bolide.dialects()
    return TEMPLATE.format(
        names="\n".join(f"    {json.dumps(name)}," for name in names),
        classes="\n".join(class_of(name, dialects) for name in classes).rstrip(),
        unions="\n\n".join(
            union(name, [dialect for dialect in dialects if dialect["alignment"] == wanted])
            for name, wanted in [("Aligned", True), ("Counted", False)]
        ),
    )


MISTYPED = """
import bolide
bolide.score("meteor", 3, None)
bolide.Meteor("nltkk")
bolide.Meteor("nltk", alhpa=3)
bolide.Bleu().segment(["a"], 5)
bolide.score(3, "a", "b")
"""
TYPED = """
import bolide
bolide.score("meteor", "a", ["b", "c"])
bolide.score(bolide.Meteor("nltk", alpha=0.8), ["a"], [["b"], ["c"]])
bolide.Bleu("sacrebleu", tok="intl", eff=True, nrefs=2).segment("a", ("b", None))
bolide.Bleu("nltk", weights=[0.5, 0.5]).segment(("a",), ["b"]).components
score: float = bolide.corpus("ter", ["a"], ["b"])
"""


def test_type_checkers_find_mistakes(tmp_path: Path) -> None:
    for name, program, n_errors in [("wrong", MISTYPED, 5), ("right", TYPED, 0)]:
        file = tmp_path / f"{name}.py"
        file.write_text(program)
        # The sources, which may be newer than an installed package.
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", file]
        done = subprocess.run(
            command, capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(PACKAGE.parent)}
        )
        lines = {line.split(":")[1] for line in done.stdout.splitlines() if " error: " in line and name in line}
        assert len(lines) == n_errors, done.stdout


def test_the_stub_has_the_classes_of_the_registry() -> None:
    assert STUB.read_text(encoding="utf-8") == stub(), "python tests/test_family.py writes it"


@pytest.mark.parametrize("family", bolide.families(), ids=lambda family: family["name"])
def test_every_family_has_a_class(family: dict[str, str]) -> None:
    kind = getattr(bolide, family["name"].capitalize())
    assert kind().dialect["name"] == family["default"]
    assert family["title"] in kind.__doc__
    again = pickle.loads(pickle.dumps(kind()))
    assert type(again) is kind and again == kind()


@pytest.mark.parametrize(
    ("kind", "dialect", "name"),
    [
        ("Meteor", "nltk", "meteor:nltk"),
        ("Chrf", "chrf++", "chrf++:sacrebleu"),
        ("Chrf", "nltk", "chrf:nltk"),
        ("Rouge", "rouge1", "rouge1:google"),
        ("Gleu", None, "gleu:nltk"),
    ],
)
def test_a_dialect_is_found_within_its_family(kind: str, dialect: str | None, name: str) -> None:
    assert getattr(bolide, kind)(dialect).dialect["name"] == name


def test_a_dialect_of_another_family_is_refused() -> None:
    with pytest.raises(bolide.UnknownMetricError, match="there is no metric 'chrf:bleu'"):
        bolide.Chrf("bleu")


def test_polars_has_a_function_for_every_family() -> None:
    pair = "the old cat sat on a mat", "the old cat sat on the mat"
    frame = polars.DataFrame([pair], schema=["hyp", "ref"], orient="row")
    for family in bolide.families():
        expression = getattr(bolide.polars, family["name"])("hyp", "ref")
        assert frame.select(expression).item() == bolide.score(family["default"], *pair)
    other = bolide.polars.chrf("hyp", "ref", dialect="nltk")
    assert frame.select(other).item() == bolide.score("chrf:nltk", *pair)
    with pytest.raises(AttributeError, match="there is no family 'meteorr'"):
        bolide.polars.meteorr("hyp", "ref")


# Modules that imitate other packages or teach the definitions, and so must name metrics.
NAMES_OF_OTHERS = {"compat", "textbook.py"}


def names_of_metrics() -> re.Pattern[str]:
    names = {family["name"] for family in bolide.families()}
    for dialect in bolide.dialects():
        names |= {dialect["name"], *dialect["aliases"]}
    words = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?<![\w:])(?:{words})(?![\w:])", re.IGNORECASE)


def code_words(source: str) -> list[tuple[int, str]]:
    """Names and strings of a module, without its documentation."""
    tree = ast.parse(source)
    documentation = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            documentation.add(node.value)
    words = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node not in documentation:
                words.append((node.lineno, node.value))
        elif isinstance(node, ast.Name):
            words.append((node.lineno, node.id))
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            words.append((node.lineno, node.name))
    return words


def test_no_module_names_a_metric() -> None:
    pattern = names_of_metrics()
    assert pattern.search("meteor:nltk|alpha:0.8") and pattern.search("Bleu")
    found, n_modules = [], 0
    for path in sorted(PACKAGE.rglob("*.py")):
        where = path.relative_to(PACKAGE)
        if where.parts[0] in NAMES_OF_OTHERS:
            continue
        n_modules += 1
        for line, word in code_words(path.read_text(encoding="utf-8")):
            if pattern.search(word):
                found.append(f"{where}:{line}: {word!r}")
    assert not found
    assert n_modules > 8


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
