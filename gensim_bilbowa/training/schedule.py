"""The order of work: jobs of every kind, spread evenly over an epoch, under one learning rate."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.corpora import EncodedCorpus, EncodedPairs
from gensim_bilbowa.errors import ConfigError

__all__ = ["Job", "PairSource", "Schedule", "TextSource"]

# Jobs of an epoch that are planned at most; their plan takes 100 bytes each.
_MOST_JOBS = 1 << 24


@dataclass(frozen=True)
class Job:
    """A piece of work for one worker.

    Attributes
    ----------
    source : int
        Which text or parallel text, counted over the schedule's texts, then its pairs.
    span : (int, int)
        Sentences of a text, first and last + 1; (0, 0) for pairs.
    order : ndarray of int64, or None
        The pairs to train on, in order.
    words : int
        Known words in it, of both sides for pairs.
    alpha : float
        Learning rate.
    seed : int
        Of the random numbers drawn in it.
    """

    source: int
    span: tuple[int, int]
    order: NDArray[np.int64] | None
    words: int
    alpha: float
    seed: int


class TextSource:
    """One language's text, cut into spans of about `batch_words` words."""

    def __init__(self, language: str, corpus: EncodedCorpus, batch_words: int) -> None:
        self.language = language
        self.corpus = corpus
        offsets = corpus.offsets
        _check_jobs(int(offsets[-1]) // batch_words, f"the {language!r} text")
        marks = np.arange(0, max(int(offsets[-1]), 1), batch_words)
        starts = np.searchsorted(offsets, marks, side="left")
        self._bounds = np.unique(np.append(starts[starts < len(corpus)], len(corpus)))
        self.words = int(offsets[-1])

    def work(self, epoch: int) -> tuple[int, int]:
        """Return the number of jobs and of words in an epoch."""
        return max(len(self._bounds) - 1, 0), self.words

    def pieces(self, epoch: int) -> Iterator[tuple[tuple[int, int], None, int]]:
        """Yield the epoch's pieces: span, None, words."""
        offsets = self.corpus.offsets
        for first, last in zip(self._bounds[:-1], self._bounds[1:], strict=True):
            yield (int(first), int(last)), None, int(offsets[last] - offsets[first])


class PairSource:
    """Parallel text, passed over `passes` times an epoch in an order that is new each time.

    Epoch e takes the pairs from ``passes * e * n`` to ``passes * (e + 1) * n`` of an endless
    row of shuffled passes over the n usable pairs; so `passes` need not be whole.
    """

    def __init__(self, pairs: EncodedPairs, passes: float, batch_words: int, seed: int) -> None:
        self.pairs = pairs
        self.passes = passes
        usable = pairs.usable
        lengths = sum(side.lengths[usable] for side in pairs.sides)
        self._lengths = np.asarray(lengths, dtype=np.int64)
        self.words = int(self._lengths.sum())
        self._mean_words = float(self._lengths.mean()) if len(usable) else 0.0
        self._per_job = max(1, round(batch_words / max(self._mean_words, 1.0)))
        self._entropy = (seed, zlib.crc32("-".join(pairs.languages).encode()))

    def _range(self, epoch: int) -> tuple[int, int]:
        n = len(self.pairs.usable)
        return round(self.passes * epoch * n), round(self.passes * (epoch + 1) * n)

    def work(self, epoch: int) -> tuple[int, int]:
        """Return the number of jobs and, about, of words in an epoch."""
        start, stop = self._range(epoch)
        return -(-(stop - start) // self._per_job), round((stop - start) * self._mean_words)

    def _shuffled(self, number: int) -> NDArray[np.int64]:
        generator = np.random.Generator(np.random.PCG64([*self._entropy, number]))
        return generator.permutation(len(self.pairs.usable))

    def pieces(self, epoch: int) -> Iterator[tuple[tuple[int, int], NDArray[np.int64], int]]:
        """Yield the epoch's pieces: (0, 0), the pairs, words."""
        n = len(self.pairs.usable)
        start, stop = self._range(epoch)
        current, permutation = -1, np.empty(0, np.int64)
        for at in range(start, stop, self._per_job):
            end = min(at + self._per_job, stop)
            parts = []
            while at < end:
                if at // n != current:
                    current = at // n
                    permutation = self._shuffled(current)
                part = permutation[at % n : min(at % n + end - at, n)]
                parts.append(part)
                at += len(part)
            chosen = np.concatenate(parts)
            yield (0, 0), self.pairs.usable[chosen], int(self._lengths[chosen].sum())


class Schedule:
    """All jobs of a training run.

    Within an epoch job j of a source's n stands at (j + 1/2) / n, and jobs are taken in order
    of that place: every language and every parallel text advances at the same pace. The
    learning rate falls in one line from `start_alpha` to `end_alpha` over the words of all jobs.

    Parameters
    ----------
    texts, pairs : sequences of sources
    epochs : int
        Epochs to run.
    first_epoch : int
        Epochs trained before, so that a second run draws new random numbers.
    start_alpha, end_alpha : float
    seed : int
    stretch : float
        Words that the decay is planned over, as a multiple of the words there are.
    head_start : float
        Part of the decay that is taken to lie behind, between 0 and 1.
    done : int
        Words of these epochs that were trained in an earlier part of the run.
    pulls : int
        Pulls of the run, spread over it evenly; the last one is at its end.

    Attributes
    ----------
    sources : tuple
        The texts, then the pairs.
    words : int
        Of all jobs.
    all_pulls : int
        As `pulls`.
    """

    def __init__(
        self,
        texts: Sequence[TextSource],
        pairs: Sequence[PairSource],
        *,
        epochs: int,
        first_epoch: int = 0,
        start_alpha: float,
        end_alpha: float,
        seed: int,
        stretch: float = 1.0,
        head_start: float = 0.0,
        done: int = 0,
        pulls: int = 0,
    ) -> None:
        self.texts = texts
        self.pairs = pairs
        self.sources: tuple[TextSource | PairSource, ...] = (*texts, *pairs)
        _check_jobs(sum(source.work(first_epoch)[0] for source in self.sources), "an epoch")
        self.epochs = epochs
        self.first_epoch = first_epoch
        self._alphas = start_alpha, end_alpha
        self._seed = seed
        self._head_start = head_start
        self.words = sum(map(self.words_of, range(len(self.sources))))
        self._planned = max(self.words * stretch, 1.0)
        self._done = done
        self.all_pulls = pulls

    @property
    def raw_words(self) -> int:
        """Words of all epochs' texts, unknown ones too."""
        return self.epochs * sum(text.corpus.raw_words for text in self.texts)

    def alpha(self) -> float:
        """Learning rate at this point of the run."""
        start, end = self._alphas
        progress = min(1.0, self._head_start + self._done / self._planned)
        return start + (end - start) * progress

    def jobs(self, number: int) -> int:
        """Return how many jobs epoch `number` of this run has."""
        return sum(self._counts(self.first_epoch + number))

    def pulls(self, number: int) -> list[int]:
        """Return after how many jobs of epoch `number` of this run there is a pull, ascending.

        Where there are fewer jobs than pulls a place stands there more than once.
        """
        return self.places(self.all_pulls, number)

    def pulls_before(self, number: int) -> int:
        """Return how many pulls there are before epoch `number` of this run."""
        return self.all_pulls * number // self.epochs

    def places(self, times: int, number: int) -> list[int]:
        """Return after how many jobs of epoch `number` comes what is `times` times in this run."""
        jobs, n, epochs = self.jobs(number), max(times, 1), self.epochs
        # The k-th, from 1, stands at k / n of all epochs.
        return [
            -(-(k * epochs - number * n) * jobs // n)
            for k in range(times * number // epochs + 1, times * (number + 1) // epochs + 1)
        ]

    def turns(self, number: int) -> NDArray[np.int64]:
        """Return the source of each job of epoch `number` of this run, in their order."""
        counts = self._counts(self.first_epoch + number)
        places = np.concatenate([(np.arange(n) + 0.5) / n for n in counts if n])
        return np.repeat(np.arange(len(counts)), counts)[np.argsort(places, kind="stable")]

    def words_of(self, source: int) -> int:
        """Return the words of all jobs of a source."""
        epochs = range(self.first_epoch, self.first_epoch + self.epochs)
        return sum(self.sources[source].work(epoch)[1] for epoch in epochs)

    def words_of_a_job(self, number: int) -> list[float]:
        """Return the mean words of each source's jobs in epoch `number` of this run."""
        work = [source.work(self.first_epoch + number) for source in self.sources]
        return [words / max(jobs, 1) for jobs, words in work]

    def _counts(self, epoch: int) -> list[int]:
        return [source.work(epoch)[0] for source in self.sources]

    def epoch(self, number: int, first: int = 0) -> Iterator[Job]:
        """Yield the jobs of epoch `number` of this run, from job `first` on."""
        epoch = self.first_epoch + number
        pieces = [source.pieces(epoch) for source in self.sources]
        turns = self.turns(number)
        seeds = np.random.SeedSequence([self._seed, epoch]).generate_state(len(turns), np.uint64)
        for job, (source, seed) in enumerate(zip(turns.tolist(), seeds.tolist(), strict=True)):
            span, order, words = next(pieces[source])
            if job >= first:
                alpha = self.alpha()
                self._done += words
                yield Job(source, span, order, words, alpha, seed)


def _check_jobs(jobs: int, what: str) -> None:
    """Refuse work that is cut into more jobs than a plan has room for."""
    if jobs > _MOST_JOBS:
        raise ConfigError(
            f"{what} would have {jobs:,} jobs, of at most {_MOST_JOBS:,}: a larger batch_words, or "
            "fewer xling_passes, is needed"
        )
