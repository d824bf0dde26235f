from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.kernels._spelling import Alike

_Both: TypeAlias = tuple[NDArray[np.float32], NDArray[np.float32]]

class Rows:
    first: int
    starts: NDArray[np.int64]
    columns: NDArray[np.int32]
    values: NDArray[np.float32]
    def __init__(
        self,
        first: int,
        starts: NDArray[np.int64],
        columns: NDArray[np.int32],
        values: NDArray[np.float32],
    ) -> None: ...

class Classes:
    def __init__(
        self,
        source: NDArray[np.int32],
        target: NDArray[np.int32],
        rows: Rows,
        sums: NDArray[np.float64],
    ) -> None: ...

class Bitext:
    pairs: int
    tokens: tuple[int, int]
    words: tuple[int, int]
    source_offsets: NDArray[np.int64]
    target_offsets: NDArray[np.int64]
    starts: NDArray[np.int64]
    work: NDArray[np.int64]
    def __init__(
        self,
        source: NDArray[np.int32],
        source_offsets: NDArray[np.int64],
        target: NDArray[np.int32],
        target_offsets: NDArray[np.int64],
        source_words: int,
        target_words: int,
        position: float,
    ) -> None: ...
    def norms(self, first: int, last: int, norms: NDArray[np.float32]) -> None: ...
    def begin(
        self, first: int, last: int, null_share: float, back: NDArray[np.float32]
    ) -> None: ...
    def reordered(self, values: NDArray[np.float32], *, by_token: bool) -> NDArray[np.float32]: ...
    def copy(
        self,
        first: int,
        last: int,
        places: NDArray[np.float32],
        some: NDArray[np.float32],
        *,
        back: bool,
    ) -> None: ...
    def gains(
        self,
        first: int,
        last: int,
        rows: list[Rows],
        sums: NDArray[np.float64],
        norms: NDArray[np.float32],
        null_share: float,
        null: _Both,
        gains: _Both,
        asked: bool,
        stop: NDArray[np.int32],
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], float]: ...
    def rows(
        self,
        first: int,
        last: int,
        gains: _Both,
        stop: NDArray[np.int32],
        *,
        before: Rows | None = None,
        sums: NDArray[np.float64] | None = None,
        classes: Classes | None = None,
        alike: Alike | None = None,
        least: float = 0.0,
        floor: float = 0.0,
        t: bool = True,
    ) -> tuple[Rows, NDArray[np.float64]]: ...
