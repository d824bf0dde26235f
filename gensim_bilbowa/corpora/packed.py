"""The texts of units kept in little memory, to show some of them later."""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

import numpy as np

from gensim_bilbowa.corpora.units import TextUnit

__all__ = ["PackedUnits"]

# More would take longer to pack, and be hardly smaller.
_LEVEL = 1
# Blocks that stay unpacked: who asks for a unit often asks for its neighbours.
_MOST_UNPACKED = 4
# Source, target and id; files are kept once.
_FIELDS = 3


class PackedUnits:
    """Units in packed blocks, by their numbers from 0.

    Examples
    --------
    >>> units = PackedUnits()
    >>> units.add([TextUnit("the house", "das Haus", "a.tmx", "7")])
    >>> units[0]
    TextUnit(source='the house', target='das Haus', file='a.tmx', id='7')
    """

    def __init__(self) -> None:
        self._blocks: list[tuple[bytes, bytes]] = []
        self._starts = [0]
        # Files, and the units with which they begin.
        self._files: list[str] = []
        self._begins: list[int] = []
        self._unpacked: dict[int, list[TextUnit]] = {}

    def add(self, units: Sequence[TextUnit]) -> None:
        """Keep some units as a block, to which few hundred belong."""
        for number, unit in enumerate(units, start=len(self)):
            if not self._files or unit.file != self._files[-1]:
                self._files.append(unit.file)
                self._begins.append(number)
        fields = [field for unit in units for field in (unit.source, unit.target, unit.id)]
        lengths = np.fromiter(map(len, fields), np.int32, len(fields))
        text = "".join(fields).encode("utf-8", "surrogatepass")
        self._blocks.append((zlib.compress(text, _LEVEL), zlib.compress(lengths.tobytes(), _LEVEL)))
        self._starts.append(len(self) + len(units))

    def __len__(self) -> int:
        return self._starts[-1]

    def __getitem__(self, number: int) -> TextUnit:
        if not -len(self) <= number < len(self):
            raise IndexError(f"there are {len(self):,} units, none is number {number:,}")
        number %= len(self)
        block = bisect_right(self._starts, number) - 1
        if block not in self._unpacked:
            if len(self._unpacked) >= _MOST_UNPACKED:
                self._unpacked.pop(next(iter(self._unpacked)))
            self._unpacked[block] = [*self._units_of(block)]
        return self._unpacked[block][number - self._starts[block]]

    def some(self, numbers: Iterable[int]) -> dict[int, TextUnit]:
        """Return units by their numbers: each block is unpacked once, whatever the order."""
        return {number: self[number] for number in sorted(set(numbers))}

    def __iter__(self) -> Iterator[TextUnit]:
        for block in range(len(self._blocks)):
            yield from self._units_of(block)

    def _units_of(self, block: int) -> Iterator[TextUnit]:
        packed, lengths = self._blocks[block]
        text = zlib.decompress(packed).decode("utf-8", "surrogatepass")
        ends = accumulate(np.frombuffer(zlib.decompress(lengths), np.int32).tolist(), initial=0)
        fields = [text[start:end] for start, end in pairwise(ends)]
        for number, at in enumerate(range(0, len(fields), _FIELDS), start=self._starts[block]):
            source, target, place = fields[at : at + _FIELDS]
            file = self._files[bisect_right(self._begins, number) - 1]
            yield TextUnit(source, target, file, place)
