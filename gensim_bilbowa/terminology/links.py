"""Which terms of two languages translate each other, occurrence by occurrence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa.kernels import Entries, SpannedSide, span_links
from gensim_bilbowa.running.stages import Report, step_of, unreported
from gensim_bilbowa.running.workers import StopFlag, WorkerPool
from gensim_bilbowa.terminology.candidates import Candidates

__all__ = ["Links", "find_links"]

# By measurement, see `benchmarks/terms.py`.
_POSITION = 1.0
_NULL = 0.08
_LEAST = 0.2
_TRUST = 0.3
# Sentence pairs of a job.
_PAIRS_AT_ONCE = 4096


@dataclass(frozen=True)
class Links:
    """Occurrences of terms and of what translates them there, in the order of the text.

    Attributes
    ----------
    pairs : ndarray of int32, shape (n_links,)
        Sentence pairs.
    sources, targets : ndarray of int32, shape (n_links,)
        Places among the spans of each side.
    weights : ndarray of float32, shape (n_links,)
        How surely one translates the other, from 0 to 1.
    """

    pairs: NDArray[np.int32]
    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    weights: NDArray[np.float32]


def find_links(
    ids: tuple[NDArray[np.int32], NDArray[np.int32]],
    offsets: tuple[NDArray[np.int64], NDArray[np.int64]],
    candidates: tuple[Candidates, Candidates],
    counting: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    aligned: Any,
    *,
    workers: int = 1,
    report: Report = unreported,
) -> Links:
    """Find for each occurrence of a term what translates it in its sentence pair.

    A term as a whole is a translation of another one in so far as each word of either comes from
    the other one's words, by their alignment (see ``kernels/src/spans.h``). What each term is
    linked to in the whole text then decides: an occurrence keeps the link than which neither side
    has one that is worth more, the link times ``(a / sqrt(b c)) ** 0.3`` for terms that are linked
    a times of their b and c occurrences. So *Betriebssystem* goes to *operating system*,
    and to neither of its words.

    Parameters
    ----------
    ids, offsets : of each side
        As for :func:`~gensim_bilbowa.terminology.candidates.find_candidates`.
    candidates : of each side
    counting : (ndarray of bool, ndarray of bool), of each side's words
        Which count: others, as *de* of *base de données*, come from anything.
    aligned : scipy.sparse.csr_array of float32, shape (n_words, n_words)
        How often words are aligned (:func:`~gensim_bilbowa.evidence.align`).
    workers : int
        Threads; the result does not depend on them.
    report : callable
        Called with the part that is done, from 0 to 1, now and then.
    """
    one, other = (
        SpannedSide(
            side, places, terms.spans, terms.span_offsets, _shares(side, len(outer)), outer,
            len(terms),
        )
        for side, places, terms, outer in zip(ids, offsets, candidates, counting, strict=True)
    )  # fmt: skip
    find = partial(_find, one, other, _probabilities(aligned), workers)
    first = find(None, step_of(report, 0, 2))
    found = find(_worths(first, candidates), step_of(report, 1, 2))
    return Links(
        *(np.ascontiguousarray(found[name]) for name in ("pair", "source", "target", "link"))
    )


def _find(
    one: SpannedSide, other: SpannedSide, words: Entries, workers: int, terms: Entries | None,
    report: Report,
) -> NDArray[Any]:  # fmt: skip
    """Return the links of all pairs, in their order."""
    starts = range(0, max(one.sentences, 1), _PAIRS_AT_ONCE)
    found: dict[int, NDArray[Any]] = {}

    def work(start: int, stop: StopFlag) -> tuple[int, NDArray[Any]]:
        end = min(start + _PAIRS_AT_ONCE, one.sentences)
        return start, span_links(
            one, other, words, start, end, stop, terms=terms, position=_POSITION,
            null_share=_NULL / (1 - _NULL), least=_LEAST,
        )  # fmt: skip

    with WorkerPool(workers, work) as pool:
        for start, links in pool.map(starts):
            found[start] = links
            report(len(found) / len(starts))
    return np.concatenate([found[start] for start in starts])


def _worths(links: NDArray[Any], candidates: tuple[Candidates, Candidates]) -> Entries:
    """Return what two terms are worth to each other: ``(a / sqrt(b c)) ** 0.3``."""
    source, target = candidates
    rows, columns = source.spans[links["source"], 2], target.spans[links["target"], 2]
    linked = sparse.csr_array(
        (links["link"].astype(np.float64), (rows, columns)), shape=(len(source), len(target))
    )
    linked.sort_indices()
    rows = np.repeat(np.arange(len(source)), np.diff(linked.indptr))
    share = linked.data / np.sqrt(source.counts[rows] * target.counts[linked.indices])
    worth = (share**_TRUST).astype(np.float32)
    starts, terms = linked.indptr.astype(np.int64), linked.indices.astype(np.int32)
    return Entries((len(source), len(target)), starts, terms, worth, worth)


def _shares(ids: NDArray[np.int32], words: int) -> NDArray[np.float32]:
    return (np.bincount(ids, minlength=words) / max(len(ids), 1)).astype(np.float32)


def _probabilities(aligned: Any) -> Entries:
    """Return t of the words of each side given those of the other, by the counts of both."""
    aligned = sparse.csr_array(aligned)
    aligned.sort_indices()
    ours, theirs = (np.asarray(aligned.sum(axis=axis)).ravel() for axis in (1, 0))
    rows = np.repeat(np.arange(aligned.shape[0]), np.diff(aligned.indptr))
    forth = (aligned.data / ours[rows]).astype(np.float32)
    back = (aligned.data / theirs[aligned.indices]).astype(np.float32)
    starts, columns = aligned.indptr.astype(np.int64), aligned.indices.astype(np.int32)
    return Entries(aligned.shape, starts, columns, forth, back)
