"""``bolide.compat.evaluate``: error rates, exact matches, SQuAD and CharacTER, against the packages that evaluate runs.

evaluate's own scripts are not on PyPI. The published examples of their documentation are here as numbers; random texts are
compared with jiwer and cer, and with evaluate's definition in NumPy.
"""

import random
import re
import string
import sys

import cer
import jiwer
import numpy
import pytest

from bolide.compat import evaluate

TRANSCRIPTS = {
    "predictions": ["this is the prediction", "there is an other sample"],
    "references": ["this is the reference", "there is another one"],
}


def texts(seed, n, alphabet="aA b,. 7é\t the"):
    generator = random.Random(seed)
    return ["".join(generator.choices(alphabet, k=generator.randrange(14))) for _ in range(n)]


def test_the_published_examples():
    assert evaluate.load("wer").compute(**TRANSCRIPTS) == 0.5
    assert evaluate.load("cer").compute(**TRANSCRIPTS) == 0.34146341463414637
    said = ["this week the saudis denied information published in the new york times", "this is in fact an estimate"]
    meant = ["saudi arabia denied this week information published in the american new york times", "this is actually an estimate"]
    character = evaluate.load("character")
    assert character.compute(predictions=said[:1], references=meant[:1]) == {"cer_score": 0.36619718309859156}
    assert character.compute(predictions=said, references=meant, aggregate="sum", return_all_scores=True) == {
        "cer_score": 0.6254564423578508,
        "cer_scores": [0.36619718309859156, 0.25925925925925924],
    }
    answers = [{"prediction_text": "1976", "id": "56e10a3be3433e1400422b22"}]
    references = [{"answers": {"answer_start": [97], "text": ["1976"]}, "id": "56e10a3be3433e1400422b22"}]
    squad = evaluate.load("squad").compute(predictions=answers, references=references)
    assert squad == {"exact_match": 100.0, "f1": 100.0}
    said, meant = ["cat?", "theater", "yelling", "agent"], ["the cat", "theater", "YELLING", "agent007"]
    for expected, options in (
        (0.25, {}),
        (0.5, {"regexes_to_ignore": ["the ", "yell"], "ignore_case": True, "ignore_punctuation": True}),
        (0.75, {"regexes_to_ignore": ["the ", "yell", "YELL"], "ignore_case": True, "ignore_punctuation": True}),
        (1.0, {"regexes_to_ignore": ["the ", "yell", "YELL"], "ignore_case": True, "ignore_punctuation": True, "ignore_numbers": True}),
    ):
        assert evaluate.load("exact_match").compute(predictions=said, references=meant, **options) == {"exact_match": expected}


@pytest.mark.parametrize("seed", range(20))
def test_error_rates_are_those_of_jiwer(seed):
    said, meant = texts(seed, 60), texts(-1 - seed, 60)
    for name, process, rate in (("wer", jiwer.process_words, "wer"), ("cer", jiwer.process_characters, "cer")):
        ours = evaluate.load(name)
        rows = [process(reference, prediction) for reference, prediction in zip(meant, said)]
        edits = sum(row.substitutions + row.deletions + row.insertions for row in rows)
        length = sum(row.substitutions + row.deletions + row.hits for row in rows)
        assert ours.compute(predictions=said, references=meant) == edits / length
        together = getattr(process(meant, said), rate)
        assert ours.compute(predictions=said, references=meant, concatenate_texts=True) == together
        segments = ours.compute(predictions=said, references=meant, segments=True)["segments"]
        assert [score for score in segments if score is not None] == [
            getattr(row, rate) for row, score in zip(rows, segments) if score is not None
        ]


def test_empty_references():
    with pytest.raises(ZeroDivisionError):
        evaluate.load("wer").compute(predictions=["a b"], references=[" "])
    assert evaluate.load("wer").compute(predictions=["a b"], references=[""], concatenate_texts=True) == jiwer.wer("", "a b") == 2
    with pytest.raises(ZeroDivisionError):
        evaluate.load("character").compute(predictions=["a"], references=[""])


@pytest.mark.parametrize("seed", range(20))
def test_character_is_that_of_its_package(seed):
    generator = random.Random(seed)
    words = "a bb the cat sat on mat".split()
    said = [" ".join(generator.choices(words, k=generator.randrange(9))) for _ in range(60)]
    meant = [" ".join(generator.sample(line.split(), len(line.split())) or ["x"]) for line in said[:30]]
    meant += [" ".join(generator.choices(words, k=generator.randrange(1, 9))) for _ in said[30:]]
    theirs = cer.calculate_cer_corpus([line.split() for line in said], [line.split() for line in meant])
    for aggregate in ("mean", "median"):
        ours = evaluate.load("character").compute(predictions=said, references=meant, aggregate=aggregate, return_all_scores=True)
        assert ours == {"cer_score": theirs[aggregate], "cer_scores": theirs["cer_scores"]}
    with pytest.raises(ValueError, match="'aggregate' must be one of"):
        evaluate.load("character").compute(predictions=said, references=meant, aggregate="max")


def test_character_of_long_texts():
    generator = random.Random(5)
    words = [*"the a of to and in is it".split(), *(f"word{idx}" for idx in range(60))]
    for length in (63, 64, 65, 128, 129, 200):
        meant = generator.choices(words, k=length)
        cut = generator.randrange(length)
        said = meant[cut:] + meant[:cut]
        for _ in range(length // 8):
            said[generator.randrange(length)] = generator.choice(words)
        rows = [(said, meant), (said[: length // 2], meant), (said, meant[: length // 2])]
        ours = evaluate.load("character").compute(
            predictions=[" ".join(row[0]) for row in rows], references=[" ".join(row[1]) for row in rows], return_all_scores=True
        )
        assert ours["cer_scores"] == [cer.calculate_cer(*row) for row in rows]


def test_the_shifts_of_character_are_not_searched_in_python():
    # Each shift computed a distance of words in Python: a text of 400 words took nine times as long as with the package.
    meant = " ".join(f"the w{idx}" for idx in range(20))
    said = " ".join(reversed(meant.split()))
    character, calls = evaluate.load("character"), []
    sys.setprofile(lambda frame, event, argument: calls.append(frame) if event == "call" else None)
    try:
        character.compute(predictions=[said], references=[meant])
    finally:
        sys.setprofile(None)
    assert len(calls) < 400  # There are 400 pairs of "the".


@pytest.mark.parametrize("seed", range(8))
def test_exact_match_is_numpys(seed):
    said, meant = texts(seed, 200, "aA1."), texts(seed + 100, 200, "aA1.")
    for case in (False, True):
        for removed in ("", string.punctuation, string.digits, string.punctuation + string.digits):
            columns = [numpy.array([re.sub("A1", "", text) for text in column]) for column in (said, meant)]
            if case:
                columns = [numpy.char.lower(column) for column in columns]
            columns = [numpy.char.translate(column, table=str.maketrans("", "", removed)) for column in columns]
            options = {"ignore_punctuation": "." in removed, "ignore_numbers": "1" in removed, "ignore_case": case}
            ours = evaluate.load("exact_match").compute(
                predictions=said, references=meant, regexes_to_ignore=["A1"], **options
            )
            assert ours == {"exact_match": float(numpy.mean(columns[0] == columns[1]))}


def test_exact_match_cuts_lower_case_as_numpy_does():
    # "İ" has two characters in lower case, and NumPy's texts are as long as the longest was before.
    for said, meant in ((["İ", "abc"], ["İ", "x"]), (["İ"], ["i"]), (["aİ", "b"], ["AİX", "B"]), ([""], ["İ"])):
        columns = [numpy.char.lower(numpy.array(column)) for column in (said, meant)]
        ours = evaluate.load("exact_match").compute(predictions=said, references=meant, ignore_case=True)
        assert ours == {"exact_match": numpy.mean(columns[0] == columns[1])}


def test_squad_takes_the_best_answer_and_counts_the_unanswered(capsys):
    references = [
        {"id": "1", "answers": {"text": ["The Cat!", "a dog"], "answer_start": [0, 5]}},
        {"id": "2", "answers": [{"text": "the old town hall"}]},
        {"id": "3", "answers": {"text": ["x"]}},
    ]
    answers = [{"id": "1", "prediction_text": "cat"}, {"id": "2", "prediction_text": "An old hall"}]
    squad = evaluate.load("squad")
    squad.add_batch(predictions=answers + [{"id": "4", "prediction_text": "y"}], references=references)
    found = squad.compute()
    # Of "old hall" and "old town hall": precision 1, recall 2/3.
    assert found == {"exact_match": 100.0 / 3, "f1": 100.0 * (1.0 + (2 * 1.0 * (2 / 3)) / (1.0 + 2 / 3)) / 3}
    assert capsys.readouterr().err == "Unanswered question 3 will receive score 0.\n"
