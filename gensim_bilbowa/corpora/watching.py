"""How far the reading of files is, told to whoever watches."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeAlias, cast

__all__ = [
    "Batch",
    "Reading",
    "Watcher",
    "batch",
    "is_watched",
    "read_again",
    "watch_readings",
    "watched",
]


@dataclass(eq=False)
class Batch:
    """Files that are read one after the other.

    Attributes
    ----------
    files : int
    size : int or None
        Bytes of all on the disk; None if that of one is not known.
    """

    files: int
    size: int | None


# The batches of files that are being read, by path.
_batches: dict[str, Batch] = {}


@contextmanager
def batch(paths: Sequence[str]) -> Iterator[None]:
    """Have these files, read until the end of this context, told as one batch."""
    try:
        size: int | None = sum(Path(path).stat().st_size for path in paths)
    except OSError:
        size = None
    mine = Batch(len(paths), size)
    _batches.update(dict.fromkeys(paths, mine))
    try:
        yield
    finally:
        for path in paths:
            if _batches.get(path) is mine:
                del _batches[path]


@dataclass(eq=False)
class Reading:
    """One reading of one file, from its opening to its end.

    Attributes
    ----------
    path : str
    size : int or None
        Bytes that the file has on the disk; None for a pipe or a URL.
    done : int
        Bytes of these that were read; without a size, bytes of unpacked text.
    ended : bool
        Whether the file was closed, at its end or before.
    batch : Batch or None
        That the file belongs to.
    """

    path: str
    size: int | None
    done: int = 0
    ended: bool = False
    batch: Batch | None = None


Watcher: TypeAlias = Callable[[Reading], None]

_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watch_readings(watcher: Watcher) -> Iterator[None]:
    """Have a function told, in this context, of each file's opening, of each read, and of its end.

    It is told of one :class:`Reading` again and again, in the thread that reads.
    """
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


def is_watched() -> bool:
    """Say whether a function is told of readings in this context."""
    return _watcher.get() is not None


def watched(stream: IO[bytes], path: str) -> IO[bytes]:
    """Return a stream whose reads are told to who watches; if nobody does, the stream itself."""
    watcher = _watcher.get()
    return stream if watcher is None else cast("IO[bytes]", _Watched(stream, path, watcher))


@contextmanager
def read_again(paths: Sequence[str], size: int) -> Iterator[Callable[[int], None]]:
    """Have what is kept of files told as a reading of them, while it is read.

    Parameters
    ----------
    paths : sequence of str
    size : int
        Bytes of what is kept.

    Yields
    ------
    callable
        To be called with the bytes that were read by now.
    """
    watcher = _watcher.get()
    if watcher is None:
        yield lambda done: None
        return
    reading = Reading(paths[0] if len(paths) == 1 else f"{len(paths)} files", size)

    def tell(done: int) -> None:
        reading.done = done
        watcher(reading)

    tell(0)
    try:
        yield tell
    finally:
        reading.ended = True
        watcher(reading)


class _Watched:
    """A stream of bytes, packed or not, that tells how much of its file was read."""

    def __init__(self, stream: Any, path: str, watcher: Watcher) -> None:
        self._stream = stream
        self._watcher = watcher
        self._number = _regular(stream)
        size = None if self._number is None else os.fstat(self._number).st_size
        self._reading = Reading(path, size, batch=_batches.get(path))
        watcher(self._reading)

    def read(self, size: int = -1) -> bytes:
        return self._told(self._stream.read(size))

    def read1(self, size: int = -1) -> bytes:
        return self._told(getattr(self._stream, "read1", self._stream.read)(size))

    def _told(self, piece: bytes) -> bytes:
        if self._number is None:
            self._reading.done += len(piece)
        else:
            # Also of an archive, whose stream has the number of the file that it unpacks.
            self._reading.done = os.lseek(self._number, 0, os.SEEK_CUR)
        self._watcher(self._reading)
        return piece

    def __enter__(self) -> _Watched:
        self._stream.__enter__()
        return self

    def __exit__(self, *exc_info: Any) -> None:
        self._stream.__exit__(*exc_info)
        self._reading.ended = True
        self._watcher(self._reading)


def _regular(stream: Any) -> int | None:
    """Return the number of a stream's open file, if it has one that is no pipe or device."""
    try:
        number: int = stream.fileno()
    except (AttributeError, OSError):
        return None
    return number if stat.S_ISREG(os.fstat(number).st_mode) else None
