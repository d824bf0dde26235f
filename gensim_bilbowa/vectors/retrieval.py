"""Nearest neighbours between two sets of vectors: cosine, and corrections for hubs.

Points are float32 matrices with rows of unit length (or zero), or sentences with their words
(:class:`~gensim_bilbowa.vectors.points.WithWords`). Similarities are computed in blocks, so that
memory is bounded by a block, not by the product of the vocabularies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa import kernels
from gensim_bilbowa.parameters import check_choice, check_number
from gensim_bilbowa.running.stages import Report, unreported
from gensim_bilbowa.vectors.points import Matrix, Points, products

__all__ = [
    "METHODS",
    "Matrix",
    "Method",
    "Scoring",
    "at_length_one",
    "best_columns",
    "check_method",
    "log_partition",
    "mean_of_largest",
    "most_similar",
    "nearest",
    "neighbourhoods",
    "product_tiles",
]

Method: TypeAlias = Literal["cosine", "csls", "inverted_softmax"]
METHODS: tuple[Method, ...] = get_args(Method)

_BLOCK_BYTES = 1 << 26
# Rows and columns of similarities that are computed at once, where whole rows are not needed.
_TILE = (1 << 10, 1 << 14)
# Up to here finding the best is faster than sorting all.
_FEW = 1000


def check_method(method: str, k: int, beta: float) -> None:
    """Refuse an unknown method, and parameters that no method can work with."""
    check_choice("method", method, METHODS)
    check_number("k", k, whole=True, low=1)
    check_number("beta", beta, whole=False, low=1e-6, high=1e6)


def at_length_one(rows: NDArray[Any], lengths: NDArray[np.float32] | None = None) -> Matrix:
    """Divide each row by its length; a zero row stays zero.

    Parameters
    ----------
    rows : ndarray of any float type, shape (n, dim)
    lengths : ndarray of float32, shape (n,), optional
        If they are known.

    Returns
    -------
    ndarray of float32, shape (n, dim), in C order
        A new array.
    """
    if lengths is None:
        lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    divisors = np.where(lengths > 0, lengths, 1)[:, None]
    result = np.empty(rows.shape, dtype=np.float32)
    np.divide(rows, divisors, out=result, casting="same_kind")
    return result


def _spans(n: int, step: int) -> Iterator[slice]:
    for start in range(0, n, step):
        yield slice(start, min(start + step, n))


def product_tiles(
    points: Points, others: Points, report: Report = unreported
) -> Iterator[tuple[slice, slice, Matrix]]:
    """Yield rows, columns and values of each tile of two sets' products, from row to row.

    The part that is done is reported whenever the next one is asked for.
    """
    n, m = len(points), len(others)
    for rows in _spans(n, _TILE[0]):
        for columns in _spans(m, _TILE[1]):
            yield rows, columns, products(points[rows], others[columns])
            report(float((rows.start + (rows.stop - rows.start) * columns.stop / m) / n))


def mean_of_largest(similarities: Matrix, k: int) -> Matrix:
    """Mean of the `k` largest values of each row; of all if there are fewer, 0 if there are none.

    Parameters
    ----------
    similarities : ndarray of float32, shape (n, m)

    Returns
    -------
    ndarray of float32, shape (n,)
    """
    k = min(k, similarities.shape[1])
    if k == 0:
        return np.zeros(len(similarities), dtype=np.float32)
    return np.asarray(best_columns(similarities, k)[1].mean(axis=1), dtype=np.float32)


@dataclass(frozen=True)
class Scoring:
    """How cosines become scores: ``scale * cos(x, y) - penalty(y) - r(x)``.

    Cosine, CSLS and inverted softmax are all of this form, with a penalty for targets that are
    near to everything.

    Attributes
    ----------
    scale : float
    penalty : ndarray of float32, shape (m,), or None
        Of each target; None stands for zeros.
    k : int
        Take the mean cosine of x to its `k` nearest targets as r(x), which leaves the order of a
        query's targets as it is; 0 takes none.
    """

    scale: float = 1.0
    penalty: Matrix | None = None
    k: int = 0

    @classmethod
    def csls(cls, target_neighbourhood: Matrix, k: int) -> Scoring:
        """Cross-domain similarity local scaling: ``2 cos(x, y) - r(x) - r(y)``.

        Conneau et al. (2018); similarities in crowded regions count for less.

        Parameters
        ----------
        target_neighbourhood : ndarray of float32, shape (m,)
            r(y), the mean cosine of each target to its `k` nearest in the queries' language.
        k : int
        """
        return cls(2.0, target_neighbourhood, k)

    @classmethod
    def inverted_softmax(cls, target_partition: Matrix, beta: float) -> Scoring:
        """Inverted softmax: log of ``exp(beta cos(x, y)) / sum over x' of exp(beta cos(x', y))``.

        Smith et al. (2017): the probability that y is asked for by x, of all x' of that language.

        Parameters
        ----------
        target_partition : ndarray of float32, shape (m,)
            Of :func:`log_partition`.
        beta : float
        """
        return cls(beta, target_partition)

    def __call__(self, cosines: Matrix) -> Matrix:
        """Turn the cosines of some queries to all targets, shape (n, m), into scores.

        In place: they may be many.
        """
        own = mean_of_largest(cosines, self.k)[:, None] if self.k else None
        if self.scale != 1:
            cosines *= np.float32(self.scale)
        if self.penalty is not None:
            cosines -= self.penalty
        if own is not None:
            cosines -= own
        return cosines

    def among(self, targets: Any) -> Scoring:
        """Return the scoring of some targets alone, without r(x), which is a mean over all."""
        penalty = None if self.penalty is None else self.penalty[targets]
        return replace(self, penalty=penalty, k=0)


def neighbourhoods(
    points: Points, others: Points, k: int, report: Report = unreported
) -> tuple[Matrix, Matrix]:
    """Mean similarity of each point to its `k` nearest of `others`, and the other way round.

    This is r in Conneau et al. (2018). Both take one product of the two matrices, a tile at a time.

    Parameters
    ----------
    points : ndarray of float32, shape (n, dim), or WithWords
    others : ndarray of float32, shape (m, dim), or WithWords
    k : int
    report : callable
        Called with the part that is done, from 0 to 1, now and then.

    Returns
    -------
    ndarray of float32, shape (n,), and ndarray of float32, shape (m,)
        Zeros where there are no others.
    """
    if not len(points) or not len(others):
        return np.zeros(len(points), np.float32), np.zeros(len(others), np.float32)
    of_points = np.full((len(points), min(k, len(others))), -np.inf, np.float32)
    of_others = np.full((len(others), min(k, len(points))), -np.inf, np.float32)
    for rows, columns, tile in product_tiles(points, others, report):
        kernels.keep_largest(tile, of_points[rows], of_others[columns])
    return of_points.mean(axis=1), of_others.mean(axis=1)


def log_partition(
    points: Points, others: Points, beta: float, report: Report = unreported
) -> Matrix:
    """Log of the sum over all others x of exp(beta cos(x, y)), for each point y.

    Parameters
    ----------
    points : ndarray of float32, shape (n, dim), or WithWords
    others : ndarray of float32, shape (m, dim), or WithWords
    beta : float
    report : callable
        Called with the part that is done, from 0 to 1, now and then.

    Returns
    -------
    ndarray of float32, shape (n,)
        -inf where there are no others.
    """
    result = np.full(len(points), -np.inf, np.float64)
    for rows, _, cosines in product_tiles(points, others, report):
        tile = beta * cosines
        del cosines  # its memory is wanted
        # Sums of terms no larger than 1, one of which is 1: nothing over- or underflows.
        largest = tile.max(axis=1)
        part = np.exp(tile - largest[:, None]).sum(axis=1, dtype=np.float64)
        result[rows] = np.logaddexp(result[rows], np.log(part) + largest)
    return result.astype(np.float32)


def best_columns(scores: Matrix, topn: int) -> tuple[NDArray[np.int64], Matrix]:
    """Find the columns of the `topn` highest scores of each row, best first, ties by index.

    Parameters
    ----------
    scores : ndarray of float32, shape (n, m)
    topn : int
        At most m.

    Returns
    -------
    ndarray of int64 and ndarray of float32, both of shape (n, topn)
        The columns, and their scores.
    """
    if topn <= _FEW:
        return kernels.best_columns(scores, topn)
    order = np.argsort(-scores, axis=1, kind="stable")[:, :topn]
    return order, np.take_along_axis(scores, order, axis=1)


def nearest(
    queries: Points,
    targets: Points,
    topn: int,
    *,
    scoring: Scoring | None = None,
    among: int | None = None,
    add: Callable[[Matrix, slice], None] | None = None,
    report: Report = unreported,
) -> tuple[NDArray[np.int64], Matrix]:
    """Find the `topn` best targets of each query, best first; ties go to the lower index.

    Parameters
    ----------
    queries : ndarray of float32, shape (n, dim), or WithWords
    targets : ndarray of float32, shape (m, dim), or WithWords
    scoring : Scoring, optional
        Default: the cosines.
    among : int, optional
        Only the first so many targets are candidates.
    add : callable, optional
        Adds to the scores of a slice of queries, shape (rows, m), in place.
    report : callable
        Called with the part that is done, from 0 to 1, now and then.

    Returns
    -------
    indices : ndarray of int64, shape (n, min(topn, m))
    scores : ndarray of float32, shape (n, min(topn, m))
    """
    topn = min(topn, len(targets) if among is None else min(among, len(targets)))
    indices = np.empty((len(queries), topn), dtype=np.int64)
    scores = np.empty((len(queries), topn), dtype=np.float32)
    for rows in _spans(len(queries), max(1, _BLOCK_BYTES // (4 * max(len(targets), 1)))):
        block = products(queries[rows], targets)
        if scoring is not None:
            block = scoring(block)
        if add is not None:
            add(block, rows)
        indices[rows], scores[rows] = best_columns(block[:, :among], topn)
        report(rows.stop / len(queries))
    return indices, scores


def most_similar(
    asked: Points, among: Points, topn: int, method: Method = "csls", k: int = 4, beta: float = 30.0
) -> list[list[tuple[int, float]]]:
    """Answer :meth:`CrossLingualKeyedVectors.most_similar_sentences_batch` for points."""
    scoring = Scoring()
    if method == "csls":
        scoring = Scoring.csls(neighbourhoods(among, asked, k)[0], k)
    elif method == "inverted_softmax":
        scoring = Scoring.inverted_softmax(log_partition(among, asked, beta), beta)
    positions, scores = nearest(asked, among, topn, scoring=scoring)
    return [
        list(zip(*row, strict=True))
        for row in zip(positions.tolist(), scores.tolist(), strict=True)
    ]
