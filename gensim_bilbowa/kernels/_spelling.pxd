from libc.stdint cimport int32_t, int64_t

cdef extern from "align.h" nogil:
    ctypedef struct bb_spelling:
        const int64_t *starts
        const int32_t *pieces

    ctypedef struct bb_alike:
        float weight
        bb_spelling source
        bb_spelling target


cdef class Spelling:
    cdef readonly object starts
    cdef readonly object pieces
    cdef readonly int64_t words
    cdef readonly int64_t size
    cdef const int64_t[::1] starts_
    cdef const int32_t[::1] pieces_
    cdef tuple index
    cdef bb_spelling c

    cdef tuple inverted(self)
    cdef int check_others(self, Spelling others) except -1


cdef class Alike:
    cdef Spelling source
    cdef Spelling target
    cdef bb_alike c
