"""Leaving out pairs of which little can be learnt, counted by reason."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Protocol, TypeVar

from gensim_bilbowa.corpora.pairing import PlacedUnits
from gensim_bilbowa.corpora.sentences import Pair
from gensim_bilbowa.corpora.units import left_out
from gensim_bilbowa.errors import ParallelDataError
from gensim_bilbowa.parameters import check_number

__all__ = ["FilteredPairs"]

logger = logging.getLogger(__name__)

Row = TypeVar("Row")


class _Source(Protocol):
    """Pairs that have their texts, too."""

    where: str

    @property
    def dropped(self) -> Mapping[str, int]: ...
    def require_restartable(self) -> None: ...
    def __iter__(self) -> Iterator[Pair]: ...
    def units_and_splits(self) -> PlacedUnits: ...


class FilteredPairs:
    """The pairs that pass some checks; see :meth:`ParallelSentences.filtered`.

    Attributes
    ----------
    dropped : dict from str to int
        Pairs left out in the latest pass, by reason, with those that were left out before.
    """

    def __init__(
        self,
        pairs: _Source,
        *,
        max_ratio: float | None,
        min_words: int,
        max_words: int | None,
        drop_duplicates: bool,
        drop_identical: bool,
    ) -> None:
        if max_ratio is not None:
            check_number("max_ratio", max_ratio, whole=False, low=1)
        check_number("min_words", min_words, whole=True)
        if max_words is not None:
            check_number("max_words", max_words, whole=True, low=min_words)
        pairs.require_restartable()
        self._pairs = pairs
        self._max_ratio = float("inf") if max_ratio is None else max_ratio
        self._min_words = min_words
        self._max_words = float("inf") if max_words is None else max_words
        self._drop_duplicates = drop_duplicates
        self._drop_identical = drop_identical
        self.dropped: dict[str, int] = {}

    def __iter__(self) -> Iterator[Pair]:
        return self._passing((pair, pair) for pair in self._pairs)

    def units_and_splits(self) -> PlacedUnits:
        """Yield the texts of the pairs as they were before, with what splits them."""
        return self._passing(
            ((a(unit.source), b(unit.target)), (unit, (a, b)))
            for unit, (a, b) in self._pairs.units_and_splits()
        )

    def _passing(self, rows: Iterable[tuple[Pair, Row]]) -> Iterator[Row]:
        """Yield what comes with the pairs that pass."""
        dropped: Counter[str] = Counter()
        kept = 0
        seen: set[int] = set()
        for pair, row in rows:
            reason = self._flaw(pair)
            if reason is None and self._drop_duplicates:
                key = _key(pair)
                reason = "duplicate" if key in seen else None
                seen.add(key)
            if reason is not None:
                dropped[reason] += 1
                continue
            kept += 1
            yield row
        if dropped and not kept:
            raise ParallelDataError(
                f"{self._pairs.where}: none of {dropped.total():,} pairs is left: "
                f"{left_out(dropped)}"
            )
        total = dict(dropped + Counter(self._pairs.dropped))
        if dropped and total != self.dropped:
            logger.warning(
                "%s: %i pairs kept, left out: %s", self._pairs.where, kept, left_out(dropped)
            )
        self.dropped = total

    def _flaw(self, pair: Pair) -> str | None:
        shorter, longer = sorted(map(len, pair))
        if shorter < self._min_words:
            return "too short"
        if longer > self._max_words:
            return "too long"
        if shorter and longer > self._max_ratio * shorter:
            return "unequal in length"
        if self._drop_identical and pair[0] == pair[1]:
            return "identical"
        return None


def _key(pair: Pair) -> int:
    """Return a hash of 64 bits, the same in every run."""
    text = "\n".join(map(" ".join, pair)).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "little")
