"""Opening files for reading, unpacked: what packs them is told by their first bytes."""

from __future__ import annotations

import os
import re
import weakref
import zipfile
from copy import copy
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

import smart_open
from smart_open.compression import compression_wrapper

from gensim_bilbowa.corpora.unpacking import bounded, open_xz
from gensim_bilbowa.corpora.watching import watched
from gensim_bilbowa.errors import CorpusFileError, CorpusNotFoundError
from gensim_bilbowa.files.filesystem import WHOLE, reachable

__all__ = ["head_of", "is_archive", "members", "open_bytes", "refuse_no_text"]

# Compressions, by the first bytes of a file, as smart_open calls them.
_MAGIC = {
    ".gz": re.compile(rb"\x1f\x8b"),
    ".bz2": re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"),  # the latter of no text
    ".xz": re.compile(rb"\xfd7zXZ\0"),
    ".zst": re.compile(rb"\x28\xb5\x2f\xfd"),
    ".lz4": re.compile(rb"\x04\x22\x4d\x18"),
}
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")  # the latter of an empty one
_LONGEST_MAGIC = 10
# Files that are no text though some of their bytes may be: where their marks stand, and what to do.
_NO_TEXT = [
    (0, b"%PDF-", "a PDF; text is wanted"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old office file; save it as text in UTF-8"),
    (0, b"SQLite format 3\0", "a database; of a translation memory (.sdltm) export TMX"),
    (0, b"PAR1\x15", "a Parquet file; load it as a table for ParallelSentences.from_columns"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it"),
    (0, b"Rar!\x1a\x07", "a RAR archive; unpack it"),
    (257, b"ustar\0", "a tar archive; unpack it, and name the files in it"),
    (257, b"ustar  \0", "a tar archive; unpack it, and name the files in it"),
]  # fmt: skip
# Little, since what was asked for together with the damaged part of an archive is lost.
_HEAD_PIECE = 1 << 12
# Those that smart_open reads with packages of its extras, which have these names.
_EXTRAS = {".zst": "zst", ".lz4": "lz4"}


def open_bytes(path: str) -> IO[bytes]:
    """Open a file, or a file in a zip archive, which is named as if the archive were a folder.

    An archive by itself stands for its only file. Of pipes and URLs the name says what packs them.

    Raises
    ------
    CorpusNotFoundError, CorpusFileError
        If there is no such file, or it cannot be opened, or is of a kind that has no text.
    """
    if "://" not in path:
        refuse_no_text(path, head_of(path, max(place + 8 for place, *_ in _NO_TEXT)))
    return watched(_stream(path), path)


def refuse_no_text(path: str, head: bytes) -> None:
    """Raise CorpusFileError for a file that begins as those that have no text."""
    for place, mark, kind in _NO_TEXT:
        if head.startswith(mark, place):
            raise CorpusFileError(f"{path} is {kind}")


def _stream(path: str) -> IO[bytes]:
    if "://" in path:
        return _opened(path, "infer_from_extension")
    place = Path(reachable(path))
    # Said here, since what opening a folder or nothing says depends on the suffix.
    if place.is_dir():
        raise CorpusFileError(f"{path} is a folder; a text file is wanted")
    if not place.exists():
        archive = next((parent for parent in place.parents if parent.is_file()), None)
        if archive is None or not is_archive(archive):
            raise CorpusNotFoundError(f"no such file: {path}")
        return _member(archive, place.relative_to(archive).as_posix())
    first = _first_bytes(place)
    if first.startswith(_ZIP):
        found = members(place)
        if not found:
            raise CorpusFileError(f"{path} is an archive without files")
        if len(found) != 1:
            raise CorpusFileError(
                f"{path} is an archive of {len(found)} files; name one of them, as in "
                f"{path}/{found[0]}"
            )
        return _member(place, found[0])
    # smart_open takes "en:text" for a URL, and what stands between backslashes for a host.
    whole = place.absolute()
    name = str(whole) if str(whole).startswith(WHOLE) else whole.as_posix()
    compression = _compression(place, first)
    stream = _opened(name, compression)
    return bounded(stream, place.stat().st_size) if compression in _MAGIC else stream


def _opened(path: str, compression: str, packed: IO[bytes] | None = None) -> IO[bytes]:
    """Open a file, or what a stream of another one has, unpacked."""
    stream: IO[bytes]
    try:
        if packed is None:
            packing = "disable" if compression == ".xz" else compression
            stream = smart_open.open(path, "rb", compression=packing)
            if compression == ".xz":
                stream = open_xz(stream)
        elif compression == ".xz":
            stream = open_xz(packed)
        else:
            stream = compression_wrapper(packed, "rb", compression)
    except ImportError as error:
        extra = _EXTRAS.get(compression, _EXTRAS.get(Path(path).suffix.lower()))
        hint = f"; pip install 'smart_open[{extra}]'" if extra else ""
        raise CorpusFileError(f"cannot open {path}: {error}{hint}") from error
    except (OSError, NotImplementedError, ValueError) as error:
        raise CorpusFileError(f"cannot open {path}: {error}") from error
    return stream


def _first_bytes(path: Path) -> bytes:
    """Return the first bytes of a file, none of a pipe, which could not be read again."""
    if not path.is_file():
        return b""
    try:
        with path.open("rb") as stream:
            return stream.read(_LONGEST_MAGIC)
    except OSError as error:
        raise CorpusFileError(f"cannot open {path}: {error}") from error


def _compression(path: Path, first: bytes) -> str:
    named = path.is_file() and path.suffix.lower() in _MAGIC
    return _packing(first) or ("disable" if named else "infer_from_extension")


def _packing(first: bytes) -> str | None:
    return next((name for name, magic in _MAGIC.items() if magic.match(first)), None)


def is_archive(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a zip archive, by its first bytes."""
    return _first_bytes(Path(reachable(path))).startswith(_ZIP)


def members(path: str | os.PathLike[str]) -> list[str]:
    """Return the names of the files in a zip archive, without those that systems leave there."""
    try:
        names = _archive(Path(reachable(path))).namelist()
    except (OSError, zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise CorpusFileError(f"cannot open the archive {path}: {error}") from error
    if "[Content_Types].xml" in names or {"mimetype", "content.xml"} <= set(names):
        raise CorpusFileError(
            f"{path} is a workbook or document of an office program; save the sheet as CSV UTF-8 "
            "or Unicode Text, the document as text in UTF-8"
        )
    return [
        name for name in names
        if not name.endswith("/") and not name.startswith("__MACOSX/")
        and not Path(name).name.startswith(".")
    ]  # fmt: skip


def _archive(path: Path) -> zipfile.ZipFile:
    """Return a zip archive that is closed; what is in it is known."""
    found = path.stat()
    return _listed(path, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


# Else each file of an archive of many would take as long as there are files.
@lru_cache(maxsize=2)  # those of two sides
def _listed(path: Path, *state: int) -> zipfile.ZipFile:
    with zipfile.ZipFile(path) as archive:
        return archive


def _member(archive: Path, name: str) -> IO[bytes]:
    try:
        opened = copy(_archive(archive))
        info = opened.getinfo(name)
        opened.fp = archive.open("rb")
        try:
            stream: Any = opened.open(info)
        except BaseException:
            opened.fp.close()
            raise
        finally:
            opened.fp = None  # it is closed with the stream
    except KeyError as error:
        raise CorpusNotFoundError(f"no file {name!r} in the archive {archive}") from error
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError) as error:
        raise CorpusFileError(f"cannot open {archive}/{name}: {error}") from error
    try:
        first = stream.peek(_LONGEST_MAGIC)
    except Exception:  # damage is said by who reads the file
        first = b""
    if first.startswith(_ZIP):
        stream.close()
        raise CorpusFileError(f"{archive}/{name} is an archive in an archive; unpack {archive}")
    unpacked: IO[bytes] = stream
    if packing := _packing(first):
        unpacked = _opened(f"{archive}/{name}", packing, stream)
        weakref.finalize(unpacked, stream.close)  # which is not closed with it
    return bounded(unpacked, info.compress_size)


def head_of(path: str, size: int) -> bytes:
    """Return up to so many first bytes of a file, unpacked; none of what cannot be read twice.

    Nobody is told of it. What is missing or damaged is said by who reads the file to its end.
    """
    place = Path(reachable(path))
    if "://" not in path and not place.is_file() and place.exists():
        return b""
    head = bytearray()
    try:
        with _stream(path) as stream:
            while piece := stream.read(min(_HEAD_PIECE, size - len(head))):
                head += piece
    except Exception:  # each kind of archive has errors of its own
        return bytes(head)
    return bytes(head)
