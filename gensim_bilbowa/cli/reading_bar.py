"""A bar on standard error while files are read."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
from tqdm.auto import tqdm

from gensim_bilbowa.corpora.watching import Reading, watch_readings

__all__ = ["ReadingBar", "show_reading"]

# Seconds; what is read in less needs no bar.
_DELAY = 0.3


def show_reading() -> None:
    """Show a bar until the running command ends, if standard error is a terminal."""
    if sys.stderr.isatty():
        click.get_current_context().with_resource(ReadingBar())


class ReadingBar:
    """Within its context, a tqdm bar over the bytes of files read, with rate and remaining time.

    Files that are open at once, the sides of parallel text, have one bar, and so have those of a
    batch; it goes when all of them are read. Without the size of each, as of a pipe, it shows the
    count and the rate.

    Parameters
    ----------
    **options
        Passed on to tqdm.
    """

    def __init__(self, **options: Any) -> None:
        defaults = {"unit": "B", "unit_scale": True, "unit_divisor": 1024, "delay": _DELAY}
        self._options = defaults | {"leave": False} | options
        self._readings: list[Reading] = []
        self._bar: Any = None
        self._watch = ExitStack()

    def __enter__(self) -> ReadingBar:
        self._watch.enter_context(watch_readings(self._show))
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._watch.close()
        self._close()

    def _show(self, reading: Reading) -> None:
        if reading not in self._readings:
            if reading.ended:  # an interrupted one, closed after the bar
                return
            if self._readings and self._readings[0].batch is not reading.batch:
                self._close()
            self._readings.append(reading)
            self._describe()
        self._bar.update(sum(each.done for each in self._readings) - self._bar.n)
        whole = reading.batch.files if reading.batch is not None else 0
        if len(self._readings) >= whole and all(each.ended for each in self._readings):
            self._close()

    def _describe(self) -> None:
        batch = self._readings[0].batch
        several = len(self._readings)
        if batch is not None:
            what, total = f"{several} of {batch.files} files", batch.size
        else:
            what = f"{several} files" if several > 1 else Path(self._readings[0].path).name
            sizes = [each.size for each in self._readings if each.size is not None]
            total = sum(sizes) if len(sizes) == several else None
        if self._bar is None:
            self._bar = tqdm(desc=f"reading {what}", total=total, **self._options)
        else:
            self._bar.total = total
            self._bar.set_description(f"reading {what}", refresh=False)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        self._readings, self._bar = [], None
