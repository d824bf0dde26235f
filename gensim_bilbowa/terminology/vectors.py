"""Vectors for the text that terms are looked for in: given, or trained."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from gensim_bilbowa.callbacks import ProgressBar
from gensim_bilbowa.corpora import ParallelSentences
from gensim_bilbowa.errors import ConfigError, ParallelDataError
from gensim_bilbowa.files.filesystem import reachable
from gensim_bilbowa.files.staging import check_target
from gensim_bilbowa.model import BilBOWA
from gensim_bilbowa.terminology.text import TermText
from gensim_bilbowa.tokenization.tokenizers import TOKENS
from gensim_bilbowa.vectors import CrossLingualKeyedVectors, CrossLingualVectors

__all__ = ["epochs_for", "given_vectors", "trained_vectors"]

Vectors: TypeAlias = tuple[CrossLingualKeyedVectors, CrossLingualKeyedVectors]

# What a model is trained with: vectors of words that stand twice, unless fewer than two do, and as
# many passes as make up for little text, see docs/parameters.md.
_MIN_COUNT = 2
_FEWEST_WORDS = 2
_PAIRS_AND_EPOCHS = ((20_000, 20), (50_000, 10))
_FEWEST_EPOCHS = 5


def epochs_for(pairs: int) -> int:
    """Return how many passes over so many sentence pairs a model is trained in."""
    return next((epochs for most, epochs in _PAIRS_AND_EPOCHS if pairs <= most), _FEWEST_EPOCHS)


def given_vectors(model: Any, languages: tuple[str, str]) -> Vectors | None:
    """Return the vectors of two languages that a user gives; None if they are to be trained.

    Raises
    ------
    ConfigError
        If it is neither, or a path where none can be saved.
    UnknownLanguageError
        If a language is not among them.
    """
    if isinstance(model, str | os.PathLike):
        place = Path(reachable(model))
        try:
            if not place.exists():
                check_target(place)
                return None
        except OSError as error:
            raise ConfigError(f"model {place}: {error}") from error
        of_vectors = place.is_dir() or place.suffix.lower() == ".safetensors"
        model = CrossLingualVectors.load(place) if of_vectors else BilBOWA.load(place, mmap="r")
    if model is None:
        return None
    space = model.wv if isinstance(model, BilBOWA) else model
    if not isinstance(space, CrossLingualVectors):
        raise ConfigError(
            f"model must be a BilBOWA model, its vectors or a path, not {type(model).__name__}"
        )
    return space[languages[0]], space[languages[1]]


class _LowerText:
    """The units of a text as lists of words in small letters."""

    def __init__(self, text: TermText) -> None:
        self._sides = text.sides

    def __iter__(self) -> Iterator[tuple[list[str], list[str]]]:
        one, other = (side.lower_corpus.decoded(side.lower_words) for side in self._sides)
        return zip(one, other, strict=True)


def trained_vectors(
    text: TermText, texts: Sequence[ParallelSentences], place: Path | None, *, workers: int,
    progress: bool,
) -> Vectors:  # fmt: skip
    """Train vectors on a text that was read from some parallel texts; save the model at a place."""
    pairs = ParallelSentences(_LowerText(text), languages=text.languages)
    callbacks = [ProgressBar(leave=False)] if progress else []
    trained = BilBOWA(
        parallel=pairs, epochs=epochs_for(len(text)), min_count=_min_count(text, texts[0].where),
        workers=workers, callbacks=callbacks,
    )  # fmt: skip
    ways = dict(zip(texts[0].languages, texts[0].ways, strict=True))
    for code in text.languages:
        if ways[code] is not TOKENS:  # which the model takes for granted
            trained.tokenizers[code] = ways[code]
    if place is not None:
        trained.save(place)
    one, other = text.languages
    return trained.wv[one], trained.wv[other]


def _min_count(text: TermText, where: str) -> int:
    """Return how often a word must stand in a text to get a vector."""
    enough = True
    for code, side in zip(text.languages, text.sides, strict=True):
        counts = side.lower_counts
        if len(counts) < _FEWEST_WORDS:
            raise ParallelDataError(
                f"{where}: {_FEWEST_WORDS} different words of {code!r} at least are wanted, got "
                f"{len(counts)}"
            )
        enough &= bool(np.count_nonzero(counts >= _MIN_COUNT) >= _FEWEST_WORDS)
    return _MIN_COUNT if enough else 1
