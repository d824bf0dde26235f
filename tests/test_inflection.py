"""Forms of one word, which only their endings and their translations tell."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import sparse

from gensim_bilbowa import ParallelSentences
from gensim_bilbowa.evidence import align
from gensim_bilbowa.terminology.inflection import word_classes
from gensim_bilbowa.terminology.text import TermText

DATA = Path(os.environ.get("DATA", "../shared/data"))
GNUCASH = DATA / "glossaries/gnucash/de.po"

# Three pairs of forms, as many as make a pair of endings known.
PLURALS = "window windows file files report reports"
FINNISH = "kirjasto kirjastossaan tiedosto tiedostossaan laitteisto laitteistossaan"


def heads_of(table, *, language="en", counts=None, capitals=None, asked=None, others=None,
             other_forms=None):  # fmt: skip
    """Return the head of each word that has another one.

    `table` has the words and what each is aligned to: one word, or counts by words; `other_forms`
    the heads of those that have one, where the forms of the other language are known.
    """
    words = list(table)
    rows = [to if isinstance(to, dict) else {to: 1} for to in table.values()]
    names = others or sorted({name for row in rows for name in row})
    aligned = np.array([[row.get(name, 0) for name in names] for row in rows], np.float32)
    classes = word_classes(
        words,
        # Those that come first in the table are more frequent.
        np.array([(counts or {}).get(word, 1000 - n) for n, word in enumerate(words)], np.int64),
        np.array([(capitals or {}).get(word, 0.0) for word in words]),
        sparse.csr_array(aligned.reshape(len(words), len(names))),
        names,
        language,
        np.array([asked is None or word in asked for word in words], bool),
        None if other_forms is None else
        np.array([names.index(other_forms.get(name, name)) for name in names], np.int32),
    )  # fmt: skip
    assert classes.dtype == np.int32
    return {
        word: words[head]
        for word, head in zip(words, classes.tolist(), strict=True)
        if words[head] != word
    }


def translated(words, *, by=lambda stem: stem):
    """Return the words of a text two by two, both of each two aligned to one other word."""
    listed = words.split()
    return {word: by(f"x{listed[n - n % 2]}") for n, word in enumerate(listed)}


# ---- what belongs together


@pytest.mark.parametrize(
    ("table", "language", "expected"),
    [
        (translated(f"account accounts {PLURALS}"), "en", {"accounts": "account"}),
        (translated("category categories currency currencies quantity quantities"), "en",
         {"categories": "category"}),
        (translated("konto konten saldo salden risiko risiken"), "de", {"konten": "konto"}),
        (translated("vorgang vorgänge bestand bestände schrank schränke"), "de",
         {"vorgänge": "vorgang"}),
        (translated("canción canciones acción acciones opción opciones"), "es",
         {"canciones": "canción"}),
        (translated("книга книги дорога дороги нога ноги"), "ru", {"книги": "книга"}),
        (translated("ev evlerinden okul okullarından araba arabalarından "
                    "çocuk çocuklarından kitap kitaplarından"), "tr", {}),
        (translated(FINNISH), "fi",
         {"kirjastossaan": "kirjasto"}),
    ],
)  # fmt: skip
def test_words_with_the_same_endings_and_translations_are_forms(table, language, expected):
    found = heads_of(table, language=language)
    assert expected.items() <= found.items()
    assert set(found.values()).isdisjoint(found)


def test_form_of_many_endings_needs_a_language_of_such():
    table = translated(FINNISH)
    assert heads_of(table, language="en") == {}
    assert len(heads_of(table, language="fi-FI")) == 3


def test_translations_that_begin_alike_are_the_same():
    table = {
        "account": "konto", "accounts": "konten", "book": "buch", "books": "bücher",
        "file": "datei", "files": "dateien", "child": "kind", "childs": "jungen",
    }  # fmt: skip
    assert heads_of(table) == {"accounts": "account", "books": "book", "files": "file"}


def test_most_frequent_form_is_the_head():
    table = translated(PLURALS)
    few = {"windows": 900, "window": 1, "files": 900, "file": 2}
    found = heads_of(table, counts=few)
    assert found == {"window": "windows", "file": "files", "reports": "report"}


def test_of_equally_frequent_forms_the_first_is_the_head():
    table = translated(PLURALS)
    assert heads_of(table, counts=dict.fromkeys(table, 5))["windows"] == "window"


def test_forms_of_one_head_are_many():
    stems = ["klein", "rund", "blau", "warm", "kurz"]
    table = {f"{stem}{ending}": stem for ending in ("e", "en", "er", "es", "em") for stem in stems}
    found = heads_of(table, language="de")
    assert found == {word: f"{stem}e" for word, stem in table.items() if word != f"{stem}e"}


def test_no_form_is_the_head_of_another():
    # Each ending is known with the next one only.
    words = [(stem, f"{stem}a", f"{stem}ab") for stem in ("wund", "gurt", "molk", "filz")]
    table = {word: forms[0] for forms in zip(*words, strict=True) for word in forms}
    table = {word: word[:4] for word in table}
    found = heads_of(table)
    assert set(found.values()).isdisjoint(found)
    assert found


# ---- what does not


def test_words_with_other_translations_are_apart():
    table = translated(PLURALS) | {"new": "neu", "news": "nachricht"}
    assert "news" not in heads_of(table)
    assert heads_of(table)["windows"] == "window"


def test_endings_that_only_two_words_have_are_none():
    table = translated(f"date data {PLURALS}")
    assert "data" not in heads_of(table)
    # Three that also end many words with other translations are none, either.
    table = translated("date data ware wara like lika")
    assert len(heads_of(table)) == 3
    for stem in ("lab", "mac", "pap", "rat", "sag"):
        table |= {f"{stem}e": f"e{stem}", f"{stem}a": f"a{stem}"}
    assert heads_of(table) == {}


def test_part_of_translations_in_common_is_too_little():
    def with_windows(own, common):
        table = translated("file files report reports table tables")
        table |= {"window": {"a": own, "b": common}, "windows": {"c": own, "b": common}}
        return heads_of(table)

    assert "windows" in with_windows(1, 2)  # a cosine of 4 / 5
    assert "windows" not in with_windows(2, 1)  # of 1 / 5


def test_noun_and_verb_are_apart_where_nouns_have_a_capital():
    nouns = translated("form formen zahl zahlen uhr uhren")
    table = nouns | translated("kauf kaufen druck drucken lauf laufen")
    capitals = dict.fromkeys([*nouns, "kauf", "druck", "lauf"], 0.98)
    found = heads_of(table, language="de", capitals=capitals)
    assert found == {"formen": "form", "zahlen": "zahl", "uhren": "uhr"}
    # Elsewhere a capital says nothing.
    assert len(heads_of(table, language="en", capitals=capitals)) == 6


def test_short_stems_and_long_endings_are_none():
    table = translated("is isen go goen at aten") | translated("ab abend no nomad in indue")
    assert heads_of(table) == {}


def test_words_that_are_not_asked_for_stay_alone():
    table = translated(PLURALS)
    table |= translated("table tables")
    assert heads_of(table, asked=set(table) - {"tables"}).keys() == {"windows", "files", "reports"}
    assert heads_of(table, asked={"file", "files"}) == {}


def test_words_that_are_aligned_to_nothing_stay_alone():
    table = {word: {"x": 0} for word in translated(PLURALS)}
    assert heads_of(table) == {}


def test_no_words_have_no_classes():
    assert heads_of({}) == {}
    assert heads_of({"file": "datei"}) == {}


# Three words and their adjectives, whose translations begin alike.
ADJECTIVES = {
    "person": "person", "personal": "persönlich", "nation": "nation", "national": "national",
    "region": "region", "regional": "regionale",
}  # fmt: skip


def plurals(number):
    """Words with an s more in their plural; no two begin alike, nor do their translations."""
    some = itertools.islice(itertools.product("bdfgkmprt", "aeiou", "lnvz"), number)
    return translated(" ".join(f"{word}elm {word}elms" for word in map("".join, some)))


def test_forms_of_rare_endings_are_translated_by_forms_of_one_word():
    together = {"personal": "person", "national": "nation", "regional": "region"}
    many = plurals(60) | ADJECTIVES  # 3 of 63 are less than a twentieth
    found = heads_of(many)
    assert together.items() <= found.items()
    assert len(found) == 63
    apart = heads_of(many, other_forms={})
    assert apart == {word: head for word, head in found.items() if word not in together}
    # Each by its own translations.
    assert heads_of(many, other_forms={"national": "nation"}) == apart | {"national": "nation"}


def test_rare_endings_are_those_of_few_forms():
    together = {"personal": "person", "national": "nation", "regional": "region"}
    few = plurals(57) | ADJECTIVES  # 3 of 60 are a twentieth
    assert together.items() <= heads_of(few, other_forms={}).items()


def test_forms_of_rare_endings_whose_translations_are_forms_stay_together():
    others = {"persönlich": "person", "national": "nation", "regionale": "region"}
    found = heads_of(plurals(60) | ADJECTIVES, other_forms=others)
    assert {"personal": "person", "national": "nation", "regional": "region"}.items() <= (
        found.items()
    )


def test_translations_that_are_forms_need_not_begin_alike():
    table = {
        "goose": "gans", "gooses": "gänse", "mouse": "maus", "mouses": "nager",
        "house": "haus", "houses": "bauten",
    }  # fmt: skip
    assert heads_of(table, other_forms={}) == {}
    others = {"gänse": "gans", "nager": "maus", "bauten": "haus"}
    assert heads_of(table, other_forms=others) == {
        "gooses": "goose", "mouses": "mouse", "houses": "house",
    }  # fmt: skip


@pytest.mark.parametrize(("endings", "forms"), [(("10", "13"), 0), (("-a", "-b"), 4)])
def test_of_codes_the_digits_tell_which(endings, forms):
    names = "iso-8859", "windows-", "latinum-", "codepage"
    letters = "iso-abcd", *names[1:]
    stems = names if forms == 0 else letters
    table = {f"{stem}{ending}": stem for stem in stems for ending in endings}
    assert len(heads_of(table)) == forms


@pytest.mark.parametrize("word", ["x264", "mp3", "utf-8", "2nd"])
def test_words_with_a_digit_have_no_forms(word):
    table = translated(f"{PLURALS} {word} {word}s")
    assert heads_of(table).keys() == {"windows", "files", "reports"}


@pytest.mark.parametrize(("number", "forms"), [(64, 63), (65, 0)])
def test_more_words_that_begin_alike_are_no_forms(number, forms):
    stems = "kelvin", "morgan", "tunnel"
    endings = [chr(ord("一") + n) for n in range(number)]
    table = {f"{stem}{ending}": stem for ending in endings for stem in stems}
    found = heads_of(table)
    assert len(found) == 3 * forms
    assert set(found.values()) <= {f"{stem}一" for stem in stems}


# ---- any words


WORDS = st.text("abes", min_size=1, max_size=6) | st.sampled_from(
    [
        "konto",
        "konten",
        "größe",
        "grösse",
        "é",
        "e\u0301e\u0301e\u0301",
        "中文",
        "ΐΐΐ",
        "l'a",
        "a-b",
    ]
)


@given(
    st.lists(st.tuples(WORDS, st.integers(1, 9), st.integers(0, 3), st.booleans()),
             unique_by=lambda row: row[0], max_size=30),
    st.sampled_from(["en", "de", "fi", "tr-TR", "zz"]),
)  # fmt: skip
@example(
    [(f"{a}{b}aa{e}", 1 + len(e), 0, True) for a in "ab" for b in "abe" for e in ("", "a", "es")],
    "en",
)
def test_head_is_its_own_class_and_never_rarer(rows, language):
    words = [row[0] for row in rows]
    counts = np.array([row[1] for row in rows], np.int64)
    targets = np.array([row[2] for row in rows], np.int64)
    asked = np.array([row[3] for row in rows], bool)
    aligned = sparse.csr_array(np.eye(4, dtype=np.float32)[targets].reshape(len(words), 4))
    classes = word_classes(
        words, counts, np.zeros(len(words)), aligned, ["one", "two", "three", "four"], language,
        asked,
    )  # fmt: skip
    assert (classes[classes] == classes).all()
    assert (counts[classes] >= counts).all()
    moved = classes != np.arange(len(words))
    assert asked[moved].all()
    assert asked[classes[moved]].all()
    assert (targets[moved] == targets[classes[moved]]).all()


def test_real_text_is_grouped_by_its_inflection():
    if not GNUCASH.exists():
        pytest.skip("research data are not there")
    text = TermText.read([ParallelSentences(GNUCASH, languages=("en", "de"))])
    english, german = text.sides
    aligned = align(
        [(english.lower_corpus, german.lower_corpus)], english.lower_words, german.lower_words
    )
    counts = np.bincount(english.lower[english.ids], minlength=len(english.lower_words))
    words = english.lower_words
    asked = np.array([len(word) > 1 and word.isalpha() for word in words]) & (counts > 1)
    classes = word_classes(
        words, counts, np.zeros(len(words)), aligned, german.lower_words, "en", asked
    )
    heads = {word: words[head] for word, head in zip(words, classes, strict=True)}
    for plural, singular in (
        ("accounts", "account"), ("transactions", "transaction"), ("splits", "split"),
        ("currencies", "currency"), ("invoices", "invoice"), ("categories", "category"),
    ):  # fmt: skip
        assert heads[plural] == heads[singular]
    for one, other in (("account", "accounting"), ("date", "data"), ("form", "format")):
        assert heads.get(one, one) != heads.get(other, other)
