"""The words of `tok:words` beside those of ICU4X's own package for JavaScript, and how often ICU for C agrees.

    python3 tests/live/words.py            # 2,000 texts for each language
    python3 tests/live/words.py --full     # 20,000

Chinese and Japanese have to be equal: the words of npm's `icu`, an official build of ICU4X. For Thai, Lao, Khmer and Burmese that
package takes UTF-16, in which ICU4X tears letters and marks apart and goes on differently, so there each word has to begin
with a letter, and the text has to come back complete. ICU for C has the same dictionaries and another method, which weighs words; where its library is
installed, the share of the borders in Chinese and Japanese that both have is printed.
"""

from __future__ import annotations

import argparse
import ctypes
import glob
import random
import re
import subprocess
import sys
import unicodedata

import peers

PACKAGE = "icu@2.3.2"
PROGRAM = """
import { WordSegmenter } from "icu";
import { createInterface } from "node:readline";
const segmenter = WordSegmenter.createDictionary();
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const borders = segmenter.segment(line), words = [];
  let before = 0;
  for (let at = borders.next(); at !== -1; at = borders.next()) {
    if (at > before) words.push(line.slice(before, at));
    before = at;
  }
  console.log(words.join(" "));
}
"""
# The letters of each language, the frequent ones first where there are many.
LETTERS = {
    "zh": "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔社交媒体视频感染里情况男孩金钱信息",
    "ja": "のにはをたがでとしれさあるいもするからなことしてなくありよりまたものおりきりくけこせそちつてねひふへほまみむめやゆよらりるろわん日本人大年会国中出来行上見今時間社交抗議者東京学生先電車話新聞世界手段局面平和得求満残立向アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワンー",
}
RANGES = {"th": (0xE01, 0xE4E), "lo": (0xE81, 0xECD), "km": (0x1780, 0x17D3), "my": (0x1000, 0x103E)}


def texts(code: str, n: int, seed: int) -> list[str]:
    """Runs of letters: for Chinese and Japanese of common ones, so that most are parts of words."""
    rng = random.Random(f"{code} {seed}")
    if code in LETTERS:
        letters = LETTERS[code]
    else:
        first, last = RANGES[code]
        letters = [chr(c) for c in range(first, last + 1) if unicodedata.category(chr(c)) in ("Lo", "Mn", "Mc", "Lm")]
    made = []
    while len(made) < n:
        text = "".join(rng.choices(letters, k=rng.randint(1, 30)))
        if unicodedata.category(text[0]).startswith("L"):
            made.append(text)
    return made


def run(command: list[str], lines: list[str], **options) -> list[list[str]]:
    done = subprocess.run(command, input="".join(f"{line}\n" for line in lines), capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return [line.split() for line in done.stdout.split("\n")[:-1]]


def icu4x(lines: list[str]) -> list[list[str]]:
    folder = peers.folder() / "icu4x"
    if not (folder / "node_modules" / "icu").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--silent", "--no-save", "--prefix", str(folder), PACKAGE], check=True)
    (folder / "words.mjs").write_text(PROGRAM, encoding="utf-8")
    return run(["node", "words.mjs"], lines, cwd=folder)


def icu4c():
    """A function from a text to its words by the newest installed library, if there is one."""
    found = sorted(glob.glob("/usr/lib/*/libicuuc.so.[0-9][0-9]"))
    if not found:
        return None
    version = re.search(r"(\d+)$", found[-1])[1]
    library = ctypes.CDLL(found[-1])
    opened, text, following = (getattr(library, f"ubrk_{name}_{version}") for name in ("open", "setText", "next"))
    pointer, number = ctypes.c_void_p, ctypes.c_int32
    opened.restype, opened.argtypes = pointer, [number, ctypes.c_char_p, pointer, number, pointer]
    text.argtypes = [pointer, ctypes.c_char_p, number, pointer]
    following.restype, following.argtypes = number, [pointer]
    status = ctypes.c_int(0)
    words = opened(1, b"", None, 0, ctypes.byref(status))
    if status.value > 0:
        sys.exit(f"ICU {version} for C has no dictionaries: error {status.value}")

    def borders(line: str) -> set[int]:
        units = line.encode("utf-16-le")
        text(words, units, len(units) // 2, ctypes.byref(status))
        found = set()
        while (at := following(words)) != -1:
            found.add(at)
        return found

    return version, borders


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    example = [peers.example("segments")]
    passed = failed = 0
    for code in [*LETTERS, *RANGES]:
        lines = texts(code, 20_000 if options.full else 2_000, options.seed)
        ours = run(example, lines, cwd=peers.ROOT)
        if len(ours) != len(lines):
            sys.exit(f"{code}: {len(ours)} lines for {len(lines)}")
        if code in LETTERS:
            wrong = [(one, other) for one, other in zip(ours, icu4x(lines)) if one != other]
        else:
            torn = [any(unicodedata.category(word[0]).startswith("M") for word in words) for words in ours]
            wrong = [(words, [line]) for words, line, is_torn in zip(ours, lines, torn) if is_torn or "".join(words) != line]
        passed, failed = passed + len(lines) - len(wrong), failed + len(wrong)
        for one, other in wrong[:3]:
            print(f"{code}: {' '.join(one)} here, {' '.join(other)} there")
        if code in LETTERS and (library := icu4c()):
            version, borders = library
            shared = all_of_them = 0
            for words, line in zip(ours, lines):
                here = {sum(map(len, words[: at + 1])) for at in range(len(words))}
                there = borders(line)
                shared, all_of_them = shared + len(here & there) - 1, all_of_them + len(here | there) - 1
            print(f"{code}: ICU {version} for C has {100 * shared / all_of_them:.1f} % of all borders in common")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
