"""A corpus as word indices."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.ragged import places_of

__all__ = ["EncodedCorpus", "EncodedSide"]

_BLOCK = 1 << 22


@dataclass(frozen=True)
class EncodedCorpus:
    """Sentences as word indices; unknown words are left out, as in gensim.

    Attributes
    ----------
    ids : ndarray of int32, shape (n_tokens,)
        Word indices of all sentences, one after the other.
    offsets : ndarray of int64, shape (n_sentences + 1,)
        Sentence i is ``ids[offsets[i]:offsets[i + 1]]``.
    raw_words : int
        Number of tokens read, unknown ones included.
    known_checksum : int or None
        Of :meth:`checksum`, where it is known without reading all.
    """

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]
    raw_words: int
    known_checksum: int | None = field(default=None, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def counts(self, n_words: int) -> NDArray[np.int64]:
        """Tokens of each word, shape (n_words,)."""
        total = np.zeros(n_words, np.int64)
        # In blocks, since bincount makes 64-bit copies of what it counts.
        for start in range(0, len(self.ids), _BLOCK):
            total += np.bincount(self.ids[start : start + _BLOCK], minlength=n_words)
        return total

    def take(self, sentences: NDArray[np.int64]) -> EncodedCorpus:
        """Return some sentences, by their numbers, as a corpus of their own."""
        places, offsets = places_of(self.offsets, sentences)
        return EncodedCorpus(self.ids[places], offsets, int(offsets[-1]))

    def decoded(self, words: Sequence[str]) -> Iterator[list[str]]:
        """Yield the words of each sentence, given those of the vocabulary."""
        for start, end in pairwise(self.offsets.tolist()):
            yield [words[number] for number in self.ids[start:end].tolist()]

    def checksum(self, before: int = 0) -> int:
        """Return the CRC-32 of the words and sentences, going on from that of other text."""
        if not before and self.known_checksum is not None:
            return self.known_checksum
        found = before
        for array in (self.offsets, self.ids):
            if array.size:
                found = zlib.crc32(array.data.cast("B"), found)
        return found

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Known words of each sentence, shape (n_sentences,)."""
        return np.diff(self.offsets)


class EncodedSide(NamedTuple):
    """A corpus, and for each of its sentences whether there was no word in it, known or not."""

    corpus: EncodedCorpus
    blank: NDArray[np.bool_]
