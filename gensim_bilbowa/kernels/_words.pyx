# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The border between Python and the C word tables: owns memory, checks sizes, releases the GIL."""

import os
import struct

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

import numpy as np

cdef extern from "words.h" nogil:
    enum: BB_OK
    enum: BB_NOT_UTF8
    enum: BB_NO_MEMORY

    ctypedef struct bb_entry:
        int64_t at
        int64_t length
        int64_t count
        int64_t mark

    ctypedef struct bb_table:
        bb_entry *entries
        int64_t size
        uint8_t *arena

    ctypedef struct bb_tally:
        int64_t lines
        int64_t words
        int64_t known

    int bb_table_init(bb_table *, uint64_t, uint64_t)
    void bb_table_free(bb_table *)
    int bb_table_add(bb_table *, const uint8_t *, int64_t, int64_t, int64_t)
    int bb_table_merge(bb_table *, const bb_table *)
    int bb_count(bb_table *, const uint8_t *, int64_t, int64_t, bb_tally *)
    int bb_encode(const bb_table *, const uint8_t *, int64_t, int32_t *, int64_t *, uint8_t *,
                  bb_tally *)
    int bb_number(bb_table *, const uint8_t *, int64_t, int32_t *, int64_t *, bb_tally *)
    int64_t bb_lines(const uint8_t *, int64_t)
    int64_t bb_column(const uint8_t *, int64_t, int64_t, int64_t, uint8_t *)

cdef uint64_t _SEED[2]
_SEED[0], _SEED[1] = struct.unpack("=QQ", os.urandom(16))


cdef int64_t checked_length(bytes text) except -1:
    if len(text) > 0x7FFFFFFF:
        raise ValueError(f"a text of less than 2 GiB is wanted, got {len(text):,} bytes")
    return len(text)


cdef int raise_for(int status, bytes text) except -1:
    if status == BB_NO_MEMORY:
        raise MemoryError("no memory for a word table")
    if status == BB_NOT_UTF8:
        text.decode("utf-8")  # raises, and says where
        raise AssertionError("Python takes for UTF-8 what the word tables do not")
    return 0


cdef class WordTable:
    """Words and how often they were met."""

    cdef bb_table c
    cdef bint busy

    def __cinit__(self):
        raise_for(bb_table_init(&self.c, _SEED[0], _SEED[1]), b"")

    def __dealloc__(self):
        bb_table_free(&self.c)

    def __len__(self):
        return self.c.size

    cdef int claim(self) except -1:
        # Threads that share a table would find it half changed.
        if self.busy:
            raise RuntimeError("this table is in use by another thread")
        self.busy = True
        return 0

    def count(self, bytes text not None, int64_t base=0):
        """Count the words of a text of whole lines: (lines, words).

        A word's place is `base` plus its offset. Raises UnicodeDecodeError as `bytes.decode`.
        """
        cdef int64_t length = checked_length(text)
        cdef const uint8_t *data = text
        cdef bb_tally tally
        cdef int status
        self.claim()
        with nogil:
            status = bb_count(&self.c, data, length, base, &tally)
        self.busy = False
        raise_for(status, text)
        return tally.lines, tally.words

    def number(self, bytes text not None):
        """Number the words of a text of whole lines: (ids, counts, new).

        ids : int32, of all words, in the order in which this table met each first. counts : int64,
        the words of each line. new : list of str, those that it met first in this text, in that
        order. Raises UnicodeDecodeError as `bytes.decode`.
        """
        cdef int64_t length = checked_length(text), before, i
        cdef const uint8_t *data = text
        cdef bb_tally tally
        cdef bb_entry *e
        cdef const char *arena
        cdef int status
        ids = np.empty(length // 2 + 1, dtype=np.int32)
        counts = np.zeros(bb_lines(data, length) + 1, dtype=np.int64)
        cdef int32_t[::1] ids_view = ids
        cdef int64_t[::1] counts_view = counts
        self.claim()
        try:
            before = self.c.size
            with nogil:
                status = bb_number(&self.c, data, length, &ids_view[0], &counts_view[0], &tally)
            raise_for(status, text)
            new = []
            arena = <const char *>self.c.arena
            for i in range(before, self.c.size):
                e = self.c.entries + i
                new.append(arena[e.at:e.at + e.length].decode("utf-8"))
        finally:
            self.busy = False
        return ids[:tally.words].copy(), counts[:-1], new

    def merge(self, WordTable other not None):
        """Add what another table has counted."""
        cdef int status
        if other is self:
            raise ValueError("another table is wanted, got this one")
        self.claim()
        try:
            other.claim()
            with nogil:
                status = bb_table_merge(&self.c, &other.c)
            other.busy = False
        finally:
            self.busy = False
        raise_for(status, b"")

    def counts(self):
        """Return a dict from word to count, in the order of the places of first appearance."""
        cdef int64_t i, n
        cdef bb_entry *e
        cdef int64_t[::1] view
        cdef const char *arena
        self.claim()
        try:
            n = self.c.size
            arena = <const char *>self.c.arena
            places = np.empty(n, dtype=np.int64)
            view = places
            for i in range(n):
                view[i] = self.c.entries[i].mark
            order = np.argsort(places, kind="stable")
            view = order
            result = {}
            for i in range(n):
                e = self.c.entries + view[i]
                result[arena[e.at:e.at + e.length].decode("utf-8")] = e.count
            return result
        finally:
            self.busy = False


cdef class Vocabulary:
    """A read-only map from words to ids, which threads may share.

    key_to_index : mapping from str to int, the ids not negative and below 2**31.
    """

    cdef bb_table c

    def __cinit__(self, key_to_index):
        cdef int64_t index
        cdef bytes word
        raise_for(bb_table_init(&self.c, _SEED[0], _SEED[1]), b"")
        for key, index in key_to_index.items():
            if not 0 <= index <= 0x7FFFFFFF:
                raise ValueError(f"an id from 0 to 2**31 - 1 is wanted, got {index} for {key!r}")
            if not isinstance(key, str):
                continue  # gensim takes numbers, too, which no text has
            # A lone surrogate stays one, and never equals what is read from a file.
            word = key.encode("utf-8", "surrogatepass")
            raise_for(bb_table_add(&self.c, word, len(word), 0, index), b"")

    def __dealloc__(self):
        bb_table_free(&self.c)

    def __len__(self):
        return self.c.size

    def encode(self, bytes text not None):
        """Look up the words of a text of whole lines: (ids, known, blank, words).

        ids : int32, of the known words. known : int64, their number on each line. blank : bool,
        for each line, whether it has no word at all. words : number of words, unknown ones
        included. Raises UnicodeDecodeError as `bytes.decode`.
        """
        cdef int64_t length = checked_length(text)
        cdef const uint8_t *data = text
        cdef int64_t lines
        cdef bb_tally tally
        cdef int status
        with nogil:
            lines = bb_lines(data, length)
        ids = np.empty(length // 2 + 1, dtype=np.int32)
        known = np.zeros(lines + 1, dtype=np.int64)
        blank = np.ones(lines + 1, dtype=np.uint8)
        cdef int32_t[::1] ids_view = ids
        cdef int64_t[::1] known_view = known
        cdef uint8_t[::1] blank_view = blank
        with nogil:
            status = bb_encode(&self.c, data, length, &ids_view[0], &known_view[0],
                               &blank_view[0], &tally)
        raise_for(status, text)
        return ids[:tally.known].copy(), known[:lines], blank[:lines].view(np.bool_), tally.words


def take_column(bytes text not None, int64_t column, int64_t wanted):
    """Return one tab-separated cell of each line, as text of as many lines.

    A line of white space gives an empty one. If another has less than `wanted` cells, return the
    index of that line, an int, instead.
    """
    if not 0 <= column < wanted:
        raise ValueError(f"0 <= column < wanted must hold, got {column} and {wanted}")
    cdef int64_t length = checked_length(text), written
    cdef const uint8_t *data = text
    out = np.empty(length + 1, dtype=np.uint8)
    cdef uint8_t[::1] view = out
    with nogil:
        written = bb_column(data, length, column, wanted, &view[0])
    return out[:written].tobytes() if written >= 0 else -1 - written
