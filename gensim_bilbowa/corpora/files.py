"""Sentences from text files: one a line, tokens separated by white space."""

from __future__ import annotations

import lzma
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import smart_open

from gensim_bilbowa.errors import ConfigError, CorpusError, CorpusFileError, CorpusNotFoundError

__all__ = ["LineCorpus", "read_lines"]

_BOM = b"\xef\xbb\xbf"

# A longer line is no sentence but a file of another kind, or one made to fill the memory.
_LONGEST_LINE = 1 << 24


def _open(path: str) -> IO[bytes]:
    if "://" not in path:
        # Said here, since what opening a folder or nothing says depends on the suffix.
        if Path(path).is_dir():
            raise CorpusFileError(f"{path} is a folder; a text file is wanted")
        if not Path(path).exists():
            raise CorpusNotFoundError(f"no such corpus file: {path}")
        path = str(Path(path).absolute())  # else smart_open takes "en:text" for a URL
    try:
        stream: IO[bytes] = smart_open.open(path, "rb")
    except (OSError, ImportError, NotImplementedError, ValueError) as error:
        raise CorpusFileError(f"cannot open {path}: {error}") from error
    return stream


def read_lines(path: str | os.PathLike[str], *, errors: str = "strict") -> Iterator[str]:
    r"""Yield the lines of a UTF-8 file, without their ends.

    A line ends at ``\n`` alone (a ``\r`` before it is dropped); form feeds, NEL and the Unicode
    line separators are white space within a line. A byte order mark at the start is dropped.

    Parameters
    ----------
    path : str or path-like
        A plain, .gz, .bz2 or .xz file, or any URL that smart_open takes.
    errors : {"strict", "replace", "ignore"}
        What to do about bytes that are not UTF-8, as in :meth:`bytes.decode`.

    Raises
    ------
    CorpusNotFoundError, CorpusFileError
        If the file is missing, or cannot be read to its end (a cut-off archive, for example).
    CorpusError
        If a line is not UTF-8; the message names file, line and byte. If a line has more than
        16 MiB.
    """
    name = os.fspath(path)
    number = 0
    with _open(name) as stream:
        while True:
            try:
                raw = stream.readline(_LONGEST_LINE + 1)
            except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
                raise CorpusFileError(
                    f"{name} cannot be read past line {number}: {error}"
                ) from error
            number += 1
            if len(raw) > _LONGEST_LINE:
                raise CorpusError(
                    f"{name}, line {number}: longer than {_LONGEST_LINE:,} bytes; is it a text "
                    "file with a sentence on each line?"
                )
            skipped = len(_BOM) if number == 1 and raw.startswith(_BOM) else 0
            raw = raw[skipped:]
            if not raw:
                return
            if raw.endswith(b"\n"):
                raw = raw[:-2] if raw.endswith(b"\r\n") else raw[:-1]
            try:
                yield raw.decode("utf-8", errors)
            except UnicodeDecodeError as error:
                raise CorpusError(
                    f"{name}, line {number}, byte {skipped + error.start + 1}: not UTF-8 "
                    f"(0x{raw[error.start]:02x}); convert the file, or pass errors='replace'"
                ) from error


class LineCorpus:
    r"""The sentences of a text file: a line each, tokens separated by white space.

    As gensim's ``LineSentence``, but blank lines stay (as empty sentences, so that two files keep
    in step), no sentence is cut, only ``\n`` ends a line, and errors name file and line.

    Parameters
    ----------
    path : str or path-like
        A plain, .gz, .bz2 or .xz file, or any URL that smart_open takes.
    limit : int, optional
        Read the first `limit` lines only.
    errors : {"strict", "replace", "ignore"}
        What to do about bytes that are not UTF-8, as in :meth:`bytes.decode`.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp()) / "text.en"
    >>> _ = path.write_text("the house\n\nis red\n", encoding="utf-8")
    >>> list(LineCorpus(path))
    [['the', 'house'], [], ['is', 'red']]
    """

    def __init__(
        self, path: str | os.PathLike[str], *, limit: int | None = None, errors: str = "strict"
    ) -> None:
        if errors not in ("strict", "replace", "ignore"):
            raise ConfigError(f"errors must be 'strict', 'replace' or 'ignore', not {errors!r}")
        whole = isinstance(limit, int) and not isinstance(limit, bool)
        if limit is not None and (not whole or limit < 0):
            raise ConfigError(f"limit must be None or a whole number from 0, not {limit!r}")
        self.path = os.fspath(path)
        self.limit = limit
        self.errors = errors

    def __iter__(self) -> Iterator[list[str]]:
        if self.limit == 0:
            return
        for number, line in enumerate(read_lines(self.path, errors=self.errors), start=1):
            yield line.split()
            if number == self.limit:
                return

    def __repr__(self) -> str:
        return f"LineCorpus({self.path!r})"

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, LineCorpus):
            return NotImplemented
        return (self.path, self.limit, self.errors) == (other.path, other.limit, other.errors)

    __hash__ = None  # type: ignore[assignment]
