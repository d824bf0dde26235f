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
# States of a target (1.2) or segment (2.x) whose target, if any, is a copy of the source.
_NOT_BEGUN = {"new", "needs-translation", "initial"}


class XLIFFPairs(UnitPairs):
    """The translated units of an XLIFF file: plain, .gz, .bz2 or .xz."""

    def units(self) -> Iterator[Mapping[str, str] | str]:
        """Yield each unit's source and target, by the codes that the file gives them."""
        return cast("Iterator[Mapping[str, str] | str]", read_xml(self.source, _Units()))


class _Units(Handler):
    """Collects the sources and targets of units that are translated, without inline markup."""

    def __init__(self) -> None:
        super().__init__()
        self._codes = {"source": "", "target": ""}
        self._unit: dict[str, str] = {}
        self._begun = False
        self._side = self._code = ""
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
            self._begun = attributes.get("state") not in _NOT_BEGUN
        elif name in ("source", "target"):
            self._side, self._pieces = name, []
            self._code = attributes.get("xml:lang", self._codes[name])
            self._begun &= attributes.get("state") not in _NOT_BEGUN

    def end(self, name: str) -> None:
        if self._beside:
            self._beside -= 1
        elif self._in_markup:
            self._in_markup -= 1
        elif self._side and name == self._side:
            self._unit[self._code] = "".join(self._pieces)
            self._side = ""
        elif name in ("trans-unit", "segment"):
            translated = self._begun and all(map(str.strip, self._unit.values()))
            if not translated or len(self._unit) < 2:
                self.found.append("untranslated")
            elif "" in self._unit:
                self.found.append("in a file that does not name its languages")
            else:
                self.found.append(self._unit)

    def text(self, text: str) -> bool:
        if not self._side or self._in_markup or self._beside:
            return False
        self._pieces.append(text)
        return True
