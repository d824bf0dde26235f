"""BiCVM (Hermann and Blunsom 2014): sentences near their translations, far from others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa.baselines.bitext import read_bitext
from gensim_bilbowa.baselines.descent import AdaGrad, run_epoch
from gensim_bilbowa.corpora import ParallelSentences
from gensim_bilbowa.errors import CorpusError
from gensim_bilbowa.modelling.frequencies import subsampling_keep
from gensim_bilbowa.parameters import check_number
from gensim_bilbowa.vectors import CrossLingualVectors

__all__ = ["bicvm", "hinge"]

Matrix = NDArray[np.float32]

# Standard deviation of the vectors at the start, as in the paper.
_SPREAD = 0.1


@np.errstate(over="ignore", invalid="ignore")  # what diverges is refused, not warned of
def bicvm(
    parallel: ParallelSentences,
    *,
    vector_size: int = 100,
    epochs: int = 10,
    min_count: int = 5,
    noise: int = 30,
    margin: float | None = None,
    sample: float = 1e-5,
    l2: float = 0.01,
    rate: float = 0.15,
    batch_pairs: int = 128,
    seed: int = 1,
) -> CrossLingualVectors:
    """Train vectors whose sums over a sentence are near to that of its translation.

    The additive model of Hermann and Blunsom (2014, "Multilingual Models for Compositional
    Distributed Semantics"): with a and b the sums of the vectors of the words of a sentence pair,
    and n the sum of another sentence of the text, ``max(0, margin + E(a, b) - E(a, n))`` is made
    small, with ``E(a, b) = || a - b ||^2``; so it is from b to a. It learns from sentence pairs
    alone.

    Parameters
    ----------
    parallel : ParallelSentences
    vector_size : int
    epochs : int
        Passes over the pairs.
    min_count : int
        Leave out words that are rarer.
    noise : int
        Other sentences that each sentence is compared with; they are drawn from its batch.
    margin : float, optional
        By how much they have to be farther than the translation; default: `vector_size`, as in the
        paper.
    sample : float
        A word counts in the sum of its sentence by word2vec's chance to be kept when frequent
        words are left out, ``(sqrt(c / t) + 1) t / c`` with t = sample * total and at most 1. 0
        takes the plain sum, as the paper has it; but then frequent words drown the others, and
        words are translated far less accurately.
    l2 : float
        Weight of ``1/2 || v ||^2`` of the vectors of a batch's words.
    rate : float
        Learning rate of AdaGrad (Duchi et al. 2011).
    batch_pairs : int
        Sentence pairs in a batch.
    seed : int

    Returns
    -------
    CrossLingualVectors
        As they were summed: times the words' weights.

    Raises
    ------
    ConfigError, CorpusError
        If a parameter is out of range, or there is nothing to learn from in the text.
    TrainingDivergedError
        If the loss is no longer a finite number.

    Examples
    --------
    >>> from gensim_bilbowa import ParallelSentences
    >>> from gensim_bilbowa.datasets import SyntheticCorpus
    >>> corpus = SyntheticCorpus(2000, seed=1)
    >>> parallel = ParallelSentences(corpus.pairs("en", "de"), languages=("en", "de"))
    >>> vectors = bicvm(parallel, vector_size=40, epochs=5)
    >>> vectors["en"].most_similar_cross("dog", topn=1)[0][0]
    'Hund'
    """
    vector_size = int(check_number("vector_size", vector_size, whole=True, low=1))
    epochs = int(check_number("epochs", epochs, whole=True, low=1))
    noise = int(check_number("noise", noise, whole=True, low=1))
    margin = vector_size if margin is None else check_number("margin", margin, whole=False)
    sample = check_number("sample", sample, whole=False)
    l2 = check_number("l2", l2, whole=False)
    rate = check_number("rate", rate, whole=False)
    batch_pairs = int(check_number("batch_pairs", batch_pairs, whole=True, low=2))
    rng = np.random.default_rng(int(check_number("seed", seed, whole=True)))
    text = read_bitext(parallel, min_count)
    weights = [_kept(counts, sample) for counts in text.counts]
    bags = [
        (bag @ sparse.diags_array(weight)).tocsr()
        for bag, weight in zip(text.bags(), weights, strict=True)
    ]
    if bags[0].shape[0] < 2:
        raise CorpusError(f"{parallel.where}: no other sentence to compare with: 1 usable pair")
    vectors = [rng.normal(0, _SPREAD, (n, vector_size)).astype(np.float32) for n in text.sizes]
    descents = [AdaGrad(matrix, rate) for matrix in vectors]

    def step(bags: Sequence[Any]) -> float:
        sides = [_columns(bag) for bag in bags]
        a, b = (bag @ v[words] for (bag, words), v in zip(sides, vectors, strict=True))
        loss, *gradients = hinge(a, b, _noise(rng, len(a), noise), margin)
        for (bag, words), gradient, v, descent in zip(
            sides, gradients, vectors, descents, strict=True
        ):
            descent.step(bag.T @ gradient + l2 * v[words], words)
        return loss

    for epoch in range(1, epochs + 1):
        run_epoch(epoch, bags, step, size=batch_pairs, rng=rng, unit="pair")
    a, b = (weight[:, None] * v for weight, v in zip(weights, vectors, strict=True))
    return text.space((a, b))


def hinge(
    a: Matrix, b: Matrix, noise: NDArray[np.bool_], margin: float
) -> tuple[float, Matrix, Matrix]:
    """Noise-contrastive hinge loss of sentence vectors, and its gradients.

    Sum over i and the noise n of i of ``max(0, margin + E(a_i, b_i) - E(a_i, b_n))``, and the same
    with the sides exchanged, where ``E(a, b) = || a - b ||^2``.

    Parameters
    ----------
    a, b : ndarray of float32, shape (n, dim)
        Sentence i of the one language translates sentence i of the other.
    noise : ndarray of bool, shape (n, n)
        Whether sentence j is noise for sentence i.
    margin : float

    Returns
    -------
    loss : float
    of_a, of_b : ndarray of float32, shape (n, dim)
        Gradients.
    """
    squares = [np.einsum("ij,ij->i", side, side) for side in (a, b)]
    energy = squares[0][:, None] + squares[1] - 2 * (a @ b.T)
    right = energy.diagonal()
    loss = 0.0
    weights = np.zeros_like(energy)  # of each E(a_i, b_j) in the sum of the terms above 0
    for own, chosen, axis in ((right[:, None], noise, 1), (right, noise.T, 0)):
        terms = margin + own - energy
        active = chosen & ~(terms <= 0)  # NaN shows in the loss
        loss += float(terms[active].sum(dtype=np.float64))
        weights -= active
        weights[np.diag_indices(len(a))] += active.sum(axis=axis)
    weights *= 2
    of_a = weights.sum(axis=1)[:, None] * a - weights @ b
    of_b = weights.sum(axis=0)[:, None] * b - weights.T @ a
    return loss, of_a, of_b


def _kept(counts: NDArray[np.int64], sample: float) -> Matrix:
    return (subsampling_keep(counts, sample) / (2**32 - 1)).astype(np.float32)


def _noise(rng: np.random.Generator, n: int, k: int) -> NDArray[np.bool_]:
    """Choose k others of n for each: those that stand some steps on, by the same k steps."""
    steps = 1 + rng.permutation(n - 1)[:k]
    rows = np.arange(n)[:, None]
    chosen = np.zeros((n, n), np.bool_)
    chosen[rows, (rows + steps) % n] = True
    return chosen


def _columns(bag: sparse.csr_array) -> tuple[sparse.csr_array, NDArray[np.int64]]:
    """Return the columns of a matrix that have something in them, and which they are."""
    words, places = np.unique(bag.indices, return_inverse=True)
    return sparse.csr_array((bag.data, places, bag.indptr), (bag.shape[0], len(words))), words
