"""What draws words together: how often they are aligned, and what rare ones resemble."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa.evidence.spelling import spelt, stems

__all__ = [
    "LITTLE",
    "StemTranslations",
    "Words",
    "alike_in_spelling",
    "membership",
    "over",
    "totals",
    "translation_weights",
]

# Counts that make weights sharper by half.
_SHARPNESS = 20.0
# Words that are aligned less often than this in all are told of by others, too.
LITTLE = 3.0
# What is told of a word by those that begin as it does, in counts; how many counts of theirs make
# that half as much; what part of it is too small to matter.
_OF_STEM = 0.5
_STEM_DAMPING = 1.0
_STEM_LEAST = 0.01
# Words whose stems are looked at at once.
_BLOCK = 1024
_LEAST_LIKENESS = 0.5

Counts: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True)
class Words:
    """A vocabulary: the words, and how often each stands in the text."""

    words: Sequence[str]
    counts: Counts

    def __len__(self) -> int:
        return len(self.words)


def translation_weights(
    counts: Any, ours: Words, theirs: Words, spelling: float
) -> tuple[Any, Any]:
    """Return how much words of two languages are each other's translations.

    It is how often they are aligned, sharpened the more the more often that is: with m the
    geometric mean of the largest counts of the word and of the other one, a count a becomes
    ``a (a / m)^(m / (m + 20))``. Words that are aligned less than three times in all are told of,
    besides, by the words that begin with the same four letters: by half a count, spread over
    the words that those are aligned to and the words that begin as these do; and by the word of
    the other language that is spelt most alike, if it is so the other way round.

    Parameters
    ----------
    counts : scipy.sparse.csr_array of float32, shape (n_ours, n_theirs)
        Of :func:`~gensim_bilbowa.evidence.align`.
    ours, theirs : Words
    spelling : float
        What likeness in spelling is worth, in counts.

    Returns
    -------
    for ours : scipy.sparse.csr_array of float32, shape (n_ours, n_theirs)
    for theirs : scipy.sparse.csr_array of float32, shape (n_theirs, n_ours)
    """
    if not (len(ours) and len(theirs)):
        return counts, counts.T.tocsr()
    both = _sharpened(counts)
    if spelling:
        little = (totals(counts, axis) < LITTLE for axis in (1, 0))
        both = both + spelling * alike_in_spelling(ours.words, theirs.words, *little)
    there, back = both.tocsr(), both.T.tocsr()
    there = there + _of_stems(there, counts, ours, theirs)
    back = back + _of_stems(back, counts.T.tocsr(), theirs, ours)
    return sparse.csr_array(there, dtype=np.float32), sparse.csr_array(back, dtype=np.float32)


def _sharpened(counts: Any) -> Any:
    matrix = sparse.coo_array(counts)
    rows, columns = matrix.coords
    largest, largest_there = (
        np.asarray(counts.max(axis=axis).toarray(), np.float64).ravel() for axis in (1, 0)
    )
    most = np.sqrt(largest[rows] * largest_there[columns])
    values = matrix.data * (matrix.data / most) ** (most / (most + _SHARPNESS))
    return sparse.csr_array((values, (rows, columns)), shape=matrix.shape)


def totals(matrix: Any, axis: int = 1) -> NDArray[np.float64]:
    """Return the sums of a sparse matrix's rows, or of its columns (axis 0)."""
    return np.asarray(matrix.sum(axis=axis, dtype=np.float64)).ravel()


def over(values: NDArray[np.float64]) -> Any:
    """Return the diagonal matrix that divides rows by these values, and by 1 for 0."""
    return sparse.diags_array(1 / np.where(values > 0, values, 1))


def _of_stems(known: Any, counts: Any, ours: Words, theirs: Words) -> Any:
    """Return what our words that little is known of are told by those that begin alike."""
    little = np.flatnonzero(totals(known) < LITTLE)
    if not len(little):
        return sparse.csr_array(counts.shape)
    found = sparse.coo_array(StemTranslations(counts, ours, theirs).of(stems(ours.words)[little]))
    rows, columns = found.coords
    return sparse.csr_array((found.data, (little[rows], columns)), shape=counts.shape)


class StemTranslations:
    """What words that begin alike tell of each other's translations, by aligned counts."""

    def __init__(self, counts: Any, ours: Words, theirs: Words) -> None:
        mine, other = (membership(stems(side.words)) for side in (ours, theirs))
        by_stem = sparse.csr_array(mine.T @ counts @ other)
        sums = totals(by_stem)
        damped = sparse.diags_array(sums / (sums + _STEM_DAMPING))
        self._shares = sparse.csr_array(damped @ over(sums) @ by_stem)
        self._shares.data[self._shares.data < _STEM_LEAST] = 0  # most of it, and less for each word
        self._shares.eliminate_zeros()
        of_words = theirs.counts / np.maximum(other @ (other.T @ theirs.counts), 1)
        self._words = (other.T @ sparse.diags_array(of_words)).tocsr()

    def of(self, labels: NDArray[Any]) -> Any:
        """Return what is told of words, in counts.

        Parameters
        ----------
        labels : ndarray of int, shape (n,)
            The words' stems, as :func:`~gensim_bilbowa.evidence.spelling.stems` numbers those of
            our words.

        Returns
        -------
        scipy.sparse.csr_array, shape (n, n_theirs)
        """
        shape = 0, self._words.shape[1]
        parts = [sparse.csr_array(shape)]
        for start in range(0, len(labels), _BLOCK):
            some = labels[start : start + _BLOCK]
            found = sparse.csr_array(_OF_STEM * (self._shares[some] @ self._words))
            found.data[found.data < _STEM_LEAST * _OF_STEM] = 0
            found.eliminate_zeros()
            parts.append(found)
        return sparse.csr_array(sparse.vstack(parts, format="csr"))


def membership(labels: NDArray[np.int32]) -> Any:
    """Return 1 where a word has a label, shape (n_words, n_labels)."""
    n = len(labels)
    shape = (n, int(labels.max(initial=-1)) + 1)
    return sparse.csr_array((np.ones(n), labels, np.arange(n + 1)), shape=shape)


def alike_in_spelling(
    words: Sequence[str], others: Sequence[str], little: NDArray[np.bool_],
    little_of_others: NDArray[np.bool_],
) -> Any:  # fmt: skip
    """Return the likeness of words that are each other's most alike, little being known of one.

    Parameters
    ----------
    words, others : sequence of str
    little, little_of_others : ndarray of bool, shape (n_words,) and (n_others,)

    Returns
    -------
    scipy.sparse.csr_array, shape (n_words, n_others)
        Values above 0.5, to 1.
    """
    shape = len(words), len(others)
    if not all(shape):
        return sparse.csr_array(shape)
    one, other = spelt(words, others)
    best, likeness = one.most_alike(other)
    back, _ = other.most_alike(one)
    rows = np.flatnonzero(likeness > _LEAST_LIKENESS)
    rows = rows[back[best[rows]] == rows]
    rows = rows[little[rows] | little_of_others[best[rows]]]
    return sparse.csr_array((likeness[rows], (rows, best[rows])), shape=shape)
