"""What the steps draw at random, read off the rows that they move.

The steps are the compiled ones, run by a whole training: only the matrices are exchanged, for rows
that start as ones and zeros, and the learning rate for one so low that no product changes. Then
every hit of a row adds the same power of two, and a sum of those is exact.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
from scipy.stats import chi2

from gensim_bilbowa import BilBOWA, kernels
from gensim_bilbowa.training import steps

ALPHA = 2.0**-60
FALSE_ALARM = 1e-6


@dataclass(eq=False)
class Language:
    """What stands for a language's parameters."""

    rows: int
    lockf: np.ndarray
    noise: np.ndarray


class Ledger:
    """Stands for the kernels, with matrices of its own for every thread, so that no hit is lost."""

    def __init__(self):
        self.languages = []
        self.orders = []
        self._made = {}  # thread, language, step: parameters and the matrices in them
        self._lock = threading.Lock()

    def __getattr__(self, name):
        return getattr(kernels, name)

    def Parameters(self, vectors, outputs, lockf, noise, subwords=None, tree=None):
        self.languages.append(Language(vectors.rows, lockf, noise))
        return self.languages[-1]

    def _own(self, language, step, start):
        with self._lock:
            key = threading.get_ident(), language, step
            if key not in self._made:
                vectors, outputs = _laid_out(start), _laid_out(np.zeros_like(start))
                made = kernels.Parameters(vectors, outputs, language.lockf, language.noise)
                self._made[key] = made, vectors, outputs
            return self._made[key][0]

    def _telling(self, language):
        """Parameters whose outputs tell by the column which word they were moved for."""
        return self._own(language, "text", np.eye(language.rows))

    def _sides(self, *languages):
        """Parameters of two sides that differ by one in either column; each has one of zeros."""
        for number, (language, start) in enumerate(zip(languages, ([0, 1], [-1, 0]), strict=True)):
            yield self._own(language, f"side {number}", np.tile(start, (language.rows, 1)))

    def train_text(self, language, text, first, last, *options, **mode):
        *options, _, seed, stop = options
        own = self._telling(language)
        return kernels.train_text(own, text, first, last, *options, ALPHA, seed, stop, **mode)

    def train_pairs(self, a, text_a, b, text_b, order, *options):
        self.orders.append(order)
        own_a, own_b = self._sides(a, b)
        return kernels.train_pairs(
            own_a, text_a, own_b, text_b, order, ALPHA, (1.0, 1.0), np.inf, False, *options[-2:]
        )

    def _matrices(self, language, step, which):
        return sum(
            made[which].array for (_, of, what), made in self._made.items()
            if of is self.languages[language] and what == step
        )  # fmt: skip

    def targets(self, language):
        """How often a word was a context's target, less how often its noise: (words, contexts)."""
        return np.rint(self._matrices(language, "text", 2) / (ALPHA / 2)).astype(int)

    def moves(self, side):
        """How often the step of means moved each word of the first or the second side."""
        moved = self._matrices(side, f"side {side}", 1)[:, side]
        return np.rint(np.abs(moved) / ALPHA).astype(int)


def _laid_out(array):
    matrix = kernels.Matrix(*array.shape)
    matrix.array[...] = array
    matrix.lay_out(True, SimpleNamespace(), "rows")
    return matrix


def trained(monkeypatch, texts=None, parallel=None, **parameters):
    """The ledger of a training, and the model, whose vectors did not move."""
    ledger = Ledger()
    monkeypatch.setattr(steps, "kernels", ledger)
    options = {"vector_size": 4, "min_count": 1, "sample": 0, "xling_sample": 0, "seed": 7,
               "batch_words": 2000, **parameters}  # fmt: skip
    model = BilBOWA(texts, parallel=parallel, **options)
    return ledger, model


def by_word(model, language, words):
    """Rows of the words, of those in the language's order."""
    return [model.wv[language].key_to_index[word] for word in words]


def is_usual(statistic, freedom):
    """Whether chance alone makes the statistic as large, at a false alarm in a million."""
    return 0 <= statistic <= chi2.isf(FALSE_ALARM, freedom)


def chi_square(counts, expected):
    """Pearson's statistic; all cells expected to be hit often enough for it."""
    expected = np.broadcast_to(expected, np.shape(counts))
    assert expected.min() >= 5
    return float(((counts - expected) ** 2 / expected).sum())


def distance_of_sets(counts, windows, chance, size):
    """Squared distance of counts from those of sets, by their own covariance.

    Of so many windows each draws `size` words by `chance` and has each word once. counts: of all
    words but the last, whose number says nothing (it is left out of the windows).
    """
    p = chance[:-1]
    missed = (1 - p) ** size
    both = 1 - missed[:, None] - missed + (1 - p[:, None] - p) ** size
    np.fill_diagonal(both, 1 - missed)
    covariance = windows * (both - np.outer(1 - missed, 1 - missed))
    away = counts - windows * (1 - missed)
    assert (windows * (1 - missed)).min() >= 5
    return float(away @ np.linalg.solve(covariance, away))
