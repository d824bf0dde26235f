r"""Rows of word2vec's text and binary format: a word and its numbers.

Text is ``word number ... number\n``, as word2vec, fastText (with a space before the line's end)
and GloVe (without a header) write it; binary is ``word``, a space, and little-endian float32,
with or without ``\n`` after each row. The header ``n_words vector_size\n`` is required in binary.
Memory is taken for what a file holds, never for what its header claims.
"""

from __future__ import annotations

import math
import re
import zlib
from contextlib import closing
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.corpora.files import Block, read_blocks, read_pieces
from gensim_bilbowa.errors import CorpusError, FormatError

__all__ = ["Checksum", "VectorTable", "read_binary", "read_text"]

# More than any model has. A row of text this long still is within the longest one that is read.
_LARGEST_SIZE = 1_000_000
_LONGEST_WORD = 1 << 16
_LONGEST_ROW = 1 << 24
# Room is made for a quarter more rows at a time: what is beyond the last one is memory, too.
_GROWTH = 4
_FIELD_END = re.compile(rb"[ \t]")
_BINARY_HEADER = re.compile(rb"(\d+)[ \t]+(\d+)[ \t\r]*\n")
# No end of a word that has a space in it, but a number too many.
_COMPONENT = re.compile(rb"[+-]?\d*\.\d{3,}([eE][+-]?\d+)?")


class Checksum:
    """CRC-32 of the bytes of a file, added up while they are read; without a byte order mark."""

    def __init__(self) -> None:
        self.value = 0

    def add(self, data: bytes) -> bytes:
        """Add the next bytes, and return them."""
        self.value = zlib.crc32(data, self.value)
        return data

    def passing(self, block: Block) -> Block:
        """Add the next block, and return it."""
        self.add(block.data)
        return block


class VectorTable:
    """Words and vectors as they come from a file; the first vector of a word counts.

    Parameters
    ----------
    path : str
        Named in errors.
    unit : str
        What is counted in errors: lines of text, or words of a binary file.
    vector_size : int
    expected : float
        Number of rows, or infinity if it is not known.
    errors : str
        As in :meth:`bytes.decode`.

    Attributes
    ----------
    words : dict from str to int
    duplicates : int
        Rows left out because their word had been there.
    """

    def __init__(
        self, path: str, unit: str, vector_size: int, expected: float, errors: str
    ) -> None:
        if not 1 <= vector_size <= _LARGEST_SIZE:
            raise FormatError(
                f"{path}: the vector size must be 1 to {_LARGEST_SIZE:,}, the header says "
                f"{vector_size}"
            )
        self.path = path
        self.words: dict[str, int] = {}
        self.duplicates = 0
        self._unit = unit
        self._errors = errors
        self._expected = expected
        self._vectors = np.empty((0, vector_size), np.float32)

    def vectors(self) -> NDArray[np.float32]:
        """Return the vectors, shape (n_words, vector_size); nothing can be added any more."""
        self._vectors.resize((len(self.words), self._vectors.shape[1]), refcheck=False)
        return self._vectors

    def add(self, words: list[bytes], values: NDArray[np.float32], first: int) -> None:
        """Add rows, of which `first` is the number (of the line, or word) of the first one."""
        names = []
        for number, encoded in enumerate(words, start=first):
            try:
                names.append(encoded.decode("utf-8", self._errors))
            except UnicodeDecodeError:
                raise self._error(
                    number, f"the word {encoded[:60]!r} is not UTF-8; pass errors='replace'"
                ) from None
        bad = np.flatnonzero(~np.isfinite(values).all(axis=1))
        if len(bad):
            row = int(bad[0])
            raise self._error(first + row, f"the vector of {names[row][:60]!r} is not finite")
        start = len(self.words)
        kept = []
        for row, word in enumerate(names):
            if word not in self.words:
                self.words[word] = len(self.words)
                kept.append(row)
        self.duplicates += len(words) - len(kept)
        end = len(self.words)
        if end > len(self._vectors):
            rows, size = self._vectors.shape
            rows = max(end, int(min(rows + rows // _GROWTH, self._expected)))
            self._vectors.resize((rows, size), refcheck=False)
        self._vectors[start:end] = values if len(kept) == len(words) else values[kept]

    def _error(self, number: int, message: str) -> FormatError:
        return FormatError(f"{self.path}, {self._unit} {number}: {message}")


def read_text(path: str, limit: float, errors: str, checksum: Checksum) -> VectorTable:
    """Read text, no more than `limit` rows; the checksum is that of the file if it has no more."""
    table: VectorTable | None = None
    expected = math.inf
    taken, blank = 0, 0
    try:
        for block in map(checksum.passing, read_blocks(path, _LONGEST_ROW)):
            lines = [line.rstrip(b" \t\r") for line in block.data.removesuffix(b"\n").split(b"\n")]
            number = block.line
            if table is None:
                size, expected = _first_line(path, lines[0])
                table = VectorTable(path, "line", size, min(expected, limit), errors)
                if expected < math.inf:
                    lines, number = lines[1:], number + 1
            written = len(lines)
            while lines and not lines[-1]:
                lines.pop()
            if lines and blank:
                raise FormatError(f"{path}, line {blank}: a blank line")
            if len(lines) < written:
                blank = blank or number + len(lines)
            room = min(expected, limit) - taken
            rows = lines if len(lines) <= room else lines[: int(room)]
            if rows:
                table.add(*_parsed(path, rows, number, size), number)
            taken += len(rows)
            if len(rows) < len(lines) and expected <= limit:
                raise FormatError(
                    f"{path}, line {number + len(rows)}: the header says {expected:,} words, "
                    "here is one more"
                )
            if taken == limit < expected:
                break
    except CorpusError as error:  # a line of many megabytes
        raise FormatError(f"{path} is no file of word vectors: {error}") from error
    if table is None:
        raise FormatError(f"{path} is empty; word vectors are wanted")
    if expected < math.inf and taken < min(expected, limit):
        raise FormatError(
            f"{path}: the header says {expected:,} words, the file ends after {taken:,}"
        )
    return table


def _first_line(path: str, line: bytes) -> tuple[int, float]:
    """Return the vector size and number of rows, which is infinity where there is no header."""
    fields = _FIELD_END.split(line)
    if len(fields) > 2:
        return len(fields) - 1, math.inf
    if len(fields) < 2 or not all(field.isdigit() and len(field) < 20 for field in fields):
        raise FormatError(
            f"{path}, line 1: the number of words and the vector size are wanted, or a word and "
            f"its numbers, got {line[:60]!r}"
        )
    return int(fields[1]), int(fields[0])


def _parsed(
    path: str, lines: list[bytes], number: int, size: int
) -> tuple[list[bytes], NDArray[np.float32]]:
    words, numbers = [], []
    for line in lines:
        word, _, rest = line.partition(b" ")
        if rest.count(b" ") != size - 1 or b"\t" in line:
            # Words can have spaces in them, numbers cannot: what is right is sure.
            fields = _FIELD_END.split(line)
            rest = b" ".join(fields[-size:])
            word = line[: max(0, len(line) - len(rest) - 1)]
            if not _is_row(fields, size):
                rest = b""
        words.append(word)
        numbers.append(rest)
    try:
        if not all(numbers):
            raise ValueError("a row without the right number of numbers")
        values = np.loadtxt(
            numbers, np.float32, delimiter=" ", comments=None, ndmin=2, encoding="latin1"
        )
        if values.shape != (len(lines), size):
            raise ValueError(f"shape {values.shape}")
    except ValueError as error:
        for row, line in enumerate(lines, start=number):
            _check_row(f"{path}, line {row}", line, size)
        raise FormatError(f"{path}, after line {number}: {error}") from error
    return words, values


def _is_row(fields: list[bytes], size: int) -> bool:
    """Say whether there is a word before the numbers, and no number too many."""
    surplus = len(fields) > size + 1 and _COMPONENT.fullmatch(fields[-size - 1])
    return len(fields) > size and not surplus


def _check_row(where: str, line: bytes, size: int) -> None:
    """Raise the error that says what is wrong with a row, if anything is."""
    if not line:
        raise FormatError(f"{where}: a blank line")
    fields = _FIELD_END.split(line)
    if not _is_row(fields, size):
        raise FormatError(
            f"{where}: a word and {size} numbers are wanted, got {len(fields)} fields: "
            f"{line[:60]!r}"
        )
    for field in fields[-size:]:
        try:
            if not field:
                raise ValueError("nothing")
            np.loadtxt([field], np.float32, comments=None, encoding="latin1")
        except ValueError:
            raise FormatError(f"{where}: {field[:60]!r} is not a number") from None


def read_binary(path: str, limit: float, errors: str, checksum: Checksum) -> VectorTable:
    """Read the binary format as :func:`read_text` does text."""
    with closing(read_pieces(path)) as read:
        pieces = map(checksum.add, read)
        data = next(pieces, b"")
        header = _BINARY_HEADER.match(data[:64])
        if not header:
            raise FormatError(
                f"{path}: the number of words and the vector size are wanted on the first line, "
                f"got {data[:40]!r}"
            )
        expected, size = map(int, header.groups())
        stop = min(expected, limit)
        table = VectorTable(path, "binary word", size, stop, errors)
        taken, at = 0, header.end()
        while True:
            words: list[bytes] = []
            rows: list[bytes] = []
            while taken + len(words) < stop:
                space = data.find(b" ", at)
                end = space + 1 + 4 * size
                if space < 0 or end > len(data):
                    break
                words.append(data[at:space].lstrip(b"\n"))
                rows.append(data[space + 1 : end])
                at = end
            if words:
                values = np.frombuffer(b"".join(rows), "<f4").reshape(-1, size)
                table.add(words, values, taken + 1)
                taken += len(words)
            if taken >= stop:
                break
            if data.find(b" ", at, at + _LONGEST_WORD) < 0 and len(data) - at >= _LONGEST_WORD:
                raise FormatError(f"{path}, binary word {taken + 1}: no end of it within 64 KiB")
            piece = next(pieces, b"")
            if not piece:
                raise FormatError(
                    f"{path}, binary word {taken + 1}: the file ends here, the header says "
                    f"{expected:,} words"
                )
            data, at = data[at:] + piece, 0
        if limit >= expected and b"".join([data[at:], *islice(pieces, 1)]).strip(b"\r\n"):
            raise FormatError(f"{path}: the header says {expected:,} words, the file has more")
    return table
