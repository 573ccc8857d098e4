"""Names, constants and attributes of ``bolide.compat.sacrebleu`` that programs look at."""

import subprocess
import sys
import textwrap

import pytest
from test_sacrebleu import ours, their_metrics

import bolide.compat.sacrebleu.metrics.base as our_base


def test_the_command_takes_every_tokenizer():
    program = """
        import sys
        from bolide import compat
        compat.install("sacrebleu")
        from sacrebleu.metrics import BLEU
        from argparse import ArgumentParser
        parser = ArgumentParser()
        parser.add_argument("--tokenize", choices=BLEU.TOKENIZERS)
        print(parser.parse_args(["--tokenize", "spm"]).tokenize, *BLEU.TOKENIZERS)
        """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True)
    assert done.stdout.split() == ["spm", *their_metrics.BLEU.TOKENIZERS], done.stderr


@pytest.mark.parametrize("language, tokenize", [("zh", "13a"), ("ja", "char"), ("ko", "none"), ("zh", "zh"), ("de", "13a"), ("zh", None)])
def test_an_unusual_tokenizer_for_a_language_is_logged(caplog, language, tokenize):
    for metrics in (ours.metrics, their_metrics):
        metrics.BLEU(trg_lang=language, tokenize=tokenize)
    messages = [record.message for record in caplog.records]
    middle = len(messages) // 2
    assert messages[:middle] == messages[middle:]
    assert len(messages) == (2 if tokenize not in (None, "zh") and language != "de" else 0)


def test_names_and_attributes():
    for name in ("BLEU", "CHRF", "TER"):
        metrics = [getattr(side, name)() for side in (ours.metrics, their_metrics)]
        assert vars(metrics[0]).keys() == vars(metrics[1]).keys()
        scores = [metric.corpus_score(["a b c", "d"], [["a b", "d"], ["a", None]], n_bootstrap=0) for metric in metrics]
        # Not `parts`, which writes the score out first.
        assert vars(scores[0]) == vars(scores[1])
        assert metrics[0].num_refs == metrics[1].num_refs == -1
        assert type(metrics[0].get_signature()).__name__ == type(metrics[1].get_signature()).__name__
        assert isinstance(metrics[0], our_base.Metric) and isinstance(scores[0], our_base.Score)
        assert isinstance(metrics[0].get_signature(), our_base.Signature)
