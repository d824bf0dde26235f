"""Where a run stands between two jobs, as it is saved with the model and gone on with."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import Annotated, Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.errors import ConfigError, CorpusError, FormatError
from gensim_bilbowa.files.documents import MOST_WHOLE, Amount, Count, Range, checked
from gensim_bilbowa.parameters import check_number, check_parameters
from gensim_bilbowa.training.progress import Position
from gensim_bilbowa.training.schedule import Schedule
from gensim_bilbowa.training.steps import Settings

__all__ = ["RunDocument", "RunState", "to_resume"]

logger = logging.getLogger("gensim_bilbowa.training")

# What decides what a run does, besides the vectors and the text it starts with: parameters of
# the model, and arguments of train(), which may take the place of its parameters.
_PARAMETERS = (*Settings.__dataclass_fields__, "batch_words", "seed", "xling_passes")
_ARGUMENTS = (
    "epochs", "alpha", "min_alpha", "total_examples", "total_words", "word_count", "freeze",
)  # fmt: skip
_PLANNED = (*_PARAMETERS, *_ARGUMENTS)
_NAME = re.compile("[0-9a-f]{8}")


class _Arguments(TypedDict):
    """What of a plan is no parameter of the model."""

    total_examples: Amount | None
    total_words: Amount | None
    word_count: Amount
    freeze: list[str]


class _Text(TypedDict):
    text: str
    sentences: Count
    words: Count
    known: Count
    crc32: Count


class _Tally(TypedDict):
    seconds: float
    loss: dict[str, float]
    units: dict[str, Count]
    jobs: Count
    words: Count
    trained_words: Count
    pairs: Count
    emptied: Count


class _Position(TypedDict):
    epoch: Count
    words: Count
    tally: _Tally | None
    translations: dict[str, float]


class RunDocument(TypedDict):
    """What files have of a `RunState`."""

    plan: dict[str, Any]
    texts: list[_Text]
    name: str
    trained_words: Count
    seconds: float
    position: _Position
    ranks: Annotated[int, Range(1, MOST_WHOLE)]


@dataclass
class RunState:
    """What a run was begun with, and where it stands.

    All random numbers come from the seed, the epoch and the job's place in it, so that there is
    no more to it.

    Attributes
    ----------
    plan : dict
        What decides what the run does, see :meth:`planned`.
    texts : list of dict
        What tells the text from other text; none before the run begins.
    name : str
        Eight digits that tell the run from others.
    trained_words : int
        In the epochs that are done.
    seconds : float
        Taken up to the position.
    position : Position or None
        None while jobs are at work.
    ranks : int
        Of the team that trains.
    velocity : dict from str to ndarray
        What else its merges go on from, by array (see :class:`~gensim_bilbowa.training.Merger`); on
        rank 0, at positions that may be saved. It is in the file's arrays.
    """

    plan: dict[str, Any]
    texts: list[dict[str, Any]] = field(default_factory=list)
    name: str = field(default_factory=lambda: secrets.token_hex(4))
    trained_words: int = 0
    seconds: float = 0.0
    position: Position | None = field(default_factory=Position)
    ranks: int = 1
    velocity: dict[str, NDArray[np.float32]] = field(default_factory=dict)
    _began: float = field(default=0.0, init=False, repr=False)

    @classmethod
    def planned(cls, values: Mapping[str, Any]) -> RunState:
        """Return a run that goes by some of these values, and has not begun."""
        return cls({name: values[name] for name in _PLANNED})

    def begin(self, schedule: Schedule, ranks: int = 1) -> None:
        """Begin, or go on if the text is the same; raise CorpusError if it is not."""
        texts = _fingerprint(schedule)
        if self.texts:
            self._check_texts(texts)
            if ranks != self.ranks:
                logger.warning(
                    "the training was begun by %i ranks and goes on with %i: its result is another "
                    "one, and as good", self.ranks, ranks,
                )  # fmt: skip
        self.texts, self.ranks = texts, ranks
        self._began = perf_counter() - self.seconds

    def stand(self, position: Position) -> None:
        """Note that no job is at work, and what is done."""
        self.seconds = perf_counter() - self._began
        self.position = position

    def _check_texts(self, texts: list[dict[str, Any]]) -> None:
        """Refuse text that is not the one that the run was begun with."""
        names, known = ([text["text"] for text in found] for found in (texts, self.texts))
        if names != known:
            raise CorpusError(
                f"resume: the run was begun with {', '.join(known)}, in this order; got "
                f"{', '.join(names)}"
            )
        for now, then in zip(texts, self.texts, strict=True):
            if now != then:
                sizes = [f"{text['sentences']} sentences, {text['words']} words, {text['known']} "
                         f"of them known" for text in (then, now)]  # fmt: skip
                if sizes[0] == sizes[1]:
                    sizes[1] = "as many of other words, or in another order"
                raise CorpusError(
                    f"resume: the {now['text']} differs from the one that the run was begun "
                    f"with: {sizes[0]} then; now {sizes[1]}"
                )

    def document(self) -> dict[str, Any]:
        """Return what JSON can hold; the run must have a position."""
        names = ("plan", "texts", "name", "trained_words", "seconds", "ranks")
        assert self.position is not None
        return {name: getattr(self, name) for name in names} | {"position": asdict(self.position)}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> RunState:
        """Return the state of a :class:`RunDocument`; raise an error of ours for what is none."""
        position = Position(**document["position"])
        state = cls(**{**document, "position": position})
        if not _NAME.fullmatch(state.name) or state.plan.keys() != set(_PLANNED):
            raise FormatError("run: it has not what a run has")
        if not state.texts:
            raise FormatError("run.texts: one is wanted at least")
        arguments = {name: state.plan[name] for name in _Arguments.__annotations__}
        state.plan = check_parameters(state.plan) | checked(_Arguments, arguments, "run.plan")
        check_number("run.position.epoch", position.epoch, whole=True, high=state.plan["epochs"])
        return state


def to_resume(
    state: RunState | None, parameters: Mapping[str, Any], arguments: Mapping[str, Any]
) -> RunState:
    """Return the run to go on with; raise ConfigError if there is none, or not with these values.

    Parameters
    ----------
    state : RunState or None
    parameters : mapping
        Of the model.
    arguments : mapping
        Of ``train()``, those that were given.
    """
    if state is None:
        raise ConfigError("resume: this model has no unfinished training; load a checkpoint")
    if state.position is None:
        raise ConfigError(
            "resume: the training was ended in the midst of a job; load its latest checkpoint"
        )
    for name, value in {**{name: parameters[name] for name in _PARAMETERS}, **arguments}.items():
        if value != state.plan[name]:
            raise ConfigError(
                f"resume: {name} is {value!r}, but the training was begun with "
                f"{state.plan[name]!r}; leave it as it was, or train without resume"
            )
    return state


def _fingerprint(schedule: Schedule) -> list[dict[str, Any]]:
    """Return what tells a run's text from other text: sizes and checksums of the encoded words."""
    named = [(f"{text.language!r} text", text.corpus) for text in schedule.texts]
    for source in schedule.pairs:
        pairs = "-".join(source.pairs.languages)
        named += [
            (f"{code!r} side of {pairs} pairs", side)
            for code, side in zip(source.pairs.languages, source.pairs.sides, strict=True)
        ]
    checksums = {id(corpus): corpus.checksum() for _, corpus in named}
    return [
        {
            "text": name,
            "sentences": len(corpus),
            "words": corpus.raw_words,
            "known": len(corpus.ids),
            "crc32": checksums[id(corpus)],
        }
        for name, corpus in named
    ]
