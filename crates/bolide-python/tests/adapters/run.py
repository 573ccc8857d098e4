"""Runs every example of docs/adapters.md with the real framework, each in a process of its own.

``python run.py`` needs the packages of ``requirements.txt``, and lighteval and mbrs without what they depend on. ``--vitest FOLDER``
and ``--promptfoo FOLDER`` also run the examples for JavaScript, in folders with the npm packages. ``--only NAME,NAME`` runs some
sections.
"""

import argparse
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[3] / "docs/adapters.md"

# What the examples leave out: settings that keep the frameworks quiet and offline.
BEFORE = {
    "Inspect AI": """
from inspect_ai.model import ModelOutput
from inspect_ai.solver import solver
@solver
def echo():
    async def solve(state, generate):
        state.output = ModelOutput.from_content("echo", state.input_text)
        return state
    return solve
""",
    "Langfuse": """
from langfuse import Langfuse
client = Langfuse(public_key="none", secret_key="none", tracing_enabled=False)
""",
    "MLflow": """
import mlflow
import mlflow.genai.evaluation.base
mlflow.set_tracking_uri("file:./mlruns")
mlflow.genai.evaluation.base.display_evaluation_output = lambda *args: None  # Prints names that differ from run to run.
""",
    "lighteval": """
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.requests import Doc
""",
}
ENVIRONMENT = {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
    "MLFLOW_ALLOW_FILE_STORE": "true",
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
    "RAGAS_DO_NOT_TRACK": "true",
    "NO_COLOR": "1",
}
PACKAGES = {
    "lm-evaluation-harness": "lm_eval", "Inspect AI": "inspect_ai", "MLflow": "mlflow-skinny", "lighteval": "lighteval", "DeepEval": "deepeval",
    "Ragas": "ragas", "Langfuse": "langfuse", "mbrs": "mbrs", "pytest": "pytest", "torchmetrics": "torchmetrics",
}  # fmt: skip

DOCTEST = """
import contextlib, doctest, io, logging, sys
sys.path.insert(0, {tests!r})
logging.disable(logging.CRITICAL)
stands_in = False
if {torch}:
    import stand_in
    try:
        import torch
    except ImportError:
        stands_in = True
    stand_in.install()  # For what is not installed.
names = {{"__name__": "example"}}
with contextlib.redirect_stdout(io.StringIO()):
    exec({before!r}, names)
test = doctest.DocTestParser().get_doctest({source!r}, names, {section!r}, "docs/adapters.md", 0)
runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
runner.run(test)
if runner.failures or not runner.tries:
    sys.exit(1)
print("PyTorch is a stand-in" if stands_in else "")
"""


def sections(page):
    """The blocks of each section: a list of (language, text)."""
    found = {}
    for part in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        title = part.split("\n", 1)[0]
        found[title] = re.findall(r"^```(\w+)\n(.*?)^```$", part, flags=re.MULTILINE | re.DOTALL)
    return found


def run(command, folder, **options):
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env={**os.environ, **ENVIRONMENT, **options}
    )
    return done.returncode, done.stdout, done.stderr


def doctested(title, blocks, folder):
    [(language, source)] = blocks
    assert language == "python", title
    program = DOCTEST.format(
        tests=str(HERE.parent), torch=title in ("lighteval", "mbrs"), before=BEFORE.get(title, ""), source=source, section=title
    )
    code, out, err = run([sys.executable, "-W", "ignore", "-c", program], folder)
    if code != 0:
        return None, out + err[-3000:]
    return out.strip().splitlines()[-1] if out.strip() else "", ""


def shows(text, output):
    """Whether the output has the lines of a block, in order; frameworks indent and frame them."""
    at = 0
    for line in text.strip().splitlines():
        at = output.find(line, at)
        if at < 0:
            return False
    return True


def failing(command, file, blocks, folder):
    """A test that fails as the page says; ``folder`` may hold node's packages."""
    (_, source), (_, expected) = blocks
    with tempfile.TemporaryDirectory(dir=folder) as place:
        (Path(place) / file).write_text(source)
        code, out, err = run(command, place)
        if code == 0 or not shows(expected, out + err):
            return None, out + err
    return "", ""


def promptfoo(blocks, folder):
    (_, source), (_, expected) = blocks
    (folder / "promptfooconfig.yaml").write_text(source)
    results = folder / "results.json"
    results.unlink(missing_ok=True)
    command = ["npx", "--no-install", "promptfoo", "eval", "--no-cache", "--no-table", "--no-write", "-o", results.name]
    code, out, err = run(command, folder, PROMPTFOO_CONFIG_DIR=str(folder / "promptfoo"))
    if not results.exists():
        return None, out + err
    [result] = json.loads(results.read_text())["results"]["results"]
    [graded] = result["gradingResult"]["componentResults"]
    right = not graded["pass"] and graded["score"] == 0.9375 and shows(expected, graded["reason"])
    return ("", "") if right and code != 0 else (None, json.dumps(graded))


def version(title, node):
    if node is None:
        try:
            return importlib.metadata.version(PACKAGES[title])
        except importlib.metadata.PackageNotFoundError:
            return "absent"
    return json.loads((node / f"node_modules/{title.lower()}/package.json").read_text())["version"]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--vitest", type=Path)
    arguments.add_argument("--promptfoo", type=Path)
    arguments.add_argument("--only", type=lambda text: text.split(","))
    arguments = arguments.parse_args()
    nodes = {"Vitest": arguments.vitest, "promptfoo": arguments.promptfoo}
    chosen = {
        title: blocks
        for title, blocks in sections(PAGE.read_text()).items()
        if (title in arguments.only if arguments.only else title in PACKAGES or nodes[title])
    }
    assert chosen and (not arguments.only or len(chosen) == len(arguments.only)), list(chosen)
    wrong = 0
    print("| framework | version | the example |\n|---|---|---|")
    for title, blocks in chosen.items():
        node = nodes.get(title) and nodes[title].resolve()
        with tempfile.TemporaryDirectory() as folder:
            if title == "pytest":
                command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_example.py"]
                note, problem = failing(command, "test_example.py", blocks, folder)
            elif title == "Vitest":
                note, problem = failing(["npx", "--no-install", "vitest", "run"], "example.test.js", blocks, node)
            elif title == "promptfoo":
                note, problem = promptfoo(blocks, node)
            else:
                note, problem = doctested(title, blocks, folder)
        wrong += note is None
        verdict = "differs" if note is None else f"runs; {note}".removesuffix("; ")
        print(f"| {title} | {version(title, node)} | {verdict} |", flush=True)
        if problem:
            print(problem)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
