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
from gensim_bilbowa.files.documents import MOST_WHOLE, Amount, Count, Range, checked, saved_fields
from gensim_bilbowa.parameters import check_number, check_parameters
from gensim_bilbowa.training.progress import Position
from gensim_bilbowa.training.schedule import Schedule
from gensim_bilbowa.training.steps import Settings

__all__ = ["RunState", "to_resume"]

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
    texts: list[_Text]
    name: str
    trained_words: Count
    seconds: float
    position: Position | None
    ranks: Annotated[int, Range(1, MOST_WHOLE)]
    velocity: dict[str, NDArray[np.float32]] = field(
        default_factory=dict, metadata={"saved": False}
    )
    _began: float = field(default=0.0, init=False, repr=False, metadata={"saved": False})

    @classmethod
    def planned(cls, values: Mapping[str, Any]) -> RunState:
        """Return a run that goes by some of these values, and has not begun."""
        plan = {name: values[name] for name in _PLANNED}
        return cls(plan, [], secrets.token_hex(4), 0, 0.0, Position(0, 0, None, {}), 1)

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

    def _check_texts(self, texts: list[_Text]) -> None:
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
        assert self.position is not None
        saved = {field.name: getattr(self, field.name) for field in saved_fields(self)}
        return saved | {"position": asdict(self.position)}

    def check(self) -> None:
        """Refuse a state that a file had, if no run can be gone on with from there."""
        if not _NAME.fullmatch(self.name) or self.plan.keys() != set(_PLANNED):
            raise FormatError("run: it has not what a run has")
        if not self.texts:
            raise FormatError("run.texts: one is wanted at least")
        if self.position is None:
            raise FormatError("run.position is missing")
        arguments = {name: self.plan[name] for name in _Arguments.__annotations__}
        self.plan = check_parameters(self.plan) | checked(_Arguments, arguments, "run.plan")
        epochs = self.plan["epochs"]
        check_number("run.position.epoch", self.position.epoch, whole=True, high=epochs)


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


def _fingerprint(schedule: Schedule) -> list[_Text]:
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
