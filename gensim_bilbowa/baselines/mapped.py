"""Vectors of languages that were trained apart, mapped into one space by a dictionary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gensim_bilbowa.baselines.skipgram import skip_grams
from gensim_bilbowa.corpora import Corpus
from gensim_bilbowa.vectors import CrossLingualVectors
from gensim_bilbowa.vectors.alignment import AlignmentMethod, Links, Pairs, align

__all__ = ["MAPPED_ALPHA", "mapped"]

# Learning rate of vectors that are to be mapped: word2vec's.
MAPPED_ALPHA = 0.025


def mapped(
    sentences: Mapping[str, Corpus],
    dictionary: Pairs | Links = None,
    *,
    method: AlignmentMethod = "procrustes",
    centre: bool = True,
    dimensions: int | None = None,
    alpha: float = MAPPED_ALPHA,
    **parameters: Any,
) -> CrossLingualVectors:
    """Train skip-gram vectors for each language by itself, then map them by a dictionary.

    What the paper calls offline alignment: ``method="translation_matrix"`` is the system of Mikolov
    et al. (2013), "cca" that of Faruqui and Dyer (2014), "procrustes" that of Artetxe et al.
    (2016), which is the most accurate.

    Parameters
    ----------
    sentences : dict from str to corpus
        Text of two or more languages, as for :class:`~gensim_bilbowa.BilBOWA`; of parallel text
        ``{code: parallel.side(code) for code in parallel.languages}``.
    dictionary, method, centre, dimensions
        As for :func:`~gensim_bilbowa.align`.
    alpha : float
        Learning rate at the start. Vectors that were trained apart are better mapped after small
        steps, such as word2vec's own, than after BilBOWA's.
    **parameters
        As for BilBOWA, with its defaults: `vector_size`, `window`, `min_count`, `epochs`, `seed`,
        `workers` and others.

    Returns
    -------
    CrossLingualVectors

    Raises
    ------
    ConfigError, CorpusError, UnknownLanguageError
        As BilBOWA and ``align``.

    Examples
    --------
    >>> from gensim_bilbowa.datasets import SyntheticCorpus, dictionary
    >>> corpus = SyntheticCorpus(2000, seed=1)
    >>> vectors = mapped(
    ...     {code: corpus.sentences(code) for code in ("en", "de")}, dictionary("en", "de"),
    ...     vector_size=40, epochs=20, seed=1, workers=1)
    >>> vectors["en"].most_similar_cross("dog", topn=1)[0][0]
    'Hund'
    """
    trained = skip_grams(sentences, alpha=alpha, **parameters)
    return align(trained.wv, dictionary, method=method, centre=centre, dimensions=dimensions)
