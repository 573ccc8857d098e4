"""CIDEr with given document frequencies, against pycocoevalcap's own arithmetic with the same frequencies."""

import collections
import json
import pickle
import random

import numpy as np
import pytest
from pycocoevalcap.cider.cider_scorer import CiderScorer

from bolide.compat.pycocoevalcap.cider.cider import Cider

WORDS = "a the man woman dog rides sits on in of bench street red big with and café".split()


def captions(seed, n_images):
    generator = random.Random(seed)
    line = lambda: " ".join(generator.choices(WORDS, k=generator.randrange(0, 12)))
    return {image: [line() for _ in range(3)] for image in range(n_images)}, {image: [line()] for image in range(n_images)}


@pytest.fixture(scope="module")
def frequencies():
    """Those of a corpus of 300 images."""
    gts, _ = captions(1, 300)
    scorer = CiderScorer(n=4, sigma=6.0)
    for references in gts.values():
        scorer += (references[0], references)
    scorer.compute_doc_freq()
    return {"document_frequency": collections.defaultdict(float, scorer.document_frequency), "ref_len": 300.0}


class Counted(list):
    """Of which there are as many as documents: the package takes their logarithm for that of the images."""

    def __len__(self):
        return 300


def expected(gts, res, frequencies, sigma):
    scorer = CiderScorer(n=4, sigma=sigma)
    for image, references in gts.items():
        scorer += (res[image][0], references)
    scorer.document_frequency = collections.defaultdict(float, frequencies["document_frequency"])
    scorer.crefs = Counted(scorer.crefs)
    return scorer.compute_cider()


@pytest.mark.parametrize("sigma", [6.0, 2.5])
def test_the_scores_are_those_of_the_package(frequencies, sigma, tmp_path):
    (tmp_path / "coco-val-df.p").write_bytes(pickle.dumps(frequencies, 2))
    text = {" ".join(ngram): count for ngram, count in frequencies["document_frequency"].items()}
    (tmp_path / "mine.json").write_text(json.dumps({"document_frequency": text, "ref_len": 300}))
    bare = {ngram: np.float64(count) for ngram, count in frequencies["document_frequency"].items()}
    (tmp_path / "bare.pkl").write_bytes(pickle.dumps(bare))
    n_ngrams = len(bare)
    for seed, n_images in ((2, 1), (3, 40)):
        gts, res = captions(seed, n_images)
        theirs = expected(gts, res, frequencies, sigma)
        assert max(theirs) > 0
        for name, options in (("coco-val-df.p", {}), ("mine.json", {}), ("bare.pkl", {"documents": 300})):
            ours = Cider(sigma=sigma, df=tmp_path / name, **options)
            score, scores = ours.compute_score(gts, res)
            assert [float(value).hex() for value in scores] == [float(value).hex() for value in theirs]
            assert score == np.mean(np.array(theirs))
            stem = name.partition(".")[0]
            assert ours.signature.endswith(f"|df:{stem}|documents:300|ngrams:{n_ngrams}")
    assert Cider().signature.endswith("|df:corpus")
    assert pickle.loads(pickle.dumps(Cider(df=frequencies))).compute_score(gts, res)[0] == Cider(df=frequencies).compute_score(gts, res)[0]


def test_what_is_not_document_frequencies(tmp_path):
    class Trap:
        def __reduce__(self):
            return (print, ("the pickle ran",))

    (tmp_path / "trap.p").write_bytes(pickle.dumps(Trap()))
    with pytest.raises(pickle.UnpicklingError, match="this pickle contains builtins.print"):
        Cider(df=tmp_path / "trap.p")
    with pytest.raises(ValueError, match="the number of documents is not in it: pass documents="):
        Cider(df={("a",): 1})
    (tmp_path / "list.json").write_text("[]")
    with pytest.raises(TypeError, match="expected a dict of n-grams, got list"):
        Cider(df=tmp_path / "list.json")
    with pytest.raises(FileNotFoundError):
        Cider(df="no-such-file.p")
