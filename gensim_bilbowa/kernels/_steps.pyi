import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.kernels._parameters import Parameters

class Text:
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
    shared_negatives: bool,
    alpha: float,
    seed: int,
    stop: NDArray[np.int32],
    *,
    sg: bool = True,
    cbow_mean: bool = True,
) -> tuple[int, int, float]: ...
def train_pairs(
    a: Parameters,
    text_a: Text,
    b: Parameters,
    text_b: Text,
    order: NDArray[np.int64],
    alpha: float,
    weights: tuple[float, float],
    clip: float,
    exact: bool,
    seed: int,
    stop: NDArray[np.int32],
) -> tuple[int, int, int, float]: ...
