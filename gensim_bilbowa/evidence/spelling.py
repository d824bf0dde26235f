"""How alike the words of two languages are spelt."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa import kernels

__all__ = ["Spelling", "spelt", "stems"]

_GRAM = 3
# Letters that stand for a word's stem.
_STEM = 4


def _folded(word: str) -> str:
    """Return a word without case and accents."""
    letters = unicodedata.normalize("NFKD", str(word).casefold())  # gensim takes any object
    return "".join(c for c in letters if not unicodedata.combining(c))


def _grams(word: str) -> list[str]:
    marked = f"<{_folded(word)}>"
    return [marked[i : i + _GRAM] for i in range(len(marked) - _GRAM + 1)] or [marked]


def _pieces(
    words: Sequence[str], others: Sequence[str]
) -> tuple[list[tuple[NDArray[np.int64], NDArray[np.int32]]], int]:
    """Return each side's trigrams, where each word's begin and their numbers; and how many are."""
    index: defaultdict[str, int] = defaultdict()
    index.default_factory = index.__len__
    sides = []
    for side in (words, others):
        rows = [sorted({index[gram] for gram in _grams(word)}) for word in side]
        offsets = np.append(0, np.cumsum([len(row) for row in rows], dtype=np.int64))
        pieces = np.fromiter((gram for row in rows for gram in row), np.int32, offsets[-1])
        sides.append((offsets, pieces))
    return sides, len(index)


def spelt(words: Sequence[str], others: Sequence[str]) -> tuple[kernels.Spelling, kernels.Spelling]:
    """Return how the words of two vocabularies are spelt, in character trigrams, for the kernels.

    See :class:`Spelling` for the trigrams.
    """
    (one, other), size = _pieces(words, others)
    return kernels.Spelling(*one, size), kernels.Spelling(*other, size)


def stems(words: Sequence[str]) -> NDArray[np.int32]:
    """Return a number for each word, the same for words that begin alike.

    A word's first four characters, without case and accents, stand for its stem: the forms of a
    word nearly always share them, in languages that are written with an alphabet.

    Examples
    --------
    >>> stems(["houses", "house", "tree"]).tolist()
    [0, 0, 1]
    """
    index: dict[str, int] = {}
    return np.array(
        [index.setdefault(_folded(word)[:_STEM], len(index)) for word in words], np.int32
    )


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
        sides, size = _pieces(words, others)
        source, target = (_rows(*side, size) for side in sides)
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


def _rows(offsets: NDArray[np.int64], pieces: NDArray[np.int32], size: int) -> Any:
    lengths = np.diff(offsets)
    values = np.repeat(1 / np.sqrt(lengths), lengths).astype(np.float32)
    return sparse.csr_array((values, pieces, offsets), shape=(len(lengths), size))
