"""The commands that join, convert and open vectors."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner
from samples import SMALL, made_up_pairs

from gensim_bilbowa import BilBOWA, CrossLingualVectors, align
from gensim_bilbowa.cli import cli
from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.formats import read_vectors


def run(*arguments):
    return CliRunner().invoke(cli, list(map(str, arguments)), standalone_mode=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("vectors")
    model = BilBOWA(parallel={("en", "de"): made_up_pairs()}, **SMALL)
    model.save(folder / "model")
    for code in ("en", "de"):
        model.wv[code].save_word2vec_format(folder / f"{code}.vec")
    words = range(25)
    (folder / "pairs.txt").write_text("".join(f"E{i} D{i}\n" for i in words), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def model(folder):
    return BilBOWA.load(folder / "model")


def equal(space, other):
    assert list(space) == list(other)
    for code, vectors in space.items():
        assert vectors.index_to_key == other[code].index_to_key
        np.testing.assert_allclose(vectors.vectors, other[code].vectors, rtol=1e-5)


@pytest.mark.parametrize("name", ["folder", "file.safetensors"])
def test_converted_vectors_are_the_models_and_are_opened_by_commands(folder, tmp_path, model, name):
    assert run("convert", folder / "model", tmp_path / name).exception is None
    equal(CrossLingualVectors.load(tmp_path / name), model.wv)
    for command in (["translate", "e1"], ["lexicon"]):
        shown = run(command[0], tmp_path / name, *command[1:])
        expected = run(command[0], folder / "model", *command[1:])
        assert expected.stdout
        assert [line.split("\t")[:2] for line in shown.stdout.splitlines()] == [
            line.split("\t")[:2] for line in expected.stdout.splitlines()
        ]


def test_files_in_a_folder_may_be_binary(folder, tmp_path, model):
    run("convert", folder / "model", tmp_path / "x", "--format", "binary")
    assert (tmp_path / "x" / "en.bin").exists()
    equal(CrossLingualVectors.load(tmp_path / "x"), model.wv)


def test_refined_vectors_are_those_of_refine(folder, tmp_path, model):
    run("convert", folder / "model", tmp_path / "x.safetensors", "--refine")
    equal(CrossLingualVectors.load(tmp_path / "x.safetensors"), model.refine())


def test_aligned_vectors_are_those_of_align(folder, tmp_path):
    files = [f"en={folder}/en.vec", f"de={folder}/de.vec"]
    pairs = {f"e{i}": {f"d{i}"} for i in range(25)}
    read = {code: read_vectors(folder / f"{code}.vec") for code in ("en", "de")}
    for number, named in enumerate((folder / "pairs.txt", f"en,de={folder}/pairs.txt")):
        path = tmp_path / f"{number}.safetensors"
        result = run("align", *files, "-d", named, "--lowercase", "-o", path)
        assert f"saved to {path}" in result.stderr
        equal(CrossLingualVectors.load(path), align(read, pairs))
    run("align", *files, "-d", folder / "pairs.txt", "--lowercase", "--refine", "-o", path)
    equal(CrossLingualVectors.load(path), align(read, pairs).refine(reweight=0, always=True))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["align", "en=en.vec", "-o", "x"], "two or more languages"),
        (["align", "en=en.vec", "en=de.vec", "-o", "x"], "two or more languages"),
        (["align", "en.vec", "de.vec", "-o", "x"], "LANG=FILE is wanted"),
        (["align", "en=en.vec", "de=de.vec", "-d", "en,fr=pairs.txt", "-o", "x"], "two of the"),
        (["align", "en=en.vec", "de=de.vec", "-d", "pairs.txt", "-o", "en.vec"], "input file"),
        (["align", "en=en.vec", "de=de.vec", "-d", "pairs.txt", "-o", "no/x"], "no such folder"),
        (["align", "en=en.vec", "de=nowhere", "-o", "x"], "nowhere"),
        (["align", "en=en.vec", "de=de.vec", "-d", "pairs.txt", "-o", "x"], "none of"),
        (["align", "en=en.vec", "de=de.vec", "-o", "x"], "alike"),
        (["convert", "model", "model"], "input file"),
        (["convert", "nowhere", "x"], "nowhere"),
        (["convert", "model", "pairs.txt"], "pairs.txt"),
    ],
)
def test_what_cannot_work_is_said(folder, monkeypatch, arguments, message):
    monkeypatch.chdir(folder)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert message in str(run(*arguments).exception)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_other_files_are_no_vectors(folder, tmp_path):
    (tmp_path / "x.safetensors").write_bytes(b"not this")
    (tmp_path / "empty").mkdir()
    for name in ("x.safetensors", "empty"):
        assert isinstance(run("translate", tmp_path / name, "e1").exception, FormatError)


def test_safetensors_are_opened_whatever_their_name(folder, tmp_path):
    run("convert", folder / "model", tmp_path / "z.vectors", "--format", "safetensors")
    assert (tmp_path / "z.vectors").is_file()
    shown = run("translate", tmp_path / "z.vectors", "e1")
    assert shown.stdout == run("translate", folder / "model", "e1").stdout != ""
    assert "kind: vectors" in run("info", tmp_path / "z.vectors").stdout


# ---- counts and bytes that are not UTF-8


@pytest.fixture
def counted(folder, tmp_path):
    """Files of vectors with those of counts beside them, and a dictionary."""
    run("convert", folder / "model", tmp_path / "in")
    return [f"{code}={tmp_path}/in/{code}.vec" for code in ("en", "de")]


def test_counts_beside_the_files_are_kept(folder, tmp_path, model, counted):
    dictionary = ["-d", folder / "pairs.txt", "--lowercase"]
    assert run("align", *counted, *dictionary, "-o", tmp_path / "out").exception is None
    found = CrossLingualVectors.load(tmp_path / "out")
    for code in ("en", "de"):
        expected = model.wv[code].expandos["count"].tolist()
        assert found[code].expandos["count"].tolist() == expected


def test_counts_of_other_words_are_refused_and_it_is_said_how_to_go_on(folder, tmp_path, counted):
    (tmp_path / "in" / "en.counts").write_text("other 1\n", encoding="utf-8")
    result = run("align", *counted, "-d", folder / "pairs.txt", "-o", tmp_path / "out")
    assert isinstance(result.exception, FormatError)
    assert "en.counts has no count for 'e0'" in str(result.exception)
    assert "move it away to do without counts" in str(result.exception)


@pytest.mark.parametrize("damaged", ["en.vec", "pairs.txt"])
def test_bytes_that_are_not_utf8_are_located_or_replaced(folder, tmp_path, damaged):
    for name in ("en.vec", "de.vec", "pairs.txt"):
        whole = (folder / name).read_bytes()
        if name == damaged:
            whole = whole.replace(b"e9", b"e\xff").replace(b"E9", b"E\xff")
        (tmp_path / name).write_bytes(whole)
    files = [f"{code}={tmp_path}/{code}.vec" for code in ("en", "de")]
    arguments = ["align", *files, "-d", tmp_path / "pairs.txt", "--lowercase", "-o"]
    result = run(*arguments, tmp_path / "out")
    assert damaged in str(result.exception)
    assert "errors='replace'" in str(result.exception)
    assert run(*arguments, tmp_path / "out", "--errors", "replace").exception is None


def test_missing_dictionary_is_no_corpus(folder, tmp_path):
    files = [f"{code}={folder}/{code}.vec" for code in ("en", "de")]
    result = run("align", *files, "-d", tmp_path / "nowhere", "-o", tmp_path / "x")
    assert str(result.exception) == f"no such file: {tmp_path / 'nowhere'}"
