"""Random spaces, and how alike their words are by the formulas, in plain NumPy."""

from __future__ import annotations

import numpy as np
from gensim.models import KeyedVectors
from samples import space

__all__ = ["drawn", "formula", "of_words", "unit"]


def of_words(words, vectors):
    """Return plain vectors of some words."""
    keyed = KeyedVectors(vectors.shape[1])
    keyed.add_vectors(words, vectors.astype(np.float32))
    return keyed


def drawn(seed=0, dim=6, **sizes):
    """Return a space of so many random vectors of each language."""
    rng = np.random.default_rng(seed)
    return space(**{code: rng.normal(size=(n, dim)) for code, n in sizes.items()})


def unit(matrix):
    """Return rows at length 1; those of zeros stay."""
    norms = np.linalg.norm(matrix, axis=-1, keepdims=True)
    return np.divide(matrix, norms, out=np.zeros(matrix.shape), where=norms > 0)


def formula(a, b, method, k=10):
    """All scores of all pairs, as written in Conneau et al. (2018), in float64."""
    cos = unit(a.astype(np.float64)) @ unit(b.astype(np.float64)).T
    if method == "cosine":
        return cos
    r_a = np.sort(cos, axis=1)[:, -k:].mean(axis=1)
    r_b = np.sort(cos, axis=0)[-k:].mean(axis=0)
    return 2 * cos - r_a[:, None] - r_b
