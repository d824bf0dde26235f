"""Encoded files that are kept on disk, for the next run with the same file and vocabulary.

An entry is named after the content of the text, the vocabulary and how it was read: it is found for
a copy of the text, too, and on another machine. It is one file: a header of eight int64 (see
`_header`), with the corpus' checksum and one of the whole entry, the offsets as int64, the ids as
int32 and the marks of blank lines as bytes. Entries
are put in place whole; nothing is pickled.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.corpora.compiled_reading import TextFile
from gensim_bilbowa.corpora.encoded import EncodedCorpus, EncodedSide
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.files.documents import MOST_WHOLE
from gensim_bilbowa.files.filesystem import may_write, reachable, real_path
from gensim_bilbowa.files.staging import staged

__all__ = ["EncodingCache", "Used", "open_cache"]

logger = logging.getLogger(__name__)

Used = dict[tuple[str, str], tuple[str, tuple[int, ...]]]

_VERSION = 2
_MAGIC = int.from_bytes(b"bilbowa\0", sys.byteorder)
_HEADER = 8 * 8
_CHUNK = 1 << 24


class EncodingCache:
    """A folder of encoded files; made if it is not there.

    Parameters
    ----------
    folder : str or path-like

    Raises
    ------
    ConfigError
        If it cannot be made or written to.

    Attributes
    ----------
    used : dict from (str, str) to (str, tuple of int)
        For each file's path, and how it was read, the name and the header of the entry that was
        loaded or stored.
    lent : dict
        What a process that shares the folder has in `used`: such entries are taken as they are, of
        the same text, without reading the text or all of the entry.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.used: Used = {}
        self.lent: Used = {}
        self.folder = Path(reachable(Path(folder).absolute(), longer=80))
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"cache_dir {self.folder} cannot be made: {error}") from error
        if not may_write(self.folder):
            raise ConfigError(f"cache_dir {self.folder} is not writable")

    def entries(
        self, files: Sequence[TextFile], vocabularies: Sequence[Mapping[str, int]]
    ) -> list[Entry]:
        """Return the places of the sides of files; none at all if a file is not on this machine."""
        columns = [(file, column) for file in files for column in file.columns or (None,)]
        ways = [
            _way(file, column, vocabulary)
            for (file, column), vocabulary in zip(columns, vocabularies, strict=True)
        ]
        read = [file for file, _ in columns]
        lent = [
            self.lent.get((file.corpus.path, way)) for file, way in zip(read, ways, strict=True)
        ]
        if all(lent):
            return [
                Entry(self, self.folder / found[0], file, way, None, len(vocabulary), found[1])
                for file, way, vocabulary, found in zip(read, ways, vocabularies, lent, strict=True)
                if found
            ]  # fmt: skip
        known = []
        for file in files:
            state = _state(file)
            if state is None:
                return []
            try:
                digest = _digest(state)
            except OSError:  # said by who reads it
                return []
            known += [(file, state, digest) for _ in file.columns or (None,)]
        return [
            Entry(self, self.folder / f"{_key(digest, way)}.encoded", file, way, state, len(words))
            for (file, state, digest), way, words in zip(known, ways, vocabularies, strict=True)
        ]


@dataclass(frozen=True)
class Entry:
    """A place for one encoded side of so many words, and what its file was like before it was read.

    With a header, of an entry that another process has read or written, it is the one wanted.
    """

    cache: EncodingCache
    path: Path
    file: TextFile
    way: str
    state: Any
    words: int
    header: tuple[int, ...] | None = None

    def _note(self, header: NDArray[np.int64]) -> None:
        facts = self.path.name, tuple(map(int, header))
        self.cache.used[self.file.corpus.path, self.way] = facts

    def load(self) -> EncodedSide | None:
        """Return what is stored, mapped into memory, or None if it is missing or damaged."""
        try:
            data = np.memmap(self.path, np.uint8, mode="r")
            side = _unpack(data, self.words, self.header)
            self._note(data[:_HEADER].view(np.int64))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            # Not the error itself, by which a record that is kept would keep the file mapped.
            logger.warning("%s is damaged, encoding anew: %s", self.path, str(error))
            return None
        logger.info("%s: using %s", self.file.corpus.path, self.path)
        return side

    def store(self, side: EncodedSide) -> None:
        """Store a side, unless its file has changed since; say so if that fails."""
        if self.header is not None:  # it is not where another process has it
            return
        if _state(self.file) != self.state:
            logger.warning("%s has changed while it was read", self.file.corpus.path)
            return
        try:
            with staged(self.path) as (place,):
                header = _write(place, side)
            self._note(header)
        except OSError as error:
            logger.warning("cannot keep the encoded text in %s: %s", self.path.parent, error)


def _pieces(side: EncodedSide) -> Iterator[memoryview]:
    # In pieces, since some of it may be a map of more than the memory holds.
    for array in (side.corpus.offsets, side.corpus.ids, side.blank):
        for start in range(0, len(array), _CHUNK):
            yield array[start : start + _CHUNK].data.cast("B")


def _write(path: Path, side: EncodedSide) -> NDArray[np.int64]:
    header = _header(side)
    with path.open("wb") as stream:
        stream.write(header.data)
        for piece in _pieces(side):
            stream.write(piece)
    return header


def _header(side: EncodedSide) -> NDArray[np.int64]:
    corpus = side.corpus
    checksum = corpus.checksum()
    numbers = [_MAGIC, _VERSION, len(corpus), len(corpus.ids), corpus.raw_words, checksum, 0, 0]
    header = np.array(numbers, np.int64)
    checksum = zlib.crc32(header.data)
    for piece in _pieces(side):
        checksum = zlib.crc32(piece, checksum)
    header[-1] = checksum
    return header


def _unpack(
    data: NDArray[np.uint8], words: int, known: tuple[int, ...] | None = None
) -> EncodedSide:
    """Return what an entry holds; look through all of it, unless its header is known."""
    if len(data) < _HEADER:
        raise ValueError(f"it has {len(data)} bytes")
    header = data[:_HEADER].view(np.int64)
    lines, tokens, raw_words, checksum = (int(number) for number in header[2:6])
    ids = _HEADER + 8 * (lines + 1)
    blank = ids + 4 * tokens
    fits = min(lines, tokens) >= 0 and tokens <= raw_words <= MOST_WHOLE
    fits = fits and len(data) == blank + lines
    if header[0] != _MAGIC or header[1] != _VERSION or not fits:
        raise ValueError(f"its header does not fit its {len(data)} bytes")
    if known is not None and tuple(map(int, header)) != known:
        raise ValueError("it is not the one that another process has")
    arrays = data[ids:blank].view(np.int32), data[_HEADER:ids].view(np.int64)
    blanks = data[blank:].view(np.bool_)
    if known is None:
        read = EncodedSide(EncodedCorpus(*arrays, raw_words), blanks)
        if not np.array_equal(_header(read), header):
            raise ValueError("its checksum is wrong")
        _check(read, words)
    return EncodedSide(EncodedCorpus(*arrays, raw_words, checksum), blanks)


def _check(side: EncodedSide, words: int) -> None:
    """Refuse numbers that are no text, which a file may have with checksums that are right."""
    corpus, blank = side
    ends, marks = corpus.offsets, blank.view(np.uint8)
    if ends[0] != 0 or ends[-1] != len(corpus.ids) or (ends[1:] < ends[:-1]).any():
        raise ValueError("its sentences do not follow each other")
    if len(corpus.ids) and not 0 <= corpus.ids.min() <= corpus.ids.max() < words:
        raise ValueError(f"it has other words than the vocabulary, of {words:,}")
    if corpus.raw_words < len(corpus.ids) or (marks > 1).any():
        raise ValueError("it has numbers that no text has")


def _state(file: TextFile) -> tuple[Any, ...] | None:
    """Return what changes when the file does, or None if it is not an ordinary file."""
    path = Path(reachable(file.corpus.path))
    if "://" in file.corpus.path or not path.is_file():
        return None
    stat = path.stat()
    return (
        real_path(path), stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns,
        stat.st_ctime_ns,
    )  # fmt: skip


@lru_cache(maxsize=256)
def _digest(state: tuple[Any, ...]) -> str:
    """Return a checksum of the content of a file in this state, the same wherever the file is."""
    with Path(state[0]).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _way(file: TextFile, column: int | None, vocabulary: Mapping[str, int]) -> str:
    """Return a checksum of how one side of a file is read."""
    corpus = file.corpus
    facts = [
        corpus.limit, corpus.errors, column, max(file.columns or (0,)), list(map(str, vocabulary)),
        [int(i) for i in vocabulary.values()],
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def _key(digest: str, way: str) -> str:
    facts = [_VERSION, version("gensim-bilbowa"), sys.byteorder, digest, way]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def open_cache(folder: str | os.PathLike[str] | None) -> EncodingCache | None:
    """Return the cache in a folder, or None for none."""
    return None if folder is None else EncodingCache(folder)
