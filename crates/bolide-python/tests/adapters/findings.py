"""Shows what docs/switching.md says about ragas and lighteval, with their own unchanged code and bolide's sacreBLEU in place.

``python findings.py`` prints the numbers; ``--check`` compares them with the page.
"""

import asyncio
import contextlib
import io
import logging
import re
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[4] / "docs/switching.md"
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))


def ragas():
    from ragas import SingleTurnSample
    from ragas.metrics import BleuScore

    import bolide

    response = "The cat sat on the mat. Pigs fly over the old town hall"
    reference = "The cat sat on the mat. The dog slept under the big tree"
    score = asyncio.run(BleuScore().single_turn_ascore(SingleTurnSample(response=response, reference=reference)))
    print(f"ragas, BLEU of two sentences of which the second is wrong: {100 * score:.2f}")
    print(f"both sentences: {bolide.corpus('bleu', response.split('. '), reference.split('. ')).score:.2f}")


def lighteval():
    import stand_in

    with contextlib.suppress(ImportError):
        import torch  # noqa: F401
    stand_in.install()
    from lighteval.metrics.metrics_corpus import CorpusLevelTranslationMetric
    from lighteval.metrics.sample_preparator import GenerativeCorpusMetricInput

    import bolide

    said = ["the cat sat on the mat", "pigs fly over the town", "nonsense"]
    meant = [["the cat sat on the mat"], ["the dog slept under the tree"], ["rain falls"]]
    items = [GenerativeCorpusMetricInput(golds=golds, preds=[pred]) for golds, pred in zip(meant, said)]
    print(f"lighteval, chrF of three samples of which two are wrong: {CorpusLevelTranslationMetric('chrf').compute_corpus(items):.2f}")
    print(f"all three: {bolide.corpus('chrf', said, meant).score:.2f}")


def main():
    from bolide import compat

    printed = io.StringIO()
    handler = logging.StreamHandler(printed)
    handler.setFormatter(logging.Formatter("warning: %(message)s"))
    logging.getLogger("sacrebleu").addHandler(handler)
    with contextlib.redirect_stdout(printed), compat.install("sacrebleu"):
        ragas()
        lighteval()
    print(printed.getvalue(), end="")
    if "--check" in sys.argv:
        [block] = re.findall(r"^\$ python3 \S*findings.py\n(.*?)^```$", PAGE.read_text(), flags=re.MULTILINE | re.DOTALL)
        if block != printed.getvalue():
            raise SystemExit(f"docs/switching.md says\n{block}")


if __name__ == "__main__":
    main()
