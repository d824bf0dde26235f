"""The training loop: epochs of jobs through the workers, with callbacks between."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import combinations
from time import perf_counter
from typing import Any

import numpy as np

from gensim_bilbowa.errors import ConfigError, TrainingDivergedError
from gensim_bilbowa.evidence import AlignedCounts
from gensim_bilbowa.formats.assembly import check_counts
from gensim_bilbowa.modelling.language import WEIGHTS, LanguageModel
from gensim_bilbowa.running.workers import StopFlag, WorkerPool
from gensim_bilbowa.teams import Team
from gensim_bilbowa.training.evidence import align_pairs, weights
from gensim_bilbowa.training.merging import Merger
from gensim_bilbowa.training.progress import EpochTally, Position
from gensim_bilbowa.training.pulls import Pulls
from gensim_bilbowa.training.schedule import Job, Schedule
from gensim_bilbowa.training.state import RunState
from gensim_bilbowa.training.steps import Settings, make_steps
from gensim_bilbowa.training.translations import WordPairs

__all__ = ["check_start", "run"]

# Languages turn towards each other in the first part of all pulls, later they lie as they should.
_TURNING = 0.25
# A progress bar is redrawn at most this often.
_REDRAW_SECONDS = 0.1


def run(
    languages: Mapping[str, LanguageModel],
    schedule: Schedule,
    settings: Settings,
    state: RunState,
    aligned: AlignedCounts,
    *,
    frozen: Container[str] = (),
    team: Team,
    workers: int,
    queue_factor: int = 2,
    report_delay: float = 1.0,
    callbacks: Iterable[Any],
    model: Any,
    on_epoch: Callable[[EpochTally, dict[str, Any]], None],
) -> None:
    """Train all languages by the schedule, from where the run stands.

    Parameters
    ----------
    state : RunState
        Has a position whenever a callback but ``on_progress`` is called.
    aligned : AlignedCounts
        What is known of the languages' words, to which the run's sentence pairs add.
    frozen : container of str
        Languages whose vectors must stay as they are; the schedule has no text of theirs.
    team : Team
        Of which each rank does its part of the jobs. Callbacks are given on rank 0 alone.
    callbacks : iterable of gensim CallbackAny2Vec
        Called with `model`. One that has ``on_progress(model, progress)`` gets it about ten
        times a second. One that has ``wants_pause()`` is asked several times a second, and once
        that is true its ``on_pause(model)`` is called when no worker is at work.
    on_epoch : callable
        Gets each finished epoch's tally and ``loss_history`` entry, before the callbacks.
    """
    callbacks = tuple(callbacks)
    watch = _Watch(callbacks, report_delay, schedule, model)
    pausers = [callback for callback in callbacks if hasattr(callback, "wants_pause")]

    def wants_pause() -> bool:
        return any(callback.wants_pause() for callback in pausers)

    def alone_wants_pause() -> bool:
        return team.size == 1 and wants_pause()

    def pause_where_wanted() -> None:
        for callback in pausers:
            if callback.wants_pause():
                callback.on_pause(model)

    _check_separate(languages)
    start = state.position
    assert start is not None
    if settings.alignment:

        def show(part: float) -> None:
            watch.look_at_alignment(part, start)
            pause_where_wanted()

        align_pairs(schedule, languages, aligned, team=team, workers=workers, report=show)
    with ExitStack() as layouts:
        for language in languages.values():
            layouts.enter_context(language.padded())
        step = make_steps(languages, schedule, settings, frozen)
        weighed = settings.alignment and not team.rank  # which pulls
        pulls = Pulls(
            languages,
            weights(aligned, languages, settings.align_spelling) if weighed else {},
            rate=settings.align_rate, context_rate=settings.align_context_rate,
            damping=settings.align_damping, frozen=frozen,
        )  # fmt: skip

        def work(job: Any, stop: StopFlag) -> Any:
            return step(job, stop) if isinstance(job, Job) else job(stop)

        merger = Merger(team, schedule, languages, frozen, state.velocity, workers)
        watched = merger.once(lambda: bool(callbacks))  # and perhaps saved at the end of an epoch
        word_pairs = WordPairs(schedule, languages)
        held = {code: _arrays(model) for code, model in languages.items()}
        position = start
        with WorkerPool(workers, work, queue_factor) as pool:

            def run_all(parts: Sequence[Callable[[StopFlag], None]]) -> None:
                for _ in pool.map(parts):
                    pass

            def move(numbers: Sequence[int]) -> list[tuple[str, Any]]:
                turned = []
                for number in numbers:
                    if number < _TURNING * schedule.all_pulls:
                        turned += pulls.turn()
                    pulls.pull(run_all)
                return turned

            while position.epoch < schedule.epochs:
                epoch = position.epoch
                for callback in callbacks:
                    callback.on_epoch_begin(model)
                _check_same(languages, held)
                tally = EpochTally(schedule, position, team.size)
                jobs = schedule.epoch(epoch, tally.jobs)
                ranks = merger.ranks(epoch)
                count = schedule.jobs(epoch)
                places = schedule.pulls(epoch)
                stops = sorted({*places, *merger.stops(epoch), count})
                while tally.jobs < count:
                    state.position, state.velocity = None, {}
                    stop_at = next(place for place in stops if place > tally.jobs)
                    own = merger.own(jobs, ranks, tally.jobs, stop_at)
                    for report in pool.map(own, alone_wants_pause):
                        tally.add(report)
                        watch.look(tally, pool.waiting)
                    merger.merge(tally, run_all)
                    ended = tally.jobs == count
                    pause = not ended and merger.once(wants_pause)
                    if not (pause or ended or tally.jobs in places):
                        continue
                    merger.complete()
                    for code, language in languages.items():
                        language.compose()
                        _check_finite(code, language, epoch)
                    due = [
                        number for number, place in enumerate(places, schedule.pulls_before(epoch))
                        if place == tally.jobs
                    ]  # fmt: skip
                    if due:
                        merger.follow(partial(move, due))
                    if pause or (ended and watched):
                        state.velocity = merger.velocity()
                    if pause:
                        here = Position(epoch, tally.done, tally.counts(), tally.translations)
                        state.stand(here)
                        pause_where_wanted()
                        _check_same(languages, held)
                tally.translations = merger.once(lambda: word_pairs.translated(languages))
                on_epoch(tally, tally.record(schedule.alpha()))
                position = Position(epoch + 1, tally.done, None, tally.translations)
                state.stand(position)
                watch.show(tally)
                for callback in callbacks:
                    callback.on_epoch_end(model)
                _check_same(languages, held)


class _Watch:
    """Shows now and then how far the run is, in the log and to callbacks."""

    def __init__(
        self, callbacks: Iterable[Any], report_delay: float, schedule: Schedule, model: Any
    ) -> None:
        self._callbacks = [callback for callback in callbacks if hasattr(callback, "on_progress")]
        self._delay = report_delay
        self._schedule = schedule
        self._model = model
        self._next_line = perf_counter() + report_delay
        self._next_redraw = 0.0

    def look_at_alignment(self, part: float, position: Position) -> None:
        """Show how much of the alignment is done, if that is due."""
        now = perf_counter()
        if now >= self._next_redraw:
            self._next_redraw = now + _REDRAW_SECONDS
            start = EpochTally(self._schedule, position)
            for callback in self._callbacks:
                callback.on_progress(
                    self._model, replace(start.progress(self._schedule.alpha()), aligned=part)
                )

    def look(self, tally: EpochTally, waiting: int) -> None:
        """Show what is due."""
        now = perf_counter()
        if self._callbacks and now >= self._next_redraw:
            self._next_redraw = now + _REDRAW_SECONDS
            self.show(tally)
        if now >= self._next_line:
            self._next_line = now + self._delay
            tally.log(tally.progress(self._schedule.alpha()), waiting)

    def show(self, tally: EpochTally) -> None:
        """Call the callbacks."""
        for callback in self._callbacks:
            callback.on_progress(self._model, tally.progress(self._schedule.alpha()))


def check_start(languages: Mapping[str, LanguageModel], besides: str = "") -> None:
    """Refuse arrays with NaN or infinity in them, and counts that are none.

    Training would spread such numbers to all words.

    Parameters
    ----------
    languages : mapping from str to LanguageModel
    besides : str
        Name of an array that was looked at before.

    Raises
    ------
    ConfigError
        Naming the array, and the word of the first such row, or its number among the n-grams.
    """
    for code, model in languages.items():
        check_counts(model.wv.expandos["count"], repr(code))
        for owner, name, _ in model.matrices():
            array = getattr(owner, name)
            if name == besides or np.isfinite(array.sum(dtype=np.float64)):
                continue
            bad = np.flatnonzero(~np.isfinite(array).all(axis=1))
            row = (
                f"row {bad[0]}" if name == "vectors_ngrams" else repr(model.wv.index_to_key[bad[0]])
            )
            raise ConfigError(
                f"{name} of {code!r}: {row} is not finite ({len(bad)} such rows of {len(array)}); "
                "set these rows anew before training"
            )


def _check_separate(languages: Mapping[str, LanguageModel]) -> None:
    arrays = [
        (f"{name} of {code!r}", getattr(owner, name))
        for code, model in languages.items()
        for owner, name, _ in model.matrices()
    ]
    for (name, array), (other_name, other) in combinations(arrays, 2):
        if np.may_share_memory(array, other):
            raise ConfigError(f"{name} and {other_name} share their memory; copy one")


def _arrays(model: LanguageModel) -> list[Any]:
    weights = [getattr(model, name, None) for name in WEIGHTS]
    wv = model.wv
    ngrams = getattr(wv, "vectors_ngrams", None)
    return [wv.vectors, wv.vectors_lockf, model.own_vectors, ngrams, *weights]


def _check_same(languages: Mapping[str, LanguageModel], held: Mapping[str, list[Any]]) -> None:
    for code, model in languages.items():
        if any(now is not then for now, then in zip(_arrays(model), held[code], strict=True)):
            raise ConfigError(
                f"vectors or weights of {code!r} were replaced while training; change "
                "model.wv[...].vectors in place, and add words before or after"
            )


def _check_finite(code: str, model: LanguageModel, epoch: int) -> None:
    # A sum is not finite if any term is not, and needs no array of its own.
    if not np.isfinite(model.wv.vectors.sum(dtype=np.float64)):
        raise TrainingDivergedError(
            f"training diverged in epoch {epoch + 1}: vectors of {code!r} are not finite; "
            "lower alpha or xling_weight"
        )
