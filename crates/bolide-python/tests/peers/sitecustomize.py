"""Puts our modules in the place of NLTK's and sacreBLEU's, in every process of a test run.

Python imports this file at the start of every interpreter that has its folder on the path, so the
processes that NLTK's tests start see ours too.
"""

import importlib
import importlib.abc
import importlib.util
import sys


class InPlace(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads the real module, then writes our names over its own."""

    NLTK = {"nltk.translate.meteor_score", "nltk.translate.bleu_score", "nltk.tokenize"}
    SACREBLEU = {
        "sacrebleu": "bolide.compat.sacrebleu",
        "sacrebleu.compat": "bolide.compat.sacrebleu",
        "sacrebleu.metrics": "bolide.compat.sacrebleu.metrics",
        "sacrebleu.significance": "bolide.compat.sacrebleu.significance",
        "sacrebleu.tokenizers.tokenizer_ter": "bolide.compat.sacrebleu.metrics",
    }

    def find_spec(self, name, path, target=None):
        if name not in self.NLTK and name not in self.SACREBLEU:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None:
                spec.loader = Replacing(spec.loader, name)
                return spec
        return None


class Replacing(importlib.abc.Loader):
    """The loader of the real module, and our names afterwards."""

    def __init__(self, loader, name):
        self.loader, self.name = loader, name

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def __getattr__(self, name):
        return getattr(self.loader, name)

    def exec_module(self, module):
        self.loader.exec_module(module)
        ours = importlib.import_module(InPlace.SACREBLEU.get(self.name, "bolide.compat.nltk"))
        for name, value in list(vars(module).items()):
            replacement = getattr(ours, name, None)
            is_theirs = getattr(value, "__module__", "").startswith(("nltk.", "sacrebleu."))
            if callable(value) and is_theirs and replacement is not None:
                setattr(module, name, replacement)


sys.meta_path.insert(0, InPlace())
