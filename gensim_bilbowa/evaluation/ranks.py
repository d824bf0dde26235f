"""Questions with ranked answers: precision at k, and the mean reciprocal rank."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.evaluation.intervals import Interval, bootstrap
from gensim_bilbowa.parameters import check_number

__all__ = ["MRR_DEPTH", "RankedScore", "checked_places", "first_right"]

# A right answer further down counts as none in the mean reciprocal rank. Systems give lists of any
# length, and what comes after the tenth answer adds at most 0.1 to a question's 1.
MRR_DEPTH = 10


def checked_places(precision_at: Iterable[int]) -> tuple[int, ...]:
    """Return the k of P@k, in the order given."""
    places = tuple(int(check_number("precision_at", k, whole=True, low=1)) for k in precision_at)
    if not places:
        raise ConfigError("precision_at must be at least one number of answers, got none")
    return places


def first_right(
    answers: Iterable[Sequence[Any]], right: Iterable[Container[Any]]
) -> NDArray[np.float64]:
    """Find the place of the first right answer to each question.

    Parameters
    ----------
    answers : iterable of sequence
        Best first.
    right : iterable of container
        The right answers to each question.

    Returns
    -------
    ndarray of float64, shape (n_questions,)
        From 1; infinity where there is none.
    """
    places = (
        next((place for place, answer in enumerate(given, start=1) if answer in wanted), np.inf)
        for given, wanted in zip(answers, right, strict=True)
    )
    return np.fromiter(places, np.float64)


@dataclass(frozen=True, eq=False, repr=False)
class RankedScore:
    """How far up the first right answers are.

    Attributes
    ----------
    ranks : ndarray of float64, shape (n_questions,)
        Place of the first right answer to each question, from 1; infinity where none was found.
    precision_at : tuple of int
        The k of P@k.
    """

    ranks: NDArray[np.float64]
    precision_at: tuple[int, ...]

    @property
    def precision(self) -> dict[int, float]:
        """For each k the share of questions with a right answer among the first k."""
        return {k: float(self._per_question(k).mean()) for k in self.precision_at}

    @property
    def mrr(self) -> float:
        """Mean of 1 / rank of the first right answer, 0 where that is beyond rank 10."""
        return float(self._per_question("mrr").mean())

    def interval(
        self, of: int | Literal["mrr"] = 1, *, level: float = 0.95, resamples: int = 1000,
        seed: int = 0,
    ) -> Interval:  # fmt: skip
        """Confidence interval of P@k or the MRR, by percentile bootstrap over the questions.

        Parameters
        ----------
        of : int or "mrr"
            The k of P@k, one of `precision_at`, or the mean reciprocal rank.
        level : float
            Confidence, 0 to 1.
        resamples : int
        seed : int

        Returns
        -------
        Interval
            ``(low, high)``, from 0 to 1.

        Raises
        ------
        ConfigError
            If this k is not in `precision_at`, or only one question was asked.
        """
        return bootstrap(
            np.mean, self._per_question(of), level=level, resamples=resamples, seed=seed
        )

    def _per_question(self, of: int | Literal["mrr"]) -> NDArray[np.float64]:
        if of == "mrr":
            return np.where(self.ranks <= MRR_DEPTH, 1 / self.ranks, 0)
        if of not in self.precision_at:
            raise ConfigError(
                f"P@k is known for k in {self.precision_at}, not for {of!r}: pass precision_at="
            )
        return (self.ranks <= of).astype(np.float64)

    def _facts(self) -> dict[str, Any]:
        return {f"P@{k}": share for k, share in self.precision.items()} | {"MRR": self.mrr}

    def __repr__(self) -> str:
        facts = ", ".join(
            f"{name}: {value:.3f}" if isinstance(value, float) else f"{name}: {value:,}"
            for name, value in self._facts().items()
        )
        return f"{type(self).__name__}<{facts}>"
