"""Parallel text seen otherwise: one side of it alone, or with phrases as tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from gensim_bilbowa.corpora.sentences import Pair

__all__ = ["Phrased", "Side"]


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
