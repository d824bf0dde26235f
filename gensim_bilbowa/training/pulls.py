"""Pulls: now and then all words move towards their translations, and their contexts too."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa.kernels import Matrix
from gensim_bilbowa.language import LanguageModel
from gensim_bilbowa.workers import StopFlag

__all__ = ["Pulls"]

# Runs parts of work, all of them, in whatever order.
RunAll: TypeAlias = Callable[[Sequence[Callable[[StopFlag], None]]], object]
Rows: TypeAlias = NDArray[np.float32]

# Words that are moved at once.
_WORDS = 2048


class Pulls:
    """Moves of words towards the means of their translations.

    With a_ij >= 0 how much word i of a language and word j of another are each other's
    translations, over the words j of all other languages, r_i the vector of word i and s_j that of
    word j::

        c_i = sum_j a_ij
        r_i += rate c_i / (c_i + damping) (sum_j a_ij s_j / c_i - r_i)

    for the words of all languages at once, from the vectors as they were; the same with the context
    vectors (``syn1neg``), at a rate of their own. Words with c = 0 stay.

    Parameters
    ----------
    languages : mapping from str to LanguageModel
        Whose arrays are laid out for training.
    weights : mapping from (str, str) to scipy.sparse.csr_array
        a of the words of the first language, shape (n_words, n_words of the second).
    rate, context_rate, damping : float
    frozen : container of str
        Languages that stay as they are.
    """

    def __init__(
        self,
        languages: Mapping[str, LanguageModel],
        weights: Mapping[tuple[str, str], Any],
        *,
        rate: float,
        context_rate: float,
        damping: float,
        frozen: Container[str] = (),
    ) -> None:
        self._languages = languages
        self._rates = rate, context_rate
        self._parts: list[_Part] = []
        for code in languages:
            partners = {other: matrix for (one, other), matrix in weights.items() if one == code}
            if partners and code not in frozen:
                self._parts += _parts_of(code, partners, damping)

    def pull(self, run_all: RunAll) -> None:
        """Move the words of all languages once.

        Parameters
        ----------
        run_all : callable
            Calls all of a list of callables, in threads or not.
        """
        rate, context_rate = self._rates
        vectors = {code: _table(model.wv.vectors) for code, model in self._languages.items()}
        self._move(run_all, rate, vectors, "move_vectors")
        models = self._languages.values()
        if all(getattr(model, "syn1neg", None) is not None for model in models):
            contexts = {code: _table(model.syn1neg) for code, model in self._languages.items()}
            self._move(run_all, context_rate, contexts, "move_contexts")

    def _move(self, run_all: RunAll, rate: float, tables: Mapping[str, Rows], method: str) -> None:
        if not rate:
            return
        moves: dict[int, Rows] = {}

        def find(number: int) -> Callable[[StopFlag], None]:
            def work(stop: StopFlag) -> None:
                moves[number] = self._parts[number].moves(tables, rate)

            return work

        run_all([find(number) for number in range(len(self._parts))])
        for code, model in self._languages.items():
            mine = [number for number, part in enumerate(self._parts) if part.language == code]
            if mine:
                getattr(model, method)(
                    np.concatenate([self._parts[number].words for number in mine]),
                    np.concatenate([moves.pop(number) for number in mine]),
                )  # fmt: skip


@dataclass(frozen=True)
class _Part:
    """Some words of a language: their translations' shares in each other language, and strength."""

    language: str
    words: NDArray[np.int64]
    strength: NDArray[np.float32]
    shares: Mapping[str, Any]

    def moves(self, tables: Mapping[str, Rows], rate: float) -> Rows:
        """Return how far each word moves, shape (n_words, vector_size) or wider, with padding."""
        own = tables[self.language][self.words]
        found = np.negative(own)
        for code, shares in self.shares.items():
            means = shares @ tables[code]
            # One may have padding that the other has not.
            width = min(means.shape[1], found.shape[1])
            found[:, :width] += means[:, :width]
        found *= np.float32(rate) * self.strength[:, None]
        return found


def _parts_of(code: str, partners: Mapping[str, Any], damping: float) -> list[_Part]:
    totals = np.asarray(sum(matrix.sum(axis=1, dtype=np.float64) for matrix in partners.values()))
    words = np.flatnonzero(totals > 0)
    parts = []
    for start in range(0, len(words), _WORDS):
        some = words[start : start + _WORDS]
        total = totals[some]
        divide = sparse.diags_array(1 / total)
        shares = {
            other: sparse.csr_array(divide @ matrix[some]).astype(np.float32)
            for other, matrix in partners.items()
        }
        strength = (total / (total + damping)).astype(np.float32)
        parts.append(_Part(code, some, strength, shares))
    return parts


def _table(array: Rows) -> Rows:
    """Return the rows in one piece, with their padding if they have one."""
    matrix = Matrix.of(array)
    return array if matrix is None or not matrix.padded else matrix.whole
