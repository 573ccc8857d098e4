"""``nltk.translate.bleu_score`` of NLTK 3.10.4.

Lists of strings take the fast path through the engine. For everything else that NLTK accepts (tokens that are
not strings, a custom smoothing function) the slow path calls the objects themselves, with the same results and
the same exceptions.
"""

from __future__ import annotations

import fractions
import math
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from .... import _bolide
from ... import _original

__all__ = [
    "Fraction",
    "SmoothingFunction",
    "brevity_penalty",
    "closest_ref_length",
    "corpus_bleu",
    "modified_precision",
    "sentence_bleu",
]
__getattr__: _original.Getattr = _original.names_of("nltk.translate.bleu_score")


class Fraction(fractions.Fraction):
    """A fraction of counts that is not reduced.

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
        """The numerator."""
        return self._counts[0]

    @property
    def denominator(self) -> int:
        """The denominator."""
        return self._counts[1]

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), self._counts)

    def __copy__(self) -> Fraction:
        return self

    def __deepcopy__(self, memo: Any) -> Fraction:
        return self


def _ngrams(tokens: Sequence[Hashable], n: int) -> Counter[tuple[Hashable, ...]]:
    if len(tokens) < n:
        return Counter()
    tokens = tuple(tokens)
    return Counter(zip(*(tokens[start:] for start in range(n))))


def modified_precision(
    references: Sequence[Sequence[Hashable]], hypothesis: Sequence[Hashable], n: int
) -> Fraction:
    """Clipped matches divided by the n-grams of the hypothesis, at least one.

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
    """The length of the reference that is closest in length; of two equally close, the shorter."""
    return min((len(reference) for reference in references), key=lambda n: (abs(n - hyp_len), n))


def brevity_penalty(closest_ref_len: int, hyp_len: int) -> float:
    """1 for a hypothesis longer than its reference, less for others."""
    if hyp_len > closest_ref_len:
        return 1
    if hyp_len == 0:
        return 0
    return math.exp(1 - closest_ref_len / hyp_len)


class SmoothingFunction:
    """The smoothing techniques of Chen and Cherry (2014), as NLTK implements them.

    >>> reference, hypothesis = ["a", "b", "c", "d", "e"], ["a", "b", "c", "x"]
    >>> sentence_bleu([reference], hypothesis, smoothing_function=SmoothingFunction().method1)
    0.3096787331587729
    """

    def __init__(self, epsilon: float = 0.1, alpha: float = 5, k: float = 5) -> None:
        self.epsilon = epsilon
        self.alpha = alpha
        self.k = k

    def method0(self, p_n: list[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """No smoothing: a zero becomes the smallest float, with a warning."""
        smoothed = []
        for order, precision in enumerate(p_n, start=1):
            if precision.numerator != 0:
                smoothed.append(precision)
            else:
                _warn(order)
                smoothed.append(sys.float_info.min)
        return smoothed

    def method1(self, p_n: list[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """A zero becomes epsilon matches."""
        return [
            precision
            if precision.numerator != 0
            else (precision.numerator + self.epsilon) / precision.denominator
            for precision in p_n
        ]

    def method2(self, p_n: list[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Adds one to both counts, except for single words."""
        return [
            Fraction(precision.numerator + 1, precision.denominator + 1) if idx else precision
            for idx, precision in enumerate(p_n)
        ]

    def method3(self, p_n: list[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Zeros become a half, a quarter, … of a match (NIST)."""
        return _shares(p_n, lambda share, denominator: 1 / (share * denominator))

    def method4(
        self,
        p_n: list[Any],
        references: Any,
        hypothesis: Any,
        hyp_len: int | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> list[Any]:
        """Method 3, with larger values for longer hypotheses."""
        length = hyp_len if hyp_len else len(hypothesis)
        if length <= 1:
            return list(p_n)
        by_length = math.log(length)
        return _shares(p_n, lambda share, denominator: 1 / (share * self.k / by_length) / denominator)

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
        """A prior from the two previous orders; needs a matching trigram."""
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


def _shares(p_n: list[Any], smooth: Callable[[int, int], float]) -> list[Any]:
    """The precisions, with shares of a match instead of zeros: half as much from one to the next."""
    smoothed, share = [], 1
    for precision in p_n:
        if precision.numerator == 0:
            share *= 2
            precision = smooth(share, precision.denominator)
        smoothed.append(precision)
    return smoothed


_METHODS = {f"method{idx}": idx for idx in range(8)}


def _warn(order: int) -> None:
    """NLTK's warning, from the module that NLTK gives it: programs filter it by both."""
    warnings.warn_explicit(
        f"\nThe hypothesis contains 0 counts of {order}-gram overlaps.\n"
        "Therefore the BLEU score evaluates to 0, independently of\n"
        "how many N-gram overlaps of lower order it contains.\n"
        "Consider using lower n-gram order or use SmoothingFunction()",
        UserWarning,
        __file__,
        sys._getframe().f_lineno,
        module="nltk.translate.bleu_score",
        registry=globals().setdefault("__warningregistry__", {}),
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
    # NLTK reweighs only tuples: a list never equals its default.
    kinds = (tuple,) if auto_reweigh else (tuple, list)
    return type(vectors) in (tuple, list) and all(
        type(vector) in kinds and all(type(weight) in (int, float) for weight in vector)
        for vector in vectors
    )


def _asked_bleu(
    list_of_references: Any, hypotheses: Any, vectors: Any, smoothing_function: Any, auto: bool
) -> Any:
    """The slow path, which calls the objects themselves."""
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
