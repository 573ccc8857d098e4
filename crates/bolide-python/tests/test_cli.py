"""The same bits from Python as from the command."""

import csv
import io
import json
import os
import subprocess
import sys
from importlib.metadata import entry_points

import pytest
import reader

import bolide

# scripts/test-python builds it and says where it is.
COMMAND = os.environ["BOLIDE_COMMAND"]
METRICS = (
    "meteor meteor:nltk meteor:hf meteor:textbook meteor:1.5-nopara bleu bleu:nltk bleu:hf "
    "bleu:unigram bleu:coco chrf chrf++ ter rouge1 rougeLsum rougeL:coco gleu:nltk ribes:nltk"
).split()


@pytest.mark.parametrize("n_references", [1, 2])
def test_the_command_prints_the_same(tmp_path, n_references):
    [corpus] = (c for c in reader.cases() if (c.metric, c.name) == ("bleu:sacrebleu", "corpus with two references"))
    hypotheses, references = corpus.hypotheses, [list(stream) for stream in zip(*corpus.references)][:n_references]
    for name, lines in zip(["hyp", "ref1", "ref2"], [hypotheses, *references]):
        (tmp_path / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    files = [tmp_path / f"ref{idx + 1}" for idx in range(n_references)]
    command = [COMMAND, "score", "-r", *files, "-i", tmp_path / "hyp", "-m", *METRICS]

    def run(*options):
        return subprocess.run(
            [*command, *options], check=True, capture_output=True, text=True, encoding="utf-8"
        ).stdout

    rows = list(zip(*references))
    segments = {}
    for row in csv.DictReader(io.StringIO(run("--segments", "--format", "csv"))):
        segments.setdefault(row["metric"], []).append(row["score"])
    results = {result["metric"]: result for result in json.loads(run("--format", "json"))["results"]}
    for name in METRICS:
        metric = bolide.Metric(name)
        ours = metric.segments(hypotheses, rows)
        theirs = [float(score) for score in segments[name][: len(ours)]]
        assert [x.hex() for x in ours] == [x.hex() for x in theirs], name
        corpus = metric.corpus(hypotheses, rows)
        assert corpus.hex() == float(results[name]["score"]).hex(), name
        assert corpus.signature == results[name]["signature"], name
        assert set(corpus.components) == set(results[name]["components"]), name


def in_the_wheel(*arguments):
    command = [sys.executable, "-m", "bolide", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8")


def test_the_wheel_brings_the_command(tmp_path):
    (tmp_path / "hyp").write_text("the cat sat\na dog\n")
    (tmp_path / "ref").write_text("the cat sat down\nthe dog\n")
    arguments = ["score", "-r", tmp_path / "ref", "-i", tmp_path / "hyp", "-m", "METEOR", "bleu", "--format", "json"]
    done = in_the_wheel(*arguments)
    expected = subprocess.run([COMMAND, *arguments], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, expected.stdout, expected.stderr)
    assert json.loads(done.stdout)["results"][0]["score"] > 0.3
    assert in_the_wheel("--version").stdout.split() == ["bolide", bolide.__version__]
    wrong = in_the_wheel("score", "-r", "nowhere", "-i", "nowhere")
    assert wrong.returncode != 0 and "nowhere" in wrong.stderr and "Traceback" not in wrong.stderr
    assert in_the_wheel("no-such-command").returncode == 2
    [script] = entry_points(group="console_scripts", name="bolide")
    assert script.value == "bolide.__main__:main"
