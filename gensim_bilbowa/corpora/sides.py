"""The two sides of parallel text where each comes by itself, in step with the other."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from gensim_bilbowa.corpora.compiled_reading import TextFile, is_plain
from gensim_bilbowa.corpora.files import LineCorpus, Split
from gensim_bilbowa.corpora.kinds import reader_of
from gensim_bilbowa.corpora.pairing import PlacedUnits, check_lengths, row_units
from gensim_bilbowa.corpora.sentences import as_sentences
from gensim_bilbowa.errors import ConfigError

__all__ = ["Sides"]

_MISSING: Any = object()


class Sides:
    """Rows of two sides: sentence i of one translates sentence i of the other.

    Parameters
    ----------
    given : (source, target)
        Each what may stand for a corpus.
    languages : (str, str)
    where : str
        What stands for both in messages.
    errors : str
        What to do about bytes in files that are not UTF-8.
    splits : (callable or None, callable or None)
        What splits the lines of files.

    Attributes
    ----------
    sides : tuple of two iterables
    names : list of str
        Of the sides, for messages.

    Raises
    ------
    ConfigError
        If one is a translation file, which has both sides.
    """

    def __init__(
        self, given: tuple[Any, Any], languages: tuple[str, str], where: str, errors: str,
        splits: tuple[Split | None, Split | None],
    ) -> None:  # fmt: skip
        for path in given:
            if isinstance(path, str | os.PathLike) and reader_of(os.fspath(path)) is not None:
                raise ConfigError(
                    f"{where}: {os.fspath(path)} is a translation file, which has both sides by "
                    f"itself; give it alone, --pairs {','.join(languages)}={os.fspath(path)} on "
                    "the command line"
                )
        self.where = where
        self.sides: tuple[Any, ...] = tuple(
            as_sentences(side, where, errors, split)
            for side, split in zip(given, splits, strict=True)
        )
        self.names = [
            f"{code}{f' ({side.path})' if isinstance(side, LineCorpus) else ''}"
            for code, side in zip(languages, self.sides, strict=True)
        ]

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return self._zipped(*self.sides)

    @property
    def files(self) -> list[TextFile] | None:
        """The files that compiled code can read in place of these sides; None if they are none."""
        sides = [TextFile(side) for side in self.sides if is_plain(side)]
        return sides if len(sides) == 2 else None

    def units(self, splits: Sequence[Split | None], wheres: tuple[str, str]) -> PlacedUnits:
        """Yield the texts of the rows, lines of files as they are; see `row_units`."""
        files = [side if _has_lines(side) else None for side in self.sides]
        readings = (
            side if file is None else file.lines()
            for side, file in zip(self.sides, files, strict=True)
        )
        of_lines = [
            split if file is None else file.tokenizer or str.split
            for split, file in zip(splits, files, strict=True)
        ]
        path = next((file.path for file in files if file is not None), "")
        return row_units(self._zipped(*readings), of_lines, wheres, path)

    def _zipped(self, source: Any, target: Any) -> Iterator[tuple[Any, Any]]:
        rows = zip_longest(source, target, fillvalue=_MISSING)
        for number, (left, right) in enumerate(rows, start=1):
            if left is _MISSING or right is _MISSING:
                # Count the longer side to its end: the message gives both lengths.
                longer = number + sum(1 for _ in rows)
                lengths = (number - 1, longer) if left is _MISSING else (longer, number - 1)
                check_lengths(lengths, self.names, self.where)
            yield left, right


def _has_lines(side: Any) -> bool:
    # A derived class may change the sentences as they are read.
    return isinstance(side, LineCorpus) and type(side).__iter__ is LineCorpus.__iter__
