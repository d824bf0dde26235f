"""Evidence of several kinds for the translations between two languages, as one score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.evidence.cooccurrence import Cooccurrence
from gensim_bilbowa.evidence.spelling import Spelling

__all__ = ["ALIGNMENT_WEIGHT", "LLR_WEIGHT", "SPELLING_WEIGHT", "Evidence"]

# What a unit of log(1 + LLR), a sure alignment and spelling that is the same are worth in CSLS: by
# measurement on English with German, French and Czech.
LLR_WEIGHT = 0.1
ALIGNMENT_WEIGHT = 0.6
SPELLING_WEIGHT = 0.7


@dataclass(frozen=True)
class Evidence:
    """What tells of translations beside vectors.

    Attributes
    ----------
    counts : Cooccurrence, optional
        Of the two vocabularies in sentence pairs.
    spelling : Spelling, optional
        Of the same.
    weight : float
        Of the spelling.
    """

    counts: Cooccurrence | None = None
    spelling: Spelling | None = None
    weight: float = SPELLING_WEIGHT

    def turned(self) -> Evidence:
        """Return the same with the languages in the other order."""
        return Evidence(
            self.counts and self.counts.turned(), self.spelling and self.spelling.turned(),
            self.weight,
        )  # fmt: skip

    def among(self, words: NDArray[np.int64], targets: NDArray[np.int64]) -> Evidence:
        """Return that of some words of each language, in the order given."""
        return Evidence(
            self.counts and self.counts.among(words, targets),
            self.spelling and self.spelling.among(words, targets), self.weight,
        )  # fmt: skip

    def add_to(self, scores: NDArray[np.float32], words: slice) -> None:
        """Add the evidence to the CSLS of some words with all words of the other language.

        It is ``0.1 log(1 + LLR) + 0.6 alignment + weight * likeness``.

        Parameters
        ----------
        scores : ndarray of float32, shape (n_words, n_targets)
            Changed in place.
        words : slice
        """
        if self.counts is not None:
            _add(scores, LLR_WEIGHT * self.counts.llr(words).log1p())
            _add(scores, ALIGNMENT_WEIGHT * self.counts.alignment(words))
        if self.spelling is not None:
            _add(scores, self.weight * self.spelling.likeness(words))


def _add(scores: NDArray[np.float32], more: Any) -> None:
    more = more.tocoo()
    rows, columns = more.coords
    scores[rows, columns] += more.data
