"""SentencePiece: the pieces of models that are trained here, beside those of the library; and sacreBLEU with such models.

    python3 tests/live/sentencepiece_models.py          # 6,000 texts for each model
    python3 tests/live/sentencepiece_models.py --full   # 30,000

The models cover unigrams and byte pairs, the normalisers, byte fallback, symbols of the user and spaces as suffixes.
The texts are words of the documents, and characters of many scripts at random.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
from pathlib import Path

import peers

try:
    import sentencepiece
except ImportError:
    # Once more, in the environment that has it.
    python = str(peers.python("others"))
    os.execv(python, [python, *sys.argv])

N_LINES = 30_000 if "--full" in sys.argv else 6000

# The last digit of a score depends on how Python adds.
SUM = "|sum:py311" if sys.version_info < (3, 12) else ""

EXTRA = [
    "我喜欢猫，他喜欢狗。",
    "これは日本語の文章です。",
    "Ｆｕｌｌ ｗｉｄｔｈ １２３",
    "ﬁne ﬂag №①",
    "Österreich ist schön",
    "cafe\u0301 naïve",
    "Привет, мир!",
    "ศาลาแดง",
    "a\u00a0b\u3000c\u200bd",
    "emoji 😀👍🏽 done",
    "한국어 문장입니다",
    "مرحبا بالعالم",
]

KINDS: dict[str, dict[str, object]] = {
    "unigram": {"model_type": "unigram", "vocab_size": 600},
    "unigram, bytes": {"model_type": "unigram", "vocab_size": 900, "byte_fallback": True},
    "unigram, case-folded": {
        "model_type": "unigram",
        "vocab_size": 600,
        "normalization_rule_name": "nmt_nfkc_cf",
    },
    "unigram, as it is": {
        "model_type": "unigram",
        "vocab_size": 600,
        "normalization_rule_name": "identity",
        "remove_extra_whitespaces": False,
        "add_dummy_prefix": False,
    },
    "unigram, symbols": {
        "model_type": "unigram",
        "vocab_size": 600,
        "user_defined_symbols": ["METEOR", "the cat", "é"],
    },
    "unigram, suffixes": {"model_type": "unigram", "vocab_size": 600, "treat_whitespace_as_suffix": True},
    "pairs": {"model_type": "bpe", "vocab_size": 700},
    "pairs, bytes": {"model_type": "bpe", "vocab_size": 1000, "byte_fallback": True},
    "pairs, symbols": {"model_type": "bpe", "vocab_size": 700, "user_defined_symbols": ["METEOR", "the cat"]},
}

# The name of a tokenizer, and the file that sacreBLEU downloads for it.
FILES = {
    "flores101": "sacrebleu_tokenizer_spm.model",
    "flores200": "flores200sacrebleuspm",
    "spBLEU-1K": "spbleu-1k_tokenizer_spm.model",
}


def lines(documents: str, seed: int) -> list[str]:
    """Texts of words and texts of characters."""
    rng = random.Random(seed)
    words = documents.split() + EXTRA
    letters = [chr(c) for c in [*range(0x20, 0x250), *range(0x300, 0x340)]] + [" "] * 400
    letters += list("ﬁ①Ａ　ｶﾞグ\u200b\u200d\ufeff\u2028\u0085\u00a0\u3000\u0e33▁😀")
    letters += [chr(rng.randrange(0x400, 0xD800)) for _ in range(300)]
    letters += [chr(rng.randrange(0xE000, 0x20000)) for _ in range(100)]
    made = [*EXTRA, "", " ", "  x  y ", "▁▁ a ▁", "the cat METEOR the catMETEOR é"]
    while len(made) < N_LINES:
        if rng.random() < 0.5:
            made.append(" ".join(rng.choices(words, k=rng.randint(1, 15))))
        else:
            made.append("".join(rng.choices(letters, k=rng.randint(1, 40))))
    return [line.replace("\n", " ").replace("\r", " ") for line in made]


def compare_pieces(model: Path, texts: list[str]) -> int:
    """The number of lines whose pieces differ."""
    library = sentencepiece.SentencePieceProcessor()
    library.Load(str(model))
    example = [peers.example("pieces"), str(model)]
    ours = peers.output(example, "".join(f"{line}\n" for line in texts)).split("\n")[:-1]
    assert len(ours) == len(texts)
    differ = 0
    for line, mine in zip(texts, ours, strict=True):
        expected = library.EncodeAsPieces(line)
        if expected != (mine.split("\x1f") if mine else []):
            differ += 1
            if differ == 1:
                print(f"  {line!r}: {expected} instead of {mine!r}")
    return differ


def compare_scores(models: list[Path], texts: list[str], folder: Path) -> int:
    """The number of scores that differ from sacreBLEU's."""
    cache = folder / "sacrebleu"
    (cache / "models").mkdir(parents=True)
    for model, name in zip(models, FILES.values(), strict=False):
        shutil.copy(model, cache / "models" / name)
    os.environ["SACREBLEU"] = str(cache)
    import sacrebleu

    hypotheses = [line or "x" for line in texts[: N_LINES // 2]]
    references = [" ".join([*line.split()[1:], "end"]) for line in hypotheses]
    (folder / "hypotheses").write_text("".join(f"{line}\n" for line in hypotheses), newline="")
    (folder / "references").write_text("".join(f"{line}\n" for line in references), newline="")
    binary = os.environ.get("BOLIDE")
    bolide = [binary] if binary else ["cargo", "run", "-q", "-p", "bolide-cli", "--"]
    differ = 0
    for name in ["spm", *FILES]:
        for lowercase in [False, True]:
            expected = sacrebleu.corpus_bleu(hypotheses, [references], tokenize=name, lowercase=lowercase)
            metric = f"bleu|tok:{name}|case:{'lc' if lowercase else 'mixed'}{SUM}"
            files = ["-r", str(folder / "references"), "-i", str(folder / "hypotheses")]
            printed = peers.output([*bolide, "-q", "score", *files, "-m", metric, "--format", "json"], "", SACREBLEU=str(cache))
            if f'"score":{expected.score!r}' not in printed.replace(" ", ""):
                differ += 1
                print(f"  {metric}: {expected.score!r}, got {printed}")
    return differ


def main() -> int:
    documents = "".join(path.read_text() for path in sorted((peers.ROOT / "docs").glob("*.md"))[:3])
    texts = lines(documents, 1)
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        training = folder / "training"
        training.write_text("\n".join([*filter(str.strip, documents.split("\n")), *(EXTRA * 20)]))
        models = []
        for at, (name, options) in enumerate(KINDS.items()):
            prefix = folder / str(at)
            sentencepiece.SentencePieceTrainer.train(
                input=str(training),
                model_prefix=str(prefix),
                character_coverage=0.98,
                minloglevel=2,
                **options,
            )
            models.append(prefix.with_suffix(".model"))
            differ = compare_pieces(models[-1], texts)
            print(f"{name}: {len(texts)} lines, {differ} differ")
            failed += differ
        chosen = [models[0], models[1], models[6]]
        differ = compare_scores(chosen, texts, folder)
        print(f"sacreBLEU with the models: 8 scores, {differ} differ")
        failed += differ
    total = len(KINDS) * len(texts) + 8
    print(f"{total - failed} passed, {failed} failed")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
