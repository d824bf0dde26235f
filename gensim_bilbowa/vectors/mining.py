"""Translation pairs from two texts that are not aligned: margin scores (Artetxe, Schwenk 2019)."""

from __future__ import annotations

import logging
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.parameters import check_choice, check_number
from gensim_bilbowa.vectors.points import Points, distinct, nonzero
from gensim_bilbowa.vectors.retrieval import Matrix, neighbourhoods, product_tiles

__all__ = ["MARGINS", "Margin", "mine"]

Margin: TypeAlias = Literal["distance", "ratio", "absolute"]

MARGINS: tuple[Margin, ...] = get_args(Margin)

# The least that a cosine is divided by: neighbours may be at right angles, or beyond.
_LEAST_MEAN = 1e-3

logger = logging.getLogger(__name__)


def _margin(cosines: Matrix, own: Matrix, others: Matrix, margin: Margin) -> Matrix:
    """Turn cosines of pairs, shape (n, m), into scores, by the mean cosines to both's neighbours.

    In place: a tile is large.
    """
    if margin == "distance":
        cosines -= own[:, None] / 2
        cosines -= others / 2
    elif margin == "ratio":
        means = own[:, None] / 2 + others / 2
        cosines /= np.maximum(means, _LEAST_MEAN, out=means)
    return cosines


def _distinct(points: Points, where: str) -> NDArray[np.int64]:
    """Positions of the points that are not zero and not equal to an earlier one."""
    found = distinct(points)
    if len(found) < len(points):
        zero = int(np.count_nonzero(~nonzero(points)))
        logger.warning(
            "%s: %s of %s are not mined: %s without known words, %s equal to an earlier one",
            where, f"{len(points) - len(found):,}", f"{len(points):,}", f"{zero:,}",
            f"{len(points) - len(found) - zero:,}",
        )  # fmt: skip
    return found


def _best(
    points: Points, others: Points, k: int, margin: Margin
) -> tuple[NDArray[np.int64], Matrix, NDArray[np.int64], Matrix]:
    """For each point the position and score of its best one of `others`, and the other way round.

    Ties go to the lower position.
    """
    of_points, of_others = neighbourhoods(points, others, k)
    forward, backward = np.zeros(len(points), np.int64), np.zeros(len(others), np.int64)
    forward_score = np.full(len(points), -np.inf, np.float32)
    backward_score = np.full(len(others), -np.inf, np.float32)
    for rows, columns, cosines in product_tiles(points, others):
        scores = _margin(cosines, of_points[rows], of_others[columns], margin)
        for axis, span, first, best, best_score in (
            (1, rows, columns.start, forward, forward_score),
            (0, columns, rows.start, backward, backward_score),
        ):
            highest = scores.max(axis=axis)
            # Far faster to find than where they are: few of a later tile are better.
            better = np.flatnonzero(highest > best_score[span])
            best[span][better] = first + scores.take(better, 1 - axis).argmax(axis=axis)
            best_score[span][better] = highest[better]
    return forward, forward_score, backward, backward_score


def mine(
    points: Points,
    others: Points,
    *,
    k: int = 4,
    margin: Margin = "distance",
    min_score: float | None = None,
    mutual: bool = False,
) -> list[tuple[int, int, float]]:
    """Find the pairs of rows that stand out from their neighbours, each row in one pair at most.

    The margin of a pair compares its cosine with the mean of x's to its `k` nearest and of y's to
    its `k` nearest (Artetxe and Schwenk 2019, equations 1 to 4). Both texts' best are candidates,
    and of those that share a row the best is taken (their "max"). The matrix of all pairs is
    computed twice, in tiles.

    Parameters
    ----------
    points : ndarray of float32, shape (n, dim), or WithWords
    others : ndarray of float32, shape (m, dim), or WithWords
        Rows of unit length; zero rows are left out, and of equal rows all but the first.
    k, margin, min_score, mutual
        As for :meth:`CrossLingualKeyedVectors.mine_sentences`.

    Returns
    -------
    list of (int, int, float)
        Rows of `points` and `others` and the score, best first; ties by position.
    """
    check_choice("margin", margin, MARGINS)
    check_number("k", k, whole=True, low=1)
    if min_score is not None:
        check_number("min_score", min_score, whole=False, low=-np.inf)
    own, their = _distinct(points, "sentences"), _distinct(others, "others")
    if not len(own) or not len(their):
        return []
    forward, forward_score, backward, backward_score = _best(points[own], others[their], k, margin)
    if mutual:
        left = np.flatnonzero(backward[forward] == np.arange(len(own)))
        right, scores = forward[left], forward_score[left]
    else:
        left = np.concatenate([np.arange(len(own)), backward])
        right = np.concatenate([forward, np.arange(len(their))])
        scores = np.concatenate([forward_score, backward_score])
    if min_score is not None:
        enough = scores >= min_score
        left, right, scores = left[enough], right[enough], scores[enough]
    order = np.lexsort((right, left, -scores))
    free, their_free = np.ones(len(own), bool), np.ones(len(their), bool)
    pairs = []
    for x, y, score in zip(*(a[order].tolist() for a in (left, right, scores)), strict=True):
        if free[x] and their_free[y]:
            free[x] = their_free[y] = False
            pairs.append((int(own[x]), int(their[y]), score))
    return pairs
