from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import twin

from gensim_bilbowa import kernels

# Every test here is run with each instruction set that this processor has.
pytestmark = pytest.mark.usefixtures("level")

RUN = np.zeros(1, np.int32)


def padded(array):
    """The array, laid out as the steps want it, and its matrix."""
    memory = kernels.Matrix(*array.shape)
    memory.array[...] = array
    memory.lay_out(True, made := SimpleNamespace(), "rows")
    return made.rows, memory


class Language:
    """Random parameters of a language with n-grams, for the steps and for their twins."""

    def __init__(self, seed, rows, dim, buckets=9):
        self.rng = rng = np.random.default_rng(seed)
        self.parts = [rng.integers(0, buckets, rng.integers(0, 6)).tolist() for _ in range(rows)]
        self.parts[0], self.parts[1] = [], [3, 4, 3]  # a word without, and one with a pair of one
        self.own, own = padded(rng.normal(0, 0.3, (rows, dim)))
        self.ngrams, ngrams = padded(rng.normal(0, 0.3, (buckets, dim)))
        self.outputs, outputs = padded(rng.normal(0, 0.3, (rows, dim)))
        self.lockf, self.own_lockf, self.ngrams_lockf = (
            rng.random(n).astype(np.float32) for n in (3, 2, 4)
        )
        self.noise = kernels.alias_table(rng.random(rows) + 0.1)
        self.keep = rng.integers(2**31, 2**32, rows).astype(np.uint32)
        offsets = np.cumsum([0, *map(len, self.parts)]).astype(np.int64)
        ids = np.concatenate(self.parts).astype(np.int32)
        self.parameters = kernels.Parameters(
            own, outputs, self.lockf, self.noise,
            kernels.Subwords(ngrams, offsets, ids, self.own_lockf, self.ngrams_lockf),
        )  # fmt: skip
        self.twin = twin.Subwords(
            self.own.astype(np.float64), self.ngrams.astype(np.float64), self.parts,
            self.own_lockf, self.ngrams_lockf,
        )  # fmt: skip
        self.twin_outputs = self.outputs.astype(np.float64)

    def sentences(self, n, longest=12):
        rows = len(self.parts)
        return [self.rng.integers(0, rows, self.rng.integers(0, longest)).tolist()
                for _ in range(n)]  # fmt: skip

    def text(self, sentences):
        offsets = np.cumsum([0, *map(len, sentences)]).astype(np.int64)
        ids = np.array([w for s in sentences for w in s], np.int32)
        return kernels.Text(ids, offsets, self.keep)

    def assert_as_twin(self):
        np.testing.assert_allclose(self.own, self.twin.own, atol=3e-5)
        np.testing.assert_allclose(self.ngrams, self.twin.ngrams, atol=3e-5)
        np.testing.assert_allclose(self.outputs, self.twin_outputs, atol=3e-5)
        for matrix in (self.own, self.ngrams, self.outputs):
            assert not kernels.Matrix.of(matrix).whole[:, matrix.shape[1] :].any()


def text_steps(language, sentences, window, negative, shared):
    expected = twin.train_text(
        language.twin, language.twin_outputs, language.lockf, language.noise, sentences,
        language.keep, window, True, negative, shared, 0.05, 9,
    )  # fmt: skip
    result = kernels.train_text(
        language.parameters, language.text(sentences), 0, len(sentences), window, True, negative,
        shared, 0.05, 9, RUN,
    )  # fmt: skip
    return result, expected


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("dim", [1, 17, 100, 300])
@pytest.mark.parametrize(("negative", "window"), [(1, 1), (15, 5)])
def test_text_step_with_ngrams_equals_twin(dim, negative, window, shared):
    language = Language(dim + negative, 23, dim)
    before = language.ngrams.copy()
    result, expected = text_steps(language, language.sentences(6), window, negative, shared)
    assert result[:2] == expected[:2]
    assert result[2] == pytest.approx(expected[2], rel=1e-5)
    assert np.abs(language.ngrams - before).max() > 1e-3
    language.assert_as_twin()


@pytest.mark.parametrize("length", [255, 256, 257, 600])
def test_long_sentences_with_ngrams_are_cut(length):
    language = Language(length, 40, 16)
    language.keep[:] = 2**32 - 1
    sentence = language.rng.integers(0, 40, length).tolist()
    result, expected = text_steps(language, [sentence], 2, 2, True)
    assert result[:2] == expected[:2]
    language.assert_as_twin()


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("dim", [1, 17, 100, 300])
@pytest.mark.parametrize(("clip", "longest"), [(0.01, 12), (10.0, 12), (10.0, 150)])
def test_pair_step_with_ngrams_equals_twin(dim, exact, clip, longest):
    a, b = Language(dim, 23, dim), Language(dim + 1, 19, dim, buckets=30)
    sides = a.sentences(12, longest), b.sentences(12, longest)
    order = np.array([3, 1, 0, 2, 3, 7, 11, 5], np.int64)
    expected = twin.train_pairs(
        a.twin,
        b.twin,
        a.lockf,
        b.lockf,
        *sides,
        a.keep,
        b.keep,
        order,
        0.1,
        (3.0, 2.0),
        clip,
        exact,
        5,
    )
    result = kernels.train_pairs(
        a.parameters, a.text(sides[0]), b.parameters, b.text(sides[1]), order, 0.1,
        (3.0, 2.0), clip, exact, 5, RUN,
    )  # fmt: skip
    assert result[:3] == expected[:3]
    assert result[0] > 0
    assert result[3] == pytest.approx(expected[3], rel=1e-5)
    a.assert_as_twin()
    b.assert_as_twin()


def test_language_without_ngrams_pairs_with_one_that_has_them():
    a, plain = Language(1, 23, 20), Language(2, 19, 20)
    vectors, memory = padded(plain.rng.normal(0, 0.3, (19, 20)))
    parameters = kernels.Parameters(memory, None, plain.lockf, None)
    expected_vectors = vectors.astype(np.float64)
    sides = a.sentences(5), plain.sentences(5)
    order = np.arange(5)
    expected = twin.train_pairs(
        a.twin, expected_vectors, a.lockf, plain.lockf, *sides, a.keep, plain.keep, order, 0.1,
        (3.0, 2.0), 1.0, False, 5,
    )  # fmt: skip
    result = kernels.train_pairs(
        a.parameters, a.text(sides[0]), parameters, plain.text(sides[1]), order, 0.1,
        (3.0, 2.0), 1.0, False, 5, RUN,
    )  # fmt: skip
    assert result[:3] == expected[:3]
    a.assert_as_twin()
    np.testing.assert_allclose(vectors, expected_vectors, atol=3e-5)


def lock(n=1):
    return np.ones(n, np.float32)


@pytest.mark.parametrize(
    ("offsets", "ids", "message"),
    [
        ([0, 1], [4], "not the row of an n-gram"),
        ([0, 1], [-1], "not the row of an n-gram"),
        ([0, 2, 1], [0], "must rise"),
        ([0, 1], [0, 0], "must rise"),
        ([0, 0], [], "there is none"),
    ],
)
def test_ngrams_that_cannot_be_are_refused(offsets, ids, message):
    with pytest.raises(ValueError, match=message):
        kernels.Subwords(
            padded(np.zeros((4, 3)))[1], np.array(offsets, np.int64), np.array(ids, np.int32),
            lock(), lock(),
        )  # fmt: skip


@pytest.mark.parametrize(("dim", "rows"), [(3, 2), (4, 1)])
def test_ngrams_must_be_those_of_the_words(dim, rows):
    subwords = kernels.Subwords(
        padded(np.zeros((4, 3)))[1], np.array([0, 1], np.int64), np.zeros(1, np.int32),
        lock(), lock(),
    )  # fmt: skip
    with pytest.raises(ValueError, match="n-grams"):
        kernels.Parameters(padded(np.zeros((rows, dim)))[1], None, lock(), None, subwords)
