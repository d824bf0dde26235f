"""The format of a saved model.

A model is one zip archive (stored, not compressed) with ``model.json`` and the small arrays as
.npy members; arrays above a size limit are .npy files of their own beside it, which can be
memory-mapped. Their names carry a mark that is new with every save: until the archive itself is
replaced, the earlier archive and its arrays stay as they were. Nothing is pickled.
What the document and the arrays are is known to :mod:`gensim_bilbowa.modelling.persistence`.
"""

from __future__ import annotations

import io
import json
import math
import os
import re
import secrets
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO, Any, NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.files.documents import Count, checked, parse_json
from gensim_bilbowa.files.filesystem import open_file, reachable, real_path, short
from gensim_bilbowa.files.records import Find, read_together
from gensim_bilbowa.files.staging import staged

__all__ = ["check_version", "checksum_of", "is_pickle", "read_model", "write_model"]

_FORMAT = "gensim_bilbowa"
_VERSION = 1
_WRITTEN_AT_ONCE = 1 << 24
_MANIFEST = "model.json"
# Of array files; a process may open so many files everywhere.
_OPENED_AT_ONCE = 100


class _Entry(TypedDict):
    """What the manifest says of an array."""

    shape: list[Count]
    dtype: str
    crc32: Count
    file: NotRequired[str]


def write_model(
    path: str | os.PathLike[str],
    document: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    *,
    separate_bytes: int,
) -> None:
    """Write a model.

    Parameters
    ----------
    path : str or path-like
    document : mapping
        What JSON can hold.
    arrays : mapping from str to ndarray
        Of numbers; those of `separate_bytes` or more go to files of their own.
    """
    target = Path(reachable(real_path(path)))
    mark = secrets.token_hex(4)
    entries: dict[str, Any] = {}
    files: set[str] = set()
    with (
        staged(target, superseded=partial(_separate_files, target)) as (main,),
        zipfile.ZipFile(main, "w") as archive,
    ):
        for name, array in arrays.items():
            entry: dict[str, Any] = {"shape": list(array.shape), "dtype": array.dtype.str}
            if array.nbytes >= separate_bytes:
                plain = f"{short(target.name)}.{mark}.{short(name.replace('/', '.'))}"
                while plain.lower() in files:  # codes of languages may have dots, too
                    plain += "_"
                files.add(plain.lower())
                entry["file"] = f"{plain}.npy"
                with main.with_name(entry["file"]).open("wb") as stream:
                    entry["crc32"] = _write_array(stream, array)
            else:
                buffer = io.BytesIO()
                entry["crc32"] = _write_array(buffer, array)
                archive.writestr(f"{name}.npy", buffer.getvalue())
            entries[name] = entry
        manifest = {"format": _FORMAT, "version": _VERSION, "arrays": entries, "model": document}
        archive.writestr(_MANIFEST, json.dumps(manifest))


def _write_array(stream: IO[bytes], array: NDArray[Any]) -> int:
    """Write an array in the .npy format; return the checksum of its data.

    By blocks of rows, since a second copy of a large array might not find memory; and each block
    copied first, since training may go on in other threads.
    """
    np.lib.format.write_array_header_1_0(
        stream,
        {"descr": array.dtype.str, "fortran_order": False, "shape": array.shape},
    )
    checksum = 0
    rows = max(1, _WRITTEN_AT_ONCE // max(1, array.nbytes // max(1, len(array))))
    for start in range(0, len(array), rows):
        block = array[start : start + rows].tobytes()
        stream.write(block)
        checksum = zlib.crc32(block, checksum)
    return checksum


def _separate_files(target: Path) -> list[str]:
    """Return the names of the array files of the model that is here, and no other files."""
    try:
        with open_file(target) as stream:
            entries = _read_manifest(target, stream)[0]["arrays"].values()
    except (FormatError, OSError):
        return []
    ours = re.compile(rf"{re.escape(short(target.name))}\.[0-9a-f]{{8}}\.[^/\\]+\.npy")
    names = [str(entry.get("file", "")) for entry in entries if isinstance(entry, dict)]
    return [name for name in names if ours.fullmatch(name)]


def _read_manifest(path: Path, stream: IO[bytes]) -> tuple[dict[str, Any], zipfile.ZipFile]:
    """Return what a model's file says, and the archive that it is."""
    try:
        archive = zipfile.ZipFile(stream)
        if sum(info.compress_size for info in archive.infolist()) > archive.start_dir:
            raise ValueError("its members are longer than the file: some of them overlap")
        manifest = parse_json(_member(archive, _MANIFEST))
    except MemoryError:
        raise
    except Exception as error:  # zipfile meets damage with errors of many kinds
        stream.seek(0)
        hint = (
            "; it looks like a file of gensim's, a pickle, which was not opened since that can run "
            "any code: if you trust it, BilBOWA.from_models starts from it with trusted=True"
            if is_pickle(stream.read(1))
            else ""
        )
        raise FormatError(f"{path} is not a gensim_bilbowa model ({error}){hint}") from error
    if not isinstance(manifest, dict) or manifest.get("format") != _FORMAT:
        raise FormatError(f"{path} is not a gensim_bilbowa model")
    check_version(path, manifest.get("version"), _VERSION)
    if not isinstance(manifest.get("arrays"), dict) or not isinstance(manifest.get("model"), dict):
        raise FormatError(f"{path}: the manifest lacks its parts")
    return manifest, archive


def is_pickle(head: bytes) -> bool:
    """Say whether a file that begins with `head` is a pickle, as gensim writes them."""
    return head.startswith(b"\x80")


def check_version(path: str | os.PathLike[str], found: object, wanted: object) -> None:
    """Refuse a file whose format has another version than the one that is read."""
    if found != wanted:
        raise FormatError(
            f"{os.fspath(path)} has format version {found!r}; this gensim_bilbowa reads version "
            f"{wanted}: a newer release is needed"
        )


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    info = archive.getinfo(name)
    # A compressed one, which we never write, might be far larger than the file.
    if info.compress_type != zipfile.ZIP_STORED:
        raise ValueError(f"{name} is compressed")
    # Memory is taken for the other size, by which it is read.
    if info.compress_size != info.file_size:
        raise ValueError(f"{name} is said to have two sizes")
    if info.file_size > archive.start_dir:
        raise ValueError(f"{name} is said to be longer than the file")
    return archive.read(info)


def _array(data: bytes, expected: tuple[tuple[Any, ...], np.dtype[Any]]) -> NDArray[Any]:
    """Read a .npy member, taking memory only for what is recorded and there."""
    stream = io.BytesIO(data)
    if _check_head(stream, expected):
        raise ValueError("it is not laid out as it was written")
    shape, dtype = expected
    return np.frombuffer(data, dtype, offset=stream.tell()).reshape(shape).copy()


def read_model(
    path: str | os.PathLike[str], *, mmap: str | None = None
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read what :func:`write_model` wrote: the document and the arrays.

    Parameters
    ----------
    path : str or path-like
    mmap : {None, "r", "c"}
        Map the arrays that have files of their own instead of reading them. Read arrays are
        checked against their checksum, mapped ones against shape and type.
    """
    target = Path(reachable(path))
    real = Path(real_path(target))  # links lead to all
    return read_together(real.parent, real.name, partial(_read, target, real.name, mmap))


def _read(
    target: Path, last: str, mmap: str | None, find: Find
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    main = find(last)
    if not main.exists():
        raise FileNotFoundError(f"no such model file: {target}")
    with ExitStack() as stack:
        manifest, archive = _read_manifest(target, stack.enter_context(open_file(main)))
        entries = manifest["arrays"]
        for name, entry in entries.items():
            with _naming_damage(target, name):
                checked(_Entry, entry, "")
        _check_files(target, entries, find)
        # Opened before any is read: the next save may remove them.
        opened = {}
        for name, entry in islice(entries.items(), _OPENED_AT_ONCE):
            with _naming_damage(target, name):
                if "file" in entry:
                    opened[name] = stack.enter_context(_open_separate(target, entry["file"], find))
        arrays = {}
        for name, entry in entries.items():
            with _naming_damage(target, name), ExitStack() as own:
                expected = tuple(entry["shape"]), np.dtype(entry["dtype"])
                if expected[1].hasobject:
                    raise ValueError("arrays of objects are not read")
                if "file" in entry:
                    stream = opened.get(name) or own.enter_context(
                        _open_separate(target, entry["file"], find)
                    )
                    array = _separate(stream, expected, mmap)
                else:
                    array = _array(_member(archive, f"{name}.npy"), expected)
                # It would tell of a map, too, but that would read all of it.
                if not isinstance(array, np.memmap) and checksum_of(array) != entry["crc32"]:
                    raise ValueError("checksum mismatch")
                arrays[name] = array
    return manifest["model"], arrays


@contextmanager
def _naming_damage(target: Path, name: str) -> Iterator[None]:
    """Let whatever an array is not read for, but the system, be damage."""
    try:
        yield
    except (OSError, MemoryError):
        raise
    except Exception as error:  # numpy and zipfile have many kinds
        raise FormatError(f"{target}: the array {name} is damaged: {error}") from error


def _check_files(target: Path, entries: Mapping[str, Any], find: Find) -> None:
    """Refuse arrays that share a file, which could be read until the memory is full."""
    places: list[tuple[int, int]] = []
    for entry in entries.values():
        if "file" in entry:
            with suppress(OSError, FormatError):  # said where it is read
                found = find(entry["file"]).stat()
                places.append((found.st_dev, found.st_ino))
    if len(set(places)) < len(places):
        raise FormatError(f"{target}: two arrays are said to be in one file")


def _open_separate(target: Path, file: Any, find: Find) -> IO[bytes]:
    if Path(file).name != file:
        raise ValueError(f"{file} is not in the model's folder")
    try:
        return open_file(find(file))
    except FileNotFoundError:
        raise FileNotFoundError(f"{target}: its array file {file} is missing") from None


def _separate(
    stream: IO[bytes], expected: tuple[tuple[Any, ...], np.dtype[Any]], mmap: str | None
) -> NDArray[Any]:
    """Read or map an array of a file; its head is compared with the file before memory is taken."""
    fortran = _check_head(stream, expected)
    shape, dtype = expected
    number = math.prod(shape)
    if fortran or os.fstat(stream.fileno()).st_size != stream.tell() + number * dtype.itemsize:
        raise ValueError("it is not laid out as it was written")
    if mmap is None:
        return np.fromfile(stream, dtype, number).reshape(shape)
    return np.memmap(stream, dtype, mmap, stream.tell(), shape)  # type: ignore[call-overload,no-any-return]


def _check_head(stream: IO[bytes], expected: tuple[tuple[Any, ...], np.dtype[Any]]) -> bool:
    """Compare the head of a .npy file with what is recorded; say whether it lies by columns."""
    if np.lib.format.read_magic(stream) != (1, 0):
        raise ValueError("another version of the .npy format")
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(stream)
    if (shape, dtype) != expected:
        raise ValueError(f"{dtype} {shape} found, {expected} recorded")
    return bool(fortran)


def checksum_of(array: NDArray[Any]) -> int:
    """Return the CRC-32 of an array's numbers, row by row."""
    return zlib.crc32(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
