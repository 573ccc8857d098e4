"""Stands in for modules that are absent, so that programs which import PyTorch, models or services can be imported without them.

Modules of the given names have any attribute, and it is a class that does nothing: only what does not need them can run. ``torch.Tensor``
is NumPy's array, which is enough for a matrix of scores.
"""

import importlib.abc
import importlib.machinery
import sys
import types

import numpy

PYTORCH = (
    "torch transformers accelerate bert_score bleurt_pytorch comet fastchrf sentencepiece latex2sympy2_extended langcodes aenum "
    "simple_parsing pytorch_lightning metricx sympy"
).split()
"""PyTorch, and what is only useful with it."""


class Anything(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (Nothing,), {})


class Nothing(metaclass=Anything):
    """A class, a function or a decorator, as the importer wants it."""

    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, *args, **kwargs):
        return args[0] if args else self

    def __class_getitem__(cls, item):
        return cls


class Module(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        setattr(self, name, type(name, (Nothing,), {}))
        return getattr(self, name)


class Tensor(numpy.ndarray):
    def __new__(cls, values):
        return numpy.asarray(values, dtype=numpy.float32).view(cls)

    def view(self, *shape):
        return super().view(*shape) if shape and isinstance(shape[0], type) else self.reshape(shape)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, names):
        self.names = tuple(names)

    def find_spec(self, name, path=None, target=None):
        if any(name == absent or name.startswith(f"{absent}.") for absent in self.names):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        module = Module(spec.name)
        if spec.name == "torch":
            module.Tensor = Tensor
        return module

    def exec_module(self, module):
        pass


def install(names=PYTORCH):
    """Stands in for modules that are not installed."""
    sys.meta_path.append(Finder(names))


def replace(names):
    """Stands in for modules, installed or not."""
    sys.meta_path.insert(0, Finder(names))
