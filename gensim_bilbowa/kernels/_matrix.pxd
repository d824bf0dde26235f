from libc.stdint cimport int64_t


cdef class Matrix:
    cdef readonly int64_t rows
    cdef readonly int64_t columns
    cdef readonly int64_t stride
    cdef readonly bint padded
    cdef object memory
    cdef float *base

    cdef void spread(self) noexcept
    cdef void close_up(self) noexcept
