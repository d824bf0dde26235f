"""The paper's picture: words of two languages in one plane, each near its translation."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.lexicons import extract_lexicon
from gensim_bilbowa.parameters import check_number
from gensim_bilbowa.plotting.drawing import (
    WordGroup,
    check_room,
    draw_words,
    new_axes,
    projected,
    space_of,
)
from gensim_bilbowa.plotting.extra import plot_extra
from gensim_bilbowa.plotting.projection import Projection, check_projection
from gensim_bilbowa.vectors import CrossLingualKeyedVectors

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plot_subsampling", "plot_translations"]

logger = logging.getLogger(__name__)

Translations = Mapping[str, str | Iterable[str]]

_NAMES: dict[Projection, str] = {"tsne": "t-SNE", "pca": "PCA"}


@dataclass(frozen=True)
class _Pairs:
    """Words to draw: of the source language, with the translation of each, if there is one."""

    source: str
    target: str
    translations: dict[str, str | None]

    @property
    def words(self) -> dict[str, list[str]]:
        """The words of each language, each once."""
        targets = dict.fromkeys(t for t in self.translations.values() if t is not None)
        return {self.source: list(self.translations), self.target: list(targets)}


def plot_translations(
    vectors: Any,
    source: str | None = None,
    target: str | None = None,
    *,
    words: Iterable[str] | None = None,
    n: int = 60,
    dictionary: Translations | None = None,
    method: Projection = "tsne",
    seed: int = 1,
    ax: Axes | None = None,
    lines: bool = True,
) -> Axes:
    """Draw words of two languages in one plane, each joined to its translation.

    Parameters
    ----------
    vectors : CrossLingualVectors or BilBOWA
    source, target : str, optional
        Languages. Default: the first one, and the only other one.
    words : iterable of str, optional
        Words of the source language to draw. Those without a translation are drawn alone; the log
        says how many. Default: the first (most frequent) `n` that have one, letters in both.
    n : int
    dictionary : mapping from str to str or str iterables, optional
        Translations of source words; of several the most frequent one is drawn. Default: pairs of
        words that are each other's best translation by CSLS of these vectors, as
        :func:`~gensim_bilbowa.lexicons.extract_lexicon` finds them without refinement.
    method, seed
        The projection, see :func:`project`.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Default: a new figure, large enough for the words.
    lines : bool
        Whether to join the words to their translations.

    Returns
    -------
    matplotlib.axes.Axes
        Its figure is ``ax.figure``, to be saved by :func:`save_figure`.

    Raises
    ------
    ImportError
        If matplotlib or scikit-learn is not installed.
    UnknownWordError, UnknownLanguageError
        For a word or language that there are no vectors of.
    ConfigError
        If there is nothing to draw, or more than 2,000 labels, or a parameter cannot work.

    Examples
    --------
    >>> from gensim_bilbowa import BilBOWA
    >>> from gensim_bilbowa.datasets import SyntheticCorpus
    >>> pairs = {("en", "de"): SyntheticCorpus(1000, seed=1).pairs("en", "de")}
    >>> model = BilBOWA(parallel=pairs, vector_size=20, workers=1)
    >>> ax = plot_translations(model, "en", "de", n=10, method="pca")
    >>> ax.get_title()
    'en – de (PCA)'
    """
    space = space_of(vectors)
    check_projection(method, seed)
    pairs = _choose(space, source, target, words, n, dictionary)
    side = _side(len(pairs.translations))
    ax = new_axes(ax, (1.15 * side, side))
    title = f"{pairs.source} – {pairs.target} ({_NAMES[method]})"
    _draw(ax, projected(space, pairs.words, method, seed), pairs, title, lines=lines)
    return ax


def plot_subsampling(
    with_: Any,
    without: Any,
    source: str | None = None,
    target: str | None = None,
    *,
    words: Iterable[str] | None = None,
    n: int = 25,
    dictionary: Translations | None = None,
    method: Projection = "tsne",
    seed: int = 1,
    lines: bool = True,
) -> Figure:
    """Draw the same frequent words of two models, trained with and without parallel subsampling.

    After the figure in Gouws et al. (2015) on subsampling of the parallel text. Each panel's title
    has the mean cosine of all pairs of the words drawn, which no projection can distort: the
    higher, the closer these words lie together.

    Parameters
    ----------
    with_, without : CrossLingualVectors or BilBOWA
        Of the same text, for example of models trained with ``xling_sample=1e-3`` and with 0.
    source, target, words, n, dictionary, lines
        As for :func:`plot_translations`; translations by CSLS are those of `with_`.
    method, seed
        The projection of each model, see :func:`project`. With "pca" both panels have one scale.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ImportError
        If matplotlib or scikit-learn is not installed.
    UnknownWordError, UnknownLanguageError
        Also for a word that `without` does not have.
    ConfigError
        If there is nothing to draw, or more than 2,000 labels, or a parameter cannot work.
    """
    spaces = space_of(with_), space_of(without)
    check_projection(method, seed)
    pairs = _choose(spaces[0], source, target, words, n, dictionary)
    with plot_extra():
        from matplotlib.figure import Figure
    side = _side(len(pairs.translations))
    figure = Figure(figsize=(2.2 * side, 1.1 * side), layout="constrained")
    panels = [projected(space, pairs.words, method, seed) for space in spaces]
    limits = None
    if method == "pca":
        points = np.vstack([group.points for groups in panels for group in groups])
        limits = np.array([points.min(axis=0), points.max(axis=0)])
    names = "with parallel subsampling", "without"
    axes = figure.subplots(1, 2, subplot_kw={"xticks": [], "yticks": []})
    for ax, space, groups, name in zip(axes, spaces, panels, names, strict=True):
        title = f"{name} (mean cosine {_mean_cosine(space, pairs):.2f})"
        _draw(ax, groups, pairs, title, lines=lines, limits=limits)
    return figure


def _choose(
    space: Mapping[str, CrossLingualKeyedVectors], source: str | None, target: str | None,
    words: Iterable[str] | None, n: int, dictionary: Translations | None,
) -> _Pairs:  # fmt: skip
    check_number("n", n, whole=True, low=1)
    if isinstance(words, str):
        raise ConfigError(f"words must be a list of words, got the string {words!r}")
    if not space:
        raise ConfigError("there are no languages: the model has no vocabulary yet")
    ours = space[next(iter(space)) if source is None else source]
    theirs = ours.other_language(target)
    source, target = str(ours.language), str(theirs.language)
    if dictionary is None:
        # By the vectors as they are drawn: neither counts nor spelling are to be seen.
        found = extract_lexicon(space, source, target, method="csls", refine=False)
        known = {entry.source: entry.target for entry in found}
    else:
        known = _in_vocabulary(dictionary, theirs)
    chosen: dict[str, str | None]
    if words is None:
        # Points and commas translate each other well, and say nothing.
        having = [
            word
            for word in ours.index_to_key
            if word in known and _has_letter(word) and _has_letter(known[word])
        ]
        chosen = {word: known[word] for word in having[:n]}
    else:
        chosen = {word: known.get(word) for word in words}
        ours.queries(list(chosen))  # an unknown word is an error
        alone = sum(translation is None for translation in chosen.values())
        if alone:
            logger.warning(
                "%i of %i words of %r have no translation in %r to be joined to",
                alone, len(chosen), source, target,
            )  # fmt: skip
    if not chosen:
        raise ConfigError(
            f"no word of {source!r} has a translation in {target!r}, with letters, to draw"
            if words is None
            else "there are no words to draw: words is empty"
        )
    pairs = _Pairs(source, target, chosen)
    check_room(sum(map(len, pairs.words.values())))
    return pairs


def _has_letter(word: str) -> bool:
    return any(map(str.isalpha, word))


def _in_vocabulary(dictionary: Translations, theirs: CrossLingualKeyedVectors) -> dict[str, str]:
    """Return the most frequent translation of each word that has one with a vector."""
    known = {}
    for word, translations in dictionary.items():
        given = [translations] if isinstance(translations, str) else translations
        rows = [theirs.key_to_index[other] for other in given if other in theirs.key_to_index]
        if rows:
            known[word] = theirs.index_to_key[min(rows)]
    return known


def _mean_cosine(space: Mapping[str, CrossLingualKeyedVectors], pairs: _Pairs) -> float:
    rows = [row for code, words in pairs.words.items() for row in space[code].queries(words)]
    units = np.array(rows, np.float64)
    n = len(units)
    return float(((units @ units.T).sum() - (units**2).sum()) / max(n * (n - 1), 1))


def _draw(
    ax: Axes, groups: list[WordGroup], pairs: _Pairs, title: str, *, lines: bool,
    limits: Any = None,
) -> None:  # fmt: skip
    ours, theirs = (dict(zip(group.words, group.points, strict=True)) for group in groups)
    joined = [
        (ours[word], theirs[translation])
        for word, translation in pairs.translations.items()
        if translation is not None
    ]
    ends = np.array(joined).reshape(-1, 2, 2) if lines else None
    draw_words(ax, groups, title=title, joined=ends, limits=limits)


def _side(n: int) -> float:
    """Return the height in inches of a figure with room for `n` words and their translations."""
    return max(float(np.sqrt(n)), 5.0)
