"""The arrays that training writes to: how they lie in memory, and rows that are added to."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.kernels import Matrix

__all__ = ["add_rows", "lock_names", "matrix_of", "own_memory", "put_back"]

_LOCKS = ("vectors_lockf", "vectors_vocab_lockf", "vectors_ngrams_lockf")


def lock_names(wv: Any) -> list[str]:
    """Return the names of the factors on updates that a language's vectors have."""
    return [name for name in _LOCKS if hasattr(wv, name)]


def matrix_of(array: NDArray[np.float32]) -> Matrix:
    """Return the matrix of an array that can be laid out in two ways."""
    matrix = Matrix.of(array)
    assert matrix is not None, "training lays the arrays out first"
    return matrix


def own_memory(owner: Any, name: str) -> None:
    """Move an array into memory that can be laid out in two ways."""
    array = getattr(owner, name)
    copy = Matrix(*array.shape).array
    copy[...] = array
    setattr(owner, name, copy)


def put_back(laid_out: list[tuple[Matrix, Any, str, NDArray[np.float32]]]) -> None:
    """Lay matrices out plainly, with the arrays that were there before."""
    for matrix, owner, name, array in reversed(laid_out):
        ours = Matrix.of(getattr(owner, name)) is matrix
        matrix.lay_out(False, owner if ours else SimpleNamespace(), name)
        array.setflags(write=True)
        if ours:
            setattr(owner, name, array)


def add_rows(
    rows: NDArray[np.float32], words: NDArray[np.int64], moves: NDArray[np.float32],
    lockf: NDArray[np.float32],
) -> None:  # fmt: skip
    """Add to some rows, each named once, times their lock factors; `moves` is changed in place."""
    factors = lockf[words % len(lockf)]
    moves = moves[:, : rows.shape[1]]
    moves *= factors[:, None]
    free = factors != 0  # rows that are locked keep every bit
    if free.all():
        rows[words] += moves
    else:
        rows[words[free]] += moves[free]
