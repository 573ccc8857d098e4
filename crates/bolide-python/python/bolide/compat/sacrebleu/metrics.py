"""The metric classes of sacreBLEU, with its arguments, checks and signatures."""

from __future__ import annotations

import logging
import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from ... import _bolide
from ...metric import _name, _threads
from .. import python_sum
from .scores import BLEUScore, CHRFScore, Score, TERScore

__all__ = ["BLEU", "CHRF", "METRICS", "TER", "BLEUScore", "CHRFScore", "TERScore"]

_logger = logging.getLogger("sacrebleu")
_References = Sequence[Sequence[str]]
_S = TypeVar("_S", bound=Score)

threads: int | None = None
"""How many threads share the segments of a corpus; as many as there are cores if None."""

_SHORT = {
    "version": "v",
    "nrefs": "#",
    "test": "t",
    "lang": "l",
    "subset": "S",
    "origlang": "o",
    "bs": "bs",
    "ar": "ar",
    "seed": "rs",
}


class Signature:
    """What a score was computed with: ``str()`` is the line for a paper."""

    def __init__(self, info: dict[str, Any], short: dict[str, str]) -> None:
        self.info = info
        self._abbr = {**_SHORT, **short}

    def format(self, short: bool = False) -> str:
        """The line, with short keys if asked for."""
        order = ["nrefs", "bs", "ar", "seed", "test", "lang", "origlang", "subset"]
        order += [key for key in self.info if key not in _SHORT]
        order.append("version")
        pairs = []
        for key in order:
            value = self.info.get(key)
            if value is not None:
                text = ("yes" if value else "no") if isinstance(value, bool) else value
                pairs.append(f"{self._abbr[key] if short else key}:{text}")
        return "|".join(pairs)

    def update(self, key: str, value: Any) -> None:
        """Sets one of its values."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return self.format()


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence)


class Metric(ABC, Generic[_S]):
    """What BLEU, chrF and TER have in common."""

    _short: dict[str, str]

    def __init__(self, references: _References | None = None) -> None:
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self.num_refs: int | str | None = None
        self._ref_cache = None if references is None else self._by_segment(references)

    @abstractmethod
    def _native(self) -> _bolide.Metric: ...

    @abstractmethod
    def _score(self, value: float, components: dict[str, Any]) -> _S: ...

    @abstractmethod
    def _info(self) -> dict[str, Any]: ...

    def _by_segment(self, references: _References) -> list[Sequence[str | None]]:
        if len({len(stream) for stream in references}) > 1:
            _logger.warning(
                "The reference streams have different lengths: only the segments of the shortest "
                "are scored."
            )
        if len(references) == 0:
            raise IndexError("list index out of range")
        return list(zip(*references))

    def corpus_score(
        self, hypotheses: Sequence[str], references: _References | None, n_bootstrap: int = 1
    ) -> _S:
        """The score of a corpus. ``references`` are streams, each as long as the hypotheses."""
        name = type(self).__name__
        self._check_corpus(name, hypotheses, references)
        if references is not None:
            by_segment = self._by_segment(references)
        elif self._ref_cache is None:
            raise RuntimeError("No references provided and the cache is empty.")
        else:
            by_segment = self._ref_cache
        n_segments = min(len(hypotheses), len(by_segment))
        if n_segments == 0:
            raise IndexError("list index out of range")
        if len(hypotheses) != len(by_segment):
            _logger.warning(
                f"{len(hypotheses)} hypotheses and {len(by_segment)} references: only the first "
                f"{n_segments} segments are scored."
            )
        rows = ([*hypotheses][:n_segments], by_segment[:n_segments])
        native = self._native()
        if n_bootstrap == 1:
            corpus = native.corpus(*rows, threads=_threads(threads), progress=None)
            mean, half_width = -1.0, -1.0
        else:
            self.n_bootstrap = n_bootstrap
            self.seed, seed = _seed()
            corpus, mean, half_width = native.confidence(
                *rows, threads=_threads(threads), progress=None, n_samples=n_bootstrap, seed=seed
            )
        self.num_refs = _count(corpus.nrefs)
        score = self._score(*corpus.score()[:2])
        score._mean, score._ci = mean, half_width
        return score

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> _S:
        """The score of one segment against any number of references."""
        name = type(self).__name__
        if not isinstance(hypothesis, str):
            raise TypeError(f"{name}: The argument `hyp` should be a string.")
        if isinstance(references, str) or not _is_sequence(references):
            raise TypeError(f"{name}: The argument `refs` should be a sequence of strings.")
        if not all(isinstance(reference, str) or reference is None for reference in references):
            raise TypeError(f"{name}: Each element of `refs` should be a string.")
        if len(references) == 0:
            raise IndexError("list index out of range")
        corpus = self._native().corpus(
            [hypothesis], [list(references)], threads=1, progress=None
        )
        self.num_refs = _count(corpus.nrefs)
        return self._score(*corpus.score()[:2])

    def get_signature(self) -> Signature:
        """What the last score was computed with."""
        if self.num_refs is None:
            if self._ref_cache is None:
                raise ValueError("Number of references unknown, please evaluate the metric first.")
            counts = {sum(ref is not None for ref in refs) for refs in self._ref_cache}
            self.num_refs = counts.pop() if len(counts) == 1 else "var"
        info: dict[str, Any] = {
            "version": "2.6.0",
            "nrefs": self.num_refs,
            "bs": self.n_bootstrap,
            "ar": None,
            "seed": self.seed,
            "test": None,
            "lang": None,
            "origlang": None,
            "subset": None,
        }
        return Signature({**info, **self._info()}, self._short)

    def _check_corpus(self, name: str, hypotheses: Any, references: Any) -> None:
        if not _is_sequence(hypotheses):
            raise TypeError(f"{name}: `hyps` should be a sequence of strings.")
        if not all(isinstance(hypothesis, str) for hypothesis in hypotheses):
            raise TypeError(f"{name}: Each element of `hyps` should be a string.")
        if references is not None and not (
            _is_sequence(references) and all(map(_is_sequence, references))
        ):
            raise TypeError(f"{name}: `refs` should be a sequence of sequence of strings.")


def _count(nrefs: str | None) -> int | str:
    return nrefs if nrefs is None or nrefs == "var" else int(nrefs)  # type: ignore[return-value]


def _seed() -> tuple[str, int]:
    """The seed as sacreBLEU reads it, and as a number; ``none`` draws one."""
    text = os.environ.get("SACREBLEU_SEED", "12345")
    if text.lower() == "none":
        return "none", int.from_bytes(os.urandom(8), "little")
    return text, int(text)


class BLEU(Metric[BLEUScore]):
    """BLEU.

    >>> bleu = BLEU(lowercase=True)
    >>> bleu.corpus_score(["The cat sat on the mat."], [["the cat sat on a mat."]])
    BLEU = 48.89 85.7/66.7/40.0/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 7 ref_len = 7)
    >>> bleu.get_signature()
    nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0
    """

    SMOOTH_DEFAULTS: dict[str, float | None] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
    TOKENIZER_DEFAULT = "13a"
    TOKENIZERS = ("none", "zh", "13a", "intl", "char")
    _short = {"case": "c", "eff": "e", "tok": "tok", "smooth": "s"}

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = 4,
        effective_order: bool = False,
        trg_lang: str = "",
        references: _References | None = None,
    ) -> None:
        super().__init__(references)
        self._force = force
        self.trg_lang = trg_lang
        self.lowercase = lowercase
        self.smooth_value = smooth_value
        self.smooth_method = smooth_method
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        assert smooth_method in self.SMOOTH_DEFAULTS, f"Unknown smooth_method {smooth_method!r}"
        if tokenize is None:
            by_language = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
            tokenize = by_language.get(trg_lang, self.TOKENIZER_DEFAULT)
        self.tokenizer_signature = tokenize
        smooth, value = self._smoothing(smooth_method, smooth_value)
        keys = {
            "case": "lc" if lowercase else "mixed",
            "eff": effective_order,
            "tok": tokenize,
            "smooth": smooth if value is None else f"{smooth}[{float(value)!r}]",
            "order": max_ngram_order,
            "sum": python_sum(),
        }
        try:
            self._metric = _bolide.Metric(_name("bleu:sacrebleu", keys))
        except _bolide.InvalidSignatureError as error:
            if "tok is one of" in str(error):
                raise KeyError(tokenize) from error
            raise

    @classmethod
    def _smoothing(cls, method: str, value: float | None) -> tuple[str, float | None]:
        if method in ("none", "exp"):
            return method, None
        return method, cls.SMOOTH_DEFAULTS[method] if value is None else value

    def tokenizer(self, line: str) -> str:
        """A line as the metric reads it, with single spaces between the tokens."""
        return " ".join(_bolide.tokenize(self.tokenizer_signature, line))

    def _native(self) -> _bolide.Metric:
        return self._metric

    def corpus_score(
        self, hypotheses: Sequence[str], references: _References | None, n_bootstrap: int = 1
    ) -> BLEUScore:
        """The score of a corpus. ``references`` are streams, each as long as the hypotheses."""
        if not self._force and _is_sequence(hypotheses):
            ends = sum(isinstance(line, str) and line.endswith(" .") for line in hypotheses)
            if ends >= 100:
                _logger.warning("That's 100 lines that end in a tokenized period ('.')")
                _logger.warning(
                    "It looks like you forgot to detokenize your test data, which may hurt your "
                    "score."
                )
                _logger.warning(
                    "If you insist your data is detokenized, or don't care, you can suppress this "
                    "message with the `force` parameter."
                )
        return super().corpus_score(hypotheses, references, n_bootstrap)

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> BLEUScore:
        """The score of one segment against any number of references."""
        if not self.effective_order:
            _logger.warning(
                "It is recommended to enable `effective_order` for sentence-level BLEU."
            )
        return super().sentence_score(hypothesis, references)

    def _score(self, value: float, components: dict[str, Any]) -> BLEUScore:
        whole = self.smooth_value is None or isinstance(self.smooth_value, int)
        return _bleu_score(value, components, self.max_ngram_order, whole)

    def _info(self) -> dict[str, Any]:
        smooth, value = self._smoothing(self.smooth_method, self.smooth_value)
        return {
            "case": "lc" if self.lowercase else "mixed",
            "eff": "yes" if self.effective_order else "no",
            "tok": self.tokenizer_signature,
            "smooth": smooth if value is None else f"{smooth}[{value:.2f}]",
        }

    @staticmethod
    def compute_bleu(
        correct: list[int],
        total: list[int],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = 4,
    ) -> BLEUScore:
        """BLEU from counts."""
        assert smooth_method in BLEU.SMOOTH_DEFAULTS, f"Unknown smooth_method {smooth_method!r}"
        smooth, value = BLEU._smoothing(smooth_method, smooth_value)
        score, components = _bolide.sacrebleu_from_counts(
            [int(count) for count in correct[:max_ngram_order]],
            [int(count) for count in total[:max_ngram_order]],
            int(sys_len),
            int(ref_len),
            smooth=(smooth, 0.0 if value is None else float(value)),
            effective_order=effective_order,
            compensated=python_sum() == "py312",
        )
        whole = smooth_value is None or isinstance(smooth_value, int)
        return _bleu_score(score, components, max_ngram_order, whole)


def _bleu_score(
    value: float, components: dict[str, Any], max_order: int, whole: bool
) -> BLEUScore:
    orders = range(1, max_order + 1)

    def counts(name: str) -> list[Any]:
        values = [components[f"{name}{order}"] for order in orders]
        return [int(value) for value in values] if whole else [
            int(value) if idx == 0 else value for idx, value in enumerate(values)
        ]

    return BLEUScore(
        value,
        counts("correct"),
        counts("total"),
        [components[f"precision{order}"] for order in orders],
        components["brevity_penalty"],
        components["hypothesis_length"],
        components["reference_length"],
    )


class CHRF(Metric[CHRFScore]):
    """chrF and chrF++.

    >>> CHRF(word_order=2).corpus_score(["the cat sat"], [["the cat sat down"]])
    chrF2++ = 68.36
    """

    CHAR_ORDER = 6
    WORD_ORDER = 0
    BETA = 2
    _short = {"case": "c", "eff": "e", "nc": "nc", "nw": "nw", "space": "s"}

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: int = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: _References | None = None,
    ) -> None:
        super().__init__(references)
        self._force = True
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        self.order = char_order + word_order
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing
        keys = {**self._info(), "beta": beta}
        self._metric = _bolide.Metric(_name("chrf:sacrebleu", keys))

    def _native(self) -> _bolide.Metric:
        return self._metric

    def _score(self, value: float, components: dict[str, Any]) -> CHRFScore:
        return CHRFScore(value, self.char_order, self.word_order, self.beta)

    def _info(self) -> dict[str, Any]:
        return {
            "case": "lc" if self.lowercase else "mixed",
            "eff": "no" if self.eps_smoothing else "yes",
            "nc": self.char_order,
            "nw": self.word_order,
            "space": "yes" if self.whitespace else "no",
        }


class TER(Metric[TERScore]):
    """Translation edit rate.

    >>> TER().corpus_score(["the cat sat"], [["the cat sat down"]])
    TER = 25.00
    """

    _short = {"case": "c", "tok": "t", "norm": "nr", "punct": "pn", "asian": "as"}

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: _References | None = None,
    ) -> None:
        super().__init__(references)
        self._force = True
        self.normalized = normalized
        self.no_punct = no_punct
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive
        self.tokenizer = TercomTokenizer(normalized, no_punct, asian_support, case_sensitive)
        self.tokenizer_signature = self.tokenizer.signature()
        self._metric = _bolide.Metric(_name("ter:sacrebleu", self._info()))

    def _native(self) -> _bolide.Metric:
        return self._metric

    def _score(self, value: float, components: dict[str, Any]) -> TERScore:
        return TERScore(value, components["edits"], components["reference_length"])

    def _info(self) -> dict[str, Any]:
        return {
            "case": "mixed" if self.case_sensitive else "lc",
            "tok": self.tokenizer_signature,
            "norm": self.normalized,
            "punct": not self.no_punct,
            "asian": self.asian_support,
        }


class TercomTokenizer:
    """The tokenizer of TER.

    >>> TercomTokenizer(normalized=True)("It's 5-2, isn't it?")
    "it 's 5 - 2 , isn't it ?"
    """

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        self._options = (normalized, no_punct, asian_support, case_sensitive)

    def __call__(self, sent: str) -> str:
        """A line with single spaces between the tokens."""
        return " ".join(_bolide.tokenize_tercom(sent, *self._options))

    def signature(self) -> str:
        """Its name in signatures."""
        return "tercom"


METRICS = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}
