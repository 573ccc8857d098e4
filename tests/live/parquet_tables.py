"""Parquet tables of other programs, read by bolide, and bolide's tables, read by them.

    python3 tests/live/parquet_tables.py            # tables of 400 rows
    python3 tests/live/parquet_tables.py --full     # of 5,000

PyArrow, Polars, DuckDB and fastparquet write the same rows with every compression, version of pages and encoding that they have. From each
table the command has to print the segment scores that it prints for the rows as JSON lines, byte for byte. What the command writes as
Parquet has to be, in each of the four programs, the table that it writes as CSV.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import peers

try:
    import duckdb
    import fastparquet
    import pandas
    import polars
    import pyarrow
    from pyarrow import parquet
except ImportError:
    # Once more, in the environment that has them.
    python = str(peers.python("programs"))
    os.execv(python, [python, *sys.argv])

WORDS = "the cat sat on a mat über naïve 日本語 émigré x 42 dog ran fast".split()
METRICS = ["chrf", "bleu"]


class Bolide:
    """The command in a folder of tables."""

    def __init__(self, program: str, folder: Path) -> None:
        self.program, self.folder = program, folder

    def score(self, table: str, references: str, form: str = "csv", *more: str) -> str:
        """The segment scores of a table, without the name of the system."""
        columns = ["--hypothesis-column", "hyp", "--reference-column", references]
        command = [self.program, "score", "-q", "-i", table, *columns, "-m", *METRICS, "--segments", "--format", form, *more]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if done.returncode:
            return f"exit {done.returncode}: {done.stderr.strip()}"
        return "\n".join(line.partition(",")[2] for line in done.stdout.splitlines())


def rows(n: int, seed: int) -> dict[str, list]:
    """Columns of text, of lists of text, and of numbers."""
    rng = random.Random(seed)

    def text(least: int) -> str:
        return " ".join(rng.choices(WORDS, k=rng.randint(least, 14)))

    references = [[text(1) for _ in range(rng.randint(1, 4))] for _ in range(n)]
    return {"id": list(range(n)), "hyp": [text(0) for _ in range(n)], "ref": [text(1) for _ in range(n)], "refs": references}


def tables(columns: dict[str, list], path: Path) -> Iterator[tuple[str, list[str]]]:
    """Writes one table after the other; yields how, and the columns of references that it has."""
    both = ["ref", "refs"]
    table = pyarrow.table(columns)
    for codec in ("none", "snappy", "gzip", "brotli", "zstd", "lz4"):
        for pages in ("1.0", "2.0"):
            for dictionary in (True, False):
                options = {"compression": codec, "data_page_version": pages, "use_dictionary": dictionary}
                parquet.write_table(table, path, row_group_size=97, data_page_size=1000, **options)
                yield f"PyArrow, {options}", both
    for encoding in ("PLAIN", "DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"):
        parquet.write_table(table, path, use_dictionary=False, column_encoding={"hyp": encoding, "ref": encoding})
        yield f"PyArrow, {encoding}", both
    for kind in (pyarrow.large_string(), pyarrow.string_view(), pyarrow.binary()):
        parquet.write_table(table.set_column(1, "hyp", table["hyp"].cast(kind)), path)
        yield f"PyArrow, {kind}", both
    parquet.write_table(table, path, write_page_index=True, write_page_checksum=True, store_schema=False)
    yield "PyArrow, page index and checksums", both
    for codec in ("uncompressed", "snappy", "gzip", "brotli", "zstd", "lz4"):
        polars.DataFrame(columns).write_parquet(path, compression=codec, row_group_size=150)
        yield f"Polars, {codec}", both
    connection = duckdb.connect()
    connection.register("t", table)
    for codec in ("uncompressed", "snappy", "gzip", "brotli", "zstd", "lz4_raw"):
        for version in ("V1", "V2"):
            options = f"format parquet, compression {codec}, parquet_version {version}"
            connection.execute(f"COPY (SELECT * FROM t) TO '{path}' ({options})")
            yield f"DuckDB, {codec}, {version}", both
    frame = pandas.DataFrame({name: columns[name] for name in ("hyp", "ref")})
    for codec in (None, "SNAPPY", "GZIP", "BROTLI", "ZSTD", "LZ4"):
        fastparquet.write(str(path), frame, compression=codec, object_encoding="utf8", row_group_offsets=[0, len(frame) // 3])
        yield f"fastparquet, {codec}", ["ref"]


def written(folder: Path) -> Iterator[tuple[str, list[dict]]]:
    """The rows of `out.parquet` as each program reads them."""
    path = str(folder / "out.parquet")
    yield "PyArrow", parquet.read_table(path).to_pylist()
    yield "Polars", polars.read_parquet(path).to_dicts()
    yield "DuckDB", duckdb.connect().sql(f"SELECT * FROM '{path}'").to_arrow_table().to_pylist()
    frame = fastparquet.ParquetFile(path).to_pandas().astype(object)
    yield "fastparquet", frame.where(frame.notna(), None).to_dict("records")


def as_csv(row: dict) -> list[str]:
    """The fields of a row as the command prints them: numbers by the shortest text that parses back."""
    return ["" if value is None else f"{value:.17g}" if isinstance(value, float) else str(value) for value in row.values()]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bolide", default=os.environ.get("BOLIDE", "bolide"))
    options = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bolide = Bolide(options.bolide, folder)
        columns = rows(5_000 if options.full else 400, options.seed)
        keys = [key for key in columns if key != "id"]
        lines = [json.dumps(dict(zip(keys, row))) + "\n" for row in zip(*(columns[key] for key in keys))]
        (folder / "t.jsonl").write_text("".join(lines), encoding="utf-8")
        wanted = {key: bolide.score("t.jsonl", key) for key in ("ref", "refs")}
        if any(score.startswith("exit") for score in wanted.values()):
            sys.exit(f"the rows as JSON lines: {wanted}")
        for how, references in tables(columns, folder / "t.parquet"):
            for key in references:
                found = bolide.score("t.parquet", key)
                passed, failed = passed + (found == wanted[key]), failed + (found != wanted[key])
                if found != wanted[key]:
                    print(f"{how}, {key}: {found[:200]}")
        bolide.score("t.jsonl", "ref", "parquet", "-o", "out.parquet")
        bolide.score("t.jsonl", "ref", "csv", "-o", "out.csv")
        header, *texts = (folder / "out.csv").read_text(encoding="utf-8").splitlines()
        fields = [["" if field == "" else f"{float(field):.17g}" if "." in field else field for field in text.split(",")] for text in texts]
        for program, found in written(folder):
            same = [as_csv(row) for row in found] == fields and all(",".join(row) == header for row in found)
            passed, failed = passed + same, failed + (not same)
            if not same:
                print(f"{program} reads another table than out.csv: {found[:1]}, {texts[:1]}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
