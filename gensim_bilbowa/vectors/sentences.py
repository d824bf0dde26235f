"""Vectors of sentences and documents: weighted means of the vectors of their words."""

from __future__ import annotations

import logging
from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypeGuard

import numpy as np
from gensim.models import KeyedVectors
from numpy.typing import NDArray
from scipy.sparse import csr_array

from gensim_bilbowa.corpora.sentences import Checked, Corpus, as_sentences
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.vectors.counts import word_counts
from gensim_bilbowa.vectors.ngrams import composable, composed, has_subwords

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


def word_weights(
    vectors: KeyedVectors, weighting: Weighting, unseen: Sequence[str] = ()
) -> NDArray[np.float32]:
    """Return the weight of each word in a sentence's mean.

    Parameters
    ----------
    vectors : gensim.models.KeyedVectors
    weighting : {"mean", "idf", "sif"}, mapping from str to float, or None
        See :meth:`CrossLingualKeyedVectors.sentence_vectors`.
    unseen : sequence of str
        Words outside the vocabulary, which count as if they had stood in the text once.

    Returns
    -------
    ndarray of float32, shape (n_words + n_unseen,)
    """
    if weighting is None or weighting == "mean":
        return np.ones(len(vectors) + len(unseen), np.float32)
    if isinstance(weighting, str) and weighting in ("idf", "sif"):
        counts = _counts(vectors, f"weighting={weighting!r}")
        shares = np.append(counts, np.ones(len(unseen))) / counts.sum()
        weights = -np.log(shares) if weighting == "idf" else _SIF / (_SIF + shares)
        return np.asarray(weights, np.float32)
    if not isinstance(weighting, Mapping):
        raise ConfigError(
            "weighting must be 'mean', 'idf', 'sif' or a mapping from words to weights, "
            f"not {weighting!r:.60}"
        )
    weights = np.zeros(len(vectors) + len(unseen), np.float32)
    rows = {word: len(vectors) + number for number, word in enumerate(unseen)}
    given = False
    for word, weight in weighting.items():
        row = vectors.key_to_index.get(word, rows.get(word))
        if row is not None or composable(vectors, word):
            if not 0 <= weight < np.inf:
                raise ConfigError(f"the weight of {word!r} must be at least 0, not {weight!r}")
            given |= weight > 0
        if row is not None:
            weights[row] = weight
    if not given:
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
    shares = _counts(vectors, "remove_common=True") * weights[: len(vectors)]
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
    word_weights(vectors, weighting)  # which refuses what cannot work before all is read
    unseen: dict[str, int] = {}
    find = _finder(vectors, unseen)
    words = array("i")
    ends = array("q", [0])
    for sentence in Checked(as_sentences(sentences, where), where):
        words.fromlist([word for word in map(find, sentence) if word is not None])
        ends.append(len(words))

    size = len(vectors)
    names = sorted(unseen)
    weights = word_weights(vectors, weighting, names)
    # In the order of the alphabet, so that a sentence's sum does not tell which came before.
    places = np.arange(size + len(names), dtype=np.int32)
    places[[unseen[name] for name in names]] = np.arange(size, len(places))
    indices, starts = places[np.frombuffer(words, np.int32)], np.frombuffer(ends, np.int64)
    result = np.empty((len(ends) - 1, vectors.vector_size), np.float32)
    if remove_common:
        common = _common_direction(vectors, weights)
    empty = 0
    for start in range(0, len(result), _BLOCK):
        bounds = starts[start : start + _BLOCK + 1]
        inside = indices[bounds[0] : bounds[-1]]
        outside = np.unique(inside[inside >= size])
        columns = np.where(inside < size, inside, size + np.searchsorted(outside, inside))
        bags = csr_array(
            (weights[inside], columns, bounds - bounds[0]),
            shape=(len(bounds) - 1, size + len(outside)),
        )
        # Now the order of words does not show, even in the last bit, and that of sentences does
        # not either: each row of these products is summed by itself.
        bags.sum_duplicates()
        sums = bags[:, :size] @ vectors.vectors
        if len(outside):
            sums += bags[:, size:] @ composed(vectors, [names[i] for i in outside - size])
        if remove_common:
            sums -= np.einsum("ij,j->i", sums, common)[:, None] * common
        totals = bags.sum(axis=1)
        empty += int(np.count_nonzero(totals == 0))
        result[start : start + _BLOCK] = sums / np.where(totals > 0, totals, 1)[:, None]
    if empty:
        logger.warning(
            "%s: %s of %s have no word that %s know and weight; their vectors are zero",
            where, f"{empty:,}", f"{len(result):,}", _name(vectors),
        )  # fmt: skip
    return result


def _finder(vectors: KeyedVectors, unseen: dict[str, int]) -> Callable[[str], int | None]:
    """Return what finds the row of a word, None for a word without a vector.

    Words outside the vocabulary that have n-grams get the rows after it, and are put in `unseen`.
    """
    known: Callable[..., int | None] = vectors.key_to_index.get
    if not has_subwords(vectors):
        return known
    size = len(vectors)

    def find(word: str) -> int | None:
        row = known(word, unseen.get(word))
        if row is None and composable(vectors, word):
            row = unseen[word] = size + len(unseen)
        return row

    return find


def are_vectors(given: Any) -> TypeGuard[NDArray[Any]]:
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
