"""What may be a term: words, and words that stand together again and again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.ragged import places_of

__all__ = ["LONGEST", "Candidates", "find_candidates"]

# Words of a term.
LONGEST = 5


@dataclass(frozen=True)
class Candidates:
    """Terms that one side of a text may have, and where they stand.

    Attributes
    ----------
    words : ndarray of int32
        Those of all terms, one term after the other.
    offsets : ndarray of int64, shape (n_terms + 1,)
        Term i is ``words[offsets[i]:offsets[i + 1]]``.
    counts : ndarray of int64, shape (n_terms,)
    spans : ndarray of int32, shape (n_spans, 3)
        Of each occurrence the first token in its sentence, the one after the last, and the term;
        in the order of the text.
    span_offsets : ndarray of int64, shape (n_sentences + 1,)
    """

    words: NDArray[np.int32]
    offsets: NDArray[np.int64]
    counts: NDArray[np.int64]
    spans: NDArray[np.int32]
    span_offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Words of each term."""
        return np.diff(self.offsets)

    def words_of(self, term: int) -> NDArray[np.int32]:
        """Return the words of a term."""
        return self.words[self.offsets[term] : self.offsets[term + 1]]

    def words_of_all(self, terms: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the words of some terms, one after the other, and where each begins."""
        places, offsets = places_of(self.offsets, terms)
        return self.words[places], offsets

    def begins(self, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the token of the text with which each occurrence begins.

        Parameters
        ----------
        offsets : ndarray of int64, shape (n_sentences + 1,)
            Those of the text.
        """
        return np.repeat(offsets[:-1], np.diff(self.span_offsets)) + self.spans[:, 0]

    def keep(self, kept: NDArray[np.bool_]) -> Candidates:
        """Return those of some terms."""
        numbers = np.cumsum(kept) - 1
        of_words = np.repeat(kept, self.lengths)
        of_spans = kept[self.spans[:, 2]]
        spans = self.spans[of_spans]
        spans[:, 2] = numbers[spans[:, 2]]
        before = np.append(0, np.cumsum(of_spans))
        return Candidates(
            self.words[of_words], np.append(0, np.cumsum(self.lengths[kept])), self.counts[kept],
            spans, before[self.span_offsets],
        )  # fmt: skip


def find_candidates(
    ids: NDArray[np.int32],
    offsets: NDArray[np.int64],
    outer: NDArray[np.bool_],
    inner: NDArray[np.bool_],
    breaks: NDArray[np.bool_] | None = None,
    *,
    min_count: int = 2,
) -> Candidates:
    """Find words, and sequences of five words at most, that stand in a text often enough.

    Parameters
    ----------
    ids : ndarray of int32
        Words of all sentences, one after the other.
    offsets : ndarray of int64, shape (n_sentences + 1,)
        Sentence i is ``ids[offsets[i]:offsets[i + 1]]``.
    outer, inner : ndarray of bool, shape (n_words,)
        Which words a term may begin and end with, and have between.
    breaks : ndarray of bool, shape (len(ids),), optional
        Tokens before which something was cut out, so that no term goes on.
    min_count : int
    """
    tokens = len(ids)
    ends = np.zeros(tokens + 1, bool)  # tokens before which all terms end
    ends[offsets] = True
    if breaks is not None:
        ends[:-1] |= breaks
    ends[:-1] |= ~(outer | inner)[ids]
    bounds = np.flatnonzero(ends)
    room = bounds[np.searchsorted(bounds, np.arange(tokens), side="right")] - np.arange(tokens)
    places = np.flatnonzero(outer[ids])
    keys = ids[places].astype(np.int64)
    words: list[NDArray[np.int32]] = []
    counts: list[NDArray[np.int64]] = []
    spans: list[NDArray[np.int64]] = []  # place, length, term
    terms = 0  # so far
    for length in range(1, LONGEST + 1):
        _, first, numbers, number_counts = np.unique(
            keys, return_index=True, return_inverse=True, return_counts=True
        )
        frequent = number_counts >= min_count
        some = frequent[numbers]
        first, places, numbers = places[first], places[some], numbers[some]
        term = np.full(len(frequent), -1)
        chosen = frequent & outer[ids[first + length - 1]]
        term[chosen] = np.arange(terms, terms + np.count_nonzero(chosen))
        terms += int(np.count_nonzero(chosen))
        words.append(ids[first[chosen][:, None] + np.arange(length)].ravel())
        counts.append(number_counts[chosen])
        at = term[numbers] >= 0
        spans.append(
            np.column_stack([places[at], np.full(np.count_nonzero(at), length), term[numbers[at]]])
        )
        more = room[places] > length
        places, numbers = places[more], numbers[more]
        if not len(places):
            break
        keys = numbers * len(outer) + ids[places + length]
    lengths = np.concatenate([np.full(len(c), n) for n, c in enumerate(counts, start=1)])
    found = np.concatenate(spans)
    found = found[np.lexsort((found[:, 1], found[:, 0]))]
    span_offsets = np.searchsorted(found[:, 0], offsets)
    found[:, 0] -= np.repeat(offsets[:-1], np.diff(span_offsets))
    found[:, 1] += found[:, 0]
    return Candidates(
        np.concatenate(words).astype(np.int32), np.append(0, np.cumsum(lengths)),
        np.concatenate(counts), found.astype(np.int32), span_offsets.astype(np.int64),
    )  # fmt: skip
