"""The metrics of evaluate 0.4.6 that are here, each with its arguments and the keys of its result."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from ... import _bolide
from ...metric import _name, _named, _threads
from .. import numpy_float, python_sum, sacrebleu
from ..nltk.translate import _tokens
from ..rouge_score.rouge_scorer import RougeScorer, has_words
from ..sacrebleu.metrics.base import Metric
from ._info import CITATIONS, MetricInfo
from ._inputs import ONE_REFERENCE, SEVERAL_REFERENCES, Features, as_written, chosen, datasets_features

Tokenizer = Callable[[str], Sequence[Any]]


class EvaluationModule(ABC):
    """One metric; ``add`` and ``add_batch`` collect what ``compute`` then scores."""

    name: str
    module_type = "metric"
    _features: Features | list[Features] = [SEVERAL_REFERENCES, ONE_REFERENCE]

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._chosen: Features | None = None
        self._rows: dict[str, list[Any]] = {name: [] for name in self._feature_names()}

    @property
    def info(self) -> MetricInfo:
        """What evaluate says of a module: description, citation, features and so on."""
        return MetricInfo(
            description=inspect.getdoc(type(self)) or "",
            citation=CITATIONS.get(self.name, ""),
            features=self.features,
            inputs_description=self.inputs_description,
            module_name=self.name,
            config_name="default",
            experiment_id="default_experiment",
        )

    @property
    def features(self) -> Any:
        """The types of predictions and references, as objects of ``datasets`` if that is installed."""
        return datasets_features(self._features)

    @property
    def description(self) -> str:
        """What the module computes."""
        return self.info.description

    @property
    def citation(self) -> str:
        """Where the metric was published."""
        return self.info.citation

    @property
    def inputs_description(self) -> str:
        """The arguments of ``compute``."""
        arguments = [it for it in inspect.signature(self._compute).parameters.values() if it.name not in ("segments", "threads")]
        lines = [it.name if it.default is it.empty else f"{it.name} (default {it.default!r})" for it in arguments]
        return "Arguments:\n" + "".join(f"    {line}\n" for line in lines)

    def _feature_names(self) -> list[str]:
        return ["predictions", "references"]

    def __len__(self) -> int:
        return len(self._rows["predictions"])

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Collects one segment."""
        batch = {"predictions": prediction, "references": reference, **kwargs}
        self.add_batch(**{name: [value] for name, value in batch.items()})

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Collects several segments."""
        if kwargs:
            raise ValueError(
                f"Bad inputs for evaluation module: {list(kwargs)}. All required inputs are {self._feature_names()}"
            )
        if self._chosen is None:
            self._choose(predictions, references)
        if len(predictions) != len(references):
            raise ValueError(
                "Mismatch in the number of predictions "
                f"({len(predictions)}) and references ({len(references)})"
            )
        assert self._chosen is not None
        columns = {"predictions": predictions, "references": references}
        for name, feature in self._chosen.items():
            columns[name] = [as_written(feature, value) for value in columns[name]]
        for name, column in columns.items():
            self._rows[name].extend(column)

    def _choose(self, predictions: Any, references: Any) -> None:
        options = self._features if isinstance(self._features, list) else [self._features]
        if len(predictions) and len(references):
            self._chosen = chosen(options, {"predictions": next(iter(predictions)), "references": next(iter(references))})
        elif isinstance(self._features, list):
            raise IndexError("list index out of range")
        else:
            self._chosen = self._features

    def compute(
        self,
        *,
        predictions: Any = None,
        references: Any = None,
        segments: bool = False,
        threads: int | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        """Scores what was collected and what is given, and forgets it."""
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions, references=references)
        if self._chosen is None:
            raise ValueError(
                "Evaluation module cache file doesn't exist. Please make sure that you call `add` or `add_batch` "
                "at least once before calling `compute`."
            )
        rows = self._rows
        self._forget()
        return self._compute(**rows, segments=segments, threads=_threads(threads), **options)

    @abstractmethod
    def _compute(
        self, predictions: list[Any], references: list[Any], **options: Any
    ) -> dict[str, Any]:
        """The result by evaluate's names."""

    def __repr__(self) -> str:
        return f'EvaluationModule(name: "{self.name}")'


def _score(
    name: str, predictions: list[Any], references: list[Any], segments: bool, threads: int
) -> tuple[float, dict[str, Any], dict[str, Any]]:
    """Score, components and, if asked for, the scores of the segments."""
    metric = _named(name)
    if not segments:
        corpus = metric.corpus(predictions, references, threads=threads, progress=None)
        score, components, _ = corpus.score()
        return score, components, {}
    corpus, floats, _ = metric.corpus_and_segments(
        predictions, references, threads=threads, details=False
    )
    score, components, _ = corpus.score()
    return score, components, {"segments": floats.to_list()}


class _Meteor(EvaluationModule):
    """METEOR of NLTK on the tokens of its ``word_tokenize``, averaged over the segments."""

    name = "meteor"

    def _compute(  # type: ignore[override]
        self,
        predictions: list[str],
        references: list[Any],
        segments: bool,
        threads: int,
        alpha: float = 0.9,
        beta: float = 3,
        gamma: float = 0.5,
    ) -> dict[str, Any]:
        _first(references)
        _refuse_empty(references)
        name = _name("meteor:hf", {"alpha": alpha, "beta": beta, "gamma": gamma})
        score, _, extra = _score(name, predictions, references, segments, threads)
        return {"meteor": numpy_float(score), **extra}


def _first(references: list[Any]) -> Any:
    if not references:
        raise IndexError("list index out of range")
    return references[0]


def _refuse_empty(references: list[Any]) -> None:
    if any(not isinstance(row, str) and len(row) == 0 for row in references):
        raise ValueError("max() arg is an empty sequence")


def _tokenised(
    predictions: list[str], references: list[Any], tokenizer: Tokenizer | None
) -> tuple[list[Any], list[Any]]:
    """References as lists, and everything as tokens if the caller brings a tokenizer, whose tokens may be of any kind."""
    if isinstance(_first(references), str):
        references = [[reference] for reference in references]
    if tokenizer is None:
        return predictions, references
    return _tokens.corpus(
        [[tokenizer(reference) for reference in row] for row in references],
        [tokenizer(prediction) for prediction in predictions],
    )


class _Bleu(EvaluationModule):
    """BLEU of a corpus as TensorFlow's NMT tutorial computes it, on the tokens of mteval-13a."""

    name = "bleu"

    def _compute(  # type: ignore[override]
        self,
        predictions: list[str],
        references: list[Any],
        segments: bool,
        threads: int,
        tokenizer: Tokenizer | None = None,
        max_order: int = 4,
        smooth: bool = False,
    ) -> dict[str, Any]:
        predictions, references = _tokenised(predictions, references, tokenizer)
        keys = {"order": max_order, "smooth": smooth, "sum": python_sum()}
        score, parts, extra = _score(
            _name("bleu:hf", keys), predictions, references, segments, threads
        )
        if parts["undefined"]:
            raise ZeroDivisionError("division by zero")
        return {
            "bleu": score,
            "precisions": [parts[f"precision_{order}"] for order in range(1, max_order + 1)],
            "brevity_penalty": parts["brevity_penalty"],
            "length_ratio": parts["length_ratio"],
            "translation_length": parts["hypothesis_length"],
            "reference_length": parts["reference_length"],
            **extra,
        }


class _GoogleBleu(EvaluationModule):
    """GLEU of a corpus: matches divided by the n-grams of the longer side, on the tokens of mteval-13a."""

    name = "google_bleu"

    def _compute(  # type: ignore[override]
        self,
        predictions: list[str],
        references: list[Any],
        segments: bool,
        threads: int,
        tokenizer: Tokenizer | None = None,
        min_len: int = 1,
        max_len: int = 4,
    ) -> dict[str, Any]:
        predictions, references = _tokenised(predictions, references, tokenizer)
        name = _name("gleu:hf", {"min": min_len, "max": max_len})
        score, _, extra = _score(name, predictions, references, segments, threads)
        return {"google_bleu": score, **extra}


class _Rouge(EvaluationModule):
    """ROUGE F-scores by rouge-score; the mean of all segments is the middle of a bootstrap."""

    name = "rouge"

    def _compute(  # type: ignore[override]
        self,
        predictions: list[str],
        references: list[Any],
        segments: bool,
        threads: int,
        rouge_types: Sequence[str] | None = None,
        use_aggregator: bool = True,
        use_stemmer: bool = False,
        tokenizer: Tokenizer | None = None,
        seed: int = 0,
    ) -> dict[str, Any]:
        kinds = list(rouge_types or ("rouge1", "rouge2", "rougeL", "rougeLsum"))
        if tokenizer is None:
            columns = {kind: _rouge_column(kind, use_stemmer, predictions, references, threads) for kind in kinds}
        else:
            scorer = RougeScorer(kinds, use_stemmer, tokenizer=_Tokenizer(tokenizer))
            score = scorer.score if isinstance(_first(references), str) else scorer.score_multi
            rows = [score(reference, prediction) for reference, prediction in zip(references, predictions)]
            columns = {kind: [row[kind] for row in rows] for kind in kinds}
        fscores: dict[str, Any] = {kind: [score[2] for score in column] for kind, column in columns.items()}
        if not use_aggregator:
            return fscores
        middle = _bolide.rouge_aggregate(list(columns.values()), 1000, seed)
        result: dict[str, Any] = dict(zip(kinds, map(numpy_float, middle)))
        return {**result, "segments": fscores} if segments else result


class _Tokenizer:
    """A function as an object with a method, as rouge-score takes it."""

    def __init__(self, tokenize: Tokenizer) -> None:
        self.tokenize = tokenize


def _rouge_column(
    kind: str, stem: bool, predictions: list[str], references: list[Any], threads: int
) -> list[Any]:
    """Precision, recall and F-score of each segment."""
    scores, details = _named(_name(kind, {"stem": stem})).segments(
        predictions, references, threads=threads, progress=None, missing=False, details=True
    )
    assert details is not None
    column: list[Any] = list(zip(details["precision"].to_list(), details["recall"].to_list(), scores.to_list()))
    if kind.startswith("rougeL"):
        # The score of a text without words is an integer.
        for idx, (prediction, texts) in enumerate(zip(predictions, references)):
            reference = texts if isinstance(texts, str) else texts[0]
            if column[idx][2] == 0.0 and not (has_words(prediction) and has_words(reference)):
                column[idx] = (0, 0, 0)
    return column


def _streams(references: list[Any], who: str) -> list[list[str]]:
    if isinstance(_first(references), str):
        references = [[reference] for reference in references]
    n_references = len(references[0])
    if any(len(row) != n_references for row in references):
        raise ValueError(f"{who} requires the same number of references for each prediction")
    return [[row[idx] for row in references] for idx in range(n_references)]


def _by_sacrebleu(
    metric: Metric[Any],
    names: str,
    predictions: list[str],
    references: list[Any],
    segments: bool,
    threads: int,
    who: str = "Sacrebleu",
) -> dict[str, Any]:
    """What a metric of sacreBLEU says, by the names of its score, and if asked for the scores of the segments."""
    it = metric.corpus_score(predictions, _streams(references, who))
    result = {name: getattr(it, name) for name in names.split()}
    if not segments:
        return result
    rows = [[row] if isinstance(row, str) else row for row in references]
    floats, _ = metric._native().segments(
        predictions, rows, threads=threads, progress=None, missing=False, details=False
    )
    return {**result, "segments": floats.to_list()}


class _SacreBleu(EvaluationModule):
    """BLEU of a corpus by sacreBLEU."""

    name = "sacrebleu"

    def _compute(  # type: ignore[override]
        self,
        predictions: list[str],
        references: list[Any],
        segments: bool,
        threads: int,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        force: bool = False,
        lowercase: bool = False,
        tokenize: str | None = None,
        use_effective_order: bool = False,
    ) -> dict[str, Any]:
        metric = sacrebleu.BLEU(
            lowercase=lowercase,
            force=force,
            tokenize=tokenize,
            smooth_method=smooth_method,
            smooth_value=smooth_value,
            effective_order=use_effective_order,
        )
        names = "score counts totals precisions bp sys_len ref_len"
        return _by_sacrebleu(metric, names, predictions, references, segments, threads)


class _Chrf(EvaluationModule):
    """chrF or, with words, chrF++ of a corpus by sacreBLEU."""

    name = "chrf"

    def _compute(  # type: ignore[override]
        self,
        predictions: list[str],
        references: list[Any],
        segments: bool,
        threads: int,
        char_order: int = 6,
        word_order: int = 0,
        beta: int = 2,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
    ) -> dict[str, Any]:
        metric = sacrebleu.CHRF(char_order, word_order, beta, lowercase, whitespace, eps_smoothing)
        names, who = "score char_order word_order beta", "ChrF, as implemented by sacrebleu,"
        return _by_sacrebleu(metric, names, predictions, references, segments, threads, who)


class _Ter(EvaluationModule):
    """TER of a corpus by sacreBLEU: edits and shifts divided by the words of the references."""

    name = "ter"

    def _compute(  # type: ignore[override]
        self,
        predictions: list[str],
        references: list[Any],
        segments: bool,
        threads: int,
        normalized: bool = False,
        ignore_punct: bool = False,
        support_zh_ja_chars: bool = False,
        case_sensitive: bool = False,
    ) -> dict[str, Any]:
        metric = sacrebleu.TER(normalized, ignore_punct, support_zh_ja_chars, case_sensitive)
        names = "score num_edits ref_length"
        return _by_sacrebleu(metric, names, predictions, references, segments, threads)


MODULES: dict[str, type[EvaluationModule]] = {
    module.name: module for module in (_Meteor, _Bleu, _GoogleBleu, _Rouge, _SacreBleu, _Chrf, _Ter)
}
