"""Scores segments with the real NLTK. Runs in an environment of `peers.py`; see `compare.py`.

Metrics have bolide's names, partial signatures: each key becomes an argument of NLTK's function. The metrics that
Hugging Face's evaluate builds on NLTK are here too, as the steps that its modules document.
"""

import math
import sys
import warnings

import nltk
from nltk.corpus import wordnet
from nltk.stem.porter import PorterStemmer
from nltk.stem.snowball import SnowballStemmer
from nltk.translate import bleu_score, chrf_score, gleu_score, meteor_score, nist_score, ribes_score
from oracle import Scorer, keys, serve, sum_of

warnings.simplefilter("ignore")
VERSION = f"NLTK {nltk.__version__}"


class NoStems:
    """A stemmer that changes no word, so that NLTK's second pass finds nothing."""

    def stem(self, word):
        return word


class NoSynonyms:
    """An empty WordNet, so that NLTK's third pass finds nothing."""

    def synsets(self, word):
        return []


# The old NLTK's third pass matches a word with itself even without WordNet, so it must be replaced.
OLD_SYNONYMS = getattr(meteor_score, "_enum_wordnetsyn_match", None)


def no_matches(hypothesis, reference, **_):
    """A pass that finds nothing."""
    return [], hypothesis, reference


def tokenizer(name):
    """A tokenizer by the value of the key `tok`, and how it is written down."""
    if name == "space":
        return str.split, "str.split"
    if name == "nltk":
        return nltk.word_tokenize, "nltk.word_tokenize"
    # Only used in the environments that have sacreBLEU.
    if name == "intl":
        from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International

        return (lambda text: TokenizerV14International()(text).split()), "sacrebleu intl"
    if name == "unspaced":
        words, named = tokenizer("intl")
        return (lambda text: [part for word in words(text) for part in unspaced(word)]), f"{named}, characters of scripts without spaces apart"
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    return (lambda text: Tokenizer13a()(text).split()), "sacrebleu 13a"


def unspaced(word):
    """Parts of a word: a letter of a script without spaces with its marks, or what stands between such letters."""
    import regex

    scripts = "".join(rf"\p{{Script={name}}}" for name in "Han Hiragana Katakana Bopomofo Thai Lao Khmer Myanmar".split())
    # Long vowels and the voice marks of narrow syllables belong to no script alone.
    letter = rf"[{scripts}ー\uff70--\p{{M}}\p{{Nd}}]"
    stacked = rf"(?:[\u1039\u17d2]{letter})"
    return regex.findall(rf"(?V1){letter}(?:{stacked}|[\p{{M}}\uff9e\uff9f])*|(?:(?!{letter})[^\u200b])+", word)


def tokens(segments, tokenize=str.split):
    """Lists of references and hypotheses, as NLTK's corpus functions take them."""
    references = [[tokenize(text) for text in segment[1:]] for segment in segments]
    return references, [tokenize(segment[0]) for segment in segments]


def lowered(tokenize, given):
    """A tokenizer that lower-cases if the keys have `case:lc`."""
    if given.get("case") != "lc":
        return tokenize
    return lambda text: [word.lower() for word in tokenize(text)]


def meteor(name, given):
    """NLTK's METEOR of one segment; a corpus is the mean, which NLTK leaves to its callers."""
    stages = given.get("match", "exact+stem+synonym").split("+")
    stemmer = SnowballStemmer("english") if given.get("stemmer") == "snowball" else PorterStemmer()
    options = {
        "preprocess": (lambda word: word) if given.get("case") == "mixed" else str.lower,
        "stemmer": stemmer if "stem" in stages else NoStems(),
        "wordnet": wordnet if "synonym" in stages else NoSynonyms(),
        **{key: float(given[key]) for key in ("alpha", "beta", "gamma") if key in given},
    }
    # Hugging Face's `meteor` is this, on its words, with numpy's mean.
    hf = name == "meteor:hf"
    tokenize, words = tokenizer(given.get("tok", "nltk" if hf else "space"))
    # Before 3.6.3 NLTK took strings and split them itself.
    strings = name == "meteor:nltk-3.6.2"

    def segment(texts):
        if strings:
            meteor_score._enum_wordnetsyn_match = OLD_SYNONYMS if "synonym" in stages else no_matches
        [references], [hypothesis] = ([texts[1:]], texts[:1]) if strings else tokens([texts], tokenize)
        return meteor_score.meteor_score(references, hypothesis, **options)

    steps = "; the steps of evaluate 0.4.6 meteor" if hf else ""
    call = f"{VERSION} meteor_score.meteor_score on {words}, {spelled(given)}{steps}"
    return Scorer(segment, numpy_mean if hf else exact_mean, call)


def spelled(given):
    """The keys of a signature as text."""
    return ", ".join(f"{key} {value}" for key, value in given.items()) or "defaults"


def numpy_mean(_, scores):
    import numpy

    return numpy.mean(scores)


def exact_mean(_, scores):
    """An exact sum, like bolide's, which does not depend on the order."""
    return math.fsum(scores) / len(scores)


def bleu(given):
    tokenize, words = tokenizer(given.get("tok", "space"))
    weights = given.get("weights", "0.25,0.25,0.25,0.25").split(",")
    if "order" in given:
        weights = [1 / int(given["order"])] * int(given["order"])
    options = {
        "weights": tuple(float(w) for w in weights),
        "smoothing_function": getattr(bleu_score.SmoothingFunction(), given.get("smooth", "method0")),
        "auto_reweigh": given.get("reweigh") == "yes",
    }
    score = lambda segments: bleu_score.corpus_bleu(*tokens(segments, lowered(tokenize, given)), **options)
    return score, f"bleu_score.corpus_bleu on {words}"


def gleu(given, default="space"):
    low, high = int(given.get("min", 1)), int(given.get("max", 4))
    tokenize, words = tokenizer(given.get("tok", default))
    score = lambda segments: gleu_score.corpus_gleu(*tokens(segments, tokenize), min_len=low, max_len=high)
    return score, f"gleu_score.corpus_gleu on {words}"


def hf_gleu(given):
    score, call = gleu(given, "13a")
    return score, f"{call}; the steps of evaluate 0.4.6 google_bleu"


def nist(given):
    def score(segments):
        nist_score.sum = sum_of(given.get("sum"), "compensated")
        return nist_score.corpus_nist(*tokens(segments), n=int(given.get("n", 5)))

    return score, "nist_score.corpus_nist on str.split"


def chrf(given):
    """Takes one reference; bolide uses the first."""
    options = {
        "min_len": int(given.get("min", 1)),
        "max_len": int(given.get("max", 6)),
        "beta": float(given.get("beta", 3)),
        "ignore_whitespace": given.get("space") != "yes",
    }

    def score(segments):
        chrf_score.sum = sum_of(given.get("sum"), "compensated")
        references, hypotheses = [s[1] for s in segments], [s[0] for s in segments]
        return chrf_score.corpus_chrf(references, hypotheses, **options)

    return score, "chrf_score.corpus_chrf of the first reference"


def ribes(given):
    options = {key: float(given[key]) for key in ("alpha", "beta") if key in given}
    score = lambda segments: ribes_score.corpus_ribes(*tokens(segments), **options)
    return score, "ribes_score.corpus_ribes on str.split"


CORPUS = {
    "bleu:nltk": bleu,
    "gleu:nltk": gleu,
    "gleu:hf": hf_gleu,
    "nist:nltk": nist,
    "chrf:nltk": chrf,
    "ribes:nltk": ribes,
}


def scorer(metric):
    """The functions of a metric by its name."""
    name, given = keys(metric)
    if name.startswith("meteor:"):
        return meteor(name, given)
    corpus, call = CORPUS[name](given)
    call = f"{VERSION} {call}, {spelled(given)}"
    return Scorer(lambda segment: corpus([segment]), lambda segments, _: corpus(segments), call)


if __name__ == "__main__":
    version = {"python": sys.version_info[:3], "nltk": nltk.__version__}
    serve(scorer, version, lambda text, name: tokenizer(name)[0](text))
