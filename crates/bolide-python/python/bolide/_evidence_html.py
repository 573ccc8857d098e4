"""The HTML that notebooks show for a score without an alignment: words, n-grams, edits and the formula."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from . import _html

# Labels say the same as colours. In the order of the command.
_KINDS = {"match": "#1a7f5a", "no match": "#c53030", "missing": "#b7791f"}
_EDITS = {
    "keep": ("=", "#1a7f5a"),
    "substitute": ("S", "#b7791f"),
    "delete": ("D", "#c53030"),
    "insert": ("I", "#c53030"),
}
# Longer lists of n-grams are folded.
_MOST_OPEN = 60


def _coloured(text: str, colour: str) -> str:
    return f'<span style="color:{_html.shade(colour)}">{escape(text)}</span>'


def _line(label: str, content: str) -> str:
    return f'<div style="overflow-wrap:anywhere"><b>{escape(label)}</b> {content}</div>'


def _scrolling(content: str) -> str:
    return f'<div style="overflow-x:auto">{content}</div>'


def _texts(it: Mapping[str, Any]) -> str:
    """The words of all texts."""
    words = it["words"]
    texts = [words["hypothesis"], *words["references"]]
    if not any(texts):
        return ""
    labels = ["hypothesis", *_reference_labels(it)]
    return "".join(_line(label, escape(" ".join(text)) or "(no words)") for label, text in zip(labels, texts))


def _reference_labels(it: Mapping[str, Any]) -> list[str]:
    n_references = len(it["words"]["references"])
    return ["reference"] if n_references == 1 else [f"reference {idx + 1}" for idx in range(n_references)]


def _chosen(it: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The reference that counted, and its label."""
    at = it["reference_idx"] or 0
    return _reference_labels(it)[at], it["words"]["references"][at]


def _edits(it: Mapping[str, Any]) -> str:
    """The moves, and both texts with the edits between them."""
    hypothesis, (label, reference), edits = it["words"]["hypothesis"], _chosen(it), it["edits"]
    lines = [_line("hypothesis", escape(" ".join(hypothesis)) or "(no words)")]
    for number, shift in enumerate(edits["shifts"], start=1):
        block = " ".join(hypothesis[at] for at in shift["words"])
        what = f"'{block}' moves from word {shift['from'] + 1} to word {shift['to'] + 1}"
        lines.append(_line(f"shift {number}", escape(what)))

    def cell(text: str, colour: str) -> str:
        return f'<td style="text-align:center">{_coloured(text, colour)}</td>'

    rows: tuple[list[str], list[str], list[str]] = ([], [], [])
    for edit in edits["path"]:
        mark, colour = _EDITS[edit["kind"]]
        ours, theirs = edit["hypothesis"], edit["reference"]
        rows[0].append(cell("*" if ours is None else hypothesis[ours], colour))
        rows[1].append(cell(mark, colour))
        rows[2].append(cell("*" if theirs is None else reference[theirs], colour))
    heads = ("moved" if edits["shifts"] else "hypothesis", "", label)
    body = "".join(
        f'<tr><th style="text-align:left">{head}</th>{"".join(row)}</tr>' for head, row in zip(heads, rows)
    )
    legend = "= kept, S substitution, D deletion, I insertion"
    return f"{''.join(lines)}{_scrolling(f'<table><tbody>{body}</tbody></table>')}<div>{legend}</div>"


def _subsequence(it: Mapping[str, Any]) -> str:
    """Both texts, with lines between the words in common where their places on both sides are known."""
    label, reference = _chosen(it)
    hypothesis, common = it["words"]["hypothesis"], it["subsequence"]
    if any(one["hypothesis"] is None for one in common):
        shared = {one["reference"] for one in common}
        words = (
            _coloured(word, _KINDS["match" if at in shared else "missing"]) for at, word in enumerate(reference)
        )
        return _line("hypothesis", escape(" ".join(hypothesis))) + _line(label, " ".join(words))
    pairs = (
        {
            "hypothesis": one["hypothesis"],
            "hypothesis_tokens": 1,
            "reference": one["reference"],
            "reference_tokens": 1,
            "stage": "exact",
            "reason": "in common",
        }
        for one in common
    )
    tokens = {"hypothesis": hypothesis, "reference": reference}
    sides = {side: [{"text": word} for word in words] for side, words in tokens.items()}
    return _html.drawing({"tokens": sides, "pairs": list(pairs)})


def _name(order: Mapping[str, Any]) -> str:
    return f"{order['n']} {order['unit']}{'' if order['n'] == 1 else 's'}"


def _orders(orders: list[Mapping[str, Any]]) -> str:
    """The counts of every order."""
    columns = ["hypothesis", "reference", "matches", "precision", "recall"]
    columns = [name for name in columns if any(order[name] is not None for order in orders)]

    def row(order: Mapping[str, Any]) -> Iterable[Any]:
        yield _name(order) + (", smoothed" if order["smoothed"] else "")
        for name in columns:
            yield order[name]

    return _html.grid(["n-grams", *columns], map(row, orders))


def _kind(ngram: Mapping[str, Any]) -> str:
    if ngram["matches"]:
        return "match"
    return "no match" if ngram["hypothesis"] else "missing"


def _counted(ngram: Mapping[str, Any]) -> str:
    """An n-gram with how often it counts: ``the×1/2`` if one of two does."""
    matches, all_of_it = ngram["matches"], ngram["hypothesis"] or ngram["reference"]
    if matches and matches < all_of_it:
        return f"{ngram['text']}×{matches}/{all_of_it}"
    return ngram["text"] if all_of_it == 1 else f"{ngram['text']}×{all_of_it}"


def _ngrams(order: Mapping[str, Any]) -> str:
    """The n-grams of one order: those that match, those that do not, those that are missing."""
    ngrams = order["ngrams"]
    between = " | " if order["unit"] == "word" else " "
    lines = []
    for kind, colour in _KINDS.items():
        chosen = [_coloured(_counted(ngram), colour) for ngram in ngrams if _kind(ngram) == kind]
        if chosen:
            lines.append(_line(f"{kind}:", between.join(chosen)))
    if not lines:
        return ""
    is_open = " open" if len(ngrams) <= _MOST_OPEN else ""
    return f"<details{is_open}><summary>{_name(order)}</summary>{''.join(lines)}</details>"


def _steps(steps: list[Mapping[str, Any]]) -> str:
    rows = ((step["name"].replace("_", " "), step["formula"], step["value"]) for step in steps)
    return _html.grid(["step", "formula", "value"], rows)


def evidence(it: Mapping[str, Any]) -> str:
    """The texts, what was counted in them, and the formula."""
    if it["edits"] is not None:
        texts = _edits(it)
    elif it["subsequence"] is not None:
        texts = _subsequence(it)
    else:
        texts = _texts(it)
    counts = _orders(it["orders"]) + "".join(map(_ngrams, it["orders"])) if it["orders"] else ""
    if it["steps"]:
        steps = _steps(it["steps"]) + _html.signature(it["signature"])
    else:
        steps = _html.table([*it["components"].items(), ("score", it["score"])], caption=it["signature"])
    return texts + counts + steps
