"""What people write into the cells of a glossary: terms, synonyms of them, and remarks."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

__all__ = ["source_terms", "target_terms"]

# Of which the semicolon parts nothing.
_ENTITY = re.compile(r"&#?\w{1,20};")
_REMARK = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|（[^（）]*）")
# What follows a colon says which meaning of the word is meant: "account: ledger".
_MEANING = re.compile(r":\s.*", re.DOTALL)
_BETWEEN = re.compile(r"[;|；｜\n\r]")
# Not the one in a number.
_COMMA = re.compile(r"[、，]|,(?!\d)|(?<!\d),")
# Of a script without an alphabet, where a word may be one character.
_IDEOGRAPH = "[\u2e80-\ufaff\U00020000-\U0003ffff]"
# Shorter words are units and abbreviations, "km/h", or endings, "Kunde/in".
_SLASH = re.compile(rf" / |(?:(?<=\w\w\w)|(?<={_IDEOGRAPH})) ?/ ?(?=\w{{3}}|{_IDEOGRAPH})")
# Of a word: "Benutzer/-innen", or "Konto, -en" where the comma is what came before.
_ENDING = re.compile(r"(?:(?<=\w)/|^ ?)[-–~]\w+")
_HAS_WORD = re.compile(r"\w")
_AROUND = " \t\"'„“”«»‚‘’.,…"


def source_terms(cell: str) -> tuple[str, ...]:
    """Return the terms of a source cell.

    Remarks in brackets are left out, as is what follows a colon and a space; synonyms stand between
    ``;``, ``|`` or line breaks.

    Examples
    --------
    >>> source_terms("to post (v); book | account type: Asset")
    ('to post', 'book', 'account type')
    """
    return _terms(_MEANING.sub("", part) for part in _parts(cell))


def target_terms(cell: str, source: str) -> tuple[str, ...]:
    """Return the terms of a cell with translations of a source cell.

    Remarks in brackets are left out, and endings of words after a hyphen. Synonyms stand between
    ``;``, ``|`` or line breaks; also between commas, save in numbers, and at a slash with spaces
    around it or words of three letters and more, unless the source has a comma, or a slash, itself.

    Examples
    --------
    >>> target_terms("Konto, Buchungskonto (n.)", "account")
    ('Konto', 'Buchungskonto')
    >>> target_terms("Soll/Haben; km/h; Buchung, -en; Kunde/-in", "debit")
    ('Soll', 'Haben', 'km/h', 'Buchung', 'Kunde')
    >>> target_terms("Zins, effektiv", "interest, effective")
    ('Zins, effektiv',)
    """
    source = _REMARK.sub(" ", source)
    parts = _parts(cell)
    if not _COMMA.search(source):
        parts = [piece for part in parts for piece in _COMMA.split(part)]
    parts = [_ENDING.sub("", part) for part in parts]
    if "/" not in source:
        parts = [piece for part in parts for piece in _SLASH.split(part)]
    return _terms(parts)


def _parts(cell: str) -> list[str]:
    """Return what stands between signs that always part synonyms, without remarks."""
    if "&" in cell:
        cell = _ENTITY.sub(lambda found: html.unescape(found[0]), cell)
    return [" ".join(part.split()) for part in _BETWEEN.split(_REMARK.sub(" ", cell))]


def _terms(parts: Iterable[str]) -> tuple[str, ...]:
    """Return what has a word in it, each once, without the signs around it."""
    stripped = (part.strip(_AROUND) for part in parts)
    return tuple(dict.fromkeys(term for term in stripped if _HAS_WORD.search(term)))
