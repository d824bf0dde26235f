# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""What the steps train: one language's matrices, and what says how its words are made of them."""

from libc.stdint cimport int32_t, int64_t, uint32_t

import numpy as np

from gensim_bilbowa.kernels._matrix cimport Matrix
from gensim_bilbowa.kernels.ragged cimport check_ragged


def alias_table(const double[::1] weights):
    """Walker's alias table of the distribution proportional to `weights` (Vose 1991).

    Returns
    -------
    ndarray of uint32, shape (n, 2)
        For each column i its cut and its other word: i is drawn if a random uint32 is below the
        cut, else the other.
    """
    cdef int64_t n = weights.shape[0]
    if n == 0:
        raise ValueError("weights of at least one word are wanted, got none")
    if not (np.min(weights) >= 0 and 0 < np.sum(weights) * n < np.inf):
        raise ValueError("weights must be finite, none below 0, and not all 0")
    # What is left in the end holds its whole column, up to rounding.
    table = np.full((n, 2), 2**32 - 1, np.uint32)
    table[:, 1] = np.arange(n)
    # Added up in their order: what is drawn must be the same on every processor.
    cdef double[::1] scaled = np.asarray(weights) * n / np.cumsum(weights)[n - 1]
    small_columns = np.less(scaled, 1.0)
    # Columns below their share grow from the left of the stack, the others from the right.
    cdef uint32_t[::1] stack = np.concatenate(
        [np.flatnonzero(small_columns), np.flatnonzero(~small_columns)[::-1]]).astype(np.uint32)
    cdef int64_t small = np.count_nonzero(small_columns), large = small
    cdef uint32_t[:, ::1] view = table
    cdef uint32_t below, above
    with nogil:
        while small > 0 and large < n:
            small -= 1
            below, above = stack[small], stack[large]
            view[below, 0] = <uint32_t> (scaled[below] * 4294967296.0)
            view[below, 1] = above
            scaled[above] -= 1.0 - scaled[below]
            if scaled[above] < 1.0:
                stack[small] = above
                small += 1
                large += 1
    return table


cdef class Subwords:
    """The n-grams that the words of a language are made of, see ``inputs.h``.

    ngrams : padded :class:`Matrix` of a row for each bucket of n-grams, written to by the steps.
    offsets : (n_words + 1,) int64. ids : int32; word i has the n-grams
        ``ids[offsets[i]:offsets[i + 1]]``.
    own_lockf, ngrams_lockf : (m,) float32, factors on the updates of the words' own rows and of
        those of the n-grams; row i uses ``i % m``.
    """

    cdef readonly Matrix ngrams
    cdef const int64_t[::1] offsets
    cdef const int32_t[::1] ids
    cdef const float[::1] own_lockf
    cdef const float[::1] ngrams_lockf

    def __init__(self, Matrix ngrams not None, offsets, ids, own_lockf, ngrams_lockf):
        self.ngrams = ngrams
        self.offsets = offsets
        self.ids = ids
        self.own_lockf = own_lockf
        self.ngrams_lockf = ngrams_lockf
        if self.own_lockf.shape[0] == 0 or self.ngrams_lockf.shape[0] == 0:
            raise ValueError("lockf is empty")
        if ngrams.rows == 0 or self.ids.shape[0] == 0:
            raise ValueError("n-grams are wanted, there is none")
        check_ragged(self.offsets, self.ids, ngrams.rows, "the row of an n-gram")


cdef class Tree:
    """The ways to the words in the tree of hierarchical softmax, see ``bilbowa.h``.

    nodes : padded :class:`Matrix` of a row for each inner node, written to by the steps.
    offsets : (n_words + 1,) int64. ids : int32, signs : float32, 1 or -1; the way to word i leads
        by the nodes ``ids[offsets[i]:offsets[i + 1]]``, at least one, and turns there as the signs
        say.
    """

    cdef readonly Matrix nodes
    cdef const int64_t[::1] offsets
    cdef const int32_t[::1] ids
    cdef const float[::1] signs
    cdef int64_t longest

    def __init__(self, Matrix nodes not None, offsets, ids, signs):
        self.nodes = nodes
        self.offsets = offsets
        self.ids = ids
        self.signs = signs
        if self.ids.shape[0] == 0 or np.any(np.diff(offsets) == 0):
            raise ValueError("a way of at least one node is wanted to each word")
        self.longest = check_ragged(self.offsets, self.ids, nodes.rows, "the row of a node")
        if self.signs.shape[0] != self.ids.shape[0] or np.any(np.abs(signs) != 1):
            raise ValueError("a sign, 1 or -1, is wanted for each node of a way")


cdef class Parameters:
    """One language's matrices, held for the time of a training run.

    vectors, outputs : padded :class:`Matrix` of a row for each word, written to by the steps.
        outputs may be None where there is no negative sampling.
    lockf : (m,) float32, factors on the updates of `vectors`; row i uses ``i % m``.
    noise : `alias_table` of the words, or None together with outputs.
    subwords : what the words are made of besides their own row of `vectors`, or None.
    tree : of hierarchical softmax, or None.
    """

    @property
    def rows(self):
        """Number of words."""
        return self.c.rows

    def __init__(self, Matrix vectors not None, Matrix outputs, lockf, noise,
                 Subwords subwords=None, Tree tree=None):
        self.vectors = vectors
        self.subwords = subwords
        self.tree = tree
        self.lockf = lockf
        if vectors.rows == 0:
            raise ValueError("vectors of at least one word are wanted")
        if self.lockf.shape[0] == 0:
            raise ValueError("lockf is empty")
        self.matrices = (vectors,)
        self.c.vectors = vectors.base
        self.c.stride = vectors.stride
        self.c.rows = vectors.rows
        self.c.lockf = &self.lockf[0]
        self.c.lockf_len = self.lockf.shape[0]
        if outputs is not None:
            if outputs.rows != vectors.rows or outputs.columns != vectors.columns:
                raise ValueError("outputs and vectors differ in shape")
            self.noise = noise
            if self.noise.shape[0] != vectors.rows or self.noise.shape[1] != 2:
                raise ValueError("the noise distribution is not that of the words of vectors")
            self.matrices += (outputs,)
            self.c.outputs = outputs.base
            self.c.noise = &self.noise[0, 0]
        if subwords is not None:
            self.add(subwords.ngrams, subwords.offsets, "the n-grams are those", "the n-grams'")
            self.c.ngrams = subwords.ngrams.base
            self.c.parts = &subwords.offsets[0]
            self.c.ngram_ids = &subwords.ids[0]
            self.c.own_lockf = &subwords.own_lockf[0]
            self.c.own_lockf_len = subwords.own_lockf.shape[0]
            self.c.ngrams_lockf = &subwords.ngrams_lockf[0]
            self.c.ngrams_lockf_len = subwords.ngrams_lockf.shape[0]
        if tree is not None:
            self.add(tree.nodes, tree.offsets, "the tree is that", "the nodes'")
            self.c.nodes = tree.nodes.base
            self.c.paths = &tree.offsets[0]
            self.c.path_nodes = &tree.ids[0]
            self.c.path_signs = &tree.signs[0]
            self.c.longest_path = tree.longest
        self.check_layout()

    cdef int add(self, Matrix rows, const int64_t[::1] offsets, str those, str whose) except -1:
        """Add a matrix of which each word has some rows."""
        if offsets.shape[0] != self.c.rows + 1:
            raise ValueError(f"{those} of another number of words")
        if rows.columns != self.vectors.columns:
            raise ValueError(f"{whose} vectors and the words' differ in size")
        self.matrices += (rows,)

    cdef int check_layout(self) except -1:
        cdef Matrix matrix
        for matrix in self.matrices:
            if not matrix.padded:
                raise ValueError("the steps want padded matrices")
