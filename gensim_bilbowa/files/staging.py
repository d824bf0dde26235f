"""Files that are replaced whole or not at all, also if the process is killed meanwhile.

What is to replace files is written to a hidden folder beside them, which is locked for as long as
its writer lives. One file is then moved to its place, which systems do in one step; how several
are is told in :mod:`gensim_bilbowa.files.moving`.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path

from gensim_bilbowa.files.filesystem import (
    LONGEST_MADE,
    check_free,
    check_name,
    keep_rights,
    lock_folder,
    make_folder,
    may_write,
    reachable,
    real_path,
    replace,
    short,
    sync,
)
from gensim_bilbowa.files.moving import leave, turn, written_in
from gensim_bilbowa.files.records import is_recorded
from gensim_bilbowa.running.interrupts import certainly, uninterrupted

__all__ = ["check_target", "settle", "staged"]

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
def staged(
    *paths: str | os.PathLike[str] | None,
    superseded: Callable[[], Iterable[str]] | None = None,
    family: re.Pattern[str] | None = None,
) -> Iterator[tuple[Path, ...]]:
    """Yield a path to write to for each of `paths`; on success, what was written replaces them.

    What is written for a path may be several files, the others .npy files whose names begin with
    its name and a dot; the ones with just the names of the paths are put in place last. Each has
    the mode of the file that it replaces, or that of the last path. If anything fails, the earlier
    files are as they were and nothing new is left behind.

    Parameters
    ----------
    *paths : str or path-like
    superseded : callable, optional
        Returns the names of files, beside the last path, that are to go when the new ones are in
        place. It is called when nobody else can replace them any more.
    family : re.Pattern, optional
        Names of files that may be replaced or removed here besides those of the paths.
    """
    targets: dict[Path, list[str]] = {}
    order = [_target(path) for path in paths]
    for target in order:
        targets.setdefault(target.parent, []).append(target.name)
    with ExitStack() as stack, _naming(order):
        folders = {}
        for parent, names in targets.items():
            settle(parent, re.escape(short(names[-1])), family, of=names)
            folders[parent] = stack.enter_context(_partial(parent / names[-1]))
        yield tuple(folders[target.parent] / target.name for target in order)
        written = {parent: _in_order(folders[parent], names) for parent, names in targets.items()}
        files = [(folders[parent] / name, parent / name)
                 for parent, names in written.items() for name in names]  # fmt: skip
        for file, final in files:
            last = final.with_name(targets[final.parent][-1])
            keep_rights(file, final if final.exists() else last)
            sync(file)
        if superseded is None and len(files) <= 1:
            for file, final in files:
                replace(file, final)
        else:
            turns = {
                parent: stack.enter_context(turn(parent, names[-1], _belonging(names, family)))
                for parent, names in sorted(targets.items())
            }
            with uninterrupted():
                try:
                    for parent, folder in folders.items():
                        gone = superseded() if superseded and parent == order[-1].parent else ()
                        turns[parent].begin(folder, written[parent], gone)
                    for parent in folders:
                        turns[parent].move()
                except BaseException:
                    for parent in folders:
                        turns[parent].undo()
                    raise
                for parent in folders:
                    turns[parent].end()
        for parent in folders:
            sync(parent)


def settle(
    parent: Path, names: str, family: re.Pattern[str] | None = None, *, of: list[str] | None = None
) -> None:
    """Finish, or remove, what killed writers left in a folder, if it can be read and written to.

    Parameters
    ----------
    parent : Path
        Of the files that were to be replaced.
    names : str
        A regular expression for the name of the last of them, as :func:`short` has it.
    family : re.Pattern, optional
        See :func:`staged`.
    of : list of str, optional
        Names of all of the paths; by default of the last one alone.
    """
    left = re.compile(rf"\.(?P<name>{names})\.(?:turn|[0-9a-f]{{8}}\.partial)")
    try:
        found = [match for entry in parent.iterdir() if (match := left.fullmatch(entry.name))]
    except OSError:  # it may not be listed
        return
    # Turns first: a folder that files are moved from by one is not removed.
    for match in sorted(found, key=lambda match: not match[0].endswith(".turn")):
        name, entry = match["name"], parent / match[0]
        with suppress(OSError):
            if entry.suffix == ".turn":
                with turn(parent, name, _belonging(of or [name], family), patience=0):
                    pass
            else:
                with uninterrupted():
                    lock = lock_folder(entry, own=False)
                    leave(entry, lock, partial(is_recorded, entry, name))


def _belonging(names: list[str], family: re.Pattern[str] | None) -> Callable[[str], bool]:
    """Return what says of a name whether saves to `names` may write or remove a file of it."""
    either = "|".join(map(re.escape, [*names, *map(short, names)]))
    ours = re.compile(rf"(?:{either})(?:\..+\.npy)?", re.DOTALL)
    return lambda name: any(
        pattern.fullmatch(name) for pattern in (ours, family) if pattern is not None
    )


def _in_order(folder: Path, last: list[str]) -> list[str]:
    """Return the files that were written, those of the names in `last` after the others."""
    return sorted(written_in(folder), key=lambda name: last.index(name) if name in last else -1)


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
        certainly(partial(leave, folder, lock, partial(is_recorded, folder, target.name)))


@contextmanager
def _naming(targets: list[Path]) -> Iterator[None]:
    """Let an error of the system, such as that of a full disk, say which file was written."""
    try:
        yield
    except OSError as error:
        if error.errno is not None and error.filename is None:
            error.filename = ", ".join(map(str, targets))
        raise
