"""The command that draws."""

from __future__ import annotations

import json
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner
from samples import SMALL, made_up_pairs

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.cli import cli
from gensim_bilbowa.errors import ConfigError, UnknownLanguageError, UnknownWordError
from gensim_bilbowa.plotting import (
    plot_loss,
    plot_neighbours,
    plot_translations,
    save_figure,
    write_page,
)


def run(*arguments):
    return CliRunner().invoke(cli, ["plot", *map(str, arguments)], standalone_mode=False)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("plot") / "model"
    BilBOWA(parallel={("en", "de"): made_up_pairs()}, **SMALL).save(path)
    return path


@pytest.fixture(scope="module")
def model(saved):
    return BilBOWA.load(saved)


def same(made, expected, folder):
    save_figure(expected, folder / f"expected{made.suffix}")
    return made.read_bytes() == (folder / f"expected{made.suffix}").read_bytes()


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_translations_are_drawn_by_default(saved, model, tmp_path, suffix):
    made = tmp_path / f"map.{suffix}"
    result = run(saved, "-o", made, "--words", 5, "--seed", 3)
    assert result.exception is None, result.exception
    assert f"saved to {made}" in result.stderr
    assert same(made, plot_translations(model, n=5, seed=3), tmp_path)


def test_direction_and_method_are_options(saved, model, tmp_path):
    made = tmp_path / "map.svg"
    run(saved, "-o", made, "--from", "de", "--to", "en", "--words", 4, "--method", "pca")
    assert same(made, plot_translations(model, "de", "en", n=4, method="pca"), tmp_path)


def test_neighbours_of_a_word(saved, model, tmp_path):
    made = tmp_path / "word.svg"
    run(saved, "-o", made, "--kind", "neighbours", "--word", "e3", "--words", 4)
    assert same(made, plot_neighbours(model, "e3", n=4), tmp_path)


def test_losses_of_a_model(saved, model, tmp_path):
    run(saved, "-o", tmp_path / "loss.svg", "--kind", "loss")
    assert same(tmp_path / "loss.svg", plot_loss(model), tmp_path)


def test_html_is_a_page_of_all_languages_or_those_named(saved, model, tmp_path):
    run(saved, "-o", tmp_path / "a.html", "--words", 6, "--method", "pca")
    write_page(tmp_path / "b.html", model, n=6, method="pca")
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    run(saved, "-o", tmp_path / "a.html", "--from", "de", "--words", 6, "--method", "pca")
    write_page(tmp_path / "b.html", model, ["de", "en"], n=6, method="pca")
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


@pytest.mark.parametrize(("options", "error", "said"), [
    (["-o", "{}/a.pdf"], ConfigError, "ends in .png or .svg"),
    (["-o", "{}/none/a.png"], click.UsageError, "no such folder"),
    (["-o", "{}/a.png", "--kind", "neighbours"], click.UsageError, "needs --word"),
    (["-o", "{}/a.png", "--word", "e1"], click.UsageError, "needs --word"),
    (["-o", "{}/a.html", "--kind", "loss"], click.UsageError, "is a figure"),
    (["-o", "{}/a.png", "--kind", "loss", "--from", "en"], click.UsageError, "takes no languages"),
    (["-o", "{}/a.png", "--kind", "neighbours", "--word", "e1", "--to", "de"], click.UsageError,
     "--to is not for"),
    (["-o", "{}/a.png", "--kind", "neighbours", "--word", "no"], UnknownWordError, "'no' is in no"),
    (["-o", "{}/a.png", "--from", "fr"], UnknownLanguageError, "'fr'"),
    (["-o", "{}/a.html", "--to", "fr"], UnknownLanguageError, "'fr'"),
])  # fmt: skip
def test_what_cannot_be_drawn_is_an_error_and_leaves_no_file(saved, tmp_path, options, error, said):
    result = run(saved, *(option.format(tmp_path) for option in options))
    assert isinstance(result.exception, error)
    assert said in str(getattr(result.exception, "message", result.exception))
    assert not list(tmp_path.iterdir())


def test_losses_of_vectors_alone_are_refused(model, tmp_path):
    model.wv.save(tmp_path / "vectors")
    result = run(tmp_path / "vectors", "-o", tmp_path / "a.png", "--kind", "loss")
    assert "a model is wanted" in result.exception.message


@pytest.mark.slow
def test_missing_library_is_exit_code_1_with_the_command_that_installs_it(saved, tmp_path):
    code = (
        "import sys; sys.modules['matplotlib'] = None; from gensim_bilbowa.cli import main; main()"
    )
    arguments = ["plot", saved, "-o", tmp_path / "a.png", "--kind", "loss"]
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, *arguments], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr == ("Error: pictures need matplotlib: pip install 'gensim_bilbowa[plot]'\n")


def test_commands_and_package_are_imported_without_matplotlib():
    code = (
        "import gensim_bilbowa, gensim_bilbowa.cli, gensim_bilbowa.plotting, json, sys; "
        "print(json.dumps([m for m in ('matplotlib', 'sklearn') if m in sys.modules]))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == []


@pytest.mark.slow
def test_a_page_says_what_takes_long(saved, tmp_path):
    arguments = [saved, "-o", tmp_path / "a.html", "--words", 6, "--method", "pca"]
    command = [sys.executable, "-P", "-m", "gensim_bilbowa", "plot", *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "projecting 12 words by pca" in result.stderr
