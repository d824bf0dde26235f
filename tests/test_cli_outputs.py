"""No command writes over what it reads, by whatever name it is called."""

from __future__ import annotations

import os
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from samples import SMALL, made_up_pairs

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.cli import cli

QUICK = ["--min-count", "1", "--vector-size", "4", "--epochs", "1", "--workers", "1", "-q"]
SIDES = ["--parallel", "en=text.en", "de=text.de"]
ALIGN = ["align", "en=x/en.vec", "de=x/de.vec", "-d", "pairs.txt"]


def run(*arguments):
    return CliRunner().invoke(cli, list(map(str, arguments)), standalone_mode=False)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pairs = made_up_pairs(30, words=5)
    model = BilBOWA(parallel={("en", "de"): pairs}, **SMALL)
    model.save("model")
    model.wv.save("x")
    model.wv.save("x.safetensors")
    for side, code in enumerate(("en", "de")):
        Path(f"text.{code}").write_text(
            "".join(" ".join(pair[side]) + "\n" for pair in pairs), encoding="utf-8"
        )
    Path("pairs.txt").write_text("".join(f"e{i} d{i}\n" for i in range(5)), encoding="utf-8")
    Path("terms.tsv").write_text(
        "".join(f"{' '.join(a)}\t{' '.join(b)}\n" for a, b in pairs), encoding="utf-8"
    )
    Path("link.tsv").symlink_to("terms.tsv")
    os.link("terms.tsv", "hard.tsv")
    Path("folder").symlink_to("x", target_is_directory=True)
    return tmp_path


def contents(folder):
    return {
        path.relative_to(folder): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".encoded"
    }


@pytest.mark.parametrize(
    "arguments",
    [
        [*ALIGN, "-o", "x"],
        [*ALIGN, "-o", "x/"],
        [*ALIGN, "-o", "folder"],
        [*ALIGN, "-o", "."],
        [*ALIGN, "-o", "../"],
        [*ALIGN, "-o", "x/en.vec"],
        [*ALIGN, "-o", "x/en.vec/new"],
        [*ALIGN, "-o", "x/de.counts", "--format", "safetensors"],
        [*ALIGN, "-o", "pairs.txt", "--format", "safetensors"],
        [*ALIGN[:-1], "en,de=link.tsv", "-o", "hard.tsv", "--format", "safetensors"],
        ["convert", "model", "model", "--format", "safetensors"],
        ["convert", "x", "x"],
        ["convert", "x", "folder", "--format", "binary"],
        ["convert", "x", "x/more"],
        ["convert", "folder", "x/more.safetensors"],
        ["convert", "x.safetensors", "./x.safetensors"],
        ["lexicon", "model", "-o", "model", "--format", "tsv"],
        ["lexicon", "x", "-o", "x/terms.tsv"],
        ["lexicon", "model", "-o", "terms.tsv", "--pairs", "en,de=terms.tsv"],
        ["lexicon", "model", "-o", "link.tsv", "--pairs", "en,de=terms.tsv"],
        ["lexicon", "model", "-o", "hard.tsv", "--pairs", "en,de=terms.tsv"],
        ["lexicon", "model", "-o", "terms.tsv", "--pairs", "en,de=link.tsv"],
        ["train", "-o", "m", *SIDES, *QUICK, "--lexicon", "text.en"],
        ["train", "-o", "m", *QUICK, "--pairs", "en,de=terms.tsv", "--lexicon", "hard.tsv"],
        ["train", "-o", "text.de", *SIDES, *QUICK],
        ["train", "-o", "m.tsv", *SIDES, *QUICK, "--lexicon", "m.tsv"],
        ["train", "-o", "m", *SIDES, *QUICK, "--cache-dir", "m"],
        ["train", "-o", "m", *SIDES, *QUICK, "--cache-dir", "m/cache"],
    ],
)
def test_output_over_an_input_is_wrong_usage_and_nothing_is_changed(folder, arguments):
    before = contents(folder)
    result = run(*arguments)
    assert isinstance(result.exception, click.UsageError), result.output
    assert contents(folder) == before


def test_input_named_as_a_url_is_known_again(folder):
    before = contents(folder)
    url = f"file://{folder}/text.en"
    result = run("train", "-o", "text.en", "--parallel", f"en={url}", "de=text.de", *QUICK)
    assert "is an input file, which it would replace" in str(result.exception)
    assert contents(folder) == before


@pytest.mark.parametrize(
    "arguments",
    [
        [*ALIGN, "-o", "y"],
        [*ALIGN, "-o", "xx.safetensors"],
        ["convert", "x", "x2"],
        ["lexicon", "model", "-o", "model.tsv", "--pairs", "en,de=terms.tsv"],
        ["train", "-o", "m", *SIDES, *QUICK, "--lexicon", "m.tsv", "--cache-dir", "."],
    ],
)
def test_output_beside_the_inputs_is_written(folder, arguments):
    before = contents(folder)
    assert run(*arguments).exception is None
    after = contents(folder)
    assert before.items() <= after.items()
    assert len(after) > len(before)


def test_demo_says_before_the_work_that_its_output_is_a_folder(folder):
    result = run("demo", "-o", "x")
    assert isinstance(result.exception, click.UsageError)
