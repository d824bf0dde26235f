"""Skip-gram models of several languages that are trained at once and not tied to each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gensim_bilbowa.corpora import Corpus, collect, encode_inputs
from gensim_bilbowa.model import BilBOWA
from gensim_bilbowa.teams import Team
from gensim_bilbowa.training import RunState, Schedule, Settings, TextSource, run

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
    languages = {code: model[code] for code in model}
    encoded = encode_inputs(
        inputs, {code: one.wv.key_to_index for code, one in languages.items()},
        model.corpus_memory, workers=model.workers,
    )  # fmt: skip
    schedule = Schedule(
        [TextSource(code, corpus, model.batch_words) for code, corpus in encoded.texts], [],
        epochs=model.epochs, start_alpha=model.alpha, end_alpha=model.min_alpha, seed=model.seed,
    )  # fmt: skip
    settings = Settings(**{name: getattr(model, name) for name in Settings.__dataclass_fields__})
    run(
        languages, schedule, settings, RunState({}), model.wv.aligned, team=Team(),
        workers=model.workers, queue_factor=2, report_delay=1.0, callbacks=callbacks, model=model,
        on_epoch=lambda tally, entry: model.loss_history.append(entry),
    )  # fmt: skip
    return model
