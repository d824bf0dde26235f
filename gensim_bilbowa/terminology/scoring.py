"""How well terms translate each other: links and vectors together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa.evidence import Evidence
from gensim_bilbowa.running.stages import Report, step_of
from gensim_bilbowa.terminology.links import Links
from gensim_bilbowa.terminology.side import Groups, TermSide
from gensim_bilbowa.vectors import CrossLingualKeyedVectors
from gensim_bilbowa.vectors.retrieval import at_length_one, mean_of_largest

__all__ = ["Pairs", "score_pairs"]

_CSLS_WEIGHT = 0.5
_NEAREST = 10
# Words that may crowd round a term, the most frequent ones, and terms that are compared at once.
_MOST_WORDS = 50_000
_ROWS_AT_ONCE = 512


@dataclass(frozen=True)
class Pairs:
    """Groups of terms that are linked, in the order of the sources, the best target first.

    Attributes
    ----------
    sources, targets : ndarray of int64, shape (n_pairs,)
        Groups.
    aligned : ndarray of float64, shape (n_pairs,)
        Sum of the links' weights.
    scores : ndarray of float64, shape (n_pairs,)
    """

    sources: NDArray[np.int64]
    targets: NDArray[np.int64]
    aligned: NDArray[np.float64]
    scores: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.sources)


def score_pairs(
    sides: tuple[TermSide, TermSide],
    groups: tuple[Groups, Groups],
    links: Links,
    vectors: tuple[CrossLingualKeyedVectors, CrossLingualKeyedVectors],
    report: Report,
) -> Pairs:
    """Score each two groups that are linked, by the evidence of lexicons.

    ``0.5 CSLS + 0.2 log(1 + a) + 0.6 a / sqrt(b c)``, for a sum of links a, and those b and c of
    either group; CSLS is of their most frequent forms, and the vector of several words is the mean
    of theirs. Links know some of what vectors and spelling tell of words, hence half of the one
    and none of the other, by measurement (see `benchmarks/terms.py`).
    """
    shape = len(groups[0].heads), len(groups[1].heads)
    ours, theirs = (
        group.of[side.candidates.spans[places, 2]]
        for side, group, places in zip(sides, groups, (links.sources, links.targets), strict=True)
    )
    counts = sparse.csr_array((links.weights.astype(np.float64), (ours, theirs)), shape=shape)
    counts.sort_indices()
    rows = np.repeat(np.arange(shape[0]), np.diff(counts.indptr))
    columns = counts.indices.astype(np.int64)
    scores = Evidence.of(counts).alignment.data.astype(np.float64)
    scores += _CSLS_WEIGHT * _csls(sides, groups, vectors, (rows, columns), report)
    order = np.lexsort((-scores, rows))
    return Pairs(rows[order], columns[order], counts.data[order], scores[order])


def _csls(
    sides: tuple[TermSide, TermSide], groups: tuple[Groups, Groups],
    vectors: tuple[CrossLingualKeyedVectors, CrossLingualKeyedVectors],
    pairs: tuple[NDArray[np.int64], NDArray[np.int64]], report: Report,
) -> NDArray[np.float64]:  # fmt: skip
    """Return the CSLS of pairs of groups; what crowds round a term are words of the other side."""
    scores = np.zeros(len(pairs[0]))
    rows: list[Any] = []
    for number, (side, group, own, other) in enumerate(
        zip(sides, groups, vectors, vectors[::-1], strict=True)
    ):
        of_side = step_of(report, number, 2)
        terms = _vectors(side, group.heads, own)
        linked = np.unique(pairs[number])
        near = np.zeros(len(terms), np.float32)
        words = other.unit_vectors()[:_MOST_WORDS]
        for start in range(0, len(linked), _ROWS_AT_ONCE):
            some = linked[start : start + _ROWS_AT_ONCE]
            near[some] = mean_of_largest(terms[some] @ words.T, _NEAREST)
            of_side(start / len(linked))
        rows.append(terms)
        scores -= near[pairs[number]]
    for start in range(0, len(scores), _ROWS_AT_ONCE):
        part = slice(start, start + _ROWS_AT_ONCE)
        one, two = (terms[side[part]] for terms, side in zip(rows, pairs, strict=True))
        scores[part] += 2 * np.einsum("ij,ij->i", one, two)
    return scores


def _vectors(
    side: TermSide, terms: NDArray[np.int64], vectors: CrossLingualKeyedVectors
) -> NDArray[np.float32]:
    """Return a vector of each term at length one: the mean of those of its words that have one."""
    words, offsets = side.candidates.words_of_all(terms)
    rows = [vectors.key_to_index.get(word, -1) for word in side.text.lower_words]
    at = np.array(rows, np.int64)[words]
    own = np.repeat(np.arange(len(terms)), np.diff(offsets))
    known = at >= 0
    into = sparse.csr_array(
        (np.ones(np.count_nonzero(known), np.float32), (own[known], at[known])),
        shape=(len(terms), len(vectors)),
    )
    return at_length_one(into @ vectors.unit_vectors())
