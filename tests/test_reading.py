"""Compiled reading gives what Python's own splitting and counting give, errors included."""

from __future__ import annotations

import bz2
import gc
import gzip
import os
import random
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
import tracemalloc
from collections import Counter
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from processes import running
from samples import bilbowa_threads

from gensim_bilbowa import BilBOWA, LineCorpus, ParallelSentences, kernels
from gensim_bilbowa.corpora import collect, compiled_reading, encode_pairs, encode_sentences, files
from gensim_bilbowa.corpora.compiled_reading import TextFile, count_words
from gensim_bilbowa.corpora.encode import encode_files
from gensim_bilbowa.errors import (
    BilBOWAError,
    CorpusError,
    CorpusFileError,
    ParallelDataError,
)
from gensim_bilbowa.modelling.counting import WordCounter

EN_DE = {"languages": ("en", "de")}
IN_FOLDER = settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])

# White space of all kinds, its neighbours, and characters of one to four bytes.
CHARACTERS = (
    "ab \t\n\r\x0b\x0c\x08\x0e\x1b\x1c\x1d\x1e\x1f!\x00\x7f\x80\x84\x85\x86\x9f\xa0\xa1\u167f\u1680"
    "\u1fff\u2000\u2005\u200a\u200b\u2027\u2028\u2029\u202a\u202f\u2030\u205f\u2060\u3000\u3001"
    "\ufeff\ufffd\uffffä日\ud7ff\ue000\U00010000😀\U0010ffff"
)
# Good and bad UTF-8: overlong forms, surrogates, code points that are too high, parts.
PIECES = [
    *(c.encode() for c in CHARACTERS), b"\r\n", b"word", b"w" * 17, b"x" * 70, b"\n\n", b"a\tb\n",
]  # fmt: skip
BAD = [
    b"\xff", b"\xc3", b"\xc0\x80", b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xed\xa0\x80", b"\xed\xbf\xbf",
    b"\xf0\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xe2\x80", b"\xf0\x9f\x98",
    b"\x80", b"\xe2(\xa1", b"\xf0\x9f(\x80",
]  # fmt: skip
GOOD_BYTES = st.lists(st.sampled_from(PIECES), max_size=60).map(b"".join)
ANY_BYTES = st.lists(st.sampled_from([*PIECES, *BAD]), max_size=40).map(b"".join)


@pytest.fixture(autouse=True)
def _no_thread_is_left():
    yield
    assert not [t for t in threading.enumerate() if t.name.startswith("bilbowa")]


@pytest.fixture(params=[1, 7, 64, 1 << 20])
def block_bytes(request, monkeypatch):
    monkeypatch.setattr(files, "_BLOCK_BYTES", request.param)
    monkeypatch.setattr(files, "_PIECE_BYTES", min(request.param, 1 << 16))


def written(path, data):
    path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
    return path


def outcome(call):
    """Return what a call returns, or its error's kind and text."""
    try:
        return call()
    except BilBOWAError as error:
        return type(error), str(error)


def decoding_error(call):
    """Return where and why a call finds that something is not UTF-8, or None."""
    try:
        call()
    except UnicodeDecodeError as error:
        return error.start, error.reason
    return None


def count(inputs, workers):
    counters = {code: WordCounter(code, None, 10_000, None) for code in inputs.languages}
    if workers:
        inputs.count(counters, workers)
    else:
        inputs.read(counters)
    return {c: (list(k.counts.items()), k.sentences, k.words) for c, k in counters.items()}


def plain(corpus):
    return corpus.ids.tolist(), corpus.offsets.tolist(), corpus.raw_words


def some_words(sentences, share=2):
    words = sorted({word for sentence in sentences for word in sentence})[::share]
    return {word: index for index, word in enumerate(words)}


# ---- words


@settings(max_examples=300)
@given(GOOD_BYTES, st.integers(0, 70))
def test_words_are_those_of_split(data, shift):
    data = b" " * shift + data  # so that characters cross the edges of chunks
    table = kernels.WordTable()
    lines, words = table.count(data)
    text = data.decode("utf-8")
    assert list(table.counts().items()) == list(Counter(text.split()).items())
    assert words == len(text.split())
    assert lines == len(text.removesuffix("\n").split("\n")) if text else lines == 0


@pytest.mark.parametrize("before", [0, 1, 60, 61, 62, 63, 64, 65])
def test_every_character_parts_words_or_not_as_in_split(before):
    for number in [*range(0x3100), 0xFEFF, 0xFFFF, 0x10000, 0x10FFFF]:
        data = ("x" * before + chr(number) + "y").encode()
        table = kernels.WordTable()
        table.count(data)
        assert list(table.counts()) == list(dict.fromkeys(data.decode().split())), hex(number)


@settings(max_examples=300)
@given(ANY_BYTES, st.integers(0, 70))
def test_utf8_is_refused_where_decode_refuses_it(data, shift):
    data = b"x" * shift + data
    error = decoding_error(data.decode)
    assert decoding_error(lambda: kernels.WordTable().count(data)) == error
    assert decoding_error(lambda: kernels.Vocabulary({"x": 0}).encode(data)) == error


def test_every_pair_and_triple_of_leading_bytes_is_judged_as_by_decode():
    for first in range(0x80, 0x100):
        for second in (0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF):
            for rest in (b"", b"\x80", b"\x80\x80", b"\xbf\xbf\xbf", b"\x80 "):
                data = bytes([first, second]) + rest
                table = kernels.WordTable()
                error = decoding_error(lambda data=data, table=table: table.count(data))
                assert error == decoding_error(data.decode), data


def test_table_grows_and_keeps_the_order():
    words = [f"{n * 7919 % 200_003}" + "x" * (n % 40) for n in range(200_000)]
    table = kernels.WordTable()
    table.count(" ".join(words + words[::2]).encode())
    counts = table.counts()
    assert list(counts) == words
    assert list(counts.values()) == [2 - n % 2 for n in range(200_000)]


def test_tables_merge_in_the_order_of_places():
    one, two = kernels.WordTable(), kernels.WordTable()
    two.count(b"a b c", 0)
    one.count(b"c d a", 100)
    one.merge(two)
    assert list(one.counts().items()) == [("a", 2), ("b", 1), ("c", 2), ("d", 1)]
    with pytest.raises(ValueError, match="another table"):
        one.merge(one)


def test_vocabulary_gives_the_ids_it_was_given():
    vocabulary = kernels.Vocabulary({"b": 7, "a\ud800": 1, "ä": 0, "": 3, "long" * 9: 2})
    ids, known, blank, words = vocabulary.encode(f"ä b ä\n\x85\nx\n{'long' * 9} b".encode())
    assert ids.tolist() == [0, 7, 0, 2, 7]
    assert known.tolist() == [3, 0, 0, 2]
    assert blank.tolist() == [False, True, False, False]
    assert words == 6
    for wrong in (-1, 2**31):
        with pytest.raises(ValueError, match="an id from 0"):
            kernels.Vocabulary({"a": wrong})


def test_text_that_is_no_bytes_is_refused():
    for text in ("a", None, bytearray(b"a")):
        with pytest.raises(TypeError):
            kernels.WordTable().count(text)
        with pytest.raises(TypeError):
            kernels.Vocabulary({}).encode(text)
    with pytest.raises(ValueError, match="column < wanted"):
        kernels.take_column(b"a", 1, 1)


# ---- files


@pytest.mark.parametrize("workers", [1, 2, 3])
@IN_FOLDER
@given(data=ANY_BYTES, errors=st.sampled_from(["strict", "replace", "ignore"]), bom=st.booleans())
def test_files_are_counted_and_encoded_as_in_python(
    tmp_path, block_bytes, workers, data, errors, bom
):
    path = written(tmp_path / "text", b"\xef\xbb\xbf" * bom + data)
    corpus = LineCorpus(path, errors=errors)
    inputs = collect({"en": corpus}, None, None)
    expected = outcome(lambda: count(inputs, 0))
    assert outcome(lambda: count(inputs, workers)) == expected
    if isinstance(expected, dict):
        keys = some_words(corpus)
        ((got, blank),) = encode_files([TextFile(corpus)], [keys], 10**9, workers=workers)
        assert plain(got) == plain(encode_sentences(corpus, keys, 10**9))
        assert blank.tolist() == [not sentence for sentence in corpus]


@IN_FOLDER
@given(data=GOOD_BYTES, limit=st.integers(0, 9))
def test_limit_is_kept(tmp_path, block_bytes, data, limit):
    corpus = LineCorpus(written(tmp_path / "text", data), limit=limit)
    inputs = collect({"en": corpus}, None, None)
    assert len(list(corpus)) == min(limit, len(list(LineCorpus(corpus.path))))
    assert count(inputs, 2) == count(inputs, 0)


@pytest.mark.parametrize("workers", [1, 3])
@IN_FOLDER
@given(one=ANY_BYTES, two=ANY_BYTES)
def test_two_files_are_encoded_as_in_python(tmp_path, block_bytes, workers, one, two):
    paths = written(tmp_path / "one", one), written(tmp_path / "two", two)
    pairs = ParallelSentences(*paths, **EN_DE)
    inputs = collect(None, None, pairs)
    expected = outcome(lambda: count(inputs, 0))
    got = outcome(lambda: count(inputs, workers))
    if isinstance(expected, dict):
        assert got == expected
        rows = list(pairs)
        keys = tuple(some_words(side) for side in zip(*rows, strict=True)) or ({}, {})
        encoded = encode_pairs(pairs, keys, 10**9, workers=workers)
        python = encode_pairs(ParallelSentences(rows, **EN_DE), keys, 10**9)
        assert [plain(side) for side in encoded.sides] == [plain(side) for side in python.sides]
        assert encoded.usable.tolist() == python.usable.tolist()
        assert (encoded.blank, encoded.unknown) == (python.blank, python.unknown)
    else:
        # Which of several faults is met first may differ.
        assert issubclass(got[0], CorpusError)
        if "differ in length" in expected[1]:
            assert got == expected


ROWS = st.lists(
    st.sampled_from([b"a b\tc", b"a\tb c\td", b" \t ", b"", b"one", b"\xff\tb", b"\t\t", b"\x85",
                     "ä\u3000b\t日".encode(), b"x\ty\r", b"\r"]),
    max_size=12,
)  # fmt: skip


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("columns", [(0, 1), (1, 0), (2, 0)])
@IN_FOLDER
@given(rows=ROWS, errors=st.sampled_from(["strict", "replace"]), end=st.sampled_from([b"", b"\n"]))
def test_tables_are_encoded_as_in_python(
    tmp_path, block_bytes, workers, columns, rows, errors, end
):
    path = written(tmp_path / "table", b"\n".join(rows) + end)
    pairs = ParallelSentences(path, **EN_DE, columns=columns, errors=errors)
    inputs = collect(None, None, pairs)
    expected = outcome(lambda: count(inputs, 0))
    assert outcome(lambda: count(inputs, workers)) == expected
    if isinstance(expected, dict):
        keys = tuple(some_words(s) for s in zip(*pairs, strict=True)) or ({}, {})
        encoded = encode_pairs(pairs, keys, 10**9, workers=workers)
        python = encode_pairs(ParallelSentences(list(pairs), **EN_DE), keys, 10**9)
        assert [plain(side) for side in encoded.sides] == [plain(side) for side in python.sides]
        assert (encoded.blank, encoded.unknown) == (python.blank, python.unknown)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_archives_of_many_blocks_are_read_in_order(tmp_path, monkeypatch, pack):
    monkeypatch.setattr(files, "_BLOCK_BYTES", 1 << 12)
    draw = random.Random(1)
    lines = [" ".join(f"w{int(draw.paretovariate(0.5))}" for _ in range(9)) for _ in range(5000)]
    suffix = {gzip.compress: "gz", bz2.compress: "bz2"}[pack]
    corpus = LineCorpus(written(tmp_path / f"text.{suffix}", pack("\n".join(lines).encode())))
    inputs = collect({"en": corpus}, None, None)
    expected = count(inputs, 0)
    for workers in (1, 2, 3):
        assert count(inputs, workers) == expected
        keys = some_words(corpus)
        ((got, _),) = encode_files([TextFile(corpus)], [keys], 1000, workers=workers)
        assert isinstance(got.ids, np.memmap)
        assert plain(got) == plain(encode_sentences(corpus, keys, 10**9))


# ---- errors


@pytest.fixture
def tiny_blocks(monkeypatch):
    monkeypatch.setattr(files, "_BLOCK_BYTES", 50)
    monkeypatch.setattr(files, "_PIECE_BYTES", 50)


@pytest.mark.parametrize("workers", [1, 3])
def test_earliest_bad_line_is_named(tmp_path, tiny_blocks, workers):
    lines = [b"good %d" % n for n in range(1000)]
    lines[400] = b"ab \xff"
    for later in (401, 409, 430, 999):
        lines[later] = b"\xfe"
    inputs = collect({"en": written(tmp_path / "text", b"\n".join(lines))}, None, None)
    with pytest.raises(CorpusError, match=r"text, line 401, byte 4: not UTF-8 \(0xff\)"):
        count(inputs, workers)


def test_bad_line_before_the_end_of_a_damaged_archive_is_named(tmp_path, tiny_blocks):
    data = gzip.compress(b"".join(b"%d \xff\n" % (n * 7919 % 10007) for n in range(20_000)))
    path = written(tmp_path / "text.gz", data[:-1000])
    with pytest.raises(CorpusError, match=r"line 1, byte 3"):
        count(collect({"en": path}, None, None), 3)


@pytest.mark.parametrize("workers", [1, 3])
def test_cut_off_archive_is_named_with_the_line_reached(tmp_path, workers):
    lines = "".join(f"line {n} {n * 7919 % 10007}\n" for n in range(100_000))
    data = gzip.compress(lines.encode())
    path = written(tmp_path / "text.gz", data[: len(data) // 2])
    with pytest.raises(CorpusFileError, match=r"text\.gz cannot be read past line \d{4,}"):
        count(collect({"en": path}, None, None), workers)


def test_line_that_is_too_long_is_named_after_those_before_it(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_LONGEST_LINE", 6)
    path = written(tmp_path / "text", "a b c\nd\n1234567\ne\n")
    reading_ = iter(LineCorpus(path))
    assert [next(reading_), next(reading_)] == [["a", "b", "c"], ["d"]]
    with pytest.raises(CorpusError, match="line 3: longer than 6 bytes"):
        next(reading_)
    with pytest.raises(CorpusError, match="line 3: longer than 6 bytes"):
        count(collect({"en": path}, None, None), 2)
    assert count(collect({"en": LineCorpus(path, limit=2)}, None, None), 2)["en"][1:] == (2, 4)


def test_unequal_files_name_both_lengths(tmp_path, tiny_blocks):
    one, two = written(tmp_path / "one", "a b\n" * 100), written(tmp_path / "two", "x\n" * 333)
    pairs = ParallelSentences(one, two, **EN_DE)
    message = r"en-de: .*en \(.*one\) has 100 sentences, de \(.*two\) has 333"
    with pytest.raises(ParallelDataError, match=message):
        count(collect(None, None, pairs), 2)
    with pytest.raises(ParallelDataError, match=message):
        encode_pairs(pairs, ({"a": 0}, {"x": 0}), 10**9)


@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt])
def test_error_in_a_thread_or_an_interrupt_ends_all_threads(tmp_path, tiny_blocks, error):
    path = written(tmp_path / "text", "a b c\n" * 10_000)

    def work(side, place, text):
        if place == 20:
            raise error("no")
        return place

    got = []
    with pytest.raises(error, match="no"):
        got.extend(p for _, p in compiled_reading.read_sides([TextFile(LineCorpus(path))], work, 3))
    assert got == list(range(20))


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_reading_that_is_broken_off_ends_its_threads_and_closes_the_file(tmp_path, tiny_blocks):
    path = written(tmp_path / "text", "a b c\n" * 10_000)
    results = compiled_reading.read_sides([TextFile(LineCorpus(path))], lambda *_: None, 3)
    next(results)
    results.close()
    links = [str(link.resolve()) for link in (tmp_path / "/proc/self/fd").iterdir()]
    assert str(path) not in links


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="makes a named pipe")
def test_ctrl_c_ends_the_reading_of_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    code = f"""
        import threading
        from gensim_bilbowa import BilBOWA

        try:
            BilBOWA(workers=3).build_vocab({{"en": {str(tmp_path / "pipe")!r}, "de": [["a"]]}})
        except KeyboardInterrupt:
            left = [t.name for t in threading.enumerate() if t is not threading.main_thread()]
            print("interrupted, threads left:", left)
    """
    command = [sys.executable, "-P", "-c", textwrap.dedent(code)]
    with (
        running(command, stdout=subprocess.PIPE, text=True) as process,
        (tmp_path / "pipe").open("wb") as pipe,
    ):
        pipe.write(b"a b c\n" * 1_000_000)
        pipe.flush()
        time.sleep(0.3)  # until it waits for more
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate()
    assert output == "interrupted, threads left: []\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="makes a named pipe")
def test_pipe_is_counted_since_a_vocabulary_needs_one_reading(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    text = b"a b\n" * 100_000
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=[text])
    writer.start()
    model = BilBOWA(vector_size=4, min_count=1)
    model.build_vocab({"en": tmp_path / "pipe", "de": [["x", "y"]]})
    writer.join()
    assert model["en"].corpus_total_words == 200_000


def test_blocks_in_flight_are_few(tmp_path, tiny_blocks, monkeypatch):
    path = written(tmp_path / "text", "a b c\n" * 10_000)
    read = []
    original = LineCorpus.blocks

    def blocks(self):
        for block in original(self):
            read.append(block.line)
            yield block

    monkeypatch.setattr(LineCorpus, "blocks", blocks)
    for done, _ in enumerate(
        compiled_reading.read_sides([TextFile(LineCorpus(path))], lambda *_: None, 2), start=1
    ):
        assert len(read) - done <= 2 + compiled_reading._AHEAD


def test_memory_is_that_of_the_vocabulary(tmp_path):
    path = written(tmp_path / "text", b"a b c d e f g h\n" * 2_000_000)
    tracemalloc.start()
    try:
        (counts,) = count_words([TextFile(LineCorpus(path))], 2, lambda *_: None)
        assert tracemalloc.get_traced_memory()[1] < 20e6
    finally:
        tracemalloc.stop()
    assert counts == dict.fromkeys("abcdefgh", 2_000_000)


# ---- what is read in Python


class Lowered(LineCorpus):
    def __iter__(self):
        for sentence in super().__iter__():
            yield [word.lower() for word in sentence]


def test_derived_classes_are_read_their_own_way(tmp_path):
    path = written(tmp_path / "text", "A b\nB\n")
    inputs = collect({"en": Lowered(path)}, None, None)
    assert count(inputs, 2)["en"][0] == [("a", 1), ("b", 2)]
    pairs = ParallelSentences(Lowered(path), LineCorpus(path), **EN_DE)
    assert count(collect(None, None, pairs), 2)["en"][0] == [("a", 1), ("b", 2)]
    encoded = encode_pairs(pairs, ({"a": 0, "b": 1}, {"A": 0}), 10**9)
    assert encoded.sides[0].ids.tolist() == [0, 1, 1]


def test_texts_of_several_forms_are_counted_together(tmp_path):
    one, two = written(tmp_path / "one", "a b\nc\n"), written(tmp_path / "two", "x\ny z\n")
    parallel = [
        ParallelSentences(one, two, **EN_DE),
        ParallelSentences([(["u", "a"], ["x"])], **EN_DE),
        ParallelSentences(two, one, languages=("fr", "en")),
    ]
    inputs = collect({"de": [["x", "q"]]}, None, parallel)
    assert count(inputs, 2) == count(inputs, 0)


def test_model_is_the_same_whoever_reads(tmp_path):
    draw = random.Random(2)
    rows = [
        ([f"e{draw.randrange(30)}" for _ in range(6)], [f"d{draw.randrange(30)}" for _ in range(6)])
        for _ in range(200)
    ]
    paths = [
        written(tmp_path / name, "".join(" ".join(row[side]) + "\n" for row in rows))
        for side, name in enumerate(("one", "two"))
    ]
    options = {"vector_size": 8, "min_count": 1, "epochs": 1, "workers": 1}
    read, given_ = (
        BilBOWA(parallel=ParallelSentences(*sides, **EN_DE), **options)
        for sides in (paths, [list(side) for side in zip(*rows, strict=True)])
    )
    pruned = BilBOWA(parallel=ParallelSentences(*paths, **EN_DE), **options, max_vocab_size=10**6)
    for model in (given_, pruned):
        assert model.wv_en.index_to_key == read.wv_en.index_to_key
        np.testing.assert_array_equal(model.wv_de.vectors, read.wv_de.vectors)


def test_progress_is_logged_by_blocks(tmp_path, caplog, tiny_blocks):
    inputs = collect({"en": written(tmp_path / "text", "a b\n" * 100)}, None, None)
    counter = WordCounter("en", None, 30, None)
    with caplog.at_level("INFO"):
        inputs.count({"en": counter}, 1)
    assert len(re.findall(r"PROGRESS: en: at sentence #\d+, processed \d+ words", caplog.text)) == 3


@pytest.mark.parametrize("at", ["start", "end"])
def test_ctrl_c_just_before_signals_are_held_back_leaves_no_thread(tmp_path, monkeypatch, at):
    held, calls = compiled_reading.uninterrupted, []

    def uninterrupted():
        calls.append(None)
        if len(calls) == (1 if at == "start" else 2):
            raise KeyboardInterrupt
        return held()

    monkeypatch.setattr(compiled_reading, "uninterrupted", uninterrupted)
    (tmp_path / "text").write_text("a b c\n" * 100, encoding="utf-8")
    gc.disable()
    try:
        with suppress(KeyboardInterrupt):  # caught.value of pytest.raises would hold the threads
            count_words([TextFile(LineCorpus(tmp_path / "text"))], 2, lambda *_: None)
        assert calls
        for thread in bilbowa_threads():
            thread.join()
    finally:
        gc.enable()


# ---- numbers of words


@given(st.lists(st.lists(st.text(CHARACTERS, max_size=12), max_size=5), max_size=4))
def test_words_are_numbered_in_the_order_in_which_they_are_met(texts):
    table, words = kernels.WordTable(), []
    for lines in texts:
        lines = [line.replace("\n", " ") for line in lines]
        ids, counts, new = table.number("".join(f"{line}\n" for line in lines).encode())
        for word in (word for line in lines for word in line.split()):
            if word not in words:
                words.append(word)
        assert new == words[len(words) - len(new) :]
        assert counts.tolist() == [len(line.split()) for line in lines]
        assert [words[i] for i in ids] == [word for line in lines for word in line.split()]
    assert len(table) == len(words)


def test_bytes_that_are_not_utf_8_are_not_numbered():
    with pytest.raises(UnicodeDecodeError):
        kernels.WordTable().number(b"a \xff\n")
