"""Vectors of sentences and documents: weighted means of the vectors of their words."""

from __future__ import annotations

import logging
from array import array
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import numpy as np
from gensim.models import KeyedVectors
from numpy.typing import NDArray
from scipy.sparse import csr_array

from gensim_bilbowa.corpora.sentences import Checked, Corpus, as_sentences
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.vectors.counts import word_counts

__all__ = [
    "Weighting",
    "are_vectors",
    "check_vectors",
    "sentence_vectors",
    "word_weights",
]

Weighting: TypeAlias = Literal["mean", "idf", "sif"] | Mapping[str, float] | None

# The constant a of Arora et al. (2017).
_SIF = 1e-3
# Sentences whose vectors are computed at once.
_BLOCK = 1 << 14

logger = logging.getLogger(__name__)


def _name(vectors: KeyedVectors) -> str:
    language = getattr(vectors, "language", None)
    return f"the {language!r} vectors" if language else "the vectors"


def _counts(vectors: KeyedVectors, purpose: str) -> NDArray[np.float64]:
    """Return how often each word stood in the training text; a word added without a count: once."""
    counts = word_counts(vectors)
    if counts is None:
        raise ConfigError(
            f"{purpose} needs the words' counts, which {_name(vectors)} do not have: load them "
            "with fvocab=, set them with set_vecattr(word, 'count', n), or do without: "
            "weighting='mean', remove_common=False"
        )
    return np.maximum(counts, 1).astype(np.float64)


def word_weights(vectors: KeyedVectors, weighting: Weighting) -> NDArray[np.float32]:
    """Return the weight of each word in a sentence's mean.

    Parameters
    ----------
    vectors : gensim.models.KeyedVectors
    weighting : {"mean", "idf", "sif"}, mapping from str to float, or None
        See :meth:`CrossLingualKeyedVectors.sentence_vectors`.

    Returns
    -------
    ndarray of float32, shape (n_words,)
    """
    if weighting is None or weighting == "mean":
        return np.ones(len(vectors), np.float32)
    if weighting == "idf":
        counts = _counts(vectors, "weighting='idf'")
        return np.asarray(np.log(counts.sum() / counts), np.float32)
    if weighting == "sif":
        counts = _counts(vectors, "weighting='sif'")
        return np.asarray(_SIF / (_SIF + counts / counts.sum()), np.float32)
    if not isinstance(weighting, Mapping):
        raise ConfigError(
            "weighting must be 'mean', 'idf', 'sif' or a mapping from words to weights, "
            f"not {weighting!r:.60}"
        )
    weights = np.zeros(len(vectors), np.float32)
    for word, weight in weighting.items():
        if word in vectors.key_to_index:
            if not 0 <= weight < np.inf:
                raise ConfigError(f"the weight of {word!r} must be at least 0, not {weight!r}")
            weights[vectors.key_to_index[word]] = weight
    if not weights.any():
        raise ConfigError(
            f"weighting gives weight to none of the {len(vectors):,} words of {_name(vectors)}"
        )
    return weights


def _common_direction(vectors: KeyedVectors, weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Direction of the mean of all words of the training text, as they are weighted here.

    Returns
    -------
    ndarray of float32, shape (vector_size,)
        Of length 1; zeros where there is no direction.
    """
    shares = _counts(vectors, "remove_common=True") * weights
    # In 64 bits only the sum's terms of one block are: a copy of all vectors might be too large.
    mean = np.zeros(vectors.vector_size)
    for start in range(0, len(shares), _BLOCK):
        mean += shares[start : start + _BLOCK] @ vectors.vectors[start : start + _BLOCK]
    norm = np.linalg.norm(mean)
    return np.asarray(mean / norm if norm > 0 else mean, np.float32)


def sentence_vectors(
    vectors: KeyedVectors,
    sentences: Corpus,
    weighting: Weighting = "mean",
    *,
    remove_common: bool = True,
    where: str = "sentences",
) -> NDArray[np.float32]:
    """Compute a vector for each sentence, see :meth:`CrossLingualKeyedVectors.sentence_vectors`.

    Parameters
    ----------
    vectors : gensim.models.KeyedVectors
        Of one language.
    sentences, weighting, remove_common
        As for the method.
    where : str
        What to call the sentences in errors and log messages.
    """
    weights = word_weights(vectors, weighting)
    find = vectors.key_to_index.get
    words = array("i")
    ends = array("q", [0])
    for sentence in Checked(as_sentences(sentences, where), where):
        words.fromlist([word for word in map(find, sentence) if word is not None])
        ends.append(len(words))

    indices, starts = np.frombuffer(words, np.int32), np.frombuffer(ends, np.int64)
    result = np.empty((len(ends) - 1, vectors.vector_size), np.float32)
    if remove_common:
        common = _common_direction(vectors, weights)
        along = np.asarray(vectors.vectors @ common, np.float32)
    empty = 0
    for start in range(0, len(result), _BLOCK):
        bounds = starts[start : start + _BLOCK + 1]
        inside = indices[bounds[0] : bounds[-1]]
        bags = csr_array(
            (weights[inside], inside, bounds - bounds[0]), shape=(len(bounds) - 1, len(vectors))
        )
        # Now the order of words does not show, even in the last bit, and that of sentences does
        # not either: each row of these products is summed by itself.
        bags.sum_duplicates()
        sums = bags @ vectors.vectors
        if remove_common:
            sums -= (bags @ along)[:, None] * common
        totals = bags.sum(axis=1)
        empty += int(np.count_nonzero(totals == 0))
        result[start : start + _BLOCK] = sums / np.where(totals > 0, totals, 1)[:, None]
    if empty:
        logger.warning(
            "%s: %s of %s have no word that %s know and weight; their vectors are zero",
            where, f"{empty:,}", f"{len(result):,}", _name(vectors),
        )  # fmt: skip
    return result


def are_vectors(given: Any) -> bool:
    """Whether these are sentences' vectors, not the sentences themselves."""
    return isinstance(given, np.ndarray) and given.dtype.kind in "fiu"


def check_vectors(given: NDArray[Any], vector_size: int, where: str) -> NDArray[np.float32]:
    """Return sentences' vectors, shape (n, vector_size), as float32; refuse others."""
    if given.ndim != 2 or given.shape[1] != vector_size:
        raise ConfigError(
            f"{where}: token lists or vectors of shape (n, {vector_size}) are wanted, "
            f"got an array of shape {given.shape}"
        )
    bad = np.flatnonzero(~np.isfinite(given).all(axis=1))
    if len(bad):
        raise ConfigError(f"{where}: vector {bad[0]} has NaN or infinity in it")
    return given.astype(np.float32, copy=False)
