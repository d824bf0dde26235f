"""Which sequences of words are one term, and not just beside each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.terminology.candidates import Candidates

__all__ = ["attraction", "coherent", "freedom"]

# By measurement, see `benchmarks/terms.py`.
_LEAST_FREEDOM = 0.3
_LEAST_ATTRACTION = 0.2
_LEAST_OF_LIGHT = 0.3


def coherent(
    candidates: Candidates,
    ids: NDArray[np.int32],
    offsets: NDArray[np.int64],
    breaks: NDArray[np.bool_],
    outer: NDArray[np.bool_],
    light: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Say which candidates hold together, and stand beside different words on both sides.

    Single words all do. A part of a term, as *savings* of *savings account*, has the same word
    beside it again and again; words that are frequent everywhere hold together by chance.

    Parameters
    ----------
    candidates : Candidates
    ids, offsets, breaks
        The text that they are of, as for
        :func:`~gensim_bilbowa.terminology.candidates.find_candidates`.
    outer : ndarray of bool, shape (n_words,)
        Words that terms begin and end with: where others are, a term ends.
    light : ndarray of bool, shape (n_words,)
        Words of any text: a candidate that begins or ends with one must hold together more.
    """
    if not len(candidates):
        return np.zeros(0, bool)
    first = candidates.words[candidates.offsets[:-1]]
    last = candidates.words[candidates.offsets[1:] - 1]
    least = np.where(light[first] | light[last], _LEAST_OF_LIGHT, _LEAST_ATTRACTION)
    left, right = freedom(candidates, ids, offsets, breaks, outer & ~light)
    held = attraction(candidates, np.bincount(ids, minlength=len(light)))
    several = (np.minimum(left, right) >= _LEAST_FREEDOM) & (held >= least)
    return np.asarray((candidates.lengths == 1) | several)


def attraction(candidates: Candidates, counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return how much the words of each candidate attract each other, 1 for single words.

    Normalised pointwise mutual information (Bouma 2009), of n words
    ``log(p(w1 .. wn) / (p(w1) .. p(wn))) / ((n - 1) -log p(w1 .. wn))``: 0 by chance, 1 if none
    ever stands without the others.

    Parameters
    ----------
    candidates : Candidates
    counts : ndarray of int64, shape (n_words,)
    """
    total = counts.sum()
    of_words = np.log(counts[candidates.words] / total)
    apart = np.add.reduceat(of_words, candidates.offsets[:-1])
    together = np.log(candidates.counts / total)
    others = candidates.lengths - 1
    scale = np.maximum(others, 1) * np.maximum(-together, 1e-12)
    return np.where(others > 0, (together - apart) / scale, 1.0)


def freedom(
    candidates: Candidates,
    ids: NDArray[np.int32],
    offsets: NDArray[np.int64],
    breaks: NDArray[np.bool_],
    heavy: NDArray[np.bool_],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how different the words before, and those after, each candidate are.

    The entropy of the neighbours by that of as many different ones, from 0 to 1; what could not be
    a part of the term counts as another word each time: where a sentence begins or ends, or
    something was cut out, and words that are not `heavy`, as articles.
    """
    starts = candidates.begins(offsets)
    ends = starts + candidates.spans[:, 1] - candidates.spans[:, 0]
    edges = np.append(breaks, True)
    edges[offsets] = True
    nobody = -1 - np.arange(len(starts))
    before, after = ids[np.maximum(starts - 1, 0)], ids[np.minimum(ends, len(ids) - 1)]
    return (
        _variety(candidates, np.where(edges[starts] | ~heavy[before], nobody, before)),
        _variety(candidates, np.where(edges[ends] | ~heavy[after], nobody, after)),
    )


def _variety(candidates: Candidates, neighbours: NDArray[np.int64]) -> NDArray[np.float64]:
    low = neighbours.min(initial=0)
    width = neighbours.max(initial=0) - low + 1
    terms = candidates.spans[:, 2].astype(np.int64)
    keys, counts = np.unique(terms * int(width) + (neighbours - low), return_counts=True)
    terms = keys // width
    shares = counts / candidates.counts[terms]
    entropy = np.bincount(terms, -shares * np.log(shares), len(candidates))
    return np.asarray(entropy / np.log(np.maximum(candidates.counts, 2)))
