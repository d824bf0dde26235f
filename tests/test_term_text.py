"""Parallel text as terms are looked for in it: words as written, small letters, and gaps."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gensim_bilbowa import ParallelSentences, Tokenizer
from gensim_bilbowa.corpora.units import TextUnit
from gensim_bilbowa.errors import ConfigError, TokenError
from gensim_bilbowa.terminology.text import TermText

EN_DE = ("en", "de")
FILES = Path(os.environ.get("DATA", "../shared/data"), "tm-files", "po")
# What makes a difference anywhere: case, marks, mark-up, white space, signs that are not seen.
SIGNS = st.sampled_from(
    [*"aAbIiİıßẞΣσςΑ'-.,:&%_~<>{}#\\ \n\t", "\u0307", "\u030c", "J", "\u00ad", "\u200b", "\u2029",
     "\u2060", "ĳ", "K", "Ⅷ", "我", "ก", "ﬁ", "%s", "<b>", "</b>", "<br/>", "{0}", "&amp;",
     "&nbsp;", "\\n", "{n, plural, one {day} other {# days}}", "http://A.de/B", "l'", "qu'"]
)  # fmt: skip
TEXTS = st.lists(SIGNS, max_size=12).map("".join) | st.text(max_size=12)
TOKENIZERS = st.builds(
    Tokenizer,
    st.sampled_from([None, "en", "tr", "fr", "ca", "el", "lt", "ar"]),
    lowercase=st.booleans(), normalization=st.sampled_from(["NFC", "NFKC"]),
    diacritics=st.booleans(), markup=st.booleans(),
) | st.builds(Tokenizer, st.sampled_from(["zh", "ja", "km"]), characters=st.just(True),
              markup=st.booleans())  # fmt: skip


def read(*pairs, tokenizer=None, **options):
    text = ParallelSentences(list(pairs), languages=EN_DE, tokenizer=tokenizer)
    return TermText.read([text], **options)


def words_of(side, lower=False):
    """Return the words of each unit."""
    numbers = side.lower[side.ids] if lower else side.ids
    words = side.lower_words if lower else side.words
    return [
        [words[number] for number in numbers[start:end]]
        for start, end in zip(side.offsets, side.offsets[1:], strict=False)
    ]


def stretches(text, **options):
    """Return the words of an English text, in parts whose words are neighbours."""
    side = read((text, "x"), tokenizer=Tokenizer("en", markup=True, **options)).sides[0]
    found = []
    for word, begins in zip(side.ids.tolist(), side.breaks.tolist(), strict=True):
        if begins:
            found.append([])
        found[-1].append(side.words[word])
    return [" ".join(part) for part in found]


# ---- words


def test_words_are_as_written_and_have_small_letters():
    text = read(
        ("The House, the house", "Das Haus"), ("THE END", "Das Ende"),
        tokenizer={"en": Tokenizer("en"), "de": Tokenizer("de")},
    )  # fmt: skip
    english, german = text.sides
    assert english.words == ["The", "House", ",", "the", "house", "THE", "END"]
    assert english.ids.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert english.offsets.tolist() == [0, 5, 7]
    assert english.lower_words == ["the", "house", ",", "end"]
    assert english.lower.tolist() == [0, 1, 2, 0, 1, 0, 3]
    assert english.breaks.tolist() == [True, False, False, False, False, True, False]
    assert english.lower_corpus.ids.tolist() == [0, 1, 2, 0, 1, 0, 3]
    assert (len(english), len(german), len(text)) == (2, 2, 2)
    assert german.words == ["Das", "Haus", "Ende"]
    arrays = english.ids, english.offsets, english.breaks, english.lower
    assert [array.dtype for array in arrays] == [np.int32, np.int64, np.bool_, np.int32]
    assert repr(text) == "TermText<en-de: 2 units>"


def test_small_letters_are_those_of_the_language():
    text = ParallelSentences([(["IŞIK", "İZMİR"], ["IŞIK"])], languages=("tr-TR", "en"))
    turkish, english = TermText.read([text]).sides
    assert turkish.lower_words == ["ışık", "izmir"]
    assert english.lower_words == ["işik"]
    # A tokenizer has its own.
    text = ParallelSentences([("IŞIK", "IŞIK")], languages=("tr", "en"), tokenizer=Tokenizer("tr"))
    assert [side.lower_words for side in TermText.read([text]).sides] == [["ışık"], ["ışık"]]


def test_word_whose_small_letters_depend_on_its_place_is_two():
    side = read(("ΟΔΟΣ ΟΔΟΣ.Α", "x"), tokenizer=Tokenizer("el")).sides[0]
    assert side.words == ["ΟΔΟΣ", "ΟΔΟΣ", ".", "Α"]
    assert side.lower_words == ["οδος", "οδοσ", ".", "α"]


def test_small_letters_that_are_split_otherwise_are_what_there_is():
    side = read(("M’İ l’eau L’eau", "x"), tokenizer=Tokenizer("fr")).sides[0]
    assert words_of(side) == [["M'", "İ", "l'", "eau", "L'", "eau"]]
    tokens = Tokenizer("fr")("İ'a")
    side = read(("İ'a", "x"), tokenizer=Tokenizer("fr")).sides[0]
    assert words_of(side, lower=True) == [tokens]


@given(TEXTS, TEXTS, TOKENIZERS)
@example("ΑΣ.Α ΑΣ", "I\u0307 İ", Tokenizer("tr"))
@example("I<b>\u0307</b>", "J\u030c İ'a", Tokenizer("tr", markup=True))
@example("\u200b%s\u200b", "a\u2029b", Tokenizer(markup=True))
def test_small_letters_are_the_tokens_of_iteration(source, target, split):
    pairs = ParallelSentences([(source, target)], languages=EN_DE, tokenizer=split)
    text = TermText.read([pairs])
    found = tuple(words_of(side, lower=split.lowercase)[0] for side in text.sides)
    assert [found] == list(pairs)
    if not split.lowercase:
        for side in text.sides:
            small = [split.cased(word, lowercase=True) for word in side.words]
            assert small == [side.lower_words[number] for number in side.lower]
    assert text.units[0] == TextUnit(source, target, "", "pair 1")


def test_half_a_character_is_replaced_in_words_and_stays_in_texts():
    text = read(("a\udc80 b", "x"), tokenizer=Tokenizer("en"))
    assert words_of(text.sides[0]) == [["a", "\ufffd", "b"]]
    assert text.units[0].source == "a\udc80 b"


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=5))
def test_functions_and_white_space_split_as_they_do(given_pairs):
    def by_letters(text):
        return [letter for letter in text if letter != " "]

    for split in (str.split, by_letters):
        text = read(*given_pairs, tokenizer=split)
        found = zip(*map(words_of, text.sides), strict=True)
        assert list(found) == [(split(a), split(b)) for a, b in given_pairs]
        begins = {*text.sides[0].offsets[:-1]} - {len(text.sides[0].ids)}
        assert {*np.flatnonzero(text.sides[0].breaks)} == begins


def test_function_that_gives_no_tokens_is_an_error():
    with pytest.raises(TokenError, match=r"'en' text, <function .*sentence 2: a list of tokens"):
        read(("a", "b"), ("c", "d"), tokenizer=lambda text: text if text == "c" else [text])


# ---- gaps


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Open the %s file", ["Open the", "file"]),
        ("Open {name}, please", ["Open", ", please"]),
        ("Line<br/>break <!-- x -->now", ["Line", "break", "now"]),
        ("Open <x id='1'/> file", ["Open", "file"]),
        ("{n, plural, one {a day} other {many days}}", ["a day", "many days"]),
        ("one\n\ntwo&nbsp;three\\nfour", ["one two three four"]),
        ("%s open %d%d file %s", ["open", "file"]),
        ("The <b>bold</b> &File and E_xit", ["The bold File and Exit"]),
        ("new <g id='1'>york</g> 100%% sure", ["new york 100 % sure"]),
        ("plain text", ["plain text"]),
        ("%s", []),
    ],
)
def test_words_around_what_was_left_out_are_no_neighbours(text, parts):
    assert stretches(text) == parts


def test_gaps_change_no_token():
    split = Tokenizer("en", markup=True)
    assert split("Open %s<br/>the {0} file") == ["open", "the", "file"]


def test_gaps_of_text_without_spaces():
    split = Tokenizer("zh", characters=True, markup=True)
    side = read(("打开%s文件", "x"), tokenizer=split).sides[0]
    assert side.words == [*"打开文件"]
    assert side.breaks.tolist() == [True, False, True, False]


# ---- texts


def test_texts_in_either_order_and_with_their_own_tokenizers_are_one(tmp_path):
    one = ParallelSentences([("A dog!", "Ein Hund!")], languages=EN_DE, tokenizer=Tokenizer("en"))
    (tmp_path / "x.tsv").write_text("Katze!\tcat!\nHund\tdog\n", encoding="utf-8")
    other = ParallelSentences(tmp_path / "x.tsv", languages=("de", "en"))
    text = TermText.read([one, other])
    assert text.languages == EN_DE
    english, german = map(words_of, text.sides)
    assert english == [["A", "dog", "!"], ["cat!"], ["dog"]]
    assert german == [["Ein", "Hund", "!"], ["Katze!"], ["Hund"]]
    path = str(tmp_path / "x.tsv")
    assert [*text.units] == [
        TextUnit("A dog!", "Ein Hund!", "", "pair 1"), TextUnit("cat!", "Katze!", path, "line 1"),
        TextUnit("dog", "Hund", path, "line 2"),
    ]  # fmt: skip
    turned = TermText.read([one, other], ("de", "en"))
    assert words_of(turned.sides[0]) == german
    assert turned.units[1] == TextUnit("Katze!", "cat!", path, "line 1")


def test_many_units_are_read_in_parts():
    pairs = [(f"W{i % 7} x{i}", f"{'y ' * (i % 4)}") for i in range(2500)]
    text = read(*pairs, tokenizer=Tokenizer("en"))
    assert words_of(text.sides[0]) == [a.split() for a, _ in pairs]
    assert words_of(text.sides[1]) == [b.split() for _, b in pairs]
    assert text.units[2041] == TextUnit("W4 x2041", "y ", "", "pair 2042")
    assert len(text.units) == 2500


def test_files_that_are_split_otherwise_follow_each_other(tmp_path):
    (tmp_path / "a.tmx").write_text(
        '<tmx><body><tu><tuv xml:lang="en"><seg>A dog!</seg></tuv>'
        '<tuv xml:lang="de"><seg>Hund!</seg></tuv></tu><tu/></body></tmx>',
        encoding="utf-8",
    )
    (tmp_path / "b.tsv").write_text("A cat!\tKatze!\n", encoding="utf-8")
    pairs = ParallelSentences(tmp_path, languages=EN_DE)
    text = TermText.read([pairs])
    assert words_of(text.sides[0]) == [["A", "dog", "!"], ["A", "cat!"]]
    assert pairs.dropped == {"without both languages": 1}


def test_text_of_other_languages_is_refused():
    pairs = ParallelSentences([(["a"], ["b"])], languages=("en", "fr"))
    with pytest.raises(ConfigError, match="parallel text of 'en' and 'de' is wanted, got Par"):
        TermText.read([pairs], EN_DE)
    with pytest.raises(ConfigError, match="parallel text is wanted, got none"):
        TermText.read([])


def test_no_unit_at_all_is_no_error_here():
    text = read()
    assert [len(side) for side in text.sides] == [0, 0]


@pytest.mark.slow
@pytest.mark.skipif(not FILES.is_dir(), reason="files of real tools are not there")
def test_real_catalogs_have_the_tokens_of_iteration():
    pairs = ParallelSentences(str(FILES / "*de*.po"), languages=EN_DE)
    text = TermText.read([pairs])
    found = zip(*(words_of(side, lower=True) for side in text.sides), strict=True)
    assert list(found) == list(pairs)
    assert [*text.units] == [*pairs.units()]
    assert len(text) > 1000
