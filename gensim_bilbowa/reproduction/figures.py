"""The paper's figure on subsampling, drawn from two trainings."""

from __future__ import annotations

from pathlib import Path

from gensim_bilbowa.plotting import plot_subsampling, save_figure
from gensim_bilbowa.plotting.extra import plot_extra
from gensim_bilbowa.reproduction.measures import Data
from gensim_bilbowa.reproduction.questions import Setting
from gensim_bilbowa.reproduction.systems import PAPER
from gensim_bilbowa.reproduction.tasks import Task

__all__ = ["draw_subsampling"]


def draw_subsampling(data: Data, task: Task, path: Path) -> None:
    """Draw the most frequent words of models with the default subsampling and without any.

    Raises
    ------
    ImportError
        If the extra "plot" is not installed.
    """
    with plot_extra():  # before the trainings, which would be in vain
        import matplotlib  # noqa: F401
        import sklearn  # noqa: F401

    settings = (
        Setting(data.text, task.parameters, seed=1, changes=changes)
        for changes in ({}, {"xling_sample": 0})
    )
    with_, without = map(PAPER.train, settings)
    save_figure(plot_subsampling(with_, without, *task.languages), path)
