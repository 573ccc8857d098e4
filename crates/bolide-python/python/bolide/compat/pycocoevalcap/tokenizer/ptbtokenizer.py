"""``PTBTokenizer``: the Stanford tokenizer that pycocoevalcap ships, without Java."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .... import _bolide
from ... import _original

__all__ = ["PTBTokenizer", "PUNCTUATIONS"]
__getattr__: _original.Getattr = _original.names_of("pycocoevalcap.tokenizer.ptbtokenizer")

#: The tokens that are left out. Brackets stay: the tokenizer writes their names in small letters.
PUNCTUATIONS = "'' ' `` ` -LRB- -RRB- -LCB- -RCB- . ? ! , : - -- ... ;".split()


class PTBTokenizer:
    """Splits the captions of images into lower-case tokens and leaves out punctuation.

    All captions are one text, in which a full stop at the end of a line may depend on the next line, as with the
    original.

    >>> PTBTokenizer().tokenize({1: [{"caption": "A man's red bike, isn't it?"}]})
    {1: ["a man 's red bike is n't it"]}
    """

    def tokenize(self, captions_for_image: Mapping[Any, Sequence[Any]]) -> dict[Any, list[str]]:
        """The captions of each image as texts of tokens, joined by blanks."""
        images = [image for image, captions in captions_for_image.items() for _ in captions]
        captions = [caption["caption"] for captions in captions_for_image.values() for caption in captions]
        text = "\n".join(caption.replace("\n", " ") for caption in captions)
        tokenised: dict[Any, list[str]] = {}
        # A caption with other line ends than this one has several lines, which shift the rest, as in the original.
        for image, line in zip(images, _bolide.tokenize_ptb(text).split("\n")):
            words = [word for word in line.rstrip().split(" ") if word not in PUNCTUATIONS]
            tokenised.setdefault(image, []).append(" ".join(words))
        return tokenised
