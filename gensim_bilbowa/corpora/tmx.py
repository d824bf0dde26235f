"""Translation memories: TMX files (Translation Memory eXchange 1.1 to 1.4b)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import cast

from gensim_bilbowa.corpora.inline import Inline
from gensim_bilbowa.corpora.units import Unit, UnitPairs
from gensim_bilbowa.corpora.xml import LANG, Attributes, Handler, Refused, read_xml

__all__ = ["TMXPairs"]

# Variants that are kept of a unit; the largest memories have some hundred languages.
_MOST_LANGUAGES = 1000


class TMXPairs(UnitPairs):
    """The segments of a TMX file: plain, .gz, .bz2 or .xz, in any encoding.

    The id of a unit is its ``tuid``; without one its number among all units, from 1.
    """

    def units(self) -> Iterator[Unit | str]:
        """Yield each unit's first segment of each language that is not blank."""
        units = read_xml(self.source, _Units(self.mended), self.errors, self.mended)
        return cast("Iterator[Unit]", units)


class _Units(Handler):
    """Collects each unit's first segment of each language, without inline markup."""

    def __init__(self, mended: Counter[str]) -> None:
        super().__init__("tmx")
        self._mended = mended
        self._inline = Inline(self.pieces, mended)
        self._unit: Unit | None = None
        self._number = 0
        self._language: str | None = None

    def start(self, name: str, attributes: Attributes) -> bool:
        local = self.names[name]
        if self.wants_text:
            return self._inline.start(local, attributes)
        if self._language is not None:
            if local != "seg":
                return True
            self.pieces.clear()
            self.wants_text = True
        elif self._unit is not None:
            if local != "tuv":
                return True
            self._language = attributes.get(LANG) or attributes.get("lang") or ""
        elif local == "tu":
            self._number += 1
            self._unit = Unit()
            self._unit.id = attributes.get("tuid") or f"unit {self._number}"
            self.kept = 0
        else:
            return local[:1] == ":"
        return False

    def end(self, name: str) -> None:
        if self.wants_text:
            if self._inline.open:
                self._inline.end()
            else:
                self.wants_text = False
                self._take(self._inline.text())
        elif self._language is not None:
            self._language = None
        elif self._unit is not None and self.names[name] == "tu":
            self.found.append(self._unit)
            self._unit = None

    def _take(self, text: str) -> None:
        assert self._unit is not None
        language = self._language
        if not language:
            self._mended["segments without a language"] += 1
        elif not self._unit.get(language, "").strip():
            blank = self._unit.get(language)
            self.kept += len(text) + (len(language) if blank is None else -len(blank))
            self._unit[language] = text
            if len(self._unit) > _MOST_LANGUAGES:
                raise Refused(f"a unit in more than {_MOST_LANGUAGES:,} languages")
        elif text.strip():
            self._mended["further segments of a language in a unit"] += 1
