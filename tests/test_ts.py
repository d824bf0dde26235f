"""TS files of Qt Linguist as parallel text."""

from __future__ import annotations

import pytest

from gensim_bilbowa.corpora.ts import TSPairs
from gensim_bilbowa.errors import CorpusError, ParallelDataError


def message(source, translation):
    return f"<message><location line='1'/><source>{source}</source>{translation}</message>\n"


def done(text):
    return f"<translation>{text}</translation>"


def write(path, *messages, languages='sourcelanguage="en" language="de_DE"'):
    path.write_text(
        f'<?xml version="1.0"?><!DOCTYPE TS><TS version="2.1" {languages}><context>'
        f"<name>Window</name>{''.join(messages)}</context></TS>\n",
        encoding="utf-8",
    )
    return path


@pytest.fixture
def file(tmp_path):
    return tmp_path / "x.ts"


def test_finished_messages_are_read(file):
    write(file, message("A dog", done("Ein Hund")), message("Öl &amp; x", done("Öl")))
    assert list(TSPairs(file, ("en", "de"))) == [("A dog", "Ein Hund"), ("Öl & x", "Öl")]
    assert next(iter(TSPairs(file, ("de", "en")))) == ("Ein Hund", "A dog")


def test_comments_and_old_sources_are_no_text(file):
    notes = "<oldsource>old</oldsource><comment>c</comment><extracomment>e</extracomment>"
    write(file, message("A dog", notes + done("Ein Hund") + "<translatorcomment/>"))
    assert list(TSPairs(file, ("en", "de"))) == [("A dog", "Ein Hund")]


def test_unfinished_vanished_and_obsolete_ones_are_counted(file):
    kinds = ["unfinished", "vanished", "obsolete", "unfinished"]
    left_out = [message("x", f'<translation type="{kind}">y</translation>') for kind in kinds]
    write(file, *left_out, message("A dog", done("Ein Hund")), message("A cat", done(" ")))
    pairs = TSPairs(file, ("en", "de"))
    assert list(pairs) == [("A dog", "Ein Hund")]
    assert pairs.dropped == {"unfinished": 2, "vanished": 1, "obsolete": 1, "untranslated": 1}


def test_first_and_last_plural_form_are_taken(file):
    forms = "".join(f"<numerusform>{text}</numerusform>" for text in ("a", "b", "c"))
    write(file, message("%n", done(forms)), message("%n", done("<numerusform>d</numerusform>")))
    assert list(TSPairs(file, ("en", "de"))) == [("%n", "a"), ("%n", "c"), ("%n", "d")]


def test_longest_variant_is_taken(file):
    variants = "<lengthvariant>one two</lengthvariant><lengthvariant>1 2</lengthvariant>"
    write(file, message("x", f"<translation variants='yes'>{variants}</translation>"))
    assert list(TSPairs(file, ("en", "de"))) == [("x", "one two")]


def test_longest_variant_of_each_form_is_taken(file):
    variants = "<lengthvariant>{}</lengthvariant><lengthvariant>1</lengthvariant>"
    forms = "".join(
        f"<numerusform variants='yes'>{variants.format(text)}</numerusform>" for text in "abc"
    )
    write(file, message("x", done(forms)))
    assert list(TSPairs(file, ("en", "de"))) == [("x", "a"), ("x", "c")]


@pytest.mark.parametrize(
    ("languages", "order"),
    [
        ('language="de"', 1),
        ('language="en"', -1),
        ('sourcelanguage="en"', 1),
        ('sourcelanguage="de-AT"', -1),
        ("", 1),
    ],
)
def test_language_that_is_not_named_is_the_other_one(file, languages, order):
    write(file, message("s", done("t")), languages=languages)
    assert list(TSPairs(file, ("en", "de"))) == [("s", "t")[::order]]


def test_file_of_other_languages_is_refused(file):
    write(file, message("s", done("t")), languages='language="fr"')
    with pytest.raises(ParallelDataError, match="1 without both languages"):
        list(TSPairs(file, ("en", "de")))


def test_bytes_that_xml_forbids_are_counted(file):
    write(file, message('a<byte value="xb"/>b<byte value="x1b"/>c', done("t")))
    pairs = TSPairs(file, ("en", "de"))
    assert list(pairs) == [("a bc", "t")]
    assert pairs.mended == {"characters that XML forbids": 2}


def test_endless_forms_are_refused_with_their_line(file):
    write(file, message("s", done("<numerusform>x</numerusform>" * 101)))
    with pytest.raises(CorpusError, match=r"x\.ts, line 1: a message in more than 100 forms"):
        list(TSPairs(file, ("en", "de")))


def test_damage_is_located(file):
    write(file, message("s", done("t")), "<message>")
    with pytest.raises(CorpusError, match=r"x\.ts, line 2: not well-formed XML"):
        list(TSPairs(file, ("en", "de")))
