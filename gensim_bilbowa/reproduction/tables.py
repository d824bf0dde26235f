"""Tables of what was measured, as Markdown and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.evaluation.intervals import bootstrap

__all__ = ["Cell", "Figure", "Table", "as_json", "leaders", "markdown", "summary"]


@dataclass(frozen=True)
class Figure:
    """A share, measured after one training or several.

    Attributes
    ----------
    mean : float
        0 to 1.
    spread : float or None
        Standard deviation over the trainings (with n - 1); None for a single one.
    low, high : float
        95% interval of the mean by bootstrap over the questions.
    runs : int
    questions : int
    """

    mean: float
    spread: float | None
    low: float
    high: float
    runs: int
    questions: int


Cell: TypeAlias = Figure | float | int | str | None


@dataclass(frozen=True)
class Table:
    """A table with a heading.

    Attributes
    ----------
    title : str
    columns : tuple of str
        The first is that of the rows' names.
    rows : tuple of (str, tuple of cells)
    notes : tuple of str
        Markdown paragraphs.
    guides : tuple of str
        Rows that do not compete with the others.
    compared : bool
        Whether rows compete: the best of each column are marked.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    notes: tuple[str, ...] = ()
    guides: tuple[str, ...] = ()
    compared: bool = True


def summary(hits: NDArray[np.float64], runs: Sequence[float]) -> Figure:
    """Summarise what was right.

    Parameters
    ----------
    hits : ndarray of float64, shape (n_questions,)
        For each question the share of the runs in which it was answered right.
    runs : sequence of float
        The share of right answers in each run.
    """
    mean = float(np.mean(hits))
    low, high = bootstrap(np.mean, hits) if len(hits) > 1 else (mean, mean)
    spread = float(np.std(runs, ddof=1)) if len(runs) > 1 else None
    return Figure(mean, spread, low, high, len(runs), len(hits))


def leaders(table: Table) -> set[tuple[str, str]]:
    """Return (row, column) of the best figure of each column, and of those in its interval."""
    found: set[tuple[str, str]] = set()
    if not table.compared:
        return found
    for index, column in enumerate(table.columns[1:]):
        competing = {
            name: cells[index]
            for name, cells in table.rows
            if isinstance(cells[index], Figure) and name not in table.guides
        }
        if competing:
            best = max(competing.values(), key=lambda figure: figure.mean)  # type: ignore[union-attr]
            found |= {
                (name, column)
                for name, figure in competing.items()
                if figure.mean >= best.low  # type: ignore[union-attr]
            }
    return found


def _cell(cell: Cell, leads: bool) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, Figure):
        mean = f"{100 * cell.mean:.1f}"
        spread = "" if cell.spread is None else f" ± {100 * cell.spread:.1f}"
        interval = f" ({100 * cell.low:.1f}–{100 * cell.high:.1f})"
        return (f"**{mean}**" if leads else mean) + spread + interval
    if isinstance(cell, str):
        return cell
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.1f}"


def markdown(tables: Iterable[Table]) -> str:
    """Write tables with their titles and notes.

    Figures are in percent: mean, ± spread over trainings, and the interval in parentheses.
    """
    parts = []
    for table in tables:
        best = leaders(table)
        lines = [table.columns, ("---", *("--:" for _ in table.columns[1:]))]
        lines += [
            (name, *(
                _cell(cell, (name, column) in best)
                for column, cell in zip(table.columns[1:], cells, strict=True)
            ))
            for name, cells in table.rows
        ]  # fmt: skip
        parts.append(f"## {table.title}")
        parts.append("\n".join(f"| {' | '.join(line)} |" for line in lines))
        parts.extend(table.notes)
    return "\n\n".join(parts) + "\n"


def as_json(tables: Iterable[Table]) -> list[dict[str, Any]]:
    """Return tables as what JSON can hold; figures are shares, from 0 to 1."""
    found = []
    for table in tables:
        best = leaders(table)
        found.append({
            "title": table.title, "notes": list(table.notes), "columns": list(table.columns),
            "rows": [
                {
                    "name": name,
                    "cells": {
                        column: asdict(cell) | {"leads": (name, column) in best}
                        if isinstance(cell, Figure) else cell
                        for column, cell in zip(table.columns[1:], cells, strict=True)
                    },
                }
                for name, cells in table.rows
            ],
        })  # fmt: skip
    return found
