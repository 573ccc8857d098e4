"""The HTML that notebooks show: small tables, and the drawing of an alignment.

Everything from the caller is escaped. There are no scripts, and styles are attributes of the elements, so
the output does not affect the rest of the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

_COLOURS = {
    "exact": "#1a7f5a",
    "case": "#4a7c59",
    "stem": "#2b6cb0",
    "synonym": "#b7791f",
    "near": "#0e7490",
    "paraphrase": "#97469e",
}
_UNMATCHED = "#c53030"
# How much of the notebook's text colour is in each of them, for contrast on light and dark pages.
_SHARE = 45
# Widths in the monospaced font of the drawing.
_LETTER, _GAP, _HEIGHT = 8.4, 18.0, 120.0


def shade(colour: str) -> str:
    """The colour, mixed with that of the notebook's text."""
    return f"color-mix(in srgb, currentColor {_SHARE}%, {colour})"


def number(value: Any) -> str:
    """A short form of a number; the exact one is in the title."""
    if isinstance(value, bool) or not isinstance(value, float):
        return escape(str(value))
    return f'<span title="{value!r}">{value:.6g}</span>'


def table(rows: Iterable[tuple[str, Any]], caption: str = "") -> str:
    """A table of names and numbers."""
    body = "".join(
        f'<tr><th style="text-align:left">{escape(name)}</th>'
        f'<td style="text-align:right">{number(value)}</td></tr>'
        for name, value in rows
    )
    return f"{signature(caption) if caption else ''}<table><tbody>{body}</tbody></table>"


def signature(text: str) -> str:
    """A signature beside a table and not in it: a long one would push the numbers out of sight."""
    wrapped = "overflow-wrap:anywhere;white-space:normal"
    return f'<div style="{wrapped}"><code style="{wrapped}">{escape(text)}</code></div>'


def _places(tokens: list[dict[str, Any]]) -> tuple[list[tuple[float, float]], float]:
    """The left edge and the width of each token, and the total width."""
    places, x = [], 4.0
    for token in tokens:
        wide = sum(2 if ord(letter) >= 0x1100 else 1 for letter in token["text"])
        width = max(1, wide) * _LETTER
        places.append((x, width))
        x += width + _GAP
    return places, x


def drawing(explanation: Mapping[str, Any]) -> str:
    """The two texts with a line for every match, coloured by the stage that found it."""
    hypothesis, reference = (explanation["tokens"][side] for side in ("hypothesis", "reference"))
    above, width_above = _places(hypothesis)
    below, width_below = _places(reference)
    width = max(width_above, width_below, 60.0)
    colours_above = [_UNMATCHED] * len(hypothesis)
    colours_below = [_UNMATCHED] * len(reference)
    lines = []
    for pair in explanation["pairs"]:
        colour = _COLOURS.get(pair["stage"], "#444444")
        first, last = pair["hypothesis"], pair["hypothesis"] + pair["hypothesis_tokens"] - 1
        other, other_last = pair["reference"], pair["reference"] + pair["reference_tokens"] - 1
        colours_above[first : last + 1] = [colour] * (last + 1 - first)
        colours_below[other : other_last + 1] = [colour] * (other_last + 1 - other)
        x1 = (above[first][0] + above[last][0] + above[last][1]) / 2
        x2 = (below[other][0] + below[other_last][0] + below[other_last][1]) / 2
        title = escape(f"{pair['stage']}: {pair['reason']}" if pair["reason"] else pair["stage"])
        lines.append(
            f'<line x1="{x1:.1f}" y1="26" x2="{x2:.1f}" y2="{_HEIGHT - 24:.0f}" '
            f'style="stroke:{shade(colour)}" stroke-width="1.5"><title>{title}</title></line>'
        )

    def words(tokens: list[dict[str, Any]], places: list[Any], colours: list[str], y: float) -> str:
        return "".join(
            f'<text x="{x:.1f}" y="{y:.0f}" style="fill:{shade(colour)}" textLength="{width:.1f}" '
            f'lengthAdjust="spacingAndGlyphs">{escape(token["text"])}</text>'
            for token, (x, width), colour in zip(tokens, places, colours)
        )

    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{_HEIGHT:.0f}" '
        f'viewBox="0 0 {width:.0f} {_HEIGHT:.0f}" role="img" aria-label="alignment" '
        f'style="font:14px monospace;max-width:none">'
        f"{words(hypothesis, above, colours_above, 18)}"
        f"{''.join(lines)}"
        f"{words(reference, below, colours_below, _HEIGHT - 8)}</svg>"
    )
    return f'<div style="overflow-x:auto">{svg}</div>'


def _legend() -> str:
    stages = " ".join(
        f'<span style="color:{shade(colour)}">■ {stage}</span>'
        for stage, colour in [*_COLOURS.items(), ("unmatched", _UNMATCHED)]
    )
    return f"<div>{stages}</div>"


def explanation(it: Mapping[str, Any]) -> str:
    """The drawing, the steps of the formula and where points were lost."""
    proven = {True: "proven", False: "not proven", None: "not searched"}[it["proven"]]
    matches, chunks = it["matches"], it["chunks"]
    steps: list[tuple[str, Any]] = [
        (f"precision = {matches}/{len(it['tokens']['hypothesis'])}", it["precision"]),
        (f"recall = {matches}/{len(it['tokens']['reference'])}", it["recall"]),
        (f"fmean (α = {it['alpha']:g})", it["fmean"]),
        (f"chunks (fewest: {proven})", chunks),
        (
            f"penalty = {it['gamma']:g}·({chunks}/{matches})^{it['beta']:g}"
            if matches
            else "penalty",
            it["penalty"],
        ),
        ("score = (1 − penalty)·fmean", it["score"]),
    ]
    losses = it["losses"]
    lost: list[tuple[str, Any]] = [
        ("lost to unmatched hypothesis words", losses["unmatched_hypothesis"]),
        ("lost to unmatched reference words", losses["unmatched_reference"]),
        ("lost to fragmentation", losses["fragmentation"]),
    ]
    return drawing(it) + _legend() + table([*steps, *lost], caption=it["signature"])


def grid(columns: Iterable[str], rows: Iterable[Iterable[Any]], notes: Iterable[str] = ()) -> str:
    """A table with a heading for each column, and lines of text below it."""
    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in columns)

    def cell(value: Any) -> str:
        side = "right" if isinstance(value, (int, float)) and not isinstance(value, bool) else "left"
        return f'<td style="text-align:{side}">{"" if value is None else number(value)}</td>'

    body = "".join(f"<tr>{''.join(map(cell, row))}</tr>" for row in rows)
    below = "".join(map(signature, notes))
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div style="overflow-x:auto">{table}</div>{below}'
