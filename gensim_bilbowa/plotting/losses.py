"""Curves of the losses that training reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.plotting.drawing import COLOURS, MARKERS
from gensim_bilbowa.plotting.extra import plot_extra

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gensim_bilbowa.model import BilBOWA

__all__ = ["plot_loss"]

# Of a long training only about so many epochs are marked on the curves.
_MARKS = 20


def plot_loss(model: BilBOWA) -> Figure:
    """Draw the losses of each epoch, and the learning rate.

    Parameters
    ----------
    model : BilBOWA
        Trained; also one that was saved and loaded, which has its ``loss_history``.

    Returns
    -------
    matplotlib.figure.Figure
        Three or four panels: the mean loss for each word by language, the mean squared distance of
        sentence means by pair of languages, the learning rate at the end of each epoch, and, where
        the history has them, the ``translations`` by pair of languages. Epochs are counted over all
        calls of ``train``; a language or pair that a call did not train has a gap there.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    ConfigError
        If the model was not trained.
    """
    history: list[dict[str, Any]] = getattr(model, "loss_history", [])
    if not history:
        raise ConfigError("there are no losses to draw: a trained model is wanted")
    with plot_extra():
        from matplotlib.figure import Figure
        from matplotlib.ticker import MaxNLocator
    panels = {
        "monolingual loss": _curves(history, "monolingual"),
        "cross-lingual loss": _curves(history, "crosslingual"),
        "learning rate": {"alpha": [entry["alpha"] for entry in history]},
    }
    if translations := _curves(history, "translations"):
        panels["words translated as in the text"] = translations
    figure = Figure(figsize=(3.7 * len(panels), 3.4), layout="constrained")
    epochs = range(1, len(history) + 1)
    for ax, (title, curves) in zip(figure.subplots(1, len(panels)), panels.items(), strict=True):
        for index, (name, values) in enumerate(curves.items()):
            ax.plot(
                epochs, values, label=name, color=COLOURS[index % len(COLOURS)],
                marker=MARKERS[index % len(MARKERS)], markersize=4, linewidth=1.5,
                markevery=max(1, len(history) // _MARKS),
            )  # fmt: skip
        ax.set_title(title)
        ax.set_xlabel("epoch")
        ax.set_xlim(0.5, len(history) + 0.5)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        ax.grid(alpha=0.25)
        ax.spines[["top", "right"]].set_visible(False)
        if curves and title != "learning rate":
            ax.legend(frameon=False)
    return figure


def _curves(history: list[dict[str, Any]], kind: str) -> dict[str, list[float]]:
    names = dict.fromkeys(name for entry in history for name in entry.get(kind, ()))
    return {
        name: [entry.get(kind, {}).get(name, float("nan")) for entry in history] for name in names
    }
