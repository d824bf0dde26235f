"""Parallel text in tables that are files."""

from __future__ import annotations

import csv
import gzip
import io
import json
import logging
import os
import subprocess
import sys
import textwrap
import threading

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from gensim_bilbowa import BilBOWA, ParallelSentences, Tokenizer
from gensim_bilbowa.cli import cli
from gensim_bilbowa.corpora import table_kinds
from gensim_bilbowa.corpora.table_heads import find_columns
from gensim_bilbowa.corpora.table_kinds import TableKind, table_kind
from gensim_bilbowa.errors import ConfigError, CorpusError, ParallelDataError

EN_DE = {"languages": ("en", "de")}
ROWS = [("the red house", "das rote Haus"), ("a big dog", "ein großer Hund"),
        ("the cat", "die Katze")] * 3  # fmt: skip
PAIRS = [(en.split(), de.split()) for en, de in ROWS]


@pytest.fixture
def write(tmp_path):
    def write(name, data):
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    return write


def lines(*columns, delimiter="\t"):
    """Lines of columns; a function of the line's number, or a text for all."""
    rows = zip(*columns, strict=True)
    return "".join(delimiter.join(row) + "\n" for row in rows)


def tabbed(rows=ROWS, delimiter="\t"):
    return lines(*zip(*rows, strict=True), delimiter=delimiter)


def read(path, **more):
    return list(ParallelSentences(path, **EN_DE, **more))


ENGLISH, GERMAN = zip(*ROWS, strict=True)
NUMBERS = [str(n) for n in range(9)]
URLS = [f"http://a/{n}" for n in range(9)]
CRAWLED = lines(URLS, [f"http://b/{n}" for n in range(9)], ENGLISH, GERMAN, ["0.9"] * 9)
NUMBERED = lines(NUMBERS, ENGLISH, [str(n + 9) for n in range(9)], GERMAN)


# ---- columns


@pytest.mark.parametrize(
    ("text", "kind", "hint"),
    [
        (CRAWLED, "URLs", "--columns 3,4, columns=(2, 3)"),
        (NUMBERED, "numbers", "--columns 2,4, columns=(1, 3)"),
        (lines([f"abc-{n}" for n in range(9)], ENGLISH, GERMAN), "codes", "--columns 2,3"),
        (lines(["en"] * 9, ["de"] * 9, ENGLISH, GERMAN), "codes", "--columns 3,4"),
    ],
)
def test_column_that_is_no_text_is_warned_about(write, caplog, text, kind, hint):
    read(write("t.tsv", text))
    warning = caplog.messages[0]
    assert f"column 1 has {kind}" in warning
    assert hint in warning


def test_table_without_columns_of_text_says_so(write, caplog):
    read(write("t.tsv", lines(NUMBERS, URLS)))
    assert "look like text: none" in caplog.text


@pytest.mark.parametrize(("text", "columns"), [(CRAWLED, (2, 3)), (NUMBERED, (1, 3))])
def test_chosen_columns_of_text_are_read_without_a_warning(write, caplog, text, columns):
    assert read(write("t.tsv", text), columns=columns) == PAIRS
    assert not caplog.records


def test_single_words_are_text(write, caplog):
    assert len(read(write("t.tsv", "house\tHaus\ndog\tHund\ncat\tKatze\n"))) == 3
    assert not caplog.records


def test_warning_comes_once_for_all_passes(write, caplog):
    pairs = ParallelSentences(write("t.tsv", NUMBERED), **EN_DE)
    assert list(pairs) == list(pairs)
    assert len(caplog.records) == 1


def test_columns_are_chosen_by_the_names_in_the_first_row(write):
    path = write("t.tsv", "id\tDeutsche Seite\tText\n1\tein Haus\ta house\n")
    assert read(path, columns=("text", "deutsche seite")) == [(["a", "house"], ["ein", "Haus"])]


def test_name_of_no_column_is_refused_with_those_there_are(write):
    path = write("t.tsv", "id\tgerman\tText\n1\tein Haus\ta house\n")
    with pytest.raises(ConfigError, match=r"t\.tsv: no column.*'english'.*'id', 'german', 'Text'"):
        read(path, columns=("english", "german"))


def test_name_of_two_columns_is_refused(write):
    with pytest.raises(ConfigError, match="2 columns are named 'text'"):
        read(write("t.tsv", "text\ttext\tde\na\tb\tc\n"), columns=("text", "de"))


@pytest.mark.parametrize("columns", [(1,), (1, 1), (-1, 0), ("a", "a"), ("a", 1), (), 3, (True, 2)])
def test_columns_that_cannot_be_are_refused(write, columns):
    with pytest.raises(ConfigError, match="two different columns"):
        ParallelSentences(write("t.tsv", "a\tb\n"), **EN_DE, columns=columns)


@pytest.mark.parametrize("option", [{"columns": (0, 1)}, {"skip_bad": True}])
def test_options_of_tables_are_refused_for_other_sources(tmp_path, option):
    for sources in ((PAIRS,), (tmp_path / "m.tmx",), (tmp_path / "a", tmp_path / "b")):
        with pytest.raises(ConfigError, match="columns and skip_bad are for a table"):
            ParallelSentences(*sources, **EN_DE, **option)


# ---- headers


@pytest.mark.parametrize(
    "header",
    [
        "de\ten", "de-AT\ten_GB", "German\tEnglish", "Deutsch\tEnglisch", "DE\tEN",
        "German (Germany)\tEnglish (United States)", "target\tsource", "tgt\tsrc",
        "targetString\tsourceString",
    ],
)  # fmt: skip
def test_header_that_names_the_languages_tells_the_columns(write, header):
    assert read(write("t.tsv", f"{header}\nein Haus\ta house\n")) == [
        (["a", "house"], ["ein", "Haus"])
    ]


@pytest.mark.parametrize(
    "first", ["English\tEnglisch", "English\tx", "source\tQuelle", "de\tx", "fr\tes", "en de\tx"]
)
def test_first_row_that_is_no_sure_header_is_a_pair(write, first):
    assert len(read(write("t.tsv", f"{first}\na house\tein Haus\n"))) == 2


def test_header_is_left_out_where_columns_are_numbers(write):
    path = write("t.tsv", "de\ten\ten-US\nein Haus\ta house\tour house\n")
    assert read(path, columns=(2, 0)) == [(["our", "house"], ["ein", "Haus"])]


def test_header_of_two_kinds_of_a_language_tells_them_apart(write):
    pairs = ParallelSentences(write("t.tsv", "pt-BR\tpt\na\tb\n"), languages=("pt", "pt-BR"))
    assert list(pairs) == [(["b"], ["a"])]


# ---- kinds


EXCEL = "\r\n".join(["English,German", *(f'"{en}, he said ""hi""","{de}"' for en, de in ROWS), ""])
QUOTED = "".join(
    ["English\tGerman\n", *(f'"He said ""{en}"""\t"{de}\nzweite Zeile"\n' for en, de in ROWS)]
)


def test_csv_of_excel_is_read(write):
    said = [([*en[:-1], en[-1] + ",", "he", "said", '"hi"'], de) for en, de in PAIRS]
    assert read(write("t.csv", "\ufeff" + EXCEL)) == said


def test_cells_in_quotes_between_tabs_are_read(write):
    got = read(write("t.tsv", QUOTED))
    assert got[0] == (
        [*["He", "said"], '"the', "red", 'house"'],
        [*PAIRS[0][1], "zweite", "Zeile"],
    )
    assert len(got) == 9


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-32"])
def test_unicode_text_of_excel_is_read(write, encoding):
    text = "English\tGerman\r\n" + tabbed().replace("\n", "\r\n")
    assert read(write("t.txt", text.encode(encoding))) == PAIRS


def test_separator_that_excel_names_is_used(write):
    path = write("t.csv", "sep=;\r\nyes, sir;ja\r\nno, no;nein\r\n")
    assert read(path) == [(["yes,", "sir"], ["ja"]), (["no,", "no"], ["nein"])]


def test_lines_with_bars_are_read(write):
    assert read(write("t.txt", tabbed(delimiter=" ||| "))) == PAIRS


@pytest.mark.parametrize(
    "made",
    [
        lambda en, de: {"translation": {"en": en, "de": de, "id": 3}},
        lambda en, de: {"translation": {"de-AT": de, "en_US": en}, "id": 3},
        lambda en, de: {"de": de, "id": 3, "en": en},
        lambda en, de: {"score": 0.5, "source": en, "target": de},
        lambda en, de: {"German": de, "English": en},
    ],
)
def test_json_lines_are_read(write, made):
    text = "".join(json.dumps(made(en, de)) + "\n" for en, de in ROWS)
    assert read(write("t.jsonl", text)) == PAIRS
    assert read(write("text", text)) == PAIRS


@pytest.mark.parametrize("columns", [("a", "b"), "t", ("t",)])
def test_keys_of_json_lines_can_be_chosen(write, columns):
    rows = [{"a": en, "t": {"en": en, "de": de}, "b": de, "en": "x"} for en, de in ROWS]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    assert read(write("t.jsonl", text), columns=columns) == PAIRS


def test_json_lines_whose_keys_say_nothing_are_refused_with_them(write):
    with pytest.raises(ParallelDataError, match=r"there are 'id', 'text', of which --columns"):
        read(write("t.jsonl", '{"id": 1, "text": "a"}\n'))


def test_numbers_of_columns_are_refused_for_json_lines(write):
    with pytest.raises(ConfigError, match=r"named by keys, of which there are 'en', 'de'"):
        read(write("t.jsonl", '{"en": "a", "de": "b"}\n'), columns=(0, 1))


def test_array_in_json_is_refused_with_the_way_out(write):
    for text in ('[{"en": "a", "de": "b"}]\n', '[\n{"en": "a", "de": "b"}\n]\n'):
        with pytest.raises(ParallelDataError, match=r"t\.json, line 1: no JSON object.*jq -c"):
            read(write("t.json", text))


@pytest.mark.parametrize("text", [tabbed(), "en,de\na b,c\nd,e\n"])
def test_old_line_ends_of_macs_are_told(write, text):
    got = read(write("t.tsv", text.replace("\n", "\r")))
    assert got == (PAIRS if "\t" in text else [(["a", "b"], ["c"]), (["d"], ["e"])])


def test_packed_tables_are_told_by_what_is_in_them(write):
    assert len(read(write("t.csv.gz", gzip.compress(EXCEL.encode())))) == 9


def test_tables_that_are_cut_short_say_so(write):
    packed = gzip.compress("".join(f"en{n * n},de{n * 7}\n" for n in range(3000)).encode())
    with pytest.raises(OSError, match="cannot be read past line"):
        read(write("t.csv.gz", packed[:-20]))


@pytest.mark.parametrize(
    "text",
    [
        '"Hello," he said.\t"Hallo", sagte er.\n"Hm"\t"Hm"\n',  # words in quotes, not cells
        '"Hello\tHallo\nb\tc\n',
        '" well , yes , "\tja\nno , no\tnein\n',
        "{0} files\t{0} Dateien\n",
        "yes, sir\tja; ja\nno\tnein\n",
        '[music] "a"\t[Musik]\n',
    ],
)
def test_plain_lines_with_tabs_are_left_to_compiled_code(write, text):
    pairs = ParallelSentences(write("t.tsv", text), **EN_DE)
    assert pairs.files is not None
    assert list(pairs) == [tuple(map(str.split, line.split("\t"))) for line in text.splitlines()]


@pytest.mark.parametrize("text", [EXCEL, QUOTED, "en\tde\na\tb\n"])
def test_other_tables_are_not_left_to_compiled_code(write, text):
    assert ParallelSentences(write("t", text), **EN_DE).files is None


def test_lines_of_prose_are_no_table(write):
    with pytest.raises(ParallelDataError, match=r"line 1: 2 columns.*given as two: --parallel"):
        read(write("t.txt", "Yes, I do.\nNo, I do.\nWell, so.\n"))


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"a\tb\n", TableKind()),
        (b"a;b\nc, d;e\n", TableKind(";", quoted=True)),
        (b"a ||| b\n", TableKind("|||")),
        (b"a|b\nc|d\n", TableKind("|", quoted=True)),
        (b'{"en": 1}\n', TableKind("")),
        (b"a\tb\r", TableKind()),
        (b"a\tb\rc\td\r", TableKind(line_end="\r")),
        (b"a b\nc d\n", None),
        (b"", None),
    ],
)
def test_kind_is_told_by_the_head(head, kind):
    assert table_kind(head) == kind


CELLS = st.text(st.sampled_from('ab ,;\t"\n|é日'), max_size=12)


@given(
    st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=8),
    st.sampled_from(",;\t"),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_what_the_csv_module_writes_is_read(tmp_path_factory, rows, delimiter, quoting, end, code):
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, quoting=quoting, lineterminator=end)
    writer.writerows([("en", "de"), *[("house", "Haus")] * 20, *rows])
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    path.write_bytes(text.getvalue().encode(code))
    expected = [tuple(map(str.split, row)) for row in rows]
    assert read(path)[20:] == [pair for pair in expected if all(pair)]


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=5))
def test_what_the_json_module_writes_is_read(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("json") / "t.jsonl"
    rows = [("a", "b"), *rows]
    path.write_text(
        "".join(json.dumps({"de": de, "en": en}) + "\n" for en, de in rows), encoding="utf-8"
    )
    expected = [tuple(map(str.split, row)) for row in rows]
    assert read(path) == [pair for pair in expected if all(pair)]


# ---- bad lines

ONE_BAD = tabbed() + "no tab here\n" + "the cat\tdie Katze\n"


def test_line_without_its_columns_is_an_error_with_the_way_out(write):
    with pytest.raises(ParallelDataError, match=r"t\.tsv, line 10: 2 col.*skip_bad=True \(--skip"):
        read(write("t.tsv", ONE_BAD))


def test_bad_line_is_left_out_and_counted_if_asked(write, caplog):
    pairs = ParallelSentences(write("t.tsv", ONE_BAD), **EN_DE, skip_bad=True)
    assert list(pairs) == [*PAIRS, PAIRS[2]]
    assert pairs.dropped == {"with too few columns": 1}
    assert "left out: 1 with too few columns" in caplog.text


@pytest.mark.parametrize(
    ("name", "text", "line", "reason"),
    [
        ("t.csv", b"en,de\na,b\n\"c\"x,d\n", 3, {"with a broken quote": 1}),
        ("t.csv", b"en,de\na,b\nc,\"d\ne,f\n", 3, {"with a broken quote": 2}),
        ("t.csv", b"en,de\na,b\nc\n", 3, {"with too few columns": 1}),
        ("t.tsv", b"a\tb\n\xff\td\n", 2, {"with bytes that are no characters": 1}),
        ("t.txt", "\ufeffen\tde\na\tb\n".encode("utf-16-le") + b"c\0\t\0\0\xd8\n\0", 3,
         {"with bytes that are no characters": 1}),
        ("t.jsonl", b'{"en": "a", "de": "b"}\n{"en"\n', 2, {"that are no JSON": 1}),
        ("t.jsonl", b'{"en": "a", "de": "b"}\n[1]\n', 2, {"that are no objects": 1}),
        ("t.jsonl", b'{"en": "a", "de": "b"}\n{"en": 3, "de": "x"}\n', 2,
         {"with a value that is no text": 1}),
        ("t.jsonl", b'{"en": "a", "de": "b"}\n{"en": "\\ud800", "de": "x"}\n', 2,
         {"with bytes that are no characters": 1}),
        ("t.jsonl", b'{"en": "a", "de": "b"}\n{"a":' + b"[" * 100_000 + b"\n", 2,
         {"that are no JSON": 1}),
        ("t", b"a ||| b\nc\n", 2, {"with too few columns": 1}),
    ],
)  # fmt: skip
def test_bad_line_is_located_or_counted(write, name, text, line, reason):
    path = write(name, text)
    with pytest.raises(CorpusError, match=rf"line {line}\b"):
        read(path)
    pairs = ParallelSentences(path, **EN_DE, skip_bad=True)
    assert list(pairs) == [(["a"], ["b"])]
    assert pairs.dropped == reason


def test_row_without_a_chosen_key_is_located_with_its_keys(write):
    path = write("t.jsonl", '{"a": "x", "b": "y"}\n{"a": "x"}\n')
    with pytest.raises(ParallelDataError, match=r"line 2: no key 'b'; there are 'a'"):
        read(path, columns=("a", "b"))


def test_cell_that_holds_no_translations_is_located(write):
    with pytest.raises(ParallelDataError, match=r"line 1: 't': an object with a text by language"):
        read(write("t.jsonl", '{"t": "x"}\n'), columns="t")


def test_blank_rows_and_missing_values_are_counted(write):
    path = write("t.jsonl", '{"en": "a", "de": "b"}\n\n{"en": null, "de": "b"}\n{"en": "a"}\n')
    pairs = ParallelSentences(path, **EN_DE)
    assert list(pairs) == [(["a"], ["b"])]
    assert pairs.dropped == {"blank": 1, "with a missing value": 1, "without both languages": 1}


def test_wrong_bytes_may_be_replaced(write):
    path = write("t.csv", "en,de\na,ü\n".encode("latin-1"))
    assert read(path, errors="replace") == [(["a"], ["\ufffd"])]


def test_half_characters_of_json_may_be_replaced(write):
    path = write("t.jsonl", '{"en": "a\\ud800", "de": "b"}\n')
    assert read(path, errors="replace") == [(["a\ufffd"], ["b"])]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="makes a named pipe")
def test_pipe_is_read_as_lines_with_tabs_since_it_cannot_be_looked_at(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=(tabbed(),))
    writer.start()
    assert read(tmp_path / "pipe") == PAIRS
    writer.join()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="measures memory by a POSIX call")
@pytest.mark.parametrize(
    ("name", "begin", "more"),
    [("t.csv", 'en,de\na,b\nc,"d\n', "e f g,h i j\n"), ("t.tsv", QUOTED + '"x\n', "e\tf\n")],
)
def test_quote_that_does_not_close_takes_bounded_memory(write, name, begin, more):
    path = write(name, begin + more * (100_000_000 // len(more)))
    code = f"""
        import resource
        from gensim_bilbowa import BilBOWA, ParallelSentences
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        try:
            list(ParallelSentences({str(path)!r}, languages=("en", "de"), skip_bad=True))
        except ValueError as error:
            print(error)
        print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
    """
    command = [sys.executable, "-P", "-c", textwrap.dedent(code)]
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    message, grown = result.stdout.splitlines()
    line = begin.count("\n")
    assert f"line {line}: a quote that opens here" in message
    assert "4,194,304" in message
    assert int(grown) < 300


def test_line_of_another_encoding_that_does_not_end_is_refused(write, monkeypatch):
    monkeypatch.setattr(table_kinds, "LONGEST_ROW", 1000)
    path = write("t.txt", ("\ufeffa\tb\n" + "a" * 2000).encode("utf-16-le"))
    with pytest.raises(CorpusError, match=r"line 2: longer than 1,000"):
        read(path)


def test_sentences_without_spaces_look_like_text(write, caplog):
    read(write("t.tsv", lines(NUMBERS, ENGLISH, ["这个红色的房子是我们都很喜欢的"] * 9)))
    assert "those that look like text: 2, 3;" in caplog.text


# ---- headers that name languages in other ways, or others


SWAPPED = lines(GERMAN, ENGLISH, delimiter=";")


@pytest.mark.parametrize(
    "header", ["term_de;term_en", "Term (DE);Term (EN)", "German term;English term",
               "de-AT term;en-GB term", "text_deu_Latn;text_eng_Latn"],
)  # fmt: skip
def test_names_that_differ_in_the_language_alone_tell_the_columns(write, header):
    assert read(write("t.csv", f"{header}\n{SWAPPED}")) == PAIRS


def test_first_two_names_alike_are_taken_of_several(write):
    text = lines(ENGLISH, ["e"] * 9, GERMAN, ["d"] * 9, delimiter=",")
    path = write("t.csv", f"term_en,note_en,term_de,note_de\n{text}")
    assert read(path) == PAIRS


def test_keys_that_differ_in_the_language_alone_tell_the_sides(write):
    text = '{"sentence_deu_Latn": "das Haus", "sentence_eng_Latn": "the house"}\n'
    assert read(write("t.jsonl", text)) == [(["the", "house"], ["das", "Haus"])]


def test_header_below_titles_tells_the_columns_and_titles_are_counted(write):
    path = write("t.csv", f"My terms;\n;\nOf 2024;\nGerman;English\n{SWAPPED}")
    pairs = ParallelSentences(path, **EN_DE)
    assert list(pairs) == PAIRS
    assert pairs.dropped == {"above the header": 2, "blank": 1}


def test_header_that_names_the_sides_is_not_passed_for_languages_in_the_rows(write):
    rows = "".join(f"{i},en,de_DE,the house,das Haus\n" for i in range(3))
    path = write("t.csv", f"id,sourceLang,targetLang,sourceString,targetString\n{rows}")
    assert read(path) == [(["the", "house"], ["das", "Haus"])] * 3


@pytest.mark.parametrize("header", ["English;French", "en;fr", "EN-US;PT-BR", "French;German"])
def test_table_of_another_language_is_refused_by_its_header(write, header):
    path = write("t.csv", header + "\n" + SWAPPED)
    with pytest.raises(ParallelDataError, match=r"a column is in '.*'; 'en' and 'de' are wanted"):
        read(path)
    assert read(path, columns=(1, 0))[1:] == PAIRS


def test_tables_of_other_languages_among_many_files_are_counted(write, tmp_path):
    write("a.csv", "en;fr\n" + SWAPPED)
    write("b.csv", "de;en\n" + SWAPPED)
    pairs = ParallelSentences(tmp_path, **EN_DE)
    assert list(pairs) == PAIRS
    assert pairs.dropped == {"table of other languages": 1}


@pytest.mark.parametrize(("header", "column"), [("Allemand;Anglais", 2), ("Saksa;englisch", 2)])
def test_language_that_is_named_on_the_other_column_is_not_taken_for_it(write, header, column):
    path = write("t.csv", header + "\n" + SWAPPED)
    with pytest.raises(ParallelDataError, match=rf"'en' is in column {column} alone; .*--columns"):
        read(path)


@pytest.mark.parametrize("row", ["it\tes", "English\tEnglisch", "and\ten", "French\tFranzösisch"])
def test_words_that_are_names_or_codes_of_languages_are_no_header(write, row):
    assert read(write("t.tsv", f"{row}\n" + tabbed()))[0] == tuple([w] for w in row.split("\t"))


@given(st.lists(st.text(max_size=12), max_size=6))
def test_any_header_can_be_looked_at(cells):
    found = find_columns(cells, ("en", "de"))
    assert found is None or found[0] != found[1]


# ---- running text


@pytest.mark.parametrize("made", [lambda a, b: f"{a},{b}", lambda a, b: f"{a}\t{b}"])
def test_running_text_is_hinted_at_once(write, caplog, made):
    text = "en,de\n" if "," in made("", "") else ""
    rows = [(f"{en}.", f"{de}!") for en, de in ROWS]
    pairs = ParallelSentences(write("t", text + "".join(made(*r) + "\n" for r in rows)), **EN_DE)
    assert list(pairs) == list(pairs)
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "--tokenize" in caplog.text


def test_running_text_with_a_tokenizer_is_not_hinted_at(write, caplog):
    path = write("t.csv", "".join(f"{en}.,{de}.\n" for en, de in ROWS))
    assert read(path, tokenizer=Tokenizer())[0][0] == ["the", "red", "house", "."]
    assert not caplog.records


# ---- on the command line


def train(tmp_path, *arguments):
    """Run `bilbowa train` with some text."""
    options = ["train", "-o", f"{tmp_path}/m", "--min-count", "1", "--vector-size", "4",
               "--epochs", "1", "--workers", "1", *map(str, arguments)]  # fmt: skip
    return CliRunner().invoke(cli, options)


@pytest.mark.parametrize("columns", ["2,4", "english,german", "English , German"])
def test_columns_are_counted_from_one_or_named_on_the_command_line(tmp_path, write, columns):
    path = write("t.tsv", "id\tEnglish\tx\tGerman\n" + NUMBERED)
    result = train(tmp_path, "--pairs", f"en,de={path}", "--columns", columns)
    assert result.exit_code == 0, result.output
    model = BilBOWA.load(tmp_path / "m")
    assert {"house", "dog"} <= model.wv_en.key_to_index.keys()
    assert {"Haus", "Hund"} <= model.wv_de.key_to_index.keys()


@pytest.mark.parametrize("columns", ["0,1", "3", "1,1", "1,2,3", "a,2", "a,", "a,a"])
def test_columns_that_cannot_be_are_wrong_usage(tmp_path, write, columns):
    path = write("t.tsv", tabbed())
    result = train(tmp_path, "--pairs", f"en,de={path}", "--columns", columns)
    assert result.exit_code == 2
    assert "--columns" in result.output


def test_bad_lines_are_skipped_on_the_command_line(tmp_path, write):
    path = write("t.tsv", ONE_BAD)
    refused = train(tmp_path, "--pairs", f"en,de={path}")
    assert isinstance(refused.exception, ParallelDataError)
    assert train(tmp_path, "--pairs", f"en,de={path}", "--skip-bad").exit_code == 0


@pytest.mark.parametrize("option", [["--columns", "1,2"], ["--skip-bad"]])
def test_options_of_tables_without_one_are_wrong_usage(tmp_path, option):
    result = train(tmp_path, "--pairs", f"en,de={tmp_path}/m.tmx", *option)
    assert result.exit_code == 2
    assert f"{option[0]}: for tables" in result.output
