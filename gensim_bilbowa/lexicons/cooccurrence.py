"""How often words of two languages stand in the same sentence pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa.corpora import EncodedCorpus

__all__ = ["Cooccurrence"]


class Cooccurrence:
    """Co-occurrence of the words of two languages in sentence pairs.

    A word counts once for each pair that it stands in, however often.

    Parameters
    ----------
    source, target : scipy.sparse.csc_array of int32, shape (n_pairs, n_words)
        1 where a sentence has a word.

    Attributes
    ----------
    pairs : int
    """

    def __init__(self, source: Any, target: Any) -> None:
        if source.shape[0] != target.shape[0]:
            raise ValueError(f"the sides differ in length: {source.shape[0]}, {target.shape[0]}")
        self.pairs: int = source.shape[0]
        self._source = source
        self._target = target
        self._by_sentence = target.tocsr()

    @classmethod
    def count(
        cls, parts: Sequence[tuple[EncodedCorpus, EncodedCorpus]], sizes: tuple[int, int]
    ) -> Cooccurrence:
        """Count in encoded parallel texts.

        Parameters
        ----------
        parts : sequence of (EncodedCorpus, EncodedCorpus)
            The two sides of each text.
        sizes : (int, int)
            Words of the two vocabularies.
        """
        source, target = (
            sparse.vstack([_presence(part[side], size) for part in parts], format="csc")
            for side, size in enumerate(sizes)
        )
        return cls(source, target)

    def turned(self) -> Cooccurrence:
        """Return the same with the languages in the other order."""
        return Cooccurrence(self._target, self._source)

    def among(self, words: NDArray[np.int64], targets: NDArray[np.int64]) -> Cooccurrence:
        """Return that of some words of each language, in the order given."""
        return Cooccurrence(self._source[:, words], self._target[:, targets])

    def llr(self, words: slice) -> Any:
        """Log-likelihood ratio (Dunning 1993) of some words with all words of the other language.

        ``2 sum_ij k_ij log(k_ij n / (k_i. k_.j))`` over the 2 x 2 table of the n pairs with and
        without each of the two words; none for two that stand together no more often than by
        chance.

        Parameters
        ----------
        words : slice

        Returns
        -------
        scipy.sparse.coo_array of float32, shape (n_words, n_targets)
            With values above 0 only.
        """
        counts = np.diff(self._source.indptr)[words], np.diff(self._target.indptr)
        together = (self._source[:, words].T @ self._by_sentence).tocoo()
        row, column = together.coords
        both = together.data.astype(np.float64)
        one, other = counts[0][row] - both, counts[1][column] - both
        neither = self.pairs - both - one - other
        ratio = _llr(both, one, other, neither)
        kept = (both * neither > one * other) & (ratio > 0)
        values = ratio[kept].astype(np.float32)
        return sparse.coo_array((values, (row[kept], column[kept])), shape=together.shape)

    def sentences(self, word: int, target: int) -> NDArray[np.int64]:
        """Return the numbers of the pairs that have both words, ascending."""
        sides = _rows(self._source, word), _rows(self._target, target)
        return np.intersect1d(*sides, assume_unique=True)


def _rows(matrix: Any, column: int) -> NDArray[np.int64]:
    span = slice(matrix.indptr[column], matrix.indptr[column + 1])
    return np.asarray(matrix.indices[span], np.int64)


def _presence(corpus: EncodedCorpus, n_words: int) -> Any:
    ones = np.ones(len(corpus.ids), np.int32)
    # A copy, since words that stand twice are joined in place.
    matrix = sparse.csr_array(
        (ones, corpus.ids, corpus.offsets), shape=(len(corpus), n_words), copy=True
    )
    matrix.sum_duplicates()
    matrix.data[:] = 1
    return matrix


def _llr(
    both: NDArray[np.float64], one: NDArray[np.float64], other: NDArray[np.float64],
    neither: NDArray[np.float64],
) -> NDArray[np.float64]:  # fmt: skip
    n = both + one + other + neither
    total = np.zeros_like(both)
    for cell, row, column in (
        (both, both + one, both + other),
        (one, both + one, one + neither),
        (other, other + neither, both + other),
        (neither, other + neither, one + neither),
    ):
        # An empty cell adds nothing: 0 log 0 is 0.
        total += cell * np.log(
            np.where(cell > 0, cell * n, 1) / np.where(cell > 0, row * column, 1)
        )
    return 2 * total
