"""Encoded files are kept on request, and used only where they would come out the same."""

from __future__ import annotations

import gzip
import os
import random
import shutil
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from processes import running

from gensim_bilbowa import BilBOWA, LineCorpus, ParallelSentences
from gensim_bilbowa.cli import cli
from gensim_bilbowa.corpora import EncodingCache, cache, encode
from gensim_bilbowa.corpora.compiled_reading import TextFile
from gensim_bilbowa.corpora.encode import encode_files
from gensim_bilbowa.corpora.encoded import EncodedCorpus, EncodedSide
from gensim_bilbowa.errors import ConfigError

KEYS = {"a": 0, "b": 1}


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text"
    path.write_text("a b c\n\nc\nb a\n", encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "cache" / "here"


@pytest.fixture
def readings(monkeypatch):
    """The files that were read, not taken from the cache."""
    read = []
    original = LineCorpus.blocks

    def blocks(self):
        read.append(Path(self.path).name)
        return original(self)

    monkeypatch.setattr(LineCorpus, "blocks", blocks)
    return read


def encoded(path, folder, keys=KEYS, columns=None, **options):
    file = TextFile(LineCorpus(path, **options), columns)
    vocabularies = [keys] * (2 if columns else 1)
    sides = encode_files([file], vocabularies, 10**9, cache=EncodingCache(folder))
    return [(c.ids.tolist(), c.offsets.tolist(), c.raw_words, blank.tolist()) for c, blank in sides]


def entries(folder):
    return sorted(path.name for path in folder.iterdir())


EXPECTED = [([0, 1, 1, 0], [0, 2, 2, 2, 4], 6, [False, True, False, False])]


def test_second_run_reads_no_text(text, folder, readings):
    assert encoded(text, folder) == EXPECTED
    assert encoded(text, folder) == EXPECTED
    assert readings == ["text"]
    assert len(entries(folder)) == 1


def test_stored_text_is_mapped_read_only(text, folder):
    encoded(text, folder)
    ((corpus, _),) = encode_files(
        [TextFile(LineCorpus(text))], [KEYS], 10**9, cache=EncodingCache(folder)
    )
    assert isinstance(corpus.ids, np.memmap)
    assert not corpus.ids.flags.writeable
    assert (corpus.ids.dtype, corpus.offsets.dtype) == (np.int32, np.int64)


def test_empty_and_wordless_files_are_kept(tmp_path, folder, readings):
    for name, data in (("empty", ""), ("blank", "\n \n"), ("unknown", "x y\n")):
        (tmp_path / name).write_text(data, encoding="utf-8")
        assert encoded(tmp_path / name, folder) == encoded(tmp_path / name, folder)
    assert readings == ["empty", "blank", "unknown"]


@pytest.mark.parametrize("keys", [{"b": 0, "a": 1}, {"a": 0, "b": 2}, {"a": 0}, {"a": 0, "c": 1}])
def test_other_vocabulary_is_another_entry(text, folder, readings, keys):
    encoded(text, folder)
    encoded(text, folder, keys)
    assert len(readings) == len(entries(folder)) == 2


@pytest.mark.parametrize("options", [{"limit": 2}, {"errors": "ignore"}])
def test_other_options_are_another_entry(text, folder, readings, options):
    encoded(text, folder)
    encoded(text, folder, **options)
    assert len(readings) == len(entries(folder)) == 2


def test_other_version_is_another_entry(text, folder, readings, monkeypatch):
    encoded(text, folder)
    monkeypatch.setattr(cache, "version", lambda name: "999")
    encoded(text, folder)
    assert len(readings) == 2


def test_columns_are_entries_of_their_own(tmp_path, folder, readings):
    path = tmp_path / "table"
    path.write_text("a\tb b\tc\n\nb\ta\tb\n", encoding="utf-8")
    first = encoded(path, folder, columns=(0, 1))
    assert [side[0] for side in first] == [[0, 1], [1, 1, 0]]
    assert encoded(path, folder, columns=(0, 1)) == first
    assert encoded(path, folder, columns=(1, 0)) == first[::-1]
    assert readings == ["table"]
    assert [side[0] for side in encoded(path, folder, columns=(2, 0))] == [[1], [0, 1]]


def test_changed_file_is_read_again(text, folder, readings):
    encoded(text, folder)
    before = text.stat()
    text.write_text("b b c\n\nc\nb a\n", encoding="utf-8")  # of the same size
    if os.name != "nt":  # which tells of a change by nothing but this time
        os.utime(text, ns=(before.st_atime_ns, before.st_mtime_ns))  # and said to be as old
    assert encoded(text, folder)[0][0] == [1, 1, 1, 0]
    assert len(readings) == 2


def test_copy_of_a_text_is_not_read_again(text, folder, readings, tmp_path):
    assert encoded(text, folder) == EXPECTED
    (tmp_path / "elsewhere").mkdir()
    copied = shutil.copy(text, tmp_path / "elsewhere" / "copy")
    assert encoded(copied, folder) == EXPECTED
    assert len(readings) == 1


def test_file_that_changes_while_it_is_read_is_not_kept(text, folder, monkeypatch, caplog):
    original = LineCorpus.blocks

    def blocks(self):
        yield from original(self)
        text.write_text("other\n", encoding="utf-8")

    monkeypatch.setattr(LineCorpus, "blocks", blocks)
    encoded(text, folder)
    assert entries(folder) == []
    assert "changed while it was read" in caplog.text


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:40],
        lambda data: data[:-1],
        lambda data: data + b"x",
        lambda data: b"x" + data[1:],
        lambda data: data[:16] + b"\xff" * 8 + data[24:],
        *(lambda data, at=at: data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
          for at in (8, 33, 40, 50, 60, 70, 106, 121)),
    ],
)  # fmt: skip
def test_damaged_entry_is_said_and_made_anew(text, folder, readings, caplog, damage):
    encoded(text, folder)
    (entry,) = folder.iterdir()
    good = entry.read_bytes()
    entry.write_bytes(damage(good))
    assert encoded(text, folder) == EXPECTED
    assert "is damaged, encoding anew" in caplog.text
    assert entry.read_bytes() == good
    assert len(readings) == 2


@pytest.mark.parametrize(
    ("ids", "offsets", "blank", "raw_words"),
    [([0, 1, 2], [0, 2, 2, 2, 3], [0, 1, 0, 0], 6), ([0, -1, 0], [0, 2, 2, 2, 3], [0, 1, 0, 0], 6),
     ([0, 1, 0], [0, 2, 1, 2, 3], [0, 1, 0, 0], 6), ([0, 1, 0], [0, 2, 2, 2, 4], [0, 1, 0, 0], 6),
     ([0, 1, 0], [1, 2, 2, 2, 3], [0, 1, 0, 0], 6), ([0, 1, 0], [0, 2, 2, 2, 3], [0, 7, 0, 0], 6),
     ([0, 1, 0], [0, 2, 2, 2, 3], [0, 1, 0, 0], 2), ([0, 1, 0], [0, 2, 2, 2, 3], [0, 1, 0, 0], -1)],
)  # fmt: skip
def test_forged_entry_with_checksums_that_are_right_is_made_anew(
    text, folder, readings, caplog, ids, offsets, blank, raw_words
):
    encoded(text, folder)
    (entry,) = folder.iterdir()
    corpus = EncodedCorpus(np.array(ids, np.int32), np.array(offsets), raw_words)
    cache._write(entry, EncodedSide(corpus, np.array(blank, np.uint8).view(np.bool_)))
    assert encoded(text, folder) == EXPECTED
    assert "is damaged, encoding anew" in caplog.text
    assert len(readings) == 2


def test_full_disk_is_warned_of_and_leaves_no_entry(text, folder, monkeypatch, caplog):
    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache, "_write", full)
    assert encoded(text, folder) == EXPECTED
    assert "cannot keep the encoded text" in caplog.text
    assert entries(folder) == []


def test_error_in_the_text_leaves_no_entry(text, folder):
    text.write_bytes(b"a\n\xff\n")
    with pytest.raises(ValueError, match="not UTF-8"):
        encoded(text, folder)
    assert entries(folder) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="makes a named pipe")
def test_what_is_no_ordinary_file_is_not_kept(tmp_path, folder):
    os.mkfifo(tmp_path / "pipe")
    for path in (str(tmp_path / "pipe"), "https://example.org/text"):
        file = TextFile(LineCorpus(path))
        assert EncodingCache(folder).entries([file], [KEYS]) == []


def test_folder_that_cannot_be_is_refused(tmp_path, text):
    with pytest.raises(ConfigError, match=r"cache_dir .*text cannot be made"):
        EncodingCache(text)
    with pytest.raises(ConfigError, match="cannot be made"):
        EncodingCache(text / "below")
    for wrong in (7, "", b"x"):
        with pytest.raises(ConfigError, match="cache_dir must be the path of a folder"):
            BilBOWA(cache_dir=wrong)
    model = BilBOWA(cache_dir=text)
    with pytest.raises(ConfigError, match="cannot be made"):
        model.build_vocab({"en": [["a", "b"]], "de": [["a", "b"]]})


# ---- models


@pytest.fixture
def pair_files(tmp_path):
    draw = random.Random(1)
    for name in ("one", "two"):
        lines = (
            " ".join(f"{name}{draw.randrange(40)}" for _ in range(6)) + "\n" for _ in range(300)
        )
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress("".join(lines).encode()))
    return tmp_path / "one.gz", tmp_path / "two.gz"


OPTIONS = {"vector_size": 8, "min_count": 1, "epochs": 1, "workers": 1}


def test_model_from_the_cache_is_the_same(pair_files, folder, readings):
    pairs = ParallelSentences(*pair_files, languages=("en", "de"))
    models = [
        BilBOWA({"en": pair_files[0]}, parallel=pairs, **OPTIONS, cache_dir=kept)
        for kept in (None, folder, folder)
    ]
    for model in models[1:]:
        np.testing.assert_array_equal(model.wv_en.vectors, models[0].wv_en.vectors)
        np.testing.assert_array_equal(model.wv_de.vectors, models[0].wv_de.vectors)
    # The text of en, being one side of the pairs too, is one entry.
    assert len(entries(folder)) == 2
    without, second, third = 2 * 3, 2 * 3, 3
    assert len(readings) == without + second + third


def test_folder_is_no_part_of_a_saved_model(pair_files, folder, tmp_path):
    pairs = ParallelSentences(*pair_files, languages=("en", "de"))
    model = BilBOWA(parallel=pairs, **OPTIONS, cache_dir=str(folder))
    model.save(tmp_path / "model")
    assert BilBOWA.load(tmp_path / "model").cache_dir is None
    assert b"cache_dir" not in (tmp_path / "model").read_bytes()


def test_command_line_keeps_text(pair_files, folder, tmp_path):
    arguments = ["train", "-q", "-o", str(tmp_path / "model"), "--cache-dir", str(folder)]
    arguments += ["--parallel", f"en={pair_files[0]}", f"de={pair_files[1]}", "--epochs", "1"]
    for _ in range(2):
        result = CliRunner().invoke(cli, [*arguments, "--workers", "1"])
        assert result.exit_code == 0, result.output
    assert len(entries(folder)) == 2


@pytest.mark.slow
def test_processes_share_a_folder(text, folder):
    text.write_text("a b c\n\nc\nb a\n" * 20_000, encoding="utf-8")
    code = f"""
        from contextlib import suppress
        from gensim_bilbowa.corpora import EncodingCache, LineCorpus
        from gensim_bilbowa.corpora.encode import encode_files
        from gensim_bilbowa.corpora.compiled_reading import TextFile

        for _ in range(5):
            file = TextFile(LineCorpus({str(text)!r}))
            cache = EncodingCache({str(folder)!r})
            ((corpus, _),) = encode_files([file], [{KEYS!r}], 10**9, cache=cache)
            assert corpus.raw_words == 120_000 and len(corpus.ids) == 80_000
            for entry in cache.folder.glob("*.encoded"):
                with suppress(PermissionError):  # of Windows, if another one has it open
                    entry.unlink(missing_ok=True)
    """
    command = [sys.executable, "-P", "-c", textwrap.dedent(code)]
    with running(command) as one, running(command) as other, running(command) as third:
        assert [process.wait() for process in (one, other, third)] == [0, 0, 0]
    if os.name != "nt":  # where one that is open in another process is not removed
        assert entries(folder) == []


def test_spilled_text_is_kept_as_any_other(text, folder, monkeypatch):
    monkeypatch.setattr(encode, "_BATCH_TOKENS", 1)
    monkeypatch.setattr(cache, "_CHUNK", 3)
    file = TextFile(LineCorpus(text))
    for _ in range(2):
        ((corpus, _),) = encode_files([file], [KEYS], 0, cache=EncodingCache(folder))
        assert corpus.ids.tolist() == EXPECTED[0][0]


def lend(text, folder):
    """Encode in one process; return a cache of another that shares the folder."""
    ours, theirs = EncodingCache(folder), EncodingCache(folder)
    expected = encode_files([TextFile(LineCorpus(text))], [KEYS], 10**9, cache=ours)
    theirs.lent = ours.used
    return expected, theirs


def test_what_another_process_has_encoded_is_taken_without_the_text(text, folder, readings):
    (expected,), theirs = lend(text, folder)
    file = TextFile(LineCorpus(text))
    text.unlink()
    ((corpus, blank),) = encode_files([file], [KEYS], 10**9, cache=theirs)
    assert readings == ["text"]
    assert corpus.ids.tolist() == expected.corpus.ids.tolist()
    assert corpus.offsets.tolist() == expected.corpus.offsets.tolist()
    assert blank.tolist() == expected.blank.tolist()
    assert corpus.checksum() == expected.corpus.checksum()


@pytest.mark.parametrize("change", [
    lambda entry: entry.unlink(),  # the folder is not shared after all
    lambda entry: entry.write_bytes(entry.read_bytes()[:-1]),
    lambda entry: entry.write_bytes(entry.read_bytes()[:63] + b"x" + entry.read_bytes()[64:]),
])  # fmt: skip
def test_what_another_process_has_encoded_and_is_not_there_is_encoded(
    text, folder, readings, change
):
    (expected,), theirs = lend(text, folder)
    (entry,) = folder.iterdir()
    change(entry)
    ((corpus, _),) = encode_files([TextFile(LineCorpus(text))], [KEYS], 10**9, cache=theirs)
    assert readings == ["text", "text"]
    assert corpus.ids.tolist() == expected.corpus.ids.tolist()


def test_checksum_that_an_entry_tells_is_that_of_its_words(text, folder):
    first, second = (
        encode_files([TextFile(LineCorpus(text))], [KEYS], 10**9, cache=EncodingCache(folder))[0]
        for _ in range(2)
    )
    assert first.corpus.known_checksum is None
    assert second.corpus.known_checksum == first.corpus.checksum() != 0
