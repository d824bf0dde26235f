"""XLIFF files as parallel text, and how translation files are told."""

from __future__ import annotations

import gzip

import pytest

from gensim_bilbowa import ParallelSentences
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

PO = r"""msgid ""
msgstr "Language: de\n"

msgid "Open the \"file\""
msgstr "Die „Datei“ öffnen"
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
