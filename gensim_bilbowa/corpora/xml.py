"""XML files read in a stream, in constant memory, and without anything that a file could misuse."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from xml.parsers import expat

from gensim_bilbowa.corpora.files import read_pieces
from gensim_bilbowa.errors import CorpusError

__all__ = ["Handler", "read_xml"]

# No translation memory nests so deeply; the parser's own memory grows with it.
_DEEPEST = 200
# Of one element's text, as of a line in a text file.
_LONGEST_TEXT = 1 << 24

Attributes = dict[str, str]


class Handler:
    """What is done with the elements of a file; `found` collects what the reader yields."""

    def __init__(self) -> None:
        self.found: list[object] = []

    def start(self, name: str, attributes: Attributes) -> None:
        """Take the start of an element."""

    def end(self, name: str) -> None:
        """Take the end of an element."""

    def text(self, text: str) -> None:
        """Take a piece of text."""


def read_xml(path: str | os.PathLike[str], handler: Handler) -> Iterator[object]:
    """Yield what a handler finds in a file, as it is read.

    A DOCTYPE is allowed, entity declarations and references to undeclared entities are refused, and
    nothing but the file itself is read.

    Raises
    ------
    CorpusError
        If the file is no well-formed XML, or refused; the message names file and line.
    CorpusNotFoundError, CorpusFileError
        If it is missing, or cannot be read to its end.
    """
    name = os.fspath(path)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    depth = length = 0

    def refuse(what: str) -> CorpusError:
        return CorpusError(f"{name}, line {parser.CurrentLineNumber}: {what}")

    def start(element: str, attributes: Attributes) -> None:
        nonlocal depth, length
        depth += 1
        length = 0
        if depth > _DEEPEST:
            raise refuse(f"elements nested more than {_DEEPEST} deep")
        handler.start(element, attributes)

    def end(element: str) -> None:
        nonlocal depth
        depth -= 1
        handler.end(element)

    def text(piece: str) -> None:
        nonlocal length
        length += len(piece)
        if length > _LONGEST_TEXT:
            raise refuse(f"a text longer than {_LONGEST_TEXT:,} characters")
        handler.text(piece)

    def entity(entity_name: str, *rest: object) -> None:
        raise refuse(f"the entity {entity_name!r} is declared, which is refused")

    def unknown(entity_name: str, parameter: bool) -> None:
        if not parameter:
            raise refuse(f"the entity &{entity_name}; is not declared")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = entity
    parser.SkippedEntityHandler = unknown
    parse: Callable[[bytes, bool], object] = parser.Parse
    try:
        for piece in read_pieces(name):
            parse(piece, False)
            yield from _taken(handler)
        parse(b"", True)
    except expat.ExpatError as error:
        message = expat.errors.messages[error.code]
        raise CorpusError(f"{name}, line {error.lineno}: not well-formed XML: {message}") from error
    yield from _taken(handler)


def _taken(handler: Handler) -> list[object]:
    found, handler.found = handler.found, []
    return found
