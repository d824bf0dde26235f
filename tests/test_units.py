"""Texts as they stand in files, each with the place where a person finds it."""

from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path

import polib
import pytest
from gensim.models.phrases import Phrases
from hypothesis import given
from hypothesis import strategies as st

from gensim_bilbowa import ParallelSentences, Tokenizer
from gensim_bilbowa.corpora import LineCorpus
from gensim_bilbowa.corpora.kinds import reader_of
from gensim_bilbowa.corpora.packed import PackedUnits
from gensim_bilbowa.corpora.units import TextUnit
from gensim_bilbowa.errors import CorpusError, CorpusFileError, ParallelDataError, TokenError

EN_DE = {"languages": ("en", "de")}
FILES = Path(os.environ.get("DATA", "../shared/data"), "tm-files")
PO = """msgid ""
msgstr "Language: de\\nContent-Type: text/plain; charset=UTF-8\\n"

# a note
#: a.c:1
msgid "A dog"
msgstr "Ein Hund"

#, c-format
msgctxt "menu|a long
"
msgid "%d cat"
msgid_plural "%d cats"
msgstr[0] "%d Katze"
msgstr[1] "%d Katzen"
""".replace("a long\n", 'a "\n"long')


def tmx(*units):
    return f'<tmx version="1.4"><body>{"".join(units)}</body></tmx>'


def tu(source, target, attributes=""):
    return (
        f'<tu {attributes}><tuv xml:lang="en"><seg>{source}</seg></tuv>'
        f'<tuv xml:lang="de"><seg>{target}</seg></tuv></tu>'
    )


def xliff(inner, root='version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"'):
    return f"<xliff {root}>{inner}</xliff>"


@pytest.fixture
def places(tmp_path):
    """Return the ids of the units of a file."""

    def places(name, text, **options):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        units = list(ParallelSentences(path, **EN_DE, **options).units())
        assert {unit.file for unit in units} == {str(path)}
        return [unit.id for unit in units]

    return places


# ---- ids of each kind of file


def test_id_of_a_tmx_unit_is_its_own_or_its_number_among_all(places):
    text = tmx(tu("a", "b", 'tuid="x 7"'), tu("", "b"), tu("c", "d"), tu("e", "f", 'tuid=""'))
    assert places("a.tmx", text) == ["x 7", "unit 3", "unit 4"]


def test_id_of_a_trans_unit_has_its_file_and_its_segment(places):
    codes = 'source-language="en" target-language="de"'
    segments = "<mrk mtype='seg' mid='{}'>{}</mrk>"
    source = segments.format(3, "One.") + segments.format(4, "Two.")
    target = segments.format(3, "Eins.") + segments.format(4, "Zwei.")
    text = xliff(
        rf'<file original="C:\docs\manual.docx" {codes}><body>'
        "<trans-unit id='a'><source>x</source><target>y</target></trans-unit>"
        f"<trans-unit id='b'><source>One. Two.</source><seg-source>{source}</seg-source>"
        f"<target>{target}</target></trans-unit></body></file>"
        f'<file original="docs/more.html" {codes}><body>'
        "<trans-unit id='a' translate='no'><source>x</source><target>y</target></trans-unit>"
        "<trans-unit><source>x</source><target>y</target></trans-unit></body></file>"
        f"<file {codes}><body>"
        "<trans-unit id='z'><source>x</source><target>y</target></trans-unit></body></file>"
    )
    expected = ["manual.docx/a", "manual.docx/b/3", "manual.docx/b/4", "more.html/unit 4", "z"]
    assert places("a.xlf", text) == expected


def test_id_of_a_segment_of_xliff_2_has_its_file_and_its_unit(places):
    texts = "<source>x</source><target>y</target>"
    text = xliff(
        f"<file id='f1'><unit id='u1'><segment id='s1'>{texts}</segment>"
        f"<segment id='s2'>{texts}</segment></unit>"
        f"<unit id='u2'><segment>{texts}</segment></unit></file>",
        'version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" trgLang="de"',
    )
    assert places("a.xlf", text) == ["f1/u1/s1", "f1/u1/s2", "f1/u2"]


def test_id_of_a_po_message_is_its_line_and_context(places):
    plural = "line 10 (menu|a long)"
    assert places("a.po", PO) == ["line 6", plural, plural]


def test_long_context_is_cut(places):
    text = PO.replace("long", "long " * 20)
    assert places("a.po", text)[1] == f"line 10 (menu|a {'long ' * 20}"[: 9 + 60] + "…)"


def test_id_of_an_mo_message_is_its_number_and_context(tmp_path):
    polib.pofile(PO).save_as_mofile(str(tmp_path / "a.mo"))
    units = ParallelSentences(tmp_path / "a.mo", **EN_DE).units()
    # In the order of the bytes of messages, after the header.
    assert [(unit.source, unit.id) for unit in units] == [
        ("A dog", "message 1"),
        ("%d cat", "message 2 (menu|a long)"), ("%d cats", "message 2 (menu|a long)"),
    ]  # fmt: skip


def test_id_of_a_ts_message_is_its_context_with_its_id_or_line(places):
    text = """<TS version="2.1" sourcelanguage="en" language="de">
<context><name>Main
 Window</name>
<message><source>a</source><translation>b</translation></message>
<message id="id.7"><source>c</source>
<translation>d</translation></message></context>
<context>
<message>
<source>e</source><translation>f</translation></message></context></TS>"""
    assert places("a.ts", text) == ["Main\n Window, line 4", "Main\n Window, id.7", "line 8"]


def test_id_of_a_row_is_the_line_where_it_begins(places):
    assert places("a.tsv", "a\tb\nc\td\n", tokenizer=str.split) == ["line 1", "line 2"]
    assert places("b.tsv", "en\tde\n\nc\td\n") == ["line 3"]
    assert places("c.csv", 'en,de\n"a\nb",c\nd,e\n') == ["line 2", "line 4"]
    assert places("d.csv", "sep=;\nen;de\na;b\n") == ["line 3"]
    rows = [{"en": "a", "de": "b"}, {"en": None, "de": "b"}, {"translation": {"en": "a"}}]
    text = "\n\n".join(map(json.dumps, rows[:2])) + "\n" + json.dumps(rows[0])
    assert places("e.jsonl", text) == ["line 1", "line 4"]


def test_id_of_a_row_of_a_table_in_memory_is_its_number():
    rows = [{"t": {"en": "A", "de": "b"}}, {"t": None}, {"t": {"en": "C", "de": "d"}}]
    units = list(ParallelSentences.from_columns(rows, "t", **EN_DE).units())
    assert [tuple(unit) for unit in units] == [("A", "b", "", "row 1"), ("C", "d", "", "row 3")]
    rows = [{"x": "A", "y": "b"}]
    (unit,) = ParallelSentences.from_columns(rows, ("x", "y"), **EN_DE).units()
    assert unit.id == "row 1"


# ---- units of all kinds of pairs


def test_lines_of_two_files_are_as_they_are(tmp_path):
    one, other = tmp_path / "a.en", tmp_path / "a.de"
    one.write_bytes(b"The  House!\n\nB\n")
    other.write_bytes(b"Das Haus!\r\n\nb\n")
    pairs = ParallelSentences(one, other, **EN_DE, tokenizer=Tokenizer("en"))
    assert [tuple(unit) for unit in pairs.units()] == [
        ("The  House!", "Das Haus!", str(one), "line 1"), ("", "", str(one), "line 2"),
        ("B", "b", str(one), "line 3"),
    ]  # fmt: skip
    assert [tuple(unit) for unit in ParallelSentences([["x", "y"]], LineCorpus(other, limit=1),
                                                      **EN_DE).units()] == [
        ("x y", "Das Haus!", str(other), "line 1")
    ]  # fmt: skip


def test_pairs_in_memory_are_joined_or_are_as_they_are():
    pairs = ParallelSentences([(["a", "b"], ["c"]), ([], ["d"])], **EN_DE)
    assert list(pairs.units()) == [
        TextUnit("a b", "c", "", "pair 1"), TextUnit("", "d", "", "pair 2")
    ]  # fmt: skip
    texts = ParallelSentences([("A  b", "C")], **EN_DE, tokenizer={"en": Tokenizer("en")})
    with pytest.raises(TokenError, match="de side, sentence 1: a list of tokens is wanted"):
        list(texts.units())
    texts = ParallelSentences([("A  b", ["C", "d"])], **EN_DE, tokenizer=Tokenizer("en"))
    assert list(texts.units()) == [TextUnit("A  b", "C d", "", "pair 1")]
    ((_, (a, b)),) = texts.units_and_splits()
    assert [(a("A  b"), b("C d"))] == list(texts) == [(["a", "b"], ["C", "d"])]


def test_errors_are_those_of_iteration(tmp_path):
    for given_pairs in ([("a", "b")], [(["a"],)], [(["a"], ["b"]), (["a"], [1])]):
        pairs = ParallelSentences(given_pairs, **EN_DE)
        with pytest.raises(CorpusError) as by_pairs:
            list(pairs)
        with pytest.raises(type(by_pairs.value)) as by_units:
            list(pairs.units())
        assert str(by_units.value) == str(by_pairs.value)
    with pytest.raises(ParallelDataError, match=r"differ in length: en has 1 .* de has 2"):
        list(ParallelSentences([["a"]], [["b"], ["c"]], **EN_DE).units())

    class Broken:
        def __iter__(self):
            yield ["a"], ["b"]
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as caught:
        list(ParallelSentences(Broken(), **EN_DE).units())
    assert caught.value.__notes__ == ["raised while reading parallel text en-de, after pair 1"]


def test_derived_classes_give_what_they_iterate_over(tmp_path):
    class Upper(ParallelSentences):
        def __iter__(self):
            return ((a, [word.upper() for word in b]) for a, b in super().__iter__())

    (tmp_path / "a.tmx").write_text(tmx(tu("A dog", "Ein Hund")), encoding="utf-8")
    units = Upper(tmp_path / "a.tmx", **EN_DE).units()
    assert list(units) == [TextUnit("a dog", "EIN HUND", "", "pair 1")]

    class Reversed(LineCorpus):
        def __iter__(self):
            return (line[::-1] for line in super().__iter__())

    (tmp_path / "a.de").write_text("c d\n", encoding="utf-8")
    sides = [["a"]], Reversed(tmp_path / "a.de")
    assert list(ParallelSentences(*sides, **EN_DE).units()) == [TextUnit("a", "d c", "", "pair 1")]


def test_filtered_pairs_keep_text_and_place(tmp_path):
    (tmp_path / "a.tmx").write_text(
        tmx(tu("A dog!", "Ein Hund!"), tu("OK", "ok"), tu("A dog!", "Ein Hund!"), tu("", "x")),
        encoding="utf-8",
    )
    pairs = ParallelSentences(tmp_path / "a.tmx", **EN_DE)
    kept = pairs.filtered(drop_identical=True, drop_duplicates=True)
    assert list(kept.units()) == [
        TextUnit("A dog!", "Ein Hund!", str(tmp_path / "a.tmx"), "unit 1")
    ]  # fmt: skip
    assert kept.dropped == {"identical": 1, "duplicate": 1, "with a blank side": 1}
    assert [*kept.filtered().units()] == [*kept.units()]


def test_joined_phrases_have_no_place():
    pairs = ParallelSentences([(["new", "york"], ["b"])] * 9, **EN_DE)
    phrases = Phrases(pairs.side("en"), min_count=1, threshold=0.1)
    units = list(pairs.with_phrases({"en": phrases}).units())
    assert units[8] == TextUnit("new_york", "b", "", "pair 9")


def test_many_files_have_each_their_path_and_are_reported_as_in_iteration(tmp_path):
    (tmp_path / "a.tmx").write_text(tmx(tu("A dog!", "Ein Hund!"), tu("", "x")), encoding="utf-8")
    (tmp_path / "b.tsv").write_text("A cat!\tEine Katze!\n", encoding="utf-8")
    (tmp_path / "c.po").write_text(PO, encoding="utf-8")
    (tmp_path / "d.tmx").write_text(tmx(tu("A", "B"))[:-9], encoding="utf-8")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in "xy":
            archive.writestr(f"{name}.tmx", tmx(tu(name, "Z")))
    (tmp_path / "e.zip").write_bytes(packed.getvalue())
    names = ["a.tmx", "b.tsv", "c.po", "d.tmx", "e.zip"]
    pairs = ParallelSentences([tmp_path / name for name in names], **EN_DE, skip_bad=True)
    units = list(pairs.units())
    found = [(Path(unit.file).relative_to(tmp_path).as_posix(), unit.id) for unit in units]
    assert [*dict.fromkeys(found)] == [
        ("a.tmx", "unit 1"), ("b.tsv", "line 1"), ("c.po", "line 6"),
        ("c.po", "line 10 (menu|a long)"), ("d.tmx", "unit 1"),
        ("e.zip/x.tmx", "unit 1"), ("e.zip/y.tmx", "unit 1"),
    ]  # fmt: skip
    assert units[1].source == "A cat!"
    reports, dropped = pairs.reports, pairs.dropped
    assert dropped == {"with a blank side": 1, "damaged files from the damage on": 1}
    assert len(list(pairs)) == len(units)
    assert (pairs.reports, pairs.dropped) == (reports, dropped)


def test_each_unit_comes_with_what_splits_it(tmp_path):
    (tmp_path / "a.tmx").write_text(tmx(tu("A dog!", "Ein Hund!")), encoding="utf-8")
    (tmp_path / "b.tsv").write_text("A cat!\tEine Katze!\n", encoding="utf-8")
    pairs = ParallelSentences([tmp_path / "a.tmx", tmp_path / "b.tsv"], **EN_DE)
    split = [
        (a(unit.source), b(unit.target)) for unit, (a, b) in pairs.units_and_splits()
    ]  # fmt: skip
    assert split == list(pairs) == [
        (["a", "dog", "!"], ["ein", "hund", "!"]), (["A", "cat!"], ["Eine", "Katze!"])
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(not FILES.is_dir(), reason="files of real tools are not there")
def test_units_of_files_of_real_tools_are_those_of_iteration():
    read = 0
    for path in sorted(FILES.rglob("*")):
        if not path.is_file() or path.stat().st_size > 300_000:
            continue
        try:
            if (kind := reader_of(str(path))) is None:
                continue
            units = [unit for unit in kind(path, ("en", "de")).units() if not isinstance(unit, str)]
            pairs = ParallelSentences(path, **EN_DE)
            expected = list(pairs)
        except (CorpusError, CorpusFileError):
            continue
        dropped = pairs.dropped
        found = list(pairs.units())
        assert [(a(u.source), b(u.target)) for u, (a, b) in pairs.units_and_splits()] == expected
        assert pairs.dropped == dropped
        assert {unit.id for unit in found} <= {unit.id for unit in units}
        assert all(unit.id and unit.file == str(path) for unit in found)
        read += 1
    assert read > 50


# ---- units kept in memory

TEXTS = st.text(st.characters(), max_size=9)
UNITS = st.lists(st.builds(TextUnit, TEXTS, TEXTS, st.sampled_from(["a", "b"]), TEXTS), max_size=9)


@given(st.lists(UNITS, max_size=9), st.data())
def test_packed_units_are_what_was_packed(blocks, data):
    packed = PackedUnits()
    for block in blocks:
        packed.add(block)
    units = [unit for block in blocks for unit in block]
    assert len(packed) == len(units)
    assert list(packed) == units
    numbers = data.draw(st.lists(st.sampled_from(range(len(units))))) if units else []
    assert [packed[number] for number in numbers] == [units[number] for number in numbers]
    assert packed.some(numbers) == {number: units[number] for number in numbers}


def test_unit_that_is_not_there_is_an_index_error():
    packed = PackedUnits()
    packed.add([TextUnit("a", "b", "c", "d")])
    assert packed[-1] == packed[0]
    with pytest.raises(IndexError, match="there are 1 units, none is number 1"):
        packed[1]
