"""For tests that compare ``bolide.compat.nltk`` with NLTK itself."""

import importlib


def both(name):
    """A module of ours, and NLTK's."""
    return [importlib.import_module(f"{prefix}nltk.{name}") for prefix in ("bolide.compat.", "")]


def outcome(call):
    """What a call gives, or its exception."""
    try:
        return call()
    except Exception as error:
        return type(error).__name__, str(error)
