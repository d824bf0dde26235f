"""Texts of two languages that come together, as units of translation files or rows of tables."""

from __future__ import annotations

import logging
import os
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple, TypeVar

from gensim_bilbowa.corpora.files import Split
from gensim_bilbowa.errors import ParallelDataError
from gensim_bilbowa.parameters import check_errors
from gensim_bilbowa.tokenization.codes import matching, matching_both
from gensim_bilbowa.tokenization.tokenizer import Tokenizer

__all__ = [
    "LONGEST_UNIT",
    "OTHER",
    "TOO_LONG",
    "NoPairsError",
    "TextUnit",
    "Unit",
    "UnitPairs",
    "UnitTexts",
    "left_out",
    "other_language",
]

# Stands for the other language where the text of one is wanted: the code of no language.
OTHER = "und"

logger = logging.getLogger(__name__)

# What is taken of a unit.
Texts = TypeVar("Texts", bound=tuple[object, ...])

_MOST_TOKENIZERS = 16
# A file with more is not read in more memory; the error for a missing language names so many.
_MOST_CODES = 100
# Characters of what a file names so that are kept: what is longer is looked up each time.
_LONGEST_CODES = 1000
# Of the texts of a unit; a longer one is no sentence, and its words would fill the memory.
LONGEST_UNIT = 1 << 20
TOO_LONG = f"with more than {LONGEST_UNIT:,} characters"


def other_language(languages: tuple[str, str], named: str) -> str | None:
    """Return which of two languages is not the one that a file names; None if that is not clear."""
    others = [language for language in languages if matching(language, [named]) is None]
    return others[0] if len(others) == 1 else None


def left_out(counts: Mapping[str, int]) -> str:
    """Return counts by reason in words."""
    return ", ".join(f"{count:,} {reason}" for reason, count in counts.items()) or "none"


@lru_cache(_MOST_TOKENIZERS)
def _tokenizer(language: str) -> Tokenizer:
    """Return one that all files share, since it knows what it has split before."""
    return Tokenizer(language, markup=True)


class Unit(dict[str, str]):
    """A unit's texts by language code, and what a person finds it by in its file.

    Attributes
    ----------
    id : str
        The one that the file gives it, else its line or its number.
    """

    __slots__ = ("id",)

    # Without a constructor of its own, which would cost as much as all else that is done of one.
    id: str

    @classmethod
    def of(cls, texts: Mapping[str, str], id: str) -> Unit:
        """Return a unit with some texts and an id."""
        unit = cls(texts)
        unit.id = id
        return unit


class TextUnit(NamedTuple):
    """The texts of a pair as they stand in a file, and where.

    Attributes
    ----------
    source, target : str
    file : str
        Its path; "" of text that comes from no file.
    id : str
        The one that the file gives the unit, else its line or number: "line 12", "pair 3".
    """

    source: str
    target: str
    file: str
    id: str


class NoPairsError(ParallelDataError):
    """No unit of a file has both languages; `dropped` says what there was, by reason."""

    def __init__(self, message: str, dropped: Mapping[str, int]) -> None:
        super().__init__(message)
        self.dropped = dict(dropped)


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
    def units(self) -> Iterator[Unit | str]:
        """Yield each unit's texts by language code, or the reason for which it is left out."""

    @property
    def path(self) -> str:
        """The file; "" of a table in memory."""
        return self.source

    def split(self, language: str) -> Split:
        """Return what splits texts of a language into tokens where the user does not say."""
        return _tokenizer(language)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.source!r}, languages={self.languages})"

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return self.chosen(self._choice(), self.languages, self.source, "units")

    def placed(self) -> Iterator[tuple[str, str, str]]:
        """Yield each pair with the id of its unit."""
        choose = self._choice()

        def choose_with_id(unit: Unit) -> tuple[str, str, str] | str:
            texts = choose(unit)
            return texts if isinstance(texts, str) else (*texts, unit.id)

        return self.chosen(choose_with_id, self.languages, self.source, "units")

    def _choice(self) -> Callable[[Unit], tuple[str, str] | str]:
        """Return what takes the texts of the two languages from a unit, or says why it cannot."""
        # Files name languages in few ways, but in every unit.
        find = partial(matching_both, self.languages)
        known = lru_cache(_MOST_CODES)(find)

        def both(codes: tuple[str, ...]) -> tuple[str, str] | None:
            return (known if sum(map(len, codes)) <= _LONGEST_CODES else find)(codes)

        def choose(unit: Unit) -> tuple[str, str] | str:
            sides = both(tuple(unit))
            if sides is None:
                return "without both languages"
            left, right = (unit[code] for code in sides)
            if not left.strip() or not right.strip():
                # Another variant of the language may have what the first one lacks.
                sides = both(tuple(code for code, text in unit.items() if text.strip()))
                if sides is None:
                    return "with a blank side"
                left, right = (unit[code] for code in sides)
            return left, right

        return choose

    def chosen(
        self, choose: Callable[[Unit], Texts | str],
        languages: Sequence[str], name: str, what: str,
    ) -> Iterator[Texts]:  # fmt: skip
        """Yield what is chosen of each unit, and count what is left out.

        Parameters
        ----------
        choose : callable
            Returns texts of a unit, or the reason for which it is left out.
        languages : sequence of str
            Those of the texts, for the error if there are none.
        name, what : str
            What stands for the file and for the texts in the warning of what is left out.
        """
        dropped: Counter[str] = Counter()
        mended, self.mended = self.mended, Counter()
        codes: set[str] = set()
        yielded = 0
        for unit in self.units():
            if isinstance(unit, str):
                dropped[unit] += 1
                continue
            if sum(map(len, unit.values())) > LONGEST_UNIT:
                dropped[TOO_LONG] += 1
                continue
            if not codes.issuperset(unit) and len(codes) < _MOST_CODES:
                codes.update([code[:_LONGEST_CODES] for code in unit])
            texts = choose(unit)
            if isinstance(texts, str):
                dropped[texts] += 1
                continue
            yielded += 1
            yield texts
        if not yielded:
            end = f"; mended: {left_out(self.mended)}" if self.mended else ""
            raise NoPairsError(
                f"{self.source}: no unit has text in {' and in '.join(map(repr, languages))}; "
                f"{dropped.total():,} units ({left_out(dropped)}), "
                f"in {sorted(filter(None, codes)) or 'no language'}{end}",
                dropped,
            )
        if dropped and dropped != self.dropped:
            logger.warning("%s: %i %s, left out: %s", name, yielded, what, left_out(dropped))
        if self.mended and self.mended != mended:
            logger.warning("%s: mended: %s", self.source, left_out(self.mended))
        self.dropped = dict(dropped)


class UnitTexts:
    """The texts of one language in a translation file, whatever the other one is.

    Parameters
    ----------
    units : UnitPairs
        One of its languages is `language`.
    language : str
    split : callable
        From a text to its tokens.

    Raises
    ------
    NoPairsError
        While iterating, if no unit has text of the language.
    """

    def __init__(self, units: UnitPairs, language: str, split: Split) -> None:
        self._units = units
        self.tokenizer = split
        self.language = language

    @property
    def dropped(self) -> dict[str, int]:
        """Units left out in the latest whole pass, by reason."""
        return self._units.dropped

    @property
    def path(self) -> str:
        """The file."""
        return self._units.source

    def __repr__(self) -> str:
        return f"UnitTexts({self.path!r}, {self.language!r})"

    def __iter__(self) -> Iterator[list[str]]:
        def choose(unit: Unit) -> tuple[str] | str:
            code = matching(self.language, list(unit))
            if code is None:
                return "without this language"
            return (unit[code],) if unit[code].strip() else "blank"

        name = f"{self.path}, {self.language!r}"
        for (text,) in self._units.chosen(choose, (self.language,), name, "texts"):
            yield self.tokenizer(text)
