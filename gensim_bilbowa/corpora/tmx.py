"""Translation memories: TMX files (Translation Memory eXchange 1.1 to 1.4b)."""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Iterator
from typing import cast

from gensim_bilbowa.corpora.xml import Attributes, Handler, read_xml
from gensim_bilbowa.errors import ParallelDataError

__all__ = ["TMXPairs", "matching"]

logger = logging.getLogger(__name__)

# Elements whose content is code of the document, or text that stands elsewhere in it.
_MARKUP = {"bpt", "ept", "it", "ph", "ut", "sub"}


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


class TMXPairs:
    """The segments of a TMX file in two languages, as text.

    Parameters
    ----------
    path : str or path-like
        Plain, .gz, .bz2 or .xz, in any encoding that XML allows.
    languages : (str, str)
        Codes, matched to those in the file, see :func:`matching`.

    Attributes
    ----------
    skipped : dict from str to int
        Units left out in the latest pass, by reason.

    Raises
    ------
    CorpusError
        While iterating, if the file is damaged or misuses XML.
    ParallelDataError
        If no unit has both languages; the message names those of the file.
    """

    def __init__(self, path: str | os.PathLike[str], languages: tuple[str, str]) -> None:
        self.path = os.fspath(path)
        self.languages = languages
        self.skipped: dict[str, int] = {}

    def __repr__(self) -> str:
        return f"TMXPairs({self.path!r}, languages={self.languages})"

    def __iter__(self) -> Iterator[tuple[str, str]]:
        handler = _Units()
        skipped: Counter[str] = Counter()
        codes: Counter[str] = Counter()
        yielded = 0
        for unit in read_xml(self.path, handler):
            segments = cast("dict[str, str]", unit)
            codes.update(segments.keys())
            sides = [matching(language, list(segments)) for language in self.languages]
            if None in sides:
                skipped["without both languages"] += 1
                continue
            left, right = (segments[str(code)] for code in sides)
            if not left.strip() or not right.strip():
                skipped["with a blank side"] += 1
                continue
            yielded += 1
            yield left, right
        self.skipped = dict(skipped)
        if not yielded:
            raise ParallelDataError(
                f"{self.path}: no unit has text in {' and in '.join(map(repr, self.languages))}; "
                f"{sum(skipped.values()):,} units, in {sorted(codes) or 'no language'}"
            )
        if skipped:
            logger.warning(
                "%s: %i units, left out: %s", self.path, yielded,
                ", ".join(f"{count:,} {reason}" for reason, count in skipped.items()),
            )  # fmt: skip


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

    def text(self, text: str) -> None:
        if self._segment is not None and not self._in_markup:
            self._segment.append(text)
