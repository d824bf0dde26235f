"""Saves that fail, or are killed, leave the files as they were or the new ones, and no others."""

from __future__ import annotations

import errno
import itertools
import os
import pickle
import shutil
import signal
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors
from processes import begin
from saved import PARALLEL, assert_same, rewrite, snapshot

from gensim_bilbowa import BilBOWA, CrossLingualVectors
from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.files import staging
from gensim_bilbowa.files.filesystem import LOCK
from gensim_bilbowa.files.staging import staged


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
    tiny_copy, tmp_path, monkeypatch, kind, error
):
    save = SAVES[kind]
    save(tiny_copy, tmp_path / "m")
    before = snapshot(tmp_path)
    tiny_copy.train(parallel=PARALLEL, epochs=1)
    twin = pickle.loads(pickle.dumps(tiny_copy))
    faults = Faults(monkeypatch, error)
    for n in range(1, 50):
        faults.left = n
        try:
            save(tiny_copy, tmp_path / "m")
        except type(error):
            pass
        else:
            break
        faults.left = None
        assert snapshot(tmp_path) == before
        assert_same(tiny_copy, twin)
    assert 2 <= n < 49
    assert snapshot(tmp_path) != before


@pytest.mark.parametrize("kind", SAVES)
def test_first_save_that_fails_leaves_nothing(tiny_copy, tmp_path, monkeypatch, kind):
    faults = Faults(monkeypatch, OSError(28, "No space left on device"))
    for n in range(1, 50):
        faults.left = n
        try:
            SAVES[kind](tiny_copy, tmp_path / "m")
        except OSError:
            assert list(tmp_path.iterdir()) == []
        else:
            break


def test_file_system_without_links_is_written_to(tiny_copy, tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    tiny_copy.wv_en.save(tmp_path / "wv", sep_limit=0)
    tiny_copy.train(parallel=PARALLEL, epochs=1)
    monkeypatch.setattr(Path, "hardlink_to", refuse)
    tiny_copy.wv_en.save(tmp_path / "wv", sep_limit=0)
    np.testing.assert_array_equal(
        KeyedVectors.load(str(tmp_path / "wv")).vectors, tiny_copy.wv_en.vectors
    )


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a forked process")
def test_killed_save_leaves_the_old_model_or_the_new_one(tiny_model, tmp_path):
    tiny_model.save(tmp_path / "m", sep_limit=0)
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


def test_unrelated_files_are_never_removed(tiny_copy, tmp_path):
    names = ["m.npy", "m.en.vectors.npy", "m.0123abcd.npy", "n.0123abcd.en.vectors.npy", ".m.keep",
             "m.0123abcd.en.vectors.npy.bak"]  # fmt: skip
    names += [] if os.name == "nt" else ["M"]
    for name in names:
        (tmp_path / name).write_text(name, encoding="utf-8")
    for _ in range(2):
        tiny_copy.save(tmp_path / "m", sep_limit=0)
    tiny_copy.save(tmp_path / "m")
    assert {p.name for p in tmp_path.iterdir()} == {"m", *names}


def test_arrays_that_could_not_be_removed_are_by_the_next_save(tiny_copy, tmp_path, monkeypatch):
    unlink = Path.unlink

    def refuse(self, missing_ok=False):
        if self.suffix == ".npy":
            raise PermissionError("it is mapped")
        unlink(self, missing_ok)

    tiny_copy.save(tmp_path / "m", sep_limit=0)
    arrays = len([*tmp_path.iterdir()]) - 1
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        for _ in range(2):
            tiny_copy.save(tmp_path / "m", sep_limit=0)
    assert len([*tmp_path.glob("m*")]) == 1 + 3 * arrays
    tiny_copy.save(tmp_path / "m", sep_limit=0)
    assert len([*tmp_path.glob("m*")]) == 1 + arrays
    tiny_copy.save(tmp_path / "m")
    assert [*tmp_path.iterdir()] == [tmp_path / "m"]


def test_files_that_an_untrusted_model_names_are_not_removed(tiny_copy, tmp_path):
    tiny_copy.save(tmp_path / "m", sep_limit=0)
    victims = [tmp_path / "notes.txt", tmp_path / "x.0123abcd.en.vectors.npy"]
    for victim in victims:
        victim.write_text("mine", encoding="utf-8")

    def change(manifest):
        manifest["arrays"]["en/vectors"]["file"] = victims[0].name
        manifest["arrays"]["en/syn1neg"]["file"] = f"../{tmp_path.name}/{victims[1].name}"
        manifest["arrays"]["a"] = "no entry"
        manifest["arrays"]["b"] = {"file": 7}

    rewrite(tmp_path / "m", change)
    tiny_copy.save(tmp_path / "m")
    assert all(victim.read_text(encoding="utf-8") == "mine" for victim in victims)


def test_next_save_removes_what_a_killed_one_left(tiny_copy, tmp_path):
    path = tmp_path / "a+b.model"
    mine = [
        tmp_path / name for name in (".a+b.model.0123456.partial", ".aab.model.01234567.partial")
    ]
    for folder in (*mine, tmp_path / ".a+b.model.01234567.partial"):
        folder.mkdir()
        (folder / "a+b.model").write_bytes(b"half")
        if os.name == "nt":
            (folder / LOCK).touch()
    tiny_copy.save(path)
    assert {*tmp_path.iterdir()} == {path, *mine}


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_save_leaves_no_file_or_folder_open(tiny_copy, tmp_path):
    with staged(tmp_path / "model") as (place,):  # another one is at it
        (tmp_path / ".model.01234567.partial").mkdir()  # and one was killed
        before = sum(1 for _ in Path("/proc/self/fd").iterdir())
        tiny_copy.save(tmp_path / "model", sep_limit=0)
        assert sum(1 for _ in Path("/proc/self/fd").iterdir()) == before
        place.touch()


def test_save_leaves_alone_what_another_one_is_writing(tiny_copy, tmp_path):
    path = tmp_path / "model"
    with staged(path) as (place,):
        place.write_bytes(b"the last")
        for _ in range(2):
            tiny_copy.save(path)
            assert len(BilBOWA.load(path).wv_en) == len(tiny_copy.wv_en)
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
    tiny_copy, tmp_path, first
):
    new, path = tiny_copy.wv, tmp_path / "folder"
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
def test_killed_save_of_a_long_name_is_undone_or_finished_by_the_next_one(
    tiny_copy, tmp_path, moved
):
    path = tmp_path / ("m" * 255)
    killed_when_moved(moved, lambda: tiny_copy.save(path, sep_limit=0))
    assert [entry for entry in tmp_path.iterdir() if entry.name.startswith(".")]
    if moved:
        assert_same(BilBOWA.load(path), tiny_copy)
    tiny_copy.save(path, sep_limit=0)
    assert_same(BilBOWA.load(path), tiny_copy)
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
