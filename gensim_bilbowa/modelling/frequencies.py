"""What the counts of words decide: how often a word is kept, and how often it is noise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["noise_weights", "subsampling_keep"]


def subsampling_keep(counts: NDArray[np.int64], sample: float) -> NDArray[np.uint32]:
    """word2vec's chance to keep a token, scaled to uint32, for each word.

    ``sqrt(t / c) + t / c`` for a word of count c, with t = sample * total, or, for
    ``sample >= 1``, gensim's reading as a count; `sample` of 0 keeps all.

    Parameters
    ----------
    counts : ndarray of int64, shape (n_words,)
    sample : float

    Returns
    -------
    ndarray of uint32, shape (n_words,)
    """
    if not sample:
        return np.full(len(counts), 2**32 - 1, np.uint32)
    total = counts.sum()
    threshold = sample * total if sample < 1 else int(sample * (3 + np.sqrt(5)) / 2)
    ratio = threshold / np.maximum(counts, 1)
    chance = np.sqrt(ratio) + ratio  # no overflow, whatever the threshold
    return np.asarray(np.minimum(chance, 1.0) * (2**32 - 1), dtype=np.uint32)


def noise_weights(counts: NDArray[np.int64], exponent: float) -> NDArray[np.float64]:
    """Return what words weigh as noise: count ** exponent, over the largest such number.

    So no exponent leads out of the range of floats. Words that the text does not have weigh 0; if
    it has none of them all weigh alike.
    """
    seen = counts > 0
    if not seen.any():
        return np.ones(len(counts))
    weights = np.zeros(len(counts))
    first = counts.max() if exponent > 0 else counts[seen].min()
    np.power(counts / first, exponent, out=weights, where=seen)
    return weights
