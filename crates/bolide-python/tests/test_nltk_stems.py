"""The stemmers of ``bolide.compat.nltk`` in all their modes, against NLTK's."""

import importlib

from beside_nltk import both, outcome


def test_the_modes_of_the_porter_stemmer():
    ours, theirs = (module.PorterStemmer for module in both("stem.porter"))
    words = "skies dying news flies happily relational Running by a as generalizations controlled".split()
    for name in ("NLTK_EXTENSIONS", "MARTIN_EXTENSIONS", "ORIGINAL_ALGORITHM"):
        stemmers = [kind(mode=getattr(kind, name)) for kind in (ours, theirs)]
        for word in words:
            assert stemmers[0].stem(word) == stemmers[1].stem(word)
            assert stemmers[0].stem(word, False) == stemmers[1].stem(word, False)
        assert stemmers[0].mode == stemmers[1].mode and repr(stemmers[0]) == repr(stemmers[1])
    assert outcome(lambda: ours(mode="x")) == outcome(lambda: theirs(mode="x"))


def test_meteor_takes_the_stems_of_the_mode():
    meteor, stem = (importlib.import_module(f"bolide.compat.nltk.{name}") for name in ("translate.meteor_score", "stem"))
    modes = (stem.PorterStemmer.NLTK_EXTENSIONS, stem.PorterStemmer.ORIGINAL_ALGORITHM)
    # Only the extensions know that "dying" is a form of "die".
    scores = [meteor.meteor_score([["dying"]], ["die"], stemmer=stem.PorterStemmer(mode)) for mode in modes]
    assert scores[0] == 0.5 and scores[1] == 0.0


def test_the_languages_of_snowball():
    ours, theirs = (module.SnowballStemmer for module in both("stem.snowball"))
    assert ours.languages == theirs.languages
    assert outcome(lambda: ours("klingon")) == outcome(lambda: theirs("klingon"))


def test_stems_of_lone_surrogates():
    porter, snowball = both("stem.porter"), both("stem.snowball")
    for word in ("\ud800", "running\udfff", "\udc80ies", "\ud83dtions", "🂡ing"):
        assert len({module.PorterStemmer().stem(word) for module in porter}) == 1
        assert len({module.SnowballStemmer("english").stem(word) for module in snowball}) == 1
