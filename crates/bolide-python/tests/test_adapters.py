"""The adapters that need no framework: pytest's plugin, and the class in the shape of torchmetrics.

``scripts/test-adapters`` runs every example of docs/adapters.md with the real frameworks.
"""

import importlib.metadata
import importlib.util
import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bolide
from bolide.adapters.torchmetrics import CorpusScore

PAGE = Path(__file__).resolve().parents[3] / "docs/adapters.md"
SAID = ["the cat sat on the mat", "a dog barked at me", "rain falls"]
MEANT = [["the cat sat on a mat", "a cat sat"], ["the dog barked at me", "dogs bark"], ["the rain falls", "rain"]]


def test_importing_bolide_imports_no_adapter():
    program = "import bolide, sys; print([name for name in sys.modules if 'adapters' in name or name in ('pytest', 'polars', 'numpy')])"
    done = subprocess.run([sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {program}"], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


def test_every_adapter_has_an_example():
    titles = {re.sub(r"\W", "", title).lower() for title in re.findall(r"^## (.*)$", PAGE.read_text(), flags=re.MULTILINE)}
    titles = {{"lmevaluationharness": "lm_eval", "inspectai": "inspect_ai"}.get(title, title) for title in titles}
    folder = Path(bolide.__file__).parent / "adapters"
    modules = {file.stem for file in folder.glob("*.py") if not file.stem.startswith("_")}
    node = {file.stem for file in (PAGE.parents[1] / "crates/bolide-wasm/npm").glob("*.js")} - {"node"}
    assert titles == modules | node


def test_the_entry_points():
    points = {point.group: point.value for point in importlib.metadata.distribution("bolide").entry_points}
    assert points["pytest11"] == "bolide.adapters.pytest"
    assert points["inspect_ai"] == "bolide.adapters.inspect_ai"


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter", "meteor:nltk"])
def test_sums_of_parts_are_the_corpus(name):
    metric = bolide.Metric(name)
    if metric._native.n_counts is None:
        pytest.fail(f"{name} has no sums")
    whole, parts = CorpusScore(name), [CorpusScore(metric) for _ in SAID]
    whole.update(SAID, MEANT)
    for part, said, meant in zip(parts, SAID, MEANT):
        part.update(said, meant)
    expected = metric.corpus(SAID, MEANT).score
    assert whole.compute().score == expected
    # What `dist_reduce_fx="sum"` does between processes.
    parts[0].counts = [sum(column) for column in zip(*(part.counts for part in parts))]
    assert parts[0].compute().score == expected
    assert pickle.loads(pickle.dumps(whole)).compute().score == expected
    whole.reset()
    whole.update(SAID[:1], MEANT[:1])
    assert whole.compute().score == metric.corpus(SAID[:1], MEANT[:1]).score
    assert whole.higher_is_better is (name != "ter")


def test_a_metric_without_sums_is_refused():
    with pytest.raises(ValueError, match="the statistics of cider:coco are more than sums: collect them with bolide.Accumulator"):
        CorpusScore("cider")


def test_the_fixture(assert_score):
    score = assert_score("the cats sat", ["a dog", "the cat sat"], at_least=0.9)
    assert score.components["stem"] == 1
    assert assert_score("a dog", "the dog", "ter", at_most=50) == 50
    with pytest.raises(TypeError, match="at_least or at_most"):
        assert_score("a", "a")
    with pytest.raises(pytest.fail.Exception, match=r"ter:sacrebleu: 50.0 is above 49\nedits 1, reference_length 2"):
        assert_score("a dog", "the dog", "ter", at_most=49)


def test_a_failure_shows_the_alignment():
    runner = Path(__file__).parent / "adapters/run.py"
    done = subprocess.run([sys.executable, runner, "--only", "pytest,torchmetrics"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("| runs |") == 2
