"""How alike the words of two languages are spelt."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

__all__ = ["Spelling"]

_GRAM = 3


def _folded(word: str) -> str:
    """Return a word without case and accents, between marks of its begin and end."""
    letters = unicodedata.normalize("NFKD", word.casefold())
    return f"<{''.join(c for c in letters if not unicodedata.combining(c))}>"


def _grams(word: str) -> list[str]:
    marked = _folded(word)
    return [marked[i : i + _GRAM] for i in range(len(marked) - _GRAM + 1)] or [marked]


class Spelling:
    """Likeness in spelling of the words of two languages.

    The cosine of the sets of two words' character trigrams, case and accents aside, with marks at
    both ends: ``|A & B| / sqrt(|A| |B|)``, from 0 to 1. Names, numbers, loans and cognates are
    spelt alike in many pairs of languages; words of different scripts have nothing in common, so
    that it says nothing of them.

    Parameters
    ----------
    source, target : scipy.sparse.csr_array of float32, shape (n_words, n_trigrams)
        Rows of length 1.
    """

    def __init__(self, source: Any, target: Any) -> None:
        self._source = source
        self._target = target
        self._by_gram = target.T.tocsr()

    @classmethod
    def compare(cls, words: Sequence[str], others: Sequence[str]) -> Spelling:
        """Compare the words of two vocabularies.

        Examples
        --------
        >>> spelling = Spelling.compare(["music", "tree"], ["Musik", "Baum"])
        >>> (100 * spelling.likeness(slice(0, 2)).toarray()).round().tolist()
        [[60.0, 0.0], [0.0, 0.0]]
        """
        index: defaultdict[str, int] = defaultdict()
        index.default_factory = index.__len__
        sides = [[sorted({index[gram] for gram in _grams(word)}) for word in side]
                 for side in (words, others)]  # fmt: skip
        source, target = (_rows(side, len(index)) for side in sides)
        return cls(source, target)

    def turned(self) -> Spelling:
        """Return the same with the languages in the other order."""
        return Spelling(self._target, self._source)

    def among(self, words: NDArray[np.int64], targets: NDArray[np.int64]) -> Spelling:
        """Return that of some words of each language, in the order given."""
        return Spelling(self._source[words], self._target[targets])

    def likeness(self, words: slice) -> Any:
        """Return the likeness of some words to all words of the other language.

        Returns
        -------
        scipy.sparse.coo_array of float32, shape (n_words, n_targets)
            With values above 0 only.
        """
        return (self._source[words] @ self._by_gram).tocoo()


def _rows(grams: Sequence[Sequence[int]], n_grams: int) -> Any:
    lengths = np.array([len(row) for row in grams], dtype=np.int64)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    columns = np.fromiter((gram for row in grams for gram in row), np.int32, offsets[-1])
    values = np.repeat(1 / np.sqrt(lengths), lengths).astype(np.float32)
    return sparse.csr_array((values, columns, offsets), shape=(len(grams), n_grams))
