"""``bolide.compat.evaluate`` against stored results of the module that it replaces."""

import gzip
import sys

from stored import SHARED, golden

from bolide.compat import evaluate

COMPENSATED = sys.version_info >= (3, 12)


def ted():
    path = SHARED / "nltk" / "inputs" / "ted_zhen.tsv.gz"
    texts, order = {}, []
    for line in gzip.decompress(path.read_bytes()).decode().split("\n"):
        if line:
            doc, segment, name, text = line.split("\t")
            texts[name, doc, segment] = text
            if name == "ref":
                order.append((doc, segment))
    return texts, order


def bits(value):
    return [part.hex() for part in value] if isinstance(value, list) else value.hex()


def test_meteor_and_bleu():
    texts, order = ted()
    checked = 0
    for row in golden("nltk/hf.jsonl"):
        if "segments" not in row or row["segments"] != "dev":
            continue
        places = order[: row["n"]]
        predictions = [texts[row["id"], *place] for place in places]
        references = [[texts[name, *place] for name in row["refs"]] for place in places]
        if len(row["refs"]) == 1:
            references = [several[0] for several in references]
        arguments = {"predictions": predictions, "references": references}
        assert bits(evaluate.load("meteor").compute(**arguments)["meteor"]) == bits(float(row["meteor"]))
        for key, options in [
            ("bleu", {}),
            ("bleu_smooth", {"smooth": True}),
            ("bleu_order2", {"max_order": 2}),
        ]:
            result = evaluate.load("bleu").compute(**arguments, **options)
            stored = row[key]
            expected = stored["bleu_py312"] if COMPENSATED else stored["bleu"]
            assert bits(result["bleu"]) == bits(float(expected)), (row["id"], key)
            assert bits(result["precisions"]) == bits([float(p) for p in stored["precisions"]])
            assert bits(result["brevity_penalty"]) == bits(float(stored["brevity_penalty"]))
            assert result["translation_length"] == stored["translation_length"]
            assert result["reference_length"] == stored["reference_length"]
        if "google_bleu" in row:
            score = evaluate.load("google_bleu").compute(**arguments)["google_bleu"]
            assert bits(score) == bits(float(row["google_bleu"]))
        checked += 1
    assert checked > 10
