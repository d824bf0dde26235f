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
import json
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from gensim_bilbowa.files.filesystem import (
    LOCK,
    keep_rights,
    lock_folder,
    remove_folder,
    replace,
    show_as,
    sync,
)
from gensim_bilbowa.files.records import EARLIER, RECORD, Record, fingerprint, place_of
from gensim_bilbowa.running.interrupts import certainly, uninterrupted

__all__ = ["Turn", "leave", "turn", "written_in"]

# Others have their turn for as long as it takes to move and remove files, not to write them.
_PATIENCE_SECONDS = 30.0
_PAUSE_SECONDS = 0.01


def written_in(folder: Path) -> list[str]:
    """Return the names of the files that a writer has written in its folder."""
    return [file.name for file in folder.iterdir() if file.name not in (EARLIER, LOCK)]


class Turn:
    """The turn of one writer, in which it replaces files; see :func:`turn`."""

    def __init__(self, parent: Path, last: str, belongs: Callable[[str], bool]) -> None:
        self._parent = parent
        self._last = last
        self._place = place_of(parent, last)
        self._belongs = belongs
        self._record: Record | None = None
        self._unfinished: Record | None = None

    def finish(self) -> None:
        """Do what the owner of an earlier turn has not done."""
        record = Record.read(self._parent, self._last)
        if record is None or not all(map(self._belongs, (*record.files, *record.superseded))):
            (self._place / RECORD).unlink(missing_ok=True)
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
        (folder / EARLIER).mkdir()
        for name in files:
            if (final := self._parent / name).exists():
                try:
                    (folder / EARLIER / name).hardlink_to(final)
                except OSError:  # some file systems have no links
                    shutil.copyfile(final, folder / EARLIER / name)
                    keep_rights(folder / EARLIER / name, final)
        left = self._unfinished.superseded if self._unfinished else ()
        self._record = Record(
            folder=folder.name,
            files=tuple(files),
            new=tuple(name for name in files if not (folder / EARLIER / name).exists()),
            superseded=tuple(sorted({*left, *superseded}.difference(files))),
            before=fingerprint(self._parent / files[-1]),
            after=fingerprint(folder / files[-1]),
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
            (self._place / RECORD).unlink(missing_ok=True)
        if _take_back(self._parent, record) is None:
            self._drop()

    def end(self) -> None:
        """Remove what is superseded; what is open, on Windows, a later turn will."""
        if self._record and not _remove(self._parent, self._record.superseded):
            with suppress(OSError):
                (self._place / RECORD).unlink()

    def _drop(self) -> None:
        """Leave the record of a turn before this one, if there is more to do, or none."""
        if self._unfinished:
            self._write(self._unfinished)
        else:
            (self._place / RECORD).unlink(missing_ok=True)

    def _write(self, record: Record) -> None:
        new = self._place / f"{RECORD}.new"
        new.write_text(json.dumps(dataclasses.asdict(record)), encoding="utf-8")
        sync(new)
        replace(new, self._place / RECORD)
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


def _take_back(parent: Path, record: Record) -> OSError | None:
    """Put the earlier files in place again; return why one cannot be."""
    folder, failed = parent / record.folder, None
    for name in reversed(record.files):
        earlier = folder / EARLIER / name
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
    place = place_of(parent, last)
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
            certainly(partial(leave, place, lock, (place / RECORD).exists))


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
