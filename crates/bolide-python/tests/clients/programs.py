"""What each client is asked to score: its own functions and classes, unchanged.

A program reads ``texts``, a list of (hypothesis, three references), and puts numbers into ``found``.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Client:
    requirement: str
    program: str
    installed: bool = False
    """Installed with all that it needs; else only its own wheel is unpacked."""
    without: tuple[str, ...] = ()
    """Packages whose first file is not run, because it imports much more than what scores."""
    absent: tuple[str, ...] = ()
    """Modules that are stood in for; what is compared does not call them."""
    torch: bool = False
    """Whether it imports PyTorch, or what needs it: stood in for, unless PyTorch is installed."""
    needs_torch: bool = False
    """Whether it computes with PyTorch, so that it cannot run without."""


CLIENTS = [
    Client(
        "lm_eval==0.4.13",
        """
        metrics = importlib.import_module("lm_eval.api.metrics")
        items = [(refs[:2], hyp) for hyp, refs in texts]
        for name in ("bleu", "chrf", "chrfpp", "ter"):
            found[name] = getattr(metrics, name)(items)
        """,
        without=("lm_eval", "lm_eval.api"),
    ),
    Client(
        "lighteval==0.13.0",
        """
        from lighteval.metrics.metrics_corpus import CorpusLevelTranslationMetric
        from lighteval.metrics.metrics_sample import BLEU, ROUGE
        from lighteval.metrics.sample_preparator import GenerativeCorpusMetricInput
        from lighteval.models.model_output import ModelResponse
        from lighteval.tasks.requests import Doc
        items = [GenerativeCorpusMetricInput(golds=refs, preds=[hyp]) for hyp, refs in texts]
        for name in ("bleu", "chrf", "chrf++", "ter"):
            found[name] = CorpusLevelTranslationMetric(name).compute_corpus(items)
        samples = [(Doc(query="?", choices=refs, gold_index=[0, 1, 2]), ModelResponse(text=[hyp])) for hyp, refs in texts]
        for order in (1, 4):
            found[f"BLEU-{order}"] = [BLEU(n_gram=order).compute(doc, said) for doc, said in samples]
        for method in ("rouge1", "rouge2", "rougeL", "rougeLsum"):
            found[method] = [ROUGE(method).compute(doc, said) for doc, said in samples]
        """,
        absent=("colorama", "litellm", "pytablewriter", "sklearn"),
        torch=True,
    ),
    Client(
        "opik==2.2.122",
        """
        from opik.evaluation.metrics import GLEU, METEOR, ROUGE, ChrF, CorpusBLEU, SentenceBLEU
        for kind in (SentenceBLEU, GLEU, METEOR):
            found[kind.__name__] = [kind(track=False).score(hyp, refs).value for hyp, refs in texts]
        found["CorpusBLEU"] = CorpusBLEU(track=False).score([hyp for hyp, _ in texts], [refs for _, refs in texts]).value
        found["ChrF"] = [ChrF(track=False).score(hyp, refs[0]).value for hyp, refs in texts]
        for method in ("rouge1", "rouge2", "rougeL", "rougeLsum"):
            metric = ROUGE(rouge_type=method, use_stemmer=True, track=False)
            found[method] = [metric.score(hyp, refs).value for hyp, refs in texts]
        """,
        installed=True,
    ),
    Client(
        "jury==2.3.1",
        """
        from jury import Jury, load_metric
        numpy.random.seed(0)
        for name in ("meteor", "rouge", "sacrebleu", "chrf", "ter"):
            scores = Jury(metrics=[load_metric(name)])(predictions=[hyp for hyp, _ in texts], references=[refs for _, refs in texts])
            for key, value in scores[name].items():
                found[f"{name}, {key}"] = value
        """,
        installed=True,
    ),
    Client(
        "joeynmt==2.3.0",
        """
        metrics = importlib.import_module("joeynmt.metrics")
        hypotheses, references = [hyp for hyp, _ in texts], [refs[0] for _, refs in texts]
        found["bleu"] = metrics.bleu(hypotheses, references, tokenize="intl", lowercase=True)
        found["chrf"] = metrics.chrf(hypotheses, references, word_order=2)
        """,
        without=("joeynmt",),
        torch=True,
    ),
    Client(
        "autorag==0.3.27",
        """
        generation = importlib.import_module("autorag.evaluation.metric.generation")
        from autorag.schema.metricinput import MetricInput
        rows = [MetricInput(generation_gt=refs, generated_texts=hyp) for hyp, refs in texts]
        found["bleu"] = generation.bleu(rows)
        for method in ("rouge1", "rouge2", "rougeL", "rougeLsum"):
            found[method] = generation.rouge(rows, rouge_type=method, use_stemmer=True)
        """,
        without=("autorag", "autorag.evaluation", "autorag.evaluation.metric", "autorag.schema"),
        absent=("llama_index", "openai", "autorag.embedding", "autorag.nodes", "autorag.support", "emoji", "tiktoken", "autorag.utils.preprocess"),
    ),
    Client(
        "mbrs==0.1.8",
        """
        from mbrs.metrics import MetricBLEU, MetricChrF, MetricTER
        hypotheses, references = [hyp for hyp, _ in texts], [refs[:2] for _, refs in texts]
        for kind in (MetricBLEU, MetricChrF, MetricTER):
            metric = kind(kind.Config())
            name = kind.__name__
            found[name] = [metric.score(hyp, refs[0]) for hyp, refs in texts]
            found[f"{name}, corpus"] = metric.corpus_score(hypotheses, references)
            if has_torch:
                found[f"{name}, pairs"] = metric.pairwise_scores(hypotheses[:8], hypotheses[:8]).flatten().tolist()
        """,
        torch=True,
    ),
    Client(
        "compare_mt==0.2.10",
        """
        scorers = importlib.import_module("compare_mt.scorers")
        references = [refs[0].split() for _, refs in texts]
        hypotheses = [hyp.split() for hyp, _ in texts]
        for name in ("SacreBleuScorer", "ChrFScorer", "RibesScorer", "SentBleuScorer"):
            scorer = getattr(scorers, name)()
            found[name] = scorer.score_corpus(references, hypotheses)[0]
        cached = scorers.SacreBleuScorer().cache_stats(references, hypotheses)
        found["cached"] = scorers.SacreBleuScorer().score_cached_corpus(range(20), cached)[0]
        """,
        without=("compare_mt",),
    ),
    Client(
        "vizseq==0.2.1",
        """
        importlib.import_module("vizseq.scorers")
        hypotheses = [hyp for hyp, _ in texts]
        streams = [[refs[idx] for _, refs in texts] for idx in range(2)]
        for name, kind in (("bleu", "BLEUScorer"), ("chrf", "ChrFScorer"), ("gleu", "GLEUScorer"), ("nist", "NISTScorer"), ("ribes", "RIBESScorer")):
            scorer = getattr(importlib.import_module(f"vizseq.scorers.{name}"), kind)
            # Two workers: statistics cross from one process to the other.
            score = scorer(corpus_level=True, sent_level=True, n_workers=2).score(hypotheses, streams)
            found[name] = [score.corpus_score, *score.sent_scores]
        """,
        without=("vizseq",),
    ),
    Client(
        "unitxt==1.26.10",
        """
        from unitxt.metrics import Meteor, MeteorFast, Rouge
        for kind in (Meteor, Rouge):
            metric = kind(n_resamples=None)
            scores = [metric.compute(refs, hyp, {}) for hyp, refs in texts]
            for key in scores[0]:
                found[f"{kind.__name__}, {key}"] = [score[key] for score in scores]
        fast = MeteorFast()
        found["MeteorFast"] = [fast.map(hyp, refs, {})["meteor"] for hyp, refs in texts]
        """,
        installed=True,
    ),
    Client(
        "torchmetrics==1.9.0",
        """
        from torchmetrics.functional.text import rouge_score
        keys = ("rouge1", "rouge2", "rougeL", "rougeLsum")
        scores = rouge_score([hyp for hyp, _ in texts], [refs for _, refs in texts], rouge_keys=keys, use_stemmer=True)
        for key, value in scores.items():
            found[key] = float(value)
        """,
        needs_torch=True,
    ),
    Client(
        "azure-ai-evaluation==1.18.10",
        """
        from azure.ai.evaluation import BleuScoreEvaluator, GleuScoreEvaluator, MeteorScoreEvaluator, RougeScoreEvaluator, RougeType
        rouge = RougeScoreEvaluator(rouge_type=RougeType.ROUGE_L)
        for evaluator in (BleuScoreEvaluator(), GleuScoreEvaluator(), MeteorScoreEvaluator(), rouge):
            # Few: each call looks for NLTK's tables online.
            results = [evaluator(response=hyp, ground_truth=refs[0]) for hyp, refs in texts[:5]]
            for name in results[0]:
                if name.endswith(("_score", "_precision", "_recall")) and "threshold" not in name:
                    found[name] = [result[name] for result in results]
        """,
        installed=True,
    ),
    Client(
        "opencompass==0.5.4",
        """
        hf = importlib.import_module("opencompass.openicl.icl_evaluator.icl_hf_evaluator")
        numpy.random.seed(0)
        hypotheses = [hyp for hyp, _ in texts]
        for kind in (hf.BleuEvaluator, hf.RougeEvaluator):
            scores = kind().score(hypotheses, [refs[0] for _, refs in texts])
            for key, value in scores.items():
                found[f"{kind.__name__}, {key}"] = value
        """,
        without=("opencompass", "opencompass.openicl", "opencompass.openicl.icl_evaluator"),
        absent=("mmengine", "opencompass.registry", "opencompass.openicl.icl_evaluator.icl_base_evaluator"),
    ),
    Client(
        "lmms_eval==0.7.3",
        """
        utils = importlib.import_module("lmms_eval.tasks.flickr30k.utils")
        results = [{"image_id": idx, "answer": refs, "pred": hyp} for idx, (hyp, refs) in enumerate(texts)]
        where = types.SimpleNamespace(output_path=tempfile.mkdtemp())
        for metric in utils.FLICKR_METRICS:
            found[metric] = utils.flickr_aggregation_result(results, metric, where)
        """,
        without=("lmms_eval", "lmms_eval.tasks", "lmms_eval.tasks._task_utils", "lmms_eval.tasks.flickr30k"),
    ),
]
