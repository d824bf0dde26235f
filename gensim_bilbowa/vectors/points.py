"""Points that are compared: vectors, and weighted words beside them."""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa import kernels

__all__ = ["Matrix", "Points", "WithWords", "distinct", "nonzero", "products"]

Matrix: TypeAlias = NDArray[np.float32]

# Words whose products cost more one by one than as a column of a matrix product: they stand in both
# of two sentences in so large a part of all pairs. Most such words.
_FREQUENT = 1 / 32
_MOST_FREQUENT = 256


class WithWords:
    """Sentences as vectors with weighted words.

    The product of two is that of their vectors plus that of their words.

    Parameters
    ----------
    vectors : ndarray of float32, shape (n, dim)
    words : scipy.sparse.csr_array of float32, shape (n, n_words)
    """

    def __init__(self, vectors: Matrix, words: Any) -> None:
        self.vectors = vectors
        self.words = words

    @classmethod
    def pair(
        cls, vectors: tuple[Matrix, Matrix], words: tuple[Any, Any]
    ) -> tuple[WithWords, WithWords]:
        """Make two sets of sentences to compare, with the most frequent words among the vectors."""
        there, back = (
            np.bincount(side.indices, minlength=side.shape[1]) / max(1, side.shape[0])
            for side in words
        )
        often = there * back
        frequent = np.argsort(-often, kind="stable")[:_MOST_FREQUENT]
        frequent = np.sort(frequent[often[frequent] > _FREQUENT])
        rest = np.ones(len(often), np.float32)
        rest[frequent] = 0
        one, other = (
            cls(
                np.hstack([rows, side[:, frequent].toarray()]),
                _without_zeros(side @ sparse.diags_array(rest)),
            )
            for rows, side in zip(vectors, words, strict=True)
        )
        return one, other

    def __len__(self) -> int:
        return len(self.vectors)

    def __getitem__(self, rows: slice | NDArray[np.int64]) -> WithWords:
        return WithWords(self.vectors[rows], self.words[rows])

    def products(self, others: WithWords) -> Matrix:
        """Return the products with other sentences, shape (n, n_others)."""
        found = self.vectors @ others.vectors.T
        kernels.add_products(found, self.words, others.by_word)
        return found

    @cached_property
    def by_word(self) -> Any:
        """The words, turned round, shape (n_words, n)."""
        return sparse.csr_array(self.words.T.tocsr())

    def row_keys(self) -> list[bytes]:
        """Return something of each row that is equal for equal ones, b"" for zero."""
        words = self.words
        indices, values = words.indices.astype(np.int32), words.data + np.float32(0)
        keys = []
        for row, vector in enumerate(self.vectors + np.float32(0)):
            part = slice(words.indptr[row], words.indptr[row + 1])
            if part.stop > part.start or vector.any():
                keys.append(vector.tobytes() + indices[part].tobytes() + values[part].tobytes())
            else:
                keys.append(b"")
        return keys


Points: TypeAlias = Matrix | WithWords


def _without_zeros(words: Any) -> Any:
    words = sparse.csr_array(words, dtype=np.float32)
    words.eliminate_zeros()
    words.sort_indices()
    return words


def products(points: Points, others: Points) -> Matrix:
    """Return the product of each point with each of the others, shape (n, n_others)."""
    if isinstance(points, WithWords):
        assert isinstance(others, WithWords)
        return points.products(others)
    assert isinstance(others, np.ndarray)
    found: Matrix = points @ others.T
    return found


def nonzero(points: Points) -> NDArray[np.bool_]:
    """Say of each point whether it is anything but zero."""
    if isinstance(points, WithWords):
        return np.asarray(points.vectors.any(axis=1) | (np.diff(points.words.indptr) > 0), bool)
    return np.asarray(points.any(axis=1), bool)


def distinct(points: Points) -> NDArray[np.int64]:
    """Positions of the points that are not zero and not equal to an earlier one, in order."""
    if isinstance(points, WithWords):
        first: dict[bytes, int] = {}
        for position, key in enumerate(points.row_keys()):
            first.setdefault(key, position)
        first.pop(b"", None)
        return np.fromiter(first.values(), np.int64, len(first))
    rows = np.ascontiguousarray(points + np.float32(0))  # no negative zeros
    rows_as_bytes = rows.view(f"V{rows.itemsize * rows.shape[1]}").ravel()
    found = np.sort(np.unique(rows_as_bytes, return_index=True)[1])
    return found[points[found].any(axis=1)]
