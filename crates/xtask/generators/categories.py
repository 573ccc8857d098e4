"""Prints the ranges of three Unicode categories from the Python module `regex`: category, first, last."""

import regex

for category in ("Punctuation", "Symbol", "Number"):
    matches = regex.compile(r"\p{%s}" % category[0]).match
    found = []
    for code in range(0x110000):
        if 0xD800 <= code < 0xE000 or not matches(chr(code)):
            continue
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    for first, last in found:
        print(category, f"{first:#x}", f"{last:#x}")
