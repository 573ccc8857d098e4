"""meteor-1.5.jar: its command line for bolide's names, its runs, and its arithmetic for other alignments.

It runs with `peers.EXACT_POW`, so that every machine prints the same scores.
"""

from __future__ import annotations

import gzip
import re
import subprocess
import tempfile
import zipfile
from pathlib import Path

import peers

# Languages that the jar can tokenise; the others are only lower-cased.
TOKENIZED = ["en", "cz", "de", "es", "fr", "ru"]
# Languages without a stemmer in the jar.
UNSTEMMED = ["cz", "other"]
# The jar's weights for English.
RANK_WEIGHTS = ["1.0", "0.6", "0.8", "0.6"]
FUNCTION_WORDS = {"de": "german"}
NORMALIZATIONS = {
    "none": [],
    "lower": ["-lower"],
    "norm": ["-norm"],
    "norm-nopunct": ["-norm", "-noPunct"],
}


class Jar:
    """The program with a folder for its input."""

    def __init__(self, tables: Path) -> None:
        peers.java()
        self.path = peers.captions() / "pycocoevalcap" / "meteor" / "meteor-1.5.jar"
        self.tables = tables
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = Path(self.scratch.name)

    def options(self, metric: str) -> list[str]:
        """The jar's options for a partial signature of bolide's."""
        name, *parts = metric.split("|")
        keys = dict(part.split(":", 1) for part in parts)
        language = keys.get("language", "en")
        options = ["-l", language]
        if "task" in keys:
            options += ["-t", keys["task"]]
        if "modules" in keys:
            options += ["-m", keys["modules"].replace("+", " ")]
        elif name == "meteor:1.5-nopara":
            stem = [] if language in UNSTEMMED else ["stem"]
            options += ["-m", " ".join(["exact", *stem, *(["synonym"] if language == "en" else [])])]
        if "params" in keys and "weights" not in keys:
            # With explicit parameters the jar ignores the weights of its default task.
            n_modules = options[-1].count(" ") + 1 if "-m" in options else len(RANK_WEIGHTS)
            options += ["-w", " ".join(RANK_WEIGHTS[:n_modules])]
        for key, option in (("weights", "-w"), ("params", "-p")):
            if key in keys:
                options += [option, keys[key].replace("_", " ")]
        usual = "norm" if language in TOKENIZED else "lower"
        options += NORMALIZATIONS[keys.get("norm", usual)]
        if keys.get("ch") == "yes":
            options += ["-ch"]
        if "beam" in keys:
            options += ["-x", keys["beam"]]
        if "function" in keys:
            words = f"{FUNCTION_WORDS[keys['function']]}.words"
            with zipfile.ZipFile(self.path) as jar:
                (self.folder / words).write_bytes(jar.read(f"function/{words}"))
            options += ["-s", words]
        table = self.tables / f"paraphrase-{language}.gz"
        if name == "meteor:1.5" and table.is_file():
            options += ["-a", str(table)]
        return options

    def call(self, options: list[str]) -> str:
        """The command for the field `source`, with the tables in the folder of this repository."""
        words = (Path(word).name if "/" in word else f"'{word}'" if " " in word else word for word in options)
        return f"meteor-1.5.jar (pycocoevalcap 1.2), java {peers.EXACT_POW[1]} -jar meteor-1.5.jar {' '.join(words)}"

    def score(self, metric: str, segments: list[list[str]]) -> tuple[list[float], float, str]:
        """The scores of the segments, of the corpus, and the call. All segments have as many references."""
        options = self.options(metric)
        n_references = len(segments[0]) - 1
        (self.folder / "hypotheses").write_text("".join(f"{s[0]}\n" for s in segments), encoding="utf-8", newline="")
        references = [text for segment in segments for text in segment[1:]]
        (self.folder / "references").write_text("".join(f"{r}\n" for r in references), encoding="utf-8", newline="")
        if n_references > 1:
            options += ["-r", str(n_references)]
        printed = self.run(["hypotheses", "references", *options])
        scores = [float(found) for found in re.findall(r"^Segment \d+ score:\t(.*)$", printed, re.MULTILINE)]
        [final] = re.findall(r"^Final score:\s+(.*)$", printed, re.MULTILINE)
        assert len(scores) == len(segments), (metric, len(scores), len(segments))
        return scores, float(final), self.call(options)

    def singles(self, options: list[str], statistics: list[list[int]]) -> list[float]:
        """The scores that the jar computes from statistics lines."""
        lines = "".join(f"SING ||| {' '.join(map(str, map(float, row)))}\n" for row in statistics)
        printed = self.run(["-", "-", "-stdio", *options], lines)
        return [float(line) for line in printed.splitlines()]

    def run(self, arguments: list[str], stdin: str = "") -> str:
        command = ["java", "-Xmx2G", "-Dfile.encoding=UTF-8", *peers.EXACT_POW, "-jar", str(self.path), *arguments]
        done = subprocess.run(command, cwd=self.folder, input=stdin.encode(), capture_output=True)
        if done.returncode != 0:
            raise peers.PeerError(f"the jar failed: {' '.join(arguments)}\n{done.stderr.decode()[-800:]}")
        return done.stdout.decode()


def write_table(path: Path, pairs: list[tuple[str, str]]) -> bytes:
    """A paraphrase table in the jar's format: a probability and two phrases, one per line."""
    text = "".join(f"0.5\n{left}\n{right}\n" for left, right in pairs)
    packed = gzip.compress(text.encode(), 9, mtime=0)
    path.write_bytes(packed)
    return packed
