"""What systems do differently with files: locks of folders, moves, names, long paths."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import shutil
import stat
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

__all__ = [
    "LOCK",
    "LONGEST_MADE",
    "WHOLE",
    "check_free",
    "check_name",
    "keep_rights",
    "lock_folder",
    "make_folder",
    "may_write",
    "names_device",
    "open_file",
    "plain",
    "reachable",
    "real_path",
    "remove_folder",
    "replace",
    "short",
    "show_as",
    "sync",
]

_WINDOWS = os.name == "nt"
# What a folder is locked by where folders themselves cannot be.
LOCK = ".lock"
# What paths on Windows begin with that are taken as they are.
WHOLE = "\\\\?\\"
# Programs that know nothing of longer paths are given none by Windows; and of what is beside a file
# while it is written, or has its name and more, the paths are so much longer.
_LONGEST = 259 - 64
# Bytes of a name that stands in other names, and of the longest of these, which has two such and
# 14 more: some file systems take no more than 143.
_LONGEST_PART, _BEGINNING = 64, 31
LONGEST_MADE = 2 * _LONGEST_PART + 14
_REFUSED = re.compile(r'[<>:"/\\|?*\x00-\x1f]')
_HELD = "it may not be written to, or is open in a program"
# A scanner or an indexer of Windows may have a new file open for a moment.
_PAUSES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1)

# Names that open a device on Windows, in any folder and whatever follows a dot.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\..*)?", re.I)


def names_device(name: str) -> bool:
    """Say whether Windows keeps a name for a device, which some codes of languages are."""
    return _DEVICE.fullmatch(name) is not None


def real_path(path: str | os.PathLike[str]) -> str:
    """Return a path with links followed; as far as the system can tell what they are."""
    try:
        return os.path.realpath(path)
    except OSError:  # of file systems that Python does not know to have none
        return os.path.abspath(path)  # noqa: PTH100


def make_folder(folder: Path) -> None:
    """Make a folder for what is written before it is put in place.

    On Windows files inherit a folder's rights, and keep them when they are moved: there it must be
    no more private than the folder around it.
    """
    folder.mkdir(mode=0o777 if _WINDOWS else 0o700)


def lock_folder(folder: Path, *, own: bool) -> int:
    """Lock a folder until the descriptor returned is closed, or this process ends.

    Parameters
    ----------
    folder : Path
    own : bool
        Whether this process has made it, or has found it.

    Raises
    ------
    BlockingIOError
        If it is locked, or about to be removed, or has the lock of another system, of whose writer
        nothing is known here.
    FileNotFoundError
        If it is not there; on Windows also if it is found and nobody has locked it yet: it is
        removed, if it is empty.
    OSError
        If this file system has no locks.
    """
    descriptor = _open_lock(folder, own=own)
    try:
        _lock(descriptor, folder, own=own)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def remove_folder(folder: Path, lock: int | None) -> None:
    """Remove a folder that is locked, if it can be; then unlock it."""
    if _WINDOWS:
        with suppress(OSError):
            for path in folder.iterdir():
                if path.name != LOCK:
                    with suppress(OSError):
                        shutil.rmtree(path) if path.is_dir() else path.unlink()
    else:
        shutil.rmtree(folder, ignore_errors=True)
    if lock is not None:
        os.close(lock)
    if _WINDOWS:
        # What is open cannot be removed. Who locks it from here on keeps the folder.
        with suppress(OSError):
            (folder / LOCK).unlink(missing_ok=True)
            folder.rmdir()


def replace(source: Path, target: Path) -> None:
    """Move a file to where another may be.

    Raises
    ------
    PermissionError
        If the other one may not be removed; on Windows also if it is open in a program, after some
        two seconds.
    """
    for pause in (*_PAUSES, None):
        try:
            source.replace(target)
            return
        except PermissionError as error:
            if not _WINDOWS:
                raise
            if pause is None or (target.exists() and not os.access(target, os.W_OK)):
                raise PermissionError(error.errno, _HELD, os.fspath(target)) from error
            time.sleep(pause)


def keep_rights(new: Path, old: Path) -> None:
    """Give a file the mode and, where this may be done, the owner of the one it replaces, if any.

    Of a group that it cannot be given, the new one gets the rights that others have.
    """
    if sys.platform != "win32" and old.exists():
        wanted, found = old.stat(), new.stat()
        mode = stat.S_IMODE(wanted.st_mode) & 0o777
        if found.st_uid != wanted.st_uid:
            with suppress(OSError):
                os.chown(new, wanted.st_uid, -1)
        if found.st_gid != wanted.st_gid:
            try:
                os.chown(new, -1, wanted.st_gid)
            except OSError:
                mode = (mode & ~0o070) | ((mode & 0o007) << 3)
        with suppress(OSError):  # of file systems that have no modes
            new.chmod(mode)


def show_as(folder: Path, other: Path) -> None:
    """Let those see what is in a folder who may see what is in the other one."""
    if not _WINDOWS:
        with suppress(OSError):
            folder.chmod(stat.S_IMODE(other.stat().st_mode))


def open_file(path: Path) -> IO[bytes]:
    """Open a file to read it; not a device or pipe, where one might wait for ever."""
    stream = open(path, "rb", opener=_open_at_once)  # noqa: SIM115
    if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        stream.close()
        raise OSError(errno.EINVAL, "a device or pipe; a file is wanted", os.fspath(path))
    return stream


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def sync(path: Path) -> None:
    """Return when a file, or the names in a folder, are on the disk.

    On Windows folders are the system's own affair.
    """
    if _WINDOWS and path.is_dir():
        return
    try:
        descriptor = os.open(path, os.O_RDWR if _WINDOWS else os.O_RDONLY)
    except PermissionError:  # of a folder that may be written to and not be listed
        if path.is_dir():
            return
        raise
    try:
        if sys.platform == "darwin":
            with suppress(OSError):  # of a file system that has not this
                fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)  # fsync reaches the drive alone
        try:
            os.fsync(descriptor)
        except OSError as error:  # of a file system that can do this to files alone
            if error.errno not in (errno.EINVAL, errno.ENOTSUP) or not path.is_dir():
                raise
    finally:
        os.close(descriptor)


def check_name(path: Path) -> None:
    """Refuse a name that cannot be a file's on Windows; elsewhere the system does that itself.

    Raises
    ------
    OSError
        Of a device, such as ``aux.model``; with a colon, which would name a part of a file that no
        program shows; or with another sign that Windows refuses.
    """
    name = path.name
    if not _WINDOWS or name == "..":
        return
    if names_device(name):
        reason = "Windows keeps this name for a device"
    elif _REFUSED.search(name) or name.endswith((".", " ")):
        reason = 'a name on Windows has no <>:"/\\|?* and no dot or blank at its end'
    else:
        return
    raise OSError(errno.EINVAL, reason, os.fspath(path))


def short(name: str) -> str:
    """Return a name or, of a long one, its beginning and a checksum, to stand in other names."""
    data = name.encode("utf-8", "surrogatepass")
    if len(data) <= _LONGEST_PART:
        return name
    digest = hashlib.sha256(data).hexdigest()[: _LONGEST_PART - _BEGINNING - 1]
    return f"{data[:_BEGINNING].decode('utf-8', 'ignore')}~{digest}"


def check_free(path: Path) -> None:
    """Refuse to replace a file that may not be removed.

    Raises
    ------
    PermissionError
        If the file is there, and another user's in a folder in which each removes their own alone;
        on Windows, if it is open in a program, or read-only.
    """
    if sys.platform != "win32":
        user = os.geteuid()
        folder = path.parent.stat()
        if (
            user and folder.st_mode & stat.S_ISVTX and folder.st_uid != user
            and path.exists() and path.stat().st_uid != user
        ):  # fmt: skip
            raise PermissionError(errno.EPERM, "it is another user's", os.fspath(path))
    if _WINDOWS and path.is_file():
        try:
            path.rename(path)
        except PermissionError as error:
            raise PermissionError(error.errno, _HELD, os.fspath(path)) from error
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, _HELD, os.fspath(path))


def may_write(folder: Path) -> bool:
    """Say whether files can be made in a folder; of its rights Windows says nothing else."""
    if sys.platform == "win32":
        place = folder / f".bilbowa-{secrets.token_hex(8)}"
        with suppress(OSError):
            os.close(os.open(place, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_TEMPORARY))
            return True
        answer = False
    else:
        answer = os.access(folder, os.W_OK | os.X_OK)
    return answer


def reachable(path: str | os.PathLike[str], longer: int = 0) -> str:
    r"""Return a path by which a file is found although its name is long: ``\\?\...`` on Windows.

    Parameters
    ----------
    path : str or path-like
    longer : int, default 0
        By how many characters paths made of it are longer than is usual here.
    """
    text = os.fspath(path)
    if not _WINDOWS or "://" in text:
        return text
    whole = os.path.abspath(text)  # noqa: PTH100 (which follows no links)
    if len(whole) + longer <= _LONGEST or whole.startswith(WHOLE):
        return text
    return f"{WHOLE}UNC{whole[1:]}" if whole.startswith("\\\\") else WHOLE + whole


def plain(path: str) -> str:
    r"""Return a path of Windows without ``\\?\`` in front, if it is found without it."""
    if not _WINDOWS or not path.startswith(WHOLE):
        return path
    text = path.removeprefix(WHOLE)
    text = f"\\{text[3:]}" if text.startswith("UNC\\") else text
    return text if len(text) <= _LONGEST else path


if sys.platform == "win32":

    def _open_lock(folder: Path, *, own: bool) -> int:
        flags = os.O_RDWR | os.O_NOINHERIT | (os.O_CREAT if own else 0)
        try:
            return os.open(folder / LOCK, flags)
        except PermissionError as error:
            raise _locked(folder) from error
        except FileNotFoundError:
            if not own:
                with suppress(OSError):
                    folder.rmdir()
            raise

    def _lock(descriptor: int, folder: Path, *, own: bool) -> None:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno == errno.EINVAL:  # what is asked is not supported
                raise
            raise _locked(folder) from error

else:

    def _open_lock(folder: Path, *, own: bool) -> int:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)

    def _lock(descriptor: int, folder: Path, *, own: bool) -> None:
        if not own and (folder / LOCK).exists():
            raise _locked(folder)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not os.path.samestat(os.fstat(descriptor), folder.stat()):
            raise FileNotFoundError(folder)


def _locked(folder: Path) -> BlockingIOError:
    return BlockingIOError(errno.EAGAIN, "it is locked", os.fspath(folder))
