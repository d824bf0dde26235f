"""How far a measure may be off by the luck of the questions: bootstrap confidence intervals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.parameters import check_number

__all__ = ["Interval", "bootstrap"]

# Numbers that are drawn at once.
_BATCH = 1 << 22


class Interval(NamedTuple):
    """Two ends of a confidence interval, in the unit of what is measured."""

    low: float
    high: float


def bootstrap(
    statistic: Callable[..., Any],
    *samples: NDArray[np.float64],
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Interval:
    """Compute a percentile bootstrap interval (Efron 1979).

    Parameters
    ----------
    statistic : callable (*samples, axis)
        Of one array or several, along an axis.
    *samples : ndarray, shape (n,)
        Drawn together, with replacement: the numbers of one question stay together.
    level : float
        Share of the resamples that lie within; half of the others lie below, half above.
    resamples : int
    seed : int
        The same seed gives the same interval.

    Raises
    ------
    ConfigError
        If there are fewer than two questions, which tell nothing about the others.
    """
    check_number("level", level, whole=False, low=0, high=1)
    check_number("resamples", resamples, whole=True, low=1)
    check_number("seed", seed, whole=True)
    n = len(samples[0])
    if n < 2:
        raise ConfigError(f"an interval needs at least two questions, there is {n}")
    from scipy.stats import bootstrap as resample  # slow to import

    found = resample(
        samples, statistic, paired=True, vectorized=True, method="percentile",
        n_resamples=int(resamples), batch=max(1, _BATCH // n), confidence_level=float(level),
        random_state=np.random.default_rng(int(seed)),
    ).confidence_interval  # fmt: skip
    return Interval(float(found.low), float(found.high))
