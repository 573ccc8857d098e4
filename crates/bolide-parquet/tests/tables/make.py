"""Writes the tables beside this file with PyArrow: the same rows in every compression and both versions of pages.

    pip install pyarrow==26.0.1
    python crates/bolide-parquet/tests/tables/make.py
"""
import pathlib

import pyarrow as pa
import pyarrow.parquet as pq

FOLDER = pathlib.Path(__file__).parent
ROWS = 40


def references(n):
    return [None, [], [f"reference {n % 7}"], [f"one of {n}", None, "the other"]][n % 4]


def main():
    table = pa.table(
        {
            "mt": pa.array([None if n % 9 == 5 else f"hypothesis number {n % 11}" for n in range(ROWS)]),
            "refs": pa.array([references(n) for n in range(ROWS)], pa.list_(pa.string())),
            "year": pa.array([2000 + n for n in range(ROWS)], pa.int32()),
            "score": pa.array([n / 8 for n in range(ROWS)], pa.float64()),
            "good": pa.array([n % 2 == 0 for n in range(ROWS)]),
        }
    )
    for compression in ("none", "snappy", "gzip", "lz4", "zstd", "brotli"):
        for version in ("1.0", "2.0"):
            path = FOLDER / f"{compression}-{version[0]}.parquet"
            # Some columns as dictionaries, groups that end inside the table, and pages that end inside a group.
            pq.write_table(table, path, compression=compression, data_page_version=version, row_group_size=15,
                           use_dictionary=["mt"], data_page_size=64, store_schema=False)


if __name__ == "__main__":
    main()
