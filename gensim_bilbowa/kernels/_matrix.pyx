# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Matrices whose rows lie as the steps want them, or as anybody else does."""

from libc.stdint cimport int64_t, uintptr_t
from libc.string cimport memmove, memset

import numpy as np

from gensim_bilbowa.kernels.bilbowa cimport BB_ROW


cdef class Matrix:
    """Memory of a float32 matrix that can be laid out in two ways, without a second copy.

    Plain, rows follow each other, as anybody expects. Padded, each row begins at a cache line and
    is filled up with zeros, as the steps want it. A new matrix is plain and all zeros.

    Attributes
    ----------
    rows, columns : int
    stride : int
        Floats from row to row when padded.
    padded : bool
        The layout at present.
    """

    def __init__(self, int64_t rows, int64_t columns):
        if rows < 0 or columns < 1:
            raise ValueError("a matrix of at least one column is wanted")
        cdef int64_t line = BB_ROW * sizeof(float)
        self.rows = rows
        self.columns = columns
        self.stride = (columns + BB_ROW - 1) // BB_ROW * BB_ROW
        self.memory = np.zeros(rows * self.stride * sizeof(float) + line, dtype=np.uint8)
        cdef uintptr_t start = self.memory.ctypes.data
        self.base = <float *> ((start + line - 1) // line * line)

    @staticmethod
    def of(array):
        """Return the matrix whose rows the array is, all of them, as they lie now; or None."""
        owner = array
        while isinstance(owner, np.ndarray):
            owner = owner.base
        if not isinstance(owner, Matrix):
            return None
        mine = owner.array
        same = (
            array.dtype == mine.dtype and array.shape == mine.shape
            and array.strides == mine.strides and array.ctypes.data == mine.ctypes.data
        )
        return owner if same and array.flags.writeable else None

    @property
    def __array_interface__(self):
        cdef int64_t stride = self.stride if self.padded else self.columns
        return {
            "version": 3, "typestr": np.dtype(np.float32).str, "shape": (self.rows, self.columns),
            "strides": (stride * sizeof(float), sizeof(float)),
            "data": (<uintptr_t> self.base, False),
        }

    @property
    def array(self):
        """The rows, as they lie now: (rows, columns)."""
        # A view of a view: one that is made read-only can be made writeable again.
        return np.asarray(self)[:]

    @property
    def whole(self):
        """The padded rows with their padding: (rows, stride)."""
        if not self.padded:
            raise ValueError("the matrix is not padded")
        return np.lib.stride_tricks.as_strided(
            np.asarray(self), (self.rows, self.stride), (self.stride * sizeof(float), sizeof(float))
        )

    def lay_out(self, bint padded, owner, str name):
        """Change the layout, and put the rows as they lie then on `owner` as attribute `name`.

        In one step, so that neither Ctrl-C nor another thread can come between. Arrays of the
        former layout are void.
        """
        before = self.padded
        self.padded = padded
        array = self.array
        self.padded = before
        if before != padded:
            if self.stride == self.columns:
                pass  # one and the same
            elif padded:
                self.spread()
            else:
                self.close_up()
            self.padded = padded
        setattr(owner, name, array)

    cdef void spread(self) noexcept:
        cdef size_t width = self.columns * sizeof(float)
        cdef int64_t row
        for row in range(self.rows - 1, -1, -1):
            memmove(self.base + row * self.stride, self.base + row * self.columns, width)
            memset(self.base + row * self.stride + self.columns, 0,
                   (self.stride - self.columns) * sizeof(float))

    cdef void close_up(self) noexcept:
        cdef size_t width = self.columns * sizeof(float)
        cdef int64_t row
        for row in range(self.rows):
            memmove(self.base + row * self.columns, self.base + row * self.stride, width)
