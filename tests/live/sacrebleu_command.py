"""`bolide sacrebleu` beside sacreBLEU itself: the same command lines, and every byte that they print.

    python3 tests/live/sacrebleu_command.py                    # about 840 command lines, everyday size
    python3 tests/live/sacrebleu_command.py --full             # 6,000
    python3 tests/live/sacrebleu_command.py --seed 7 --show    # other ones, all shown

Standard output, standard error and the exit code must be equal. Two things differ on purpose: where sacreBLEU ends
with a traceback, bolide says one line and exits with 1; and it leaves out the list of options before an error in
the command line. sacreBLEU is imported once, and every command line runs in a fork of that process.
"""

from __future__ import annotations

import argparse
import gzip
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import peers

CACHE = "cache"
# Before sacreBLEU is imported: it looks at its folder then.
os.environ["SACREBLEU"] = CACHE
for name in ("SACREBLEU_SEED", "SACREBLEU_FORMAT", "NO_COLOR"):
    os.environ.pop(name, None)

try:
    import sacrebleu.sacrebleu as peer
except ImportError:
    # Once more, in the environment that has it.
    python = str(peers.python("programs"))
    os.execv(python, [python, *sys.argv])

WORDS = (
    "the a cat dog house runs ran quickly it's don't co-op 3.5 1,000 2019. $5 50% Straße naïve İstanbul "
    "我们 今天 天气 日本語 ひらがな — “quoted” &quot; &amp; . , ; ! ? ( ) ' \" - ... # @"
).split()


def text(rng: random.Random) -> str:
    if rng.random() < 0.04:
        return rng.choice(["", " ", ".", "a", "..."])
    return " ".join(rng.choice(WORDS) for _ in range(rng.randrange(1, 25)))


def edited(rng: random.Random, original: str, rate: float) -> str:
    words = [rng.choice(WORDS) if rng.random() < rate else word for word in original.split(" ")]
    return " ".join(word for word in words if rng.random() > rate / 2)


def write_texts(rng: random.Random, n: int) -> None:
    """The files that the command lines name, in the folder that this runs in."""
    sources = [text(rng) for _ in range(n)]
    systems = {
        name: [edited(rng, source, rate) for source in sources]
        for name, rate in (("a", 0.1), ("b", 0.5), ("c", 0.12), ("r2", 0.3), ("na_ïve 1%&#~^\\<", 0.3))
    }
    for name, lines in systems.items():
        Path(f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), newline="")
    Path("r.txt").write_text("".join(f"{line}\n" for line in sources), newline="")
    Path("short.txt").write_text("".join(f"{line}\n" for line in sources[:-1]), newline="")
    Path("empty.txt").write_text("")
    Path("blank.txt").write_text("\n" * n)
    Path("bom.txt").write_text("\ufeff" + Path("a.txt").read_text(), newline="")
    Path("crlf.txt").write_text(Path("a.txt").read_text().replace("\n", "\r\n"), newline="")
    Path("latin.txt").write_bytes("".join(f"{line[:9]} é\n" for line in sources).encode("latin-1", "replace"))
    Path("broken.txt").write_bytes(b"\xff\xfe\n" * n)
    Path("unended.txt").write_text(Path("a.txt").read_text().rstrip("\n"), newline="")
    with gzip.open("a.txt.gz", "wb") as packed:
        packed.write(Path("a.txt").read_bytes())
    full = [line.strip() or "x" for line in sources]
    pairs = [f"{one}\t{edited(rng, one, 0.2).strip() or 'x'}" for one in full]
    Path("rr.tsv").write_text("".join(f"{line}\n" for line in pairs), newline="")
    Path("tokenised.txt").write_text("the cat sat on the mat .\n" * 120)
    for name, pair in (("wmt17", "de-en"), ("wmt18", "de-en"), ("wmt17", "en-zh")):
        folder = Path(CACHE, name)
        folder.mkdir(parents=True, exist_ok=True)
        fields = {"src": systems["b"], "ref": sources, "docid": [f"doc{at // 5}" for at in range(n)]}
        fields |= {"genre": ["news"] * n, "origlang": ["de" if at % 2 else "en" for at in range(n)]}
        for field, lines in fields.items():
            path = folder / f"{name}.{pair}.{field}"
            path.write_text("".join(f"{line.strip()}\n" for line in lines), newline="")


# Command lines that somebody thought of. What stands before `|` is standard input; variables come first.
LINES = r"""
r.txt -i a.txt
r.txt -i a.txt.gz -f text
r.txt -i bom.txt -f text
r.txt -i crlf.txt -f text
r.txt -i unended.txt -f text
r.txt -i blank.txt -m bleu chrf ter -f text -ci -cin 20
r.txt -i blank.txt -m bleu chrf ter -ci -cin 20
blank.txt -i a.txt -m bleu chrf ter
blank.txt -i blank.txt -m bleu chrf ter -w 4
r.txt -i latin.txt
r.txt -i latin.txt -e latin-1 -f text
r.txt -i broken.txt
r.txt -i empty.txt
empty.txt -i empty.txt
empty.txt -i a.txt
short.txt -i a.txt
r.txt -i short.txt
r.txt -i nowhere.txt
nowhere.txt -i a.txt
r.txt -i a.txt nowhere.txt
-i a.txt r.txt
r.txt -i
r.txt -i -f text
r.txt -i a.txt a.txt
r.txt -i a.txt a.txt -f text -q
r.txt -i a.txt a.txt -pbs -pbsn 9
r.txt -i a.txt a.txt b.txt -pbs -pbsn 9
r.txt -i a.txt b.txt b.txt -pbs -pbsn 9 -q
r.txt -i a.txt -pbs
r.txt -i a.txt b.txt -ci
r.txt -i a.txt b.txt -sl
r.txt -i a.txt -sl -m bleu chrf
r.txt -i a.txt -sl -ci
r.txt -i a.txt -sl -par
r.txt -i a.txt -ci -cin 1 -f text
r.txt -i a.txt -ci -cin 0
r.txt -i a.txt -d
r.txt -i a.txt -d -f json -m bleu chrf
r.txt -i a.txt b.txt -d
r.txt -i a.txt -ol de
r.txt -i a.txt --subset de
r.txt -i a.txt -V
-V
r.txt -i a.txt -l de-en
r.txt -i a.txt -l en-zh -f text
r.txt -i a.txt -l en-zh -tok 13a -f text
r.txt -i a.txt -l en-ja
r.txt -i a.txt -l en-ja -tok char -q
r.txt -i a.txt -l en-ko -tok none -m bleu ter
r.txt -i a.txt -l en-zh -m chrf -tok none
r.txt -i a.txt b.txt -m ter ter bleu ter -par -parn 9
r.txt -i a.txt -l en
r.txt -i a.txt -tok flores200
rr.tsv -nr 2 -i a.txt
rr.tsv -nr 2 -i a.txt -f text -m bleu chrf ter -sh
rr.tsv -nr 1 -i a.txt
rr.tsv -nr 3 -i a.txt
rr.tsv -nr 0 -i a.txt
rr.tsv rr.tsv -nr 2 -i a.txt
r.txt -nr 2 -i a.txt
tokenised.txt -i tokenised.txt -f text
tokenised.txt -i tokenised.txt -f text --force
tokenised.txt -i tokenised.txt -q -w 18
tokenised.txt -i tokenised.txt -m chrf ter
tokenised.txt -i tokenised.txt -sl -m ter
--cite
--cite -t wmt17
-t wmt17
-t wmt17 --echo src
-t wmt17 -l de-en --echo src
-t wmt17 -l de-en --echo ref src docid
-t wmt17 -l de-en --echo all
-t wmt17 -l de-en --echo nothing
-t wmt17,wmt18 -l de-en --echo ref
-t wmt17 -l de-en -i a.txt
-t wmt17 -l de-en -i a.txt b.txt -f text
-t wmt17 -l en-zh -i a.txt -f text -sh
-t wmt17 -l de-en r.txt -i a.txt
-t wmt17 -l de-en -i short.txt
-t wmt17 -l de-en -nr 2 -i a.txt
-t wmt17,wmt18 -l de-en -i a.txt
--echo src
a.txt | r.txt
a.txt | r.txt -f text -q
blank.txt | r.txt -f text
empty.txt | r.txt
empty.txt | empty.txt
crlf.txt | r.txt -f text
rr.tsv | r.txt -f text
rr.tsv | r.txt
rr.tsv | r.txt -pbs -pbsn 30 -f text -q
rr.tsv | r.txt -par -parn 30 -f latex
rr.tsv | r.txt -sl
a.txt | r.txt -sl -b
a.txt |
--foo
--foo -m bar
-m foo r.txt
-m
r.txt -i a.txt -m bleu foo
-w x
-w
-w 1.5
-sv x
-s foo
-f xml
-tok foo
r.txt -pbs -par
r.txt -par -pbs
r.txt -i a.txt -- x
-i a.txt -- r.txt
-i a.txt -- r.txt -f text
-i a.txt -f text -- r.txt r2.txt
r.txt -i a.txt --chrf-w 2
r.txt -i a.txt --chrf-wo 2 -m chrf
r.txt --in a.txt --met chrf --form text
r.txt --in=a.txt --met=chrf --form=text
r.txt -ia.txt -fjson -mbleu -b
r.txt -i a.txt -bq
r.txt -i a.txt -bqf text
r.txt -i a.txt -bx
r.txt -i a.txt -b=1
r.txt -i a.txt --quiet=1
r.txt -i a.txt -to 13a
r.txt -i a.txt -par=1
r.txt r2.txt -f text -i a.txt
-f text r.txt r2.txt -i a.txt
-f text r.txt -b r2.txt -i a.txt
r.txt -m bleu bleu ter bleu -i a.txt -b
r.txt -i a.txt -i b.txt -f text
r.txt -i a.txt -w 0
r.txt -i a.txt -w 0 -b
r.txt -i a.txt -w 0 -f text
r.txt -i a.txt -w -1
r.txt -i a.txt -w 25 -m bleu chrf ter -b
r.txt -i a.txt -m chrf -cc 0
r.txt -i a.txt -m chrf --chrf-beta 2.5
r.txt -i a.txt b.txt -j 1 -pbs -pbsn 20 -f text
r.txt -i a.txt b.txt -b -sh
SACREBLEU_FORMAT=text r.txt -i a.txt
SACREBLEU_FORMAT=latex r.txt -i a.txt b.txt
SACREBLEU_FORMAT=xml r.txt -i a.txt
SACREBLEU_FORMAT=text r.txt -i a.txt -f json
SACREBLEU_SEED=7 r.txt -i a.txt --confidence --confidence-n 30 --format text
SACREBLEU_SEED=7 r.txt -i a.txt b.txt --paired-bs --paired-bs-n 30 --format text
SACREBLEU_SEED=7 r.txt -i a.txt b.txt --paired-ar --paired-ar-n 30 --format text
NO_COLOR=1 r.txt -i a.txt b.txt -f text
r.txt --input a.txt --metrics bleu chrf ter --width 3 --format text --short --quiet
r.txt --input a.txt --metrics bleu --tokenize intl --lowercase --smooth-method floor --smooth-value 0.2 --force
r.txt --input a.txt --metrics chrf --chrf-char-order 4 --chrf-word-order 1 --chrf-beta 3 --chrf-whitespace
r.txt --input a.txt --metrics ter --ter-case-sensitive --ter-asian-support --ter-no-punct --ter-normalized
r.txt --input a.txt --sentence-level --score-only
r.txt --input a.txt b.txt --paired-ar --paired-ar-n 12 --paired-jobs 1 --no-color
rr.tsv --num-refs 2 --input a.txt --encoding utf-8
r.txt --input latin.txt --encoding latin1
r.txt --input latin.txt --encoding iso-8859-1
r.txt --input latin.txt --encoding ascii
r.txt --input a.txt --encoding nonsense
--citation
--citation --test-set wmt17
--version
--test-set wmt17 --language-pair de-en --input a.txt --detail
--test-set wmt17 --language-pair de-en --input a.txt --origlang de
--test-set wmt17 --language-pair de-en --echo
--language-pair de-en
--num-refs 2
"""


def drawn(rng: random.Random) -> tuple[list[str], str | None]:
    """A command line by lot, and the file for standard input."""

    def maybe(chance: float, *words: str) -> list[str]:
        return list(words) if rng.random() < chance else []

    line, stdin = [], None
    line += rng.choice([["r.txt"]] * 4 + [["r.txt", "r2.txt"], ["rr.tsv", "-nr", "2"]])
    systems = rng.choice([["a.txt"]] * 3 + [["b.txt"], ["a.txt", "b.txt"], ["b.txt", "a.txt", "c.txt"], None])
    if systems is None:
        stdin = rng.choice(["a.txt", "a.txt", "rr.tsv"])
    else:
        systems += maybe(0.1, "na_ïve 1%&#~^\\<.txt")
        line += ["-i", *systems]
    several = systems is not None and len(systems) > 1 or stdin == "rr.tsv"
    metrics = rng.sample(["bleu", "chrf", "ter"], rng.choice([1, 1, 2, 3]))
    if metrics != ["bleu"] or rng.random() < 0.5:
        line += ["-m", *metrics]
    if "bleu" in metrics:
        line += maybe(0.4, "-tok", rng.choice(["none", "zh", "13a", "intl", "char"])) + maybe(0.3, "-lc")
        line += maybe(0.4, "-s", rng.choice(["none", "floor", "add-k", "exp"]))
        line += maybe(0.2, "-sv", rng.choice(["0.5", "2", "0.25", "1e-1"]))
    if "chrf" in metrics:
        line += maybe(0.3, "-cc", str(rng.randrange(1, 8))) + maybe(0.4, "-cw", str(rng.randrange(0, 4)))
        line += maybe(0.2, "--chrf-beta", str(rng.randrange(1, 4))) + maybe(0.2, "--chrf-whitespace")
        line += maybe(0.2, "--chrf-lowercase") + maybe(0.2, "--chrf-eps-smoothing")
    if "ter" in metrics:
        for word in ("case-sensitive", "asian-support", "no-punct", "normalized"):
            line += maybe(0.25, f"--ter-{word}")
    output = rng.choice(["json", "text", "latex", None])
    # JSON of a paired bootstrap by chrF or TER is a traceback there.
    bootstrap_as_json = metrics == ["bleu"] or output not in ("json", None)
    if several:
        tests = [["-par", "-parn", str(rng.randrange(5, 60))], []]
        if bootstrap_as_json:
            tests += [["-pbs", "-pbsn", str(rng.randrange(5, 60))]] * 2
        line += rng.choice(tests)
    else:
        line += rng.choice([["-ci", "-cin", str(rng.randrange(2, 60))], [], [], ["-sl"]])
    if output:
        line += ["-f", output]
    line += maybe(0.3, "-w", str(rng.randrange(0, 18))) + maybe(0.2, "-b") + maybe(0.2, "-sh") + maybe(0.2, "-q")
    line += maybe(0.1, "-nc") + maybe(0.05, "--force") + maybe(0.05, "-l", "de-en")
    return line, stdin


def variables(line: list[str]) -> tuple[dict[str, str], list[str]]:
    """Splits NAME=VALUE from the front."""
    n = next((at for at, word in enumerate(line) if not re.match("[A-Z_]+=", word)), len(line))
    return dict(word.split("=", 1) for word in line[:n]), line[n:]


def peer_says(line: list[str], stdin: str | None) -> tuple[int, bytes, bytes]:
    """Runs sacreBLEU's main in a fork."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.dup2(os.open(stdin or os.devnull, os.O_RDONLY), 0)
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                environment, words = variables(line)
                os.environ.update(environment)
                sys.argv = ["sacrebleu", *words]
                peer.main()
                code = 0
            except SystemExit as stop:
                code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
            except BaseException:
                sys.excepthook(*sys.exc_info())
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        err.seek(0)
        return code, out.read(), err.read()


def bolide_says(program: str, line: list[str], stdin: str | None) -> tuple[int, bytes, bytes]:
    environment, words = variables(line)
    with open(stdin or os.devnull, "rb") as source:
        done = subprocess.run(
            [program, "sacrebleu", *words],
            stdin=source,
            capture_output=True,
            check=False,
            env={**os.environ, **environment},
        )
    return done.returncode, done.stdout, done.stderr


def differences(theirs: tuple[int, bytes, bytes], ours: tuple[int, bytes, bytes]) -> list[str]:
    found = []
    if theirs[0] != ours[0]:
        found.append(f"exit code {theirs[0]}, here {ours[0]}")
    traceback = b"Traceback (most recent call last)" in theirs[2]
    if traceback:
        if not ours[2].startswith(b"bolide: ") or ours[2].count(b"\n") != 1:
            found.append("a traceback there, and not one line here")
        if ours[1]:
            found.append("a traceback there, and something printed here")
        return found + ([f"stderr here: {ours[2].decode()}"] if found else [])
    if theirs[1] != ours[1]:
        found.append(f"stdout:\n{theirs[1].decode()}here:\n{ours[1].decode()}")
    expected = theirs[2]
    if expected.startswith(b"usage: "):
        expected = expected[expected.rindex(b"sacrebleu: error:") :]
    # What bolide has no list of: the test sets that could be downloaded.
    if b"from the following list" in expected:
        expected = expected[: expected.rindex(b"sacreBLEU: [")]
        ours = (*ours[:2], b"".join(ours[2].splitlines(keepends=True)[:2]))
    if expected != ours[2]:
        found.append(f"stderr:\n{theirs[2].decode()}here:\n{ours[2].decode()}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--drawn", type=int, help="how many command lines are drawn by lot")
    args = parser.parse_args()
    default = os.environ.get("BOLIDE", peers.ROOT / "target" / "release" / "bolide")
    program = str(Path(default).resolve())
    major, minor = sys.version_info[:2]
    os.environ["SACREBLEU_PYTHON"] = f"{major}.{minor}"
    rng = random.Random(args.seed)
    cases: list[tuple[list[str], str | None]] = []
    for written in LINES.strip().splitlines():
        before, bar, after = written.rpartition("|")
        cases.append((shlex.split(after), before.strip() if bar else None))
    n_drawn = args.drawn if args.drawn is not None else 6000 if args.full else 680
    cases += [drawn(rng) for _ in range(n_drawn)]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_texts(rng, 24)
        for line, stdin in cases:
            found = differences(peer_says(line, stdin), bolide_says(program, line, stdin))
            passed, failed = passed + (not found), failed + bool(found)
            if found or args.show:
                print(f"sacrebleu {shlex.join(line)}" + (f" < {stdin}" if stdin else ""))
            for difference in found:
                print("    " + difference.replace("\n", "\n    "))
        os.chdir("/")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
