from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
import textwrap
import zipfile

import numpy as np
import pytest
from gensim.models import KeyedVectors, Word2Vec
from samples import SMALL, space

from gensim_bilbowa import BilBOWA, CrossLingualVectors
from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.formats import read_vectors


def assert_same(a, b):
    assert a.languages == b.languages
    assert a.loss_history == b.loss_history
    for code in a.languages:
        assert a.wv[code].index_to_key == b.wv[code].index_to_key
        np.testing.assert_array_equal(a.wv[code].vectors, b.wv[code].vectors)
        np.testing.assert_array_equal(a[code].syn1neg, b[code].syn1neg)
        for name, values in a.wv[code].expandos.items():
            np.testing.assert_array_equal(values, b.wv[code].expandos[name])


def snapshot(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


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


@pytest.mark.parametrize("what", ["model", "vectors", "word2vec", "text"])
def test_failed_save_leaves_the_old_files(small_model, pairs, tmp_path, monkeypatch, what):
    save = {
        "model": lambda: small_model.save(tmp_path / "m", sep_limit=0),
        "vectors": lambda: small_model.wv_en.save(tmp_path / "m", sep_limit=0),
        "word2vec": lambda: small_model["en"].save(tmp_path / "m", sep_limit=0),
        "text": lambda: small_model.wv_en.save_word2vec_format(tmp_path / "m"),
    }[what]
    save()
    before = snapshot(tmp_path)
    small_model.train(parallel={("en", "de"): pairs})
    real, budget = os.fsync, 0

    def failing(descriptor):
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(28, "No space left on device")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", failing)
    while True:
        left = budget
        try:
            save()
        except OSError:
            assert snapshot(tmp_path) == before
            budget += 1
            # The last sync, of the folder, comes when all is in place.
            if budget == len(before):
                break
        else:
            raise AssertionError("the failure was swallowed")


@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files")
def test_disk_full_in_the_middle_of_a_file_leaves_the_old_files(small_model, tmp_path):
    small_model.save(tmp_path / "m")
    before = snapshot(tmp_path)
    code = f"""
        import resource, signal, sys
        from gensim_bilbowa import BilBOWA
        model = BilBOWA.load({str(tmp_path / "m")!r})
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        for limit in (0, 1, 1000, 2000):
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, -1))
            for save in (lambda p: model.save(p), lambda p: model.save(p, sep_limit=0),
                         model.wv_en.save, model["en"].save, model.wv_en.save_word2vec_format):
                try:
                    save({str(tmp_path / "m")!r})
                except OSError:
                    pass
                else:
                    sys.exit(f"no error at {{limit}}")
        resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))
    """
    subprocess.run([sys.executable, "-P", "-c", textwrap.dedent(code)], check=True)
    assert snapshot(tmp_path) == before


def test_damage_is_found(small_model, tmp_path):
    small_model.save(tmp_path / "m", sep_limit=0)
    small_model.save(tmp_path / "whole", sep_limit=10**9)
    rng = np.random.default_rng(0)
    for path in sorted(tmp_path.iterdir()):
        data = path.read_bytes()
        cuts = [data[: len(data) // 2], data[:-1], b""]
        flips = [
            data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]
            for at in rng.integers(0, len(data), 30)
        ]
        for damaged in cuts + flips:
            path.write_bytes(damaged)
            name = tmp_path / ("whole" if path.name == "whole" else "m")
            try:
                loaded = BilBOWA.load(name)
            except FormatError:
                continue
            assert_same(small_model, loaded)  # the bit was one that carries no meaning
        path.write_bytes(data)


def rewrite(path, change):
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(members["model.json"])
    change(manifest)
    members["model.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m.update(version=99), "a newer release"),
        (lambda m: m.update(format="other"), "is not a gensim_bilbowa model"),
        (lambda m: m.update(arrays=None), "lacks its parts"),
        (lambda m: m["arrays"]["en/vectors"].update(file="../secret.npy"), "not in the model's"),
        (lambda m: m["arrays"]["en/vectors"].update(shape=[10**12, 10**6]), "recorded"),
        (lambda m: m["arrays"]["en/vectors"].update(dtype="|O"), "objects"),
        (lambda m: m["arrays"]["en/vectors"].update(crc32=1), "checksum"),
        (lambda m: m["arrays"].pop("en/vectors"), "not a whole model"),
        (lambda m: m["model"]["parameters"].update(alpha="x"), "alpha must be"),
        (lambda m: m["model"]["parameters"].update(nonsense=1), "nonsense"),
        (lambda m: m["model"].update(epochs_trained="x"), "epochs_trained"),
        (lambda m: m["model"].update(loss_history=5), "loss_history"),
        (lambda m: m["model"]["languages"]["en"].update(corpus_count="x"), "corpus_count"),
        (lambda m: m["model"]["languages"]["en"]["words"].append("more"), "shape"),
        (lambda m: m["model"]["languages"]["en"]["words"].__setitem__(1, "e0"), "twice"),
    ],
)
def test_hostile_descriptions_are_refused(small_model, tmp_path, change, message):
    small_model.save(tmp_path / "m")
    rewrite(tmp_path / "m", change)
    with pytest.raises(FormatError, match=message):
        BilBOWA.load(tmp_path / "m")


def test_pickle_is_refused_without_running_it(tmp_path):
    class Bomb:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "exploded"),)

    (tmp_path / "m").write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(FormatError, match="from_models"):
        BilBOWA.load(tmp_path / "m")
    assert not (tmp_path / "exploded").exists()


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


def test_plain_gensim_opens_what_a_language_saves(small_model, tmp_path):
    for limit in (0, 10**9):
        small_model.wv_en.save(tmp_path / f"kv{limit}", sep_limit=limit)
        small_model["en"].save(tmp_path / f"w2v{limit}", sep_limit=limit)
    code = f"""
        import sys
        sys.modules["gensim_bilbowa"] = None
        from pathlib import Path
        from gensim.models import KeyedVectors, Word2Vec
        for limit in (0, 10**9):
            for mmap in (None, "r"):
                kv = KeyedVectors.load({str(tmp_path)!r} + f"/kv{{limit}}", mmap=mmap)
                assert type(kv) is KeyedVectors
                model = Word2Vec.load({str(tmp_path)!r} + f"/w2v{{limit}}", mmap=mmap)
                assert type(model) is Word2Vec and type(model.wv) is KeyedVectors
                assert (model.wv.vectors == kv.vectors).all()
                print(kv.most_similar("e1"))
        model = Word2Vec.load({str(tmp_path)!r} + "/w2v0")
        model.train([["e1", "e2", "e3"]] * 50, total_examples=50, epochs=1)
    """
    result = subprocess.run(
        [sys.executable, "-P", "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = result.stdout.splitlines()
    assert len(lines) == 4
    assert set(lines) == {str(small_model.wv_en.most_similar("e1"))}


@pytest.mark.parametrize("binary", [False, True])
def test_word2vec_format_keeps_vectors_and_counts(small_model, tmp_path, binary):
    wv = small_model.wv_en
    wv.save_word2vec_format(tmp_path / "en", fvocab=tmp_path / "counts", binary=binary)
    plain = KeyedVectors.load_word2vec_format(
        str(tmp_path / "en"), fvocab=str(tmp_path / "counts"), binary=binary
    )
    assert plain.index_to_key == wv.index_to_key
    np.testing.assert_array_equal(plain.vectors, wv.vectors)
    np.testing.assert_array_equal(plain.expandos["count"], wv.expandos["count"])
    assert {p.name for p in tmp_path.iterdir()} == {"en", "counts"}
    space = CrossLingualVectors({"en": plain, "de": small_model.wv_de})
    assert space["en"].most_similar_cross("e1") == wv.most_similar_cross("e1")


@pytest.mark.parametrize("binary", [False, True])
def test_vectors_of_a_file_are_taken_over_and_locked(small_model, pairs, tmp_path, binary):
    other = KeyedVectors(20)
    other.add_vectors(["e3", "nowhere", "e1"], np.arange(60, dtype=np.float32).reshape(3, 20) / 9)
    other.save_word2vec_format(str(tmp_path / "other"), binary=binary)
    small_model.wv_en.fill_norms()
    small_model.wv_en.intersect_word2vec_format(tmp_path / "other", binary=binary)
    small_model.train(parallel={("en", "de"): pairs}, epochs=1)
    np.testing.assert_array_equal(small_model.wv_en["e3"], other["e3"])
    np.testing.assert_array_equal(small_model.wv_en["e1"], other["e1"])
    assert "nowhere" not in small_model.wv_en
    assert small_model.wv_en.similarity("e1", "e3") <= 1.0001


@pytest.mark.parametrize("factor", [0.0, 0.5])
def test_words_that_a_file_lacks_learn_on_in_vectors_of_no_model(tmp_path, factor):
    (tmp_path / "other").write_text("2 3\nen1 1 2 3\nstranger 4 5 6\n", encoding="utf-8")
    vectors = space(en=np.ones((3, 3)))["en"]
    vectors.intersect_word2vec_format(tmp_path / "other", lockf=factor)
    assert vectors.vectors.tolist() == [[1, 1, 1], [1, 2, 3], [1, 1, 1]]
    assert vectors.vectors_lockf.tolist() == [1, factor, 1]


@pytest.mark.parametrize("word", ["New York", "", "a\nb", "a\td", " ", "\ud800"])
def test_word_that_the_word2vec_format_cannot_hold_is_named(small_model, tmp_path, word):
    wv = small_model.wv_en
    (tmp_path / "en").write_text("old", encoding="utf-8")
    wv.index_to_key[3] = word
    wv.key_to_index = {w: i for i, w in enumerate(wv.index_to_key)}
    with pytest.raises(FormatError, match=r"the 'en' vectors: the word .* cannot hold"):
        wv.save_word2vec_format(tmp_path / "en")
    assert (tmp_path / "en").read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("word", ["1\u00a0000", "a\u2028b", "\u3000"])
def test_white_space_beyond_ascii_is_part_of_words_for_gensim_and_here(
    small_model, tmp_path, word, binary
):
    wv = small_model.wv_en
    wv.index_to_key[3] = word
    wv.key_to_index = {w: i for i, w in enumerate(wv.index_to_key)}
    wv.save_word2vec_format(tmp_path / "en", binary=binary)
    for read in (KeyedVectors.load_word2vec_format, read_vectors):
        found = read(str(tmp_path / "en"), binary=binary)
        np.testing.assert_array_equal(found[word], wv[word])


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
