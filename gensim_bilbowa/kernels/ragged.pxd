from libc.stdint cimport int32_t, int64_t


cdef inline int64_t check_ragged(const int64_t[::1] offsets, const int32_t[::1] ids, int64_t below,
                                 str what, bint may_be_empty=True) except -1:
    """Refuse offsets and ids that lead elsewhere; return the length of the longest row."""
    cdef int64_t n = offsets.shape[0] - 1, i, longest = 0, shortest = 0
    cdef bint strange = False
    if n < 0 or offsets[0] != 0 or offsets[n] != ids.shape[0]:
        raise ValueError("offsets must run from 0 to the number of ids, and must rise")
    with nogil:
        for i in range(n):
            longest = max(longest, offsets[i + 1] - offsets[i])
            shortest = min(shortest, offsets[i + 1] - offsets[i] - (not may_be_empty))
        for i in range(ids.shape[0]):
            if not 0 <= ids[i] < below:
                strange = True
    if shortest < 0:
        raise ValueError("offsets must rise" if may_be_empty else "a sentence is empty")
    if strange:
        raise ValueError(f"an id is not {what}")
    return longest
