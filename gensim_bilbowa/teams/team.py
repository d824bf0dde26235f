"""What a training asks of the processes that share it; by itself, a team of one."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.parameters import check_number

__all__ = ["Show", "Team", "others_are_silent", "working_together"]

Value = TypeVar("Value")
Blocks = NDArray[Any]
# Tells people of an error that ends a team; returns the exit code.
Show = Callable[[BaseException], int]

# Of a run, for each rank.
_MERGES = 20
_LOGGERS = ("gensim_bilbowa", "gensim")


class Team:
    """Ranks that train one model together: this one is of a single rank, which is alone.

    Every rank makes the same calls with the same arguments, in the same order; where they are
    collective, all ranks must come to them.

    Parameters
    ----------
    merges : int or None
        How often in a run the ranks' vectors are merged; None for 20 for each rank. They are also
        merged at the end of an epoch, and before words are pulled towards their translations.
    bf16 : bool
        Whether changes of vectors are sent as bfloat16, of 16 bits, in place of float32.
    owners : bool or None
        Whether languages belong to ranks, each of which alone trains its languages' text and
        pairs, so that only languages that several ranks share are merged; None for where that
        sends less, and no rank gets much more work than the others.

    Attributes
    ----------
    rank, size : int
        This rank, from 0, and how many there are.
    """

    rank = 0
    size = 1

    def __init__(
        self, *, merges: int | None = None, bf16: bool = False, owners: bool | None = None
    ) -> None:
        if merges is not None:
            check_number("merges", merges, whole=True, low=1)
        for name, value in (("bf16", bf16), ("owners", owners)):
            if not isinstance(value, bool | np.bool_) and not (name == "owners" and value is None):
                raise ConfigError(f"{name} must be True or False, got {value!r}")
        self._merges = merges
        self.bf16 = bool(bf16)
        self.owners = owners

    @property
    def merges(self) -> int:
        """How often in a run the ranks' vectors are merged."""
        return _MERGES * self.size if self._merges is None else self._merges

    def wait(self) -> None:
        """Return once all ranks have come here."""

    def gather(self, value: Value) -> list[Value]:
        """Return what each rank has given, in the order of the ranks; small things, copied."""
        return [value]

    def broadcast(self, value: Value, source: int = 0) -> Value:
        """Return what one rank has given."""
        return value

    def exchange(self, blocks: Blocks, received: Blocks) -> None:
        """Send block k to rank k, and receive one of each.

        Parameters
        ----------
        blocks, received : ndarray, shape (size, n)
            In one piece of memory each, not the same.
        """
        received[...] = blocks

    def collect(self, block: Blocks, blocks: Blocks) -> None:
        """Receive a block of each rank.

        Parameters
        ----------
        block : ndarray, shape (n,)
        blocks : ndarray, shape (size, n)
        """
        blocks[0] = block

    def spread(self, array: Blocks, source: int) -> None:
        """Overwrite an array with that of one rank."""

    @contextmanager
    def together(self, show: Show | None = None) -> Iterator[None]:
        """End all ranks should one of them fail in the block, where that is possible.

        The error of one of them is shown. The outermost of several such blocks counts.

        Parameters
        ----------
        show : callable, optional
            By default the traceback is shown.
        """
        yield


@contextmanager
def working_together(team: Team | None) -> Iterator[Team]:
    """Yield a user's team, or one of a single rank; it ends if one of its ranks fails."""
    team = team or Team()
    with team.together():
        yield team


@contextmanager
def others_are_silent(silent: Callable[[], bool]) -> Iterator[None]:
    """Keep what is logged below errors to one rank.

    Parameters
    ----------
    silent : callable
        Says whether this is another one.
    """

    def speaks(record: logging.LogRecord) -> bool:
        return record.levelno >= logging.ERROR or not silent()

    # On each of them, since a logger does not ask its parents' filters.
    names = [n for n in logging.Logger.manager.loggerDict if n.partition(".")[0] in _LOGGERS]
    loggers = [logging.getLogger(name) for name in names]
    for logger in loggers:
        logger.addFilter(speaks)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(speaks)
