"""Skip-gram models of several languages that are trained at once and not tied to each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gensim_bilbowa.corpora import Corpus, collect
from gensim_bilbowa.model import BilBOWA
from gensim_bilbowa.teams import Team
from gensim_bilbowa.training import RunState, Settings, encode, plan, run, settle

__all__ = ["skip_grams"]


def skip_grams(
    sentences: Mapping[str, Corpus], *, callbacks: Iterable[Any] = (), **parameters: Any
) -> BilBOWA:
    """Train a skip-gram model with negative sampling for each language by this package's step.

    Parameters
    ----------
    sentences : dict from str to corpus
        Text of two or more languages, as for :class:`~gensim_bilbowa.BilBOWA`.
    callbacks : iterable of gensim.models.callbacks.CallbackAny2Vec
        Told of the beginning and end of each epoch, as by BilBOWA.
    **parameters
        As for BilBOWA, with its defaults.

    Returns
    -------
    BilBOWA
        Whose languages do not share a space.
    """
    inputs = collect(sentences, None, None)
    inputs.require_restartable()
    model = BilBOWA(**parameters)
    model.build_vocab(sentences)
    languages, team = {code: model[code] for code in model}, Team()
    values = settle(vars(model), {}, None)
    state = RunState.planned(values)
    schedule = plan(encode(inputs, languages, values, team), values, state)
    run(
        languages, schedule, Settings.of(values), state, model.wv.aligned, team=team,
        workers=model.workers, callbacks=callbacks, model=model,
        on_epoch=lambda tally, entry: model.loss_history.append(entry),
    )  # fmt: skip
    return model
