"""Term bases: TBX files, of ISO 30042:2019 (TBX 3) and of 2008 (MARTIF)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import cast

from gensim_bilbowa.corpora.units import Unit, UnitPairs
from gensim_bilbowa.corpora.xml import LANG, Attributes, Handler, Refused, read_xml

__all__ = ["TBX_ROOTS", "TBXTerms"]

# In 2008 the root was named after MARTIF, which TBX came from.
TBX_ROOTS = {"tbx", "martif"}

_CONCEPTS = {"conceptEntry", "termEntry"}
_LANGUAGES = {"langSec", "langSet"}
_TERMS = {"termSec", "tig", "ntig"}
# Between a section of a term and the term or its notes.
_GROUPS = {"termGrp", "termNoteGrp"}
# As values of administrativeStatus, in the style of each edition.
_REFUSED = ("deprecatedTerm", "supersededTerm", "deprecated", "obsolete", "forbidden")
_STATUS = "administrativeStatus"
_MOST_TERMS = 10_000


class TBXTerms(UnitPairs):
    """The terms of a TBX file: plain, .gz, .bz2 or .xz, in any encoding.

    A unit is a concept; those of its terms that are in the same language stand on lines of their
    own. The id of a unit is the concept's, or its line. Terms whose status says that they are
    deprecated or superseded are left out and counted in `mended`.
    """

    def units(self) -> Iterator[Unit | str]:
        """Yield the terms of each concept by language."""
        units = read_xml(self.source, _Concepts(self.mended), self.errors, self.mended)
        return cast("Iterator[Unit]", units)


class _Concepts(Handler):
    """Collects the terms of each concept, without what describes them."""

    def __init__(self, mended: Counter[str]) -> None:
        # Both roots are those of the format; that of MARTIF mostly has no namespace.
        super().__init__("tbx")
        self._mended = mended
        self._concept: Unit | None = None
        self._terms: dict[str, list[str]] = {}
        self._language: str | None = None
        self._in_term = False
        # Elements within a term or a status, which are marks for the eye.
        self._inner = 0
        self._wanted = ""
        self._term = self._status = ""

    def start(self, name: str, attributes: Attributes) -> bool:
        local = self.names[name].removeprefix(":")
        if self._wanted:
            self._inner += 1
        elif self._in_term:
            return self._start_in_term(local, attributes)
        elif self._language is not None:
            if local not in _TERMS:
                return True
            self._in_term = True
            self._term = self._status = ""
        elif self._concept is not None:
            if local not in _LANGUAGES:
                return True
            self._language = attributes.get(LANG) or attributes.get("lang") or ""
        elif local in _CONCEPTS:
            self._concept = Unit()
            self._concept.id = attributes.get("id") or f"line {self.line()}"
            self._terms = {}
            self.kept = 0
        return False

    def _start_in_term(self, local: str, attributes: Attributes) -> bool:
        if local in _GROUPS:
            return False
        is_status = local == _STATUS or attributes.get("type") == _STATUS
        if local != "term" and not is_status:
            return True
        self._wanted = _STATUS if is_status else "term"
        self.pieces.clear()
        self.wants_text = True
        return False

    def end(self, name: str) -> None:
        local = self.names[name].removeprefix(":")
        if self._inner:
            self._inner -= 1
        elif self._wanted:
            text = " ".join("".join(self.pieces).split())
            self.pieces.clear()
            self.wants_text = False
            if self._wanted == "term":
                self._term = text
            else:
                self._status = text
            self._wanted = ""
        elif self._in_term:
            if local in _TERMS:
                self._in_term = False
                self._take()
        elif self._language is not None:
            self._language = None
        elif self._concept is not None and local in _CONCEPTS:
            self._concept.update({code: "\n".join(terms) for code, terms in self._terms.items()})
            self.found.append(self._concept)
            self._concept = None

    def _take(self) -> None:
        """Take a term of the concept, if it may be used."""
        if not self._language:
            self._mended["terms without a language"] += 1
        elif self._status.startswith(_REFUSED):
            self._mended["deprecated or superseded terms"] += 1
        elif self._term:
            terms = self._terms.setdefault(self._language, [])
            terms.append(self._term)
            self.kept += len(self._term) + len(self._language)
            if len(terms) > _MOST_TERMS or len(self._terms) > _MOST_TERMS:
                raise Refused(f"a concept with more than {_MOST_TERMS:,} terms")
