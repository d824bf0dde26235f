"""Pairs that were read and split once, kept as numbers in a temporary file for later passes."""

from __future__ import annotations

import logging
import mmap
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from gensim_bilbowa.corpora.pieces import Pieces, Words
from gensim_bilbowa.corpora.sentences import Pair
from gensim_bilbowa.corpora.watching import read_again
from gensim_bilbowa.tokenization.tokenizer import Tokenizer

__all__ = ["KeptPairs"]

logger = logging.getLogger(__name__)

Side = Words | Pieces

# Pairs that are numbered at once, and their characters or tokens.
_AT_ONCE = 500
_SIZE_AT_ONCE = 1 << 18
# Numbers that are written at once.
_WRITTEN_AT_ONCE = 1 << 18
# Different words that are kept at most, and their characters; a text with more is read anew in
# each pass.
_MOST_WORDS = 1 << 23
_MOST_CHARACTERS = 1 << 26


class KeptPairs:
    """The pairs of files, as they were in the first whole pass, as long as the files are the same.

    Reading a translation file and splitting its text take much longer than this. What cannot be
    kept, for want of room on the disk, is read anew.

    Parameters
    ----------
    paths : sequence of str
        Of local files.
    read : callable
        Returns an iterator over the pairs, read anew: of lists of tokens, or of texts.
    splits : (Tokenizer, Tokenizer), optional
        What splits the texts, of languages with spaces: what stands between these is kept, and
        must come again and again.
    """

    def __init__(
        self, paths: Sequence[str], read: Callable[[], Iterable[Any]],
        splits: tuple[Tokenizer, Tokenizer] | None = None,
    ) -> None:  # fmt: skip
        self._paths = list(paths)
        self._read = read
        self._splits = splits
        self._kept: _Keeper | None = None
        self._state: Any = None

    def __iter__(self) -> Iterator[Pair]:
        state = [_state(path) for path in self._paths]
        if self._kept is not None and state == self._state:
            with read_again(self._paths, self._kept.size) as tell:
                for done, pairs in self._kept.batches():
                    yield from pairs
                    tell(done)
            return
        self._kept = None
        if self._splits is not None:
            a, b = self._splits
            sides: tuple[Side, Side] = Pieces(a), Pieces(b)
        elif None in state:
            yield from self._read()
            return
        else:
            sides = Words(), Words()
        keeper = None if None in state else _Keeper(sides)
        for batch in _batches(self._read()):
            if keeper is None:  # nor are its words
                yield from batch if self._splits is None else _split(batch, self._splits)
                continue
            one, other = (
                side.numbers([pair[number] for pair in batch]) for number, side in enumerate(sides)
            )
            yield from _pairs(sides, one, other)
            if not keeper.add(one, other):
                keeper, sides = None, (Words(), Words())
        if keeper is not None and [_state(path) for path in self._paths] == state:
            self._kept, self._state = keeper, state

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_kept": None}


def _batches(rows: Iterable[Any]) -> Iterator[list[Any]]:
    """Yield rows some at a time, few where they are long; those before an error first."""
    batch: list[Any] = []
    size = 0
    failure = None
    try:
        for row in rows:
            batch.append(row)
            size += len(row[0]) + len(row[1])
            if len(batch) >= _AT_ONCE or size > _SIZE_AT_ONCE:
                full, batch, size = batch, [], 0
                yield full
    except Exception as error:
        failure = error
    if batch:
        yield batch
    if failure is not None:
        raise failure


def _split(rows: Iterable[Any], splits: tuple[Tokenizer, Tokenizer]) -> Iterator[Pair]:
    a, b = splits
    for source, target in rows:
        yield a(source), b(target)


def _pairs(sides: tuple[Side, Side], one: Any, other: Any) -> Iterator[Pair]:
    """Yield the sentences that have these numbers, and so many of them."""
    a, b = sides
    (ids, counts), (other_ids, other_counts) = (
        (ids.tolist(), counts.tolist()) for ids, counts in (one, other)
    )
    start = other_start = 0
    for end, other_end in zip(accumulate(counts), accumulate(other_counts), strict=True):
        yield a.sentence(ids[start:end]), b.sentence(other_ids[other_start:other_end])
        start, other_start = end, other_end


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
    """Keeps batches of pairs: of each their number, the numbers in both sides, counts, numbers."""

    def __init__(self, sides: tuple[Side, Side]) -> None:
        self._sides = sides
        self._buffer: list[Any] = []
        self._buffered = 0
        self._file: _Scratch | None = None
        # Bytes that are kept.
        self.size = 0

    def add(self, one: Any, other: Any) -> bool:
        """Keep a batch; say whether there is room for more."""
        (ids, counts), (other_ids, other_counts) = one, other
        head = np.array([len(counts), len(ids), len(other_ids)], np.int32)
        self._buffer += [head, counts, other_counts, ids, other_ids]
        self._buffered += len(ids) + len(other_ids)
        self.size += sum(part.nbytes for part in self._buffer[-5:])
        if self._buffered >= _WRITTEN_AT_ONCE and not self._write():
            return False
        few = sum(map(len, self._sides)) <= _MOST_WORDS
        return few and sum(side.characters for side in self._sides) <= _MOST_CHARACTERS

    def _write(self) -> bool:
        try:
            if self._file is None:
                self._file = _Scratch()
            self._file.write(np.concatenate(self._buffer).tobytes())
        except OSError as error:
            logger.warning("text is read anew in each pass, it cannot be kept: %s", error)
            return False
        self._buffer, self._buffered = [], 0
        return True

    def batches(self) -> Iterator[tuple[int, Iterator[Pair]]]:
        """Yield the pairs of each batch, with the bytes up to its end."""
        done = 0
        if self._file is not None:
            numbers = np.frombuffer(self._file.mapped(), np.int32)
            yield from self._batches(numbers, done)
            done = numbers.nbytes
        if self._buffer:
            yield from self._batches(np.concatenate(self._buffer), done)

    def _batches(self, numbers: Any, before: int) -> Iterator[tuple[int, Iterator[Pair]]]:
        place = 0
        while place < len(numbers):
            pairs, *tokens = numbers[place : place + 3].tolist()
            ends = list(accumulate((pairs, pairs, *tokens), initial=place + 3))
            counts, other_counts, ids, other_ids = (
                numbers[start:end].copy() for start, end in pairwise(ends)
            )
            place = ends[-1]
            pairs_of_it = _pairs(self._sides, (ids, counts), (other_ids, other_counts))
            yield before + place * numbers.itemsize, pairs_of_it


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
