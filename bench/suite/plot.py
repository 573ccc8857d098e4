"""Two plots as SVG, without a library: bars of ratios and curves of growth.

Colours come from a style sheet inside the file, with a light and a dark theme.
"""

from __future__ import annotations

import math
from html import escape

STYLE = """
  text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #24292f }
  .title { font-size: 15px; font-weight: 600 }
  .faint { fill: #6e7781; font-size: 12px }
  .grid { stroke: #d0d7de; stroke-width: 1 }
  .bar { fill: #2f6fab }
  .spread { stroke: #24292f; stroke-width: 1.5 }
  .guide { stroke: #8c959f; stroke-width: 1.5; stroke-dasharray: 4 4; fill: none }
  .curve { fill: none; stroke-width: 2.2; stroke-linejoin: round }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .faint { fill: #8d96a0 }
    .grid { stroke: #30363d }
    .bar { fill: #5b9bd5 }
    .spread { stroke: #e6edf3 }
    .guide { stroke: #8d96a0 }
  }
"""
# Distinct for colour-blind readers and readable on white and on black; labels at the ends name the curves as well.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b58900", "#56b4e9", "#8c6bb1", "#7f7f7f"]


def document(width: int, height: int, title: str, body: list[str]) -> str:
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" aria-label="{escape(title)}">')
    return "\n".join([head, f"<title>{escape(title)}</title>", f"<style>{STYLE}</style>", *body, "</svg>", ""])


def bars(title: str, rows: list[tuple[str, float, float, float]], remark: str) -> str:
    """Horizontal bars on a logarithmic scale from 1: label, median, least, largest."""
    left, right, top, step, width = 210, 70, 58, 24, 760
    height = top + step * len(rows) + 40
    decades = max(1, math.ceil(math.log10(max(row[3] for row in rows))))
    x = lambda value: left + (width - left - right) * math.log10(max(1.0, value)) / decades  # noqa: E731
    body = [f'<text class="title" x="12" y="24">{escape(title)}</text>', f'<text class="faint" x="12" y="42">{escape(remark)}</text>']
    for decade in range(decades + 1):
        at = x(10**decade)
        body.append(f'<line class="grid" x1="{at:.1f}" x2="{at:.1f}" y1="{top - 6}" y2="{height - 30}"/>')
        body.append(f'<text class="faint" x="{at:.1f}" y="{height - 14}" text-anchor="middle">{10**decade:,}×</text>')
    for idx, (label, median, least, largest) in enumerate(rows):
        y = top + idx * step
        body.append(f'<text x="{left - 10}" y="{y + 13}" text-anchor="end">{escape(label)}</text>')
        body.append(f'<rect class="bar" x="{left}" y="{y + 1}" width="{max(1.0, x(median) - left):.1f}" height="16" rx="2"/>')
        body.append(f'<line class="spread" x1="{x(least):.1f}" x2="{x(largest):.1f}" y1="{y + 9}" y2="{y + 9}"/>')
        body.append(f'<text x="{x(largest) + 8:.1f}" y="{y + 13}">{number(median)}×</text>')
    return document(width, height, title, body)


def curves(title: str, lines: list[tuple[str, list[list[float]]]], remark: str) -> str:
    """Time against length, both logarithmic, with the slopes of n log n and n² to compare with."""
    left, right, top, width, height = 70, 150, 58, 760, 460
    points = [point for _, some in lines for point in some]
    low, high = (math.log10(bound(point[0] for point in points)) for bound in (min, max))
    bottom, ceiling = math.floor(math.log10(min(p[1] for p in points))), math.ceil(math.log10(max(p[1] for p in points)))
    x = lambda n: left + (width - left - right) * (math.log10(n) - low) / (high - low)  # noqa: E731
    y = lambda time: height - 44 - (height - 44 - top) * (math.log10(time) - bottom) / (ceiling - bottom)  # noqa: E731
    body = [f'<text class="title" x="12" y="24">{escape(title)}</text>', f'<text class="faint" x="12" y="42">{escape(remark)}</text>']
    for decade in range(bottom, ceiling + 1):
        at = y(10**decade)
        body.append(f'<line class="grid" x1="{left}" x2="{width - right}" y1="{at:.1f}" y2="{at:.1f}"/>')
        body.append(f'<text class="faint" x="{left - 8}" y="{at + 4:.1f}" text-anchor="end">{duration(decade)}</text>')
    for n in sorted({*(10**k for k in range(7)), round(10**high)}):
        if 10**low <= n <= 10**high * 1.001:
            body.append(f'<text class="faint" x="{x(n):.1f}" y="{height - 22}" text-anchor="middle">{n:,} words</text>')
    first, last = 10**low, 10**high
    start = min(some[0][1] for _, some in lines)
    for name, value in (("n log n", lambda n: n * math.log(n)), ("n²", lambda n: n * n)):
        path = [(n, start * value(n) / value(first)) for n in (first * (last / first) ** (k / 40) for k in range(41))]
        path = [(n, time) for n, time in path if bottom <= math.log10(time) <= ceiling]
        body.append(f'<path class="guide" d="{drawn(path, x, y)}"/>')
        body.append(f'<text class="faint" x="{x(path[-1][0]) - 6:.1f}" y="{y(path[-1][1]) + 18:.1f}" text-anchor="end">{name}</text>')
    places = spaced([(y(some[-1][1]), idx) for idx, (_, some) in enumerate(lines)], 16)
    for idx, (label, some) in enumerate(lines):
        colour = COLOURS[idx % len(COLOURS)]
        body.append(f'<path class="curve" stroke="{colour}" d="{drawn(some, x, y)}"/>')
        body.append(f'<text x="{width - right + 10}" y="{places[idx] + 4:.1f}" style="fill: {colour}">{escape(label)}</text>')
    return document(width, height, title, body)


def drawn(points: list, x, y) -> str:
    return "M" + " L".join(f"{x(n):.1f},{y(time):.1f}" for n, time in points)


def spaced(places: list[tuple[float, int]], least: float) -> dict[int, float]:
    """Moves labels down until none overlaps another."""
    found, last = {}, -math.inf
    for place, idx in sorted(places):
        last = max(place, last + least)
        found[idx] = last
    return found


def number(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def duration(decade: int) -> str:
    names = {0: "1 s", -1: "100 ms", -2: "10 ms", -3: "1 ms", -4: "100 µs", -5: "10 µs", -6: "1 µs", -7: "100 ns"}
    return names.get(decade, f"{10**decade:,} s")
