"""``bolide.compat.install``: the packages' names refer to ours, and can be restored."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import bolide
from bolide import compat


def run(program, *options):
    done = subprocess.run(
        [sys.executable, *options, "-c", textwrap.dedent(program)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_before_and_after_and_back():
    run(
        """
        import nltk, sacrebleu, rouge_score.rouge_scorer
        from nltk.translate.bleu_score import sentence_bleu as early
        from sacrebleu.metrics import METRICS as their_metrics
        real, real_word_tokenize = early, nltk.word_tokenize
        from bolide import compat
        installed = compat.install("nltk", "sacrebleu", "rouge_score")
        from nltk.translate.bleu_score import sentence_bleu as late
        import nltk.translate.gleu_score as gleu
        ours = lambda thing: thing.__module__.startswith("bolide.compat.")
        # Modules that imported a name before have ours too.
        assert ours(early) and ours(late) and ours(nltk.translate.bleu) and ours(gleu.corpus_gleu)
        assert ours(nltk.word_tokenize) and ours(sacrebleu.BLEU) and ours(sacrebleu.corpus_chrf)
        assert ours(sacrebleu.metrics.METRICS["BLEU"]) and ours(sacrebleu.compat.sentence_bleu)
        assert ours(rouge_score.rouge_scorer.RougeScorer)
        assert "nltk.translate.bleu_score.sentence_bleu" in installed.replaced
        assert "__main__.early" in installed.replaced
        # Names that we lack stay the original's, which also handles arguments that we do not support.
        assert nltk.edit_distance("ab", "ac") == 1
        assert nltk.word_tokenize("a b. c", preserve_line=True) == ["a", "b.", "c"]
        installed.uninstall()
        assert early is real and nltk.word_tokenize is real_word_tokenize
        assert not ours(sacrebleu.BLEU) and not ours(sacrebleu.metrics.METRICS["BLEU"])
        assert installed.replaced == []
        import nltk.translate.nist_score as nist
        assert not ours(nist.corpus_nist)
        """
    )


def test_packages_that_are_not_installed(tmp_path):
    # Without the folder of installed packages, only bolide itself can be imported.
    (tmp_path / "bolide").symlink_to(Path(bolide.__file__).parent, target_is_directory=True)
    run(
        f"""
        import sys
        sys.path.insert(0, {str(tmp_path)!r})
        from bolide import compat
        with compat.install():
            import nltk, sacrebleu, evaluate
            from nltk.translate.meteor_score import meteor_score
            from rouge_score import rouge_scorer
            from pycocoevalcap.bleu.bleu import Bleu
            from sacrebleu.metrics.helpers import extract_word_ngrams
            assert sacrebleu.corpus_bleu(["a b c d"], [["a b c d"]]).score > 99
            assert meteor_score([["a"]], ["a"]) == 0.5
            assert rouge_scorer.RougeScorer(["rouge1"]).score("a b", "a")["rouge1"].recall == 0.5
            assert evaluate.load("meteor").compute(predictions=["a"], references=["a"])["meteor"] == 0.5
            assert nltk.translate.gleu_score.sentence_gleu([["a"]], ["a"]) == 1.0
            for module in (nltk, sacrebleu.metrics.bleu, rouge_scorer):
                try:
                    module.nonsense
                except AttributeError:
                    pass
                else:
                    raise AssertionError(module)
        try:
            import nltk.translate.bleu_score
        except ImportError:
            pass
        else:
            raise AssertionError("still there")
        """,
        "-S",
    )


def test_modules_that_neither_has_are_import_errors(tmp_path):
    # Our finder and the one for the originals sent each other to look, without end.
    (tmp_path / "bolide").symlink_to(Path(bolide.__file__).parent, target_is_directory=True)
    run(
        f"""
        import importlib, importlib.util, sys
        sys.path.insert(0, {str(tmp_path)!r})
        from bolide import compat
        for n_installed in (1, 2):
            compat.install()
            for name in ("nltk.metrics", "nltk.nonsense", "sacrebleu.utils", "rouge_score.io", "evaluate.utils"):
                assert importlib.util.find_spec(name) is None, name
                for prefix in ("", "bolide.compat."):
                    try:
                        importlib.import_module(prefix + name)
                    except ModuleNotFoundError:
                        pass
                    else:
                        raise AssertionError(name)
        """,
        "-S",
    )


def test_what_programs_download_is_there_without_nltk(tmp_path):
    (tmp_path / "bolide").symlink_to(Path(bolide.__file__).parent, target_is_directory=True)
    run(
        f"""
        import contextlib, io, sys
        sys.path.insert(0, {str(tmp_path)!r})
        from bolide import compat
        from bolide.compat import nltk as prefixed
        compat.install("nltk", "rouge_score")
        import nltk
        from nltk.tokenize import sent_tokenize
        from rouge_score.rouge_scorer import RougeScorer
        for module in (prefixed, nltk):
            said = io.StringIO()
            with contextlib.redirect_stderr(said):
                assert module.download("punkt_tab") is True
                assert module.download(["wordnet", "omw-1.4"], quiet=True) is True
                assert module.download("stopwords", quiet=True) is False
            assert said.getvalue() == (
                "[nltk_data] punkt_tab is built into bolide\\n"
                "[nltk_data] Error loading stopwords: it is not in bolide, and NLTK is not installed\\n"
            )
            for found, call in (
                (True, lambda: module.data.find("tokenizers/punkt")),
                (True, lambda: module.data.find("tokenizers/punkt_tab/english/")),
                (True, lambda: module.data.find("corpora/wordnet.zip")),
                (False, lambda: module.data.find("corpora/punkt")),
                (False, lambda: module.data.find("corpora/stopwords")),
                (False, lambda: module.sent_tokenize("a", "german")),
            ):
                try:
                    assert call() and found
                except LookupError:
                    assert not found
            try:
                module.download("stopwords", raise_on_error=True)
            except ValueError as error:
                assert "stopwords" in str(error)
            else:
                raise AssertionError("no error")
            module.data.path.append("folder")
        assert nltk.data.path == ["folder", "folder"]
        assert sent_tokenize is nltk.sent_tokenize and nltk.sent_tokenize.__module__ == "bolide.compat.nltk.tokenize"
        scores = RougeScorer(["rougeLsum"], split_summaries=True).score("A cat sat. Dogs bark.", "Dogs bark. A cat sat.")
        assert scores["rougeLsum"].fmeasure == 1.0
        """,
        "-S",
    )


def test_uninstall_restores_a_package_that_was_imported_while_installed():
    run(
        """
        from bolide import compat
        with compat.install("nltk", "sacrebleu", "rouge_score") as installed:
            import nltk, sacrebleu, rouge_score.rouge_scorer
            from nltk.translate.bleu_score import sentence_bleu
            assert "sacrebleu.corpus_bleu" in installed.replaced and "__main__.sentence_bleu" in installed.replaced
            assert sentence_bleu.__module__ == "bolide.compat.nltk.translate.bleu_score"
            import sacrebleu.significance, sacrebleu.sacrebleu
            assert sacrebleu.significance.PairedTest.__module__ == "bolide.compat.sacrebleu.significance"
        import sys
        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] in ("nltk", "sacrebleu", "rouge_score"):
                for key, value in list(vars(module).items()):
                    for thing in [value, *(value.values() if isinstance(value, dict) else [])]:
                        for kind in thing.__mro__ if isinstance(thing, type) else [thing]:
                            origin = str(getattr(kind, "__module__", ""))
                            assert not origin.startswith("bolide."), (name, key, thing)
                assert not type(module.__spec__.loader).__module__.startswith("bolide."), name
        assert sentence_bleu.__module__ == "nltk.translate.bleu_score"
        """
    )


def test_uninstall_leaves_what_was_imported_from_us():
    run(
        """
        from bolide.compat.sacrebleu.metrics.bleu import BLEU as ours
        from bolide import compat
        import sacrebleu
        with compat.install("sacrebleu"):
            assert sacrebleu.BLEU is ours
        assert ours.__module__ == "bolide.compat.sacrebleu.metrics.bleu" and sacrebleu.BLEU is not ours
        """
    )


def test_each_of_two_installations_holds():
    run(
        """
        from bolide import compat
        import sacrebleu.metrics.bleu
        one, other = compat.install("sacrebleu"), compat.install("sacrebleu", "nltk")
        assert one.replaced and set(one.replaced) <= set(other.replaced)
        one.uninstall()
        one.uninstall()
        assert sacrebleu.metrics.bleu.BLEU.__module__.startswith("bolide.")
        other.uninstall()
        assert sacrebleu.metrics.bleu.BLEU.__module__ == "sacrebleu.metrics.bleu"
        """
    )


def test_an_unknown_package():
    with pytest.raises(ValueError, match="cannot replace 'torch': the packages are evaluate, nltk"):
        compat.install("torch")


def test_metrics_and_scores_are_instances_of_sacrebleus_bases():
    with compat.install("sacrebleu"):
        import sacrebleu
        from sacrebleu.metrics.base import Metric, Score

        metric = sacrebleu.BLEU()
        assert isinstance(metric, Metric)
        assert isinstance(metric.corpus_score(["a b c d"], [["a b c d"]]), Score)
