"""Generated pairs for the cluster tests. The same number gives the same pair in any process."""

import random

import numpy
import pyarrow as pa

WORDS = (
    "the a cat cats dog dogs sat sits sitting on in under mat rug house big large small red barked runs "
    "running ran quickly at man woman child children and or but with without of to from was is were"
).split()
LANGUAGES = ["de", "fr", "ja", "sw", None]
SYSTEMS = ["one", "two", "three"]
DISTINCT = 20_000


def distinct_pairs(seed=7, n_pairs=DISTINCT):
    """Hypotheses that are their reference with some words dropped, changed and moved."""
    generator = random.Random(seed)
    hypotheses, references = [], []
    for _ in range(n_pairs):
        reference = generator.choices(WORDS, k=generator.randrange(3, 25))
        hypothesis = [word for word in reference if generator.random() > 0.1]
        hypothesis = [w if generator.random() > 0.15 else generator.choice(WORDS) for w in hypothesis]
        if generator.random() < 0.5:
            cut = generator.randrange(len(hypothesis) + 1)
            hypothesis = hypothesis[cut:] + hypothesis[:cut]
        hypotheses.append(" ".join(hypothesis))
        references.append(" ".join(reference))
    return hypotheses, references


def table(n_rows, start=0, distinct=None):
    """Rows from `start` on: id, lang, system, hyp and refs, a list of one or two references."""
    hypotheses, references = distinct or distinct_pairs()
    ids = numpy.arange(start, start + n_rows, dtype=numpy.int64)
    # Hypotheses and references of the same pair, in an order unrelated to the ids.
    picked = (ids * 7919 + ids // DISTINCT) % DISTINCT
    texts, answers = pa.array(hypotheses), pa.array(references)
    first = answers.take(pa.array(picked))
    second = answers.take(pa.array((picked + 1) % DISTINCT))
    # Every third row has two references: interleave both and slice the lists.
    both = pa.concat_arrays([first, second])
    two = ids % 3 == 0
    offsets = numpy.concatenate([[0], numpy.cumsum(1 + two)]).astype(numpy.int32)
    where = numpy.zeros(offsets[-1], dtype=numpy.int64)
    where[offsets[:-1]] = numpy.arange(n_rows)
    where[offsets[:-1][two] + 1] = numpy.arange(n_rows)[two] + n_rows
    refs = pa.ListArray.from_arrays(pa.array(offsets), both.take(pa.array(where)))
    return pa.table(
        {
            "id": ids,
            "lang": pa.array(LANGUAGES).take(pa.array(ids % 5)),
            "system": pa.array(SYSTEMS).take(pa.array(ids // 5 % 3)),
            "hyp": texts.take(pa.array(picked)),
            "ref": first,
            "refs": refs,
        }
    )
