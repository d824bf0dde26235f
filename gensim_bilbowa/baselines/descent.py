"""Gradient descent in mini-batches, with a learning rate for each parameter (AdaGrad)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.errors import TrainingDivergedError

__all__ = ["AdaGrad", "batches", "check_loss"]

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


def check_loss(loss: float, epoch: int) -> None:
    """Refuse to go on from parameters that have left the range of finite numbers."""
    if not np.isfinite(loss):
        raise TrainingDivergedError(
            f"training diverged in epoch {epoch}: the loss is {loss}; lower rate"
        )
