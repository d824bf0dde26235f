from __future__ import annotations

import bz2
import gzip
import lzma
import random
import zipfile
from types import SimpleNamespace

import pytest
from samples import PACKERS
from work import little_work

from gensim_bilbowa import LineCorpus
from gensim_bilbowa.corpora.unpacking import bounded
from gensim_bilbowa.errors import ConfigError, CorpusError, CorpusFileError, CorpusNotFoundError


def written(tmp_path, data, name="text"):
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
    return path


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("a b\nc\n", [["a", "b"], ["c"]]),
        ("a b\r\nc\r\n", [["a", "b"], ["c"]]),
        ("a b\nc", [["a", "b"], ["c"]]),
        ("a\n\n \nb\n", [["a"], [], [], ["b"]]),
        ("a\rb\n", [["a", "b"]]),
        ("a\x85b\u2028c\u2029d\x0ce\x0bf\x1cg\nh\n", [["a", "b", "c", "d", "e", "f", "g"], ["h"]]),
        ("\ufeffa\nb\ufeff\n", [["a"], ["b\ufeff"]]),
        ("\ufeff\r\na\n", [[], ["a"]]),
        ("我\u3000爱 你\n", [["我", "爱", "你"]]),
        ("كتاب جديد\n", [["كتاب", "جديد"]]),
        ("a\x00b\n", [["a\x00b"]]),
        ("", []),
        ("\n", [[]]),
    ],
)
def test_only_newlines_end_a_sentence(tmp_path, text, sentences):
    corpus = LineCorpus(written(tmp_path, text))
    assert list(corpus) == sentences
    assert list(corpus) == sentences  # from the start again


@pytest.mark.parametrize("suffix", PACKERS)
def test_compressed_files_are_read(tmp_path, suffix):
    path = written(tmp_path, PACKERS[suffix]("ä b\n\nc\n".encode()), "text" + suffix)
    assert list(LineCorpus(path)) == [["ä", "b"], [], ["c"]]


@pytest.mark.parametrize(
    ("suffix", "zeros"), [(".gz", 0), (".gz", 80_000), (".bz2", 0), (".xz", 0), (".xz", 80_000)]
)
def test_large_files_of_several_parts_are_read_to_the_end(tmp_path, suffix, zeros):
    """Parts of more than is unpacked at a time, which zeros may follow, as on a tape."""
    lines = [f"{number} {random.Random(number).randbytes(150).hex()}" for number in range(3000)]
    parts = ["".join(f"{line}\n" for line in lines[start::3]).encode() for start in range(3)]
    data = b"".join(PACKERS[suffix](part) + bytes(zeros) for part in parts)
    path = written(tmp_path, data, "text" + suffix)
    assert [" ".join(words) for words in LineCorpus(path)] == lines[::3] + lines[1::3] + lines[2::3]


def test_files_beyond_ten_thousand_tokens_a_line_are_read_whole(tmp_path):
    path = written(tmp_path, "w " * 1_000_000 + "\nx\n")
    assert list(map(len, LineCorpus(path))) == [1_000_000, 1]


@pytest.mark.parametrize(("limit", "count"), [(None, 3), (0, 0), (2, 2), (9, 3)])
def test_limit_counts_lines(tmp_path, limit, count):
    assert len(list(LineCorpus(written(tmp_path, "a\n\nb\n"), limit=limit))) == count


def test_missing_file_and_folder_are_named(tmp_path):
    with pytest.raises(CorpusNotFoundError, match=r"no such file: .*nowhere"):
        list(LineCorpus(tmp_path / "nowhere.gz"))
    with pytest.raises(CorpusFileError, match="is a folder"):
        list(LineCorpus(tmp_path))
    assert issubclass(CorpusNotFoundError, FileNotFoundError)
    assert issubclass(CorpusFileError, OSError)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", PACKERS)
def test_cut_off_archive_fails_and_names_the_line_reached(tmp_path, suffix):
    lines = "".join(f"line {n} {n * 7919 % 10007}\n" for n in range(200_000))
    data = PACKERS[suffix](lines.encode())
    path = written(tmp_path, data[: len(data) * 2 // 3], "text" + suffix)
    with pytest.raises(CorpusFileError, match=rf"text\{suffix} cannot be read past line \d+"):
        list(LineCorpus(path))


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst", ".lz4", ".zip", ""])
@pytest.mark.parametrize("content", [b"a b\n", b"BZh9 is a word\n", b"PK\n", b""])
def test_text_is_read_as_text_whatever_its_name(tmp_path, suffix, content):
    path = written(tmp_path, content, "text" + suffix)
    assert list(LineCorpus(path)) == [line.split() for line in content.decode().splitlines()]


@pytest.mark.parametrize("name", ["text", "text.txt", "text.bz2", "memory.tmx"])
@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_what_packs_a_file_is_told_by_its_first_bytes(tmp_path, pack, name):
    path = written(tmp_path, pack(b"a b\nc\n"), name)
    assert list(LineCorpus(path)) == [["a", "b"], ["c"]]


def test_empty_packed_text_is_empty(tmp_path):
    for pack in (gzip.compress, bz2.compress, lzma.compress):
        assert list(LineCorpus(written(tmp_path, pack(b"")))) == []


def zipped(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def test_an_archive_stands_for_its_only_file(tmp_path):
    files = {"folder/": "", "folder/a.txt": "a b\n", "__MACOSX/a.txt": "?", ".hidden": "?"}
    path = zipped(tmp_path / "text.zip", files)
    assert list(LineCorpus(path)) == [["a", "b"]]


def test_a_file_in_an_archive_is_named_as_in_a_folder(tmp_path):
    path = zipped(tmp_path / "text.zip", {"sub/a": "a b\n", "b": "c\n"})
    assert list(LineCorpus(path / "sub/a")) == [["a", "b"]]
    assert list(LineCorpus(path / "b")) == [["c"]]
    with pytest.raises(CorpusNotFoundError, match=r"no file 'c' in the archive .*text\.zip"):
        list(LineCorpus(path / "c"))
    with pytest.raises(CorpusFileError, match=r"archive of 2 files; name one .*text\.zip/sub/a"):
        list(LineCorpus(path))


@pytest.mark.slow
def test_files_of_an_archive_of_many_are_found_in_time_that_is_in_step_with_them(tmp_path):
    path = tmp_path / "text.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(40_000):
            archive.writestr(zipfile.ZipInfo(f"{number}"), f"a{number}\n")
    with little_work():
        for number in range(0, 40_000, 200):
            assert list(LineCorpus(path / f"{number}")) == [[f"a{number}"]]


def test_an_archive_that_is_replaced_is_read_anew(tmp_path):
    path = zipped(tmp_path / "text.zip", {"a": "a b\n", "b": "c\n"})
    assert list(LineCorpus(path / "b")) == [["c"]]
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("c", "d\n")
    assert list(LineCorpus(path / "c")) == [["d"]]
    zipped(path, {"b": "e\n"})
    assert list(LineCorpus(path / "b")) == [["e"]]
    with pytest.raises(CorpusNotFoundError, match="no file 'c'"):
        list(LineCorpus(path / "c"))


def test_a_damaged_archive_is_an_error_that_names_it(tmp_path):
    path = zipped(tmp_path / "text.zip", {"a": "a b\n" * 1000})
    data = path.read_bytes()
    for bad in (data[:-30], data[:40] + b"\0" * 10 + data[50:]):
        path.write_bytes(bad)
        with pytest.raises(CorpusFileError, match=r"text\.zip"):
            list(LineCorpus(path))


@pytest.mark.parametrize("bad", [b"\xff", b"\xc3(", b"\xe2\x82"])
def test_bad_bytes_are_located(tmp_path, bad):
    path = written(tmp_path, b"good\nab " + bad + b"\nmore\n")
    with pytest.raises(CorpusError, match=r"text, line 2, byte 4: not UTF-8"):
        list(LineCorpus(path))
    assert len(list(LineCorpus(path, errors="replace"))) == 3
    assert "\ufffd" in list(LineCorpus(path, errors="replace"))[1][1]
    assert next(iter(LineCorpus(path, errors="ignore"))) == ["good"]


def test_bad_options_are_refused(tmp_path):
    with pytest.raises(ConfigError, match="errors must be"):
        LineCorpus(tmp_path / "x", errors="wrong")
    with pytest.raises(ConfigError, match="limit"):
        LineCorpus(tmp_path / "x", limit=-1)


def test_damaged_xz_file_is_not_said_to_want_memory(tmp_path):
    data = bytearray(lzma.compress(random.Random(1).randbytes(1000).hex().encode()))
    data[len(data) // 2] ^= 0xFF
    path = written(tmp_path, bytes(data), "text.xz")
    with pytest.raises(CorpusFileError, match=r"cannot be read past line 0: Corrupt input data"):
        list(LineCorpus(path))


@pytest.mark.parametrize("packed", [0, 1000, 10**6])
def test_packed_file_may_hold_64_mib_and_200_times_its_size(packed):
    most = 64 * 2**20 + 200 * packed
    pieces = iter([bytes(most), bytes(1)])
    stream = bounded(SimpleNamespace(read=lambda size: next(pieces), fileno=None), packed)
    assert len(stream.read(-1)) == most
    with pytest.raises(ValueError, match=f"packed to {packed:,} bytes .* than 200 times"):
        stream.read(1)
