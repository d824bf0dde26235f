"""How often words stood in the text that their vectors were trained on."""

from __future__ import annotations

from typing import Any

import numpy as np
from gensim.models import KeyedVectors
from numpy.typing import NDArray

from gensim_bilbowa.formats.assembly import check_counts

__all__ = ["attributes", "counts_or_ones", "word_counts"]


def word_counts(vectors: KeyedVectors) -> NDArray[np.int64] | None:
    """Return the count of each word, 0 for one added without, or None if none is known.

    Returns
    -------
    ndarray of int64, shape (n_words,), or None

    Raises
    ------
    ConfigError
        If they are no counts.
    """
    given = attributes(vectors).get("count", np.zeros(0, np.int64))[: len(vectors)]
    check_counts(given, repr(getattr(vectors, "language", None) or "vectors"))
    counts = np.zeros(len(vectors), np.int64)
    counts[: len(given)] = given
    return counts if counts.any() or not len(vectors) else None


def counts_or_ones(vectors: KeyedVectors) -> NDArray[np.int64]:
    """Return the counts of :func:`word_counts`, or 1 for each word if none is known."""
    counts = word_counts(vectors)
    return np.ones(len(vectors), np.int64) if counts is None else counts


def attributes(vectors: KeyedVectors) -> dict[str, NDArray[Any]]:
    """Return what gensim calls vecattrs or expandos, without counts that it has made up.

    It does so (n, n - 1, ..., 1) when it loads a word2vec file without the file of counts.

    Returns
    -------
    dict from str to ndarray, shape (n_words, ...)
        Not copied.
    """
    kept = dict(vectors.expandos)
    events = getattr(vectors, "lifecycle_events", None) or ()
    if any(event.get("event") == "load_word2vec_format" for event in events) and np.array_equal(
        kept.get("count", ()), np.arange(len(vectors), 0, -1)
    ):
        kept.pop("count", None)
    return kept
