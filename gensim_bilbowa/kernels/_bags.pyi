from typing import Any

import numpy as np
from numpy.typing import NDArray

def add_products(out: NDArray[np.float32], rows: Any, columns: Any) -> None: ...
