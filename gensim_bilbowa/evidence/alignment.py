"""Probabilities of word translations from sentence pairs, by IBM model 1."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa.corpora import EncodedCorpus
from gensim_bilbowa.evidence.bags import bags

__all__ = ["Alignment", "estimate"]

logger = logging.getLogger(__name__)

# Pairs of words whose posteriors are computed at once.
_BLOCK = 1 << 21


@dataclass(frozen=True)
class Alignment:
    """Word translation probabilities, and the counts that they come from.

    Attributes
    ----------
    probabilities : scipy.sparse.csr_array of float64, shape (n_source, n_target)
        t(f | e), of each target word for each source word.
    counts : scipy.sparse.csr_array of float64, of the same shape
        How often each target word is expected to be aligned to each source word in the text.
    log_likelihoods : list of float
        Of the target sentences given the source sentences, before each epoch's update.
    """

    probabilities: Any
    counts: Any
    log_likelihoods: list[float]


def estimate(
    source: EncodedCorpus, target: EncodedCorpus, sizes: tuple[int, int], epochs: int
) -> Alignment:
    """Estimate IBM model 1 (Brown et al. 1993) for target words given source words.

    Parameters
    ----------
    source, target : EncodedCorpus
        Sentence i of one translates sentence i of the other; none is empty.
    sizes : (int, int)
        Words of the two vocabularies.
    epochs : int
        Of expectation maximisation from uniform probabilities.
    """
    pattern = _cooccurring(source, target, sizes)
    places = [
        (np.searchsorted(pattern, keys).astype(np.int32), starts)
        for keys, starts in _word_pairs(source, target, sizes[1])
    ]
    words, targets = np.divmod(pattern, sizes[1])
    probabilities = np.full(len(pattern), 1 / sizes[1])
    chance = float(np.log(source.lengths) @ target.lengths)  # of the alignments, which are uniform
    log_likelihoods = []
    for epoch in range(1, epochs + 1):
        counts = np.zeros(len(pattern))
        log_likelihood = -chance
        for block, starts in places:
            posterior = probabilities[block]
            totals = np.add.reduceat(posterior, starts)
            log_likelihood += float(np.log(totals).sum())
            posterior /= np.repeat(totals, np.diff(starts, append=len(block)))
            counts += np.bincount(block, posterior, minlength=len(pattern))
        probabilities = counts / np.bincount(words, counts)[words]
        log_likelihoods.append(log_likelihood)
        logger.info("epoch %i: log likelihood %.1f", epoch, log_likelihood)
    return Alignment(
        sparse.csr_array((probabilities, (words, targets)), shape=sizes),
        sparse.csr_array((counts, (words, targets)), shape=sizes),
        log_likelihoods,
    )


def _cooccurring(
    source: EncodedCorpus, target: EncodedCorpus, sizes: tuple[int, int]
) -> NDArray[np.int64]:
    """Return the keys ``e n_target + f`` of words that stand in the same pairs, ascending."""
    a, b = (
        bags(side, size, np.float32) for side, size in zip((source, target), sizes, strict=True)
    )
    table = (a.T @ b).tocoo()
    row, column = table.coords
    return np.sort(row.astype(np.int64) * sizes[1] + column)


def _word_pairs(
    source: EncodedCorpus, target: EncodedCorpus, n_target: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield the keys of all pairs of tokens, target token by target token, in blocks.

    Yields
    ------
    keys : ndarray of int64, shape (n,)
    starts : ndarray of int64
        Where each target token's pairs begin.
    """
    sizes = source.lengths * target.lengths
    ends = np.cumsum(sizes)
    marks = np.arange(0, ends[-1], _BLOCK)
    bounds = np.unique(np.append(np.searchsorted(ends, marks, side="right"), len(source)))
    for first, last in pairwise(bounds.tolist()):
        words = target.ids[target.offsets[first] : target.offsets[last]]
        sentence = np.repeat(np.arange(first, last), target.lengths[first:last])
        repeats = source.lengths[sentence]
        starts = np.cumsum(repeats) - repeats
        within = np.arange(repeats.sum()) - np.repeat(starts, repeats)
        partners = source.ids[np.repeat(source.offsets[sentence], repeats) + within]
        yield partners.astype(np.int64) * n_target + np.repeat(words, repeats), starts
