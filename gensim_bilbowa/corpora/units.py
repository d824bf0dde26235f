"""Units of translation files: texts by language code, and the pairs of two languages in them."""

from __future__ import annotations

import logging
import os
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping

from gensim_bilbowa.errors import ParallelDataError

__all__ = ["UnitPairs", "matching"]

logger = logging.getLogger(__name__)


def matching(wanted: str, found: list[str]) -> str | None:
    """Return the language code in a file that is the one asked for.

    ``de`` is matched by ``de``, else by the first of ``de-DE``, ``de_AT`` and the like; ``de-AT``
    by itself alone. Case does not matter.
    """
    normal = wanted.replace("_", "-").lower()
    codes = [code.replace("_", "-").lower() for code in found]
    if normal in codes:
        return found[codes.index(normal)]
    regional = [code for code, n in zip(found, codes, strict=True) if n.startswith(normal + "-")]
    return regional[0] if regional and "-" not in normal else None


class UnitPairs(ABC):
    """The texts of a translation file in two languages, as pairs of strings.

    Parameters
    ----------
    path : str or path-like
    languages : (str, str)
        Codes, matched to those in the file, see :func:`matching`.

    Attributes
    ----------
    skipped : dict from str to int
        Units left out in the latest pass, by reason.

    Raises
    ------
    CorpusError
        While iterating, if the file is damaged.
    ParallelDataError
        If no unit has both languages; the message names those of the file.
    """

    def __init__(self, path: str | os.PathLike[str], languages: tuple[str, str]) -> None:
        self.path = os.fspath(path)
        self.languages = languages
        self.skipped: dict[str, int] = {}

    @abstractmethod
    def units(self) -> Iterator[Mapping[str, str] | str]:
        """Yield each unit's texts by language code, or the reason for which it is left out."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.path!r}, languages={self.languages})"

    def __iter__(self) -> Iterator[tuple[str, str]]:
        skipped: Counter[str] = Counter()
        codes: set[str] = set()
        yielded = 0
        for unit in self.units():
            if isinstance(unit, str):
                skipped[unit] += 1
                continue
            codes.update(unit)
            sides = [matching(language, list(unit)) for language in self.languages]
            if None in sides:
                skipped["without both languages"] += 1
                continue
            left, right = (unit[str(code)] for code in sides)
            if not left.strip() or not right.strip():
                skipped["with a blank side"] += 1
                continue
            yielded += 1
            yield left, right
        self.skipped = dict(skipped)
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in skipped.items())
        if not yielded:
            raise ParallelDataError(
                f"{self.path}: no unit has text in {' and in '.join(map(repr, self.languages))}; "
                f"{sum(skipped.values()):,} units ({reasons or 'none'}), "
                f"in {sorted(codes) or 'no language'}"
            )
        if skipped:
            logger.warning("%s: %i units, left out: %s", self.path, yielded, reasons)
