"""Units are run: each by one thread, so many at a time as there are to be processes."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from functools import lru_cache
from logging.handlers import QueueHandler
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from gensim_bilbowa.extras import needing
from gensim_bilbowa.reproduction.files import Stamp, stamps
from gensim_bilbowa.reproduction.measures import Data, run_unit
from gensim_bilbowa.reproduction.tasks import Task
from gensim_bilbowa.reproduction.units import Unit

__all__ = ["run_units"]

logger = logging.getLogger(__name__)

_PACKAGE = logging.getLogger("gensim_bilbowa")


def run_units(
    units: Iterable[Unit], folder: Path, texts: Path, workers: int
) -> Iterator[tuple[Unit, dict[str, Any]]]:
    """Yield units with their results, as each is done.

    A training has one thread, also in linear algebra: threads that wait for each other would take
    several times its CPU seconds on a machine that does other work, too; and the same seed gives
    the same vectors.

    Parameters
    ----------
    units : iterable of Unit
        Those of one task together: its text is read when the task changes.
    folder : path
        Of the data.
    texts : path
        Of what is made of several files of the data.
    workers : int
        Units run at a time, in processes; 1 runs them in this one.

    Raises
    ------
    ImportError
        If scikit-learn is not installed, with which joblib comes.
    """
    with needing("baselines", "the reproduction needs scikit-learn"):
        from joblib import Parallel, delayed
    # Processes of an earlier call are taken again, which may have another working folder.
    folder, texts = folder.absolute(), texts.absolute()
    run = Parallel(
        workers, batch_size=1, pre_dispatch=workers, return_as="generator_unordered"
    )(delayed(_run)(unit, folder, texts, workers > 1) for unit in units)  # fmt: skip
    for unit, result, records in run:
        for record in records:
            if logging.getLogger(record.name).isEnabledFor(record.levelno):
                logging.getLogger(record.name).handle(record)
        logger.info("%s: %.1f CPU seconds", unit.name, result["all_cpu_seconds"])
        yield unit, result


def _run(
    unit: Unit, folder: Path, texts: Path, apart: bool
) -> tuple[Unit, dict[str, Any], list[logging.LogRecord]]:
    """Run a unit; what it logs in another process is returned, too, to be logged in this one."""
    from threadpoolctl import threadpool_limits

    said: SimpleQueue[logging.LogRecord] = SimpleQueue()
    handler = QueueHandler(said)
    if apart:
        _PACKAGE.addHandler(handler)
        _PACKAGE.setLevel(logging.INFO)
    try:
        with threadpool_limits(1):
            marks = stamps(folder, unit.task.files)
            result = run_unit(unit, _data(folder, unit.task, texts, marks))
    finally:
        _PACKAGE.removeHandler(handler)
    return unit, result, [said.get() for _ in range(said.qsize())]


@lru_cache(maxsize=1)
def _data(folder: Path, task: Task, texts: Path, marks: tuple[Stamp, ...]) -> Data:
    """Read a task's files, unless they were read last."""
    return Data(folder, task, texts)
