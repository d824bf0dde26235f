"""What counts as replaced while files are moved, and reading them whoever moves them.

See :mod:`gensim_bilbowa.files.moving`, which moves them.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.files.documents import parse_json
from gensim_bilbowa.files.filesystem import open_file, short

__all__ = [
    "EARLIER",
    "RECORD",
    "Find",
    "Record",
    "fingerprint",
    "is_recorded",
    "place_of",
    "read_together",
]

T = TypeVar("T")
# Says where a file of a name is to be read.
Find = Callable[[str], Path]

# In the folder of a turn, and in the one that its files come from.
RECORD = "record.json"
EARLIER = ".earlier"
_LARGEST_RECORD = 1 << 24
# At the end of a manifest, or of an archive, are checksums of all the rest.
_TAIL = 1 << 16
_TRIES = 100


@dataclass(frozen=True)
class Record:
    """What is moved, in this order, from a folder beside; or taken back."""

    folder: str
    files: tuple[str, ...]
    new: tuple[str, ...]
    """Those of which there was none before."""
    superseded: tuple[str, ...]
    """Files that are to go when the others are in place."""
    before: str | None
    """Fingerprint of the last file that is replaced."""
    after: str | None
    """Fingerprint of the one that replaces it."""
    back: bool = False

    @classmethod
    def read(cls, parent: Path, last: str) -> Record | None:
        """Return what stands for files that end with `last`, or None if nothing does.

        That is also what says other things than this package writes, and what is of the past: since
        then the last file was replaced by other means.
        """
        try:
            with open_file(place_of(parent, last) / RECORD) as stream:
                said = parse_json(stream.read(_LARGEST_RECORD))
            fields: dict[str, Any] = {
                key: tuple(value) if isinstance(value, list) else value
                for key, value in said.items()
            }
            record = cls(**fields)
            return record if record._makes_sense(last) and record._is_present(parent) else None
        except (OSError, ValueError, TypeError, AttributeError):
            return None

    def _makes_sense(self, last: str) -> bool:
        names = (self.files, self.new, self.superseded)
        return (
            isinstance(self.folder, str)
            and re.fullmatch(rf"\.{re.escape(short(last))}\.[0-9a-f]{{8}}\.partial", self.folder)
            is not None
            and all(isinstance(some, tuple) and all(map(_is_name, some)) for some in names)
            and bool(self.files)
        )

    def _is_present(self, parent: Path) -> bool:
        if (parent / self.folder).is_symlink():
            return False
        found = fingerprint(parent / self.files[-1])
        if self.back:
            return found in (self.before, self.after)
        waits = (parent / self.folder / self.files[-1]).is_file()
        return found == (self.before if waits else self.after)


def _is_name(name: object) -> bool:
    return isinstance(name, str) and name not in ("", ".", "..") and Path(name).name == name


def fingerprint(path: Path) -> str | None:
    """Return what tells a file from another of its kind, or None if there is none."""
    try:
        with open_file(path) as stream:
            size = os.fstat(stream.fileno()).st_size
            stream.seek(max(0, size - _TAIL))
            return f"{size}-{hashlib.sha256(stream.read(_TAIL)).hexdigest()}"
    except (FileNotFoundError, NotADirectoryError):
        return None


def place_of(parent: Path, last: str) -> Path:
    """Return the folder of the turn to replace files of which the last one has this name."""
    return parent / f".{short(last)}.turn"


def is_recorded(folder: Path, last: str) -> bool:
    """Say whether files are still to be moved, or taken back, from a folder."""
    record = Record.read(folder.parent, last)
    if record is None or record.folder != folder.name:
        return False
    return record.back or any((folder / name).is_file() for name in record.files)


class _Standing:
    """What stands for some files at a moment, in place or not."""

    def __init__(self, parent: Path, last: str) -> None:
        self._parent = parent
        self._record = Record.read(parent, last)
        self._aside = {} if self._record is None else {
            name: aside for name in self._record.files if (aside := self._aside_of(name)).is_file()
        }  # fmt: skip
        try:
            found = self.find(last).stat()
        except (FileNotFoundError, NotADirectoryError, FormatError):
            self.last: Hashable = None
        else:
            self.last = found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns

    def _aside_of(self, name: str) -> Path:
        assert self._record is not None
        folder = self._parent / self._record.folder
        return (folder / EARLIER if self._record.back else folder) / name

    @property
    def all(self) -> Hashable:
        """Differs from what it was if any file has been moved since."""
        return self._record, frozenset(self._aside), self.last

    def find(self, name: str) -> Path:
        """Return where a file of this name is to be read, or would be."""
        file = self._aside.get(name, self._parent / name)
        try:
            mode = file.stat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            return file
        if not stat.S_ISREG(mode):
            raise FormatError(f"{file} is a folder, device or pipe; a file is wanted")
        return file


def read_together(parent: Path, last: str, read: Callable[[Find], T]) -> T:
    """Read files of one save, whoever replaces them meanwhile.

    Parameters
    ----------
    parent : Path
        Of the files.
    last : str
        Name of the file that is replaced last.
    read : callable
        Given what says where a file of a name is to be read. It is called again if files were
        replaced before it was done.
    """
    for _ in range(_TRIES):
        standing = _Standing(parent, last)
        try:
            result = read(standing.find)
        except (OSError, FormatError):
            if _Standing(parent, last).all == standing.all:
                raise
        else:
            if _Standing(parent, last).last == standing.last:
                return result
    raise BlockingIOError(
        errno.EAGAIN, "it is replaced again and again while it is read", str(parent / last)
    )
