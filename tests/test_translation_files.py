"""XLIFF and PO files as parallel text."""

from __future__ import annotations

import gzip
import sys

import pytest

from gensim_bilbowa import ParallelSentences
from gensim_bilbowa.corpora import po
from gensim_bilbowa.corpora.po import POPairs
from gensim_bilbowa.corpora.xliff import XLIFFPairs
from gensim_bilbowa.errors import CorpusError, CorpusNotFoundError, ParallelDataError

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
    assert pairs.dropped == {"untranslated": 2, "without both languages": 1}
    assert "left out: 2 untranslated" in caplog.text
    assert list(XLIFFPairs(tmp_path / "x.xlf", ("fr", "de"))) == [("chien", "Hund")]


def test_segments_of_version_2_are_read(tmp_path):
    pairs = XLIFFPairs(write(tmp_path / "x.xliff", TWO), ("de", "en"))
    assert list(pairs) == [("Ein großer Hund.", "A big dog."), ("Eine Katze.", "A cat.")]
    assert pairs.dropped == {"untranslated": 1}


def test_file_without_languages_says_so(tmp_path):
    unit = "<trans-unit><source>a</source><target>b</target></trans-unit>"
    file = f"<file><body>{unit}</body></file>"
    path = write(tmp_path / "x.xlf", f"<xliff version='1.2'>{file}</xliff>")
    with pytest.raises(ParallelDataError, match="1 in a file that does not name its languages"):
        list(XLIFFPairs(path, ("en", "de")))


@pytest.mark.parametrize(
    ("text", "given", "changed", "languages", "untranslated"),
    [
        (ONE, "<target>Das", "<target state='new'>Das", ("de", "fr"), 3),
        (ONE, "<target>Das", "<target state='needs-translation'>Das", ("de", "fr"), 3),
        (ONE, "<target>Das", "<target state='translated'>Das", ("de", "fr"), 2),
        (TWO, "<segment><source>A <pc", "<segment state='initial'><source>A <pc", ("en", "de"), 2),
    ],
)
def test_targets_that_nobody_has_begun_are_left_out(
    tmp_path, text, given, changed, languages, untranslated
):
    assert text.count(given) == 1
    pairs = XLIFFPairs(write(tmp_path / "x.xlf", text.replace(given, changed)), languages)
    assert len(list(pairs)) == 1
    assert pairs.dropped["untranslated"] == untranslated


def test_language_of_one_target_is_not_that_of_the_next(tmp_path):
    text = ONE.replace("<target>Das", "<target xml:lang='nl'>Das").replace(
        "<target> </target>", "<target>Eine Katze</target>"
    )
    pairs = XLIFFPairs(write(tmp_path / "x.xlf", text), ("en", "de"))
    assert list(pairs) == [("A cat", "Eine Katze")]
    assert next(iter(XLIFFPairs(tmp_path / "x.xlf", ("en", "nl"))))[0] == "The red house"


def test_embedded_document_of_any_size_is_passed_over(tmp_path):
    embedded = (
        "<header><skl><internal-file>" + "QUJD" * (5 << 20) + "</internal-file></skl></header>"
    )
    path = write(tmp_path / "x.xlf", ONE.replace("><body>", f">{embedded}<body>", 1))
    assert list(XLIFFPairs(path, ("en", "de"))) == [("The red house", "Das rote Haus")]


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
    assert pairs.dropped == {"fuzzy": 1, "untranslated": 1, "obsolete": 1}


@pytest.mark.parametrize(("header", "order"), [("de_AT", 1), ("de", 1), ("en", -1), ("", 1)])
def test_header_says_which_language_the_translations_are_in(tmp_path, header, order):
    path = write(tmp_path / "x.po", PO.replace("Language: de", f"Language: {header}"))
    first = next(iter(POPairs(path, ("en", "de"))))
    assert first == ('Open the "file"', "Die „Datei“ öffnen")[::order]


@pytest.mark.parametrize("charset", ["ISO-8859-1", "utf-8", "cp1252"])
def test_catalog_is_read_in_the_charset_of_its_header(tmp_path, charset):
    text = PO.replace("UTF-8", charset).replace("„", '\\"').replace("“", '\\"')
    (tmp_path / "x.po").write_bytes(text.encode(charset))
    pairs = POPairs(tmp_path / "x.po", ("en", "de"))
    assert next(iter(pairs)) == ('Open the "file"', 'Die "Datei" öffnen')


def test_template_without_a_charset_is_utf8(tmp_path):
    (tmp_path / "x.po").write_bytes(PO.replace("UTF-8", "CHARSET").encode("utf-8-sig"))
    assert next(iter(POPairs(tmp_path / "x.po", ("en", "de"))))[1] == "Die „Datei“ öffnen"


def test_catalog_of_another_language_is_refused(tmp_path):
    path = write(tmp_path / "x.po", PO.replace("Language: de", "Language: fr"))
    with pytest.raises(ParallelDataError, match="6 in 'fr' by the header"):
        list(POPairs(path, ("en", "de")))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (PO.replace("#, fuzzy", "this is not PO").encode(), "no PO file: .*line 24"),
        (b"\x00", "no PO file"),
        (PO.replace('msgstr[1] "%d Hunde"', "msgstr").encode(), "no PO file"),
        (PO.encode().replace("ö".encode(), b"\xff"), r"line 10, byte 25: not UTF-8 \(0xff\)"),
        (PO.replace("UTF-8", "klingon").encode(), r"x\.po: its header names the charset 'klingon'"),
        (PO.replace("UTF-8", "hex").encode(), r"x\.po: its header names the charset 'hex'"),
    ],
)
def test_damaged_catalogs_are_located(tmp_path, data, message):
    (tmp_path / "x.po").write_bytes(data)
    with pytest.raises(CorpusError, match=message) as caught:
        list(POPairs(tmp_path / "x.po", ("en", "de")))
    assert "x.po" in str(caught.value)


def test_plural_with_one_translation_of_the_singular_is_read(tmp_path):
    text = PO.replace('msgstr[0] "ein Hund"\nmsgstr[1] "%d Hunde"', 'msgstr "ein Hund"')
    pairs = list(POPairs(write(tmp_path / "x.po", text), ("en", "de")))
    assert pairs[1:3] == [("one dog", "ein Hund"), ("two lines", "zwei Zeilen")]


def test_missing_catalog_is_named(tmp_path):
    with pytest.raises(CorpusNotFoundError, match=r"no such file: .*nowhere\.po"):
        list(POPairs(tmp_path / "nowhere.po", ("en", "de")))


def test_catalog_that_would_fill_the_memory_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(po, "_LARGEST", 100_000)
    (tmp_path / "x.po.gz").write_bytes(gzip.compress(PO.encode() + b"#\n" * 5_000_000))
    with pytest.raises(CorpusError, match=r"x\.po\.gz: more than 100,000 bytes"):
        list(POPairs(tmp_path / "x.po.gz", ("en", "de")))


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
