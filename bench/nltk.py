#!/usr/bin/env python3
"""METEOR and BLEU beside the real NLTK: the same verses, one thread each, in one run.

NLTK scores a sample after a warm-up pass over the same sample, so its caches are as warm as they get;
bolide scores a million pairs from files, its reading, tokenising and starting included. Both are
measured in CPU seconds, because other work on the machine would count in wall time. Usage:

    cargo build --release && python3 bench/nltk.py [--pairs 1000000] [--sample 2000]
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "live"))
import peers  # noqa: E402

METRICS = ["meteor:nltk", "meteor:hf", "meteor:classic", "bleu:nltk"]

# Runs inside NLTK's environment: CPU seconds for each metric over the sample, warmed up once.
ORACLE = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
import nltk
from nltk.translate import bleu_score, meteor_score
pairs = json.load(sys.stdin)
def spaces(h, r): return meteor_score.single_meteor_score(r.split(), h.split())
def words(h, r):
    return meteor_score.single_meteor_score(nltk.word_tokenize(r), nltk.word_tokenize(h))
def bleu(h, r): return bleu_score.sentence_bleu([r.split()], h.split())
seconds = {}
for name, score in [("meteor:nltk", spaces), ("meteor:hf", words), ("bleu:nltk", bleu)]:
    for warm in (False, True):
        start = time.process_time()
        for h, r in pairs: score(h, r)
        seconds[name] = time.process_time() - start
# The classic METEOR reads the same text as Hugging Face's.
seconds["meteor:classic"] = seconds["meteor:hf"]
json.dump(seconds, sys.stdout)
"""


def read_verses():
    """Hypotheses from one translation of the Bible, references from another."""
    rows = [line.split("\t") for line in peers.verses().read_text("utf-8").split("\n") if line]
    return [(row[-1], row[-3]) for row in rows if row[-1].strip() and row[-3].strip()]


def nltk_seconds(sample):
    environment = {**os.environ, "NLTK_DATA": str(peers.nltk_data())}
    command = [peers.python("nltk"), "-c", ORACLE]
    given = json.dumps(sample)
    done = subprocess.run(command, input=given, env=environment, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def bolide_seconds(bolide, folder, metric):
    """CPU seconds of one command."""
    command = [bolide, "score", "--quiet", "--threads", "1", "-m", metric]
    command += ["-r", folder / "references", "-i", folder / "hypotheses"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"bench: {' '.join(map(str, command))} failed")
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bolide", default=ROOT / "target" / "release" / "bolide")
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--sample", type=int, default=2_000)
    args = parser.parse_args()

    verses = read_verses()
    step = max(1, len(verses) // args.sample)
    sample = verses[::step][: args.sample]
    theirs = nltk_seconds(sample)
    print(f"{len(verses)} verses; NLTK on {len(sample)} of them, bolide on {args.pairs} pairs\n")
    print(f"{'metric':16} {'NLTK pairs/s':>14} {'bolide pairs/s':>15} {'ratio':>7}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for side, file in enumerate(["hypotheses", "references"]):
            with open(folder / file, "w", encoding="utf-8") as out:
                for idx in range(args.pairs):
                    out.write(verses[idx % len(verses)][side] + "\n")
        for metric in METRICS:
            seconds = bolide_seconds(args.bolide, folder, metric)
            ours, peer = args.pairs / seconds, len(sample) / theirs[metric]
            print(f"{metric:16} {peer:14,.0f} {ours:15,.0f} {ours / peer:6.0f}x")


main()
