"""The search: one parameter at a time, as long as it gets better."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any

import numpy as np
from gensim.models.callbacks import CallbackAny2Vec
from numpy.typing import NDArray

from gensim_bilbowa.corpora import Files, Parallel, Texts, collect
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.evaluation.intervals import bootstrap
from gensim_bilbowa.model import BilBOWA
from gensim_bilbowa.parameters import PARAMETERS, check_choice, check_number, check_parameters
from gensim_bilbowa.tuning.criteria import HeldOut
from gensim_bilbowa.tuning.suggestion import CRITERIA, Criterion, Suggestion, Trial

__all__ = ["suggest"]

logger = logging.getLogger("gensim_bilbowa.tuning")

Setting = dict[str, Any]


def _times(factor: float) -> Callable[[Any], Any]:
    # Three figures, so that they can be read and written.
    return lambda now: float(f"{now * factor:.3g}")


# Those with the largest effect first, by measurement on little parallel text.
_STEPS: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("xling_passes", _times(3)),
    ("xling_passes", _times(1 / 3)),
    ("align_damping", _times(3)),
    ("align_damping", _times(1 / 3)),
    ("xling_weight", _times(3)),
    ("xling_weight", _times(1 / 3)),
    ("xling_sample", _times(10)),
    ("xling_sample", _times(0.1)),
    ("epochs", lambda now: 2 * now),
)
TUNED = tuple(dict.fromkeys(name for name, _ in _STEPS))


def suggest(
    sentences: Texts | None = None,
    corpus_file: Files | None = None,
    parallel: Parallel | None = None,
    *,
    criterion: Criterion = "words",
    minutes: float | None = 10.0,
    trials: int | None = None,
    level: float = 0.99,
    held_out: float = 0.1,
    on_trial: Callable[[Trial], None] | None = None,
    callbacks: Iterable[Any] = (),
    **parameters: Any,
) -> Suggestion:
    """Find good parameters for a text, without a dictionary.

    Models are trained one after the other on most of the sentence pairs, and judged by the others.
    The first has the defaults, or what is given here. Then `xling_passes`, `align_damping`,
    `xling_weight`, `xling_sample` and `epochs` are changed, one at a time: passes, damping and
    weight to three times as much and a third; the threshold to ten times as much and a tenth; the
    epochs to twice as many.
    A step that is better is kept and tried again from there. One that is not better by more than
    the luck of the questions is never kept: the confidence interval of the mean difference to the
    best setting so far, by bootstrap over the questions, which are the same for all trials, must
    lie above 0.

    Parameters
    ----------
    sentences, corpus_file, parallel
        As for :class:`~gensim_bilbowa.BilBOWA`; they are read several times. Parallel text is
        needed.
    criterion : {"words", "sentences"}
        What to judge by, the mean reciprocal rank of it, in sentence pairs that no model learns
        from. "words": translation of the words that are each other's best by LLR in them
        (:func:`~gensim_bilbowa.lexicons.mutual_best`), by CSLS among all words. "sentences":
        retrieval of the translation of each of their sentences, by CSLS among all of them.
    minutes : float or None
        Time for all trials; a training is broken off when it is over, other than the first one,
        which tells nothing before its end. None stands for no limit.
    trials : int, optional
        Most trials.
    level : float
        Confidence of the intervals. Of ten settings that are no better, one is taken for better
        in one case of twenty at the default.
    held_out : float
        Share of the sentence pairs of each text to hold out, at most 1,000.
    on_trial : callable, optional
        Gets each :class:`Trial` when it is done.
    callbacks : iterable of gensim.models.callbacks.CallbackAny2Vec
        Of each training.
    **parameters
        As for :class:`~gensim_bilbowa.BilBOWA`; those that are searched over start there. `seed`
        also draws what is held out. With ``workers=1`` the same call makes the same trials, but
        for what time allows.

    Returns
    -------
    Suggestion

    Raises
    ------
    ConfigError
        If a parameter cannot work, there is no parallel text, or too little to judge by: fewer
        than 20 sentence pairs held out, or pairs of such words in them.
    TypeError
        If a parameter is none of BilBOWA's.

    Examples
    --------
    >>> from gensim_bilbowa.datasets import SyntheticCorpus
    >>> from gensim_bilbowa.tuning import suggest
    >>> pairs = {("en", "de"): SyntheticCorpus(500, seed=1).pairs("en", "de")}
    >>> found = suggest(parallel=pairs, trials=2, vector_size=20, epochs=1, workers=1)
    >>> [trial.parameters["xling_passes"] for trial in found.trials]
    [3.0, 9.0]
    >>> sorted(found.parameters)
    ['align_damping', 'epochs', 'vector_size', 'workers', 'xling_passes', 'xling_sample',
     'xling_weight']
    """
    check_choice("criterion", criterion, CRITERIA)
    if minutes is not None:
        check_number("minutes", minutes, whole=False)
    if trials is not None:
        check_number("trials", trials, whole=True, low=1)
    check_number("level", level, whole=False, high=1)
    check_number("held_out", held_out, whole=False, high=1)
    if strange := sorted(set(parameters) - set(PARAMETERS)):
        raise TypeError(f"BilBOWA has no parameter {', '.join(map(repr, strange))}")
    values = check_parameters(
        {name: parameters.get(name, each.default) for name, each in PARAMETERS.items()}
    )
    inputs = collect(sentences, corpus_file, parallel)
    inputs.require_restartable()
    if not inputs.parallel:
        raise ConfigError("parallel text is needed to judge by: pass parallel=")
    held = HeldOut(inputs.parallel, held_out, values["seed"])
    judge = held.words if criterion == "words" else held.sentences
    texts = inputs.texts, held.parallel
    search = _Search(texts, judge, values, level, minutes, trials, on_trial, callbacks)
    finished = search.run()
    given = {name: values[name] for name in parameters if name not in TUNED}
    return Suggestion(criterion, given, search.trials, finished)


class _OutOfTime(Exception):
    """Ends a training."""


class _Deadline(CallbackAny2Vec):  # type: ignore[misc]
    def __init__(self, end: float) -> None:
        self._end = end

    def on_progress(self, model: Any, progress: Any) -> None:
        if perf_counter() > self._end:
            raise _OutOfTime


class _Search:
    """Makes the trials, within their limits."""

    def __init__(
        self, texts: tuple[Texts, Parallel], judge: Callable[[BilBOWA], NDArray[np.float64]],
        values: Setting, level: float,
        minutes: float | None, trials: int | None, on_trial: Callable[[Trial], None] | None,
        callbacks: Iterable[Any],
    ) -> None:  # fmt: skip
        self.trials: list[Trial] = []
        self._texts = texts
        self._judge = judge
        self._values = values
        self._level = level
        self._end = math.inf if minutes is None else perf_counter() + 60 * minutes
        self._most = math.inf if trials is None else trials
        self._on_trial = on_trial
        self._callbacks = tuple(callbacks)

    def run(self) -> bool:
        """Go through the parameters once; return whether that came to its end."""
        current = {name: self._values[name] for name in TUNED}
        tried = [current]
        try:
            best = self._try(current, None)
            for name, step in _STEPS:
                if name.startswith("align_") and not self._values["alignment"]:
                    continue  # it changes nothing
                while True:
                    setting = {**current, name: step(current[name])}
                    if setting in tried:
                        break
                    tried.append(setting)
                    trial = self._try(setting, best)
                    if not trial.better:
                        break
                    best, current = trial, setting
        except _OutOfTime:
            return False
        return True

    def _try(self, setting: Setting, best: Trial | None) -> Trial:
        """Train and judge; raise _OutOfTime if the limits do not allow it."""
        start = perf_counter()
        if best is not None and (start > self._end or len(self.trials) >= self._most):
            raise _OutOfTime
        deadline = [] if best is None else [_Deadline(self._end)]
        model = BilBOWA(
            self._texts[0], parallel=self._texts[1], callbacks=[*self._callbacks, *deadline],
            **{**self._values, **setting},
        )  # fmt: skip
        seconds = perf_counter() - start
        scores = self._judge(model)
        gain = None
        if best is not None:
            gain = bootstrap(np.mean, scores - best.scores, level=self._level)
        trial = Trial(setting, scores, gain, seconds)
        logger.info(
            "trial %i: %s: %.4f, %s, %.1fs",
            len(self.trials) + 1, setting, trial.score,
            "better" if trial.better else "not better", seconds,
        )  # fmt: skip
        self.trials.append(trial)
        if self._on_trial is not None:
            self._on_trial(trial)
        return trial
