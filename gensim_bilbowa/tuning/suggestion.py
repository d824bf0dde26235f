"""What was tried, what came of it, and what to train with."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.evaluation import Interval
from gensim_bilbowa.files.staging import staged
from gensim_bilbowa.parameters import LOCAL_PARAMETERS

__all__ = ["CRITERIA", "Criterion", "Suggestion", "Trial"]

Criterion: TypeAlias = Literal["words", "sentences"]
_LOCAL = {*LOCAL_PARAMETERS, "workers"}
CRITERIA: tuple[Criterion, ...] = get_args(Criterion)


def shown(value: Any) -> str:
    """Write the value of a parameter, 3 for 3.0."""
    return f"{value:g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True, eq=False)
class Trial:
    """A training with some setting, and how well it did.

    Attributes
    ----------
    parameters : dict from str to value
        The parameters that are searched over, all of them.
    scores : ndarray of float64, shape (n_questions,)
        For each word or sentence asked 1 / rank of the right answer, 0 beyond the tenth.
    gain : Interval or None
        Confidence interval of the mean by which the scores are above those of the best setting
        before; None for the first trial.
    seconds : float
        Time that the training took.
    """

    parameters: dict[str, Any]
    scores: NDArray[np.float64]
    gain: Interval | None
    seconds: float

    @property
    def score(self) -> float:
        """Mean of the scores: the mean reciprocal rank."""
        return float(self.scores.mean())

    @property
    def better(self) -> bool:
        """Whether it is better than the best before by more than the luck of the questions."""
        return self.gain is None or self.gain.low > 0

    def cells(self) -> list[str]:
        """Return it as a row of a table: parameters, score, gain, better, seconds."""
        gain = "-" if self.gain is None else "{:+.3f} to {:+.3f}".format(*self.gain)
        values = map(shown, self.parameters.values())
        better = "yes" if self.better else "no"
        return [*values, f"{self.score:.3f}", gain, better, f"{self.seconds:.1f}"]

    def to_dict(self) -> dict[str, Any]:
        """Return what can be written as JSON."""
        return {
            "parameters": self.parameters, "score": self.score,
            "gain": None if self.gain is None else list(self.gain), "better": self.better,
            "seconds": self.seconds,
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class Suggestion:
    """Result of :func:`suggest`.

    Attributes
    ----------
    criterion : {"words", "sentences"}
        What the trials were judged by.
    given : dict from str to value
        Parameters that the caller gave, other than those that were searched over.
    trials : list of Trial
        In the order in which they were made, the defaults first.
    finished : bool
        Whether the search came to its end: no step from the best setting is better. Otherwise
        time or trials ran out.
    """

    criterion: Criterion
    given: dict[str, Any]
    trials: list[Trial]
    finished: bool

    @property
    def best(self) -> Trial:
        """The last trial that was better than what had been best before; else the first one."""
        return [trial for trial in self.trials if trial.better][-1]

    @property
    def parameters(self) -> dict[str, Any]:
        """The best setting, for ``BilBOWA(..., **suggestion.parameters)``."""
        return {**self.given, **self.best.parameters}

    @property
    def questions(self) -> int:
        """Words or sentences asked."""
        return len(self.trials[0].scores)

    def table(self) -> str:
        """Return the trials as a table in Markdown."""
        names = list(self.trials[0].parameters)
        rows = [[*names, "score", "gain", "better", "seconds"]]
        rows += [trial.cells() for trial in self.trials]
        rows.insert(1, ["---"] * len(rows[0]))
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)

    def to_dict(self) -> dict[str, Any]:
        """Return what can be written as JSON, without what is of this machine alone."""
        return {
            "parameters": {
                name: value
                for name, value in self.parameters.items()
                if name not in _LOCAL
            },
            "criterion": self.criterion, "questions": self.questions, "finished": self.finished,
            "trials": [trial.to_dict() for trial in self.trials],
        }  # fmt: skip

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write :meth:`to_dict` as a JSON file, which ``bilbowa train --parameters`` reads."""
        text = json.dumps(self.to_dict(), ensure_ascii=False, indent=1) + "\n"
        with staged(path) as (place,):
            place.write_text(text, encoding="utf-8", newline="\n")

    def __repr__(self) -> str:
        inner = ", ".join(f"{name}={value!r}" for name, value in self.best.parameters.items())
        return f"Suggestion<{inner}; {self.criterion}: {self.best.score:.3f}>"
