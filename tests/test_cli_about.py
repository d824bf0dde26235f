"""The commands that describe and measure: info, evaluate; and completion."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from importlib import metadata

import numpy as np
import pytest
from click.testing import CliRunner
from processes import BILBOWA
from samples import SMALL, made_up_pairs

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.cli import cli
from gensim_bilbowa.cli.commands import SUMMARIES
from gensim_bilbowa.errors import ConfigError, FormatError
from gensim_bilbowa.evaluation import invert, word_translation


def run(*arguments):
    return CliRunner().invoke(cli, list(map(str, arguments)), standalone_mode=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("about")
    pairs = made_up_pairs()
    model = BilBOWA(parallel={("en", "de"): pairs}, **SMALL)
    model.save(folder / "model")
    model.wv.save(folder / "x.safetensors")
    for side, code in enumerate(("en", "de")):
        text = "".join(" ".join(pair[side]) + "\n" for pair in pairs)
        (folder / f"text.{code}").write_text(text, encoding="utf-8")
    (folder / "gold.tsv").write_text("".join(f"E{i}\tD{i}\n" for i in range(45)), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def model(folder):
    return BilBOWA.load(folder / "model")


def test_model_is_described_with_what_it_was_trained_on(folder, model):
    facts = json.loads(run("info", folder / "model", "--json").stdout)
    assert facts["kind"] == "model"
    assert facts["vector_size"] == 20
    assert facts["epochs_trained"] == 3
    assert facts["unfinished"] is False
    assert facts["parameters"]["xling_sample"] == 1e-2
    assert facts["last_crosslingual_loss"]["en-de"] == pytest.approx(
        model.loss_history[-1]["crosslingual"]["en-de"], abs=1e-4
    )
    english = facts["languages"]["en"]
    assert english["words"] == len(model.wv_en)
    assert english["count"] == model["en"].counts.sum()
    assert english["first"] == model.wv_en.index_to_key[:8]


def test_description_for_people_has_a_line_for_each_fact(folder, model):
    lines = run("info", folder / "model").stdout.splitlines()
    count = model["en"].counts.sum()
    assert any(line.startswith(f"en: {len(model.wv_en)} words, {count:,} in the") for line in lines)
    assert "epochs trained: 3" in lines
    assert any("xling_gradient=delta" in line for line in lines)


def test_vectors_alone_are_described_too(folder, model):
    facts = json.loads(run("info", folder / "x.safetensors", "--json").stdout)
    assert (facts["kind"], facts["vector_size"]) == ("vectors", 20)
    assert facts["languages"]["de"]["words"] == len(model.wv_de)


def test_other_files_are_not_described(folder):
    assert isinstance(run("info", folder / "gold.tsv").exception, FormatError)


def test_scores_are_those_of_word_translation(folder, model):
    options = ["-d", folder / "gold.tsv", "--lowercase", "--json"]
    rows = [
        json.loads(line)
        for line in run("evaluate", folder / "model", *options).stdout.split("\n")[:-1]
    ]
    gold = {f"e{i}": {f"d{i}"} for i in range(45)}
    expected = [
        (method, f"{a}-{b}", word_translation(model.wv[a], words, method=method))
        for method in ("cosine", "csls")
        for a, b, words in (("en", "de", gold), ("de", "en", invert(gold)))
    ]
    assert [(row["method"], row["direction"]) for row in rows] == [e[:2] for e in expected]
    for row, (_, _, score) in zip(rows, expected, strict=True):
        assert row["p_at_1"] == score.precision[1]
        assert row["p_at_5"] == score.precision[5]
        assert (row["mrr"], row["words"], row["coverage"]) == (
            score.mrr, score.words, score.coverage
        )  # fmt: skip


def test_table_has_percentages(folder):
    shown = run("evaluate", folder / "model", "-d", folder / "gold.tsv", "--lowercase",
                "--method", "cosine").stdout  # fmt: skip
    head, *rows = [line.split("\t") for line in shown.splitlines()]
    assert head == ["method", "direction", "P@1", "95%", "P@5", "MRR", "words", "coverage"]
    assert [row[:2] for row in rows] == [["cosine", "en-de"], ["cosine", "de-en"]]
    assert all(0 <= float(cell) <= 100 for row in rows for cell in row[2:3] + row[4:])
    for row in rows:
        low, high = map(float, row[3].split(" to "))
        assert low <= float(row[2]) <= high


def test_parallel_text_adds_the_methods_that_count(folder):
    sides = ["--parallel", f"en={folder}/text.en", f"de={folder}/text.de"]
    shown = run("evaluate", folder / "model", "-d", folder / "gold.tsv", "--lowercase", *sides)
    methods = [line.split("\t")[0] for line in shown.stdout.splitlines()[1:]]
    assert methods[::2] == ["cosine", "csls", "inverted_softmax", "hybrid", "llr"]


def test_dictionary_of_other_words_is_an_error(folder):
    result = run("evaluate", folder / "model", "-d", folder / "gold.tsv")
    assert isinstance(result.exception, ConfigError)
    assert "none of the dictionary's 45 words" in str(result.exception)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script_names_the_program(shell):
    assert "_BILBOWA_COMPLETE" in run("completion", shell).stdout


def test_shell_completes_commands_and_options():
    assert BILBOWA
    for words, expected in (("bilbowa tr", "train"), ("bilbowa lexicon --min-c", "--min-count")):
        asked = {"_BILBOWA_COMPLETE": "bash_complete", "COMP_WORDS": words,
                 "COMP_CWORD": str(words.count(" "))}  # fmt: skip
        result = subprocess.run(
            [BILBOWA], env={**os.environ, **asked}, capture_output=True, text=True, check=True
        )
        assert f"plain,{expected}" in result.stdout.splitlines()


@pytest.mark.parametrize("asked", ["--help", "--version", "completion bash", "--nonsense"])
def test_what_needs_no_gensim_does_not_import_it(asked):
    code = ("import sys; sys.modules['gensim'] = sys.modules['numpy'] = None; "
            "from gensim_bilbowa.__main__ import main; main()")  # fmt: skip
    result = subprocess.run(
        [sys.executable, "-c", code, *asked.split()], capture_output=True, text=True, check=False
    )
    assert (result.returncode, bool(result.stdout)) == ((2, False) if "no" in asked else (0, True))


@pytest.mark.parametrize("name", SUMMARIES)
def test_each_command_has_help_with_an_example(name):
    shown = run(name, "--help").stdout
    assert SUMMARIES[name] in " ".join(shown.split())
    assert SUMMARIES[name] in " ".join(run("--help").stdout.split())
    assert shown.startswith(f"Usage: cli {name}")
    assert f"bilbowa {name}" in shown or f"$(bilbowa {name}" in shown


def test_help_and_version_are_told():
    result = run("--version")
    name, used, supported = result.stdout.splitlines()
    assert name == f"bilbowa, version {metadata.version('gensim-bilbowa')}"
    assert f"gensim {metadata.version('gensim')}, numpy {np.__version__}" in used
    assert platform.python_version() in used
    assert platform.machine() in used
    assert all(system in supported for system in ("Linux", "macOS", "Windows"))
    for command in ((), ("train",), ("translate",)):
        assert "Usage:" in run(*command, "-h").stdout
