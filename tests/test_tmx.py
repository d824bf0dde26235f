from __future__ import annotations

import gzip
import os
import tracemalloc
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gensim_bilbowa import BilBOWA, ParallelSentences
from gensim_bilbowa.corpora.tmx import TMXPairs
from gensim_bilbowa.errors import (
    CorpusError,
    CorpusFileError,
    CorpusNotFoundError,
    ParallelDataError,
    TokenError,
)
from gensim_bilbowa.tokenization.codes import matching

HEAD = '<?xml version="1.0"?><!DOCTYPE tmx SYSTEM "tmx14.dtd"><tmx version="1.4"><header/><body>\n'
TAIL = "</body></tmx>\n"


def unit(**segments):
    return "<tu>" + "".join(
        f'<tuv xml:lang="{code.replace("_", "-")}"><seg>{text}</seg></tuv>'
        for code, text in segments.items()
    ) + "</tu>\n"  # fmt: skip


def write(path, *units, head=HEAD, tail=TAIL, encoding="utf-8"):
    path.write_bytes((head + "".join(units) + tail).encode(encoding))
    return path


def read(path, languages=("en", "de")):
    return list(TMXPairs(path, languages))


@pytest.fixture
def file(tmp_path):
    return tmp_path / "x.tmx"


# ---- what is read


def test_segments_of_both_languages_are_read_in_either_order(file):
    write(file, unit(en="A dog", de="Ein Hund"), unit(de="Öl &amp; Salz", fr="x", en="oil"))
    assert read(file) == [("A dog", "Ein Hund"), ("oil", "Öl & Salz")]
    assert read(file, ("de", "en")) == [("Ein Hund", "A dog"), ("Öl & Salz", "oil")]
    assert list(TMXPairs(file, ("en", "de"))) == read(file)


@pytest.mark.parametrize(
    ("wanted", "found", "expected"),
    [
        ("de", ["en", "de"], "de"),
        ("de", ["DE-at", "de_DE"], "DE-at"),
        ("de", ["de-AT", "DE"], "DE"),
        ("de-AT", ["de", "de-DE"], None),
        ("de-AT", ["de", "de_at"], "de_at"),
        ("de", ["den", "d"], None),
        ("zh", ["zh-Hant-TW"], "zh-Hant-TW"),
    ],
)
def test_codes_match_by_language_and_an_exact_one_first(wanted, found, expected):
    assert matching(wanted, found) == expected


def test_one_segment_is_not_both_languages(file):
    write(file, unit(pt_BR="a"), unit(pt_BR="b", pt="c"), unit(pt_PT="d", pt_BR="e"))
    assert read(file, ("pt", "pt-BR")) == [("c", "b"), ("d", "e")]


def test_old_files_name_languages_without_a_prefix(file):
    write(file, '<tu><tuv lang="EN-US"><seg>a</seg></tuv><tuv lang="DE-DE"><seg>b</seg></tuv></tu>')
    assert read(file) == [("a", "b")]


def test_markup_goes_and_marked_text_stays(file):
    inline = (
        'Press <bpt i="1">&lt;b&gt;<sub>title</sub></bpt>the <hi>red</hi><ept i="1">x</ept> '
        '<ph type="image">icon</ph><it pos="begin">&lt;i&gt;</it>button<ut>y</ut>'
    )
    write(file, unit(en=inline, de="<hi type='x'>rot<hi>er</hi></hi> Knopf"))
    assert read(file) == [("Press the red button", "roter Knopf")]


def test_first_segment_of_a_language_counts(file):
    first = '<tuv xml:lang="en"><seg>one</seg></tuv><tuv xml:lang="en"><seg>two</seg></tuv>'
    write(file, f'<tu>{first}<tuv xml:lang="de"><seg>eins</seg></tuv></tu>')
    assert read(file) == [("one", "eins")]


def test_notes_and_properties_are_no_text(file):
    write(file, '<tu><note>n</note><prop type="p">q</prop><tuv xml:lang="en"><prop>r</prop>'
          '<seg>a</seg></tuv><tuv xml:lang="de"><note>s</note><seg>b</seg></tuv></tu>')  # fmt: skip
    assert read(file) == [("a", "b")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1", "cp1252"])
def test_any_encoding_of_xml_is_read(file, encoding):
    name = encoding.removesuffix("-sig")
    head = HEAD.replace("?>", f' encoding="{name}"?>', 1)
    write(file, unit(en="oil", de="Öl"), head=head, encoding=encoding)
    assert read(file) == [("oil", "Öl")]


@pytest.mark.parametrize(
    "encoding",
    ["utf-7", "hex", "rot13", "idna", "punycode", "unicode_escape", "undefined", "klingon"],
)
def test_encodings_that_cannot_be_read_are_named(file, encoding):
    head = HEAD.replace("?>", f' encoding="{encoding}"?>', 1)
    write(file, unit(en="a", de="b"), head=head)
    with pytest.raises(CorpusError, match=rf"line 1: the encoding '{encoding}' cannot be read"):
        read(file)


def test_archives_are_read(tmp_path):
    plain = write(tmp_path / "x.tmx", unit(en="a", de="b"))
    packed = tmp_path / "x.TMX.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert list(ParallelSentences(packed, languages=("en", "de"))) == [(["a"], ["b"])]


@pytest.mark.parametrize("name", ["memory.tmx.txt", "tmx", "x.po.tsv", "x.tmx.backup"])
def test_names_that_only_contain_a_suffix_are_of_tables(tmp_path, name):
    (tmp_path / name).write_text("a\tb\n", encoding="utf-8")
    assert list(ParallelSentences(tmp_path / name, languages=("en", "de"))) == [(["a"], ["b"])]


@given(st.lists(st.tuples(*[st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cn"]),
                                    max_size=20)] * 2)))  # fmt: skip
def test_any_text_comes_back(tmp_path_factory, pairs):
    file = write(
        tmp_path_factory.mktemp("tmx") / "x.tmx",
        unit(en="x", de="y"),
        *(unit(en=escape(a), de=escape(b)) for a, b in pairs),
    )
    kept = [pair for pair in pairs if pair[0].strip() and pair[1].strip()]
    assert read(file) == [("x", "y"), *kept]


def test_variant_with_text_is_taken_where_another_is_blank(file):
    write(
        file, unit(en_US="", en_GB="colour", de="Farbe"), unit(en=" ", de_AT="", de="x", en_AU="y")
    )
    assert read(file) == [("colour", "Farbe"), ("y", "x")]


def test_prefixes_and_foreign_elements_are_told_by_their_namespaces(file):
    write(file, "<t:tu><t:tuv xml:lang='en'><t:seg>a</t:seg></t:tuv><x:tuv xml:lang='de'>"
          "<t:seg>no</t:seg></x:tuv><t:tuv xml:lang='de'><t:seg>b</t:seg></t:tuv></t:tu>",
          head="<t:tmx xmlns:t='http://www.lisa.org/tmx14' xmlns:x='urn:x'>",
          tail="</t:tmx>")  # fmt: skip
    assert read(file) == [("a", "b")]


def test_further_segments_are_counted(file):
    write(file, '<tu><tuv xml:lang="en"><seg>a</seg><seg>c</seg></tuv><tuv><seg>x</seg></tuv>'
          '<tuv xml:lang="de"><seg/><seg>b</seg></tuv></tu>')  # fmt: skip
    pairs = TMXPairs(file, ("en", "de"))
    assert list(pairs) == [("a", "b")]
    assert pairs.mended == {
        "further segments of a language in a unit": 1,
        "segments without a language": 1,
    }


def test_text_of_cdata_is_read(file):
    write(file, unit(en="<![CDATA[a <b> & ]]>c", de="b"))
    assert read(file) == [("a <b> & c", "b")]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ('<ph x="1" type="lb">&lt;br/&gt;</ph>', "one two"),
        ('<ph x="1">\\n</ph>', "one two"),
        ('<it pos="begin" x="2">&lt;p&gt;</it>', "one two"),
        ("<ut>{\\tab }</ut>", "one two"),
        ('<ph type="fmt">{}</ph>', "one two"),
        ("<ut>{\\b </ut>", "onetwo"),
        ('<bpt i="1">&lt;b&gt;</bpt>', "onetwo"),
    ],
)
def test_codes_that_part_words_become_a_space(file, code, text):
    write(file, unit(en=f"one{code}two", de="x"))
    assert read(file) == [(text, "x")]


# ---- what is left out, and what is refused


def test_units_left_out_are_counted_by_reason(file, caplog):
    write(file, unit(en="a", de="b"), unit(en="a"), unit(en="a", de=" "), unit(fr="a"))
    pairs = TMXPairs(file, ("en", "de"))
    assert list(pairs) == [("a", "b")]
    assert pairs.dropped == {"without both languages": 2, "with a blank side": 1}
    assert "1 units, left out: 2 without both languages, 1 with a blank side" in caplog.text


def test_file_without_the_languages_names_those_it_has(file):
    write(file, unit(en_GB="a", fr="b"), unit(fr="c", it="d"))
    with pytest.raises(ParallelDataError, match=r"in 'de'; 2 units .*, in \['en-GB', 'fr'"):
        read(file)
    write(file)
    with pytest.raises(ParallelDataError, match=r"0 units \(none\), in no language"):
        read(file)


LAUGHS = "<!DOCTYPE tmx [" + '<!ENTITY a0 "ha">' + "".join(
    f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10)
) + "]><tmx><body>"  # fmt: skip


@pytest.mark.parametrize(
    ("head", "units", "message"),
    [
        (LAUGHS, [unit(en="&a9;", de="x")], "line 1: the entity 'a0' is declared"),
        (f'<!DOCTYPE tmx [<!ENTITY a "{"x" * 99999}">]><tmx><body>', [unit(en="&a;" * 9999)],
         "'a' is declared"),
        ('<!DOCTYPE tmx [<!ENTITY a SYSTEM "file:///etc/passwd">]><tmx><body>',
         [unit(en="&a;", de="x")], "'a' is declared"),
        ('<!DOCTYPE tmx [<!ENTITY % a SYSTEM "file:///etc/passwd"> %a;]><tmx><body>',
         [unit(en="a", de="x")], "'a' is declared"),
        (HEAD, [unit(en="a", de="b"), unit(en="a&nbsp;b", de="x")], "line 3: .*&nbsp; is not"),
        (HEAD, ["<tu>" * 100_000], "nested more than 200 deep"),
        (HEAD, [unit(en="a", de="b"), "<tu></tuv>"], "line 3: not well-formed XML: mismatched tag"),
        (HEAD, [unit(en="a", de="b"), unit(en="a & b", de="x")], "line 3: not well-formed XML"),
        (HEAD, ["<tu><tuv xml:lang='en'><seg>", "x" * (17 << 20), "</seg>"], "a text longer than"),
        (HEAD, ["<tu><tuv xml:lang='en'><seg>", ("x" * 99999 + "<hi/>") * 200], "a text longer"),
        (HEAD, ["<!--", "x" * (20 << 20), "-->"], "line 2: a tag or comment longer than"),
        (HEAD, ["<tu id='", "x" * (20 << 20), "'>"], "line 2: a tag or comment longer than"),
        ("<!DOCTYPE tmx [<!ATTLIST tu " + "".join(f"a{i} CDATA 'x' " for i in range(9999))
         + ">]><tmx><body>", [unit(en="a", de="b") * 999], "more than 1,000 attributes"),
        ("a,b\n", [], "line 1: not well-formed XML"),
        ("", [], "not well-formed XML: no element found"),
    ],
    ids=["laughs", "quadratic", "external", "parameter", "undeclared", "deep", "tags", "character",
         "long", "long-in-parts", "comment", "tag", "attributes", "other", "empty"],
)  # fmt: skip
def test_hostile_and_damaged_files_are_refused_at_once(file, head, units, message):
    write(file, *units, head=head, tail="" if not units else TAIL)
    with pytest.raises(CorpusError, match=message) as caught:
        read(file)
    assert str(file) in str(caught.value)


def test_file_that_ends_too_early_is_an_error_after_what_it_has(file):
    write(file, unit(en="a", de="b"), tail="<tu>")
    pairs = iter(TMXPairs(file, ("en", "de")))
    assert next(pairs) == ("a", "b")
    with pytest.raises(CorpusError, match="line 3: not well-formed XML"):
        next(pairs)
    packed = file.with_name("y.tmx.gz")
    packed.write_bytes(gzip.compress(file.read_bytes() * 999)[:-20])
    with pytest.raises(CorpusFileError, match="cannot be read to its end"):
        read(packed)
    with pytest.raises(CorpusNotFoundError):
        read(file.with_name("nowhere.tmx"))


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(file):
    def peak(units):
        write(file, unit(en="a dog " * 20, de="ein Hund " * 20) * units)
        tracemalloc.start()
        count = sum(1 for _ in TMXPairs(file, ("en", "de")))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert count == units
        return most

    few, many = peak(4_000), peak(20_000)
    assert many < 1.5 * few


# ---- as parallel text


def test_memory_is_parallel_text_in_lower_case_tokens(file):
    write(file, unit(en="The dog's here.", de="Der Hund ist da!"))
    pairs = ParallelSentences(file, languages=("en", "de"))
    assert list(pairs) == [(["the", "dog's", "here", "."], ["der", "hund", "ist", "da", "!"])]
    assert pairs.files is None


def test_tokenizer_of_ones_own_takes_its_place(file):
    write(file, unit(en="The dog", de="Der Hund"))
    pairs = ParallelSentences(file, languages=("en", "de"), tokenizer={"en": str.split, "de": list})
    assert list(pairs) == [(["The", "dog"], list("Der Hund"))]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="makes a named pipe")
def test_pipe_is_refused_since_it_can_be_read_once(file):
    os.mkfifo(file)
    pairs = ParallelSentences(file, languages=("en", "de"))
    with pytest.raises(TokenError, match=r"x\.tmx is a pipe"):
        pairs.require_restartable()
    with pytest.raises(TokenError, match=r"x\.tmx is a pipe"):
        pairs.filtered()


def test_model_is_trained_on_a_memory(file):
    words = {"dog": "hund", "cat": "katze", "house": "haus", "red": "rot"}
    units = [unit(en=f"{a} {b}", de=f"{words[a]} {words[b]}") for a in words for b in words]
    write(file, *units * 20)
    model = BilBOWA(
        parallel={("en", "de"): file}, vector_size=8, min_count=1, epochs=3, workers=1, seed=1
    )
    assert set(model.wv_de.index_to_key) == set(words.values())


def test_segments_without_a_language_are_told_where_nothing_is_left(tmp_path):
    sides = '<tuv><seg>a</seg></tuv><tuv xml:lang="de"><seg>b</seg></tuv>'
    (tmp_path / "x.tmx").write_text(f"<tmx><body><tu>{sides}</tu></body></tmx>", encoding="utf-8")
    with pytest.raises(
        ParallelDataError, match=r"in \['de'\]; mended: 1 segments without a language"
    ):
        list(TMXPairs(tmp_path / "x.tmx", ("en", "de")))
