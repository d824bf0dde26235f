"""The command that writes term lists."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ET

import pytest
from click.testing import CliRunner
from samples import SMALL, made_up_pairs

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.cli import cli
from gensim_bilbowa.errors import UnknownLanguageError


def run(*arguments):
    runner = CliRunner()
    return runner.invoke(cli, ["lexicon", *map(str, arguments)], standalone_mode=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lexicon")
    pairs = made_up_pairs()
    BilBOWA(parallel={("en", "de"): pairs}, **SMALL).save(folder / "model")
    for side, code in enumerate(("en", "de")):
        text = "".join(" ".join(pair[side]) + "\n" for pair in pairs)
        (folder / f"text.{code}").write_text(text)
    return folder


@pytest.fixture(scope="module")
def model(folder):
    return BilBOWA.load(folder / "model")


@pytest.fixture(scope="module")
def sides(folder):
    return ["--parallel", f"en={folder}/text.en", f"de={folder}/text.de"]


def table(result):
    assert result.exception is None, result.exception
    return list(csv.reader(result.stdout.splitlines(), "excel-tab"))


def test_table_on_standard_output_is_the_models_lexicon(folder, model):
    assert table(run(folder / "model")) == list(model.lexicon("en", "de").rows())


def test_parallel_text_makes_it_hybrid_with_examples(folder, model, sides):
    shown = table(run(folder / "model", *sides, "--examples", 2, "--workers", 1))
    given = {("en", "de"): (folder / "text.en", folder / "text.de")}
    expected = model.lexicon("en", "de", parallel=given, examples=2)
    assert expected.method == "hybrid"
    assert shown == list(expected.rows())
    assert shown[0][-1] == "de_example_2"


def test_options_choose_direction_method_and_entries(folder, model):
    options = ["--from", "de", "--to", "en", "--method", "cosine", "--all", "-n", 3]
    shown = table(run(folder / "model", *options, "--min-count", 20, "--min-score", 0.1))
    expected = model.lexicon(
        "de", "en", method="cosine", mutual=False, topn=3, min_count=20, min_score=0.1
    )
    assert shown == list(expected.rows())
    assert len(shown) > 10


def test_json_has_an_object_for_each_entry(folder, model):
    lines = [json.loads(line) for line in run(folder / "model", "--json").stdout.splitlines()]
    assert [line["source"] for line in lines] == [e.source for e in model.lexicon("en", "de")]
    assert set(lines[0]) == {
        "source", "target", "score", "rank", "source_count", "target_count", "examples"
    }  # fmt: skip


def test_file_is_written_in_the_format_of_its_name(folder, tmp_path, model, sides):
    result = run(folder / "model", "-o", tmp_path / "terms.tbx", *sides)
    assert f"saved to {tmp_path / 'terms.tbx'}" in result.stderr
    root = ET.parse(tmp_path / "terms.tbx").getroot()
    assert len(root.findall(".//{*}conceptEntry")) == len(
        model.lexicon("en", "de", parallel={("en", "de"): made_up_pairs()})
    )
    run(folder / "model", "-o", tmp_path / "terms.txt", "--format", "csv")
    assert (tmp_path / "terms.txt").read_text().startswith("en,de,score,rank")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--json", "-o", "x.tsv"], "--json is for standard output"),
        (["--format", "tbx"], "needs a file"),
        (["-o", "."], "is a folder"),
        (["-o", "no/where.tsv"], "no such folder"),
        (["-o", "x.xlsx"], "one of tsv, csv, tbx"),
        (["--method", "llr"], "pass parallel="),
        (["--examples", "2"], "pass parallel="),
    ],
)
def test_what_cannot_work_is_said(folder, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    assert message in str(run(folder / "model", *arguments).exception)
    assert list(tmp_path.iterdir()) == []


def test_model_is_not_overwritten(folder):
    before = (folder / "model").read_bytes()
    result = run(folder / "model", "-o", folder / "model", "--format", "tsv")
    assert "which it would replace" in str(result.exception)
    assert (folder / "model").read_bytes() == before


def test_unknown_language_is_named(folder):
    assert isinstance(run(folder / "model", "--to", "xx").exception, UnknownLanguageError)
