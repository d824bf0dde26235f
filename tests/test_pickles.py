"""Pickles, gensim's own files among them, are opened only where the caller says so."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from click.testing import CliRunner
from gensim.models import FastText, KeyedVectors, LsiModel, Word2Vec
from samples import SMALL, keyed

from gensim_bilbowa import BilBOWA, CrossLingualVectors
from gensim_bilbowa.cli import cli
from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.formats import read_vectors
from gensim_bilbowa.vectors import CrossLingualKeyedVectors

TEXT = [["the", "house", "is", "red"], ["the", "cat", "is", "old"]] * 3
DE = keyed("d", np.eye(8))
WORD2VEC = Word2Vec(TEXT, vector_size=8, min_count=1, workers=1)
FAST_TEXT = FastText(TEXT, vector_size=8, min_count=1, workers=1, bucket=50)


class Trap:
    """Its pickle makes a file when it is opened."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


READERS = {
    "BilBOWA.load": BilBOWA.load,
    "read_vectors": read_vectors,
    "CrossLingualVectors.load": CrossLingualVectors.load,
    "CrossLingualVectors.load of a language": lambda p: CrossLingualVectors.load({"en": p}),
    "CrossLingualKeyedVectors.load": CrossLingualKeyedVectors.load,
    "class of vectors": lambda p: type(BilBOWA.from_models({"en": WORD2VEC}).wv_en).load(p),
    "class of a language": lambda p: type(BilBOWA.from_models({"en": WORD2VEC})["en"]).load(p),
    "class of a language of n-grams": lambda p: type(
        BilBOWA.from_models({"en": FAST_TEXT})["en"]
    ).load(p),
    "from_models": lambda p: BilBOWA.from_models({"en": p, "de": DE}),
}  # fmt: skip


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("reader", READERS)
def test_pickle_is_refused_unopened_by_every_reader(tmp_path, reader, protocol):
    path = tmp_path / "x.model"
    path.write_bytes(pickle.dumps(Trap(tmp_path / "sprung"), protocol))
    with pytest.raises(FormatError, match=r"x\.model"):
        READERS[reader](path)
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("reader", READERS)
def test_file_of_gensims_is_refused_with_the_danger_and_the_keyword(tmp_path, reader):
    WORD2VEC.save(str(tmp_path / "en.model"))
    with pytest.raises(FormatError, match=r"en\.model.* a pickle.*any code.*trusted=True"):
        READERS[reader](tmp_path / "en.model")


@pytest.mark.parametrize("command", ["info", "train --start", "convert"])
def test_commands_refuse_pickles_unopened(tmp_path, command):
    path = tmp_path / "en.kv"
    path.write_bytes(pickle.dumps(Trap(tmp_path / "sprung")))
    (tmp_path / "pairs.tsv").write_text("a b\tc d\n" * 9, encoding="utf-8")
    arguments = {
        "info": ["info", path],
        "convert": ["convert", path, tmp_path / "out"],
        "train --start": ["train", "-o", tmp_path / "m", "--start", f"en={path}", "--pairs",
                          f"en,de={tmp_path / 'pairs.tsv'}"],
    }[command]  # fmt: skip
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert result.exit_code == 1
    assert "a pickle" in str(result.exception)
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("name", ["en.kv", "en.kv.gz"])
def test_trusted_vectors_are_read(tmp_path, name):
    WORD2VEC.wv.save(str(tmp_path / name))
    read = read_vectors(tmp_path / name, trusted=True)
    assert read.index_to_key == WORD2VEC.wv.index_to_key
    np.testing.assert_array_equal(read.vectors, WORD2VEC.wv.vectors)
    assert read.get_vecattr("the", "count") == 6


def test_trusted_model_gives_its_vectors_up_to_a_limit(tmp_path):
    WORD2VEC.save(str(tmp_path / "en.model"))
    read = read_vectors(tmp_path / "en.model", trusted=True, limit=3)
    assert read.index_to_key == WORD2VEC.wv.index_to_key[:3]
    np.testing.assert_array_equal(read.vectors, WORD2VEC.wv.vectors[:3])
    assert list(read.expandos["count"]) == [6, 6, 3]


def test_trusted_files_of_languages_make_a_space(tmp_path):
    WORD2VEC.wv.save(str(tmp_path / "en.kv"))
    DE.save_word2vec_format(str(tmp_path / "de.vec"))
    space = CrossLingualVectors.load(
        {"en": tmp_path / "en.kv", "de": tmp_path / "de.vec"}, trusted=True
    )
    np.testing.assert_array_equal(space["en"].vectors, WORD2VEC.wv.vectors)
    with pytest.raises(FormatError, match=r"say which, as in \{'en'"):
        CrossLingualVectors.load(tmp_path / "en.kv", trusted=True)


def test_trusted_model_is_a_start_with_its_output_weights(tmp_path):
    WORD2VEC.save(str(tmp_path / "en.model"))
    model = BilBOWA.from_models({"en": tmp_path / "en.model", "de": WORD2VEC}, trusted=True)
    np.testing.assert_array_equal(model["en"].syn1neg, WORD2VEC.syn1neg)
    np.testing.assert_array_equal(model.wv_en.vectors, WORD2VEC.wv.vectors)


def test_what_a_language_saves_is_loaded_by_its_class_as_plain_gensim(tmp_path):
    model = BilBOWA.from_models({"en": WORD2VEC, "de": FAST_TEXT})
    for code, kind in (("en", Word2Vec), ("de", FastText)):
        for part, wanted in ((model[code], kind), (model.wv[code], type(kind(vector_size=8).wv))):
            part.save(tmp_path / "x", sep_limit=0)
            loaded = type(part).load(tmp_path / "x", mmap="r", trusted=True)
            assert type(loaded) is wanted
    assert type(CrossLingualKeyedVectors.load(tmp_path / "x", trusted=True)) is wanted
    with pytest.raises(FormatError, match="x is a FastTextKeyedVectors; a Word2Vec is wanted"):
        type(model["en"]).load(tmp_path / "x", trusted=True)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x80\x04nonsense", "no whole file of gensim's"),
        (pickle.dumps([1, 2]), "no whole file of gensim's"),
        (pickle.dumps(LsiModel(None, id2word={0: "a"})), "is a LsiModel; a KeyedVectors"),
        (pickle.dumps(keyed("e", np.full((2, 8), np.nan))), "the vector of 'e0' is not finite"),
    ],
    ids=["damaged", "other", "other of gensim's", "not finite"],
)
def test_trusted_file_of_something_else_is_refused(tmp_path, content, message):
    (tmp_path / "x").write_bytes(content)
    for read in (read_vectors, CrossLingualKeyedVectors.load):
        with pytest.raises(FormatError, match=message):
            read(tmp_path / "x", trusted=True)


def test_trust_does_no_harm_to_other_formats(tmp_path, small_model, pairs):
    DE.save_word2vec_format(str(tmp_path / "de.vec"))
    np.testing.assert_array_equal(
        read_vectors(tmp_path / "de.vec", trusted=True).vectors, DE.vectors
    )
    small_model.wv.save(tmp_path / "space")
    assert CrossLingualVectors.load(tmp_path / "space", trusted=True).keys() == {"en", "de"}
    model = BilBOWA.from_models(
        {"de": tmp_path / "de.vec"}, parallel={("en", "de"): pairs}, trusted=True,
        **{**SMALL, "vector_size": 8},
    )  # fmt: skip
    assert len(model.wv_de) == 8


def test_vectors_saved_for_gensim_are_opened_by_gensim(tmp_path, small_model):
    small_model.wv_en.save(tmp_path / "en.kv")
    loaded = KeyedVectors.load(str(tmp_path / "en.kv"))
    np.testing.assert_array_equal(loaded.vectors, small_model.wv_en.vectors)
