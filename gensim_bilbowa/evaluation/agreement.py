"""Agreement: how far the vectors of two languages find the same translations from both sides."""

from __future__ import annotations

from gensim.models import KeyedVectors

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.formats.assembly import check_finite
from gensim_bilbowa.parameters import check_number
from gensim_bilbowa.vectors.refinement import mutual_neighbours
from gensim_bilbowa.vectors.retrieval import at_length_one

__all__ = ["agreement"]


def agreement(
    source: KeyedVectors, target: KeyedVectors, *, max_words: int | None = 5_000, k: int = 10
) -> float:
    """Share of the words that are the best translation of their best translation.

    It needs neither a dictionary nor parallel text, and tells vectors that were trained or mapped
    in similar ways apart; it does not compare unlike ones: a loss that draws single words together
    raises it more than the translations' precision.

    Parameters
    ----------
    source, target : gensim.models.KeyedVectors
        The vectors of the two languages, of one space: ``model.wv_en``, ``model.wv_de``.
    max_words : int or None, default 5,000
        Only so many words of each language, the first (most frequent) ones. None stands for all.
    k : int, default 10
        Neighbourhood of CSLS, by which the best is found.

    Returns
    -------
    float
        Pairs of words that are each other's best, by the words of the language that has fewer,
        from 0 to 1.

    Raises
    ------
    ConfigError
        If the vectors are of two sizes, a language has no words, a vector is not finite, or a
        parameter cannot work.

    Examples
    --------
    >>> import numpy as np
    >>> en, de = KeyedVectors(2), KeyedVectors(2)
    >>> en.add_vectors(["dog", "hound", "sea"], np.array([[1, 0], [0.9, 0.3], [0, 1]]))
    >>> de.add_vectors(["hund", "meer"], np.array([[1, 0.1], [0.1, 1]]))
    >>> agreement(en, de, k=1)
    1.0
    """
    check_number("k", k, whole=True, low=1)
    if max_words is not None:
        check_number("max_words", max_words, whole=True, low=1)
    if source.vector_size != target.vector_size:
        raise ConfigError(
            f"vectors of one space are wanted, got {source.vector_size} and {target.vector_size} "
            "dimensions"
        )
    for vectors, name in ((source, "source"), (target, "target")):
        if not len(vectors):
            raise ConfigError(f"{name} has no words")
        check_finite(vectors, name)
    points, others = (at_length_one(each.vectors[:max_words]) for each in (source, target))
    rows, _, _ = mutual_neighbours(points, others, k)
    return len(rows) / min(len(points), len(others))
