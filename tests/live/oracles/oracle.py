"""Shared by the oracles: the line protocol of `compare.py`, and Python's two ways of adding floats.

A metric is named by a partial signature of bolide's. A scorer consists of two functions, for one segment and for a
corpus with the scores of its segments, and of the text of the call, for the record.
"""

import json
import math
import random
import sys
from collections import namedtuple

Scorer = namedtuple("Scorer", "segment corpus call")
"""`segment(texts)`, `corpus(segments, scores)`: each gives a number, or a number and named statistics."""


def keys(metric):
    """The name and the keys of a partial signature."""
    name, *parts = metric.split("|")
    return name, dict(part.split(":", 1) for part in parts)


def plain_sum(values, start=0):
    """`sum` of Python 3.11 and before."""
    for value in values:
        start = start + value
    return start


def compensated_sum(values, start=0):
    """`sum` of Python 3.12 and later: rounding errors are summed separately (Neumaier)."""
    total, lost = start, 0.0
    for value in values:
        if isinstance(total, float) and isinstance(value, float):
            after = total + value
            large, small = (total, value) if abs(total) >= abs(value) else (value, total)
            lost += (large - after) + small
            total = after
        else:
            total = total + value
    return total + lost if lost and math.isfinite(lost) else total


def sum_of(given, default):
    """The function for a value of bolide's key `sum`."""
    return {"py311": plain_sum, "plain": plain_sum, "py312": compensated_sum, "compensated": compensated_sum}[
        given or default
    ]


def check_sums():
    """The running Python's own `sum` must be one of the two."""
    rng = random.Random(1)
    native = compensated_sum if sys.version_info >= (3, 12) else plain_sum
    for n in range(300):
        values = [0, *(rng.gauss(0, 1) * 10 ** rng.randint(-9, 9) for _ in range(n))]
        assert native(values) == sum(values), values


def attempt(function, *arguments):
    """The score with its statistics; the name of the exception in place of a score."""
    try:
        found = function(*arguments)
    except (TypeError, NameError, AttributeError, ImportError):
        raise  # A mistake in the request is not an answer.
    except Exception as error:
        return type(error).__name__, None
    score, statistics = found if isinstance(found, tuple) else (found, None)
    score = float(score)
    return "NaN" if math.isnan(score) else score, statistics


def serve(scorer, version, tokenize=None):
    """Answers requests until there are no more; `tokenize` splits a text with a named tokenizer."""
    check_sums()
    for line in sys.stdin:
        request = json.loads(line)
        answer = version
        if "texts" in request:
            answer = {"tokens": [tokenize(text, request["tokenizer"]) for text in request["texts"]]}
        if "metrics" in request:
            columns, corpora, calls = [], [], []
            for metric in request["metrics"]:
                one = scorer(metric)
                calls.append(one.call)
                columns.append([attempt(one.segment, texts) for texts in request["segments"]])
                scores = [score for score, _ in columns[-1]]
                corpora.append(attempt(one.corpus, request["segments"], scores))
            rows = list(zip(*columns))
            answer = {
                "scores": [[score for score, _ in row] for row in rows],
                "statistics": [[statistics for _, statistics in row] for row in rows],
                "corpus": [score for score, _ in corpora],
                "corpus_statistics": [statistics for _, statistics in corpora],
                "calls": calls,
            }
        print(json.dumps(answer), flush=True)
