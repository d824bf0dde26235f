"""XLIFF files: 1.0 to 1.2 (source and target of trans-unit) and 2.x (of segment)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from gensim_bilbowa.corpora.inline import SEEN, Inline
from gensim_bilbowa.corpora.units import Unit, UnitPairs, other_language
from gensim_bilbowa.corpora.xml import LANG, Attributes, Handler, Refused, read_xml

__all__ = ["XLIFFPairs"]

_NAMESPACES = {
    f"urn:oasis:names:tc:xliff:document:{version}": "" for version in ("1.1", "1.2", "2.0", "2.2")
}
# What SDL Trados says of a file's codes and of segments.
_SDL = {"http://sdl.com/FileTypes/SdlXliff/1.0": "sdl:"}
_SDL_AROUND_CODES = {"sdl:tag-defs", "sdl:tag"}
# Elements with a code that is referred to.
_DEFINED = {"data", "sdl:ph", "sdl:bpt", "sdl:ept", "sdl:st"}
_MEMOQ_STATUS = "MQXliff status"

# Languages in the attributes of xliff and file.
_LANGUAGES = {"source": ("source-language", "srcLang"), "target": ("target-language", "trgLang")}
# Elements around units that say something of them.
_AROUND = {"file", "body", "group", "unit", "xliff"}
_UNITS = {"trans-unit", "segment"}
_SIDES = {"source", "target", "seg-source"}
# Elements with text that may be large, or with sources and targets that are no unit's.
_BESIDE = {
    "alt-trans", "matches", "note", "notes", "ignorable", "internal-file", "skeleton",
    "glossary", "reference",
}  # fmt: skip
# States of a target (1.2) or segment (2.x) whose target, if any, is a copy of the source.
_NOT_BEGUN = {"new", "needs-translation", "initial"}

# What reviewers say of a translation that is wrong; in XLIFF 1.2, SDL Trados and memoQ.
_REJECTED = ("rejected-", "Rejected")

_FOLDERS = re.compile(r".*[/\\]", re.DOTALL)

# Segments of a unit and codes that a file defines, which are kept.
_MOST_SEGMENTS = 10_000
_MOST_DEFINED = 10_000

_UNTRANSLATED = "untranslated"
_FUZZY = "fuzzy"
_BY_REVIEWERS = "rejected by reviewers"
_UNNAMED = "in a file that does not name its languages"


class XLIFFPairs(UnitPairs):
    """The translated units of an XLIFF file: plain, .gz, .bz2 or .xz.

    Where no element names the target language, and the source language is one of `languages`, the
    target is the other. Segments that are marked in a unit are taken one by one. The id of a unit
    has those of its file, unit and segment, as far as they are there: "manual.docx/12/3". A file is
    named as its ``original`` is, without folders; a unit without an id has its number.
    """

    def units(self) -> Iterator[Unit | str]:
        """Yield each unit's source and target, by the codes that the file gives them."""
        handler = _Units(self.languages, self._names_targets, self.mended)
        return cast(
            "Iterator[Unit | str]",
            read_xml(self.source, handler, self.errors, self.mended),
        )

    def _names_targets(self) -> bool:
        """Return whether any element of the file names a target language."""
        files = read_xml(self.source, _TargetLanguages(), self.errors)
        return any(files)


class _TargetLanguages(Handler):
    """Finds the target languages of files."""

    def __init__(self) -> None:
        super().__init__("xliff", _NAMESPACES)

    def start(self, name: str, attributes: Attributes) -> bool:
        local = self.names[name]
        if local in ("xliff", "file") and any(map(attributes.get, _LANGUAGES["target"])):
            self.found.append(local)
        return local in _UNITS

    def end(self, name: str) -> None:
        pass


@dataclass(slots=True)
class _Side:
    """The text of a source or target, and of its marked segments."""

    code: str
    text: str
    segments: dict[str, str]


@dataclass(slots=True)
class _Unit:
    """What was read of a unit."""

    # Why it is left out, though it has a target; and of segments, by what SDL Trados says of them.
    reason: str
    id: str
    sides: dict[str, _Side] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)

    def pairs(self) -> Iterator[Unit | str]:
        """Yield its source and target, or those of its segments, or why they are left out."""
        target = self.sides.get("target")
        source = self.sides.get("source")
        segmented = self.sides.get("seg-source")
        if segmented is not None and (source is None or not source.segments):
            source = replace(source or segmented, segments=segmented.segments)
        if source is None or target is None or not target.text.strip():
            yield _UNTRANSLATED
        elif self.reason:
            yield self.reason
        elif not source.code or not target.code:
            yield _UNNAMED
        elif source.code == target.code:
            yield "whose source and target are in one language"
        elif source.segments.keys() & target.segments.keys():
            for mid, text in source.segments.items():
                translation = target.segments.get(mid, "")
                if not translation.strip():
                    yield _UNTRANSLATED
                elif mid in self.reasons:
                    yield self.reasons[mid]
                else:
                    yield Unit.of({source.code: text, target.code: translation}, f"{self.id}/{mid}")
            yield from ("without a source" for _ in target.segments.keys() - source.segments.keys())
        elif not source.text.strip() or self.reasons:
            yield next(iter(self.reasons.values()), _UNTRANSLATED)
        else:
            yield Unit.of({source.code: source.text, target.code: target.text}, self.id)


class _Units(Handler):
    """Collects the sources and targets of units that are translated, without inline markup."""

    def __init__(
        self, languages: tuple[str, str], names_targets: Callable[[], bool], mended: Counter[str]
    ) -> None:
        super().__init__("xliff", {**_NAMESPACES, **_SDL})
        self._languages = languages
        self._names_targets = names_targets
        self._some_named: bool | None = None
        self._codes = self._whole = _languages_in({})
        # Whether each of the open elements around units is to be translated.
        self._translate = [True]
        self._unit: _Unit | None = None
        # The ids of the file and, of XLIFF 2, of the unit that has segments.
        self._file = self._around = ""
        self._number = 0
        self._side = self._code = ""
        self._inline = Inline(self.pieces, mended)
        self._defines = ""

    def start(self, name: str, attributes: Attributes) -> bool:
        local = self.names[name]
        if self._side:
            return self._inline.start(local, attributes)
        if self._unit is not None:
            return self._start_in_unit(local, attributes)
        if local in _UNITS:
            self._number += 1
            if not self._translated(attributes):
                self.found.append('with translate="no"')
                return True
            self._unit = _Unit(_reason_in(attributes), self._id_of(local, attributes))
            self.kept = 0
        elif local in _AROUND:
            self._translate.append(self._translated(attributes))
            if local == "xliff":
                self._whole = _languages_in(attributes)
            elif local == "file":
                self._codes = self._named(_languages_in(attributes, self._whole))
                self._inline.defined.clear()
                original = attributes.get("original", "").rstrip("/\\")
                self._file = _FOLDERS.sub("", original) or attributes.get("id", "")
            elif local == "unit":
                self._inline.defined.clear()
                self._around = attributes.get("id") or attributes.get("name", "")
        else:
            return self._start_beside(local, attributes)
        return False

    def _start_in_unit(self, local: str, attributes: Attributes) -> bool:
        assert self._unit is not None
        if local in _SIDES:
            self._side, self.wants_text = local, True
            self.pieces.clear()
            code = attributes.get(LANG) or self._codes[local.removeprefix("seg-")]
            self._code = code
            self._unit.reason = self._unit.reason or _reason_in(attributes)
        elif local == "sdl:seg":
            says = attributes.get("conf", "Unspecified")
            untouched = says == "Unspecified" and attributes.get("origin") == "not-translated"
            if untouched or says.startswith(_REJECTED):
                # No segment has a longer one.
                mid = attributes.get("id", "")[: SEEN + 1]
                self._unit.reasons[mid] = _UNTRANSLATED if untouched else _BY_REVIEWERS
                if len(self._unit.reasons) > _MOST_SEGMENTS:
                    raise Refused(f"a unit of more than {_MOST_SEGMENTS:,} segments")
        return local not in _SIDES and local != "sdl:seg-defs"

    def _start_beside(self, local: str, attributes: Attributes) -> bool:
        """Take an element that is not of units, but may define a code."""
        if local in ("data", "sdl:tag"):
            self._defines = attributes.get("id", "")[:SEEN]
        if local in _DEFINED:
            self.wants_text = True
            self.pieces.clear()
            return False
        foreign = local[:1] == ":" or local[:4] == "sdl:"
        return local in _BESIDE or (foreign and local not in _SDL_AROUND_CODES)

    def end(self, name: str) -> None:
        local = self.names[name]
        if self._side:
            if self._inline.open:
                self._inline.end()
            else:
                self._take_side()
        elif self._unit is not None:
            if local in _UNITS:
                self.found.extend(self._unit.pairs())
                self._unit = None
        elif local in _AROUND:
            self._translate.pop()
        elif local in _DEFINED:
            self.wants_text = False
            if len(self._inline.defined) < _MOST_DEFINED:
                self._inline.defined.setdefault(self._defines, "".join(self.pieces)[:SEEN])

    def _take_side(self) -> None:
        assert self._unit is not None
        text = self._inline.text()
        segments = {mid: " ".join(parts) for mid, parts in self._inline.segments.items()}
        self._inline.segments = {}
        self._unit.sides[self._side] = _Side(self._code, text, segments)
        self._side, self.wants_text = "", False
        self.kept += len(text) + sum(map(len, segments.values()))
        if len(segments) > _MOST_SEGMENTS:
            raise Refused(f"a unit of more than {_MOST_SEGMENTS:,} segments")

    def _id_of(self, local: str, attributes: Attributes) -> str:
        given = attributes.get("id", "")
        if local == "segment":
            # Of most units there is one, without an id.
            ids = [self._file, self._around or f"unit {self._number}", given]
        else:
            ids = [self._file, given or f"unit {self._number}"]
        return "/".join(filter(None, ids))

    def _translated(self, attributes: Attributes) -> bool:
        given = attributes.get("translate")
        return self._translate[-1] if given is None else given != "no"

    def _named(self, codes: dict[str, str]) -> dict[str, str]:
        """Return a file's languages: the one that it does not name is the other of the two asked.

        Not if other files of the document name theirs.
        """
        if codes["target"]:
            self._some_named = True
        elif self._some_named is None:
            self._some_named = self._names_targets()
        given, missing = ("source", "target") if codes["source"] else ("target", "source")
        if codes[missing] or (missing == "target" and self._some_named):
            return codes
        return {given: codes[given], missing: other_language(self._languages, codes[given]) or ""}


def _reason_in(attributes: Attributes) -> str:
    """Return why a unit is left out by what is said of it or of its target, if it is."""
    status = attributes.get(_MEMOQ_STATUS, "")
    qualifier = attributes.get("state-qualifier", "")
    if attributes.get("state") in _NOT_BEGUN or status == "NotStarted":
        return _UNTRANSLATED
    if qualifier.startswith(_REJECTED) or status.startswith(_REJECTED):
        return _BY_REVIEWERS
    return _FUZZY if qualifier == "fuzzy-match" else ""


def _languages_in(
    attributes: Attributes, otherwise: Mapping[str, str] | None = None
) -> dict[str, str]:
    codes = dict(otherwise or {"source": "", "target": ""})
    for side, names in _LANGUAGES.items():
        codes[side] = next(filter(None, map(attributes.get, names)), codes[side])
    return codes
