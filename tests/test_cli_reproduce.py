"""bilbowa reproduce."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner
from experiments import write_multi30k

from gensim_bilbowa.cli import cli
from gensim_bilbowa.errors import CorpusNotFoundError
from gensim_bilbowa.reproduction import run


def invoke(*arguments):
    command = ["reproduce", *map(str, arguments), "--workers", "1"]
    return CliRunner().invoke(cli, command, standalone_mode=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("command") / "data"
    write_multi30k(folder, n=120)
    return folder


@pytest.mark.slow
def test_tables_are_printed_and_written(folder, tmp_path):
    output = tmp_path / "new/out"
    result = invoke(folder, "-o", output, "--quick", "--only", "translation")
    assert result.exception is None
    written = (output / "quick/translation.md").read_text(encoding="utf-8")
    assert result.stdout.strip() in written
    assert "| BilBOWA | " in result.stdout
    assert "left out: wmt11.en-es: wmt11/europarl.en" in result.stderr
    assert (output / "quick/translation.json").is_file()
    assert result.stderr.endswith(f"saved to {output / 'quick'}\n")


def test_options_reach_the_experiments(folder, tmp_path, monkeypatch):
    seen = {}

    def instead(data, output, **options):
        seen.update(options, data=data)
        return run.Reproduction(output, {}, [], 0)

    monkeypatch.setattr("gensim_bilbowa.reproduction.reproduce", instead)
    result = invoke(
        folder, "-o", tmp_path / "o", "--only", "curves", "--seeds", 5, "--all", "--fresh"
    )
    assert result.exception is None
    assert seen == {
        "data": folder, "only": "curves", "seeds": 5, "workers": 1, "quick": False, "extra": True,
        "fresh": True, "progress": False,
    }  # fmt: skip


def test_missing_data_are_an_error(tmp_path):
    result = invoke(tmp_path / "data", "-o", tmp_path / "out")
    assert isinstance(result.exception, CorpusNotFoundError)
    assert "multi30k/train.en" in str(result.exception)


def test_missing_library_names_its_extra(folder, tmp_path, monkeypatch):
    def without(*_, **__):
        raise ImportError("EditDistance needs rapidfuzz: pip install 'gensim_bilbowa[baselines]'")

    monkeypatch.setattr("gensim_bilbowa.reproduction.reproduce", without)
    result = invoke(folder, "-o", tmp_path / "p")
    assert "gensim_bilbowa[baselines]" in str(result.exception)


@pytest.mark.parametrize("output", [".", "..", "out", "../link/out"])
def test_output_that_is_or_has_or_lies_in_the_data_is_refused(folder, output):
    link = folder.parent / "link"
    if not link.exists():
        link.symlink_to(folder, target_is_directory=True)
    before = sorted(folder.rglob("*"))
    result = invoke(folder, "-o", folder / output)
    assert isinstance(result.exception, click.UsageError)
    assert "is, holds or lies in the input" in str(result.exception)
    assert sorted(folder.rglob("*")) == before


def test_output_in_a_file_is_refused(folder, tmp_path):
    (tmp_path / "file").write_text("text", encoding="utf-8")
    result = invoke(folder, "-o", tmp_path / "file/out")
    assert f"{tmp_path / 'file'} is a file; a folder is wanted" in str(result.exception)
    assert (tmp_path / "file").read_text(encoding="utf-8") == "text"
