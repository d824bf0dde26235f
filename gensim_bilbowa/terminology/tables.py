"""Term lists as tables: a row for each translation of each term."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO, NamedTuple
from unicodedata import category, normalize

from gensim_bilbowa.files.delimited import write_delimited
from gensim_bilbowa.terminology.notes import file_name, forms, others
from gensim_bilbowa.terminology.term import Term, Terms, Translation

__all__ = ["Cell", "Column", "columns", "guarded", "rows", "write_table"]

Cell = str | int | float

_SIGNS = set("=+-@")


class Column(NamedTuple):
    """What a column is called and how it is shown.

    Attributes
    ----------
    name : str
    width : int
        In characters, where a file can say it.
    digits : int
        Of a fraction, after the point.
    shown : str or None
        How Excel shows a number of it; None: as it is.
    """

    name: str
    width: int
    digits: int = 0
    shown: str | None = None


def columns(terms: Terms) -> list[Column]:
    """Return the columns of the table, four for each example.

    The first ones are those of a lexicon's table.
    """
    source, target = terms.languages
    heads = [
        Column(source, 30),
        Column(target, 30),
        Column("score", 9, 4, "0.00"),
        Column("rank", 7),
        Column(f"{source}_count", 11),
        Column(f"{target}_count", 11),
        Column("termhood", 11, 4, "0.00"),
        Column("aligned", 9, 2, "0.0"),
        Column("share", 8, 4, "0%"),
        Column("others", 40),
        Column(f"{source}_variants", 30),
        Column(f"{target}_variants", 30),
        Column("known", 12),
    ]
    for number in range(1, _most_examples(terms) + 1):
        heads += [
            Column(f"{source}_example_{number}", 50),
            Column(f"{target}_example_{number}", 50),
            Column(f"file_{number}", 25),
            Column(f"unit_{number}", 12),
        ]
    return heads


def rows(terms: Terms) -> Iterator[list[Cell]]:
    """Yield the rows below the header, of as many cells."""
    examples = _most_examples(terms)
    for term in terms:
        for rank, translation in enumerate(term.translations, start=1):
            cells: list[Cell] = [
                term.text,
                translation.text,
                translation.score,
                rank,
                term.count,
                translation.count,
                term.termhood,
                translation.aligned,
                translation.share,
                others(term),
                forms(term.variants),
                forms(translation.variants),
                _known(term, translation),
            ]
            for example in translation.examples:
                cells += (example.source, example.target, file_name(example), example.unit)
            cells += [""] * (4 * (examples - len(translation.examples)))
            yield cells


def _most_examples(terms: Terms) -> int:
    return max((len(found.examples) for term in terms for found in term.translations), default=0)


def _known(term: Term, translation: Translation) -> str:
    return "translation" if translation.known else "term" if term.known else ""


def guarded(text: str) -> str:
    """Return a text with an apostrophe before it where a spreadsheet would take it for a formula.

    That is so if the first thing in it, but for apostrophes and what is not seen, is one of
    ``=+-@``, wide and small ones too, or if it begins with a tab or a line end. Since a text with
    apostrophes before such a sign gets one more, the text can be got back.
    """
    bare = text.lstrip("'")
    first = next((char for char in bare if category(char)[0] not in "CZ"), None)
    formula = first is not None and normalize("NFKC", first) in _SIGNS
    return "'" + text if formula or bare.startswith(("\t", "\r", "\n")) else text


def _one_line(text: str) -> str:
    return " ".join(text.split())


def write_table(
    terms: Terms, stream: IO[str], kind: str, *, excel: bool = False, flat: bool = False
) -> None:
    """Write a table, "csv" or "tsv", to an open text stream; for Excel without formulas.

    With `flat` each row has one line: white space in a cell is a space.

    Raises
    ------
    FormatError
        If a text has a character that the stream's encoding cannot hold.
    """
    heads = columns(terms)
    shown: Callable[[str], str] = guarded if excel else _one_line if flat else str

    def lines() -> Iterator[list[str]]:
        yield [shown(head.name) for head in heads]
        for cells in rows(terms):
            yield [
                shown(cell) if isinstance(cell, str) else f"{cell:.{head.digits}f}"
                for head, cell in zip(heads, cells, strict=True)
            ]

    write_delimited(stream, lines(), kind, "\r\n" if excel else "\n")
