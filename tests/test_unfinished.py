"""Saves that are killed anywhere, made at the same time, or planted by strangers."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import stat
import sys
import tempfile
from contextlib import suppress
from itertools import count, groupby
from pathlib import Path

import numpy as np
import pytest
from killing import killed_at
from processes import begin, in_a_child
from samples import SMALL, made_up_pairs

from gensim_bilbowa import BilBOWA, CrossLingualVectors
from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.files import filesystem, moving, records, staging

if sys.platform != "win32":
    import fcntl

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="forks")

ONLY_ROOT = pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() != 0, reason="only root may become another user"
)
NOBODY = 65534


@pytest.fixture(autouse=True)
def no_power_cut(monkeypatch):
    """What a killed process has written is there without waiting for the disk."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.fixture(scope="module")
def trained():
    return BilBOWA(parallel={("en", "de"): made_up_pairs(40, words=10)},
                   **{**SMALL, "vector_size": 3, "epochs": 1})  # fmt: skip


@pytest.fixture
def model(trained, tmp_path):
    """A model of one's own, to change its vectors."""
    trained.save(tmp_path / "own")
    loaded = BilBOWA.load(tmp_path / "own")
    (tmp_path / "own").unlink()
    return loaded


class Kind:
    """A way to save: the name of what is saved, how, and how its vectors are read again."""

    def __init__(self, name, save, load=BilBOWA.load):
        self.name, self._save, self._load = name, save, load

    def save(self, model, folder):
        self._save(model, folder / self.name)

    def load(self, folder):
        loaded = self._load(folder / self.name)
        return {code: getattr(loaded, "wv", loaded)[code].vectors for code in loaded}


APART = Kind("m", lambda model, path: model.save(path, sep_limit=0))
WHOLE = Kind("m", lambda model, path: model.save(path))
FOLDER = Kind("v", lambda model, path: model.wv.save(path), CrossLingualVectors.load)
ONE = Kind("v.safetensors", lambda model, path: model.wv.save(path), CrossLingualVectors.load)

FAMILY = re.compile(r"[\w-]+\.(vec|counts|aligned)")

# The more files a save is of, the more places there are to kill it.
all_kinds = pytest.mark.parametrize(
    "kind", [*(pytest.param(kind, marks=pytest.mark.slow) for kind in (APART, WHOLE, FOLDER)), ONE],
    ids=["apart", "whole", "folder", "safetensors"],
)  # fmt: skip
of_files = pytest.mark.parametrize("kind", [APART, FOLDER], ids=["apart", "folder"])


def turn_over(model):
    for code in model:
        model.wv[code].vectors *= -1
        model[code].syn1neg *= -1


def sign_of(found, model):
    """Say whether vectors are those of a model, or those with the other sign: all of them."""
    (sign,) = {np.sign(found[code][0, 0] / model.wv[code].vectors[0, 0]) for code in model}
    for code in model:
        np.testing.assert_allclose(found[code], sign * model.wv[code].vectors, rtol=1e-6)
    return sign


def files_in(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def layout(folder):
    """What there is, but for the marks in the names of arrays."""
    return sorted(
        ".".join(part for part in entry.name.split(".") if len(part) != 8 or part == "manifest")
        for entry in folder.rglob("*")
    )


def half_moved(folder):
    """Say whether some files of a save are in place, and some are not."""
    for record in folder.rglob("record.json"):
        said = json.loads(record.read_text(encoding="utf-8"))
        places = [record.parent.parent / said["folder"] / name for name in said["files"]]
        return 1 < sum(place.exists() for place in places) < len(places)
    return False


@pytest.fixture
def interrupted(tmp_path, model):
    """Make a folder with files of a save that was killed amid their moves, over an earlier one."""

    def make(kind):
        begun, folder = tmp_path / "begun", tmp_path / "interrupted"
        begun.mkdir()
        kind.save(model, begun)
        turn_over(model)
        for number in count():
            shutil.copytree(begun, folder)
            assert killed_at(number, lambda: kind.save(model, folder), {"replace"})
            if half_moved(folder):
                break
            shutil.rmtree(folder)
        return folder

    return make


# ---- killed


def killed_at_each_place(begun, folder, action):
    """Yield after each kill of an action in a copy of a folder, and at last after the whole one."""
    for number in count():
        shutil.copytree(begun, folder)
        killed = killed_at(number, action)
        yield
        shutil.rmtree(folder)
        if not killed:
            return


@all_kinds
@pytest.mark.parametrize("earlier", [True, False], ids=["again", "first"])
def test_save_killed_anywhere_leaves_the_old_or_the_new_and_the_next_one_nothing_over(
    model, tmp_path, kind, earlier
):
    begun, folder, found = tmp_path / "begun", tmp_path / "now", []
    begun.mkdir()
    kind.save(model, begun)
    usual = layout(begun)
    if earlier:
        turn_over(model)
    else:
        shutil.rmtree(begun)
        begun.mkdir()
    for _ in killed_at_each_place(begun, folder, lambda: kind.save(model, folder)):
        before = files_in(folder)
        try:
            found.append(sign_of(kind.load(folder), model))
        except (FileNotFoundError, FormatError) as error:
            if earlier or ("no such" not in str(error) and "no manifest" not in str(error)):
                raise
            found.append(-1)
        assert files_in(folder) == before
        kind.save(model, folder)
        assert sign_of(kind.load(folder), model) == 1
        assert layout(folder) == usual
    # Once it is the new one it stays so.
    assert found == sorted(found)
    assert {*found} == {-1, 1}


@pytest.mark.slow
@of_files
def test_save_killed_anywhere_after_another_was_leaves_the_one_or_the_other(
    interrupted, model, tmp_path, kind
):
    begun, folder = interrupted(kind), tmp_path / "now"
    assert sign_of(kind.load(begun), model) == 1
    turn_over(model)
    kills = killed_at_each_place(begun, folder, lambda: kind.save(model, folder))
    found = [sign_of(kind.load(folder), model) for _ in kills]
    assert found == sorted(found)
    assert {*found} == {-1, 1}


@pytest.mark.slow
@of_files
def test_save_killed_anywhere_while_it_takes_back_what_failed_leaves_the_old_or_the_new(
    model, tmp_path, kind
):
    begun, folder, found = tmp_path / "begun", tmp_path / "now", []
    begun.mkdir()
    kind.save(model, begun)
    turn_over(model)
    last = "m" if kind is APART else "manifest.json"

    def fail_at_the_end():
        def replace(source, target):
            if target.name == last and source.parent.suffix == ".partial":
                raise PermissionError("it is open")
            filesystem.replace(source, target)

        moving.replace = replace
        with pytest.raises(PermissionError):
            kind.save(model, folder)

    for _ in killed_at_each_place(begun, folder, fail_at_the_end):
        found.append(sign_of(kind.load(folder), model))
        staging.settle(folder / "v" if kind is FOLDER else folder, re.escape(last), FAMILY)
        assert sign_of(kind.load(folder), model) == found[-1]
        usual = layout(folder)
    assert usual == layout(begun)
    # The old, then for a moment the new, until what failed is to be taken back.
    assert [sign for sign, _ in groupby(found)] == [-1, 1, -1]


@all_kinds
def test_files_are_on_the_disk_before_they_are_in_place_and_then_the_folder_is(
    model, tmp_path, monkeypatch, kind
):
    moves, synced, replace = [], [], os.replace
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.fstat(descriptor).st_ino))

    def note(source, target):
        moves.append((source.name, source.stat().st_ino in synced))
        replace(source, target)
        if source.name == last:
            synced.clear()

    last = "manifest.json" if kind is FOLDER else kind.name
    monkeypatch.setattr(os, "replace", note)
    kind.save(model, tmp_path)
    assert last in dict(moves)
    assert all(dict(moves).values())
    assert (tmp_path / kind.name if kind is FOLDER else tmp_path).stat().st_ino in synced


@of_files
def test_what_a_killed_save_left_is_of_the_past_when_other_files_were_put_there(
    interrupted, model, tmp_path, kind
):
    folder = interrupted(kind)
    for code in model:
        model.wv[code].vectors *= 3
    kind.save(model, tmp_path)
    shutil.copytree(tmp_path / "v", folder / "v", dirs_exist_ok=True) if kind is FOLDER else [
        shutil.copy(path, folder) for path in tmp_path.glob("m*")
    ]
    assert sign_of(kind.load(folder), model) == 1
    staging.settle(folder / "v" if kind is FOLDER else folder, "m|manifest[.]json", FAMILY)
    assert sign_of(kind.load(folder), model) == 1


@pytest.mark.parametrize("name", ["w", "w" * 100], ids=["short", "long"])
def test_file_of_gensims_whose_save_was_killed_is_the_new_one_when_it_is_trusted(
    interrupted, model, name
):
    kind = Kind(name, lambda model, path: model["en"].save(path, sep_limit=0))
    folder = interrupted(kind)
    found = type(model["en"]).load(folder / name, trusted=True)
    np.testing.assert_array_equal(found.wv.vectors, model.wv_en.vectors)
    np.testing.assert_array_equal(found.syn1neg, model["en"].syn1neg)
    assert layout(folder) == layout(folder.parent / "begun")


# ---- at the same time


@of_files
def test_load_while_others_save_finds_the_old_or_the_new_and_nothing_is_left(model, tmp_path, kind):
    kind.save(model, tmp_path)
    usual = layout(tmp_path)

    def save_again_and_again():
        for _ in range(12):
            turn_over(model)
            kind.save(model, tmp_path)
        os._exit(0)

    children = [begin(save_again_and_again) for _ in range(2)]
    loads = 0
    while children:
        sign_of(kind.load(tmp_path), model)
        loads += 1
        for child in children[:]:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                assert status == 0
                children.remove(child)
    assert loads > 1
    assert layout(tmp_path) == usual


def test_reader_whose_files_are_replaced_reads_anew(model, tmp_path, monkeypatch):
    APART.save(model, tmp_path)
    read, reads = np.fromfile, []

    def late(*arguments):
        if not reads:
            turn_over(model)
            APART.save(model, tmp_path)
        reads.append(arguments)
        return read(*arguments)

    monkeypatch.setattr(np, "fromfile", late)
    assert sign_of(APART.load(tmp_path), model) == 1
    assert len(reads) > len([*tmp_path.glob("*.npy")])


def test_reader_whose_files_are_replaced_again_and_again_gives_up(tmp_path):
    (tmp_path / "m").touch()

    def replaced(find):
        (tmp_path / "new").touch()
        (tmp_path / "new").replace(find("m"))

    with pytest.raises(BlockingIOError, match="again and again"):
        records.read_together(tmp_path, "m", replaced)


def test_writer_waits_for_its_turn_but_not_for_ever(model, tmp_path, monkeypatch):
    FOLDER.save(model, tmp_path)
    before = files_in(tmp_path)
    monkeypatch.setattr(staging, "turn", impatient(moving.turn))
    with (
        moving.turn(tmp_path / "v", "manifest.json", bool),
        pytest.raises(BlockingIOError, match=r"another program .*remove \.manifest\.json\.tur"),
    ):
        FOLDER.save(model, tmp_path)
    assert files_in(tmp_path) == before
    FOLDER.save(model, tmp_path)


def impatient(turn):
    return lambda *arguments, patience=0.05: turn(*arguments, patience=patience)


# ---- planted


def plant(place, name, files, **said):
    """Make what looks as a save that was killed when it had begun to move files."""
    left = place / f".{name}.0123abcd.partial"
    left.mkdir()
    for file in files:
        (left / Path(str(file)).name).write_bytes(b"planted")
    (place / f".{name}.turn").mkdir()
    record = {
        "folder": left.name, "files": files, "new": [], "superseded": [], "back": False,
        "before": records.fingerprint(place / name),
        "after": records.fingerprint(left / name), **said,
    }  # fmt: skip
    (place / f".{name}.turn" / "record.json").write_text(json.dumps(record), encoding="utf-8")
    return left


@pytest.mark.parametrize(
    "said",
    [
        {"files": ["notes.txt", "m"]},
        {"files": ["../notes.txt", "m"]},
        {"files": ["m"], "superseded": ["notes.txt"]},
        {"files": ["m"], "superseded": ["../notes.txt", "/etc/passwd"]},
        {"files": ["m", 3]},
        {"files": "m"},
        {"files": []},
        {"files": ["m"], "folder": ".."},
        {"files": ["m"], "folder": None},
        {"files": ["m"], "strange": 1},
    ],
)
def test_planted_save_replaces_and_removes_no_file_of_others(model, tmp_path, said):
    folder = tmp_path / "folder"
    folder.mkdir()
    WHOLE.save(model, folder)
    for notes in (folder / "notes.txt", tmp_path / "notes.txt"):
        notes.write_text("mine", encoding="utf-8")
    plant(folder, "m", **{"files": ["m"], **said})
    before = files_in(tmp_path)
    with suppress(FormatError):
        WHOLE.load(folder)
    assert files_in(tmp_path) == before
    WHOLE.save(model, folder)
    assert sign_of(WHOLE.load(folder), model) == 1
    assert sorted(path.name for path in folder.iterdir()) == ["m", "notes.txt"]
    for notes in (folder / "notes.txt", tmp_path / "notes.txt"):
        assert notes.read_text(encoding="utf-8") == "mine"


def test_planted_save_takes_no_files_out_of_a_folder_of_others(model, tmp_path):
    folder, other = tmp_path / "folder", tmp_path / "other"
    folder.mkdir()
    WHOLE.save(model, folder)
    plant(folder, "m", ["m"]).rename(other)
    (folder / ".m.0123abcd.partial").symlink_to(other)
    before = files_in(other)
    assert sign_of(WHOLE.load(folder), model) == 1
    WHOLE.save(model, folder)
    assert sign_of(WHOLE.load(folder), model) == 1
    assert files_in(other) == before


@pytest.mark.timeout(60)
def test_pipe_in_a_planted_save_is_not_waited_for(model, tmp_path):
    WHOLE.save(model, tmp_path)
    left = plant(tmp_path, "m", ["m"])
    (left / "m").unlink()
    os.mkfifo(left / "m")
    assert sign_of(WHOLE.load(tmp_path), model) == 1
    (tmp_path / ".m.turn" / "record.json").unlink()
    os.mkfifo(tmp_path / ".m.turn" / "record.json")
    assert sign_of(WHOLE.load(tmp_path), model) == 1
    WHOLE.save(model, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", [APART, FOLDER, ONE], ids=["apart", "folder", "safetensors"])
def test_pipe_in_the_place_of_any_file_is_refused_and_not_waited_for(model, tmp_path, kind):
    kind.save(model, tmp_path)
    for path in files_in(tmp_path):
        data = path.read_bytes()
        path.unlink()
        os.mkfifo(path)
        with pytest.raises((FormatError, OSError), match="device or pipe"):
            kind.load(tmp_path)
        path.unlink()
        path.write_bytes(data)
    assert sign_of(kind.load(tmp_path), model) == 1


@pytest.mark.parametrize("planted", ["file", "link"])
def test_what_is_in_the_place_of_a_turn_is_removed(model, tmp_path, planted):
    (tmp_path / "kept").mkdir()
    if planted == "file":
        (tmp_path / ".m.turn").write_text("x", encoding="utf-8")
    else:
        (tmp_path / ".m.turn").symlink_to(tmp_path / "kept")
    WHOLE.save(model, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept", "m"]


def test_arrays_that_are_still_to_be_removed_are_after_a_save_that_failed(
    model, tmp_path, monkeypatch
):
    unlink, usual = Path.unlink, filesystem.replace

    def refuse(self, missing_ok=False):
        if self.suffix == ".npy":
            raise PermissionError("it is mapped")
        unlink(self, missing_ok)

    def fail(source, target):
        if target.name == "m":
            raise PermissionError("it is open")
        usual(source, target)

    APART.save(model, tmp_path)
    files = layout(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        APART.save(model, tmp_path)
        patch.setattr(Path, "unlink", unlink)
        patch.setattr(moving, "replace", fail)
        patch.setattr(moving, "_remove", lambda parent, names: [*names])
        with pytest.raises(PermissionError, match="open"):
            APART.save(model, tmp_path)
    assert len(layout(tmp_path)) > len(files)
    APART.save(model, tmp_path)
    assert layout(tmp_path) == files


def test_record_for_which_there_is_no_space_leaves_the_earlier_files(model, tmp_path, monkeypatch):
    def full(path):
        if path.name == "record.json.new":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    APART.save(model, tmp_path)
    before = files_in(tmp_path)
    turn_over(model)
    with monkeypatch.context() as patch:
        patch.setattr(moving, "sync", full)
        with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
            APART.save(model, tmp_path)
    assert files_in(tmp_path) == before
    APART.save(model, tmp_path)
    assert sign_of(APART.load(tmp_path), model) == 1


# ---- rights


@pytest.mark.parametrize("mode", [0o600, 0o444, 0o664])
@of_files
def test_what_replaces_files_has_their_mode(model, tmp_path, kind, mode):
    kind.save(model, tmp_path)
    for path in files_in(tmp_path):
        path.chmod(mode)
    for save in (kind.save, kind.save):
        save(model, tmp_path)
        assert {path.stat().st_mode & 0o777 for path in files_in(tmp_path)} == {mode}


@ONLY_ROOT
def test_what_replaces_files_has_their_owner(model, tmp_path):
    APART.save(model, tmp_path)
    os.chown(tmp_path / "m", NOBODY, NOBODY)
    (tmp_path / "m").chmod(0o640)
    APART.save(model, tmp_path)
    for path in tmp_path.iterdir():
        found = path.stat()
        assert (found.st_uid, found.st_gid, found.st_mode & 0o777) == (NOBODY, NOBODY, 0o640)


def test_rights_of_a_group_that_cannot_be_kept_are_those_of_others(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    for name in ("old", "new"):
        (tmp_path / name).touch()
    (tmp_path / "old").chmod(0o664)
    monkeypatch.setattr(os, "chown", refuse)
    usual = Path.stat

    def of_another_group(path, **options):
        found = list(usual(path, **options))
        found[5] += path.name == "old"
        return os.stat_result(found)

    monkeypatch.setattr(Path, "stat", of_another_group)
    filesystem.keep_rights(tmp_path / "new", tmp_path / "old")
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o644


def as_nobody(action):
    """Do something in a child without a right that is not given; return what it says."""

    def act():
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        return action()

    return in_a_child(act)


@pytest.fixture
def open_folder():
    """A folder that other users can reach."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@ONLY_ROOT
@of_files
def test_files_of_a_folder_that_may_only_be_read_are_loaded(model, open_folder, kind):
    kind.save(model, open_folder)
    assert as_nobody(lambda: sign_of(kind.load(open_folder), model)) == "1.0"
    assert "Permission" in as_nobody(lambda: kind.save(model, open_folder))


@ONLY_ROOT
@of_files
def test_interrupted_save_in_a_folder_that_may_only_be_read_is_loaded(
    interrupted, model, open_folder, kind
):
    folder = open_folder / "interrupted"
    shutil.copytree(interrupted(kind), folder)
    assert as_nobody(lambda: sign_of(kind.load(folder), model)) == "1.0"


@ONLY_ROOT
def test_folder_that_may_not_be_listed_is_loaded_from_and_saved_to(model, open_folder):
    open_folder.chmod(0o733)

    def save_twice():
        for _ in range(2):
            APART.save(model, open_folder)
        return sign_of(APART.load(open_folder), model)

    assert as_nobody(save_twice) == "1.0"
    assert len(files_in(open_folder)) == len(layout(open_folder)) == 14


# ---- file systems


@pytest.mark.parametrize(
    "number", [errno.ENOTSUP, errno.ENOLCK, errno.EPERM, errno.EXDEV], ids=errno.errorcode.get
)
@of_files
def test_file_system_that_has_but_files_is_saved_to(
    interrupted, model, tmp_path, monkeypatch, kind, number
):
    """One without locks, links, modes and owners, and where folders cannot be written to disk."""
    folder = interrupted(kind)
    usual = layout(tmp_path / "begun")

    def refuse(*_, **options):
        raise OSError(number, os.strerror(number))

    def write_out(descriptor):
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    monkeypatch.setattr(fcntl, "flock", refuse)
    monkeypatch.setattr(os, "fsync", write_out)
    for name in ("link", "chmod", "chown"):
        monkeypatch.setattr(os, name, refuse)
    monkeypatch.setattr(staging, "turn", impatient(moving.turn))
    assert sign_of(kind.load(folder), model) == 1
    turn_over(model)
    for _ in range(2):
        kind.save(model, folder)
        assert sign_of(kind.load(folder), model) == 1
    assert layout(folder) == usual
