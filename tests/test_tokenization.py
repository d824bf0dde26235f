from __future__ import annotations

import pickle
import sys
import unicodedata

import pytest
from gensim.models.word2vec import LineSentence
from hypothesis import given
from hypothesis import strategies as st

from gensim_bilbowa import LineCorpus, ParallelSentences, Tokenizer
from gensim_bilbowa.errors import ConfigError, TokenError


@pytest.mark.parametrize(
    ("lang", "text", "tokens"),
    [
        ("en", "Don't stop!", "don't stop !"),
        ("en", "it’s well-known, state-of-the-art", "it's well-known , state-of-the-art"),
        ("en", "'quoted' -dash- rock'n'roll", "' quoted ' - dash - rock'n'roll"),
        ("en", "$1,000.50 at 10:30 on 24/12 is 3.14%.", "$ 1,000.50 at 10:30 on 24/12 is 3.14 % ."),
        ("en", "3rd 5kg v2 snake_case", "3rd 5kg v2 snake_case"),
        ("en", "https://a.org/x?y=1#z or", "https://a.org/x?y=1#z or"),
        ("en", "www.a.org, me.x+y@mail.co.uk", "www.a.org, me.x+y@mail.co.uk"),
        ("fr", "Qu’est-ce que l'on n'a pas", "qu' est-ce que l' on n' a pas"),
        ("fr", "jusqu'à d'aujourd'hui", "jusqu' à d' aujourd'hui"),
        ("it", "dell'acqua c'è", "dell' acqua c' è"),
        ("en", "l'eau", "l'eau"),
        ("de", "Straße ÄÖÜ Groß-/Kleinschreibung", "straße äöü groß - / kleinschreibung"),
        ("tr", "IŞIK İstanbul", "ışık istanbul"),
        ("el", "Ο σκύλος; Ναι·", "ο σκύλος ; ναι ·"),
        ("hi", "हिन्दी में लिखा है।", "हिन्दी में लिखा है ।"),
        ("ar", "الكتـــاب جميل، نعم؟", "الكتاب جميل ، نعم ؟"),
        ("fa", "نمی‌خواهم", "نمی‌خواهم"),
        ("he", 'צה״ל כאן', "צה״ל כאן"),
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


@pytest.mark.parametrize("lang", [None, "fr", "tr"])
@given(text=st.text())
def test_nothing_but_spaces_is_lost(lang, text):
    joined = "".join(Tokenizer(lang, lowercase=False)(text))
    wanted = unicodedata.normalize("NFC", text).replace("\u0640", "").replace("’", "'")
    assert "".join(joined.split()) == "".join(wanted.split())


@given(text=st.text())
def test_tokens_are_split_into_themselves(text):
    split = Tokenizer()
    tokens = split(text)
    assert all(tokens)
    assert split(" ".join(tokens)) == [part for token in tokens for part in split(token)]


@pytest.mark.parametrize(
    ("lang", "package"), [("zh", "jieba"), ("ja", "janome"), ("th", "pythainlp")]
)
def test_missing_packages_are_named_with_the_way_round(monkeypatch, lang, package):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setitem(sys.modules, f"{package}.tokenizer", None)
    with pytest.raises(ImportError, match=rf"pip install {package}, or .*characters=True"):
        Tokenizer(lang)


def test_text_without_spaces_is_split_into_characters_if_asked():
    assert Tokenizer("zh", characters=True)("我爱 ABC 北京。") == [
        "我",
        "爱",
        "abc",
        "北",
        "京",
        "。",
    ]


def test_chinese_is_split_into_words_by_jieba():
    pytest.importorskip("jieba", exc_type=ImportError)
    assert Tokenizer("zh-CN")("我爱北京天安门。") == ["我", "爱", "北京", "天安门", "。"]


def test_japanese_is_split_into_words_by_janome():
    pytest.importorskip("janome", exc_type=ImportError)
    assert Tokenizer("ja")("私は学生です。") == ["私", "は", "学生", "です", "。"]


def test_tokenizer_can_be_pickled():
    copied = pickle.loads(pickle.dumps(Tokenizer("fr", lowercase=False)))
    assert copied("L'Eau") == ["L'", "Eau"]


def test_missing_regex_is_named_with_its_extra(monkeypatch):
    from gensim_bilbowa import tokenization

    tokenization._pattern.cache_clear()
    monkeypatch.setitem(sys.modules, "regex", None)
    with pytest.raises(ImportError, match=r"gensim_bilbowa\[text\]"):
        Tokenizer()
    tokenization._pattern.cache_clear()


# ---- in readers


def test_lines_are_tokenized_as_they_are_read(tmp_path):
    (tmp_path / "x").write_text("The dog.\n\nA cat!\n")
    corpus = LineCorpus(tmp_path / "x", tokenizer=Tokenizer("en"))
    assert list(corpus) == [["the", "dog", "."], [], ["a", "cat", "!"]]
    assert corpus != LineCorpus(tmp_path / "x")


def test_sides_tables_and_strings_are_tokenized(tmp_path):
    (tmp_path / "en").write_text("The dog.\n")
    (tmp_path / "de").write_text("Der Hund.\n")
    (tmp_path / "t.tsv").write_text("The dog.\tDer Hund.\n")
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
    with pytest.raises(ConfigError, match="must be a function"):
        LineCorpus("x", tokenizer=3)
