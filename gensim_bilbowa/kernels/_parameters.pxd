from libc.stdint cimport int64_t, uint32_t

from gensim_bilbowa.kernels._matrix cimport Matrix
from gensim_bilbowa.kernels.bilbowa cimport bb_params


cdef class Parameters:
    cdef readonly Matrix vectors
    cdef tuple matrices
    cdef object subwords
    cdef object tree
    cdef const float[::1] lockf
    cdef const uint32_t[:, ::1] noise
    cdef bb_params c

    cdef int add(self, Matrix rows, const int64_t[::1] offsets, str those, str whose) except -1
    cdef int check_layout(self) except -1
