"""Files that are replaced whole or not at all, also if the process is killed meanwhile.

What is to replace files is written to a hidden folder beside them, which is locked for as long as
its writer lives. Several files cannot be moved in one step: before the first of them is, a mark in
that folder says how many they are. Who finds it abandoned, and fewer files in it, moves the rest.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path

from gensim_bilbowa._interrupts import uninterrupted
from gensim_bilbowa.filesystem import (
    LOCK,
    LONGEST_MADE,
    check_free,
    check_name,
    lock_folder,
    make_folder,
    may_write,
    reachable,
    real_path,
    remove_folder,
    replace,
    short,
    sync,
)

__all__ = ["check_target", "settle", "staged"]

_MARK = ".number"
_EARLIER = ".earlier"
_TRIES = 100


def check_target(path: str | os.PathLike[str]) -> None:
    """Say before the work, not after, that a file cannot be written or replaced.

    Raises
    ------
    OSError
        If it is a folder or a device, or another user's; if no file can be made beside it, or its
        name or path is too long.
    """
    target = _target(path)
    if not may_write(target.parent):
        raise PermissionError(errno.EACCES, "no file can be made in the folder", f"{target.parent}")
    check_free(target)
    longest = max(target.name, "-" * LONGEST_MADE, key=len)
    for place in (target, _hidden(target) / longest):
        with suppress(FileNotFoundError):
            place.lstat()


def _target(path: str | os.PathLike[str] | None) -> Path:
    """Return where a file is written: what a link points to is replaced, not the link."""
    if path is None:
        raise TypeError("a path is wanted, got None")
    check_name(Path(path))
    real = Path(real_path(path))
    target = Path(reachable(real, longer=len(real.name)))
    if target.is_dir():
        raise IsADirectoryError(f"{target} is a folder; the name of a file is wanted")
    if target.exists() and not target.is_file():
        raise OSError(f"{target} is a device or pipe; the name of a file is wanted")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"no such folder: {target.parent}")
    return target


@contextmanager
def staged(*paths: str | os.PathLike[str] | None) -> Iterator[tuple[Path, ...]]:
    """Yield a path to write to for each of `paths`; on success, what was written replaces them.

    What is written for a path may be several files, whose names all begin with its name; the ones
    with just the names of the paths are put in place last. If anything fails, the earlier files
    are as they were and nothing new is left behind.
    """
    targets: dict[Path, list[str]] = {}
    order = [_target(path) for path in paths]
    for target in order:
        targets.setdefault(target.parent, []).append(target.name)
    with ExitStack() as stack, _naming(order):
        folders = {}
        for parent, names in targets.items():
            settle(parent, re.escape(short(names[-1])))
            folders[parent] = stack.enter_context(_partial(parent / names[-1]))
        yield tuple(folders[target.parent] / target.name for target in order)
        written = [
            (file, parent / file.name)
            for parent, folder in folders.items()
            for file in _in_order(folder, [*map(short, targets[parent])])
        ]
        for file, _ in written:
            sync(file)
        with uninterrupted():
            _put_in_place(written, [*folders.values()])
        for parent in folders:
            sync(parent)


def settle(parent: Path, names: str) -> None:
    """Finish, or remove, what killed writers left in a folder, if it can be written to.

    Parameters
    ----------
    parent : Path
        Of the files that were to be replaced.
    names : str
        A regular expression for the name of the last of them, as :func:`short` has it.
    """
    partial = re.compile(rf"\.(?P<name>{names})\.[0-9a-f]{{8}}\.partial")
    for folder in parent.iterdir():
        if found := partial.fullmatch(folder.name):
            with suppress(OSError), uninterrupted():
                _finish(folder, found["name"])


def _finish(folder: Path, name: str) -> None:
    """Move what a killed writer left, or remove it; an OSError is raised if the writer lives."""
    lock = lock_folder(folder, own=False)
    try:
        files = _in_order(folder, [name])
        mark = folder / _MARK
        # An empty mark is of a writer killed while it made it: nothing was moved.
        if mark.exists() and len(files) < int(mark.read_text() or 0):
            for file in files:
                replace(file, folder.parent / file.name)
    except BaseException:
        os.close(lock)
        raise
    remove_folder(folder, lock)


def _in_order(folder: Path, last: list[str]) -> list[Path]:
    """Return the files that were written, those of the short names in `last` after the others."""
    return sorted(
        (file for file in folder.iterdir() if file.name not in (_MARK, _EARLIER, LOCK)),
        key=lambda file: last.index(short(file.name)) if short(file.name) in last else -1,
    )


def _hidden(target: Path) -> Path:
    """Return a new name for the folder in which a file is written."""
    return target.with_name(f".{short(target.name)}.{secrets.token_hex(4)}.partial")


@contextmanager
def _partial(target: Path) -> Iterator[Path]:
    """Make a hidden folder beside `target`, locked while it is in use, and remove it."""
    lock = None
    try:
        for tries in count(1):
            folder = _hidden(target)
            make_folder(folder)
            try:
                lock = lock_folder(folder, own=True)
            except (BlockingIOError, FileNotFoundError):
                if tries == _TRIES:
                    raise
                continue  # not locked yet, it was taken for abandoned
            except OSError:
                pass  # this file system has no locks
            break
        yield folder
    finally:
        try:
            with uninterrupted():
                remove_folder(folder, lock)
                lock = None
        except KeyboardInterrupt:  # maybe before it could be held back
            with uninterrupted():
                remove_folder(folder, lock)
            raise


@contextmanager
def _naming(targets: list[Path]) -> Iterator[None]:
    """Let an error of the system, such as that of a full disk, say which file was written."""
    try:
        yield
    except OSError as error:
        if error.errno is not None and error.filename is None:
            error.filename = ", ".join(map(str, targets))
        raise


def _put_in_place(written: list[tuple[Path, Path]], folders: list[Path]) -> None:
    """Move each file to its final path; if one cannot be moved, take back those before it."""
    moved: list[tuple[Path, Path | None]] = []
    try:
        for folder in folders if len(written) > 1 else []:
            number = sum(file.parent == folder for file, _ in written)
            (folder / _EARLIER).mkdir()
            (folder / _MARK).write_text(str(number))
            sync(folder / _MARK)
            sync(folder)
        for file, final in written:
            earlier = None
            if final.exists() and final != written[-1][1]:
                earlier = file.parent / _EARLIER / file.name
                try:
                    earlier.hardlink_to(final)
                except OSError:  # some file systems have no links
                    shutil.copy2(final, earlier)
            replace(file, final)
            moved.append((final, earlier))
    except BaseException:
        for folder in folders:
            with suppress(OSError):
                (folder / _MARK).unlink(missing_ok=True)
        for final, earlier in reversed(moved):
            with suppress(OSError):
                if earlier is None:
                    final.unlink()
                else:
                    replace(earlier, final)
        raise
