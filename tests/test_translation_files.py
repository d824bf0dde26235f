"""XLIFF and PO files as parallel text."""

from __future__ import annotations

import gzip
import sys

import pytest

from gensim_bilbowa import ParallelSentences
from gensim_bilbowa.corpora.po import POPairs
from gensim_bilbowa.corpora.xliff import XLIFFPairs
from gensim_bilbowa.errors import CorpusError, ParallelDataError

ONE = """<?xml version="1.0"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file original="a" source-language="en-US" target-language="de-DE" datatype="plaintext"><body>
<group><trans-unit id="1"><source>The <g id="1">red</g> <x id="2"/>house<ph id="3">%s</ph></source>
<seg-source><mrk mtype="seg">not this</mrk></seg-source>
<target>Das <g id="1">rote</g> <x id="2"/>Haus<ph id="3">%s</ph></target>
<alt-trans><source>nor this</source><target>auch nicht</target></alt-trans><note>x</note>
</trans-unit>
<trans-unit id="2"><source>A dog</source></trans-unit>
<trans-unit id="3"><source>A cat</source><target> </target></trans-unit></group></body></file>
<file original="b" source-language="de" target-language="fr" datatype="plaintext"><body>
<trans-unit id="1"><source>Hund</source><target>chien</target></trans-unit></body></file>
</xliff>
"""

TWO = """<?xml version="1.0"?>
<xliff version="2.1" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" trgLang="de">
<file id="f"><unit id="u"><notes><note>n</note></notes>
<segment><source>A <pc id="1">big</pc> dog.</source>
<target>Ein <pc id="1">großer</pc> Hund.</target></segment>
<ignorable><source> </source><target> </target></ignorable>
<segment><source>A <mrk id="m" type="term">cat</mrk><sc id="s"/>.</source>
<target>Eine Katze<sc id="s"/>.</target></segment>
<segment state="initial"><source>New</source></segment></unit></file></xliff>
"""

PO = r"""# comment
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"
"Language: de\n"

#: a.c:1
msgctxt "menu"
msgid "Open the \"file\""
msgstr "Die „Datei“ öffnen"

msgid "one dog"
msgid_plural "%d dogs"
msgstr[0] "ein Hund"
msgstr[1] "%d Hunde"

msgid ""
"two "
"lines"
msgstr ""
"zwei "
"Zeilen"

#, fuzzy
msgid "fuzzy"
msgstr "unscharf"

msgid "new"
msgstr ""

#~ msgid "old"
#~ msgstr "alt"
"""


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


# ---- XLIFF


def test_translated_units_of_version_1_are_read_without_markup(tmp_path, caplog):
    pairs = XLIFFPairs(write(tmp_path / "x.xlf", ONE), ("en", "de"))
    assert list(pairs) == [("The red house", "Das rote Haus")]
    assert pairs.skipped == {"untranslated": 2, "without both languages": 1}
    assert "left out: 2 untranslated" in caplog.text
    assert list(XLIFFPairs(tmp_path / "x.xlf", ("fr", "de"))) == [("chien", "Hund")]


def test_segments_of_version_2_are_read(tmp_path):
    pairs = XLIFFPairs(write(tmp_path / "x.xliff", TWO), ("de", "en"))
    assert list(pairs) == [("Ein großer Hund.", "A big dog."), ("Eine Katze.", "A cat.")]
    assert pairs.skipped == {"untranslated": 1}


def test_file_without_a_target_language_says_so(tmp_path):
    unit = "<trans-unit><source>a</source><target>b</target></trans-unit>"
    file = f"<file source-language='en'><body>{unit}</body></file>"
    path = write(tmp_path / "x.xlf", f"<xliff version='1.2'>{file}</xliff>")
    with pytest.raises(ParallelDataError, match="1 in a file that names no target language"):
        list(XLIFFPairs(path, ("en", "de")))


def test_damage_is_located(tmp_path):
    path = write(tmp_path / "x.xlf", ONE.replace("</target>\n<alt", "</targte>\n<alt"))
    with pytest.raises(CorpusError, match=r"x\.xlf, line 6: not well-formed XML: mismatched tag"):
        list(XLIFFPairs(path, ("en", "de")))


# ---- PO


def test_translated_messages_are_read(tmp_path):
    pairs = POPairs(write(tmp_path / "x.po", PO), ("en", "de"))
    assert list(pairs) == [
        ('Open the "file"', "Die „Datei“ öffnen"),
        ("one dog", "ein Hund"),
        ("%d dogs", "%d Hunde"),
        ("two lines", "zwei Zeilen"),
    ]
    assert pairs.skipped == {"fuzzy": 1, "untranslated": 1, "obsolete": 1}


@pytest.mark.parametrize(("header", "order"), [("de_AT", 1), ("de", 1), ("en", -1), ("", 1)])
def test_header_says_which_language_the_translations_are_in(tmp_path, header, order):
    path = write(tmp_path / "x.po", PO.replace("Language: de", f"Language: {header}"))
    first = next(iter(POPairs(path, ("en", "de"))))
    assert first == ('Open the "file"', "Die „Datei“ öffnen")[::order]


def test_catalog_of_another_language_is_refused(tmp_path):
    path = write(tmp_path / "x.po", PO.replace("Language: de", "Language: fr"))
    with pytest.raises(ParallelDataError, match="6 in 'fr' by the header"):
        list(POPairs(path, ("en", "de")))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (PO.replace("#, fuzzy", "this is not PO").encode(), "no PO file: .*line 24"),
        (b"\x00", "no PO file"),
        (PO.encode().replace("ö".encode(), b"\xff"), r"line 10: not UTF-8"),
    ],
)
def test_damaged_catalogs_are_located(tmp_path, data, message):
    (tmp_path / "x.po").write_bytes(data)
    with pytest.raises(CorpusError, match=message) as caught:
        list(POPairs(tmp_path / "x.po", ("en", "de")))
    assert "x.po" in str(caught.value)


def test_missing_polib_is_named_with_its_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "polib", None)
    with pytest.raises(ImportError, match=r"gensim_bilbowa\[po\]"):
        list(POPairs(write(tmp_path / "x.po", PO), ("en", "de")))


# ---- both


@pytest.mark.parametrize(("name", "text"), [("a.xlf", ONE), ("a.XLIFF", TWO), ("a.po", PO)])
def test_files_are_parallel_text_by_their_names(tmp_path, name, text):
    path = tmp_path / name
    packed = tmp_path / f"{name}.gz"
    write(path, text)
    packed.write_bytes(gzip.compress(path.read_bytes()))
    read = [list(ParallelSentences(file, languages=("en", "de"))) for file in (path, packed)]
    assert read[0] == read[1]
    assert all(token == token.lower() for pair in read[0] for side in pair for token in side)
