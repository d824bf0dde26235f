"""What is saved comes back, read or mapped, and is saved again."""

from __future__ import annotations

import copy
import multiprocessing
import operator
import os
import pickle
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest
from gensim.models import KeyedVectors, Word2Vec
from gensim.models.callbacks import CallbackAny2Vec
from samples import SMALL, made_up_pairs
from saved import PAIRS, PARALLEL, TINY, assert_same, snapshot

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.files import storage
from gensim_bilbowa.files.staging import staged
from gensim_bilbowa.parameters import PARAMETERS


@pytest.mark.parametrize("kind", [str, lambda p: p])
@pytest.mark.parametrize("sep_limit", [0, 10**9])
def test_model_comes_back_as_it_was(small_model, tmp_path, kind, sep_limit):
    small_model.save(kind(tmp_path / "m"), sep_limit=sep_limit)
    assert len(list(tmp_path.iterdir())) == (1 if sep_limit else 14)
    loaded = BilBOWA.load(kind(tmp_path / "m"))
    assert_same(small_model, loaded)
    assert loaded.xling_weight == small_model.xling_weight
    assert loaded.wv_en.most_similar_cross("e1") == small_model.wv_en.most_similar_cross("e1")


def test_loaded_model_trains_on_as_the_saved_one(small_model, pairs, tmp_path):
    small_model.save(tmp_path / "m")
    loaded = BilBOWA.load(tmp_path / "m")
    for model in (small_model, loaded):
        model.train(parallel={("en", "de"): pairs}, epochs=2)
    np.testing.assert_array_equal(small_model.wv_en.vectors, loaded.wv_en.vectors)


@pytest.mark.parametrize("options", [{"hs": 1, "negative": 0}, {"sg": 0}])
def test_models_of_other_modes_come_back_and_train(pairs, tmp_path, options):
    model = BilBOWA(parallel={("en", "pt-BR"): pairs}, **{**SMALL, **options})
    model.save(tmp_path / "m")
    loaded = BilBOWA.load(tmp_path / "m")
    np.testing.assert_array_equal(model.wv_pt_BR.vectors, loaded.wv_pt_BR.vectors)
    loaded.train(parallel={("en", "pt-BR"): pairs}, epochs=1)


def test_mapped_arrays_are_shared_and_training_copies_them(small_model, pairs, tmp_path):
    small_model.save(tmp_path / "m", sep_limit=0)
    before = snapshot(tmp_path)
    loaded = BilBOWA.load(tmp_path / "m", mmap="r")
    assert isinstance(loaded.wv_en.vectors, np.memmap)
    loaded.train(parallel={("en", "de"): pairs})
    assert (loaded.wv_en.vectors != small_model.wv_en.vectors).any()
    assert snapshot(tmp_path) == before


def test_saving_over_the_mapped_model_itself(small_model, tmp_path):
    small_model.save(tmp_path / "m", sep_limit=0)
    loaded = BilBOWA.load(tmp_path / "m", mmap="r")
    loaded.save(tmp_path / "m", sep_limit=0)
    assert_same(small_model, BilBOWA.load(tmp_path / "m"))


def test_saving_again_removes_the_old_arrays_and_nothing_else(small_model, tmp_path):
    bystander = tmp_path / "m.1234abcd.en.vectors.npy"
    bystander.write_text("mine", encoding="utf-8")
    small_model.save(tmp_path / "m", sep_limit=0)
    small_model.save(tmp_path / "m", sep_limit=0)
    assert len(list(tmp_path.iterdir())) == 14 + 1
    assert bystander.read_text(encoding="utf-8") == "mine"
    assert_same(small_model, BilBOWA.load(tmp_path / "m"))


@pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
def test_link_stays_a_link_and_what_it_points_to_is_replaced(small_model, tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real" / "m")
    small_model.save(tmp_path / "link", sep_limit=0)
    small_model.save(tmp_path / "link", sep_limit=0)
    assert (tmp_path / "link").is_symlink()
    assert len(list((tmp_path / "real").iterdir())) == 14
    assert_same(small_model, BilBOWA.load(tmp_path / "link"))
    with pytest.raises(OSError, match="is a device"):
        small_model.save("/dev/null")


def test_missing_files_and_folders_are_named(small_model, tmp_path):
    with pytest.raises(FileNotFoundError, match="no such model file"):
        BilBOWA.load(tmp_path / "m")
    with pytest.raises(IsADirectoryError):
        BilBOWA.load(tmp_path)
    with pytest.raises(IsADirectoryError):
        small_model.save(tmp_path)
    with pytest.raises(FileNotFoundError, match="no such folder"):
        small_model.save(tmp_path / "nowhere" / "m")
    small_model.save(tmp_path / "m", sep_limit=0)
    next(tmp_path.glob("m.*.en.vectors.npy")).unlink()
    with pytest.raises(FileNotFoundError, match=r"en\.vectors\.npy is missing"):
        BilBOWA.load(tmp_path / "m")


def test_odd_words_and_attributes_come_back(small_model, tmp_path):
    wv = small_model.wv_en
    odd = ["New York", "a\nb", "\u2028", '"\\', "\ud800", "日本", "</s>"]
    wv.index_to_key[: len(odd)] = odd
    wv.key_to_index = {w: i for i, w in enumerate(wv.index_to_key)}
    wv.set_vecattr("日本", "topic", "place")
    wv.set_vecattr("日本", "weight", 0.5)
    name = "Ünï cödé" if os.name == "nt" else "Ünï cödé\n"
    small_model.save(tmp_path / name)
    loaded = BilBOWA.load(tmp_path / name).wv_en
    assert loaded.index_to_key == wv.index_to_key
    assert loaded.get_vecattr("日本", "topic") == "place"
    assert loaded.get_vecattr("日本", "weight") == 0.5


def test_copies_are_whole_models_and_parts_plain_ones(small_model, pairs):
    for copied in (copy.deepcopy(small_model), pickle.loads(pickle.dumps(small_model))):
        assert_same(small_model, copied)
        assert (
            copied.wv_en.most_similar_cross("e1")[0]
            == (small_model.wv_en.most_similar_cross("e1")[0])
        )
        copied.train(parallel={("en", "de"): pairs}, epochs=1)
        assert (copied.wv_en.vectors != small_model.wv_en.vectors).any()
    assert type(pickle.loads(pickle.dumps(small_model.wv_en))) is KeyedVectors
    assert type(copy.deepcopy(small_model["en"])) is Word2Vec


@pytest.mark.parametrize("sep_limit", [0, 10**9])
def test_parameters_counts_and_history_come_back(tiny_model, tmp_path, sep_limit):
    tiny_model.save(tmp_path / "m", sep_limit=sep_limit)
    loaded = BilBOWA.load(tmp_path / "m")
    for name in set(PARAMETERS) - {"hashfxn"}:
        assert getattr(loaded, name) == getattr(tiny_model, name), name
    for name in ("loss_history", "epochs_trained", "running_training_loss", "corpus_count",
                 "corpus_total_words"):  # fmt: skip
        assert getattr(loaded, name) == getattr(tiny_model, name), name
    for code in tiny_model.languages:
        np.testing.assert_array_equal(loaded[code].counts, tiny_model[code].counts)
        np.testing.assert_array_equal(loaded[code].cum_table, tiny_model[code].cum_table)


def test_names_in_the_working_folder_will_do(tiny_model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tiny_model.save("m", sep_limit=0)
    assert_same(tiny_model, BilBOWA.load("m"))
    tiny_model.wv_en.save("wv")
    assert len(KeyedVectors.load("wv")) == len(tiny_model.wv_en)


def test_model_without_vocabulary_comes_back_and_learns(tmp_path):
    BilBOWA(**TINY).save(tmp_path / "m")
    loaded = BilBOWA.load(tmp_path / "m")
    loaded.build_vocab(parallel=PARALLEL)
    loaded.train(parallel=PARALLEL)
    assert loaded.languages == ["en", "pt-BR"]


@pytest.mark.parametrize("code", ["pt-BR", "zh_Hant", "sr.Latn", "ελ"])
@pytest.mark.parametrize("sep_limit", [0, 10**9])
def test_codes_of_all_kinds_come_back(tmp_path, code, sep_limit):
    model = BilBOWA(parallel={("en", code): PAIRS[:30]}, **TINY)
    model.save(tmp_path / "m", sep_limit=sep_limit)
    assert_same(model, BilBOWA.load(tmp_path / "m"))


def test_moved_and_renamed_model_is_found_with_its_arrays(tiny_model, tmp_path):
    (tmp_path / "old").mkdir()
    tiny_model.save(tmp_path / "old" / "m", sep_limit=0)
    (tmp_path / "old").rename(tmp_path / "new")
    (tmp_path / "new" / "m").rename(tmp_path / "new" / "renamed")
    assert_same(tiny_model, BilBOWA.load(tmp_path / "new" / "renamed", mmap="r"))


@pytest.mark.skipif(os.name == "nt", reason="looks at POSIX modes")
def test_saved_files_can_be_read_by_those_who_can_read_other_files(tiny_model, tmp_path):
    (tmp_path / "other").touch()
    tiny_model.save(tmp_path / "m", sep_limit=0)
    tiny_model.wv_en.save(tmp_path / "wv", sep_limit=0)
    tiny_model.wv.save(tmp_path / "wv.safetensors")
    assert len({path.stat().st_mode for path in tmp_path.iterdir()}) == 1


@pytest.mark.slow
def test_model_goes_to_another_process_and_back(tiny_model):
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        whole = pool.submit(copy.copy, tiny_model).result()
        part = pool.submit(operator.itemgetter("en"), tiny_model).result()
    assert_same(whole, tiny_model)
    assert type(part) is Word2Vec


@pytest.mark.parametrize("mmap", ["r", "c"])
def test_mapped_model_learns_new_words_and_leaves_the_files(tiny_model, tmp_path, mmap):
    tiny_model.save(tmp_path / "m", sep_limit=0)
    before = snapshot(tmp_path)
    loaded = BilBOWA.load(tmp_path / "m", mmap=mmap)
    more = {("en", "pt-BR"): [(["new", "e1"], ["novo", "d1"])] * 5}
    loaded.train(parallel=PARALLEL, epochs=1)
    loaded.build_vocab(parallel=more, update=True)
    loaded.train(parallel=more, epochs=1)
    assert "new" in loaded.wv_en
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("mmap", ["r", "c"])
def test_attributes_of_a_mapped_model_can_be_set(tiny_model, tmp_path, mmap):
    tiny_model.save(tmp_path / "m", sep_limit=0)
    loaded = BilBOWA.load(tmp_path / "m", mmap=mmap)
    loaded.wv_en.set_vecattr("e1", "count", 99)
    assert loaded.wv_en.get_vecattr("e1", "count") == 99


def test_mapped_vectors_take_over_those_of_a_file(tiny_model, tmp_path):
    tiny_model.save(tmp_path / "m", sep_limit=0)
    other = KeyedVectors(8)
    other.add_vectors(["e1"], np.ones((1, 8), np.float32))
    other.save_word2vec_format(str(tmp_path / "wv"))
    before = snapshot(tmp_path)
    loaded = BilBOWA.load(tmp_path / "m", mmap="r")
    loaded.wv_en.intersect_word2vec_format(tmp_path / "wv")
    np.testing.assert_array_equal(loaded.wv_en["e1"], np.ones(8))
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("mmap", ["r+", "w", True])
def test_ways_of_mapping_that_would_change_the_files_are_refused(tiny_model, tmp_path, mmap):
    tiny_model.save(tmp_path / "m", sep_limit=0)
    with pytest.raises(ConfigError, match="mmap must be"):
        BilBOWA.load(tmp_path / "m", mmap=mmap)


def test_mapped_model_trained_and_saved_over_itself_is_the_trained_one(tiny_model, tmp_path):
    tiny_model.save(tmp_path / "m", sep_limit=0)
    loaded = BilBOWA.load(tmp_path / "m", mmap="r")
    loaded.train(parallel=PARALLEL, epochs=1)
    loaded.save(tmp_path / "m", sep_limit=0)
    assert_same(loaded, BilBOWA.load(tmp_path / "m", mmap="r"))
    assert (loaded.wv_en.vectors != tiny_model.wv_en.vectors).any()


def test_model_mapped_elsewhere_stays_readable_when_its_files_are_replaced(
    tiny_model, tiny_copy, tmp_path
):
    tiny_model.save(tmp_path / "m", sep_limit=0)
    reader = BilBOWA.load(tmp_path / "m", mmap="r")
    tiny_copy.train(parallel=PARALLEL, epochs=1)
    tiny_copy.save(tmp_path / "m", sep_limit=0)
    assert_same(reader, tiny_model)


def test_saving_over_another_file_replaces_it(tiny_model, tmp_path):
    (tmp_path / "m").write_text("text", encoding="utf-8")
    tiny_model.save(tmp_path / "m")
    assert_same(tiny_model, BilBOWA.load(tmp_path / "m"))


def test_staging_to_no_path_is_refused():
    with pytest.raises(TypeError, match="a path is wanted"), staged(None):
        pass


@pytest.mark.parametrize("at_once", [1, 100, 1 << 24])
def test_arrays_are_written_in_blocks_whatever_their_layout(tmp_path, monkeypatch, at_once):
    monkeypatch.setattr(storage, "_WRITTEN_AT_ONCE", at_once)
    wide = np.arange(700, dtype=np.float32).reshape(35, 20)
    arrays = {
        "plain": wide, "gaps": wide[:, :7], "columns": np.asfortranarray(wide),
        "vector": np.arange(9), "empty": np.zeros((0, 3), np.float32), "narrow": wide[:, :0],
    }  # fmt: skip
    for separate_bytes in (0, 1 << 30):
        storage.write_model(tmp_path / "model", {}, arrays, separate_bytes=separate_bytes)
        _, read = storage.read_model(tmp_path / "model")
        for name, array in arrays.items():
            np.testing.assert_array_equal(read[name], array)
            assert read[name].flags.c_contiguous


def test_model_saved_while_it_trains_is_whole(tmp_path):
    class Saver(CallbackAny2Vec):
        def on_epoch_end(self, model):
            model.save(tmp_path / "model", sep_limit=0)
            model.wv_en.save(tmp_path / "en.kv")
            self.vectors = model.wv_en.vectors.copy()

    saver = Saver()
    BilBOWA(parallel={("en", "de"): made_up_pairs()}, callbacks=[saver],
            **{**TINY, "vector_size": 17})  # fmt: skip
    for vectors in (
        BilBOWA.load(tmp_path / "model").wv_en,
        KeyedVectors.load(str(tmp_path / "en.kv")),
    ):
        np.testing.assert_array_equal(vectors.vectors, saver.vectors)
