"""Figures as files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.files.staging import staged
from gensim_bilbowa.plotting.drawing import root_figure
from gensim_bilbowa.plotting.extra import plot_extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["FIGURE_FORMATS", "figure_format", "save_figure"]

FIGURE_FORMATS = ("png", "svg")


def figure_format(path: str | os.PathLike[str]) -> str:
    """Return the format of a figure's file, by its suffix.

    Raises
    ------
    ConfigError
        If it is none of `FIGURE_FORMATS`.

    Examples
    --------
    >>> figure_format("map.SVG")
    'svg'
    """
    kind = Path(path).suffix.removeprefix(".").lower()
    if kind not in FIGURE_FORMATS:
        raise ConfigError(
            f"the name of a figure ends in .{' or .'.join(FIGURE_FORMATS)}, got {os.fspath(path)}"
        )
    return kind


def save_figure(figure: Figure | Axes, path: str | os.PathLike[str], *, dpi: float = 150) -> None:
    """Write a figure to a file, which is replaced when all is written.

    The same figure gives the same bytes, also as SVG, which is written without a date and without
    random names.

    Parameters
    ----------
    figure : matplotlib.figure.Figure or Axes
        The axes stand for their figure.
    path : str or path-like
        With the suffix .png or .svg.
    dpi : float
        Resolution of a PNG.

    Raises
    ------
    ConfigError
        If the suffix is another one.
    """
    kind = figure_format(path)
    with plot_extra():
        from matplotlib import rc_context
    metadata = {"Date": None} if kind == "svg" else {"Software": None}
    with staged(path) as (place,), rc_context({"svg.hashsalt": "gensim_bilbowa"}):
        root_figure(figure).savefig(place, format=kind, dpi=dpi, metadata=metadata)
