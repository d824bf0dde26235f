"""How a text is encoded, as its first bytes say: byte order marks, and wide characters."""

from __future__ import annotations

import codecs
import re

__all__ = ["mark_of", "wide_encoding_of"]

_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",  # begins as that of UTF-16
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}

# The first characters of a file without a mark: "<" or white space, and one of ASCII.
_WIDE = {
    "utf-32-le": re.compile(rb"[<\s]\0\0\0"),
    "utf-32-be": re.compile(rb"\0\0\0[<\s]"),
    "utf-16-le": re.compile(rb"[<\s]\0[^\0]\0"),
    "utf-16-be": re.compile(rb"\0[<\s]\0[^\0]"),
}


def mark_of(data: bytes) -> tuple[bytes, str]:
    """Return the mark that a text begins with, and its encoding; both are empty without one."""
    return next(((mark, name) for mark, name in _MARKS.items() if data.startswith(mark)), (b"", ""))


def wide_encoding_of(data: bytes) -> str:
    """Return the encoding of XML without a mark whose characters have several bytes, else ""."""
    return next((name for name, begin in _WIDE.items() if begin.match(data)), "")
