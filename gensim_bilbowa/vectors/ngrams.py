"""Vectors of words outside the vocabulary, made of their n-grams."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from gensim.models import KeyedVectors
from gensim.models.fasttext import FastTextKeyedVectors
from numpy.typing import NDArray

from gensim_bilbowa._gensim import ft_ngram_hashes

__all__ = ["composable", "composed", "has_subwords"]

# Words whose vectors are composed at once.
_BATCH = 4096


def has_subwords(vectors: KeyedVectors) -> bool:
    """Whether the words have n-grams; gensim's FastText may be without, with ``bucket=0``."""
    return isinstance(vectors, FastTextKeyedVectors) and vectors.bucket > 0


def composable(vectors: KeyedVectors, word: str) -> bool:
    """Whether the vectors have n-grams, and so has the word: it may be too short for any."""
    return has_subwords(vectors) and len(_rows(vectors, word)) > 0


def composed(vectors: KeyedVectors, words: Sequence[str]) -> NDArray[np.float32]:
    """Compose vectors as ``FastTextKeyedVectors.get_vector`` does for words outside the vocabulary.

    Parameters
    ----------
    vectors : gensim.models.fasttext.FastTextKeyedVectors
    words : sequence of str
        Each is :func:`composable`.

    Returns
    -------
    ndarray of float32, shape (n_words, vector_size)
        The mean of the rows of each word's n-grams.
    """
    result = np.empty((len(words), vectors.vector_size), np.float32)
    for start in range(0, len(words), _BATCH):
        rows = [_rows(vectors, word) for word in words[start : start + _BATCH]]
        counts = np.array([len(some) for some in rows])
        sums = np.add.reduceat(
            vectors.vectors_ngrams[np.concatenate(rows)], np.cumsum(counts) - counts
        )
        result[start : start + _BATCH] = sums / counts[:, None].astype(np.float32)
    return result


def _rows(vectors: KeyedVectors, word: str) -> NDArray[np.int64]:
    return np.array(ft_ngram_hashes(word, vectors.min_n, vectors.max_n, vectors.bucket), np.int64)
