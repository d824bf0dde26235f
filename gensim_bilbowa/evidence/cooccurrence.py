"""How often words of two languages stand in the same sentence pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa.corpora import EncodedCorpus
from gensim_bilbowa.evidence.bags import bags
from gensim_bilbowa.parameters import check_choice

__all__ = ["MEASURES", "Cooccurrence", "Measure", "association"]

Measure: TypeAlias = Literal["llr", "dice", "chi2", "t"]
MEASURES: tuple[Measure, ...] = get_args(Measure)

_Cells: TypeAlias = NDArray[np.float64]


def association(
    both: NDArray[Any], one: NDArray[Any], other: NDArray[Any], neither: NDArray[Any],
    measure: Measure = "llr",
) -> NDArray[np.float64]:  # fmt: skip
    """Measure how strongly two words go together, from 2 x 2 tables of counts.

    Parameters
    ----------
    both, one, other, neither : ndarray of a number type, all of one shape
        Cells of the tables: how many of the n observations (sentence pairs, say) have both words,
        only the one, only the other, and neither of them.
    measure : {"llr", "dice", "chi2", "t"}
        With ``k_ij`` the four cells, ``k_i.`` and ``k_.j`` the sums of rows and columns:

        - "llr", the log-likelihood ratio (Dunning 1993):
          ``2 sum_ij k_ij log(k_ij n / (k_i. k_.j))``.
        - "dice", Dice's coefficient: ``2 k_11 / (k_1. + k_.1)``, from 0 to 1.
        - "chi2", Pearson's chi-square without correction for continuity (Gale and Church 1991):
          ``n (k_11 k_22 - k_12 k_21)^2 / (k_1. k_2. k_.1 k_.2)``, 0 where a sum is 0.
        - "t", the t-score (Church et al. 1991): ``(k_11 - k_1. k_.1 / n) / sqrt(k_11)``, below 0
          for words that avoid each other; minus infinity where ``k_11`` is 0.

    Returns
    -------
    ndarray of float64

    Raises
    ------
    ConfigError
        If there is no such measure.

    Examples
    --------
    *the swiss* in Dunning's text, and *cow* and *vache* in sentence pairs (Church
    and Gale 1991; Manning and Schütze 1999):

    >>> round(float(association(110, 2442, 111, 29114)), 2)
    270.72
    >>> round(float(association(59, 6, 8, 570934, "chi2")), -2)
    456400.0
    """
    check_choice("measure", measure, MEASURES)
    return _FORMULAS[measure](*(np.asarray(k, np.float64) for k in (both, one, other, neither)))


class Cooccurrence:
    """Co-occurrence of the words of two languages in sentence pairs.

    A word counts once for each pair that it stands in, however often.

    Parameters
    ----------
    source, target : scipy.sparse.csc_array of int32, shape (n_pairs, n_words)
        1 where a sentence has a word.
    aligned : callable
        Returns what :attr:`aligned` is; called when it is asked for.

    Attributes
    ----------
    pairs : int
    """

    def __init__(self, source: Any, target: Any, aligned: Callable[[], Any] = lambda: None) -> None:
        if source.shape[0] != target.shape[0]:
            raise ValueError(f"the sides differ in length: {source.shape[0]}, {target.shape[0]}")
        self.pairs: int = source.shape[0]
        self._source = source
        self._target = target
        self._by_sentence = target.tocsr()
        self._align = aligned

    @classmethod
    def count(
        cls,
        parts: Sequence[tuple[EncodedCorpus, EncodedCorpus]],
        sizes: tuple[int, int],
        aligned: Callable[[], Any] = lambda: None,
    ) -> Cooccurrence:
        """Count in encoded parallel texts.

        Parameters
        ----------
        parts : sequence of (EncodedCorpus, EncodedCorpus)
            The two sides of each text.
        sizes : (int, int)
            Words of the two vocabularies.
        aligned : callable
            As for the constructor.
        """
        source, target = (
            sparse.vstack([_presence(part[side], size) for part in parts], format="csc")
            for side, size in enumerate(sizes)
        )
        return cls(source, target, aligned)

    def turned(self) -> Cooccurrence:
        """Return the same with the languages in the other order."""
        return Cooccurrence(
            self._target, self._source, lambda: _or_none(self.aligned, lambda m: m.T.tocsr())
        )

    def among(self, words: NDArray[np.int64], targets: NDArray[np.int64]) -> Cooccurrence:
        """Return that of some words of each language, in the order given."""
        return Cooccurrence(
            self._source[:, words], self._target[:, targets],
            lambda: _or_none(self.aligned, lambda m: m[words][:, targets]),
        )  # fmt: skip

    def llr(self, words: slice) -> Any:
        """Return :meth:`association` by the log-likelihood ratio."""
        return self.association(words, "llr")

    def association(self, words: slice, measure: Measure) -> Any:
        """Measure the association of some words with all words of the other language.

        Parameters
        ----------
        words : slice
        measure : {"llr", "dice", "chi2", "t"}
            See :func:`association`. All but "dice" find none for two words that stand together no
            more often than by chance.

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
        values = association(both, one, other, neither, measure)
        kept = values > 0
        if measure != "dice":
            kept &= both * neither > one * other
        return sparse.coo_array(
            (values[kept].astype(np.float32), (row[kept], column[kept])), shape=together.shape
        )

    @cached_property
    def aligned(self) -> Any:
        """How often the words are aligned in the text, see :func:`~gensim_bilbowa.evidence.align`.

        scipy.sparse.csr_array of float32, shape (n_words, n_targets), or None where the text is
        not known.
        """
        return self._align()

    def sentences(self, word: int, target: int) -> NDArray[np.int64]:
        """Return the numbers of the pairs that have both words, ascending."""
        sides = _rows(self._source, word), _rows(self._target, target)
        return np.intersect1d(*sides, assume_unique=True)


def _or_none(matrix: Any, change: Callable[[Any], Any]) -> Any:
    return None if matrix is None else change(matrix)


def _rows(matrix: Any, column: int) -> NDArray[np.int64]:
    span = slice(matrix.indptr[column], matrix.indptr[column + 1])
    return np.asarray(matrix.indices[span], np.int64)


def _presence(corpus: EncodedCorpus, n_words: int) -> Any:
    matrix = bags(corpus, n_words, np.int32)
    matrix.data[:] = 1
    return matrix


def _llr(both: _Cells, one: _Cells, other: _Cells, neither: _Cells) -> _Cells:
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


def _dice(both: _Cells, one: _Cells, other: _Cells, neither: _Cells) -> _Cells:
    return 2 * both / np.maximum(2 * both + one + other, 1)


def _chi2(both: _Cells, one: _Cells, other: _Cells, neither: _Cells) -> _Cells:
    n = both + one + other + neither
    # Products of two sums each, which stay exact longer than that of four.
    rows, columns = (both + one) * (other + neither), (both + other) * (one + neither)
    difference = both * neither - one * other
    filled = (rows > 0) & (columns > 0)
    ratio = (difference / np.where(filled, rows, 1)) * (difference / np.where(filled, columns, 1))
    return np.where(filled, n * ratio, 0.0)


def _t(both: _Cells, one: _Cells, other: _Cells, neither: _Cells) -> _Cells:
    n = both + one + other + neither
    expected = (both + one) * (both + other) / np.maximum(n, 1)
    return np.where(both > 0, (both - expected) / np.sqrt(np.maximum(both, 1)), -np.inf)


_FORMULAS: dict[Measure, Callable[[_Cells, _Cells, _Cells, _Cells], _Cells]] = {
    "llr": _llr,
    "dice": _dice,
    "chi2": _chi2,
    "t": _t,
}
