"""``nltk.corpus``: the part of WordNet that METEOR uses."""

from __future__ import annotations

from .... import _bolide
from ... import _original

__all__ = ["wordnet"]
__getattr__: _original.Getattr = _original.names_of("nltk.corpus")


class _Lemma:
    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def name(self) -> str:
        return self._name

    def __repr__(self) -> str:
        return f"Lemma({self._name!r})"


class _Synset:
    __slots__ = ("_names",)

    def __init__(self, names: list[str]) -> None:
        self._names = names

    def lemmas(self) -> list[_Lemma]:
        return [_Lemma(name) for name in self._names]

    def lemma_names(self) -> list[str]:
        return list(self._names)

    def __repr__(self) -> str:
        return f"Synset({', '.join(self._names)})"


class _WordNet:
    """The part of WordNet 3.0 that METEOR uses: the members of a word's synsets."""

    def synsets(self, word: str) -> list[_Synset]:
        return [_Synset(names) for names in _bolide.synsets(word)]


wordnet: _WordNet = _WordNet()
