"""Term lists as workbooks of Excel: texts as texts, numbers as numbers, never a formula."""

from __future__ import annotations

import math
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.extras import needing
from gensim_bilbowa.files.tbx import check_xml
from gensim_bilbowa.terminology.tables import columns, rows
from gensim_bilbowa.terminology.term import Terms

if TYPE_CHECKING:
    import xlsxwriter

__all__ = ["check_workbooks", "write_workbook"]

# Of Excel: rows of a sheet, the header among them, and characters of a cell in UTF-16.
MOST_ROWS = 1_048_576
LONGEST = 32_767
# The first columns are the term and its translation, which are not shortened.
_TERMS = 2


def check_workbooks() -> None:
    """Raise an ImportError that says which extra is missing, if workbooks cannot be written."""
    with needing("xlsx", "workbooks of Excel need XlsxWriter"):
        import xlsxwriter  # noqa: F401


def write_workbook(terms: Terms, path: Path) -> None:
    """Write one sheet with a header that stays in sight and filters for each column.

    Raises
    ------
    FormatError
        If there are more rows than a sheet can have, a term is longer than a cell can be, or a
        text has a character that XML cannot hold. Other texts that are too long are cut, and say
        how much is missing.
    """
    import xlsxwriter

    size = 1 + sum(len(term.translations) for term in terms)
    if size > MOST_ROWS:
        raise FormatError(
            f"a sheet of Excel has {MOST_ROWS:,} rows at most, the term list wants {size:,}: write "
            "csv or tsv, or fewer terms"
        )
    # Writing the file itself, the library would hide what the system says of a full disk.
    written = BytesIO()
    with xlsxwriter.Workbook(written, {"in_memory": True}) as book:
        _write_sheet(terms, book, size)
    path.write_bytes(written.getvalue())


def _write_sheet(terms: Terms, book: xlsxwriter.Workbook, size: int) -> None:
    # The same list makes the same file.
    book.set_properties({"created": datetime(1980, 1, 1)})
    sheet = book.add_worksheet("terms")
    heads = columns(terms)
    bold = book.add_format({"bold": True})
    numbers = [head.shown and book.add_format({"num_format": head.shown}) for head in heads]
    for column, head in enumerate(heads):
        sheet.set_column(column, column, head.width)
        sheet.write_string(0, column, _fitting(head.name, column), bold)
    for row, cells in enumerate(rows(terms), start=1):
        for column, cell in enumerate(cells):
            if not isinstance(cell, str) and math.isfinite(cell):
                sheet.write_number(row, column, cell, numbers[column])
            elif cell != "":
                # Not `write`, which takes some texts for formulas, links or numbers.
                sheet.write_string(row, column, _fitting(str(cell), column))
    # An id of digits is no mistake, which Excel would mark it as.
    sheet.ignore_errors({"number_stored_as_text": "A1:XFD1048576"})
    sheet.freeze_panes(1, _TERMS)
    sheet.autofilter(0, 0, size - 1, len(heads) - 1)


def _fitting(text: str, column: int) -> str:
    check_xml(text)
    length = _utf16(text)
    if length <= LONGEST:
        return text
    if column < _TERMS:
        raise FormatError(
            f"{text!r:.80} has {length:,} characters: a cell of Excel holds {LONGEST:,} at most"
        )
    # Each character may take two of Excel's, and what is said of the rest takes some, too.
    kept = text[: LONGEST // 2 - 50]
    return f"{kept} [… {len(text) - len(kept):,} more characters]"


def _utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
