"""Which file a term list is saved as, and how."""

from __future__ import annotations

import os
from pathlib import Path

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.files.staging import staged
from gensim_bilbowa.files.tbx import TBX_2008, TBX_BASIC
from gensim_bilbowa.terminology.omegat import write_omegat
from gensim_bilbowa.terminology.page import write_page
from gensim_bilbowa.terminology.records import write_json
from gensim_bilbowa.terminology.tables import write_table
from gensim_bilbowa.terminology.tbx import write_tbx
from gensim_bilbowa.terminology.term import Terms
from gensim_bilbowa.terminology.workbook import check_workbooks, write_workbook

__all__ = ["FORMATS", "file_format", "save"]

FORMATS = ("csv", "tsv", "xlsx", "tbx", "tbx2008", "omegat", "json", "html")
# What users call a file of a format that is not named as its suffix.
_SUFFIXES = {"martif": "tbx2008", "utf8": "omegat", "txt": "omegat", "htm": "html"}
_TABLES = ("csv", "tsv")


def file_format(
    path: str | os.PathLike[str], format: str | None = None, *, excel: bool = False
) -> str:
    """Return the format that a term list has in a file: the one named, or that of the suffix.

    What takes long to find can so be refused before.

    Raises
    ------
    ConfigError
        If it is none of `FORMATS`, or `excel` is asked for and it is no table of text.
    ImportError
        If what writes the format is not installed.
    """
    suffix = Path(path).suffix.removeprefix(".").lower()
    kind = _SUFFIXES.get(suffix, suffix) if format is None else format
    if kind not in FORMATS:
        raise ConfigError(
            f"the format of a term list is one of {', '.join(FORMATS)}; got {kind!r} for "
            f"{os.fspath(path)}"
        )
    if excel and kind not in _TABLES:
        raise ConfigError(
            f"excel is for {' and '.join(_TABLES)}; got the format {kind!r} for {os.fspath(path)}"
        )
    if kind == "xlsx":
        check_workbooks()
    return kind


def save(terms: Terms, path: str | os.PathLike[str], format: str | None, *, excel: bool) -> None:
    """Write a term list to a file, see :meth:`TermList.save`."""
    kind = file_format(path, format, excel=excel)
    if kind == "html":
        write_page(terms, path)
        return
    with staged(path) as (place,):
        if kind in _TABLES:
            encoding = "utf-8-sig" if excel else "utf-8"
            with place.open("w", encoding=encoding, newline="") as stream:
                write_table(terms, stream, kind, excel=excel)
        elif kind == "xlsx":
            write_workbook(terms, place)
        elif kind == "tbx":
            write_tbx(terms, place, TBX_BASIC)
        elif kind == "tbx2008":
            write_tbx(terms, place, TBX_2008)
        elif kind == "omegat":
            write_omegat(terms, place)
        else:
            write_json(terms, place)
