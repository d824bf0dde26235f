# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The border between Python and the spelling of words in C: checks sizes, releases the GIL."""

from libc.stdint cimport int32_t, int64_t

import numpy as np

from gensim_bilbowa.kernels.ragged cimport check_ragged

cdef extern from "spelling.h" nogil:
    void bb_most_alike(const bb_spelling *, int64_t, const int64_t *, const int32_t *,
                       const int32_t *, int32_t *, float *, int32_t *, int32_t *)
    void bb_add_likeness(const bb_spelling *, int64_t, int64_t, const int64_t *, const int32_t *,
                         const int32_t *, float, float *, int64_t, int32_t *, int32_t *)


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
        best = np.empty(self.words, np.int32)
        likeness = np.empty(self.words, np.float32)
        cdef int32_t[::1] best_ = best, shared = np.zeros(others.words, np.int32)
        cdef int32_t[::1] met = np.empty(others.words, np.int32)
        cdef float[::1] likeness_ = likeness
        with nogil:
            bb_most_alike(&self.c, self.words, &starts[0], &ids[0], &sizes[0], &best_[0],
                          &likeness_[0], &shared[0], &met[0])
        return best, likeness

    def add_likeness(self, Spelling others not None, int64_t first, int64_t last, float weight,
                     float[:, ::1] scores):
        """Add `weight` times the likeness of words first..last - 1 to all of others to scores."""
        self.check_others(others)
        if not 0 <= first <= last <= self.words:
            raise ValueError("no such words")
        if scores.shape[0] != last - first or scores.shape[1] != others.words:
            raise ValueError("a row for each word and a column for each of others is wanted")
        if first == last:
            return
        cdef const int32_t[::1] ids, sizes
        cdef const int64_t[::1] starts
        ids, starts, sizes = others.inverted()
        cdef int32_t[::1] shared = np.zeros(others.words, np.int32)
        cdef int32_t[::1] met = np.empty(others.words, np.int32)
        with nogil:
            bb_add_likeness(&self.c, first, last, &starts[0], &ids[0], &sizes[0], weight,
                            &scores[0, 0], scores.shape[1], &shared[0], &met[0])


cdef class Alike:
    """What spelling makes of t: it is times ``exp(weight likeness)``.

    source, target : :class:`Spelling` of the two vocabularies.
    """

    def __init__(self, float weight, Spelling source not None, Spelling target not None):
        if source.size != target.size:
            raise ValueError("the two vocabularies are spelt with different pieces")
        self.source, self.target = source, target
        self.c.weight, self.c.source, self.c.target = weight, source.c, target.c
