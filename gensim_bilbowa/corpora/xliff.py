"""XLIFF files: 1.2 (source and target of trans-unit) and 2.x (of segment)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from gensim_bilbowa.corpora.units import UnitPairs
from gensim_bilbowa.corpora.xml import Attributes, Handler, read_xml

__all__ = ["XLIFFPairs"]

# Elements whose content is code of the document; of others (g, mrk, pc) the text stays.
_MARKUP = {"bpt", "ept", "it", "ph", "sub", "x", "bx", "ex", "sc", "ec", "cp"}
# Proposals and notes: their sources and targets are not those of the unit.
_BESIDE = {"alt-trans", "mtc:matches", "matches", "note", "notes", "ignorable", "seg-source"}
_UNTRANSLATED = "untranslated"


class XLIFFPairs(UnitPairs):
    """The translated units of an XLIFF file: plain, .gz, .bz2 or .xz."""

    def units(self) -> Iterator[Mapping[str, str] | str]:
        """Yield each unit's source and target, by the codes that the file gives them."""
        return cast("Iterator[Mapping[str, str] | str]", read_xml(self.path, _Units()))


class _Units(Handler):
    def __init__(self) -> None:
        super().__init__()
        self._codes = {"source": "", "target": ""}
        self._unit: dict[str, str] = {}
        self._side = ""
        self._pieces: list[str] = []
        self._in_markup = self._beside = 0

    def start(self, name: str, attributes: Attributes) -> None:
        if self._beside or name in _BESIDE:
            self._beside += 1
        elif self._side:
            self._in_markup += bool(self._in_markup) or name in _MARKUP
        elif name in ("xliff", "file"):
            for side, names in (
                ("source", ("source-language", "srcLang")),
                ("target", ("target-language", "trgLang")),
            ):
                given = [attributes[key] for key in names if key in attributes]
                self._codes[side] = given[0] if given else self._codes[side]
        elif name in ("trans-unit", "segment"):
            self._unit = {}
        elif name in ("source", "target"):
            self._side, self._pieces = name, []
            self._codes[name] = attributes.get("xml:lang", self._codes[name])

    def end(self, name: str) -> None:
        if self._beside:
            self._beside -= 1
        elif self._in_markup:
            self._in_markup -= 1
        elif self._side and name == self._side:
            self._unit[self._codes[self._side]] = "".join(self._pieces)
            self._side = ""
        elif name in ("trans-unit", "segment"):
            if not all(self._codes.values()):
                self.found.append("in a file that names no target language")
                return
            translated = len(self._unit) == 2 and all(map(str.strip, self._unit.values()))
            self.found.append(self._unit if translated else _UNTRANSLATED)

    def text(self, text: str) -> None:
        if self._side and not self._in_markup and not self._beside:
            self._pieces.append(text)
