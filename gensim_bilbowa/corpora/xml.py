"""XML files read in a stream, in constant memory, and without anything that a file could misuse."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from xml.parsers import expat

from gensim_bilbowa.corpora.decoding import read_utf8
from gensim_bilbowa.errors import CorpusError

__all__ = ["LANG", "Attributes", "Handler", "Refused", "read_xml"]

# No translation file nests so deeply; the parser's own memory grows with it.
_DEEPEST = 200
# Characters of a unit's text, in all its languages.
_LONGEST = 1 << 20
# Bytes of a comment, in which large parts of a file may be, and of a tag or anything else.
_LONGEST_COMMENT = 1 << 24
_LONGEST_TAG = 1 << 20
# Pieces of a text between its tags.
_MOST_PIECES = 1 << 16
# A document type that is written out has fewer; each one costs time at every element.
_MOST_ATTRIBUTES = 1000
_LONGEST_DOCTYPE = 1 << 18
# Of elements, attributes and namespaces, which the parser keeps; formats have some hundred. And
# the characters of all.
_MOST_NAMES = 10_000
_LONGEST_NAMES = 1 << 20
# Signs of attributes in a tag that does not end.
_MOST_EQUALS = 20_000

# What comes next in a tag that matters, within quotes and without.
_QUOTES = {b"": re.compile(b"[\"'>]"), b'"': re.compile(b'"'), b"'": re.compile(b"'")}

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
    more than 1 Mi characters, a tag of more than 1 MiB, a comment of more than 16 MiB and names
    without end are refused.

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
    depth = passed = kept_before = attributes_declared = names_known = 0
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
        nonlocal names_known
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
        if len(names) > names_known:
            names_known = len(names)
            if sum(map(len, filter(None, names))) > _LONGEST_NAMES:
                raise refuse(f"names of elements and attributes of {_LONGEST_NAMES:,} characters")
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
    # Else newer parsers would put off what is done here, where it is known what they wait for.
    if defer := getattr(parser, "SetReparseDeferralEnabled", None):
        defer(False)
    data = _Unfinished()
    try:
        for text in read_utf8(name, errors, Counter() if mended is None else mended):
            for part in data.parts(text):
                parser.Parse(part, False)
                data.ends_at(part, parser.CurrentByteIndex)
                check()
                yield from _taken(handler)
            if data.waiting > data.most:
                raise refuse(f"a tag or comment longer than {data.most:,} bytes")
            if data.equals > _MOST_EQUALS:
                raise refuse(f"a tag with more than {_MOST_EQUALS:,} attributes")
        parser.Parse(data.rest(), True)
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
    """What the parser waits for the end of, which it looks at from its start with each new part.

    So it gets no more of that until the end has come, and then no more than that at once: what it
    keeps of a part is counted only after it.

    Attributes
    ----------
    most : int
        Bytes that what has begun may have.
    equals : int
        Signs of attributes in it, if it is a tag.
    """

    def __init__(self) -> None:
        self._fed = 0
        self._begun = b""  # as far as the parser has it
        self._more: list[bytes] = []
        self._length = 0
        self._closes = self._quote = b""
        self.most = _LONGEST_TAG
        self.equals = 0

    @property
    def waiting(self) -> int:
        """Bytes of what has begun."""
        return len(self._begun) + self._length

    def parts(self, piece: bytes) -> Iterator[bytes]:
        """Yield what is to be parsed, if anything, now that this has come."""
        end = self._end_in(piece) if self._closes else len(piece)
        if end < 0:
            self._more.append(piece)
            self._length += len(piece)
            return
        yield self.rest() + piece[:end]
        if end < len(piece):
            yield piece[end:]

    def rest(self) -> bytes:
        """Return what has come and was not parsed."""
        more, self._more, self._length = self._more, [], 0
        return b"".join(more)

    def ends_at(self, part: bytes, index: int) -> None:
        """Take where the parser is after a part: what is beyond that has begun, and not ended."""
        self._fed += len(part)
        pending = self._fed - index
        self._begun = (self._begun + part)[-pending:] if pending else b""
        begins = self._begun[:4]
        comment = begins == b"<!--"
        self.most = _LONGEST_COMMENT if comment else _LONGEST_TAG
        self._closes = self._quote = b""
        self.equals = 0
        if comment or begins[:2] == b"<?":
            self._closes = b"-->" if comment else b"?>"
        elif begins[:1] == b"<" and begins[1:2] not in (b"", b"!"):
            self._closes = b">"
            self._end_in(self._begun)

    def _end_in(self, piece: bytes) -> int:
        """Return where what has begun ends in a piece that follows; -1 if it does not."""
        if self._closes == b">":
            self.equals += piece.count(b"=")
            return self._end_of_tag(piece)
        before = (self._more[-1] if self._more else self._begun)[-2:]
        at = (before + piece).find(self._closes)
        return -1 if at < 0 else max(at + len(self._closes) - len(before), 0)

    def _end_of_tag(self, piece: bytes) -> int:
        at = 0
        while found := (_QUOTES[self._quote]).search(piece, at):
            at = found.end()
            if found[0] == b">":
                return at
            self._quote = b"" if self._quote else found[0]
        return -1


def _taken(handler: Handler) -> list[object]:
    found, handler.found = handler.found, []
    return found
