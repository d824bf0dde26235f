"""Rows of cells as tables of text, with commas or tabs between them."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from typing import IO

from gensim_bilbowa.errors import FormatError

__all__ = ["write_delimited"]


class _Lines:
    """What csv writes to, so that lines end as asked for, and carriage returns in cells are quoted.

    csv quotes the characters of its own line end alone.
    """

    def __init__(self, stream: IO[str], end: str) -> None:
        self._stream = stream
        self._end = end

    def write(self, row: str) -> None:
        try:
            self._stream.write(row.removesuffix("\r\n") + self._end)
        except UnicodeEncodeError as error:
            raise FormatError(
                f"the row {row.strip()!r:.80}: {error.encoding} cannot hold the character "
                f"{row[error.start]!r}"
            ) from error


def write_delimited(
    stream: IO[str], rows: Iterable[Sequence[str]], kind: str, end: str = "\n"
) -> None:
    """Write rows to an open text stream; a cell with a separator or quote in it is quoted.

    Parameters
    ----------
    stream : text stream
    rows : iterable of sequences of str
    kind : {"csv", "tsv"}
    end : str
        Of lines: a newline, or CR LF.

    Raises
    ------
    FormatError
        If a cell has a character that the stream's encoding cannot hold.
    """
    dialect = "excel" if kind == "csv" else "excel-tab"
    csv.writer(_Lines(stream, end), dialect).writerows(rows)
