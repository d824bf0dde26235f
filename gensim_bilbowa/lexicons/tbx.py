"""Lexicons as TermBase eXchange files: ISO 30042:2019, dialect TBX-Basic, style dca."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

from gensim_bilbowa.errors import FormatError

if TYPE_CHECKING:
    from gensim_bilbowa.lexicons.lexicon import Lexicon, LexiconEntry

__all__ = ["write_tbx"]

_NAMESPACE = "urn:iso:std:iso:30042:ed-2"
# What XML 1.0 has no way to write.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class _Writer:
    def __init__(self, xml: XMLGenerator) -> None:
        self._xml = xml

    @contextmanager
    def element(self, name: str, **attributes: str) -> Iterator[None]:
        given = {key.replace("xml_", "xml:"): value for key, value in attributes.items()}
        self._xml.startElement(name, AttributesImpl(given))
        yield
        self._xml.endElement(name)
        self._xml.ignorableWhitespace("\n")

    def text(self, name: str, text: str, **attributes: str) -> None:
        if unfit := _NOT_XML.search(text):
            raise FormatError(f"{text!r:.80}: XML cannot hold the character {unfit[0]!r}")
        first, *others = text.split("\r")
        with self.element(name, **attributes):
            self._xml.characters(first)
            for part in others:
                # As it stands a parser would take it for a line end.
                self._xml.ignorableWhitespace("&#13;")
                self._xml.characters(part)

    def term(self, term: str, contexts: list[str], note: str | None = None) -> None:
        with self.element("termSec"):
            self.text("term", term)
            for context in contexts:
                self.text("descrip", context, type="context")
            if note is not None:
                self.text("note", note)


def write_tbx(lexicon: Lexicon, path: Path) -> None:
    """Write a concept for each source word: the word, and its translations with their scores.

    Raises
    ------
    FormatError
        If a word or an example has a character that XML cannot hold, or there are no entries, of
        which the format wants one at least.
    """
    if not len(lexicon):
        raise FormatError("an empty lexicon cannot be a TBX file: that has a concept at least")
    source, target = (code.replace("_", "-") for code in lexicon.languages)  # BCP 47
    concepts: dict[str, list[LexiconEntry]] = {}
    for entry in lexicon:
        concepts.setdefault(entry.source, []).append(entry)
    with path.open("w", encoding="utf-8", newline="") as stream:
        xml = XMLGenerator(stream, "utf-8", short_empty_elements=True)
        xml.startDocument()
        write = _Writer(xml)
        with write.element("tbx", type="TBX-Basic", style="dca", xml_lang=source, xmlns=_NAMESPACE):
            with (
                write.element("tbxHeader"),
                write.element("fileDesc"),
                write.element("sourceDesc"),
            ):
                write.text("p", "Word translations computed by gensim_bilbowa, not checked by hand")
            with write.element("text"), write.element("body"):
                for number, entries in enumerate(concepts.values(), start=1):
                    with write.element("conceptEntry", id=f"c{number}"):
                        _write_concept(write, (source, target), entries, lexicon.method)
        xml.endDocument()


def _write_concept(
    write: _Writer, languages: tuple[str, str], entries: list[LexiconEntry], method: str
) -> None:
    source, target = languages
    with write.element("langSec", xml_lang=source):
        examples = dict.fromkeys(example for entry in entries for example, _ in entry.examples)
        write.term(entries[0].source, list(examples))
    with write.element("langSec", xml_lang=target):
        for entry in entries:
            write.term(
                entry.target,
                [example for _, example in entry.examples],
                f"{method} {entry.score:.4f}",
            )
