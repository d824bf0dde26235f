"""What all readers of XML share: encodings, characters that XML forbids, bounded memory."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory import grown, measures_memory

from gensim_bilbowa.corpora.tmx import TMXPairs
from gensim_bilbowa.errors import ConfigError, CorpusError


def memory(german, declared="utf-8", other="de"):
    return (
        f'<?xml version="1.0" encoding="{declared}"?>\n<tmx version="1.4"><header/><body>\n'
        '<tu><tuv xml:lang="en"><seg>a house</seg></tuv>\n'
        f'<tuv xml:lang="{other}"><seg>{german}</seg></tuv></tu>\n</body></tmx>\n'
    )


@pytest.fixture
def read(tmp_path):
    def read(data, other="de", errors="strict"):
        (tmp_path / "x.tmx").write_bytes(data)
        pairs = TMXPairs(tmp_path / "x.tmx", ("en", other), errors)
        return [b for _, b in pairs], dict(pairs.mended)

    return read


FORBIDDEN = "characters that XML forbids"


# ---- encodings


@pytest.mark.parametrize(
    ("declared", "codec", "text"),
    [
        ("utf8", "utf-8", "Häuschen"),
        ("UTF8", "utf-8-sig", "Häuschen"),
        ("UTF-16", "utf-16", "Häuschen"),
        ("UTF16", "utf-16", "Häuschen"),
        ("UCS-2", "utf-16", "Häuschen"),
        ("Unicode", "utf-16", "Häuschen"),
        ("ISO-10646-UCS-2", "utf-16", "Häuschen"),
        ("utf-16", "utf-16-le", "Häuschen"),
        ("utf-16be", "utf-16-be", "Häuschen"),
        ("utf-32", "utf-32", "Häuschen"),
        ("utf-32", "utf-32-be", "Häuschen"),
        ("gb2312", "gb2312", "房子很小"),
        ("GBK", "gbk", "房子很小"),
        ("gb18030", "gb18030", "房子很小 𠀀"),
        ("Shift_JIS", "shift_jis", "家は小さい"),
        ("x-sjis", "cp932", "①家"),
        ("euc-jp", "euc-jp", "家は小さい"),
        ("iso-2022-jp", "iso2022_jp", "家は小さい"),
        ("big5", "big5", "房子很小"),
        ("euc-kr", "euc-kr", "집은 작다"),
        ("ks_c_5601-1987", "cp949", "집은 똠"),
        ("windows-1251", "cp1251", "дом"),
        ("macintosh", "mac_roman", "Häuschen"),
        ("ISO-8859-1", "cp1252", "„Häuschen“ für 5 €"),
        ("latin1", "latin-1", "Häuschen"),
        ("ISO-8859-9", "cp1254", "“ışık”"),
        ("US-ASCII", "utf-8", "Häuschen"),
        ("cp037", "cp037", "Häuschen"),
    ],
)
def test_any_encoding_that_python_knows_is_read(read, declared, codec, text):
    assert read(memory(text, declared).encode(codec)) == ([text], {})


@pytest.mark.parametrize(
    ("declared", "codec"),
    [
        ("utf-16", "utf-8"),
        ("UCS-2", "utf-8-sig"),
        ("iso-8859-1", "utf-8-sig"),
        ("utf-8", "utf-16"),
        ("iso-8859-1", "utf-16-le"),
        ("utf-16", "utf-32"),
        ("klingon", "utf-16"),
        ("cp037", "utf-8"),
        ("ISO-8859-1", "utf-8"),
        ("windows-1252", "utf-8"),
        ("koi8-r", "utf-8"),
    ],
)
def test_bytes_that_contradict_the_declaration_win(read, declared, codec):
    texts, mended = read(memory("Häuschen", declared).encode(codec))
    assert texts == ["Häuschen"]
    (kind,) = mended
    assert kind.startswith(f"declaration of the encoding '{declared}' where the bytes are UTF-")


def test_utf8_is_told_in_the_midst_of_a_file(read):
    filler = "<!-- " + "x" * 100_000 + " -->"
    text = memory("Häuschen", "ISO-8859-1").replace("<tu>", filler + "<tu>")
    assert read(text.encode())[0] == ["Häuschen"]


@pytest.mark.parametrize(("charset", "codec"), [("gb2312", "utf-8"), ("gb2312", "gbk")])
def test_utf8_is_told_from_charsets_of_two_bytes(read, charset, codec):
    assert read(memory("房子很小，很好", charset).encode(codec))[0] == ["房子很小，很好"]


def test_few_characters_of_two_bytes_that_could_be_utf8_are_not(read):
    assert read(memory("联通", "gb2312").encode("gbk")) == (["联通"], {})


@given(st.text("aäöüß°éÂÃ¤¶ “„", min_size=1).filter(str.strip))
def test_text_in_latin_is_no_utf8(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("xml") / "x.tmx"
    path.write_bytes(memory(f"ä {text} ü", "ISO-8859-1").encode("cp1252"))
    assert next(iter(TMXPairs(path, ("en", "de"))))[1] == f"ä {text} ü"


@pytest.mark.parametrize("before", [" ", "\n\r\n", "\ufeff\n"])
def test_white_space_before_the_declaration_is_left_out_and_counted(read, before):
    mended = {"white space before the XML declaration": 1}
    assert read((before + memory("Haus")).encode()) == (["Haus"], mended)


def test_lines_are_counted_from_the_first_one_before_the_declaration(read):
    with pytest.raises(CorpusError, match=r"x\.tmx, line 6: not well-formed XML"):
        read(("\n\n" + memory("<br>")).encode())


@pytest.mark.parametrize(
    ("german", "says"),
    [
        ("R & D", r"in text & and < are written &amp; and &lt; \(column 28\)"),
        ("&nbsp;", r"an entity that is not declared; write the character itself"),
        ("<br>", r"mismatched tag"),
    ],
)
def test_what_is_no_xml_is_told_with_its_place(read, german, says):
    with pytest.raises(CorpusError, match=rf"x\.tmx, line 4: not well-formed XML: .*{says}"):
        read(memory(german).encode())


def test_bytes_that_are_no_characters_are_located(read):
    data = memory("H\xe4uschen").encode("latin-1")
    byte = data.split(b"\n")[3].index(b"\xe4") + 1
    with pytest.raises(CorpusError, match=rf"x\.tmx, line 4, byte {byte}: not UTF-8 \(0xe4\)"):
        read(data)


def test_bytes_are_located_past_the_first_piece(read):
    filler = "<!-- Füller -->\n" * 20_000
    text = memory("H\xe4uschen").replace("<tu>", filler + "<tu>")
    head, tail = text.split("H\xe4")
    with pytest.raises(CorpusError, match=r"line 20004, byte 26: not UTF-8 \(0xe4\)"):
        read(head.encode() + b"H\xe4" + tail.encode())


def test_bytes_of_other_encodings_are_located(read):
    data = memory("X", "shift_jis").encode().replace(b"X", b"\x82")
    with pytest.raises(CorpusError, match=r"line 4, byte 25: not CP932 \(0x82\)"):
        read(data)


def test_damage_in_another_encoding_has_the_right_line(read):
    text = memory("家\n\n家", "gb2312").replace("</seg></tuv></tu>", "</seg></tu>")
    with pytest.raises(CorpusError, match="line 6: not well-formed XML: mismatched tag"):
        read(text.encode("gb2312"))


def test_units_before_bytes_that_are_no_characters_are_read_first(tmp_path):
    body = memory("Haus").partition("<tu>")[2].partition("</tu>")[0]
    data = memory("Haus").replace("</body>", f"<tu>{body}X</tu></body>").encode()
    (tmp_path / "x.tmx").write_bytes(data.replace(b"X", b"\xff"))
    pairs = iter(TMXPairs(tmp_path / "x.tmx", ("en", "de")))
    assert next(pairs) == ("a house", "Haus")
    with pytest.raises(CorpusError, match="line 6, byte"):
        list(pairs)


@pytest.mark.parametrize(("errors", "text"), [("replace", "H\ufffdus\ufffd"), ("ignore", "Hus")])
def test_what_to_do_about_bytes_is_honoured(read, errors, text):
    data = memory("H\xe4us\xe4").encode("latin-1")
    assert read(data, errors=errors) == ([text], {"bytes that are not UTF-8": 2})


def test_other_ways_to_read_bytes_are_refused():
    with pytest.raises(ConfigError, match="errors must be"):
        TMXPairs("x.tmx", ("en", "de"), "surrogateescape")


@given(st.text(st.characters(codec="gb18030", exclude_categories=["Cc", "Cs", "Cn"]), max_size=50))
def test_any_text_is_decoded_across_pieces(tmp_path_factory, text):
    text = "".join(c for c in text if c not in "<&>") + "家"
    filler = "ü" * (2**16 - 60)
    path = tmp_path_factory.mktemp("xml") / "x.tmx"
    path.write_bytes(memory(filler + text * 3, "gb18030").encode("gb18030"))
    assert list(TMXPairs(path, ("en", "de"))) == [("a house", filler + text * 3)]


# ---- characters that XML forbids


@pytest.mark.parametrize(
    ("written", "text", "count"),
    [
        ("a&#x1F;b", "ab", 1),
        ("a&#31;b&#0;&#x0000;", "ab", 3),
        ("a&#xB;b&#12;c", "a b c", 2),
        ("a\x0bb\x00c\x1f", "a bc", 3),
        ("a&#xFFFE;b&#65535;\ufffe", "ab", 3),
        ("a&#xD83D;b&#56832;", "ab", 2),
        ("a&#x110000;b&#99999999;", "ab", 2),
        ("a\x1b<hi>b\x01</hi>", "ab", 2),
        ("&#x1f;a<![CDATA[&#x1F;<!--&#1;-->]]>&#x1F;", "a&#x1F;<!--&#1;-->", 2),
        ("<![CDATA[a\x1f]]>", "a", 1),
        ("a<!-- &#x1F; <![CDATA[ -->b&#x1F;", "ab", 1),
        ("a<?pi &#x1F; ?>b&#x1F;", "ab", 2),
        ("a&amp;#x1F;b&#x1F;", "a&#x1F;b", 1),
    ],
)
def test_they_are_left_out_and_counted(read, written, text, count):
    assert read(memory(written).encode()) == ([text], {FORBIDDEN: count})


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("&#9;&#xA;&#13;x", "\t\n\rx"),
        ("&#xE000;&#55203;&#57344;", "\ue000\ud7a3\ue000"),
        ("&#x10FFFD;&#128512;", "\U0010fffd\U0001f600"),
    ],
)
def test_references_to_characters_stay(read, written, text):
    assert read(memory(written).encode()) == ([text], {})


def test_halves_of_a_character_are_put_together(read):
    found = read(memory("a&#xD83D;&#xDE00;b&#55357;&#56832;").encode())
    assert found == (["a😀b😀"], {"characters put together from two halves": 2})


@pytest.mark.parametrize("shift", range(0, 24))
def test_they_are_found_across_pieces(read, shift):
    filler = "x" * (2**16 - 150 - shift)
    text = f"{filler} &#x1F;&#xD83D;&#xDE00;<![CDATA[&#1;]]>\ufffe\x0b!"
    texts, mended = read(memory(text).encode())
    assert texts == [f"{filler} 😀&#1; !"]
    assert mended == {FORBIDDEN: 3, "characters put together from two halves": 1}


# ---- memory


HEAD = (
    b'<tmx><body><tu><tuv xml:lang="en"><seg>a</seg></tuv>'
    b'<tuv xml:lang="de"><seg>b</seg></tuv></tu>'
)
N = range(300_000)
TMX = "sum(1 for _ in TMXPairs(path, pair))"


def grown_by(path, data):
    """Return what reading a packed file says, and by how many MiB a process grows."""
    path.write_bytes(gzip.compress(data, 1))
    return grown(path, TMX)


@measures_memory
@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (lambda: b"".join(b"<a%d/>" % i for i in N), "more than 10,000 names"),
        (lambda: b"".join(b'<tu a%d=""/>\n' % i for i in N), "more than 10,000 names"),
        (lambda: b"".join(b'<a xmlns:p%d="u"/>' % i for i in N), "more than 10,000 names"),
        (lambda: b"".join(b'<a xmlns="u%d"/>' % i for i in N), "more than 10,000 names"),
        (lambda: b"<tu " + b"".join(b' a%d=""' % i for i in N) + b"/>",
         "names|more than 20,000 attrib"),
        (lambda: b"<tu " + b"".join(b' a%d=">"' % i for i in N) + b"/>",
         "names|more than 20,000 attrib"),
        (lambda: b"<tu>" + b"".join(b'<tuv xml:lang="a%d"><seg>x</seg></tuv>' % i for i in N),
         "a unit in more than 1,000 languages"),
        (lambda: b"<tu><tuv xml:lang='en'><seg>" + b"a<hi/>" * 1_000_000,
         "in more than 65,536 pieces"),
        (lambda: b"<tu><tuv xml:lang='en'>" + b"<seg>a</seg>" * 200_000
         + b"</tuv></tu></body></tmx>", "1"),
    ],
    ids=["elements", "attributes", "prefixes", "namespaces", "tag", "tag-with-signs", "languages",
         "pieces", "segments"],
)  # fmt: skip
def test_memory_is_bounded_against_endless_names_and_segments(tmp_path, data, message):
    said, mib = grown_by(tmp_path / "x.tmx.gz", HEAD + data())
    assert any(part in said for part in message.split("|"))
    assert mib < 16  # of 100 that are promised


@measures_memory
@pytest.mark.slow
def test_document_type_without_end_is_refused(tmp_path):
    names = b"".join(b"<!ATTLIST e%d>" % i for i in N)
    said, mib = grown_by(tmp_path / "x.tmx.gz", b"<!DOCTYPE tmx [" + names + b"]>" + HEAD)
    assert "a document type longer than 262,144 bytes" in said
    assert mib < 16  # of 100 that are promised
