"""Translation files of Qt Linguist: TS files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import cast

from gensim_bilbowa.corpora.decoding import FORBIDDEN
from gensim_bilbowa.corpora.inline import character, tidy
from gensim_bilbowa.corpora.units import OTHER, Unit, UnitPairs, other_language
from gensim_bilbowa.corpora.xml import Attributes, Handler, Refused, read_xml

__all__ = ["TSPairs"]

# Elements around the text of messages, and those with it; what else there is are notes.
_AROUND = {"TS", "context", "message"}
_TEXTS = {"source", "translation", "numerusform", "lengthvariant"}
# Types of translations that are not, or no longer, those of a message.
_TYPES = {"unfinished", "vanished", "obsolete"}
# No language has more forms for its numbers, and no text as many lengths.
_MOST_FORMS = 100
# The name of a class, which is kept while its messages are read.
_LONGEST_CONTEXT = 1000


class TSPairs(UnitPairs):
    """The finished messages of a TS file: plain, .gz, .bz2 or .xz.

    If the file names one language, the other one of `languages` is that of the other side; if none,
    the second one is that of the translations. Of plural forms the first and the last one are
    taken, of variants in length the longest, which is the first. The id of a unit is its context
    with the message's id, or the line where the message begins: "MainWindow, line 12".
    """

    def units(self) -> Iterator[Unit | str]:
        """Yield messages and translations by their languages."""
        messages = _Messages(self.languages, self.mended)
        units = read_xml(self.source, messages, self.errors, self.mended)
        return cast("Iterator[Unit | str]", units)


class _Messages(Handler):
    """Collects the messages whose translations are finished."""

    def __init__(self, languages: tuple[str, str], mended: Counter[str]) -> None:
        super().__init__("TS")
        self._languages = languages
        self._mended = mended
        self._source, self._target = languages
        self._context = self._id = self._message = ""
        self._type: str | None = None
        self._forms: list[str] = []
        self._has_variant = False

    def start(self, name: str, attributes: Attributes) -> bool:
        local = self.names[name]
        if local in _TEXTS:
            self.pieces.clear()
            self.wants_text = True
            if local == "translation":
                self._type = attributes.get("type")
            if local != "lengthvariant":
                self._has_variant = False
            elif self._has_variant:
                return True
        elif local == "message":
            self._id = attributes.get("id") or f"line {self.line()}"
            self._message, self._type, self._forms = "", None, []
            self.kept = 0
        elif local == "context":
            self._context = ""
        elif local == "name":
            self.pieces.clear()
            self.wants_text = True
            return False
        elif local == "TS":
            self._name_languages(attributes)
        elif local == "byte":
            self._take_byte(attributes.get("value", ""))
            return True
        return local not in _TEXTS and local not in _AROUND

    def end(self, name: str) -> None:
        local = self.names[name]
        if local in _TEXTS:
            self._take(local, tidy("".join(self.pieces)))
            self.pieces.clear()
        elif local == "name":
            self._context = tidy("".join(self.pieces)).strip()[:_LONGEST_CONTEXT]
            self.wants_text = False
        elif local == "message":
            self.wants_text = False
            self.found.extend(self._units())

    def _take(self, local: str, text: str) -> None:
        self.kept += len(text)
        if local == "source":
            self._message = text
        elif local == "lengthvariant" or not (
            self._has_variant or (local == "translation" and self._forms)
        ):
            self._has_variant = local == "lengthvariant"
            self._forms.append(text)
            if len(self._forms) > _MOST_FORMS:
                raise Refused(f"a message in more than {_MOST_FORMS} forms")

    def _units(self) -> Iterator[Unit | str]:
        if self._type:
            yield self._type if self._type in _TYPES else "of an unknown type"
        elif not self._message.strip() or not any(map(str.strip, self._forms)):
            yield "untranslated"
        else:
            place = f"{self._context}, {self._id}" if self._context else self._id
            for form in dict.fromkeys((self._forms[0], self._forms[-1])):
                yield Unit.of({self._source: self._message, self._target: form}, place)

    def _take_byte(self, value: str) -> None:
        self._mended[FORBIDDEN] += 1
        number, base = (value[1:], 16) if value[:1] in ("x", "X") else (value, 10)
        self.pieces.append(character(number, base))

    def _name_languages(self, attributes: Attributes) -> None:
        """Take the languages that the file names; for one it does not, the other of the two."""
        source, target = (attributes.get(key, "") for key in ("sourcelanguage", "language"))
        if source or target:
            self._source = source or other_language(self._languages, target) or ""
            self._target = target or other_language(self._languages, source) or ""
        elif OTHER in self._languages:
            self._source = self._target = ""
