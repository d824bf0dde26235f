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

__all__ = ["Spelling", "spelt", "stem", "stems"]

_GRAM = 3
# Letters that stand for a word's stem.
_STEM = 4


def _folded(word: str) -> str:
    """Return a word without case and accents."""
    letters = str(word).casefold()  # gensim takes any object
    if letters.isascii():
        return letters
    letters = unicodedata.normalize("NFKD", letters)
    return "".join(c for c in letters if not unicodedata.combining(c))


def _grams(word: str) -> list[str]:
    marked = f"<{_folded(word)}>"
    return [marked[i : i + _GRAM] for i in range(len(marked) - _GRAM + 1)] or [marked]


def _row(pieces: Sequence[Sequence[int]], size: int) -> kernels.Spelling:
    offsets = np.append(0, np.cumsum([len(row) for row in pieces], dtype=np.int64))
    flat = np.fromiter((gram for row in pieces for gram in row), np.int32, offsets[-1])
    return kernels.Spelling(offsets, flat, size)


def spelt(words: Sequence[str], others: Sequence[str]) -> tuple[kernels.Spelling, kernels.Spelling]:
    """Return how the words of two vocabularies are spelt, in character trigrams, for the kernels.

    See :class:`Spelling` for the trigrams.
    """
    index: defaultdict[str, int] = defaultdict()
    index.default_factory = index.__len__
    sides = [[sorted({index[gram] for gram in _grams(word)}) for word in side]
             for side in (words, others)]  # fmt: skip
    one, other = (_row(side, len(index)) for side in sides)
    return one, other


def stem(word: str) -> str:
    """Return a word's first four characters, without case and accents, which stand for its stem.

    The forms of a word nearly always share them, in languages that are written with an alphabet.
    """
    return _folded(word)[:_STEM]


def stems(words: Sequence[str]) -> NDArray[np.int32]:
    """Return a number for each word, the same for words that begin alike (:func:`stem`).

    Examples
    --------
    >>> stems(["houses", "house", "tree"]).tolist()
    [0, 0, 1]
    """
    index: dict[str, int] = {}
    return np.array([index.setdefault(stem(word), len(index)) for word in words], np.int32)


class Spelling:
    """Likeness in spelling of the words of two languages.

    The cosine of the sets of two words' character trigrams, case and accents aside, with marks at
    both ends: ``|A & B| / sqrt(|A| |B|)``, from 0 to 1. Names, numbers, loans and cognates are
    spelt alike in many pairs of languages; words of different scripts have nothing in common, so
    that it says nothing of them.

    Parameters
    ----------
    source, target : kernels.Spelling
        Of the two vocabularies, in the same pieces.
    """

    def __init__(self, source: kernels.Spelling, target: kernels.Spelling) -> None:
        self._source = source
        self._target = target

    @classmethod
    def compare(cls, words: Sequence[str], others: Sequence[str]) -> Spelling:
        """Compare the words of two vocabularies.

        Examples
        --------
        >>> spelling = Spelling.compare(["music", "tree"], ["Musik", "Baum"])
        >>> (100 * spelling.likeness(slice(0, 2)).toarray()).round().tolist()
        [[60.0, 0.0], [0.0, 0.0]]
        """
        return cls(*spelt(words, others))

    def turned(self) -> Spelling:
        """Return the same with the languages in the other order."""
        return Spelling(self._target, self._source)

    def among(self, words: NDArray[np.int64], targets: NDArray[np.int64]) -> Spelling:
        """Return that of some words of each language, in the order given."""
        return Spelling(_taken(self._source, words), _taken(self._target, targets))

    def likeness(self, words: slice) -> Any:
        """Return the likeness of some words to all words of the other language.

        Returns
        -------
        scipy.sparse.coo_array of float32, shape (n_words, n_targets)
            With values above 0 only.
        """
        return (_unit_rows(self._source)[words] @ _unit_rows(self._target).T.tocsr()).tocoo()

    def add_to(self, scores: NDArray[np.float32], words: slice, weight: float) -> None:
        """Add `weight` times the likeness of some words to their scores with all of the others.

        Parameters
        ----------
        scores : ndarray of float32, shape (n_words, n_targets)
            Changed in place.
        words : slice
            Without a step.
        weight : float
        """
        first, last, _ = words.indices(self._source.words)
        self._source.add_likeness(self._target, first, last, weight, scores)


def _taken(spelling: kernels.Spelling, words: NDArray[np.int64]) -> kernels.Spelling:
    if np.array_equal(words, np.arange(spelling.words)):
        return spelling
    lengths = np.diff(spelling.starts)[words]
    offsets = np.append(0, np.cumsum(lengths))
    places = np.arange(offsets[-1]) + np.repeat(spelling.starts[words] - offsets[:-1], lengths)
    return kernels.Spelling(offsets, spelling.pieces[places], spelling.size)


def _unit_rows(spelling: kernels.Spelling) -> Any:
    lengths = np.diff(spelling.starts)
    values = np.repeat(1 / np.sqrt(lengths), lengths).astype(np.float32)
    shape = (spelling.words, spelling.size)
    return sparse.csr_array((values, spelling.pieces, spelling.starts), shape=shape)
