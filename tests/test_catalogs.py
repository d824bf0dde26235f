"""gettext's PO and MO files as parallel text."""

from __future__ import annotations

import gzip
import shutil
import struct
import subprocess

import polib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from work import little_work

from gensim_bilbowa.corpora import catalogs
from gensim_bilbowa.corpora.mo import MOPairs
from gensim_bilbowa.corpora.po import POPairs
from gensim_bilbowa.errors import CorpusError, CorpusNotFoundError, ParallelDataError

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
READ = [
    ('Open the "file"', "Die „Datei“ öffnen"),
    ("one dog", "ein Hund"),
    ("%d dogs", "%d Hunde"),
    ("two lines", "zwei Zeilen"),
]
HEADER = 'msgid ""\nmsgstr "Language: de\\nContent-Type: text/plain; charset=UTF-8\\n"\n\n'


def write(path, text):
    path.write_bytes(text.encode())
    return path


def po(tmp_path, text, errors="strict"):
    data = text if isinstance(text, bytes) else text.encode()
    (tmp_path / "x.po").write_bytes(data)
    return POPairs(tmp_path / "x.po", ("en", "de"), errors)


def mo(tmp_path, strings, order="<", header="Language: de\nContent-Type: a; charset=UTF-8\n"):
    """Write pairs of bytes as an MO file."""
    strings = [(b"", header.encode()), *strings] if header is not None else strings
    count = len(strings)
    places, data = ([], []), b""
    for side in (0, 1):
        for pair in strings:
            places[side].append((len(pair[side]), 28 + 16 * count + len(data)))
            data += pair[side] + b"\0"
    tables = b"".join(struct.pack(f"{order}2I", *place) for side in places for place in side)
    start = struct.pack(f"{order}7I", 0x950412DE, 0, count, 28, 28 + 8 * count, 0, 28 + 16 * count)
    (tmp_path / "x.mo").write_bytes(start + tables + data)
    return MOPairs(tmp_path / "x.mo", ("en", "de"))


# ---- PO


def test_translated_messages_are_read(tmp_path, caplog):
    pairs = po(tmp_path, PO)
    assert list(pairs) == READ
    assert pairs.dropped == {"fuzzy": 1, "untranslated": 1, "obsolete": 1}
    assert not pairs.mended


@pytest.mark.parametrize(
    ("header", "order"),
    [("de_AT", 1), ("de", 1), ("de_DE.UTF-8", 1), ("de@euro", 1), ("en", -1), ("", 1)],
)
def test_header_says_which_language_the_translations_are_in(tmp_path, header, order):
    first = next(iter(po(tmp_path, PO.replace("Language: de", f"Language: {header}"))))
    assert first == READ[0][::order]


@pytest.mark.parametrize(("named", "order"), [("pt_BR", 1), ("pt", -1), ("pt_PT", -1)])
@pytest.mark.parametrize("turned", [False, True])
def test_header_may_name_one_of_two_variants(tmp_path, named, order, turned):
    path = write(tmp_path / "x.po", PO.replace("Language: de", f"Language: {named}"))
    languages = ("pt-BR", "pt") if turned else ("pt", "pt-BR")
    first = next(iter(POPairs(path, languages)))
    assert first == READ[0][:: -order if turned else order]


@pytest.mark.parametrize("charset", ["ISO-8859-1", "utf-8", "utf8", "UTF8", "cp1252", "shift_jis"])
@pytest.mark.parametrize("quote", ["", "'", r"\""])
def test_catalog_is_read_in_the_charset_of_its_header(tmp_path, charset, quote):
    word = "表示" if charset == "shift_jis" else "öffnen"  # the first has a backslash's byte in it
    text = PO.replace("UTF-8", f"{quote}{charset}{quote}").replace("Die „Datei“ öffnen", word)
    assert next(iter(po(tmp_path, text.encode(charset)))) == (READ[0][0], word)


@pytest.mark.parametrize(
    ("charset", "codec", "word"),
    [("ISO-8859-1", "cp1252", "„öffnen“"), ("GB2312", "gb18030", "镕"), ("EUC-KR", "cp949", "똠")],
)
def test_characters_of_the_larger_charset_that_writers_use_are_read(tmp_path, charset, codec, word):
    message = f'\nmsgid "a"\nmsgstr "{word}"\n'
    text = HEADER.replace("UTF-8", charset) + message
    assert list(po(tmp_path, text.encode(codec))) == [("a", word)]


def test_contexts_and_plurals_of_old_catalogs_of_kde_are_no_text(tmp_path):
    text = (
        'msgid "_: a verb\\n"\n"Open"\nmsgstr "Öffnen"\n\n'
        'msgid "_n: one dog\\n"\n"%n dogs"\nmsgstr "ein Hund\\n"\n"%n Hunde"\n'
    )
    assert list(po(tmp_path, HEADER + text)) == [
        ("Open", "Öffnen"), (" one dog", "ein Hund"), ("%n dogs", "%n Hunde"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "asked", ["translator-credits", "Your names", "_: NAME OF TRANSLATORS\\nYour names"]
)
def test_credits_of_translators_are_counted(tmp_path, asked):
    pairs = po(tmp_path, PO + f'\nmsgid "{asked}"\nmsgstr "A. Muster"\n')
    assert list(pairs) == READ
    assert pairs.dropped["credits of translators"] == 1


def test_texts_in_utf8_in_a_compiled_catalog_that_says_it_is_latin_are_read(tmp_path):
    strings = [(b"a", "Öffnen".encode()), (b"b", "Öl".encode("latin-1"))]
    pairs = mo(tmp_path, strings, header="Content-Type: a; charset=ISO-8859-1\n")
    assert list(pairs) == [("a", "Öffnen"), ("b", "Öl")]
    assert pairs.mended == {"texts in UTF-8 in a catalog that says ISO-8859-1": 1}


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-be"])
def test_byte_order_mark_says_more_than_the_header(tmp_path, codec):
    text = ("\ufeff" if codec == "utf-16-be" else "") + PO.replace("UTF-8", "CHARSET")
    assert list(po(tmp_path, text.encode(codec))) == READ


def test_template_without_a_charset_is_utf8(tmp_path):
    assert next(iter(po(tmp_path, PO.replace("UTF-8", "CHARSET"))))[1] == "Die „Datei“ öffnen"


def test_catalog_without_a_header_is_utf8(tmp_path):
    assert list(po(tmp_path, 'msgid "ä"\nmsgstr "ö"\n')) == [("ä", "ö")]


def test_header_may_come_late(tmp_path):
    text = PO.replace("UTF-8", "latin1").replace("„", "").replace("“", "")
    _, header, rest = text.partition('msgid ""\nmsgstr ""\n"Content')
    fields, _, rest = rest.partition("\n\n")
    text = rest + "\n" + header + fields + "\n"
    assert next(iter(po(tmp_path, text.encode("latin-1"))))[1] == "Die Datei öffnen"


def test_utf8_that_says_it_is_latin_is_read_and_told(tmp_path, caplog):
    pairs = po(tmp_path, PO.replace("UTF-8", "ISO-8859-1"))
    assert list(pairs) == READ
    assert pairs.mended == {"catalog in UTF-8 that says ISO-8859-1": 1}
    assert "mended: 1 catalog in UTF-8" in caplog.text


def test_catalog_of_another_language_is_refused(tmp_path):
    pairs = po(tmp_path, PO.replace("Language: de", "Language: fr"))
    with pytest.raises(ParallelDataError, match=r"x\.po, line 5: .* in 'fr'; 'en' or 'de' is want"):
        list(pairs)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (PO.replace("#, fuzzy", "this is not PO"), r"x\.po, line 24: not PO: 'this is not PO'"),
        (b"\x00", r"x\.po, line 1: not PO"),
        (PO.replace('msgstr[1] "%d Hunde"', "msgstr"), r"x\.po, line 15: not PO"),
        (PO.encode().replace("ö".encode(), b"\xff"), r"line 10, byte 25: not UTF-8 \(0xff\)"),
        (HEADER + 'msgid "dog"\nmsgstr "Hund\n\nmsgid "a"\nmsgstr "b"', "line 5: a text without "
         "its closing quote: 'msgstr \"Hund'"),
        (HEADER + 'msgid "dog"\nmsgstr ""\n"Hu"\n"nd\\"\n', "line 7: a text without its closing"),
        (HEADER + 'msgid "dog\nmsgstr "Hund"\n', "line 4: a text without its closing quote"),
        (HEADER + 'msgid "a "dog" barks"\nmsgstr "Hund"\n', "line 4: not PO"),
        ('"dog"\nmsgid "a"\nmsgstr "b"', "line 1: a text that belongs to nothing: '\"dog\"'"),
        (HEADER + 'msgid "a"\n\nmsgid "b"\nmsgstr "c"', "line 6: msgid after msgid"),
        (HEADER + 'msgstr "c"', "line 4: msgstr after msgstr"),
        (HEADER + '# x\nmsgstr "c"', "line 5: msgstr at the beginning of a message"),
        (HEADER + 'msgid "a"\nmsgid_plural "b"', "line 4: a message without a msgstr"),
        (HEADER + 'msgid "a"\nmsgstr[0] "b"', r"line 5: msgstr\[\] after msgid"),
        (HEADER + 'msgid "a"\nmsgid_plural "b"\nmsgstr[0] "c"\nmsgstr[0] "d"', r"line 7: a second "
         r"msgstr\[0\]"),
        (HEADER + 'msgctxt[0] "a"\nmsgid "a"\nmsgstr "b"', r"line 4: msgctxt\[\]"),
    ],
)  # fmt: skip
def test_damaged_catalogs_are_located(tmp_path, data, message):
    with pytest.raises(CorpusError, match=message):
        list(po(tmp_path, data))


@pytest.mark.parametrize(
    "charset",
    ["klingon", "hex", "rot13", "base64", "zlib", "punycode", "idna", "undefined", "utf-7",
     "unicode_escape", "raw_unicode_escape", "utf-16", "cp037", "x" * 5000],
)  # fmt: skip
@pytest.mark.parametrize("errors", ["strict", "ignore"])
def test_charset_in_which_no_catalog_can_be_is_refused(tmp_path, charset, errors):
    with pytest.raises(CorpusError, match=r"x\.po: its header names the charset") as caught:
        list(po(tmp_path, PO.replace("UTF-8", charset), errors))
    assert charset[:50] in str(caught.value)
    assert len(str(caught.value)) < 300


def test_header_that_says_utf8_of_latin_bytes_is_an_error_or_read_as_asked(tmp_path):
    data = (HEADER + 'msgid "house"\nmsgstr "Häuschen"\n').encode("latin-1")
    with pytest.raises(CorpusError, match=r"x\.po, line 5, byte 10: not UTF-8 \(0xe4\).*errors="):
        list(po(tmp_path, data))
    for errors, read in [("replace", "H\ufffduschen"), ("ignore", "Huschen")]:
        pairs = po(tmp_path, data, errors)
        assert list(pairs) == [("house", read)]
        assert pairs.mended == {"catalog with bytes that are not UTF-8": 1}


@pytest.mark.parametrize("character", [*"\u2028\u2029\x85\f\v\x1c\r"])
def test_separators_of_lines_may_stand_in_messages_and_comments(tmp_path, character):
    text = f'# a{character}b\n#. "\n#: x{character}y\nmsgid "the{character}dog"\nmsgstr "der Hund"'
    assert list(po(tmp_path, HEADER + text)) == [(f"the{character}dog", "der Hund")]


@pytest.mark.parametrize("charset", ["ascii", "latin1", "koi8-r", "cp874", "ISO-8859-8"])
def test_bytes_show_that_a_charset_is_wrong(tmp_path, charset):
    pairs = po(tmp_path, PO.replace("UTF-8", charset))
    assert list(pairs) == READ
    assert pairs.mended.total() == 1


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_lines_may_end_as_those_of_other_systems(tmp_path, end):
    assert list(po(tmp_path, PO.replace("\n", end))) == READ


@pytest.mark.parametrize(
    ("text", "dropped"),
    [
        ('#,fuzzy\nmsgid "a"\nmsgstr "b"\n', {"fuzzy": 1}),
        ('#, c-format,fuzzy , x\nmsgid "a"\nmsgstr "b"\n', {"fuzzy": 1}),
        ('#, no-fuzzy\nmsgid "a"\nmsgstr "b"\n', {}),
        ('#fuzzy\n#comment "\n#\n##\n#.x\n#:\n#|\nmsgid "a"\nmsgstr "b"\n', {}),
        ('#| msgctxt "x"\n#| msgid ""\n#| "old"\nmsgid "a"\nmsgstr "b"\n', {}),
        ('#~| msgid "older"\n#~ msgid ""\n#~ "old"\n#~msgstr "alt"\n', {"obsolete": 1}),
        ('#~ msgid "old"\n#~ msgid_plural "s"\n#~ msgstr[0] "alt"\n', {"obsolete": 1}),
    ],
)
def test_marks_of_messages_are_read_with_and_without_spaces(tmp_path, text, dropped):
    pairs = po(tmp_path, HEADER + text + '\nmsgid "c"\nmsgstr "d"\n')
    assert list(pairs)[-1:] == [("c", "d")]
    assert pairs.dropped == dropped


def test_texts_are_read_as_they_are_written(tmp_path):
    text = 'msgid"a" "b"\n\t "c\\n"  \n\tmsgstr   "\\t\\\\n\\"\\\\" "x\\z"\n'
    assert list(po(tmp_path, HEADER + text)) == [("abc\n", '\t\\n"\\x\\z')]


def test_plural_with_one_translation_of_the_singular_is_read(tmp_path):
    text = PO.replace('msgstr[0] "ein Hund"\nmsgstr[1] "%d Hunde"', 'msgstr "ein Hund"')
    assert list(po(tmp_path, text))[1:3] == [READ[1], READ[3]]


def test_plural_forms_are_told_by_their_numbers(tmp_path):
    forms = "".join(f'msgstr[{number}] "f{number}"\n' for number in (2, 0, 10, 1))
    text = HEADER + f'msgid "a"\nmsgid_plural "b"\n{forms}'
    assert list(po(tmp_path, text)) == [("a", "f0"), ("b", "f10")]


def test_plural_without_one_of_its_forms_is_untranslated(tmp_path):
    pairs = po(tmp_path, PO.replace('"%d Hunde"', '""'))
    assert list(pairs) == [READ[0], READ[3]]
    assert pairs.dropped["untranslated"] == 2


def test_missing_catalog_is_named(tmp_path):
    with pytest.raises(CorpusNotFoundError, match=r"no such file: .*nowhere\.po"):
        list(POPairs(tmp_path / "nowhere.po", ("en", "de")))


@pytest.mark.parametrize("reader", [POPairs, MOPairs])
def test_catalog_that_would_fill_the_memory_is_refused(tmp_path, monkeypatch, reader):
    monkeypatch.setattr(catalogs, "_LARGEST", 100_000)
    (tmp_path / "x.gz").write_bytes(gzip.compress(PO.encode() + b"#\n" * 5_000_000))
    with pytest.raises(CorpusError, match=r"x\.gz: more than 100,000 bytes"):
        list(reader(tmp_path / "x.gz", ("en", "de")))


def test_message_of_many_lines_is_read(tmp_path):
    text = HEADER + 'msgid "a"\nmsgstr ""\n' + '"ab"\n' * 65_000
    with little_work():  # that what was read is not copied for each line
        assert [len(text) for text in next(iter(po(tmp_path, text)))] == [1, 130_000]


@pytest.mark.parametrize("text", ['"' * 4_000_000, '"\\' * 2_000_000, "\\" * 4_000_000, '"\\"'])
def test_no_line_takes_long(tmp_path, text):
    with little_work(), pytest.raises(CorpusError, match="line 4"):
        list(po(tmp_path, HEADER + "msgid" + text + "x"))


TEXT = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0\x04\ufeff"), max_size=20
)
ENTRY = st.builds(
    lambda **given: polib.POEntry(**given),
    msgid=TEXT.filter(bool), msgstr=TEXT, tcomment=st.sampled_from(["", "a\nb", "fuzzy"]),
    msgctxt=st.none() | st.just("menu"),
    flags=st.sampled_from([[], ["fuzzy"], ["c-format", "fuzzy"], ["c-format"]]),
    obsolete=st.booleans(), previous_msgid=st.none() | st.just("old"),
)  # fmt: skip
PLURAL = st.builds(
    lambda ids, forms: polib.POEntry(
        msgid=ids[0], msgid_plural=ids[1], msgstr_plural=dict(enumerate(forms))
    ),
    st.tuples(TEXT.filter(bool), TEXT.filter(bool)), st.lists(TEXT, min_size=1, max_size=6),
)  # fmt: skip
# What polib does not write as an escape, and its own reader takes for the end of a line.
SEPARATORS = dict.fromkeys(map(ord, "\v\f\x1c\x1d\x1e\x85\u2028\u2029"), " ")


def expected(entries):
    for entry in entries:
        if entry.obsolete:
            yield "obsolete"
        elif entry.fuzzy:
            yield "fuzzy"
        elif not entry.translated():
            yield "untranslated"
        elif entry.msgstr_plural:
            forms = [entry.msgstr_plural[number] for number in sorted(entry.msgstr_plural)]
            yield {"en": entry.msgid, "de": forms[0]}
            yield {"en": entry.msgid_plural, "de": forms[-1]}
        else:
            yield {"en": entry.msgid, "de": entry.msgstr}


def catalog(entries):
    written = polib.POFile(wrapwidth=30)
    written.metadata = {"Language": "de", "Content-Type": "text/plain; charset=UTF-8"}
    written.extend(sorted(entries, key=lambda entry: bool(entry.obsolete)))
    return written


@settings(max_examples=200)
@given(entries=st.lists(ENTRY | PLURAL, max_size=4))
def test_what_a_peer_writes_is_read(tmp_path_factory, entries):
    written = catalog(entries)
    pairs = po(tmp_path_factory.mktemp("po"), str(written))
    texts = [unit if isinstance(unit, str) else dict(unit) for unit in pairs.units()]
    assert texts == list(expected(written))


@given(entries=st.lists(ENTRY | PLURAL, max_size=4, unique_by=lambda entry: entry.msgid))
def test_what_a_peer_compiles_is_read(tmp_path_factory, entries):
    written = catalog(entries)
    path = tmp_path_factory.mktemp("mo") / "x.mo"
    written.save_as_mofile(str(path))
    found = [dict(unit) for unit in MOPairs(path, ("en", "de")).units()]
    wanted = [unit for unit in expected(written) if not isinstance(unit, str)]
    assert sorted(found, key=repr) == sorted(wanted, key=repr)


# ---- MO


@pytest.mark.skipif(shutil.which("msgfmt") is None, reason="msgfmt is not there")
def test_compiled_catalog_has_the_messages_of_its_source(tmp_path):
    write(tmp_path / "x.po", PO)
    subprocess.run(["msgfmt", "-o", tmp_path / "x.mo", tmp_path / "x.po"], check=True)
    assert sorted(MOPairs(tmp_path / "x.mo", ("en", "de"))) == sorted(READ)


@pytest.mark.parametrize("order", ["<", ">"])
def test_catalogs_of_either_byte_order_are_read(tmp_path, order):
    strings = [
        (b"menu\x04Open", b"\xc3\x96ffnen"),
        (b"dog\0dogs", b"Hund\0zwei Hunde\0viele Hunde"),
        (b"new", b""),
    ]
    pairs = mo(tmp_path, strings, order)
    assert list(pairs) == [("Open", "Öffnen"), ("dog", "Hund"), ("dogs", "viele Hunde")]
    assert pairs.dropped == {"untranslated": 1}


def test_header_of_a_compiled_catalog_says_its_language_and_charset(tmp_path):
    header = "Content-Type: text/plain; charset=KOI8-R\nLanguage: en\n"
    text = "Файл".encode("koi8-r")
    assert list(mo(tmp_path, [(text, b"file")], header=header)) == [("file", "Файл")]
    assert list(mo(tmp_path, [(b"a", b"b")], header=None)) == [("a", "b")]
    with pytest.raises(ParallelDataError, match=r"x\.mo: the header says .*'fr'"):
        list(mo(tmp_path, [(b"a", b"b")], header="Language: fr\n"))
    with pytest.raises(CorpusError, match=r"x\.mo: its header names the charset 'utf-7'"):
        list(mo(tmp_path, [(b"a", b"b")], header="Content-Type: x; charset=utf-7\n"))


def test_bytes_of_a_compiled_catalog_that_are_no_characters(tmp_path):
    pairs = mo(tmp_path, [(b"a", b"b"), (b"c", b"d\xff")])
    with pytest.raises(CorpusError, match=r"x\.mo, message 2, byte 2: not UTF-8 \(0xff\)"):
        list(pairs)
    pairs = MOPairs(pairs.source, ("en", "de"), "replace")
    assert list(pairs) == [("a", "b"), ("c", "d\ufffd")]
    assert pairs.mended == {"texts with bytes that are not UTF-8": 1}


def test_compiled_catalog_that_is_cut_short_is_an_error(tmp_path):
    path = mo(tmp_path, [(b"a", b"b"), (b"dog\0dogs", b"x\0y")]).source
    data = (tmp_path / "x.mo").read_bytes()
    for length in range(len(data) - 1):  # the last byte ends the last string
        (tmp_path / "x.mo").write_bytes(data[:length])
        with pytest.raises(CorpusError, match=r"x\.mo"):
            list(MOPairs(path, ("en", "de")))


def test_few_bytes_are_not_read_as_many(tmp_path):
    count = 2000
    table = struct.pack("<2I", 1 << 15, 28 + 8 * count) * count
    start = struct.pack("<7I", 0x950412DE, 0, count, 28, 28, 0, 0)
    (tmp_path / "x.mo").write_bytes(start + table + b"a" * (1 << 15))
    with pytest.raises(CorpusError, match="its strings are longer than it"):
        list(MOPairs(tmp_path / "x.mo", ("en", "de")))


def test_unknown_revision_is_refused(tmp_path):
    mo(tmp_path, [(b"a", b"b")])
    data = bytearray((tmp_path / "x.mo").read_bytes())
    data[6] = 7
    (tmp_path / "x.mo").write_bytes(data)
    with pytest.raises(CorpusError, match="revision 7"):
        list(MOPairs(tmp_path / "x.mo", ("en", "de")))
