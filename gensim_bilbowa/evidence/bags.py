"""Sentences as bags of words."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from gensim_bilbowa.corpora import EncodedCorpus

__all__ = ["bags"]


def bags(corpus: EncodedCorpus, n_words: int, dtype: Any) -> Any:
    """Return the bags of words of sentences.

    Returns
    -------
    scipy.sparse.csr_array of `dtype`, shape (n_sentences, n_words)
        How often a sentence has a word.
    """
    ones = np.ones(len(corpus.ids), dtype)
    # A copy, since words that stand twice are joined in place.
    matrix = sparse.csr_array(
        (ones, corpus.ids, corpus.offsets), shape=(len(corpus), n_words), copy=True
    )
    matrix.sum_duplicates()
    return matrix
