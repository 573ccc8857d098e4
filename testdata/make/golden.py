"""Writes the golden cases of this repository with the real programs; `cargo xtask golden` runs it.

    python3 testdata/make/golden.py                  # writes testdata/*.jsonl.gz
    python3 testdata/make/golden.py --check          # writes nothing, fails if anything would change
    python3 testdata/make/golden.py --only nltk      # one file

The programs come from `tests/live/peers.py`, pinned; a second run needs no network. The result does not depend on the
machine: texts are made from fixed seeds, both versions of Python's `sum` are used, and Java's `pow` is fdlibm's.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(FOLDER.parent / "tests" / "live"), str(FOLDER.parent / "tests" / "live" / "oracles")]

import peers
import plan
import texts
from compare import Peer
from jar import Jar, write_table
from optimal import OPTIMAL, optimal_cases
from pairs import Generator

SEED = 20261116


class Sets:
    """The texts, and the corpora made from them."""

    def __init__(self) -> None:
        data = peers.nltk_data()
        generator = Generator(SEED, data / "corpora" / "wordnet", peers.verses())
        verses = texts.verse_pairs(peers.verses(), 40)
        made = texts.generated(generator, 0, 260)
        self.long = texts.long_text(2000)
        self.full = [*texts.EDGES, *texts.SENTENCES, *made, *verses, texts.long_text(300)]
        self.part = [*texts.EDGES, *texts.SENTENCES[:12], *made[:45], *verses[:3]]
        self.short = texts.short_pairs(160, 8)
        named = {name: case for case in self.full for name in [case[0]]}
        plain = [case for case in made + texts.SENTENCES if case[1].strip() and all(r.strip() for r in case[2])]
        # A corpus has a name and segments: all with one reference, all with two, and mixed.
        self.corpora = [
            ("corpus of edges", [named[case[0]] for case in texts.EDGES if len(case[2]) == 1]),
            ("corpus with one reference", [(n, h, r[:1]) for n, h, r in plain[:30]]),
            ("corpus with two references", [c[:2] + (c[2][:2],) for c in plain if len(c[2]) > 1][:20]),
            ("corpus with one to three references", plain[30:55]),
            ("corpus of verses", [(n, h, r[:1]) for n, h, r in verses[:25]]),
            ("corpus of one segment", plain[:1]),
            ("corpus without a match", [("", "alpha beta", ["gamma delta"]), ("", "one", ["two three"])]),
        ]
        self.short_corpora = [("corpus of short texts", self.short[:60]), ("corpus of two", self.short[4:6])]


def number(score: float | str) -> float | None:
    """A score; None if the program raised an exception or returned no number."""
    if isinstance(score, str):
        return None
    assert math.isfinite(score), score
    return score


def flat(case: texts.Case) -> list[str]:
    return [case[1], *case[2]]


def single(metric: str, case: texts.Case, score: float | str, source: str, **more) -> dict:
    fields = {"name": case[0], "metric": metric, "hypothesis": case[1], "references": case[2]}
    return {**fields, **present(more), "score": number(score), "source": source}


def corpus(metric: str, name: str, cases: list[texts.Case], scores: list, score: float | str, source: str, **more) -> dict:
    fields = {"name": name, "metric": metric, "hypotheses": [c[1] for c in cases], "references": [c[2] for c in cases]}
    segments = [number(one) for one in scores]
    return {**fields, **present(more), "segments": segments, "score": number(score), "source": source}


def present(fields: dict) -> dict:
    return {key: value for key, value in fields.items() if value}


class Oracle:
    """A program that makes cases over the line protocol."""

    def __init__(self, group: str, script: str) -> None:
        environment = {"NLTK_DATA": str(peers.nltk_data()), "PYTHONPATH": str(peers.captions())}
        self.peer = Peer(peers.python(group), script, **environment)

    def singles(self, metrics: list[str], cases: list[texts.Case]) -> list[dict]:
        answer = self.peer.ask(metrics=metrics, segments=[flat(case) for case in cases])
        rows = zip(cases, answer["scores"], answer["statistics"])
        return [
            single(metric, case, score, call, statistics=statistics)
            for case, scores, all_statistics in rows
            for metric, score, statistics, call in zip(metrics, scores, all_statistics, answer["calls"])
        ]

    def corpora(self, metrics: list[str], corpora: list[tuple[str, list[texts.Case]]]) -> Iterator[dict]:
        for name, cases in corpora:
            answer = self.peer.ask(metrics=metrics, segments=[flat(case) for case in cases])
            columns = zip(*answer["scores"])
            for metric, scores, score, statistics, call in zip(
                metrics, columns, answer["corpus"], answer["corpus_statistics"], answer["calls"]
            ):
                yield corpus(metric, name, cases, list(scores), score, call, statistics=statistics)


def of_oracle(program: str, group: str, script: str, sets: Sets) -> Iterator[dict]:
    """The cases of a program: full and part, then the corpora, then the long text."""
    oracle = Oracle(group, script)
    full, part = plan.FULL[program], plan.PART[program]
    yield from oracle.singles(full, sets.full)
    yield from oracle.singles(part, sets.part)
    yield from oracle.corpora([*full, *part], sets.corpora)
    yield from oracle.singles([metric for metric in full if metric not in plan.NOT_LONG], [sets.long])


def of_old_nltk(sets: Sets) -> Iterator[dict]:
    """NLTK 3.6.2, which splits strings itself. It gets the words of the current NLTK joined by spaces."""
    today, old = Oracle("programs", "nltk_oracle.py"), Oracle("others", "nltk_oracle.py")
    full, part = plan.FULL["nltk-3.6.2"], plan.PART["nltk-3.6.2"]
    yield from old.singles(full, [*sets.full, sets.long])
    for metric in part:
        if not metric.endswith("|tok:nltk"):
            yield from old.singles([metric], sets.part)
            continue
        for case in sets.part:
            words = today.peer.ask(texts=flat(case), tokenizer="nltk")["tokens"]
            joined = [" ".join(text) for text in words]
            [found] = old.singles([metric.removesuffix("|tok:nltk")], [(case[0], joined[0], joined[1:])])
            source = f"{found['source']}; words of NLTK 3.10.4 nltk.word_tokenize"
            score = "NaN" if found["score"] is None else found["score"]
            yield single(metric, case, score, source)
    yield from old.corpora([*full, *(m for m in part if not m.endswith("|tok:nltk"))], sets.corpora)


def of_definitions(sets: Sets) -> Iterator[dict]:
    yield from of_oracle("definitions", "programs", "definitions_oracle.py", sets)
    oracle = Oracle("programs", "definitions_oracle.py")
    yield from oracle.singles(plan.SHORT, [*sets.short, *(c for c in texts.EDGES if len(c[1]) < 40)])
    yield from oracle.corpora(plan.SHORT, sets.short_corpora)
    yield from of_languages()


def of_languages() -> Iterator[dict]:
    """`meteor:classic` in the languages that texts.py has sentences of."""
    oracle = Oracle("programs", "definitions_oracle.py")
    spoken = {plan.CODES.get(code, code): pairs for code, pairs in [*texts.LANGUAGES.items(), *texts.MORE_LANGUAGES.items()]}
    for code, pairs in spoken.items():
        if code not in ("en", "other"):
            cases = [(f"{code} {at}", h, [r]) for at, (h, r) in enumerate(both_ways(pairs))]
            # Without the tables of words and synonyms, which no other program has.
            name = f"meteor:classic|language:{code}"
            without = "|synonyms:none" if code in ("ja", "sv", "th") else ""
            characters = "|tok:unspaced" if code in ("km", "lo", "my", "th") else ""
            keys = ["", "|match:exact", "|case:mixed", "|tok:space", "|normal:none"]
            metrics = [name + ("" if "tok" in key else characters) + without + key for key in keys]
            yield from oracle.singles(metrics, cases)
            yield from oracle.corpora(metrics[:1], [(f"corpus of {code}", cases)])


def of_jar(sets: Sets) -> Iterator[dict]:
    """One run for each configuration and number of references; a run is a corpus."""
    jar = Jar(FOLDER)
    write_tables()
    one_line = [c for c in sets.full if not any(c in text for text in flat(c) for c in "\r\n")]
    one = [(n, h, r[:1]) for n, h, r in one_line]
    two = [(f"{n}, two references", h, r[:2]) for n, h, r in one_line if len(r) > 1]
    few = [*one[: len(texts.EDGES)], *one[-60:-30]]
    runs = [("meteor:1.5", one), ("meteor:1.5-nopara", one), ("meteor:1.5", two), ("meteor:1.5-nopara", two)]
    for name in ("meteor:1.5", "meteor:1.5-nopara"):
        runs += [(f"{name}|{keys}", few) for keys in plan.JAR_KEYS]
    for language, pairs in texts.LANGUAGES.items():
        spoken = [(f"{language} {at}", h, [r]) for at, (h, r) in enumerate(both_ways(pairs))]
        for name in ("meteor:1.5", "meteor:1.5-nopara"):
            runs += [(f"{name}|language:{language}", spoken + few[:40])]
            runs += [(f"{name}|language:{language}|task:{task}", spoken) for task in ("adq", "li", "tune")]
    for metric, cases in runs:
        scores, final, call = jar.score(metric, [flat(case) for case in cases])
        more = {"tables": tables_of(metric)}
        name = f"the jar's run with {len(cases[0][2])} references" if len(cases[0][2]) > 1 else "the jar's run"
        yield corpus(metric, name, cases, scores, final, call, **more)
        if "|" not in metric:
            yield from (single(metric, case, score, call, **more) for case, score in zip(cases, scores))
    yield from (
        single(metric, case, score, source, tables=tables_of(metric))
        for metric, case, score, source in optimal_cases(jar, FOLDER)
    )


def both_ways(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [pair for h, r in pairs for pair in ((h, r), (r, h), (h, h), (r.upper(), h))]


def tables_of(metric: str) -> list[str]:
    """The paraphrase tables that a configuration needs, files of this folder."""
    name, *parts = metric.split("|")
    keys = dict(part.split(":", 1) for part in parts)
    language = keys.get("language", "en")
    wanted = name in ("meteor:1.5", OPTIMAL) and "paraphrase" in keys.get("modules", "paraphrase")
    return [f"paraphrase-{language}.gz"] if wanted and language in plan.PARAPHRASE_LANGUAGES else []


def write_tables() -> None:
    """Our own paraphrases, written where the jar and the tests read them."""
    for language, pairs in texts.PARAPHRASES.items():
        write_table(FOLDER / f"paraphrase-{language}.gz", pairs)


PROGRAMS = {
    "nltk": lambda sets: of_oracle("nltk", "programs", "nltk_oracle.py", sets),
    "nltk-3.6.2": of_old_nltk,
    "sacrebleu": lambda sets: of_oracle("sacrebleu", "programs", "sacrebleu_oracle.py", sets),
    "rouge-score": lambda sets: of_oracle("rouge-score", "programs", "sacrebleu_oracle.py", sets),
    "pycocoevalcap": lambda sets: of_oracle("pycocoevalcap", "programs", "sacrebleu_oracle.py", sets),
    "meteor-1.5": of_jar,
    "definitions": of_definitions,
}


def packed(cases: Iterable[dict]) -> bytes:
    """Writes compressed JSON lines. Cases of the same text are adjacent, so the files are small."""
    lines = "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases)
    return gzip.compress(lines.encode(), 9, mtime=0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, fail on a difference")
    parser.add_argument("--only", choices=PROGRAMS, help="one file")
    options = parser.parse_args()
    sets, different = Sets(), 0
    for program, make in PROGRAMS.items():
        if options.only not in (None, program):
            continue
        started = time.monotonic()
        cases = list(make(sets))
        path, content = FOLDER / f"{program}.jsonl.gz", packed(cases)
        # Compares the cases, not the compressed bytes, which may change with zlib.
        same = path.is_file() and gzip.decompress(path.read_bytes()) == gzip.decompress(content)
        if not same and options.check:
            print(f"{path.name} differs from what the programs say: run cargo xtask golden")
            different += 1
        elif not same:
            path.write_bytes(content)
        seconds = time.monotonic() - started
        print(f"{path.name}: {len(cases):,} cases, {len(content):,} bytes, {seconds:.0f} s", flush=True)
    return 1 if different else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except peers.PeerError as error:
        sys.exit(f"golden: {error}")
