# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The border between Python and the C steps: checks shapes, releases the GIL, returns results."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

import numpy as np

from gensim_bilbowa.kernels._levels cimport in_use
from gensim_bilbowa.kernels._parameters cimport Parameters
from gensim_bilbowa.kernels.bilbowa cimport (
    bb_level,
    bb_pairs_result,
    bb_pairs_settings,
    bb_text,
    bb_text_result,
    bb_text_settings,
)
from gensim_bilbowa.kernels.ragged cimport check_ragged


cdef class Text:
    """An encoded corpus with its subsampling: sentence i is ``ids[offsets[i]:offsets[i + 1]]``.

    ids : (n_tokens,) int32 word indices. offsets : (n_sentences + 1,) int64.
    keep : (n_words,) uint32; a token survives if a random uint32 is at most its word's keep.
    """

    cdef const int32_t[::1] ids
    cdef const int64_t[::1] offsets
    cdef const uint32_t[::1] keep
    cdef bb_text c

    def __init__(self, ids, offsets, keep):
        self.ids = ids
        self.offsets = offsets
        self.keep = keep
        if self.keep.shape[0] == 0:
            raise ValueError("keep of at least one word is wanted")
        self.c.longest = check_ragged(
            self.offsets, self.ids, self.keep.shape[0], "the index of a word")
        if self.ids.shape[0]:
            self.c.ids = &self.ids[0]
        self.c.offsets = &self.offsets[0]
        self.c.keep = &self.keep[0]


def train_text(Parameters params, Text text, int64_t first, int64_t last, int window,
               bint shrink_windows, int negative, bint shared_negatives, float alpha,
               uint64_t seed, const int32_t[::1] stop, *, bint sg=True, bint cbow_mean=True):
    """Predict the words of sentences first..last - 1 from their context: (words, examples, loss).

    By skip-gram or CBOW, with negative sampling (`negative` > 0), by the tree of `params` if they
    have one, or both.
    """
    if negative and params.c.outputs == NULL:
        raise ValueError("these parameters have no outputs")
    if not negative and params.c.nodes == NULL:
        raise ValueError("negative must be at least 1 where there is no tree")
    params.check_layout()
    if not 0 <= first <= last < text.offsets.shape[0]:
        raise ValueError("no such sentences")
    if text.keep.shape[0] != params.c.rows:
        raise ValueError("the text was encoded for another number of words")
    if window < 1 or negative < 0 or stop.shape[0] < 1:
        raise ValueError("window must be at least 1, and negative not less than 0")
    cdef bb_text_settings settings
    settings.window = window
    settings.shrink_windows = shrink_windows
    settings.negative = negative
    settings.shared_negatives = shared_negatives
    settings.sg = sg
    settings.cbow_mean = cbow_mean
    cdef const bb_level *use = in_use
    cdef uint8_t[::1] scratch = np.empty(
        use.text_scratch(&params.c, &text.c, &settings), dtype=np.uint8)
    cdef bb_text_result result
    with nogil:
        result = use.text(&params.c, &text.c, &settings, first, last, alpha, seed, &scratch[0],
                          &stop[0])
    return result.words, result.examples, result.loss


def train_pairs(Parameters a, Text text_a, Parameters b, Text text_b, const int64_t[::1] order,
                float alpha, tuple weights, float clip, bint exact, uint64_t seed,
                const int32_t[::1] stop):
    """Run the cross-lingual step over the pairs named: (pairs, emptied, words, loss).

    `weights` are those of the two sides' updates.
    """
    cdef int64_t n = text_a.offsets.shape[0] - 1, i
    if text_b.offsets.shape[0] - 1 != n:
        raise ValueError("the two sides differ in length")
    if a.vectors.columns != b.vectors.columns:
        raise ValueError("the two languages differ in vector size")
    a.check_layout()
    b.check_layout()
    if text_a.keep.shape[0] != a.c.rows or text_b.keep.shape[0] != b.c.rows:
        raise ValueError("the text was encoded for another number of words")
    for i in range(order.shape[0]):
        if not 0 <= order[i] < n:
            raise ValueError("no such pair")
    if order.shape[0] == 0 or stop.shape[0] < 1:
        return 0, 0, 0, 0.0
    cdef bb_pairs_settings settings
    settings.weight_a, settings.weight_b = weights
    settings.clip = clip
    settings.exact = exact
    cdef const bb_level *use = in_use
    cdef int64_t size = use.pairs_scratch(&a.c, &text_a.c, &b.c, &text_b.c)
    cdef uint8_t[::1] scratch = np.empty(size, dtype=np.uint8)
    cdef bb_pairs_result result
    with nogil:
        result = use.pairs(&a.c, &text_a.c, &b.c, &text_b.c, &settings, &order[0], order.shape[0],
                           alpha, seed, &scratch[0], &stop[0])
    return result.pairs, result.emptied, result.words, result.loss
