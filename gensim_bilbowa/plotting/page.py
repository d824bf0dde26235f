"""A page to explore a space of word vectors: one HTML file that needs no network."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.files.pages import fill
from gensim_bilbowa.files.staging import check_target, staged
from gensim_bilbowa.parameters import check_number
from gensim_bilbowa.plotting.drawing import space_of
from gensim_bilbowa.plotting.neighbours import nearest_words
from gensim_bilbowa.plotting.projection import Points, Projection, check_projection, project

__all__ = ["write_page"]

logger = logging.getLogger(__name__)


def write_page(
    path: str | os.PathLike[str],
    vectors: Any,
    languages: Iterable[str] | None = None,
    *,
    n: int = 1000,
    topn: int = 5,
    method: Projection = "tsne",
    seed: int = 1,
    title: str | None = None,
) -> None:
    """Write a map of words that a browser shows: to move and zoom in, with search and neighbours.

    The page is one file and loads nothing else. A word that is pointed at or searched for is shown
    with its nearest words, and with its translations into each other language. With
    ``#word=dog&lang=en`` after its address the page opens at a word.

    Parameters
    ----------
    path : str or path-like
        The file is replaced when all is written.
    vectors : CrossLingualVectors or BilBOWA
    languages : iterable of str, optional
        Default: all.
    n : int
        The first (most frequent) words of each language are on the map. t-SNE of 2,000 words takes
        some 15 seconds, one of 10,000 minutes; "pca" takes a moment.
    topn : int
        Neighbours of each word, of the whole vocabulary: of its own language by cosine, of each
        other by CSLS.
    method, seed
        The projection of all words together, see :func:`project`.
    title : str, optional
        Default: the languages.

    Raises
    ------
    ImportError
        If "tsne" is asked for and scikit-learn is not installed.
    UnknownLanguageError
        For a language that there are no vectors of.
    ConfigError
        If there are no words, or a parameter cannot work.
    OSError
        If the file cannot be written, which is said first.
    """
    check_target(path)
    space = space_of(vectors)
    check_projection(method, seed)
    check_number("n", n, whole=True, low=1)
    check_number("topn", topn, whole=True)
    if isinstance(languages, str):
        raise ConfigError(f"languages must be a list of codes, got the string {languages!r}")
    codes = list(dict.fromkeys(space if languages is None else languages))
    words = {code: space[code].index_to_key[:n] for code in codes}
    if not any(words.values()):
        raise ConfigError("there are no words to draw: the vocabularies are empty")
    many = sum(map(len, words.values()))
    logger.info("projecting %s words by %s, which may take a while", f"{many:,}", method)
    rows = np.vstack([space[code].unit_vectors()[: len(words[code])] for code in codes])
    points = _framed(project(rows, method, seed=seed))
    ends = np.cumsum([len(words[code]) for code in codes])[:-1]
    entries = [
        {
            "code": code,
            "words": words[code],
            "points": own.tolist(),
            "neighbours": {
                other: [
                    [(word, round(score, 3)) for word, score in found]
                    for found in nearest_words(space[code], words[code], other, topn)
                ]
                for other in codes
            },
        }
        for code, own in zip(codes, np.split(points, ends), strict=True)
    ]
    title = f"Words of {', '.join(codes)}" if title is None else title
    page = fill(__package__, "page.html", title=title, data={"title": title, "languages": entries})
    with staged(path) as (place,):
        place.write_text(page, encoding="utf-8", newline="\n")


def _framed(points: Points) -> Points:
    """Move and scale points to the square from -1 to 1, to four decimals."""
    low, high = points.min(axis=0), points.max(axis=0)
    reach = (high - low).max() / 2 or 1.0
    return np.asarray(((points - (low + high) / 2) / reach).round(4), np.float64)
