"""What a training goes by: its parameters, its languages, and the plan of its work."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from gensim_bilbowa.corpora import EncodedInputs, Inputs, encode_in_team, open_cache
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.modelling.language import LanguageModel
from gensim_bilbowa.modelling.languages import (
    Languages,
    check_kind,
    check_subword_languages,
    require_two,
)
from gensim_bilbowa.parameters import PARAMETERS, check_number, check_parameters
from gensim_bilbowa.teams import Team
from gensim_bilbowa.training.run import check_start
from gensim_bilbowa.training.schedule import PairSource, Schedule, TextSource
from gensim_bilbowa.training.state import RunState

__all__ = ["encode", "find_learning", "make_ready", "plan", "settle", "warn_changed"]

logger = logging.getLogger("gensim_bilbowa.training")


def settle(
    parameters: Mapping[str, Any], given: Mapping[str, Any], earlier: RunState | None
) -> dict[str, Any]:
    """Return the values that a training goes by, checked.

    Parameters
    ----------
    parameters : mapping
        Of the model.
    given : mapping
        Arguments of ``train()``, which take the place of parameters.
    earlier : RunState or None
        The run that it goes on with, whose plan takes the place of both.
    """
    values = {name: parameters[name] for name in PARAMETERS}
    values |= {"total_examples": None, "total_words": None, "word_count": 0, "freeze": []}
    values = check_parameters({**values, **(earlier.plan if earlier else given)})
    for name in ("word_count", "total_examples", "total_words"):
        if values[name] is not None:
            values[name] = check_number(name, values[name], whole=False)
    return values


def find_learning(
    languages: Languages, inputs: Inputs, values: Mapping[str, Any]
) -> tuple[Inputs, frozenset[str]]:
    """Return the text to learn from, and the languages to freeze; refuse what cannot be trained.

    Languages that will not share a space are warned of.
    """
    if missing := [code for code in inputs.languages if code not in languages]:
        raise ConfigError(f"no vocabulary of {missing}: call build_vocab() first")
    require_two(inputs.languages)
    check_subword_languages(languages, values)
    frozen = languages.frozen(values["freeze"], inputs.languages)
    pulls = values["alignment"] and values["align_pulls"] > 0 and values["align_rate"] > 0
    means = values["xling_passes"] > 0 and values["xling_weight"] > 0
    spaces = inputs.spaces(linked=means or pulls)
    if len(spaces) > 1:
        logger.warning(
            "no cross-lingual training between %s: they will not share a space",
            " and ".join("/".join(space) for space in spaces),
        )
    return inputs.without(frozen), frozen


def make_ready(languages: Mapping[str, LanguageModel], values: Mapping[str, Any]) -> None:
    """See to it that languages can be trained with these values, or raise ConfigError."""
    for code, model in languages.items():
        model.check_arrays()
        check_kind(code, model, values)
        for name, weights in (("negative", "syn1neg"), ("hs", "syn1")):
            if values[name] and getattr(model, weights, None) is None:
                raise ConfigError(
                    f"{code!r} was built without {name} and cannot be trained with it: begin a "
                    f"new model, or call build_vocab() without update"
                )
        logger.info("%s: %i words in the vocabulary", code, len(model.wv))
    check_start(languages)


def encode(
    inputs: Inputs, languages: Mapping[str, LanguageModel], values: Mapping[str, Any], team: Team
) -> EncodedInputs:
    """Return the text as numbers of the languages' words; all ranks of a team must call."""
    return encode_in_team(
        inputs, {code: model.wv.key_to_index for code, model in languages.items()},
        values["corpus_memory"], workers=values["workers"], cache=open_cache(values["cache_dir"]),
        team=team,
    )  # fmt: skip


def plan(
    encoded: EncodedInputs, values: Mapping[str, Any], state: RunState, epochs_trained: int = 0
) -> Schedule:
    """Lay out the work on encoded text, from where the run stands.

    Parameters
    ----------
    encoded : EncodedInputs
    values : mapping
        Those of :func:`settle`.
    state : RunState
    epochs_trained : int
        Of the model, those of this run that are done among them.
    """
    position = state.position
    assert position is not None, "no job is at work"
    # Among the texts are the frozen languages' sides of the pairs.
    texts = [(code, corpus) for code, corpus in encoded.texts if code not in values["freeze"]]
    raw_words = sum(corpus.raw_words for _, corpus in texts)
    sentences = sum(len(corpus) for _, corpus in texts)
    stretch = 1.0
    if values["total_words"]:
        stretch = values["total_words"] / max(raw_words, 1)
    elif values["total_examples"]:
        stretch = values["total_examples"] / max(sentences, 1)
    batch, seed, epochs = values["batch_words"], values["seed"], values["epochs"]
    return Schedule(
        [TextSource(code, corpus, batch) for code, corpus in texts],
        [PairSource(p, values["xling_passes"], batch, seed) for p in encoded.pairs],
        epochs=epochs, first_epoch=epochs_trained - position.epoch,
        start_alpha=values["alpha"], end_alpha=values["min_alpha"], seed=seed, stretch=stretch,
        head_start=values["word_count"] / max(raw_words * stretch * epochs, 1),
        done=position.words, pulls=values["align_pulls"] if values["alignment"] else 0,
    )  # fmt: skip


def warn_changed(schedule: Schedule, languages: Mapping[str, LanguageModel]) -> None:
    """Say if the text that was just counted is not the text that is trained on."""
    sentences = dict.fromkeys(languages, 0)
    for text in schedule.texts:
        sentences[text.language] += len(text.corpus)
    for code, found in sentences.items():
        before = languages[code].corpus_count
        if found != before:
            logger.warning(
                "%s: %i sentences were read for the vocabulary, but %i to train on; does the "
                "text change from one reading to the next?", code, before, found,
            )  # fmt: skip
