"""Lines of a table taken apart into rows."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from gensim_bilbowa.errors import CorpusError
from gensim_bilbowa.files.documents import parse_json

__all__ = ["LONGEST_ROW", "BadRow", "Row", "json_rows", "quoted_rows", "split_rows"]

# A longer row is one whose quote does not close, or made to fill the memory.
LONGEST_ROW = 1 << 22


class BadRow(NamedTuple):
    """A row that cannot be read: the reason to count it by, and what is wrong, in words."""

    reason: str
    problem: str


_AS_LINES = "each line must be one, as `jq -c '.[]'` writes those of an array"

# The number of a row's first line, and the cells, by name or by place.
Row = tuple[int, list[str] | dict[str, Any] | BadRow]


def split_rows(lines: Iterable[str], delimiter: str, first: int = 1) -> Iterator[Row]:
    """Yield the cells of lines between delimiters; `first` is the number of the first line."""
    for number, line in enumerate(lines, first):
        yield number, line.split(delimiter)


def quoted_rows(lines: Iterable[str], name: str, delimiter: str, first: int = 1) -> Iterator[Row]:
    """Yield the cells of a table in which cells may be in quotes, line breaks in them.

    Raises
    ------
    CorpusError
        If a row has more than 4 Mi characters; `name` is the file's in the message.
    """
    # The module's own limit is less than that of a line, and the same for the whole process.
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_ROW))
    feed = _Feed(lines, name, first)
    reader = csv.reader(feed, delimiter=delimiter, strict=True, skipinitialspace=delimiter != "\t")
    while True:
        feed.begin()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            problem = f"a cell in quotes is not as it should be, inner quotes doubled ({error})"
            row = BadRow("with a broken quote", problem)
            for number in range(feed.start, feed.number):
                yield number, row
        else:
            yield feed.start, cells


class _Feed:
    """Lines as the csv module wants them, and where the row that is read began."""

    def __init__(self, lines: Iterable[str], name: str, first: int) -> None:
        self._lines = iter(lines)
        self._name = name
        self.number = first  # of the next line
        self.begin()

    def begin(self) -> None:
        self.start = self.number
        self._size = 0

    def __iter__(self) -> _Feed:
        return self

    def __next__(self) -> str:
        # A carriage return would end the row.
        line = next(self._lines).replace("\r", " ") + "\n"
        self.number += 1
        self._size += len(line)
        if self._size > LONGEST_ROW:
            raise CorpusError(
                f"{self._name}, line {self.start}: a quote that opens here, or in a line after it, "
                f"does not close within {LONGEST_ROW:,} characters"
            )
        return line


def json_rows(lines: Iterable[str], first: int = 1) -> Iterator[Row]:
    """Yield the objects of JSON lines; a blank line gives an empty one."""
    for number, line in enumerate(lines, first):
        try:
            row = parse_json(line, object_pairs_hook=None) if line.strip() else {}
        except (ValueError, RecursionError) as error:
            wrong = getattr(error, "msg", error)
            row = BadRow("that are no JSON", f"no JSON object, {wrong}: {line[:60]!r}; {_AS_LINES}")
        if not isinstance(row, dict | BadRow):
            row = BadRow("that are no objects", f"no JSON object: {line[:60]!r}; {_AS_LINES}")
        yield number, row
