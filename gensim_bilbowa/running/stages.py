"""How far work is that takes seconds: told by what does it, shown as a bar on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from tqdm.auto import tqdm

__all__ = ["Report", "adding", "stage", "step_of", "unreported"]

# Called with how much is done by now: of parts from 0 to 1, of other things their number.
Report: TypeAlias = Callable[[float], object]

# Seconds; what is done in less needs no bar.
_DELAY = 0.3
_IN_PARTS = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}"


def unreported(done: float) -> None:
    """Tell nobody."""


@contextmanager
def stage(name: str, *, shown: bool, total: float | None = 1.0, unit: str = "") -> Iterator[Report]:
    """Show a bar on standard error until a stage of the work ends; then it goes.

    Parameters
    ----------
    name : str
        What is done, as "alignment".
    shown : bool
        Whether there is a bar at all; who calls knows if there is a terminal, and if it is to be
        quiet.
    total : float or None
        What is reported at the end: 1 of parts, else a number of `unit`; None if it is not known.
    unit : str
        What is counted, after a space: " words". Without, parts of the whole are reported.

    Yields
    ------
    callable
        To be called with how much is done by now; less than before changes nothing. The end need
        not be reported.

    Examples
    --------
    >>> with stage("alignment", shown=False) as report:
    ...     report(0.5)
    """
    if not shown:  # else tqdm begins a thread
        yield unreported
        return
    look: dict[str, Any] = {"unit": unit} if unit else {"bar_format": _IN_PARTS}
    with tqdm(total=total, desc=name, delay=_DELAY, leave=False, **look) as bar:

        def report(done: float) -> None:
            if done > bar.n:
                bar.update(done - bar.n)

        yield report
        if total is not None:
            report(total)


def step_of(report: Report, step: int, steps: int) -> Report:
    """Return what takes the parts of one of several steps of the same length, numbered from 0."""
    return lambda part: report((step + part) / steps)


def adding(report: Report) -> Callable[[float], None]:
    """Return what takes how much more is done, and reports how much it is by now."""
    done: float = 0  # stays whole if what is added is

    def add(more: float) -> None:
        nonlocal done
        done += more
        report(done)

    return add
