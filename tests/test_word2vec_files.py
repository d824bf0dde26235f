"""Files of one language's vectors: what gensim, fastText and others write is read, or refused."""

from __future__ import annotations

import bz2
import gzip
import logging
import lzma
import pickle
import struct
import tracemalloc

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given, settings
from hypothesis import strategies as st

from gensim_bilbowa.corpora import files
from gensim_bilbowa.errors import ConfigError, CorpusFileError, FormatError
from gensim_bilbowa.formats import read_vectors
from gensim_bilbowa.formats.word2vec import check_words, write_counts, write_rows


def drawn(n, size, seed=0):
    vectors = KeyedVectors(size)
    matrix = (
        np.random.default_rng(seed).normal(size=(n, size)) * 10.0 ** np.arange(-3, n - 3)[:, None]
    )
    vectors.add_vectors([f"wört{i}" for i in range(n)], matrix.astype(np.float32))
    for i in range(n):
        vectors.set_vecattr(f"wört{i}", "count", 1000 - i)
    return vectors


def same(a, b):
    assert a.index_to_key == b.index_to_key
    assert a.key_to_index == b.key_to_index
    assert a.vectors.dtype == b.vectors.dtype == np.float32
    np.testing.assert_array_equal(a.vectors, b.vectors)


def read(tmp_path, text, **options):
    path = tmp_path / options.pop("name", "x.vec")
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_vectors(path, **options)


def refused(tmp_path, text, match, **options):
    with pytest.raises(FormatError, match=match):
        read(tmp_path, text, **options)


# ---- with gensim


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("limit", [None, 0, 1, 7, 20, 30])
def test_what_gensim_writes_is_read_as_gensim_does(tmp_path, binary, limit):
    path = tmp_path / "x"
    drawn(20, 33).save_word2vec_format(str(path), binary=binary)
    found = read_vectors(path, limit=limit)
    whole = KeyedVectors.load_word2vec_format(str(path), binary=binary)
    assert found.index_to_key == whole.index_to_key[:limit]
    np.testing.assert_array_equal(found.vectors, whole.vectors[:limit])
    assert len(found) == found.next_index == len(found.vectors)


@pytest.mark.parametrize("binary", [False, True])
def test_what_we_write_is_what_gensim_writes(tmp_path, binary):
    vectors = drawn(20, 7)
    write_rows(tmp_path / "ours", vectors, binary=binary)
    write_counts(tmp_path / "ours.counts", vectors)
    vectors.save_word2vec_format(
        str(tmp_path / "gensim"), fvocab=str(tmp_path / "gensim.counts"), binary=binary
    )
    assert (tmp_path / "ours").read_bytes() == (tmp_path / "gensim").read_bytes()
    assert (tmp_path / "ours.counts").read_bytes() == (tmp_path / "gensim.counts").read_bytes()


def test_vectors_read_take_more_words_as_gensims_do(tmp_path):
    vectors = read(tmp_path, "2 2\na 1 2\nb 3 4\n")
    vectors.add_vectors(["c"], np.ones((1, 2), np.float32))
    assert vectors.most_similar("c", topn=2)[0][0] == "b"
    assert vectors["c"].tolist() == [1, 1]


@settings(max_examples=30)
@given(st.data(), st.booleans(), st.integers(1, 5), st.integers(64, 300))
def test_any_words_and_numbers_come_back(tmp_path_factory, data, binary, size, piece):
    text = st.text(st.characters(codec="utf-8"), min_size=1, max_size=4).filter(
        lambda word: word.encode().split() == [word.encode()] and word[0] != "\ufeff"
    )
    words = data.draw(st.lists(text, unique=True, max_size=8))
    numbers = st.floats(width=32, allow_nan=False, allow_infinity=False)
    rows = [data.draw(st.lists(numbers, min_size=size, max_size=size)) for _ in words]
    vectors = KeyedVectors(size)
    vectors.add_vectors(words, np.array(rows, np.float32).reshape(-1, size))
    vectors.expandos["count"] = np.arange(len(words))
    path = tmp_path_factory.mktemp("any") / "x"
    write_rows(path, vectors, binary=binary)
    write_counts(path.with_suffix(".counts"), vectors)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "_BLOCK_BYTES", piece)
        found = read_vectors(path, binary=binary, counts=path.with_suffix(".counts"))
    same(found, vectors)
    assert found.expandos["count"].tolist() == list(range(len(words)))


# ---- other writers


def test_fasttext_file_is_read(tmp_path):
    # fastText's saveVectors: a header, "</s>" first, and a space after each number.
    text = "4 3\n</s> 0.1 -0.2 3 \nder 1 0 0 \nNew York 1e-05 0 0 \n1\u00a0000 0.5 0 0 \n"
    found = read(tmp_path, text)
    assert found.index_to_key == ["</s>", "der", "New York", "1\u00a0000"]
    assert found["</s>"].tolist() == np.float32([0.1, -0.2, 3]).tolist()


@pytest.mark.parametrize("character", ["\x85", "\u2028", "\xa0", "\x1c", "\x0c", "\u3000", "\r"])
def test_only_line_feeds_end_lines_and_only_spaces_and_tabs_separate(tmp_path, character):
    found = read(tmp_path, f"2 2\na{character}b 1 2\n{character} 3 4\n", binary=False)
    assert found.index_to_key == [f"a{character}b", character]


def test_file_without_header_is_read(tmp_path):
    found = read(tmp_path, "the 0.5 -1\n. . . 2 3\n", name="glove.txt")
    assert found.index_to_key == ["the", ". . ."]
    assert found.vectors.tolist() == [[0.5, -1], [2, 3]]


def test_windows_lines_tabs_byte_order_mark_and_blank_lines_at_the_end_are_read(tmp_path):
    found = read(tmp_path, "\ufeff2\t2\r\na\t1\t2\r\nb c 3\t4\t\r\n\r\n\n")
    assert found.index_to_key == ["a", "b c"]
    assert found.vectors.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("suffix", "pack"),
    [("", bytes), (".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)],
)
@pytest.mark.parametrize("kind", [".vec", ".bin"])
def test_packed_files_are_read(tmp_path, suffix, pack, kind):
    vectors = drawn(4, 5)
    write_rows(tmp_path / "plain", vectors, binary=kind == ".bin")
    packed = tmp_path / f"x{kind}{suffix}"
    packed.write_bytes(pack((tmp_path / "plain").read_bytes()))
    same(read_vectors(packed), vectors)


def test_binary_rows_may_end_in_a_line_feed(tmp_path):
    # word2vec.c writes one, gensim does not.
    text = b"2 2\na " + struct.pack("<2f", 1, 2) + b"\nb " + struct.pack("<2f", 3, 4) + b"\n"
    found = read(tmp_path, text, name="x.bin")
    assert found.index_to_key == ["a", "b"]
    assert found.vectors.tolist() == [[1, 2], [3, 4]]


def test_binary_rows_are_the_same_wherever_a_file_is_parted(tmp_path, monkeypatch):
    vectors = drawn(5, 3)
    write_rows(tmp_path / "x.bin", vectors, binary=True)
    for piece in range(16, 100):  # from the header's length on
        monkeypatch.setattr(files, "_BLOCK_BYTES", piece)
        same(read_vectors(tmp_path / "x.bin"), vectors)


def test_word_between_tabs_may_look_like_a_number(tmp_path):
    found = read(tmp_path, "2 2\n3.141\t1\t2\n-1.500e3\t3\t4\n")
    assert found.index_to_key == ["3.141", "-1.500e3"]
    assert found.vectors.tolist() == [[1, 2], [3, 4]]


def test_first_of_equal_words_counts_and_the_others_are_logged(tmp_path, caplog):
    with caplog.at_level(logging.WARNING):
        found = read(tmp_path, "5 1\na 1\nb 2\na 3\na 4\nc 5\n")
    assert found.index_to_key == ["a", "b", "c"]
    assert found.vectors.tolist() == [[1], [2], [5]]
    assert "x.vec: 2 rows left out" in caplog.text


# ---- refused


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "x.vec is empty"),
        ("house\n", "x.vec, line 1: the number of words and the vector size"),
        ("-1 2\n", "line 1: the number of words"),
        ("1 0\na\n", "vector size must be 1 to 1,000,000, the header says 0"),
        ("1 1000001\na 1\n", "vector size must be"),
        ("2 2\na 1 2\n", "the header says 2 words, the file ends after 1"),
        ("1 2\na 1 2\nb 1 2\n", "line 3: the header says 1 words, here is one more"),
        ("1 2\na 1\n", "line 2: a word and 2 numbers are wanted, got 2 fields"),
        ("2 2\na 1 2\nb 0.125 0.250 0.375\n", "line 3: a word and 2 numbers .* got 4 fields"),
        ("2 2\na 1 2\n\nb 1 2\n", "line 3: a blank line"),
        ("1 2\na 1 x\n", "line 2: b'x' is not a number"),
        ("1 2\na 1  2\n", "line 2: b'' is not a number"),
        ("1 2\na 1_0 2\n", "line 2: b'1_0' is not a number"),
        ("1 2\na 1 nan\n", "line 2: the vector of 'a' is not finite"),
        ("2 2\na 1 2\nb -inf 2\n", "line 3: the vector of 'b' is not finite"),
        ("2 2\na 1 2\nb 1e39 2\n", "line 3: the vector of 'b' is not finite"),
        (b"2 2\na 1 2\nb\xff 1 2\n", r"line 3: the word b'b\\xff' is not UTF-8"),
        ("a 1 2\nb 1\n", "line 2: a word and 2 numbers are wanted"),
        ("2 3\nhouse 1 2 3\n1999 1 2\n", "line 3: a word and 3 numbers are wanted, got 3 fields"),
    ],
)
def test_damaged_text_is_refused_with_its_place(tmp_path, text, match):
    refused(tmp_path, text, match, binary=False)


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(["7", "-1", "0.5", "1e3", "x", "é"]), min_size=1, max_size=4),
    st.integers(2, 5),
    st.sampled_from([" ", "\t"]),
)
def test_row_is_taken_only_if_a_word_is_before_the_numbers(tmp_path_factory, fields, size, mark):
    row = mark.join(fields)
    path = tmp_path_factory.mktemp("rows") / "x.vec"
    path.write_text(f"2 {size}\nhouse{' 1' * size}\n{row}\n", encoding="utf-8")
    numbers = fields[-size:]
    if len(fields) > size and not {"x", "é"} & set(numbers):
        found = read_vectors(path, binary=False)
        word = row[: -len(mark.join(numbers)) - 1]
        assert found.index_to_key == ["house", word]
        assert found[word].tolist() == list(map(float, numbers))
        return
    with pytest.raises(FormatError, match="line 3: "):
        read_vectors(path, binary=False)


def test_blank_line_between_blocks_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_BLOCK_BYTES", 1)
    monkeypatch.setattr(files, "_PIECE_BYTES", 1)
    refused(tmp_path, "2 2\na 1 2\n\nb 1 2\n", "line 3: a blank line", binary=False)


ROW = struct.pack("<2f", 1, 2)


@pytest.mark.parametrize(
    ("data", "match"),
    [
        (b"", "the number of words and the vector size are wanted"),
        (b"2\n", "the number of words and the vector size are wanted"),
        (b"2 2\na " + ROW + b"b " + ROW[:5], "binary word 2: the file ends here"),
        (b"2 2\na " + ROW, "binary word 2: the file ends here, the header says 2 words"),
        (b"1 2\na " + ROW + b"b " + ROW, "the header says 1 words, the file has more"),
        (b"2 2\na " + ROW + b"b" * 70000, "binary word 2: no end of it"),
        (b"1 2\na " + struct.pack("<2f", 1, np.nan), "binary word 1: the vector of 'a'"),
        (b"1 2\n\xff " + ROW, r"binary word 1: the word b'\\xff' is not UTF-8"),
        (b"1 2000000\na " + ROW, "vector size must be"),
    ],
)
def test_damaged_binary_is_refused_with_its_place(tmp_path, data, match):
    refused(tmp_path, data, match, binary=True)


@pytest.mark.parametrize("binary", [False, True])
@settings(max_examples=40)
@given(cut=st.integers(0, 10_000))
def test_file_cut_off_anywhere_is_refused(tmp_path_factory, binary, cut):
    path = tmp_path_factory.mktemp("cut") / "x"
    write_rows(path, drawn(6, 12), binary=binary)
    data = path.read_bytes()
    # In text, the last number is one still while a digit of it is left.
    path.write_bytes(data[: cut % (len(data) - 20)])
    with pytest.raises(FormatError, match="x"):
        read_vectors(path, binary=binary)


def test_words_that_are_not_utf8_can_be_replaced(tmp_path):
    found = read(tmp_path, b"1 2\nb\xff 1 2\n", errors="replace")
    assert found.index_to_key == ["b\ufffd"]


@pytest.mark.parametrize("binary", [False, True])
def test_header_takes_no_memory(tmp_path, binary):
    tracemalloc.start()
    try:
        refused(tmp_path, b"999999999999 1000000\na 1 2\n", "x.vec", binary=binary)
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()


def test_damaged_archive_is_an_error_of_the_file(tmp_path):
    packed = gzip.compress(b"2 2\na 1 2\nb 3 4\n")
    with pytest.raises(CorpusFileError, match="cannot be read to its end"):
        read(tmp_path, packed[:-9], name="x.vec.gz")


def test_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no such file of word vectors: .*nowhere"):
        read_vectors(tmp_path / "nowhere")


def test_fasttext_model_is_refused_with_what_opens_it(tmp_path):
    magic = struct.pack("<ii", 793712314, 12) + bytes(100)
    refused(tmp_path, magic, r"the \.vec file beside it, or .*load_facebook_vectors", name="m.bin")


@pytest.mark.parametrize("options", [{"limit": -1}, {"limit": 1.5}, {"errors": "loose"}])
def test_options_that_cannot_be_are_refused(tmp_path, options):
    with pytest.raises(ConfigError, match=next(iter(options))):
        read(tmp_path, "1 2\na 1 2\n", **options)


class Trap:
    """Its pickle makes a file when it is opened."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


@pytest.mark.parametrize("name", ["x", "x.vec", "x.bin", "x.txt", "x.vec.gz", "x.kv"])
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("binary", [None, True, False])
def test_pickle_is_refused_unopened(tmp_path, name, protocol, binary):
    data = pickle.dumps(Trap(tmp_path / "sprung"), protocol)
    data = gzip.compress(data) if name.endswith(".gz") else data
    refused(tmp_path, data, name, name=name, binary=binary)
    assert not (tmp_path / "sprung").exists()


# ---- counts


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("a 1\n", r"x.counts has no count for 'b' \(1 such words\)"),
        ("a 1\nb\n", "x.counts, line 2: a word and its count are wanted"),
        ("a 1\nb -2\n", "x.counts, line 2"),
        ("a 1\nb 99999999999999999999\n", "x.counts, line 2"),
        (b"a 1\n\xff 1\n", "x.counts, line 2, byte 1: not UTF-8"),
    ],
)
def test_damaged_counts_are_refused(tmp_path, text, match):
    (tmp_path / "x.counts").write_bytes(text if isinstance(text, bytes) else text.encode())
    refused(tmp_path, "2 1\na 1\nb 2\n", match, counts=tmp_path / "x.counts")


def test_counts_of_other_words_do_no_harm(tmp_path):
    (tmp_path / "x.counts").write_text("c 1\nb 3\na 7\n", encoding="utf-8")
    found = read(tmp_path, "2 1\na 1\nb 2\n", counts=tmp_path / "x.counts")
    assert [found.get_vecattr(word, "count") for word in "ab"] == [7, 3]


@pytest.mark.parametrize("word", ["", "a b", "a\tb", "a\nb", "a\r", "\x0b", "\ud800", "\ufeffa", 3])
def test_words_that_the_format_cannot_hold_are_named(word):
    with pytest.raises(FormatError, match="'en': the word "):
        check_words([word], "'en'")
