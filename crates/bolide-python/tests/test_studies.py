"""`which`, `compare`, `correlate`, `tune`, `report` and `mbr`: the numbers of the command, to the last bit."""

import json
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
import warnings

import pandas
import polars
import pyarrow
import pytest

import bolide

# scripts/test-python builds it and says where it is.
COMMAND = os.environ["BOLIDE_COMMAND"]
WORDS = "the a cat cats dog sat sits on under mat, house. rain falls quickly".split()
METRICS = ["meteor:nltk", "bleu", "ter"]


def texts(seed, n=24):
    chance = random.Random(seed)
    return [" ".join(chance.choices(WORDS, k=chance.randint(3, 12))) for _ in range(n)]


def changed(lines, seed):
    """The same texts with some of the words replaced."""
    chance = random.Random(seed)
    return [" ".join(w if chance.random() < 0.7 else chance.choice(WORDS) for w in line.split()) for line in lines]


REFERENCES = texts(1)
SECOND = changed(REFERENCES, 2)
PAIRS = [list(pair) for pair in zip(REFERENCES, SECOND)]
SYSTEMS = {name: changed(REFERENCES, 10 + seed) for seed, name in enumerate(["old", "new", "third one"])}
HUMAN = [random.Random(seed).uniform(-1, 1) for seed in range(24)]


def command(*arguments, folder):
    done = subprocess.run(
        [COMMAND, *map(str, arguments)], capture_output=True, text=True, encoding="utf-8", check=True, cwd=folder
    )
    return done.stdout


def printed(folder, *arguments):
    """The document and the table that the command prints."""
    document = command(*arguments, "--format", "json", folder=folder)
    return json.loads(document), command(*arguments, folder=folder).rstrip("\n")


def lines(folder, **files):
    for name, content in files.items():
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in content), encoding="utf-8")


def bits(document):
    """A document in which numbers are equal only if all their bits are."""
    if isinstance(document, float):
        return document.hex()
    if isinstance(document, dict):
        return {name: bits(value) for name, value in document.items()}
    return [bits(value) for value in document] if isinstance(document, list) else document


def same(ours, theirs):
    document, table = theirs
    assert bits(ours.data) == bits(document)
    assert str(ours) == repr(ours) == table
    assert pickle.loads(pickle.dumps(ours)) == ours


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_compare(tmp_path, test):
    lines(tmp_path, first=REFERENCES, second=SECOND, **{name: it for name, it in SYSTEMS.items()})
    files = [f"{name}.txt" for name in SYSTEMS]
    theirs = printed(
        tmp_path, "compare", "-r", "first.txt", "second.txt", "-i", *files, "-m", *METRICS,
        "--test", test, "--seed", 7, "-n", 200, "--correct", "holm",
    )  # fmt: skip
    metrics = [bolide.Metric("meteor:nltk"), "bleu", bolide.Ter()]
    ours = bolide.compare(SYSTEMS, PAIRS, metrics, test=test, seed=7, samples=200, correct="holm")
    by_name = bolide.compare(SYSTEMS, PAIRS, METRICS, test=test, seed=7, samples=200, correct="holm")
    same(by_name, theirs)
    figures = ("score", "mean", "half_width", "p_value", "significant", "signature")
    assert [[row[name] for name in figures] for row in ours.rows] == [
        [row[name] for name in figures] for row in by_name.rows
    ]
    frame = by_name.to_pandas()
    assert list(frame.columns) == list(theirs[0]["results"][0])
    assert frame["score"].tolist() == [row["score"] for row in theirs[0]["results"]]
    assert frame["p_value"].isna().tolist() == frame["baseline"].tolist()
    assert by_name.to_polars().to_dicts() == theirs[0]["results"]
    assert "third one" in by_name._repr_html_() and "<script" not in by_name._repr_html_()


def test_every_kind_of_column_is_the_same():
    expected = bolide.compare(SYSTEMS, REFERENCES, "bleu", samples=50)
    for frame in (
        pandas.DataFrame(SYSTEMS),
        polars.DataFrame(SYSTEMS),
        {name: pyarrow.array(column) for name, column in SYSTEMS.items()},
        {name: pandas.Series(column, dtype="string[pyarrow]") for name, column in SYSTEMS.items()},
        {name: tuple(column) for name, column in SYSTEMS.items()},
    ):
        assert bolide.compare(frame, pandas.Series(REFERENCES), "bleu", samples=50) == expected
    unnamed = bolide.compare(list(SYSTEMS.values()), REFERENCES, "bleu", samples=50)
    assert [row["system"] for row in unnamed.rows] == ["system 1", "system 2", "system 3"]
    one = bolide.compare({"--only": SYSTEMS["old"]}, polars.Series(PAIRS), samples=50)
    assert [row["system"] for row in one.rows] == ["--only"]
    assert one.data["results"][0]["metric"] == "meteor"


def test_correlate(tmp_path):
    systems = ["abc"[idx % 3] for idx in range(24)]
    groups = [idx // 12 for idx in range(24)]
    rows = zip(HUMAN, SYSTEMS["old"], PAIRS, systems, groups, SECOND)
    with (tmp_path / "judged.jsonl").open("w", encoding="utf-8") as file:
        for number, output, pair, system, group, _ in rows:
            # A string, since JSON is not read to the last bit.
            row = {"human": repr(number), "o": output, "r": pair, "s": system, "g": group, "mine": repr(number * 2)}
            file.write(json.dumps(row) + "\n")
    theirs = printed(
        tmp_path, "correlate", "-i", "judged.jsonl", "--human-column", "human", "--hypothesis-column", "o",
        "--reference-column", "r", "--system-column", "s", "--group-column", "g", "-m", *METRICS,
        "--score-column", "mine", "--lower-is-better", "mine", "--coefficient", "pearson", "kendall-b", "accuracy",
        "--confidence", "--test", "-n", 100,
    )  # fmt: skip
    ours = bolide.correlate(
        HUMAN, SYSTEMS["old"], PAIRS, METRICS, systems=systems, groups=groups,
        scores={"mine": [number * 2 for number in HUMAN]}, lower_is_better=["mine"],
        coefficients=["pearson", "kendall-b", "accuracy"], confidence=True, test=True, samples=100,
    )  # fmt: skip
    same(ours, theirs)
    assert ours.to_polars().to_dicts() == theirs[0]["results"]
    assert ours.to_pandas()["value"].dtype == "float64"
    with_gaps = [None, float("nan"), *HUMAN[2:]]
    fewer = bolide.correlate(with_gaps, SYSTEMS["old"], PAIRS, "bleu", skip_empty=True)
    assert fewer.rows[0]["n"] == 22
    assert fewer.rows[0]["value"] == bolide.correlate(
        HUMAN[2:], SYSTEMS["old"][2:], PAIRS[2:], bolide.Bleu()
    ).rows[0]["value"]
    with pytest.raises(bolide.BolideError, match="human scores: segment 0: there is no number"):
        bolide.correlate(with_gaps, SYSTEMS["old"], PAIRS, "bleu")
    with pytest.raises(bolide.BolideError, match="nothing to correlate"):
        bolide.correlate(HUMAN)
    with pytest.raises(bolide.BolideError, match="is not one of the --score-column"):
        bolide.correlate(HUMAN, scores={"mine": HUMAN}, lower_is_better=["other"])
    with pytest.raises(TypeError, match="human scores: segment 0: expected a number, got a string"):
        bolide.correlate(["5"] * 24, scores={"mine": HUMAN})


def test_tune(tmp_path):
    with (tmp_path / "judged.jsonl").open("w", encoding="utf-8") as file:
        for number, output, reference in zip(HUMAN, SYSTEMS["old"], REFERENCES):
            file.write(json.dumps({"human": repr(number), "o": output, "r": reference}) + "\n")
    grid = {"first": (0.5, 0, 0, 1, 1, 0, 0, 0), "last": (1, 2, 1, 1, 1, 1, 1, 1), "step": [0.25] * 8}
    options = [word for name, it in grid.items() for word in (f"--{name}", " ".join(map(str, it)))]
    theirs = printed(
        tmp_path, "tune", "-i", "judged.jsonl", "--human-column", "human", "--hypothesis-column", "o",
        "--reference-column", "r", "-m", "meteor:textbook", "--folds", 3, *options,
    )  # fmt: skip
    ours = bolide.tune(HUMAN, SYSTEMS["old"], REFERENCES, bolide.Meteor("textbook"), folds=3, **grid)
    same(ours, theirs)
    assert ours.metric.signature.startswith(ours.signature.split("|alpha")[0])
    assert set(ours.parameters) == {"alpha", "beta", "gamma"}
    frame = ours.to_polars()
    assert frame["rows"].to_list() == ["all", "fold 1", "fold 2", "fold 3"]
    assert frame["alpha"].to_list()[0] == ours.parameters["alpha"] and frame["held_out"].null_count() == 1
    assert len(ours.to_pandas()) == 4 and ours.signature in ours._repr_html_()
    with pytest.raises(bolide.BolideError, match="too few for 20 folds"):
        bolide.tune(HUMAN, SYSTEMS["old"], REFERENCES, folds=20)


@pytest.mark.parametrize("metric", ["chrf", "meteor:textbook"])
def test_mbr(tmp_path, metric):
    lines(tmp_path, **SYSTEMS)
    options = ["mbr", "-i", *(f"{name}.txt" for name in SYSTEMS), "-m", metric]
    theirs = json.loads(command(*options, "--matrix", "--format", "json", folder=tmp_path))
    ours = bolide.mbr(list(zip(*SYSTEMS.values())), bolide.Metric(metric), matrix=True)
    assert bits(ours.data["segments"]) == bits(theirs["segments"])
    assert ours.data["signature"] == theirs["signature"]
    assert str(ours) == command(*options, folder=tmp_path).rstrip("\n")
    assert [row[idx] for row, idx in zip(zip(*SYSTEMS.values()), ours.indices)] == ours.texts
    assert ours.to_polars()["candidate"].to_list() == [idx + 1 for idx in ours.indices]
    assert ours.to_pandas()["utility"].tolist() == [max(row) for row in ours.utilities]


def test_mbr_of_lists_of_any_length_and_any_text():
    nasty = ["a\nb", "", "tab\there", "a\r\nb", "\ufeffa", '"\\', "\0", "\u2028", "  "]
    chosen = bolide.mbr([nasty, ["one"], ["a b", "a b c"]], "chrf", threads=2)
    assert chosen.texts[1:] == ["one", "a b"] or chosen.texts[1:] == ["one", "a b c"]
    assert [len(row) for row in chosen.utilities] == [len(nasty), 1, 2]
    assert chosen.texts[0] == nasty[chosen.indices[0]]
    for wrong, kind, message in [
        (["a", "b"], TypeError, "candidates: segment 0: expected a list of candidates"),
        ([["a"], []], bolide.InvalidSegmentError, "candidates: segment 1: there are no candidates"),
        ([["a", None]], TypeError, "segment 0: a text is a string, got nothing"),
        ([["a", 3]], TypeError, "segment 0: a text is a string, got int"),
        ([], bolide.BolideError, "no rows"),
    ]:
        with pytest.raises(kind, match=message):
            bolide.mbr(wrong)


def test_which(tmp_path):
    hypothesis, references = "on the mat sat the cat", ["the cat sat on the mat", "a cat was on the mat"]
    theirs = printed(tmp_path, "which", "0.500", hypothesis, *references, "--quiet")
    same(bolide.which("0.500", hypothesis, references), theirs)
    same(
        bolide.which(0.5, hypothesis, references),
        printed(tmp_path, "which", "0.5", hypothesis, *references, "--quiet"),
    )
    everything = bolide.which(0.5, hypothesis, references, all=True)
    assert len(everything.rows) > len(bolide.which(0.5, hypothesis, references).rows)
    assert {metric.signature for metric in everything.metrics} == {row["signature"] for row in everything.rows}
    with pytest.raises(bolide.BolideError, match="none of .* configurations gives 0.123456; the closest is"):
        bolide.which("0.123456", hypothesis, references)
    with pytest.raises(bolide.BolideError, match="'half' is not a number"):
        bolide.which("half", hypothesis, references)
    # An empty reference beside another counts, as in the command line.
    same(
        bolide.which("0.9375", hypothesis, [references[0], ""]),
        printed(tmp_path, "which", "0.9375", hypothesis, references[0], "", "--quiet"),
    )


def test_which_of_a_corpus(tmp_path):
    hypotheses, references = SYSTEMS["old"][:6], REFERENCES[:6]
    lines(tmp_path, hyp=hypotheses, ref=references)
    score = repr(float(bolide.corpus("meteor:nltk", hypotheses, references)))
    theirs = printed(tmp_path, "which", score, "--files", "hyp.txt", "ref.txt", "--quiet")
    same(bolide.which(score, hypotheses, references), theirs)
    assert "meteor:nltk" in [row["metric"] for row in theirs[0]["answers"]]


def test_report(tmp_path):
    rows = [
        {"o": o, "n": n, "r": r, "src": s, "h1": repr(h), "h2": None, "kind": k}
        for o, n, r, s, h, k in zip(SYSTEMS["old"], SYSTEMS["new"], PAIRS, SECOND, HUMAN, ["x", "y"] * 12)
    ]
    table = tmp_path / "table.jsonl"
    table.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    command(
        "report", "-i", table, "--hypothesis-column", "o", "n", "--reference-column", "r", "--source", "src",
        "--human", "h1", "h2", "--bucket", "kind", "-m", *METRICS, "--title", "ours & theirs", "-n", 50,
        "-o", tmp_path / "theirs.html", folder=tmp_path,
    )  # fmt: skip
    written = bolide.report(
        {"o": SYSTEMS["old"], "n": SYSTEMS["new"]}, PAIRS, METRICS, source=SECOND,
        human={"n": [None] * 24, "o": HUMAN}, buckets={"kind": ["x", "y"] * 12}, title="ours & theirs",
        samples=50, path=tmp_path / "our report.html",
    )  # fmt: skip
    assert (tmp_path / "our report.html").read_bytes() == (tmp_path / "theirs.html").read_bytes()
    assert os.fspath(written) == str(written) == str(tmp_path / "our report.html")
    assert "our%20report.html" in written._repr_html_() and "<iframe" in written._repr_html_()
    with pytest.raises(ValueError, match="a column for each system: o, n"):
        bolide.report({"o": ["a"], "n": ["b"]}, ["a"], path=tmp_path / "x.html", human={"o": [1]})
    with pytest.raises(ValueError, match="no slash"):
        bolide.report({"o": ["a"]}, ["a"], path=tmp_path / "x.html", buckets={"a/b": ["x"]})
    with pytest.raises(bolide.BolideError, match="nowhere"):
        bolide.report({"o": ["a"]}, ["a"], path=tmp_path / "nowhere" / "x.html")
    assert sorted(os.listdir(tmp_path)) == ["our report.html", "table.jsonl", "theirs.html"]


def test_texts_arrive_as_they_are():
    nasty = ["a\nb c d", "", "tab\there it is", "a\r\nb \u2028 c d", "\ufeffa b c d", '"\\ {} ', "\0 a b c", "é 猫 🐈 x"]
    for metric in ("bleu|tok:none", "chrf", "meteor:textbook"):
        ours = bolide.compare({"turned": nasty[::-1]}, nasty, metric, samples=10)
        assert ours.rows[0]["score"].hex() == bolide.corpus(metric, nasty[::-1], nasty).hex(), metric


def test_mistakes_are_said():
    good = {"a": ["x y", "z"], "b": ["x", "z"]}
    for call, kind, message in [
        (lambda: bolide.compare(good, ["x"]), bolide.InvalidSegmentError, r"'a' has 2 entries, references has 1; .*zip"),
        (lambda: bolide.compare({"a": ["x"], "b": []}, ["x"]), bolide.InvalidSegmentError, "'b' has 0"),
        (lambda: bolide.compare(good, ["x", None]), bolide.InvalidSegmentError, "references: segment 1: there is no"),
        (lambda: bolide.compare(good, ["x", [None]]), bolide.InvalidSegmentError, "references: segment 1: there is no"),
        (lambda: bolide.compare(good, ["x", 3]), TypeError, "references: segment 1: .* got int"),
        (lambda: bolide.compare(good, "xy"), TypeError, "references: a column is expected"),
        (lambda: bolide.compare({"a": ["x", None]}, ["x", "y"]), TypeError, "'a': segment 1: .* got nothing"),
        (lambda: bolide.compare({"a": [["x"], "y"]}, ["x", "y"]), TypeError, "'a': segment 0: .* got list"),
        (lambda: bolide.compare(["x", "y"], ["x", "y"]), TypeError, "a dict of names"),
        (lambda: bolide.compare({}, ["x", "y"]), ValueError, "no systems"),
        (lambda: bolide.compare({"": ["x"]}, ["x"]), TypeError, "the name of a system"),
        (lambda: bolide.compare({"a=b": ["x"]}, ["x"]), ValueError, "no '='"),
        (lambda: bolide.compare({"a\0b": ["x"]}, ["x"]), ValueError, "as a name"),
        (lambda: bolide.compare(good, ["x", "\ud800"]), bolide.InvalidSegmentError, "segment 1: the text has a lone surrogate"),
        (lambda: bolide.compare(good, ["x", "y"], "bleu:nltkk"), bolide.UnknownMetricError, "did you mean"),
        (lambda: bolide.compare(good, ["x", "y"], "bleu|tok:x"), bolide.InvalidSignatureError, "tok"),
        (lambda: bolide.compare(good, ["x", "y"], 3), TypeError, "not iterable"),
        (lambda: bolide.compare(good, ["x", "y"], [3]), TypeError, "a metric is a name"),
        (lambda: bolide.compare(good, ["x", "y"], level=2), bolide.BolideError, "--level must be from 0 to 1"),
        (lambda: bolide.compare(good, ["x", "y"], test="none"), bolide.BolideError, "invalid value 'none'"),
        (lambda: bolide.compare({"a": [], "b": []}, []), bolide.BolideError, "nothing to score"),
        (lambda: bolide.compare(good, ["x", "y"], threads=0), bolide.BolideError, "threads"),
    ]:  # fmt: skip
        with pytest.raises(kind, match=message):
            call()


def test_remarks_are_warnings():
    with pytest.warns(UserWarning, match="old is the same text as a reference") as caught:
        bolide.compare({"old": REFERENCES, "new": SYSTEMS["new"]}, REFERENCES, "bleu", samples=10)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bolide.compare(SYSTEMS, REFERENCES, "bleu", samples=10)


def test_nothing_else_is_printed_or_found(tmp_path):
    # A module of the same name where the program runs, and an environment of the user's own, are not looked at.
    (tmp_path / "bolide.py").write_text("raise SystemExit('the wrong one')")
    program = (
        "import sys; sys.path.pop(0); import os, bolide; os.chdir(sys.argv[1])\n"
        "it = bolide.compare({'a': ['x y'], 'b': ['y x']}, ['x y'], 'bleu', samples=10)\n"
        "assert it.rows[0]['system'] == 'a'"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "nowhere"), "PYTHONSTARTUP": str(tmp_path / "bolide.py")}
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, env=environment
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_threads_do_not_meet():
    expected = {seed: bolide.compare(SYSTEMS, REFERENCES, "bleu", samples=50, seed=seed) for seed in range(4)}
    found = {}

    def one(seed):
        found[seed] = bolide.compare(SYSTEMS, REFERENCES, "bleu", samples=50, seed=seed, threads=1)

    threads = [threading.Thread(target=one, args=(seed,)) for seed in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert found == expected and found[0] != found[1]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("to_all", [True, False])
def test_ctrl_c(tmp_path, to_all):
    program = (
        "import bolide\n"
        "texts = [f'a b c d e {n} ' * 9 for n in range(3000)]\n"
        "print('here', flush=True)\n"
        "bolide.compare([texts, texts[::-1]], texts, ['ter', 'bleu'], test='randomization', samples=1_000_000)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout.readline() == b"here\n"
    time.sleep(2)
    send = os.killpg if to_all else os.kill
    send(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert b"KeyboardInterrupt" in said and process.returncode != 0
    # Nobody of the group is left.
    time.sleep(0.5)
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_frames_need_their_package(monkeypatch):
    it = bolide.mbr([["a", "b"]])
    for package in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(ImportError, match=f"pip install {package}"):
            getattr(it, f"to_{package}")()


def test_a_program_without_an_interpreter_is_told(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr("multiprocessing.spawn.get_executable", lambda: sys.executable)
    with pytest.raises(bolide.UnavailableError, match="set_executable"):
        bolide.mbr([["a", "b"]])
