"""Sentences from text files: one a line, tokens separated by white space."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from gensim_bilbowa.corpora.opening import open_bytes
from gensim_bilbowa.errors import ConfigError, CorpusError, CorpusFileError
from gensim_bilbowa.parameters import check_errors

__all__ = [
    "Block",
    "LineCorpus",
    "Split",
    "lines_of",
    "not_utf8",
    "read_blocks",
    "read_lines",
    "read_pieces",
]

# From a line of text to its tokens.
Split: TypeAlias = Callable[[str], list[str]]

_BOM = b"\xef\xbb\xbf"

# A longer line is no sentence but a file of another kind, or one made to fill the memory.
_LONGEST_LINE = 1 << 24

_BLOCK_BYTES = 1 << 20
# Little, since what was asked for together with the damaged part of an archive is lost.
_PIECE_BYTES = 1 << 16


def read_pieces(path: str | os.PathLike[str]) -> Generator[bytes, None, None]:
    """Yield the bytes of a file, unpacked, a megabyte at a time.

    Raises
    ------
    CorpusNotFoundError, CorpusFileError
        If the file is missing, or cannot be read to its end.
    """
    name = os.fspath(path)
    with open_bytes(name) as stream:
        while True:
            try:
                piece = stream.read(_BLOCK_BYTES)
            except Exception as error:  # each kind of archive has errors of its own
                raise CorpusFileError(f"{name} cannot be read to its end: {error}") from error
            if not piece:
                return
            yield piece


@dataclass(frozen=True)
class Block:
    """Some whole lines of a file, not empty; only the file's last line may lack its end.

    Attributes
    ----------
    data : bytes
    line : int
        Number of its first line, counted from 1.
    skipped : int
        Bytes of that line that are left out: a byte order mark.
    """

    data: bytes
    line: int
    skipped: int = 0

    @property
    def lines(self) -> int:
        """Number of lines."""
        return self.data.count(b"\n") + (not self.data.endswith(b"\n"))

    def first(self, lines: int) -> Block:
        """Return the first of its lines."""
        rest = self.data.split(b"\n", lines)[lines:]
        return replace(self, data=self.data[: len(self.data) - sum(map(len, rest))])


def read_blocks(path: str | os.PathLike[str], longest: int | None = None) -> Iterator[Block]:
    """Yield a file in blocks of whole lines, without a byte order mark at its start.

    Parameters
    ----------
    path : str or path-like
    longest : int, optional
        Bytes that a line may have, 16 MiB by default.

    Raises
    ------
    CorpusNotFoundError, CorpusFileError
        If the file is missing, or cannot be read to its end (a cut-off archive, for example).
    CorpusError
        If a line is longer. All lines before an error are yielded first.
    """
    name = os.fspath(path)
    longest = longest or _LONGEST_LINE
    line = 1
    whole: list[bytes] = []  # pieces that together are whole lines, and their bytes
    rest: list[bytes] = []  # pieces of the line after them, and their bytes
    n_whole = n_rest = 0
    with open_bytes(name) as stream:
        # Where there is a choice, what a pipe has now: a wait for more might miss Ctrl-C.
        read = getattr(stream, "read1", stream.read)
        piece, failure = b"-", None
        while piece:
            try:
                piece = read(_PIECE_BYTES)
            except Exception as error:  # each kind of archive has errors of its own
                piece, failure = b"", error
            cut = piece.rfind(b"\n") + 1
            if cut:
                whole += [*rest, piece[:cut]]
                n_whole += n_rest + cut
                rest, n_rest = [], 0
            rest.append(piece[cut:])
            n_rest += len(piece) - cut
            if piece and n_rest <= longest and n_whole < _BLOCK_BYTES:
                continue
            if n_rest > longest or (not piece and failure is None):
                whole += rest
            data = b"".join(whole)
            whole, n_whole = [], 0
            good = _before_long_line(data, longest)
            block = Block(data[:good], line)
            line += block.lines if good else 0
            if block.line == 1 and data.startswith(_BOM):
                block = Block(block.data[len(_BOM) :], 1, skipped=len(_BOM))
            if block.data:
                yield block
            if good < len(data):
                raise CorpusError(
                    f"{name}, line {line}: longer than {longest:,} bytes; is it a text "
                    "file with a sentence on each line?"
                )
    if failure is not None:
        raise CorpusFileError(f"{name} cannot be read past line {line - 1}: {failure}") from failure


def _before_long_line(data: bytes, longest: int) -> int:
    """Return where the first line begins that is too long; the end if none is."""
    start = 0
    while len(data) - start > longest:
        end = data.find(b"\n", start, start + longest) + 1
        if not end:
            return start
        start = end
    return len(data)


def not_utf8(path: str, block: Block) -> CorpusError:
    """Return the error that says where a block is not UTF-8."""
    try:
        block.data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = Block(block.data[: error.start] + b"\n", block.line)
        start = block.data.rfind(b"\n", 0, error.start) + 1
        number = block.line + before.lines - 1
        byte = error.start - start + 1 + (block.skipped if number == block.line else 0)
        return CorpusError(
            f"{path}, line {number}, byte {byte}: not UTF-8 (0x{block.data[error.start]:02x}); "
            "convert the file to UTF-8, as Excel's CSV UTF-8, or lose such characters by "
            "errors='replace' (--errors replace)"
        )
    raise ValueError("the block is UTF-8")


def read_lines(
    path: str | os.PathLike[str], *, errors: str = "strict", longest: int | None = None
) -> Iterator[str]:
    r"""Yield the lines of a UTF-8 file, without their ends.

    A line ends at ``\n`` alone (a ``\r`` before it is dropped); form feeds, NEL and the Unicode
    line separators are white space within a line. A byte order mark at the start is dropped.

    Parameters
    ----------
    path : str or path-like
        A file, plain or packed by gzip, bzip2, xz, zstandard or lz4, as its first bytes tell; or
        any URL that smart_open takes.
    errors : {"strict", "replace", "ignore"}
        What to do about bytes that are not UTF-8, as in :meth:`bytes.decode`.
    longest : int, optional
        Bytes that a line may have, 16 MiB by default.

    Raises
    ------
    CorpusNotFoundError, CorpusFileError
        If the file is missing, or cannot be read to its end (a cut-off archive, for example).
    CorpusError
        If a line is not UTF-8; the message names file, line and byte. If a line is longer.
    """
    return lines_of(os.fspath(path), read_blocks(path, longest), errors)


def lines_of(name: str, blocks: Iterable[Block], errors: str) -> Iterator[str]:
    """Yield the lines of blocks as :func:`read_lines` does; `name` is the file's in errors."""
    for block in blocks:
        for line in block.data.removesuffix(b"\n").split(b"\n"):
            try:
                yield line.removesuffix(b"\r").decode("utf-8", errors)
            except UnicodeDecodeError as error:
                raise not_utf8(name, block) from error


class LineCorpus:
    r"""The sentences of a text file: a line each, tokens separated by white space.

    As gensim's ``LineSentence``, but blank lines stay (as empty sentences, so that two files keep
    in step), no sentence is cut, only ``\n`` ends a line, and errors name file and line.

    Parameters
    ----------
    path : str or path-like
        A file, plain or packed by gzip, bzip2, xz, zstandard or lz4, as its first bytes tell; or
        any URL that smart_open takes.
    limit : int, optional
        Read the first `limit` lines only.
    errors : {"strict", "replace", "ignore"}
        What to do about bytes that are not UTF-8, as in :meth:`bytes.decode`.
    tokenizer : callable, optional
        From a line to its tokens, for example a :class:`~gensim_bilbowa.Tokenizer`. Default: split
        at white space, which compiled code does when a model is trained.

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
        self,
        path: str | os.PathLike[str],
        *,
        limit: int | None = None,
        errors: str = "strict",
        tokenizer: Split | None = None,
    ) -> None:
        if tokenizer is not None and not callable(tokenizer):
            raise ConfigError(f"tokenizer must be a function of a line, not {tokenizer!r:.60}")
        check_errors(errors)
        whole = isinstance(limit, int) and not isinstance(limit, bool)
        if limit is not None and (not whole or limit < 0):
            raise ConfigError(f"limit must be None or a whole number from 0, not {limit!r}")
        self.path = os.fspath(path)
        self.limit = limit
        self.errors = errors
        self.tokenizer = tokenizer

    def blocks(self) -> Generator[Block, None, None]:
        """Yield the lines in blocks, as they are in the file, and no more than `limit`."""
        left = self.limit
        if left == 0:
            return
        for block in read_blocks(self.path):
            if left is None:
                yield block
                continue
            lines = block.lines
            yield block if lines <= left else block.first(left)
            left -= lines
            if left <= 0:
                return

    def lines(self) -> Iterator[str]:
        """Yield the lines as they are in the file, and no more than `limit`."""
        return lines_of(self.path, self.blocks(), self.errors)

    def __iter__(self) -> Iterator[list[str]]:
        split = self.tokenizer or str.split
        for line in self.lines():
            yield split(line)

    def __repr__(self) -> str:
        return f"LineCorpus({self.path!r})"

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, LineCorpus):
            return NotImplemented
        mine, its = ((c.path, c.limit, c.errors, c.tokenizer) for c in (self, other))
        return mine == its

    __hash__ = None  # type: ignore[assignment]
