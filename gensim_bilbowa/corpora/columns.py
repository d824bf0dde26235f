"""Pairs from the columns of tables: of pandas, polars, pyarrow, Hugging Face, or any rows."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from gensim_bilbowa.corpora.files import Split
from gensim_bilbowa.corpora.sentences import require_restartable
from gensim_bilbowa.corpora.units import Unit, UnitPairs
from gensim_bilbowa.errors import ConfigError, CorpusError
from gensim_bilbowa.tokenization.codes import matching

__all__ = ["ColumnPairs"]

_BLOCK_ROWS = 8192
_MOST_KEYS = 100


class ColumnPairs(UnitPairs):
    """The texts in two columns of a table, or in one whose cells map languages to texts.

    Tables are told by what they can do, so that none of their libraries is needed: pyarrow's give
    batches (``to_batches``), pandas' have ``itertuples``, polars' slices (``iter_slices``), all
    others yield a mapping for each row. Errors are those of
    :meth:`~gensim_bilbowa.ParallelSentences.from_columns`.
    """

    def __init__(
        self, table: Any, columns: Sequence[Hashable] | str, languages: tuple[str, str]
    ) -> None:
        names = columns if isinstance(columns, Iterable) else ()
        self._names: list[Hashable] = [columns] if isinstance(columns, str) else list(names)
        different = len({*map(repr, self._names)})
        if not isinstance(columns, str) and (len(self._names), different) != (2, 2):
            raise ConfigError(
                "columns must be two different names, or the name of a column of translations; got "
                f"{columns!r:.60}"
            )
        named = " and ".join(map(repr, self._names))
        super().__init__(f"{type(table).__name__}, {named}", languages)
        if isinstance(table, Mapping):
            raise ConfigError(f"one table is wanted, got a mapping with the keys {list(table)}")
        readable = hasattr(table, "__iter__") or hasattr(table, "to_batches")
        if isinstance(table, str | bytes) or not readable:
            lazy = "; its collect() gives a table" if hasattr(table, "collect") else ""
            raise ConfigError(
                "a table, or an iterable with a mapping for each row, is wanted; got "
                f"{type(table).__name__} {table!r:.60}{lazy}"
            )
        require_restartable(table, self.source)
        self._table = table
        self._check(_column_names(table))

    def _check(self, there: list[Hashable] | None) -> None:
        for name in self._names:
            if there is not None and there.count(name) != 1:
                count = f"{there.count(name)} columns are" if name in there else "no column is"
                raise ConfigError(f"{self.source}: {count} named {name!r}; the table has {there}")

    @property
    def path(self) -> str:
        """That of no file."""
        return ""

    def split(self, language: str) -> Split:
        """Return what splits a text at white space, as in a table that is a file."""
        return str.split

    def units(self) -> Iterator[Unit | str]:
        """Yield the texts of each row by language; its id is the number of the row, from 1."""
        asks = lru_cache(_MOST_KEYS)(self._asks)
        for number, cells in enumerate(self._rows(), start=1):
            if any(map(_is_missing, cells)):
                yield "with a missing value"
            elif len(cells) == 2:
                texts = {
                    language: self._text(cell, number, name)
                    for language, cell, name in zip(self.languages, cells, self._names, strict=True)
                }
                yield Unit.of(texts, f"row {number}")
            elif isinstance(cells[0], Mapping):
                texts = {
                    str(key): self._text(cell, number, self._names[0]) if asks(key) else ""
                    for key, cell in cells[0].items()
                    if not _is_missing(cell)
                }
                yield Unit.of(texts, f"row {number}")
            else:
                raise self._unfit(cells[0], number, self._names[0], "a dict of translations")

    def _asks(self, key: Any) -> bool:
        """Say whether a key of a cell is one of the languages; others may stand for anything."""
        return any(matching(language, [str(key)]) for language in self.languages)

    def _text(self, cell: Any, number: int, name: Hashable) -> str:
        if not isinstance(cell, str):
            raise self._unfit(cell, number, name, "a text")
        return cell

    def _unfit(self, cell: Any, number: int, name: Hashable, wanted: str) -> CorpusError:
        return CorpusError(
            f"{self.source}: row {number}, column {name!r}: {wanted} is wanted, got "
            f"{type(cell).__name__} {cell!r:.60}"
        )

    def _rows(self) -> Iterator[Sequence[Any]]:
        """Yield the wanted cells of each row, missing ones as None or NaN."""
        if hasattr(self._table, "to_batches"):
            return self._arrow_rows()
        if hasattr(self._table, "itertuples"):
            return self._pandas_rows()
        if hasattr(self._table, "iter_slices"):
            return self._polars_rows()
        return self._mapping_rows()

    def _arrow_rows(self) -> Iterator[Sequence[Any]]:
        for batch in self._table.to_batches():
            for start in range(0, batch.num_rows, _BLOCK_ROWS):
                block = batch.slice(start, _BLOCK_ROWS)
                columns = [block.column(name).to_pylist() for name in self._names]
                yield from zip(*columns, strict=True)

    def _pandas_rows(self) -> Iterator[Sequence[Any]]:
        for start in range(0, len(self._table), _BLOCK_ROWS):
            columns = []
            for name in self._names:
                column = self._table[name].iloc[start : start + _BLOCK_ROWS]
                # pandas has missing values of its own, not all of which can be compared.
                cells = zip(column.tolist(), column.isna().tolist(), strict=True)
                columns.append([None if missing else cell for cell, missing in cells])
            yield from zip(*columns, strict=True)

    def _polars_rows(self) -> Iterator[Sequence[Any]]:
        for block in self._table.iter_slices(_BLOCK_ROWS):
            columns = [block[name].to_list() for name in self._names]
            yield from zip(*columns, strict=True)

    def _mapping_rows(self) -> Iterator[Sequence[Any]]:
        # A dataset then decodes no more than is wanted.
        select = getattr(self._table, "select_columns", None)
        rows = self._table if select is None else select(list(dict.fromkeys(self._names)))
        for number, row in enumerate(rows, start=1):
            if not isinstance(row, Mapping):
                raise CorpusError(
                    f"{self.source}: row {number}: a mapping of columns to cells is wanted, got "
                    f"{type(row).__name__} {row!r:.60}"
                )
            try:
                yield [row[name] for name in self._names]
            except KeyError as error:
                raise CorpusError(
                    f"{self.source}: row {number} has no column {error}; it has {list(row)}"
                ) from None


def _column_names(table: Any) -> list[Hashable] | None:
    """Return the names of a table's columns, None if only its rows tell."""
    if hasattr(table, "to_batches"):
        return list(table.schema.names)
    framed = hasattr(table, "itertuples") or hasattr(table, "iter_slices")
    names = getattr(table, "columns" if framed else "column_names", None)
    return None if names is None else list(names)


def _is_missing(cell: Any) -> bool:
    return cell is None or (isinstance(cell, float) and cell != cell)
