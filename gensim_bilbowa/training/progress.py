"""How far a run is: counts, rates, log lines and the losses of each epoch."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from gensim_bilbowa.errors import TrainingDivergedError
from gensim_bilbowa.training.schedule import Schedule
from gensim_bilbowa.training.steps import JobReport

__all__ = ["EpochTally", "Progress"]

logger = logging.getLogger("gensim_bilbowa.training")


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
    """

    epoch: int
    epochs: int
    done: int
    total: int
    words_per_second: float
    pairs_per_second: float
    alpha: float
    translations: Mapping[str, float] = field(default_factory=dict)


class EpochTally:
    """Adds up the reports of one epoch.

    Attributes
    ----------
    translations : mapping from str to float
        Of the epoch before, until its own are known.
    """

    def __init__(
        self, schedule: Schedule, epoch: int, done_before: int, translations: Mapping[str, float]
    ) -> None:
        self._schedule = schedule
        self._epoch = epoch
        self._done = done_before
        self._start = perf_counter()
        self._text = {s: text.language for s, text in enumerate(schedule.texts)}
        self._pairs = {
            s: "-".join(pairs.pairs.languages)
            for s, pairs in enumerate(schedule.pairs, start=len(schedule.texts))
        }
        self._loss = dict.fromkeys((*self._text.values(), *self._pairs.values()), 0.0)
        self._units = dict.fromkeys(self._loss, 0)
        self.words = 0
        self.trained_words = 0
        self.pairs = 0
        self.emptied = 0
        self.translations = translations

    @property
    def done(self) -> int:
        """Words of the run done so far, of both kinds."""
        return self._done

    @property
    def monolingual_loss(self) -> float:
        """Sum of the loss over all words of the epoch."""
        return sum(self._loss[name] for name in dict.fromkeys(self._text.values()))

    def add(self, report: JobReport) -> None:
        """Count a finished job; raise if its loss is not a finite number."""
        name = self._text.get(report.source) or self._pairs[report.source]
        if not math.isfinite(report.loss):
            raise TrainingDivergedError(
                f"training diverged in epoch {self._epoch + 1}: the loss of {name} is "
                f"{report.loss}; lower alpha or xling_weight"
            )
        self._done += report.words
        self._loss[name] += report.loss
        if report.source in self._text:
            self.words += report.words
            self.trained_words += report.trained_words
            self._units[name] += report.trained_words
        else:
            self.pairs += report.pairs
            self.emptied += report.emptied
            self._units[name] += report.pairs

    @property
    def elapsed(self) -> float:
        """Seconds since the epoch began, more than 0."""
        return max(perf_counter() - self._start, 1e-9)

    def progress(self, alpha: float) -> Progress:
        """State of the run now."""
        return Progress(
            self._epoch + 1, self._schedule.epochs, self._done, self._schedule.words,
            self.words / self.elapsed, self.pairs / self.elapsed, alpha,
            self.translations,
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
        means = {
            name: loss / self._units[name] if self._units[name] else 0.0
            for name, loss in self._loss.items()
        }
        entry = {
            "epoch": self._schedule.first_epoch + self._epoch + 1,
            "alpha": alpha,
            "monolingual": {name: means[name] for name in dict.fromkeys(self._text.values())},
            "crosslingual": {name: means[name] for name in dict.fromkeys(self._pairs.values())},
            "words": self.words,
            "trained_words": self.trained_words,
            "pairs": self.pairs,
            "emptied_pairs": self.emptied,
            "translations": dict(self.translations),
            "seconds": self.elapsed,
        }
        logger.info(
            "EPOCH %i: training on %i words (%i effective words) and %i pairs (%i more emptied by "
            "subsampling) took %.1fs, %.0f words/s, %.0f pairs/s; loss %s; translations %s",
            self._epoch + 1, self.words, self.trained_words, self.pairs, self.emptied,
            self.elapsed, self.words / self.elapsed, self.pairs / self.elapsed,
            ", ".join(f"{name} {mean:.4g}" for name, mean in means.items()),
            ", ".join(f"{name} {share:.1%}" for name, share in self.translations.items()) or "none",
        )  # fmt: skip
        return entry
