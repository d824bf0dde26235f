# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The largest values of a matrix's rows and columns."""

from libc.stdint cimport int64_t

import numpy as np

from gensim_bilbowa.kernels._levels cimport in_use
from gensim_bilbowa.kernels.bilbowa cimport bb_level


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
    cdef const bb_level *use = in_use
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
    cdef const bb_level *use = in_use
    with nogil:
        use.largest(&block[0, 0], rows, columns, of_rows.shape[1], &of_rows[0, 0],
                    of_columns.shape[1], &of_columns[0, 0])
