"""Pairs that were read and split once, kept as numbers in a temporary file for later passes."""

from __future__ import annotations

import logging
import mmap
import tempfile
import weakref
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

__all__ = ["KeptPairs"]

logger = logging.getLogger(__name__)

Pair = tuple[list[str], list[str]]

# Numbers that are written at once.
_AT_ONCE = 1 << 18
# Different words that are kept at most; a text with more is read anew in each pass.
_MOST_WORDS = 1 << 23


class KeptPairs:
    """The pairs of files, as they were in the first whole pass, as long as the files are the same.

    Reading a translation file and splitting its text take much longer than this. What cannot be
    kept, for want of room on the disk, is read anew.

    Parameters
    ----------
    paths : sequence of str
        Of local files.
    read : callable
        Returns an iterator over the pairs, read anew.
    """

    def __init__(self, paths: Sequence[str], read: Callable[[], Iterable[Pair]]) -> None:
        self._paths = list(paths)
        self._read = read
        self._kept: _Kept | None = None
        self._state: Any = None

    def __iter__(self) -> Iterator[Pair]:
        state = [_state(path) for path in self._paths]
        if self._kept is not None and state == self._state:
            yield from self._kept
            return
        self._kept = None
        keeper: _Keeper | None = None if None in state else _Keeper()
        for pair in self._read():
            if keeper is not None and not keeper.add(*pair):
                keeper = None
            yield pair
        if keeper is not None and [_state(path) for path in self._paths] == state:
            self._kept, self._state = keeper.kept(), state

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_kept": None}


def _state(path: str) -> tuple[int, ...] | None:
    """Return what changes when a file does, or the archive that it is in; None if none is there."""
    if "://" in path:
        return None
    place = next((place for place in (Path(path), *Path(path).parents) if place.is_file()), None)
    if place is None:
        return None
    found = place.stat()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


class _Keeper:
    """Writes pairs: the number of words of each side, then the words' numbers."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__
        self._buffer = array("i")
        self._file: _Scratch | None = None

    def add(self, left: Sequence[str], right: Sequence[str]) -> bool:
        """Write a pair; say whether there is room for more."""
        buffer, number = self._buffer, self._numbers.__getitem__
        buffer.append(len(left))
        buffer.append(len(right))
        buffer.extend(map(number, left))
        buffer.extend(map(number, right))
        if len(buffer) < _AT_ONCE:
            return True
        return self._write() and len(self._numbers) <= _MOST_WORDS

    def _write(self) -> bool:
        try:
            if self._file is None:
                self._file = _Scratch()
            self._file.write(self._buffer.tobytes())
        except OSError as error:
            logger.warning("text is read anew in each pass, it cannot be kept: %s", error)
            return False
        del self._buffer[:]
        return True

    def kept(self) -> _Kept | None:
        """Return what was written; None if it could not be."""
        if self._file is not None and not self._write():
            return None
        return _Kept(list(self._numbers), self._buffer, self._file)


class _Scratch:
    """A file without a name, which is gone with this object."""

    def __init__(self) -> None:
        self._file: Any = tempfile.TemporaryFile(prefix="bilbowa-")  # noqa: SIM115
        weakref.finalize(self, self._file.close)

    def write(self, data: bytes) -> None:
        self._file.write(data)
        self._file.flush()

    def mapped(self) -> mmap.mmap:
        return mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)


class _Kept:
    """Reads what a keeper wrote."""

    def __init__(self, words: list[str], buffer: array[int], file: _Scratch | None) -> None:
        self._words = words
        self._buffer = buffer
        self._file = file

    def __iter__(self) -> Iterator[Pair]:
        if self._file is None:
            yield from self._pairs(memoryview(self._buffer))
            return
        with self._file.mapped() as mapped, memoryview(mapped) as raw, raw.cast("i") as numbers:
            yield from self._pairs(numbers)

    def _pairs(self, numbers: memoryview) -> Iterator[Pair]:
        word = self._words.__getitem__
        place = 0
        while place < len(numbers):
            middle = place + 2 + numbers[place]
            end = middle + numbers[place + 1]
            yield (
                [*map(word, numbers[place + 2 : middle])],
                [*map(word, numbers[middle:end])],
            )
            place = end
