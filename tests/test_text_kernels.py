"""The step that predicts words from their context, in each of its modes, beside its twin."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import numpy as np
import pytest
import twin

from gensim_bilbowa import kernels

# Every test here is run with each instruction set that this processor has.
pytestmark = pytest.mark.usefixtures("level")

KEEP_ALL = 2**32 - 1
RUN = np.zeros(1, np.int32)
LOCK = np.ones(1, np.float32)

# What predicts, and by what a word is told.
MODES = {
    "skip-gram, tree": {"negative": 0, "tree": True},
    "skip-gram, both": {"negative": 5, "tree": True},
    "skip-gram, tree, separate": {"negative": 0, "tree": True, "shared": False},
    "skip-gram, both, separate": {"negative": 5, "tree": True, "shared": False},
    "CBOW": {"negative": 5, "sg": False},
    "CBOW, sum": {"negative": 5, "sg": False, "cbow_mean": False},
    "CBOW, separate": {"negative": 5, "sg": False, "shared": False},
    "CBOW, tree": {"negative": 0, "tree": True, "sg": False},
    "CBOW, both": {"negative": 20, "tree": True, "sg": False, "cbow_mean": False},
}
ALL_MODES = {
    "skip-gram": {"negative": 5},
    "skip-gram, separate": {"negative": 5, "shared": False},
    **MODES,
}


def padded(array):
    """The array, laid out as the steps want it, and its matrix."""
    memory = kernels.Matrix(*array.shape)
    memory.array[...] = array
    memory.lay_out(True, made := SimpleNamespace(), "rows")
    return made.rows, memory


class Language:
    """Random parameters of a language, for the step and for its twin."""

    def __init__(self, seed, rows, dim, *, ngrams=False, scale=0.3):
        self.rng = rng = np.random.default_rng(seed)
        self.vectors, vectors = padded(rng.normal(0, scale, (rows, dim)))
        self.outputs, outputs = padded(rng.normal(0, scale, (rows, dim)))
        self.nodes, nodes = padded(rng.normal(0, scale, (rows + 40, dim)))
        lengths = rng.integers(1, 12, rows)
        lengths[rows // 2] = 40
        self.ways = [rng.choice(rows + 40, n, replace=False).tolist() for n in lengths]
        self.signs = [rng.choice([-1, 1], n).tolist() for n in lengths]
        self.lockf = rng.random(3).astype(np.float32)
        self.noise = kernels.alias_table(rng.random(rows) + 0.1)
        self.keep = rng.integers(2**31, 2**32, rows).astype(np.uint32)
        self.tree = kernels.Tree(
            nodes, np.cumsum([0, *lengths], dtype=np.int64),
            np.concatenate(self.ways).astype(np.int32),
            np.concatenate(self.signs).astype(np.float32),
        )  # fmt: skip
        self.subwords = None
        self.twin_vectors = self.vectors.astype(np.float64)
        if ngrams:
            parts = [rng.integers(0, 9, rng.integers(0, 6)).tolist() for _ in range(rows)]
            self.ngrams, matrix = padded(rng.normal(0, scale, (9, dim)))
            self.subwords = kernels.Subwords(
                matrix, np.cumsum([0, *map(len, parts)], dtype=np.int64),
                np.concatenate(parts).astype(np.int32), LOCK, LOCK,
            )  # fmt: skip
            self.twin_vectors = twin.Subwords(
                self.twin_vectors, self.ngrams.astype(np.float64), parts, LOCK, LOCK
            )
        self.twin_outputs = self.outputs.astype(np.float64)
        self.twin_tree = twin.Tree(self.nodes.astype(np.float64), self.ways, self.signs)
        self._matrices = vectors, outputs

    def parameters(self, mode):
        vectors, outputs = self._matrices
        some = mode["negative"] > 0
        return kernels.Parameters(
            vectors, outputs if some else None, self.lockf, self.noise if some else None,
            self.subwords, self.tree if mode.get("tree") else None,
        )  # fmt: skip

    def text(self, sentences):
        offsets = np.cumsum([0, *map(len, sentences)]).astype(np.int64)
        return kernels.Text(np.array([w for s in sentences for w in s], np.int32), offsets,
                            self.keep)  # fmt: skip

    def train(self, mode, sentences, window, *, shrink=True, alpha=0.05, stop=RUN):
        return kernels.train_text(
            self.parameters(mode), self.text(sentences), 0, len(sentences), window, shrink,
            mode["negative"], mode.get("shared", True), alpha, 9, stop,
            sg=mode.get("sg", True), cbow_mean=mode.get("cbow_mean", True),
        )  # fmt: skip

    def train_twin(self, mode, sentences, window, *, shrink=True, alpha=0.05):
        return twin.train_text(
            self.twin_vectors, self.twin_outputs, self.lockf, self.noise, sentences, self.keep,
            window, shrink, mode["negative"], mode.get("shared", True), alpha, 9,
            tree=self.twin_tree if mode.get("tree") else None, sg=mode.get("sg", True),
            cbow_mean=mode.get("cbow_mean", True),
        )  # fmt: skip

    def assert_as_twin(self, mode):
        pairs = [(self.outputs, self.twin_outputs), (self.nodes, self.twin_tree.nodes)]
        if self.subwords is None:
            pairs.append((self.vectors, self.twin_vectors))
        else:
            pairs += [(self.vectors, self.twin_vectors.own),
                      (self.ngrams, self.twin_vectors.ngrams)]  # fmt: skip
        for array, expected in pairs:
            np.testing.assert_allclose(array, expected, atol=4e-5)
            assert not kernels.Matrix.of(array).whole[:, array.shape[1] :].any()

    def sentences(self, n, longest=12):
        rows = len(self.vectors)
        return [self.rng.integers(0, rows, self.rng.integers(0, longest)).tolist()
                for _ in range(n)]  # fmt: skip


@pytest.mark.parametrize("ngrams", [False, True])
@pytest.mark.parametrize("dim", [1, 17, 100, 300])
@pytest.mark.parametrize(("window", "shrink"), [(1, True), (5, True), (3, False)])
@pytest.mark.parametrize("name", MODES)
def test_step_equals_twin(name, window, shrink, dim, ngrams):
    mode = MODES[name]
    language = Language(dim + window, 23, dim, ngrams=ngrams)
    sentences = language.sentences(6)
    before = language.vectors.copy()
    result = language.train(mode, sentences, window, shrink=shrink)
    expected = language.train_twin(mode, sentences, window, shrink=shrink)
    assert result[:2] == expected[:2]
    assert result[1] > 0
    assert result[2] == pytest.approx(expected[2], rel=1e-5)
    assert np.abs(language.vectors - before).max() > 1e-3
    language.assert_as_twin(mode)


# 257 words have 256 beside them, as many as share the targets.
SHARING = [name for name, mode in ALL_MODES.items() if mode.get("shared", True)]
WINDOWS = [
    ("skip-gram", 258),
    *(pytest.param(name, length, marks=pytest.mark.slow)
      for name in SHARING for length in (257, 258, 300) if (name, length) != ("skip-gram", 258)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "length"), WINDOWS)
def test_windows_of_hundreds_of_words_equal_twin(name, length):
    mode = ALL_MODES[name]
    language = Language(length, 40, 16)
    language.keep[:] = KEEP_ALL
    sentences = [language.rng.integers(0, 40, length).tolist()]
    result = language.train(mode, sentences, 2**30, shrink=False, alpha=1e-4)
    expected = language.train_twin(mode, sentences, 2**30, shrink=False, alpha=1e-4)
    assert result[:2] == expected[:2]
    assert result[2] == pytest.approx(expected[2], rel=1e-4)
    language.assert_as_twin(mode)


def slope(loss, array):
    """The gradient of a loss by finite differences of one of its arrays."""
    found = np.zeros_like(array)
    for index in np.ndindex(array.shape):
        step = np.zeros_like(array)
        step[index] = 1e-5
        found[index] = (loss(array + step) - loss(array - step)) / 2e-5
    return found


@pytest.mark.parametrize("name", [name for name, mode in MODES.items() if mode.get("shared", True)])
def test_step_follows_the_gradient_of_its_loss(name):
    mode = MODES[name]
    language = Language(3, 8, 4)
    language.keep[:] = KEEP_ALL
    language.lockf = LOCK
    sentences = [[0, 1, 2, 3, 4]]  # each word has four words around it
    base, nodes = language.vectors.astype(np.float64), language.nodes.astype(np.float64)
    alpha = 1e-4  # small: later windows see slightly moved rows

    def loss(vectors, nodes):
        return twin.train_text(
            vectors.copy(), language.outputs.astype(np.float64), LOCK, language.noise, sentences,
            language.keep, 4, False, mode["negative"], mode.get("shared", True), 0.0, 9,
            tree=twin.Tree(nodes.copy(), language.ways, language.signs)
            if mode.get("tree") else None,
            sg=mode.get("sg", True), cbow_mean=mode.get("cbow_mean", True),
        )[2]  # fmt: skip

    language.train(mode, sentences, 4, shrink=False, alpha=alpha)
    of_vectors = slope(lambda vectors: loss(vectors, nodes), base)
    of_nodes = slope(lambda nodes: loss(base, nodes), nodes)
    # word2vec moves the words of a mean as far as the mean, and shares out the move of a sum.
    times = 1 if mode.get("sg", True) else 4 if mode.get("cbow_mean", True) else 1 / 4
    np.testing.assert_allclose((base - language.vectors) / alpha, times * of_vectors, atol=0.03)
    np.testing.assert_allclose((nodes - language.nodes) / alpha, of_nodes, atol=0.03)


@pytest.mark.parametrize("name", ALL_MODES)
def test_words_of_factor_zero_keep_every_bit(name):
    language = Language(5, 10, 40)
    language.keep[:] = KEEP_ALL
    language.vectors[3] = -0.0  # which 0 would make 0
    before = language.vectors.copy()
    language.lockf = np.ones(10, np.float32)
    language.lockf[3] = 0
    language.train(ALL_MODES[name], [[1, 3, 2], [3, 4], [3]], 2)
    assert language.vectors[3].tobytes() == before[3].tobytes()
    assert (language.vectors[[1, 2, 4]] != before[[1, 2, 4]]).any(axis=1).all()


@pytest.mark.parametrize("name", ALL_MODES)
@pytest.mark.parametrize("alpha", [0.05, np.inf, np.nan])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 3e38, 1e20])
def test_rows_that_are_no_numbers_lead_nowhere_else(value, alpha, name):
    language = Language(6, 30, 20)
    arrays = language.vectors, language.outputs, language.nodes
    for rows in arrays:
        rows[::3] = value
    before = [rows.copy() for rows in arrays]
    language.noise = kernels.alias_table((np.arange(30) < 10).astype(float))
    sentences = [language.rng.integers(0, 10, 12).tolist() for _ in range(20)]
    words, *_ = language.train(ALL_MODES[name], sentences, 4, alpha=alpha)
    assert words > 0
    for rows, old in zip(arrays[:2], before[:2], strict=True):
        np.testing.assert_array_equal(rows[10:], old[10:])  # of words that the text does not have


@pytest.mark.parametrize("name", ALL_MODES)
def test_stop_flag_ends_a_step_within_a_sentence(name):
    language = Language(7, 50, 32)
    language.keep[:] = KEEP_ALL
    sentence = language.rng.integers(0, 50, 300_000).tolist()  # whose windows would take hours
    stop = np.zeros(1, np.int32)
    before = language.vectors.copy()
    done = []
    thread = threading.Thread(
        target=lambda: done.append(language.train(ALL_MODES[name], [sentence], 100_000, stop=stop))
    )
    thread.start()
    while (language.vectors == before).all():
        pass  # until it has begun
    stop[0] = 1
    thread.join()
    ((words, examples, _),) = done
    assert words == len(sentence)
    assert 0 < examples < len(sentence) * (10_000 if ALL_MODES[name].get("sg", True) else 1)


def test_a_loss_is_that_of_each_target_whatever_its_size():
    for scale in (0.0, 30.0, 300.0):
        for mode in MODES.values():
            language = Language(8, 9, 4)
            for array in (language.vectors, language.outputs, language.nodes):
                array[...] = scale
            language.twin_vectors[...] = scale
            language.twin_outputs[...] = language.twin_tree.nodes[...] = scale
            result = language.train(mode, [[0, 1, 2]], 2, alpha=0.0)
            expected = language.train_twin(mode, [[0, 1, 2]], 2, alpha=0.0)
            assert result[2] == pytest.approx(expected[2], rel=1e-5)


# ---- what is no tree


def tree(**changes):
    parts = {
        "nodes": padded(np.zeros((4, 3)))[1], "offsets": np.array([0, 1, 3]),
        "ids": np.array([0, 0, 3], np.int32), "signs": np.array([1, -1, 1], np.float32), **changes,
    }  # fmt: skip
    return kernels.Tree(*parts.values())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"ids": np.array([0, 0, 4], np.int32)}, "not the row of a node"),
        ({"ids": np.array([0, -1, 3], np.int32)}, "not the row of a node"),
        ({"offsets": np.array([0, 0, 3])}, "at least one node"),
        ({"offsets": np.array([0, 2, 1])}, "must rise"),
        ({"offsets": np.array([0, 1, 2])}, "must rise"),
        ({"offsets": np.array([1, 2, 3])}, "must rise"),
        ({"offsets": np.array([], np.int64)}, "must rise"),
        ({"signs": np.array([1, -1], np.float32)}, "a sign, 1 or -1"),
        ({"signs": np.array([1, -1, 0], np.float32)}, "a sign, 1 or -1"),
        ({"signs": np.array([1, -1, np.nan], np.float32)}, "a sign, 1 or -1"),
        ({"ids": np.array([], np.int32), "signs": np.array([], np.float32),
          "offsets": np.array([0])}, "at least one node"),
    ],
)  # fmt: skip
def test_ways_that_cannot_be_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        tree(**changes)


@pytest.mark.parametrize(("rows", "dim"), [(3, 3), (2, 4)])
def test_tree_must_be_that_of_the_words(rows, dim):
    with pytest.raises(ValueError, match=r"tree|nodes"):
        kernels.Parameters(padded(np.zeros((rows, dim)))[1], None, LOCK, None, None, tree())


def test_step_wants_something_to_tell_words_by():
    bare = kernels.Parameters(padded(np.zeros((2, 3)))[1], None, LOCK, None)
    words = kernels.Text(np.zeros(2, np.int32), np.array([0, 2]), np.full(2, KEEP_ALL, np.uint32))
    for negative, message in ((0, "no tree"), (1, "no outputs"), (-1, "no outputs")):
        with pytest.raises(ValueError, match=message):
            kernels.train_text(bare, words, 0, 1, 2, True, negative, True, 0.1, 1, RUN)
