"""Codes of languages: which ones, of the many ways to write them, stand for the same language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

__all__ = ["Code", "matching", "matching_both", "primary", "tag"]

# Those of one file are looked up again for each unit; a longer one than this names no language.
_KEPT = 1000
_LONGEST = 100
_SEPARATORS = re.compile(r"[-_\s]+")
# What a locale's name has after "@": a script, or the sign of a currency.
_MODIFIERS = {
    "arabic": "arab", "cyrillic": "cyrl", "devanagari": "deva", "euro": "", "iqtelif": "latn",
    "latin": "latn",
}  # fmt: skip
# Of which a second code of three letters names a part, as zh-yue does, and not a place.
_WITH_PARTS = {"ar", "kok", "lv", "ms", "sgn", "sw", "uz", "zh"}
# Short for "source" more often than for the Sardinian of Logudoro.
_MADE_UP = {"src"}


class Code(NamedTuple):
    """A code, taken apart.

    Attributes
    ----------
    language : str
        In the shortest form of ISO 639; a code that is not known stands here as a whole.
    script : str
        Of ISO 15924, in small letters, or empty if it is not given.
    rest : tuple of str
        What else there is, in small letters: a region, variants.
    """

    language: str
    script: str
    rest: tuple[str, ...]

    @classmethod
    def of(cls, code: str) -> Code:
        """Take a code apart: of BCP 47, ISO 639, a locale, or a user's own invention."""
        return _taken_apart(code) if len(code) <= _LONGEST else cls(code, "", ())

    @property
    def usual_script(self) -> str:
        """The script that is given, or else the one of the language in that region."""
        return self.script or _script_of(self.language, self.rest[0] if self.rest else "")

    def is_same(self, other: Code) -> bool:
        """Say whether two codes mean the same; a script is not needed where it is the usual one."""
        if (self.language, self.rest) != (other.language, other.rest):
            return False
        return self.script == other.script or self.usual_script == other.usual_script

    def covers(self, other: Code) -> bool:
        """Say whether this is the language of another code that has a region or variant."""
        if self.language != other.language or self.rest:
            return False
        return not self.script or self.usual_script == other.usual_script


def primary(code: str | None) -> str:
    """Return a code's language alone: ``ja`` of ``jpn_Jpan``; empty for None."""
    return Code.of(code).language if code else ""


def tag(code: str) -> str:
    """Return a code as BCP 47 writes it: ``pt-BR`` of ``pt_BR``, ``sr-Latn`` of ``sr@latin``.

    What cannot be such a code is returned as it is, but for underscores.
    """
    from langcodes import standardize_tag

    apart = Code.of(code)
    for written in (code, "-".join(filter(None, (apart.language, apart.script, *apart.rest)))):
        with suppress(ValueError):
            return str(standardize_tag(written))
    return code.replace("_", "-")


def matching(wanted: str, found: Sequence[str]) -> str | None:
    """Return the code among some that is the one asked for.

    ``de`` is matched by ``de``, else by ``deu``, ``ger`` or ``deu_Latn``, else by the first of
    ``de-DE``, ``de_AT`` and the like; ``de-AT`` by itself alone, however it is written. A script
    that is asked for is that of the text: ``zh-Hant`` is matched by ``zh-TW``, not by ``zh``. Case,
    separators and white space do not matter. Codes that nobody knows match themselves.
    """
    normal = _normal(wanted)
    for code in found:
        if _normal(code) == normal:
            return code
    asked = Code.of(wanted)
    for suits in (asked.is_same, asked.covers):
        for code in found:
            if suits(Code.of(code)):
                return code
    return None


def matching_both(wanted: tuple[str, str], found: Sequence[str]) -> tuple[str, str] | None:
    """Return the codes among some that are two languages', each for one; of "pt" and "pt-BR", two.

    What is asked for more closely has the first choice.
    """
    order = sorted(wanted, key=lambda code: _closeness(code, found), reverse=True)
    left = list(found)
    taken: dict[str, str] = {}
    for code in order:
        match = matching(code, left)
        if match is None:
            return None
        left.remove(match)
        taken[code] = match
    return taken[wanted[0]], taken[wanted[1]]


def _closeness(code: str, found: Sequence[str]) -> tuple[bool, int, bool]:
    asked = Code.of(code)
    return _normal(code) in map(_normal, found), len(asked.rest), bool(asked.script)


def _normal(code: str) -> str:
    return _SEPARATORS.sub("-", code.strip()).lower()


@lru_cache(_KEPT)
def _taken_apart(code: str) -> Code:
    normal = _normal(code)
    name, _, modifier = normal.partition("@")
    first, *rest = name.partition(".")[0].split("-")
    if not _is_short(first):
        return Code(normal, "", ())
    if first in _WITH_PARTS and rest and (part := _part(first, rest[0])):
        first = part
        del rest[0]
    language, script = _known(first)
    modifier = _MODIFIERS.get(modifier, modifier)
    rest += [modifier] * bool(modifier)
    for part in rest:
        if len(part) == 4 and part.isalpha():
            script = part
            rest.remove(part)
            break
    return Code(language, script, tuple(rest))


# Of langcodes only what has two or three letters is asked, and what was found stays in its memory:
# a file may name no end of codes.


@lru_cache(_KEPT)
def _known(language: str) -> tuple[str, str]:
    """Return a language's shortest code, and the script that its code says, if it does."""
    if language in _MADE_UP:
        return language, ""
    from langcodes import Language

    found = Language.get(language).prefer_macrolanguage()
    # One code of Norwegian stands for its more frequent form.
    short = {"no": "nb"}.get(found.language or "", found.language)
    return short or language, (found.script or "").lower()


@lru_cache(_KEPT)
def _part(language: str, part: str) -> str | None:
    """Return the language that is part of another: ``yue`` of ``zh-yue``; None if it is none."""
    if not _is_short(part):
        return None
    from langcodes import Language

    found = Language.get(f"{language}-{part}")
    return None if found.extlangs or found.territory else found.language


@lru_cache(_KEPT)
def _script_of(language: str, region: str) -> str:
    """Return the script that a language is written in, in a region or on the whole."""
    if not _is_short(language):
        return ""
    from langcodes import Language

    placed = _is_short(region) and len(region) == 2
    likely = Language.get(f"{language}-{region}" if placed else language).maximize()
    return (likely.script or "").lower()


def _is_short(code: str) -> bool:
    return code.isascii() and code.isalpha() and len(code) in (2, 3)
