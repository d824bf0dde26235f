"""Which units make up the experiments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gensim_bilbowa.reproduction.systems import BILBOWA, PAPER, SYSTEMS, System
from gensim_bilbowa.reproduction.tasks import Experiment, Task
from gensim_bilbowa.reproduction.units import Unit

__all__ = ["CURVES", "DOCUMENTS", "Curve", "Plan", "available"]

# Sizes of the training set in the curve of document classification.
DOCUMENTS = (2, 5, 10, 20, 50, 100, 200, 500)

_QUICK_LINES = 2_000
_QUICK = {"vector_size": 20, "epochs": 5}


@dataclass(frozen=True)
class Curve:
    """A parameter whose values are compared by word translation.

    Attributes
    ----------
    parameter : str
        Of BilBOWA, or "pairs".
    title : str
    values : tuple
        None is the task's own value, or all pairs.
    system : System
    """

    parameter: str
    title: str
    values: tuple[Any, ...]
    system: System = BILBOWA


_WEIGHTS = (0.3, 1, 3, None, 10, 30)
_PAIRS = (300, 1_000, 3_000, 10_000, None)
CURVES = (
    Curve("xling_weight", "Weight lambda of the cross-lingual term", _WEIGHTS, PAPER),
    Curve("pairs", "Sentence pairs, beside all text", _PAIRS),
    Curve("pairs", "Sentence pairs, beside all text", _PAIRS, PAPER),
    Curve("vector_size", "Dimensions", (20, 40, None, 200, 300)),
    Curve("epochs", "Epochs", (1, 2, 5, 10, None, 40)),
)  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """What is to be done, and how often.

    Attributes
    ----------
    seeds : int
        Trainings of each system that depends on chance.
    workers : int
        Trainings at a time.
    quick : bool
        One training, of the first text of an experiment, cut short.
    """

    seeds: int = 3
    workers: int = 2
    quick: bool = False

    def tasks(self, tasks: Sequence[Task]) -> list[Task]:
        """Return what is done of the tasks of one experiment."""
        if not self.quick:
            return list(tasks)
        return [
            replace(
                task, lines=min(task.lines or _QUICK_LINES, _QUICK_LINES),
                parameters=replace(task.parameters, **_QUICK),
            )
            for task in tasks[:1]
        ]  # fmt: skip

    def units(self, task: Task, systems: Iterable[System] = SYSTEMS) -> list[Unit]:
        """Return the units of an experiment's main table."""
        seeds = 1 if self.quick else min(self.seeds, task.most_seeds or self.seeds)
        return [
            Unit(task, system, seed)
            for system in systems
            if system.rows(task.experiment) and system.name not in task.too_slow
            for seed in range(1, min(seeds, system.most_seeds or seeds) + 1)
        ]

    def point(self, task: Task, curve: Curve, value: Any) -> Unit:
        """Return the unit of a point of a curve, which has one training."""
        return Unit(task, curve.system, 1, () if value is None else ((curve.parameter, value),))

    def points(self, task: Task) -> Iterator[tuple[Curve, Any, Unit]]:
        """Yield the points of all curves by word translation."""
        for curve in CURVES:
            for value in curve.values[:2] if self.quick else curve.values:
                yield curve, value, self.point(task, curve, value)

    def learning(self, task: Task) -> Unit:
        """Return the unit of the curve over the number of documents."""
        return Unit(task, BILBOWA, 1, (("documents", DOCUMENTS),))


def available(
    tasks: Iterable[Task], folder: Path, experiment: Experiment, extra: bool
) -> tuple[list[Task], list[str]]:
    """Return the tasks of an experiment whose files are there, and what the others lack.

    Parameters
    ----------
    tasks : iterable of Task
    folder : path
        Of the data.
    experiment : {"translation", "classification"}
    extra : bool
        Whether to take those on demand, too.
    """
    found, left_out = [], []
    for task in tasks:
        if task.experiment != experiment or (task.extra and not extra):
            continue
        missing = task.missing(folder)
        if missing:
            left_out.append(f"{task.name}: {', '.join(missing)}")
        else:
            found.append(task)
    return found, left_out
