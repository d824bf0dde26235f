# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The border between Python and the C steps: checks shapes, releases the GIL, returns results."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

import numpy as np

cdef extern from "bilbowa.h" nogil:
    ctypedef struct bb_params:
        float *vectors
        float *outputs
        const float *lockf
        int64_t lockf_len
        const uint32_t *alias_cut
        const uint32_t *alias_other
        int64_t rows
        int64_t dim

    ctypedef struct bb_text:
        const int32_t *ids
        const int64_t *offsets
        const uint32_t *keep

    ctypedef struct bb_sgns_result:
        int64_t words
        int64_t examples
        double loss

    ctypedef struct bb_pairs_result:
        int64_t pairs
        int64_t emptied
        int64_t words
        double loss

    int64_t bb_sgns_scratch(int64_t dim, int64_t longest, int window, int negative)
    bb_sgns_result bb_sgns(const bb_params *, const bb_text *, int64_t, int64_t, int, int, int,
                           float, uint64_t, int64_t, int32_t *, float *, const volatile int32_t *)
    bb_pairs_result bb_pairs(const bb_params *, const bb_text *, const bb_params *,
                             const bb_text *, const int64_t *, int64_t, float, float, float, int,
                             uint64_t, int32_t *, int32_t *, float *, const volatile int32_t *)
    void bb_alias_build(const double *, int64_t, uint32_t *, uint32_t *, double *, uint32_t *)


def alias_table(const double[::1] weights):
    """Walker's alias table of the distribution proportional to `weights`: (cut, other)."""
    cdef int64_t n = weights.shape[0]
    if n == 0:
        raise ValueError("weights of at least one word are wanted, got none")
    cut = np.empty(n, dtype=np.uint32)
    other = np.empty(n, dtype=np.uint32)
    cdef uint32_t[::1] cut_view = cut
    cdef uint32_t[::1] other_view = other
    cdef double[::1] scaled = np.empty(n, dtype=np.float64)
    cdef uint32_t[::1] stack = np.empty(n, dtype=np.uint32)
    with nogil:
        bb_alias_build(&weights[0], n, &cut_view[0], &other_view[0], &scaled[0], &stack[0])
    return cut, other


cdef class Parameters:
    """One language's matrices, held for the time of a training run.

    vectors, outputs : (n_words, dim) float32, written to by the steps. outputs may be None where
        only the cross-lingual step is run.
    lockf : (m,) float32, factors on the updates of `vectors`; row i uses ``i % m``.
    noise : (cut, other) of `alias_table`, or None together with outputs.
    """

    cdef float[:, ::1] vectors
    cdef float[:, ::1] outputs
    cdef const float[::1] lockf
    cdef const uint32_t[::1] cut
    cdef const uint32_t[::1] other
    cdef bb_params c
    cdef bint trains_text

    @property
    def rows(self):
        """Number of words."""
        return self.c.rows

    def __init__(self, vectors, outputs, lockf, noise):
        self.vectors = vectors
        self.lockf = lockf
        cdef int64_t rows = self.vectors.shape[0]
        if rows == 0 or self.vectors.shape[1] == 0:
            raise ValueError("vectors of at least one word and one dimension are wanted")
        if self.lockf.shape[0] == 0:
            raise ValueError("lockf is empty")
        self.c.vectors = &self.vectors[0, 0]
        self.c.lockf = &self.lockf[0]
        self.c.lockf_len = self.lockf.shape[0]
        self.c.rows = rows
        self.c.dim = self.vectors.shape[1]
        self.trains_text = outputs is not None
        if not self.trains_text:
            return
        self.outputs = outputs
        self.cut, self.other = noise
        if self.outputs.shape[0] != rows or self.outputs.shape[1] != self.vectors.shape[1]:
            raise ValueError("outputs and vectors differ in shape")
        if self.cut.shape[0] != rows or self.other.shape[0] != rows:
            raise ValueError("the noise distribution has another number of words than vectors")
        self.c.outputs = &self.outputs[0, 0]
        self.c.alias_cut = &self.cut[0]
        self.c.alias_other = &self.other[0]


cdef class Text:
    """An encoded corpus with its subsampling: sentence i is ``ids[offsets[i]:offsets[i + 1]]``.

    ids : (n_tokens,) int32 word indices. offsets : (n_sentences + 1,) int64.
    keep : (n_words,) uint32; a token survives if a random uint32 is at most its word's keep.
    """

    cdef const int32_t[::1] ids
    cdef const int64_t[::1] offsets
    cdef const uint32_t[::1] keep
    cdef bb_text c
    cdef readonly int64_t longest

    def __init__(self, ids, offsets, keep):
        self.ids = ids
        self.offsets = offsets
        self.keep = keep
        cdef int64_t n = self.offsets.shape[0] - 1, words = self.keep.shape[0], length, i
        cdef int64_t last = 0, word
        if n < 0 or self.offsets[0] != 0 or self.offsets[n] != self.ids.shape[0] or words == 0:
            raise ValueError("offsets must run from 0 to the number of ids, and keep not be empty")
        with nogil:
            for i in range(n):
                length = self.offsets[i + 1] - self.offsets[i]
                if length < 0:
                    last = -1
                    break
                self.longest = max(self.longest, length)
            if last == 0:
                for i in range(self.ids.shape[0]):
                    word = self.ids[i]
                    if word < 0 or word >= words:
                        last = -2
                        break
        if last == -1:
            raise ValueError("offsets decrease")
        if last == -2:
            raise ValueError("an id is not the index of a word")
        if self.ids.shape[0]:
            self.c.ids = &self.ids[0]
        self.c.offsets = &self.offsets[0]
        self.c.keep = &self.keep[0]


def train_text(Parameters params, Text text, int64_t first, int64_t last, int window,
               bint shrink_windows, int negative, float alpha, uint64_t seed,
               const int32_t[::1] stop):
    """Run the skip-gram step over sentences first..last - 1: (words, examples, loss)."""
    if not params.trains_text:
        raise ValueError("these parameters have no outputs")
    if not 0 <= first <= last < text.offsets.shape[0]:
        raise ValueError("no such sentences")
    if text.keep.shape[0] != params.c.rows:
        raise ValueError("the text was encoded for another number of words")
    if window < 1 or negative < 1 or stop.shape[0] < 1:
        raise ValueError("window and negative must be at least 1")
    cdef int64_t longest = text.longest
    cdef int32_t[::1] tokens = np.empty(longest + negative + 1, dtype=np.int32)
    cdef float[::1] scratch = np.empty(
        bb_sgns_scratch(params.c.dim, longest, window, negative), dtype=np.float32)
    cdef bb_sgns_result result
    with nogil:
        result = bb_sgns(&params.c, &text.c, first, last, window, shrink_windows, negative, alpha,
                         seed, longest, &tokens[0], &scratch[0], &stop[0])
    return result.words, result.examples, result.loss


def train_pairs(Parameters a, Text text_a, Parameters b, Text text_b, const int64_t[::1] order,
                float alpha, float weight, float clip, bint exact, uint64_t seed,
                const int32_t[::1] stop):
    """Run the cross-lingual step over the pairs named: (pairs, emptied, words, loss)."""
    cdef int64_t n = text_a.offsets.shape[0] - 1, i
    if text_b.offsets.shape[0] - 1 != n:
        raise ValueError("the two sides differ in length")
    if a.c.dim != b.c.dim:
        raise ValueError("the two languages differ in vector size")
    if text_a.keep.shape[0] != a.c.rows or text_b.keep.shape[0] != b.c.rows:
        raise ValueError("the text was encoded for another number of words")
    if order.shape[0] == 0 or stop.shape[0] < 1:
        return 0, 0, 0, 0.0
    for i in range(order.shape[0]):
        if not 0 <= order[i] < n:
            raise ValueError("no such pair")
    cdef int32_t[::1] tokens_a = np.empty(text_a.longest + 1, dtype=np.int32)
    cdef int32_t[::1] tokens_b = np.empty(text_b.longest + 1, dtype=np.int32)
    cdef float[::1] scratch = np.empty(3 * a.c.dim, dtype=np.float32)
    cdef bb_pairs_result result
    with nogil:
        result = bb_pairs(&a.c, &text_a.c, &b.c, &text_b.c, &order[0], order.shape[0], alpha,
                          weight, clip, exact, seed, &tokens_a[0], &tokens_b[0], &scratch[0],
                          &stop[0])
    return result.pairs, result.emptied, result.words, result.loss
