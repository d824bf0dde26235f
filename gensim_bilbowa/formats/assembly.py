"""One language's vectors as a gensim object, put together from parts that were read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gensim.models import KeyedVectors
from numpy.typing import NDArray

from gensim_bilbowa.errors import ConfigError, FormatError
from gensim_bilbowa.files.documents import MOST_WHOLE

__all__ = ["OF_TRAINING", "check_counts", "check_finite", "check_keyed", "keyed_vectors"]

# Attributes of words that training makes anew from the counts: leaving them out loses nothing.
OF_TRAINING = frozenset({"code", "point", "sample_int"})


def keyed_vectors(
    key_to_index: dict[str, int],
    vectors: NDArray[np.float32],
    attributes: Mapping[str, NDArray[Any]],
) -> KeyedVectors:
    """Return gensim's object with these words; nothing is copied.

    Parameters
    ----------
    key_to_index : dict from str to int
        The words in the order of their rows.
    vectors : ndarray of float32, shape (n_words, vector_size)
    attributes : mapping from str to ndarray, shape (n_words, ...)
        What gensim calls vecattrs or expandos, such as ``count``.
    """
    made = KeyedVectors(vectors.shape[1])
    made.index_to_key = list(key_to_index)
    made.key_to_index = key_to_index
    made.next_index = len(key_to_index)
    made.vectors = vectors
    made.expandos.update(attributes)
    return made


def check_keyed(vectors: object, where: str) -> None:
    """Refuse what is no gensim ``KeyedVectors``."""
    if not isinstance(vectors, KeyedVectors):
        hint = "; pass its .wv" if hasattr(vectors, "wv") else ""
        raise ConfigError(
            f"{where}: a gensim KeyedVectors is wanted, got {type(vectors).__name__}{hint}"
        )


def check_finite(
    vectors: KeyedVectors, where: str, error: type[ConfigError | FormatError] = ConfigError
) -> None:
    """Refuse vectors without a finite length, naming the first word that has one.

    They have NaN or infinity in them, or numbers whose squares are too large for single precision.
    """
    squares = np.einsum("ij,ij->i", vectors.vectors, vectors.vectors)  # needs no array of its own
    bad = np.flatnonzero(~np.isfinite(squares))
    if len(bad):
        finite = np.isfinite(vectors.vectors[bad[0]]).all()
        raise error(
            f"{where}: the vector of {vectors.index_to_key[bad[0]]!r} is "
            f"{'too long for single precision' if finite else 'not finite'} "
            f"({len(bad)} such words of {len(vectors)})"
        )


def check_counts(
    counts: NDArray[Any], where: str, error: type[ConfigError | FormatError] = ConfigError
) -> None:
    """Refuse counts of words that are no whole numbers, or negative, or too many to be added up."""
    if counts.ndim != 1 or counts.dtype.kind not in "iu":
        raise error(
            f"{where}: the counts are {counts.dtype} {counts.shape}, a whole number for each word "
            "is wanted"
        )
    if len(counts) and (counts.min() < 0 or counts.sum(dtype=np.float64) > MOST_WHOLE):
        raise error(
            f"{where}: the counts are {counts.min()} to {counts.max()}, from 0 to "
            f"{MOST_WHOLE:,} are wanted, all together"
        )
