"""Sentence retrieval: how often the nearest sentence of another language is the translation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from gensim.models import KeyedVectors
from numpy.typing import NDArray

from gensim_bilbowa.corpora.sentences import Corpus, as_sentences
from gensim_bilbowa.errors import ConfigError, ParallelDataError
from gensim_bilbowa.evaluation.ranks import MRR_DEPTH, RankedScore, checked_places, first_right
from gensim_bilbowa.vectors.keyed import CrossLingualKeyedVectors
from gensim_bilbowa.vectors.retrieval import Method
from gensim_bilbowa.vectors.sentences import (
    Weighting,
    are_vectors,
    check_vectors,
    sentence_vectors,
)

__all__ = ["RetrievalScore", "sentence_retrieval"]


@dataclass(frozen=True, eq=False, repr=False)
class RetrievalScore(RankedScore):
    """Result of :func:`sentence_retrieval`.

    Attributes
    ----------
    ranks : ndarray of float64, shape (sentences,)
        Place of the right translation of each sentence, from 1; infinity where it is further down
        than the places asked for.
    precision_at : tuple of int
        The k of P@k.
    unknown : int
        Pairs with a side that has no known word. They count as wrong.
    """

    unknown: int

    @property
    def sentences(self) -> int:
        """Sentences asked: all."""
        return len(self.ranks)

    def _facts(self) -> dict[str, Any]:
        return super()._facts() | {"sentences": self.sentences, "unknown": self.unknown}


def sentence_retrieval(
    source: KeyedVectors | None,
    target: KeyedVectors | None,
    sentences: Corpus | NDArray[Any],
    translations: Corpus | NDArray[Any],
    *,
    method: Method = "csls",
    k: int = 4,
    beta: float = 30.0,
    weighting: Weighting = "mean",
    remove_common: bool = True,
    precision_at: Iterable[int] = (1, 5),
) -> RetrievalScore:
    """Search the translation of each sentence among all the translations.

    By the sentences' vectors alone, which is what is measured; words are not compared beside them.

    Parameters
    ----------
    source, target : gensim.models.KeyedVectors or None
        The vectors of the two languages, of one space: ``model.wv_en``, ``model.wv_de``. None where
        sentences are given as vectors.
    sentences : iterable of list of str, path, or ndarray of shape (n, vector_size)
        Of the source language; or their vectors, of any system.
    translations : iterable of list of str, path, or ndarray of shape (n, vector_size)
        Sentence i translates sentence i. One that is equal to the right translation, token by
        token, counts as right, too: the place of the first of them is taken. So do equal vectors.
    method, k, beta, weighting, remove_common
        As for
        :meth:`~gensim_bilbowa.CrossLingualKeyedVectors.most_similar_sentences_batch`.
    precision_at : iterable of int
        The k of P@k.

    Raises
    ------
    ParallelDataError
        If there are not as many translations as sentences.
    ConfigError
        If no pair has known words on both sides, or a parameter cannot work.

    Examples
    --------
    >>> english = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> german = np.array([[2.0, 0.1], [1.0, 2.0], [1.0, 3.0]])
    >>> sentence_retrieval(None, None, english, german, method="cosine")
    RetrievalScore<P@1: 0.333, P@5: 1.000, MRR: 0.667, sentences: 3, unknown: 0>
    """
    places = checked_places(precision_at)
    settings = {"weighting": weighting, "remove_common": remove_common}
    asked, _ = _vectors(source, sentences, "sentences", settings)
    among, texts = _vectors(target, translations, "translations", settings)
    if len(asked) != len(among):
        raise ParallelDataError(
            f"as many translations as sentences are wanted, got {len(among):,} and {len(asked):,}"
        )
    known = asked.any(axis=1) & among.any(axis=1)
    if not known.any():
        raise ConfigError(
            f"none of the {len(asked):,} pairs has known words on both sides; are they of other "
            "languages, or in another case?"
        )
    # Of no words: it is asked about vectors alone.
    space = CrossLingualKeyedVectors(asked.shape[1])
    found = space.most_similar_sentences_batch(
        asked, among, max(MRR_DEPTH, *places), method=method, k=k, beta=beta
    )
    answers = ([texts[position] for position, _ in row] for row in found)
    ranks = first_right(answers, ([text] for text in texts))
    return RetrievalScore(
        np.where(known, ranks, np.inf), places, unknown=int(np.count_nonzero(~known))
    )


def _vectors(
    vectors: KeyedVectors | None, given: Any, where: str, settings: dict[str, Any]
) -> tuple[NDArray[Any], list[Any]]:
    """Return the vectors of sentences, and something of each that is equal for equal ones."""
    if are_vectors(given):
        rows = check_vectors(given, vectors.vector_size if vectors else given.shape[-1], where)
        return rows, [row.tobytes() for row in rows]
    if vectors is None:
        raise ConfigError(
            f"{where}: without word vectors those of the sentences are wanted, an array of shape "
            f"(n, d); got {type(given).__name__}"
        )
    texts = list(as_sentences(given, where))
    return sentence_vectors(vectors, texts, where=where, **settings), list(map(tuple, texts))
