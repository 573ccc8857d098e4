"""Runs the tests of NLTK and sacreBLEU with our modules in place of theirs.

The tests come from the packages' source archives on PyPI, fetched into a cache folder, and are not
copied into this project. ``python run.py CACHE`` prints what ran and fails if anything did.
"""

import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent

# The run proves nothing if the names still refer to the real packages.
IN_PLACE = """
import nltk, sacrebleu, sacrebleu.significance, nltk.translate.meteor_score as meteor
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from nltk.translate.bleu_score import corpus_bleu, SmoothingFunction, modified_precision
for thing in (
    nltk.translate.meteor, meteor.single_meteor_score, meteor.align_words, nltk.word_tokenize,
    nltk.translate.bleu, corpus_bleu, SmoothingFunction, modified_precision,
    sacrebleu.metrics.BLEU, sacrebleu.metrics.CHRF, sacrebleu.metrics.TER, TercomTokenizer,
    sacrebleu.corpus_bleu, sacrebleu.raw_corpus_bleu, sacrebleu.compat.sentence_bleu,
    sacrebleu.corpus_chrf, sacrebleu.sentence_chrf, sacrebleu.significance.PairedTest,
):
    assert thing.__module__.startswith("bolide.compat."), thing
"""

SUITES = {
    "nltk==3.10.4": [
        "nltk/test/unit/translate/test_bleu.py",
        "nltk/test/unit/translate/test_meteor.py",
        "nltk/test/bleu.doctest",
        "nltk/test/meteor.doctest",
    ],
    "sacrebleu==2.6.0": [
        "test/test_bleu.py",
        "test/test_sentence_bleu.py",
        "test/test_chrf.py",
        "test/test_ter.py",
        "test/test_tokenizer_ter.py",
        "test/test_significance.py",
    ],
}


# Tests that are left out, and why.
LEFT_OUT = {
    "nltk/test/unit/translate/test_bleu.py::TestBLEUvsMteval13a::test_corpus_bleu": (
        "it reads NLTK's download models/wmt15_eval, which is not on PyPI"
    ),
}


def sources(requirement, cache):
    """The unpacked source archive of a package."""
    name = requirement.replace("==", "-")
    folder = cache / name
    if not folder.exists():
        cache.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary",
             ":all:", "--dest", cache, requirement],
            check=True,
        )
        with tarfile.open(cache / f"{name}.tar.gz") as archive:
            archive.extractall(cache, filter="data")
    return folder


def environment():
    """An environment in which the installed package contains our modules."""
    path = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path.rstrip(os.pathsep), "PYTHONDONTWRITEBYTECODE": "1"}


def run_suite(requirement, files, cache):
    folder = sources(requirement, cache)
    command = [
        sys.executable, "-m", "pytest", "--rootdir", str(folder), "-rA", "--tb=short", "--color=no", "-p", "no:cacheprovider",
        "--doctest-glob=*.doctest", "-o", "doctest_optionflags=ELLIPSIS NORMALIZE_WHITESPACE",
        *files,
    ]
    left_out = {name: why for name, why in LEFT_OUT.items() if name.split("::")[0] in files}
    for name in left_out:
        command += ["--deselect", name]
    done = subprocess.run(
        command, cwd=folder, env=environment(), text=True, capture_output=True
    )
    lines = re.findall(r"^(PASSED|FAILED|ERROR|SKIPPED) (.*)$", done.stdout, re.MULTILINE)
    print(f"\n== {requirement}: its tests with bolide in its place")
    for outcome, name in lines:
        print(f"  {outcome.lower():8}{name}")
    for name, reason in left_out.items():
        print(f"  left out {name}: {reason}")
    print(f"  {sum(outcome == 'PASSED' for outcome, _ in lines)} of {len(lines)} passed")
    if done.returncode != 0:
        print(done.stdout[-6000:], done.stderr[-3000:], sep="\n")
    return done.returncode


def run_docstrings():
    """The examples in the documentation of NLTK's functions, run with our functions."""
    import doctest

    import importlib

    print("\n== NLTK's docstrings with bolide behind the names")
    failed = 0
    finder = doctest.DocTestFinder()
    for kind in ("bleu", "chrf", "gleu", "meteor", "nist", "ribes"):
        module = importlib.import_module(f"nltk.translate.{kind}_score")
        ours = importlib.import_module(f"bolide.compat.nltk.translate.{kind}_score")
        names = {name: getattr(ours, name) for name in ours.__all__}
        for test in finder.find(module, module.__name__.rpartition(".")[2]):
            if not test.examples:
                continue
            test.globs.update(names)
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
            result = runner.run(test)
            failed += result.failed
            verdict = "failed" if result.failed else "passed"
            print(f"  {verdict:8}{test.name} ({result.attempted} examples)")
    return failed


def main():
    cache = Path(sys.argv[1]).resolve()
    subprocess.run([sys.executable, "-c", IN_PLACE], env=environment(), check=True)
    failures = [run_suite(requirement, files, cache) for requirement, files in SUITES.items()]
    docstrings = subprocess.run([sys.executable, __file__, "--docstrings"], check=False)
    return int(any(failures) or docstrings.returncode != 0)


if __name__ == "__main__":
    sys.exit(run_docstrings() > 0 if sys.argv[1:] == ["--docstrings"] else main())
