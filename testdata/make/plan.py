"""Which configurations have golden cases, by the program that answers for them.

A configuration is bolide's name, a partial signature. `FULL` ones see every text, the others a part of them. Every
dialect and every key that moves a number must stand here: the tests compare with the registry.
"""

from __future__ import annotations

METEOR_KEYS = [
    "match:exact", "match:exact+stem", "match:exact+synonym", "stemmer:snowball", "case:mixed",
    "alpha:0.5", "beta:1.5", "gamma:0.7", "alpha:0.81|beta:0.83|gamma:0.28",
]  # fmt: skip


def variants(name: str, keys: list[str]) -> list[str]:
    return [f"{name}|{key}" for key in keys]


# Every text: the dialects as they are.
FULL: dict[str, list[str]] = {
    "nltk": ["meteor:nltk", "meteor:hf", "bleu:nltk", "gleu:nltk", "gleu:hf", "nist:nltk", "chrf:nltk", "ribes:nltk"],
    "nltk-3.6.2": ["meteor:nltk-3.6.2"],
    "sacrebleu": ["bleu:sacrebleu", "chrf:sacrebleu", "chrf++:sacrebleu", "ter:sacrebleu"],
    "rouge-score": ["rouge1:google", "rouge2:google", "rougeN:google", "rougeL:google", "rougeLsum:google"],
    "pycocoevalcap": ["bleu:coco", "rougeL:coco", "cider:coco"],
    "definitions": ["meteor:textbook", "bleu:unigram", "bleu:hf"],
}

# NLTK's RIBES keeps all n-grams of both texts, which takes minutes and gigabytes for 2,000 words.
NOT_LONG = {"ribes:nltk"}

# A part of the texts: what each key does.
PART: dict[str, list[str]] = {
    "nltk": [
        *variants("meteor:nltk", [*METEOR_KEYS, "tok:nltk"]),
        *variants("meteor:hf", [*METEOR_KEYS, "tok:space"]),
        *variants("bleu:nltk", [f"smooth:method{n}" for n in range(1, 8)]),
        *variants("bleu:nltk", ["weights:0.5,0.5", "weights:0.4,0.3,0.2,0.1", "weights:0.2,0.2,0.2,0.2,0.2", "order:2", "order:6"]),
        *variants("bleu:nltk", ["reweigh:yes", "reweigh:yes|smooth:method3", "case:lc", "tok:13a", "tok:nltk"]),
        *variants("gleu:nltk", ["tok:13a", "min:2", "max:2", "min:2|max:6"]),
        *variants("gleu:hf", ["tok:space", "min:2", "max:2"]),
        *variants("nist:nltk", ["n:1", "n:3", "n:7", "sum:plain", "n:2|sum:plain"]),
        *variants("chrf:nltk", ["min:2", "max:3", "beta:1", "beta:2.5", "space:yes", "sum:plain"]),
        *variants("ribes:nltk", ["alpha:0.5", "beta:0.25", "alpha:1|beta:0"]),
    ],
    "nltk-3.6.2": variants("meteor:nltk-3.6.2", [*METEOR_KEYS, "tok:nltk"]),
    "sacrebleu": [
        *variants("bleu:sacrebleu", ["tok:intl", "tok:zh", "tok:char", "tok:none", "case:lc", "eff:yes", "eff:no", "segments:same"]),
        *variants("bleu:sacrebleu", ["smooth:floor", "smooth:floor[0.5]", "smooth:add-k", "smooth:add-k[2]", "smooth:none"]),
        *variants("bleu:sacrebleu", ["order:1", "order:2", "order:9", "sum:py311", "tok:intl|sum:py311|smooth:floor"]),
        *variants("chrf:sacrebleu", ["case:lc", "eff:no", "nc:3", "nc:8", "nw:1", "nw:2|beta:3", "space:yes", "beta:1", "beta:0.5"]),
        *variants("chrf++:sacrebleu", ["case:lc", "eff:no", "nc:4", "nw:4", "space:yes", "beta:3"]),
        *variants("ter:sacrebleu", ["case:mixed", "tok:tercom", "norm:yes", "punct:no", "asian:yes"]),
        *variants("ter:sacrebleu", ["norm:yes|asian:yes", "norm:yes|punct:no|asian:yes"]),
    ],
    "rouge-score": [
        *(f"{kind}:google|stem:yes" for kind in ("rouge1", "rouge2", "rougeN", "rougeL", "rougeLsum")),
        *variants("rougeN:google", ["order:1", "order:4", "order:9", "order:5|stem:yes"]),
    ],
    "pycocoevalcap": [
        *variants("bleu:coco", ["order:1", "order:2", "order:3"]),
        "rougeL:coco|beta:0.7",
        "cider:coco|sigma:2.5",
    ],
    "definitions": [
        *variants("meteor:textbook", ["tok:nltk", "case:mixed", "alpha:0.5", "beta:1.5", "gamma:0.7"]),
        *variants("bleu:unigram", ["case:lc", "tok:13a", "tok:nltk"]),
        *variants("bleu:hf", ["order:1", "order:2", "order:6", "smooth:yes", "case:lc", "tok:space", "tok:nltk", "sum:py311", "smooth:yes|sum:py311"]),
    ],
}

# Short texts only: Python tries all alignments.
SHORT = [
    "meteor:classic",
    *variants("meteor:classic", [*METEOR_KEYS, "tok:space", "objective:crossings", "budget:1000", "synonyms:none", "normal:nfc"]),
    "meteor:2026",
    *variants("meteor:2026", ["syn:none", "language:de|syn:none", "near:0.8", "near:0.4", "shared:1", "credits:1_0.8_0.3_0.6", "credits:1_0_0_0"]),
    *variants("meteor:2026", ["punct:1", "punct:0", "alpha:0.5", "gamma:0.75", "budget:1000"]),
]

# The jar's codes of languages that have others here.
CODES = {"cz": "cs", "se": "sv"}

# The jar, whose runs are few and of many segments. `meteor:1.5` has the paraphrases of this folder.
TASKS = ["rank", "adq", "hter", "util", "li", "tune"]
JAR_KEYS = [
    *(f"task:{task}" for task in TASKS),
    "modules:exact", "modules:exact+stem", "modules:stem+exact", "modules:exact+stem+synonym|weights:1_0.3_0.5",
    "params:0.5_1_0.3_0.6", "norm:none", "norm:lower", "norm:norm-nopunct", "ch:yes", "beam:1", "beam:5", "function:de",
]  # fmt: skip
PARAPHRASE_LANGUAGES = ["en", "cz", "de", "es", "fr", "ru"]
