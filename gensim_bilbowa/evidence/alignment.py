"""Word alignment of sentence pairs: how often each word is expected to translate each other one."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa.corpora import EncodedCorpus
from gensim_bilbowa.kernels import Alike, Bitext, Classes, Rows
from gensim_bilbowa.workers import StopFlag, WorkerPool

__all__ = ["Alignment", "Labels", "Pairs", "estimate"]

logger = logging.getLogger(__name__)

Result = TypeVar("Result")
# Sentence pairs, as the two sides' words; none is empty.
Pairs: TypeAlias = tuple[EncodedCorpus, EncodedCorpus]
# The class of each word.
Labels: TypeAlias = NDArray[np.int32]
_Gains: TypeAlias = NDArray[np.float32]

# Parts of the work, whatever the number of workers: of the pairs, whose gains each read all rows,
# and of the source words.
_PAIR_PARTS = 8
_WORD_PARTS = 64
# Of words that are expected to come from nothing, in place of none.
_NULL_LEAST = 1e-3


@dataclass(frozen=True)
class Alignment:
    """Counts of word translations, and the probabilities that follow.

    Attributes
    ----------
    counts : scipy.sparse.csr_array of float32, shape (n_source, n_target)
        How often each target word is expected to be aligned to each source word in the text.
    log_likelihoods : list of float
        Of the target sentences given the source sentences, before each pass's update; if words
        begin as their classes, from the second pass on.
    """

    counts: Any
    log_likelihoods: list[float]

    @property
    def probabilities(self) -> Any:
        """t(f | e), of each target word for each source word, as `counts`."""
        totals = np.asarray(self.counts.sum(axis=1)).ravel()
        shares = sparse.diags_array(1 / np.where(totals > 0, totals, 1)) @ self.counts
        return sparse.csr_array(shares)


def estimate(
    pairs: Pairs,
    sizes: tuple[int, int],
    passes: int,
    *,
    position: float = 0.0,
    null: float = 0.0,
    classes: tuple[Labels, Labels] | None = None,
    class_passes: int = 0,
    alike: Alike | None = None,
    least: float = 0.0,
    workers: int = 1,
    likelihoods: bool = False,
    report: Callable[[float], None] = lambda part: None,
) -> Alignment:
    """Estimate IBM model 1 (Brown et al. 1993) for target words given source words.

    Expectation maximisation from uniform probabilities, or from those of classes of words. The
    result does not depend on `workers`.

    Parameters
    ----------
    pairs : (EncodedCorpus, EncodedCorpus)
        Sentence i of one translates sentence i of the other; none is empty.
    sizes : (int, int)
        Words of the two vocabularies.
    passes : int
        Over the text.
    position : float
        Weight of a prior on positions: a word i of m is the likelier the translation of word j of
        n the nearer it is, ``exp(-position |(i + 1/2) / m - (j + 1/2) / n|)``. Words more than 64
        places from the diagonal of a long sentence are not looked at.
    null : float
        Probability p0 that a target word comes from none of the source words.
    classes : (ndarray of int32, ndarray of int32), optional
        The class of each source word and of each target word. Classes are aligned first, in
        `class_passes` passes, and a word's probabilities begin as those of its class.
    alike : Alike, optional
        What the words' spelling makes of t after each pass.
    least : float
        Smaller counts are taken for none.
    workers : int
        Threads.
    likelihoods : bool
        Whether to compute the log-likelihoods, of words.
    report : callable
        Called with the part that is done, from 0 to 1, now and then.
    """
    source, target = pairs
    text = Bitext(source.ids, source.offsets, target.ids, target.offsets, *sizes, position)
    with WorkerPool(workers, _call) as pool:
        class_passes = 0 if classes is None else class_passes
        steps = _Steps(pool, 2 * (passes + class_passes), report)
        words = _Expectation(text, steps, null / (1 - null), least, likelihoods)
        if classes is None or not class_passes:
            words.begin()
        else:
            one, other = classes
            of_classes = Bitext(
                one[source.ids], source.offsets, other[target.ids], target.offsets,
                int(one.max()) + 1, int(other.max()) + 1, position,
            )  # fmt: skip
            coarse = _Expectation(of_classes, steps, null / (1 - null), least)
            coarse.begin()
            for _ in range(class_passes):
                coarse.count()
                coarse.gain()
            words.begin_with(coarse, *classes)
        for number in range(1, passes + 1):
            words.count(alike, last=number == passes)
            if number < passes:
                words.gain()
    return Alignment(_matrix(words.rows, sizes), words.log_likelihoods)


class _Expectation:
    """Expectation maximisation in one direction: gains of target tokens, rows of t, in turns."""

    def __init__(
        self, text: Bitext, steps: _Steps, share: float, least: float, likelihoods: bool = False
    ) -> None:
        self._text = text
        self._steps = steps
        self._share = share
        self._least = least
        self._asked = likelihoods
        self._of_pairs = list(_parts(text.target_offsets, _PAIR_PARTS))
        self._of_words = list(_parts(np.append(0, np.cumsum(text.work)), _WORD_PARTS))
        self._norms = np.empty(text.tokens, np.float32)
        self._gains = np.empty(0, np.float32)
        self._classes: Classes | None = None
        self.null = np.full(text.target_words, 1.0 / text.target_words, np.float32)
        self.rows: list[Rows] = []
        self.log_likelihoods: list[float] = []

    def begin(self) -> None:
        """All target words are as likely, as translations or by themselves."""
        self._find_norms()
        seen = self._norms > 0  # not so a token of a long sentence that no word is near to
        self._gains = np.zeros_like(self._norms)
        self._gains[seen] = 1 / ((1 + self._share) * self._norms[seen])
        if self._asked:
            n_words = self._text.target_words
            self.log_likelihoods.append(-int(seen.sum()) * float(np.log(n_words)))

    def begin_with(self, coarse: _Expectation, source: Labels, target: Labels) -> None:
        """They are as likely as their classes."""
        self._norms, self._gains = coarse._norms, coarse._gains
        self.null = coarse.null[target]
        self._classes = Classes(source, target, _joined(coarse.rows))

    def _find_norms(self) -> None:
        def find(part: tuple[int, int], stop: StopFlag) -> None:
            self._text.norms(*part, self._norms)

        self._steps.all(find, self._of_pairs)

    def count(self, alike: Alike | None = None, *, last: bool = False) -> None:
        """Make new rows of what is expected by the gains; the last ones are counts."""
        known: Sequence[Rows | None] = self.rows or [None] * len(self._of_words)

        def make(part: tuple[tuple[int, int], Rows | None], stop: StopFlag) -> Rows:
            words, before = part
            return self._text.rows(
                *words, self._gains, stop, before=before, t=not last, alike=alike,
                classes=None if before else self._classes, least=self._least if before else 0.0,
            )  # fmt: skip

        self.rows = self._steps.all(make, list(zip(self._of_words, known, strict=True)))
        logger.debug("alignment: %i pairs of words", sum(len(part.columns) for part in self.rows))

    def gain(self) -> None:
        """Compute gains from the rows."""

        def find(part: tuple[int, int], stop: StopFlag) -> tuple[NDArray[np.float64], float]:
            return self._text.gains(
                *part, self.rows, self._norms, self._share, self.null, self._gains, self._asked,
                stop,
            )  # fmt: skip

        found = self._steps.all(find, self._of_pairs)
        counts = np.full(len(self.null), _NULL_LEAST)
        for part, _ in found:
            counts += part
        self.null = np.asarray(counts / counts.sum(), np.float32)
        if self._asked:
            self.log_likelihoods.append(sum(likelihood for _, likelihood in found))


def _call(job: Callable[[StopFlag], Any], stop: StopFlag) -> Any:
    return job(stop)


class _Steps:
    """Runs the parts of a step in the pool, and says how much of all steps is done."""

    def __init__(self, pool: WorkerPool[Any, Any], steps: int, report: Any) -> None:
        self._pool = pool
        self._steps = steps
        self._report = report
        self._done = 0

    def all(self, work: Callable[[Any, StopFlag], Result], parts: Sequence[Any]) -> list[Result]:
        """Return what `work` makes of the parts, in their order."""

        def numbered(number: int, stop: StopFlag) -> tuple[int, Result]:
            return number, work(parts[number], stop)

        results: dict[int, Result] = {}
        for number, result in self._pool.map(partial(numbered, n) for n in range(len(parts))):
            results[number] = result
            self._report(min(1.0, (self._done + len(results) / len(parts)) / self._steps))
        self._done += 1
        return [results[number] for number in range(len(parts))]


def _parts(sums: NDArray[np.int64], most: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of stretches of about the same sum, from running sums that begin with 0."""
    marks = np.arange(1, most) * (sums[-1] / most)
    bounds = np.unique([0, *np.searchsorted(sums, marks), len(sums) - 1]).tolist()
    yield from pairwise(bounds)


def _joined(rows: Sequence[Rows]) -> Rows:
    lengths = np.concatenate([np.diff(part.starts) for part in rows])
    columns, values = (
        np.concatenate([getattr(part, name) for part in rows]) for name in ("columns", "values")
    )
    return Rows(0, np.append(0, np.cumsum(lengths)), columns, values)


def _matrix(rows: Sequence[Rows], sizes: tuple[int, int]) -> Any:
    joined = _joined(rows)
    matrix = sparse.csr_array((joined.values, joined.columns, joined.starts), shape=sizes)
    matrix.sort_indices()
    return matrix
