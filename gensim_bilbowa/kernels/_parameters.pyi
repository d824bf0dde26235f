import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.kernels._matrix import Matrix

def alias_table(weights: NDArray[np.float64]) -> NDArray[np.uint32]: ...

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
