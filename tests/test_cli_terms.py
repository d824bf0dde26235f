"""The command that lists the terms of translation files."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import sys
import xml.etree.ElementTree as ET
from dataclasses import asdict
from pathlib import Path
from zipfile import ZipFile

import processes
import pytest
from click.testing import CliRunner
from ledger import GENERAL, catalog, ledger, memory

from gensim_bilbowa import BilBOWA, Tokenizer, terms
from gensim_bilbowa.cli import cli
from gensim_bilbowa.cli import terms as command
from gensim_bilbowa.running import stages
from gensim_bilbowa.terminology import TermList, extraction, tables

EN_DE = ("en", "de")
posix_only = pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")

# Runs the command in a process of its own, whose bars come at once.
PROGRAM = """
import signal, sys
from gensim_bilbowa.running import stages
from gensim_bilbowa.cli import main, reading_bar
from gensim_bilbowa.terminology import extraction
stages._DELAY = reading_bar._DELAY = 0
{more}
sys.argv = ["bilbowa", *sys.argv[1:]]
main()
"""


def run(*arguments, standalone=True):
    arguments = ["terms", *map(str, arguments)]
    return CliRunner().invoke(cli, arguments, standalone_mode=standalone)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("terms")
    pairs = ledger(250)
    (folder / "po").mkdir()
    (folder / "po" / "a.po").write_text(catalog(pairs[:150]), encoding="utf-8")
    (folder / "po" / "b.tmx").write_text(memory(pairs[150:]), encoding="utf-8")
    (folder / "ledger.tmx").write_text(memory(pairs), encoding="utf-8")
    for side, code in enumerate(EN_DE):
        (folder / f"text.{code}").write_text(
            "".join(pair[side] + "\n" for pair in pairs), encoding="utf-8"
        )
        rows = (f"{word}\t{count}\n" for word, count in GENERAL[code].items())
        (folder / f"general.{code}").write_text("".join(rows), encoding="utf-8")
    (folder / "known.csv").write_text("en,de\nInvoice,Rechnung\nreport,Meldung\n", encoding="utf-8")
    terms(folder / "ledger.tmx", EN_DE, workers=1, model=folder / "model")
    return folder


@pytest.fixture(scope="module")
def model(folder):
    """A model, so that every run finds the same."""
    return ["--model", folder / "model", "--workers", 1]


@pytest.fixture(scope="module")
def options(folder, model):
    general = (f"--general={code}={folder}/general.{code}" for code in EN_DE)
    return ["--languages", "en,de", *model, *general]


@pytest.fixture(scope="module")
def expected(folder):
    """What the function finds by the parameters of the options."""

    def find(path="ledger.tmx", **parameters):
        general = {code: folder / f"general.{code}" for code in EN_DE}
        parameters = {"model": folder / "model", "workers": 1, "general": general} | parameters
        return terms(folder / path, EN_DE, **parameters)

    return find


def table_of(found, kind="tsv"):
    stream = io.StringIO()
    found.write_table(stream, kind)
    return list(
        csv.reader(stream.getvalue().splitlines(), delimiter="\t" if kind == "tsv" else ",")
    )


def table(result, delimiter="\t"):
    assert result.exit_code == 0, result.stderr
    return list(csv.reader(result.stdout.splitlines(), delimiter=delimiter))


# ---- what is found


def test_table_on_standard_output_is_of_what_the_function_finds(folder, options, expected):
    result = run(folder / "ledger.tmx", *options)
    assert table(result) == table_of(expected())
    assert table(result)[0][:2] == list(EN_DE)
    assert re.search(r"TermList<en-de: \d+ terms>; not listed: ", result.stderr)
    assert "saved to" not in result.stderr


def test_options_are_the_parameters(folder, options, expected):
    given = ["--all", "--no-group", "--inconsistent", "-n", 1, "--min-count", 5, "--examples", 1,
             "--min-score", 0.5]  # fmt: skip
    result = run(folder / "ledger.tmx", *options, *given, "--format", "csv")
    found = expected(all=True, group=False, inconsistent=True, topn=1, min_count=5, examples=1,
                     min_score=0.5)  # fmt: skip
    assert table(result, ",") == table_of(found, "csv")
    assert table(result, ",") != table_of(expected(), "csv")


def test_json_has_an_object_for_each_term(folder, options, expected):
    lines = run(folder / "ledger.tmx", *options, "--json").stdout.splitlines()
    found = expected()
    assert [json.loads(line) for line in lines] == json.loads(
        json.dumps([asdict(term) for term in found])
    )
    assert "Währung" in "".join(lines)


def test_folder_of_files_is_read_and_what_came_of_it_is_told(folder, options, expected):
    result = run(f"{folder}/po/", *options)
    assert table(result) == table_of(expected("po"))
    assert "en-de: 250 pairs of 2 files, 0 of them without any; left out: none" in result.stderr
    files = run(folder / "po" / "a.po", folder / "po" / "b.tmx", *options)
    assert table(files) == table(result)
    assert "250 pairs" not in run(f"{folder}/po/", *options, "-q").stderr
    assert str(Path("po/a.po")) in run(f"{folder}/po/", *options, "-v").stderr


def test_two_files_are_split_into_words_unless_it_is_refused(folder, options):
    sides = ["--parallel", f"en={folder}/text.en", f"de={folder}/text.de"]
    rest = options[2:]
    found = {row[0]: row[1] for row in table(run(*sides, *rest))[1:]}
    assert found["stock split"].startswith("Aktiensplit")
    assert table(run(*sides, "--tokenize", "--markup", *rest))[1][0] in found
    # Without a model, and languages of the first text.
    plain = run(*sides, "--no-tokenize", "--workers", 1, "--all")
    assert plain.exit_code == 0
    words = {word for row in table(plain)[1:] for word in row[0].split()}
    assert not [word for word in words if "." in word or "%" in word]


def test_table_of_columns_is_read(folder, options, tmp_path):
    with (tmp_path / "x.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows((n, b, a) for n, (a, b) in enumerate(ledger(250)))
    turned = run("--pairs", f"de,en={tmp_path}/x.csv", "--columns", "2,3", *options)
    found = {row[0]: row[1] for row in table(turned)[1:]}
    assert found["stock split"].startswith("Aktiensplit")


def test_pairs_are_filtered(folder, options):
    everything = run(folder / "ledger.tmx", *options)
    some = run(folder / "ledger.tmx", *options, "--drop-duplicates", "--max-words", 5)
    assert 1 < len(table(some)) < len(table(everything))


# ---- files


@pytest.mark.parametrize(
    ("name", "begin"),
    [("t.csv", b"en,de,score"), ("t.tsv", b"en\tde\tscore"), ("t.json", b"{"),
     ("t.html", b"<!"), ("t.utf8", b""), ("t.txt", b"")],
)  # fmt: skip
def test_file_has_the_format_of_its_name(folder, options, tmp_path, expected, name, begin):
    result = run(folder / "ledger.tmx", *options, "-o", tmp_path / name)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == ""
    assert f" saved to {tmp_path / name}; not listed: " in result.stderr
    assert (tmp_path / name).read_bytes().lower().startswith(begin)
    assert "Aktiensplit" in (tmp_path / name).read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    if name.endswith(".json"):
        assert TermList.load(tmp_path / name) == expected()
    if name.endswith(("utf8", "txt")):
        rows = [
            line.split("\t") for line in (tmp_path / name).read_text(encoding="utf-8").splitlines()
        ]
        assert {row[0] for row in rows if len(row) > 1} >= {term.text for term in expected()}


@pytest.mark.parametrize(
    ("name", "more", "entry"),
    [("t.tbx", [], "conceptEntry"), ("t.martif", [], "termEntry"),
     ("t.tbx", ["--format", "tbx2008"], "termEntry")],
)  # fmt: skip
def test_file_for_translators_has_a_concept_for_each_term(
    folder, options, tmp_path, expected, name, more, entry
):
    result = run(folder / "ledger.tmx", *options, "-o", tmp_path / name, *more)
    assert result.exit_code == 0, result.stderr
    concepts = list(ET.parse(tmp_path / name).getroot().iter())
    found = [each for each in concepts if each.tag.rpartition("}")[2] == entry]
    assert len(found) == len(expected())


def test_tables_for_excel_have_its_marks(folder, options, tmp_path):
    assert run(folder / "ledger.tmx", *options, "-o", tmp_path / "t.csv", "--excel").exit_code == 0
    written = (tmp_path / "t.csv").read_bytes()
    assert written.startswith(b"\xef\xbb\xbfen,de,")
    assert b"\r\n" in written


def test_workbook_is_one(folder, options, tmp_path):
    pytest.importorskip("xlsxwriter")
    assert run(folder / "ledger.tmx", *options, "-o", tmp_path / "t.xlsx").exit_code == 0
    assert "xl/workbook.xml" in ZipFile(tmp_path / "t.xlsx").namelist()


def test_earlier_file_is_replaced(folder, options, tmp_path):
    (tmp_path / "t.tsv").write_text("earlier", encoding="utf-8")
    assert run(folder / "ledger.tmx", *options, "-o", tmp_path / "t.tsv", "-q").stderr == ""
    assert (tmp_path / "t.tsv").read_text(encoding="utf-8").startswith("en\tde")


def test_model_is_saved_where_nothing_is_yet_and_used_where_it_is(folder, options, tmp_path):
    given = ["--languages", "en,de", "--model", tmp_path / "m", "--workers", 1, "-q"]
    first = run(folder / "ledger.tmx", *given)
    assert first.exit_code == 0
    model = BilBOWA.load(tmp_path / "m")
    assert model.tokenizers["de"] == Tokenizer("de", markup=True)
    before = (tmp_path / "m").read_bytes()
    again = run(folder / "ledger.tmx", *given)
    assert [row[:2] for row in table(again)[:5]] == [row[:2] for row in table(first)[:5]]
    assert (tmp_path / "m").read_bytes() == before


def test_vectors_by_themselves_do_for_a_model(folder, options, tmp_path):
    BilBOWA.load(folder / "model").wv.save(tmp_path / "v")
    given = [each if each != folder / "model" else tmp_path / "v" for each in options]
    assert table(run(folder / "ledger.tmx", *given)) == table(run(folder / "ledger.tmx", *options))


# ---- a glossary


def test_glossary_is_reported_on_standard_error(folder, options, expected):
    result = run(folder / "ledger.tmx", *options, "--glossary", folder / "known.csv")
    found = expected(glossary=folder / "known.csv")
    assert table(result) == table_of(found)
    for line in found.report.lines(None):
        assert line in result.stderr
    assert "Meldung" in result.stderr
    quiet = run(folder / "ledger.tmx", *options, "--glossary", folder / "known.csv", "-q")
    assert quiet.stderr == ""
    known = run(folder / "ledger.tmx", *options, "--glossary", folder / "known.csv", "--json")
    marked = [row for row in map(json.loads, known.stdout.splitlines()) if row["known"]]
    assert {row["text"] for row in marked} <= {"invoice", "invoices", "report", "reports"}
    assert len(marked) == 2


def test_long_reports_are_cut_unless_all_is_asked_for(folder, options, tmp_path, expected):
    found = expected(group=False)
    rows = "".join(f"{term.text},nonsense\n" for term in found)
    (tmp_path / "g.csv").write_text("en,de\n" + rows, encoding="utf-8")
    given = [folder / "ledger.tmx", *options, "--no-group", "--glossary", tmp_path / "g.csv"]
    few, many = (run(*given, *more).stderr.count("nonsense") for more in ([], ["-v"]))
    assert 0 < few < 50 < many


# ---- what cannot be


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "text is wanted: FILES, --parallel or --pairs"),
        (["x.tmx"], "--languages is wanted, as in --languages en,de"),
        (["x.tmx", "--languages", "en"], "two different codes are wanted, as en,de; got 'en'"),
        (["x.tmx", "--languages", "en,en"], "two different codes are wanted"),
        (["x.tmx", "--languages", "en,"], "two different codes are wanted"),
        (["x.tmx", "--languages", "en,de,fr"], "two different codes are wanted"),
        (["none.tmx", "--languages", "en,de"], "none.tmx"),
        (["x.tmx", "--languages", "en,de", "-n", "0"], "0 is not in the range x>=1"),
        (["x.tmx", "--languages", "en,de", "--min-count", "0"], "0 is not in the range"),
        (["x.tmx", "--languages", "en,de", "--examples", "-1"], "-1 is not in the range"),
        (["x.tmx", "--languages", "en,de", "--min-score", "nan"], "a number is wanted, got nan"),
        (["x.tmx", "--languages", "en,de", "--general", "x"], "LANG=FILE is wanted"),
        (["x.tmx", "--languages", "en,de", "--general", "fr=x"], "['fr'] are none of the languag"),
        (["x.tmx", "--languages", "en,de", "--general", "en=a", "--general", "en=b"],
         "--general is given more than once for ['en']"),
        (["x.tmx", "--languages", "en,de", "--json", "-o", "t.tsv"], "--json is for standard out"),
        (["x.tmx", "--languages", "en,de", "--json", "--format", "tsv"], "--json is for standard"),
        (["x.tmx", "--languages", "en,de", "--format", "tbx"], "is for a file: --output"),
        (["x.tmx", "--languages", "en,de", "--excel"], "is for a file: --output"),
        (["x.tmx", "--languages", "en,de", "-o", "t.tbx", "--excel"], "excel is for csv and tsv"),
        (["x.tmx", "--languages", "en,de", "-o", "t.doc"], "the format of a term list is one of"),
        (["x.tmx", "--languages", "en,de", "-o", ".", "--format", "tsv"],
         "is a folder; the name of a file"),
        (["x.tmx", "--languages", "en,de", "-o", "no/t.tbx"], "no such folder"),
        (["x.tmx", "--languages", "en,de", "-o", "x.tmx", "--format", "tbx"],
         "is an input file, which it would replace"),
        (["x.tmx", "--languages", "en,de", "-o", "g.csv", "--glossary", "g.csv"],
         "is an input file, which it would replace"),
        (["x.tmx", "--languages", "en,de", "-o", "m.csv", "--model", "m.csv"],
         "is an input file, which it would replace"),
        ([".", "--languages", "en,de", "-o", "t.tbx"], "lies in the input"),
        (["x.tmx", "--languages", "en,de", "--model", "no/m"], ": no such folder: "),
        (["x.tmx", "--languages", "en,de", "--glossary", "none.tbx"], "'none.tbx' does not exist"),
    ],
)  # fmt: skip
def test_wrong_usage_is_said_before_the_work(folder, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(extraction, "find_links", None)
    (tmp_path / "x.tmx").write_bytes((folder / "ledger.tmx").read_bytes())
    (tmp_path / "g.csv").write_text("en,de\na,b\n", encoding="utf-8")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    result = run(*arguments)
    if arguments[:1] == ["none.tmx"]:
        assert result.exit_code == 1
        assert message in str(result.exception)
    else:
        assert result.exit_code == 2
        assert message in result.stderr
    assert result.stdout == ""
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_text_of_other_languages_says_which_there_are(folder, tmp_path):
    result = run(folder / "ledger.tmx", "--languages", "en,fr", "-o", tmp_path / "t.tsv")
    assert result.exit_code == 1
    assert "fr" in str(result.exception)
    assert not list(tmp_path.iterdir())


def test_list_that_a_file_cannot_hold_leaves_none(folder, options, tmp_path):
    result = run(folder / "ledger.tmx", *options, "--min-score", 1e9, "-o", tmp_path / "t.tbx")
    assert result.exit_code == 1
    assert not list(tmp_path.iterdir())


# ---- progress


class Bars(list):
    """Takes tqdm's place: keeps the names of the bars."""

    class Bar:
        n = 0.0

        def update(self, more):
            self.n += more

    def __call__(self, desc, **options):
        self.append(desc)
        return contextlib.nullcontext(self.Bar())


def test_every_stage_has_a_bar_if_it_is_shown(folder, expected, monkeypatch):
    bars = Bars()
    monkeypatch.setattr(stages, "tqdm", bars)
    expected(glossary=folder / "known.csv")
    assert bars == []
    expected(glossary=folder / "known.csv", progress=True)
    assert bars == ["alignment", "terms", "scores", "glossary"]


def on_a_terminal(*arguments, more=""):
    """Run on a pseudo-terminal; return the exit code and all that is shown."""
    program = [sys.executable, "-P", "-c", PROGRAM.format(more=more), "terms"]
    return processes.on_a_terminal([*program, *map(str, arguments)])


@pytest.mark.slow
@posix_only
def test_terminal_shows_a_bar_for_every_stage(folder, tmp_path):
    code, shown = on_a_terminal(
        folder / "ledger.tmx", "--languages", "en,de", "-o", tmp_path / "t.tsv", "--workers", 1,
        "--glossary", folder / "known.csv",
    )  # fmt: skip
    assert code == 0, shown
    bars = [re.search(f"{name}.*%", shown) for name in
            ("reading", "epoch", "terms:", "scores:", "glossary:")]  # fmt: skip
    assert all(bars), shown
    places = [bar.start() for bar in bars]
    assert places == sorted(places)
    # All bars are gone in the end, and the last line says what was done.
    assert re.search(r"TermList<en-de: \d+ terms> saved to ", shown.splitlines()[-1])
    assert "INFO" not in shown


@pytest.mark.slow
@posix_only
def test_quiet_command_shows_nothing_on_a_terminal(folder, tmp_path):
    code, shown = on_a_terminal(
        folder / "ledger.tmx", "--languages", "en,de", "-o", tmp_path / "t.tsv", "-q"
    )
    assert (code, shown) == (0, "")


@pytest.mark.slow
@posix_only
@pytest.mark.parametrize("stage", ["find_links", "score_pairs", "report_of", "replace"])
def test_ctrl_c_leaves_no_file_behind(folder, options, tmp_path, stage):
    (tmp_path / "t.tsv").write_text("earlier", encoding="utf-8")
    more = f"""
def interrupted(*given, **options):
    signal.raise_signal(signal.SIGINT)
extraction.{stage} = interrupted
"""
    code, shown = on_a_terminal(
        folder / "ledger.tmx", *options, "-o", tmp_path / "t.tsv",
        "--glossary", folder / "known.csv", more=more,
    )  # fmt: skip
    assert code == 130, shown
    assert "Traceback" not in shown
    assert [path.name for path in tmp_path.iterdir()] == ["t.tsv"]
    assert (tmp_path / "t.tsv").read_text(encoding="utf-8") == "earlier"


def test_ctrl_c_while_the_file_is_written_leaves_the_earlier_one(
    folder, options, tmp_path, monkeypatch
):
    def interrupted(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr(tables, "rows", interrupted)
    monkeypatch.setattr(tables, "write_delimited", interrupted)
    (tmp_path / "t.tsv").write_text("earlier", encoding="utf-8")
    result = run(folder / "ledger.tmx", *options, "-o", tmp_path / "t.tsv")
    assert result.exit_code != 0
    assert [path.name for path in tmp_path.iterdir()] == ["t.tsv"]
    assert (tmp_path / "t.tsv").read_text(encoding="utf-8") == "earlier"


def test_help_names_what_the_command_is_for():
    shown = run("--help").stdout
    assert "bilbowa terms po/ -o terms.tbx --languages en,de" in shown
    for option in command.terms.params:
        assert option.name == "sources" or any(name in shown for name in option.opts)
