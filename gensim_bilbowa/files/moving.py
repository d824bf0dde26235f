"""Several files that replace others as if in one step.

Systems move files one by one. So of those that are to replace some files, one at a time has the
turn: a hidden folder beside them, named after the last of them and locked while its owner lives.
Before the first file is moved a record in it says which ones are, and from where: from then on they
count as replaced. Readers take a file that is not moved yet from where it is, and write nothing;
what a killed owner has not moved, the next one moves first.
"""

from __future__ import annotations

import dataclasses
import errno
import hashlib
import json
import os
import re
import shutil
import stat
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.files.filesystem import (
    LOCK,
    keep_rights,
    lock_folder,
    open_file,
    remove_folder,
    replace,
    short,
    show_as,
    sync,
)
from gensim_bilbowa.files.json_text import parse_json
from gensim_bilbowa.running.interrupts import certainly, uninterrupted

__all__ = ["Find", "Turn", "is_recorded", "leave", "read_together", "turn", "written_in"]

T = TypeVar("T")
# Says where a file of a name is to be read.
Find = Callable[[str], Path]

_RECORD = "record.json"
_EARLIER = ".earlier"
_LARGEST_RECORD = 1 << 24
# At the end of a manifest, or of an archive, are checksums of all the rest.
_TAIL = 1 << 16
# Others have their turn for as long as it takes to move and remove files, not to write them.
_PATIENCE_SECONDS = 30.0
_PAUSE_SECONDS = 0.01
_TRIES = 100


@dataclass(frozen=True)
class _Record:
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
    def read(cls, parent: Path, last: str) -> _Record | None:
        """Return what stands for files that end with `last`, or None if nothing does.

        That is also what says other things than this package writes, and what is of the past: since
        then the last file was replaced by other means.
        """
        try:
            with open_file(_place(parent, last) / _RECORD) as stream:
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
        found = _fingerprint(parent / self.files[-1])
        if self.back:
            return found in (self.before, self.after)
        waits = (parent / self.folder / self.files[-1]).is_file()
        return found == (self.before if waits else self.after)


def _is_name(name: object) -> bool:
    return isinstance(name, str) and name not in ("", ".", "..") and Path(name).name == name


def _fingerprint(path: Path) -> str | None:
    try:
        with open_file(path) as stream:
            size = os.fstat(stream.fileno()).st_size
            stream.seek(max(0, size - _TAIL))
            return f"{size}-{hashlib.sha256(stream.read(_TAIL)).hexdigest()}"
    except (FileNotFoundError, NotADirectoryError):
        return None


def _place(parent: Path, last: str) -> Path:
    return parent / f".{short(last)}.turn"


def is_recorded(folder: Path, last: str) -> bool:
    """Say whether files are still to be moved, or taken back, from a folder."""
    record = _Record.read(folder.parent, last)
    if record is None or record.folder != folder.name:
        return False
    return record.back or any((folder / name).is_file() for name in record.files)


def written_in(folder: Path) -> list[str]:
    """Return the names of the files that a writer has written in its folder."""
    return [file.name for file in folder.iterdir() if file.name not in (_EARLIER, LOCK)]


# ---- readers


class _Standing:
    """What stands for some files at a moment, in place or not."""

    def __init__(self, parent: Path, last: str) -> None:
        self._parent = parent
        self._record = _Record.read(parent, last)
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
        return (folder / _EARLIER if self._record.back else folder) / name

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


# ---- writers


class Turn:
    """The turn of one writer, in which it replaces files; see :func:`turn`."""

    def __init__(self, parent: Path, last: str, belongs: Callable[[str], bool]) -> None:
        self._parent = parent
        self._last = last
        self._place = _place(parent, last)
        self._belongs = belongs
        self._record: _Record | None = None
        self._unfinished: _Record | None = None

    def finish(self) -> None:
        """Do what the owner of an earlier turn has not done."""
        record = _Record.read(self._parent, self._last)
        if record is None or not all(map(self._belongs, (*record.files, *record.superseded))):
            (self._place / _RECORD).unlink(missing_ok=True)
            return
        folder = self._parent / record.folder
        if record.back:
            if failed := _take_back(self._parent, record):
                raise failed
        else:
            for name in record.files:
                if (folder / name).is_file() and not (folder / name).is_symlink():
                    replace(folder / name, self._parent / name)
            if left := _remove(self._parent, record.superseded):
                self._unfinished = dataclasses.replace(record, superseded=tuple(left))
        remove_folder(folder, None)
        self._drop()

    def begin(self, folder: Path, files: Sequence[str], superseded: Iterable[str]) -> None:
        """Let these files of `folder` count as in place, and others as superseded by them."""
        if not files:
            return
        (folder / _EARLIER).mkdir()
        for name in files:
            if (final := self._parent / name).exists():
                try:
                    (folder / _EARLIER / name).hardlink_to(final)
                except OSError:  # some file systems have no links
                    shutil.copyfile(final, folder / _EARLIER / name)
                    keep_rights(folder / _EARLIER / name, final)
        left = self._unfinished.superseded if self._unfinished else ()
        self._record = _Record(
            folder=folder.name,
            files=tuple(files),
            new=tuple(name for name in files if not (folder / _EARLIER / name).exists()),
            superseded=tuple(sorted({*left, *superseded}.difference(files))),
            before=_fingerprint(self._parent / files[-1]),
            after=_fingerprint(folder / files[-1]),
        )
        # Whoever may read the files may while they are still here.
        show_as(folder, self._place)
        sync(folder)
        self._write(self._record)
        sync(self._parent)

    def move(self) -> None:
        """Move the files to their places."""
        if self._record:
            for name in self._record.files:
                replace(self._parent / self._record.folder / name, self._parent / name)

    def undo(self) -> None:
        """Take back what was begun, if anything was."""
        if self._record is None:
            return
        record = dataclasses.replace(self._record, back=True)
        try:
            self._write(record)
        except OSError:
            (self._place / _RECORD).unlink(missing_ok=True)
        if _take_back(self._parent, record) is None:
            self._drop()

    def end(self) -> None:
        """Remove what is superseded; what is open, on Windows, a later turn will."""
        if self._record and not _remove(self._parent, self._record.superseded):
            with suppress(OSError):
                (self._place / _RECORD).unlink()

    def _drop(self) -> None:
        """Leave the record of a turn before this one, if there is more to do, or none."""
        if self._unfinished:
            self._write(self._unfinished)
        else:
            (self._place / _RECORD).unlink(missing_ok=True)

    def _write(self, record: _Record) -> None:
        new = self._place / f"{_RECORD}.new"
        new.write_text(json.dumps(dataclasses.asdict(record)), encoding="utf-8")
        sync(new)
        replace(new, self._place / _RECORD)
        sync(self._place)


def _remove(parent: Path, names: Iterable[str]) -> list[str]:
    """Remove files; return the names of those that cannot be."""
    left = []
    for name in names:
        try:
            (parent / name).unlink(missing_ok=True)
        except OSError:
            left.append(name)
    return left


def _take_back(parent: Path, record: _Record) -> OSError | None:
    """Put the earlier files in place again; return why one cannot be."""
    folder, failed = parent / record.folder, None
    for name in reversed(record.files):
        earlier = folder / _EARLIER / name
        try:
            if (folder / name).exists():
                pass  # it was not moved
            elif name in record.new:
                (parent / name).unlink(missing_ok=True)
            elif earlier.exists():
                replace(earlier, parent / name)
        except OSError as error:
            failed = error
    return failed


@contextmanager
def turn(
    parent: Path, last: str, belongs: Callable[[str], bool], *, patience: float = _PATIENCE_SECONDS
) -> Iterator[Turn]:
    """Wait for the turn to replace files, and do first what an earlier one has left undone.

    Parameters
    ----------
    parent : Path
        Of the files.
    last : str
        Name of the one that is replaced last.
    belongs : callable
        Says of a name whether a file of it may be replaced or removed here: what was left undone
        is dropped if it names another.
    patience : float, default 30
        Seconds to wait for others.

    Raises
    ------
    BlockingIOError
        If somebody has the turn for longer.
    """
    place = _place(parent, last)
    deadline = time.monotonic() + patience
    lock, held = None, False
    try:
        while not held:
            with uninterrupted():
                made = _make(place)
                try:
                    lock, held = lock_folder(place, own=made), True
                except (BlockingIOError, FileNotFoundError):
                    pass
                except OSError:  # no locks here: nobody can be asked whether its owner lives
                    held = made or (patience > 0 and time.monotonic() >= deadline)
            if not held:
                if time.monotonic() >= deadline:
                    raise BlockingIOError(
                        errno.EAGAIN,
                        f"another program is replacing it (if none is, remove {place.name})",
                        str(parent / last),
                    )
                time.sleep(_PAUSE_SECONDS)
        mine = Turn(parent, last, belongs)
        with uninterrupted():
            mine.finish()
        yield mine
    finally:
        if held:
            certainly(partial(leave, place, lock, (place / _RECORD).exists))


def _make(place: Path) -> bool:
    try:
        place.mkdir()
    except FileExistsError:
        if place.is_symlink() or not place.is_dir():
            place.unlink(missing_ok=True)
        return False
    return True


def leave(folder: Path, lock: int | None, is_wanted: Callable[[], bool]) -> None:
    """Remove a folder that is locked, unless it is wanted by the next one; unlock it."""
    if not is_wanted():
        remove_folder(folder, lock)
    elif lock is not None:
        os.close(lock)
