"""Scores segments with the real NLTK. Runs in an environment of `peers.py`; see `compare.py`.

Metrics are named as bolide names them, without the keys that only bolide needs.
"""

import json
import math
import sys
import warnings

import nltk
from nltk.translate import bleu_score, meteor_score

warnings.simplefilter("ignore")
WEIGHTS = {
    "default": (0.25, 0.25, 0.25, 0.25),
    "b1": (1.0,),
    "b2": (0.5, 0.5),
    "b3": (1 / 3, 1 / 3, 1 / 3),
    "b5": (0.2, 0.2, 0.2, 0.2, 0.2),
}


def meteor_nltk(hypothesis, *references):
    return meteor_score.meteor_score([r.split() for r in references], hypothesis.split())


def meteor_old(hypothesis, *references):
    return meteor_score.meteor_score(references, hypothesis)


def meteor_hf(hypothesis, *references):
    """The body of Hugging Face's `meteor` for one prediction."""
    tokens = nltk.word_tokenize
    return meteor_score.meteor_score(
        [tokens(r) for r in references], tokens(hypothesis), alpha=0.9, beta=3, gamma=0.5
    )


def bleu(method, weights):
    smoothing = getattr(bleu_score.SmoothingFunction(), f"method{method}")

    def corpus(segments):
        return bleu_score.corpus_bleu(
            [[r.split() for r in segment[1:]] for segment in segments],
            [segment[0].split() for segment in segments],
            weights=WEIGHTS[weights],
            smoothing_function=smoothing,
        )

    return corpus


def gleu(segments):
    from nltk.translate.gleu_score import corpus_gleu

    return corpus_gleu(
        [[r.split() for r in s[1:]] for s in segments], [s[0].split() for s in segments]
    )


def nist(segments):
    from nltk.translate.nist_score import corpus_nist

    return corpus_nist(
        [[r.split() for r in s[1:]] for s in segments], [s[0].split() for s in segments]
    )


def chrf(segments):
    from nltk.translate.chrf_score import corpus_chrf

    return corpus_chrf([s[1] for s in segments], [s[0] for s in segments])


def ribes(segments):
    from nltk.translate.ribes_score import corpus_ribes

    return corpus_ribes(
        [[r.split() for r in s[1:]] for s in segments], [s[0].split() for s in segments]
    )


def numpy_mean(_, scores):
    import numpy

    return numpy.mean(scores)


def exact_mean(_, scores):
    """NLTK leaves the mean to its callers; bolide's sum is exact whatever the order."""
    return math.fsum(scores) / len(scores)


METEOR = {"meteor:nltk": meteor_nltk, "meteor:hf": meteor_hf, "meteor:nltk-3.6.2": meteor_old}
CORPUS = {"gleu:nltk": gleu, "nist:nltk": nist, "chrf:nltk": chrf, "ribes:nltk": ribes}


def scorer(name):
    """Two functions: of one segment, and of all with their scores."""
    if name in METEOR:
        segment = METEOR[name]
        return (lambda s: segment(*s)), (numpy_mean if name == "meteor:hf" else exact_mean)
    if name.startswith("bleu:nltk"):
        keys = dict(part.split(":") for part in name.split("|")[1:])
        corpus = bleu(keys.get("smooth", "0"), keys.get("weights", "default"))
    else:
        corpus = CORPUS[name]
    return (lambda s: corpus([s])), (lambda segments, _: corpus(segments))


def attempt(function, *arguments):
    try:
        score = float(function(*arguments))
        return "NaN" if math.isnan(score) else score
    except Exception as error:
        return type(error).__name__


def answer(request):
    """What `compare.py` expects."""
    if "metrics" not in request:
        return {"python": sys.version_info[:3], "nltk": nltk.__version__}
    segments = request["segments"]
    columns, corpora = [], []
    for name in request["metrics"]:
        segment, corpus = scorer(name)
        columns.append([attempt(segment, s) for s in segments])
        corpora.append(attempt(corpus, segments, columns[-1]))
    return {"scores": list(zip(*columns)), "corpus": corpora}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
