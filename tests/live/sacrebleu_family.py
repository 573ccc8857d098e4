"""Compares BLEU, chrF, TER and ROUGE with sacreBLEU and rouge-score on generated pairs, digit by digit.

    python3 tests/live/sacrebleu_family.py                    # 1,000 pairs, everyday size
    python3 tests/live/sacrebleu_family.py --full             # 10,000 pairs for each metric
    python3 tests/live/sacrebleu_family.py --only 'ter|norm:yes'

Pairs are generated here: words of several scripts, punctuation, numbers, entities and odd white space,
edited, shuffled and repeated. Every metric sees every pair as a single segment, all of them as a
corpus, and two systems in the paired tests. With ../shared/data, `--full` also compares the p-values of
all systems of a WMT task; sacreBLEU takes most of an hour of one processor for that.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import logging
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import peers
from compare import shrink

try:
    from rouge_score import rouge_scorer
    from sacrebleu.metrics import BLEU, CHRF, TER
    from sacrebleu.significance import PairedTest
except ImportError:
    # Starts again in the environment that has the peers.
    python = str(peers.python("programs"))
    os.execv(python, [python, *sys.argv])

WORDS = (
    "the a of cat dog house running runs ran quickly nation national relational happily skies dying "
    "it's don't cats' co-op state-of-the-art U.S. e.g. 3.5 1,000 2019. 5-6 -7 $5 50% a/b x=y "
    "Straße naïve café Ärger ΟΔΟΣ İstanbul \u212aelvin привет Мир 我们 今天 天气 日本語 ひらがな 한국어 "
    "العربية हिन्दी — … “quoted” ‘single’ «guillemets» „low“ € ™ → ½ ² ٣ ৪ 、 。 ！ （ ） ・ "
    "&quot; &amp; &lt; &gt; &amp;lt; &apos; <skipped> . , ; : ! ? ( ) [ ] { } ' \" - -- ... # @ * ~ _ ^ | \\ `"
).split()
SPACES = [" "] * 30 + ["  ", "\t", "\u00a0", "\u3000", "\u2003", "\u200b", "\u001f"]
CHARS = "abcdefgh.,-5'!\"$ é日。—１"


def text(rng, longest):
    kind = rng.random()
    if kind < 0.03:
        return rng.choice(["", " ", ".", "a", "a b", "5", "...", "\u3000", "'s", "x's "])
    if kind < 0.2:
        return "".join(rng.choice(CHARS) for _ in range(rng.randrange(1, 40)))
    few = rng.random() < 0.3
    words = rng.sample(WORDS, rng.randrange(2, 8)) if few else WORDS
    length = min(longest, rng.choice([3, 8, 20, 20, 30, 45, 90]))
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


def pairs(count, seed, longest=90):
    rng = random.Random(seed)
    made = []
    for _ in range(count):
        reference = text(rng, longest)
        hypothesis = edited(rng, reference) if rng.random() < 0.7 else text(rng, longest)
        # Files are read line by line, and a carriage return before a line feed belongs to the line ending.
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
        ("ter|case:mixed", {"case_sensitive": True}),
        ("ter|norm:yes", {"normalized": True}),
        ("ter|punct:no", {"no_punct": True}),
        ("ter|asian:yes", {"asian_support": True}),
        ("ter|norm:yes|asian:yes", {"normalized": True, "asian_support": True}),
        ("ter|punct:no|asian:yes|case:mixed", {"no_punct": True, "asian_support": True, "case_sensitive": True}),
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


def score(bolide, folder, name, *options):
    command = [bolide, "score", "-q", "-r", folder / "r.txt", "-i", folder / "h.txt", "-m", name]
    command += ["--format", "csv", *options]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return list(csv.DictReader(io.StringIO(printed)))


class Tally:
    """The number of equal values, and the differences."""

    def __init__(self):
        self.passed = self.failed = 0
        self.is_shown = False

    def compare(self, title, compared):
        """Takes pairs of numbers, each with a text to show if they differ."""
        different = [(ours, theirs, shown) for ours, theirs, shown in compared if ours != theirs]
        self.passed += len(compared) - len(different)
        self.failed += len(different)
        print(f"{title}: {len(compared)} compared, {len(different)} different", flush=True)
        for ours, theirs, shown in different[:3]:
            print(f"    ours {ours!r}, theirs {theirs!r}: {shown!r}")


def write(path, lines):
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8", newline="")


def compare_scores(options, folder, tally):
    """Every metric on every pair, and on all of them as a corpus."""
    for name, theirs, metric in metrics():
        if not name.startswith(options.only):
            continue
        # The shift search takes sacreBLEU a second for a long pair, so few of its pairs are long.
        is_ter = name.startswith("ter")
        made = pairs(options.pairs, options.seed, 90)
        if is_ter:
            n_long = options.pairs // 20
            made = made[:n_long] + pairs(options.pairs - n_long, options.seed + 1, 20)
        hypotheses, references = zip(*made)
        write(folder / "h.txt", hypotheses)
        write(folder / "r.txt", references)
        rows = score(options.bolide, folder, name, "--segments")
        assert len(rows) == len(made), (len(rows), len(made))
        compared = [
            (float(row["score"]), theirs(hypothesis, reference), (hypothesis, reference))
            for (hypothesis, reference), row in zip(made, rows)
        ]
        if metric is not None:
            ours = float(score(options.bolide, folder, name)[0]["score"])
            expected = metric.corpus_score(list(hypotheses), [list(references)]).score
            compared.append((ours, expected, "corpus"))
        tally.compare(name, compared)
        differing = [shown for ours, other, shown in compared if ours != other and shown != "corpus"]
        if differing and not tally.is_shown:
            tally.is_shown = True
            show_smallest(options, folder, name, theirs, differing[0])


def show_smallest(options, folder, name, theirs, pair):
    """Prints a difference, shrunk to a minimal pair."""

    def scores(pair):
        write(folder / "h.txt", pair[:1])
        write(folder / "r.txt", pair[1:])
        return float(score(options.bolide, folder, name, "--segments")[0]["score"]), theirs(*pair)

    def differs(pair):
        # A line break would split a segment in two.
        if any(c in text for text in pair for c in "\r\n"):
            return False
        ours, other = scores(pair)
        return ours != other

    pair = shrink(pair, differs)
    ours, other = scores(pair)
    print(f"{name} differs; in its smallest form:\n  hypothesis {pair[0]!r}\n  reference  {pair[1]!r}")
    print(f"  bolide {ours!r}, the original {other!r}")


def remember_statistics(metric):
    """Computes the statistics of all systems once for both tests, because they take sacreBLEU most of the time."""
    extract, known = metric._extract_corpus_statistics, {}

    def remembered(hypotheses, references):
        key = tuple(hypotheses)
        if key not in known:
            known[key] = extract(hypotheses, references)
        return known[key]

    metric._extract_corpus_statistics = remembered


def compare_tests(options, title, folder, systems, references, tally):
    """Scores and p-values of both paired tests; METEOR has no peer here and is only shown."""
    files = []
    for name, lines in systems:
        files.append(folder / name)
        write(files[-1], lines)
    write(folder / "r.txt", references)
    python_sum = "py312" if sys.version_info >= (3, 12) else "py311"
    names = {"BLEU": f"bleu|sum:{python_sum}", "chrF2": "chrf", "TER": "ter"}
    metrics = {
        "BLEU": BLEU(references=[references], force=True),
        "chrF2": CHRF(references=[references]),
        "TER": TER(references=[references]),
    }
    for metric in metrics.values():
        remember_statistics(metric)
    tests = (("bs", "bootstrap", 1000), ("ar", "randomization", options.trials))
    lines_of = dict(systems)
    for kind, option, n_samples in tests:
        command = [options.bolide, "compare", "-q", "-r", folder / "r.txt", "-i", *files]
        command += ["-m", *names.values(), "meteor", "--test", option, "-n", str(n_samples), "--format", "json"]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        ours = {(row["system"], row["metric"]): row for row in json.loads(printed)["results"]}
        compared = []
        for metric_name, metric in metrics.items():
            named = [(name, list(lines)) for name, lines in systems]
            test = PairedTest(named, {metric_name: metric}, None, kind, n_samples)
            for (name, _), result in zip(systems, test()[1][metric_name]):
                row = ours[name, names[metric_name]]
                compared.append((row["score"], result.score, (name, metric_name, "score")))
                if result.p_value is not None:
                    theirs = max(result.p_value, least_p_value(systems[0][1], lines_of[name]))
                    compared.append((row["p_value"], theirs, (name, metric_name, "p")))
                if result.mean is not None:
                    compared.append((row["mean"], float(result.mean), (name, metric_name, "mean")))
                    half = (row["half_width"], float(result.ci), (name, metric_name, "interval"))
                    compared.append(half)
        tally.compare(f"{title}, {option}, {len(systems)} systems", compared)
        meteor = (f"{name} {ours[name, 'meteor']['p_value']:.4f}" for name, _ in systems[1:])
        print("    p of meteor:", ", ".join(meteor), flush=True)


def least_p_value(baseline, system):
    """What `bolide compare` allows where n segments differ (docs/cli.md); sacreBLEU gives a copy of the baseline 0.001."""
    n_different = sum(ours != theirs for ours, theirs in zip(baseline, system))
    return min(1.0, 2.0 ** (1 - n_different))


def generated_systems(options):
    """Two systems that differ slightly, and a copy of the first."""
    made = pairs(options.pairs // 2, options.seed + 2, 20)
    rng = random.Random(options.seed)
    references = [reference for _, reference in made]
    first = [hypothesis for hypothesis, _ in made]
    second = [edited(rng, line) if rng.random() < 0.3 else line for line in first]
    return [("first", first), ("second", second), ("same", list(first))], references


def wmt_systems(folder):
    """The systems of a WMT task. bolide drops a byte order mark, sacreBLEU does not."""
    def lines(path):
        text = path.read_text(encoding="utf-8-sig")
        return [line.rstrip() for line in text.removesuffix("\n").split("\n")]

    files = sorted(path for path in folder.iterdir() if path.name.startswith("newstest"))
    return [(path.name, lines(path)) for path in files], lines(folder / "reference")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true", help="10,000 pairs, and the WMT systems")
    parser.add_argument("--pairs", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trials", type=int, default=10_000, help="of the randomization tests")
    parser.add_argument("--only", default="", help="metrics whose name starts so; 'tests' or 'wmt'")
    default = os.environ.get("BOLIDE", peers.ROOT / "target" / "release" / "bolide")
    parser.add_argument("--bolide", default=default)
    options = parser.parse_args()
    options.pairs = options.pairs or (10_000 if options.full else 1000)
    tally = Tally()
    # sacreBLEU recommends the effective order for every single segment.
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if options.only not in ("tests", "wmt"):
            compare_scores(options, folder, tally)
        if options.only in ("", "tests"):
            systems, references = generated_systems(options)
            compare_tests(options, "generated", folder, systems, references, tally)
        task = peers.ROOT.parent / "shared" / "data" / "wmt17" / "systems" / "de-en"
        if options.only == "wmt" or (options.full and not options.only):
            if task.is_dir():
                compare_tests(options, "WMT17 de-en", folder, *wmt_systems(task), tally)
            else:
                print("skipped: ../shared is absent")
    print(f"{tally.passed} passed, {tally.failed} failed")
    sys.exit(1 if tally.failed else 0)


if __name__ == "__main__":
    main()
