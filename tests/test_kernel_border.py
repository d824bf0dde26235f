"""What Python may not hand to the compiled steps is refused before they run."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from gensim_bilbowa import kernels

RUN = np.zeros(1, np.int32)
LOCK = np.ones(1, np.float32)
NO_LOCK = np.ones(0, np.float32)
KEEP = np.full(3, 2**32 - 1, np.uint32)


def padded(rows=3, columns=4):
    matrix = kernels.Matrix(rows, columns)
    matrix.lay_out(True, SimpleNamespace(), "rows")
    return matrix


def noise(words=3):
    return kernels.alias_table(np.ones(words))


def text(sentences=1, keep=KEEP):
    offsets = np.arange(0, 2 * sentences + 1, 2)
    return kernels.Text(np.tile(np.array([0, 1], np.int32), sentences), offsets, keep)


def parameters(columns=4):
    return kernels.Parameters(padded(columns=columns), padded(columns=columns), LOCK, noise())


def test_alias_table_of_no_words_is_refused():
    with pytest.raises(ValueError, match="got none"):
        kernels.alias_table(np.zeros(0))


@pytest.mark.parametrize(("rows", "columns"), [(-1, 4), (3, 0)])
def test_matrix_without_columns_is_refused(rows, columns):
    with pytest.raises(ValueError, match="at least one column"):
        kernels.Matrix(rows, columns)


def test_plain_matrix_has_no_padding_to_show():
    with pytest.raises(ValueError, match="not padded"):
        _ = kernels.Matrix(3, 4).whole


@pytest.mark.parametrize(
    ("vectors", "outputs", "lockf", "table", "message"),
    [
        (padded(0), None, LOCK, None, "at least one word"),
        (padded(), None, NO_LOCK, None, "lockf is empty"),
        (padded(), padded(2), LOCK, noise(), "differ in shape"),
        (padded(), padded(columns=5), LOCK, noise(), "differ in shape"),
        (padded(), padded(), LOCK, noise(2), "not that of the words"),
        (padded(), padded(), LOCK, np.zeros((3, 3), np.uint32), "not that of the words"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(vectors, outputs, lockf, table, message):
    with pytest.raises(ValueError, match=message):
        kernels.Parameters(vectors, outputs, lockf, table)


@pytest.mark.parametrize(("own", "of_ngrams"), [(NO_LOCK, LOCK), (LOCK, NO_LOCK)])
def test_ngrams_want_lock_factors(own, of_ngrams):
    with pytest.raises(ValueError, match="lockf is empty"):
        kernels.Subwords(padded(), np.array([0, 1]), np.zeros(1, np.int32), own, of_ngrams)


def test_text_step_wants_outputs():
    bare = kernels.Parameters(padded(), None, LOCK, None)
    with pytest.raises(ValueError, match="no outputs"):
        kernels.train_text(bare, text(), 0, 1, 2, True, 5, True, 0.1, 1, RUN)


def pair_step(a, text_a, b, text_b, order, stop):
    return kernels.train_pairs(
        a, text_a, b, text_b, order, 0.1, (1.0, 1.0), 1.0, False, 1, stop
    )  # fmt: skip


@pytest.mark.parametrize(
    ("columns", "other", "message"),
    [
        (4, text(2), "differ in length"),
        (5, text(), "differ in vector size"),
        (4, text(keep=KEEP[:2]), "another number of words"),
    ],
)
def test_sides_that_do_not_fit_are_refused(columns, other, message):
    with pytest.raises(ValueError, match=message):
        pair_step(parameters(), text(), parameters(columns), other, np.arange(1), RUN)


@pytest.mark.parametrize(
    ("order", "stop"), [(np.arange(0), RUN), (np.arange(1), np.zeros(0, np.int32))]
)
def test_no_pairs_or_no_stop_flag_train_nothing(order, stop):
    one = parameters()
    assert not any(pair_step(one, text(), one, text(), order, stop))


def test_largest_of_an_empty_block_are_what_they_were():
    of_rows = np.full((3, 2), -np.inf, np.float32)
    kernels.keep_largest(np.zeros((3, 0), np.float32), of_rows, np.zeros((0, 2), np.float32))
    assert np.isneginf(of_rows).all()


def test_word_tables_tell_how_many_words_they_hold():
    table = kernels.WordTable()
    assert len(table) == 0
    assert len(kernels.Vocabulary({"a": 0, "b": 1, 2: 2})) == 2


# ---- rows whose elements a 32-bit number cannot count


WIDE = 4096


def huge(power):
    """Return parameters of some rows more than 2**power elements; pages not touched take no memory.

    Negative words are drawn among the last ten rows.
    """
    rows = (1 << power) // WIDE + 10
    weights = np.zeros(rows)
    weights[-10:] = 1
    try:
        vectors, outputs = padded(rows, WIDE), padded(rows, WIDE)
    except MemoryError:
        pytest.skip(f"no address space of {2 * rows * WIDE * 4 >> 30} GiB")
    rng = np.random.default_rng(1)
    for matrix in (vectors, outputs):
        matrix.array[-10:] = rng.normal(size=(10, WIDE)) / WIDE
    return (
        kernels.Parameters(vectors, outputs, LOCK, kernels.alias_table(weights)),
        vectors,
        outputs,
    )


def few():
    """Return the same without the rows that are not touched, and without outputs."""
    vectors = padded(10, WIDE)
    vectors.array[:] = np.random.default_rng(1).normal(size=(10, WIDE)) / WIDE
    return kernels.Parameters(vectors, None, LOCK, None), vectors


def last_words(rows):
    keep = np.full(rows, 2**32 - 1, np.uint32)
    return kernels.Text(np.arange(rows - 8, rows, dtype=np.int32), np.array([0, 8]), keep)


@pytest.mark.parametrize("power", [31, 32])
def test_means_of_the_last_rows_of_a_huge_matrix_are_those_of_a_small_one(power):
    results = []
    for parameters_, vectors in (huge(power)[:2], few()):
        other, others = few()
        others.array[:] *= -1
        kernels.train_pairs(
            parameters_, last_words(vectors.rows), other, last_words(10), np.arange(1),
            0.1, (1.0, 1.0), 1.0, False, 1, RUN,
        )  # fmt: skip
        results.append(vectors.array[-10:].copy())
    np.testing.assert_array_equal(*results)
    assert not np.array_equal(results[0], few()[1].array)


@pytest.mark.parametrize("power", [31, 32])
def test_text_step_on_the_last_rows_of_a_huge_matrix_changes_those_alone(power):
    parameters_, vectors, outputs = huge(power)
    words = last_words(vectors.rows)
    before = [matrix.array[-10:].copy() for matrix in (vectors, outputs)]
    kernels.train_text(parameters_, words, 0, 1, 2, True, 5, True, 0.1, 1, RUN)
    for matrix, old in zip((vectors, outputs), before, strict=True):
        new = matrix.array[-10:]
        assert np.isfinite(new).all()
        assert (new != old).any(axis=1).sum() >= 8
        # Where a row would be if its place were counted in 32 bits.
        wrapped = matrix.array[[(row * WIDE % 2**32) // WIDE for row in range(10)]]
        assert not wrapped.any()
