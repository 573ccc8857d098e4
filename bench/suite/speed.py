"""bolide against its peers on the same pairs: ratios of processor time, peak memory, cold start, and equality of results.

Both sides have the text in memory and score it repeatedly in turn, one thread each. Both have scored it once before, so the caches
of NLTK, sacreBLEU and bolide are warm. The ratio of a repetition is the peer's time over bolide's in the same repetition, so a
machine that slows down affects both. METEOR 1.5 runs over its line protocol, which is how pycocoevalcap uses the jar. A cold
start is the wall-clock time from the start of a process to its first score: for the command, and for Python with the peer's imports.
"""

from __future__ import annotations

import dataclasses
import struct
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from suite.corpora import Corpus, write
from suite.measure import Server, finish, spread
from suite.programs import Programs


@dataclass(frozen=True)
class Peer:
    """One comparison: the peer's task (see bench/peer.py) and bolide's name for it."""

    label: str
    task: str
    metric: str
    # A slow peer scores one pair in this many.
    share: int = 1
    # Java's `pow` is not fixed to the last bit.
    tolerance: float = 0.0


PYTHON = [
    Peer("NLTK METEOR", "nltk_meteor", "meteor:nltk"),
    Peer("NLTK BLEU", "nltk_bleu", "bleu:nltk"),
    Peer("NLTK GLEU", "nltk_gleu", "gleu"),
    Peer("evaluate METEOR", "evaluate_meteor", "meteor:hf"),
    # Python 3.12 changed how it adds floats up.
    Peer("sacreBLEU BLEU", "sacrebleu_bleu", "bleu|sum:{sum_of_python}"),
    Peer("sacreBLEU chrF", "sacrebleu_chrf", "chrf"),
    Peer("sacreBLEU chrF++", "sacrebleu_chrfpp", "chrf++"),
    Peer("sacreBLEU TER", "sacrebleu_ter", "ter", share=4),
    Peer("sacreBLEU paired bootstrap", "sacrebleu_paired", "bleu paired bootstrap"),
    Peer("rouge-score ROUGE-1", "rouge_1", "rouge1"),
    Peer("rouge-score ROUGE-L", "rouge_L", "rougeL", share=2),
    Peer("pycocoevalcap BLEU", "coco_bleu", "bleu:coco"),
    Peer("pycocoevalcap ROUGE-L", "coco_rouge", "rougeL:coco"),
    Peer("pycocoevalcap METEOR", "coco_meteor", "meteor:1.5", tolerance=4e-16),
]
RUST = [("bleuscore BLEU", "bleuscore", "bleu"), ("sacrebleu-rs BLEU", "sacrebleu-rs", "bleu"),
        ("sacrebleu-rs chrF", "sacrebleu-rs", "chrf"), ("sacrebleu-rs TER", "sacrebleu-rs", "ter")]
# How long bolide runs within one repetition.
SECONDS = 0.2


def compare(programs: Programs, folder: Path, corpus: Corpus, repetitions: int, starts: int, only: list[str]) -> list[dict]:
    """One row for each peer that is wanted."""
    wanted = lambda label: not only or any(word.lower() in label.lower() for word in only)  # noqa: E731
    rows = []
    for peer in filter(lambda peer: wanted(peer.label), PYTHON):
        rows.append(shown(beside_python(programs, folder, corpus, peer, repetitions, starts)))
    if wanted("METEOR 1.5 jar"):
        rows.append(shown(beside_jar(programs, folder, corpus, repetitions, starts)))
    engine = Server([programs.engine, *corpus.files], programs.environment)
    for label, program, task in RUST:
        if wanted(label):
            rows.append(shown(beside_rust(engine, corpus, label, program, task, repetitions)))
    engine.close()
    return rows


def shown(row: dict) -> dict:
    """Prints the row before the others are measured."""
    ratio = row["ratio"]
    print(f"  {row['corpus']}: {row['peer']}: {ratio['median']:.1f} ({ratio['min']:.1f}–{ratio['max']:.1f}), {row['agreement']}",
          file=sys.stderr)
    return row


def result(corpus: Corpus, label: str, metric: str, n: int, peer: list, ours: list, agreement: str, **more: object) -> dict:
    """A row of the table. Times are (processor, clock) for one pass over n pairs."""
    return {
        "corpus": corpus.name, "peer": label, "metric": metric, "pairs": n,
        "peer_rate": spread([n / processor for processor, _ in peer]),
        "rate": spread([n / processor for processor, _ in ours]),
        "ratio": spread([theirs[0] / own[0] for theirs, own in zip(peer, ours)]),
        "clock_ratio": spread([theirs[1] / own[1] for theirs, own in zip(peer, ours)]),
        "agreement": agreement, **more,
    }


def beside_python(programs: Programs, folder: Path, corpus: Corpus, peer: Peer, repetitions: int, starts: int) -> dict:
    peer = dataclasses.replace(peer, metric=peer.metric.format(sum_of_python=programs.sum_of_python))
    part = share(folder, corpus, peer.share)
    command = [programs.python, Path(__file__).parents[1] / "peer.py", peer.task]
    single = first(folder, corpus)
    metric = peer.metric.removesuffix(" paired bootstrap")
    cold = {"peer_start": [], "start": []}
    for _ in range(starts):
        cold["start"].append(finish(programs.score(metric, single), programs.environment).clock)
        server = Server([*command, *single.files], programs.environment)
        server.answer()
        cold["peer_start"].append(time.perf_counter() - server.started)
        server.close()
    theirs = Server([*command, *part.files], programs.environment)
    remark = theirs.answer().removeprefix("ready").strip()
    ours = Server([programs.engine, *part.files], programs.environment)
    agreement = agree(peer, theirs.ask("result"), ours)
    times, own = [], []
    for _ in range(repetitions):
        processor, clock = map(float, theirs.ask("pass"))
        times.append((processor, clock))
        taken = own_time(ours, peer.metric)[0]
        own.append((taken, taken))
    peak = float(theirs.ask("peak")[0])
    theirs.close()
    ours.close()
    more = {name: spread(values) for name, values in cold.items()}
    more |= {"peer_peak": peak, "peak": finish(programs.score(metric, part), programs.environment, watch=True).peak}
    return result(corpus, peer.label, peer.metric, len(part.pairs), times, own, agreement, remark=remark, **more)


def own_time(engine: Server, task: str) -> tuple[float, float]:
    """bolide's time for a pass, and its result."""
    request = ("time", "bolide", task) if task.endswith(" paired bootstrap") else ("steady", task)
    seconds, bits = engine.ask(*request, SECONDS)
    return float(seconds), from_bits(bits)


def agree(peer: Peer, answer: list[str], engine: Server) -> str:
    """The comparison of the results and its outcome."""
    corpus, segments = answer[0], [float.fromhex(score) for score in answer[1:]]
    if segments:
        ours = [from_bits(bits) for bits in engine.ask("segments", peer.metric)]
        different = sum(not same(a, b, peer.tolerance) for a, b in zip(segments, ours, strict=True))
        return f"{different} of {len(ours)} segments differ" if different else f"all {len(ours)} segments equal"
    if corpus != "-":
        ours = from_bits(engine.ask("time", "bolide", peer.metric, 0)[1])
        theirs = float.fromhex(corpus)
        return "the score is equal" if same(theirs, ours, peer.tolerance) else f"the scores differ: {theirs} and {ours}"
    return "not compared here"


def same(one: float, other: float, tolerance: float) -> bool:
    return one.hex() == other.hex() or abs(one - other) <= tolerance


def from_bits(bits: str) -> float:
    return struct.unpack(">d", bytes.fromhex(bits))[0]


def beside_jar(programs: Programs, folder: Path, corpus: Corpus, repetitions: int, starts: int) -> dict:
    flags = ["-", "-", "-stdio", "-l", "en", "-norm"]
    commands = {"jar": [*programs.jar, *flags], "bolide": [programs.bolide, "meteor15", *flags]}
    requests = "".join(f"SCORE ||| {reference} ||| {hypothesis}\n" for hypothesis, reference in corpus.pairs).encode()
    cold: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(starts):
        for name, command in commands.items():
            server = Server(command, programs.environment)
            server.ask_all(requests[: requests.index(b"\n") + 1], 1)
            cold[name].append(time.perf_counter() - server.started)
            server.close()
    servers = {name: Server(command, programs.environment) for name, command in commands.items()}
    n = len(corpus.pairs)
    # Java compiles during the first rounds.
    for _ in range(3):
        servers["jar"].ask_all(requests, n)
    times: dict[str, list] = {name: [] for name in commands}
    answers = {}
    for _ in range(repetitions):
        for name, server in servers.items():
            # The kernel counts a process's time in hundredths of a second: more passes make that small.
            passes = 1 if name == "jar" else 10
            usage, answers[name] = server.ask_all(requests * passes, n * passes)
            times[name].append((usage.processor / passes, usage.clock / passes))
    peaks = {name: server.peak() for name, server in servers.items()}
    for server in servers.values():
        server.close()
    different = sum(one != other for one, other in zip(answers["jar"], answers["bolide"]))
    agreement = f"{different} of {n} statistics differ" if different else f"all {n} statistics equal"
    more = {"peer_start": spread(cold["jar"]), "start": spread(cold["bolide"])}
    more |= {"peer_peak": peaks["jar"], "peak": peaks["bolide"]}
    return result(corpus, "METEOR 1.5 jar", "meteor15 -stdio", n, times["jar"], times["bolide"], agreement, **more)


def beside_rust(engine: Server, corpus: Corpus, label: str, program: str, task: str, repetitions: int) -> dict:
    """Another crate in the same process. Its results may differ, so they are reported and not required to be equal."""
    times, own = [], []
    for _ in range(repetitions):
        seconds, bits = engine.ask("time", program, task, SECONDS)
        times.append((float(seconds), float(seconds)))
        taken, ours = own_time(engine, task)
        own.append((taken, taken))
        theirs = from_bits(bits)
    if theirs == ours:
        agreement = "the score is equal"
    elif abs(theirs - ours) <= 1e-12 * abs(ours):
        agreement = "the score is equal but for rounding"
    else:
        agreement = f"another score: {theirs:.4g} instead of {ours:.4g}"
    return result(corpus, label, task, len(corpus.pairs), times, own, agreement)


def share(folder: Path, corpus: Corpus, one_in: int) -> Corpus:
    if one_in == 1:
        return corpus
    others = corpus.others.read_text("utf-8").split("\n")
    rows = [(*pair, other) for pair, other in zip(corpus.pairs, others)]
    return replace(write(folder, f"{corpus.name}-{one_in}", rows[::one_in]), corpus.name)


def first(folder: Path, corpus: Corpus) -> Corpus:
    return write(folder, f"{corpus.name}-first", [(*corpus.pairs[0], corpus.pairs[0][0])])


def replace(corpus: Corpus, name: str) -> Corpus:
    return Corpus(name, *corpus.files, corpus.pairs)
