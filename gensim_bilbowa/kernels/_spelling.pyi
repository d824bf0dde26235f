import numpy as np
from numpy.typing import NDArray

class Spelling:
    starts: NDArray[np.int64]
    pieces: NDArray[np.int32]
    words: int
    size: int
    def __init__(self, starts: NDArray[np.int64], pieces: NDArray[np.int32], size: int) -> None: ...
    def most_alike(self, others: Spelling) -> tuple[NDArray[np.int32], NDArray[np.float32]]: ...
    def add_likeness(
        self, others: Spelling, first: int, last: int, weight: float, scores: NDArray[np.float32]
    ) -> None: ...

class Alike:
    def __init__(self, weight: float, source: Spelling, target: Spelling) -> None: ...
