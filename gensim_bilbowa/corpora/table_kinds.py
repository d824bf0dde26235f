"""Kinds of tables that are files, told by how they begin."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from gensim_bilbowa.corpora.files import read_pieces
from gensim_bilbowa.corpora.marks import mark_of
from gensim_bilbowa.corpora.rows import LONGEST_ROW, BadRow, Row, json_rows, quoted_rows, split_rows
from gensim_bilbowa.errors import CorpusError

__all__ = ["HEAD_BYTES", "TableKind", "decoded_lines", "table_kind"]

# So much of a file is looked at.
HEAD_BYTES = 1 << 16

_SEPARATOR_LINE = re.compile(r"sep=(.)\n")
_JSON_OBJECT = re.compile(r'\s*+\{\s*+(?:"(?:[^"\\\n]|\\.)*+"\s*+:|\Z)')
_JSON_ARRAY = re.compile(r'\s*+\[\s*+(?:\{\s*+"|\[\s*+"|")')

# Rows with tabs in which each quote is as it should be.
_INNER = r'[^"]*+(?:""[^"]*+)*+'
_CELL = rf'(?:"{_INNER}"|[^"\t\n]*+)'
_QUOTED_ROWS = re.compile(rf"(?:{_CELL}(?:\t{_CELL})*+(?:\n|\Z))*+")
_OPEN_ROW = re.compile(rf'(?:{_CELL}\t)*+"{_INNER}\Z')

# Of lines that are those of a table; less where the name of the file says that it is one.
_MOST, _HALF = 0.9, 0.5


@dataclass(frozen=True)
class TableKind:
    r"""How the rows of a file are written.

    Attributes
    ----------
    delimiter : str
        Between cells: a tab, a comma, a semicolon, ``|`` or ``|||``; empty for JSON lines.
    quoted : bool
        Whether cells may be in quotes.
    encoding : str
    line_end : str
        ``\n``, of ``\r\n`` as well, or ``\r``.
    first : int
        Number of the first line that is a row: 2 after Excel's ``sep=;``.
    """

    delimiter: str = "\t"
    quoted: bool = False
    encoding: str = "utf-8"
    line_end: str = "\n"
    first: int = 1

    @property
    def plain(self) -> bool:
        """Whether compiled code can take its lines apart."""
        return self == TableKind()

    def rows(self, lines: Iterable[str], name: str) -> Iterator[Row]:
        """Yield the rows of a file's lines; `name` is the file's in errors."""
        lines = iter(lines)
        for _ in range(1, self.first):
            next(lines, None)
        if not self.delimiter:
            return json_rows(lines, self.first)
        if self.quoted:
            return quoted_rows(lines, name, self.delimiter, self.first)
        return split_rows(lines, self.delimiter, self.first)

    def lines(self, head: bytes) -> list[str]:
        """Return the whole lines of a file's beginning."""
        lines = _text(head, self.encoding).split(self.line_end)
        if len(head) >= HEAD_BYTES or not lines[-1]:
            lines.pop()
        return [line.removesuffix("\r") for line in lines]


def table_kind(head: bytes, name: str = "") -> TableKind | None:
    """Return what kind of table a file is; None if it seems to be none.

    Parameters
    ----------
    head : bytes
        Its first :data:`HEAD_BYTES` bytes, unpacked, or all if there are less.
    name : str
        The file's, whose suffix is a hint.
    """
    encoding = _encoding(head)
    text = _text(head, encoding).replace("\r\n", "\n")
    cut = len(head) >= HEAD_BYTES
    line_end = "\r" if "\r" in text.rstrip("\r") and "\n" not in text else "\n"
    if line_end == "\r":
        text = text.replace("\r", "\n")

    def kind(delimiter: str, quoted: bool = False, first: int = 1) -> TableKind:
        return TableKind(delimiter, quoted, encoding, line_end, first)

    if named := _SEPARATOR_LINE.match(text):
        return kind(named[1], quoted=True, first=2)
    suffixes = {suffix.lower() for suffix in Path(name).suffixes[-2:]}
    if suffixes & {".jsonl", ".ndjson"} or _JSON_OBJECT.match(text):
        return kind("")
    if _has_quoted_cells(text, cut):
        return kind("\t", quoted=True)
    whole = text[: text.rfind("\n") + 1] if cut else text
    lines = [line for line in whole.split("\n") if line.strip()]
    for delimiter in ("\t", "|||"):
        if lines and sum(delimiter in line for line in lines) >= _HALF * len(lines):
            return kind(delimiter)
    if _JSON_ARRAY.match(text):
        return kind("")
    by_name = ".csv" in suffixes
    shares = {
        delimiter: _share(text.split("\n"), delimiter, cut, spaced=by_name) for delimiter in ";,|"
    }
    best = max(shares, key=lambda delimiter: shares[delimiter])
    return kind(best, quoted=True) if shares[best] >= (_HALF if by_name else _MOST) else None


def _encoding(head: bytes) -> str:
    if encoding := mark_of(head)[1]:
        return encoding
    # Without a mark: of most scripts with an alphabet each second byte of most characters is zero.
    even, odd = head[::2].count(0), head[1::2].count(0)
    if max(even, odd) > len(head) / 4 > 4 * min(even, odd):
        return "utf-16-be" if even > odd else "utf-16-le"
    return "utf-8"


def _text(head: bytes, encoding: str) -> str:
    return head.decode(encoding, "replace").removeprefix("\ufeff")


def _has_quoted_cells(text: str, cut: bool) -> bool:
    """Say whether cells with tabs between them are in quotes by rule, not as words are.

    Then each quote is doubled or at a cell's end, and quotes are where programs need them: around
    quotes, tabs and line breaks, around all commas (Excel), or around all cells.
    """
    if '"' not in text:
        return False
    found = _QUOTED_ROWS.match(text)
    end = found.end() if found else 0
    if end < len(text) and not (cut and _OPEN_ROW.match(text, end)):
        return False
    cells = re.findall(_CELL + r"(?=[\t\n]|\Z)", text[:end])
    quoted = [cell[1:-1] for cell in cells if cell.startswith('"')]
    bare = [cell for cell in cells if cell and not cell.startswith('"')]
    if "\t" not in text or not quoted:
        return False
    needed = any('""' in cell or "\t" in cell or "\n" in cell for cell in quoted)
    commas = any("," in cell for cell in quoted) and not any("," in cell for cell in bare)
    return needed or commas or not bare


def _share(lines: list[str], delimiter: str, cut: bool, spaced: bool) -> float:
    """Return the share of rows that have the usual number of cells, if that is two or more.

    Unless `spaced`, what has a space after most delimiters is running text.
    """
    found = [row for _, row in quoted_rows(lines, "", delimiter)]
    if cut:
        del found[-1:]
    rows = [row for row in found if isinstance(row, list) and any(map(str.strip, row))]
    # One of many lines may be the whole rest, after a quote that does not close.
    broken = len({id(row) for row in found if isinstance(row, BadRow)})
    counts = Counter(map(len, rows))
    cells, times = max(counts.items(), key=lambda item: item[1], default=(0, 0))
    if cells < 2:
        return 0.0
    text = re.sub('"[^"]*+"', '""', "\n".join(lines))
    if not spaced and 2 * text.count(delimiter + " ") > text.count(delimiter):
        return 0.0
    return times / (len(rows) + broken)


def decoded_lines(name: str, kind: TableKind, errors: str) -> Iterator[str]:
    """Yield the lines of a file in another encoding, or with other ends than ``read_lines`` has."""
    decoder = codecs.getincrementaldecoder(kind.encoding)(errors)
    number = 1
    rest = ""
    with closing(read_pieces(name)) as pieces:
        for piece in chain(pieces, [b""]):
            try:
                text = decoder.decode(piece, not piece)
            except UnicodeDecodeError as error:
                before = error.object[: error.start].decode(kind.encoding, "replace")
                number += before.count(kind.line_end)
                raise CorpusError(
                    f"{name}, line {number}: not {kind.encoding.upper()} "
                    f"(0x{error.object[error.start]:02x}); convert the file, or pass "
                    "errors='replace' (--errors replace)"
                ) from error
            *lines, rest = (rest + text).split(kind.line_end)
            for line in lines:
                yield line.removesuffix("\r").removeprefix("\ufeff" if number == 1 else "")
                number += 1
            if len(rest) > LONGEST_ROW:
                raise CorpusError(f"{name}, line {number}: longer than {LONGEST_ROW:,} characters")
    if rest:
        yield rest.removeprefix("\ufeff" if number == 1 else "")
