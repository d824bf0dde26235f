"""Nearest neighbours between two sets of vectors: cosine, and CSLS against hubs.

All matrices here are float32 with rows of unit length (or zero). Similarities are computed in
blocks of rows, so that memory is bounded by a block, not by the product of the vocabularies.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Method", "best_columns", "csls", "nearest", "neighbourhood", "unit_rows"]

Method: TypeAlias = Literal["cosine", "csls"]
Matrix: TypeAlias = NDArray[np.float32]

_BLOCK_BYTES = 1 << 26


def unit_rows(vectors: Matrix, norms: NDArray[np.float32]) -> Matrix:
    """Divide each row by its norm; a zero row stays zero."""
    return np.divide(vectors, np.where(norms > 0, norms, 1)[:, None], dtype=np.float32)


def _blocks(n_rows: int, n_columns: int) -> Iterator[slice]:
    step = max(1, _BLOCK_BYTES // (4 * max(n_columns, 1)))
    for start in range(0, n_rows, step):
        yield slice(start, min(start + step, n_rows))


def _mean_of_largest(similarities: Matrix, k: int) -> Matrix:
    k = min(k, similarities.shape[1])
    if k == 0:
        return np.zeros(len(similarities), dtype=np.float32)
    largest = np.partition(similarities, -k, axis=1)[:, -k:]
    return np.asarray(largest.mean(axis=1), dtype=np.float32)


def neighbourhood(points: Matrix, others: Matrix, k: int) -> Matrix:
    """Mean similarity of each point to its `k` nearest of `others`: r in Conneau et al. (2018).

    Parameters
    ----------
    points : ndarray of float32, shape (n, dim)
    others : ndarray of float32, shape (m, dim)

    Returns
    -------
    ndarray of float32, shape (n,)
    """
    result = np.empty(len(points), dtype=np.float32)
    for rows in _blocks(len(points), len(others)):
        result[rows] = _mean_of_largest(points[rows] @ others.T, k)
    return result


def csls(similarities: Matrix, target_neighbourhood: Matrix, k: int) -> Matrix:
    """Cross-domain similarity local scaling (Conneau et al. 2018).

    ``2 cos(x, y) - r(x) - r(y)``: similarities in crowded regions count for less.

    Parameters
    ----------
    similarities : ndarray of float32, shape (n, m)
        Cosine of each query x to all m targets.
    target_neighbourhood : ndarray of float32, shape (m,)
        r(y), the mean similarity of each target to its `k` nearest in the queries' language.
    """
    own = _mean_of_largest(similarities, k)
    return np.asarray(2 * similarities - own[:, None] - target_neighbourhood, dtype=np.float32)


def best_columns(scores: Matrix, topn: int) -> NDArray[np.int64]:
    """Find the columns of the `topn` highest scores of each row, best first, ties by index.

    Parameters
    ----------
    scores : ndarray of float32, shape (n, m)
    topn : int
        At most m.

    Returns
    -------
    ndarray of int64, shape (n, topn)
    """
    if topn == 0:
        return np.empty((len(scores), 0), dtype=np.int64)
    best = np.argpartition(-scores, topn - 1, axis=1)[:, :topn]
    # Of the columns that tie for the last place argpartition takes any.
    last = np.take_along_axis(scores, best, axis=1).min(axis=1, keepdims=True)
    for row in np.flatnonzero((scores >= last).sum(axis=1) > topn):
        better = np.flatnonzero(scores[row] > last[row])
        best[row] = np.concatenate([better, np.flatnonzero(scores[row] == last[row])])[:topn]
    best.sort(axis=1)
    order = np.argsort(-np.take_along_axis(scores, best, axis=1), axis=1, kind="stable")
    return np.take_along_axis(best, order, axis=1)


def nearest(
    queries: Matrix,
    targets: Matrix,
    topn: int,
    *,
    target_neighbourhood: Matrix | None = None,
    k: int = 10,
) -> tuple[NDArray[np.int64], Matrix]:
    """Find the `topn` best targets of each query, best first; ties go to the lower index.

    Parameters
    ----------
    queries : ndarray of float32, shape (n, dim)
    targets : ndarray of float32, shape (m, dim)
    target_neighbourhood : ndarray of float32, shape (m,), optional
        If given, rank by :func:`csls`, else by cosine.

    Returns
    -------
    indices : ndarray of int64, shape (n, min(topn, m))
    scores : ndarray of float32, shape (n, min(topn, m))
    """
    topn = min(topn, len(targets))
    indices = np.empty((len(queries), topn), dtype=np.int64)
    scores = np.empty((len(queries), topn), dtype=np.float32)
    for rows in _blocks(len(queries), len(targets)):
        block = queries[rows] @ targets.T
        if target_neighbourhood is not None:
            block = csls(block, target_neighbourhood, k)
        indices[rows] = best_columns(block, topn)
        scores[rows] = np.take_along_axis(block, indices[rows], axis=1)
    return indices, scores
