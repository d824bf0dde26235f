"""Rows of different lengths, one after the other in one array."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["places_of"]


def places_of(
    offsets: NDArray[np.int64], rows: NDArray[np.integer]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where in the array what some rows have stands, and the offsets of these rows alone.

    Parameters
    ----------
    offsets : ndarray of int64, shape (n_rows + 1,)
        Row i has the places from ``offsets[i]`` to ``offsets[i + 1]``.
    rows : ndarray of int, shape (n_taken,)
        The rows to take, in any order, also more than once.

    Returns
    -------
    places : ndarray of int64
    offsets : ndarray of int64, shape (n_taken + 1,)

    Examples
    --------
    >>> offsets, words = np.array([0, 2, 3, 5]), np.array(["a", "b", "c", "d", "e"])
    >>> places, taken = places_of(offsets, np.array([2, 0]))
    >>> words[places].tolist(), taken.tolist()
    (['d', 'e', 'a', 'b'], [0, 2, 4])
    """
    starts = offsets[rows]
    lengths = offsets[rows + 1] - starts
    taken = np.append(0, np.cumsum(lengths))
    return np.arange(taken[-1]) + np.repeat(starts - taken[:-1], lengths), taken
