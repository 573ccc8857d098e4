"""Runs other people's programs, unchanged: first as they are, then after ``bolide.compat.install``.

The programs come from PyPI and are not copied into this project. Those of ``requirements.txt`` are installed; of the others, the wheel is
unpacked into a cache folder, and modules that do not take part in scoring are stood in for (``../stand_in.py``). ``programs.py`` has what each
is asked to score. ``python run.py CACHE`` prints a table of their numbers, and fails if one differs. ``--only NAME,NAME`` runs some. NLTK's
tables are those of NLTK_DATA.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

from programs import CLIENTS

HERE = Path(__file__).resolve().parent

# The last bit of Java's `pow` depends on the processor, unless it is told to use that of StrictMath.
ENVIRONMENT = {
    "JAVA_TOOL_OPTIONS": "-XX:+UnlockDiagnosticVMOptions -XX:-UseLibmIntrinsic",
    "LOGURU_LEVEL": "CRITICAL",
    "OPIK_TRACK_DISABLE": "true",
    "OPIK_SENTRY_ENABLE": "false",
    "HF_HUB_OFFLINE": "1",
    "HF_EVALUATE_OFFLINE": "1",
}

BEFORE = """
import contextlib, importlib, importlib.util, io, json, logging, os, random, sys, tempfile, types
import numpy
logging.disable(logging.CRITICAL)
settings = json.loads(sys.argv[1])
sys.path.insert(0, settings["tests"])
if settings["folder"]:
    sys.path.insert(0, settings["folder"])
has_torch = importlib.util.find_spec("torch") is not None
if settings["in_place"]:
    from bolide import compat
    installed = compat.install()
import stand_in
stand_in.replace(settings["absent"])
if settings["torch"]:
    stand_in.install()
for name in settings["without"]:  # Packages without what their first file imports.
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [f"{settings['folder']}/{name.replace('.', '/')}"]
generator = random.Random(3)
words = "a the man woman dog rides sits on in of bench street red big with and 's two . , !".split()
line = lambda: " ".join(generator.choices(words, k=generator.randrange(6, 14)))
texts = []
for _ in range(settings["segments"]):
    refs = [line() for _ in range(3)]
    texts.append((refs[0] if generator.random() < 0.2 else " ".join(refs[1].split()[:5]) + " " + line(), refs))
found = {}
with contextlib.redirect_stdout(io.StringIO()):
"""
AFTER = """
numbers = lambda value: [numbers(part) for part in value] if isinstance(value, list) else float(value)
replaced = len(installed.replaced) if settings["in_place"] else 0
print(json.dumps([{key: numbers(value) for key, value in found.items()}, replaced]))
"""
N_SEGMENTS = 120


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


def run(client, folder, in_place):
    """The numbers of a client, and how many names bolide replaced."""
    settings = {
        "tests": str(HERE.parent),
        "folder": folder and str(folder),
        "in_place": in_place,
        "absent": list(client.absent),
        "torch": client.torch,
        "without": list(client.without),
        "segments": N_SEGMENTS,
    }
    source = BEFORE + textwrap.indent(textwrap.dedent(client.program), "    ") + AFTER
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", source, json.dumps(settings)],
        capture_output=True,
        text=True,
        env={**os.environ, **ENVIRONMENT},
    )
    if done.returncode != 0:
        raise SystemExit(f"{client.requirement}, {'with bolide' if in_place else 'as it is'}: {done.stderr[-3000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def distance(one, other):
    if isinstance(one, list):
        return max((distance(a, b) for a, b in zip(one, other, strict=True)), default=0.0)
    return 0.0 if one == other or (one != one and other != other) else abs(one - other)


def count(value):
    return sum(map(count, value)) if isinstance(value, list) else 1


def note(client, has_torch):
    if client.torch and not has_torch:
        return "PyTorch is a stand-in"
    if client.torch or client.needs_torch:
        return "with PyTorch"
    return "installed" if client.installed else "the files that score"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("cache", type=Path)
    arguments.add_argument("--only", type=lambda text: text.split(","))
    arguments = arguments.parse_args()
    has_torch = importlib.util.find_spec("torch") is not None
    chosen = [client for client in CLIENTS if not arguments.only or client.requirement.split("==")[0] in arguments.only]
    assert len(chosen) == len(arguments.only or CLIENTS), [client.requirement for client in chosen]
    wrong, left_out = 0, []
    print("| client | how | what | as it is | numbers | with bolide |\n|---|---|---|---|---|---|")
    for client in chosen:
        if client.needs_torch and not has_torch:
            left_out.append(client.requirement)
            continue
        folder = None if client.installed else fetched(client.requirement, arguments.cache.resolve())
        theirs, _ = run(client, folder, False)
        ours, n_replaced = run(client, folder, True)
        assert theirs and theirs.keys() == ours.keys() and n_replaced > 0, (client.requirement, theirs.keys(), ours.keys())
        for name in theirs:
            apart = distance(theirs[name], ours[name])
            wrong += apart != 0
            first = theirs[name][0] if isinstance(theirs[name], list) else theirs[name]
            verdict = "equal" if apart == 0 else f"{apart:.1e} apart"
            print(f"| {client.requirement} | {note(client, has_torch)} | {name} | {first!r} | {count(theirs[name])} | {verdict} |", flush=True)
    for requirement in left_out:
        print(f"{requirement} did not run: it computes with PyTorch, which is not installed (scripts/test-clients installs it on Debian)")
    return int(wrong > 0 or bool(left_out))


if __name__ == "__main__":
    sys.exit(main())
