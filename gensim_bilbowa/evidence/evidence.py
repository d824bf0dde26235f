"""Evidence of several kinds for the translations between two languages, as one score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa.evidence.alignment_weights import totals
from gensim_bilbowa.evidence.spelling import Spelling

__all__ = ["SPELLING_WEIGHT", "Evidence"]

# What counts of alignment, shares in them and spelling that is the same are worth in CSLS: by
# measurement on English with German, of captions and of large mixed text.
_COUNT_WEIGHT = 0.2
_SHARE_WEIGHT = 0.6
SPELLING_WEIGHT = 0.7


@dataclass(frozen=True)
class Evidence:
    """What tells of translations beside vectors.

    Attributes
    ----------
    alignment : scipy.sparse.csr_array of float32, optional
        Scores of the words that sentence pairs align, see :meth:`of`.
    spelling : Spelling, optional
        Of the two vocabularies.
    weight : float
        Of the spelling.
    """

    alignment: Any = None
    spelling: Spelling | None = None
    weight: float = SPELLING_WEIGHT

    @classmethod
    def of(
        cls, counts: Any, spelling: Spelling | None = None, weight: float = SPELLING_WEIGHT
    ) -> Evidence:
        """Return the evidence of words that are aligned a_ij times, and of their spelling.

        The score of an alignment is ``0.2 log(1 + a_ij) + 0.6 a_ij / sqrt(a_i. a_.j)``, with the
        sums of its row and its column.

        Parameters
        ----------
        counts : scipy.sparse.csr_array, or None
            a, of :func:`~gensim_bilbowa.evidence.align`.
        spelling : Spelling, optional
        weight : float
        """
        return cls(None if counts is None else _scored(counts), spelling, weight)

    def turned(self) -> Evidence:
        """Return the same with the languages in the other order."""
        return Evidence(
            None if self.alignment is None else self.alignment.T.tocsr(),
            self.spelling and self.spelling.turned(), self.weight,
        )  # fmt: skip

    def among(self, words: NDArray[np.int64], targets: NDArray[np.int64]) -> Evidence:
        """Return that of some words of each language, in the order given."""
        return Evidence(
            None if self.alignment is None else self.alignment[words][:, targets],
            self.spelling and self.spelling.among(words, targets), self.weight,
        )  # fmt: skip

    def add_to(self, scores: NDArray[np.float32], words: slice) -> None:
        """Add the evidence to the CSLS of some words with all words of the other language.

        Parameters
        ----------
        scores : ndarray of float32, shape (n_words, n_targets)
            Changed in place.
        words : slice
            Without a step.
        """
        if self.alignment is not None:
            some = self.alignment[words].tocoo()
            rows, columns = some.coords
            scores[rows, columns] += some.data
        if self.spelling is not None:
            self.spelling.add_to(scores, words, self.weight)


def _scored(counts: Any) -> Any:
    matrix = sparse.coo_array(counts)
    rows, columns = matrix.coords
    ours, theirs = totals(counts), totals(counts, axis=0)
    values = _COUNT_WEIGHT * np.log1p(matrix.data)
    values += _SHARE_WEIGHT * matrix.data / np.sqrt(ours[rows] * theirs[columns])
    return sparse.csr_array((values.astype(np.float32), (rows, columns)), shape=matrix.shape)
