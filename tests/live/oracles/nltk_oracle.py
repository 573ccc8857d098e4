"""Scores segments with the real NLTK. Runs in an environment of `peers.py`; see `compare.py`.

Metrics have bolide's names, partial signatures: each key becomes an argument of NLTK's function.
"""

import json
import math
import sys
import warnings

import nltk
from nltk.corpus import wordnet
from nltk.stem.porter import PorterStemmer
from nltk.stem.snowball import SnowballStemmer
from nltk.translate import bleu_score, chrf_score, gleu_score, meteor_score, nist_score, ribes_score

warnings.simplefilter("ignore")


class NoStems:
    """Leaves words alone, so that NLTK's second pass finds nothing."""

    def stem(self, word):
        return word


class NoSynonyms:
    """Knows no word, so that NLTK's third pass finds nothing."""

    def synsets(self, word):
        return []


def tokens(segments, tokenize=str.split):
    """Lists of references and hypotheses, as NLTK's corpus functions take them."""
    references = [[tokenize(text) for text in segment[1:]] for segment in segments]
    return references, [tokenize(segment[0]) for segment in segments]


def meteor(name, keys):
    """NLTK's METEOR of one segment; a corpus is the mean, which NLTK leaves to its callers."""
    weights = {key: float(keys[key]) for key in ("alpha", "beta", "gamma") if key in keys}
    if name == "meteor:nltk-3.6.2":
        segment = lambda s: meteor_score.meteor_score(s[1:], s[0], **weights)
        return segment, exact_mean
    stages = keys.get("match", "exact+stem+synonym").split("+")
    stemmer = SnowballStemmer("english") if keys.get("stemmer") == "snowball" else PorterStemmer()
    options = {
        "preprocess": (lambda word: word) if keys.get("case") == "mixed" else str.lower,
        "stemmer": stemmer if "stem" in stages else NoStems(),
        "wordnet": wordnet if "synonym" in stages else NoSynonyms(),
        **weights,
    }
    # Hugging Face's `meteor` is this, on its words, with numpy's mean.
    hf = name == "meteor:hf"
    tokenize = nltk.word_tokenize if hf else str.split

    def segment(texts):
        [references], [hypothesis] = tokens([texts], tokenize)
        return meteor_score.meteor_score(references, hypothesis, **options)

    return segment, numpy_mean if hf else exact_mean


def numpy_mean(_, scores):
    import numpy

    return numpy.mean(scores)


def exact_mean(_, scores):
    """bolide's sum is exact whatever the order."""
    return math.fsum(scores) / len(scores)


def bleu(keys):
    method = keys.get("smooth", "method0")
    options = {
        "weights": tuple(float(w) for w in keys.get("weights", "0.25,0.25,0.25,0.25").split(",")),
        "smoothing_function": getattr(bleu_score.SmoothingFunction(), method),
        "auto_reweigh": keys.get("reweigh") == "yes",
    }
    return lambda segments: bleu_score.corpus_bleu(*tokens(segments), **options)


def gleu(keys):
    low, high = int(keys.get("min", 1)), int(keys.get("max", 4))
    return lambda segments: gleu_score.corpus_gleu(*tokens(segments), min_len=low, max_len=high)


def nist(keys):
    return lambda segments: nist_score.corpus_nist(*tokens(segments), n=int(keys.get("n", 5)))


def chrf(keys):
    """Takes one reference; bolide uses the first."""
    options = {
        "min_len": int(keys.get("min", 1)),
        "max_len": int(keys.get("max", 6)),
        "beta": float(keys.get("beta", 3)),
        "ignore_whitespace": keys.get("space") != "yes",
    }
    return lambda segments: chrf_score.corpus_chrf(
        [segment[1] for segment in segments], [segment[0] for segment in segments], **options
    )


def ribes(keys):
    options = {key: float(keys[key]) for key in ("alpha", "beta") if key in keys}
    return lambda segments: ribes_score.corpus_ribes(*tokens(segments), **options)


CORPUS = {"bleu:nltk": bleu, "gleu:nltk": gleu, "nist:nltk": nist, "chrf:nltk": chrf, "ribes:nltk": ribes}


def scorer(metric):
    """Two functions: of one segment, and of all segments and their scores."""
    name, *parts = metric.split("|")
    keys = dict(part.split(":", 1) for part in parts)
    if name.startswith("meteor:"):
        return meteor(name, keys)
    corpus = CORPUS[name](keys)
    return (lambda segment: corpus([segment])), (lambda segments, _: corpus(segments))


def attempt(function, *arguments):
    """The score, or the name of the exception."""
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
    for metric in request["metrics"]:
        segment, corpus = scorer(metric)
        columns.append([attempt(segment, texts) for texts in segments])
        corpora.append(attempt(corpus, segments, columns[-1]))
    return {"scores": list(zip(*columns)), "corpus": corpora}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
