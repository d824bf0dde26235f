"""Parallel text in tables that are files: lines with tabs or ``|||``, CSV, JSON lines."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import islice
from typing import Any, TypeAlias

from gensim_bilbowa.corpora.compiled_reading import lacks_columns
from gensim_bilbowa.corpora.files import Split, read_lines
from gensim_bilbowa.corpora.opening import head_of, refuse_no_text
from gensim_bilbowa.corpora.rows import LONGEST_ROW, BadRow
from gensim_bilbowa.corpora.table_heads import (
    find_columns,
    looks_like_text,
    looks_untokenized,
    misplaced,
    not_text,
    other_language_of,
    titles_above,
)
from gensim_bilbowa.corpora.table_kinds import HEAD_BYTES, TableKind, decoded_lines, table_kind
from gensim_bilbowa.corpora.units import NoPairsError, Unit, UnitPairs
from gensim_bilbowa.errors import ConfigError, ParallelDataError
from gensim_bilbowa.tokenization.codes import matching

__all__ = ["Columns", "TablePairs"]

logger = logging.getLogger(__name__)

# By their places from 0, or by their names; of JSON lines also one key with all translations.
Columns: TypeAlias = Sequence[int] | Sequence[str] | str

_SAMPLE_ROWS = 1000
_MOST_KEYS = 100
# No language, and no column of one, has a longer name; what was looked up is kept.
_LONGEST_KEY = 200
_WAY_OUT = "which columns are to be read say --columns A,B, in Python columns=(..., ...)"
_DELIMITERS = {"\t": "tabs", ",": "commas", ";": "semicolons"}


@dataclass(frozen=True)
class _Look:
    """What the beginning of a file says: its kind, how many rows its header ends, and columns."""

    kind: TableKind
    header: int
    columns: tuple[int, int]


class TablePairs(UnitPairs):
    """The texts in two columns of a file, or under two keys of JSON lines.

    The kind of the table is told by its beginning; see
    :func:`~gensim_bilbowa.corpora.table_kinds.table_kind`. Of plain lines with tabs blank ones are
    pairs of blank texts, as compiled code has them; of other tables they are left out and counted.
    The id of a unit is the line where its row begins.

    Parameters
    ----------
    source : str or path-like
    languages : (str, str)
    errors : {"strict", "replace", "ignore"}
    columns : (int, int), (str, str) or str, optional
        From 0, or by the names in the first row. Default: what a header says that names the
        languages, else the first two.
    skip_bad : bool
        Leave out rows that cannot be read, and count them by reason.
    tokenized : bool
        Whether what is between white space is a token; if it seems to be none, it is said.

    Raises
    ------
    ConfigError
        If there are no such columns; the message names those that there are.
    ParallelDataError
        While iterating, for a row that cannot be read; the message names its line.
    """

    def __init__(
        self,
        source: str | os.PathLike[str],
        languages: tuple[str, str],
        errors: str = "strict",
        *,
        columns: Columns | None = None,
        skip_bad: bool = False,
        tokenized: bool = True,
    ) -> None:
        super().__init__(source, languages, errors)
        self._names, self._places = _checked(columns)
        self.skip_bad = skip_bad
        self._tokenized = tokenized

    def split(self, language: str) -> Split:
        """Return what splits a text at white space, as in other files of lines."""
        return str.split

    @property
    def plain(self) -> tuple[int, int] | None:
        """The columns that compiled code can read in place of this; None if it cannot."""
        look = self._look
        simple = look.kind.plain and not look.header and not self.skip_bad
        return look.columns if simple else None

    @cached_property
    def _look(self) -> _Look:
        head = head_of(self.source, HEAD_BYTES)
        refuse_no_text(self.source, head)
        told = table_kind(head, self.source)
        kind = told or TableKind()
        lines = kind.lines(head)
        sample = islice(kind.rows(lines, self.source), _SAMPLE_ROWS)
        rows = [row for _, row in sample if not isinstance(row, BadRow) and any(row)]
        if not kind.delimiter:
            self._check_keys([row for row in rows if isinstance(row, dict)])
            look = _Look(kind, 0, (0, 1))
        else:
            if told is None and not self.skip_bad:
                self._refuse_lines(lines)
            look, cells = self._columns(kind, [row for row in rows if isinstance(row, list)])
            self._warn_of_columns(look, cells)
        self._warn_of_text(look, lines)
        return look

    def _refuse_lines(self, lines: list[str]) -> None:
        """Say of a file whose lines are no rows what else may be given."""
        for number, line in enumerate(lines, start=1):
            if line.strip() and "\t" not in line:
                raise ParallelDataError(
                    f"{self.source}, line {number}: 2 columns separated by tabs are wanted, got 1: "
                    f"{line[:60]!r}; most lines have none, nor are they CSV, JSON lines or have "
                    "||| in them. Two files, line by line, are given as two: --parallel"
                )

    def _check_keys(self, rows: list[dict[str, Any]]) -> None:
        keys = list(islice(rows[0], _MOST_KEYS)) if rows else []
        if self._places is not None:
            raise ConfigError(
                f"{self.source}: columns of JSON lines are named by keys, of which there are "
                f"{_shown(keys)}; got the numbers {self._places}, from 0"
            )
        if rows and self._names is None and not any(map(self._wanted_keys, rows)):
            raise ParallelDataError(
                f"{self.source}: no keys are {' and '.join(map(repr, self.languages))}, or source "
                f"and target; there are {_shown(keys)}, of which --columns A,B, in Python "
                "columns=(..., ...), names two"
            )

    def _wanted_keys(self, row: Mapping[str, Any]) -> tuple[str, ...] | None:
        if self._names is not None:
            return self._names
        if isinstance(row.get("translation"), Mapping):
            return ("translation",)
        keys = tuple(islice(row, _MOST_KEYS))
        short = sum(map(len, keys)) <= _LONGEST_KEY
        names = keys if short else tuple(key[:_LONGEST_KEY] for key in keys)
        found = _places_of(names, self.languages)
        return None if found is None else (keys[found[0]], keys[found[1]])

    def _columns(self, kind: TableKind, rows: list[list[str]]) -> tuple[_Look, list[list[str]]]:
        """Find the columns; return also the rows without a header."""
        titles = titles_above(rows, self.languages)
        first = [cell.strip() for cell in rows[titles]] if rows else []
        found = find_columns(first, self.languages)
        if self._places is None is self._names and found is None:
            self._refuse_header(first)
        columns = self._places or found or (0, 1)
        if self._names is not None:
            folded = [cell.casefold() for cell in first]
            for name in self._names:
                if (times := folded.count(name.strip().casefold())) != 1:
                    count = f"{times} columns are" if times else "no column is"
                    raise ConfigError(
                        f"{self.source}: {count} named {name!r}; the first row has {_shown(first)}"
                    )
            if len(self._names) != 2:
                raise ConfigError(f"{self.source}: two columns are wanted, got {self._names}")
            one, other = (folded.index(name.strip().casefold()) for name in self._names)
            columns = one, other
        header = titles + 1 if found is not None or self._names is not None else 0
        if header and columns != (0, 1):
            shown = [first[i] for i in columns if i < len(first)]
            logger.info("%s: columns %s, by its header", self.source, _shown(shown))
        return _Look(kind, header, columns), rows[header:]

    def _refuse_header(self, first: list[str]) -> None:
        """Say of a header that names languages that the first two columns are others."""
        shown = f"{self.source}: by the first row, {_shown(first)},"
        if other := other_language_of(first, self.languages):
            wanted = " and ".join(map(repr, self.languages))
            problem = f"{shown} a column is in {other!r}; {wanted} are wanted; {_WAY_OUT}"
            raise NoPairsError(problem, {"table of other languages": 1})
        for place, code in misplaced(first, self.languages):
            raise ParallelDataError(f"{shown} {code!r} is in column {place} alone; {_WAY_OUT}")

    def _warn_of_columns(self, look: _Look, rows: list[list[str]]) -> None:
        """Say which columns look like text if one that is read does not."""
        width = max(map(len, rows), default=0)
        columns = [[row[i] for row in rows if i < len(row)] for i in range(min(width, _MOST_KEYS))]
        poor = {i: not_text(columns[i]) for i in look.columns if i < len(columns)}
        for place, kind in poor.items():
            if kind is None:
                continue
            texts = [i for i, cells in enumerate(columns) if looks_like_text(cells)]
            way = f"those that look like text: {', '.join(str(i + 1) for i in texts) or 'none'}"
            if len(texts) >= 2:
                one, other = texts[:2]
                way += f"; --columns {one + 1},{other + 1}, columns=({one}, {other}) in Python"
            logger.warning(
                "%s: column %i has %s, such as %.60r, where text is wanted; %s",
                self.source, place + 1, kind, columns[place][0], way,
            )  # fmt: skip

    def _warn_of_text(self, look: _Look, lines: list[str]) -> None:
        if not self._tokenized:
            return
        units = self._units(look, lines, skip_bad=True)
        texts = [text for unit in units if not isinstance(unit, str) for text in unit.values()]
        if looks_untokenized(texts):
            logger.warning(
                "%s: text seems to be running text, whose marks stick to its words; --tokenize, "
                "tokenizer=Tokenizer(...) in Python, splits it",
                self.source,
            )

    def __iter__(self) -> Iterator[tuple[str, str]]:
        if self.plain is None:
            return super().__iter__()
        return ((source, target) for source, target, _ in self._plain_pairs(self.plain))

    def placed(self) -> Iterator[tuple[str, str, str]]:
        """Yield each pair with the line of its row."""
        columns = self.plain
        return super().placed() if columns is None else self._plain_pairs(columns)

    def _plain_pairs(self, columns: tuple[int, int]) -> Iterator[tuple[str, str, str]]:
        first, second = columns
        for number, line in enumerate(read_lines(self.source, errors=self.errors), start=1):
            cells = line.split("\t")
            if len(cells) > max(columns):
                yield cells[first], cells[second], f"line {number}"
            elif not line.strip():
                yield "", "", f"line {number}"
            else:
                raise lacks_columns(self.source, number, line, max(columns) + 1)

    def units(self) -> Iterator[Unit | str]:
        """Yield the texts of each row by language."""
        look = self._look
        return self._units(look, self._lines(look.kind), self.skip_bad)

    def _lines(self, kind: TableKind) -> Iterator[str]:
        strict = self.skip_bad and self.errors == "strict"  # told row by row, not here
        utf8 = kind.encoding == "utf-8"
        errors = ("surrogateescape" if utf8 else "surrogatepass") if strict else self.errors
        if utf8 and kind.line_end == "\n":
            return read_lines(self.source, errors=errors, longest=LONGEST_ROW)
        return decoded_lines(self.source, kind, errors)

    def _units(self, look: _Look, lines: Iterable[str], skip_bad: bool) -> Iterator[Unit | str]:
        sides = partial(self._of_cells, look) if look.kind.delimiter else self._of_object
        above = look.header
        for number, row in look.kind.rows(lines, self.source):
            if not isinstance(row, BadRow) and not any(row):
                yield "blank"
                continue
            if above:
                above -= 1
                if above:
                    yield "above the header"
                continue
            unit = row if isinstance(row, BadRow) else sides(row)
            if not isinstance(unit, BadRow):
                if isinstance(unit, Unit):
                    unit.id = f"line {number}"
                yield unit
            elif skip_bad:
                yield unit.reason
            else:
                raise ParallelDataError(
                    f"{self.source}, line {number}: {unit.problem}; skip_bad=True (--skip-bad) "
                    "leaves such lines out and counts them"
                )

    def _of_cells(self, look: _Look, cells: Any) -> Unit | BadRow | str:
        wanted = max(look.columns) + 1
        if len(cells) < wanted:
            by = _DELIMITERS.get(look.kind.delimiter, repr(look.kind.delimiter))
            return BadRow(
                "with too few columns",
                f"{wanted} columns separated by {by} are wanted, got {len(cells)}: "
                f"{look.kind.delimiter.join(cells)[:60]!r}",
            )
        return self._texts(
            {code: cells[i] for code, i in zip(self.languages, look.columns, strict=True)}
        )

    def _of_object(self, row: Any) -> Unit | BadRow | str:
        names = self._wanted_keys(row)
        if names is None:
            return Unit.of(dict.fromkeys(islice(row, _MOST_KEYS), ""), "")
        if lacking := [name for name in names if name not in row]:
            return BadRow(
                "without a key that is wanted",
                f"no key {lacking[0]!r}; there are {_shown(row)}",
            )
        if len(names) == 2:
            given = {code: row[name] for code, name in zip(self.languages, names, strict=True)}
            return "with a missing value" if None in given.values() else self._texts(given)
        cell = row[names[0]]
        if not isinstance(cell, Mapping):
            return BadRow(
                "without translations",
                f"{names[0]!r}: an object with a text by language is wanted, got {cell!r:.60}",
            )
        # Keys of no language asked for may stand for anything.
        translations = islice(cell.items(), _MOST_KEYS)
        asked = {
            key: text if _asks(self.languages, key[:_LONGEST_KEY]) else ""
            for key, text in translations
        }
        return self._texts({key: text for key, text in asked.items() if text is not None})

    def _texts(self, given: Mapping[str, Any]) -> Unit | BadRow:
        texts = Unit()
        for key, text in given.items():
            if not isinstance(text, str):
                return BadRow(
                    "with a value that is no text",
                    f"{key!r}: a text is wanted, got {type(text).__name__} {text!r:.60}",
                )
            texts[key] = text
            if text.isascii():
                continue
            try:
                # Half a pair of surrogates, of JSON, or what stands for a wrong byte.
                code_units = text.encode("utf-16-le", "surrogatepass")
                texts[key] = code_units.decode("utf-16-le", self.errors)
            except UnicodeDecodeError:
                return BadRow(
                    "with bytes that are no characters",
                    f"{key!r}: half of a pair of surrogates is no character: {text[:60]!r}",
                )
        return texts


@lru_cache(_MOST_KEYS)
def _asks(languages: tuple[str, str], key: str) -> bool:
    return any(matching(language, [key]) for language in languages)


_places_of = lru_cache(_MOST_KEYS)(find_columns)


def _checked(
    columns: Columns | None,
) -> tuple[tuple[str, ...] | None, tuple[int, int] | None]:
    """Return the names of columns, or their places, or neither."""
    if columns is None:
        return None, None
    if isinstance(columns, str):
        return (columns,), None
    given = tuple(columns) if isinstance(columns, Sequence) else ()
    names = tuple(name for name in given if isinstance(name, str))
    places = tuple(i for i in given if isinstance(i, int) and not isinstance(i, bool) and i >= 0)
    if len(set(given)) == len(given) == len(names) and len(given) in (1, 2):
        return names, None
    if len(set(given)) == len(given) == len(places) == 2:
        return None, (places[0], places[1])
    raise ConfigError(
        f"columns must name two different columns, from 0 or by their names, got {columns!r}"
    )


def _shown(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in islice(names, _MOST_KEYS)) or "none"
