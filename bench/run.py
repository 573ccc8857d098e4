#!/usr/bin/env python3
"""The benchmark: installs the peers from their registries, runs them and bolide, and records the measurements.

    python3 bench/run.py                              # everything, about a quarter of an hour
    python3 bench/run.py --parts floor threads        # some parts
    python3 bench/run.py --parts speed --only METEOR  # some peers
    python3 bench/run.py --results FOLDER             # keep the results elsewhere

Parts: speed (NLTK, evaluate, the METEOR 1.5 jar, sacreBLEU, rouge-score, pycocoevalcap, the crates bleuscore and
sacrebleu-rs), file (a million pairs, against NLTK), floor (each metric as a multiple of reading and splitting the text),
threads, memory, growth, documents (time and memory of every dialect and peer for segments of 10 to 100,000 words of four kinds),
lengths (the optimal aligner by turns with NLTK, from sentences to 10,000 words).
The results go to bench/results: one JSON file and one table for each day and machine, and the plots of the README.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from suite import corpora, documents, file, floor, growth, lengths, machine, plot, speed, tables  # noqa: E402
from suite.programs import Programs  # noqa: E402

PARTS = ["speed", "file", "floor", "threads", "memory", "growth", "documents", "lengths"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, metavar="PART", help="what to measure (default: everything)")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="only peers whose name contains a word")
    parser.add_argument("--pairs", type=int, default=2_000, help="pairs beside the peers (default: 2000)")
    parser.add_argument("--lines", type=int, default=100_000, help="pairs against the floor and by threads (default: 100000)")
    parser.add_argument("--repetitions", type=int, default=5, help="of everything that has a spread (default: 5)")
    parser.add_argument("--starts", type=int, default=5, help="cold starts of each (default: 5)")
    parser.add_argument("--bolide", metavar="PROGRAM", help="measure this program; the engine in memory is built from here anyway")
    parser.add_argument("--results", type=Path, default=corpora.ROOT / "bench" / "results", metavar="FOLDER")
    options = parser.parse_args()

    programs = Programs(options.bolide)
    about = machine.describe(programs.python, shown_arguments())
    results: dict = {"about": about}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in options.parts:
            print(part, file=sys.stderr)
            run = {"date": machine.now(), "command": about["command"], "revision": about["revision"], "load": machine.load()}
            results[part] = {"run": run, "rows": measure(part, programs, folder, options)}
    keep(results, options.results)
    table = tables.markdown(results)
    print(table)
    rows = results["speed"]["rows"] if "speed" in results else []
    return 1 if any("differ" in row["agreement"] for row in rows) else 0


def shown_arguments() -> list[str]:
    """The arguments that define the measurement, without the paths of programs and results."""
    kept, waiting = [], iter(sys.argv[1:])
    for word in waiting:
        if word in ("--results", "--bolide"):
            next(waiting, None)
        elif not word.startswith(("--results=", "--bolide=")):
            kept.append(word)
    return kept


def measure(part: str, programs: Programs, folder: Path, options: argparse.Namespace) -> list[dict]:
    match part:
        case "speed":
            found = [corpora.verses(folder, options.pairs), corpora.wmt17(folder, options.pairs)]
            rows = []
            for corpus in filter(None, found):
                rows += speed.compare(programs, folder, corpus, options.repetitions, options.starts, options.only)
            return rows
        case "file":
            return file.measure(programs, folder, options.repetitions)
        case "floor":
            return floor.multiples(programs, corpora.verses(folder, options.lines), options.repetitions)
        case "threads":
            # Long enough that the start-up time is negligible.
            return floor.threads(programs, corpora.verses(folder, 3 * options.lines), options.repetitions)
        case "memory":
            return floor.memory(programs, folder)
        case "growth":
            return growth.measure(programs, folder)
        case "documents":
            return documents.measure(programs, folder, options.only)
        case "lengths":
            return lengths.measure(programs, folder, options.repetitions)


def keep(results: dict, folder: Path) -> None:
    """Merges with the results of the same machine and day, so that parts can run separately."""
    folder.mkdir(parents=True, exist_ok=True)
    about = results["about"]
    name = f"{about['date'][:10]}-{''.join(c if c.isalnum() else '-' for c in about['cpu'].lower()).strip('-')}"
    while "--" in name:
        name = name.replace("--", "-")
    path = folder / f"{name}.json"
    before = json.loads(path.read_text()) if path.is_file() else {}
    merged = before | results
    path.write_text(json.dumps(merged, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / f"{name}.md").write_text(tables.markdown(merged), encoding="utf-8")
    remark = f"one thread each; {about['cpu']}, {about['date'][:10]}"
    if merged.get("speed"):
        rows = [row for row in merged["speed"]["rows"] if row["corpus"] == "verses"]
        rows.sort(key=lambda row: -row["ratio"]["median"])
        shown = [(row["peer"], *(row["ratio"][key] for key in ("median", "min", "max"))) for row in rows]
        title = "How many times as fast as the original (processor time, same pairs, same results)"
        (folder / "speed.svg").write_text(plot.bars(title, shown, remark), encoding="utf-8")
    for kind in growth.KINDS if merged.get("growth") else []:
        lines = [(row["metric"], row["points"]) for row in merged["growth"]["rows"] if row["kind"] == kind]
        words = {"verses": "verses in a row", "disordered": "twenty words in disorder"}[kind]
        title = f"Time against the length of a sentence: {words}"
        (folder / f"growth-{kind}.svg").write_text(plot.curves(title, lines, remark), encoding="utf-8")
    if merged.get("documents"):
        lines = documents.curves(merged["documents"]["rows"])
        title = "Time of one segment of prose against its length"
        (folder / "documents.svg").write_text(plot.curves(title, lines, remark), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
