"""Encoded files that are kept on disk, for the next run with the same file and vocabulary.

An entry is named after the content of the text, the vocabulary and how it was read: it is found for
a copy of the text, too, and on another machine. It is one file: a header of eight int64 (see
`_header`), the offsets as int64, the ids as int32 and the marks of blank lines as bytes. Entries
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

from gensim_bilbowa.corpora.encoded import EncodedCorpus, EncodedSide
from gensim_bilbowa.corpora.reading import TextFile
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.filesystem import may_write, reachable, real_path
from gensim_bilbowa.staging import staged

__all__ = ["EncodingCache"]

logger = logging.getLogger(__name__)

_VERSION = 1
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
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
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
        known = []
        for file in files:
            state = _state(file)
            if state is None:
                return []
            try:
                digest = _digest(state)
            except OSError:  # said by who reads it
                return []
            known += [(file, column, state, digest) for column in file.columns or (None,)]
        return [
            Entry(self.folder / f"{_key(file, column, digest, vocabulary)}.encoded", file, state)
            for (file, column, state, digest), vocabulary in zip(known, vocabularies, strict=True)
        ]


@dataclass(frozen=True)
class Entry:
    """A place for one encoded side, and what its file was like before it was read."""

    path: Path
    file: TextFile
    state: Any

    def load(self) -> EncodedSide | None:
        """Return what is stored, mapped into memory, or None if it is missing or damaged."""
        try:
            data = np.memmap(self.path, np.uint8, mode="r")
            side = _unpack(data)
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
        if _state(self.file) != self.state:
            logger.warning("%s has changed while it was read", self.file.corpus.path)
            return
        try:
            with staged(self.path) as (place,):
                _write(place, side)
        except OSError as error:
            logger.warning("cannot keep the encoded text in %s: %s", self.path.parent, error)


def _pieces(side: EncodedSide) -> Iterator[memoryview]:
    # In pieces, since some of it may be a map of more than the memory holds.
    for array in (side.corpus.offsets, side.corpus.ids, side.blank):
        for start in range(0, len(array), _CHUNK):
            yield array[start : start + _CHUNK].data.cast("B")


def _write(path: Path, side: EncodedSide) -> None:
    with path.open("wb") as stream:
        stream.write(_header(side).data)
        for piece in _pieces(side):
            stream.write(piece)


def _header(side: EncodedSide) -> NDArray[np.int64]:
    corpus = side.corpus
    numbers = [_MAGIC, _VERSION, len(corpus), len(corpus.ids), corpus.raw_words, 0, 0, 0]
    header = np.array(numbers, np.int64)
    checksum = zlib.crc32(header.data)
    for piece in _pieces(side):
        checksum = zlib.crc32(piece, checksum)
    header[-1] = checksum
    return header


def _unpack(data: NDArray[np.uint8]) -> EncodedSide:
    if len(data) < _HEADER:
        raise ValueError(f"it has {len(data)} bytes")
    header = data[:_HEADER].view(np.int64)
    lines, tokens, raw_words = (int(number) for number in header[2:5])
    ids = _HEADER + 8 * (lines + 1)
    blank = ids + 4 * tokens
    fits = min(lines, tokens) >= 0 and len(data) == blank + lines
    if header[0] != _MAGIC or header[1] != _VERSION or not fits:
        raise ValueError(f"its header does not fit its {len(data)} bytes")
    corpus = EncodedCorpus(
        data[ids:blank].view(np.int32), data[_HEADER:ids].view(np.int64), raw_words
    )
    side = EncodedSide(corpus, data[blank:].view(np.bool_))
    if not np.array_equal(_header(side), header):
        raise ValueError("its checksum is wrong")
    return side


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


def _key(file: TextFile, column: int | None, digest: str, vocabulary: Mapping[str, int]) -> str:
    corpus = file.corpus
    facts = [
        _VERSION, version("gensim-bilbowa"), sys.byteorder, digest, corpus.limit, corpus.errors,
        column, max(file.columns or (0,)), list(map(str, vocabulary)),
        [int(i) for i in vocabulary.values()],
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()
