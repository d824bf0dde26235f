# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The border between Python and the C steps: checks shapes, releases the GIL, returns results."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.string cimport memmove, memset

import numpy as np

cdef extern from "bilbowa.h" nogil:
    const int BB_ROW

    ctypedef struct bb_params:
        float *vectors
        float *outputs
        const float *lockf
        int64_t lockf_len
        const uint32_t *noise
        int64_t rows
        int64_t stride
        float *nodes
        const int64_t *paths
        const int32_t *path_nodes
        const float *path_signs
        int64_t longest_path
        float *ngrams
        const int64_t *parts
        const int32_t *ngram_ids
        const float *own_lockf
        int64_t own_lockf_len
        const float *ngrams_lockf
        int64_t ngrams_lockf_len

    ctypedef struct bb_text:
        const int32_t *ids
        const int64_t *offsets
        const uint32_t *keep
        int64_t longest

    ctypedef struct bb_text_settings:
        int window
        int shrink_windows
        int negative
        int shared_negatives
        int sg
        int cbow_mean

    ctypedef struct bb_text_result:
        int64_t words
        int64_t examples
        double loss

    ctypedef struct bb_pairs_settings:
        float weight_a, weight_b
        float clip
        int exact

    ctypedef struct bb_pairs_result:
        int64_t pairs
        int64_t emptied
        int64_t words
        double loss

    ctypedef struct bb_level:
        const char *name
        int64_t (*text_scratch)(const bb_params *, const bb_text *,
                                const bb_text_settings *) noexcept nogil
        bb_text_result (*text)(const bb_params *, const bb_text *, const bb_text_settings *,
                               int64_t, int64_t, float, uint64_t, void *,
                               const volatile int32_t *) noexcept nogil
        int64_t (*pairs_scratch)(const bb_params *, const bb_text *, const bb_params *,
                                 const bb_text *) noexcept nogil
        bb_pairs_result (*pairs)(const bb_params *, const bb_text *, const bb_params *,
                                 const bb_text *, const bb_pairs_settings *, const int64_t *,
                                 int64_t, float, uint64_t, void *,
                                 const volatile int32_t *) noexcept nogil
        void (*best)(const float *, int64_t, int64_t, int64_t, int64_t, int64_t *,
                     float *) noexcept nogil
        void (*largest)(const float *, int64_t, int64_t, int64_t, float *, int64_t,
                        float *) noexcept nogil

    const bb_level *const *bb_levels()
    void bb_alias_build(const double *, int64_t, uint32_t *, double *, uint32_t *)

cdef const bb_level *_level = bb_levels()[0]


def level():
    """Name of the instruction set whose kernels are in use."""
    return _level.name.decode()


def levels():
    """Names of the instruction sets that this processor can run, best first."""
    cdef const bb_level *const *at = bb_levels()
    names = []
    while at[0] != NULL:
        names.append(at[0].name.decode())
        at += 1
    return names


def use_level(str name):
    """Use the kernels of one of `levels`; not while a step runs."""
    global _level
    cdef const bb_level *const *at = bb_levels()
    while at[0] != NULL:
        if at[0].name.decode() == name:
            _level = at[0]
            return
        at += 1
    raise ValueError(f"no kernels for {name!r} on this processor, which has {levels()}")


def alias_table(const double[::1] weights):
    """Walker's alias table of the distribution proportional to `weights`.

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
    table = np.empty((n, 2), dtype=np.uint32)
    cdef uint32_t[:, ::1] view = table
    cdef double[::1] scaled = np.empty(n, dtype=np.float64)
    cdef uint32_t[::1] stack = np.empty(n, dtype=np.uint32)
    with nogil:
        bb_alias_build(&weights[0], n, &view[0, 0], &scaled[0], &stack[0])
    return table


cdef class Matrix:
    """Memory of a float32 matrix that can be laid out in two ways, without a second copy.

    Plain, rows follow each other, as anybody expects. Padded, each row begins at a cache line and
    is filled up with zeros, as the steps want it. A new matrix is plain and all zeros.

    Attributes
    ----------
    rows, columns : int
    stride : int
        Floats from row to row when padded.
    padded : bool
        The layout at present.
    """

    cdef readonly int64_t rows
    cdef readonly int64_t columns
    cdef readonly int64_t stride
    cdef readonly bint padded
    cdef object memory
    cdef float *base

    def __init__(self, int64_t rows, int64_t columns):
        if rows < 0 or columns < 1:
            raise ValueError("a matrix of at least one column is wanted")
        cdef int64_t line = BB_ROW * sizeof(float)
        self.rows = rows
        self.columns = columns
        self.stride = (columns + BB_ROW - 1) // BB_ROW * BB_ROW
        self.memory = np.zeros(rows * self.stride * sizeof(float) + line, dtype=np.uint8)
        cdef uintptr_t start = self.memory.ctypes.data
        self.base = <float *> ((start + line - 1) // line * line)

    @staticmethod
    def of(array):
        """Return the matrix whose rows the array is, all of them, as they lie now; or None."""
        owner = array
        while isinstance(owner, np.ndarray):
            owner = owner.base
        if not isinstance(owner, Matrix):
            return None
        mine = owner.array
        same = (
            array.dtype == mine.dtype and array.shape == mine.shape
            and array.strides == mine.strides and array.ctypes.data == mine.ctypes.data
        )
        return owner if same and array.flags.writeable else None

    @property
    def __array_interface__(self):
        return self.interface(self.columns, self.stride if self.padded else self.columns)

    cdef dict interface(self, int64_t columns, int64_t stride):
        return {
            "version": 3, "typestr": np.dtype(np.float32).str, "shape": (self.rows, columns),
            "strides": (stride * sizeof(float), sizeof(float)),
            "data": (<uintptr_t> self.base, False),
        }

    @property
    def array(self):
        """The rows, as they lie now: (rows, columns)."""
        # A view of a view: one that is made read-only can be made writeable again.
        return np.asarray(self)[:]

    @property
    def whole(self):
        """The padded rows with their padding: (rows, stride)."""
        if not self.padded:
            raise ValueError("the matrix is not padded")
        return np.lib.stride_tricks.as_strided(
            np.asarray(self), (self.rows, self.stride), (self.stride * sizeof(float), sizeof(float))
        )

    def lay_out(self, bint padded, owner, str name):
        """Change the layout, and put the rows as they lie then on `owner` as attribute `name`.

        In one step, so that neither Ctrl-C nor another thread can come between. Arrays of the
        former layout are void.
        """
        before = self.padded
        self.padded = padded
        array = self.array
        self.padded = before
        if before != padded:
            if self.stride == self.columns:
                pass  # one and the same
            elif padded:
                self.spread()
            else:
                self.close_up()
            self.padded = padded
        setattr(owner, name, array)

    cdef void spread(self) noexcept:
        cdef size_t width = self.columns * sizeof(float)
        cdef int64_t row
        for row in range(self.rows - 1, -1, -1):
            memmove(self.base + row * self.stride, self.base + row * self.columns, width)
            memset(self.base + row * self.stride + self.columns, 0,
                   (self.stride - self.columns) * sizeof(float))

    cdef void close_up(self) noexcept:
        cdef size_t width = self.columns * sizeof(float)
        cdef int64_t row
        for row in range(self.rows):
            memmove(self.base + row * self.columns, self.base + row * self.stride, width)


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
        check_ragged(self.offsets, self.ids, ngrams.rows, "an n-gram")


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
        check_ragged(self.offsets, self.ids, nodes.rows, "a node")
        if self.signs.shape[0] != self.ids.shape[0] or np.any(np.abs(signs) != 1):
            raise ValueError("a sign, 1 or -1, is wanted for each node of a way")
        self.longest = np.max(np.diff(offsets))


cdef check_ragged(const int64_t[::1] offsets, const int32_t[::1] ids, int64_t rows, str what):
    if (
        offsets.shape[0] == 0 or offsets[0] != 0
        or offsets[offsets.shape[0] - 1] != ids.shape[0] or np.any(np.diff(offsets) < 0)
    ):
        raise ValueError("offsets must rise from 0 to the number of ids")
    if np.min(ids) < 0 or np.max(ids) >= rows:
        raise ValueError(f"an id is not the row of {what}")


cdef class Parameters:
    """One language's matrices, held for the time of a training run.

    vectors, outputs : padded :class:`Matrix` of a row for each word, written to by the steps.
        outputs may be None where there is no negative sampling.
    lockf : (m,) float32, factors on the updates of `vectors`; row i uses ``i % m``.
    noise : `alias_table` of the words, or None together with outputs.
    subwords : what the words are made of besides their own row of `vectors`, or None.
    tree : of hierarchical softmax, or None.
    """

    cdef readonly Matrix vectors
    cdef readonly Matrix outputs
    cdef readonly Subwords subwords
    cdef readonly Tree tree
    cdef const float[::1] lockf
    cdef const uint32_t[:, ::1] noise
    cdef bb_params c

    @property
    def rows(self):
        """Number of words."""
        return self.c.rows

    def __init__(self, Matrix vectors not None, Matrix outputs, lockf, noise,
                 Subwords subwords=None, Tree tree=None):
        self.vectors = vectors
        self.outputs = outputs
        self.subwords = subwords
        self.tree = tree
        self.lockf = lockf
        if vectors.rows == 0:
            raise ValueError("vectors of at least one word are wanted")
        if self.lockf.shape[0] == 0:
            raise ValueError("lockf is empty")
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
            self.c.outputs = outputs.base
            self.c.noise = &self.noise[0, 0]
        if subwords is not None:
            if subwords.offsets.shape[0] != vectors.rows + 1:
                raise ValueError("the n-grams are those of another number of words")
            if subwords.ngrams.columns != vectors.columns:
                raise ValueError("the n-grams' vectors and the words' differ in size")
            self.c.ngrams = subwords.ngrams.base
            self.c.parts = &subwords.offsets[0]
            self.c.ngram_ids = &subwords.ids[0]
            self.c.own_lockf = &subwords.own_lockf[0]
            self.c.own_lockf_len = subwords.own_lockf.shape[0]
            self.c.ngrams_lockf = &subwords.ngrams_lockf[0]
            self.c.ngrams_lockf_len = subwords.ngrams_lockf.shape[0]
        if tree is not None:
            if tree.offsets.shape[0] != vectors.rows + 1:
                raise ValueError("the tree is that of another number of words")
            if tree.nodes.columns != vectors.columns:
                raise ValueError("the nodes' vectors and the words' differ in size")
            self.c.nodes = tree.nodes.base
            self.c.paths = &tree.offsets[0]
            self.c.path_nodes = &tree.ids[0]
            self.c.path_signs = &tree.signs[0]
            self.c.longest_path = tree.longest
        self.check_layout()

    cdef int check_layout(self) except -1:
        if not (
            self.vectors.padded and (self.outputs is None or self.outputs.padded)
            and (self.subwords is None or self.subwords.ngrams.padded)
            and (self.tree is None or self.tree.nodes.padded)
        ):
            raise ValueError("the steps want padded matrices")


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
                self.c.longest = max(self.c.longest, length)
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
               bint shrink_windows, int negative, bint shared_negatives, float alpha,
               uint64_t seed, const int32_t[::1] stop, *, bint sg=True, bint cbow_mean=True):
    """Predict the words of sentences first..last - 1 from their context: (words, examples, loss).

    By skip-gram or CBOW, with negative sampling (`negative` > 0), by the tree of `params` if they
    have one, or both.
    """
    if negative and params.outputs is None:
        raise ValueError("these parameters have no outputs")
    if not negative and params.tree is None:
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
    cdef const bb_level *use = _level
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
    cdef const bb_level *use = _level
    cdef int64_t size = use.pairs_scratch(&a.c, &text_a.c, &b.c, &text_b.c)
    cdef uint8_t[::1] scratch = np.empty(size, dtype=np.uint8)
    cdef bb_pairs_result result
    with nogil:
        result = use.pairs(&a.c, &text_a.c, &b.c, &text_b.c, &settings, &order[0], order.shape[0],
                           alpha, seed, &scratch[0], &stop[0])
    return result.pairs, result.emptied, result.words, result.loss


def best_columns(const float[:, :] scores, int64_t k):
    """Find the `k` largest values of each row: their columns, and the values, best first.

    Of equal values the first come first. It takes a time that grows with k times the number of
    values that were among the largest when they were met: k should be small.

    Returns
    -------
    ndarray of int64 and ndarray of float32, both of shape (rows, k)
    """
    cdef int64_t rows = scores.shape[0], columns = scores.shape[1]
    if not 0 <= k <= columns:
        raise ValueError("no more columns can be found than there are")
    ids = np.empty((rows, k), dtype=np.int64)
    values = np.empty((rows, k), dtype=np.float32)
    if rows == 0 or k == 0:
        return ids, values
    if columns > 1 and scores.strides[1] != sizeof(float):
        raise ValueError("the values of a row must lie next to each other")
    cdef int64_t[:, ::1] ids_view = ids
    cdef float[:, ::1] values_view = values
    cdef const bb_level *use = _level
    with nogil:
        use.best(&scores[0, 0], rows, columns, scores.strides[0] // <int64_t> sizeof(float), k,
                 &ids_view[0, 0], &values_view[0, 0])
    return ids, values


def keep_largest(const float[:, ::1] block, float[:, ::1] of_rows, float[:, ::1] of_columns):
    """Keep the largest values of each row and each column of a matrix that comes by in blocks.

    of_rows : (rows, k) and of_columns : (columns, k'), both descending, -inf at the start.
    """
    cdef int64_t rows = block.shape[0], columns = block.shape[1]
    if of_rows.shape[0] != rows or of_columns.shape[0] != columns:
        raise ValueError("a row of values is wanted for each row and for each column of the block")
    if of_rows.shape[1] == 0 or of_columns.shape[1] == 0:
        raise ValueError("at least one value is kept")
    if rows == 0 or columns == 0:
        return
    cdef const bb_level *use = _level
    with nogil:
        use.largest(&block[0, 0], rows, columns, of_rows.shape[1], &of_rows[0, 0],
                    of_columns.shape[1], &of_columns[0, 0])
