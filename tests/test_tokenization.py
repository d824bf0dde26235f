from __future__ import annotations

import pickle
import re
import sys
import unicodedata
from types import SimpleNamespace

import pytest
from gensim.models.word2vec import LineSentence
from hypothesis import example, given, settings
from hypothesis import strategies as st
from work import little_work

from gensim_bilbowa import LineCorpus, ParallelSentences, Tokenizer
from gensim_bilbowa.errors import ConfigError, TokenError
from gensim_bilbowa.tokenization import patterns
from gensim_bilbowa.tokenization import tokenizer as tokenization


@pytest.mark.parametrize(
    ("lang", "text", "tokens"),
    [
        ("en", "Don't stop!", "don't stop !"),
        ("en", "it’s well-known, state-of-the-art", "it's well-known , state-of-the-art"),
        ("en", "'quoted' -dash- rock'n'roll", "' quoted ' - dash - rock'n'roll"),
        ("en", "$1,000.50 at 10:30 on 24/12 is 3.14%.", "$ 1,000.50 at 10:30 on 24/12 is 3.14 % ."),
        ("en", "3rd 5kg v2 snake_case", "3rd 5kg v2 snake_case"),
        ("en", "the 33rd of 100km, 1.5kg", "the 33rd of 100km , 1.5 kg"),
        ("de", "1'000.50 Fr. am 3.10.2020", "1'000.50 fr . am 3.10.2020"),
        ("ar", "١٢٫٥ و١٬٠٠٠", "١٢٫٥ و١ ٬ ٠٠٠"),
        ("en", "https://a.org/x?y=1#z or", "https://a.org/x?y=1#z or"),
        ("en", "(www.a.org), me.x+y@mail.co.uk.", "( www.a.org ) , me.x+y@mail.co.uk ."),
        ("en", "See http://a.org/b_(c)?d=e! HTTPS://B.ORG/.", "see http://a.org/b_(c)?d=e ! "
         "https://b.org/ ."),
        ("en", "a@b @c d@ www. http://", "a @ b @ c d @ www . http : / /"),
        ("fr", "Qu’est-ce que l'on n'a pas", "qu' est-ce que l' on n' a pas"),
        ("fr", "jusqu'à d'aujourd'hui", "jusqu' à d' aujourd'hui"),
        ("fr", "lorsqu’il prend l'autobus, quelqu'un", "lorsqu' il prend l' autobus , quelqu'un"),
        ("fr", "l'11 d'l'eau entr'acte prud'homme", "l' 11 d' l' eau entr'acte prud'homme"),
        ("fr", "'chien' 'd' l' d' arc-d'or", "' chien ' ' d ' l' d' arc-d'or"),
        ("it", "dell'acqua c'è", "dell' acqua c' è"),
        ("it", "quest'anno nessun'altra 'mondo'", "quest' anno nessun' altra ' mondo '"),
        ("ca", "l'home agafa'l col·lecció", "l' home agafa'l col·lecció"),
        ("en", "l'eau", "l'eau"),
        ("de", "Straße ÄÖÜ Groß-/Kleinschreibung", "straße äöü groß - / kleinschreibung"),
        ("tr", "IŞIK İstanbul", "ışık istanbul"),
        ("el", "Ο σκύλος; Ναι·όχι", "ο σκύλος ; ναι · όχι"),
        ("hi", "हिन्दी में लिखा है।", "हिन्दी में लिखा है ।"),
        ("ar", "الكتـــاب جميل، نعم؟", "الكتاب جميل ، نعم ؟"),
        ("fa", "نمی‌خواهم", "نمی‌خواهم"),
        ("he", 'צה״ל "צה"ל" ג\'ירפה', 'צה״ל " צה"ל " ג\'ירפה'),
        ("en", 'say "no"or"yes"', 'say " no " or " yes "'),
        ("ar", "\u200fكِتَاب\u200e", "كِتَاب"),
        ("de", "Do\u00adnau\u00addampf e\u2011Mail A\u2010B", "donaudampf e-mail a-b"),
        ("hi", "क्\u200dष नमस्ते\u200c", "क्\u200dष नमस्ते\u200c"),
        (None, "ខ្ញុំ\u200bស្រឡាញ់", "ខ្ញុំ ស្រឡាញ់"),
        (None, "e\u0640\u0301 \u0301x \ufeffy", "é \u0301 x y"),
        (None, "👩‍👩‍👧!", "👩‍👩‍👧 !"),
        (None, "e\u0301te\u0301", "été"),
        (None, " \t\u00a0\u2028 ", ""),
        (None, "", ""),
    ],
)  # fmt: skip
def test_text_is_split_into_words_numbers_and_signs(lang, text, tokens):
    assert Tokenizer(lang)(text) == tokens.split()


def test_case_is_kept_if_asked():
    assert Tokenizer("en", lowercase=False)("The USA") == ["The", "USA"]
    assert Tokenizer("en", lowercase=False)("HTTP://A.org/B, c") == ["HTTP://A.org/B", ",", "c"]
    assert Tokenizer("fr", lowercase=False)("L'EAU QU'ÎL Quelqu'un A'b") == [
        "L'", "EAU", "QU'", "ÎL", "Quelqu'un", "A'b",
    ]  # fmt: skip


@pytest.mark.parametrize("lang", ["ar", "he"])
def test_diacritics_are_kept_or_left_out(lang):
    text, bare = {"ar": ("كِتَابٌ مُؤَنَّث", "كتاب مؤنث"), "he": ("שָׁלוֹם", "שלום")}[lang]
    assert Tokenizer(lang)(text) == unicodedata.normalize("NFC", text).split()
    assert Tokenizer(lang, diacritics=False)(text) == bare.split()


def test_compatible_characters_are_what_they_stand_for_if_asked():
    text = "ﬁne Ｆｕｌｌ\u3000ｶﾞ ① e\u2011mail"
    assert Tokenizer(normalization="NFKC")(text) == ["fine", "full", "ガ", "1", "e-mail"]
    assert Tokenizer()(text) == ["ﬁne", "ｆｕｌｌ", "ｶﾞ", "①", "e-mail"]


INVISIBLE = "[\u0640\u00ad\u061c\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]"
# Letters, signs and marks of the scripts that have rules of their own, and what is special to them.
PARTS = [
    *"aLqudé'’-.,:/@_+·\"5٣ \t\x1c\u200b\u200c\u200d\u0301\u0640\u00adİIıΣσ",
    *("qu'", "l'", "www.", "http://", "grand'", "👩‍👩‍👧", "①", "ﬁ", "½", "¨"),
    *("צ״אַكِहि्我〇一々カーﾞก้ำខ្ញ"),
]
TEXT = st.text() | st.lists(st.sampled_from(PARTS), max_size=12).map("".join)
TOKENIZERS = [
    Tokenizer(lang, lowercase=lower, normalization=form, diacritics=diacritics)
    for lang in (None, "fr", "tr")
    for lower in (False, True)
    for form in ("NFC", "NFKC")
    for diacritics in (False, True)
] + [Tokenizer(lang, characters=True) for lang in ("zh", "ja", "th")]


@given(text=TEXT)
def test_nothing_but_spaces_and_invisible_signs_is_lost(text):
    for lang, form in [(None, "NFC"), ("fr", "NFC"), ("tr", "NFKC")]:
        split = Tokenizer(lang, lowercase=False, normalization=form)
        wanted = unicodedata.normalize(form, text).replace("\u200b", " ").replace("’", "'")
        wanted = re.sub("[\u2010\u2011]", "-", wanted)
        wanted = re.sub(INVISIBLE, "", wanted)
        assert "".join(split(text)) == "".join(unicodedata.normalize(form, wanted).split())


@settings(max_examples=200)
@given(text=TEXT)
@example("˘B'0")
@example("'B'_")
@example("\u17d2\u0591\u1780\u17d2\u200d\u1780")
def test_text_of_tokens_is_split_into_them(text):
    for split in TOKENIZERS:
        tokens = split(text)
        assert all(token and not any(map(str.isspace, token)) for token in tokens)
        assert split(" ".join(tokens)) == tokens


UNITS = [
    "a.",
    "a",
    ".",
    "1",
    "1.",
    "'",
    "l'",
    "a'",
    "www.",
    "@",
    "a@",
    "+",
    "́",
    "http://",
    "我",
    "-",
]


@pytest.mark.parametrize("unit", UNITS)
def test_no_text_takes_long(unit):
    text = unit * 50_000
    with little_work():
        for split in (Tokenizer("fr"), Tokenizer("zh", characters=True)):
            split(text)


@pytest.mark.parametrize(
    ("lang", "package"), [("zh", "jieba"), ("ja", "janome"), ("th", "pythainlp")]
)
def test_missing_packages_are_named_with_the_way_round(monkeypatch, lang, package):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setitem(sys.modules, f"{package}.tokenizer", None)
    with pytest.raises(ImportError, match=rf"pip install {package}, or .*characters=True"):
        Tokenizer(lang)


@pytest.mark.parametrize(
    ("lang", "text", "tokens"),
    [
        ("zh-Hant", "我爱ABC北京3月。", "我 爱 abc 北 京 3 月 。"),
        ("zh", "访问www.a.org下载，me@a.org吧café", "访 问 www.a.org 下 载 ， me@a.org 吧 café"),
        ("ja", "カーが１台、ば", "カ ー が １ 台 、 ば"),
        ("th", "น้ำ café 2", "น้ำ café 2"),
        ("km", "ខ្ញុំ!", "ខ្ញុំ !"),
    ],
)  # fmt: skip
def test_text_without_spaces_is_split_into_characters_if_asked(lang, text, tokens):
    assert Tokenizer(lang, characters=True)(text) == tokens.split()


@pytest.mark.parametrize("lang", ["km", "lo-LA", "my", "yue"])
def test_language_whose_words_nobody_finds_is_refused(lang):
    with pytest.raises(ConfigError, match=r"no spaces between them.*characters=True"):
        Tokenizer(lang)


def test_characters_are_for_languages_without_spaces():
    with pytest.raises(ConfigError, match=r"characters=True is for .*zh; 'de' has spaces"):
        Tokenizer("de", characters=True)


@pytest.mark.parametrize(
    ("lang", "package", "name", "text", "tokens"),
    [
        ("zh", "jieba", "lcut", "我们爱ABC，北京3", "我们 爱 abc ， 北京 3"),
        ("th", "pythainlp", "word_tokenize", "กขคง ABC!", "กข คง abc !"),
    ],
)
def test_package_is_given_the_text_without_spaces_alone(
    monkeypatch, lang, package, name, text, tokens
):
    seen = []

    def words(run, **options):
        seen.append(run)
        return [run[i : i + 2] for i in range(0, len(run), 2)]

    monkeypatch.setitem(sys.modules, package, SimpleNamespace(**{name: words}))
    assert Tokenizer(lang)(text) == tokens.split()
    assert all(not run.isascii() for run in seen)


def test_chinese_is_split_into_words_by_jieba():
    pytest.importorskip("jieba", exc_type=ImportError)
    assert Tokenizer("zh-CN")("我爱北京天安门。") == ["我", "爱", "北京", "天安门", "。"]


def test_japanese_is_split_into_words_by_janome():
    pytest.importorskip("janome", exc_type=ImportError)
    assert Tokenizer("ja")("私は学生です。") == ["私", "は", "学生", "です", "。"]


def test_tokenizer_can_be_pickled():
    copied = pickle.loads(pickle.dumps(Tokenizer("fr", lowercase=False, normalization="NFKC")))
    assert copied("L'Eau ﬁ") == ["L'", "Eau", "fi"]


def test_flags_are_tokens_of_two_letters_however_many_there_are():
    assert Tokenizer()("a🇩🇪🇫🇷🇮 b🇩\u200d🇪") == ["a", "🇩🇪", "🇫🇷", "🇮", "b", "🇩\u200d", "🇪"]
    with little_work():  # that each flag is not looked for from the first one on
        assert Tokenizer()("🇩🇪" * 100_000) == ["🇩🇪"] * 100_000


def test_missing_regex_is_named_with_its_extra(monkeypatch):
    patterns.compiled.cache_clear()
    monkeypatch.setitem(sys.modules, "regex", None)
    with pytest.raises(ImportError, match=r"gensim_bilbowa\[text\]"):
        Tokenizer()
    patterns.compiled.cache_clear()


# ---- in readers


def test_lines_are_tokenized_as_they_are_read(tmp_path):
    (tmp_path / "x").write_text("The dog.\n\nA cat!\n", encoding="utf-8")
    corpus = LineCorpus(tmp_path / "x", tokenizer=Tokenizer("en"))
    assert list(corpus) == [["the", "dog", "."], [], ["a", "cat", "!"]]
    assert corpus != LineCorpus(tmp_path / "x")


def test_sides_tables_and_strings_are_tokenized(tmp_path):
    (tmp_path / "en").write_text("The dog.\n", encoding="utf-8")
    (tmp_path / "de").write_text("Der Hund.\n", encoding="utf-8")
    (tmp_path / "t.tsv").write_text("The dog.\tDer Hund.\n", encoding="utf-8")
    split = {code: Tokenizer(code) for code in ("en", "de")}
    sources = [
        (tmp_path / "en", tmp_path / "de"), (tmp_path / "t.tsv",), ([("The dog.", "Der Hund.")],),
        (["The dog."], ["Der Hund."]),
        (LineSentence(str(tmp_path / "en")), LineSentence(str(tmp_path / "de"))),
    ]  # fmt: skip
    for source in sources:
        pairs = ParallelSentences(*source, languages=("en", "de"), tokenizer=split)
        assert list(pairs) == [(["the", "dog", "."], ["der", "hund", "."])]
        assert pairs.files is None


def test_one_side_alone_may_be_tokenized():
    pairs = ParallelSentences([("A b.", ["C", "d."])], languages=("en", "de"),
                              tokenizer={"en": Tokenizer("en")})  # fmt: skip
    assert list(pairs) == [(["a", "b", "."], ["C", "d."])]


def test_strings_without_a_tokenizer_are_refused():
    with pytest.raises(TokenError, match="split it into tokens"):
        list(ParallelSentences([("a b", "c d")], languages=("en", "de")))


@pytest.mark.parametrize("bad", [3, {"en": 3}, {"fr": str.split}, "words"])
def test_what_is_no_tokenizer_is_refused(bad):
    with pytest.raises(ConfigError, match="tokenizer"):
        ParallelSentences([], languages=("en", "de"), tokenizer=bad)


def test_language_of_a_tokenizer_must_be_a_code():
    with pytest.raises(ConfigError, match="lang must be"):
        Tokenizer("")
    with pytest.raises(ConfigError, match="normalization must be 'NFC' or 'NFKC', not 'NFD'"):
        Tokenizer(normalization="NFD")
    with pytest.raises(ConfigError, match="must be a function"):
        LineCorpus("x", tokenizer=3)


@pytest.mark.parametrize("lang", ["en", "fr", "tr", "el"])
@given(text=st.text(max_size=30))
def test_what_stands_between_white_space_is_split_by_itself_each_time_alike(lang, text):
    split = Tokenizer(lang)
    pieces = [token for piece in text.split() for token in Tokenizer(lang)(piece)]
    assert split(text) == split(text) == pieces


@pytest.mark.parametrize("lang", ["en", "fr", "tr", "el"])
@given(word=st.text(st.characters(categories=["L"]), min_size=1), sign=st.sampled_from(".,;:!?"))
def test_a_sign_at_the_end_of_a_word_is_a_token(lang, word, sign):
    split = Tokenizer(lang)
    assert split(word + sign) == [*split(word), sign] == split(f"{word} {sign}")


def test_a_text_of_many_words_takes_no_more_memory_for_it(monkeypatch):
    monkeypatch.setattr(tokenization, "_MOST_KNOWN", 10)
    split = Tokenizer("en")
    words = [f"w{i}x" for i in range(100)]
    assert split(" ".join(words)) == words
    assert len(split._known) <= 10
