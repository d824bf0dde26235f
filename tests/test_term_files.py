"""Term lists as tables, workbooks, glossaries of OmegaT and JSON."""

from __future__ import annotations

import csv
import json
import sys
import unicodedata
from dataclasses import replace

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from term_lists import ACCOUNT, HOUSE, KONTO, TERMS, of_text

from gensim_bilbowa.errors import ConfigError, FormatError
from gensim_bilbowa.terminology import (
    FORMATS,
    Form,
    Term,
    TermExample,
    TermList,
    Translation,
    file_format,
    workbook,
)

HEADER = [
    *("en", "de", "score", "rank", "en_count", "de_count", "termhood", "aligned", "share"),
    *("others", "en_variants", "de_variants", "known"),
]
WITH_EXAMPLES = [
    *HEADER,
    *("en_example_1", "de_example_1", "file_1", "unit_1"),
    *("en_example_2", "de_example_2", "file_2", "unit_2"),
]
NOBODY = TermList(("en", "de"), ())
ANY = st.text(st.characters(exclude_categories=["Cs"]))


def table(path, kind="csv", encoding="utf-8"):
    with path.open(encoding=encoding, newline="") as stream:
        return [*csv.reader(stream, delimiter="," if kind == "csv" else "\t")]


# ---- which format


def test_format_is_that_of_the_suffix_or_the_one_named():
    suffixes = {"a.csv": "csv", "a.TSV": "tsv", "a.xlsx": "xlsx", "a.tbx": "tbx", "a.json": "json"}
    suffixes |= {"a.martif": "tbx2008", "a.utf8": "omegat", "a.txt": "omegat", "a.htm": "html"}
    for path, kind in suffixes.items():
        assert file_format(path) == kind
    for kind in FORMATS:
        assert file_format("a.anything", kind) == kind


def test_unknown_format_is_refused_with_those_that_there_are(tmp_path):
    for path, kind in (("x.xls", None), ("x", None), ("x.tsv", "martif")):
        with pytest.raises(ConfigError, match="one of csv, tsv, xlsx, tbx, tbx2008, omegat, json"):
            TERMS.save(tmp_path / path, kind)
    assert list(tmp_path.iterdir()) == []


def test_excel_is_refused_where_the_file_is_no_table_of_text(tmp_path):
    with pytest.raises(ConfigError, match="excel is for csv and tsv; got the format 'xlsx'"):
        TERMS.save(tmp_path / "x.xlsx", excel=True)


@pytest.mark.parametrize("kind", ["csv", "tsv", "xlsx", "omegat", "json"])
def test_what_cannot_be_written_leaves_the_old_file(tmp_path, kind):
    path = tmp_path / "x"
    path.write_text("old", encoding="utf-8")
    bad = TermList(("en", "de"), (ACCOUNT, replace(HOUSE, text="a\ud800")))
    if kind == "json":
        bad = TermList(("en", "de"), (ACCOUNT, replace(HOUSE, termhood=float("nan"))))
    with pytest.raises(FormatError, match=r"cannot hold the character '\\ud800'|finite numbers"):
        bad.save(path, kind)
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


# ---- tables


@pytest.mark.parametrize("kind", ["csv", "tsv"])
def test_table_has_a_row_for_each_translation(tmp_path, kind):
    TERMS.save(tmp_path / f"x.{kind}")
    header, konto, buchung, neubau = table(tmp_path / f"x.{kind}", kind)
    assert header == WITH_EXAMPLES
    others = "Vorgang 5%; Kunde <1%"
    assert konto == [
        *("account", "Konto", "1.2346", "1", "120", "1300", "3.2100", "99.75", "0.8312"),
        *(others, "accounts (12)", "Konten (30); Kontos (4)", "translation"),
        *("Close the account.", "Schließen Sie das Konto.", "po/de.po", "12"),
        *("Your accounts", "Ihre Konten & <b>mehr</b>", "po/de.po", "menu/7"),
    ]
    assert buchung == [
        *("account", "Buchung", "-0.5000", "2", "120", "20", "3.2100", "14.40", "0.1200"),
        *(others, "accounts (12)", "", "term"),
        *("Close the account.", "Schließen Sie das Konto.", "po/de.po", "12"),
        *("Post to the account", "Auf das Konto buchen", "", ""),
    ]
    assert neubau == [
        *("new house", "Neubau", "1.5000", "1", "9", "10", "2.0000", "8.50", "0.9444"),
        *[""] * 12,
    ]


@pytest.mark.parametrize("kind", ["csv", "tsv"])
def test_empty_list_is_a_table_with_a_header(tmp_path, kind):
    NOBODY.save(tmp_path / f"x.{kind}")
    assert table(tmp_path / f"x.{kind}", kind) == [HEADER]
    NOBODY.save(tmp_path / "x.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "x.xlsx").active
    assert [[cell.value for cell in row] for row in sheet] == [HEADER]


@settings(max_examples=50)
@given(text=ANY, kind=st.sampled_from(["csv", "tsv"]))
def test_any_text_is_read_from_a_table_as_it_was_written(tmp_path_factory, text, kind):
    path = tmp_path_factory.mktemp("table") / "x"
    of_text(text).save(path, kind)
    _, row = table(path, kind)
    assert row[:2] == [text] * 2
    assert row[-4:] == [text] * 4


def test_tables_end_lines_as_each_reader_wants(tmp_path):
    TERMS.save(tmp_path / "x.csv")
    assert b"\r" not in (tmp_path / "x.csv").read_bytes()
    TERMS.save(tmp_path / "y.csv", excel=True)
    written = (tmp_path / "y.csv").read_bytes()
    assert written.startswith("\ufeffen,de,score".encode())
    assert written.count(b"\r\n") == written.count(b"\n") == 4


# ---- tables for spreadsheets


def seen(text):
    """What a spreadsheet may see of a cell: without space and what is invisible."""
    return "".join(char for char in text if unicodedata.category(char)[0] not in "CZ")


def told(cell):
    """What a guarded cell says: without the first of the apostrophes before a formula."""
    rest = seen(cell.lstrip("'"))
    begins = rest and unicodedata.normalize("NFKC", rest[0]) in "=+-@"
    begins = begins or cell.lstrip("'").startswith(("\t", "\r", "\n"))
    return cell[1:] if cell.startswith("'") and begins else cell


FORMULAS = [
    *("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\u00a0=1", "\u3000@x", "\ufeff=1"),
    *("＝1+1", "＋1", "－1", "＠x", "﹢1", "﹦1", "\0=1", "\u200b=1", "\tx", "\rx", "\nx"),
    *("'=1", "''=1", "' =1", '=HYPERLINK("http://x","y")', "=cmd|' /C calc'!A0", "-2+3"),
]


@settings(max_examples=300)
@given(text=ANY | st.builds(str.__add__, st.text("'=+-@ \t\r\n＝＋－＠\u200b\ufeff"), ANY))
def test_no_cell_for_excel_begins_as_a_formula_and_each_says_what_it_said(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("excel") / "x"
    of_text(text).save(path, "csv", excel=True)
    _, row = table(path, encoding="utf-8-sig")
    for cell in [*row[:2], *row[9:]]:
        assert not seen(cell).startswith(tuple("=+-@＝＋－＠"))
        assert not cell.startswith(("\t", "\r", "\n"))
    assert [*map(told, [*row[:2], *row[-4:]])] == [text] * 6


@pytest.mark.parametrize("text", FORMULAS)
def test_formula_gets_an_apostrophe_and_a_number_of_ours_none(tmp_path, text):
    terms = TermList(("en", "de"), (replace(HOUSE, text=text, termhood=-1.0),))
    terms.save(tmp_path / "x.csv", excel=True)
    _, row = table(tmp_path / "x.csv", encoding="utf-8-sig")
    assert row[0] == "'" + text
    assert row[HEADER.index("termhood")] == "-1.0000"


@pytest.mark.parametrize("text", ["'s", "d'=x", "x=1", "a-b", "it's", "'", "''", "", " x", "1-2"])
def test_text_that_is_no_formula_stays_as_it_is(tmp_path, text):
    TermList(("en", "de"), (replace(HOUSE, text=text),)).save(tmp_path / "x.tsv", excel=True)
    _, row = table(tmp_path / "x.tsv", "tsv", "utf-8-sig")
    assert row[0] == text


# ---- workbooks


def sheet_of(path):
    return openpyxl.load_workbook(path).active


def test_workbook_has_texts_as_texts_and_numbers_as_numbers(tmp_path):
    TERMS.save(tmp_path / "x.xlsx")
    sheet = sheet_of(tmp_path / "x.xlsx")
    header, konto, _, neubau = [[cell.value for cell in row] for row in sheet]
    assert header == WITH_EXAMPLES
    assert konto[:9] == ["account", "Konto", 1.23456, 1, 120, 1300, 3.21, 99.75, 0.8312]
    assert konto[9:13] == [
        *("Vorgang 5%; Kunde <1%", "accounts (12)", "Konten (30); Kontos (4)", "translation")
    ]
    assert konto[-4:] == ["Your accounts", "Ihre Konten & <b>mehr</b>", "po/de.po", "menu/7"]
    assert (konto[16], sheet["Q2"].data_type) == ("12", "s")  # an id is no number
    assert neubau[9:] == [None] * 12
    assert sheet["I2"].number_format == "0%"


def test_workbook_keeps_its_header_in_sight_and_filters(tmp_path):
    TERMS.save(tmp_path / "x.xlsx")
    sheet = sheet_of(tmp_path / "x.xlsx")
    assert sheet.freeze_panes == "C2"
    assert sheet.auto_filter.ref == "A1:U4"
    assert sheet["A1"].font.bold
    assert sheet.column_dimensions["A"].width > sheet.column_dimensions["D"].width


def test_same_list_makes_the_same_workbook(tmp_path):
    for name in "ab":
        TERMS.save(tmp_path / f"{name}.xlsx")
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()


@settings(max_examples=60)
@given(
    text=st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1)
    | st.sampled_from([*(f for f in FORMULAS if not {"\0", "\r"} & {*f}), "]]>", "http://x.y"])
    | st.sampled_from(["1", "1e5", "TRUE", "#N/A", "_x0041_", "{=1}", "a\n\tb", " a ", "mailto:x"])
)
def test_any_text_is_text_in_a_workbook(tmp_path_factory, text):
    text = text.replace("\ufffe", "").replace("\uffff", "") or "x"
    path = tmp_path_factory.mktemp("workbook") / "x.xlsx"
    of_text(text).save(path)
    _, row = sheet_of(path)
    for cell in (*row[:2], *row[-4:]):
        assert (cell.value, cell.data_type) == (text, "s")
        assert cell.hyperlink is None


@pytest.mark.parametrize("bad", ["\0", "\x1b", "\ufffe", "\ud800"])
def test_what_a_workbook_cannot_hold_is_refused(tmp_path, bad):
    with pytest.raises(FormatError, match="XML cannot hold the character"):
        of_text(f"a{bad}").save(tmp_path / "x.xlsx")


def test_example_longer_than_a_cell_is_cut_and_says_how_much_is_missing(tmp_path):
    short, long = "😀" * (32_767 // 2), "😀" * (32_767 // 2 + 1)
    example = TermExample(short, long, "a.po", "1")
    found = replace(KONTO, examples=(example,))
    TermList(("en", "de"), (replace(HOUSE, translations=(found,)),)).save(tmp_path / "x.xlsx")
    cells = [cell.value for cell in [*sheet_of(tmp_path / "x.xlsx")][1]]
    assert cells[-4] == short
    kept, said = cells[-3].split(" [… ")
    assert set(kept) == {"😀"}
    assert said == f"{len(long) - len(kept)} more characters]"
    assert len(cells[-3].encode("utf-16-le")) // 2 <= 32_767


def test_term_longer_than_a_cell_is_refused(tmp_path):
    with pytest.raises(FormatError, match="has 40,000 characters: a cell of Excel holds 32,767"):
        of_text("x" * 40_000).save(tmp_path / "x.xlsx")


def test_more_rows_than_a_sheet_has_are_refused(tmp_path, monkeypatch):
    assert workbook.MOST_ROWS == 1_048_576
    monkeypatch.setattr(workbook, "MOST_ROWS", 4)
    TERMS.save(tmp_path / "x.xlsx")
    with pytest.raises(FormatError, match="has 4 rows at most, the term list wants 5"):
        TermList(("en", "de"), (*TERMS, HOUSE)).save(tmp_path / "y.xlsx")


def test_missing_library_is_named_with_its_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    with pytest.raises(ImportError, match=r"pip install 'gensim_bilbowa\[xlsx\]'"):
        file_format("x.xlsx")


# ---- OmegaT's glossaries


def omegat(path):
    """Return what OmegaT takes from a glossary of text.

    Lines end where Java says, those with a number sign first are left out, and so are those of
    less than two parts or without a source; parts stand between tabs, the third is the comment.
    """
    text = path.read_bytes().decode("utf-8").removeprefix("\ufeff")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")
    parts = [line.split("\t") for line in lines if not line.startswith("#")]
    return [tuple(part[:3]) for part in parts if len(part) >= 2 and part[0]]


def test_omegat_reads_a_line_for_each_translation(tmp_path):
    TERMS.save(tmp_path / "x.utf8")
    assert omegat(tmp_path / "x.utf8") == [
        (
            "account",
            "Konto",
            "83% of 120; others: Vorgang 5%; Kunde <1%; variants: Konten (30); Kontos (4); "
            "variants of account: accounts (12); in the glossary",
        ),
        (
            "account",
            "Buchung",
            "12% of 120; others: Vorgang 5%; Kunde <1%; variants of account: accounts (12)",
        ),
        ("new house", "Neubau", "94% of 9"),
    ]


@settings(max_examples=100)
@given(source=ANY.filter(bool), target=ANY.filter(bool))
def test_any_text_is_one_part_of_a_line_for_omegat(tmp_path_factory, source, target):
    found = replace(KONTO, text=target)
    path = tmp_path_factory.mktemp("omegat") / "x.txt"
    TermList(("en", "de"), (replace(HOUSE, text="x" + source, translations=(found,)),)).save(path)
    [(one, other, _)] = omegat(path)
    for read, written in ((one, "x" + source), (other, target)):
        # White space that would split is a space, all else is as it was.
        assert "".join(read.split()) == "".join(written.split())


def test_term_with_a_number_sign_first_is_no_remark_for_omegat(tmp_path):
    TermList(("en", "de"), (replace(HOUSE, text="#hash"),)).save(tmp_path / "x.utf8")
    [(source, target, _)] = omegat(tmp_path / "x.utf8")
    assert (source.strip(), target) == ("#hash", "Neubau")


def test_empty_glossary_is_an_empty_file(tmp_path):
    NOBODY.save(tmp_path / "x.utf8")
    assert (tmp_path / "x.utf8").read_bytes() == b""


# ---- JSON

numbers = st.floats(allow_nan=False, allow_infinity=False)
amounts = st.floats(0, allow_infinity=False)
shares = st.floats(0, 1)
counts = st.integers(0, 10**12)
forms = st.lists(st.builds(Form, ANY, counts), max_size=2).map(tuple)
examples = st.lists(st.builds(TermExample, ANY, ANY, ANY, ANY), max_size=2).map(tuple)
found = st.builds(
    Translation, ANY, counts, amounts, shares, numbers, forms, examples, st.booleans()
)
others = st.lists(st.tuples(ANY, shares), max_size=2).map(tuple)
term = st.builds(
    Term, ANY, counts, numbers, st.lists(found, min_size=1, max_size=2).map(tuple), others, forms,
    st.booleans(),
)  # fmt: skip


@settings(max_examples=60)
@given(terms=st.lists(term, max_size=3).map(tuple), left_out=st.dictionaries(ANY, counts))
def test_json_is_loaded_as_it_was_saved(tmp_path_factory, terms, left_out):
    path = tmp_path_factory.mktemp("json") / "x.json"
    saved = TermList(("en", "de"), terms, left_out)
    saved.save(path)
    assert TermList.load(path) == saved


def test_json_is_what_the_classes_have(tmp_path):
    TERMS.save(tmp_path / "x.json")
    text = (tmp_path / "x.json").read_text("utf-8")
    assert "Schließen" in text
    found = json.loads(text)
    assert list(found) == ["languages", "terms", "left_out"]
    assert found["terms"][0]["translations"][0]["variants"][0] == {"text": "Konten", "count": 30}
    assert found["terms"][0]["others"] == [["Vorgang", 0.05], ["Kunde", 0.004]]


def test_json_has_the_path_of_a_file_that_is_no_text(tmp_path):
    example = TermExample("a", "b", "caf\udce9.po", "7")
    saved = TermList(
        ("en", "de"), (replace(HOUSE, translations=(replace(KONTO, examples=(example,)),)),)
    )
    saved.save(tmp_path / "x.json")
    assert TermList.load(tmp_path / "x.json") == saved


def test_json_of_an_editor_with_a_mark_is_loaded(tmp_path):
    TERMS.save(tmp_path / "x.json")
    (tmp_path / "y.json").write_bytes(b"\xef\xbb\xbf" + (tmp_path / "x.json").read_bytes())
    assert TermList.load(tmp_path / "y.json") == TERMS


def changed(change):
    """The JSON of the list with one thing changed."""

    def written(path):
        TERMS.save(path)
        data = json.loads(path.read_text("utf-8"))
        change(data)
        path.write_text(json.dumps(data), encoding="utf-8")

    return written


def put(value, *keys):
    def change(data):
        for key in keys[:-1]:
            data = data[key]
        data[keys[-1]] = value

    return changed(change)


def text(content):
    return lambda path: path.write_bytes(content)


WRONG = {
    "terms: a list is wanted, got 'x'": put("x", "terms"),
    "languages: a list of 2 is wanted, got ['en']": put(["en"], "languages"),
    "languages[1]: a text is wanted, got None": put(None, "languages", 1),
    "left_out['a']: a whole number is wanted, got 1.5": put({"a": 1.5}, "left_out"),
    "left_out: an object is wanted, got []": put([], "left_out"),
    "terms[1].count: a whole number is wanted, got True": put(True, "terms", 1, "count"),
    "terms[0].known: true or false is wanted, got 1": put(1, "terms", 0, "known"),
    "terms[0].termhood: a number is wanted, got '3'": put("3", "terms", 0, "termhood"),
    "terms[0].termhood: a finite number is wanted": put(10**400, "terms", 0, "termhood"),
    "terms[0].others[1][1]: a number is wanted": put("x", "terms", 0, "others", 1, 1),
    "terms[0].others[1][1]: a number from 0 to 1 is wanted, got -0.5": put(
        -0.5, "terms", 0, "others", 1, 1
    ),
    "terms[1].count: a number from 0 to 9.007199255e+15 is wanted, got -1": put(
        -1, "terms", 1, "count"
    ),
    "terms[0].variants[0].count: a number from 0 to 9.007199255e+15 is wanted": put(
        2**53 + 1, "terms", 0, "variants", 0, "count"
    ),
    "terms[0].translations[1].count: a number from 0": put(
        -7, "terms", 0, "translations", 1, "count"
    ),
    "terms[0].translations[0].share: a number from 0 to 1 is wanted, got 1.0625": put(
        1.0625, "terms", 0, "translations", 0, "share"
    ),
    "terms[0].translations[0].aligned: a number from 0 to 1.797693135e+308 is wanted, got -2": put(
        -2, "terms", 0, "translations", 0, "aligned"
    ),
    "left_out['a']: a number from 0": put({"a": -1}, "left_out"),
    "terms[0].translations[1].examples[0].unit: a text is wanted, got 12": put(
        12, "terms", 0, "translations", 1, "examples", 0, "unit"
    ),
    "terms[1].translations: one is wanted at least": put([], "terms", 1, "translations"),
    "terms[0]: an object is wanted, got 7": put(7, "terms", 0),
    "terms[0]: a Term has no 'colour'": put("red", "terms", 0, "colour"),
    "the file: a TermList has no 'extra'": put(1, "extra"),
    "terms[0].translations[0].share is missing": changed(
        lambda data: data["terms"][0]["translations"][0].pop("share")
    ),
    "languages is missing": text(b"{}"),
    "the file: an object is wanted, got [1, 2]": text(b"[1, 2]"),
    "line 2, column 3: no JSON": text(b'{"a":\n  x}'),
    "line 1, column 1: no JSON": text(b""),
    "no JSON in UTF-8": text(b"PK\x03\x04\xff\xfe"),
    "'a' stands twice in one object": text(b'{"a": 1, "a": 2}'),
    "NaN is no number of JSON": text(b'{"terms": NaN}'),
    "too deep to read": text(b"[" * 50_000),
}


@pytest.mark.parametrize("message", WRONG)
def test_file_that_is_no_term_list_is_refused_with_its_place(tmp_path, message):
    path = tmp_path / "x.json"
    WRONG[message](path)
    with pytest.raises(FormatError) as error:
        TermList.load(path)
    assert str(error.value).startswith(str(path))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"count": -1}, r"terms\[0\]\.count: a number from 0"),
        ({"text": None}, r"terms\[0\]\.text: a text is wanted, got None"),
        ({"others": (("x", 1.5),)}, r"terms\[0\]\.others\[0\]\[1\]: a number from 0 to 1"),
    ],
)
def test_list_that_could_not_be_read_again_is_not_written(tmp_path, fields, message):
    bad = TermList(("en", "de"), (replace(ACCOUNT, **fields),))
    with pytest.raises(FormatError, match=message):
        bad.save(tmp_path / "x.json")
    assert list(tmp_path.iterdir()) == []


def test_fields_that_have_a_default_may_be_left_out(tmp_path):
    (tmp_path / "x.json").write_text(
        '{"languages": ["en", "de"], "terms": [{"text": "dog", "count": 7, "termhood": 3,'
        '"translations": [{"text": "Hund", "count": 8, "aligned": 6, "share": 1, "score": 2}]}]}',
        encoding="utf-8",
    )
    hund = Translation("Hund", 8, 6.0, 1.0, 2.0)
    assert TermList.load(tmp_path / "x.json") == TermList(
        ("en", "de"), (Term("dog", 7, 3.0, (hund,)),)
    )
