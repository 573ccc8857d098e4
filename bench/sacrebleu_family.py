"""BLEU, chrF, TER, ROUGE and the paired bootstrap: sacreBLEU, rouge-score, Rust ports and bolide in one run.

    cargo build --release --manifest-path bench/sacrebleu/Cargo.toml --target-dir target/bench
    python3 bench/sacrebleu_family.py REFERENCE HYPOTHESIS OTHER_HYPOTHESIS

The Python packages are installed as for `tests/live`, unless the interpreter has them.

One thread each, processor time instead of the clock on the wall, text in memory before the clock starts.
Python metrics are made anew for each repetition, because sacreBLEU remembers tokenised lines; the best
of the repetitions counts on both sides.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import time

# Scripts beside this one are named after the packages that they measure.
sys.path.pop(0)

ROOT = pathlib.Path(__file__).resolve().parents[1]

try:
    from rouge_score import rouge_scorer
    from sacrebleu.metrics import BLEU, CHRF, TER
    from sacrebleu.significance import PairedTest
except ImportError:
    # Once more, in the environment that has them.
    sys.path.insert(0, str(ROOT / "tests" / "live"))
    import peers

    python = str(peers.python("sacrebleu"))
    os.execv(python, [python, *sys.argv])


def lines(path):
    return [line.rstrip() for line in open(path, encoding="utf-8-sig")]


def best(repetitions, work):
    times = []
    for _ in range(repetitions):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def rouge(kind, hypotheses, references):
    scorer = rouge_scorer.RougeScorer([kind])
    for hypothesis, reference in zip(hypotheses, references):
        scorer.score(reference, hypothesis)


def paired(metric, name, first, second):
    systems = [("first", first), ("second", second)]
    PairedTest(systems, {name: metric}, references=None, test_type="bs", n_samples=1000)()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("reference")
    parser.add_argument("hypothesis")
    parser.add_argument("other_hypothesis")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--bench", default=ROOT / "target/bench/release/bench-sacrebleu")
    arguments = parser.parse_args()
    files = [arguments.reference, arguments.hypothesis, arguments.other_hypothesis]
    references, first, second = map(lines, files)
    command = [arguments.bench, str(20 * arguments.repetitions), *files]
    printed = subprocess.run(
        command, check=True, capture_output=True, text=True, env={**os.environ, "RAYON_NUM_THREADS": "1"}
    )
    rust = {}
    for line in printed.stdout.splitlines():
        program, task, seconds, _ = line.split("\t")
        rust.setdefault(task, {})[program] = float(seconds)
    tasks = {
        "bleu": lambda: BLEU(force=True).corpus_score(first, [references]),
        "chrf": lambda: CHRF().corpus_score(first, [references]),
        "chrf++": lambda: CHRF(word_order=2).corpus_score(first, [references]),
        "ter": lambda: TER().corpus_score(first, [references]),
        **{
            kind: lambda kind=kind: rouge(kind, first, references)
            for kind in ("rouge1", "rouge2", "rougeL", "rougeLsum")
        },
        "bleu paired bootstrap": lambda: paired(
            BLEU(force=True, references=[references]), "BLEU", first, second
        ),
        "chrf paired bootstrap": lambda: paired(CHRF(references=[references]), "chrF2", first, second),
    }
    print(f"{len(references)} segments; seconds of processor time, one thread, best of {arguments.repetitions}")
    print(f"{'task':24}{'python':>10}{'bolide':>10}{'times':>8}  peers")
    for task, work in tasks.items():
        python = best(1 if task == "ter" else arguments.repetitions, work)
        ours = rust[task].pop("bolide")
        peers = ", ".join(f"{name} {t:.4f} ({t / ours:.0f} times ours)" for name, t in rust[task].items())
        print(f"{task:24}{python:10.4f}{ours:10.4f}{python / ours:8.0f}  {peers}", flush=True)


if __name__ == "__main__":
    main()
