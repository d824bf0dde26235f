"""No command writes over what it reads, nor works for what cannot be written."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from samples import SMALL, made_up_pairs, write_pairs

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.cli import cli
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.files import staging
from gensim_bilbowa.files.storage import read_model

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
    write_pairs(tmp_path, pairs)
    Path("pairs.txt").write_text("".join(f"e{i} d{i}\n" for i in range(5)), encoding="utf-8")
    Path("link.tsv").symlink_to("both.tsv")
    os.link("both.tsv", "hard.tsv")
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
        ["lexicon", "model", "-o", "both.tsv", "--pairs", "en,de=both.tsv"],
        ["lexicon", "model", "-o", "link.tsv", "--pairs", "en,de=both.tsv"],
        ["lexicon", "model", "-o", "hard.tsv", "--pairs", "en,de=both.tsv"],
        ["lexicon", "model", "-o", "both.tsv", "--pairs", "en,de=link.tsv"],
        ["train", "-o", "m", *SIDES, *QUICK, "--lexicon", "text.en"],
        ["train", "-o", "m", *QUICK, "--pairs", "en,de=both.tsv", "--lexicon", "hard.tsv"],
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
        ["lexicon", "model", "-o", "model.tsv", "--pairs", "en,de=both.tsv"],
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


# ---- what can be known of an output is said before the work


LONG = "ü" * 125  # bytes twice as many, and a suffix
OUTPUTS = [
    [*ALIGN, "-o"],
    [*ALIGN, "--format", "safetensors", "-o"],
    ["convert", "model"],
    ["convert", "model", "--format", "safetensors"],
    ["lexicon", "model", "--format", "tsv", "-o"],
    ["plot", "model", "-o"],
    ["plot", "model", "--kind", "loss", "-o"],
    ["demo", "-o"],
    ["terms", "both.tsv", "--languages", "en,de", "--format", "tsv", "-o"],
    ["terms", "both.tsv", "--languages", "en,de", "--model"],
    ["train", *SIDES, *QUICK, "-o"],
    ["train", *SIDES, *QUICK, "-o", "m", "--lexicon"],
    ["tune", *SIDES, "-o"],
]


def ids(arguments):
    return " ".join(arguments[:2] + arguments[-1:])


@pytest.fixture
def idle(monkeypatch):
    """Let no command come to its work."""

    def work(*arguments, **options):
        raise AssertionError("the work was begun")

    for name in ("align.align_vectors", "convert.open_vectors", "lexicon.open_vectors",
                 "plot.open_vectors", "demo.SyntheticCorpus", "terms.find_terms", "train.BilBOWA",
                 "tune.suggest"):  # fmt: skip
        monkeypatch.setattr(f"gensim_bilbowa.cli.{name}", work)


def refused(arguments, message):
    result = run(*arguments)
    assert isinstance(result.exception, click.UsageError), (result.exception, result.output)
    assert message in result.exception.message
    assert "\n" not in result.exception.message


@pytest.mark.parametrize("arguments", OUTPUTS, ids=ids)
def test_place_that_cannot_be_written_is_refused_before_the_work(
    folder, idle, monkeypatch, arguments
):
    suffix = ".html" if "plot" in arguments else ".tsv"
    suffix = ".png" if "loss" in arguments else suffix
    Path("nowhere").symlink_to(f"no/such{suffix}")
    before = contents(folder)
    refused([*arguments, LONG + "x" * 6 + suffix], "too long")
    refused([*arguments, f"no/such{suffix}"], "no such folder")
    refused([*arguments, f"text.en/such{suffix}"], "no such folder")
    if suffix == ".tsv":  # else a figure's name says its format
        refused([*arguments, "nowhere"], "no such folder")
    monkeypatch.setattr(staging, "may_write", lambda folder: False)
    refused([*arguments, f"y{suffix}"], "no file can be made in the folder")
    assert contents(folder) == before


def test_folder_of_vectors_that_could_not_be_replaced_is_refused_before_the_work(folder, idle):
    for name, there, message in (
        ("foreign", "manifest.json", "is no manifest"),
        ("mine", "en.vec", "is in the way"),
    ):
        Path(name).mkdir()
        Path(name, there).write_text("{}", encoding="utf-8")
        refused([*ALIGN, "-o", name], message)
    Path("y").mkdir()
    Path("y", "en.counts").mkdir()
    assert isinstance(run(*ALIGN, "-o", "y").exception, AssertionError)  # it may have none


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="users have numbers")
def test_another_users_file_in_a_folder_for_all_is_refused(folder, idle, monkeypatch):
    Path("all").mkdir()
    Path("all").chmod(0o1777 | stat.S_ISVTX)
    Path("all/m").touch()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    refused(["train", *SIDES, *QUICK, "-o", "all/m"], "it is another user's")
    assert isinstance(run("train", *SIDES, *QUICK, "-o", "all/n").exception, AssertionError)


@pytest.mark.parametrize("length", [64, 65, 226, 238, 255])
def test_output_of_any_legal_name_is_written(folder, length):
    model, lexicon = "m" * length, "x" * (length - 4) + ".tsv"
    more = ["--checkpoint-every", "10m", "--min-count", "1", "--parameters", "quick.json"]
    Path("quick.json").write_text('{"vector_size": 4, "epochs": 1}', encoding="utf-8")
    before = set(contents(folder))
    result = run("train", "-o", model, *SIDES, "--lexicon", lexicon, *more, "--workers", "1", "-q")
    assert result.exception is None, result.output
    assert set(contents(folder)) - before == {Path(model), Path(lexicon)}
    assert {path.name for path in folder.iterdir() if path.name.endswith("ts")} == set()
    for output in ("f" * length, "s" * (length - 12) + ".safetensors"):
        assert run("convert", model, output).exception is None
        assert run("info", output).exception is None


@pytest.mark.parametrize("name", ["m" * 226, "m" * 255, LONG])
def test_arrays_of_a_long_name_are_replaced_with_it(folder, name):
    for _ in range(2):
        BilBOWA.load("model").save(name, sep_limit=0)
        files = {path.name for path in folder.iterdir()}
        arrays = {name for name in files if name.endswith(".npy")}
        assert len(arrays) == len(read_model(name)[1])
        assert max(len(os.fsencode(name)) for name in arrays) <= 143
    assert BilBOWA.load(name, mmap="r").languages == ["en", "de"]


def test_codes_of_languages_are_short_enough_for_the_names_of_files_of_two(folder):
    code = "ü" * 30
    other = code[:-1] + "xy"
    model = BilBOWA(parallel={(code, other): made_up_pairs(30, words=5)}, **SMALL)
    for output in ("f", "s.safetensors"):
        model.wv.save(output)
        assert max(len(os.fsencode(path.name)) for path in Path().rglob("*")) <= 143
    model.save("m", sep_limit=0)
    assert BilBOWA.load("m").languages == [code, other]
    with pytest.raises(ConfigError, match="no more than 60 bytes"):
        BilBOWA(parallel={(code + "x", "en"): made_up_pairs(30, words=5)}, **SMALL)
