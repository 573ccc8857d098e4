"""The texts of the golden cases: our own sentences, edge cases, generated pairs, public-domain verses.

A text set is a list of `(name, hypothesis, references)`. None of several references is blank, because for the command a
blank line in one of several files means a missing reference.
"""

from __future__ import annotations

import random
from pathlib import Path

from pairs import Generator

Case = tuple[str, str, list[str]]

# Difficult input for tokenizers, counters and divisions, each named after its difficulty.
EDGES: list[Case] = [
    ("both empty", "", [""]),
    ("empty hypothesis", "", ["the lamp is lit"]),
    ("empty reference", "the lamp is lit", [""]),
    ("only spaces", "   ", ["a lamp"]),
    ("one word", "lamp", ["lamp"]),
    ("one other word", "lamp", ["light"]),
    ("one letter", "a", ["a"]),
    ("two words", "old lamp", ["old lamp"]),
    ("one word twice", "lamp lamp", ["lamp"]),
    ("same four words", "the lamp is lit", ["the lamp is lit"]),
    ("capitals only differ", "THE Lamp IS lit", ["the lamp is lit"]),
    ("reversed", "lit is lamp the", ["the lamp is lit"]),
    ("nothing in common", "seven green bottles", ["we left at dawn"]),
    ("line feed", "the lamp is lit\nthe door is shut", ["the lamp was lit\nthe door was shut"]),
    ("carriage return and line feed", "the lamp is lit\r\nthe door is shut\r\n", ["the lamp is lit\r\nthe door was shut"]),
    ("carriage return", "the lamp\ris lit", ["the lamp is lit"]),
    ("blank lines", "\n\nthe lamp\n\n\nis lit\n", ["the lamp\nis lit"]),
    ("tabs", "the\tlamp\t\tis lit", ["the lamp is\tlit"]),
    ("exotic spaces", "the\u00a0lamp\u2003is\u3000lit\u2028now\u2029and\u205fthen", ["the lamp is lit now and then"]),
    ("control separators", "the\x1clamp\x1dis\x1elit\x1fnow\x0bhere\x0cthere\x85end", ["the lamp is lit now here there end"]),
    ("zero width", "the\u200blamp is\u200dlit \u2060now\ufeff", ["the lamp is lit now"]),
    ("soft hyphen", "co\u00adop ex\u00adample of it", ["coop example of it"]),
    ("combining marks", "le cafe\u0301 tre\u0300s cher a\u0308 o\u0308", ["le café très cher ä ö"]),
    ("stacked marks", "z\u0335\u0321\u031b a\u0327\u0327\u0327\u0301 n\u0303\u0302", ["z a n"]),
    ("Chinese", "我们今天去了图书馆。", ["我们今天去过图书馆了。"]),
    ("Chinese with Latin", "他用Python写了3个程序。", ["他用 Python 写了 3 个程序。"]),
    ("Japanese", "今日はとても良い天気ですね。", ["今日は本当にいい天気です。"]),
    ("Korean", "오늘은 날씨가 매우 좋습니다.", ["오늘 날씨가 정말 좋습니다."]),
    ("Arabic", "ذهبنا اليوم إلى المكتبة.", ["ذهبنا إلى المكتبة اليوم."]),
    ("Hebrew with points", "הָלַכְנוּ הַיּוֹם לַסִּפְרִיָּה", ["הלכנו היום לספריה"]),
    ("right to left with marks", "\u200fהספר \u202bHello\u202c כאן\u200f", ["הספר Hello כאן"]),
    ("Devanagari", "हम आज पुस्तकालय गए।", ["हम पुस्तकालय आज गए।"]),
    ("Thai", "วันนี้เราไปห้องสมุด", ["วันนี้พวกเราไปห้องสมุด"]),
    ("Cyrillic", "Сегодня мы пошли в библиотеку.", ["Мы сегодня ходили в библиотеку."]),
    ("Greek sigmas", "ΟΔΟΣ ΣΟΦΟΣ ς σ Σ", ["οδος σοφος σ ς σ"]),
    ("Turkish letters", "İSTANBUL'da IŞIK ılık", ["istanbul'da ışık ILIK"]),
    ("sharp s", "Die Straße, STRASSE, ẞ und ß", ["die strasse, straße, ß und ẞ"]),
    ("ligatures", "ﬁne ﬂow oﬃce ﬆone", ["fine flow office stone"]),
    ("emoji", "good morning 🙂 👍🏽 👩‍👩‍👧 🇫🇷", ["good morning 🙂 👍 👩‍👧 🇩🇪"]),
    ("astral letters", "𝒜𝒷𝒸 𐐀𐐨 𠀀𠀁", ["abc 𐐨𐐨 𠀀"]),
    ("only a full stop", ".", ["."]),
    ("lone punctuation", "! ? . , ; :", [". , ! ?"]),
    ("dots", "wait ... what .... no . . . yes …", ["wait … what... no.. yes ."]),
    ("quotes", "“so” he said, ‘yes’ and «non» or „ja“ \"no\" ''x'' ``y``", ["\"so\" he said, 'yes' and \"non\" or \"ja\""]),
    ("contractions", "I can't, you won't; they'd've gone, y'all: gonna, cannot, 'tis", ["I cannot, you will not; they would have gone"]),
    ("numbers", "1,000.50 -3.5 50% $5 3:15 2nd 1990s 5-6 ½ ٣ .5 5. 1.", ["1000.50 -3.5 50 % $ 5 3.15 2 nd 1990's 5–6"]),
    ("abbreviations", "Mr. Smith of the U.S. met Dr. No at 5 p.m. in St. Louis, i.e. today.", ["Mr Smith of the US met Dr No at 5 pm in St Louis, that is, today."]),
    ("sentences run together", "He left.She stayed. End.of it", ["He left. She stayed. End of it"]),
    ("entities", "a &amp; b &lt;c&gt; &quot;d&quot; &apos;e&apos; &amp;lt; <skipped>", ["a & b <c> \"d\" 'e' <"]),
    ("markup", "<b>bold</b> </script> {x} [y] (z) ^_^ ~ # @ * \\ | `", ["bold {x} [y] (z)"]),
    ("hyphens", "well-known state-of-the-art e-mail -- — – - a-", ["well known state of the art email - -"]),
    ("underscores", "ice_cream a_b _x_ __", ["ice cream a b x"]),
    ("addresses", "see https://www.example.org/a?b=c&d=e#f or me@example.org", ["see www.example.org or mail me@example.org"]),
    ("very long word", "a" * 300 + " end", ["a" * 299 + " end"]),
    ("one word many times", "lamp " * 40, ["lamp " * 30]),
    ("alternating words", "a b " * 20, ["b a " * 20]),
    ("three references", "the lamp was lit at dusk", ["the lamp is lit", "at dusk the lamp was lit", "someone lit the lamp at dusk"]),
    ("references of equal worth", "the lamp", ["the door", "a lamp", "the lamp is lit and the door is shut"]),
    ("references of equal distance", "one two three four", ["one two", "one two three four five six"]),
    ("same reference twice", "a small boat", ["a small boat sailed", "a small boat sailed"]),
    ("nine references", "rain fell", [f"rain fell {word}" for word in "on in at to by of as or so".split()]),
]

# Pairs as systems and translators write them, with inflections, synonyms, moves and errors.
SENTENCES: list[Case] = [
    (f"sentence {number}", hypothesis, references)
    for number, (hypothesis, *references) in enumerate(
        [
            ("The children were playing in the garden when it started to rain.", "The kids played in the garden when rain began to fall.", "When it began raining, the children were playing in the yard."),
            ("He purchased a big house close to the sea.", "He bought a large house near the sea."),
            ("She quickly answered all of the questions of the judge.", "She answered the judge's questions rapidly.", "The judge's questions were all answered quickly."),
            ("Our train arrives at half past nine in the evening.", "The train arrives at 9:30 p.m.", "Our train gets in at half past nine at night."),
            ("Gentle rain drops from the sky", "Rain falls gently from the sky"),
            ("The committee has not decided yet whether to fund the new library.", "The committee hasn't yet decided if it will fund the new library."),
            ("Prices rose by 3.5% in May, to $1,250 per ton.", "In May prices increased 3.5 percent to $1,250 a ton."),
            ("They are walking slowly along the old city wall.", "They walk slowly along the walls of the old town.", "Slowly, they walked along the city's old wall."),
            ("The doctor said that he must rest for two weeks.", "The physician told him to rest for two weeks."),
            ("Nobody knows who wrote the letter that was found.", "It is not known who wrote the letter which was found.", "No one knows the author of the letter found there."),
            ("On Monday the museum is closed; on Tuesday it opens late.", "The museum is closed on Mondays and opens late on Tuesdays."),
            ("We would have come if you had called us.", "Had you called us, we would have come.", "If you'd called, we'd have come."),
            ("The the cat sat sat on the the mat.", "The cat sat on the mat."),
            ("A dog and a cat and a mouse and a bird", "a bird and a mouse and a cat and a dog"),
            ("to be or not to be that is the question", "to be or not to be , that is the question ."),
            ("Scientists discovered that the planets' orbits are not perfect circles.", "The scientists found out the orbits of planets aren't perfectly circular."),
            ("It's its own reward, isn't it?", "It is its own reward, is it not?"),
            ("He begins to run, runs faster, and ran out of breath.", "He started running, ran faster and was out of breath."),
            ("The nation's national museum of nationalities", "the national museum of the nation's nationalities"),
            ("Please leave the leaves on the table and take the knives.", "Leave the leaf on the table, please, and take the knife."),
            ("Das Haus ist groß und der Garten ist klein.", "Das Haus ist gross, aber der Garten ist klein."),
            ("Il n'y a pas d'eau dans la bouteille aujourd'hui.", "Aujourd'hui, la bouteille n'a plus d'eau."),
            ("¿Dónde está la estación de trenes?", "¿Dónde queda la estación del tren?"),
            ("The meeting, which had been postponed twice, was finally held on Friday afternoon in the small hall behind the church.", "The meeting was postponed twice and finally took place in the small hall behind the church on Friday afternoon.", "After two postponements the meeting was at last held on Friday afternoon, in the little hall behind the church."),
            ("Good goods are better than the best of bad goods", "better goods are good and the best goods are not bad"),
        ],
        1,
    )
]

# For each language of the jar: one sentence and a looser version of it.
LANGUAGES: dict[str, list[tuple[str, str]]] = {
    "en": [("The large houses were quickly painted in the town.", "The big house was painted quickly in town.")],
    "cz": [("Děti si hrály v zahradě, když začalo pršet.", "Děti hrály na zahradě, když začal déšť.")],
    "de": [("Die Kinder spielten im Garten, als es zu regnen begann.", "Das Kind spielte in den Gärten, als der Regen begann.")],
    "es": [("Los niños jugaban en el jardín cuando empezó a llover.", "El niño jugó en los jardines cuando empezaba la lluvia.")],
    "fr": [("Les enfants jouaient dans le jardin quand il commença à pleuvoir.", "L'enfant jouait dans les jardins lorsque la pluie commençait.")],
    "ru": [("Дети играли в саду, когда начался дождь.", "Ребёнок играл в садах, когда дожди начались.")],
    "da": [("Børnene legede i haven, da det begyndte at regne.", "Barnet leger i haverne, da regnen begyndte.")],
    "fi": [("Lapset leikkivät puutarhassa, kun alkoi sataa.", "Lapsi leikki puutarhoissa, kun sade alkaa.")],
    "hu": [("A gyerekek a kertben játszottak, amikor eleredt az eső.", "A gyerek a kertekben játszik, amikor az esők erednek.")],
    "it": [("I bambini giocavano in giardino quando cominciò a piovere.", "Il bambino giocava nei giardini quando cominciava la pioggia.")],
    "nl": [("De kinderen speelden in de tuin toen het begon te regenen.", "Het kind speelt in de tuinen toen de regen begon.")],
    "no": [("Barna lekte i hagen da det begynte å regne.", "Barnet leker i hagene da regnet begynner.")],
    "pt": [("As crianças brincavam no jardim quando começou a chover.", "A criança brincava nos jardins quando a chuva começa.")],
    "ro": [("Copiii se jucau în grădină când a început să plouă.", "Copilul se juca în grădini când începe ploaia.")],
    "se": [("Barnen lekte i trädgården när det började regna.", "Barnet leker i trädgårdarna när regnet börjar.")],
    "tr": [("Çocuklar yağmur başladığında bahçede oynuyordu.", "Çocuk yağmurlar başlarken bahçelerde oynadı.")],
    "other": [("Lapok zorin talu mekka, talu bres.", "lapok talu zorina mekka bres")],
}

# Languages that the jar does not have: several sentences, because scripts differ more than rules do.
MORE_LANGUAGES: dict[str, list[tuple[str, str]]] = {
    "el": [("Τα παιδιά έπαιζαν στον κήπο όταν άρχισε να βρέχει.", "Το παιδί έπαιζε στους κήπους, όταν άρχισε η βροχή.")],
    "et": [("Lapsed mängisid aias, kui hakkas vihma sadama.", "Laps mängis aedades, kui vihm algas.")],
    "hi": [("बच्चे बगीचे में खेल रहे थे जब बारिश शुरू हुई।", "बच्चा बगीचों में खेल रहा था, बारिशें शुरू हुईं।")],
    "ja": [
        ("猫はマットの上に座った。", "猫がマットの上で寝ている。"),
        ("東京タワーは333mです", "東京ﾀﾜｰは 333 m だ。"),
        ("か\u3099っこう、ｶﾞｷ、葛\U000e0100城", "がっこう、ガキ、葛城"),
    ],
    "km": [("ខ្ញុំ\u200bចូលចិត្ត\u200bឆ្មា", "ខ្ញុំស្រឡាញ់ឆ្មា")],
    "ko": [("나는 고양이를 좋아한다.", "나는 고양이를 사랑한다!")],
    "lo": [("ຂ້ອຍມັກແມວຫຼາຍ", "ຂ້ອຍຮັກແມວ")],
    "my": [("ကျွန်တော်ကြောင်ကိုချစ်တယ်", "ကျွန်တော်ကြောင်ကြိုက်တယ်")],
    "th": [("ฉันชอบแมวมาก 3.5 ตัว", "ฉันรักแมวน้ำใจดี")],
    "zh": [
        ("我喜欢猫", "我爱猫"),
        ("他昨天在北京买了Rust 2024，真的。", "昨天他真的在北京买了 Rust 2024。"),
        ("\U00020000猫x犬3.5元", "猫\U00020000 x犬 3.5 元"),
    ],
}


def verse_pairs(verses: Path, n: int) -> list[Case]:
    """Verses spread over the whole Bible: one translation against the two others."""
    rows = [line.split("\t") for line in verses.read_text(encoding="utf-8").rstrip("\n").split("\n")]
    step = len(rows) // n
    return [(f"verse {row[0]}", row[3], [row[1], row[2]][: 1 + at % 2]) for at, row in enumerate(rows[::step][:n])]


def generated(generator: Generator, start: int, count: int) -> list[Case]:
    """Pairs of `tests/live/pairs.py`; every third has two references, every ninth three."""
    made = []
    for number in range(start, start + count):
        n = 3 if number % 9 == 8 else 2 if number % 3 == 2 else 1
        pair = generator.pair(number, n)
        references = list(pair.references)
        if n == 1 or all(text.strip() for text in references):
            made.append((f"generated {number}", pair.hypothesis, references))
    return made


def long_text(n_words: int) -> Case:
    """A text of many words, and the same text with errors and moved clauses."""
    rng = random.Random("a long text")
    words = (
        "the a of and to in on was were boat river water night stars captain crew sailed turned slowly quickly "
        "light dark stone bridge under over through morning evening wind rain cold warm house door window far near "
        "old young man woman child spoke answered silence song heard saw walked ran stood fell rose again never always"
    ).split()
    reference = [rng.choice(words) for _ in range(n_words)]
    hypothesis = [word if rng.random() > 0.08 else rng.choice(words) for word in reference if rng.random() > 0.03]
    for _ in range(12):
        start, length, to = rng.randrange(len(hypothesis)), rng.randrange(2, 9), rng.randrange(len(hypothesis))
        block = hypothesis[start : start + length]
        del hypothesis[start : start + length]
        hypothesis[to:to] = block
    return (f"{n_words} words", " ".join(hypothesis), [" ".join(reference)])


def short_pairs(n: int, longest: int) -> list[Case]:
    """Few words often repeated, short enough that all alignments can be tried."""
    rng = random.Random("short pairs")
    families = [
        "run runs running".split(), "big large".split(), "start begin begins".split(), "car automobile cars".split(),
        "buy bought purchase".split(), "the".split(), "a".split(), "of".split(), "house home houses".split(),
    ]
    made = []
    for number in range(n):
        chosen = rng.sample(families, rng.randint(1, 4))
        text = lambda: " ".join(rng.choice(rng.choice(chosen)) for _ in range(rng.randint(1, longest)))
        made.append((f"short {number}", text(), [text() for _ in range(1 + number % 5 // 4)]))
    return made

# Our own paraphrases, in place of METEOR's tables, whose licence does not allow them here. The invented words are those of
# `optimal.py` and are not in WordNet.
MADE_UP = [
    ("zorp", "blick"), ("zorp fendop", "gromp"), ("the gromp", "trask"), ("blick", "of trask"), ("fendop gromp", "gromp fendop"),
    ("trask", "zorp"), ("zorp of blick", "fendop"), ("gromp gromp", "blick"), ("the zorp", "zorp the"),
]  # fmt: skip
PARAPHRASES: dict[str, list[tuple[str, str]]] = {
    "en": [
        ("was lit", "is lit"), ("someone lit", "was lit"), ("at dusk", "in the evening"), ("close to", "near"), ("bought", "got"),
        ("half past nine", "nine thirty"), ("started to rain", "began to fall"), ("if you had", "had you"), ("of the", "'s"),
        ("a big house", "a large home"), ("in order to", "to"), ("not known", "nobody knows"), ("unto", "to"), ("and he said", "he said"),
        ("said unto", "told"), ("the children of", "the sons of"), ("came to pass", "happened"), ("behold", "look"), ("it", "this"),
        *MADE_UP,
    ],
    "cz": [("začalo pršet", "začal déšť"), ("hrály si", "si hrály"), ("v zahradě", "na zahradě")],
    "de": [("zu regnen begann", "der regen begann"), ("die kinder", "das kind"), ("im garten", "in den gärten"), *MADE_UP],
    "es": [("empezó a llover", "empezaba la lluvia"), ("los niños", "el niño")],
    "fr": [("quand", "lorsque"), ("commença à pleuvoir", "la pluie commençait")],
    "ru": [("дети", "ребёнок"), ("начался дождь", "дожди начались")],
}  # fmt: skip
