"""Scores segments with the real sacreBLEU, rouge-score and pycocoevalcap; see `compare.py`.

Metrics have bolide's names, partial signatures: each key becomes an argument of the program's class. The environment
is the group `programs` of `peers.py`, with the wheel of pycocoevalcap on PYTHONPATH.
"""

import contextlib
import io
import logging
import sys

import numpy
import sacrebleu
from oracle import Scorer, keys, serve, sum_of
from rouge_score import rouge_scorer
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.metrics import bleu as bleu_module

# sacreBLEU recommends the effective order for every single segment.
logging.disable(logging.WARNING)
SACREBLEU = f"sacreBLEU {sacrebleu.__version__}"


def streams(segments):
    """Reference lists in sacreBLEU's format; a missing reference is None."""
    n = max(len(segment) for segment in segments) - 1
    return [[s[at] if at < len(s) else None for s in segments] for at in range(1, n + 1)]


def written(kind, options):
    """The text of a constructor call."""
    return f"{kind.__name__}({', '.join(f'{key}={value!r}' for key, value in options.items())})"


def sacrebleu_scorer(kind, options, single, describe, prepare=lambda: None):
    """Segments by `sentence_score` with `single` options, corpora by `corpus_score`."""
    one, many = kind(**{**options, **single}), kind(**options)

    def segment(texts):
        prepare()
        return describe(one.sentence_score(texts[0], list(texts[1:])))

    def corpus(segments, _):
        prepare()
        return describe(many.corpus_score([s[0] for s in segments], streams(segments)))

    extra = f"; segments with {single}" if single else ""
    return Scorer(segment, corpus, f"{SACREBLEU} {written(kind, options)}{extra}")


def bleu(given):
    options = {
        "lowercase": given.get("case") == "lc",
        "tokenize": given.get("tok", "13a"),
        "smooth_method": given.get("smooth", "exp"),
        "effective_order": given.get("eff") == "yes",
        "max_ngram_order": int(given.get("order", 4)),
        "force": True,
    }
    if "[" in options["smooth_method"]:
        method, value = options["smooth_method"].rstrip("]").split("[")
        options |= {"smooth_method": method, "smooth_value": float(value)}

    def prepare():
        bleu_module.sum = sum_of(given.get("sum"), "py312")

    def describe(score):
        lengths = {"hypothesis_length": score.sys_len, "reference_length": score.ref_len}
        precisions = {f"precision{n}": p for n, p in enumerate(score.precisions, 1)}
        return score.score, {**precisions, "brevity_penalty": score.bp, **lengths}

    # `sacrebleu -sl` scores segments with effective order by default.
    same = "eff" in given or given.get("segments") == "same"
    single = {} if same else {"effective_order": True}
    return sacrebleu_scorer(BLEU, options, single, describe, prepare)


def chrf(given, word_order):
    options = {
        "char_order": int(given.get("nc", 6)),
        "word_order": int(given.get("nw", word_order)),
        "beta": float(given.get("beta", 2)),
        "lowercase": given.get("case") == "lc",
        "whitespace": given.get("space") == "yes",
        "eps_smoothing": given.get("eff") == "no",
    }
    # sacreBLEU prints whole betas without a point, and bolide's F is the same for either.
    options["beta"] = int(options["beta"]) if options["beta"].is_integer() else options["beta"]
    return sacrebleu_scorer(CHRF, options, {}, lambda score: score.score)


def ter(given):
    options = {
        "normalized": given.get("norm") == "yes",
        "no_punct": given.get("punct") == "no",
        "asian_support": given.get("asian") == "yes",
        "case_sensitive": given.get("case") == "mixed",
    }

    def describe(score):
        return score.score, {"edits": score.num_edits, "reference_length": score.ref_length}

    return sacrebleu_scorer(TER, options, {}, describe)


def rouge(name, given):
    kind = f"rouge{given.get('order', 3)}" if name == "rougeN" else name
    stem = given.get("stem") == "yes"
    scorer = rouge_scorer.RougeScorer([kind], use_stemmer=stem)

    def segment(texts):
        found = scorer.score_multi(texts[1:], texts[0])[kind]
        return found.fmeasure, {"precision": found.precision, "recall": found.recall}

    call = f"rouge-score 0.1.2 RougeScorer([{kind!r}], use_stemmer={stem}).score_multi; corpora by numpy.mean"
    return Scorer(segment, lambda _, scores: numpy.mean(scores), call)


def captions(segments):
    """References and hypotheses as pycocoevalcap takes them."""
    return dict(enumerate(s[1:] for s in segments)), dict(enumerate(s[:1] for s in segments))


def coco_bleu(given):
    from pycocoevalcap.bleu.bleu import Bleu

    order = int(given.get("order", 4))

    def corpus(segments, _=None):
        with contextlib.redirect_stdout(io.StringIO()):
            scores, _ = Bleu(order).compute_score(*captions(segments))
        return scores[-1], {f"bleu{n}": score for n, score in enumerate(scores, 1)}

    return Scorer(lambda texts: corpus([texts]), corpus, f"pycocoevalcap 1.2 Bleu({order}).compute_score")


def coco_rouge(given):
    from pycocoevalcap.rouge.rouge import Rouge

    rouge = Rouge()
    rouge.beta = float(given.get("beta", 1.2))

    def corpus(segments, _=None):
        return rouge.compute_score(*captions(segments))[0]

    return Scorer(lambda texts: corpus([texts]), corpus, f"pycocoevalcap 1.2 Rouge().compute_score, beta {rouge.beta}")


def coco_cider(given):
    from pycocoevalcap.cider.cider import Cider

    sigma = float(given.get("sigma", 6.0))

    def corpus(segments, _=None):
        return Cider(sigma=sigma).compute_score(*captions(segments))[0]

    return Scorer(lambda texts: corpus([texts]), corpus, f"pycocoevalcap 1.2 Cider(sigma={sigma}).compute_score")


COCO = {"bleu": coco_bleu, "cider": coco_cider, "rougeL": coco_rouge}


def scorer(metric):
    """The functions of a metric by its name."""
    name, given = keys(metric)
    family, _, dialect = name.partition(":")
    if dialect == "coco":
        return COCO[family](given)
    if family.startswith("rouge"):
        return rouge(family, given)
    if family == "ter":
        return ter(given)
    return bleu(given) if family == "bleu" else chrf(given, 2 if family == "chrf++" else 0)


if __name__ == "__main__":
    serve(scorer, {"python": sys.version_info[:3], "sacrebleu": sacrebleu.__version__})
