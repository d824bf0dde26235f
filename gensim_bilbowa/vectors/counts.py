"""How often words stood in the text that their vectors were trained on."""

from __future__ import annotations

import numpy as np
from gensim.models import KeyedVectors
from numpy.typing import NDArray

__all__ = ["word_counts"]


def word_counts(vectors: KeyedVectors) -> NDArray[np.int64] | None:
    """Return the count of each word, or None if they are not known.

    gensim makes some up (n, n - 1, ..., 1) when it loads a word2vec file without the file of
    counts: such are not known.

    Returns
    -------
    ndarray of int64, shape (n_words,), or None
    """
    n = len(vectors)
    counts = np.asarray(vectors.expandos.get("count", np.zeros(n))[:n], np.int64)
    made_up = n > 1 and np.array_equal(counts, np.arange(n, 0, -1))
    return None if n and (made_up or not counts.any()) else counts
