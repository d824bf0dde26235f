"""Byte order marks, which say how a text is encoded."""

from __future__ import annotations

import codecs

__all__ = ["mark_of"]

_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",  # begins as that of UTF-16
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


def mark_of(data: bytes) -> tuple[bytes, str]:
    """Return the mark that a text begins with, and its encoding; both are empty without one."""
    return next(((mark, name) for mark, name in _MARKS.items() if data.startswith(mark)), (b"", ""))
