"""What is known of a language in general: counts of words, by whatever they are given."""

from __future__ import annotations

import gzip
import math
import sys
from collections import Counter
from importlib.util import find_spec
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gensim_bilbowa.errors import (
    ConfigError,
    CorpusError,
    CorpusNotFoundError,
    FormatError,
    TokenError,
)
from gensim_bilbowa.terminology.general import GeneralLanguage

WORDS = st.text("abcdefgh", min_size=1, max_size=4)


def per_million(general, *words):
    return general.per_million(words).tolist()


def of_file(tmp_path, text, language="en", name="general"):
    path = tmp_path / name
    data = text.encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return GeneralLanguage.of(path, language)


def known_with(monkeypatch, language, counts):
    """Return what is known of a language with a made-up wordfreq."""

    def get_frequency_dict(code):
        if isinstance(counts.get(code, LookupError()), Exception):
            raise counts.get(code, LookupError(code))
        return counts[code]

    module = SimpleNamespace(get_frequency_dict=get_frequency_dict)
    monkeypatch.setitem(sys.modules, "wordfreq", module)
    preprocess = SimpleNamespace(preprocess_text=lambda text, language: text)
    monkeypatch.setitem(sys.modules, "wordfreq.preprocess", preprocess)
    return GeneralLanguage.known(language)


# ---- counts


@pytest.mark.parametrize(
    "counts",
    [{"the": 3, "house": 1}, {"The": 1, "the": 2, "HOUSE": 1}, {"the": 0.75, "house": 0.25},
     Counter(["the", "house", "the", "the"]), {"the": np.int64(3), "house": np.float32(1)}],
)  # fmt: skip
def test_counts_of_any_total_and_case_are_those_in_a_million(counts):
    general = GeneralLanguage.of(counts, "en")
    assert per_million(general, "the", "house", "unseen") == [750_000, 250_000, 0]


def test_no_words_are_asked():
    general = GeneralLanguage.of({"a": 1}, "en")
    assert per_million(general) == general.ranks([], 3).tolist() == []


def test_ranks_are_places_among_the_most_frequent_words_of_letters():
    general = GeneralLanguage.of({",": 9, "the": 5, "2024": 4, "b": 3, "a": 3, "house": 1}, "en")
    words = ["the", "a", "b", "house", ",", "2024", "unseen"]
    assert general.ranks(words, 3).tolist() == [0, 1, 2, 3, 3, 3, 3]
    assert general.ranks(words, 100).tolist() == [0, 1, 2, 3, 100, 100, 100]


@given(st.dictionaries(WORDS, st.integers(1, 50), min_size=1))
def test_all_words_are_a_million_and_ranks_follow_counts(counts):
    general = GeneralLanguage.of(counts, "en")
    words = list(counts)
    assert math.fsum(per_million(general, *words)) == pytest.approx(1e6)
    ranks = general.ranks(words, len(words))
    assert sorted(ranks.tolist()) == list(range(len(words)))
    in_order = [counts[words[place]] for place in np.argsort(ranks)]
    assert in_order == sorted(in_order, reverse=True)


@pytest.mark.parametrize("given_counts", [
    {"l": 3, "eau": 1}, {"l'": 3, "eau": 1}, {"L'": 1, "l": 2, "eau": 1},
    [["l'", "eau"], ["l'", "L'"]],
])  # fmt: skip
def test_elided_words_are_the_same_with_and_without_apostrophe(given_counts):
    general = GeneralLanguage.of(given_counts, "fr")
    assert per_million(general, "l'", "l", "eau") == [750_000, 750_000, 250_000]
    assert general.ranks(["l'", "eau"], 5).tolist() == [0, 1]


def test_small_letters_are_those_of_the_language():
    turkish = GeneralLanguage.of({"IŞIK": 1, "İZMİR": 3}, "tr-TR")
    assert per_million(turkish, "ışık", "izmir", "işik") == [250_000, 750_000, 0]
    english = GeneralLanguage.of({"IT": 1}, "en")
    assert per_million(english, "it", "ıt") == [1_000_000, 0]
    tokens = GeneralLanguage.of([["IŞIK"]], "tr")
    assert per_million(tokens, "ışık") == [1_000_000]


def test_lists_of_tokens_are_counted():
    general = GeneralLanguage.of((line.split() for line in ["The house", "the dog"]), "en")
    assert per_million(general, "the", "house", "dog") == [500_000, 250_000, 250_000]


# ---- files


@pytest.mark.parametrize(
    "text",
    ["the\t3\nhouse\t1\n", "the 3\nhouse 1", "the   3\n\n  house\t 1  \n", "\ufeffthe 3\nhouse 1\n",
     "The 1\nthe 2\nHouse 1\n", "the 0.75\r\nhouse 0.25\r\n", "the 3e-5\nhouse 1E-5\n",
     "the 30e+2\nhouse 1e3\n", "word\tcount\nthe\t3\nhouse\t1\n", "word,count\nthe,3\nhouse,1\n",
     "1 the 3\n2 house 1\n"],
)  # fmt: skip
@pytest.mark.parametrize("name", ["counts.txt", "counts.gz"])
def test_file_of_counts_has_a_word_and_its_count_in_each_line(tmp_path, text, name):
    general = of_file(tmp_path, text, name=name)
    assert per_million(general, "the", "house") == pytest.approx([750_000, 250_000])


@pytest.mark.parametrize("name", ["text.txt", "text.gz"])
def test_file_of_running_text_is_split_and_counted(tmp_path, name):
    general = of_file(tmp_path, "The house.\n\nThe HOUSE, the dog!\n", name=name)
    assert per_million(general, "the", "house", "dog") == pytest.approx([3e6 / 9, 2e6 / 9, 1e6 / 9])


def test_running_text_may_have_lines_of_a_word_and_a_number(tmp_path):
    general = of_file(tmp_path, "It was in\nchapter 2\n")
    assert per_million(general, "chapter", "2") == [200_000, 200_000]


@pytest.mark.parametrize("text", ["L'eau, l\u2019eau x\n", "l' 2\neau 4", "L\u2019 2\neau 4"])
def test_elided_words_of_files_are_known(tmp_path, text):
    assert per_million(of_file(tmp_path, text, "fr"), "l'") == pytest.approx([1e6 / 3])


def test_small_letters_of_a_file_are_those_of_the_language(tmp_path):
    for text in ("IŞIK\t2\nİZ\t2\n", "IŞIK İZ\n"):
        general = of_file(tmp_path, text, "tr")
        assert per_million(general, "ışık", "iz") == [500_000, 500_000]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "the 3\na 2\nhouse",
            "line 3: a word and its count are wanted, as in the other lines, got 'h",
        ),
        ("the 3\n\na 2\nhouse -1\n", "line 4: a word and its count are wanted"),
        ("the 3\na 2\nhouse x", "line 3: a word and its count"),
        ("the 3\na 2\nbig house 2", "line 3: a word and its count"),
        ("", "running text is wanted, or a word and its count in each line; there is no word"),
        (" \n\n", "there is no word"),
    ],
)
@pytest.mark.parametrize("as_text", [True, False])
def test_what_is_wrong_in_a_file_is_said_with_file_and_line(tmp_path, text, message, as_text):
    path = tmp_path / "counts.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=message) as caught:
        GeneralLanguage.of(str(path) if as_text else path, "en")
    assert str(caught.value).startswith(str(path))


def test_running_text_may_begin_as_counts_do(tmp_path):
    general = of_file(tmp_path, "Chapter 1\nThe house\nis a house.\n")
    assert per_million(general, "house", "chapter") == pytest.approx([2e6 / 8, 1e6 / 8])


def test_words_are_looked_up_as_wordfreq_writes_them():
    pytest.importorskip("wordfreq")
    for language, word, other in (("de", "straße", "strasse"), ("el", "της", "τησ")):
        general = GeneralLanguage.known(language)
        one, two = general.per_million([word, other])
        assert one == two > 0
    if find_spec("jieba"):  # which wordfreq wants, to simplify Chinese
        assert all(GeneralLanguage.known("zh-TW").per_million(["為", "檔案"]) > 0)
    assert all(GeneralLanguage.known("zh-CN").per_million(["为", "文件"]) > 0)
    ranks = GeneralLanguage.known("hi").ranks(["है", "के", "में"], 50)
    assert (ranks < 50).all()
    assert GeneralLanguage.known("ko") is None


def test_word_with_hyphens_is_as_frequent_as_its_rarest_part():
    general = GeneralLanguage({"user": 6.0, "friendly": 3.0, "well-known": 1.0}, "en")
    assert general.per_million(["user-friendly", "well-known", "user-none"]).tolist() == (
        pytest.approx([3e5, 1e5, 0])
    )


def test_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(CorpusNotFoundError, match=r"none\.txt"):
        GeneralLanguage.of(tmp_path / "none.txt", "en")
    (tmp_path / "x").write_bytes(b"the 3\nhou\xffse 1\n")
    with pytest.raises(CorpusError, match="line 2, byte 4"):
        GeneralLanguage.of(tmp_path / "x", "en")


# ---- what cannot be


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({}, ConfigError, "general 'en' language: counts of words are wanted, positive and finite"),
        ([], ConfigError, "counts of words are wanted"),
        ({"the": 0}, ConfigError, "counts of words are wanted"),
        ({"the": 2, "a": -1}, ConfigError, "positive"),
        ({"the": math.nan}, ConfigError, "finite"),
        ({"the": math.inf}, ConfigError, "finite"),
        ({"the": 10**400}, ConfigError, "finite"),
        ({"the": 1e308, "a": 1e308}, ConfigError, "finite"),
        ({"the": "3"}, ConfigError, "counts by words are wanted, got '3' of 'the'"),
        ({3: 3}, ConfigError, "counts by words are wanted, got 3 of 3"),
        (7, ConfigError, "a path, counts by words or lists of tokens are wanted, got int"),
        (["the house"], TokenError, "general 'en' language, sentence 1: a list of tokens is want"),
        ([["the"], ["house", 3]], TokenError, "sentence 2, token 2: a string is wanted, got 3"),
    ],
)
def test_what_is_no_count_and_no_text_is_refused(wrong, error, message):
    with pytest.raises(error, match=message):
        GeneralLanguage.of(wrong, "en")


# ---- wordfreq


def test_package_wordfreq_is_asked_where_it_is_installed():
    pytest.importorskip("wordfreq")
    general = GeneralLanguage.known("en-GB")
    the, house, ledger = per_million(general, "the", "house", "ledger")
    assert the > 20_000 > house > 100 > ledger > 0
    assert general.ranks(["the"], 10).tolist() == [0]
    french = GeneralLanguage.known("fr")
    assert per_million(french, "l'")[0] > 1000
    assert GeneralLanguage.known("xx") is None
    assert GeneralLanguage.known("english_of_my_own") is None


@pytest.mark.parametrize(
    ("language", "code"),
    [("en", "en"), ("en-US", "en"), ("no", "nb"), ("nn", "nb"), ("hr", "sh"), ("tl", "fil")],
)
def test_wordfreq_is_asked_by_the_names_that_it_has(monkeypatch, language, code):
    general = known_with(monkeypatch, language, {code: {"a": 0.003, "b": 0.001}})
    assert general.language == language
    assert per_million(general, "a", "b") == pytest.approx([750_000, 250_000])


@pytest.mark.parametrize("error", [LookupError("none"), ValueError("no code")])
def test_language_that_wordfreq_does_not_know_is_not_known(monkeypatch, error):
    assert known_with(monkeypatch, "xx", {"xx": error}) is None


def test_nothing_is_known_without_wordfreq(monkeypatch):
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    assert GeneralLanguage.known("en") is None
