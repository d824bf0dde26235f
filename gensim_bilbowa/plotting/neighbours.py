"""A map of the words around one word, of its own language and of others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from gensim_bilbowa.errors import UnknownWordError
from gensim_bilbowa.parameters import check_number
from gensim_bilbowa.plotting.drawing import WordGroup, draw_words, new_axes, space_of
from gensim_bilbowa.plotting.projection import Projection, check_projection, project
from gensim_bilbowa.vectors import CrossLingualKeyedVectors

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_neighbours"]


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
        If a parameter cannot work.

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
    row = ours.get_index(word)
    nearest = {str(ours.language): [word, *_words(ours.most_similar(row, topn=n))]}
    for code, other in space.items():
        if other is not ours:
            (found,) = ours.most_similar_cross_batch([word], n, code, "csls")
            nearest[code] = _words(found)
    points = project(
        np.array([row for code, words in nearest.items() for row in space[code].queries(words)]),
        method, seed=seed,
    )  # fmt: skip
    points -= points[0]
    groups, start = [], 0
    for code, words in nearest.items():
        groups.append(WordGroup(code, words, points[start : start + len(words)]))
        start += len(words)
    reach = np.abs(points).max(axis=0)
    ax = new_axes(ax, (8, 6.5))
    draw_words(
        ax, groups, title=f"{word} ({ours.language}) and its nearest words", emphasise=True,
        limits=np.array([-reach, reach]),
    )  # fmt: skip
    return ax


def _words(scored: list[tuple[str, float]]) -> list[str]:
    return [word for word, _ in scored]


def _language_of(space: Mapping[str, CrossLingualKeyedVectors], word: str) -> str:
    for code, vectors in space.items():
        if word in vectors.key_to_index:
            return code
    raise UnknownWordError(f"{word!r} is in none of the vocabularies of {list(space)}")
