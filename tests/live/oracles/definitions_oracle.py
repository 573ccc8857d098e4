"""Scores segments by definitions that have no program: plain Python, written to be read, not to be quick.

`meteor:textbook` and `bleu:unigram` are formulas of a course. `meteor:classic` is Banerjee and Lavie's metric with the
best of all alignments, found by trying them all. `meteor:2026` is ../meteor2026_reference.py. `bleu:hf` is the formula that Hugging Face's evaluate 0.4.6
documents for its module `bleu`, which its package does not contain. Stems, synonyms and words are NLTK's.
"""

import functools
import math
import sys
import unicodedata
from collections import Counter
from pathlib import Path

from nltk.corpus import wordnet
from nltk.stem.porter import PorterStemmer
from nltk.stem.snowball import SnowballStemmer
from nltk_oracle import VERSION, lowered, spelled, tokenizer
from oracle import Scorer, keys, serve, sum_of

sys.path.append(str(Path(__file__).resolve().parents[1]))
import meteor2026_reference as meteor2026

STEMMERS = {"porter": PorterStemmer(), "snowball": SnowballStemmer("english")}


def formula(matches, chunks, lengths, given):
    """METEOR of 2005 from its counts."""
    alpha, beta, gamma = (float(given.get(key, usual)) for key, usual in (("alpha", 0.9), ("beta", 3), ("gamma", 0.5)))
    if matches == 0 or 0 in lengths:
        return 0.0
    precision, recall = matches / lengths[0], matches / lengths[1]
    below = alpha * precision + (1 - alpha) * recall
    if below == 0:
        return 0.0
    return (1 - gamma * (chunks / matches) ** beta) * (precision * recall / below)


def counted(matches, chunks, lengths):
    """The counts by the names that bolide reports them under."""
    names = ("matches", "chunks", "hypothesis_length", "reference_length")
    return dict(zip(names, (matches, chunks, *lengths)))


def meteor(given, words, call, count, pooled):
    """A METEOR that is `count(hypothesis, reference)` and the formula; the best reference counts, the first of equals."""
    tokenize, _ = words

    def best(texts):
        hypothesis, *references = ([mixed_or_lower(word, given) for word in tokenize(text)] for text in texts)
        found = []
        for reference in references:
            lengths = len(hypothesis), len(reference)
            matches, chunks = count(hypothesis, reference)
            found.append((formula(matches, chunks, lengths, given), matches, chunks, lengths))
        return max(found, key=lambda one: one[0])

    def segment(texts):
        score, *counts = best(texts)
        return score, counted(*counts)

    def corpus(segments, scores):
        if not pooled:
            return math.fsum(scores) / len(scores)
        found = [best(texts) for texts in segments]
        matches, chunks = sum(one[1] for one in found), sum(one[2] for one in found)
        lengths = sum(one[3][0] for one in found), sum(one[3][1] for one in found)
        return formula(matches, chunks, lengths, given), counted(matches, chunks, lengths)

    return Scorer(segment, corpus, call)


def mixed_or_lower(word, given):
    if given.get("normal", "none" if given.get("language", "en") == "en" else "nfc") == "nfc":
        word = unicodedata.normalize("NFC", word)
    if given.get("case") == "mixed":
        return word
    if given.get("language") == "tr":
        word = word.replace("I", "ı").replace("İ", "i")
    return word.lower()


SNOWBALL = {
    "da": "danish", "de": "german", "el": "greek", "es": "spanish", "et": "estonian", "fi": "finnish", "fr": "french",
    "hi": "hindi", "hu": "hungarian", "it": "italian", "nl": "dutch", "no": "norwegian", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sv": "swedish", "tr": "turkish",
}  # fmt: skip


def of_language(code):
    """The stages, the tokenizer, the stemmer and its name, where no key says otherwise."""
    if code == "en":
        return "exact+stem+synonym", "nltk", STEMMERS["porter"].stem, None
    if code not in SNOWBALL:
        return "exact", "unspaced" if code in ("ja", "km", "lo", "my", "th", "zh") else "intl", str, "no stems"
    # Only used in the environment that has it.
    import snowballstemmer

    return "exact+stem", "intl", snowballstemmer.stemmer(SNOWBALL[code]).stemWord, "stems of snowballstemmer 3.0.1"


def textbook(given):
    """Clipped matches; a chunk is a run of matched words in the hypothesis."""

    def count(hypothesis, reference):
        left, matched = Counter(reference), []
        for word in hypothesis:
            matched.append(left[word] > 0)
            left[word] -= left[word] > 0
        chunks = sum(here and not before for before, here in zip([False, *matched], matched))
        return sum(matched), chunks

    words = tokenizer(given.get("tok", "space"))
    return meteor(given, words, f"the teaching definition in Python on {words[1]}, {spelled(given)}", count, False)


def classic(given):
    """Most matches stage by stage, then fewest chunks (or fewest crossings, then chunks), over all alignments."""
    language = given.get("language", "en")
    usual, tok, stemmer, stems = of_language(language)
    if given.get("synonyms") == "none":
        usual = usual.removesuffix("+synonym")
    stages = given.get("match", usual).split("+")
    stem = functools.cache(STEMMERS[given["stemmer"]].stem if "stemmer" in given else stemmer)
    synsets = functools.cache(lambda word: frozenset(wordnet.synsets(word)))

    def stage(one, other):
        """0, 1 or 2 for a match, else None."""
        if one == other:
            return 0
        if "stem" in stages and stem(one) == stem(other):
            return 1
        return 2 if "synonym" in stages and synsets(one) & synsets(other) else None

    def count(hypothesis, reference):
        options = [
            [(at, s) for at, other in enumerate(reference) if (s := stage(word, other)) is not None]
            for word in hypothesis
        ]

        @functools.cache
        def rest(at, used, before):
            """The best sum over the hypothesis from `at` on: matches of each stage, then what must be few, negated."""
            if at == len(options):
                return (0,) * 5
            found = [rest(at + 1, used, None)]
            for place, s in options[at]:
                if used >> place & 1:
                    continue
                crossings, chunk = (used >> place).bit_count(), before is None or place != before + 1
                few = (crossings, chunk) if given.get("objective") == "crossings" else (chunk, 0)
                gain = [int(s == n) for n in range(3)] + [-n for n in few]
                after = rest(at + 1, used | 1 << place, place)
                found.append(tuple(a + b for a, b in zip(gain, after)))
            return max(found)

        *matches, first, second = rest(0, 0, None)
        return sum(matches), -(second if given.get("objective") == "crossings" else first)

    words = tokenizer(given.get("tok", tok))
    if language == "en":
        call = f"the best of all alignments in Python, {VERSION} words {words[1]}, stems and WordNet 3.0, {spelled(given)}"
    else:
        call = f"the best of all alignments in Python, words {words[1]}, {stems}, {spelled(given)}"
    return meteor(given, words, call, count, True)


def of_2026(given):
    """The best reference counts; a corpus is the mean of its segments."""
    rules = meteor2026.Rules.read(given)
    nothing = frozenset()
    synsets = functools.cache(lambda word: nothing if given.get("syn") == "none" else frozenset(wordnet.synsets(word)))

    def named(counts):
        weights = {f"{side}_weight": getattr(counts, f"{side}_weight") / 100 for side in ("hypothesis", "reference")}
        return {"matches": counts.matches, "breaks": counts.breaks, **weights}

    def segment(texts):
        counts, score = meteor2026.segment(texts[0], texts[1:], rules, synsets)
        return score, named(counts)

    def corpus(segments, scores):
        found = [meteor2026.segment(texts[0], texts[1:], rules, synsets)[0] for texts in segments]
        return math.fsum(scores) / len(scores), named(meteor2026.Counts(*map(sum, zip(*found))))

    call = f"tests/live/meteor2026_reference.py, {VERSION} WordNet 3.0, {spelled(given)}"
    return Scorer(segment, corpus, call)


def grams(tokens, n):
    return Counter(tuple(tokens[at : at + n]) for at in range(len(tokens) - n + 1))


def clipped(hypothesis, references, n):
    """Matches of order n, and how many there could be."""
    most = functools.reduce(Counter.__or__, (grams(reference, n) for reference in references))
    return sum((grams(hypothesis, n) & most).values()), max(len(hypothesis) - n + 1, 0)


def unigram(given):
    words, name = tokenizer(given.get("tok", "space"))
    words = lowered(words, given)

    def corpus(segments, _=None):
        matches = c = r = 0
        for texts in segments:
            hypothesis, *references = (words(text) for text in texts)
            matches += clipped(hypothesis, references, 1)[0]
            c += len(hypothesis)
            r += min(((abs(len(one) - len(hypothesis)), len(one)) for one in references))[1]
        if c == 0:
            return 0.0
        return matches / c * (1.0 if c > r else math.exp(1 - r / c)), {"matches": matches, "reference_length": r}

    call = f"the teaching definition in Python on {name}, {spelled(given)}"
    return Scorer(lambda texts: corpus([texts]), corpus, call)


def hf_bleu(given):
    words, name = tokenizer(given.get("tok", "13a"))
    words, order, add = lowered(words, given), int(given.get("order", 4)), sum_of(given.get("sum"), "py312")

    def corpus(segments, _=None):
        matches, possible, c, r = [0] * order, [0] * order, 0, 0
        for texts in segments:
            hypothesis, *references = (words(text) for text in texts)
            c, r = c + len(hypothesis), r + min(map(len, references))
            for n in range(order):
                found, most = clipped(hypothesis, references, n + 1)
                matches[n], possible[n] = matches[n] + found, possible[n] + most
        if given.get("smooth") == "yes":
            precisions = [(m + 1.0) / (p + 1.0) for m, p in zip(matches, possible)]
        else:
            precisions = [m / p if p else 0.0 for m, p in zip(matches, possible)]
        mean = math.exp(add([1.0 / order * math.log(p) for p in precisions])) if min(precisions) > 0 else 0.0
        ratio = c / r
        penalty = 1.0 if ratio > 1.0 else math.exp(1 - 1.0 / ratio)
        return mean * penalty, {"brevity_penalty": penalty, "length_ratio": ratio}

    call = f"the steps of evaluate 0.4.6 bleu in Python on {name}, {spelled(given)}"
    return Scorer(lambda texts: corpus([texts]), corpus, call)


METRICS = {
    "meteor:textbook": textbook,
    "meteor:classic": classic,
    "meteor:2026": of_2026,
    "bleu:unigram": unigram,
    "bleu:hf": hf_bleu,
}


def scorer(metric):
    """The functions of a metric by its name."""
    name, given = keys(metric)
    return METRICS[name](given)


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    serve(scorer, {"python": sys.version_info[:3]})
