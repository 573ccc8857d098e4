"""Replaces other packages by our modules, in this process.

If a package is installed, its modules are loaded as usual, and our functions and classes replace those of the
same name; everything else stays. If it is not installed, its name refers to our modules.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from types import ModuleType, TracebackType
from typing import Any

from . import _original

_OURS = "bolide.compat."

MODULES: dict[str, tuple[str, ...]] = {
    "evaluate": ("evaluate.loading", "evaluate.module"),
    "nltk": (
        "nltk.tokenize",
        "nltk.translate.bleu_score",
        "nltk.translate.chrf_score",
        "nltk.translate.gleu_score",
        "nltk.translate.meteor_score",
        "nltk.translate.nist_score",
        "nltk.translate.ribes_score",
    ),
    "pycocoevalcap": (
        "pycocoevalcap.bleu.bleu",
        "pycocoevalcap.cider.cider",
        "pycocoevalcap.eval",
        "pycocoevalcap.meteor.meteor",
        "pycocoevalcap.rouge.rouge",
        "pycocoevalcap.tokenizer.ptbtokenizer",
    ),
    "rouge_score": (
        "rouge_score.rouge_scorer",
        "rouge_score.scoring",
        "rouge_score.tokenize",
        "rouge_score.tokenizers",
    ),
    "sacrebleu": (
        "sacrebleu.compat",
        "sacrebleu.metrics",
        "sacrebleu.metrics.bleu",
        "sacrebleu.metrics.chrf",
        "sacrebleu.metrics.helpers",
        "sacrebleu.metrics.ter",
        "sacrebleu.significance",
        "sacrebleu.tokenizers.tokenizer_13a",
        "sacrebleu.tokenizers.tokenizer_char",
        "sacrebleu.tokenizers.tokenizer_intl",
        "sacrebleu.tokenizers.tokenizer_none",
        "sacrebleu.tokenizers.tokenizer_ter",
        "sacrebleu.tokenizers.tokenizer_zh",
    ),
}
"""The modules whose names are replaced, by package."""


def _names(ours: ModuleType) -> Iterator[str]:
    public: Sequence[str] = getattr(ours, "__all__", ())
    yield from (name for name in public if not isinstance(vars(ours).get(name), ModuleType))


class Installed:
    """The result of ``install``; ``uninstall`` or the end of a ``with`` block undoes it."""

    def __init__(self, packages: Sequence[str]) -> None:
        self.packages: tuple[str, ...] = tuple(packages)
        self._written: list[tuple[ModuleType, str, Any]] = []
        self._aliases: list[str] = []
        self._finder = _Finder(self)

    @property
    def replaced(self) -> list[str]:
        """The full names that now refer to ours. Names in modules not yet imported follow when they are imported."""
        names = {f"{module.__name__}.{name}" for module, name, _ in self._written}
        return sorted({*names, *self._aliases})

    def uninstall(self) -> None:
        """Restores everything."""
        if self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)
        for module, name, theirs in reversed(self._written):
            setattr(module, name, theirs)
            _original.replaced.pop((module.__name__, name), None)
        for name in self._aliases:
            sys.modules.pop(name, None)
        self._written, self._aliases = [], []

    def __enter__(self) -> Installed:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.uninstall()

    def __repr__(self) -> str:
        return f"<bolide.compat replacing {', '.join(self.packages)}>"

    def _start(self) -> None:
        sys.meta_path.insert(0, self._finder)
        for package in self.packages:
            for name in MODULES[package]:
                if name in sys.modules:
                    self._overwrite(sys.modules[name])

    def _overwrite(self, module: ModuleType) -> None:
        """Replaces names of a module, also where other modules have imported them from it."""
        ours = importlib.import_module(_OURS + module.__name__)
        pairs = []
        for name in _names(ours):
            theirs, mine = vars(module).get(name), getattr(ours, name)
            if theirs is not None and theirs is not mine:
                _original.replaced[module.__name__, name] = theirs
                self._write(module, name, theirs, mine)
                pairs.append((theirs, mine))
        for other in list(sys.modules.values()):
            if type(other) is not ModuleType or other.__name__.startswith("bolide."):
                continue
            for key, value in list(vars(other).items()):
                for theirs, mine in pairs:
                    if value is theirs and not isinstance(value, (int, float, str, tuple)):
                        self._write(other, key, theirs, mine)

    def _write(self, module: ModuleType, name: str, theirs: Any, mine: Any) -> None:
        setattr(module, name, mine)
        self._written.append((module, name, theirs))


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of the packages, before all other finders."""

    def __init__(self, installed: Installed) -> None:
        self._installed = installed
        self._busy: set[str] = set()

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        package = name.partition(".")[0]
        if package not in self._installed.packages or name in self._busy:
            return None
        self._busy.add(name)
        try:
            spec = self._real_spec(name, path, target)
            if spec is not None:
                if name in MODULES[package] and spec.loader is not None:
                    spec.loader = _Overwriting(spec.loader, self._installed)
                return spec
            # Where we have no such module, `_original` asks for the package's, and must not be sent back to ours.
            try:
                ours = importlib.import_module(_OURS + name)
            except ImportError:
                return None
        finally:
            self._busy.discard(name)
        loader = _Alias(ours, self._installed)
        return importlib.util.spec_from_loader(name, loader, is_package=hasattr(ours, "__path__"))

    def _real_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None
    ) -> importlib.machinery.ModuleSpec | None:
        for finder in sys.meta_path:
            if isinstance(finder, _Finder) or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                return spec
        return None


class _Overwriting(importlib.abc.Loader):
    """Loads a module of the package, then replaces its names by ours."""

    def __init__(self, loader: Any, installed: Installed) -> None:
        self._loader, self._installed = loader, installed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        self._installed._overwrite(module)


class _Alias(importlib.abc.Loader):
    """Makes a module with the names of ours."""

    def __init__(self, ours: ModuleType, installed: Installed) -> None:
        self._ours, self._installed = ours, installed

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        names = vars(self._ours).items()
        vars(module).update({key: value for key, value in names if not key.startswith("__")})
        for name in ("__all__", "__doc__", "__version__"):
            if hasattr(self._ours, name):
                setattr(module, name, getattr(self._ours, name))
        self._installed._aliases.append(module.__name__)


def install(*packages: str) -> Installed:
    """Replaces these packages by our modules, in this process; without names, all of them.

    Programs that import them, before or afterwards, get ours. The result undoes it (``uninstall``, or the end
    of a ``with`` block) and lists what it replaced.

    >>> from bolide import compat
    >>> with compat.install("nltk") as installed:
    ...     from nltk.translate.bleu_score import sentence_bleu
    >>> sentence_bleu.__module__
    'bolide.compat.nltk.translate.bleu_score'
    """
    for package in packages:
        if package not in MODULES:
            raise ValueError(f"cannot replace {package!r}: the packages are {', '.join(MODULES)}")
    installed = Installed(packages or tuple(MODULES))
    installed._start()
    return installed
