"""Which reader a file wants: told by what is in it, else by its name."""

from __future__ import annotations

import os
import re
from pathlib import Path

from gensim_bilbowa.corpora.files import LineCorpus, Split
from gensim_bilbowa.corpora.marks import mark_of, wide_encoding_of
from gensim_bilbowa.corpora.mo import MOPairs
from gensim_bilbowa.corpora.opening import head_of
from gensim_bilbowa.corpora.po import POPairs
from gensim_bilbowa.corpora.tables import Columns, TablePairs
from gensim_bilbowa.corpora.tmx import TMXPairs
from gensim_bilbowa.corpora.ts import TSPairs
from gensim_bilbowa.corpora.units import OTHER, UnitPairs, UnitTexts
from gensim_bilbowa.corpora.xliff import XLIFFPairs
from gensim_bilbowa.errors import CorpusError

__all__ = ["is_sure", "pairs_of", "plain_suffix", "reader_of", "root_of", "text_of"]

_HEAD = 1 << 16
_BY_SUFFIX: dict[str, type[UnitPairs]] = {
    ".tmx": TMXPairs,
    ".xlf": XLIFFPairs,
    ".xliff": XLIFFPairs,
    ".sdlxliff": XLIFFPairs,
    ".mqxliff": XLIFFPairs,
    ".mxliff": XLIFFPairs,
    ".txlf": XLIFFPairs,
    ".ts": TSPairs,
    ".po": POPairs,
    ".pot": POPairs,
    ".mo": MOPairs,
    ".gmo": MOPairs,
}
_BY_ROOT: dict[str, type[UnitPairs]] = {"tmx": TMXPairs, "xliff": XLIFFPairs, "ts": TSPairs}
_PACKED = {".gz", ".bz2", ".xz", ".lz4", ".zst", ".zip"}
_MO = (b"\xde\x12\x04\x95", b"\x95\x04\x12\xde")
_COMMENT = re.compile(r"<!--.*?(-->|\Z)", re.DOTALL)
_ROOT = re.compile(r"<(?:[\w.\-]+:)?([A-Za-z][\w.\-]*)")
_MESSAGE = re.compile(r'(?:\s*+(?:#[^\n\r]*+[\n\r]))*+\s*+(?:msgctxt|msgid)\s*+"')


def plain_suffix(path: str | os.PathLike[str]) -> str:
    """Return a file's suffix in small letters, without that of what packs it."""
    name = Path(path)
    if name.suffix.lower() in _PACKED:
        name = name.with_suffix("")
    return name.suffix.lower()


def reader_of(path: str) -> type[UnitPairs] | None:
    """Return the reader of a translation file, packed or not; None of text and tables.

    Raises
    ------
    CorpusError
        If it is XML of another kind.
    """
    head = head_of(path, _HEAD)
    if head.startswith(_MO):
        return MOPairs
    text = _decoded(head)
    by_name = _BY_SUFFIX.get(plain_suffix(path))
    if text.startswith("<"):
        root = _root(text)
        if reader := _BY_ROOT.get(root.lower()):
            return reader
        if by_name is None and text.startswith("<?xml"):
            raise CorpusError(
                f"{path}: XML of another kind{f' (<{root}>)' if root else ''}; translation "
                "files are TMX, XLIFF and Qt's TS"
            )
    elif _MESSAGE.match(text):
        return POPairs
    elif by_name is TSPairs and text:
        return None  # TypeScript, or a film
    return by_name


def root_of(path: str) -> str:
    """Return the name of an XML file's first element, without a prefix; empty of other files."""
    return _root(_decoded(head_of(path, _HEAD)))


def _root(text: str) -> str:
    root = _ROOT.search(_COMMENT.sub("", text)) if text.startswith("<") else None
    return root[1] if root else ""


def is_sure(path: str) -> bool:
    """Say whether a file is a translation file, not only by the suffix .mo, which others have.

    Raises
    ------
    CorpusError
        If it is XML of another kind.
    """
    reader = reader_of(path)
    return reader is not None and (reader is not MOPairs or head_of(path, 4).startswith(_MO))


def _decoded(head: bytes) -> str:
    """Return the first of a file as text, as far as that tells its kind."""
    encoding = mark_of(head)[1] or wide_encoding_of(head) or "latin-1"
    return head.decode(encoding, "replace").lstrip("\ufeff \t\r\n")


def text_of(
    path: str | os.PathLike[str], language: str, errors: str = "strict",
    tokenizer: Split | None = None,
) -> LineCorpus | UnitTexts:  # fmt: skip
    """Return the text of one language in a file: its lines, or its side of a translation file."""
    reader = reader_of(os.fspath(path))
    if reader is None:
        return LineCorpus(path, errors=errors, tokenizer=tokenizer)
    units = reader(path, (language, OTHER), errors)
    return UnitTexts(units, language, tokenizer or units.split(language))


def pairs_of(
    path: str, languages: tuple[str, str], errors: str, *, columns: Columns | None, skip_bad: bool,
    tokenized: bool,
) -> UnitPairs:  # fmt: skip
    """Return the pairs in a file: those of a translation file, or of a table."""
    reader = reader_of(path)
    if reader is not None:
        return reader(path, languages, errors)
    return TablePairs(
        path, languages, errors, columns=columns, skip_bad=skip_bad, tokenized=tokenized
    )
