"""The training loop: epochs of jobs through the workers, with callbacks between."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import ExitStack
from itertools import combinations
from time import perf_counter
from typing import Any

import numpy as np

from gensim_bilbowa.errors import ConfigError, TrainingDivergedError
from gensim_bilbowa.language import WEIGHTS, LanguageModel
from gensim_bilbowa.training.progress import EpochTally
from gensim_bilbowa.training.schedule import Schedule
from gensim_bilbowa.training.steps import Settings, make_steps
from gensim_bilbowa.training.translations import WordPairs
from gensim_bilbowa.training.workers import WorkerPool

__all__ = ["check_start", "run"]

# A progress bar is redrawn at most this often.
_REDRAW_SECONDS = 0.1


def run(
    languages: Mapping[str, LanguageModel],
    schedule: Schedule,
    settings: Settings,
    *,
    frozen: Container[str] = (),
    workers: int,
    queue_factor: int,
    report_delay: float,
    callbacks: Iterable[Any],
    model: Any,
    on_epoch: Callable[[EpochTally, dict[str, Any]], None],
) -> None:
    """Train all languages by the schedule.

    Parameters
    ----------
    frozen : container of str
        Languages whose vectors must stay as they are; the schedule has no text of theirs.
    callbacks : iterable of gensim CallbackAny2Vec
        Called with `model`. One that has ``on_progress(model, progress)`` gets it about ten
        times a second.
    on_epoch : callable
        Gets each finished epoch's tally and ``loss_history`` entry, before the callbacks.
    """
    callbacks = tuple(callbacks)
    watchers = [callback for callback in callbacks if hasattr(callback, "on_progress")]
    _check_separate(languages)
    with ExitStack() as layouts:
        for language in languages.values():
            layouts.enter_context(language.padded())
        step = make_steps(languages, schedule, settings, frozen)
        word_pairs = WordPairs(schedule, languages)
        translations: Mapping[str, float] = {}
        held = {code: _arrays(model) for code, model in languages.items()}
        with WorkerPool(workers, step, queue_factor) as pool:
            done = 0
            for epoch in range(schedule.epochs):
                for callback in callbacks:
                    callback.on_epoch_begin(model)
                _check_same(languages, held)
                tally = EpochTally(schedule, epoch, done, translations)
                next_line = perf_counter() + report_delay
                next_redraw = 0.0
                for report in pool.map(schedule.epoch(epoch)):
                    tally.add(report)
                    now = perf_counter()
                    if watchers and now >= next_redraw:
                        next_redraw = now + _REDRAW_SECONDS
                        for callback in watchers:
                            callback.on_progress(model, tally.progress(schedule.alpha()))
                    if now >= next_line:
                        next_line = now + report_delay
                        tally.log(tally.progress(schedule.alpha()), pool.waiting)
                done = tally.done
                for language in languages.values():
                    language.compose()
                _check_finite(languages, epoch)
                tally.translations = translations = word_pairs.translated(languages)
                on_epoch(tally, tally.record(schedule.alpha()))
                for callback in watchers:
                    callback.on_progress(model, tally.progress(schedule.alpha()))
                for callback in callbacks:
                    callback.on_epoch_end(model)
                _check_same(languages, held)


def check_start(languages: Mapping[str, LanguageModel]) -> None:
    """Refuse arrays with NaN or infinity in them, which training would spread to all words.

    Raises
    ------
    ConfigError
        Naming the array, and the word of the first such row, or its number among the n-grams.
    """
    for code, model in languages.items():
        for owner, name, _ in model.matrices():
            array = getattr(owner, name)
            if np.isfinite(array.sum(dtype=np.float64)):
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


def _check_finite(languages: Mapping[str, LanguageModel], epoch: int) -> None:
    for code, model in languages.items():
        # A sum is not finite if any term is not, and needs no array of its own.
        if not np.isfinite(model.wv.vectors.sum(dtype=np.float64)):
            raise TrainingDivergedError(
                f"training diverged in epoch {epoch + 1}: vectors of {code!r} are not finite; "
                "lower alpha or xling_weight"
            )
