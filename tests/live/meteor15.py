"""Compares `bolide meteor15` with the real meteor-1.5.jar: statistics, alignments, scores, a client, a soak test.

    python3 tests/live/meteor15.py              # 2,000 English pairs, 100 of each other language
    python3 tests/live/meteor15.py --full       # 20,000 and 2,000, all of WMT17 de-en, a million requests
    python3 tests/live/meteor15.py --only soak

The jar and its English paraphrases come from the PyPI wheel `pycocoevalcap` 1.2. Java is installed from Debian's
default-jre-headless if it is absent and apt-get is available.
All output must be equal. The last bit of Java's `pow` depends on the processor unless the JVM uses fdlibm's, so
these runs select fdlibm's.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import peers
from compare import shrink
from pairs import Generator

# Letters and endings that the stemmers of each language react to.
LANGUAGES = {
    "cz": ("aábcčdďeéěfghiíjklmnňoópqrřsšťuúůvyýzž", "ami ech ého ému ích ou y a e"),
    "fr": ("abcdeéèêfghilmnoprstuvàâçîïôûœ", "ement ation ations euse eux ité ités er ait aient issons es s"),
    "es": ("abcdeéfghiíjlmnñoópqrstuúvyz", "amente ación aciones idad idades ando iendo aron aba as os s"),
    "de": ("abdefghiklmnoprstuvwzäöüß", "e em en ern er es s st est nisse nis ung end ig lich heit keit isch"),
    "ru": ("абвгдежзийклмнопрстуфхцчшщыьэюя", "ость ости ами ями ого его ая ый ий ть лся ешь ивши нн"),
    "ar-bw-red": ("AbtvjHxdrzsSDTZEgfqklmnhwyp", "At wn yn hA hm p"),
    "pt": ("abcdefghilmnopqrstuvzáâãçéêíóôõú", "logía ución ação ações amente idade ivas ar er ir ou iram eza"),
    "da": ("abdefghiklmnoprstuvyæøå", "erne ernes ende heden heder else es s ig lig els løst"),
    "ro": ("abcdefghilmnoprstuvzăâîşţșț", "ului elor iilor ator itate ează eau ind iv ice e a"),
    "hu": ("abcdeéfghijklmnoóöőpqrsztuúüűvyzõû", "ban ben nak nek ról ről ból ből tól től jük juk ök õk ni ság ség"),
    "tr": ("abcçdefgğhıijklmnoöprsştuüvyz", "lar ler lık lik dan den nın nin ım im mış ken cesine siniz"),
    "fi": ("adeghijklmnoprstuvyäö", "siin seen den tten han hän nsa nsä ssa ssä lla llä kin kään mme ksi ine n t i"),
    "nl": ("abcdefghijklmnoprstuvwzéëï", "heden heid ing end baar lijk ig en e s je tje"),
    "it": ("abcdefghilmnopqrstuvzàèéìòù", "amente azione azioni mente ità iva ivo are ere ire ando endo o i"),
    "no": ("abdefghiklmnoprstuvyæøå", "ene ens hetene heter ende erte ert else es s ig lig leg"),
    "se": ("abdefghijklmnoprstuvyäåö", "arna erna heten heter ande arens ast ets s ig lig els löst fullt"),
    "other": ("abcdefghijklmnopqrstuvwxyz一二三四五", "x y z"),
}
NORMALIZED = {"cz", "fr", "es", "de", "ru"}
PUNCTUATION = [",", ".", "...", "'", "-", "--", '"', "``", "(", ")", "%", "’", "–", "“", "¿", ";", "1,000", "3.5", "U.S.", "Dr."]


class Report:
    """The number of comparisons and the differences."""

    def __init__(self) -> None:
        self.passed = self.failed = 0
        self.is_shown = False

    def check(self, name: str, expected: str, found: str) -> None:
        """Compares two texts line by line."""
        left, right = expected.split("\n"), found.split("\n")
        if len(left) != len(right):
            print(f"{name}: {len(left)} lines of the jar, {len(right)} of bolide")
            self.failed += 1
            return
        for number, (one, other) in enumerate(zip(left, right), 1):
            if one == other:
                self.passed += 1
                continue
            self.failed += 1
            if self.failed <= 10:
                print(f"{name}, line {number}:\n  jar    {one}\n  bolide {other}")

    def equal(self, name: str, fine: bool, remark: str = "") -> None:
        self.passed += fine
        self.failed += not fine
        if not fine:
            print(f"{name}: {remark}")


class Programs:
    """The jar and bolide, with the jar's tables."""

    def __init__(self, bolide: str) -> None:
        self.bolide = str(Path(bolide).resolve())
        peers.java()
        self.wheel = peers.captions()
        self.jar = self.wheel / "pycocoevalcap" / "meteor" / "meteor-1.5.jar"
        self.data = peers.folder() / "bolide-data"
        self.environment = dict(os.environ, BOLIDE_DATA=str(self.data))
        if subprocess.run([self.bolide, "data", "verify", "paraphrase-en", "stem-ar-bw-red"],
                          env=self.environment, capture_output=True).returncode != 0:
            [wheel] = self.wheel.glob("*.whl")
            subprocess.run([self.bolide, "data", "import", str(wheel)], env=self.environment, check=True)

    def java(self, args: list[str], **options) -> subprocess.CompletedProcess:
        command = ["java", *peers.EXACT_POW, *peers.SHORT_RUN, "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", str(self.jar), *args]
        return subprocess.run(command, capture_output=True, **options)

    def ours(self, args: list[str], **options) -> subprocess.CompletedProcess:
        command = [self.bolide, "meteor15", *args]
        return subprocess.run(command, capture_output=True, env=self.environment, **options)


def both(programs: Programs, report: Report, name: str, hypotheses: list[str], references: list[str],
         options: list[str], statistics: bool = True) -> None:
    """Runs both with the same files: verbose scores, alignments, statistics. Each run of the jar loads its tables again."""
    with tempfile.TemporaryDirectory() as scratch:
        for file, lines in (("hyp", hypotheses), ("ref", references)):
            text = "".join(line + "\n" for line in lines)
            Path(scratch, file).write_bytes(text.encode())
        for more in (["-vOut", "-writeAlignments"], ["-ssOut"])[: 1 + statistics]:
            outputs = []
            for run in (programs.java, programs.ours):
                done = run(["hyp", "ref", *options, *more], cwd=scratch)
                text = done.stdout.decode()
                if "-writeAlignments" in more:
                    text += Path(scratch, "meteor-align.out").read_bytes().decode()
                outputs.append(text)
            report.check(f"{name} {' '.join(options)}", *outputs)
    if report.failed and not report.is_shown:
        report.is_shown = True
        show_smallest(programs, options, list(zip(hypotheses, references)))


def show_smallest(programs: Programs, options: list[str], pairs: list[tuple[str, str]]) -> None:
    """Prints the first pair whose statistics differ, in the smallest form that still differs."""
    jar = ["java", *peers.EXACT_POW, "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", str(programs.jar)]
    processes = [
        subprocess.Popen([*command, "-", "-", "-stdio", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, env=programs.environment)
        for command in (jar, [programs.bolide, "meteor15"])
    ]

    def answers(pair: tuple[str, ...]) -> list[bytes]:
        for process in processes:
            process.stdin.write(f"SCORE ||| {pair[1]} ||| {pair[0]}\n".encode())
            process.stdin.flush()
        return [process.stdout.readline() for process in processes]

    def differs(pair: tuple[str, ...]) -> bool:
        # The line protocol cannot carry these texts.
        if any("|||" in text or "\n" in text or "\r" in text for text in pair):
            return False
        theirs, ours = answers(pair)
        return theirs != ours

    found = next(filter(differs, pairs), None)
    if found is None:
        print("the statistics of single pairs are equal: the difference is in alignments, scores or the sum")
    else:
        found = shrink(found, differs)
        theirs, ours = (answer.decode().strip() for answer in answers(found))
        print(f"{' '.join(options)}: in its smallest form:\n  hypothesis {found[0]!r}\n  reference  {found[1]!r}")
        print(f"  jar    {theirs}\n  bolide {ours}")
    for process in processes:
        process.stdin.close()
        process.wait()


def clean(text: str) -> str:
    """One line."""
    return text.replace("\r", " ").replace("\n", " ")


def english(programs: Programs, report: Report, options: argparse.Namespace) -> None:
    data = peers.nltk_data()
    generator = Generator(options.seed, data / "corpora" / "wordnet", peers.verses())
    n = 20_000 if options.full else 2_000
    pairs = [generator.pair(number, 1) for number in range(n)]
    hypotheses = [clean(pair.hypothesis) for pair in pairs]
    references = [clean(pair.references[0]) for pair in pairs]
    both(programs, report, "english", hypotheses, references, ["-l", "en", "-norm"])
    part = slice(0, n // 4)
    both(programs, report, "english", hypotheses[part], references[part], ["-l", "en", "-lower", "-ch", "-t", "adq"],
         options.full)
    both(programs, report, "english", hypotheses[part], references[part],
         ["-l", "en", "-norm", "-noPunct", "-x", "5", "-m", "synonym exact stem"], options.full)


def sentence(rng: random.Random, letters: str, endings: list[str], stems: list[str]) -> str:
    words = []
    for _ in range(rng.randint(0, 18)):
        word = rng.choice(stems) + rng.choice(["", *endings])
        words.append(rng.choice([word, word, word, word.capitalize(), word.upper()]))
        if rng.random() < 0.15:
            words.append(rng.choice(PUNCTUATION))
    glue = ["", " ", " ", " ", " ", " "]
    return "".join(word + rng.choice(glue) for word in words).strip()


def edited(rng: random.Random, text: str, endings: list[str]) -> str:
    words = text.split(" ")
    for _ in range(rng.randint(0, 5)):
        if not words:
            break
        at = rng.randrange(len(words))
        what = rng.randrange(5)
        if what == 0:
            del words[at]
        elif what == 1:
            words.insert(at, rng.choice(words))
        elif what == 2:
            words[at] = words[at][: rng.randint(1, 5)] + rng.choice(endings)
        elif what == 3:
            other = rng.randrange(len(words))
            words[at], words[other] = words[other], words[at]
        else:
            words[at] = words[at].swapcase()
    return " ".join(words)


def languages(programs: Programs, report: Report, options: argparse.Namespace) -> None:
    n = 2_000 if options.full else 100
    for code, (letters, endings) in LANGUAGES.items():
        rng = random.Random(f"{options.seed}/{code}")
        endings = endings.split()
        stems = ["".join(rng.choices(letters, k=rng.randint(1, 6))) for _ in range(40)]
        references = [sentence(rng, letters, endings, stems) for _ in range(n)]
        hypotheses = [edited(rng, text, endings) for text in references]
        flags = ["-l", code]
        if code in NORMALIZED:
            # There are no tables for these languages; a table of our own exercises the same code.
            with tempfile.NamedTemporaryFile(suffix=".gz", delete=False) as table:
                with gzip.open(table, "wt", encoding="utf-8") as out:
                    for _ in range(300):
                        phrases = [" ".join(rng.choice(stems) for _ in range(rng.randint(1, 3))) for _ in "ab"]
                        out.write("0.5\n" + "\n".join(phrases) + "\n")
            both(programs, report, code, hypotheses, references, [*flags, "-norm", "-a", table.name],
                 options.full)
            os.unlink(table.name)
        else:
            both(programs, report, code, hypotheses, references, [*flags, "-lower"], options.full)


def sigma(programs: Programs, report: Report, options: argparse.Namespace) -> None:
    """Capital sigmas among letters, digits, marks and separators: Java lower-cases by its own word breaks."""
    rng = random.Random(options.seed)
    pool = "ΣΣΣΣΑαa1٣-'.,\"_%$!  \u0301\u0345\u00ad\u200b\u200d\u0964\u2027\u066b\u203f\u3099あ漢アーⅧⓐʰªאि\u02d0"
    pool += "\U00010400\U00010428\U00010107\U0001d179\U00020000\U0001f600\U000101fd"
    lines = ["".join(rng.choices(pool, k=rng.randint(2, 24))) for _ in range(50_000 if options.full else 5_000)]
    others = ["".join(rng.sample(line, len(line))) for line in lines]
    both(programs, report, "sigma", lines, others, ["-l", "other", "-lower"], options.full)


def wmt17(programs: Programs, report: Report, options: argparse.Namespace) -> None:
    folder = peers.ROOT.parent / "shared" / "data" / "wmt17" / "systems" / "de-en"
    if not folder.is_dir():
        print("skipped: ../shared is absent, so WMT17 was not compared", file=sys.stderr)
        return
    systems = sorted(folder.glob("newstest2017.*"))
    systems = systems if options.full else systems[:1]
    reference = (folder / "reference").read_text(encoding="utf-8").split("\n")[:-1]
    hypotheses = [line for file in systems for line in file.read_text(encoding="utf-8").split("\n")[:-1]]
    if not options.full:
        hypotheses, reference = hypotheses[:500], reference[:500]
    both(programs, report, "wmt17", hypotheses, reference * len(systems), ["-l", "en", "-norm"],
         options.full)


def client(programs: Programs, report: Report, options: argparse.Namespace) -> None:
    """pycocoevalcap's own class, with only the command changed."""
    path = programs.wheel / "pycocoevalcap" / "meteor" / "meteor.py"
    rng = random.Random(options.seed)
    words = "a the man woman dog cat is are sitting standing on near big large red street table".split()
    captions = lambda: " ".join(rng.choices(words, k=rng.randint(3, 12)))
    references = {n: [captions() for _ in range(5)] for n in range(500 if options.full else 50)}
    hypotheses = {n: [captions()] for n in references}
    results = []
    # The client starts Java in its own way.
    os.environ["JAVA_TOOL_OPTIONS"] = " ".join(peers.EXACT_POW + peers.SHORT_RUN)
    for command in (None, [programs.bolide, "meteor15"]):
        spec = importlib.util.spec_from_file_location("meteor", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        if command:
            start = subprocess.Popen

            class Popen(start):
                def __init__(self, arguments, **settings):
                    at = arguments.index("-")
                    super().__init__(command + arguments[at:], env=programs.environment, **settings)

            module.subprocess = type("subprocess", (), {"Popen": Popen, "PIPE": subprocess.PIPE})
        results.append(module.Meteor().compute_score(references, hypotheses))
    del os.environ["JAVA_TOOL_OPTIONS"]
    (jar, jar_scores), (ours, our_scores) = results
    n_different = sum(a != b for a, b in zip([jar, *jar_scores], [ours, *our_scores], strict=True))
    report.equal("client", n_different == 0, f"{n_different} scores differ")
    print(f"client: pycocoevalcap's Meteor gives {jar} with the jar, {ours} with bolide")


def soak(programs: Programs, report: Report, options: argparse.Namespace) -> None:
    """Many requests to one process, some of them malformed; its memory must stay flat."""
    n = 1_000_000 if options.full else 30_000
    rng = random.Random(options.seed)
    words = [f"w{number}" for number in range(3_000)] + "the of and to a in".split()
    process = subprocess.Popen([programs.bolide, "meteor15", "-", "-", "-stdio", "-l", "en", "-norm"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=programs.environment)
    def resident() -> int:
        for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
        return 0

    malformed = {
        "": "SCORE or EVAL or SING", "nonsense": "SCORE or EVAL or SING", "EVAL": "Meteor stats",
        "EVAL ||| 1 2": "Meteor stats", "EVAL ||| a b c": "Meteor stats", "SING ||| x ||| y": "Meteor stats",
        "SCORE ||| a": "hypothesis and at least one reference",
    }
    answers, readings, started = 0, [], time.monotonic()
    batch = 500
    for first in range(0, n, batch):
        requests = []
        for number in range(first, first + batch):
            kind = number % 50
            if kind == 49:
                requests.append(rng.choice(list(malformed)))
            else:
                # New words keep coming, so that an unbounded cache of words would show.
                texts = [" ".join(rng.choices(words, k=12)) + f" n{number}" for _ in range(2)]
                requests.append(" ||| ".join(["SCORE", *texts]))
        process.stdin.write("".join(line + "\n" for line in requests).encode())
        process.stdin.flush()
        for request in requests:
            answer = process.stdout.readline().decode().rstrip("\n")
            wanted = malformed.get(request)
            good = len(answer.split()) == 23 if wanted is None else answer == f"Error: specify {wanted}"
            answers += good
        if first // batch % max(1, n // batch // 20) == 0:
            readings.append(resident())
    process.stdin.close()
    code = process.wait()
    # The caches fill during the first half.
    half = readings[len(readings) // 2 :]
    flat = max(half) <= 1.05 * min(half) + 2_048
    report.equal("soak", answers == n and code == 0 and flat, f"{answers} right answers, code {code}, KB {readings}")
    print(f"soak: {n} requests in {time.monotonic() - started:.0f} s, resident KB {readings[0]} to {readings[-1]}")


PARTS = {"english": english, "languages": languages, "sigma": sigma, "wmt17": wmt17, "client": client, "soak": soak}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--full", action="store_true", help="full size")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=PARTS, help="one part")
    parser.add_argument("--bolide", default=os.environ.get("BOLIDE"), help="the binary")
    parser.add_argument("--tables", action="store_true", help="only import the jar's tables into target/peers")
    options = parser.parse_args()
    try:
        programs = Programs(options.bolide or str(peers.ROOT / "target" / "release" / "bolide"))
    except peers.PeerError as error:
        sys.exit(f"meteor15: {error}")
    if options.tables:
        print(programs.data)
        return 0
    report = Report()
    for name, part in PARTS.items():
        if options.only in (None, name):
            started = time.monotonic()
            part(programs, report, options)
            print(f"{name}: {time.monotonic() - started:.0f} s, {report.failed} differences so far", flush=True)
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
