"""Word alignment of sentence pairs: how often each word is expected to translate each other one."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa.corpora import EncodedCorpus
from gensim_bilbowa.evidence.alignment_weights import over
from gensim_bilbowa.kernels import Alike, Bitext, Classes, Rows
from gensim_bilbowa.running.stages import Report, unreported
from gensim_bilbowa.running.workers import StopFlag, WorkerPool
from gensim_bilbowa.teams import Team

__all__ = ["Alignment", "Labels", "Pairs", "estimate"]

logger = logging.getLogger(__name__)

Result = TypeVar("Result")
# Sentence pairs, as the two sides' words; none is empty.
Pairs: TypeAlias = tuple[EncodedCorpus, EncodedCorpus]
# The class of each word.
Labels: TypeAlias = NDArray[np.int32]

# Parts of the work, whatever the number of workers: of the pairs, whose gains each read all rows,
# and of the source words.
_PAIR_PARTS = 8
_WORD_PARTS = 64
# Of words that are expected to come from nothing, in place of none.
_NULL_LEAST = 1e-3


@dataclass(frozen=True)
class Alignment:
    """Counts of word translations, both ways.

    Attributes
    ----------
    forth : scipy.sparse.csr_array of float32, shape (n_source, n_target)
        How often each target word is expected to come from each source word in the text.
    back : scipy.sparse.csr_array of float32, shape (n_source, n_target)
        How often each source word is expected to come from each target word.
    log_likelihoods : list of float
        Of the target sentences given the source sentences, before each pass's update; if words
        begin as their classes, from the second pass on.
    """

    forth: Any
    back: Any
    log_likelihoods: list[float]

    @property
    def probabilities(self) -> Any:
        """t(f | e), of each target word for each source word, as `forth`."""
        totals = np.asarray(self.forth.sum(axis=1)).ravel()
        return sparse.csr_array(over(totals) @ self.forth)


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
    floor: float = 0.0,
    workers: int = 1,
    likelihoods: bool = False,
    report: Report = unreported,
    team: Team | None = None,
) -> Alignment:
    """Estimate IBM model 1 (Brown et al. 1993), for target words given source words and back.

    Expectation maximisation from uniform probabilities, or from those of classes of words, of each
    direction by itself. The result does not depend on `workers`, nor on the ranks of a team.

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
        Probability p0 that a word comes from none of the other sentence's words.
    classes : (ndarray of int32, ndarray of int32), optional
        The class of each source word and of each target word. Classes are aligned first, in
        `class_passes` passes, and a word's probabilities begin as those of its class.
    alike : Alike, optional
        What the words' spelling makes of t after each pass.
    least : float
        What is counted less often both ways is taken for none.
    floor : float
        What is counted less often at the end, by the geometric mean of both ways, is left out.
    workers : int
        Threads.
    likelihoods : bool
        Whether to compute the log-likelihoods, of words.
    report : callable
        Called with the part that is done, from 0 to 1, now and then.
    team : Team, optional
        Of which each rank does its part of the work, and gets the whole result; all must call.
    """
    source, target = pairs
    class_passes = 0 if classes is None else class_passes
    with WorkerPool(workers, _call) as pool:
        steps = _Steps(pool, 2 * (passes + class_passes), report, team or Team())
        settings = target.offsets, steps, null / (1 - null), least
        beginning = None
        if classes is not None and class_passes:
            one, other = classes
            text = Bitext(
                one[source.ids], source.offsets, other[target.ids], target.offsets,
                int(one.max()) + 1, int(other.max()) + 1, position,
            )  # fmt: skip
            coarse = _Expectation(text, *settings)
            coarse.begin()
            for _ in range(class_passes):
                coarse.count()
                coarse.gain()
            beginning = coarse.as_beginning(one, other)
            del text, coarse  # their memory is wanted
        text = Bitext(source.ids, source.offsets, target.ids, target.offsets, *sizes, position)
        words = _Expectation(text, *settings, likelihoods)
        words.begin(beginning)
        del beginning
        for number in range(1, passes + 1):
            words.count(alike, floor=floor if number == passes else None)
            if number < passes:
                words.gain()
    forth, back = words.matrices(sizes)
    return Alignment(forth, back, words.log_likelihoods)


class _Beginning(NamedTuple):
    """What words begin with, of their classes; pairs are forth and back, gains those of tokens."""

    norms: NDArray[np.float32]
    gains: tuple[NDArray[np.float32], NDArray[np.float32]]
    null: tuple[NDArray[np.float32], NDArray[np.float32]]
    classes: Classes


class _Expectation:
    """Expectation maximisation: gains of tokens and rows of t, in turns.

    What there is of both directions is a pair: forth, back.
    """

    def __init__(
        self, text: Bitext, offsets: NDArray[np.int64], steps: _Steps, share: float, least: float,
        likelihoods: bool = False,
    ) -> None:  # fmt: skip
        self._text = text
        self._steps = steps
        self._share = share
        self._least = least
        self._asked = likelihoods
        self._of_pairs = list(_parts(offsets, _PAIR_PARTS))
        self._of_words = list(_parts(np.append(0, np.cumsum(text.work)), _WORD_PARTS))
        self._norms = np.empty(0, np.float32)
        self._gains = (np.empty(0, np.float32), np.empty(0, np.float32))
        self._null = (np.empty(0, np.float32), np.empty(0, np.float32))
        self._classes: Classes | None = None
        self._rows: list[Rows] = []
        self._sums = np.empty(0)
        self.log_likelihoods: list[float] = []

    def begin(self, beginning: _Beginning | None = None) -> None:
        """Begin as classes ended, or with all words as likely, as translations or by themselves."""
        if beginning is not None:
            self._norms, (forth, back), self._null, self._classes = beginning
            self._gains = forth, self._text.reordered(back, by_token=False)
            return
        tokens, places = self._text.tokens
        norms, back = np.empty(tokens, np.float32), np.empty(places, np.float32)

        jobs = [partial(self._text.norms, *part, norms) for part in self._of_pairs]
        jobs += [partial(self._text.begin, *part, self._share, back) for part in self._of_words]
        self._steps.all(lambda job, stop: job(), jobs)
        self._steps.give(
            [*_stretches(norms, self._text.target_offsets, self._of_pairs),
             *_stretches(back, self._text.starts, self._of_words)]
        )  # fmt: skip
        self._norms = norms
        self._gains = _inverse(norms, 1 + self._share), back
        n_target, n_source = self._text.words
        self._null = (
            np.full(n_target, 1 / n_target, np.float32),
            np.full(n_source, 1 / n_source, np.float32),
        )
        if self._asked:
            seen = int(np.count_nonzero(norms))
            self.log_likelihoods.append(-seen * float(np.log(n_target)))

    def as_beginning(self, source: Labels, target: Labels) -> _Beginning:
        """Return what words of these classes begin with."""
        classes = Classes(source, target, _joined(self._rows), self._sums)
        null = self._null[0][target], self._null[1][source]
        gains = self._gains[0], self._text.reordered(self._gains[1], by_token=True)
        return _Beginning(self._norms, gains, null, classes)

    def count(self, alike: Alike | None = None, *, floor: float | None = None) -> None:
        """Make new rows of what is expected by the gains: of t, or of counts from a floor on."""
        known: list[Rows | None] = [*self._rows] or [None] * len(self._of_words)
        known = [part if self._steps.is_own(n) else None for n, part in enumerate(known)]
        self._rows = []

        def make(number: int, stop: StopFlag) -> tuple[Rows, NDArray[np.float64]]:
            before = known[number]
            found = self._text.rows(
                *self._of_words[number], self._gains, stop, before=before, sums=self._sums,
                t=floor is None, alike=alike, classes=None if before else self._classes,
                least=self._least if before else 0.0, floor=floor or 0.0,
            )  # fmt: skip
            known[number] = None  # its memory is wanted
            return found

        found = self._steps.all(make, range(len(known)))
        self._rows = [rows for rows, _ in found]
        self._sums = np.sum([sums for _, sums in found], axis=0)
        logger.debug("alignment: %i pairs of words", sum(len(part.columns) for part in self._rows))

    def gain(self) -> None:
        """Compute gains from the rows."""

        def find(part: tuple[int, int], stop: StopFlag) -> tuple[Any, Any, float]:
            return self._text.gains(
                *part, self._rows, self._sums, self._norms, self._share, self._null, self._gains,
                self._asked, stop,
            )  # fmt: skip

        found = self._steps.all(find, self._of_pairs)
        self._give_gains()
        self._null = (
            _shares([forth for forth, _, _ in found]), _shares([back for _, back, _ in found])
        )  # fmt: skip
        if self._asked:
            self.log_likelihoods.append(sum(likelihood for _, _, likelihood in found))

    def _give_gains(self) -> None:
        """Give the other ranks the gains of this one's pairs."""
        if not self._steps.are_shared:
            return
        forth, back = self._gains
        self._steps.give(_stretches(forth, self._text.target_offsets, self._of_pairs))
        places = _stretches(np.empty_like(back), self._text.source_offsets, self._of_pairs)
        for part, some in zip(self._of_pairs, places, strict=True):
            self._text.copy(*part, back, some, back=False)
        self._steps.give(places)
        for part, some in zip(self._of_pairs, places, strict=True):
            self._text.copy(*part, back, some, back=True)

    def matrices(self, shape: tuple[int, int]) -> tuple[Any, Any]:
        """Return the rows as two sparse matrices."""
        starts = _starts(self._rows)
        columns = np.concatenate([part.columns for part in self._rows])
        forth, back = (
            sparse.csr_array(
                (np.concatenate([part.values[:, way] for part in self._rows]), columns, starts),
                shape=shape,
            )
            for way in (0, 1)
        )
        return forth, back


def _inverse(norms: NDArray[np.float32], factor: float) -> NDArray[np.float32]:
    """Return 1 / (factor norm); 0 of a token of a long sentence that no word is near to."""
    found = np.zeros_like(norms)
    np.divide(1 / factor, norms, out=found, where=norms > 0, casting="same_kind")
    return found


def _shares(parts: Sequence[NDArray[np.float64]]) -> NDArray[np.float32]:
    counts = np.sum(parts, axis=0) + _NULL_LEAST
    return np.asarray(counts / counts.sum(), np.float32)


def _call(job: Callable[[StopFlag], Any], stop: StopFlag) -> Any:
    return job(stop)


class _Steps:
    """Runs the parts of a step in the pool, and says how much of all steps is done.

    Ranks of a team take turns with the parts.
    """

    def __init__(self, pool: WorkerPool[Any, Any], steps: int, report: Any, team: Team) -> None:
        self._pool = pool
        self._steps = steps
        self._report = report
        self._team = team
        self._done = 0

    @property
    def are_shared(self) -> bool:
        """Whether other ranks do some of the parts."""
        return self._team.size > 1

    def is_own(self, number: int) -> bool:
        """Say whether this rank does a part."""
        return number % self._team.size == self._team.rank

    def all(self, work: Callable[[Any, StopFlag], Result], parts: Sequence[Any]) -> list[Result]:
        """Return what `work` makes of the parts, in their order."""

        def numbered(number: int, stop: StopFlag) -> tuple[int, Result]:
            return number, work(parts[number], stop)

        own = [number for number in range(len(parts)) if self.is_own(number)]
        results: dict[int, Result] = {}
        for number, result in self._pool.map(partial(numbered, n) for n in own):
            results[number] = result
            self._report(min(1.0, (self._done + len(results) / len(own)) / self._steps))
        self._done += 1
        return [
            self._team.broadcast(cast(Result, results.pop(number, None)), number % self._team.size)
            for number in range(len(parts))
        ]

    def give(self, pieces: Sequence[NDArray[np.float32]]) -> None:
        """Give the other ranks what this one's parts have written, piece k by part k."""
        if self.are_shared:
            self._team.wait()
        for number, piece in enumerate(pieces):
            self._team.spread(piece, number % self._team.size)


def _parts(sums: NDArray[np.int64], most: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of stretches of about the same sum, from running sums that begin with 0."""
    marks = np.arange(1, most) * (sums[-1] / most)
    bounds = np.unique([0, *np.searchsorted(sums, marks), len(sums) - 1]).tolist()
    yield from pairwise(bounds)


def _stretches(
    array: NDArray[np.float32], offsets: NDArray[np.int64], parts: Sequence[tuple[int, int]]
) -> list[NDArray[np.float32]]:
    """Return what an array has from the first offset of each part to its last."""
    return [array[offsets[first] : offsets[last]] for first, last in parts]


def _starts(parts: Sequence[Rows]) -> NDArray[np.int64]:
    """Return where the rows of all parts start, put one after the other."""
    lengths = np.concatenate([np.diff(part.starts) for part in parts])
    return np.append(0, np.cumsum(lengths))


def _joined(parts: list[Rows]) -> Rows:
    """Put rows together; the list is empty then, and their memory free."""
    starts = _starts(parts)
    columns = np.empty(starts[-1], np.int32)
    values = np.empty((len(columns), 2), np.float32)
    end = len(columns)
    while parts:
        part = parts.pop()
        start = end - len(part.columns)
        columns[start:end], values[start:end] = part.columns, part.values
        end = start
    return Rows(0, starts, columns, values)
