from libc.stdint cimport int32_t, int64_t


cdef inline int check_side(
    const int32_t[::1] ids, const int64_t[::1] offsets, int64_t words, int64_t least=1
) except -1:
    cdef int64_t n = offsets.shape[0] - 1, i, wrong = 0
    if n < least or offsets[0] != 0 or offsets[n] != ids.shape[0]:
        raise ValueError("offsets must run from 0 to the number of ids, of one sentence or more")
    with nogil:
        for i in range(n):
            if not 0 < offsets[i + 1] - offsets[i]:
                wrong = 1
        for i in range(ids.shape[0]):
            if not 0 <= ids[i] < words:
                wrong = 2
    if wrong:
        raise ValueError("a sentence is empty" if wrong == 1 else "an id is not that of a word")
