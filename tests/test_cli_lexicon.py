"""The command that writes lexicons."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ET

import click
import numpy as np
import pytest
from click.testing import CliRunner
from samples import SMALL, made_up_pairs, space, write_pairs

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
    write_pairs(folder, pairs)
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
    assert (tmp_path / "terms.txt").read_text(encoding="utf-8").startswith("en,de,score,rank")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--json", "-o", "x.tsv"], "--json is for standard output"),
        (["--format", "tbx"], "needs a file"),
        (["-o", "."], "is a folder"),
        (["-o", "no/where.tsv"], "no such folder"),
        (["-o", "x.xlsx"], "one of tsv, csv, tbx"),
        (["--method", "llr"], "--method llr is of parallel text: give --parallel or --pairs"),
        (["--examples", "2"], "--examples is of parallel text: give --parallel or --pairs"),
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


def test_training_on_a_translation_memory_can_write_a_term_list(tmp_path, folder):
    units = "".join(
        f'<tu><tuv xml:lang="en-GB"><seg>{" ".join(a).upper()}</seg></tuv>'
        f'<tuv xml:lang="de-DE"><seg>{" ".join(b).upper()}</seg></tuv></tu>'
        for a, b in made_up_pairs()
    )
    (tmp_path / "x.tmx").write_text(f"<tmx><body>{units}</body></tmx>", encoding="utf-8")
    options = ["--min-count", 1, "--vector-size", 20, "--epochs", 3, "--workers", 1, "-q"]
    result = CliRunner().invoke(
        cli,
        ["train", "-o", str(tmp_path / "m"), "--pairs", f"en,de={tmp_path}/x.tmx",
         "--lexicon", str(tmp_path / "terms.tsv"), *map(str, options)],
        standalone_mode=False,
    )  # fmt: skip
    assert result.exception is None
    with (tmp_path / "terms.tsv").open() as stream:
        found = {row["en"]: row for row in csv.DictReader(stream, delimiter="\t")}
    assert found["e1"]["de"] == "d1"
    assert "e1" in found["e1"]["en_example_1"].split()
    model = BilBOWA.load(tmp_path / "m")
    assert set(model.wv_en.index_to_key) == {w for a, _ in made_up_pairs() for w in a}


def test_running_text_is_tokenized_if_asked(tmp_path):
    (tmp_path / "en").write_text("The dog, the cat.\n" * 20, encoding="utf-8")
    (tmp_path / "de").write_text("Der Hund, die Katze.\n" * 20, encoding="utf-8")
    result = CliRunner().invoke(
        cli,
        ["train", "-o", str(tmp_path / "m"), "--parallel", f"en={tmp_path}/en",
         f"de={tmp_path}/de", "--text", f"en={tmp_path}/en", "--tokenize", "--epochs", "1",
         "--vector-size", "4", "--workers", "1", "-q"],
        standalone_mode=False,
    )  # fmt: skip
    assert result.exception is None
    model = BilBOWA.load(tmp_path / "m")
    assert set(model.wv_en.index_to_key) == {"the", "dog", ",", "cat", "."}
    assert set(model.wv_de.index_to_key) == {"der", "hund", ",", "die", "katze", "."}


def test_term_list_that_cannot_be_written_is_said_before_training(tmp_path, folder):
    for name, message in (("x.xlsx", "one of tsv, csv, tbx"), ("no/x.tsv", "no such folder")):
        result = CliRunner().invoke(
            cli,
            ["train", "-o", str(tmp_path / "m"), "--parallel", f"en={folder}/text.en",
             f"de={folder}/text.de", "--lexicon", str(tmp_path / name)],
            standalone_mode=False,
        )  # fmt: skip
        assert message in str(result.exception)
        assert list(tmp_path.iterdir()) == []


def test_several_other_languages_are_told_by_the_name_of_the_option(tmp_path):
    space(en=np.eye(3), de=np.eye(3), fr=np.eye(3)).save(tmp_path / "v")
    result = run(tmp_path / "v")
    assert isinstance(result.exception, click.UsageError)
    assert "--to is wanted, one of ['de', 'fr']" in result.exception.message
