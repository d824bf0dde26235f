import numpy as np
from numpy.typing import NDArray

def best_columns(
    scores: NDArray[np.float32], k: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]: ...
def keep_largest(
    block: NDArray[np.float32], of_rows: NDArray[np.float32], of_columns: NDArray[np.float32]
) -> None: ...
