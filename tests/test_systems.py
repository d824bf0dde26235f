"""Names, paths, signals and open files, where Windows has ways of its own."""

from __future__ import annotations

import gc
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from gensim.models.callbacks import CallbackAny2Vec
from samples import SMALL, made_up_pairs, space

from gensim_bilbowa import BilBOWA, CrossLingualVectors, ParallelSentences
from gensim_bilbowa.callbacks import Checkpoint
from gensim_bilbowa.cli import cli
from gensim_bilbowa.files import moving
from gensim_bilbowa.files.filesystem import LOCK, check_name, lock_folder, names_device, reachable
from gensim_bilbowa.files.staging import settle, staged

windows_only = pytest.mark.skipif(os.name != "nt", reason="a way of Windows")
elsewhere = pytest.mark.skipif(os.name == "nt", reason="a way of other systems")

# Each with letters of two scripts and a blank.
PLACE = "Übung 翻译 x"


@pytest.fixture(scope="module")
def model():
    return BilBOWA(parallel={("en", "de"): made_up_pairs()}, **SMALL)


def bilbowa(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-P", "-m", "gensim_bilbowa", *map(str, arguments)],
        capture_output=True, **options,
    )  # fmt: skip


# ---- names


@pytest.mark.parametrize(
    "name", ["con", "CON", "aux.model", "nul.tar.gz", "COM1.txt", "lpt9", "com¹.tsv", "prn .x"]
)
def test_names_of_devices_are_known(name):
    assert names_device(name)


@pytest.mark.parametrize(
    "name", ["console", "auxiliary.model", "com.txt", "com10", "x.con", "null"]
)
def test_other_names_are_no_devices(name):
    assert not names_device(name)


@pytest.mark.parametrize("binary", [False, True])
def test_languages_with_codes_of_devices_have_files_with_other_names(tmp_path, binary):
    codes = {"aux": np.eye(3), "con": -np.eye(3), "de": np.ones((2, 3))}
    vectors = space(**codes)
    vectors.save(tmp_path / "v", format="binary" if binary else "text")
    assert not [path.name for path in (tmp_path / "v").iterdir() if names_device(path.name)]
    loaded = CrossLingualVectors.load(tmp_path / "v")
    for code, matrix in codes.items():
        np.testing.assert_array_equal(loaded[code].vectors, matrix)
    vectors.save(tmp_path / "v", format="binary" if binary else "text")


def test_languages_whose_files_might_have_one_name_have_two(tmp_path):
    codes = {code: np.full((2, 3), number + 1.0) for number, code in
             enumerate(["aux_", "aux", "con.x", "con_.x", "Nul", "nul_"])}  # fmt: skip
    space(**codes).save(tmp_path / "v")
    names = [path.name for path in (tmp_path / "v").iterdir()]
    assert not [name for name in names if names_device(name)]
    assert len({name.lower() for name in names}) == len(names) == len(codes) + 1
    loaded = CrossLingualVectors.load(tmp_path / "v")
    for code, matrix in codes.items():
        np.testing.assert_array_equal(loaded[code].vectors, matrix)


@windows_only
@pytest.mark.parametrize("name", ["aux.model", "NUL", "con.tsv", "ab:c.model", "a?.tsv", "end."])
def test_names_that_windows_refuses_are_refused_before_anything_is_written(tmp_path, name):
    with pytest.raises(OSError, match=r"device|no <>"), staged(tmp_path / name):
        pytest.fail("written to")
    assert [*tmp_path.iterdir()] == []
    done = bilbowa("train", "-o", tmp_path / name, "--parallel", "en=x", "de=y")
    assert done.returncode == 2
    assert b"Windows" in done.stderr


@elsewhere
def test_elsewhere_such_names_are_names(tmp_path, model):
    check_name(tmp_path / "aux.model")
    model.save(tmp_path / "aux.model")
    assert reachable("x" * 300) == "x" * 300


# ---- paths


def long_path(tmp_path):
    """A folder with a name of Windows's greatest length, or another long one."""
    folder = tmp_path / ("long-" * 20) / ("länger" * 16) / PLACE
    Path(reachable(folder)).mkdir(parents=True)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("place", [lambda path: path / PLACE, long_path], ids=["other", "long"])
def test_every_file_may_be_anywhere(tmp_path, place):
    folder = place(tmp_path)
    Path(reachable(folder)).mkdir(parents=True, exist_ok=True)
    lines = [" ".join(side) for pair in made_up_pairs() for side in pair]
    for name, some in (("text.en", lines[::2]), ("text.de", lines[1::2])):
        with Path(reachable(folder / name)).open("w", encoding="utf-8", newline="\n") as stream:
            stream.write("\n".join(some) + "\n")
    with Path(reachable(folder / "pairs.tsv")).open("w", encoding="utf-8") as stream:
        stream.writelines(f"{a}\t{b}\n" for a, b in zip(lines[::2], lines[1::2], strict=True))
    words = [(f"e{i}", f"d{i}") for i in range(40)]
    Path(reachable(folder / "dictionary.txt")).write_text(
        "".join(f"{a} {b}\n" for a, b in words), encoding="utf-8"
    )
    Path(reachable(folder / "glossary.csv")).write_text("en,de\ne1,d1\n", encoding="utf-8")
    with zipfile.ZipFile(reachable(folder / "pairs.zip"), "w") as archive:
        archive.write(reachable(folder / "pairs.tsv"), "pairs.tsv")
    (tmp_path / "parameters.json").write_text('{"min_count": 1}', encoding="utf-8")
    shutil.move(tmp_path / "parameters.json", reachable(folder / "parameters.json"))
    small = ("--epochs", 1, "--vector-size", 8, "--workers", 1, "-q")
    texts = (f"en={folder / 'text.en'}", f"de={folder / 'text.de'}")
    table = f"en,de={folder / 'pairs.tsv'}"
    train = bilbowa(
        "train", "-o", folder / "en-de.model", *small, "--parallel", *texts, "--pairs", table,
        "--pairs", f"en,de={folder / 'pairs.zip'}", "--text", texts[0],
        "--cache-dir", folder / "cache", "--parameters", folder / "parameters.json",
        "--checkpoint-every", "1h", "--lexicon", folder / "trained.tsv",
    )  # fmt: skip
    assert train.returncode == 0, train.stderr.decode()
    for command in (
        ("info", folder / "en-de.model"),
        ("translate", folder / "en-de.model", "e1"),
        ("convert", folder / "en-de.model", folder / "vectors"),
        ("convert", folder / "vectors", folder / "v.safetensors"),
        ("info", folder / "v.safetensors"),
        ("align", *(f"{code}={folder / 'vectors' / code}.vec" for code in ("en", "de")),
         "-d", folder / "dictionary.txt", "-o", folder / "aligned", "--method", "procrustes"),
        ("lexicon", folder / "en-de.model", "-o", folder / "en-de.tsv", "--pairs", table,
         "--examples", 1),
        ("terms", folder / "pairs.tsv", "--languages", "en,de", "-o", folder / "t.tsv", "-q",
         "--all", "--model", folder / "en-de.model", "--no-tokenize", "--general", texts[0],
         "--glossary", folder / "glossary.csv"),
        ("sentences", folder / "en-de.model", *texts),
        ("evaluate", folder / "en-de.model", "--dictionary", folder / "dictionary.txt",
         "--sentences", *texts),
        ("plot", folder / "en-de.model", "-o", folder / "map.html", "--method", "pca"),
        ("plot", folder / "en-de.model", "-o", folder / "map.png", "--method", "pca"),
        ("tune", "-o", folder / "best.json", *small, "--parallel", *texts, "--trials", 1,
         "--min-count", 1, "--cache-dir", folder / "cache"),
        ("train", "--update", folder / "en-de.model", "-o", folder / "more.model", "--epochs", 1,
         "--pairs", table, "-q"),
        ("train", "--start", f"en={folder / 'vectors' / 'en.vec'}", "-o", folder / "begun.model",
         *small, "--parallel", *texts),
    ):  # fmt: skip
        done = CliRunner().invoke(cli, [*map(str, command)])
        assert done.exit_code == 0, (command[0], done.output, done.exception)
    found = {entry.name for entry in os.scandir(reachable(folder))}
    files = (
        "en-de.model trained.tsv vectors v.safetensors aligned en-de.tsv t.tsv map.html map.png "
        "best.json more.model begun.model cache"
    )
    assert {*files.split()} <= found
    assert not [name for name in found if name.startswith(".")]
    pairs = ParallelSentences(folder / "pairs.tsv", languages=("en", "de"))
    assert len([*pairs]) == 300


@pytest.mark.parametrize("place", [lambda path: path / PLACE, long_path], ids=["other", "long"])
def test_arrays_may_be_mapped_anywhere(tmp_path, model, place):
    folder = place(tmp_path)
    Path(reachable(folder)).mkdir(parents=True, exist_ok=True)
    model.save(folder / "m", sep_limit=0)
    mapped = BilBOWA.load(folder / "m", mmap="r")
    assert isinstance(mapped.wv_en.vectors, np.memmap)
    np.testing.assert_array_equal(mapped.wv_en.vectors, model.wv_en.vectors)


def test_files_deep_in_a_folder_are_read(tmp_path):
    deep = tmp_path / "memories" / ("deep-" * 20) / ("down-" * 20)
    Path(reachable(deep, longer=300)).mkdir(parents=True)
    for folder, word in ((tmp_path / "memories", "a"), (deep, "b")):
        place = Path(reachable(folder / "pairs.tsv", longer=300))
        place.write_text(f"{word}\t{word.upper()}\n", encoding="utf-8")
    pairs = ParallelSentences(tmp_path / "memories", languages=("en", "de"))
    assert sorted(pairs) == [(["a"], ["A"]), (["b"], ["B"])]
    assert str(tmp_path / "memories" / "pairs.tsv") in [report.path for report in pairs.reports]


@windows_only
def test_a_path_is_named_for_programs_without_limits_only_if_it_must_be(tmp_path):
    assert reachable("x.model") == "x.model"
    assert reachable("https://" + "x" * 300) == "https://" + "x" * 300
    long = "C:\\" + "\\".join(["x" * 50] * 6)
    assert reachable(long) == "\\\\?\\" + long
    assert reachable(reachable(long)) == reachable(long)
    assert reachable("\\\\server\\share\\" + "x" * 300) == "\\\\?\\UNC\\server\\share\\" + "x" * 300


def test_patterns_and_brackets_on_the_command_line_are_the_commands_affair(tmp_path, model):
    model.save(tmp_path / "model[1]")
    (tmp_path / "model1").write_text("not this one", encoding="utf-8")
    done = bilbowa("translate", "model[1]", "e?", "e1", cwd=tmp_path)
    assert b"e?" in done.stderr
    assert done.stdout.decode().split("\t")[0] == "e1"


# ---- what is written


@pytest.mark.slow
def test_output_has_the_same_bytes_everywhere(tmp_path, model):
    model.save(tmp_path / "m")
    done = bilbowa("translate", tmp_path / "m", "e1", "-n", 2)
    assert done.returncode == 0
    assert done.stdout.count(b"\n") == 2
    assert b"\r" not in done.stdout
    model.lexicon("en", "de").save(tmp_path / "en-de.tsv")
    assert b"\r" not in (tmp_path / "en-de.tsv").read_bytes()


def test_words_that_are_piped_in_may_have_carriage_returns_and_a_mark(tmp_path, model):
    model.save(tmp_path / "m")
    done = bilbowa("translate", tmp_path / "m", "-n", 1, input=b"\xef\xbb\xbfe1\r\ne2\r\n")
    assert [line.split("\t")[0] for line in done.stdout.decode().splitlines()] == ["e1", "e2"]


# ---- files that are open


def test_model_can_be_saved_over_itself_while_it_is_mapped(tmp_path, model):
    path = tmp_path / "m"
    model.save(path, sep_limit=0)
    mapped = BilBOWA.load(path, mmap="r")
    before = mapped.wv_en.vectors.copy()
    mapped.save(path, sep_limit=0)
    np.testing.assert_array_equal(mapped.wv_en.vectors, before)
    np.testing.assert_array_equal(BilBOWA.load(path).wv_en.vectors, before)
    del mapped
    gc.collect()
    model.save(path, sep_limit=0)
    model.save(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["m"]


@pytest.mark.parametrize("name", ["v.safetensors", "v"])
def test_vectors_can_be_saved_over_what_they_were_loaded_from(tmp_path, model, name):
    model.wv.save(tmp_path / name)
    loaded = CrossLingualVectors.load(tmp_path / name)
    loaded["en"].vectors *= 2
    loaded.save(tmp_path / name)
    np.testing.assert_allclose(
        CrossLingualVectors.load(tmp_path / name)["en"].vectors, model.wv_en.vectors * 2, rtol=1e-6
    )


@windows_only
def test_file_that_is_open_in_a_program_is_named_and_stays_as_it_is(tmp_path, model):
    path = tmp_path / "m"
    model.save(path)
    old = path.read_bytes()
    with path.open("rb"), pytest.raises(PermissionError, match="open in a program") as raised:
        model.save(path)
    assert raised.value.filename == str(path)
    with path.open("rb"):
        done = bilbowa("train", "-o", path, "--parallel", "en=x", "de=y")
    assert done.returncode == 2
    assert b"open in a program" in done.stderr
    assert path.read_bytes() == old
    assert [*tmp_path.iterdir()] == [path]


@windows_only
def test_file_that_may_not_be_written_to_is_said_before_the_work(tmp_path):
    (tmp_path / "m").touch()
    (tmp_path / "m").chmod(stat.S_IREAD)
    done = bilbowa("train", "-o", tmp_path / "m", "--parallel", "en=x", "de=y")
    assert done.returncode == 2
    assert b"it may not be written to" in done.stderr
    with suppress(PermissionError):  # Wine's, of who is not root
        (tmp_path / "m").chmod(stat.S_IWRITE)


def test_folder_of_a_writer_that_lives_is_left_alone(tmp_path):
    with staged(tmp_path / "name") as (place,):
        place.write_text("new", encoding="utf-8")
        with pytest.raises(BlockingIOError):
            lock_folder(place.parent, own=False)
        settle(tmp_path, "name")
        assert place.read_text(encoding="utf-8") == "new"
    assert [*tmp_path.iterdir()] == [tmp_path / "name"]


@elsewhere
def test_folder_that_a_writer_on_windows_has_locked_is_left_alone(tmp_path):
    left = tmp_path / ".name.0123abcd.partial"
    left.mkdir()
    (left / LOCK).touch()
    settle(tmp_path, "name")
    assert left.exists()
    (left / LOCK).unlink()
    settle(tmp_path, "name")
    assert not left.exists()


@windows_only
def test_folder_that_nobody_has_locked_is_another_systems_or_empty(tmp_path):
    left, empty = (tmp_path / f".name.{number}123abcd.partial" for number in (0, 1))
    left.mkdir()
    (left / "name").touch()
    empty.mkdir()
    settle(tmp_path, "name")
    assert (left / "name").exists()
    assert not empty.exists()


def test_rollback_works_where_files_cannot_be_linked(tmp_path, monkeypatch):
    def refuse(self, target):
        raise OSError("no links here")

    for name in ("a", "b", "c"):
        (tmp_path / name).write_text("old", encoding="utf-8")
    moved = []

    def replace(source, target):
        if target.parent == tmp_path:
            if len(moved) == 1 and source.read_text(encoding="utf-8") == "new":
                raise PermissionError("it is open")
            moved.append(target)
        source.replace(target)

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    monkeypatch.setattr(moving, "replace", replace)

    def save():
        with staged(*(tmp_path / name for name in "abc")) as places:
            for place in places:
                place.write_text("new", encoding="utf-8")

    with pytest.raises(PermissionError):
        save()
    assert len(moved) == 2
    assert [path.read_text(encoding="utf-8") for path in sorted(tmp_path.iterdir())] == ["old"] * 3


# ---- what ends a program

ENDINGS = [("SIGINT", 130), ("SIGTERM", 143), ("SIGBREAK", 143)]
TRAINS = """
import _thread, signal, sys, threading
from gensim_bilbowa.cli import main
from gensim_bilbowa.running.workers import WorkerPool
once = [threading.Timer(0.5, lambda: _thread.interrupt_main(signal.{name}))]
begin = WorkerPool.map

def ended(pool, *jobs):
    if once:
        once.pop().start()
    return begin(pool, *jobs)

WorkerPool.map = ended
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "code"), ENDINGS)
@pytest.mark.parametrize("checkpoints", [False, True])
def test_training_that_is_ended_leaves_nothing_or_a_checkpoint(tmp_path, name, code, checkpoints):
    if not hasattr(signal, name):
        pytest.skip("no such signal here")
    lines = [" ".join(side) for pair in made_up_pairs() for side in pair]
    (tmp_path / "en").write_text("\n".join(lines[::2]), encoding="utf-8")
    (tmp_path / "de").write_text("\n".join(lines[1::2]), encoding="utf-8")
    command = ["train", "-o", "m", "--parallel", "en=en", "de=de", "--min-count", "1",
               "--epochs", "1000000"]  # fmt: skip
    command += ["--checkpoint-every", "1h"] if checkpoints else []
    done = subprocess.run(
        [sys.executable, "-P", "-c", TRAINS.format(name=name), *command],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    left = {path.name for path in tmp_path.iterdir()} - {"en", "de"}
    assert left == ({"m.checkpoints"} if checkpoints else set())
    if checkpoints:
        assert re.search("writing a last checkpoint", done.stderr)
        assert BilBOWA.load(tmp_path / "m.checkpoints").unfinished


@pytest.mark.slow
def test_checkpoints_that_are_mapped_are_removed_when_they_are_not(tmp_path, model):
    checkpoint = Checkpoint(tmp_path / "c", every_epochs=1, keep=1)
    held = []

    class Hold(CallbackAny2Vec):
        def on_epoch_end(self, model):
            held.append(BilBOWA.load(tmp_path / "c", mmap="r"))
            assert isinstance(held[-1].wv_en.vectors, np.memmap)

    options = {
        **SMALL,
        "vector_size": 10_000,  # enough for arrays to be mapped
        "alignment": False,
        "callbacks": [checkpoint, Hold()],
    }
    trained = BilBOWA(parallel={("en", "de"): made_up_pairs(300, 1_000)}, **options)
    assert len(checkpoint.paths) == 1
    loaded = BilBOWA.load(tmp_path / "c")
    np.testing.assert_array_equal(loaded.wv_en.vectors, trained.wv_en.vectors)
    held.clear()
    gc.collect()
    checkpoint.remove()
    assert not (tmp_path / "c").exists()
