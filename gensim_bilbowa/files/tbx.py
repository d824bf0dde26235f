"""TermBase eXchange files as lexicons and term lists write them: two editions of one standard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

from gensim_bilbowa.errors import FormatError

__all__ = ["TBX_2008", "TBX_BASIC", "Edition", "TBXWriter", "check_xml", "tbx_file"]

# What XML 1.0 has no way to write.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Edition(NamedTuple):
    """How an edition names the elements that all have.

    Attributes
    ----------
    root : str
    attributes, namespaces : dict from str to str
        Of the root, before and after its language.
    header, concept, language, term : str
    constraints : str or None
        The file that says which data categories there are, where the type does not say it.
    """

    root: str
    attributes: dict[str, str]
    namespaces: dict[str, str]
    header: str
    concept: str
    language: str
    term: str
    constraints: str | None = None


TBX_BASIC = Edition(
    root="tbx",
    attributes={"type": "TBX-Basic", "style": "dca"},
    namespaces={"xmlns": "urn:iso:std:iso:30042:ed-2"},
    header="tbxHeader",
    concept="conceptEntry",
    language="langSec",
    term="termSec",
)
"""ISO 30042:2019, dialect TBX-Basic, style dca."""

TBX_2008 = Edition(
    root="martif",
    attributes={"type": "TBX"},
    namespaces={},
    header="martifHeader",
    concept="termEntry",
    language="langSet",
    term="tig",
    constraints="TBXXCSV02.xcs",
)
"""ISO 30042:2008 with its default data categories."""


def check_xml(text: str) -> None:
    """Raise a FormatError if a text has a character that XML cannot hold."""
    if unfit := _NOT_XML.search(text):
        raise FormatError(f"{text!r:.80}: XML cannot hold the character {unfit[0]!r}")


class TBXWriter:
    """Writes elements of an edition, each to its end, in the order of the calls."""

    def __init__(self, xml: XMLGenerator, edition: Edition) -> None:
        self._xml = xml
        self._edition = edition

    @contextmanager
    def element(self, name: str, **attributes: str) -> Iterator[None]:
        """Write an element around what is written within; ``xml_lang`` stands for ``xml:lang``."""
        given = {key.replace("xml_", "xml:"): value for key, value in attributes.items()}
        for value in given.values():
            check_xml(value)
        self._xml.startElement(name, AttributesImpl(given))
        yield
        self._xml.endElement(name)
        self._xml.ignorableWhitespace("\n")

    def text(self, name: str, text: str, **attributes: str) -> None:
        """Write an element that holds a text.

        Raises
        ------
        FormatError
            If the text has a character that XML cannot hold.
        """
        check_xml(text)
        first, *others = text.split("\r")
        with self.element(name, **attributes):
            self._xml.characters(first)
            for part in others:
                # As it stands a parser would take it for a line end.
                self._xml.ignorableWhitespace("&#13;")
                self._xml.characters(part)

    def concept(self, number: int) -> AbstractContextManager[None]:
        """Begin a concept, which holds languages."""
        return self.element(self._edition.concept, id=f"c{number}")

    def language(self, code: str) -> AbstractContextManager[None]:
        """Begin the part of a concept that is of a language, which holds terms."""
        return self.element(self._edition.language, xml_lang=code)

    @contextmanager
    def term(self, text: str) -> Iterator[None]:
        """Begin a term, to which what is said of it is written."""
        with self.element(self._edition.term):
            self.text("term", text)
            yield


@contextmanager
def tbx_file(path: Path, edition: Edition, language: str, origin: str) -> Iterator[TBXWriter]:
    """Write a file around the concepts that are written within.

    Parameters
    ----------
    path : Path
    edition : Edition
    language : str
        Of what has no language of its own, by its code of BCP 47.
    origin : str
        Where the concepts come from, in words.
    """
    with path.open("w", encoding="utf-8", newline="") as stream:
        xml = XMLGenerator(stream, "utf-8", short_empty_elements=True)
        xml.startDocument()
        write = TBXWriter(xml, edition)
        root = {**edition.attributes, "xml_lang": language, **edition.namespaces}
        with write.element(edition.root, **root):
            with write.element(edition.header):
                with write.element("fileDesc"), write.element("sourceDesc"):
                    write.text("p", origin)
                if edition.constraints is not None:
                    with write.element("encodingDesc"):
                        write.text("p", edition.constraints, type="XCSURI")
            with write.element("text"), write.element("body"):
                yield write
        xml.endDocument()
