from typing import Any

import numpy as np
from numpy.typing import NDArray

LINK: np.dtype[Any]

class Entries:
    shape: tuple[int, int]
    def __init__(
        self,
        shape: tuple[int, int],
        starts: NDArray[np.int64],
        columns: NDArray[np.int32],
        forth: NDArray[np.float32],
        back: NDArray[np.float32],
    ) -> None: ...

class SpannedSide:
    terms: int
    longest: int
    most_spans: int
    def __init__(
        self,
        ids: NDArray[np.int32],
        offsets: NDArray[np.int64],
        spans: NDArray[np.int32],
        span_offsets: NDArray[np.int64],
        frequencies: NDArray[np.float32],
        counts: NDArray[np.bool_],
        terms: int,
    ) -> None: ...
    @property
    def sentences(self) -> int: ...
    @property
    def words(self) -> int: ...

def span_links(
    source: SpannedSide,
    target: SpannedSide,
    words: Entries,
    first: int,
    last: int,
    stop: NDArray[np.int32],
    *,
    terms: Entries | None = None,
    position: float = 0.0,
    null_share: float = 0.0,
    least: float = 0.0,
) -> NDArray[Any]: ...
