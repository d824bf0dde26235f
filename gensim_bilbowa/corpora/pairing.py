"""Sentence pairs of two sides in step, or that come as pairs: as tokens, and as texts in places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import partial
from itertools import zip_longest
from typing import Any, TypeAlias

from gensim_bilbowa.corpora.files import LineCorpus, Split
from gensim_bilbowa.corpora.many import ManyPairs
from gensim_bilbowa.corpora.sentences import check_sentence
from gensim_bilbowa.corpora.units import TextUnit, UnitPairs
from gensim_bilbowa.errors import ParallelDataError

__all__ = ["Splits", "joined_units", "pair_tokens", "pairs_checked", "placed_units", "row_units",
           "zipped"]  # fmt: skip

# What splits the texts of the two sides.
Splits: TypeAlias = tuple[Split, Split]
PlacedUnits: TypeAlias = Iterator[tuple[TextUnit, Splits]]

_MISSING: Any = object()
_AT_SPACES: Splits = (str.split, str.split)


def zipped(
    source: Iterable[Any], target: Iterable[Any], check_lengths: Callable[[int, int], None]
) -> Iterator[tuple[Any, Any]]:
    """Yield the rows of two sides; call `check_lengths`, which raises, if one ends before."""
    rows = zip_longest(source, target, fillvalue=_MISSING)
    for number, (left, right) in enumerate(rows, start=1):
        if left is _MISSING or right is _MISSING:
            # Count the longer side to its end: the message gives both lengths.
            longer = number + sum(1 for _ in rows)
            check_lengths(*(number - 1, longer) if left is _MISSING else (longer, number - 1))
        yield left, right


def pairs_checked(pairs: Iterable[Any], where: str) -> Iterator[tuple[Any, Any]]:
    """Yield what comes as pairs; it is an error if one is none."""
    for number, pair in enumerate(pairs, start=1):
        if isinstance(pair, str | bytes | Mapping | Set) or not _has_two(pair):
            raise ParallelDataError(
                f"{where}, pair {number}: two token lists are wanted, got {pair!r:.60}"
            )
        yield pair[0], pair[1]


def _has_two(pair: Any) -> bool:
    return hasattr(pair, "__len__") and len(pair) == 2


def pair_tokens(
    rows: Iterable[tuple[Any, Any]], splits: tuple[Split | None, Split | None],
    wheres: tuple[str, str],
) -> Iterator[tuple[list[str], list[str]]]:  # fmt: skip
    """Yield the tokens of rows; `wheres` names the sides in errors."""
    (a, b), (one, other) = splits, wheres
    for number, (left, right) in enumerate(rows, start=1):
        yield (
            check_sentence(
                a(left) if a is not None and isinstance(left, str) else left, number, one
            ),
            check_sentence(
                b(right) if b is not None and isinstance(right, str) else right, number, other
            ),
        )


def row_units(
    sides: tuple[Any, Any] | None,
    rows: Callable[[Any, Any], Iterable[tuple[Any, Any]]],
    splits: tuple[Split | None, Split | None],
    wheres: tuple[str, str],
) -> PlacedUnits:
    """Yield the texts of rows: lines of files as they are, tokens joined by spaces.

    Parameters
    ----------
    sides : (side, side), optional
        None of what comes as pairs.
    rows : callable
        From two sides to their rows.
    splits, wheres
        As for :func:`pair_tokens`.
    """
    given = sides or (None, None)
    # A derived class may change the sentences as they are read.
    files = [side if _has_lines(side) else None for side in given]
    path = next((file.path for file in files if file is not None), "")
    of_lines = [
        split if file is None else file.tokenizer or str.split
        for split, file in zip(splits, files, strict=True)
    ]
    a, b = of_lines
    found = a or str.split, b or str.split
    readings = (
        side if file is None else file.lines() for side, file in zip(given, files, strict=True)
    )
    unit = "line" if path else "pair"
    one, other = wheres
    for number, (left, right) in enumerate(rows(*readings), start=1):
        yield (
            TextUnit(
                _text(left, a, number, one),
                _text(right, b, number, other),
                path,
                f"{unit} {number}",
            ),
            found,
        )


def _has_lines(side: Any) -> bool:
    return isinstance(side, LineCorpus) and type(side).__iter__ is LineCorpus.__iter__


def _text(side: Any, split: Split | None, number: int, where: str) -> str:
    if split is not None and isinstance(side, str):
        return side
    return " ".join(check_sentence(side, number, where))


def placed_units(pairs: Any, splits: Splits) -> PlacedUnits:
    """Yield the texts of files with units; of other pairs those that they give themselves."""
    if isinstance(pairs, ManyPairs):
        return pairs.through(partial(placed_units, splits=splits))
    if not isinstance(pairs, UnitPairs):
        return pairs.units_and_splits()  # type: ignore[no-any-return]
    return _units_of_file(pairs, splits)


def _units_of_file(pairs: UnitPairs, splits: Splits) -> PlacedUnits:
    path = pairs.path
    for source, target, place in pairs.placed():
        yield TextUnit(source, target, path, place), splits


def joined_units(pairs: Iterable[tuple[list[str], list[str]]]) -> PlacedUnits:
    """Yield pairs of tokens as texts, with spaces between the tokens."""
    for number, (source, target) in enumerate(pairs, start=1):
        yield TextUnit(" ".join(source), " ".join(target), "", f"pair {number}"), _AT_SPACES
