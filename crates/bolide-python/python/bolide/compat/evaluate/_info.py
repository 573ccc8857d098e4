"""What a module of evaluate says about itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class MetricInfo:
    """The fields of evaluate's class of this name."""

    description: str
    citation: str
    features: Any
    inputs_description: str = ""
    homepage: str = ""
    license: str = ""
    codebase_urls: list[str] = field(default_factory=list)
    reference_urls: list[str] = field(default_factory=list)
    streamable: bool = False
    format: str | None = None
    module_type: str = "metric"
    module_name: str | None = None
    config_name: str | None = None
    experiment_id: str | None = None


CITATIONS: dict[str, str] = {
    "meteor": "Banerjee and Lavie (2005): METEOR: An Automatic Metric for MT Evaluation with Improved Correlation with Human Judgments",
    "bleu": "Papineni, Roukos, Ward and Zhu (2002): BLEU: a Method for Automatic Evaluation of Machine Translation",
    "google_bleu": "Wu et al. (2016): Google's Neural Machine Translation System: Bridging the Gap between Human and Machine Translation",
    "rouge": "Lin (2004): ROUGE: A Package for Automatic Evaluation of Summaries",
    "sacrebleu": "Post (2018): A Call for Clarity in Reporting BLEU Scores",
    "chrf": "Popović (2015): chrF: character n-gram F-score for automatic MT evaluation",
    "ter": "Snover, Dorr, Schwartz, Micciulla and Makhoul (2006): A Study of Translation Edit Rate with Targeted Human Annotation",
    "wer": "Morris, Maier and Green (2004): From WER and RIL to MER and WIL: improved evaluation measures for connected speech recognition",
    "cer": "Morris, Maier and Green (2004): From WER and RIL to MER and WIL: improved evaluation measures for connected speech recognition",
    "character": "Wang, Peter, Rosendahl and Ney (2016): CharacTer: Translation Edit Rate on Character Level",
    "squad": "Rajpurkar, Zhang, Lopyrev and Liang (2016): SQuAD: 100,000+ Questions for Machine Comprehension of Text",
}
"""The publications that define the metrics."""
