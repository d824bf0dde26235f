"""Vectors and alignment for the text that terms are looked for in."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from gensim_bilbowa.callbacks import ProgressBar
from gensim_bilbowa.corpora import ParallelSentences
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.evidence import align
from gensim_bilbowa.model import BilBOWA
from gensim_bilbowa.stages import stage
from gensim_bilbowa.terminology.text import TermText
from gensim_bilbowa.terminology.written import WrittenText
from gensim_bilbowa.tokenizers import TOKENS
from gensim_bilbowa.vectors import CrossLingualKeyedVectors, CrossLingualVectors

__all__ = ["epochs_for", "vectors_for"]

# What a model is trained with: vectors of words that stand twice, and as many passes as make up for
# little text, see docs/parameters.md.
_MIN_COUNT = 2
_PAIRS_AND_EPOCHS = ((20_000, 20), (50_000, 10))
_FEWEST_EPOCHS = 5


def epochs_for(pairs: int) -> int:
    """Return how many passes over so many sentence pairs a model is trained in."""
    return next((epochs for most, epochs in _PAIRS_AND_EPOCHS if pairs <= most), _FEWEST_EPOCHS)


class _LowerText:
    """The units of a text as lists of words in small letters."""

    def __init__(self, text: TermText) -> None:
        self._sides = text.sides

    def __iter__(self) -> Iterator[tuple[list[str], list[str]]]:
        one, other = self._sides
        return zip(_sentences(one), _sentences(other), strict=True)


def _sentences(side: WrittenText) -> Iterator[list[str]]:
    words = side.lower_words
    ids = side.lower[side.ids]
    bounds = side.offsets.tolist()
    for start, end in itertools.pairwise(bounds):
        yield [words[number] for number in ids[start:end].tolist()]


def vectors_for(
    text: TermText, texts: Sequence[ParallelSentences], model: Any, *, workers: int, progress: bool
) -> tuple[CrossLingualKeyedVectors, CrossLingualKeyedVectors, Any]:
    """Return vectors of both languages, and how often the words of the text are aligned in it.

    Parameters
    ----------
    text : TermText
    texts : sequence of ParallelSentences
        That it was read from.
    model : BilBOWA, CrossLingualVectors or path, optional
        As for :func:`~gensim_bilbowa.terms`.
    workers : int
    progress : bool

    Returns
    -------
    CrossLingualKeyedVectors, CrossLingualKeyedVectors
    scipy.sparse.csr_array of float32, shape (n_words, n_words)
        Of the words in small letters of both sides.
    """
    one, other = text.languages
    place = Path(model) if isinstance(model, str | os.PathLike) else None
    if place is not None:
        model = BilBOWA.load(place, mmap="r") if place.exists() else None
    if model is not None:
        space = model.wv if isinstance(model, BilBOWA) else model
        if not isinstance(space, CrossLingualVectors):
            raise ConfigError(
                f"model must be a BilBOWA model, its vectors or a path, not {type(model).__name__}"
            )
        ours, theirs = space[one], space[other]
        source, target = text.sides
        with stage("alignment", shown=progress) as report:
            aligned = align(
                [(source.lower_corpus, target.lower_corpus)], source.lower_words,
                target.lower_words, workers=workers, report=report,
            )  # fmt: skip
        return ours, theirs, aligned
    pairs = ParallelSentences(_LowerText(text), languages=text.languages)
    callbacks = [ProgressBar(leave=False)] if progress else []
    trained = BilBOWA(
        parallel=pairs, epochs=epochs_for(len(text)), min_count=_MIN_COUNT, workers=workers,
        callbacks=callbacks,
    )  # fmt: skip
    for code, way in zip(text.languages, _ways(texts, text.languages), strict=True):
        trained.tokenizers[code] = None if way is TOKENS else way
    if place is not None:
        trained.save(place)
    return trained.wv[one], trained.wv[other], _in_text(trained.wv, text)


def _ways(texts: Sequence[ParallelSentences], languages: tuple[str, str]) -> tuple[Any, Any]:
    """Return what has split the text of each language."""
    first = texts[0]
    one, other = first.ways if first.languages == languages else first.ways[::-1]
    return one, other


def _in_text(space: CrossLingualVectors, text: TermText) -> Any:
    """Return what a model knows of the alignment of its words, of those of the text."""
    one, other = text.languages
    counts = sparse.coo_array(space[one].aligned(other))
    indices = [
        np.array([index[word] for word in space[code].index_to_key], np.int64)
        for code, side in zip(text.languages, text.sides, strict=True)
        for index in [{word: number for number, word in enumerate(side.lower_words)}]
    ]
    places = tuple(index[at] for index, at in zip(indices, counts.coords, strict=True))
    shape = tuple(len(side.lower_words) for side in text.sides)
    return sparse.csr_array((counts.data, places), shape=shape)
