from __future__ import annotations

import bz2
import gzip
import lzma

import pytest

from gensim_bilbowa import LineCorpus
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


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz"])
def test_compressed_files_are_read(tmp_path, suffix):
    pack = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}[suffix]
    path = written(tmp_path, pack("ä b\n\nc\n".encode()), "text" + suffix)
    assert list(LineCorpus(path)) == [["ä", "b"], [], ["c"]]


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


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz"])
def test_cut_off_archive_fails_and_names_the_line_reached(tmp_path, suffix):
    pack = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}[suffix]
    lines = "".join(f"line {n} {n * 7919 % 10007}\n" for n in range(200_000))
    data = pack(lines.encode())
    path = written(tmp_path, data[: len(data) * 2 // 3], "text" + suffix)
    with pytest.raises(CorpusFileError, match=rf"text\{suffix} cannot be read past line \d+"):
        list(LineCorpus(path))


def test_text_that_is_no_archive_fails(tmp_path):
    with pytest.raises(CorpusFileError, match=r"text\.gz cannot be read past line 0"):
        list(LineCorpus(written(tmp_path, "plain\n", "text.gz")))


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
