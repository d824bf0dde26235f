# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Links between spans of words in sentence pairs: the border to C, which is described in spans.h.

What is read is checked here, so that no array that is passed in can make the kernel read or write
elsewhere.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t

import numpy as np


cdef extern from "spans.h" nogil:
    ctypedef struct bb_span:
        pass
    ctypedef struct bb_side:
        const int32_t *ids
        const int64_t *offsets
        const bb_span *spans
        const int64_t *span_offsets
        const float *frequencies
        const uint8_t *counts
    ctypedef struct bb_entries:
        const int64_t *starts
        const int32_t *columns
        const float *forth
        const float *back
    ctypedef struct bb_spanned:
        bb_side source
        bb_side target
        bb_entries words
        const bb_entries *terms
        float position
        float null_share
        float least
    ctypedef struct bb_link:
        pass
    ctypedef struct bb_span_scratch:
        float *forth
        float *back
        float *columns
        float *nulls
        double *forth_sums
        double *back_sums
        float *source_best
        float *target_best
        float *worths
    int64_t bb_looked_at(int64_t length)
    int64_t bb_span_links(const bb_spanned *text, int64_t first, int64_t last, bb_link *links,
                          int64_t most, int64_t *found, const bb_span_scratch *scratch,
                          const int32_t *stop)


LINK = np.dtype([("pair", "i4"), ("source", "i4"), ("target", "i4"), ("link", "f4")])


cdef class Entries:
    """Two sparse matrices with the same entries, shape (n, m).

    starts : (n + 1,) int64. columns : int32, in order within a row. forth, back : float32.
    """

    cdef const int64_t[::1] starts
    cdef const int32_t[::1] columns
    cdef const float[::1] forth
    cdef const float[::1] back
    cdef readonly tuple shape
    cdef bb_entries c

    def __init__(self, tuple shape, starts, columns, forth, back):
        self.starts, self.columns, self.forth, self.back = starts, columns, forth, back
        self.shape = shape
        cdef int64_t rows = shape[0], width = shape[1], length = self.columns.shape[0], i, k
        cdef bint wrong = False
        if (
            rows < 0 or self.starts.shape[0] - 1 != rows or self.forth.shape[0] != length
            or self.back.shape[0] != length or self.starts[0] != 0 or self.starts[rows] != length
        ):
            raise ValueError("starts must run from 0 to the number of entries")
        with nogil:
            for i in range(rows):
                if self.starts[i + 1] < self.starts[i]:
                    wrong = True
            if not wrong:
                for i in range(rows):
                    for k in range(self.starts[i], self.starts[i + 1]):
                        if not 0 <= self.columns[k] < width or (
                            k > self.starts[i] and self.columns[k - 1] >= self.columns[k]
                        ):
                            wrong = True
        if wrong:
            raise ValueError("the columns of each row must be in order, each once")
        self.c.starts = &self.starts[0]
        if length:
            self.c.columns, self.c.forth, self.c.back = (
                &self.columns[0], &self.forth[0], &self.back[0])


cdef class SpannedSide:
    """A side of sentence pairs, with spans in its sentences.

    ids, offsets : (n_tokens,) int32 and (n_sentences + 1,) int64.
    spans : (n_spans, 3) int32, of each its first token in the sentence, the one after its last, and
        its term; those of a sentence in the order of their first tokens. One of its words counts.
    span_offsets : (n_sentences + 1,) int64.
    frequencies : (n_words,) float32, the words' shares of the text.
    counts : (n_words,) bool, which words count.
    terms : number of terms.
    """

    cdef const int32_t[::1] ids
    cdef const int64_t[::1] offsets
    cdef const int32_t[:, ::1] spans
    cdef const int64_t[::1] span_offsets
    cdef const float[::1] frequencies
    cdef const uint8_t[::1] counts
    cdef readonly int64_t terms
    cdef readonly int64_t longest
    cdef readonly int64_t most_spans
    cdef bb_side c

    def __init__(
        self, ids, offsets, spans, span_offsets, frequencies, counts, int64_t terms
    ):
        self.ids, self.offsets, self.span_offsets, self.frequencies, self.counts = (
            ids, offsets, span_offsets, frequencies, counts.view(np.uint8))
        cdef const int32_t[:, :] given = spans
        if given.shape[1] != 3:
            raise ValueError("first token, end and term of each span are wanted")
        cdef int32_t[:, ::1] whole = np.zeros((given.shape[0], 4), np.int32)
        whole[:, :3] = given
        self.spans = whole
        self.terms = terms
        cdef int64_t n = self.offsets.shape[0] - 1, i, k, at, length
        cdef int64_t words = self.frequencies.shape[0]
        cdef bint wrong = False
        if n < 0 or self.span_offsets.shape[0] != n + 1 or self.counts.shape[0] != words:
            raise ValueError("spans of each sentence are wanted")
        if (
            self.offsets[0] != 0 or self.offsets[n] != self.ids.shape[0]
            or self.span_offsets[0] != 0 or self.span_offsets[n] != self.spans.shape[0]
            or self.spans.shape[0] > 0x7FFFFFFF or n > 0x7FFFFFFF
        ):
            raise ValueError("offsets must run from 0 to the number of ids, and of spans")
        self.longest = self.most_spans = 0
        with nogil:
            for i in range(self.ids.shape[0]):
                if not 0 <= self.ids[i] < words:
                    wrong = True
            # All offsets, before anything is read by one: they may rise too far and fall again.
            for i in range(n):
                if (
                    self.offsets[i + 1] < self.offsets[i]
                    or self.span_offsets[i + 1] < self.span_offsets[i]
                ):
                    wrong = True
            for i in range(0 if wrong else n):
                length = self.offsets[i + 1] - self.offsets[i]
                self.longest = max(self.longest, length)
                self.most_spans = max(
                    self.most_spans, self.span_offsets[i + 1] - self.span_offsets[i])
                for k in range(self.span_offsets[i], self.span_offsets[i + 1]):
                    if (
                        not 0 <= self.spans[k, 0] < self.spans[k, 1] <= length
                        or not 0 <= self.spans[k, 2] < terms
                        or (k > self.span_offsets[i] and self.spans[k, 0] < self.spans[k - 1, 0])
                    ):
                        wrong = True
                        break
                    for at in range(self.spans[k, 0], self.spans[k, 1]):
                        whole[k, 3] += self.counts[self.ids[self.offsets[i] + at]] != 0
                    if whole[k, 3] == 0:
                        wrong = True
        if wrong:
            raise ValueError("a span or an id is not of the sentences, or out of order")
        self.c.offsets, self.c.span_offsets = &self.offsets[0], &self.span_offsets[0]
        if self.ids.shape[0]:
            self.c.ids, self.c.frequencies = &self.ids[0], &self.frequencies[0]
            self.c.counts = &self.counts[0]
        if self.spans.shape[0]:
            self.c.spans = <const bb_span *> &self.spans[0, 0]

    @property
    def sentences(self):
        return self.offsets.shape[0] - 1

    @property
    def words(self):
        return self.frequencies.shape[0]


def span_links(SpannedSide source not None, SpannedSide target not None, Entries words not None,
               int64_t first, int64_t last, const int32_t[::1] stop, *, Entries terms=None,
               float position=0.0, float null_share=0.0, float least=0.0):
    """Find the links between spans of pairs first..last - 1.

    words : t, forth and back. terms : what a link of two terms is worth, in `forth`; with it only
    those links are found than which neither span has one that is worth more.

    Returns
    -------
    ndarray of LINK, shape (n_links,)
        `pair`, the two spans' places among all, and `link`, from `least` to 1.
    """
    if source.sentences != target.sentences:
        raise ValueError("the two sides differ in length")
    if not 0 <= first <= last <= source.sentences:
        raise ValueError("no such pairs")
    if words.shape != (source.words, target.words):
        raise ValueError("t must have a row for each source word, a column for each target word")
    if terms is not None and terms.shape != (source.terms, target.terms):
        raise ValueError("a row for each source term and a column for each target term is wanted")
    if stop.shape[0] < 1:
        raise ValueError("a stop flag is wanted")
    if not (0.0 <= position < float("inf") and 0.0 <= null_share < float("inf") and least >= 0.0):
        raise ValueError("position, null_share and least must be numbers from 0")
    cdef bb_spanned text
    text.source, text.target, text.words = source.c, target.c, words.c
    text.terms = NULL if terms is None else &terms.c
    text.position, text.null_share, text.least = position, null_share, least
    cdef int64_t m = source.longest, n = target.longest
    cdef float[:, ::1] cells = np.empty((2, max(m * bb_looked_at(n), 1)), np.float32)
    cdef float[:, ::1] columns = np.empty((2, max(n, 1)), np.float32)
    cdef double[:, ::1] sums = np.empty((2, n + 1))
    cdef float[::1] ours = np.empty(max(source.most_spans, 1), np.float32)
    cdef float[::1] theirs = np.empty(max(target.most_spans, 1), np.float32)
    cdef int64_t room = 1 << 14, found = 0, at = first, begun
    cdef float[::1] worths
    cdef int32_t[:, ::1] links
    cdef bb_span_scratch scratch
    scratch.forth, scratch.back = &cells[0, 0], &cells[1, 0]
    scratch.columns, scratch.nulls = &columns[0, 0], &columns[1, 0]
    scratch.forth_sums, scratch.back_sums = &sums[0, 0], &sums[1, 0]
    scratch.source_best, scratch.target_best = &ours[0], &theirs[0]
    parts = [np.empty(0, LINK)]
    while at < last and not stop[0]:
        part = np.empty(room, LINK)
        links, worths = part.view(np.int32).reshape(room, 4), np.empty(room, np.float32)
        scratch.worths = &worths[0]
        begun = at
        with nogil:
            at = bb_span_links(&text, begun, last, <bb_link *> &links[0, 0], room, &found,
                               &scratch, &stop[0])
        parts.append(part[:found].copy())
        if at == begun:
            room *= 2  # one pair has more
    return np.concatenate(parts)
