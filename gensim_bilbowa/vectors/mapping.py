"""What it takes to map vectors into another space: rows made ready, and new rows for the words."""

from __future__ import annotations

from typing import Any

import numpy as np
from gensim.models import KeyedVectors
from numpy.typing import NDArray

from gensim_bilbowa.formats.assembly import keyed_vectors
from gensim_bilbowa.vectors.counts import attributes
from gensim_bilbowa.vectors.retrieval import Matrix, at_length_one

__all__ = ["centred", "with_rows"]

# A row that centring makes shorter than this is what rounding left of the mean.
_NOTHING = 1e-6


def centred(rows: NDArray[Any]) -> Matrix:
    """Bring rows to length 1, take their mean off, and bring them to length 1 again.

    Zero rows stay zero and do not count for the mean. This is how Artetxe et al. (2018) prepare
    vectors.

    Parameters
    ----------
    rows : ndarray of any float type, shape (n, dim)

    Returns
    -------
    ndarray of float32, shape (n, dim)
        A new array.
    """
    result = at_length_one(rows)
    there = np.any(result, axis=1, keepdims=True)
    mean = result.sum(axis=0, dtype=np.float64) / max(1, np.count_nonzero(there))
    np.subtract(result, mean.astype(np.float32), out=result, where=there)
    result[np.einsum("ij,ij->i", result, result) < _NOTHING**2] = 0
    return at_length_one(result)


def with_rows(vectors: KeyedVectors, rows: Matrix) -> KeyedVectors:
    """Give the words of `vectors`, with copies of their counts and other attributes, new rows.

    Parameters
    ----------
    vectors : gensim.models.KeyedVectors
        Stays as it is.
    rows : ndarray of float32, shape (n_words, dim)
        Not copied.

    Returns
    -------
    gensim.models.KeyedVectors
    """
    words = {word: index for index, word in enumerate(vectors.index_to_key)}
    copies = {name: np.array(values) for name, values in attributes(vectors).items()}
    return keyed_vectors(words, rows, copies)
