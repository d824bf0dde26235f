"""Translation memories: TMX files (Translation Memory eXchange 1.1 to 1.4b)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from gensim_bilbowa.corpora.units import UnitPairs
from gensim_bilbowa.corpora.xml import Attributes, Handler, read_xml

__all__ = ["TMXPairs"]

# Elements whose content is code of the document, or text that stands elsewhere in it.
_MARKUP = {"bpt", "ept", "it", "ph", "ut", "sub"}


class TMXPairs(UnitPairs):
    """The segments of a TMX file: plain, .gz, .bz2 or .xz, in any encoding that XML allows."""

    def units(self) -> Iterator[Mapping[str, str] | str]:
        """Yield each unit's first segment of each language."""
        return cast("Iterator[Mapping[str, str]]", read_xml(self.source, _Units()))


class _Units(Handler):
    """Collects each unit's first segment of each language, without inline markup."""

    def __init__(self) -> None:
        super().__init__()
        self._unit: dict[str, str] = {}
        self._language = ""
        self._segment: list[str] | None = None
        self._in_markup = 0

    def start(self, name: str, attributes: Attributes) -> None:
        if self._segment is not None:
            self._in_markup += bool(self._in_markup) or name in _MARKUP
        elif name == "tu":
            self._unit = {}
        elif name == "tuv":
            self._language = attributes.get("xml:lang") or attributes.get("lang") or ""
        elif name == "seg":
            self._segment = []

    def end(self, name: str) -> None:
        if self._segment is not None and name == "seg" and not self._in_markup:
            if self._language:
                self._unit.setdefault(self._language, "".join(self._segment))
            self._segment = None
        elif self._segment is not None:
            self._in_markup -= bool(self._in_markup)
        elif name == "tuv":
            self._language = ""
        elif name == "tu":
            self.found.append(self._unit)

    def text(self, text: str) -> bool:
        if self._segment is None or self._in_markup:
            return False
        self._segment.append(text)
        return True
