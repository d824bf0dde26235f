# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The arithmetic of a team's merges."""

from libc.stdint cimport uint16_t

cdef extern from "merge.h" nogil:
    void bb_changes(const float *, const float *, size_t, size_t, size_t, float *)
    void bb_changes_bf16(const float *, const float *, size_t, size_t, size_t, uint16_t *)
    void bb_step(const float *, size_t, size_t, size_t, float, float *, float *)
    void bb_step_bf16(const uint16_t *, size_t, size_t, size_t, float, float *, uint16_t *)
    void bb_take(const float *, size_t, size_t, size_t, float *, float *)
    void bb_take_bf16(const uint16_t *, size_t, size_t, size_t, float *, float *)

ctypedef fused Sent:
    float
    uint16_t


cdef size_t _gap(Sent[:, :] rows) except 0:
    """The numbers from one row to the next, which has its own in one piece."""
    if rows.shape[1] > 1 and rows.strides[1] != sizeof(Sent):
        raise ValueError("rows in one piece are wanted")
    if rows.shape[0] < 2 or not rows.shape[1]:
        return max(rows.shape[1], 1)
    if rows.strides[0] < rows.shape[1] * <Py_ssize_t>sizeof(Sent) or (
        rows.strides[0] % <Py_ssize_t>sizeof(Sent)
    ):
        raise ValueError("rows one after the other are wanted")
    return rows.strides[0] // sizeof(Sent)


cdef size_t _fitting(float[:, :] now, Py_ssize_t rows, Py_ssize_t dim, Py_ssize_t sent_rows,
                     Py_ssize_t sent_dim) except 0:
    """The gap of `now`, which must have so many rows of `dim`; as many at least are sent."""
    if now.shape[0] != rows or now.shape[1] != dim or sent_rows < rows or sent_dim != dim:
        raise ValueError("arrays of one shape are wanted")
    return _gap[float](now)


def write_changes(const float[:, ::1] common not None, float[:, :] now not None,
                  Sent[:, ::1] changes not None):
    """Write ``common - now`` to the first rows of `changes`; float32, or bfloat16 as uint16."""
    cdef size_t rows = common.shape[0], dim = common.shape[1]
    cdef size_t gap = _fitting(now, rows, dim, changes.shape[0], changes.shape[1])
    if not rows * dim:
        return
    with nogil:
        if Sent is float:
            bb_changes(&common[0, 0], &now[0, 0], rows, dim, gap, &changes[0, 0])
        else:
            bb_changes_bf16(&common[0, 0], &now[0, 0], rows, dim, gap, &changes[0, 0])


def add_up(Sent[:, :] blocks not None, float momentum, float[::1] velocity not None,
           Sent[::1] step not None):
    """Add up blocks of changes and write the step that is to be taken.

    With d the mean of the blocks, added in their order::

        velocity = momentum * velocity + d
        step = momentum * velocity + d

    blocks : shape (size, n). velocity : shape (n,), changed. step : shape (n,), written.
    """
    cdef size_t size = blocks.shape[0], n = blocks.shape[1], gap = _gap(blocks)
    if <size_t>velocity.shape[0] != n or <size_t>step.shape[0] != n or not size:
        raise ValueError("blocks of one length are wanted")
    if not n:
        return
    with nogil:
        if Sent is float:
            bb_step(&blocks[0, 0], size, n, gap, momentum, &velocity[0], &step[0])
        else:
            bb_step_bf16(&blocks[0, 0], size, n, gap, momentum, &velocity[0], &step[0])


def take_step(const Sent[:, ::1] step not None, float[:, ::1] common not None,
              float[:, :] now not None):
    """Take the first rows of `step` from `common`, and copy that to `now`."""
    cdef size_t rows = common.shape[0], dim = common.shape[1]
    cdef size_t gap = _fitting(now, rows, dim, step.shape[0], step.shape[1])
    if not rows * dim:
        return
    with nogil:
        if Sent is float:
            bb_take(&step[0, 0], rows, dim, gap, &common[0, 0], &now[0, 0])
        else:
            bb_take_bf16(&step[0, 0], rows, dim, gap, &common[0, 0], &now[0, 0])
