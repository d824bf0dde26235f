"""Gradient descent in mini-batches, with a learning rate for each parameter (AdaGrad)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.errors import TrainingDivergedError

__all__ = ["AdaGrad", "batches", "run_epoch"]

logger = logging.getLogger(__name__)

# The sum of squares that each parameter begins with, so that the first steps are no jumps.
_START = 1e-8


class AdaGrad:
    """Updates a matrix, or some rows of it, in place (Duchi et al. 2011).

    A parameter's step is ``-rate * g / sqrt(sum of g^2 over all updates)``.

    Parameters
    ----------
    parameters : ndarray of float32, shape (n, ...)
    rate : float
    """

    def __init__(self, parameters: NDArray[np.float32], rate: float) -> None:
        self._parameters = parameters
        self._rate = np.float32(rate)
        self._squares = np.full(parameters.shape, _START, np.float32)

    def step(self, gradient: NDArray[np.float32], rows: Any = ...) -> None:
        """Go down a gradient.

        Parameters
        ----------
        gradient : ndarray of float32
            Of the rows.
        rows : ndarray of int, optional
            Each at most once; default: all.
        """
        squares = self._squares[rows]
        squares += gradient * gradient
        self._squares[rows] = squares
        steps = np.sqrt(squares)
        np.divide(gradient, steps, out=steps)
        steps *= self._rate
        self._parameters[rows] -= steps


def batches(n: int, size: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Yield the numbers below n in a new order, in batches of at least 2 and about `size`."""
    order = rng.permutation(n)
    yield from np.array_split(order, max(1, min(n // size, n // 2)))


def run_epoch(
    epoch: int, sides: Sequence[Any], step: Callable[[list[Any]], float], *, size: int,
    rng: np.random.Generator, unit: str,
) -> None:  # fmt: skip
    """Go a step for each batch of rows, and log the mean loss.

    Parameters
    ----------
    epoch : int
        From 1.
    sides : sequence of matrices, shape (n, ...) each
        What is learned from: row i of the one belongs to row i of the others.
    step : callable
        Learns from some rows of each side, and returns the sum of their losses.
    size : int
        About so many rows are a batch.
    rng : Generator
    unit : str
        What a row is, in the log.

    Raises
    ------
    TrainingDivergedError
        If the loss is no longer a finite number.
    """
    n = sides[0].shape[0]
    loss = 0.0
    for batch in batches(n, size, rng):
        loss += step([side[batch] for side in sides])
    if not np.isfinite(loss):
        raise TrainingDivergedError(
            f"training diverged in epoch {epoch}: the loss is {loss}; lower rate"
        )
    logger.info("epoch %i: mean loss of a %s %.4g", epoch, unit, loss / n)
