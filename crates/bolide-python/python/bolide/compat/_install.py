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
        "sacrebleu.metrics.base",
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
        self._held = [_REPLACEMENTS[package] for package in dict.fromkeys(packages)]
        for replacement in self._held:
            replacement.hold()

    @property
    def replaced(self) -> list[str]:
        """The full names that now refer to ours. Names in modules not yet imported follow when they are imported."""
        return sorted({name for replacement in self._held for name in replacement.names()})

    def uninstall(self) -> None:
        """Restores everything, except what another ``install`` still holds."""
        held, self._held = self._held, []
        for replacement in held:
            replacement.release()

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


class _Replacement:
    """The names of one package that refer to ours, for as long as anybody holds them."""

    def __init__(self, package: str) -> None:
        self.package = package
        self._n_holders = 0
        self._written: list[tuple[ModuleType, str, Any]] = []
        self._pairs: list[tuple[Any, Any]] = []
        self._ours_before: set[tuple[str, str]] = set()
        self._aliases: list[str] = []
        self._loading: set[str] = set()
        self._waiting: list[ModuleType] = []
        self._finder = _Finder(self)

    def names(self) -> Iterator[str]:
        for module, name, _ in self._written:
            yield f"{module.__name__}.{name}"
        for module, name, _ in self._found():
            yield f"{module.__name__}.{name}"
        yield from self._aliases

    def hold(self) -> None:
        self._n_holders += 1
        if self._n_holders > 1:
            return
        sys.meta_path.insert(0, self._finder)
        for name in MODULES[self.package]:
            if name in sys.modules:
                self._overwrite(sys.modules[name])

    def release(self) -> None:
        self._n_holders -= 1
        if self._n_holders:
            return
        sys.meta_path.remove(self._finder)
        for module, name, theirs in [*self._found(), *self._written]:
            setattr(module, name, theirs)
            _original.replaced.pop((module.__name__, name), None)
        for name in self._aliases:
            sys.modules.pop(name, None)
        self._written, self._pairs, self._ours_before, self._aliases = [], [], set(), []

    def load(self, loader: Any, module: ModuleType) -> None:
        """Loads a module of the package. Its names wait until the import that loads it ends: then all modules that it
        loads have seen the package's own names, which can be restored."""
        self._loading.add(module.__name__)
        try:
            loader.exec_module(module)
            if module.__name__ in MODULES[self.package]:
                self._waiting.append(module)
        finally:
            self._loading.discard(module.__name__)
            if not self._loading:
                waiting, self._waiting = self._waiting, []
                for it in waiting:
                    self._overwrite(it)

    def alias(self, ours: ModuleType, module: ModuleType) -> None:
        """Gives a module the names of ours."""
        names = vars(ours).items()
        vars(module).update({key: value for key, value in names if not key.startswith("__")})
        vars(module).update({key: getattr(ours, key) for key in getattr(ours, "__all__", ())})
        for name in ("__all__", "__doc__", "__version__"):
            if hasattr(ours, name):
                setattr(module, name, getattr(ours, name))
        self._aliases.append(module.__name__)

    def _overwrite(self, module: ModuleType) -> None:
        """Replaces names of a module, also where other modules have imported them from it."""
        if not self._n_holders:
            return
        ours = importlib.import_module(_OURS + module.__name__)
        pairs = []
        for name in _names(ours):
            theirs, mine = vars(module).get(name), getattr(ours, name)
            if theirs is not None and theirs is not mine:
                _original.replaced[module.__name__, name] = theirs
                self._write(module, name, theirs, mine)
                pairs.append((theirs, mine))
        pairs = [pair for pair in pairs if not isinstance(pair[0], (int, float, str, tuple))]
        # A name that is ours already was imported from us, and stays.
        mines = [(mine, mine) for _, mine in pairs]
        written = {(it.__name__, name) for it, name, _ in self._written}
        before = {(other.__name__, name) for other, name, _ in _references(mines)}
        self._ours_before |= before - written
        for other, name, mine in _references(pairs):
            self._write(other, name, getattr(other, name), mine)
        self._pairs += pairs

    def _write(self, module: ModuleType, name: str, theirs: Any, mine: Any) -> None:
        setattr(module, name, mine)
        self._written.append((module, name, theirs))

    def _found(self) -> list[tuple[ModuleType, str, Any]]:
        """Where modules have imported our names from the package since, with what they refer to without us."""
        found = _references([(mine, theirs) for theirs, mine in self._pairs])
        known = {(it.__name__, name) for it, name, _ in self._written} | self._ours_before
        return [place for place in found if (place[0].__name__, place[1]) not in known]


def _references(pairs: Sequence[tuple[Any, Any]]) -> list[tuple[ModuleType, str, Any]]:
    """The names in all modules that refer to the first of a pair, with the second."""
    others = {id(one): other for one, other in pairs}
    return [
        (module, name, others[id(value)])
        for module in list(sys.modules.values())
        if type(module) is ModuleType and not module.__name__.startswith("bolide.")
        for name, value in list(vars(module).items())
        if id(value) in others
    ]


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of a package, before all other finders."""

    def __init__(self, replacement: _Replacement) -> None:
        self._replacement = replacement
        self._busy: set[str] = set()

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name.partition(".")[0] != self._replacement.package or name in self._busy:
            return None
        self._busy.add(name)
        try:
            spec = self._real_spec(name, path, target)
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _Overwriting(spec.loader, self._replacement)
                return spec
            # Where we have no such module, `_original` asks for the package's, and must not be sent back to ours.
            try:
                ours = importlib.import_module(_OURS + name)
            except ImportError:
                return None
        finally:
            self._busy.discard(name)
        loader = _Alias(ours, self._replacement)
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

    def __init__(self, loader: Any, replacement: _Replacement) -> None:
        self._loader, self._replacement = loader, replacement

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        # From here on the module has its own loader, which may have more methods.
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._replacement.load(self._loader, module)


class _Alias(importlib.abc.Loader):
    """Makes a module with the names of ours."""

    def __init__(self, ours: ModuleType, replacement: _Replacement) -> None:
        self._ours, self._replacement = ours, replacement

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        self._replacement.alias(self._ours, module)


_REPLACEMENTS = {package: _Replacement(package) for package in MODULES}


def install(*packages: str) -> Installed:
    """Replaces these packages by our modules, in this process; without names, all of them.

    Programs that import them, before or afterwards, get ours. The result undoes it (``uninstall``, or the end
    of a ``with`` block) and lists what it replaced.

    >>> from bolide import compat
    >>> with compat.install("nltk") as installed:
    ...     from nltk.translate.bleu_score import sentence_bleu
    ...     sentence_bleu.__module__
    'bolide.compat.nltk.translate.bleu_score'
    """
    for package in packages:
        if package not in MODULES:
            raise ValueError(f"cannot replace {package!r}: the packages are {', '.join(MODULES)}")
    return Installed(packages or tuple(MODULES))
