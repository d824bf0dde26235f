"""XML files read in a stream, in constant memory, and without anything that a file could misuse."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from xml.parsers import expat

from gensim_bilbowa.corpora.decoding import read_utf8
from gensim_bilbowa.errors import CorpusError

__all__ = ["LANG", "Attributes", "Handler", "Refused", "read_xml"]

# No translation file nests so deeply; the parser's own memory grows with it.
_DEEPEST = 200
# Characters of a unit's text, and bytes of a tag or comment; as of a line in a text file.
_LONGEST = 1 << 24
# Pieces of a text between its tags.
_MOST_PIECES = 1 << 16
# A document type that is written out has fewer; each one costs time at every element.
_MOST_ATTRIBUTES = 1000
_LONGEST_DOCTYPE = 1 << 18
# Of elements, attributes and namespaces, which the parser keeps; formats have some hundred.
_MOST_NAMES = 10_000
# Signs of attributes in a tag that does not end.
_MOST_EQUALS = 20_000

# Those of the parser from which nobody would know what to do.
_MESSAGES = {
    expat.errors.codes[expat.errors.XML_ERROR_INVALID_TOKEN]: "a sign that cannot stand here; in "
    "text & and < are written &amp; and &lt;",
    expat.errors.codes[expat.errors.XML_ERROR_UNDEFINED_ENTITY]: "an entity that is not declared; "
    "write the character itself",
    expat.errors.codes[
        expat.errors.XML_ERROR_NO_ELEMENTS
    ]: "no element found: the file is empty or ends too early",
}

Attributes = dict[str, str]

LANG = "http://www.w3.org/XML/1998/namespace lang"


class Refused(Exception):
    """What a handler does not take; the error that is raised for it names file and line."""


class _Names(dict[str, str]):
    """From the parser's name of an element to its local one: foreign ones begin with a colon."""

    def __init__(self, root: str, own: dict[str, str]) -> None:
        super().__init__()
        self._root = root
        self._own = {"": "", **own}

    def __missing__(self, name: str) -> str:
        uri, _, local = name.rpartition(" ")
        if local == self._root:
            self._own.setdefault(uri, "")
        self[name] = found = self._own.get(uri, ":") + local
        return found


class Handler:
    """What is done with the elements of a file.

    Parameters
    ----------
    root : str
        The element whose namespace is that of the format; there may be none.
    own : dict from str to str, optional
        Other namespaces, with what is put before the names of their elements.

    Attributes
    ----------
    names : dict from str to str
        Local names of elements, with a colon before those of foreign namespaces.
    found : list
        The units to yield.
    pieces : list of str
        The text since `wants_text` was set; the handler empties it.
    wants_text : bool
    kept : int
        Characters of the unit that are kept beside `pieces`.
    line : callable
        Returns the line of the element that is taken.
    """

    def __init__(self, root: str, own: dict[str, str] | None = None) -> None:
        self.names = _Names(root, own or {})
        self.found: list[object] = []
        self.pieces: list[str] = []
        self.wants_text = False
        self.kept = 0
        self.line: Callable[[], int] = lambda: 0

    def start(self, name: str, attributes: Attributes) -> bool:
        """Take the start of an element; say whether it is passed over, with all that it has."""
        raise NotImplementedError

    def end(self, name: str) -> None:
        """Take the end of an element that was not passed over."""
        raise NotImplementedError


def read_xml(
    path: str | os.PathLike[str],
    handler: Handler,
    errors: str = "strict",
    mended: Counter[str] | None = None,
) -> Iterator[object]:
    """Yield what a handler finds in a file, as it is read.

    A DOCTYPE is allowed, entity declarations and references to undeclared entities are refused, and
    nothing but the file itself is read. Memory is bounded: a deep nesting, a unit with a text of
    more than 16 Mi characters, a tag or comment of more than 16 MiB and names without end are
    refused.

    Parameters
    ----------
    path : str or path-like
    handler : Handler
    errors : {"strict", "replace", "ignore"}
        What to do about bytes that are no characters.
    mended : Counter, optional
        What was put right is added, by kind.

    Raises
    ------
    CorpusError
        If the file is no well-formed XML, in an encoding that cannot be read, or refused; the
        message names file and line.
    CorpusNotFoundError, CorpusFileError
        If it is missing, or cannot be read to its end.
    """
    name = os.fspath(path)
    names: dict[str, str] = {}
    parser = expat.ParserCreate("utf-8", " ", names)
    parser.buffer_text = True
    parser.buffer_size = 1 << 16
    pieces = handler.pieces
    take_start, take_end = handler.start, handler.end
    handler.line = lambda: parser.CurrentLineNumber
    depth = passed = kept_before = attributes_declared = 0
    doctype: int | None = None

    def refuse(what: str) -> CorpusError:
        return CorpusError(f"{name}, line {parser.CurrentLineNumber}: {what}")

    def start(element: str, attributes: Attributes) -> None:
        nonlocal depth, passed, kept_before
        depth += 1
        if depth > _DEEPEST:
            raise refuse(f"elements nested more than {_DEEPEST} deep")
        if take_start(element, attributes):
            passed, kept_before = depth, len(pieces)
            parser.StartElementHandler, parser.EndElementHandler = pass_start, pass_end

    def end(element: str) -> None:
        nonlocal depth
        depth -= 1
        take_end(element)

    def pass_start(element: str, attributes: Attributes) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise refuse(f"elements nested more than {_DEEPEST} deep")

    def pass_end(element: str) -> None:
        nonlocal depth, passed
        if passed == depth:
            passed = 0
            del pieces[kept_before:]
            parser.StartElementHandler, parser.EndElementHandler = start, end
        depth -= 1

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

    def doctype_starts(*declaration: object) -> None:
        nonlocal doctype
        doctype = parser.CurrentByteIndex

    def doctype_ends() -> None:
        nonlocal doctype
        doctype = None

    def namespace(*declaration: object) -> None:
        """Have the parser put its names among the others, where they are counted."""

    def check() -> None:
        if passed:
            del pieces[kept_before:]
        elif not handler.wants_text:
            pieces.clear()
        if handler.kept + sum(map(len, pieces)) > _LONGEST:
            raise refuse(f"a text longer than {_LONGEST:,} characters")
        if len(pieces) > _MOST_PIECES:
            raise refuse(f"a text in more than {_MOST_PIECES:,} pieces")
        if len(names) > _MOST_NAMES:
            raise refuse(f"more than {_MOST_NAMES:,} names of elements and attributes")
        if doctype is not None and parser.CurrentByteIndex - doctype > _LONGEST_DOCTYPE:
            raise refuse(f"a document type longer than {_LONGEST_DOCTYPE:,} bytes")

    parser.AttlistDeclHandler = attribute
    parser.StartDoctypeDeclHandler = doctype_starts
    parser.EndDoctypeDeclHandler = doctype_ends
    parser.StartNamespaceDeclHandler = namespace
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = pieces.append
    parser.EntityDeclHandler = entity
    parser.SkippedEntityHandler = unknown
    parse: Callable[[bytes, bool], object] = parser.Parse
    data = _Unfinished()
    try:
        for text in read_utf8(name, errors, Counter() if mended is None else mended):
            if data.grows_by(text):
                continue
            if data.equals > _MOST_EQUALS:
                raise refuse(f"a tag with more than {_MOST_EQUALS:,} attributes")
            parse(data.taken(), False)
            data.ends_at(parser.CurrentByteIndex)
            if data.pending > _LONGEST:
                raise refuse(f"a tag or comment longer than {_LONGEST:,} bytes")
            check()
            yield from _taken(handler)
        parse(data.taken(), True)
        check()
    except expat.ExpatError as error:
        message = _MESSAGES.get(error.code) or expat.errors.messages[error.code]
        place = f"{name}, line {error.lineno}"
        message = f"{place}: not well-formed XML: {message} (column {error.offset + 1})"
        raise CorpusError(message) from error
    except Refused as error:
        raise refuse(str(error)) from error
    yield from _taken(handler)


class _Unfinished:
    """What the parser waits for the rest of: it looks at it from its start with each new piece."""

    def __init__(self) -> None:
        self._waiting: list[bytes] = []
        self._last = b""
        self._length = self._fed = 0
        self._is_tag = False
        self.pending = 0
        self.equals = 0

    def grows_by(self, piece: bytes) -> bool:
        """Take a piece; say whether to wait for more, so that what is begun is not read often."""
        self._waiting.append(piece)
        self._length += len(piece)
        if self._is_tag:
            self.equals += piece.count(b"=")
        least = min(self.pending, _LONGEST + 1 - self.pending)
        return self._length < least and self.equals <= _MOST_EQUALS

    def taken(self) -> bytes:
        """Return what has come, to be parsed."""
        self._last = b"".join(self._waiting)
        self._waiting = []
        self._fed += self._length
        self._length = 0
        return self._last

    def ends_at(self, index: int) -> None:
        """Take where the parser is: what is after that is begun, but not read."""
        self.pending = self._fed - index
        if self.pending <= len(self._last):
            begun = self._last[len(self._last) - self.pending :]
            self._is_tag = begun[:1] == b"<" and begun[1:2] not in (b"!", b"?")
            self.equals = begun.count(b"=") if self._is_tag else 0


def _taken(handler: Handler) -> list[object]:
    found, handler.found = handler.found, []
    return found
