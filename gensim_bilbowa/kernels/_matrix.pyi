from typing import Any

import numpy as np
from numpy.typing import NDArray

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
