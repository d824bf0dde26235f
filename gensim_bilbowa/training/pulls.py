"""Pulls: now and then all words move towards their translations, and their contexts too."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa.kernels import Matrix
from gensim_bilbowa.modelling.language import LanguageModel
from gensim_bilbowa.running.workers import StopFlag

__all__ = ["Pulls", "RunAll"]

# Runs parts of work, all of them, in whatever order.
RunAll: TypeAlias = Callable[[Sequence[Callable[[StopFlag], None]]], object]
Rows: TypeAlias = NDArray[np.float32]

# Words that are moved at once.
_WORDS = 2048
# Of a word's translations, those of a smaller part of the first one's weight are left out: most of
# them, and little in all.
_LEAST = 0.01
# Exponent of the damping by the translations' own counts.
_RELATIVE = 0.7
# Weight of staying as it is when a language turns, in the mean (of squares) of singular values.
_STAY = 0.01


class Pulls:
    """Moves of words towards the means of their translations.

    With a_ij >= 0 how much word j of another language is a translation of word i, over the words j
    of all other languages, r_i the vector of word i and s_j that of word j::

        c_i = sum_j a_ij
        d_i = damping sum_j a_ij m_j^0.7 / c_i
        r_i += rate c_i / (c_i + d_i) (sum_j a_ij s_j / c_i - r_i)

    with m_j the largest a_jk of word j, over the words k of the language of i; what is less than a
    hundredth of a word's largest a_ij is taken for none; for the words of all
    languages at once, from the vectors as they were; the same with the context vectors
    (``syn1neg``), at a rate of their own. Words with c = 0 stay. What is damped is a word
    of which less is known than of its translations: rare forms would all end up where the frequent
    word is that they are translated by.

    Early in a run whole languages turn, too, one after the other, each to where its words are
    nearest to their translations: by the rotation Q that makes ``sum_i c_i / (c_i + d_i)
    || r_i Q - sum_j a_ij s_j / c_i ||^2`` least (Schönemann 1966). Turned with their contexts,
    vectors say the same of their own language as before, and words that no sentence pair has come
    along with the others. Languages that were trained before stay, and new ones turn to them.
    Languages with lock factors do not turn, nor does any at a rate of 0.

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
        self._parts: dict[str, list[_Part]] = {}
        weights = {codes: _without_small(matrix) for codes, matrix in weights.items()}
        for code in languages:
            partners = {other: matrix for (one, other), matrix in weights.items() if one == code}
            if partners and code not in frozen:
                dampings = {
                    other: damping * _largest(weights[other, code]) ** _RELATIVE
                    for other in partners
                }
                self._parts[code] = _parts_of(code, partners, dampings)

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

    def turn(self) -> list[tuple[str, Rows]]:
        """Turn each language towards the others, one after the other.

        Returns
        -------
        list of (str, ndarray of float32, shape (vector_size, vector_size))
            The languages that turned, and by what.
        """
        turned = []
        for code, parts in self._parts.items():
            model = self._languages[code]
            if not self._rates[0] or model.locked or model.train_count:
                continue
            rotation = self._rotation(code, parts)
            model.turn(rotation)
            turned.append((code, rotation))
        return turned

    def _rotation(self, code: str, parts: Sequence[_Part]) -> Rows:
        """Return what turns a language to where its words are nearest to their translations."""
        size = self._languages[code].vector_size
        covariance = np.zeros((size, size))
        tables = {other: _table(model.wv.vectors) for other, model in self._languages.items()}
        for part in parts:
            own, means = tables[code][part.words], part.means(tables, size)
            covariance += own[:, :size].T @ means
        # What few words say nothing of stays as it is.
        covariance[np.diag_indices(size)] += _STAY * np.linalg.norm(covariance) / np.sqrt(size)
        left, _, right = np.linalg.svd(covariance)
        return np.asarray(left @ right, np.float32)

    def _move(self, run_all: RunAll, rate: float, tables: Mapping[str, Rows], method: str) -> None:
        if not rate:
            return
        width = min(table.shape[1] for table in tables.values())
        moves = {
            code: np.empty((sum(len(part.words) for part in parts), width), np.float32)
            for code, parts in self._parts.items()
        }

        def find(part: _Part, out: Rows) -> Callable[[StopFlag], None]:
            return lambda stop: part.find_moves(tables, rate, out)

        run_all([
            find(part, moves[code][part.first : part.first + len(part.words)])
            for code, parts in self._parts.items() for part in parts
        ])  # fmt: skip
        for code, parts in self._parts.items():
            words = np.concatenate([part.words for part in parts])
            getattr(self._languages[code], method)(words, moves.pop(code))


@dataclass(frozen=True)
class _Part:
    """Some words of a language.

    Attributes
    ----------
    language : str
    first : int
        Place of the first among the language's words that have translations.
    words : ndarray of int64, shape (n_words,)
    strength : ndarray of float32, shape (n_words, 1)
        c / (c + d).
    shares : mapping from str to scipy.sparse.csr_array, shape (n_words, n_words of the other)
        a / c of each other language, times the strength.
    """

    language: str
    first: int
    words: NDArray[np.int64]
    strength: NDArray[np.float32]
    shares: Mapping[str, Any]

    def find_moves(self, tables: Mapping[str, Rows], rate: float, out: Rows) -> None:
        """Write how far each word moves, to n_words rows of `vector_size` or more, with padding."""
        own = tables[self.language][self.words]
        own *= self.strength
        np.subtract(self.means(tables, out.shape[1]), own[:, : out.shape[1]], out=out)
        out *= np.float32(rate)

    def means(self, tables: Mapping[str, Rows], width: int) -> Rows:
        """Return the mean of each word's translations, times its strength."""
        first, *others = (shares @ tables[code] for code, shares in self.shares.items())
        found: Rows = first[:, :width]
        for mean in others:
            found += mean[:, :width]
        return found


def _largest(matrix: Any) -> NDArray[np.float64]:
    """Return the largest value of each row."""
    return np.asarray(matrix.max(axis=1).toarray(), np.float64).ravel()


def _parts_of(
    code: str, partners: Mapping[str, Any], dampings: Mapping[str, NDArray[np.float64]]
) -> list[_Part]:
    totals = np.asarray(sum(matrix.sum(axis=1, dtype=np.float64) for matrix in partners.values()))
    words = np.flatnonzero(totals > 0)
    parts = []
    for start in range(0, len(words), _WORDS):
        some = words[start : start + _WORDS]
        total = totals[some]
        damping = sum(matrix[some] @ dampings[other] for other, matrix in partners.items()) / total
        shares = {
            other: sparse.csr_array(sparse.diags_array(1 / (total + damping)) @ matrix[some])
            for other, matrix in partners.items()
        }
        shares = {other: matrix.astype(np.float32) for other, matrix in shares.items()}
        strength = (total / (total + damping)).astype(np.float32)
        parts.append(_Part(code, start, some, strength[:, None], shares))
    return parts


def _without_small(weights: Any) -> Any:
    """Leave out what is small beside the largest value of its row."""
    kept = sparse.csr_array(weights, copy=True)
    kept.data[kept.data < np.repeat(_LEAST * _largest(kept), np.diff(kept.indptr))] = 0
    kept.eliminate_zeros()
    return kept


def _table(array: Rows) -> Rows:
    """Return the rows in one piece, with their padding if they have one."""
    matrix = Matrix.of(array)
    return array if matrix is None or not matrix.padded else matrix.whole
