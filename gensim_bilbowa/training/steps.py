"""What a worker does with a job: the compiled steps on the arrays of its languages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gensim_bilbowa import kernels
from gensim_bilbowa.modelling.frequencies import noise_weights, subsampling_keep
from gensim_bilbowa.modelling.language import LanguageModel
from gensim_bilbowa.modelling.matrices import matrix_of
from gensim_bilbowa.running.workers import StopFlag
from gensim_bilbowa.training.schedule import Job, PairSource, Schedule, TextSource

__all__ = ["JobReport", "Settings", "make_steps"]

_LOCKED = np.zeros(1, np.float32)


@dataclass(frozen=True)
class Settings:
    """Training parameters, named as on :class:`~gensim_bilbowa.BilBOWA`."""

    window: int
    negative: int
    ns_exponent: float
    sg: int
    hs: int
    cbow_mean: int
    sample: float
    shrink_windows: bool
    shared_negatives: bool
    xling_weight: float
    xling_sample: float
    xling_clip: float
    xling_gradient: str
    alignment: bool
    align_pulls: int
    align_rate: float
    align_context_rate: float
    align_damping: float
    align_spelling: float

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Settings:
        """Return those among the values that a training goes by."""
        return cls(**{name: values[name] for name in cls.__dataclass_fields__})


@dataclass(frozen=True)
class JobReport:
    """What a job did.

    Attributes
    ----------
    source : int
        As in the job.
    words : int
        Known words in the job.
    trained_words : int
        Of these, the ones that survived subsampling.
    pairs, emptied : int
        Sentence pairs trained on, and skipped since subsampling emptied a side.
    loss : float
        Sum over words (text) or pairs.
    """

    source: int
    words: int
    trained_words: int
    pairs: int
    emptied: int
    loss: float


Step = Callable[[Job, StopFlag], JobReport]


def make_steps(
    languages: Mapping[str, LanguageModel],
    schedule: Schedule,
    settings: Settings,
    frozen: Container[str] = (),
) -> Step:
    """Prepare the step that runs any job of `schedule`; vectors of `frozen` languages stay.

    It holds the languages' arrays; they must not be replaced while it is in use.
    """
    for model in languages.values():
        # Anew each time: the parameter may have changed, and counts by an update.
        model.wv.expandos["sample_int"] = subsampling_keep(model.counts, settings.sample)
    parameters = {
        code: kernels.Parameters(
            matrix_of(model.own_vectors),
            matrix_of(model.syn1neg) if settings.negative else None,
            _LOCKED if code in frozen else model.wv.vectors_lockf,
            kernels.alias_table(noise_weights(model.counts, settings.ns_exponent))
            if settings.negative
            else None,
            model.subwords(),
            model.tree() if settings.hs else None,
        )
        for code, model in languages.items()
    }
    steps = [
        _text_step(parameters[text.language], languages[text.language], text, settings)
        for text in schedule.texts
    ]
    weights = _weights(schedule, settings.xling_weight)
    steps += [
        _pair_step(parameters, pairs, settings, sides)
        for pairs, sides in zip(schedule.pairs, weights, strict=True)
    ]
    return lambda job, stop: steps[job.source](job, stop)


def _text_step(
    parameters: kernels.Parameters, model: LanguageModel, source: TextSource, settings: Settings
) -> Step:
    corpus = source.corpus
    text = kernels.Text(corpus.ids, corpus.offsets, model.wv.expandos["sample_int"])

    def step(job: Job, stop: StopFlag) -> JobReport:
        words, _, loss = kernels.train_text(
            parameters, text, *job.span, settings.window, settings.shrink_windows,
            settings.negative, settings.shared_negatives, job.alpha, job.seed, stop,
            sg=bool(settings.sg), cbow_mean=bool(settings.cbow_mean),
        )  # fmt: skip
        return JobReport(job.source, job.words, words, 0, 0, loss)

    return step


def _weights(schedule: Schedule, weight: float) -> list[tuple[float, float]]:
    """Return what the two sides of each parallel text weigh.

    A language that stands in the pairs of several others moves less with each of them, and they
    more: it would be drawn to all of them at once, and away from what its own text says. With s the
    share of two languages' pairs, in words, in all pairs that a language has, the sides' weights
    are as their s ** 2, and `weight` is the mean of the two.
    """
    words: Counter[Any] = Counter()  # of a language, and of two
    for source in schedule.pairs:
        codes = source.pairs.languages
        for key in (*codes, frozenset(codes)):
            words[key] += source.work(schedule.first_epoch)[1]
    weights = []
    for source in schedule.pairs:
        codes = source.pairs.languages
        one, other = ((words[frozenset(codes)] / max(words[code], 1)) ** 2 for code in codes)
        total = max(one + other, 1e-9)
        weights.append((2 * weight * one / total, 2 * weight * other / total))
    return weights


def _pair_step(
    parameters: Mapping[str, kernels.Parameters], source: PairSource, settings: Settings,
    weights: tuple[float, float],
) -> Step:  # fmt: skip
    codes, sides = source.pairs.languages, source.pairs.sides
    a, b = (parameters[code] for code in codes)

    text_a, text_b = (
        kernels.Text(
            side.ids, side.offsets,
            subsampling_keep(side.counts(parameters[code].rows), settings.xling_sample),
        )
        for code, side in zip(codes, sides, strict=True)
    )  # fmt: skip

    def step(job: Job, stop: StopFlag) -> JobReport:
        assert job.order is not None
        pairs, emptied, words, loss = kernels.train_pairs(
            a, text_a, b, text_b, job.order, job.alpha, weights, settings.xling_clip,
            settings.xling_gradient == "exact", job.seed, stop,
        )  # fmt: skip
        return JobReport(job.source, job.words, words, pairs, emptied, loss)

    return step
