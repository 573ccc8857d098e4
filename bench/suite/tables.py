"""The results as Markdown."""

from __future__ import annotations

from suite.plot import number


def markdown(results: dict) -> str:
    """All measurements, with machine and command."""
    about = results["about"]
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    parts = [
        "# Measured",
        f"{about['cpu']}, {about['cores']} cores, {about['memory']}, {about['system']}. {versions}.",
    ]
    for name, part in (("speed", speed), ("file", file), ("floor", floor), ("threads", threads), ("memory", memory), ("growth", growth), ("documents", documents), ("lengths", lengths)):
        if results.get(name):
            run = results[name]["run"]
            parts.append(part(results[name]["rows"]))
            parts.append(f"`{run['command']}`, {run['date']}, revision {run['revision']}, load {run['load']:.1f} at the start.")
    return "\n\n".join(parts) + "\n"


def speed(rows: list[dict]) -> str:
    corpora = dict.fromkeys(row["corpus"] for row in rows)
    parts = [
        "## Beside other programs",
        "Pairs per second of processor time, one thread each, on the same pairs in memory; the ratio is the median over the "
        "repetitions with the least and the largest. Cold start: the clock from starting the process to its first score. "
        "Memory: the peak of the process that scored all these pairs.",
    ]
    for corpus in corpora:
        chosen = [row for row in rows if row["corpus"] == corpus]
        lines = [
            f"{corpus}, {max(row['pairs'] for row in chosen):,} pairs (a slow peer: fewer):", "",
            "| peer | bolide's | peer, pairs/s | bolide, pairs/s | ratio | cold start | ratio | memory | ratio | results |",
            "|---|---|--:|--:|--:|--:|--:|--:|--:|---|",
        ]
        for row in chosen:
            cells = [row["peer"], f"`{row['metric']}`", number(row["peer_rate"]["median"]), number(row["rate"]["median"]), spread(row["ratio"])]
            if "start" in row:
                theirs, ours = row["peer_start"]["median"], row["start"]["median"]
                cells += [f"{theirs * 1e3:,.0f} / {ours * 1e3:,.0f} ms", number(theirs / ours)]
                cells += [f"{row['peer_peak']:,.0f} / {row['peak']:,.0f} MB", number(row["peer_peak"] / row["peak"])]
            else:
                cells += ["", "", "", ""]
            lines.append("| " + " | ".join([*cells, remarked(row)]) + " |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def remarked(row: dict) -> str:
    remark = row.get("remark")
    return f"{row['agreement']}; {remark}" if remark else row["agreement"]


def file(rows: list[dict]) -> str:
    lines = [
        "## A file of a million pairs", "",
        "The command from its start to its end, reading included, beside NLTK on a sample of the same pairs that is in its memory: "
        "microseconds of processor time for a pair, one thread each. `translations` is what all systems of WMT17 made of "
        "newstest2017 (de-en, fi-en); `verses` are two translations of a Bible that have most words in common.", "",
        "| text | metric | NLTK, µs | bolide, µs | ratio | goal | peak memory |", "|---|---|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        met = "met" if row["ratio"]["median"] >= row["goal"] else "missed"
        lines.append(f"| {row['corpus']} | `{row['metric']}` | {spread(row['peer_microseconds'], 0)} | {spread(row['microseconds'], 2)} | "
                     f"{spread(row['ratio'], 0)} | ≥ {row['goal']}: {met} | {row['peak']:.1f} MB |")
    return "\n".join(lines)


def floor(rows: list[dict]) -> str:
    lines = [
        "## Against the floor", "",
        f"The command on {rows[0]['pairs']:,} pairs of verses, one thread, processor time from start to end, as a multiple of what "
        "reading, checking UTF-8, lower-casing and splitting the same bytes takes (`bench/engine/src/bin/floor.rs`).", "",
        "| metric | seconds | times the floor | goal |", "|---|--:|--:|--:|",
    ]
    for row in rows:
        goal = "" if row["goal"] is None else f"≤ {row['goal']}: {'met' if row['multiple']['median'] <= row['goal'] else 'missed'}"
        lines.append(f"| `{row['metric']}` | {row['seconds']['median']:.3f} | {spread(row['multiple'], 2)} | {goal} |")
    return "\n".join(lines)


def threads(rows: list[dict]) -> str:
    lines = [
        "## Two threads", "", "Time on the clock with one thread over that with two, and, for what the machine has to give, twice that of one process over that of two at the same time. Whatever else the machine does makes both smaller.", "",
        "| metric | gain | two processes | load of the machine | goal |", "|---|--:|--:|--:|--:|",
    ]
    for row in rows:
        met = "met" if row["gain"]["median"] >= 1.8 else "missed"
        lines.append(f"| `{row['metric']}` | {spread(row['gain'], 2)} | {spread(row['processes'], 2)} | {row['load']:.1f} | ≥ 1.8: {met} |")
    return "\n".join(lines)


def memory(rows: list[dict]) -> str:
    sizes = list(dict.fromkeys(row["pairs"] for row in rows))
    lines = [
        "## Memory", "", "Peak memory of the command by the number of pairs, one thread.", "",
        "| metric | " + " | ".join(f"{n:,} pairs" for n in sizes) + " |", "|---|" + "--:|" * len(sizes),
    ]
    for metric in dict.fromkeys(row["metric"] for row in rows):
        peaks = [f"{row['peak']:.1f} MB" for row in rows if row["metric"] == metric]
        lines.append(f"| `{metric}` | " + " | ".join(peaks) + " |")
    return "\n".join(lines)


def growth(rows: list[dict]) -> str:
    lines = [
        "## Growth with the length of a sentence", "",
        "Processor time of one segment; the exponent is the slope between the two longest (n log n: 1.1, n²: 2). "
        "Verses in a row, and twenty words in disorder, which is the hard kind.", "",
        "| text | metric | " + " | ".join(f"{n:,}" for n in (1_000, 10_000, 50_000)) + " words | exponent |", "|---|---|--:|--:|--:|--:|",
    ]
    for row in rows:
        times = dict(map(tuple, row["points"]))
        cells = [duration(times[n]) if n in times else "–" for n in (1_000, 10_000, 50_000)]
        lines.append(f"| {row['kind']} | `{row['metric']}` | " + " | ".join(cells) + f" | {row['exponent']:.2f} |")
    return "\n".join(lines)


def documents(rows: list[dict]) -> str:
    lengths = sorted({cell["words"] for row in rows for cell in row["cells"]})
    lines = [
        "## Documents", "",
        "One segment of so many words a side, processor time from 100,000 words in segments of that length (a peer: 5,000 words), and the "
        "largest memory of the process. prose: verses in a row; repetition: one word; disorder: twenty words; nothing: no word "
        "in common. `> 12 s`: stopped after so long. `(50 s)`: not run, because it would take about so long by its growth before. "
        "The exponent is the slope between the two longest (n log n: 1.1, n²: 2). The last column has the least ratio of the peer's "
        "time to ours over the lengths that both could do.", "",
        *extremes(rows), "",
        "| metric | text | " + " | ".join(f"{n:,}" for n in lengths) + " | exponent | memory | peer | "
        + " | ".join(f"{n:,}" for n in lengths) + " | memory | least ratio |",
        "|---|---|" + "--:|" * len(lengths) + "--:|--:|---|" + "--:|" * len(lengths) + "--:|--:|",
    ]
    for row in rows:
        own = [times(row["cells"], n) for n in lengths]
        peer = [times(row["peer_cells"], n) for n in lengths] if row["peer"] else [""] * len(lengths)
        ratio = "" if row["least_ratio"] is None else number(row["least_ratio"])
        cells = [f"`{row['metric']}`", row["kind"], *own, "" if row["exponent"] is None else f"{row['exponent']:.1f}",
                 largest_peak(row["cells"]), row["peer"] or "", *peer, largest_peak(row["peer_cells"]), ratio]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def lengths(rows: list[dict]) -> str:
    ours, other = rows[0]["seconds"]
    lines = [
        "## Every length, by turns with NLTK", "",
        f"Whole pairs from text to score, `{ours}` and NLTK's METEOR with its `word_tokenize` by turns: processor time of one thread, median "
        "of the turns, and the ratio with the least and the largest. A *bound* is how far the proven least number of chunks is below the "
        "chunks found. A *sentence* is the first row of its text: what a word costs, as a multiple of a word there.", "",
        f"| text | words | documents | NLTK | `{ours}` | ratio | goal | a word | proven | bound | `{other}` | of a sentence | proven | bound |",
        "|---|" + "--:|" * 13,
    ]
    sentences: dict[str, dict] = {}
    for row in rows:
        sentence = sentences.setdefault(row["kind"], row) if row["goal"] == rows[0]["goal"] else None
        met = "met" if row["ratio"]["median"] >= row["goal"] else "missed"
        cells = [row["kind"], f"{row['words']:,.0f}", str(row["documents"]), duration(row["peer_seconds"]["median"])]
        for metric in (ours, other):
            seconds, proofs = row["seconds"][metric]["median"], row["proofs"][metric]
            times = seconds / sentence["seconds"][metric]["median"] if sentence else None
            cells.append(duration(seconds))
            if metric == ours:
                cells += [spread(row["ratio"]), f"≥ {row['goal']}: {met}"]
                times = times and times * sentence["words"] / row["words"]
            gap = 1 - proofs["bound"] / proofs["chunks"] if proofs["chunks"] else 0.0
            cells += ["" if times is None else number(times), str(proofs["proven"]), f"{gap:.2%}".replace("%", " %")]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


# A slope above this is more than n log n and what measuring adds.
STEEP = 1.4


def extremes(rows: list[dict]) -> list[str]:
    """The cells that are largest, worst beside their peer, and steep."""
    cells = [(row, cell) for row in rows for cell in row["cells"]]
    name = lambda row: f"`{row['metric']}`, {row['kind']}"  # noqa: E731
    slow, slowest = max(cells, key=lambda pair: pair[1].get("seconds", pair[1].get("more_than")))
    large, largest = max(cells, key=lambda pair: pair[1].get("peak", 0))
    lines = [f"- Longest time: {times([slowest], slowest['words'])} ({name(slow)}, {slowest['words']:,} words).",
             f"- Largest memory: {largest['peak']:,.0f} MB ({name(large)}, {largest['words']:,} words)."]
    beside = [row for row in rows if row["least_ratio"] is not None]
    if beside:
        worst = min(beside, key=lambda row: row["least_ratio"])
        below = [f"{name(row)} ({number(row['least_ratio'])})" for row in beside if row["least_ratio"] < 1]
        lines.append(f"- Least ratio to a peer: {number(worst['least_ratio'])} ({name(worst)}). "
                     f"Slower than the peer: {'; '.join(below) if below else 'none'}.")
    steep = [f"{name(row)} ({row['exponent']:.1f})" for row in rows if (row["exponent"] or 0) > STEEP]
    lines.append(f"- Exponent above {STEEP}: {'; '.join(steep) if steep else 'none'}.")
    return lines


def largest_peak(cells: list[dict]) -> str:
    peaks = [cell["peak"] for cell in cells if "peak" in cell]
    return f"{max(peaks):,.0f} MB" if peaks else ""


def times(cells: list[dict], n_words: int) -> str:
    for cell in cells:
        if cell["words"] == n_words:
            if "seconds" in cell:
                return duration(cell["seconds"])
            return f"> {duration(cell['more_than'])}" if "more_than" in cell else f"({duration(cell['not_run'])})"
    return "–"


def spread(values: dict[str, float], digits: int | None = None) -> str:
    show = number if digits is None else lambda value: f"{value:.{digits}f}"
    return f"{show(values['median'])} ({show(values['min'])}–{show(values['max'])})"


def duration(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"
