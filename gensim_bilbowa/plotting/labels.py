"""Where to put the labels of points so that they do not cover one another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.plotting.projection import Points

__all__ = ["place_labels"]

# Directions from a point, in eighths of a turn; right of it is where a reader looks first.
_BESIDE = (0, 2, 6, 4, 1, 7, 3, 5)
_AROUND = 24
# What a unit of a label beyond the bounds is worth in units of one on another label.
_OUTSIDE = 10.0


def place_labels(
    anchors: NDArray[Any], sizes: NDArray[Any], bounds: tuple[float, float, float, float],
    *, gap: float = 4.0, step: float = 5.0,
) -> Points:  # fmt: skip
    """Place labels beside their points, or further off where there is no room.

    Labels are placed in their order, each at the nearest of a number of places around its point at
    which it lies within the bounds and on no point and no label placed before; if there is none,
    where it covers least. The same input gives the same places.

    Parameters
    ----------
    anchors : ndarray of float, shape (n, 2)
        The points.
    sizes : ndarray of float, shape (n, 2)
        Width and height of each label.
    bounds : (float, float, float, float)
        Left, bottom, right and top.
    gap : float
        From a point to a label beside it; a point takes up half of this around it.
    step : float
        By how much each further round of places is further off.

    Returns
    -------
    ndarray of float64, shape (n, 2)
        Centres of the labels.

    Examples
    --------
    >>> import numpy as np
    >>> place_labels(np.array([[0, 0], [1, 0]]), np.full((2, 2), 8.0), (-99, -99, 99, 99))
    array([[8., 0.],
           [1., 8.]])
    """
    anchors = np.asarray(anchors, np.float64)
    halves = np.asarray(sizes, np.float64) / 2
    low, high = np.array(bounds[:2]), np.array(bounds[2:])
    farthest = float(np.linalg.norm(high - low))
    centres = np.empty_like(anchors)
    taken_centres, taken_halves = anchors, np.full_like(anchors, gap / 2)
    for index, (anchor, half) in enumerate(zip(anchors, halves, strict=True)):
        least = np.inf
        room = np.abs(taken_centres - anchor) - taken_halves - half
        for places in _rounds(anchor, half, gap, step, farthest):
            outside = np.maximum(low - (places - half), 0) + np.maximum(places + half - high, 0)
            cover = _OUTSIDE * outside.sum(axis=1) * half.sum()
            near = (room < np.abs(places - anchor).max(axis=0)).all(axis=1)
            cover += _overlap(places, half, taken_centres[near], taken_halves[near])
            best = cover.argmin()
            if cover[best] < least:
                least, centres[index] = cover[best], places[best]
            if least <= 0:
                break
        taken_centres = np.vstack([taken_centres, centres[index]])
        taken_halves = np.vstack([taken_halves, half])
    return centres


def _rounds(
    anchor: Points, half: Points, gap: float, step: float, farthest: float
) -> Iterator[Points]:
    angles = np.array(_BESIDE, np.float64) * (np.pi / 4)
    # Full reach to the sides and corners of the label, so that none of it touches the point.
    directions = np.column_stack([np.cos(angles), np.sin(angles)]).round(9)
    yield anchor + np.sign(directions) * half + directions * gap
    angles = np.arange(_AROUND, dtype=np.float64) * (2 * np.pi / _AROUND)
    directions = np.column_stack([np.cos(angles), np.sin(angles)])
    for distance in np.arange(gap + step, farthest, step):
        yield anchor + directions * (half + distance)


def _overlap(places: Points, half: Points, centres: Points, halves: Points) -> Points:
    """Sum of the areas that a label would share with each box, for each of its places."""
    shared = halves + half - np.abs(places[:, None, :] - centres)
    shared = np.minimum(np.maximum(shared, 0), 2 * np.minimum(half, halves))
    return np.asarray(shared.prod(axis=2).sum(axis=1), np.float64)
