"""Which words of two texts translate each other, those outside the vocabularies included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa.evidence.alignment_weights import (
    LITTLE,
    StemTranslations,
    Words,
    alike_in_spelling,
    over,
    totals,
)
from gensim_bilbowa.evidence.spelling import stem, stems

__all__ = ["Matching"]

# What likeness in spelling is worth, in counts.
_SPELLING = 3.0
# Smaller shares of a word's translations are left out, which changes no figure.
_LEAST_SHARE = 0.02

Ids: TypeAlias = NDArray[np.int64]


class Matching:
    """What the counts of two languages tell of the words of any two texts.

    Parameters
    ----------
    counts : scipy.sparse.csr_array of float32, shape (n_ours, n_theirs)
        Of :func:`~gensim_bilbowa.evidence.align`.
    ours, theirs : Words
    """

    def __init__(self, counts: Any, ours: Words, theirs: Words) -> None:
        counts = sparse.csr_array(counts)
        back = sparse.csr_array(counts.T.tocsr())
        self._sides = _Side(counts, ours, theirs), _Side(back, theirs, ours)

    def shares(
        self, ids: Ids, unseen: Sequence[str], other_ids: Ids, other_unseen: Sequence[str]
    ) -> tuple[Any, Any]:
        """Return the shares of the translations of each word of two texts.

        By how often words are aligned. Words that are aligned less than three times in all, and
        those outside the vocabulary, are told of by words that begin as they do, as by
        :func:`~gensim_bilbowa.evidence.alignment_weights`, and by the word of the other text
        that is spelt most like them, if it is so the other way round: three counts times the
        likeness. Words that are spelt the same are such ones.

        Parameters
        ----------
        ids, other_ids : ndarray of int64
            The words of each text that are in the vocabulary, each once.
        unseen, other_unseen : sequence of str
            Those that are not.

        Returns
        -------
        there : scipy.sparse.csr_array of float32, shape (n, n_theirs + len(other_unseen))
            Rows are the words of our text, columns those of their vocabulary and text. They sum to
            1 but for shares of less than 0.02, or to 0.
        back : scipy.sparse.csr_array of float32, shape (n_other, n_ours + len(unseen))
        """
        ours, theirs = self._sides
        alike = sparse.coo_array(
            _SPELLING
            * alike_in_spelling(
                ours.text(ids, unseen), theirs.text(other_ids, other_unseen),
                ours.little(ids, unseen), theirs.little(other_ids, other_unseen),
            )
        )  # fmt: skip
        rows, columns = alike.coords
        places, other_places = ours.places(ids, unseen), theirs.places(other_ids, other_unseen)
        there = sparse.csr_array(
            (alike.data, (rows, other_places[columns])),
            shape=(len(places), len(theirs) + len(other_unseen)),
        )
        back = sparse.csr_array(
            (alike.data, (columns, places[rows])),
            shape=(len(other_places), len(ours) + len(unseen)),
        )
        return ours.shares(ids, unseen, there), theirs.shares(other_ids, other_unseen, back)


class _Side:
    """The words of one language and their translations into the other."""

    def __init__(self, counts: Any, ours: Words, theirs: Words) -> None:
        self._counts = counts
        self._totals = totals(counts)
        self._words = ours.words
        self._stems = stems(ours.words)
        self._numbers = dict(zip(map(stem, ours.words), self._stems.tolist(), strict=True))
        self._of_stems = StemTranslations(counts, ours, theirs) if counts.nnz else None

    def __len__(self) -> int:
        return len(self._words)

    def text(self, ids: Ids, unseen: Sequence[str]) -> list[str]:
        return [self._words[i] for i in ids.tolist()] + list(unseen)

    def places(self, ids: Ids, unseen: Sequence[str]) -> Ids:
        return np.append(ids, len(self) + np.arange(len(unseen)))

    def little(self, ids: Ids, unseen: Sequence[str]) -> NDArray[np.bool_]:
        return np.append(self._totals[ids] < LITTLE, np.ones(len(unseen), bool))

    def shares(self, ids: Ids, unseen: Sequence[str], spelt: Any) -> Any:
        told = self._counts[ids]
        told.resize(spelt.shape)
        told = sparse.csr_array(told + spelt)
        if self._of_stems is not None:
            few = np.flatnonzero(totals(told) < LITTLE)
            labels = np.append(self._stems[ids], [self._numbers.get(stem(w), -1) for w in unseen])
            few = few[labels[few] >= 0]
            of_stems = sparse.coo_array(self._of_stems.of(labels[few].astype(np.int64)))
            rows, columns = of_stems.coords
            told = told + sparse.csr_array((of_stems.data, (few[rows], columns)), shape=spelt.shape)
        shares = sparse.csr_array(over(totals(told)) @ told)
        shares.data[shares.data < _LEAST_SHARE] = 0
        shares.eliminate_zeros()
        return shares.astype(np.float32)
