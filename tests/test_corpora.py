"""Odd files, odd iterables and their encoding: no pair shifts, and nothing is lost unsaid."""

from __future__ import annotations

import gzip
import io
import os
import sys
import tempfile
import tracemalloc
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
import smart_open
from gensim.models.word2vec import LineSentence
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gensim_bilbowa import BilBOWA, LineCorpus, ParallelSentences
from gensim_bilbowa.corpora import collect, encode, encode_pairs, encode_sentences, files
from gensim_bilbowa.errors import (
    ConfigError,
    CorpusError,
    CorpusFileError,
    CorpusNotFoundError,
    ParallelDataError,
    TokenError,
)
from gensim_bilbowa.files.filesystem import check_name

EN_DE = {"languages": ("en", "de")}
PAIRS = [(["a"], ["x", "y"]), ([], ["z"]), (["b", "c"], ["w"])]
IN_FOLDER = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


def written(path, data):
    path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
    return path


linux_only = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def open_files(folder):
    names = []
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            names.append(str(descriptor.readlink()))
    return [name for name in names if name.startswith(str(folder))]


# ---- lines

ODD_TEXT = st.text("ab \t\r\n\x0b\x0c\x1c\x85\xa0\u2028\u2029\u3000\ufeff\x00ä日", max_size=30)


@IN_FOLDER
@given(ODD_TEXT)
def test_lines_are_what_newlines_part(tmp_path, text):
    lines = text.removeprefix("\ufeff").split("\n")
    if not lines[-1]:
        lines.pop()
    assert list(LineCorpus(written(tmp_path / "text", text))) == [line.split() for line in lines]


@IN_FOLDER
@given(st.lists(st.tuples(ODD_TEXT, ODD_TEXT), max_size=6))
def test_no_character_but_newline_shifts_pairs(tmp_path, rows):
    rows = [tuple(side.replace("\n", " ").lstrip("\ufeff") for side in row) for row in rows]
    for index, name in enumerate(("one", "two")):
        written(tmp_path / name, "".join(row[index] + "\n" for row in rows))
    pairs = ParallelSentences(tmp_path / "one", tmp_path / "two", **EN_DE)
    assert list(pairs) == [(a.split(), b.split()) for a, b in rows]


def test_byte_order_mark_alone_is_no_line(tmp_path):
    assert list(LineCorpus(written(tmp_path / "text", "\ufeff"))) == []


def test_windows_lines_in_an_archive_lose_both_end_bytes(tmp_path):
    path = written(tmp_path / "text.gz", gzip.compress(b"a b\r\n\r\nc\r\n"))
    assert list(LineCorpus(path)) == [["a", "b"], [], ["c"]]


def test_archive_of_several_members_is_read_to_its_end(tmp_path):
    path = written(tmp_path / "text.gz", gzip.compress(b"a\nb") + gzip.compress(b"c\nd\n"))
    assert list(LineCorpus(path)) == [["a"], ["bc"], ["d"]]


def test_two_readings_at_once_do_not_disturb_each_other(tmp_path):
    corpus = LineCorpus(written(tmp_path / "text", "a\nb\nc\n"))
    assert [x + y for x in corpus for y in corpus] == [list(xy) for xy in (
        "aa", "ab", "ac", "ba", "bb", "bc", "ca", "cb", "cc")]  # fmt: skip


@linux_only
def test_reading_that_is_broken_off_closes_the_file(tmp_path):
    corpus = LineCorpus(written(tmp_path / "text", "a\nb\n"))
    reading = iter(corpus)
    next(reading)
    reading.close()
    assert open_files(tmp_path) == []


def test_limit_stops_before_what_comes_after(tmp_path):
    assert list(LineCorpus(written(tmp_path / "text", b"a\n\xff\n"), limit=1)) == [["a"]]


@pytest.mark.parametrize("limit", [1.5, True, "3"])
def test_limit_that_is_no_whole_number_is_refused(tmp_path, limit):
    with pytest.raises(ConfigError, match="limit must be"):
        LineCorpus(tmp_path / "text", limit=limit)


def test_corpora_of_the_same_file_are_equal(tmp_path):
    path = tmp_path / "text"
    assert LineCorpus(path) == LineCorpus(str(path))
    assert LineCorpus(path) != LineCorpus(path, limit=3)
    assert LineCorpus(path) != str(path)


# ---- names of files


@pytest.mark.parametrize(
    "name",
    [
        "en:wiki.txt",
        "s3:x",
        "a b",
        "50%20",
        "text[1].en",
        "a[b.en",
        "\u65b0\uff1a\u4e00.en",
        "a#b?c",
        'it\'s "so"',
        "two\nlines",
        "日本.txt",
    ],
)
@pytest.mark.parametrize("relative", [True, False])
def test_file_of_any_name_is_read(tmp_path, monkeypatch, name, relative):
    monkeypatch.chdir(tmp_path)
    try:
        check_name(tmp_path / name)
    except OSError:
        pytest.skip("no name of a file here")
    path = written(tmp_path / name, "a b\n")
    assert list(LineCorpus(name if relative else path)) == [["a", "b"]]


def test_address_of_an_unknown_kind_is_refused_by_name():
    with pytest.raises(CorpusFileError, match="cannot open carrier-pigeon://loft/text"):
        list(LineCorpus("carrier-pigeon://loft/text"))


# smart_open leaves the file that it cannot unpack open.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    ("kind", "magic"), [("zst", b"\x28\xb5\x2f\xfd"), ("lz4", b"\x04\x22\x4d\x18")]
)
def test_compression_without_its_package_says_what_to_install(tmp_path, monkeypatch, kind, magic):
    for package in ("backports", "backports.zstd", "zstandard", "compression.zstd", "lz4"):
        monkeypatch.setitem(sys.modules, package, None)
    path = written(tmp_path / "text", magic)
    with pytest.raises(CorpusFileError, match=rf"text: .*pip install 'smart_open\[{kind}\]'"):
        list(LineCorpus(path))


def test_error_of_any_unpacker_names_the_line_reached(tmp_path):
    class Unpacker(io.BufferedReader):
        def read1(self, size=-1):
            if self.tell():
                raise LookupError("corruption detected")
            return super().read(4)

        read = read1

    smart_open.register_compressor(".packed", lambda file, mode: Unpacker(file))
    path = written(tmp_path / "text.packed", "a\nb\nc\n")
    with pytest.raises(CorpusFileError, match=r"text.packed .* past line 2: corruption detected"):
        list(LineCorpus(path))


def test_file_that_vanishes_between_readings_is_named(tmp_path):
    corpus = LineCorpus(written(tmp_path / "text", "a\n"))
    assert len(list(corpus)) == 1
    (tmp_path / "text").unlink()
    with pytest.raises(CorpusNotFoundError, match="text"):
        list(corpus)


def test_file_that_may_not_be_read_is_named(tmp_path):
    if os.name == "nt" or os.geteuid() == 0:
        pytest.skip("root may read everything, and so may all on Windows")
    path = written(tmp_path / "text", "a\n")
    path.chmod(0)
    with pytest.raises(CorpusFileError, match="text"):
        list(LineCorpus(path))


# ---- damaged files


def test_cut_off_archive_yields_whole_lines_and_names_the_last(tmp_path):
    lines = [f"line {n} {n * 7919 % 10007}" for n in range(50_000)]
    data = gzip.compress("\n".join(lines).encode())
    read = []
    with pytest.raises(CorpusFileError) as caught:
        read.extend(LineCorpus(written(tmp_path / "text.gz", data[: len(data) // 2])))
    reached = int(str(caught.value).partition("past line ")[2].partition(":")[0])
    assert 1000 < reached < 50_000


def test_garbage_after_an_archive_fails(tmp_path):
    path = written(tmp_path / "text.gz", gzip.compress(b"a\nb\n") + b"garbage")
    with pytest.raises(CorpusFileError, match=r"text\.gz cannot be read past line \d"):
        list(LineCorpus(path))


def test_cut_off_archive_ends_training_before_it_begins(tmp_path):
    text = gzip.compress(b"".join(b"%d a b c\n" % (n * 7919 % 10007) for n in range(5000)))
    paths = [written(tmp_path / name, text[:-2000]) for name in ("a.gz", "b.gz")]
    with pytest.raises(CorpusFileError, match=r"a\.gz cannot be read past line"):
        BilBOWA(parallel=ParallelSentences(*paths, **EN_DE), min_count=1, vector_size=4)


def test_bad_byte_is_counted_from_the_start_of_the_file_line(tmp_path):
    path = written(tmp_path / "text", b"\xef\xbb\xbfab\xff\n")
    with pytest.raises(CorpusError, match="line 1, byte 6"):
        list(LineCorpus(path))


def test_ignored_bytes_leave_the_rest_of_the_line(tmp_path):
    path = written(tmp_path / "text", b"a\xffb c\xc3\nd\n")
    assert list(LineCorpus(path, errors="ignore")) == [["ab", "c"], ["d"]]


def test_utf_16_is_refused(tmp_path):
    with pytest.raises(CorpusError, match="line 1, byte 1: not UTF-8"):
        list(LineCorpus(written(tmp_path / "text", "ä b\n".encode("utf-16"))))


def test_line_without_end_is_refused_in_little_memory(tmp_path):
    path = written(tmp_path / "bomb.gz", gzip.compress(b"good\n" + b"a" * (1 << 27), 1))
    tracemalloc.start()
    try:
        with pytest.raises(CorpusError, match=r"bomb\.gz, line 2: longer than 16,777,216 bytes"):
            list(LineCorpus(path))
        assert tracemalloc.get_traced_memory()[1] < 100e6
    finally:
        tracemalloc.stop()


def test_longest_line_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_LONGEST_LINE", 6)
    assert list(LineCorpus(written(tmp_path / "text", "a b c\nd\n"))) == [["a", "b", "c"], ["d"]]


# ---- parallel text


def test_sides_of_unequal_length_without_files_name_languages_and_counts():
    pairs = ParallelSentences([["a"]] * 4, [["x"]], **EN_DE)
    with pytest.raises(ParallelDataError, match=r"en has 4 sentences, de has 1"):
        list(pairs)


def test_unequal_lengths_stop_the_model_before_training(tmp_path):
    one, two = written(tmp_path / "one", "a\nb\n"), written(tmp_path / "two", "x\n")
    with pytest.raises(ParallelDataError, match=r"one\) has 2 .*two\) has 1"):
        BilBOWA(parallel={("en", "de"): (one, two)}, min_count=1, vector_size=4)


def test_line_sentences_with_blank_lines_at_different_places_stay_in_step(tmp_path):
    one, two = written(tmp_path / "one", "a\n\nb\nc\n"), written(tmp_path / "two", "x\ny\n\nz\n")
    pairs = ParallelSentences(LineSentence(str(one)), LineSentence(str(two)), **EN_DE)
    assert list(pairs) == [(["a"], ["x"]), ([], ["y"]), (["b"], []), (["c"], ["z"])]


def test_line_sentence_keeps_its_limit_and_does_not_cut(tmp_path):
    one, two = written(tmp_path / "one", "a b c\nd\n"), written(tmp_path / "two", "x y z\nw\n")
    sides = [LineSentence(str(path), max_sentence_length=2, limit=1) for path in (one, two)]
    assert list(ParallelSentences(*sides, **EN_DE)) == [(["a", "b", "c"], ["x", "y", "z"])]


def test_archive_and_plain_file_make_pairs(tmp_path):
    one = written(tmp_path / "one.gz", gzip.compress(b"a\n\nb c\n"))
    two = written(tmp_path / "two", "x y\nz\nw\n")
    assert list(ParallelSentences(one, two, **EN_DE)) == PAIRS


def test_given_line_corpora_keep_their_own_way_with_bad_bytes(tmp_path):
    path = written(tmp_path / "text", b"a\xffb\n")
    lenient = LineCorpus(path, errors="ignore")
    pairs = ParallelSentences(lenient, LineCorpus(path, errors="replace"), **EN_DE)
    assert list(pairs) == [(["ab"], ["a\ufffdb"])]
    assert lenient.errors == "ignore"


def test_errors_is_for_both_files_and_for_tables(tmp_path):
    bad = written(tmp_path / "bad", b"a\xffb\n")
    table = written(tmp_path / "table", b"a\xffb\tc\n")
    both = ParallelSentences(bad, LineSentence(str(bad)), **EN_DE, errors="ignore")
    assert list(both) == [(["ab"], ["ab"])]
    assert list(ParallelSentences(table, **EN_DE, errors="ignore")) == [(["ab"], ["c"])]
    with pytest.raises(CorpusError, match="table, line 1, byte 2"):
        list(ParallelSentences(table, **EN_DE))


def test_wrong_way_with_bad_bytes_is_refused_at_once(tmp_path):
    for sides in ((tmp_path / "table",), (tmp_path / "a", tmp_path / "b")):
        with pytest.raises(ConfigError, match="errors must be"):
            ParallelSentences(*sides, **EN_DE, errors="wrong")


def test_table_columns_may_stand_in_any_order_among_others(tmp_path):
    path = written(tmp_path / "table", "1\tx y\t\ta\r\n2\tz\tnote\tb c\r\n")
    pairs = ParallelSentences(path, **EN_DE, columns=(3, 1))
    assert list(pairs) == [(["a"], ["x", "y"]), (["b", "c"], ["z"])]


def test_missing_table_is_named(tmp_path):
    with pytest.raises(CorpusNotFoundError, match="nowhere"):
        list(ParallelSentences(tmp_path / "nowhere", **EN_DE))


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("the house", "list of tokens is wanted, got the str 'the house'; split it"),
        (b"the house", "got the bytes"),
        (7, "list of tokens is wanted, got 7"),
        (["the", None], r"token 2: a string is wanted, got None \(NoneType\)"),
        (["the", b"house"], r"token 2: .*b'house' \(bytes\)"),
        ([["the"], "house"], r"token 1: .*\(list\)"),
        (["the", 3.0], r"token 2: .*3.0 \(float\)"),
    ],
)
@pytest.mark.parametrize("side", [0, 1])
def test_token_that_is_no_string_is_named_with_its_place(sentence, message, side):
    sides = [[["a"], ["b"]], [["x"], ["y"]]]
    sides[side][1] = sentence
    code = ("en", "de")[side]
    with pytest.raises(TokenError, match=f"en-de, {code} side, sentence 2.*{message}"):
        list(ParallelSentences(*sides, **EN_DE))


def test_token_of_a_text_is_named_with_its_language(tmp_path):
    texts = {"en": [["a", "b"]], "de": [["x"], ["y", None]]}
    with pytest.raises(TokenError, match=r"'de' text, sentence 2, token 2"):
        BilBOWA(texts, parallel=[(["a"], ["x"])], min_count=1, vector_size=4)


@pytest.mark.parametrize("pair", [{"a", "x"}, {"a": 1, "x": 2}, 7, None, ["a"]])
def test_pair_that_is_no_pair_of_lists_is_refused(pair):
    with pytest.raises(CorpusError, match=r"pair 1|sentence 1"):
        list(ParallelSentences([pair], **EN_DE))


def test_tuples_and_numpy_strings_are_sentences_too():
    pairs = ParallelSentences([(("a", "b"), np.array(["x", "y"]))], **EN_DE)
    assert list(pairs) == [(["a", "b"], ["x", "y"])]


def test_error_of_an_iterable_passes_through():
    class Broken:
        def __iter__(self):
            yield ["a"]
            raise LookupError("the line is dead")

    with pytest.raises(LookupError, match="the line is dead"):
        list(ParallelSentences(Broken(), [["x"], ["y"]], **EN_DE))


@pytest.mark.parametrize(
    "once",
    [lambda: (p for p in PAIRS), lambda: map(tuple, PAIRS), lambda: iter(PAIRS)],
)
def test_what_can_be_read_once_is_refused_unread(once):
    iterator = once()
    with pytest.raises(TokenError, match="restartable iterable is needed"):
        BilBOWA(parallel={("en", "de"): iterator}, min_count=1, vector_size=4)
    assert next(iterator) == PAIRS[0]


def test_text_that_can_be_read_once_is_refused_by_language():
    with pytest.raises(TokenError, match="'en' text: a restartable iterable"):
        BilBOWA({"en": map(list, ["ab"]), "de": [["x"]]}, parallel=PAIRS, min_count=1)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="makes a named pipe")
def test_pipe_is_refused_since_text_is_read_more_than_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    text = written(tmp_path / "text", "a\n")
    for parallel in (
        ParallelSentences(tmp_path / "pipe", **EN_DE),
        ParallelSentences(text, tmp_path / "pipe", **EN_DE),
        ParallelSentences(LineSentence(str(tmp_path / "pipe")), text, **EN_DE),
    ):
        with pytest.raises(TokenError, match="pipe is a pipe or terminal"):
            BilBOWA(parallel=parallel, min_count=1, vector_size=4)


def test_representation_names_files_and_kinds(tmp_path):
    text = repr(ParallelSentences(tmp_path / "one", [["x"]], **EN_DE))
    assert "one" in text
    assert "<list>" in text
    assert "('en', 'de')" in text


# ---- what a user passes


FORMS = {
    "object": lambda one, two, table: ParallelSentences(PAIRS, **EN_DE),
    "list of objects": lambda one, two, table: [ParallelSentences(one, two, **EN_DE)],
    "tuple of objects": lambda one, two, table: (ParallelSentences(table, **EN_DE),),
    "mapping to objects": lambda one, two, table: {("en", "de"): ParallelSentences(PAIRS, **EN_DE)},
    "mapping to two paths": lambda one, two, table: {("en", "de"): (one, str(two))},
    "mapping to a list of two paths": lambda one, two, table: {("en", "de"): [one, two]},
    "mapping to a table": lambda one, two, table: {("en", "de"): table},
    "mapping to pairs": lambda one, two, table: {("en", "de"): PAIRS},
}


@pytest.fixture
def three_files(tmp_path):
    return (
        written(tmp_path / "one", "a\n\nb c\n"),
        written(tmp_path / "two", "x y\nz\nw\n"),
        written(tmp_path / "table", "a\tx y\n\tz\nb c\tw\n"),
    )


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_parallel_text_gives_the_same_pairs(three_files, form):
    (pairs,) = collect(None, None, FORMS[form](*three_files)).parallel
    assert pairs.languages == ("en", "de")
    assert list(pairs) == PAIRS


@pytest.mark.parametrize("form", ["two paths", "table", "pairs"])
def test_two_texts_give_the_languages_of_parallel_text(three_files, form):
    one, two, table = three_files
    given_parallel = {"two paths": (one, two), "table": str(table), "pairs": PAIRS}[form]
    got = collect({"en": [["u"]]}, {"de": two}, given_parallel)
    assert got.languages == ["en", "de"]
    assert list(got.parallel[0]) == PAIRS


def test_three_texts_do_not_say_whose_the_parallel_text_is():
    texts = {code: [["a"]] for code in ("en", "de", "fr")}
    with pytest.raises(ConfigError, match="needs its languages"):
        collect(texts, None, PAIRS)


def test_parallel_text_may_stand_under_its_languages_the_other_way_round():
    pairs = ParallelSentences(PAIRS, **EN_DE)
    assert collect(None, None, {("de", "en"): pairs}).parallel == [pairs]


class Sink(list):
    add = list.append


def read(inputs):
    sinks = {code: Sink() for code in inputs.languages}
    inputs.read(sinks)
    return sinks


def test_language_with_text_does_not_learn_from_its_sides():
    got = collect({"en": [["u"]]}, None, {("en", "de"): PAIRS})
    assert read(got) == {"en": [["u"]], "de": [["x", "y"], ["z"], ["w"]]}


def test_language_without_text_learns_from_all_its_sides():
    got = collect(
        None, None, {("en", "de"): PAIRS, ("fr", "en"): [(["u"], ["e"])], ("de", "fr"): PAIRS[:1]}
    )
    assert got.languages == ["en", "de", "fr"]
    assert read(got) == {
        "en": [["a"], [], ["b", "c"], ["e"]],
        "de": [["x", "y"], ["z"], ["w"], ["a"]],
        "fr": [["u"], ["x", "y"]],
    }


def test_line_sentence_as_text_keeps_its_blank_lines(tmp_path):
    path = written(tmp_path / "text", "a\n\nb\n")
    got = collect({"en": LineSentence(str(path)), "de": [["x"]]}, None, None)
    assert read(got)["en"] == [["a"], [], ["b"]]


@pytest.mark.parametrize("key", ["en-de", ("en",), ("en", "en"), ("en", "de", "fr"), 7])
def test_key_that_is_no_pair_of_languages_is_refused(key):
    with pytest.raises(ConfigError, match=r"languages|pair of"):
        collect(None, None, {key: PAIRS})


# ---- encoding

WORDS = "abcdefgh"
SENTENCE = st.lists(st.sampled_from(WORDS), max_size=5)


def decoded(corpus, words):
    return [
        [words[i] for i in corpus.ids[start:stop]]
        for start, stop in zip(corpus.offsets[:-1], corpus.offsets[1:], strict=True)
    ]


@settings(max_examples=60)
@given(
    st.lists(st.tuples(SENTENCE, SENTENCE), max_size=20),
    st.sets(st.sampled_from(WORDS)),
    st.sets(st.sampled_from(WORDS)),
    st.sampled_from([0, 10**9]),
)
def test_pairs_come_back_from_their_encoding(pairs, known_en, known_de, limit):
    words = sorted(known_en), sorted(known_de)
    keys = tuple({word: index for index, word in enumerate(side)} for side in words)
    encoded = encode_pairs(ParallelSentences(pairs, **EN_DE), keys, limit)
    for side in (0, 1):
        expected = [[word for word in pair[side] if word in keys[side]] for pair in pairs]
        assert decoded(encoded.sides[side], words[side]) == expected
        assert encoded.sides[side].lengths.tolist() == list(map(len, expected))
    blank = [not a or not b for a, b in pairs]
    usable = [bool(set(a) & known_en and set(b) & known_de) for a, b in pairs]
    assert encoded.usable.tolist() == [i for i, good in enumerate(usable) if good]
    assert encoded.blank == sum(blank)
    assert encoded.unknown == len(pairs) - sum(blank) - sum(usable)


@settings(max_examples=40)
@given(st.lists(SENTENCE, max_size=40), st.integers(1, 9))
def test_batches_do_not_show_in_the_encoding(sentences, batch):
    keys = {word: index for index, word in enumerate(WORDS)}
    whole = encode_sentences(sentences, keys, 10**9)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encode, "_BATCH_TOKENS", batch)
        parts = encode_sentences(sentences, keys, 10**9)
    np.testing.assert_array_equal(whole.ids, parts.ids)
    np.testing.assert_array_equal(whole.offsets, parts.offsets)


def test_encoding_in_a_file_equals_that_in_memory_and_leaves_no_name(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(encode, "_BATCH_TOKENS", 7)
    sentences = [list("abcabc"), [], ["?"], list("hgf")] * 50
    keys = {word: index for index, word in enumerate(WORDS)}
    mapped, memory = (encode_sentences(sentences, keys, limit) for limit in (0, 10**9))
    assert isinstance(mapped.ids, np.memmap)
    assert not isinstance(memory.ids, np.memmap)
    np.testing.assert_array_equal(mapped.ids, memory.ids)
    np.testing.assert_array_equal(mapped.offsets, memory.offsets)
    assert mapped.raw_words == memory.raw_words == 500
    if os.name == "nt":  # where a file has its name for as long as it is open
        del mapped
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("sentences", [[["a", "b"]] * 50, [["a"] * 300], [["unknown"]] * 100])
def test_words_and_sentences_together_take_no_more_memory_than_they_may(sentences):
    keys = {"a": 0, "b": 1}
    memory = encode_sentences(sentences, keys, 10**9)
    size = memory.ids.nbytes + memory.offsets.nbytes
    for limit in (size, size - 1):
        encoded = encode_sentences(sentences, keys, limit)
        arrays = [encoded.ids, encoded.offsets]
        assert sum(a.nbytes for a in arrays if not isinstance(a, np.memmap)) <= limit
        assert any(isinstance(a, np.memmap) for a in arrays) == (limit < size)
        np.testing.assert_array_equal(encoded.ids, memory.ids)
        np.testing.assert_array_equal(encoded.offsets, memory.offsets)


def test_model_trained_from_a_file_equals_one_trained_from_memory():
    options = {"vector_size": 4, "min_count": 1, "workers": 1, "epochs": 2}
    a, b = (
        BilBOWA(parallel={("en", "de"): PAIRS * 30}, **options, corpus_memory=limit)
        for limit in (0, 10**9)
    )
    np.testing.assert_array_equal(a.wv_en.vectors, b.wv_en.vectors)


@linux_only
def test_error_while_encoding_leaves_no_file_open(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(encode, "_BATCH_TOKENS", 2)

    def sentences():
        yield from [["a", "b"]] * 10
        raise LookupError("gone")

    with pytest.raises(LookupError, match="gone"):
        encode_sentences(sentences(), {"a": 0, "b": 1}, 0)
    assert open_files(tmp_path) == []
