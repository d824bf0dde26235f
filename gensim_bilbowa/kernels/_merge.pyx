# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""What ranks of a team have learnt, sent as float32 or bfloat16, added up, and taken over."""

from libc.stdint cimport uint16_t, uint32_t
from libc.string cimport memcpy

cdef enum:
    SOME = 2048  # floats that are added up at once: they stay in the first level of the cache

ctypedef fused Sent:
    float
    uint16_t


cdef inline float value_of(Sent sent) noexcept nogil:
    cdef float value
    cdef uint32_t bits
    if Sent is float:
        value = sent
    else:
        bits = <uint32_t> sent << 16
        memcpy(&value, &bits, sizeof(value))
    return value


cdef inline void put(Sent *place, float value) noexcept nogil:
    """To the nearest that can be sent, of ties to the even one."""
    cdef uint32_t bits
    if Sent is float:
        place[0] = value
    else:
        memcpy(&bits, &value, sizeof(bits))
        place[0] = <uint16_t> ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16)


cdef int check_rows(Sent[:, :] rows) except -1:
    if rows.shape[1] > 1 and rows.strides[1] != sizeof(Sent):
        raise ValueError("rows in one piece are wanted")
    if rows.shape[0] > 1 and (
        rows.strides[0] < rows.shape[1] * <Py_ssize_t> sizeof(Sent)
        or rows.strides[0] % <Py_ssize_t> sizeof(Sent)
    ):
        raise ValueError("rows one after the other are wanted")


cdef int check_shapes(const float[:, ::1] common, float[:, :] now, Py_ssize_t sent_rows,
                      Py_ssize_t sent_dim) except -1:
    """Refuse other arrays than of one shape, but that more rows may be sent."""
    if (
        now.shape[0] != common.shape[0] or now.shape[1] != common.shape[1]
        or sent_rows < common.shape[0] or sent_dim != common.shape[1]
    ):
        raise ValueError("arrays of one shape are wanted")
    check_rows[float](now)


cdef void write_row(const float *common, const float *now, Py_ssize_t dim,
                    Sent *changes) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(dim):
        put(changes + i, common[i] - now[i])


def write_changes(const float[:, ::1] common not None, float[:, :] now not None,
                  Sent[:, ::1] changes not None):
    """Write ``common - now`` to the first rows of `changes`; float32, or bfloat16 as uint16."""
    cdef Py_ssize_t row
    check_shapes(common, now, changes.shape[0], changes.shape[1])
    with nogil:
        for row in range(common.shape[0]):
            write_row(&common[row, 0], &now[row, 0], common.shape[1], &changes[row, 0])


cdef void add_some(Sent[:, :] blocks, Py_ssize_t at, Py_ssize_t some, float momentum,
                   float *velocity, Sent *step) noexcept nogil:
    cdef Py_ssize_t rank, i
    cdef float total[SOME]
    cdef float part = 1.0 / blocks.shape[0], mean
    cdef Sent *block = &blocks[0, at]
    for i in range(some):
        total[i] = value_of(block[i])
    for rank in range(1, blocks.shape[0]):
        block = &blocks[rank, at]
        for i in range(some):
            total[i] += value_of(block[i])
    for i in range(some):
        mean = part * total[i]
        velocity[i] = momentum * velocity[i] + mean
        put(step + i, momentum * velocity[i] + mean)


def add_up(Sent[:, :] blocks not None, float momentum, float[::1] velocity not None,
           Sent[::1] step not None):
    """Add up blocks of changes and write the step that is to be taken.

    With d the mean of the blocks, added in their order::

        velocity = momentum * velocity + d
        step = momentum * velocity + d

    blocks : shape (size, n). velocity : shape (n,), changed. step : shape (n,), written.
    """
    cdef Py_ssize_t n = blocks.shape[1], at = 0
    check_rows(blocks)
    if velocity.shape[0] != n or step.shape[0] != n or not blocks.shape[0]:
        raise ValueError("blocks of one length are wanted")
    with nogil:
        while at < n:
            add_some(blocks, at, min(n - at, SOME), momentum, &velocity[at], &step[at])
            at += SOME


cdef void take_row(const Sent *step, Py_ssize_t dim, float *common, float *now) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(dim):
        common[i] -= value_of(step[i])
        now[i] = common[i]


def take_step(const Sent[:, ::1] step not None, float[:, ::1] common not None,
              float[:, :] now not None):
    """Take the first rows of `step` from `common`, and copy that to `now`."""
    cdef Py_ssize_t row
    check_shapes(common, now, step.shape[0], step.shape[1])
    with nogil:
        for row in range(common.shape[0]):
            take_row(&step[row, 0], common.shape[1], &common[row, 0], &now[row, 0])
