"""Dictionaries and vectors that are written can be read here and by MUSE and VecMap."""

from __future__ import annotations

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given, settings
from hypothesis import strategies as st

from gensim_bilbowa import CrossLingualVectors, evaluation, formats
from gensim_bilbowa.errors import ConfigError, CorpusError, FormatError
from gensim_bilbowa.formats import read_dictionary, write_dictionary

# ---- the rules of the other tools' readers, as their sources have them


def muse_dictionary(path):
    """MUSE, src/evaluation/word_translation.py, load_dictionary."""
    pairs = []
    with open(path, encoding="utf-8") as lines:  # noqa: PTH123
        for line in lines:
            assert line == line.lower()
            first, second = line.rstrip().split()
            pairs.append((first, second))
    return pairs


def vecmap_dictionary(path):
    """VecMap, eval_translation.py: no rule about case."""
    with open(path, encoding="utf-8", errors="surrogateescape") as lines:  # noqa: PTH123
        return [tuple(line.split()) for line in lines]


def muse_vectors(path, size):
    """MUSE, src/utils.py, read_txt_embeddings with the whole vocabulary."""
    words, rows = {}, []
    with open(path, encoding="utf-8", newline="\n", errors="ignore") as lines:  # noqa: PTH123
        header = next(lines).split()
        assert len(header) == 2
        assert int(header[1]) == size
        for line in lines:
            word, rest = line.rstrip().split(" ", 1)
            row = np.fromstring(rest, sep=" ")
            if not np.linalg.norm(row):
                row[0] = 0.01
            assert word not in words
            assert row.shape == (size,)
            words[word] = len(words)
            rows.append(row)
    return list(words), np.array(rows).reshape(-1, size).astype(np.float32)


def vecmap_vectors(path):
    """VecMap, embeddings.py, read: universal line ends, exactly as many rows as announced."""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123
        count, size = map(int, file.readline().split(" "))
        words, matrix = [], np.empty((count, size))
        for row in range(count):
            word, rest = file.readline().split(" ", 1)
            words.append(word)
            matrix[row] = np.fromstring(rest, sep=" ")
        assert not file.read()
    return words, matrix.astype(np.float32)


# ---- dictionaries

CHARACTERS = st.characters(codec="utf-8")
WORD = st.text(CHARACTERS, min_size=1, max_size=5).filter(
    lambda word: word.split() == [word] and word[0] != "\ufeff"
)
LOWER = WORD.filter(lambda word: word == word.lower())
PHRASE = st.lists(WORD, min_size=1, max_size=2).map(" ".join)


def dictionaries(words):
    return st.dictionaries(words, st.sets(words, min_size=1, max_size=3), max_size=5)


@settings(max_examples=40)
@given(st.data(), st.sampled_from([("muse", LOWER), ("vecmap", WORD), ("tsv", PHRASE)]))
def test_dictionary_written_is_read_back(tmp_path_factory, data, kind):
    format, words = kind
    dictionary = data.draw(dictionaries(words))
    path = tmp_path_factory.mktemp("dictionary") / "d"
    write_dictionary(path, dictionary, format)
    assert read_dictionary(path) == dictionary


@settings(max_examples=40)
@given(dictionaries(LOWER))
def test_muse_and_vecmap_read_dictionaries_for_muse(tmp_path_factory, dictionary):
    path = tmp_path_factory.mktemp("dictionary") / "d"
    write_dictionary(path, dictionary)
    pairs = [(source, target) for source in dictionary for target in sorted(dictionary[source])]
    assert muse_dictionary(path) == vecmap_dictionary(path) == pairs


@settings(max_examples=40)
@given(dictionaries(WORD))
def test_vecmap_reads_dictionaries_for_vecmap(tmp_path_factory, dictionary):
    path = tmp_path_factory.mktemp("dictionary") / "d"
    write_dictionary(path, dictionary, "vecmap")
    pairs = [(source, target) for source in dictionary for target in sorted(dictionary[source])]
    assert vecmap_dictionary(path) == pairs


def test_rows_are_written_in_their_order_without_their_scores(tmp_path):
    rows = [("dog", "hund", 0.9), ["cat", "katze"], ("dog", "köter", 0.5)]
    write_dictionary(tmp_path / "d", iter(rows))
    assert (tmp_path / "d").read_bytes() == "dog hund\ncat katze\ndog köter\n".encode()


def test_lists_keep_their_order_and_sets_are_sorted(tmp_path):
    write_dictionary(tmp_path / "d", {"a": ["z", "y"], "b": {"z", "y", "x"}})
    assert (tmp_path / "d").read_text(encoding="utf-8") == "a z\na y\nb x\nb y\nb z\n"


@pytest.mark.parametrize(
    ("word", "format", "reason"),
    [
        ("New York", "muse", "has white space in it; format='tsv'"),
        ("a\u00a0b", "vecmap", "has white space in it"),
        ("a\x85b", "vecmap", "has white space in it"),
        ("Hund", "muse", "has upper case, which MUSE refuses"),
        ("", "tsv", "is empty"),
        (" a", "tsv", "is empty, or has white space or a byte order mark around it"),
        ("\ufeffa", "vecmap", "is empty, or has white space or a byte order mark"),
        ("a\tb", "tsv", "has a tab or the end of a line"),
        ("a\nb", "tsv", "has a tab or the end of a line"),
        ("a\rb", "tsv", "has a tab or the end of a line"),
        ("a\ud800", "tsv", "has half a character"),
        (3, "tsv", "is no string"),
    ],
)
@pytest.mark.parametrize("target", [False, True])
def test_word_that_a_dictionary_cannot_hold_is_named(tmp_path, word, format, reason, target):
    (tmp_path / "d").write_text("before", encoding="utf-8")
    pair = ("x", word) if target else (word, "x")
    with pytest.raises(FormatError) as caught:
        write_dictionary(tmp_path / "d", [("good", "gut"), pair], format)
    assert str(caught.value).startswith(f"the pair {pair[0]!r}, {pair[1]!r}: {word!r} {reason}")
    assert [p.name for p in tmp_path.iterdir()] == ["d"]
    assert (tmp_path / "d").read_text(encoding="utf-8") == "before"


@pytest.mark.parametrize(
    ("pairs", "match"),
    [
        ({"a": "bc"}, "translations of 'a' must be a set or list"),
        (["ab"], "a source and a target word are wanted, got 'ab'"),
        ([("a",)], r"a source and a target word are wanted, got \('a',\)"),
        ([None], "a source and a target word are wanted, got None"),
        ([{"a", "b"}], "a source and a target word are wanted, got {"),
        (None, "are wanted; got NoneType None"),
        ("a b", "are wanted; got str 'a b'"),
        ({"a": None}, "translations of 'a' must be a set or list, got the NoneType None"),
        ({"a": 3}, "translations of 'a' must be a set or list, got the int 3"),
    ],
)
def test_what_is_no_pair_is_refused(tmp_path, pairs, match):
    with pytest.raises(ConfigError, match=match):
        write_dictionary(tmp_path / "d", pairs)


def test_rows_of_an_array_are_written(tmp_path):
    write_dictionary(tmp_path / "d", np.array([["dog", "hund"], ["cat", "katze"]]))
    assert read_dictionary(tmp_path / "d") == {"dog": {"hund"}, "cat": {"katze"}}


def test_number_in_a_set_of_translations_is_named(tmp_path):
    with pytest.raises(FormatError, match="3 is no string"):
        write_dictionary(tmp_path / "d", {"dog": {"hund", 3}})


@pytest.mark.parametrize(("errors", "word"), [("replace", "hund\ufffd"), ("ignore", "hund")])
def test_bytes_that_are_not_utf8_are_located_or_replaced(tmp_path, errors, word):
    (tmp_path / "d").write_bytes(b"cat katze\ndog hund\xff\n")
    with pytest.raises(CorpusError, match=r"d, line 2, byte 9: not UTF-8 .*errors='replace'"):
        read_dictionary(tmp_path / "d")
    assert read_dictionary(tmp_path / "d", errors=errors)["dog"] == {word}


def test_unknown_way_to_read_bytes_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="errors must be"):
        read_dictionary(tmp_path / "d", errors="loose")


def test_unknown_format_of_a_dictionary_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="format must be one of 'muse', 'vecmap', 'tsv', not"):
        write_dictionary(tmp_path / "d", {}, "csv")


def test_dictionaries_are_found_where_they_were():
    for name in ("Dictionary", "invert", "read_dictionary"):
        assert getattr(evaluation, name) is getattr(formats, name)


# ---- vectors

FINITE = st.floats(-(2.0**60), 2.0**60, width=32)  # the length is to be finite, too


@settings(max_examples=40)
@given(st.data(), st.integers(2, 4))
def test_muse_and_vecmap_read_the_vectors_that_are_written(tmp_path_factory, data, size):
    written = st.text(CHARACTERS, min_size=1, max_size=5).filter(
        lambda word: word.encode().split() == [word.encode()] and word[0] != "\ufeff"
    )
    words = data.draw(st.lists(written, unique=True, min_size=1, max_size=6))
    row = st.lists(FINITE, min_size=size, max_size=size).filter(any)
    vectors = KeyedVectors(size)
    vectors.add_vectors(words, np.array([data.draw(row) for _ in words], np.float32))
    folder = tmp_path_factory.mktemp("vectors") / "x"
    CrossLingualVectors({"en": vectors}).save(folder)
    for found, matrix in (muse_vectors(folder / "en.vec", size), vecmap_vectors(folder / "en.vec")):
        assert found == words
        np.testing.assert_array_equal(matrix, vectors.vectors)
