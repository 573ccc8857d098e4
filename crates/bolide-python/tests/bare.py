"""Runs in an environment with only the wheel: no other package, no compiler, no network."""

import importlib.metadata
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import bolide
from bolide import compat
from bolide.compat import evaluate, nltk, pycocoevalcap, sacrebleu
from bolide.compat.pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

for package in ("numpy", "nltk", "sacrebleu", "evaluate", "pyarrow", "pip"):
    assert importlib.util.find_spec(package) is None, package
for tool in ("cc", "gcc", "clang", "rustc", "cargo"):
    assert shutil.which(tool) is None, tool


def refuse_network(event: str, arguments: tuple[object, ...]) -> None:
    assert event not in ("socket.connect", "socket.getaddrinfo", "socket.sendto"), (event, arguments)


sys.addaudithook(refuse_network)

hypothesis, reference = "the cats sat on the mat", "the cat sat on the mat"
assert bolide.score("meteor", hypothesis, reference) > 0.9
for dialect in bolide.dialects():
    if not dialect["name"].startswith("meteor:1.5"):
        bolide.Metric(dialect["name"]).segments([hypothesis] * 3, [reference] * 3)
assert nltk.meteor_score([reference.split()], hypothesis.split()) > 0.9
assert nltk.download("punkt") and nltk.sent_tokenize("Dr. Who left. Why?") == ["Dr. Who left.", "Why?"]
assert evaluate.load("meteor").compute(predictions=[hypothesis], references=[reference])
assert sacrebleu.corpus_bleu([hypothesis], [[reference]]).score > 50
captions = {image: [{"caption": text}] for image, text in enumerate(["Two cats.", "A man's (red) bike, isn't it?"])}
tokens = PTBTokenizer().tokenize(captions)
assert tokens == {0: ["two cats"], 1: ["a man 's -lrb- red -rrb- bike is n't it"]}
assert pycocoevalcap.Cider().compute_score(tokens, tokens)[0] == 7.5
with compat.install() as installed:
    from rouge_score.rouge_scorer import RougeScorer
    from sacrebleu.metrics.bleu import BLEU

    assert BLEU().corpus_score([hypothesis], [[reference]]).score > 50
    assert RougeScorer(["rougeL"]).score(reference, hypothesis)["rougeL"].fmeasure > 0.8
script = str(Path(sys.executable).parent / "bolide")
for command in ([sys.executable, "-I", "-m", "bolide"], [sys.executable, "-I", script]):
    shown = subprocess.run([*command, "--version"], check=True, capture_output=True, text=True).stdout
    assert shown == f"bolide {bolide.__version__}\n", shown
files = importlib.metadata.files("bolide") or []
licences = sorted(file.name for file in files if "licenses" in file.parts)
assert {"LICENSE-APACHE", "LICENSE-MIT", "LICENSE-WORDNET", "DATA-LICENSES.md"} <= set(licences), licences
print("licence files:", *licences)
assert bolide.mbr([["dogs bark", "the cat sat", "a cat sat"]], "rouge1").texts == ["the cat sat"]
print(f"bolide {bolide.__version__} scores with nothing else installed, and asks for no network")
