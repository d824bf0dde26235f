"""Which words may be terms, and which are there for the grammar alone."""

from __future__ import annotations

import math
import os
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gensim_bilbowa import ParallelSentences, Tokenizer
from gensim_bilbowa.terminology.emptiness import emptiness, signs
from gensim_bilbowa.terminology.general import GeneralLanguage
from gensim_bilbowa.terminology.text import TermText
from gensim_bilbowa.terminology.wordkinds import WordKinds, is_word
from gensim_bilbowa.tokenization.tokenizer import is_unspaced

DATA = Path(os.environ.get("DATA", "../shared/data"))
GNUCASH = DATA / "glossaries/gnucash/de.po"
TICO = DATA / "tm-files/tico19/all.en-fr.tmx"


def side_of(*sentences, language="en"):
    """Return the source side of a text, whose sentences have spaces between tokens."""
    pairs = [(sentence.split(), ["x"]) for sentence in sentences]
    text = ParallelSentences(pairs, languages=(language, "xx"))
    return TermText.read([text]).sides[0]


def kinds_of(side, general=None):
    """Return the words of a text that may be outside in a term, inside, and that are light."""
    kinds = WordKinds.of(side, general)
    return tuple(
        {word for word, chosen in zip(side.lower_words, which, strict=True) if chosen}
        for which in (kinds.outer, kinds.inner, kinds.light)
    )


def words_of(side):
    return np.array([*map(is_word, side.lower_words)], bool)


# ---- words


@pytest.mark.parametrize(
    "word",
    ["account", "naïve", "größe", "ελληνικά", "москве", "الكتاب", "بِسْمِ",
     "ספר", 'צה"ל', "צה״ל", "וכו׳",
     "हिन्दी", "বাংলা", "ಕನ್ನಡ", "中", "中文", "ひ", "カ", "말", "한국어", "ภาษา",
     "မြန်မာ", "h2o", "covid-19", "utf-8", "e-mail", "don't", "aujourd'hui", "rock'n'roll",
     "col·lecció", "می\u200cخواهم",
     "cafe\u0301", "ab", "i18n"],
)  # fmt: skip
def test_words_of_any_script_may_be_terms(word):
    assert is_word(word)


@pytest.mark.parametrize(
    "word",
    ["", "a", "é", "e\u0301", "я", "α", "و", "ב", "ก", "2", "2024", "3.14", "12:30",
     "٣", "1st", "3d", "24/7",
     "l'", "qu'", "dogs'", "'n", "foo-", "-foo", 'foo"', "'", "-", ",", "%", "—", "…", "++",
     "snake_case", "__init__", "_x", "%s", "{0}", "$name", "&amp;", "#1", "c++", "a.b", "u.s.",
     "user@a.de", "http://a.de/x", "www.a.de", "/etc", "a/b", "x=1", "\u0301a", "😀", "a😀",
     "\ufffd\ufffd", "ab\u200b", "one two"],
)  # fmt: skip
def test_numbers_signs_addresses_and_single_letters_are_no_terms(word):
    assert not is_word(word)


@given(st.text(max_size=6))
def test_words_begin_with_a_letter_and_are_of_letters_digits_and_what_joins_them(word):
    if is_word(word):
        assert unicodedata.category(word[0]).startswith("L")
        assert not any(c.isspace() or c in "_.,/%<>{}&@:" for c in word)
        # More letters make no other thing of it.
        assert is_word(f"ab{word}")
        assert is_word(f"{word}ab")
    assert not is_word(f"{word} ")
    assert not is_word(f"{word}_")
    assert not is_word(f"1{word}")


def test_scripts_without_spaces_are_told_by_a_letter():
    assert all(map(is_unspaced, "中々〆⼀〢𛀁ひカｶไໄကក"))
    assert not any(map(is_unspaced, "aя한अא1.\ue000"))


# ---- words of the grammar, by their signs


def test_signs_are_those_counted_by_hand():
    side = side_of("the cat sat", "the Dog sat", "a cat , the end")
    names = side.lower_words
    assert names == ["the", "cat", "sat", "dog", "a", ",", "end"]
    table = signs(side, words_of(side) | np.isin(names, ["a"]))
    rows = dict(zip(names, table, strict=True))
    # 11 tokens in 50 parts: each token has a part of its own.
    parts = {n: n / (50 * (1 - (1 - 1 / 50) ** n)) for n in (1, 2, 3)}
    often = {n: math.log(n / 11 * 1e6 + 1) for n in (1, 2, 3)}

    def variety(different, times):
        return math.log1p(different) / math.log1p(times)

    # "the" begins two sentences, and comes after a comma, which is no word.
    expected = {
        "the": [often[3], 1, 0, 0, variety(3, 3), parts[3], 3, 0],
        "cat": [often[2], 0, 1 / 2, variety(2, 2), variety(1, 1), parts[2], 3, 0],
        "sat": [often[2], 0, 1, variety(2, 2), 0, parts[2], 3, 0],
        "dog": [often[1], 0, 0, 1, 1, parts[1], 3, 1],
        "a": [often[1], 1, 0, 0, 1, parts[1], 1, 0],
        "end": [often[1], 0, 1, 1, 0, parts[1], 3, 0],
    }
    for word, row in expected.items():
        np.testing.assert_allclose(rows[word], row, err_msg=word)


def test_variety_counts_a_neighbour_that_comes_again_once():
    side = side_of("red car", "red car", "red car", "blue car")
    row = signs(side, words_of(side))[side.lower_words.index("car")]
    assert row[3] == pytest.approx(math.log(3) / math.log(5))


def test_what_is_cut_out_leaves_no_neighbours():
    text = ParallelSentences(
        [("open %s file", "x")], languages=("en", "de"), tokenizer=Tokenizer("en", markup=True)
    )
    side = TermText.read([text]).sides[0]
    _, first, last, *_ = signs(side, words_of(side)).T
    assert first.tolist() == last.tolist() == [1, 1]


def test_rare_words_and_signs_are_never_of_the_grammar():
    side = side_of("the the ,", "the , of", ", of")
    sure = dict(zip(side.lower_words, emptiness(side, words_of(side)), strict=True))
    assert sure["of"] == sure[","] == 0
    assert 0 < sure["the"] <= 1


def test_text_without_tokens_has_no_signs():
    pairs = ParallelSentences([([], [])], languages=("en", "de"))
    side = TermText.read([pairs]).sides[0]
    none = np.zeros(0, bool)
    assert signs(side, none).shape == (0, 8)
    assert emptiness(side, none).shape == (0,)
    assert kinds_of(side) == (set(), set(), set())


@given(st.lists(st.lists(st.sampled_from(["the", "of", "cat", "Dog", ",", "2"]), max_size=6)))
def test_emptiness_is_a_finite_part(sentences):
    pairs = ParallelSentences([(words, ["x"]) for words in sentences], languages=("en", "de"))
    side = TermText.read([pairs]).sides[0]
    found = emptiness(side, words_of(side))
    assert ((found >= 0) & (found <= 1)).all()


GRAMMAR = {
    "en": "the of to and in is for on a an or as at by be",
    "de": "die der und in zu für das des den mit von im ist",
    "fr": "de la le et les à des en du un une l' d' que par",
}


@pytest.mark.parametrize(
    ("path", "languages", "code"),
    [(GNUCASH, ("en", "de"), "en"), (GNUCASH, ("en", "de"), "de"), (TICO, ("en", "fr"), "fr")],
)
def test_words_of_the_grammar_come_first_in_real_text(path, languages, code):
    if not path.exists():
        pytest.skip("research data are not there")
    text = TermText.read([ParallelSentences(path, languages=languages)])
    side = text.sides[languages.index(code)]
    words = WordKinds.of(side, None).inner
    order = np.argsort(-emptiness(side, words), kind="stable")
    first = [side.lower_words[number] for number in order[:40]]
    expected = set(GRAMMAR[code].split())
    assert len(expected & set(first)) >= 0.9 * len(expected)
    outer, inner, light = kinds_of(side)
    assert not outer & {word for word in expected & light if len(word) > 3}
    assert expected <= inner
    for word in ("account", "konto", "patients"):
        assert word not in side.lower_words or (word in outer and word not in light)


# ---- kinds


def test_most_frequent_words_of_the_language_are_inside_of_terms_only():
    grammar = {"of": 9e5, "the": 8e5}
    others = {f"w{chr(97 + i // 26)}{chr(97 + i % 26)}": 1000.0 - i for i in range(500)}
    general = GeneralLanguage(grammar | others | {"account": 1.0}, "en")
    side = side_of("the balance of the account 2 , waa wsz")
    outer, inner, light = kinds_of(side, general)
    assert outer == {"balance", "account", "wsz"}
    assert inner == {"the", "balance", "of", "account", "2", "waa", "wsz"}
    assert light == {"the", "of", "waa"}


def test_words_of_the_grammar_are_found_without_the_language():
    nouns = [f"{a}{b}{c}on" for a in "bdfgk" for b in "aeiou" for c in "lmnrst"]
    side = side_of(
        *(f"we pay the {a} of the {b} now" for a, b in zip(nouns, nouns[7:], strict=False))
    )
    outer, inner, light = kinds_of(side)
    assert "the" in light
    assert "the" not in outer
    assert {"the", "of", *nouns} <= inner
    assert set(nouns) <= outer


def test_elided_words_numbers_and_letters_stand_inside_of_terms_only():
    outer, inner, _ = kinds_of(side_of("type 2 diabetes de l' eau in में x . -"))
    assert {"type", "diabetes", "de", "eau", "in"} == outer
    assert inner == outer | {"2", "l'", "में", "x"}
