"""The fault table: damaged inputs, kills, full disks, too few threads, long lines and HTTP attacks, by the hundred.

    python3 tests/faults/run.py                        # short form, a few minutes
    python3 tests/faults/run.py --long                 # more than 3,000 faults
    python3 tests/faults/run.py --only disk kills      # some kinds of faults
    python3 tests/faults/run.py --long --write FILE    # the table as Markdown

Each fault ends in one of three ways. *Right result*: exit code 0, and the output is the one without the fault, where
that is known. *Clear error*: exit code 1 or 2, one line on standard error that starts with `bolide: `, and nothing on
standard output. *Lost*: everything else, such as a panic, a signal, a half-written file, a file left behind or a
wrong number. The last line has the sums; the exit code is 1 if anything was lost.

It runs target/release/bolide (or $BOLIDE) and needs Linux, Python 3.11 and the right to mount a file system in memory
(root, or user namespaces). What cannot be tried is lost, never skipped.
"""

from __future__ import annotations

import argparse
import collections
import datetime
import gzip
import itertools
import json
import os
import platform
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = str(Path(os.environ.get("BOLIDE", ROOT / "target" / "release" / "bolide")).resolve())
# A run that takes longer than this is lost. Other work on the machine must not matter.
PATIENCE = 600

RIGHT, ERROR, READ, LOST = "right result", "clear error", "read, damage not detectable", "lost"
# What a fault must lead to: the output without the fault, an error, or either (but nothing lost).
SAME, FAILS, ANY = "same", "fails", "any"


class Ran:
    """A finished run."""

    def __init__(self, code: int, out: bytes, err: bytes):
        self.code, self.out, self.err = code, out, err

    def is_clear_error(self) -> bool:
        lines = self.err.decode("utf-8", "replace").splitlines()
        return self.code in (1, 2) and not self.out and len(lines) == 1 and lines[0].startswith("bolide: ")


def run(args: list, folder: Path, *, program: list | None = None, memory: int | None = None, **kw) -> Ran:
    def limit() -> None:
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    environment = {**os.environ, "BOLIDE_DATA": str(folder / "data"), "HOME": str(folder)}
    stdin = kw.pop("stdin", subprocess.DEVNULL)
    source = {"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin}
    stdout = kw.pop("stdout", subprocess.PIPE)
    try:
        done = subprocess.run(
            [*(program or [PROGRAM]), *args],
            cwd=folder,
            env=environment,
            stdout=stdout,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
            preexec_fn=limit,
            check=False,
            **source,
            **kw,
        )
    except subprocess.TimeoutExpired:
        return Ran(-99, b"", b"it took too long")
    return Ran(done.returncode, done.stdout or b"", done.stderr)


class Table:
    """Counts of outcomes by kind of fault."""

    def __init__(self) -> None:
        self.counts: dict[str, collections.Counter] = {}
        self.lost: list[str] = []

    def add(self, kind: str, outcome: str, what: str = "") -> None:
        self.counts.setdefault(kind, collections.Counter())[outcome] += 1
        if outcome == LOST:
            self.lost.append(f"{kind}: {what}")
            print(f"LOST {kind}: {what}", flush=True)

    def judge(self, kind: str, expected: str, clean: Ran | None, ran: Ran, what: str) -> None:
        """Compares a run with what must come of it."""
        told = f"{what}: exit {ran.code}, {ran.err[:300]!r}, printed {ran.out[:80]!r}"
        is_same = clean is not None and (ran.code, ran.out) == (clean.code, clean.out)
        if expected != FAILS and ran.code == 0 and (expected == ANY or is_same):
            self.add(kind, RIGHT)
        elif expected != SAME and ran.is_clear_error():
            self.add(kind, ERROR)
        else:
            self.add(kind, LOST, told)

    def markdown(self) -> str:
        columns = [RIGHT, ERROR, READ, LOST]
        lines = ["| fault | tried | " + " | ".join(columns) + " |", "|---|--:|" + "--:|" * len(columns)]
        total: collections.Counter = collections.Counter()
        for kind, counts in [*self.counts.items(), ("all", total)]:
            if counts is not total:
                total.update(counts)
            cells = [f"{counts[column]:,}" for column in columns]
            lines.append(f"| {kind} | {sum(counts.values()):,} | " + " | ".join(cells) + " |")
        return "\n".join(lines)


# ---------------------------------------------------------------- inputs

REFERENCE = [f"the {word} cat sat on mat number {at} today ." for at, word in enumerate(["old", "young", "grey"] * 4)]
HYPOTHESIS = [line.replace("sat", "slept").replace(" today", "") for line in REFERENCE]


def lines(texts: list[str]) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()


def write_inputs(folder: Path) -> None:
    (folder / "ref.txt").write_bytes(lines(REFERENCE))
    (folder / "hyp.txt").write_bytes(lines(HYPOTHESIS))
    (folder / "other.txt").write_bytes(lines(REFERENCE[1:] + REFERENCE[:1]))
    (folder / "reported.csv").write_text("metric,score\nBLEU,12.34\nchrF,50.1\n")
    (folder / "human.txt").write_text("".join(f"{at % 5}\n" for at in range(len(REFERENCE))))


Damage = Callable[[Path, bytes], None]


def damages() -> Iterator[tuple[str, str, str, Damage]]:
    """Kinds of files: their name, what must come of them, the file's name, and how to make them from good lines."""

    def put(change: Callable[[bytes], bytes]) -> Damage:
        return lambda path, good: path.write_bytes(change(good)) and None

    def pack(tool: str) -> Damage:
        def make(path: Path, good: bytes) -> None:
            if tool == "gzip":
                path.write_bytes(gzip.compress(good))
            else:
                path.write_bytes(subprocess.run([tool, "-c"], input=good, capture_output=True, check=True).stdout)

        return make

    def link(to: str) -> Damage:
        def make(path: Path, good: bytes) -> None:
            (path.parent / "target.txt").write_bytes(good)
            path.symlink_to(to)

        return make

    yield "as it is", SAME, "x.txt", put(lambda good: good)
    yield "CRLF", SAME, "x.txt", put(lambda good: good.replace(b"\n", b"\r\n"))
    yield "byte order mark", SAME, "x.txt", put(lambda good: b"\xef\xbb\xbf" + good)
    yield "mark and CRLF", SAME, "x.txt", put(lambda good: b"\xef\xbb\xbf" + good.replace(b"\n", b"\r\n"))
    yield "no last line end", SAME, "x.txt", put(lambda good: good[:-1])
    yield "gzip", SAME, "x.txt", pack("gzip")
    yield "gzip in two parts", SAME, "x.gz", put(lambda good: gzip.compress(good[:50]) + gzip.compress(good[50:]))
    yield "link", SAME, "x.txt", link("target.txt")
    for name in ("with space.txt", "ünï‑çødé.txt", "a;b&c|d.txt", "100%.txt", "*.txt", "line\nbreak.txt", "\x1b[31mred.txt"):
        yield f"name {name!r}", SAME, name, put(lambda good: good)
    yield "one line more", FAILS, "x.txt", put(lambda good: good + b"more\n")
    yield "one line less", FAILS, "x.txt", put(lambda good: good.split(b"\n", 1)[1])
    yield "empty", FAILS, "x.txt", put(lambda good: b"")
    yield "one empty line", FAILS, "x.txt", put(lambda good: b"\n")
    yield "not UTF-8", FAILS, "x.txt", put(lambda good: good[:99] + b"\xff" + good[99:])
    yield "UTF-16", FAILS, "x.txt", put(lambda good: good.decode().encode("utf-16"))
    yield "cut in a character", FAILS, "x.txt", put(lambda good: good[:-1] + "é".encode()[:1])
    yield "lone carriage returns", FAILS, "x.txt", put(lambda good: good.replace(b"\n", b"\r"))
    yield "gzip cut off", FAILS, "x.txt", put(lambda good: gzip.compress(good)[:-9])
    yield "gzip with a wrong checksum", FAILS, "x.txt", put(lambda good: gzip.compress(good)[:-6] + b"xx" + gzip.compress(good)[-4:])
    yield "head of zstd", FAILS, "x.txt", put(lambda good: b"\x28\xb5\x2f\xfd" + good)
    for name, head in (("xz", b"\xfd7zXZ\0"), ("bzip2", b"BZh91AY&SY"), ("zip", b"PK\x03\x04"), ("7z", b"7z\xbc\xaf\x27\x1c")):
        yield f"head of {name}", FAILS, "x.txt", put(lambda good, head=head: head + b"\xff" + good)
    yield "missing", FAILS, "x.txt", lambda path, good: None
    yield "folder", FAILS, "x.txt", lambda path, good: path.mkdir()
    yield "link to nowhere", FAILS, "x.txt", link("nowhere.txt")
    yield "link to itself", FAILS, "x.txt", link("x.txt")
    yield "table by its name", FAILS, "x.csv", put(lambda good: good)
    yield "NUL", ANY, "x.txt", put(lambda good: good.replace(b"cat", b"c\0t"))
    yield "empty lines", ANY, "x.txt", put(lambda good: b"\n" * good.count(b"\n"))
    yield "blank lines", ANY, "x.txt", put(lambda good: b" \t \n" * good.count(b"\n"))
    yield "a long line", ANY, "x.txt", put(lambda good: b"the cat " * 2000 + good)
    yield "controls", ANY, "x.txt", put(lambda good: good.replace(b"cat", b"\x1b[2J\x07\x08"))
    yield "unassigned and private characters", ANY, "x.txt", put(lambda good: good.replace(b"cat", "\U0010ffff\ue000\ufffd".encode()))
    yield "line separators", ANY, "x.txt", put(lambda good: good.replace(b"cat", "\u2028\u2029\x85\x0b\x0c".encode()))
    yield "only combining marks", ANY, "x.txt", put(lambda good: good.replace(b"cat", "\u0301\u200d\u202e".encode() * 9))


def commands(side: str, file: str, n: str) -> Iterator[tuple[str, list[str]]]:
    """Every command that reads lines, with the file on one side. Names do not show in the output."""
    hyp, ref = (file, "ref.txt") if side == "hypotheses" else ("hyp.txt", file)
    yield "score", ["score", "-b", "-r", ref, "-i", f"x={hyp}", "-m", "meteor:textbook", "bleu", "ter"]
    yield "segments", ["score", "-q", "-r", ref, "-i", f"x={hyp}", "-m", "chrf", "--segments", "-f", "csv"]
    yield "compare", ["compare", "-q", "-r", ref, "-i", "b=other.txt", f"x={hyp}", "-m", "bleu", "-n", "20", "-f", "json"]
    yield "mbr", ["mbr", "-i", hyp, ref, "other.txt", "-m", "chrf", "-f", "csv"]
    yield "explain", ["explain", "-q", "--files", hyp, ref, "--line", "2", "-m", "meteor:textbook"]
    yield "report", ["report", "-q", "-r", ref, "-i", f"x={hyp}", "-m", "bleu", "-n", "20", "-o", "-"]
    if n != "short":
        yield "which", ["which", "-q", "0.123456789", "--files", hyp, ref, "-f", "json"]
        yield "audit", ["audit", "-q", "reported.csv", "-i", f"x={hyp}", "-r", ref, "-f", "json"]
        yield "human", ["report", "-q", "-r", ref, "-i", f"x={hyp}", "-m", "ter", "-n", "9", "--human", "human.txt", "-o", "-"]


def shell_cases(table: Table, folder: Path, size: str, _rng: random.Random) -> None:
    """Files of every kind, on either side of every command."""
    good = {"hypotheses": lines(HYPOTHESIS), "references": lines(REFERENCE)}
    for side in good:
        (folder / "clean.txt").write_bytes(good[side])
        clean = {name: run(args, folder) for name, args in commands(side, "clean.txt", size)}
        for what, expected, file, make in damages():
            make(folder / file, good[side])
            for name, args in commands(side, file, size):
                # `which` and `audit` also exit with 1 if nothing gives the numbers; a line beyond the wanted one is not read.
                wanted = expected
                if name in ("which", "audit") and clean[name].code == 1 and expected == SAME:
                    ran = run(args, folder)
                    same = (ran.code, ran.out, ran.err) == (clean[name].code, clean[name].out, clean[name].err)
                    table.add("shell cases", RIGHT if same else LOST, f"{name}, {side}: {what}: {ran.err!r}")
                    continue
                if name in ("which", "audit") and expected == ANY:
                    ran = run(args, folder)
                    fine = ran.code in (0, 1) and b"panicked" not in ran.err
                    table.add("shell cases", RIGHT if fine else LOST, f"{name}, {side}: {what}: {ran.err!r}")
                    continue
                if name == "explain" and expected == FAILS and what in LATER:
                    wanted = ANY
                table.judge("shell cases", wanted, clean[name], run(args, folder), f"{name}, {side}: {what}")
            for path in (folder / file, folder / "target.txt"):
                if path.is_dir() and not path.is_symlink():
                    path.rmdir()
                else:
                    path.unlink(missing_ok=True)
    stream_cases(table, folder)


# Faults behind the line that `explain --line` shows.
LATER = {"one line more", "one line less", "cut in a character", "not UTF-8", "gzip cut off", "gzip with a wrong checksum"}


def stream_cases(table: Table, folder: Path) -> None:
    """Standard streams that are closed, full or pipes."""
    everything = list(commands("hypotheses", "hyp.txt", "long"))
    kind = "standard streams"
    for name, args in everything:
        clean = run(args, folder)
        with open("/dev/full", "wb") as full:
            ran = run(args, folder, stdout=full)
        if clean.code == 0:
            table.judge(kind, FAILS, None, ran, f"{name} > /dev/full")
        closed = run(["-c", 'exec "$@" >&-', "sh", PROGRAM, *args], folder, program=["sh"])
        table.add(kind, RIGHT if closed.code == clean.code else LOST, f"{name} >&-: exit {closed.code}, {closed.err!r}")
        nobody = run(["-c", '"$@" | :', "sh", PROGRAM, *args], folder, program=["sh"])
        fine = nobody.code == 0 and (not nobody.err or clean.code != 0)
        table.add(kind, RIGHT if fine else LOST, f"{name} into a closed pipe: {nobody.err!r}")
        shut = run(["-c", 'exec "$@" <&-', "sh", PROGRAM, *args], folder, program=["sh"])
        same = (shut.code, shut.out) == (clean.code, clean.out)
        table.add(kind, RIGHT if same else LOST, f"{name} <&-: {shut.err!r}")
        silent = run(["-c", 'exec "$@" 2>&-', "sh", PROGRAM, *args], folder, program=["sh"])
        same = (silent.code, silent.out) == (clean.code, clean.out)
        table.add(kind, RIGHT if same else LOST, f"{name} 2>&-: exit {silent.code}")
    clean = run(["score", "-b", "-r", "ref.txt", "-i", "hyp.txt", "-m", "bleu"], folder)
    for stdin, expected in ((lines(HYPOTHESIS), SAME), (b"", FAILS), (b"\xff\n", FAILS), (lines(HYPOTHESIS[:-1]), FAILS)):
        ran = run(["score", "-b", "-r", "ref.txt", "-m", "bleu"], folder, stdin=stdin)
        table.judge(kind, expected, clean, ran, f"standard input {stdin[:20]!r}")
    for both in ("-", "/dev/stdin"):
        ran = run(["score", "-b", "-r", both, "-i", both, "-m", "bleu"], folder, stdin=lines(HYPOTHESIS))
        table.judge(kind, FAILS, None, ran, f"standard input twice, as {both}")
    fifo = folder / "pipe"
    os.mkfifo(fifo)
    writer = threading.Thread(target=lambda: fifo.write_bytes(lines(HYPOTHESIS)))
    writer.start()
    table.judge(kind, SAME, clean, run(["score", "-b", "-r", "ref.txt", "-i", "pipe", "-m", "bleu"], folder), "named pipe")
    writer.join()
    fifo.unlink()
    for name, args in everything:
        if name not in ("score", "segments", "compare", "mbr"):
            continue
        for out, expected in (("/dev/full", FAILS), ("no/folder/out", FAILS), (".", FAILS), ("hyp.txt", FAILS), ("./ref.txt", FAILS)):
            before = {path.name: path.read_bytes() for path in folder.glob("*.txt")}
            table.judge(kind, expected, None, run([*args, "-o", out], folder), f"{name} -o {out}")
            after = {path.name: path.read_bytes() for path in folder.glob("*.txt")}
            table.add(kind, RIGHT if before == after else LOST, f"{name} -o {out} changed an input")


# ---------------------------------------------------------------- tables


def as_table(kind: str) -> bytes:
    rows = list(zip(HYPOTHESIS, REFERENCE, strict=True))
    if kind == "jsonl":
        return "".join(json.dumps({"hyp": h, "ref": r}) + "\n" for h, r in rows).encode()
    if kind == "json":
        return json.dumps([{"hyp": h, "ref": r} for h, r in rows]).encode()
    mark = "," if kind == "csv" else "\t"
    return (f"hyp{mark}ref\n" + "".join(f"{h}{mark}{r}\n" for h, r in rows)).encode()


def table_cases(table: Table, folder: Path, size: str, rng: random.Random) -> None:
    """Text tables with damages that somebody thought of, and with random ones."""
    clean = run(["score", "-b", "-r", "ref.txt", "-i", "hyp.txt", "-m", "bleu"], folder)
    columns = ["--hypothesis-column", "hyp", "--reference-column", "ref"]

    def score(kind: str, content: bytes) -> Ran:
        (folder / f"t.{kind}").write_bytes(content)
        return run(["score", "-b", "-i", f"t.{kind}", *columns, "-m", "bleu"], folder)

    for kind in ("jsonl", "json", "csv", "tsv"):
        good = as_table(kind)
        header = good.split(b"\n", 1)[0]
        cases: list[tuple[str, str, bytes]] = [
            ("as it is", SAME, good),
            ("CRLF", SAME, good.replace(b"\n", b"\r\n")),
            ("byte order mark", SAME, b"\xef\xbb\xbf" + good),
            ("no last line end", SAME, good.rstrip(b"\n")),
            ("gzip", SAME, gzip.compress(good)),
            ("empty", FAILS, b""),
            ("one line end", FAILS, b"\n"),
            ("not UTF-8", FAILS, good[:-30] + b"\xff" + good[-30:]),
            ("another column's name", FAILS, good.replace(b"ref", b"rfe")),
            ("gzip cut off", FAILS, gzip.compress(good)[:-20]),
        ]
        if kind in ("csv", "tsv"):
            mark = b"," if kind == "csv" else b"\t"
            cases += [
                ("a column twice", FAILS, good.replace(header, header + mark + b"hyp")),
                ("a row too short", FAILS, good + b"only one\n"),
                ("a row too long", FAILS, good + mark.join([b"a", b"b", b"c"]) + b"\n"),
                ("header only", FAILS, header + b"\n"),
            ]
        if kind == "csv":
            cases += [
                ("a quote that does not end", FAILS, good + b'"x,y\n'),
                ("quoted", SAME, good.replace(b"hyp,ref", b'"hyp","ref"')),
            ]
        if kind == "jsonl":
            cases += [
                ("a line that is no object", FAILS, good + b"[1]\n"),
                ("a line cut off", FAILS, good[:-9]),
                ("a number for a text", FAILS, good + b'{"hyp":1,"ref":"x"}\n'),
                ("a text that is null", FAILS, good + b'{"hyp":null,"ref":"x"}\n'),
                ("a key left out", FAILS, good + b'{"hyp":"x"}\n'),
                ("a key twice", FAILS, good + b'{"hyp":"x","hyp":"y","ref":"x"}\n'),
                ("half a surrogate", FAILS, good + b'{"hyp":"\\ud800","ref":"x"}\n'),
                ("blank lines at the end", SAME, good + b"\n\n"),
                ("nested too deep", FAILS, good + b'{"hyp":' + b"[" * 100_000 + b"\n"),
            ]
        if kind == "json":
            cases += [
                ("no end", FAILS, good[:-1]),
                ("text after the end", FAILS, good + b" x"),
                ("an empty array", FAILS, b"[]"),
                ("an array of numbers", FAILS, b"[1,2]"),
                ("nested too deep", FAILS, b"[" * 100_000),
            ]
        for what, expected, content in cases:
            table.judge("text tables", expected, clean, score(kind, content), f"{kind}: {what}")
        for _ in range({"short": 10, "long": 150}[size]):
            content = mutated(rng, good)
            ran = score(kind, content)
            outcome = RIGHT if (ran.code, ran.out) == (clean.code, clean.out) else READ if ran.code == 0 else LOST
            table.add("text tables, random damage", ERROR if ran.is_clear_error() else outcome, f"{kind}: {content!r}: {ran.err!r}")


def mutated(rng: random.Random, good: bytes) -> bytes:
    """A few bytes changed, taken out or put in, or a part cut off, repeated or zeroed."""
    content = bytearray(good)
    for _ in range(rng.choice([1, 1, 2, 5])):
        at = rng.randrange(len(content) + 1)
        to = min(len(content), at + rng.choice([1, 4, 40, 400]))
        change = rng.randrange(6)
        if change == 0 and at < len(content):
            content[at] = rng.randrange(256)
        elif change == 1:
            content[at:at] = bytes([rng.randrange(256)])
        elif change == 2:
            del content[at:to]
        elif change == 3:
            content[at:to] = bytes(to - at)
        elif change == 4:
            content[at:at] = content[at:to]
        elif len(content) > 1 and rng.random() < 0.3:
            del content[at:]
        elif at < len(content):
            content[at] ^= 1 << rng.randrange(8)
        if not content:
            break
    return bytes(content)


def parquet_cases(table: Table, folder: Path, size: str, rng: random.Random) -> None:
    """Parquet files with random damage, half of it in the footer, where the structure is."""
    made = ["score", "-q", "-r", "ref.txt", "-i", "hyp.txt", "-m", "bleu", "--segments", "-f", "parquet", "-o", "t.parquet"]
    first = run(made, folder)
    if first.code != 0:
        table.add("Parquet files", LOST, f"none could be written: {first.err!r}")
        return
    good = (folder / "t.parquet").read_bytes()
    score = ["score", "-b", "-i", "t.parquet", "--hypothesis-column", "system", "--reference-column", "metric", "-m", "chrf"]
    clean = run(score, folder)
    table.judge("Parquet files", ANY, None, clean, "undamaged")
    footer = 8 + int.from_bytes(good[-8:-4], "little")
    for _ in range({"short": 60, "long": 1955}[size]):
        if rng.random() < 0.5:
            content = good[:-footer] + mutated(rng, good[-footer:])
        else:
            content = mutated(rng, good)
        (folder / "t.parquet").write_bytes(content)
        ran = run(score, folder, memory=4 << 30)
        outcome = RIGHT if (ran.code, ran.out) == (clean.code, clean.out) else READ if ran.code == 0 else LOST
        table.add("Parquet files", ERROR if ran.is_clear_error() else outcome, f"{len(content)} bytes: exit {ran.code}, {ran.err!r}")


def compiled_cases(table: Table, folder: Path, size: str, rng: random.Random) -> None:
    """A compiled paraphrase table with any damage: no metric may use it."""
    words = [f"word{at}" for at in range(3000)]
    records = "".join(f"0.{rng.randrange(1, 9)}\n{rng.choice(words)} {rng.choice(words)}\n{rng.choice(words)}\n" for _ in range(20_000))
    (folder / "paraphrase-en.gz").write_bytes(gzip.compress(records.encode()))
    made = run(["data", "import", "paraphrase-en.gz"], folder)
    score = ["score", "-b", "-r", "ref.txt", "-i", "hyp.txt", "-m", "meteor:1.5"]
    clean = run(score, folder)
    if made.code != 0 or clean.code != 0:
        table.add("compiled tables", LOST, f"none could be made: {made.err!r} {clean.err!r}")
        return
    path = folder / "data" / "paraphrase-en.bolide"
    good = path.read_bytes()
    for round_ in range({"short": 20, "long": 120}[size]):
        content = mutated(rng, good)
        if round_ % 3 == 0:
            # A tenth of it, as a bad disk may lose it.
            at = rng.randrange(len(good) * 9 // 10)
            content = good[:at] + bytes(len(good) // 10) + good[at + len(good) // 10 :]
        path.write_bytes(content)
        expected = SAME if content == good else FAILS
        table.judge("compiled tables", expected, clean, run(score, folder), f"round {round_}, {len(content)} bytes")
    for round_ in range({"short": 10, "long": 60}[size]):
        (folder / "paraphrase-en.gz").write_bytes(mutated(rng, gzip.compress(records.encode())))
        before = path.read_bytes()
        ran = run(["data", "import", "paraphrase-en.gz"], folder)
        if ran.code != 0 and path.read_bytes() != before:
            table.add("damaged imports", LOST, "an import that failed changed the table")
        outcome = RIGHT if ran.code == 0 else LOST
        table.add("damaged imports", ERROR if ran.is_clear_error() else outcome, f"round {round_}: exit {ran.code}, {ran.err!r}")
    path.write_bytes(good)


# ---------------------------------------------------------------- the system


def kill_cases(table: Table, folder: Path, size: str, rng: random.Random) -> None:
    """Signals at random moments while `-o` writes: the old file or the new one, and nothing else."""
    many = lines(REFERENCE) * 1500
    (folder / "many.txt").write_bytes(many)
    here = folder / "kills"
    here.mkdir()
    command = [PROGRAM, "score", "-q", "-r", "many.txt", "-i", "many.txt", "-m", "chrf", "--segments", "-f", "csv", "-o", "kills/out.csv"]
    start = time.monotonic()
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    whole_time = time.monotonic() - start
    whole = (here / "out.csv").read_bytes()
    for round_ in range({"short": 24, "long": 300}[size]):
        number = rng.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
        for path in here.iterdir():
            path.unlink()
        old = rng.random() < 0.5
        if old:
            (here / "out.csv").write_bytes(b"old\n")
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
            time.sleep(rng.uniform(0, whole_time * 1.05))
            child.send_signal(number)
            code = child.wait()
        out = (here / "out.csv").read_bytes() if (here / "out.csv").exists() else None
        left = [path for path in here.iterdir() if path.name != "out.csv"]
        # SIGKILL in the moment of the replacement may leave the complete file under another name.
        complete = number == signal.SIGKILL and all(path.read_bytes() == whole for path in left)
        what = f"round {round_}, {number.name}, exit {code}, left {[path.name for path in left]}, {out and len(out)} bytes"
        if (left and not complete) or out not in (whole, b"old\n" if old else None):
            table.add("kills while writing", LOST, what)
        else:
            table.add("kills while writing", RIGHT if out == whole else ERROR)


def disk_cases(table: Table, folder: Path, size: str, rng: random.Random) -> None:
    """A disk of 1 MB: what fits is written, what does not is told, and an old file stays."""
    script = r"""
mkdir small && mount -t tmpfs -o size=1m none small || exit 77
bolide=$1; shift
while [ $# -gt 0 ]; do
  rm -rf small/* small/.b*
  [ "$2" = new ] || echo old > small/out
  [ "$2" != nearly ] || head -c "$3" /dev/zero > small/filler
  "$bolide" score -q -r "$1" -i "$1" -m chrf $4 -o small/out >said 2>&1
  code=$?
  echo "$1 $2 $code $(stat -c %s small/out 2>/dev/null || echo none) $(ls -A small | grep -c '^\.') $(wc -l < said) $(head -c 8 said | tr ' ' _)"
  shift 4
done
"""
    runs = []
    (folder / "big.txt").write_bytes(b"a b\n" * 20_000)
    (folder / "huge.txt").write_bytes(b"a b\n" * 60_000)
    for text, state, form in itertools.product(["big.txt", "huge.txt"], ["new", "old", "nearly"], ["csv", "json", "tsv"]):
        for _ in range({"short": 1, "long": 8}[size]):
            runs.append([text, state, str(rng.randrange(4096, 1_000_000)), f"--segments -f {form}"])
    sizes = {}
    for text, form in itertools.product(["big.txt", "huge.txt"], ["csv", "json", "tsv"]):
        ran = run(["score", "-q", "-r", text, "-i", text, "-m", "chrf", "--segments", "-f", form, "-o", "whole"], folder)
        sizes[text, form] = (folder / "whole").stat().st_size if ran.code == 0 else -1
    # As root, in a namespace of one's own, or as root by sudo: the first that may mount.
    ways = [["unshare", "--mount"], ["unshare", "--map-root-user", "--mount"], ["sudo", "-n", "unshare", "--mount"]]
    mounts = ["sh", "-c", "mount -t tmpfs none /mnt"]
    way = next((way for way in ways if shutil.which(way[0]) and run(mounts, folder, program=way).code == 0), ways[0])
    shell = [*way, "sh", "-c", script, "sh", PROGRAM]
    done = run([argument for one in runs for argument in one], folder, program=shell)
    answers = done.out.decode().splitlines()
    if len(answers) != len(runs):
        table.add("a disk of 1 MB", LOST, f"no small disk could be mounted: {done.err!r}")
        return
    for one, answer in zip(runs, answers, strict=True):
        _, _, code, out, left, n_lines, head = answer.split(" ")
        whole = sizes[one[0], one[3].split()[-1]]
        before = "none" if one[1] == "new" else "4"
        room = (1 << 20) - (int(one[2]) if one[1] == "nearly" else 0)
        if code == "0" and out == str(whole) and left == "0":
            table.add("a disk of 1 MB", RIGHT)
        elif code == "1" and out == before and left == "0" and n_lines == "1" and head == "bolide:_" and whole > room - 16_384:
            table.add("a disk of 1 MB", ERROR)
        else:
            table.add("a disk of 1 MB", LOST, f"{one}: {answer}, whole {whole}, room {room}")


def thread_cases(table: Table, folder: Path, size: str, _rng: random.Random) -> None:
    """A limit on processes, as a user who is not root: the threads that start do the work."""
    shutil.copy(PROGRAM, folder / "bolide")
    os.chmod(folder, 0o777)
    as_other = ["setpriv", "--reuid", "54321", "--regid", "54321", "--clear-groups"] if os.getuid() == 0 else []
    judged = "system\tref\thyp\thuman\n" + "".join(
        f"s{at % 3}\t{REFERENCE[at % 12]}\t{HYPOTHESIS[at * 5 % 12]}\t{at * 7 % 10}\n" for at in range(24)
    )
    (folder / "judged.tsv").write_text(judged)
    columns = ["--human-column", "human", "--hypothesis-column", "hyp", "--reference-column", "ref"]
    cases = [
        *(args for _, args in commands("hypotheses", "hyp.txt", "long")),
        ["correlate", "-i", "judged.tsv", *columns, "-m", "bleu", "meteor:textbook", "--confidence", "-n", "50"],
        ["tune", "-i", "judged.tsv", *columns, "-m", "meteor:textbook", "--folds", "2"],
        ["sacrebleu", "ref.txt", "-i", "hyp.txt"],
        ["meteor15", "hyp.txt", "ref.txt", "-m", "exact stem synonym"],
        ["dialects"],
        ["completions", "bash"],
    ]
    for args in cases:
        # `report` packs in an order that does not depend on threads, so all bytes can be compared.
        clean = run(args, folder)
        for n in (1, 2, 3) if size == "short" else (1, 2, 3, 4, 5, 8):
            for jobs in ([], ["-j", "64"]):
                if jobs and args[0] in ("sacrebleu", "meteor15"):
                    continue
                limited = [*as_other, "prlimit", f"--nproc={n}", str(folder / "bolide")]
                ran = run([*args, *jobs], folder, program=limited)
                same = (ran.code, ran.out) == (clean.code, clean.out)
                table.add("too few threads", RIGHT if same else LOST, f"{n}, {args[0]} {jobs}: exit {ran.code}, {ran.err[:300]!r}")


def long_cases(table: Table, folder: Path, size: str, rng: random.Random) -> None:
    """Long lines by every dialect, with 3 GB of memory: a score, or a limit that is told."""
    listed = run(["dialects", "--format", "json"], folder)
    names = [dialect["name"] for dialect in json.loads(listed.out)["dialects"]]
    shapes = {
        "one word": lambda n: "a" * n,
        "one word repeated": lambda n: "the " * (n // 4),
        "few words": lambda n: " ".join(rng.choice(["the", "cat", "sat", "on", "mat"]) for _ in range(n // 4)),
        "many words": lambda n: " ".join(f"w{rng.randrange(n)}" for _ in range(n // 7)),
        "no spaces": lambda n: "".join(rng.choice("猫座席今天气好") for _ in range(n // 3)),
        "punctuation": lambda n: "." * n,
    }
    for shape, n in itertools.product(shapes, (10_000,) if size == "short" else (10_000, 100_000)):
        for side, text in (("hyp", shapes[shape](n)), ("ref", shapes[shape](n))):
            (folder / f"long-{side}.txt").write_text(text + "\n")
        for name in names:
            args = ["score", "-q", "-b", "-r", "long-ref.txt", "-i", "long-hyp.txt", "-m", name, "-j", "1"]
            ran = run(args, folder, memory=3 << 30)
            table.judge("long lines", ANY, None, ran, f"{name}, {shape}, {n} bytes")


def http_cases(table: Table, folder: Path, size: str, rng: random.Random) -> None:
    """Requests that no browser sends; the server must answer the next one."""
    with subprocess.Popen([PROGRAM, "serve", "--port", "0"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as server:
        told = server.stdout.readline().decode()
        port = int("".join(c for c in told.split("127.0.0.1:")[-1].split("/")[0] if c.isdigit()))

        def ask(request: bytes, patience: float = 15) -> bytes:
            answer = b""
            try:
                with socket.create_connection(("127.0.0.1", port), timeout=patience) as line:
                    line.settimeout(patience)
                    line.sendall(request)
                    line.shutdown(socket.SHUT_WR)
                    while part := line.recv(65536):
                        answer += part
            except OSError:
                pass
            return answer

        good = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        paths = [b"/../../etc/passwd", b"/%2e%2e/%2e%2e/etc/passwd", b"//etc/passwd", b"/..\\..\\x", b"/%00", b"/" + b"a" * 9000, b"/%", b"/%zz", b"*", b"", b"/\xff"]
        methods = [b"GET", b"HEAD", b"POST", b"PUT", b"DELETE", b"OPTIONS", b"TRACE", b"CONNECT", b"get", b"G" * 5000, b"\0"]
        attacks = [method + b" " + path + b" HTTP/1.1\r\nHost: x\r\n\r\n" for method in methods for path in paths]
        attacks += [
            b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 50_000 + b"\r\n",
            b"GET / HTTP/1.1\r\nX: " + b"y" * 1_000_000 + b"\r\n\r\n",
            b"POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
            b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
            b"GET / HTTP/9.9\r\n\r\n",
            b"GET /\r\n",
            b"\r\n\r\n\r\n",
            b"",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            b"GET / HTTP/1.1\nHost: x\n\n",
            good * 50,
            b"GET / HTTP/1.1\r\nHost: x\r\nRange: bytes=0-0,1-1,2-2,-1\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: x\r\nIf-None-Match: " + b'"x",' * 500 + b"\r\n\r\n",
        ]
        attacks += [mutated(rng, good) for _ in range({"short": 60, "long": 1000}[size])]
        for attack in attacks:
            answer = ask(attack)
            status = answer[9:12]
            # Nothing outside of the page may come out, and no answer may be anything but HTTP.
            if b"root:" in answer or (answer and not answer.startswith(b"HTTP/1.1 ")) or server.poll() is not None:
                table.add("HTTP attacks", LOST, f"{attack[:80]!r}: {answer[:80]!r}")
            else:
                table.add("HTTP attacks", RIGHT if status in (b"200", b"304") else ERROR)
        for n_silent, expected in ((40, (b"200",)), (80, (b"200", b"503"))):
            silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(n_silent)]
            for line in silent[:20]:
                line.sendall(b"GET / HT")
            status = ask(good)[9:12]
            outcome = RIGHT if status == b"200" else ERROR
            table.add("HTTP attacks", outcome if status in expected else LOST, f"{n_silent} connections that say nothing: {status!r}")
            for line in silent:
                line.close()
            time.sleep(1)
        fine = ask(good).startswith(b"HTTP/1.1 200") and server.poll() is None
        table.add("HTTP attacks", RIGHT if fine else LOST, "the request after all attacks")
        server.terminate()


KINDS = {
    "shell": shell_cases,
    "tables": table_cases,
    "parquet": parquet_cases,
    "compiled": compiled_cases,
    "kills": kill_cases,
    "disk": disk_cases,
    "threads": thread_cases,
    "long": long_cases,
    "http": http_cases,
}


def main() -> int:
    parser = argparse.ArgumentParser(description="The fault table: see the top of this file.")
    parser.add_argument("--long", action="store_true", help="more than 3,000 faults")
    parser.add_argument("--only", nargs="+", choices=KINDS, help="only these kinds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path, help="write the table to this file")
    args = parser.parse_args()
    size = "long" if args.long else "short"
    table = Table()
    for kind, cases in KINDS.items():
        if args.only and kind not in args.only:
            continue
        start = time.monotonic()
        try:
            with tempfile.TemporaryDirectory() as folder:
                write_inputs(Path(folder))
                cases(table, Path(folder), size, random.Random(f"{args.seed} {kind}"))
        except KeyboardInterrupt:
            # What was tried counts; what was not is no success.
            table.add(kind, LOST, "interrupted")
            break
        tried = sum(sum(counts.values()) for counts in table.counts.values())
        print(f"{kind}: {time.monotonic() - start:.0f} s, {tried} tried so far, {len(table.lost)} lost", flush=True)
    print(f"\n{table.markdown()}\n")
    total: collections.Counter = sum(table.counts.values(), collections.Counter())
    tried = sum(total.values())
    print(f"tried {tried}: {total[RIGHT]} right results, {total[ERROR]} clear errors, {total[READ]} damages that cannot be seen, {total[LOST]} lost")
    if args.write:
        day = datetime.date.today().isoformat()
        head = f"# Faults\n\n`python3 tests/faults/run.py{' --long' if args.long else ''} --seed {args.seed}` on {day}, {platform.system()} {platform.machine()}:\n\n"
        args.write.write_text(head + table.markdown() + "\n")
    return 1 if total[LOST] else 0


if __name__ == "__main__":
    sys.exit(main())
