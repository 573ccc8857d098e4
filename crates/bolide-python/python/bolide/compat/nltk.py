"""``nltk.translate.meteor_score`` and ``nltk.translate.bleu_score`` of NLTK 3.10.4.

>>> from bolide.compat.nltk import meteor_score, sentence_bleu, word_tokenize
>>> reference, hypothesis = "the cat sat on the mat".split(), "on the mat sat the cat".split()
>>> meteor_score([reference], hypothesis)
0.5
>>> sentence_bleu([reference], hypothesis, weights=(0.5, 0.5))
0.7745966692414834
>>> word_tokenize("It's here.")
['It', "'s", 'here', '.']

Lists of strings take the quick road through the engine. Everything else that NLTK accepts (a
stemmer, a WordNet, a preprocessing or smoothing function of the caller's own, tokens that are not
strings) is asked object by object, with the same results and the same exceptions.
"""

from __future__ import annotations

import fractions
import math
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from .. import _bolide

__all__ = [
    "Fraction",
    "PorterStemmer",
    "SmoothingFunction",
    "SnowballStemmer",
    "align_words",
    "brevity_penalty",
    "closest_ref_length",
    "corpus_bleu",
    "exact_match",
    "meteor_score",
    "modified_precision",
    "sentence_bleu",
    "single_meteor_score",
    "stem_match",
    "word_tokenize",
    "wordnet",
    "wordnetsyn_match",
]

Enumerated = list[tuple[int, str]]
Matches = list[tuple[int, int]]


class PorterStemmer:
    """NLTK's default stemmer, compiled.

    >>> PorterStemmer().stem("Running")
    'run'
    """

    def stem(self, word: str, to_lowercase: bool = True) -> str:
        """The stem of a word."""
        return _bolide.stem_porter(word, to_lowercase)


class SnowballStemmer:
    """NLTK's Snowball stemmer for English, compiled.

    >>> SnowballStemmer("english").stem("generously")
    'generous'
    """

    def __init__(self, language: str = "english", ignore_stopwords: bool = False) -> None:
        if language != "english" or ignore_stopwords:
            raise ValueError("the Snowball stemmer here is English and stems every word")

    def stem(self, word: str) -> str:
        """The stem of a word."""
        return _bolide.stem_snowball(word)


class _Lemma:
    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def name(self) -> str:
        return self._name

    def __repr__(self) -> str:
        return f"Lemma({self._name!r})"


class _Synset:
    __slots__ = ("_names",)

    def __init__(self, names: list[str]) -> None:
        self._names = names

    def lemmas(self) -> list[_Lemma]:
        return [_Lemma(name) for name in self._names]

    def lemma_names(self) -> list[str]:
        return list(self._names)

    def __repr__(self) -> str:
        return f"Synset({', '.join(self._names)})"


class _WordNet:
    """WordNet 3.0 as far as METEOR asks for it: the members of a word's synsets."""

    def synsets(self, word: str) -> list[_Synset]:
        return [_Synset(names) for names in _bolide.synsets(word)]


wordnet = _WordNet()
_porter = PorterStemmer()


def word_tokenize(text: str, language: str = "english", preserve_line: bool = False) -> list[str]:
    """NLTK's tokenizer, with the English sentence model that NLTK downloads."""
    if language != "english" or preserve_line:
        raise ValueError("word_tokenize is for English here, with sentences split")
    return _bolide.tokenize_words(text)


def _is_porter(stemmer: Any) -> bool:
    """Our stemmer, or NLTK's in its default mode."""
    kind = type(stemmer)
    if kind is PorterStemmer:
        return True
    return (
        kind.__module__ == "nltk.stem.porter"
        and kind.__name__ == "PorterStemmer"
        and stemmer.mode == "NLTK_EXTENSIONS"
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float))


def _enumerated(
    hypothesis: Iterable[str], reference: Iterable[str], preprocess: Callable[[str], str]
) -> tuple[Enumerated, Enumerated]:
    for name, side in (("hypothesis", hypothesis), ("reference", reference)):
        if isinstance(side, str):
            raise TypeError(f'"{name}" expects pre-tokenized {name} (Iterable[str]): {side}')
    ours = list(enumerate(map(preprocess, hypothesis)))
    return ours, list(enumerate(map(preprocess, reference)))


def _match(
    hypothesis: Enumerated, reference: Enumerated, words: Callable[[str], Iterable[str]]
) -> tuple[Matches, Enumerated, Enumerated]:
    """Pairs words from the last to the first, each with the last free one that it may match."""
    free: dict[str, list[int]] = {}
    for idx, (_, word) in enumerate(reference):
        free.setdefault(word, []).append(idx)
    matches, ours, theirs = [], set(), set()
    for idx in range(len(hypothesis) - 1, -1, -1):
        position, word = hypothesis[idx]
        found = max((free[other][-1] for other in words(word) if free.get(other)), default=None)
        if found is not None:
            free[reference[found][1]].remove(found)
            matches.append((position, reference[found][0]))
            ours.add(idx)
            theirs.add(found)
    return (
        matches,
        [pair for idx, pair in enumerate(hypothesis) if idx not in ours],
        [pair for idx, pair in enumerate(reference) if idx not in theirs],
    )


def _stemmed(words: Enumerated, stemmer: Any) -> Enumerated:
    return [(idx, stemmer.stem(word)) for idx, word in words]


def _synonyms(word: str, wordnet: Any) -> set[str]:
    names = {
        lemma.name()
        for synset in wordnet.synsets(word)
        for lemma in synset.lemmas()
        if "_" not in lemma.name()
    }
    return names | {word}


def _align(
    hypothesis: Enumerated, reference: Enumerated, stemmer: Any, wordnet: Any
) -> tuple[Matches, Enumerated, Enumerated]:
    exact, hypothesis, reference = _match(hypothesis, reference, lambda word: (word,))
    stems, hypothesis, reference = _match(
        _stemmed(hypothesis, stemmer), _stemmed(reference, stemmer), lambda word: (word,)
    )
    synonyms, hypothesis, reference = _match(
        hypothesis, reference, lambda word: _synonyms(word, wordnet)
    )
    return sorted([*exact, *stems, *synonyms]), hypothesis, reference


def exact_match(
    hypothesis: Iterable[str], reference: Iterable[str]
) -> tuple[Matches, Enumerated, Enumerated]:
    """Matches of equal words, and what is left on both sides."""
    return _match(*_enumerated(hypothesis, reference, str.lower), lambda word: (word,))


def stem_match(
    hypothesis: Iterable[str], reference: Iterable[str], stemmer: Any = _porter
) -> tuple[Matches, Enumerated, Enumerated]:
    """Matches of equal stems, and what is left on both sides."""
    ours, theirs = _enumerated(hypothesis, reference, str.lower)
    return _match(_stemmed(ours, stemmer), _stemmed(theirs, stemmer), lambda word: (word,))


def wordnetsyn_match(
    hypothesis: Iterable[str], reference: Iterable[str], wordnet: Any = wordnet
) -> tuple[Matches, Enumerated, Enumerated]:
    """Matches of synonyms, and what is left on both sides."""
    ours, theirs = _enumerated(hypothesis, reference, str.lower)
    return _match(ours, theirs, lambda word: _synonyms(word, wordnet))


def align_words(
    hypothesis: Iterable[str],
    reference: Iterable[str],
    stemmer: Any = _porter,
    wordnet: Any = wordnet,
) -> tuple[Matches, Enumerated, Enumerated]:
    """The alignment that METEOR scores, sorted, and the stems left over on both sides.

    >>> align_words(["the", "cats", "sat"], ["a", "cat", "sat"])
    ([(1, 1), (2, 2)], [(0, 'the')], [(0, 'a')])
    """
    ours, theirs = _enumerated(hypothesis, reference, str.lower)
    return _align(ours, theirs, stemmer, wordnet)


def _chunks(matches: Matches) -> int:
    breaks = zip(matches, matches[1:])
    return 1 + sum(after != (before[0] + 1, before[1] + 1) for before, after in breaks)


def single_meteor_score(
    reference: Iterable[str],
    hypothesis: Iterable[str],
    preprocess: Callable[[str], str] = str.lower,
    stemmer: Any = _porter,
    wordnet: Any = wordnet,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
) -> float:
    """METEOR of one hypothesis against one reference, both lists of tokens.

    >>> single_meteor_score(["this", "is", "a", "cat"], ["non", "matching", "hypothesis"])
    0.0
    """
    return meteor_score(
        (reference,), hypothesis, preprocess, stemmer, wordnet, alpha, beta, gamma
    )


def _asked_score(
    reference: Iterable[str],
    hypothesis: Iterable[str],
    preprocess: Callable[[str], str],
    stemmer: Any,
    wordnet: Any,
    alpha: float,
    beta: float,
    gamma: float,
) -> float:
    """The score with every object asked."""
    ours, theirs = _enumerated(hypothesis, reference, preprocess)
    n_hypothesis, n_reference = len(ours), len(theirs)
    matches, _, _ = _align(ours, theirs, stemmer, wordnet)
    n_matches = len(matches)
    try:
        precision = float(n_matches) / n_hypothesis
        recall = float(n_matches) / n_reference
        fmean = (precision * recall) / (alpha * precision + (1 - alpha) * recall)
        fragmentation = float(_chunks(matches)) / n_matches
    except ZeroDivisionError:
        return 0.0
    penalty: float = gamma * fragmentation**beta
    return (1 - penalty) * fmean


def meteor_score(
    references: Iterable[Iterable[str]],
    hypothesis: Iterable[str],
    preprocess: Callable[[str], str] = str.lower,
    stemmer: Any = _porter,
    wordnet: Any = wordnet,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
) -> float:
    """METEOR of one hypothesis against the reference that suits it best.

    >>> meteor_score([["a", "dog"], ["the", "cats"]], ["the", "cat"])
    0.9375
    """
    if (
        stemmer is _porter
        and wordnet is _wordnet
        and preprocess is str.lower
        and alpha == 0.9
        and beta == 3.0
        and gamma == 0.5
    ):
        score = _bolide.nltk_meteor(references, hypothesis, 0.9, 3.0, 0.5)
        if score is not None:
            return score
    elif (
        wordnet is _wordnet
        and preprocess is str.lower
        and _is_porter(stemmer)
        and _is_number(alpha)
        and _is_number(beta)
        and _is_number(gamma)
    ):
        score = _bolide.nltk_meteor(references, hypothesis, alpha, beta, gamma)
        if score is not None:
            return score
    return _best_asked_score(
        references, hypothesis, preprocess, stemmer, wordnet, alpha, beta, gamma
    )


def _best_asked_score(references: Any, hypothesis: Any, *how: Any) -> float:
    # By itself, because variables that a generator shares are slow in the function around it.
    return max(_asked_score(reference, hypothesis, *how) for reference in references)


_wordnet = wordnet


class Fraction(fractions.Fraction):
    """A fraction of counts that remembers both, whatever they have in common.

    >>> Fraction(2, 4).denominator, Fraction(2, 4) == 0.5
    (4, True)
    """

    _counts: tuple[int, int]

    def __new__(cls, numerator: int = 0, denominator: int = 1) -> Fraction:
        self = super().__new__(cls, numerator, denominator)
        self._counts = (numerator, denominator)
        return self

    @property
    def numerator(self) -> int:
        """What was counted."""
        return self._counts[0]

    @property
    def denominator(self) -> int:
        """Out of how many."""
        return self._counts[1]


def _ngrams(tokens: Sequence[Hashable], n: int) -> Counter[tuple[Hashable, ...]]:
    if len(tokens) < n:
        return Counter()
    tokens = tuple(tokens)
    return Counter(zip(*(tokens[start:] for start in range(n))))


def modified_precision(
    references: Sequence[Sequence[Hashable]], hypothesis: Sequence[Hashable], n: int
) -> Fraction:
    """Clipped matches over n-grams of the hypothesis, at least one.

    >>> modified_precision([["the", "cat"]], ["the", "the", "the"], n=1)
    Fraction(1, 3)
    """
    counts = _ngrams(hypothesis, n)
    most: dict[tuple[Hashable, ...], int] = {}
    for reference in references:
        theirs = _ngrams(reference, n)
        for ngram in counts:
            most[ngram] = max(most.get(ngram, 0), theirs[ngram])
    clipped = sum(min(count, most[ngram]) for ngram, count in counts.items())
    return Fraction(clipped, max(1, sum(counts.values())))


def closest_ref_length(references: Iterable[Sequence[Hashable]], hyp_len: int) -> int:
    """The length of the reference that is closest in length, the shorter of two."""
    return min((len(reference) for reference in references), key=lambda n: (abs(n - hyp_len), n))


def brevity_penalty(closest_ref_len: int, hyp_len: int) -> float:
    """1 for hypotheses longer than their references, less for others."""
    if hyp_len > closest_ref_len:
        return 1
    if hyp_len == 0:
        return 0
    return math.exp(1 - closest_ref_len / hyp_len)


class SmoothingFunction:
    """The smoothing techniques of Chen and Cherry (2014), as NLTK has them.

    >>> reference, hypothesis = ["a", "b", "c", "d", "e"], ["a", "b", "c", "x"]
    >>> sentence_bleu([reference], hypothesis, smoothing_function=SmoothingFunction().method1)
    0.3096787331587729
    """

    def __init__(self, epsilon: float = 0.1, alpha: float = 5, k: float = 5) -> None:
        self.epsilon = epsilon
        self.alpha = alpha
        self.k = k

    def method0(self, p_n: list[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """No smoothing: the smallest float for a zero, and a warning."""
        smoothed = []
        for order, precision in enumerate(p_n, start=1):
            if precision.numerator != 0:
                smoothed.append(precision)
            else:
                _warn(order)
                smoothed.append(sys.float_info.min)
        return smoothed

    def method1(self, p_n: list[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Epsilon matches instead of none."""
        return [
            precision
            if precision.numerator != 0
            else (precision.numerator + self.epsilon) / precision.denominator
            for precision in p_n
        ]

    def method2(self, p_n: list[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """One more of everything, except for single words."""
        return [
            Fraction(precision.numerator + 1, precision.denominator + 1) if idx else precision
            for idx, precision in enumerate(p_n)
        ]

    def method3(self, p_n: list[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Zeros become a half, a quarter, … of a match (NIST)."""
        smoothed, share = [], 1
        for precision in p_n:
            if precision.numerator == 0:
                share *= 2
                precision = 1 / (share * precision.denominator)
            smoothed.append(precision)
        return smoothed

    def method4(
        self,
        p_n: list[Any],
        references: Any,
        hypothesis: Any,
        hyp_len: int | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> list[Any]:
        """Method 3, with larger shares for longer hypotheses."""
        length = hyp_len if hyp_len else len(hypothesis)
        smoothed, share = [], 1
        for precision in p_n:
            if precision.numerator == 0 and length > 1:
                share *= 2
                precision = 1 / (share * self.k / math.log(length)) / precision.denominator
            smoothed.append(precision)
        return smoothed

    def method5(
        self,
        p_n: list[Any],
        references: Any,
        hypothesis: Any,
        hyp_len: int | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> list[Any]:
        """The mean of each order with its neighbours."""
        following = [*p_n[1:], modified_precision(references, hypothesis, 5)]
        smoothed: list[Any] = []
        before = p_n[0] + 1
        for precision, after in zip(p_n, following):
            before = (before + precision + after) / 3
            smoothed.append(before)
        return smoothed

    def method6(
        self,
        p_n: list[Any],
        references: Any,
        hypothesis: Any,
        hyp_len: int | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> list[Any]:
        """A prior from the two orders before; needs a matching trigram."""
        assert p_n[2], "method 6 needs a matching trigram"
        smoothed = list(p_n)
        for idx in range(2, len(p_n)):
            two_before, before = smoothed[idx - 2], smoothed[idx - 1]
            prior = 0 if two_before == 0 else before**2 / two_before
            n_ngrams = max(0, len(hypothesis) - idx)
            smoothed[idx] = (p_n[idx].numerator + self.alpha * prior) / (n_ngrams + self.alpha)
        return smoothed

    def method7(
        self,
        p_n: list[Any],
        references: Any,
        hypothesis: Any,
        hyp_len: int | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> list[Any]:
        """Method 4, then method 5."""
        smoothed = self.method4(p_n, references, hypothesis, hyp_len)
        return self.method5(smoothed, references, hypothesis, hyp_len)


_METHODS = {f"method{idx}": idx for idx in range(8)}


def _warn(order: int) -> None:
    warnings.warn(
        f"\nThe hypothesis contains 0 counts of {order}-gram overlaps.\n"
        "BLEU without smoothing is then next to 0, whatever shorter n-grams match: "
        "use fewer orders or a SmoothingFunction()",
        stacklevel=4,
    )


def sentence_bleu(
    references: Sequence[Sequence[Hashable]],
    hypothesis: Sequence[Hashable],
    weights: Any = (0.25, 0.25, 0.25, 0.25),
    smoothing_function: Callable[..., list[Any]] | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """BLEU of one hypothesis.

    >>> sentence_bleu([["a", "b", "c", "d"]], ["a", "b", "c", "d"], [(1.0,), (0.5, 0.5)])
    [1.0, 1.0]
    """
    return corpus_bleu([references], [hypothesis], weights, smoothing_function, auto_reweigh)


def corpus_bleu(
    list_of_references: Sequence[Sequence[Sequence[Hashable]]],
    hypotheses: Sequence[Sequence[Hashable]],
    weights: Any = (0.25, 0.25, 0.25, 0.25),
    smoothing_function: Callable[..., list[Any]] | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """BLEU of a corpus; a list of weight vectors gives a list of scores.

    >>> corpus_bleu([[["a", "b", "c", "d"]], [["e"]]], [["a", "b", "c", "d"], ["f"]], (0.5, 0.5))
    0.7745966692414834
    """
    assert len(list_of_references) == len(hypotheses), (
        "The number of hypotheses and their reference(s) should be the same"
    )
    try:
        weights[0][0]
        vectors = weights
    except (TypeError, IndexError):
        vectors = [weights]
    method = _method(smoothing_function)
    if method is not None and _are_plain(vectors, auto_reweigh):
        found = _bolide.nltk_bleu(list_of_references, hypotheses, vectors, method, auto_reweigh)
        if found is not None:
            scores, n_zeros = found
            if not scores:
                scores = [0] * len(vectors)
            elif method[0] == 0 and n_zeros:
                longest = max(map(len, vectors))
                for order in range(longest - n_zeros + 1, longest + 1):
                    _warn(order)
            return scores[0] if len(vectors) == 1 else scores
    return _asked_bleu(list_of_references, hypotheses, vectors, smoothing_function, auto_reweigh)


def _method(function: Any) -> tuple[int, float, float, float] | None:
    """The number and the parameters of one of our smoothing methods."""
    if function is None:
        return (0, 0.1, 5, 5)
    owner = getattr(function, "__self__", None)
    if type(owner) is not SmoothingFunction:
        return None
    method = _METHODS.get(getattr(function, "__name__", ""))
    parameters = (owner.epsilon, owner.alpha, owner.k)
    if method is None or not all(type(value) in (int, float) for value in parameters):
        return None
    return (method, *parameters)


def _are_plain(vectors: Any, auto_reweigh: bool) -> bool:
    # NLTK reweighs tuples only: a list is never equal to its default.
    kinds = (tuple,) if auto_reweigh else (tuple, list)
    return type(vectors) in (tuple, list) and all(
        type(vector) in kinds and all(type(weight) in (int, float) for weight in vector)
        for vector in vectors
    )


def _asked_bleu(
    list_of_references: Any, hypotheses: Any, vectors: Any, smoothing_function: Any, auto: bool
) -> Any:
    """The score with every object asked."""
    n_orders = max(len(weights) for weights in vectors)
    numerators, denominators = [0] * n_orders, [0] * n_orders
    hypothesis_length = reference_length = 0
    references: Any = None
    hypothesis: Any = None
    for references, hypothesis in zip(list_of_references, hypotheses):
        for idx in range(n_orders):
            precision = modified_precision(references, hypothesis, idx + 1)
            numerators[idx] += precision.numerator
            denominators[idx] += precision.denominator
        hypothesis_length += len(hypothesis)
        reference_length += closest_ref_length(references, len(hypothesis))
    penalty = brevity_penalty(reference_length, hypothesis_length)
    p_n: list[Any] = [Fraction(n, d) for n, d in zip(numerators, denominators)]
    if not p_n or numerators[0] == 0:
        return 0 if len(vectors) == 1 else [0] * len(vectors)
    smooth = smoothing_function or SmoothingFunction().method0
    p_n = smooth(
        p_n, references=references, hypothesis=hypothesis, hyp_len=hypothesis_length
    )
    scores = []
    for weights in vectors:
        if auto and hypothesis_length < 4 and weights == (0.25, 0.25, 0.25, 0.25):
            weights = (1 / hypothesis_length,) * hypothesis_length
        logs = (weight * math.log(p) for weight, p in zip(weights, p_n) if p > 0)
        scores.append(penalty * math.exp(math.fsum(logs)))
    return scores[0] if len(vectors) == 1 else scores
