"""Words at their points in a figure: dots in the colour of the language, and labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.model import BilBOWA
from gensim_bilbowa.plotting.extra import plot_extra
from gensim_bilbowa.plotting.fonts import Lettering, lettering
from gensim_bilbowa.plotting.labels import place_labels
from gensim_bilbowa.plotting.projection import Points, Projection, project
from gensim_bilbowa.vectors import CrossLingualKeyedVectors

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "COLOURS",
    "MARKERS",
    "WordGroup",
    "check_room",
    "draw_words",
    "new_axes",
    "projected",
    "root_figure",
    "space_of",
]

# Okabe and Ito's, which all kinds of sight tell apart, darkened so that text in them reads well
# on white; the markers differ, too.
COLOURS = ("#0063a3", "#b34700", "#00755a", "#a8407c", "#7a6200", "#3f6f8f", "#444444")
MARKERS = ("o", "^", "s", "D", "v", "P", "X")

_FONT_SIZE = 9.0
_POINTS_PER_INCH = 72
# Letters of a label; web addresses in a text have more.
_LONGEST = 40
_ELLIPSIS = "…"
# From here on, in points, a label is joined to its point by a line.
_FAR = 8.0
# More labels than that fill a figure of a square metre.
_MOST_LABELS = 2000


@dataclass(frozen=True)
class WordGroup:
    """Words of one language, and their points, shape (n_words, 2)."""

    language: str
    words: Sequence[str]
    points: Points


def space_of(vectors: Any) -> Mapping[str, CrossLingualKeyedVectors]:
    """Return the vectors by language, of a model or as given."""
    if isinstance(vectors, BilBOWA):
        return vectors.wv
    if not isinstance(vectors, Mapping):
        raise ConfigError(
            f"CrossLingualVectors, as model.wv, or a model are wanted, got {type(vectors).__name__}"
        )
    return vectors


def projected(
    space: Mapping[str, CrossLingualKeyedVectors], words: Mapping[str, Sequence[str]],
    method: Projection, seed: int,
) -> list[WordGroup]:  # fmt: skip
    """Return the words of each language with their points, projected all together."""
    vectors = [row for code, some in words.items() for row in space[code].queries(some)]
    points = project(np.array(vectors), method, seed=seed)
    ends = np.cumsum([len(some) for some in words.values()])[:-1]
    return list(map(WordGroup, words, words.values(), np.split(points, ends)))


def check_room(labels: int) -> None:
    """Refuse, before the work, to draw more labels than a figure has room for."""
    if labels > _MOST_LABELS:
        raise ConfigError(
            f"a figure has room for {_MOST_LABELS:,} labels, not for {labels:,}: draw fewer words, "
            "or write a page (.html)"
        )


def new_axes(ax: Axes | None, size: tuple[float, float]) -> Axes:
    """Return the given axes, or those of a new figure of `size` inches that pyplot knows not."""
    if ax is not None:
        return ax
    with plot_extra():
        from matplotlib.figure import Figure
    return Figure(figsize=size, layout="constrained").subplots()


def root_figure(part: Axes | Figure) -> Figure:
    """Return the whole figure that axes, maybe of a figure within it, or a figure belong to."""
    figure: Any = part.figure  # get_figure() tells them apart from matplotlib 3.10 on only
    root: Figure = figure.figure
    return root


def draw_words(
    ax: Axes, groups: Sequence[WordGroup], *, title: str, joined: Points | None = None,
    emphasise: bool = False, limits: Points | None = None,
) -> None:  # fmt: skip
    """Draw words as labelled dots, a colour and marker for each language.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    groups : sequence of WordGroup
        Labels are placed in the order of words, a word of each group in turn: the earlier, the
        nearer to its point.
    title : str
    joined : ndarray of float64, shape (n_lines, 2, 2), optional
        Ends of thin lines.
    emphasise : bool
        Draw the first word of the first group larger and bold.
    limits : ndarray of float64, shape (2, 2), optional
        Lowest and highest coordinates that must be shown. Default: those of the points.
    """
    with plot_extra():
        from matplotlib.collections import LineCollection
    letters = lettering([title, _ELLIPSIS, *(word for group in groups for word in group.words)])
    if joined is not None:
        lines = LineCollection(list(joined), colors="0.6", linewidths=0.8, zorder=1)
        ax.add_collection(lines, autolim=False)
    for group, colour, marker in _styled(groups):
        x, y = group.points.T
        ax.scatter(
            x, y, s=14, color=colour, marker=marker, linewidths=0, zorder=2, label=group.language
        )
    if emphasise:
        x, y = groups[0].points[0]
        ax.scatter(x, y, s=70, color=COLOURS[0], linewidths=0, zorder=2)
    ax.set(xticks=[], yticks=[])
    for spine in ax.spines.values():
        spine.set_color("0.8")
    ax.set_title(letters.shown(title), family=list(letters.families), parse_math=False)
    # Below the words, where it covers none.
    ax.legend(
        loc="upper left", bbox_to_anchor=(0, 0), borderaxespad=0.2, ncols=len(groups),
        frameon=False, handletextpad=0.1, columnspacing=1,
    )  # fmt: skip
    root_figure(ax).draw_without_rendering()  # lays it out: from here on the axes stay in place
    points = np.vstack([group.points for group in groups])
    low, high = (points.min(axis=0), points.max(axis=0)) if limits is None else limits
    _set_limits(ax, low, high)
    _draw_labels(ax, groups, letters, emphasise)


def _set_limits(ax: Axes, low: Points, high: Points) -> None:
    """Show at least these coordinates and room for labels, at one scale for both axes."""
    middle = (low + high) / 2
    # All points may be one, or on a line.
    reach = np.maximum(0.58 * (high - low), 1e-6)
    width, height = ax.get_window_extent().size
    scale = float(np.max(reach / (width, height)))
    ax.set_xlim(middle[0] - scale * width, middle[0] + scale * width)
    ax.set_ylim(middle[1] - scale * height, middle[1] + scale * height)


def _styled(groups: Sequence[WordGroup]) -> list[tuple[WordGroup, str, str]]:
    return [
        (group, COLOURS[i % len(COLOURS)], MARKERS[i % len(MARKERS)])
        for i, group in enumerate(groups)
    ]


def _shortened(word: str) -> str:
    return word if len(word) <= _LONGEST else word[: _LONGEST - 1] + _ELLIPSIS


def _draw_labels(
    ax: Axes, groups: Sequence[WordGroup], letters: Lettering, emphasise: bool
) -> None:
    from matplotlib.patheffects import withStroke

    labels = []
    for group, colour, _ in _styled(groups):
        for rank, (word, point) in enumerate(zip(group.words, group.points, strict=True)):
            strong = emphasise and group is groups[0] and rank == 0
            label = ax.annotate(
                letters.shown(_shortened(word)),
                xy=tuple(point), xytext=(0, 0), textcoords="offset points",
                ha="center", va="center", color=colour, zorder=4 if strong else 3,
                family=list(letters.families), parse_math=False, annotation_clip=True,
                fontsize=_FONT_SIZE * (1.5 if strong else 1), weight="bold" if strong else "normal",
                path_effects=[withStroke(linewidth=2, foreground="white", alpha=0.8)],
            )  # fmt: skip
            label.set_in_layout(False)
            labels.append((not strong, rank, label))
    labels.sort(key=lambda entry: entry[:2])
    _place(ax, [label for _, _, label in labels])


def _place(ax: Axes, labels: Sequence[Any]) -> None:
    """Move labels off one another, in units of a point, so that the resolution does not matter."""
    from matplotlib.backends.backend_agg import RendererAgg

    dpi = root_figure(ax).dpi
    unit = dpi / _POINTS_PER_INCH
    # One that measures text, for all: else each label makes, and keeps, one as large as the figure.
    renderer = RendererAgg(1, 1, dpi)  # type: ignore[no-untyped-call]
    anchors = ax.transData.transform([label.xy for label in labels]) / unit
    extents = [label.get_window_extent(renderer) for label in labels]
    sizes = np.array([(extent.width, extent.height) for extent in extents]) / unit
    left, bottom, right, top = np.array(ax.get_window_extent().extents) / unit
    centres = place_labels(anchors, sizes, (left, bottom, right, top))
    for label, anchor, centre, size in zip(labels, anchors, centres, sizes, strict=True):
        label.set_position(tuple(centre - anchor))
        edge = np.clip(0, *(centre - anchor + np.outer((-1, 1), size / 2)))
        if np.hypot(*edge) > _FAR:
            leader = ax.annotate(
                "", xy=label.xy, xytext=tuple(edge), textcoords="offset points", zorder=1,
                arrowprops={
                    "arrowstyle": "-", "color": label.get_color(), "linewidth": 0.5, "alpha": 0.6,
                    "shrinkA": 0, "shrinkB": 0,
                },
            )  # fmt: skip
            leader.set_in_layout(False)
