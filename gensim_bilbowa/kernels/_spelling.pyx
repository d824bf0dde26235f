# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""How words are spelt, and which of two vocabularies are alike."""

from libc.math cimport sqrtf
from libc.stdint cimport int32_t, int64_t

import numpy as np

from gensim_bilbowa.kernels.ragged cimport check_ragged


cdef int64_t find_sharing(const int32_t[::1] pieces, const int64_t[::1] starts,
                          const int32_t[::1] ids, int32_t[::1] shared, int32_t[::1] met
                          ) noexcept nogil:
    """List the words of the other side that share pieces of a word; return how many there are.

    starts, ids : the words of the other side that have each piece. shared : of zeros; of the words
    that are `met` the number of pieces.
    """
    cdef int64_t p, k, found = 0
    for p in range(pieces.shape[0]):
        for k in range(starts[pieces[p]], starts[pieces[p] + 1]):
            if shared[ids[k]] == 0:
                met[found] = ids[k]
                found += 1
            shared[ids[k]] += 1
    return found


cdef class Spelling:
    """The pieces that words are spelt with, each once in a word.

    starts : (n_words + 1,) int64. pieces : (n,) int32, below `size`; word i has
    ``pieces[starts[i]:starts[i + 1]]``, one or more.
    """

    def __init__(self, starts, pieces, int64_t size):
        check_ragged(starts, pieces, size, "that of a word", False)
        self.starts, self.pieces = self.starts_, self.pieces_ = starts, pieces
        self.words, self.size = len(starts) - 1, size
        self.c.starts, self.c.pieces = &self.starts_[0], &self.pieces_[0]

    cdef tuple inverted(self):
        """The words that have each piece, where they begin, and the pieces of each word."""
        if self.index is None:
            lengths = np.diff(self.starts)
            order = np.argsort(self.pieces, kind="stable")
            ids = np.repeat(np.arange(self.words, dtype=np.int32), lengths)[order]
            counts = np.bincount(self.pieces, minlength=self.size)
            self.index = ids, np.append(0, np.cumsum(counts)), lengths.astype(np.int32)
        return self.index

    cdef int check_others(self, Spelling others) except -1:
        if others.size != self.size:
            raise ValueError("the two vocabularies are spelt with different pieces")

    def most_alike(self, Spelling others not None):
        """Find for each word the one of others that is most alike, the first of equals.

        Returns
        -------
        best : ndarray of int32, shape (n_words,)
            -1 where none has a piece of the word.
        likeness : ndarray of float32, shape (n_words,)
            Cosine of the two sets of pieces.
        """
        self.check_others(others)
        cdef const int32_t[::1] ids, sizes
        cdef const int64_t[::1] starts
        ids, starts, sizes = others.inverted()
        best = np.full(self.words, -1, np.int32)
        likeness = np.zeros(self.words, np.float32)
        cdef int32_t[::1] best_ = best, shared = np.zeros(others.words, np.int32)
        cdef int32_t[::1] met = np.empty(others.words, np.int32)
        cdef float[::1] likeness_ = likeness
        cdef const int32_t[::1] pieces
        cdef int64_t word, k
        cdef int32_t other
        cdef float alike
        with nogil:
            for word in range(self.words):
                pieces = self.pieces_[self.starts_[word]:self.starts_[word + 1]]
                for k in range(find_sharing(pieces, starts, ids, shared, met)):
                    other = met[k]
                    alike = shared[other] / sqrtf(<float> (pieces.shape[0] * sizes[other]))
                    shared[other] = 0
                    if alike > likeness_[word] or (
                        alike == likeness_[word] and other < best_[word]
                    ):
                        likeness_[word], best_[word] = alike, other
        return best, likeness

    def add_likeness(self, Spelling others not None, int64_t first, int64_t last, float weight,
                     float[:, ::1] scores):
        """Add `weight` times the likeness of words first..last - 1 to all of others to scores."""
        self.check_others(others)
        if not 0 <= first <= last <= self.words:
            raise ValueError("no such words")
        if scores.shape[0] != last - first or scores.shape[1] != others.words:
            raise ValueError("a row for each word and a column for each of others is wanted")
        cdef const int32_t[::1] ids, sizes
        cdef const int64_t[::1] starts
        ids, starts, sizes = others.inverted()
        cdef int32_t[::1] shared = np.zeros(others.words, np.int32)
        cdef int32_t[::1] met = np.empty(others.words, np.int32)
        cdef const int32_t[::1] pieces
        cdef int64_t word, k
        cdef int32_t other
        with nogil:
            for word in range(first, last):
                pieces = self.pieces_[self.starts_[word]:self.starts_[word + 1]]
                for k in range(find_sharing(pieces, starts, ids, shared, met)):
                    other = met[k]
                    scores[word - first, other] += (
                        weight * shared[other] / sqrtf(<float> (pieces.shape[0] * sizes[other])))
                    shared[other] = 0


cdef class Alike:
    """What spelling makes of t: it is times ``exp(weight likeness)``.

    source, target : :class:`Spelling` of the two vocabularies.
    """

    def __init__(self, float weight, Spelling source not None, Spelling target not None):
        if source.size != target.size:
            raise ValueError("the two vocabularies are spelt with different pieces")
        self.source, self.target = source, target
        self.c.weight, self.c.source, self.c.target = weight, source.c, target.c
