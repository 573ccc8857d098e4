"""Runs other people's programs, unchanged: first as they are, then after ``bolide.compat.install``.

The programs are wheels from PyPI, fetched into a cache folder and not copied into this project. Only the files that score
are imported, so that their models and web servers need not be installed. ``python run.py CACHE`` prints a table of their
numbers, and fails if one differs.
"""

import json
import os
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

# Each reads `texts`, and puts its numbers into `found`.
CLIENTS = {
    "lm_eval==0.4.13": (
        ["lm_eval", "lm_eval.api"],
        """
        metrics = importlib.import_module("lm_eval.api.metrics")
        items = [(refs[:2], hyp) for hyp, refs in texts]
        for name in ("bleu", "chrf", "chrfpp", "ter"):
            found[name] = getattr(metrics, name)(items)
        """,
    ),
    "compare_mt==0.2.10": (
        ["compare_mt"],
        """
        scorers = importlib.import_module("compare_mt.scorers")
        references = [refs[0].split() for _, refs in texts]
        hypotheses = [hyp.split() for hyp, _ in texts]
        for name in ("SacreBleuScorer", "ChrFScorer", "RibesScorer", "SentBleuScorer"):
            scorer = getattr(scorers, name)()
            found[name] = scorer.score_corpus(references, hypotheses)[0]
        cached = scorers.SacreBleuScorer().cache_stats(references, hypotheses)
        found["cached"] = scorers.SacreBleuScorer().score_cached_corpus(range(20), cached)[0]
        """,
    ),
    "vizseq==0.2.1": (
        ["vizseq"],
        """
        importlib.import_module("vizseq.scorers")
        hypotheses = [hyp for hyp, _ in texts]
        streams = [[refs[idx] for _, refs in texts] for idx in range(2)]
        for name, kind in (("bleu", "BLEUScorer"), ("chrf", "ChrFScorer"), ("gleu", "GLEUScorer"), ("nist", "NISTScorer"), ("ribes", "RIBESScorer")):
            scorer = getattr(importlib.import_module(f"vizseq.scorers.{name}"), kind)
            # Two workers: statistics cross from one process to the other.
            score = scorer(corpus_level=True, sent_level=True, n_workers=2).score(hypotheses, streams)
            found[name] = [score.corpus_score, *score.sent_scores]
        """,
    ),
    "lmms_eval==0.7.3": (
        ["lmms_eval", "lmms_eval.tasks", "lmms_eval.tasks._task_utils", "lmms_eval.tasks.flickr30k"],
        """
        utils = importlib.import_module("lmms_eval.tasks.flickr30k.utils")
        results = [{"image_id": idx, "answer": refs, "pred": hyp} for idx, (hyp, refs) in enumerate(texts)]
        where = types.SimpleNamespace(output_path=tempfile.mkdtemp())
        for metric in utils.FLICKR_METRICS:
            found[metric] = utils.flickr_aggregation_result(results, metric, where)
        """,
    ),
}

# The last bit of Java's `pow` depends on the processor, unless it is told to use that of StrictMath.
ENVIRONMENT = {
    "JAVA_TOOL_OPTIONS": "-XX:+UnlockDiagnosticVMOptions -XX:-UseLibmIntrinsic",
    "LOGURU_LEVEL": "CRITICAL",
}

BEFORE = """
import contextlib, importlib, io, json, logging, random, sys, tempfile, types
logging.disable(logging.CRITICAL)
folder, packages, in_place = sys.argv[1], sys.argv[2].split(","), sys.argv[3] == "ours"
sys.path.insert(0, folder)
if in_place:
    from bolide import compat
    installed = compat.install()
for name in packages:  # Packages without what their first file imports.
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [f"{folder}/{name.replace('.', '/')}"]
generator = random.Random(3)
words = "a the man woman dog rides sits on in of bench street red big with and 's two . , !".split()
line = lambda: " ".join(generator.choices(words, k=generator.randrange(6, 14)))
texts = []
for _ in range(120):
    refs = [line() for _ in range(3)]
    texts.append((refs[0] if generator.random() < 0.2 else " ".join(refs[1].split()[:5]) + " " + line(), refs))
found = {}
with contextlib.redirect_stdout(io.StringIO()):
"""
AFTER = """
numbers = lambda value: [numbers(part) for part in value] if isinstance(value, list) else float(value)
replaced = len(installed.replaced) if in_place else 0
print(json.dumps([{key: numbers(value) for key, value in found.items()}, replaced]))
"""


def fetched(requirement, cache):
    """The folder of an unpacked wheel."""
    folder = cache / requirement
    if not folder.exists():
        cache.mkdir(parents=True, exist_ok=True)
        download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", cache / "wheels"]
        subprocess.run([*download, "--disable-pip-version-check", requirement], check=True)
        [wheel] = (cache / "wheels").glob(f"{requirement.replace('==', '-')}-*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    return folder


def run(folder, packages, program, which):
    source = BEFORE + textwrap.indent(textwrap.dedent(program), "    ") + AFTER
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", source, folder, ",".join(packages), which],
        capture_output=True,
        text=True,
        env={**os.environ, **ENVIRONMENT},
    )
    if done.returncode != 0:
        raise SystemExit(f"{folder.name}, {which}: {done.stderr[-3000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def distance(one, other):
    if isinstance(one, list):
        return max((distance(a, b) for a, b in zip(one, other, strict=True)), default=0.0)
    return 0.0 if one == other or (one != one and other != other) else abs(one - other)


def main():
    cache = Path(sys.argv[1]).resolve()
    wrong = 0
    print("| client | what | as it is | with bolide |\n|---|---|---|---|")
    for requirement, (packages, program) in CLIENTS.items():
        folder = fetched(requirement, cache)
        theirs, _ = run(folder, packages, program, "theirs")
        ours, n_replaced = run(folder, packages, program, "ours")
        assert theirs.keys() == ours.keys() and n_replaced > 0, requirement
        for name in theirs:
            apart = distance(theirs[name], ours[name])
            wrong += apart != 0
            first = theirs[name][0] if isinstance(theirs[name], list) else theirs[name]
            verdict = "equal" if apart == 0 else f"{apart:.1e} apart"
            print(f"| {requirement} | {name} | {first!r} | {verdict} |")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
