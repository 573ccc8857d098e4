"""The settings of a score as sacreBLEU writes them; each metric adds its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_SHORT = {
    "version": "v",
    "nrefs": "#",
    "test": "t",
    "lang": "l",
    "subset": "S",
    "origlang": "o",
    "bs": "bs",
    "ar": "ar",
    "seed": "rs",
}


class Signature:
    """The settings of a score, from the attributes of a metric: ``str()`` is the line for a paper."""

    _own_short: dict[str, str] = {}

    def __init__(self, args: Mapping[str, Any]) -> None:
        if "num_refs" not in args:
            raise ValueError("Number of references unknown, please evaluate the metric first.")
        self._abbr = {**_SHORT, **self._own_short}
        self.info: dict[str, Any] = {
            "version": "2.6.0",
            "nrefs": "var" if args["num_refs"] == -1 else args["num_refs"],
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            "test": args.get("test_set"),
            "lang": args.get("langpair"),
            "origlang": args.get("origlang"),
            "subset": args.get("subset"),
            **self._own(args),
        }

    def _own(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """What a metric adds."""
        return {}

    def format(self, short: bool = False) -> str:
        """The line, optionally with short keys."""
        pairs = []
        for key in [*(key for key in self.info if key != "version"), "version"]:
            value = self.info[key]
            if value is not None:
                text = ("yes" if value else "no") if isinstance(value, bool) else value
                pairs.append(f"{self._abbr[key] if short else key}:{text}")
        return "|".join(pairs)

    def update(self, key: str, value: Any) -> None:
        """Sets one of the values."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return self.format()
