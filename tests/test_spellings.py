"""How terms are written, and the units that show them."""

from __future__ import annotations

import numpy as np
import pytest
from term_sides import candidate, side_of

from gensim_bilbowa import ParallelSentences, Tokenizer
from gensim_bilbowa.terminology.examples import choose_examples
from gensim_bilbowa.terminology.links import Links
from gensim_bilbowa.terminology.spellings import spellings
from gensim_bilbowa.terminology.term import TermExample
from gensim_bilbowa.terminology.text import TermText


def spelling(term, texts, language="en", grammar="", **tokenizer):
    """How a term, given in small letters, is written in texts."""
    side = side_of(texts, language, grammar, **tokenizer)
    number = candidate(side, term)
    return spellings(side, [number])[number]


# ---- capitals


@pytest.mark.parametrize(
    ("term", "texts", "language", "expected"),
    [
        # Nouns of German have a capital wherever they stand; others only at a begin.
        ("konto", ["Konto öffnen", "Das Konto ist leer"], "de", "Konto"),
        ("konto öffnen", ["Konto öffnen", "Ein Konto öffnen"], "de", "Konto öffnen"),
        ("öffnen", ["Öffnen", "Öffnen Sie", "Konto öffnen"], "de", "öffnen"),
        ("accounts", ["Accounts are closed", "Accounts", "Your accounts"], "en", "accounts"),
        # After a sign a sentence may begin.
        ("files", ["Open: Files", "Done. Files", "All files"], "en", "files"),
        # Titles are so within sentences, too.
        ("user manual", ["The User Manual", "See the User Manual", "a user manual"], "en",
         "User Manual"),
        ("user manual", ["User Manual", "User Manual", "the user manual"], "en", "user manual"),
        # Names, and what has capitals inside.
        ("libreoffice", ["Use LibreOffice", "LibreOffice", "libreoffice"], "en", "LibreOffice"),
        ("html", ["HTML files", "as HTML", "as HTML", "as Html"], "en", "HTML"),
        # Nothing else is known.
        ("undo", ["Undo", "Undo", "UNDO"], "en", "Undo"),
    ],
)  # fmt: skip
def test_spelling_is_the_most_frequent_one_within_sentences(term, texts, language, expected):
    assert spelling(term, texts, language) == expected


def test_small_letters_are_those_of_the_language():
    assert spelling("ışık", ["Işık", "bu ışık"], "tr") == "ışık"
    assert spelling("istanbul", ["bir İstanbul", "İSTANBUL"], "tr") == "İstanbul"


def test_after_what_was_cut_out_a_capital_says_nothing():
    assert spelling("files", ["%s Files", "%s Files", "%s Files", "open files"]) == "files"


# ---- what stands between words


@pytest.mark.parametrize(
    ("term", "texts", "language", "expected"),
    [
        ("qualité de l' eau", ["la qualité de l’eau", "Qualité de l'eau"], "fr",
         "qualité de l'eau"),
        ("système d' exploitation", ["un système d’exploitation"], "fr",
         "système d'exploitation"),
        ("operating system", ["the operating  system"], "en", "operating system"),
        ("운영 체제", ["운영 체제"], "ko", "운영 체제"),
    ],
)  # fmt: skip
def test_words_are_joined_as_they_are_written(term, texts, language, expected):
    assert spelling(term, texts, language, "la de un the") == expected


@pytest.mark.parametrize(
    ("term", "texts", "language", "expected"),
    [
        ("数 据 库", ["数据库"], "zh", "数据库"),
        ("sql 数 据", ["用SQL数据"], "zh", "SQL 数据"),
        ("文 字", ["文字を"], "ja", "文字"),
    ],
)
def test_scripts_without_spaces_have_none_in_a_term(term, texts, language, expected):
    assert spelling(term, texts, language, characters=True) == expected


# ---- several terms, or none


def test_several_terms_are_spelt_by_their_numbers():
    side = side_of(["The Konto Open", "the Konto of", "a b cat"], grammar="the of")
    asked = [candidate(side, term) for term in ("konto open", "cat", "konto")]
    assert spellings(side, asked) == dict(zip(asked, ["Konto Open", "cat", "Konto"], strict=True))
    assert spellings(side, iter(asked)) == spellings(side, asked)


@pytest.mark.parametrize("texts", [[], [""], ["12"], ["a text"]])
def test_no_terms_have_no_spellings(texts):
    assert spellings(side_of(texts), []) == {}


# ---- examples

PO = """\
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"
"""
UNITS = [
    ("The account.", "Das Konto."),
    ("Before you can close an account at the end of a year, all of its entries must be deleted.",
     "Bevor Sie ein Konto am Ende eines Jahres schließen, sind alle Buchungen darauf zu löschen."),
    ("Choose the account from the list that is shown below.",
     "Wählen Sie das Konto aus der Liste aus, die unten steht."),
    ("CHOOSE the account from the list that is shown below.",
     "Wählen Sie das Konto aus der Liste aus, die unten steht."),
    ("Enter the account into which it is to be paid.",
     "Geben Sie das Konto ein, auf das gezahlt werden soll."),
]  # fmt: skip


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "de.po"
    rows = [f'msgid "{source}"\nmsgstr "{target}"\n' for source, target in UNITS]
    path.write_text("\n".join([PO, *rows]), encoding="utf-8")
    pairs = ParallelSentences(
        str(path), languages=("en", "de"),
        tokenizer={code: Tokenizer(code, markup=True) for code in ("en", "de")},
    )  # fmt: skip
    return TermText.read([pairs])


def links_in(*units, weights=None):
    """A link in each of some units."""
    places = np.arange(len(units), dtype=np.int32)
    sure = np.ones(len(units), np.float32) if weights is None else np.array(weights, np.float32)
    return Links(np.array(units, np.int32), places, places, sure)


def examples(text, units, number, weights=None):
    """Examples of one pair of terms that is linked in some units, by the units' numbers."""
    links = links_in(*units, weights=weights)
    keys, asked = np.full(len(units), 7), np.array([7])
    (found,) = choose_examples(text, links, keys, asked, number)
    return [UNITS.index((example.source, example.target)) for example in found]


def test_examples_have_the_text_with_its_file_and_unit(text):
    ((found,),) = choose_examples(text, links_in(2), np.array([7]), np.array([7]), 1)
    unit = text.units[2]
    assert found == TermExample(*UNITS[2], unit.file, unit.id)
    assert found.file.endswith("de.po")
    assert found.unit


def test_units_of_about_ten_words_come_first(text):
    assert examples(text, [0, 1, 2, 4], 4) == [4, 2, 0, 1]
    assert examples(text, [0, 1, 2, 4], 1) == [4]


def test_units_that_are_alike_but_for_case_are_shown_once(text):
    assert examples(text, [2, 3], 2) == [2]
    assert examples(text, [2, 3, 0], 2) == [2, 0]


def test_a_unit_is_shown_once_however_often_it_has_the_term(text):
    assert examples(text, [4, 4, 4, 0], 2) == [4, 0]


def test_units_whose_link_is_not_sure_come_later(text):
    assert examples(text, [2, 0], 2, weights=[0.1, 1.0]) == [0, 2]


def test_each_pair_of_terms_has_its_own_examples_in_the_order_asked(text):
    keys = np.array([5, 3, 5, 4])
    found = choose_examples(text, links_in(0, 1, 2, 4), keys, np.array([5, 9, 3]), 3)
    sources = [[UNITS.index((e.source, e.target)) for e in some] for some in found]
    assert sources == [[2, 0], [], [1]]


def test_examples_that_nobody_asked_for_are_none(text):
    links = links_in(0, 2)
    keys = np.array([7, 7])
    assert choose_examples(text, links, keys, np.array([7]), 0) == [()]
    assert choose_examples(text, links, keys, np.array([], np.int64), 2) == []
    nothing = choose_examples(text, links_in(), np.array([], np.int64), np.array([7]), 2)
    assert nothing == [()]
