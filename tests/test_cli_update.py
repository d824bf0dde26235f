"""``bilbowa train`` with a model or vectors that are there already."""

from __future__ import annotations

import numpy as np
import pytest
from click import UsageError
from click.testing import CliRunner
from samples import made_up_pairs

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.cli import cli
from gensim_bilbowa.errors import ConfigError, FormatError

QUICK = ["--min-count", "1", "--epochs", "2", "--workers", "1", "-q"]


def run(*arguments):
    return CliRunner().invoke(cli, ["train", *map(str, arguments)], standalone_mode=False)


def write(path, pairs):
    path.write_text("".join(f"{' '.join(a)}\t{' '.join(b)}\n" for a, b in pairs), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("update")
    write(folder / "old.tsv", made_up_pairs(200, words=30))
    write(folder / "new.tsv", made_up_pairs(200, words=35, seed=1))
    result = run("-o", folder / "m", "--pairs", f"en,de={folder}/old.tsv", *QUICK,
                 "--vector-size", 8, "--window", 3)  # fmt: skip
    assert result.exception is None
    BilBOWA.load(folder / "m").wv_en.save_word2vec_format(str(folder / "en.vec"))
    return folder


def more(folder, languages="en,de"):
    return ["--pairs", f"{languages}={folder}/new.tsv", *QUICK]


def test_update_adds_words_and_keeps_the_models_parameters(folder, tmp_path):
    before = (folder / "m").read_bytes()
    assert run("-o", tmp_path / "n", "--update", folder / "m", *more(folder)).exception is None
    old, new = BilBOWA.load(folder / "m"), BilBOWA.load(tmp_path / "n")
    assert new.wv_en.index_to_key[: len(old.wv_en)] == old.wv_en.index_to_key
    assert len(new.wv_en) > len(old.wv_en)
    assert (new.epochs_trained, new.window, new.vector_size) == (4, 3, 8)
    assert (folder / "m").read_bytes() == before


def test_update_equals_that_of_the_library(folder, tmp_path):
    run("-o", tmp_path / "n", "--update", folder / "m", *more(folder), "--alpha", 0.03)
    model = BilBOWA.load(folder / "m")
    pairs = {("en", "de"): folder / "new.tsv"}
    model.build_vocab(parallel=pairs, update=True)
    model.train(parallel=pairs, start_alpha=0.03)
    np.testing.assert_array_equal(BilBOWA.load(tmp_path / "n").wv_de.vectors, model.wv_de.vectors)


def test_locked_words_and_frozen_languages_stay(folder, tmp_path):
    old = BilBOWA.load(folder / "m")
    result = run("-o", tmp_path / "n", "--update", folder / "m", *more(folder), "--lockf", 0)
    assert result.exception is None
    new = BilBOWA.load(tmp_path / "n")
    np.testing.assert_array_equal(new.wv_de.vectors[: len(old.wv_de)], old.wv_de.vectors)
    run("-o", tmp_path / "n", "--update", folder / "m", *more(folder), "--freeze", "en")
    new = BilBOWA.load(tmp_path / "n")
    np.testing.assert_array_equal(new.wv_en.vectors, old.wv_en.vectors)  # of no new word
    assert (new.wv_de.vectors[: len(old.wv_de)] != old.wv_de.vectors).any()


def test_a_language_is_added(folder, tmp_path):
    result = run("-o", tmp_path / "n", "--update", folder / "m", *more(folder, "en,fr"))
    assert result.exception is None
    assert BilBOWA.load(tmp_path / "n").languages == ["en", "de", "fr"]


def test_min_count_of_an_update_is_of_its_new_words(folder, tmp_path):
    run("-o", tmp_path / "n", "--update", folder / "m", *more(folder), "--min-count", 10_000)
    assert len(BilBOWA.load(tmp_path / "n").wv_en) == len(BilBOWA.load(folder / "m").wv_en)


def test_vectors_of_a_file_are_the_start_and_stay_if_frozen(folder, tmp_path):
    start = ["--start", f"en={folder}/en.vec", "--freeze", "en"]
    old = BilBOWA.load(folder / "m").wv_en
    assert run("-o", tmp_path / "n", *start, *more(folder)).exception is None
    new = BilBOWA.load(tmp_path / "n")
    assert new.vector_size == 8
    assert new.wv_en.index_to_key == old.index_to_key
    np.testing.assert_array_equal(new.wv_en.vectors, old.vectors)
    result = run("-o", tmp_path / "n", *start[:2], *more(folder), "--start-vocabulary", "text")
    assert result.exception is None
    assert len(BilBOWA.load(tmp_path / "n").wv_en) > len(old)


@pytest.mark.parametrize(
    ("options", "message"),
    [(["--update", "m", "--start", "en=en.vec"], "give one"),
     (["--lockf", "0"], "give --update"), (["--freeze", "en"], "neither is given"),
     (["--update", "m", "--vector-size", "9"], "--vector-size: that of the model stays"),
     (["--update", "m", "--negative", "0"], "one of hs and negative must be positive"),
     (["--start", "en=en.vec", "--start", "en=en.vec"], r"--start is given more than once"),
     (["--update", "m", "--bucket", "9"], "--bucket: that of the model stays"),
     (["--update", "m", "--freeze", "fr"], "m has no ['fr'], it has ['en', 'de']"),
     (["--update", "m", "-o", "m"], "would replace")],
)  # fmt: skip
def test_what_does_not_go_together_is_wrong_usage(folder, monkeypatch, options, message):
    monkeypatch.chdir(folder)
    result = run("-o", "n", *more(folder), *options)
    assert isinstance(result.exception, UsageError)
    assert message.lower() in result.exception.message.lower()


def test_only_a_model_can_be_updated(folder, tmp_path):
    result = run("-o", tmp_path / "n", "--update", folder / "en.vec", *more(folder))
    assert isinstance(result.exception, FormatError)


def test_subwords_are_of_new_languages_only(folder, tmp_path):
    update = ["-o", tmp_path / "n", "--update", folder / "m"]
    result = run(*update, *more(folder), "--subwords")
    assert isinstance(result.exception, ConfigError)
    assert "'en' was built without, and stays so" in str(result.exception)
    result = run(*update, *more(folder, "en,fr"), "--subwords", "fr", "--bucket", 900, "--min-n", 2)
    assert result.exception is None
    assert BilBOWA.load(tmp_path / "n").wv_fr.vectors_ngrams.shape == (900, 8)


def test_parameters_of_a_file_that_are_the_models_are_no_change(folder, tmp_path):
    (tmp_path / "p.json").write_text('{"vector_size": 8}', encoding="utf-8")
    result = run("-o", tmp_path / "n", "--update", folder / "m", *more(folder),
                 "--parameters", tmp_path / "p.json")  # fmt: skip
    assert result.exception is None
