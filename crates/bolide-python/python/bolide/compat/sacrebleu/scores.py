"""sacreBLEU's score objects, with the same attributes and the same text."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from typing import Any


class Score:
    """A score with its name and, after a bootstrap, its confidence interval."""

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        self._mean = -1.0
        self._ci = -1.0
        self._verbose = ""

    def format(
        self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False
    ) -> str:
        """The score as a line of text, or as JSON."""
        number, confidence = f"{self.score:.{width}f}", ""
        if self._mean > 0:
            confidence = f"μ = {self._mean:.{width}f} ± {self._ci:.{width}f}"
        if score_only:
            return f"{number} ({confidence})" if confidence else number
        if not is_json:
            name = f"{self.name}|{signature}" if signature else self.name
            parts = [name, "=", number]
            parts += [f"({confidence})"] if confidence else []
            parts += [self._verbose] if self._verbose else []
            return " ".join(parts)
        fields: dict[str, Any] = {
            "name": self.name,
            "score": float(number),
            "signature": signature,
        }
        if confidence:
            fields["confidence_mean"] = float(f"{self._mean:.{width}f}")
            fields["confidence_var"] = float(f"{self._ci:.{width}f}")
            fields["confidence"] = confidence
        if self._verbose:
            fields["verbose_score"] = self._verbose
        for pair in signature.split("|"):
            key, value = pair.split(":")
            fields[key] = value
        return json.dumps(fields, indent=1, ensure_ascii=False)

    def estimate_ci(self, scores: Sequence[Score]) -> None:
        """Takes the confidence interval of bootstrap samples: their mean and half the width with 95 % of them."""
        values = sorted(score.score for score in scores)
        outside = len(values) // 40
        self._ci = 0.5 * (values[-1 - outside] - values[outside])
        self._mean = statistics.mean(values)

    def __repr__(self) -> str:
        return self.format()

    def _repr_html_(self) -> str:
        from ... import _html

        rows = [(key, value) for key, value in vars(self).items() if not key.startswith("_")]
        return _html.table(rows[1:], caption=self.format())


class BLEUScore(Score):
    """BLEU with its counts."""

    def __init__(
        self,
        score: float,
        counts: list[int],
        totals: list[int],
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        super().__init__("BLEU", score)
        self.bp = bp
        self.counts = counts
        self.totals = totals
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.precisions = precisions
        self.prec_str: str = "/".join([f"{precision:.1f}" for precision in precisions])
        self.ratio = sys_len / ref_len if ref_len else 0
        self._verbose = (
            f"{self.prec_str} (BP = {bp:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {sys_len:d} ref_len = {ref_len:d})"
        )


class CHRFScore(Score):
    """chrF with its settings."""

    def __init__(self, score: float, char_order: int, word_order: int, beta: int) -> None:
        super().__init__(f"chrF{beta}" + "+" * word_order, score)
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order


class TERScore(Score):
    """Translation edit rate with its counts."""

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits: int = int(num_edits)
        self.ref_length = ref_length
