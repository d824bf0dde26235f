import numpy as np
from numpy.typing import NDArray

def alias_table(weights: NDArray[np.float64]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]: ...

class Parameters:
    rows: int
    def __init__(
        self,
        vectors: NDArray[np.float32],
        outputs: NDArray[np.float32] | None,
        lockf: NDArray[np.float32],
        noise: tuple[NDArray[np.uint32], NDArray[np.uint32]] | None,
    ) -> None: ...

class Text:
    longest: int
    def __init__(
        self, ids: NDArray[np.int32], offsets: NDArray[np.int64], keep: NDArray[np.uint32]
    ) -> None: ...

def train_text(
    params: Parameters,
    text: Text,
    first: int,
    last: int,
    window: int,
    shrink_windows: bool,
    negative: int,
    alpha: float,
    seed: int,
    stop: NDArray[np.int32],
) -> tuple[int, int, float]: ...
def train_pairs(
    a: Parameters,
    text_a: Text,
    b: Parameters,
    text_b: Text,
    order: NDArray[np.int64],
    alpha: float,
    weight: float,
    clip: float,
    exact: bool,
    seed: int,
    stop: NDArray[np.int32],
) -> tuple[int, int, int, float]: ...
