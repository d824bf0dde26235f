"""What is saved comes back, or the files stay as they were; what is damaged is refused."""

from __future__ import annotations

import copy
import errno
import io
import itertools
import json
import multiprocessing
import operator
import os
import pickle
import random
import shutil
import signal
import struct
import subprocess
import sys
import textwrap
import tracemalloc
import zipfile
import zlib
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors, Word2Vec
from gensim.models.callbacks import CallbackAny2Vec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from processes import begin
from samples import made_up_pairs

from gensim_bilbowa import BilBOWA, CrossLingualVectors
from gensim_bilbowa.errors import ConfigError, FormatError
from gensim_bilbowa.files import staging, storage
from gensim_bilbowa.files.filesystem import LOCK
from gensim_bilbowa.files.staging import staged
from gensim_bilbowa.formats import read_vectors
from gensim_bilbowa.parameters import PARAMETERS

TINY = {"vector_size": 8, "epochs": 2, "workers": 1, "min_count": 1, "negative": 3}
PAIRS = made_up_pairs(200, words=30)
PARALLEL = {("en", "pt-BR"): PAIRS}


@pytest.fixture(scope="module")
def shared():
    return BilBOWA(parallel=PARALLEL, **TINY, comment="a note", xling_weight=2.5, seed=7)


@pytest.fixture
def model(shared):
    return pickle.loads(pickle.dumps(shared))


def assert_same(a, b):
    assert a.languages == b.languages
    for code in a.languages:
        assert a.wv[code].index_to_key == b.wv[code].index_to_key
        np.testing.assert_array_equal(a.wv[code].vectors, b.wv[code].vectors)
        np.testing.assert_array_equal(a[code].syn1neg, b[code].syn1neg)


def snapshot(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


# ---- round trips


@pytest.mark.parametrize("sep_limit", [0, 10**9])
def test_parameters_counts_and_history_come_back(shared, tmp_path, sep_limit):
    shared.save(tmp_path / "m", sep_limit=sep_limit)
    loaded = BilBOWA.load(tmp_path / "m")
    for name in set(PARAMETERS) - {"hashfxn"}:
        assert getattr(loaded, name) == getattr(shared, name), name
    for name in ("loss_history", "epochs_trained", "running_training_loss", "corpus_count",
                 "corpus_total_words"):  # fmt: skip
        assert getattr(loaded, name) == getattr(shared, name), name
    for code in shared.languages:
        np.testing.assert_array_equal(loaded[code].counts, shared[code].counts)
        np.testing.assert_array_equal(loaded[code].cum_table, shared[code].cum_table)


def test_names_in_the_working_folder_will_do(shared, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shared.save("m", sep_limit=0)
    assert_same(shared, BilBOWA.load("m"))
    shared.wv_en.save("wv")
    assert len(KeyedVectors.load("wv")) == len(shared.wv_en)


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


def test_moved_and_renamed_model_is_found_with_its_arrays(shared, tmp_path):
    (tmp_path / "old").mkdir()
    shared.save(tmp_path / "old" / "m", sep_limit=0)
    (tmp_path / "old").rename(tmp_path / "new")
    (tmp_path / "new" / "m").rename(tmp_path / "new" / "renamed")
    assert_same(shared, BilBOWA.load(tmp_path / "new" / "renamed", mmap="r"))


@pytest.mark.skipif(os.name == "nt", reason="looks at POSIX modes")
def test_saved_files_can_be_read_by_those_who_can_read_other_files(shared, tmp_path):
    (tmp_path / "other").touch()
    shared.save(tmp_path / "m", sep_limit=0)
    shared.wv_en.save(tmp_path / "wv", sep_limit=0)
    shared.wv.save(tmp_path / "wv.safetensors")
    assert len({path.stat().st_mode for path in tmp_path.iterdir()}) == 1


@pytest.mark.slow
def test_model_goes_to_another_process_and_back(shared):
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        whole = pool.submit(copy.copy, shared).result()
        part = pool.submit(operator.itemgetter("en"), shared).result()
    assert_same(whole, shared)
    assert type(part) is Word2Vec


# ---- mapped models


@pytest.mark.parametrize("mmap", ["r", "c"])
def test_mapped_model_learns_new_words_and_leaves_the_files(shared, tmp_path, mmap):
    shared.save(tmp_path / "m", sep_limit=0)
    before = snapshot(tmp_path)
    loaded = BilBOWA.load(tmp_path / "m", mmap=mmap)
    more = {("en", "pt-BR"): [(["new", "e1"], ["novo", "d1"])] * 5}
    loaded.train(parallel=PARALLEL, epochs=1)
    loaded.build_vocab(parallel=more, update=True)
    loaded.train(parallel=more, epochs=1)
    assert "new" in loaded.wv_en
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("mmap", ["r", "c"])
def test_attributes_of_a_mapped_model_can_be_set(shared, tmp_path, mmap):
    shared.save(tmp_path / "m", sep_limit=0)
    loaded = BilBOWA.load(tmp_path / "m", mmap=mmap)
    loaded.wv_en.set_vecattr("e1", "count", 99)
    assert loaded.wv_en.get_vecattr("e1", "count") == 99


def test_mapped_vectors_take_over_those_of_a_file(shared, tmp_path):
    shared.save(tmp_path / "m", sep_limit=0)
    other = KeyedVectors(8)
    other.add_vectors(["e1"], np.ones((1, 8), np.float32))
    other.save_word2vec_format(str(tmp_path / "wv"))
    before = snapshot(tmp_path)
    loaded = BilBOWA.load(tmp_path / "m", mmap="r")
    loaded.wv_en.intersect_word2vec_format(tmp_path / "wv")
    np.testing.assert_array_equal(loaded.wv_en["e1"], np.ones(8))
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("mmap", ["r+", "w", True])
def test_ways_of_mapping_that_would_change_the_files_are_refused(shared, tmp_path, mmap):
    shared.save(tmp_path / "m", sep_limit=0)
    with pytest.raises(ConfigError, match="mmap must be"):
        BilBOWA.load(tmp_path / "m", mmap=mmap)


def test_mapped_model_trained_and_saved_over_itself_is_the_trained_one(shared, tmp_path):
    shared.save(tmp_path / "m", sep_limit=0)
    loaded = BilBOWA.load(tmp_path / "m", mmap="r")
    loaded.train(parallel=PARALLEL, epochs=1)
    loaded.save(tmp_path / "m", sep_limit=0)
    assert_same(loaded, BilBOWA.load(tmp_path / "m", mmap="r"))
    assert (loaded.wv_en.vectors != shared.wv_en.vectors).any()


def test_model_mapped_elsewhere_stays_readable_when_its_files_are_replaced(shared, model, tmp_path):
    shared.save(tmp_path / "m", sep_limit=0)
    reader = BilBOWA.load(tmp_path / "m", mmap="r")
    model.train(parallel=PARALLEL, epochs=1)
    model.save(tmp_path / "m", sep_limit=0)
    assert_same(reader, shared)


# ---- saves that fail

SAVES = {
    "model": lambda model, path: model.save(path),
    "model with array files": lambda model, path: model.save(path, sep_limit=0),
    "vectors": lambda model, path: model.wv_en.save(path),
    "vectors with array files": lambda model, path: model.wv_en.save(path, sep_limit=0),
    "word2vec with array files": lambda model, path: model["en"].save(path, sep_limit=0),
    "text": lambda model, path: model.wv_en.save_word2vec_format(path),
    "binary and counts": lambda model, path: model.wv_en.save_word2vec_format(
        path, fvocab=f"{path}.counts", binary=True
    ),
}


class Faults:
    """Makes the n-th of the calls that saving consists of fail."""

    def __init__(self, patch, error):
        self.left = None
        self.error = error
        for owner, name in ((np, "save"), (zipfile.ZipFile, "writestr"), (Path, "replace"),
                            (pickle, "dump"), (KeyedVectors, "save_word2vec_format")):  # fmt: skip
            patch.setattr(owner, name, self.counted(getattr(owner, name)))

    def counted(self, real):
        def call(*args, **kwargs):
            if self.left is not None:
                self.left -= 1
                if self.left == 0:
                    raise self.error
            return real(*args, **kwargs)

        return call


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()],
                         ids=["full disk", "Ctrl-C"])  # fmt: skip
@pytest.mark.parametrize("kind", SAVES)
def test_save_that_fails_anywhere_leaves_files_and_model_whole(
    model, tmp_path, monkeypatch, kind, error
):
    save = SAVES[kind]
    save(model, tmp_path / "m")
    before = snapshot(tmp_path)
    model.train(parallel=PARALLEL, epochs=1)
    twin = pickle.loads(pickle.dumps(model))
    faults = Faults(monkeypatch, error)
    for n in range(1, 50):
        faults.left = n
        try:
            save(model, tmp_path / "m")
        except type(error):
            pass
        else:
            break
        faults.left = None
        assert snapshot(tmp_path) == before
        assert_same(model, twin)
    assert 2 <= n < 49
    assert snapshot(tmp_path) != before


@pytest.mark.parametrize("kind", SAVES)
def test_first_save_that_fails_leaves_nothing(model, tmp_path, monkeypatch, kind):
    faults = Faults(monkeypatch, OSError(28, "No space left on device"))
    for n in range(1, 50):
        faults.left = n
        try:
            SAVES[kind](model, tmp_path / "m")
        except OSError:
            assert list(tmp_path.iterdir()) == []
        else:
            break


def test_file_system_without_links_is_written_to(model, tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    model.wv_en.save(tmp_path / "wv", sep_limit=0)
    model.train(parallel=PARALLEL, epochs=1)
    monkeypatch.setattr(Path, "hardlink_to", refuse)
    model.wv_en.save(tmp_path / "wv", sep_limit=0)
    np.testing.assert_array_equal(
        KeyedVectors.load(str(tmp_path / "wv")).vectors, model.wv_en.vectors
    )


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a forked process")
def test_killed_save_leaves_the_old_model_or_the_new_one(shared, tmp_path):
    shared.save(tmp_path / "m", sep_limit=0)
    code = f"""
        import os, random, signal, time
        from gensim_bilbowa import BilBOWA
        model = BilBOWA.load({str(tmp_path / "m")!r})
        random.seed(1)
        for round in range(12):
            child = os.fork()
            if not child:
                while True:
                    model.save({str(tmp_path / "m")!r}, sep_limit=0)
            time.sleep(0.01 + random.random() * 0.04)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            loaded = BilBOWA.load({str(tmp_path / "m")!r})
            assert (loaded.wv_en.vectors == model.wv_en.vectors).all()
    """
    subprocess.run([sys.executable, "-P", "-c", textwrap.dedent(code)], check=True)


def test_unrelated_files_are_never_removed(model, tmp_path):
    names = ["m.npy", "m.en.vectors.npy", "m.0123abcd.npy", "n.0123abcd.en.vectors.npy", ".m.keep",
             "m.0123abcd.en.vectors.npy.bak"]  # fmt: skip
    names += [] if os.name == "nt" else ["M"]
    for name in names:
        (tmp_path / name).write_text(name, encoding="utf-8")
    for _ in range(2):
        model.save(tmp_path / "m", sep_limit=0)
    model.save(tmp_path / "m")
    assert {p.name for p in tmp_path.iterdir()} == {"m", *names}


def test_arrays_that_could_not_be_removed_are_by_the_next_save(model, tmp_path, monkeypatch):
    unlink = Path.unlink

    def refuse(self, missing_ok=False):
        if self.suffix == ".npy":
            raise PermissionError("it is mapped")
        unlink(self, missing_ok)

    model.save(tmp_path / "m", sep_limit=0)
    arrays = len([*tmp_path.iterdir()]) - 1
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        for _ in range(2):
            model.save(tmp_path / "m", sep_limit=0)
    assert len([*tmp_path.glob("m*")]) == 1 + 3 * arrays
    model.save(tmp_path / "m", sep_limit=0)
    assert len([*tmp_path.glob("m*")]) == 1 + arrays
    model.save(tmp_path / "m")
    assert [*tmp_path.iterdir()] == [tmp_path / "m"]


def test_files_that_an_untrusted_model_names_are_not_removed(model, tmp_path):
    model.save(tmp_path / "m", sep_limit=0)
    victims = [tmp_path / "notes.txt", tmp_path / "x.0123abcd.en.vectors.npy"]
    for victim in victims:
        victim.write_text("mine", encoding="utf-8")

    def change(manifest):
        manifest["arrays"]["en/vectors"]["file"] = victims[0].name
        manifest["arrays"]["en/syn1neg"]["file"] = f"../{tmp_path.name}/{victims[1].name}"
        manifest["arrays"]["a"] = "no entry"
        manifest["arrays"]["b"] = {"file": 7}

    rewrite(tmp_path / "m", change)
    model.save(tmp_path / "m")
    assert all(victim.read_text(encoding="utf-8") == "mine" for victim in victims)


# ---- damage and hostility


def rewrite(path, change=lambda manifest: None, members=None, compression=zipfile.ZIP_STORED):
    """Write a model file anew with another manifest, or with other members."""
    with zipfile.ZipFile(path) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(found["model.json"])
    found |= members or {}
    change(manifest)
    found["model.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in found.items():
            archive.writestr(name, data)


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def header(shape, descr="<f4"):
    """The head of a .npy file, which says what the body lacks."""
    text = str({"descr": descr, "fortran_order": False, "shape": shape}).ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


def replace_array(path, name, array):
    def change(manifest):
        manifest["arrays"][name] = {"shape": list(array.shape), "dtype": array.dtype.str,
                                    "crc32": zlib.crc32(array.tobytes())}  # fmt: skip

    rewrite(path, change, {f"{name}.npy": npy(array)})


@pytest.fixture
def saved(shared, tmp_path):
    shared.save(tmp_path / "m")
    return tmp_path / "m"


@pytest.fixture
def saved_apart(shared, tmp_path):
    shared.save(tmp_path / "m", sep_limit=0)
    return tmp_path / "m"


def loads_the_same_or_is_refused(path, model, **options):
    try:
        loaded = BilBOWA.load(path, **options)
    except FormatError:
        return False
    assert_same(loaded, model)
    return True


def test_cut_off_file_is_refused_wherever_it_is_cut(saved):
    data = saved.read_bytes()
    cuts = {*range(0, 60), *range(len(data) - 60, len(data)), *range(0, len(data), 997)}
    for cut in cuts:
        saved.write_bytes(data[:cut])
        with pytest.raises(FormatError):
            BilBOWA.load(saved)


def test_flipped_bits_are_refused_or_without_meaning(saved, shared):
    data = saved.read_bytes()
    picked = random.Random(5)
    places = [picked.randrange(len(data)) for _ in range(60)]
    places += [len(data) - picked.randrange(1, 1200) for _ in range(60)]  # names and offsets
    for place in places:
        damaged = bytearray(data)
        damaged[place] ^= 1 << picked.randrange(8)
        saved.write_bytes(damaged)
        loads_the_same_or_is_refused(saved, shared)


def test_bytes_added_at_either_end_do_no_harm(saved, shared):
    data = saved.read_bytes()
    for damaged in (b"x" * 7 + data, data + b"x" * 7, data + b"\0" * 100_000, data + data[:-1]):
        saved.write_bytes(damaged)
        loads_the_same_or_is_refused(saved, shared)


def test_flipped_number_in_an_array_file_is_refused(saved_apart):
    (path,) = saved_apart.parent.glob("m.*.en.vectors.npy")
    data = bytearray(path.read_bytes())
    data[-3] ^= 16
    path.write_bytes(data)
    with pytest.raises(FormatError, match="en/vectors is damaged: checksum mismatch"):
        BilBOWA.load(saved_apart)


@pytest.mark.parametrize("mmap", [None, "r", "c"])
def test_cut_off_array_file_is_refused(saved_apart, mmap):
    (path,) = saved_apart.parent.glob("m.*.en.vectors.npy")
    data = path.read_bytes()
    for cut in (0, 5, 100, 128, len(data) - 1):
        path.write_bytes(data[:cut])
        with pytest.raises(FormatError, match="en/vectors is damaged"):
            BilBOWA.load(saved_apart, mmap=mmap)
        assert len(path.read_bytes()) == cut


@pytest.mark.parametrize("mmap", ["r", "c"])
def test_mapped_array_file_that_lies_by_columns_is_refused(saved_apart, mmap):
    (file,) = saved_apart.parent.glob("m.*.en.vectors.npy")
    data = file.read_bytes()
    assert b"'fortran_order': False" in data
    file.write_bytes(data.replace(b"'fortran_order': False", b"'fortran_order': True "))
    with pytest.raises(FormatError, match="not laid out as it was written"):
        BilBOWA.load(saved_apart, mmap=mmap)


@pytest.mark.parametrize("mmap", ["r", "c"])
def test_mapped_array_files_with_damaged_heads_are_refused(saved_apart, shared, mmap):
    (path,) = saved_apart.parent.glob("m.*.en.vectors.npy")
    data = path.read_bytes()
    for place in range(128):
        damaged = bytearray(data)
        damaged[place] ^= 4
        path.write_bytes(damaged)
        loads_the_same_or_is_refused(saved_apart, shared, mmap=mmap)


@pytest.mark.parametrize("file", ["../x.npy", "/etc/passwd", "a/b.npy", "..", ".", "", 7, ["x"]])
def test_array_file_outside_the_folder_is_refused(saved_apart, file):
    np.save(saved_apart.parent.parent / "x.npy", np.zeros((30, 8), np.float32))
    rewrite(saved_apart, lambda m: m["arrays"]["en/vectors"].update(file=file))
    with pytest.raises(FormatError, match="en/vectors is damaged"):
        BilBOWA.load(saved_apart)


@pytest.mark.parametrize("shape", [(10**13, 8), (2**62, 4), (2**40, 2**40), (-1, 8), (10**30,)])
@pytest.mark.parametrize("apart", [False, True])
def test_array_larger_than_its_file_takes_no_memory(saved, shape, apart):
    entry = {"shape": list(shape), "dtype": "<f4", "crc32": 0}
    if apart:
        entry["file"] = "lie.npy"
        (saved.parent / "lie.npy").write_bytes(header(shape) + b"\0" * 64)
    rewrite(
        saved,
        lambda m: m["arrays"].update({"en/vectors": entry}),
        {"en/vectors.npy": header(shape) + b"\0" * 64},
    )
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match="en/vectors is damaged"):
            BilBOWA.load(saved)
        assert tracemalloc.get_traced_memory()[1] < 50e6
    finally:
        tracemalloc.stop()


def test_array_whose_head_says_more_than_the_manifest_is_refused(saved):
    rewrite(saved, members={"en/vectors.npy": header((10**13, 8)) + b"\0" * 64})
    with pytest.raises(FormatError, match="recorded"):
        BilBOWA.load(saved)


def test_array_in_a_later_version_of_the_npy_format_is_refused(saved, shared):
    stream = io.BytesIO()
    np.lib.format.write_array(stream, shared.wv_en.vectors, version=(2, 0))
    rewrite(saved, members={"en/vectors.npy": stream.getvalue()})
    with pytest.raises(FormatError, match=r"another version of the \.npy format"):
        BilBOWA.load(saved)


def test_compressed_members_are_refused(saved):
    rewrite(saved, compression=zipfile.ZIP_DEFLATED)
    with pytest.raises(FormatError, match="is compressed"):
        BilBOWA.load(saved)


@pytest.mark.parametrize("apart", [False, True])
def test_array_of_objects_is_refused_and_runs_nothing(saved, tmp_path, apart):
    class Bomb:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "exploded"),)

    data = npy(np.array([Bomb()] * 30, dtype=object))
    entry = {"shape": [30], "dtype": "|O", "crc32": zlib.crc32(data)}
    if apart:
        entry["file"] = "bomb.npy"
        (tmp_path / "bomb.npy").write_bytes(data)
    rewrite(
        saved, lambda m: m["arrays"].update({"en/attribute/x": entry}), {"en/attribute/x.npy": data}
    )
    with pytest.raises(FormatError, match="objects"):
        BilBOWA.load(saved)
    assert not (tmp_path / "exploded").exists()


@pytest.mark.parametrize("name", ["sentences", "corpus_file", "parallel", "callbacks", "trim_rule",
                                  "hashfxn", "self", "nonsense"])  # fmt: skip
def test_parameters_that_would_read_or_run_something_are_refused(saved, tmp_path, name):
    (tmp_path / "text").write_text("a b c\n", encoding="utf-8")
    value = {"en": str(tmp_path / "text"), "de": str(tmp_path / "text")}
    rewrite(saved, lambda m: m["model"]["parameters"].update({name: value}))
    with pytest.raises(FormatError, match=f"no parameters of a model: .*{name}"):
        BilBOWA.load(saved)


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m["model"]["parameters"].update(alpha=float("nan")),
        lambda m: m["model"]["parameters"].update(vector_size=2**70),
        lambda m: m["model"]["parameters"].update(epochs=float("inf")),
        lambda m: m["model"].update(parameters=[]),
        lambda m: m["model"].update(languages=[]),
        lambda m: m["model"].pop("languages"),
        lambda m: m["model"]["languages"].update({"../en": {}}),
        lambda m: m["model"]["languages"]["en"].update(words="x" * 30),
        lambda m: m["model"]["languages"]["en"].update(words=list(range(30))),
        lambda m: m["model"]["languages"]["en"].update(words=None),
        lambda m: m["model"]["languages"]["en"].update(attributes={"a": [1]}),
        lambda m: m["model"]["languages"]["en"].update(attributes=[1]),
        lambda m: m["arrays"].update({"en/vectors": None}),
        lambda m: m["arrays"]["en/vectors"].pop("dtype"),
        lambda m: m["arrays"]["en/vectors"].update(dtype="nonsense"),
        lambda m: m["arrays"]["en/vectors"].update(shape="wide"),
        lambda m: m["arrays"].update({f"x{n}": {} for n in range(100_000)}),
        lambda m: m.update(version="1"),
    ],
)
def test_description_that_makes_no_sense_is_refused(saved, change):
    rewrite(saved, change)
    with pytest.raises(FormatError):
        BilBOWA.load(saved)


@pytest.mark.parametrize("place", [20, 24])
def test_member_that_is_said_to_have_two_sizes_takes_no_memory(model, tmp_path, place):
    model.save(tmp_path / "m")
    data = bytearray((tmp_path / "m").read_bytes())
    at = data.index(b"PK\x01\x02") + place  # of the first member, where its sizes stand
    data[at : at + 4] = (800 << 20).to_bytes(4, "little")
    (tmp_path / "m").write_bytes(data)
    tracemalloc.start()
    with pytest.raises(FormatError, match=r"two sizes|overlap"):
        BilBOWA.load(tmp_path / "m")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50 << 20


@pytest.mark.parametrize(
    "manifest",
    [{}, {"arrays": {}}, {"model": {}}, {"arrays": [], "model": {}}, {"arrays": {}, "model": []}],
)
def test_manifest_without_its_parts_is_refused(tmp_path, manifest):
    with zipfile.ZipFile(tmp_path / "m", "w") as archive:
        archive.writestr(
            "model.json", json.dumps({"format": "gensim_bilbowa", "version": 1, **manifest})
        )
    with pytest.raises(FormatError, match="the manifest lacks its parts"):
        BilBOWA.load(tmp_path / "m")


@pytest.mark.parametrize("text", ["[" * 100_000, "null", "7", "", '{"format": "gensim_bilbowa"}'])
def test_manifest_that_is_no_manifest_is_refused(tmp_path, text):
    with zipfile.ZipFile(tmp_path / "m", "w") as archive:
        archive.writestr("model.json", text)
    with pytest.raises(FormatError):
        BilBOWA.load(tmp_path / "m")


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("en/attribute/count", np.full(30, -5), "the counts are -5 to -5"),
        ("en/attribute/count", np.array([9] * 29 + [-1]), "the counts are -1 to 9"),
        ("en/attribute/count", np.zeros(30, np.int64), "the counts are 0 to 0"),
        ("en/attribute/count", np.full(30, np.nan), "the counts are float64"),
        ("en/attribute/count", np.array(["many"] * 30), "the counts are <U4"),
        ("en/attribute/count", np.ones((30, 2)), r"the counts are float64 \(30, 2\)"),
        ("en/attribute/sample_int", np.ones(7, np.uint32), "an attribute has another length"),
        ("en/vectors", np.zeros((30, 9), np.float32), r"vectors .* \(30, 9\)"),
        ("en/vectors", np.array([["x"] * 8] * 30), "vectors .*<U1"),
        ("en/syn1neg", np.zeros((29, 8), np.float32), r"syn1neg .* \(29, 8\)"),
        ("en/syn1neg", np.zeros((30, 8), np.int32), "syn1neg .*int32"),
        ("en/vectors_lockf", np.zeros(0, np.float32), "vectors_lockf is float32"),
        ("en/vectors_lockf", np.zeros((2, 2), np.float32), r"vectors_lockf is float32 \(2, 2\)"),
        ("en/vectors_lockf", np.array(["x"]), "vectors_lockf is <U1"),
    ],
)
def test_array_of_the_wrong_kind_is_refused(saved, name, array, message):
    replace_array(saved, name, array)
    with pytest.raises(FormatError, match=rf"'en'.*{message}"):
        BilBOWA.load(saved)


def test_model_of_a_later_version_is_named(saved):
    rewrite(saved, lambda m: m.update(version=2))
    with pytest.raises(FormatError, match=r"format version 2; .* reads version 1: a newer release"):
        BilBOWA.load(saved)


@pytest.mark.parametrize("kind", ["word2vec", "vectors"])
def test_gensim_file_is_refused_with_the_way_to_load_it(shared, tmp_path, kind):
    (shared["en"] if kind == "word2vec" else shared.wv_en).save(tmp_path / "m")
    with pytest.raises(FormatError, match=r"a pickle, .*BilBOWA\.from_models .* trusted=True"):
        BilBOWA.load(tmp_path / "m")


@pytest.mark.parametrize(
    "data", [b"", b"text\n", pickle.dumps([1], 0), npy(np.zeros(3)), b"PK\5\6"]
)
def test_other_files_are_refused(tmp_path, data):
    (tmp_path / "m").write_bytes(data)
    with pytest.raises(FormatError, match="is not a gensim_bilbowa model"):
        BilBOWA.load(tmp_path / "m")


def test_saving_over_another_file_replaces_it(shared, tmp_path):
    (tmp_path / "m").write_text("text", encoding="utf-8")
    shared.save(tmp_path / "m")
    assert_same(shared, BilBOWA.load(tmp_path / "m"))


# ---- for plain gensim


def run_without_us(code, folder):
    code = 'import sys\nsys.modules["gensim_bilbowa"] = None\n' + textwrap.dedent(code)
    result = subprocess.run([sys.executable, "-P", "-W", "error", "-c", code], cwd=folder,
                            capture_output=True, text=True, check=False)  # fmt: skip
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_plain_gensim_maps_and_trains_what_each_language_saved(shared, tmp_path):
    shared.wv_pt_BR.save(tmp_path / "wv", sep_limit=0)
    shared["pt-BR"].save(str(tmp_path / "w2v"), sep_limit=0)
    with (tmp_path / "handle").open("wb") as stream:
        shared.wv_pt_BR.save(stream)
    (tmp_path / "pickle").write_bytes(pickle.dumps([shared.wv_pt_BR, shared["pt-BR"]]))
    names = {path.name for path in tmp_path.iterdir()}
    assert {"wv.vectors.npy", "w2v.wv.vectors.npy", "w2v.syn1neg.npy"} <= names
    printed = run_without_us(
        """
        import pickle
        import numpy as np
        from gensim.models import KeyedVectors, Word2Vec

        wv = KeyedVectors.load("wv", mmap="r")
        assert isinstance(wv.vectors, np.memmap)
        model = Word2Vec.load("w2v", mmap="r")
        assert isinstance(model.wv.vectors, np.memmap)
        others = [KeyedVectors.load("handle"), model.wv]
        with open("pickle", "rb") as stream:
            loaded = pickle.load(stream)
        for other in [*others, loaded[0], loaded[1].wv]:
            assert type(other) is KeyedVectors
            assert (other.vectors == wv.vectors).all()
            assert other.get_vecattr("d1", "count") == wv.get_vecattr("d1", "count")
            for name in ("language", "in_training", "_space", "_crowding"):
                assert not hasattr(other, name)
        for model in (Word2Vec.load("w2v"), loaded[1]):
            model.build_vocab([["d1", "novo", "novo"]] * 5, update=True)
            model.train([["d1", "d2", "novo"]] * 5, total_examples=5, epochs=1)
        print(wv.most_similar("d1", topn=3))
        """,
        tmp_path,
    )
    assert printed.strip() == str(shared.wv_pt_BR.most_similar("d1", topn=3))


def test_saving_a_part_leaves_it_part_of_the_model(model, tmp_path):
    model.wv_en.save(tmp_path / "wv", sep_limit=0)
    model["en"].save(tmp_path / "w2v", sep_limit=0)
    assert model.wv_en is model["en"].wv is model.wv["en"]
    assert model.wv_en.most_similar_cross("e1", 1)
    model.train(parallel=PARALLEL, epochs=1)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=5, unique=True), st.booleans()
)
def test_words_come_back_from_word2vec_format_or_are_refused(tmp_path, words, binary):
    plain = KeyedVectors(2)
    plain.add_vectors(words, np.arange(2 * len(words), dtype=np.float32).reshape(-1, 2) / 3)
    path = tmp_path / "wv"
    path.write_text("old", encoding="utf-8")
    vectors = CrossLingualVectors({"en": plain})["en"]
    vectors.expandos["count"] = np.arange(len(words), 0, -1)
    fit = all(word.encode().split() == [word.encode()] for word in words)
    if not fit or words[0].startswith("\ufeff"):
        with pytest.raises(FormatError, match="white space"):
            vectors.save_word2vec_format(path, binary=binary)
        assert path.read_text(encoding="utf-8") == "old"
        return
    counts = tmp_path / "counts"
    vectors.save_word2vec_format(path, fvocab=counts, binary=binary)
    ours = read_vectors(path, counts=counts, binary=binary)
    # gensim's reader of counts knows more white space than its reader of vectors.
    theirs = KeyedVectors.load_word2vec_format(
        str(path),
        fvocab=str(counts) if all(word.split() == [word] for word in words) else None,
        binary=binary,
    )
    for loaded in (ours, theirs):
        assert loaded.index_to_key == words
        np.testing.assert_array_equal(loaded.vectors, plain.vectors)
        np.testing.assert_array_equal(loaded.expandos["count"], vectors.expandos["count"])


@pytest.mark.parametrize("number", ["nan", "inf"])
def test_word2vec_file_with_numbers_that_are_not_finite_is_not_taken_over(model, tmp_path, number):
    (tmp_path / "wv").write_text(f"2 8\ne0{' 1' * 8}\ne1{' 1' * 7} {number}\n", encoding="utf-8")
    before = model.wv_en.vectors.copy()
    with pytest.raises(FormatError, match=r"wv: the vector of 'e1' is not finite"):
        model.wv_en.intersect_word2vec_format(tmp_path / "wv")
    np.testing.assert_array_equal(model.wv_en.vectors, before)


def test_half_a_character_is_refused_by_name(model, tmp_path):
    wv = model.wv_en
    wv.index_to_key[3] = "a\ud800"
    wv.key_to_index = {word: index for index, word in enumerate(wv.index_to_key)}
    (tmp_path / "wv").write_text("old", encoding="utf-8")
    with pytest.raises(FormatError, match=r"a\\ud800"):
        wv.save_word2vec_format(tmp_path / "wv")
    assert (tmp_path / "wv").read_text(encoding="utf-8") == "old"


def test_gensims_options_of_word2vec_format_are_kept(shared, tmp_path):
    shared.wv_en.save_word2vec_format(tmp_path / "wv", prefix="en/", write_header=False)
    lines = (tmp_path / "wv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(shared.wv_en)
    assert lines[0].startswith(f"en/{shared.wv_en.index_to_key[0]} ")
    shared.wv_en.save_word2vec_format(tmp_path / "wv", append=True, write_header=False)
    assert len((tmp_path / "wv").read_text(encoding="utf-8").splitlines()) == 2 * len(shared.wv_en)


def test_next_save_removes_what_a_killed_one_left(model, tmp_path):
    path = tmp_path / "a+b.model"
    mine = [
        tmp_path / name for name in (".a+b.model.0123456.partial", ".aab.model.01234567.partial")
    ]
    for folder in (*mine, tmp_path / ".a+b.model.01234567.partial"):
        folder.mkdir()
        (folder / "a+b.model").write_bytes(b"half")
        if os.name == "nt":
            (folder / LOCK).touch()
    model.save(path)
    assert {*tmp_path.iterdir()} == {path, *mine}


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_save_leaves_no_file_or_folder_open(model, tmp_path):
    with staged(tmp_path / "model") as (place,):  # another one is at it
        (tmp_path / ".model.01234567.partial").mkdir()  # and one was killed
        before = sum(1 for _ in Path("/proc/self/fd").iterdir())
        model.save(tmp_path / "model", sep_limit=0)
        assert sum(1 for _ in Path("/proc/self/fd").iterdir()) == before
        place.touch()


def test_save_leaves_alone_what_another_one_is_writing(model, tmp_path):
    path = tmp_path / "model"
    with staged(path) as (place,):
        place.write_bytes(b"the last")
        for _ in range(2):
            model.save(path)
            assert len(BilBOWA.load(path).wv_en) == len(model.wv_en)
    assert path.read_bytes() == b"the last"
    assert [*tmp_path.iterdir()] == [path]


def test_writer_whose_folder_was_taken_for_abandoned_makes_another(tmp_path, monkeypatch):
    lock, calls = staging.lock_folder, []

    def late(folder, *, own):
        calls.append(folder)
        if len(calls) == 1:
            staging.settle(tmp_path, "name")  # locks, and removes, before this writer
        return lock(folder, own=own)

    monkeypatch.setattr(staging, "lock_folder", late)
    with staged(tmp_path / "name") as (place,):
        place.write_text("new", encoding="utf-8")
    assert len(calls) == 3
    assert [*tmp_path.iterdir()] == [tmp_path / "name"]


def killed_when_moved(number, save):
    """Save in a child that is killed when it has moved so many files."""
    replace, left = Path.replace, itertools.count(number, -1)

    def move(file, final):
        if not next(left):
            os.kill(os.getpid(), signal.SIGKILL)
        return replace(file, final)

    def save_so_far():
        Path.replace = move
        save()

    os.waitpid(begin(save_so_far), 0)


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
@pytest.mark.parametrize("first", [True, False])
def test_folder_whose_save_is_killed_between_any_two_files_is_the_old_or_the_new_one(
    model, tmp_path, first
):
    new, path = model.wv, tmp_path / "folder"
    plain = KeyedVectors(1)
    plain.add_vectors(["old"], np.ones((1, 1), np.float32))
    old = CrossLingualVectors(dict.fromkeys(new, plain))
    for moved in range(6):  # two files of vectors, two of counts, and the manifest
        if not first:
            old.save(path)
        killed_when_moved(moved, lambda: new.save(path))
        if moved == 0 and first:
            with pytest.raises(FormatError, match=r"no manifest.json"):
                CrossLingualVectors.load(path)
        else:
            found, whole = CrossLingualVectors.load(path), new if moved else old
            for code in found:
                assert found[code].index_to_key == whole[code].index_to_key
                np.testing.assert_allclose(found[code].vectors, whole[code].vectors, rtol=1e-6)
        new.save(path)
        assert not [entry for entry in path.iterdir() if entry.name.startswith(".")]
        shutil.rmtree(path)


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
@pytest.mark.parametrize("moved", [0, 1, 3])
def test_killed_save_of_a_long_name_is_undone_or_finished_by_the_next_one(model, tmp_path, moved):
    path = tmp_path / ("m" * 255)
    killed_when_moved(moved, lambda: model.save(path, sep_limit=0))
    assert [entry for entry in tmp_path.iterdir() if entry.name.startswith(".")]
    if moved:
        assert_same(BilBOWA.load(path), model)
    model.save(path, sep_limit=0)
    assert_same(BilBOWA.load(path), model)
    names = [entry.name for entry in tmp_path.iterdir()]
    arrays = [name.split(".", 2)[2] for name in names if name.endswith(".npy")]
    assert len(names) - 1 == len(arrays) == len({*arrays})


def test_file_system_without_locks_can_be_written_to(tmp_path, monkeypatch):
    def lock(folder, *, own):
        raise OSError(errno.ENOTSUP, "not supported")

    monkeypatch.setattr(staging, "lock_folder", lock)
    with staged(tmp_path / "name") as (place,):
        place.write_text("new", encoding="utf-8")
    assert [*tmp_path.iterdir()] == [tmp_path / "name"]


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
