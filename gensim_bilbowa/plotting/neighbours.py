"""A map of the words around one word, of its own language and of others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gensim_bilbowa.errors import UnknownWordError
from gensim_bilbowa.parameters import check_number
from gensim_bilbowa.plotting.drawing import check_room, draw_words, new_axes, projected, space_of
from gensim_bilbowa.plotting.projection import Projection, check_projection
from gensim_bilbowa.vectors import CrossLingualKeyedVectors
from gensim_bilbowa.vectors.retrieval import nearest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["nearest_words", "plot_neighbours"]


def plot_neighbours(
    vectors: Any,
    word: str,
    lang: str | None = None,
    *,
    n: int = 10,
    method: Projection = "pca",
    seed: int = 1,
    ax: Axes | None = None,
) -> Axes:
    """Draw a word in the middle of its nearest words, of its own language and of each other one.

    Parameters
    ----------
    vectors : CrossLingualVectors or BilBOWA
    word : str
    lang : str, optional
        Its language. Default: the first one that has the word.
    n : int
        Words of each language: of its own the nearest by cosine, of the others the best
        translations by CSLS.
    method, seed
        The projection of these words alone, see :func:`project`; moved so that the word asked for
        is in the middle.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Default: a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Its figure is ``ax.figure``, to be saved by :func:`save_figure`.

    Raises
    ------
    ImportError
        If matplotlib, or scikit-learn for "tsne", is not installed.
    UnknownWordError, UnknownLanguageError
        For a word or language that there are no vectors of.
    ConfigError
        If there are more than 2,000 words to draw, or a parameter cannot work.

    Examples
    --------
    >>> from gensim_bilbowa import BilBOWA
    >>> from gensim_bilbowa.datasets import SyntheticCorpus
    >>> pairs = {("en", "de"): SyntheticCorpus(1000, seed=1).pairs("en", "de")}
    >>> model = BilBOWA(parallel=pairs, vector_size=20, workers=1)
    >>> ax = plot_neighbours(model, "dog", n=5)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['en', 'de']
    """
    space = space_of(vectors)
    check_projection(method, seed)
    check_number("n", n, whole=True, low=1)
    ours = space[_language_of(space, word) if lang is None else lang]
    ours.get_index(word)  # an unknown word is an error
    codes = [str(ours.language), *(code for code in space if code != ours.language)]
    shown = {code: [w for w, _ in nearest_words(ours, [word], code, n)[0]] for code in codes}
    shown[codes[0]].insert(0, word)
    check_room(sum(map(len, shown.values())))
    groups = projected(space, shown, method, seed)
    middle = groups[0].points[0]
    groups = [replace(group, points=group.points - middle) for group in groups]
    reach = np.abs(np.vstack([group.points for group in groups])).max(axis=0)
    ax = new_axes(ax, (8, 6.5))
    draw_words(
        ax, groups, title=f"{word} ({ours.language}) and its nearest words", emphasise=True,
        limits=np.array([-reach, reach]),
    )  # fmt: skip
    return ax


def nearest_words(
    vectors: CrossLingualKeyedVectors, words: list[str], language: str, topn: int
) -> list[list[tuple[str, float]]]:
    """Return the nearest words of each word: of its own language by cosine, of another by CSLS."""
    if language != vectors.language:
        return vectors.most_similar_cross_batch(words, topn, language, "csls")
    # Not by gensim's most_similar, which divides by the length of vectors of zeros, too.
    units = vectors.unit_vectors()
    rows = nearest(units[[vectors.key_to_index[word] for word in words]], units, topn + 1)
    scored = [vectors.scored(*row) for row in zip(*rows, strict=True)]
    return [
        [pair for pair in pairs if pair[0] != word][:topn]
        for word, pairs in zip(words, scored, strict=True)
    ]


def _language_of(space: Mapping[str, CrossLingualKeyedVectors], word: str) -> str:
    for code, vectors in space.items():
        if word in vectors.key_to_index:
            return code
    raise UnknownWordError(f"{word!r} is in none of the vocabularies of {list(space)}")
