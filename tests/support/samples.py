"""A made-up parallel corpus, and parameters that suit it."""

from __future__ import annotations

import numpy as np
from gensim.models import KeyedVectors

from gensim_bilbowa import CrossLingualVectors


def made_up_pairs(n=300, words=40, seed=0):
    """Sentence pairs whose word i of English is word i of German, with Zipf-like frequencies."""
    rng = np.random.default_rng(seed)
    chance = 1 / np.arange(1, words + 1)
    chance /= chance.sum()
    pairs = []
    for _ in range(n):
        ids = rng.choice(words, rng.integers(3, 9), p=chance)
        pairs.append(([f"e{i}" for i in ids], [f"d{i}" for i in rng.permutation(ids)]))
    return pairs


SMALL = {"vector_size": 20, "min_count": 1, "epochs": 3, "workers": 1, "negative": 5,
         "sample": 0, "xling_sample": 1e-2}  # fmt: skip


def keyed(code, matrix):
    """Plain vectors whose word i is the code and i."""
    vectors = KeyedVectors(matrix.shape[1])
    vectors.add_vectors([f"{code}{i}" for i in range(len(matrix))], matrix.astype(np.float32))
    return vectors


def space(**matrices):
    """A space of such vectors, a language each."""
    return CrossLingualVectors({code: keyed(code, matrix) for code, matrix in matrices.items()})
