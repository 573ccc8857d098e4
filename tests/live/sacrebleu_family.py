"""Compares BLEU, chrF, TER and ROUGE with the real packages on generated pairs, digit by digit.

    python -m venv target/peers && target/peers/bin/pip install sacrebleu==2.6.0 rouge-score==0.1.2
    cargo build --release -p bolide-cli
    target/peers/bin/python tests/live/sacrebleu_family.py [--pairs N] [--seed S] [--bolide PATH]

Pairs are made up here: words of several scripts, punctuation, numbers, entities and odd white space,
edited, shuffled and repeated. Every metric sees every pair as a single segment, and the first of them
as a corpus. The default of 10,000 pairs takes some minutes; CI runs fewer.
"""

import argparse
import csv
import io
import pathlib
import random
import subprocess
import sys
import tempfile

from rouge_score import rouge_scorer
from sacrebleu.metrics import BLEU, CHRF, TER

WORDS = (
    "the a of cat dog house running runs ran quickly nation national relational happily skies dying "
    "it's don't cats' co-op state-of-the-art U.S. e.g. 3.5 1,000 2019. 5-6 -7 $5 50% a/b x=y "
    "Straße naïve café Ärger ΟΔΟΣ İstanbul \u212aelvin привет Мир 我们 今天 天气 日本語 ひらがな 한국어 "
    "العربية हिन्दी — … “quoted” ‘single’ «guillemets» „low“ € ™ → ½ ² ٣ ৪ 、 。 ！ （ ） ・ "
    "&quot; &amp; &lt; &gt; &amp;lt; &apos; <skipped> . , ; : ! ? ( ) [ ] { } ' \" - -- ... # @ * ~ _ ^ | \\ `"
).split()
SPACES = [" "] * 30 + ["  ", "\t", "\u00a0", "\u3000", "\u2003", "\u200b", "\u001f"]
CHARS = "abcdefgh.,-5'!\"$ é日。—１"


def text(rng):
    kind = rng.random()
    if kind < 0.03:
        return rng.choice(["", " ", ".", "a", "a b", "5", "...", "\u3000", "'s", "x's "])
    if kind < 0.2:
        return "".join(rng.choice(CHARS) for _ in range(rng.randrange(1, 40)))
    few = rng.random() < 0.3
    words = rng.sample(WORDS, rng.randrange(2, 8)) if few else WORDS
    length = rng.choice([3, 8, 20, 20, 30, 45, 90])
    return "".join(
        rng.choice(words) + rng.choice(SPACES) for _ in range(rng.randrange(1, length + 1))
    )


def edited(rng, original):
    words = original.split(" ")
    for _ in range(rng.randrange(0, 6)):
        if not words:
            break
        at = rng.randrange(len(words))
        kind = rng.randrange(5)
        if kind == 0:
            del words[at]
        elif kind == 1:
            words.insert(at, rng.choice(WORDS))
        elif kind == 2:
            words[at] = rng.choice(WORDS)
        elif kind == 3:
            words[at] = words[at].upper()
        else:
            to, length = rng.randrange(len(words)), rng.randrange(1, 6)
            block = words[at : at + length]
            del words[at : at + length]
            words[to:to] = block
    return " ".join(words)


def pairs(count, seed):
    rng = random.Random(seed)
    made = []
    for _ in range(count):
        reference = text(rng)
        hypothesis = edited(rng, reference) if rng.random() < 0.7 else text(rng)
        # Files are read by lines, and a carriage return before a line feed belongs to the line end.
        made.append((hypothesis.rstrip("\r"), reference.rstrip("\r")))
    return made


def metrics():
    python_sum = "py312" if sys.version_info >= (3, 12) else "py311"
    for tokenizer in ("13a", "intl", "zh", "char", "none"):
        for smooth in ("exp", "floor", "add-k", "none"):
            metric = BLEU(tokenize=tokenizer, smooth_method=smooth, effective_order=True, force=True)
            name = f"bleu|tok:{tokenizer}|smooth:{smooth}|eff:yes|sum:{python_sum}"
            yield name, lambda h, r, m=metric: m.sentence_score(h, [r]).score, metric
    metric = BLEU(lowercase=True, effective_order=False, force=True)
    name = f"bleu|case:lc|eff:no|sum:{python_sum}"
    yield name, lambda h, r, m=metric: m.sentence_score(h, [r]).score, metric
    for name, options in (
        ("chrf", {}),
        ("chrf++", {"word_order": 2}),
        ("chrf|case:lc|space:yes|nw:1", {"lowercase": True, "whitespace": True, "word_order": 1}),
        ("chrf++|eff:no|beta:3", {"word_order": 2, "eps_smoothing": True, "beta": 3}),
    ):
        metric = CHRF(**options)
        yield name, lambda h, r, m=metric: m.sentence_score(h, [r]).score, metric
    for name, options in (
        ("ter", {}),
        ("ter|norm:yes", {"normalized": True}),
        ("ter|punct:no|case:mixed", {"no_punct": True, "case_sensitive": True}),
        (
            "ter|norm:yes|punct:no|asian:yes",
            {"normalized": True, "no_punct": True, "asian_support": True},
        ),
    ):
        metric = TER(**options)
        yield name, lambda h, r, m=metric: m.sentence_score(h, [r]).score, metric
    for stem in (False, True):
        for kind in ("rouge1", "rouge2", "rouge4", "rougeL", "rougeLsum"):
            scorer = rouge_scorer.RougeScorer([kind], use_stemmer=stem)
            name = f"{kind}|stem:{'yes' if stem else 'no'}"
            yield name, lambda h, r, s=scorer, k=kind: s.score(r, h)[k].fmeasure, None


def run(bolide, folder, name, *options):
    command = [bolide, "score", "-q", "-r", folder / "r.txt", "-i", folder / "h.txt", "-m", name]
    command += ["--format", "csv", *options]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return list(csv.DictReader(io.StringIO(printed)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="metrics whose name starts so")
    root = pathlib.Path(__file__).parents[2]
    parser.add_argument("--bolide", default=root / "target/release/bolide")
    arguments = parser.parse_args()
    made = pairs(arguments.pairs, arguments.seed)
    n_different = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, column in (("h.txt", 0), ("r.txt", 1)):
            lines = "".join(pair[column] + "\n" for pair in made)
            (folder / name).write_text(lines, encoding="utf-8", newline="")
        for name, theirs, metric in metrics():
            if not name.startswith(arguments.only):
                continue
            rows = run(arguments.bolide, folder, name, "--segments")
            assert len(rows) == len(made), (len(rows), len(made))
            different = []
            for (hypothesis, reference), row in zip(made, rows):
                expected = theirs(hypothesis, reference)
                if float(row["score"]) != expected:
                    different.append((hypothesis, reference, row["score"], expected))
            if metric is not None:
                ours = float(run(arguments.bolide, folder, name)[0]["score"])
                hypotheses, references = zip(*made)
                expected = metric.corpus_score(list(hypotheses), [list(references)]).score
                if ours != expected:
                    different.append(("corpus", "", ours, expected))
            n_different += len(different)
            print(f"{name}: {len(made)} segments, {len(different)} different", flush=True)
            for example in different[:3]:
                print("   ", *map(repr, example))
    sys.exit(1 if n_different else 0)


if __name__ == "__main__":
    main()
