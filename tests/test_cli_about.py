"""What the command tells of a model, and of itself: info, help and completion."""

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
from gensim_bilbowa.errors import FormatError


def run(*arguments):
    return CliRunner().invoke(cli, list(map(str, arguments)), standalone_mode=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("about")
    model = BilBOWA(parallel={("en", "de"): made_up_pairs()}, **SMALL)
    model.save(folder / "model")
    model.wv.save(folder / "x.safetensors")
    (folder / "gold.tsv").write_text("E1\tD1\n", encoding="utf-8")
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
