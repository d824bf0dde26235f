"""Texts of two languages that come together, as units of translation files or rows of tables."""

from __future__ import annotations

import logging
import os
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial

from gensim_bilbowa.corpora.files import Split
from gensim_bilbowa.errors import ParallelDataError
from gensim_bilbowa.parameters import check_errors
from gensim_bilbowa.tokenization import Tokenizer

__all__ = ["UnitPairs", "left_out", "matching", "other_language"]

logger = logging.getLogger(__name__)

# A file with more is not read in more memory; the error for a missing language names so many.
_MOST_CODES = 100


def matching(wanted: str, found: list[str]) -> str | None:
    """Return the language code in a file that is the one asked for.

    ``de`` is matched by ``de``, else by the first of ``de-DE``, ``de_AT`` and the like; ``de-AT``
    by itself alone. Case does not matter.
    """
    normal = _normal(wanted)
    codes = list(map(_normal, found))
    if normal in codes:
        return found[codes.index(normal)]
    regional = [code for code, n in zip(found, codes, strict=True) if n.startswith(normal + "-")]
    return regional[0] if regional and "-" not in normal else None


def _normal(code: str) -> str:
    return code.replace("_", "-").lower()


def _both(languages: tuple[str, str], found: tuple[str, ...]) -> tuple[str, str] | None:
    """Return the codes in a file that are those of two languages; of "pt" and "pt-BR", two."""
    sides: list[str] = []
    for wanted, other in (languages, languages[::-1]):
        taken = [code for code in found if _normal(code) != _normal(other)]
        side = matching(wanted, taken)
        if side is None:
            return None
        sides.append(side)
    return sides[0], sides[1]


def other_language(languages: tuple[str, str], named: str) -> str | None:
    """Return which of two languages is not the one that a file names; None if that is not clear."""
    others = [language for language in languages if matching(language, [named]) is None]
    return others[0] if len(others) == 1 else None


def left_out(counts: Mapping[str, int]) -> str:
    """Return counts by reason in words."""
    return ", ".join(f"{count:,} {reason}" for reason, count in counts.items()) or "none"


class UnitPairs(ABC):
    """The texts of a file or table in two languages, as pairs of strings.

    Parameters
    ----------
    source : str or path-like
        The file, or what stands for it in messages.
    languages : (str, str)
        Codes, matched to those of the units, see :func:`matching`.
    errors : {"strict", "replace", "ignore"}
        What to do about bytes that are no characters.

    Attributes
    ----------
    dropped : dict from str to int
        Units left out in the latest pass, by reason.
    mended : collections.Counter from str
        What was left out of units or put right in the latest pass, by kind.

    Raises
    ------
    CorpusError
        While iterating, if the source is damaged.
    ParallelDataError
        If no unit has both languages; the message names those that there are.
    """

    def __init__(
        self, source: str | os.PathLike[str], languages: tuple[str, str], errors: str = "strict"
    ) -> None:
        check_errors(errors)
        self.source = os.fspath(source)
        self.languages = languages
        self.errors = errors
        self.dropped: dict[str, int] = {}
        self.mended: Counter[str] = Counter()

    @abstractmethod
    def units(self) -> Iterator[Mapping[str, str] | str]:
        """Yield each unit's texts by language code, or the reason for which it is left out."""

    def split(self, language: str) -> Split:
        """Return what splits texts of a language into tokens where the user does not say."""
        return Tokenizer(language)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.source!r}, languages={self.languages})"

    def __iter__(self) -> Iterator[tuple[str, str]]:
        dropped: Counter[str] = Counter()
        mended, self.mended = self.mended, Counter()
        codes: set[str] = set()
        yielded = 0
        # Files name languages in few ways, but in every unit.
        both = lru_cache(_MOST_CODES)(partial(_both, self.languages))
        for unit in self.units():
            if isinstance(unit, str):
                dropped[unit] += 1
                continue
            if len(codes) < _MOST_CODES:
                codes.update(unit)
            sides = both(tuple(unit))
            if sides is None:
                dropped["without both languages"] += 1
                continue
            left, right = (unit[code] for code in sides)
            if not left.strip() or not right.strip():
                # Another variant of the language may have what the first one lacks.
                sides = both(tuple(code for code, text in unit.items() if text.strip()))
                if sides is None:
                    dropped["with a blank side"] += 1
                    continue
                left, right = (unit[code] for code in sides)
            yielded += 1
            yield left, right
        if not yielded:
            raise ParallelDataError(
                f"{self.source}: no unit has text in {' and in '.join(map(repr, self.languages))}; "
                f"{dropped.total():,} units ({left_out(dropped)}), "
                f"in {sorted(codes) or 'no language'}"
            )
        if dropped and dropped != self.dropped:
            logger.warning("%s: %i units, left out: %s", self.source, yielded, left_out(dropped))
        if self.mended and self.mended != mended:
            logger.warning("%s: mended: %s", self.source, left_out(self.mended))
        self.dropped = dict(dropped)
