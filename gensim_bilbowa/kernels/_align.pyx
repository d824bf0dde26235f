# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The border between Python and word alignment in C: checks sizes, releases the GIL."""

from libc.stdint cimport int32_t, int64_t, uint8_t

import numpy as np

from gensim_bilbowa.kernels._spelling cimport Alike, bb_alike
from gensim_bilbowa.kernels.ragged cimport check_ragged

cdef extern from "align.h" nogil:
    ctypedef struct bb_place:
        pass
    ctypedef struct bb_bitext:
        const int32_t *source
        const int64_t *source_offsets
        const int32_t *target
        const int64_t *target_offsets
        int64_t pairs
        int64_t source_words
        int64_t target_words
        const float *positions
        const int64_t *row_of
        const int64_t *starts
        const bb_place *places
    ctypedef struct bb_both:
        pass
    ctypedef struct bb_cell:
        pass
    ctypedef struct bb_rows:
        int64_t first
        int64_t rows
        const int64_t *starts
        const int32_t *columns
        const bb_both *values
    ctypedef struct bb_classes:
        const int32_t *source
        const int32_t *target
        bb_rows rows
        const double *sums
    ctypedef struct bb_align_step:
        const bb_rows *before
        const double *sums
        const bb_classes *classes
        const bb_alike *alike
        double least
        float floor
        int t
    ctypedef struct bb_align_scratch:
        bb_cell *cells
        int32_t *list
        bb_both *classes
        uint8_t *pieces
    void bb_align_positions(int64_t, float, float *)
    void bb_align_index(const bb_bitext *, int64_t *, bb_place *, int64_t *, int64_t *)
    void bb_align_reorder(const bb_bitext *, int64_t *, const float *, int, float *)
    void bb_align_copy(const bb_bitext *, int64_t, int64_t, float *, float *, int)
    void bb_align_norms(const bb_bitext *, int64_t, int64_t, float *)
    void bb_align_begin(const bb_bitext *, int64_t, int64_t, float, float *)
    void bb_align_sum(const bb_bitext *, int64_t, int64_t, const bb_rows *, const double *, float,
                      const float *, float *, float *, double *, bb_both *,
                      const volatile int32_t *)
    double bb_align_gains(const int32_t *, int64_t, const float *, float, const float *, int,
                          float *, double *)
    void bb_align_rows(const bb_bitext *, int64_t, int64_t, const bb_align_step *, const float *,
                       const float *, int64_t *, int32_t *, bb_both *, double *,
                       const bb_align_scratch *, const volatile int32_t *)


cdef class Rows:
    """Rows of a sparse matrix, from row `first` on, as ``scipy.sparse.csr_array`` has them.

    starts : (n_rows + 1,) int64. columns : (n,) int32. values : (n, 2) float32, what goes forth
    and what goes back.
    """

    cdef readonly int64_t first
    cdef readonly object starts
    cdef readonly object columns
    cdef readonly object values
    cdef int64_t largest
    cdef int64_t longest
    cdef bb_rows c

    def __init__(self, int64_t first, starts, columns, values):
        cdef const int64_t[::1] of_rows = starts
        cdef const int32_t[::1] of_columns = columns
        cdef const float[:, ::1] of_values = values
        cdef int64_t n = of_rows.shape[0] - 1, entries = of_columns.shape[0], i
        if n < 0 or first < 0 or of_rows[0] != 0 or of_rows[n] != entries:
            raise ValueError("starts must rise from 0 to the number of columns")
        if of_values.shape[0] != entries or of_values.shape[1] != 2:
            raise ValueError("two values for each column are wanted")
        self.largest, self.longest = -1, 0
        for i in range(n):
            if of_rows[i + 1] < of_rows[i]:
                raise ValueError("starts decrease")
            self.longest = max(self.longest, of_rows[i + 1] - of_rows[i])
        for i in range(entries):
            if of_columns[i] < 0:
                raise ValueError("a column is negative")
            self.largest = max(self.largest, of_columns[i])
        self.first, self.starts, self.columns, self.values = first, starts, columns, values
        self.c.first, self.c.rows, self.c.starts = first, n, &of_rows[0]
        if entries:
            self.c.columns, self.c.values = &of_columns[0], <const bb_both *> &of_values[0, 0]

    def __reduce__(self):
        return Rows, (self.first, self.starts, self.columns, self.values)


cdef class Classes:
    """t of classes of words, from which that of the words starts.

    source, target : (n_words,) int32, the class of each word. rows : :class:`Rows` of all classes
    of the source, whose columns are classes of the target. sums : (n_target_classes,) float64, of
    the columns' back part.
    """

    cdef const int32_t[::1] source
    cdef const int32_t[::1] target
    cdef const double[::1] sums
    cdef Rows rows
    cdef bb_classes c

    def __init__(self, source, target, Rows rows not None, sums):
        self.source, self.target, self.rows, self.sums = source, target, rows, sums
        if self.source.shape[0] == 0 or self.target.shape[0] == 0:
            raise ValueError("classes of no words")
        if np.min(source) < 0 or np.min(target) < 0:
            raise ValueError("a class is negative")
        if rows.c.first or np.max(source) >= rows.c.rows:
            raise ValueError("a row for each class of the source is wanted")
        if max(np.max(target), rows.largest) >= self.sums.shape[0]:
            raise ValueError("a sum for each class of the target is wanted")
        self.c.source, self.c.target, self.c.rows = &self.source[0], &self.target[0], rows.c
        self.c.sums = &self.sums[0]


cdef class Bitext:
    """Sentence pairs as the alignment of their words reads them.

    source, target : (n_tokens,) int32 word indices. source_offsets, target_offsets :
        (n_pairs + 1,) int64; sentence i is ``ids[offsets[i]:offsets[i + 1]]``, and has a word.
    source_words, target_words : sizes of the vocabularies.
    position : weight of the prior on positions.

    Attributes
    ----------
    pairs : int
    tokens, words : (int, int)
        Of the target and of the source.
    source_offsets, target_offsets : (n_pairs + 1,) int64
    starts : (source_words + 1,) int64
        Where the places of each source word begin, in the order of places.
    work : (source_words,) int64
        Target tokens that the places of each source word look at.
    """

    cdef const int32_t[::1] source
    cdef const int32_t[::1] target
    cdef const int64_t[::1] of_source
    cdef const int64_t[::1] of_target
    cdef object arrays
    cdef readonly object source_offsets
    cdef readonly object target_offsets
    cdef readonly object starts
    cdef readonly object work
    cdef bb_bitext c

    def __init__(self, source, source_offsets, target, target_offsets, int64_t source_words,
                 int64_t target_words, float position):
        check_ragged(source_offsets, source, source_words, "that of a word", False)
        check_ragged(target_offsets, target, target_words, "that of a word", False)
        if len(source_offsets) < 2:
            raise ValueError("offsets must run over one sentence or more")
        if len(source_offsets) != len(target_offsets):
            raise ValueError("the two sides differ in length")
        if not 0 <= position <= 80:  # or its exponential is no float
            raise ValueError("position must be a number of 0 to 80")
        self.source, self.of_source, self.source_offsets = source, source_offsets, source_offsets
        self.target, self.of_target, self.target_offsets = target, target_offsets, target_offsets
        cdef int64_t tokens = len(source), length
        if tokens + len(target) > 0x7FFFFFFF:
            raise ValueError("more than 2^31 - 1 words")
        lengths = np.union1d(np.diff(source_offsets), np.diff(target_offsets))
        cdef int64_t[::1] row_of = np.zeros(lengths.max() + 1, np.int64)
        np.asarray(row_of)[lengths[1:]] = np.cumsum(lengths)[:len(lengths) - 1]
        cdef float[::1] positions = np.empty(lengths.sum(), np.float32)
        for length in lengths:
            bb_align_positions(length, position, &positions[row_of[length]])
        self.starts = np.empty(source_words + 1, np.int64)
        cdef int64_t[::1] starts = self.starts
        cdef uint8_t[:, ::1] places = np.empty((tokens, sizeof(bb_place)), np.uint8)
        self.work = np.empty(source_words, np.int64)
        cdef int64_t[::1] work = self.work, scratch = np.empty(source_words, np.int64)
        self.arrays = row_of, positions, places
        self.c.source, self.c.source_offsets = &self.source[0], &self.of_source[0]
        self.c.target, self.c.target_offsets = &self.target[0], &self.of_target[0]
        self.c.pairs, self.c.source_words, self.c.target_words = (
            len(source_offsets) - 1, source_words, target_words)
        self.c.positions, self.c.row_of = &positions[0], &row_of[0]
        self.c.starts, self.c.places = &starts[0], <bb_place *> &places[0, 0]
        with nogil:
            bb_align_index(&self.c, &starts[0], <bb_place *> &places[0, 0], &work[0], &scratch[0])

    @property
    def pairs(self):
        return self.c.pairs

    @property
    def tokens(self):
        return self.target.shape[0], self.source.shape[0]

    @property
    def words(self):
        return self.c.target_words, self.c.source_words

    cdef int check_tokens(self, const float[::1] forth, const float[::1] back) except -1:
        if (forth is not None and forth.shape[0] != self.target.shape[0]) or (
            back is not None and back.shape[0] != self.source.shape[0]
        ):
            raise ValueError("a number for each target token and each source token is wanted")

    cdef int check_pairs(self, int64_t first, int64_t last) except -1:
        if not 0 <= first <= last <= self.c.pairs:
            raise ValueError("no such pairs")

    cdef int check_words(self, int64_t first, int64_t last) except -1:
        if not 0 <= first <= last <= self.c.source_words:
            raise ValueError("no such words")

    cdef int check_sums(self, const double[::1] sums) except -1:
        if sums.shape[0] != self.c.target_words:
            raise ValueError("a sum for each target word is wanted")

    def norms(self, int64_t first, int64_t last, float[::1] norms):
        """Write D of the target tokens of some pairs."""
        self.check_pairs(first, last)
        self.check_tokens(norms, None)
        with nogil:
            bb_align_norms(&self.c, first, last, &norms[0])

    def begin(self, int64_t first, int64_t last, float null_share, float[::1] back):
        """Write the gains of the places of some source words, all t being the same."""
        self.check_words(first, last)
        self.check_tokens(None, back)
        with nogil:
            bb_align_begin(&self.c, first, last, null_share, &back[0])

    def reordered(self, const float[::1] values, *, bint by_token):
        """Return numbers of places in the order of their source tokens, or the other way round."""
        self.check_tokens(None, values)
        out = np.empty(len(values), np.float32)
        cdef float[::1] out_ = out
        cdef int64_t[::1] scratch = np.empty(self.c.source_words, np.int64)
        with nogil:
            bb_align_reorder(&self.c, &scratch[0], &values[0], by_token, &out_[0])
        return out

    def copy(self, int64_t first, int64_t last, float[::1] places, float[::1] some, *, bint back):
        """Copy the numbers of the places of some pairs to others, or from there back.

        places : (source tokens,) float32, in the order of places.
        some : float32, as many as the pairs have source tokens.
        """
        self.check_pairs(first, last)
        self.check_tokens(None, places)
        cdef int64_t tokens = self.of_source[last] - self.of_source[first]
        if some.shape[0] != tokens:
            raise ValueError("a number for each source token of the pairs is wanted")
        if tokens:
            with nogil:
                bb_align_copy(&self.c, first, last, &places[0], &some[0], back)

    def gains(self, int64_t first, int64_t last, list rows, const double[::1] sums,
              const float[::1] norms, float null_share, tuple null, tuple gains, bint asked,
              const int32_t[::1] stop):
        """Write the gains of target tokens and source places of some pairs, by all rows of t.

        null, gains : each for the target and the source.

        Returns
        -------
        null_counts : ndarray of float64, shape (target_words,), and the same for the source
        likelihood : float
            The logarithm, of the target given the source, if it is `asked` for.
        """
        cdef float[::1] forth = gains[0], back = gains[1]
        cdef const float[::1] null_forth = null[0], null_back = null[1]
        self.check_pairs(first, last)
        self.check_tokens(forth, back)
        self.check_tokens(norms, None)
        self.check_sums(sums)
        if (
            null_forth.shape[0] != self.c.target_words or null_back.shape[0] != self.c.source_words
        ):
            raise ValueError("a number for each target word and each source word is wanted")
        if stop.shape[0] < 1:
            raise ValueError("a stop flag is wanted")
        cdef int64_t at = 0
        cdef Rows part
        for part in rows:
            if part.c.first != at or part.largest >= self.c.target_words:
                raise ValueError("these are not the rows of all source words, one after the other")
            at += part.c.rows
        if at != self.c.source_words:
            raise ValueError("a row for each source word is wanted")
        spread_ = np.zeros((self.c.target_words, 2), np.float32)
        cdef float[:, ::1] spread = spread_
        counts_forth, counts_back = np.zeros(self.c.target_words), np.zeros(self.c.source_words)
        cdef double[::1] of_forth = counts_forth, of_back = counts_back
        cdef double likelihood = 0.0
        cdef int64_t start = self.of_target[first], tokens = self.of_target[last] - start
        if first == last:
            return counts_forth, counts_back, likelihood
        forth[start:start + tokens] = 0.0
        for part in rows:
            with nogil:
                bb_align_sum(&self.c, first, last, &part.c, &sums[0], null_share, &null_back[0],
                             &forth[0], &back[0], &of_back[0], <bb_both *> &spread[0, 0], &stop[0])
        with nogil:
            likelihood = bb_align_gains(
                self.c.target + start, tokens, &norms[start], null_share, &null_forth[0], asked,
                &forth[start], &of_forth[0])
        return counts_forth, counts_back, likelihood

    def rows(self, int64_t first, int64_t last, tuple gains, const int32_t[::1] stop, *,
             Rows before=None, sums=None, Classes classes=None, Alike alike=None,
             double least=0.0, float floor=0.0, bint t=True):
        """Count by the gains how often source words are aligned to target words.

        before : their rows of t, with the `sums` of the columns of all rows, or None at the start,
        where t is that of `classes`, or the same for all. least : left out is what is counted less
        often both ways. t : return the next t, to which `alike` adds its part, or else the counts,
        in the order of the columns, without those whose geometric mean is below `floor`.

        Returns
        -------
        Rows
        sums : ndarray of float64, shape (target_words,)
            Of the back part of the columns of these rows.
        """
        cdef const float[::1] forth = gains[0], back = gains[1]
        self.check_words(first, last)
        self.check_tokens(forth, back)
        if stop.shape[0] < 1:
            raise ValueError("a stop flag is wanted")
        cdef int64_t words = self.c.target_words
        cdef const double[::1] of_columns = np.empty(words) if before is None else sums
        self.check_sums(of_columns)
        if before is not None and (
            before.c.first != first or before.c.rows != last - first or before.largest >= words
            or before.longest > words
        ):
            raise ValueError("the rows before are of other words")
        if classes is not None and (
            classes.source.shape[0] != self.c.source_words or classes.target.shape[0] != words
        ):
            raise ValueError("the classes are those of other words")
        if alike is not None and (
            alike.source.words != self.c.source_words or alike.target.words != words
        ):
            raise ValueError("the spelling is that of other words")
        if before is None:
            room = int(np.minimum(self.work[first:last], words).sum())
        else:
            room = len(before.columns)
        starts = np.empty(last - first + 1, np.int64)
        columns = np.empty(max(room, 1), np.int32)
        values = np.empty((max(room, 1), 2), np.float32)
        new_sums = np.zeros(words)
        cdef int64_t[::1] starts_ = starts
        cdef int32_t[::1] columns_ = columns
        cdef float[:, ::1] values_ = values
        cdef double[::1] new_sums_ = new_sums
        cdef float[:, ::1] cells = np.zeros((words, 4), np.float32)
        cdef int32_t[::1] met = np.empty(words, np.int32)
        cdef float[:, ::1] of_classes = np.zeros(
            (1 if classes is None else classes.sums.shape[0], 2), np.float32)
        cdef uint8_t[::1] pieces = np.zeros(1 if alike is None else alike.source.size, np.uint8)
        cdef bb_align_scratch scratch
        scratch.cells = <bb_cell *> &cells[0, 0]
        scratch.list, scratch.pieces = &met[0], &pieces[0]
        scratch.classes = <bb_both *> &of_classes[0, 0]
        cdef bb_align_step step
        step.before = NULL if before is None else &before.c
        step.sums = &of_columns[0]
        step.classes = NULL if classes is None else &classes.c
        step.alike = NULL if alike is None else &alike.c
        step.least, step.floor, step.t = least, floor, t
        with nogil:
            bb_align_rows(&self.c, first, last, &step, &forth[0], &back[0], &starts_[0],
                          &columns_[0], <bb_both *> &values_[0, 0], &new_sums_[0], &scratch,
                          &stop[0])
        used = int(starts[last - first])
        return Rows(first, starts, columns[:used].copy(), values[:used].copy()), new_sums
