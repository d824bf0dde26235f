"""How far a run is: counts, rates, log lines and the losses of each epoch."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import Any, TypedDict, cast

from gensim_bilbowa.errors import FormatError, TrainingDivergedError
from gensim_bilbowa.files.documents import Count
from gensim_bilbowa.teams import Team
from gensim_bilbowa.training.schedule import Schedule
from gensim_bilbowa.training.steps import JobReport

__all__ = ["COUNTS", "EpochTally", "Position", "Progress"]

logger = logging.getLogger("gensim_bilbowa.training")

# Of an epoch, all languages together.
COUNTS = ("jobs", "words", "trained_words", "pairs", "emptied")


@dataclass(frozen=True)
class Progress:
    """State of a run, as given to callbacks that have ``on_progress``.

    Attributes
    ----------
    epoch, epochs : int
        The epoch at work, from 1, and how many there are.
    done, total : int
        Words, of monolingual and parallel text, in the whole run.
    words_per_second, pairs_per_second : float
        Rates of this epoch: words of monolingual text, sentence pairs.
    alpha : float
        Learning rate.
    translations : mapping from str to float
        What the latest epoch's entry of ``loss_history`` has by this name; empty in the first
        epoch.
    aligned : float
        Part of the alignment of sentence pairs that is done, from 0 to 1; it comes before the first
        epoch.
    """

    epoch: int
    epochs: int
    done: int
    total: int
    words_per_second: float
    pairs_per_second: float
    alpha: float
    translations: Mapping[str, float] = field(default_factory=dict)
    aligned: float = 1.0


class Tally(TypedDict):
    """What the reports of some jobs have added up to, as JSON can hold it."""

    seconds: float
    loss: dict[str, float]
    units: dict[str, Count]
    jobs: Count
    words: Count
    trained_words: Count
    pairs: Count
    emptied: Count


@dataclass(frozen=True)
class Position:
    """A place between two jobs of a run.

    Attributes
    ----------
    epoch : int
        Epochs of the run that are done.
    words : int
        Words, of monolingual and parallel text, that are done.
    tally : Tally or None
        Of the running epoch; None at its start.
    translations : mapping from str to float
        Of the epoch before.
    """

    epoch: Count
    words: Count
    tally: Tally | None
    translations: Mapping[str, float]


@dataclass
class _Sums:
    """What reports of jobs add up to; the names of the numbers are `COUNTS`."""

    loss: dict[str, float]
    units: dict[str, int]
    done: int = 0
    jobs: int = 0
    words: int = 0
    trained_words: int = 0
    pairs: int = 0
    emptied: int = 0

    @classmethod
    def of(cls, names: Iterable[str]) -> _Sums:
        """Return zeros."""
        return cls(dict.fromkeys(names, 0.0), dict.fromkeys(names, 0))

    def add(self, other: _Sums) -> None:
        """Add the sums of other jobs."""
        for name, loss in other.loss.items():
            self.loss[name] += loss
            self.units[name] += other.units[name]
        for name in ("done", *COUNTS):
            setattr(self, name, getattr(self, name) + getattr(other, name))


class EpochTally:
    """Adds up the reports of one epoch.

    Parameters
    ----------
    schedule : Schedule
    position : Position
        The epoch's start, or a place in it.
    ranks : int
        In the team; with several, what is added counts from the next :meth:`share` on.

    Attributes
    ----------
    translations : mapping from str to float
        Of the epoch before, until its own are known.
    """

    def __init__(self, schedule: Schedule, position: Position, ranks: int = 1) -> None:
        self._schedule = schedule
        self._epoch = position.epoch
        self._before = position.words
        self._ranks = ranks
        self._start = perf_counter()
        self._text = {s: text.language for s, text in enumerate(schedule.texts)}
        self._pairs = {
            s: "-".join(pairs.pairs.languages)
            for s, pairs in enumerate(schedule.pairs, start=len(schedule.texts))
        }
        self._sums = _Sums.of((*self._text.values(), *self._pairs.values()))
        self.translations = position.translations
        if position.tally is not None:
            self._restore(**position.tally)
        # What this rank has done since the ranks last met; alone, it counts at once.
        self._own = self._sums if ranks == 1 else _Sums.of(self._sums.loss)

    def counts(self) -> Tally:
        """Return all that the reports have added up to."""
        sums = asdict(self._sums)
        del sums["done"]
        return cast("Tally", {"seconds": self.elapsed, **sums})

    def _restore(
        self, loss: dict[str, float], units: dict[str, int], seconds: float, **counts: int
    ) -> None:
        known = self._sums.loss.keys()
        whole = loss.keys() == known == units.keys() and counts.keys() == set(COUNTS)
        if not whole or counts["jobs"] > self._schedule.jobs(self._epoch):
            raise FormatError(f"the saved counts of epoch {self._epoch + 1} are not of this text")
        self._sums = _Sums(dict(loss), dict(units), **counts)
        self._start -= seconds

    @property
    def jobs(self) -> int:
        """Finished jobs of the epoch."""
        return self._sums.jobs

    @property
    def trained_words(self) -> int:
        """Words of monolingual text of the epoch that survived subsampling."""
        return self._sums.trained_words

    @property
    def done(self) -> int:
        """Words of the run done so far, of both kinds."""
        return self._before + self._sums.done

    @property
    def monolingual_loss(self) -> float:
        """Sum of the loss over all words of the epoch."""
        return sum(self._sums.loss[name] for name in dict.fromkeys(self._text.values()))

    def share(self, team: Team) -> None:
        """Add what all ranks of a team have done since they last met, in their order."""
        for sums in team.gather(self._own):
            self._sums.add(sums)
        self._own = _Sums.of(self._sums.loss)

    def add(self, report: JobReport) -> None:
        """Count a finished job; raise if its loss is not a finite number."""
        name = self._text.get(report.source) or self._pairs[report.source]
        if not math.isfinite(report.loss):
            raise TrainingDivergedError(
                f"training diverged in epoch {self._epoch + 1}: the loss of {name} is "
                f"{report.loss}; lower alpha or xling_weight"
            )
        own = self._own
        own.jobs += 1
        own.done += report.words
        own.loss[name] += report.loss
        if report.source in self._text:
            own.words += report.words
            own.trained_words += report.trained_words
            own.units[name] += report.trained_words
        else:
            own.pairs += report.pairs
            own.emptied += report.emptied
            own.units[name] += report.pairs

    @property
    def elapsed(self) -> float:
        """Seconds since the epoch began, more than 0."""
        return max(perf_counter() - self._start, 1e-9)

    def progress(self, alpha: float) -> Progress:
        """State of the run now; of the other ranks of a team as if they did as much as this one."""
        done, words, pairs = (
            getattr(self._sums, name)
            + (self._ranks * getattr(self._own, name) if self._ranks > 1 else 0)
            for name in ("done", "words", "pairs")
        )
        total = self._schedule.words
        return Progress(
            self._epoch + 1, self._schedule.epochs, min(self._before + done, total), total,
            words / self.elapsed, pairs / self.elapsed, alpha, self.translations,
        )  # fmt: skip

    def log(self, progress: Progress, waiting: int) -> None:
        """Write a progress line."""
        logger.info(
            "EPOCH %i - PROGRESS: at %.2f%% of the run, %.0f words/s, %.0f pairs/s, alpha %.4f, "
            "in_qsize %i",
            progress.epoch, 100 * progress.done / max(progress.total, 1),
            progress.words_per_second, progress.pairs_per_second, progress.alpha, waiting,
        )  # fmt: skip

    def record(self, alpha: float) -> dict[str, Any]:
        """Log and return the epoch's entry of ``loss_history``."""
        sums = self._sums
        means = {
            name: loss / sums.units[name] if sums.units[name] else 0.0
            for name, loss in sums.loss.items()
        }
        entry = {
            "epoch": self._schedule.first_epoch + self._epoch + 1,
            "alpha": alpha,
            "monolingual": {name: means[name] for name in dict.fromkeys(self._text.values())},
            "crosslingual": {name: means[name] for name in dict.fromkeys(self._pairs.values())},
            "words": sums.words,
            "trained_words": sums.trained_words,
            "pairs": sums.pairs,
            "emptied_pairs": sums.emptied,
            "translations": dict(self.translations),
            "seconds": self.elapsed,
        }
        logger.info(
            "EPOCH %i: training on %i words (%i effective words) and %i pairs (%i more emptied by "
            "subsampling) took %.1fs, %.0f words/s, %.0f pairs/s; loss %s; translations %s",
            self._epoch + 1, sums.words, sums.trained_words, sums.pairs, sums.emptied,
            self.elapsed, sums.words / self.elapsed, sums.pairs / self.elapsed,
            ", ".join(f"{name} {mean:.4g}" for name, mean in means.items()),
            ", ".join(f"{name} {share:.1%}" for name, share in self.translations.items()) or "none",
        )  # fmt: skip
        return entry
