from typing import Any

import numpy as np
from numpy.typing import NDArray

def level() -> str: ...
def levels() -> list[str]: ...
def use_level(name: str) -> None: ...
def alias_table(weights: NDArray[np.float64]) -> NDArray[np.uint32]: ...

class Matrix:
    rows: int
    columns: int
    stride: int
    padded: bool
    def __init__(self, rows: int, columns: int) -> None: ...
    @staticmethod
    def of(array: NDArray[Any]) -> Matrix | None: ...
    @property
    def array(self) -> NDArray[np.float32]: ...
    @property
    def whole(self) -> NDArray[np.float32]: ...
    def lay_out(self, padded: bool, owner: object, name: str) -> None: ...

class Subwords:
    def __init__(
        self,
        ngrams: Matrix,
        offsets: NDArray[np.int64],
        ids: NDArray[np.int32],
        own_lockf: NDArray[np.float32],
        ngrams_lockf: NDArray[np.float32],
    ) -> None: ...

class Tree:
    def __init__(
        self,
        nodes: Matrix,
        offsets: NDArray[np.int64],
        ids: NDArray[np.int32],
        signs: NDArray[np.float32],
    ) -> None: ...

class Parameters:
    rows: int
    def __init__(
        self,
        vectors: Matrix,
        outputs: Matrix | None,
        lockf: NDArray[np.float32],
        noise: NDArray[np.uint32] | None,
        subwords: Subwords | None = None,
        tree: Tree | None = None,
    ) -> None: ...

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
def best_columns(
    scores: NDArray[np.float32], k: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]: ...
def keep_largest(
    block: NDArray[np.float32], of_rows: NDArray[np.float32], of_columns: NDArray[np.float32]
) -> None: ...
