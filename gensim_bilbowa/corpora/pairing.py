"""Sentence pairs as tokens, and as texts in places; one side of them, or with phrases as tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from typing import Any, TypeAlias

from gensim_bilbowa.corpora.files import Split
from gensim_bilbowa.corpora.many import ManyPairs
from gensim_bilbowa.corpora.sentences import Pair, check_sentence
from gensim_bilbowa.corpora.units import TextUnit, UnitPairs
from gensim_bilbowa.errors import ConfigError, ParallelDataError

__all__ = [
    "Phrased",
    "PlacedUnits",
    "Side",
    "Splits",
    "check_lengths",
    "joined_units",
    "pair_tokens",
    "pairs_checked",
    "placed_units",
    "row_units",
    "splits_of",
]

# What splits the texts of the two sides.
Splits: TypeAlias = tuple[Split, Split]
PlacedUnits: TypeAlias = Iterator[tuple[TextUnit, Splits]]

_AT_SPACES: Splits = (str.split, str.split)


def splits_of(
    given: Any, languages: tuple[str, str], where: str
) -> tuple[Split | None, Split | None]:
    """Return what a user gives to split the texts of both sides, checked."""
    if given is None or callable(given):
        return given, given
    if not isinstance(given, Mapping) or not all(map(callable, given.values())):
        raise ConfigError(
            f"{where}: tokenizer must be a function of a text, or map languages to such; "
            f"got {given!r:.60}"
        )
    if foreign := set(given) - set(languages):
        raise ConfigError(f"{where}: a tokenizer of {sorted(foreign)}, no side is")
    a, b = (given.get(code) for code in languages)
    return a, b


def check_lengths(lengths: tuple[int, int], names: Sequence[str], where: str) -> None:
    """Raise ParallelDataError if two sides have not the same number of sentences."""
    if lengths[0] != lengths[1]:
        raise ParallelDataError(
            f"{where}: the sides differ in length: {names[0]} has {lengths[0]} sentences, "
            f"{names[1]} has {lengths[1]}"
        )


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
) -> Iterator[Pair]:  # fmt: skip
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
    rows: Iterable[tuple[Any, Any]], splits: Sequence[Split | None], wheres: tuple[str, str],
    path: str = "",
) -> PlacedUnits:  # fmt: skip
    """Yield the texts of rows, tokens joined by spaces.

    Parameters
    ----------
    rows, splits, wheres
        As for :func:`pair_tokens`.
    path : str
        Of the file whose lines the rows are, if any.
    """
    a, b = splits
    one, other = wheres
    unit = "line" if path else "pair"
    for number, (left, right) in enumerate(rows, start=1):
        texts = _text(left, a, number, one), _text(right, b, number, other)
        yield TextUnit(*texts, path, f"{unit} {number}"), (_way(left, a), _way(right, b))


def _text(side: Any, split: Split | None, number: int, where: str) -> str:
    if split is not None and isinstance(side, str):
        return side
    return " ".join(check_sentence(side, number, where))


def _way(side: Any, split: Split | None) -> Split:
    return split if split is not None and isinstance(side, str) else str.split


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


def joined_units(pairs: Iterable[Pair]) -> PlacedUnits:
    """Yield pairs of tokens as texts, with spaces between the tokens."""
    for number, (source, target) in enumerate(pairs, start=1):
        yield TextUnit(" ".join(source), " ".join(target), "", f"pair {number}"), _AT_SPACES


class Side:
    """One side of pairs, read anew for each iteration."""

    def __init__(self, pairs: Iterable[Pair], side: int, tokenizer: Any) -> None:
        self._pairs = pairs
        self._side = side
        self.tokenizer = tokenizer

    def __iter__(self) -> Iterator[list[str]]:
        return (pair[self._side] for pair in self._pairs)


class Phrased:
    """Pairs whose sentences go through gensim's phrase models; None leaves a side as it is."""

    def __init__(self, pairs: Iterable[Pair], joiners: tuple[Any, ...]) -> None:
        self._pairs = pairs
        self._joiners = joiners

    def __iter__(self) -> Iterator[Pair]:
        a, b = self._joiners
        for left, right in self._pairs:
            yield left if a is None else a[left], right if b is None else b[right]
