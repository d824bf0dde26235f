"""How alike the words of two languages are spelt."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa import kernels
from gensim_bilbowa.ragged import places_of

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


def _grams(words: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return the trigrams of all words, as numbers, and the place of the word that each is of."""
    marked = [f"<{_folded(word)}>".ljust(_GRAM, "\0") for word in words]
    lengths = np.fromiter(map(len, marked), np.int64, len(marked))
    letters = np.frombuffer("".join(marked).encode("utf-32-le", "surrogatepass"), np.uint32)
    letters = np.append(letters, [0, 0]).astype(np.uint64)
    codes = letters[:-2] << np.uint64(42) | letters[1:-1] << np.uint64(21) | letters[2:]
    ends = np.cumsum(lengths)
    within = np.ones(ends[-1] if len(ends) else 0, bool)
    within[ends - 1] = within[ends - 2] = False
    return np.repeat(np.arange(len(marked)), lengths)[within], codes[within]


def spelt(words: Sequence[str], others: Sequence[str]) -> tuple[kernels.Spelling, kernels.Spelling]:
    """Return how the words of two vocabularies are spelt, in character trigrams, for the kernels.

    See :class:`Spelling` for the trigrams.
    """
    sides = [_grams(side) for side in (words, others)]
    grams, pieces = np.unique(np.concatenate([codes for _, codes in sides]), return_inverse=True)
    first = 0
    found = []
    for side, (owners, codes) in zip((words, others), sides, strict=True):
        own = pieces[first : first + len(codes)]
        first += len(codes)
        each = np.sort(owners * len(grams) + own)
        each = each[np.diff(each, prepend=-1) > 0]  # a piece once in a word
        starts = np.searchsorted(each, np.arange(len(side) + 1) * len(grams))
        found.append(kernels.Spelling(starts, (each % len(grams)).astype(np.int32), len(grams)))
    one, other = found
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
    places, offsets = places_of(spelling.starts, words)
    return kernels.Spelling(offsets, spelling.pieces[places], spelling.size)


def _unit_rows(spelling: kernels.Spelling) -> Any:
    lengths = np.diff(spelling.starts)
    values = np.repeat(1 / np.sqrt(lengths), lengths).astype(np.float32)
    shape = (spelling.words, spelling.size)
    return sparse.csr_array((values, spelling.pieces, spelling.starts), shape=shape)
