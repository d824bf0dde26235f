"""What a worker does with a job: our compiled steps, or gensim's routines for other modes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from gensim.matutils import zeros_aligned
from numpy.typing import NDArray

from gensim_bilbowa import kernels
from gensim_bilbowa._gensim import train_batch_cbow, train_batch_sg
from gensim_bilbowa.corpora import EncodedCorpus
from gensim_bilbowa.language import LanguageModel, noise_weights, subsampling_keep
from gensim_bilbowa.training.schedule import Job, PairSource, Schedule, TextSource
from gensim_bilbowa.workers import StopFlag

__all__ = ["JobReport", "Settings", "make_steps"]

# gensim's routines drop what a call has beyond this many words.
_GENSIM_WORDS = 10_000
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

    @property
    def native(self) -> bool:
        """Whether our own skip-gram step serves; gensim's routines do the rest."""
        return bool(self.sg) and not self.hs


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
            _matrix(model.own_vectors),
            _matrix(model.syn1neg) if settings.native else None,
            _LOCKED if code in frozen else model.wv.vectors_lockf,
            kernels.alias_table(noise_weights(model.counts, settings.ns_exponent))
            if settings.native
            else None,
            model.subwords(),
        )
        for code, model in languages.items()
    }
    steps: list[Step] = []
    for text in schedule.texts:
        model = languages[text.language]
        if settings.native:
            steps.append(_native_text_step(parameters[text.language], model, text, settings))
        else:
            steps.append(_GensimTextStep(model, text.corpus, settings))
    weights = _weights(schedule, settings.xling_weight)
    steps += [
        _pair_step(parameters, pairs, settings, sides)
        for pairs, sides in zip(schedule.pairs, weights, strict=True)
    ]

    def run(job: Job, stop: StopFlag) -> JobReport:
        return steps[job.source](job, stop)

    return run


def _matrix(array: NDArray[np.float32]) -> kernels.Matrix:
    matrix = kernels.Matrix.of(array)
    assert matrix is not None, "training lays the arrays out first"
    return matrix


def _native_text_step(
    parameters: kernels.Parameters, model: LanguageModel, source: TextSource, settings: Settings
) -> Step:
    corpus = source.corpus
    text = kernels.Text(corpus.ids, corpus.offsets, model.wv.expandos["sample_int"])

    def step(job: Job, stop: StopFlag) -> JobReport:
        words, _, loss = kernels.train_text(
            parameters, text, *job.span, settings.window, settings.shrink_windows,
            settings.negative, settings.shared_negatives, job.alpha, job.seed, stop,
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


@dataclass
class _PaddedVectors:
    """A language's vectors as gensim's routines read them, each as long as its padded row."""

    vectors: NDArray[np.float32]
    vector_size: int
    vectors_lockf: NDArray[np.float32]
    key_to_index: dict[str, int]
    expandos: dict[str, Any]


@dataclass
class _GensimView:
    """A model as gensim's training routines read it, private to one job.

    They draw random numbers from the model and add to a float32 loss on it; neither would be
    right with several threads at work on the model itself.
    """

    wv: _PaddedVectors
    syn1: NDArray[np.float32] | None
    syn1neg: NDArray[np.float32] | None
    cum_table: NDArray[np.uint32] | None
    random: np.random.RandomState
    hs: int
    negative: int
    sample: float
    cbow_mean: int
    window: int
    shrink_windows: bool
    workers: int = 1
    running_training_loss: float = 0.0


class _GensimTextStep:
    """CBOW and hierarchical softmax, by gensim's routines on pieces that they take whole."""

    def __init__(self, model: LanguageModel, corpus: EncodedCorpus, settings: Settings) -> None:
        self._corpus = corpus
        self._settings = settings
        self._words = model.wv.index_to_key
        self._cum_table = model.cum_table
        self._syn1, self._syn1neg = (
            None if (array := getattr(model, name, None)) is None else _matrix(array).whole
            for name in ("syn1", "syn1neg")
        )
        # The padding is zero, and stays so: errors are multiplied with it.
        vectors = _matrix(model.wv.vectors).whole
        self._wv = _PaddedVectors(
            vectors, vectors.shape[1], model.wv.vectors_lockf, model.wv.key_to_index,
            model.wv.expandos,
        )  # fmt: skip

    def __call__(self, job: Job, stop: StopFlag) -> JobReport:
        settings, size = self._settings, self._wv.vector_size
        memory = zeros_aligned(size, dtype=np.float32), zeros_aligned(size, dtype=np.float32)
        trained, loss = 0, 0.0
        random = np.random.RandomState(job.seed & 0xFFFFFFFF)
        for sentences in self._pieces(*job.span):
            if stop[0]:
                break
            view = _GensimView(
                self._wv, self._syn1, self._syn1neg, self._cum_table, random, settings.hs,
                settings.negative, settings.sample, settings.cbow_mean, settings.window,
                settings.shrink_windows,
            )  # fmt: skip
            if settings.sg:
                trained += train_batch_sg(view, sentences, job.alpha, memory[0], True)
            else:
                trained += train_batch_cbow(view, sentences, job.alpha, *memory, True)
            loss += float(view.running_training_loss)
        return JobReport(job.source, job.words, trained, 0, 0, loss)

    def _pieces(self, first: int, last: int) -> Iterator[list[list[str]]]:
        words = self._words
        ids, offsets = self._corpus.ids, self._corpus.offsets
        batch: list[list[str]] = []
        room = _GENSIM_WORDS
        for sentence in range(first, last):
            start, stop = int(offsets[sentence]), int(offsets[sentence + 1])
            for at in range(start, stop, _GENSIM_WORDS):
                tokens = [words[i] for i in ids[at : min(at + _GENSIM_WORDS, stop)]]
                if len(tokens) > room:
                    yield batch
                    batch, room = [], _GENSIM_WORDS
                batch.append(tokens)
                room -= len(tokens)
        if batch:
            yield batch
