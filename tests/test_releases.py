"""Files of every release are read by this one; tests/data/make.py has written them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from gensim_bilbowa import BilBOWA, CrossLingualVectors

FOLDERS = sorted((Path(__file__).parent / "data").glob("model-*"))
MODELS = {"words.model": "words", "apart.model": "words", "subwords.model": "subwords"}
MORE = {("en", "de"): [(["e1", "e2", "new"], ["d1", "d2", "neu"])] * 9}


@pytest.fixture(params=FOLDERS, ids=lambda folder: folder.name)
def folder(request, tmp_path):
    """A copy, since what is in the repository must stay as it was written."""
    return shutil.copytree(request.param, tmp_path / "data")


def facts(folder, kind):
    return json.loads((folder / "facts.json").read_text(encoding="utf-8"))[kind]


def test_there_are_files_of_a_release():
    assert [folder.name for folder in FOLDERS][:1] == ["model-0.1"]


@pytest.mark.parametrize("mmap", [None, "r"])
@pytest.mark.parametrize("name", MODELS)
def test_model_has_the_words_numbers_and_parameters_it_had(folder, name, mmap):
    model, known = BilBOWA.load(folder / name, mmap=mmap), facts(folder, MODELS[name])
    assert {key: getattr(model, key) for key in known["parameters"]} == known["parameters"]
    assert model.epochs_trained == known["epochs_trained"]
    assert [entry["crosslingual"]["en-de"] for entry in model.loss_history] == known["losses"]
    assert model.languages == list(known["languages"])
    for code, language in known["languages"].items():
        assert model.wv[code].index_to_key == language["words"]
        assert model[code].counts.tolist() == language["counts"]
        assert model[code].corpus_count == language["corpus_count"]
        # Vectors of n-grams are composed anew, which rounds as the machine does.
        np.testing.assert_allclose(model.wv[code].vectors, language["vectors"], rtol=1e-6)
        np.testing.assert_array_equal(model[code].syn1neg, np.float32(language["syn1neg"]))


@pytest.mark.parametrize("name", MODELS)
def test_model_answers_as_it_did(folder, name):
    model, known = BilBOWA.load(folder / name), facts(folder, MODELS[name])
    assert model.wv_en.most_similar_cross("e1", topn=1)[0][0] == known["translation"]
    if known["unseen"]:
        np.testing.assert_allclose(model.wv_de.get_vector("d3d4"), known["unseen"], rtol=1e-6)


@pytest.mark.parametrize("name", MODELS)
def test_model_learns_on_and_is_saved_over_the_old_file(folder, name):
    model = BilBOWA.load(folder / name, mmap="r")
    before = np.array(model.wv_en.vectors)
    model.build_vocab(parallel=MORE, update=True)
    model.train(parallel=MORE, epochs=1)
    assert (model.wv_en.vectors[: len(before)] != before).any()
    model.save(folder / name)
    again = BilBOWA.load(folder / name)
    assert again.epochs_trained == 10
    assert "neu" in again.wv_de


@pytest.mark.parametrize("name", ["vectors", "binary", "vectors.safetensors"])
def test_vectors_are_those_of_the_model(folder, name):
    space, known = CrossLingualVectors.load(folder / name), facts(folder, "words")
    assert list(space) == list(known["languages"])
    for code, language in known["languages"].items():
        assert space[code].index_to_key == language["words"]
        assert space[code].expandos["count"].tolist() == language["counts"]
        np.testing.assert_array_equal(space[code].vectors, np.float32(language["vectors"]))
    assert space["en"].most_similar_cross("e1", topn=1)[0][0] == known["translation"]
    model = BilBOWA.from_models(dict(space.items()), parallel=MORE, epochs=1, workers=1)
    assert np.isfinite(model.wv_de.vectors).all()
