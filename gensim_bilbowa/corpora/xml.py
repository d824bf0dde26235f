"""XML files read in a stream, in constant memory, and without anything that a file could misuse."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from xml.parsers import expat

from gensim_bilbowa.corpora.files import read_pieces
from gensim_bilbowa.errors import CorpusError

__all__ = ["Handler", "read_xml"]

# No translation file nests so deeply; the parser's own memory grows with it.
_DEEPEST = 200
# Characters of a unit's text, and bytes of a tag or comment; as of a line in a text file.
_LONGEST = 1 << 24
# A document type that is written out has fewer; each one costs time at every element.
_MOST_ATTRIBUTES = 1000
# What the parser itself decodes; other encodings are taken if a byte is a character.
_OWN_ENCODINGS = {"utf-8", "utf-16", "utf-16le", "utf-16be", "iso-8859-1", "us-ascii"}

Attributes = dict[str, str]


class Handler:
    """What is done with the elements of a file; `found` collects the units to yield."""

    def __init__(self) -> None:
        self.found: list[object] = []

    def start(self, name: str, attributes: Attributes) -> None:
        """Take the start of an element."""

    def end(self, name: str) -> None:
        """Take the end of an element."""

    def text(self, text: str) -> bool:
        """Take a piece of text; say whether it is kept until the next unit is found."""
        raise NotImplementedError


def read_xml(path: str | os.PathLike[str], handler: Handler) -> Iterator[object]:
    """Yield what a handler finds in a file, as it is read.

    A DOCTYPE is allowed, entity declarations and references to undeclared entities are refused, and
    nothing but the file itself is read. Memory is bounded: a deep nesting, a unit with a text of
    more than 16 Mi characters and a tag or comment of more than 16 MiB are refused.

    Raises
    ------
    CorpusError
        If the file is no well-formed XML, in an encoding of several bytes a character other than
        UTF-8 and UTF-16, or refused; the message names file and line.
    CorpusNotFoundError, CorpusFileError
        If it is missing, or cannot be read to its end.
    """
    name = os.fspath(path)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    depth = length = attributes_declared = fed = 0

    def refuse(what: str) -> CorpusError:
        return CorpusError(f"{name}, line {parser.CurrentLineNumber}: {what}")

    def start(element: str, attributes: Attributes) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise refuse(f"elements nested more than {_DEEPEST} deep")
        handler.start(element, attributes)

    def end(element: str) -> None:
        nonlocal depth, length
        depth -= 1
        before = len(handler.found)
        handler.end(element)
        if len(handler.found) > before:
            length = 0

    def text(piece: str) -> None:
        nonlocal length
        if handler.text(piece):
            length += len(piece)
            if length > _LONGEST:
                raise refuse(f"a text longer than {_LONGEST:,} characters")

    def entity(entity_name: str, *rest: object) -> None:
        raise refuse(f"the entity {entity_name!r} is declared, which is refused")

    def unknown(entity_name: str, parameter: bool) -> None:
        if not parameter:
            raise refuse(f"the entity &{entity_name}; is not declared")

    def attribute(*declaration: object) -> None:
        nonlocal attributes_declared
        attributes_declared += 1
        if attributes_declared > _MOST_ATTRIBUTES:
            raise refuse(f"more than {_MOST_ATTRIBUTES:,} attributes are declared")

    def declaration(version: str, encoding: str | None, standalone: int) -> None:
        if encoding is not None and not _is_readable(encoding):
            raise refuse(f"the encoding {encoding!r} cannot be read; convert the file to UTF-8")

    parser.XmlDeclHandler = declaration
    parser.AttlistDeclHandler = attribute
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = entity
    parser.SkippedEntityHandler = unknown
    parse: Callable[[bytes, bool], object] = parser.Parse
    try:
        for piece in read_pieces(name):
            parse(piece, False)
            fed += len(piece)
            if fed - parser.CurrentByteIndex > _LONGEST:
                raise refuse(f"a tag or comment longer than {_LONGEST:,} bytes")
            yield from _taken(handler)
        parse(b"", True)
    except expat.ExpatError as error:
        message = expat.errors.messages[error.code]
        raise CorpusError(f"{name}, line {error.lineno}: not well-formed XML: {message}") from error
    yield from _taken(handler)


def _is_readable(encoding: str) -> bool:
    """Whether the parser can read an encoding, for which Python tells it the bytes' characters."""
    try:
        return encoding.lower() in _OWN_ENCODINGS or (
            len(bytes(range(256)).decode(encoding, "replace")) == 256
        )
    except (LookupError, ValueError):
        return False


def _taken(handler: Handler) -> list[object]:
    found, handler.found = handler.found, []
    return found
