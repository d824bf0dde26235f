from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import twin
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gensim_bilbowa import kernels

# Every test here is run with each instruction set that this processor has.
pytestmark = pytest.mark.usefixtures("level")

KEEP_ALL = 2**32 - 1
RUN = np.zeros(1, np.int32)
LOCK = np.ones(1, np.float32)


def encode(sentences):
    offsets = np.cumsum([0, *map(len, sentences)]).astype(np.int64)
    return np.array([w for s in sentences for w in s], np.int32), offsets


def matrix(array):
    """The array, laid out as the steps want it."""
    made = SimpleNamespace()
    memory = kernels.Matrix(*array.shape)
    memory.array[...] = array
    memory.lay_out(True, made, "rows")
    return made.rows


def parameters_of(vectors, outputs=None, lockf=LOCK, noise=None):
    of = kernels.Matrix.of
    return kernels.Parameters(of(vectors), None if outputs is None else of(outputs), lockf, noise)


def text(sentences, keep):
    return kernels.Text(*encode(sentences), keep)


def random_sentences(rng, rows, n, longest=12):
    return [rng.integers(0, rows, rng.integers(0, longest)).tolist() for _ in range(n)]


def random_language(seed, rows, dim):
    rng = np.random.default_rng(seed)
    vectors = matrix(rng.normal(0, 0.3, (rows, dim)))
    outputs = matrix(rng.normal(0, 0.3, (rows, dim)))
    noise = kernels.alias_table(rng.random(rows) + 0.1)
    return rng, vectors, outputs, noise


def seed_of(number):
    """The seed whose first random number is this one: splitmix64 backwards."""

    def unshift(z, by):
        return z ^ (z >> by) ^ (z >> 2 * by)

    z = unshift(number, 31) * pow(0x94D049BB133111EB, -1, 2**64) % 2**64
    z = unshift(z, 27) * pow(0xBF58476D1CE4E5B9, -1, 2**64) % 2**64
    return (unshift(z, 30) - 0x9E3779B97F4A7C15) % 2**64


def test_a_word_whose_chance_is_one_is_kept_whatever_is_drawn():
    seed = seed_of(2**64 - 1)
    assert twin.Random(seed).uint64() == 2**64 - 1
    _, vectors, outputs, noise = random_language(0, 3, 4)
    parameters = parameters_of(vectors, outputs, LOCK, noise)
    kept, *_ = kernels.train_text(
        parameters, text([[0, 1]], np.full(3, KEEP_ALL, np.uint32)), 0, 1, 2, False, 1, True, 0.1,
        seed, RUN,
    )  # fmt: skip
    assert kept == 2


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("dim", [1, 17, 32, 47, 100, 300, 1000])
@pytest.mark.parametrize(
    ("negative", "window", "shrink"),
    [(1, 1, True), (5, 4, False), (15, 5, True), (16, 3, True), (100, 2, True), (4, 40, False)],
)
def test_text_step_equals_twin(dim, negative, window, shrink, shared):
    rows = 23
    rng, vectors, outputs, noise = random_language(dim + negative, rows, dim)
    lockf = rng.random(3).astype(np.float32)
    keep = rng.integers(2**31, 2**32, rows).astype(np.uint32)
    sentences = random_sentences(rng, rows, 6)
    v, o = vectors.astype(np.float64), outputs.astype(np.float64)
    expected = twin.train_text(
        v, o, lockf, noise, sentences, keep, window, shrink, negative, shared, 0.05, 9
    )
    result = kernels.train_text(
        parameters_of(vectors, outputs, lockf, noise), text(sentences, keep),
        0, len(sentences), window, shrink, negative, shared, 0.05, 9, RUN,
    )  # fmt: skip
    assert result[:2] == expected[:2]
    assert result[1] > 0
    assert result[2] == pytest.approx(expected[2], rel=1e-5)
    np.testing.assert_allclose(vectors, v, atol=2e-5)
    np.testing.assert_allclose(outputs, o, atol=2e-5)
    for rows_of in (vectors, outputs):
        assert not kernels.Matrix.of(rows_of).whole[:, dim:].any()


def test_text_step_covers_extreme_dot_products():
    for scale in (0.0, 30.0, 300.0):
        vectors = matrix(np.full((3, 4), scale))
        outputs = matrix(np.array([[1] * 4, [-1] * 4, [1] * 4]))
        noise = kernels.alias_table(np.ones(3))
        v, o = vectors.astype(np.float64), outputs.astype(np.float64)
        keep = np.full(3, KEEP_ALL, np.uint32)
        expected = twin.train_text(v, o, LOCK, noise, [[0, 1, 2]], keep, 2, False, 5, True, 0.01, 1)
        result = kernels.train_text(
            parameters_of(vectors, outputs, LOCK, noise), text([[0, 1, 2]], keep),
            0, 1, 2, False, 5, True, 0.01, 1, RUN,
        )  # fmt: skip
        assert result[2] == pytest.approx(expected[2], rel=1e-5)
        np.testing.assert_allclose(vectors, v, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(outputs, o, rtol=1e-5, atol=1e-5)


def test_text_loss_of_untrained_outputs_is_log_two_a_target():
    vectors = matrix(np.random.default_rng(0).normal(size=(50, 10)))
    noise = kernels.alias_table(np.eye(50)[49])  # one noise word, which the text does not have
    _, examples, loss = kernels.train_text(
        parameters_of(vectors, matrix(np.zeros((50, 10))), LOCK, noise),
        text([[0, 1]], np.full(50, KEEP_ALL, np.uint32)), 0, 1, 1, False, 7, True, 0.0, 1, RUN,
    )  # fmt: skip
    assert examples == 2
    assert loss == pytest.approx(2 * 2 * np.log(2), rel=1e-6)  # the word, and the noise once


def test_text_step_follows_the_gradient_of_its_loss():
    _, vectors, outputs, noise = random_language(3, 8, 6)
    sentences = [[0, 1, 2, 3, 4]]
    keep = np.full(8, KEEP_ALL, np.uint32)

    def loss(v):
        return twin.train_text(v.copy(), outputs.astype(np.float64), LOCK, noise, sentences, keep,
                               4, False, 3, True, 0.0, 5)[2]  # fmt: skip

    base = vectors.astype(np.float64)
    slope = np.zeros_like(base)
    for index in np.ndindex(base.shape):
        step = np.zeros_like(base)
        step[index] = 1e-5
        slope[index] = (loss(base + step) - loss(base - step)) / 2e-5
    alpha = 1e-3  # small: later windows see slightly moved vectors
    kernels.train_text(
        parameters_of(vectors, matrix(outputs), LOCK, noise), text(sentences, keep), 0, 1, 4,
        False, 3, True, alpha, 5, RUN,
    )  # fmt: skip
    np.testing.assert_allclose((base - vectors) / alpha, slope, atol=0.02)


def test_locked_words_stay():
    _, vectors, outputs, noise = random_language(4, 10, 8)
    before = vectors.copy()
    lockf = np.ones(10, np.float32)
    lockf[3] = 0
    parameters = parameters_of(vectors, outputs, lockf, noise)
    keep = np.full(10, KEEP_ALL, np.uint32)
    sentences = [[1, 3, 2], [3, 4]]
    kernels.train_text(parameters, text(sentences, keep), 0, 2, 2, False, 5, True, 0.1, 1, RUN)
    kernels.train_pairs(
        parameters, text(sentences, keep), parameters_of(matrix(before[::-1])),
        text(sentences, keep), np.arange(2), 0.1, (1, 1), 1, False, 1, RUN,
    )  # fmt: skip
    np.testing.assert_array_equal(vectors[3], before[3])
    assert (vectors[[1, 2, 4]] != before[[1, 2, 4]]).any(axis=1).all()


@pytest.mark.parametrize("step", ["shared", "separate", "pairs"])
def test_rows_of_locked_words_keep_every_bit(step):
    _, *a = random_language(4, 10, 40)
    _, *b = random_language(5, 10, 40)
    a[0][3], b[0][3] = -0.0, -0.0  # which 0 would make 0
    before = [vectors[3].tobytes() for vectors in (a[0], b[0])]
    lockf = np.ones(10, np.float32)
    lockf[3] = 0
    one, other = (parameters_of(*side[:2], lockf, side[2]) for side in (a, b))
    words = text([[1, 3, 2], [3, 4], [3]], np.full(10, KEEP_ALL, np.uint32))
    if step in ("shared", "separate"):
        for side in (one, other):
            kernels.train_text(side, words, 0, 3, 2, False, 5, step == "shared", 0.1, 1, RUN)
    else:
        kernels.train_pairs(
            one, words, other, words, np.arange(3), 0.1, (1, 1), 1, False, 1, RUN
        )  # fmt: skip
    assert [vectors[3].tobytes() for vectors in (a[0], b[0])] == before


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("dim", [1, 17, 100])
def test_pair_step_equals_twin(dim, exact):
    rng, a, _, _ = random_language(1, 20, dim)
    _, b, _, _ = random_language(2, 30, dim)
    text_a, text_b = random_sentences(rng, 20, 40), random_sentences(rng, 30, 40)
    keep_a = rng.integers(2**30, 2**32, 20).astype(np.uint32)
    keep_b = rng.integers(2**30, 2**32, 30).astype(np.uint32)
    order = rng.permutation(40)
    x, y = a.astype(np.float64), b.astype(np.float64)
    expected = twin.train_pairs(
        x, y, LOCK, LOCK, text_a, text_b, keep_a, keep_b, order, 0.1, (3, 2), 0.03, exact, 7
    )
    result = kernels.train_pairs(
        parameters_of(a), text(text_a, keep_a),
        parameters_of(b), text(text_b, keep_b),
        order, 0.1, (3, 2), 0.03, exact, 7, RUN,
    )  # fmt: skip
    assert result[:3] == expected[:3]
    assert result[1] > 0
    assert result[3] == pytest.approx(expected[3], rel=1e-5)
    np.testing.assert_allclose(a, x, atol=1e-5)
    np.testing.assert_allclose(b, y, atol=1e-5)
    for rows_of in (a, b):
        assert not kernels.Matrix.of(rows_of).whole[:, dim:].any()


def one_pair(a, b, side_a, side_b, **options):
    """Run the step on a pair; a and b, of any layout, have the vectors after it."""
    keep_a, keep_b = np.full(len(a), KEEP_ALL, np.uint32), np.full(len(b), KEEP_ALL, np.uint32)
    settings = {"alpha": 1.0, "weights": (1.0, 1.0), "clip": np.inf, "exact": False, **options}
    moved_a, moved_b = matrix(a), matrix(b)
    result = kernels.train_pairs(
        parameters_of(moved_a), text([side_a], keep_a),
        parameters_of(moved_b), text([side_b], keep_b),
        np.zeros(1, np.int64), *settings.values(), 1, RUN,
    )  # fmt: skip
    a[...], b[...] = moved_a, moved_b
    return result


@pytest.mark.parametrize("language", [0, 1])
def test_exact_pair_step_is_the_gradient_by_finite_differences(language):
    sides = [0, 2, 3], [1, 4]
    base = [random_language(s, 5, 6)[1].astype(np.float64) for s in (1, 2)]

    def omega(arrays):
        means = [m[s].mean(axis=0) for m, s in zip(arrays, sides, strict=True)]
        return ((means[0] - means[1]) ** 2).sum()

    slope = np.zeros_like(base[language])
    for index in np.ndindex(slope.shape):
        step = np.zeros_like(slope)
        step[index] = 1e-4
        moved = [base[k] + (step if k == language else 0) for k in (0, 1)]
        back = [base[k] - (step if k == language else 0) for k in (0, 1)]
        slope[index] = (omega(moved) - omega(back)) / 2e-4
    moved = [m.astype(np.float32) for m in base]
    loss = one_pair(*moved, *sides, alpha=0.01, exact=True)[3]
    assert loss == pytest.approx(omega(base), rel=1e-5)
    np.testing.assert_allclose((base[language] - moved[language]) / 0.01, slope, atol=1e-3)


def test_repeated_word_moves_as_often_as_it_stands():
    a = np.zeros((2, 3), np.float32)
    b = np.ones((2, 3), np.float32)
    one_pair(a, b, [0, 0, 0, 1], [0], alpha=0.01)
    np.testing.assert_allclose(a, [[0.03] * 3, [0.01] * 3], rtol=1e-5)


def test_each_component_of_a_pair_update_is_clipped():
    a = np.array([[10, -10, 0.01]], np.float32)
    b = np.zeros((1, 3), np.float32)
    one_pair(a, b, [0], [0], clip=0.1)
    np.testing.assert_allclose(a, [[9.9, -9.9, 0.0]], atol=1e-6)
    np.testing.assert_allclose(b, [[0.1, -0.1, 0.01]], atol=1e-6)


@pytest.mark.parametrize("sides", [([], [0]), ([0], []), ([], [])])
def test_pair_with_an_empty_side_changes_nothing_and_is_counted(sides):
    a, b = (random_language(s, 2, 5)[1] for s in (1, 2))
    before = a.copy(), b.copy()
    assert one_pair(a, b, *sides) == (0, 1, 0, 0.0)
    np.testing.assert_array_equal(a, before[0])
    np.testing.assert_array_equal(b, before[1])


def test_raised_stop_flag_ends_steps_before_they_begin():
    _, vectors, outputs, noise = random_language(5, 10, 4)
    before = vectors.copy()
    parameters = parameters_of(vectors, outputs, LOCK, noise)
    corpus = text([[1, 2, 3]] * 5, np.full(10, KEEP_ALL, np.uint32))
    stop = np.ones(1, np.int32)
    assert kernels.train_text(parameters, corpus, 0, 5, 2, True, 5, True, 0.1, 1, stop)[0] == 0
    assert kernels.train_pairs(parameters, corpus, parameters, corpus, np.arange(5), 0.1, (1, 1), 1,
                               False, 1, stop)[0] == 0  # fmt: skip
    np.testing.assert_array_equal(vectors, before)


@settings(max_examples=50)
@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=40).filter(lambda w: sum(w) > 1e-3))
def test_alias_table_holds_the_distribution(weights):
    cut, other = kernels.alias_table(np.array(weights)).T
    n = len(weights)
    chance = np.zeros(n)
    for i in range(n):
        chance[i] += cut[i] / 2**32 / n
        chance[other[i]] += (1 - cut[i] / 2**32) / n
    np.testing.assert_allclose(chance, np.array(weights) / sum(weights), atol=1e-8)


def test_noise_words_follow_the_distribution():
    # Two windows, each with a noise word that is none of the text. The losses of the noise words
    # are far apart, and so tell which two were drawn.
    weights = np.array([1, 2, 4, 8, 16, 0, 0.0])
    size = 100.0 * 3 ** np.arange(5)
    outputs = matrix(np.append(size, [0, 0])[:, None])
    parameters = parameters_of(matrix(np.ones((7, 1))), outputs, LOCK, kernels.alias_table(weights))
    corpus = text([[5, 6]], np.full(7, KEEP_ALL, np.uint32))
    counts = np.zeros(5)
    for seed in range(5_000):
        loss = kernels.train_text(parameters, corpus, 0, 1, 1, True, 1, True, 0.0, seed, RUN)[2]
        left = round((loss - 2 * np.log(2)) / 100)
        for word in range(5):
            left, drawn = divmod(left, 3)
            counts[word] += drawn
    expected = 10_000 * weights[:5] / weights.sum()
    assert counts.sum() == 10_000
    assert ((counts - expected) ** 2 / expected).sum() < 18.5  # chi-square, 4 d.f., p = 0.001


@pytest.mark.parametrize(
    ("ids", "offsets", "words"),
    [([0, 5], [0, 2], 5), ([0, -1], [0, 2], 5), ([0], [0, 2], 5), ([0, 1], [0, 2, 1, 2], 5),
     ([0, 1], [1, 2], 5)],
)  # fmt: skip
def test_text_out_of_bounds_is_refused(ids, offsets, words):
    with pytest.raises(ValueError, match=r"ids|id|offsets"):
        kernels.Text(np.array(ids, np.int32), np.array(offsets, np.int64),
                     np.full(words, KEEP_ALL, np.uint32))  # fmt: skip


def test_arguments_that_would_leave_the_arrays_are_refused():
    _, vectors, outputs, noise = random_language(5, 10, 4)
    parameters = parameters_of(vectors, outputs, LOCK, noise)
    keep = np.full(10, KEEP_ALL, np.uint32)
    corpus = text([[1, 2, 3]], keep)
    with pytest.raises(ValueError, match="no such sentences"):
        kernels.train_text(parameters, corpus, 0, 2, 2, True, 5, True, 0.1, 1, RUN)
    with pytest.raises(ValueError, match="at least 1"):
        kernels.train_text(parameters, corpus, 0, 1, 0, True, 5, True, 0.1, 1, RUN)
    with pytest.raises(ValueError, match="another number of words"):
        kernels.train_text(parameters, text([[1]], keep[:5]), 0, 1, 2, True, 5, True, 0.1, 1, RUN)
    with pytest.raises(ValueError, match="no such pair"):
        kernels.train_pairs(parameters, corpus, parameters, corpus, np.array([1]), 0.1, (1, 1), 1,
                            False, 1, RUN)  # fmt: skip


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(1, 9), st.integers(1, 300), st.integers(1, 12), st.integers(1, 12),
       st.integers(1, 40), st.integers(0, 10**6))  # fmt: skip
def test_largest_are_those_that_sorting_finds(rows, columns, k_row, k_column, step, seed):
    block = np.random.default_rng(seed).integers(-20, 20, (rows, columns)).astype(np.float32)
    of_rows = np.full((rows, k_row), -np.inf, np.float32)
    of_columns = np.full((columns, k_column), -np.inf, np.float32)
    for start in range(0, columns, step):
        part = np.ascontiguousarray(block[:, start : start + step])
        kernels.keep_largest(part, of_rows, of_columns[start : start + step])
    for found, values in ((of_rows, block), (of_columns, block.T)):
        wanted = np.sort(values, axis=1)[:, ::-1][:, : found.shape[1]]
        np.testing.assert_array_equal(found[:, : wanted.shape[1]], wanted)
        assert (found[:, wanted.shape[1] :] == -np.inf).all()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 4), st.integers(1, 400), st.integers(0, 50), st.integers(0, 3),
       st.integers(0, 10**6))  # fmt: skip
def test_best_columns_are_those_that_a_stable_sort_finds(rows, columns, k, margin, seed):
    k = min(k, columns)
    wide = np.random.default_rng(seed).integers(-20, 20, (rows, columns + margin))
    scores = wide.astype(np.float32)[:, :columns]
    scores[:, :1] = -np.inf
    ids, values = kernels.best_columns(scores, k)
    wanted = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    np.testing.assert_array_equal(ids, wanted)
    np.testing.assert_array_equal(values, np.take_along_axis(scores, wanted, axis=1))


def test_a_single_value_that_counts_is_found_wherever_it_stands():
    columns = 300
    for column in range(columns):
        here = np.arange(columns) == column
        assert kernels.best_columns(np.float32(here)[None], 1)[0] == column
        of_row, of_columns = np.zeros((1, 1), np.float32), np.full((columns, 1), 9, np.float32)
        kernels.keep_largest(np.float32(here)[None], of_row, of_columns)
        assert of_row == 1
        of_columns[column] = 0
        kernels.keep_largest(np.ones((1, columns), np.float32), of_row, of_columns)
        np.testing.assert_array_equal(of_columns[:, 0], np.where(here, 1, 9))


def test_more_columns_than_there_are_cannot_be_best():
    with pytest.raises(ValueError, match="no more columns"):
        kernels.best_columns(np.zeros((2, 3), np.float32), 4)
    with pytest.raises(ValueError, match="next to each other"):
        kernels.best_columns(np.zeros((3, 2), np.float32).T, 1)


def test_largest_of_other_shapes_are_refused():
    block, rows, columns = (np.zeros(shape, np.float32) for shape in ((3, 4), (3, 2), (4, 2)))
    for bad in ((block, columns, columns), (block, rows, rows), (block, rows[:, :0], columns)):
        with pytest.raises(ValueError, match=r"wanted|at least one"):
            kernels.keep_largest(*bad)


def test_matrix_keeps_its_rows_and_its_memory_in_either_layout():
    rng = np.random.default_rng(0)
    for shape in ((1, 1), (5, 7), (3, 16), (4, 17), (0, 3), (2, 1000)):
        values = rng.normal(size=shape).astype(np.float32)
        memory, owner = kernels.Matrix(*shape), SimpleNamespace()
        first = memory.array
        assert not first.any()
        first[...] = values
        for padded in (True, True, False, True, False, False):
            memory.lay_out(padded, owner, "rows")
            np.testing.assert_array_equal(owner.rows, values)
            assert kernels.Matrix.of(owner.rows) is memory
            if padded:
                assert owner.rows.ctypes.data % 64 == 0
                assert memory.whole.shape[1] % 16 == 0
                assert not memory.whole[:, shape[1] :].any()
        np.testing.assert_array_equal(first, values)  # the plain layout lies where it lay
        assert owner.rows.flags.c_contiguous


def test_only_all_rows_of_a_matrix_are_taken_for_it():
    memory, owner = kernels.Matrix(6, 20), SimpleNamespace()
    memory.lay_out(True, owner, "rows")
    stale = owner.rows
    for other in (stale[:5], stale[1:], stale[:, :19], stale.copy(), stale.astype(float)):
        assert kernels.Matrix.of(other) is None
    memory.lay_out(False, owner, "rows")
    assert kernels.Matrix.of(stale) is None
    owner.rows.setflags(write=False)
    assert kernels.Matrix.of(owner.rows) is None


def test_steps_want_padded_matrices():
    _, vectors, outputs, noise = random_language(5, 10, 4)
    parameters = parameters_of(vectors, outputs, LOCK, noise)
    keep = np.full(10, KEEP_ALL, np.uint32)
    with pytest.raises(ValueError, match="want padded"):
        kernels.Parameters(kernels.Matrix(10, 4), None, LOCK, None)
    kernels.Matrix.of(vectors).lay_out(False, SimpleNamespace(), "rows")
    with pytest.raises(ValueError, match="want padded"):
        kernels.train_text(parameters, text([[1, 2]], keep), 0, 1, 2, True, 5, True, 0.1, 1, RUN)


def test_unknown_level_is_refused_and_named():
    with pytest.raises(ValueError, match="'sse9'"):
        kernels.use_level("sse9")


def test_environment_forces_a_level():
    for name in kernels.levels():
        assert printed_level(GENSIM_BILBOWA_LEVEL=name) == name
    assert printed_level(GENSIM_BILBOWA_LEVEL="") == kernels.levels()[0]
    with pytest.raises(subprocess.CalledProcessError) as error:
        printed_level(GENSIM_BILBOWA_LEVEL="sse9")
    assert "GENSIM_BILBOWA_LEVEL=sse9: no kernels for 'sse9'" in error.value.stderr


@pytest.mark.parametrize("name", ["baseline", "avx2", "avx512", "neon"])
def test_level_that_the_processor_lacks_is_refused_without_a_crash(name):
    if name in kernels.levels():
        pytest.skip(f"this processor has {name}")
    with pytest.raises(ValueError, match=f"no kernels for '{name}' on this processor"):
        kernels.use_level(name)
    with pytest.raises(subprocess.CalledProcessError) as error:
        printed_level(GENSIM_BILBOWA_LEVEL=name)
    assert error.value.returncode == 1  # no signal
    assert f"ImportError: GENSIM_BILBOWA_LEVEL={name}: no kernels" in error.value.stderr


def printed_level(**environment):
    code = "from gensim_bilbowa import kernels; print(kernels.level())"
    run = subprocess.run(
        [sys.executable, "-P", "-c", code], check=True, capture_output=True, text=True,
        env={**os.environ, **environment},
    )  # fmt: skip
    return run.stdout.strip()


def test_steps_leave_the_floating_point_mode_alone():
    assert np.float64(1e-310) * 1 == 1e-310
