# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Products of sparse rows, added to a dense matrix."""

from libc.stdint cimport int32_t, int64_t


def add_products(float[:, ::1] out not None, rows, columns):
    """Add the product of two sparse matrices to a dense one, shape (n, m).

    rows : scipy.sparse.csr_array of float32, shape (n, k). columns : the same, shape (k, m).
    Row by row, in the order of the entries of `rows`.
    """
    if (rows.shape[0], columns.shape[1]) != (out.shape[0], out.shape[1]) or (
        rows.shape[1] != columns.shape[0]
    ):
        raise ValueError(
            f"shapes do not fit: {rows.shape} times {columns.shape} into "
            f"{(out.shape[0], out.shape[1])}"
        )
    cdef const int64_t[::1] row_starts = rows.indptr.astype("q", copy=False)
    cdef const int32_t[::1] terms = rows.indices.astype("i", copy=False)
    cdef const float[::1] weights = rows.data.astype("f", copy=False)
    cdef const int64_t[::1] starts = columns.indptr.astype("q", copy=False)
    cdef const int32_t[::1] places = columns.indices.astype("i", copy=False)
    cdef const float[::1] values = columns.data.astype("f", copy=False)
    cdef int64_t i, entry, at, n = out.shape[0]
    cdef int32_t term
    cdef float weight
    if not (n and out.shape[1] and terms.shape[0] and places.shape[0]):
        return
    with nogil:
        for i in range(n):
            for entry in range(row_starts[i], row_starts[i + 1]):
                term = terms[entry]
                weight = weights[entry]
                for at in range(starts[term], starts[term + 1]):
                    out[i, places[at]] += weight * values[at]
