"""``nltk.translate.meteor_score`` of NLTK 3.10.4.

Lists of strings take the fast path through the engine. For everything else that NLTK accepts (a custom
stemmer, WordNet or preprocessing function, tokens that are not strings) the slow path calls the objects
themselves, with the same results and the same exceptions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .... import _bolide
from ... import _original
from ..corpus import wordnet
from ..stem import PorterStemmer

__all__ = [
    "align_words",
    "exact_match",
    "meteor_score",
    "single_meteor_score",
    "stem_match",
    "wordnetsyn_match",
]
__getattr__: _original.Getattr = _original.names_of("nltk.translate.meteor_score")

Enumerated = list[tuple[int, str]]
Matches = list[tuple[int, int]]

_porter = PorterStemmer()


def _is_porter(stemmer: Any) -> bool:
    """Whether it is our stemmer or NLTK's, in the default mode."""
    kind = type(stemmer)
    is_theirs = kind.__module__ == "nltk.stem.porter" and kind.__name__ == "PorterStemmer"
    return bool((kind is PorterStemmer or is_theirs) and stemmer.mode == PorterStemmer.NLTK_EXTENSIONS)


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
    """Pairs words from last to first, each with the last free word that it may match."""
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
    """Matches of equal words, and the remaining words of both sides."""
    return _match(*_enumerated(hypothesis, reference, str.lower), lambda word: (word,))


def stem_match(
    hypothesis: Iterable[str], reference: Iterable[str], stemmer: Any = _porter
) -> tuple[Matches, Enumerated, Enumerated]:
    """Matches of equal stems, and the remaining words of both sides."""
    ours, theirs = _enumerated(hypothesis, reference, str.lower)
    return _match(_stemmed(ours, stemmer), _stemmed(theirs, stemmer), lambda word: (word,))


def wordnetsyn_match(
    hypothesis: Iterable[str], reference: Iterable[str], wordnet: Any = wordnet
) -> tuple[Matches, Enumerated, Enumerated]:
    """Matches of synonyms, and the remaining words of both sides."""
    ours, theirs = _enumerated(hypothesis, reference, str.lower)
    return _match(ours, theirs, lambda word: _synonyms(word, wordnet))


def align_words(
    hypothesis: Iterable[str],
    reference: Iterable[str],
    stemmer: Any = _porter,
    wordnet: Any = wordnet,
) -> tuple[Matches, Enumerated, Enumerated]:
    """The alignment that METEOR scores, sorted, and the remaining stems of both sides.

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
    """The slow path, which calls the objects themselves."""
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
    """METEOR of one hypothesis against its best reference.

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
    # A separate function: variables that are shared with a generator are slow in the enclosing function.
    return max(_asked_score(reference, hypothesis, *how) for reference in references)


_wordnet = wordnet
