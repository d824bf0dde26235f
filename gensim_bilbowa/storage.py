"""The format of a saved model.

A model is one zip archive (stored, not compressed) with ``model.json`` and the small arrays as
.npy members; arrays above a size limit are .npy files of their own beside it, which can be
memory-mapped. Their names carry a mark that is new with every save: until the archive itself is
replaced, in one step, the earlier archive and its arrays stay as they were. Nothing is pickled.
What the document and the arrays are is known to :mod:`gensim_bilbowa.persistence`.
"""

from __future__ import annotations

import io
import json
import os
import re
import secrets
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.documents import Count, checked, parse_json
from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.filesystem import reachable, real_path, short
from gensim_bilbowa.staging import staged

__all__ = ["check_version", "is_pickle", "read_model", "write_model"]

_FORMAT = "gensim_bilbowa"
_VERSION = 1
_WRITTEN_AT_ONCE = 1 << 24
_MANIFEST = "model.json"


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
    superseded = _separate_files(target)
    mark = secrets.token_hex(4)
    entries: dict[str, Any] = {}
    files: set[str] = set()
    with staged(target) as (main,), zipfile.ZipFile(main, "w") as archive:
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
        # Those that cannot be removed below, by a kill or since Windows has them mapped, are by the
        # next save.
        manifest = {
            "format": _FORMAT, "version": _VERSION, "arrays": entries, "model": document,
            "superseded": [old.name for old in superseded],
        }  # fmt: skip
        archive.writestr(_MANIFEST, json.dumps(manifest))
    for old in superseded:
        with suppress(OSError):
            old.unlink()


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


def _separate_files(target: Path) -> list[Path]:
    """Return the array files of models saved here before, and no other files."""
    if not target.is_file():
        return []
    try:
        manifest = _read_manifest(target)
    except (FormatError, OSError):
        return []
    ours = re.compile(rf"{re.escape(short(target.name))}\.[0-9a-f]{{8}}\.[^/\\]+\.npy")
    entries, superseded = manifest["arrays"].values(), manifest.get("superseded")
    names = [str(entry.get("file", "")) for entry in entries if isinstance(entry, dict)]
    names += map(str, superseded if isinstance(superseded, list) else [])
    found = (target.with_name(name) for name in names if ours.fullmatch(name))
    return [file for file in found if file.exists()]


def _read_manifest(path: Path) -> dict[str, Any]:
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = parse_json(_member(archive, _MANIFEST))
    except (FileNotFoundError, MemoryError):
        raise
    except Exception as error:  # zipfile meets damage with errors of many kinds
        with path.open("rb") as stream:
            pickled = is_pickle(stream.read(1))
        hint = (
            "; it looks like a file of gensim's, a pickle, which was not opened since that can run "
            "any code: if you trust it, BilBOWA.from_models starts from it with trusted=True"
            if pickled
            else ""
        )
        raise FormatError(f"{path} is not a gensim_bilbowa model ({error}){hint}") from error
    if not isinstance(manifest, dict) or manifest.get("format") != _FORMAT:
        raise FormatError(f"{path} is not a gensim_bilbowa model")
    check_version(path, manifest.get("version"), _VERSION)
    if not isinstance(manifest.get("arrays"), dict) or not isinstance(manifest.get("model"), dict):
        raise FormatError(f"{path}: the manifest lacks its parts")
    return manifest


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
    if np.lib.format.read_magic(stream) != (1, 0):
        raise ValueError("another version of the .npy format")
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(stream)
    if (shape, dtype) != expected or fortran:
        raise ValueError(f"{dtype} {shape} found, {expected} recorded")
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
    if not target.exists():
        raise FileNotFoundError(f"no such model file: {target}")
    manifest = _read_manifest(target)
    arrays: dict[str, NDArray[Any]] = {}
    try:
        checked(dict[str, _Entry], manifest["arrays"], "arrays")
    except FormatError as error:
        raise FormatError(f"{target}: {error}") from error
    _check_files(target, manifest["arrays"])
    with zipfile.ZipFile(target) as archive:
        for name, entry in manifest["arrays"].items():
            try:
                array = _read_array(target, archive, name, entry, mmap)
            except (FileNotFoundError, MemoryError):
                raise
            except Exception as error:  # numpy and zipfile, too
                raise FormatError(f"{target}: the array {name} is damaged: {error}") from error
            arrays[name] = array
    return manifest["model"], arrays


def _check_files(target: Path, entries: Mapping[str, Any]) -> None:
    """Refuse arrays that share a file, which could be read until the memory is full."""
    files = [entry["file"] for entry in entries.values() if "file" in entry]
    if len(set(files)) < len(files):
        raise FormatError(f"{target}: two arrays are said to be in one file")


def _read_array(
    target: Path, archive: zipfile.ZipFile, name: str, entry: dict[str, Any], mmap: str | None
) -> NDArray[Any]:
    expected = tuple(entry["shape"]), np.dtype(entry["dtype"])
    if expected[1].hasobject:
        raise ValueError("arrays of objects are not read")
    file = entry.get("file")
    if file is None:
        array = _array(_member(archive, f"{name}.npy"), expected)
    else:
        if Path(file).name != file:
            raise ValueError(f"{file} is not in the model's folder")
        separate = Path(real_path(target)).with_name(file)  # links lead to all
        if not separate.exists():
            raise FileNotFoundError(f"{target}: its array file {separate.name} is missing")
        # The header is read, and checked against the file's size, before memory is taken.
        array = np.load(separate, mmap_mode="r", allow_pickle=False)
        if (array.shape, array.dtype) == expected:
            array = np.array(array) if mmap is None else np.load(separate, mmap_mode=mmap)  # type: ignore[arg-type]
    if (array.shape, array.dtype) != expected:
        raise ValueError(f"{array.dtype} {array.shape} found, {expected} recorded")
    mapped = isinstance(array, np.memmap)
    # The checksum would tell, but is not computed for a map: that would read all of it.
    if isinstance(array, np.memmap) and (
        separate.stat().st_size != array.offset + array.nbytes or not array.flags.c_contiguous
    ):
        raise ValueError(f"{separate.name} is not laid out as it was written")
    if not mapped and zlib.crc32(array.data.cast("B") if array.size else b"") != entry["crc32"]:
        raise ValueError("checksum mismatch")
    return array
