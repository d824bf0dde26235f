"""The bilingual autoencoder (Chandar et al. 2014): bags of words that bring back each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa.baselines.bitext import read_bitext
from gensim_bilbowa.baselines.descent import AdaGrad, run_epoch
from gensim_bilbowa.corpora import ParallelSentences
from gensim_bilbowa.errors import CorpusError
from gensim_bilbowa.parameters import check_number
from gensim_bilbowa.vectors import CrossLingualVectors

__all__ = ["Parameters", "autoencoder", "correlation", "gradients", "reconstruction"]

Matrix = NDArray[np.float32]

# exp of more says nothing in 32 bits that the chance of 1 does not.
_LARGEST = 30.0
_SMALL = 1e-8


@np.errstate(over="ignore", invalid="ignore")  # what diverges is refused, not warned of
def autoencoder(
    parallel: ParallelSentences,
    *,
    vector_size: int = 100,
    epochs: int = 20,
    min_count: int = 5,
    merge: int = 5,
    correlation_weight: float = 4.0,
    rate: float = 0.1,
    batch_bags: int = 16,
    seed: int = 1,
) -> CrossLingualVectors:
    """Train vectors from whose sums over a sentence its words, and its translation's, are known.

    The bilingual autoencoder of Chandar et al. (2014, "An Autoencoder Approach to Learning
    Bilingual Word Representations"), by reconstruction of binary bags of words, with tied weights:
    the code of a bag x is ``h(x) = tanh(c + sum of the vectors w_i of its words)``, and word j of
    either language is in the bag with the chance ``sigmoid(b_j + w_j . h)``. The loss is the cross
    entropy of the bags x and y of a sentence pair, each from both codes (x from x, y from x, x from
    y, y from y), less `correlation_weight` times the sum of the correlations of the two codes'
    dimensions, before tanh, over the batch. It learns from sentence pairs alone. Nearly all time is
    spent in NumPy's linear algebra, whose threads wait for each other where cores are shared: one
    thread (``threadpoolctl.threadpool_limits(1)``) may take a tenth of the CPU seconds then.

    Parameters
    ----------
    parallel : ParallelSentences
    vector_size : int
    epochs : int
        Passes over the pairs.
    min_count : int
        Leave out words that are rarer.
    merge : int
        Sentence pairs whose bags are joined into one (the paper's merged bags-of-words), drawn
        anew for each epoch: so much less work, since all words of both vocabularies are predicted
        for each bag. A few thousand pairs are better not merged: 1.
    correlation_weight : float
        For each pair of bags, as are the other losses; the default is the authors'.
    rate : float
        Learning rate of AdaGrad (Duchi et al. 2011).
    batch_bags : int
        Pairs of bags in a batch. Fewer make more steps, which small text needs.
    seed : int

    Returns
    -------
    CrossLingualVectors

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
    >>> vectors = autoencoder(parallel, vector_size=40, epochs=5)
    >>> vectors["en"].most_similar_cross("dog", topn=1)[0][0]
    'Hund'
    """
    vector_size = int(check_number("vector_size", vector_size, whole=True, low=1))
    epochs = int(check_number("epochs", epochs, whole=True, low=1))
    merge = int(check_number("merge", merge, whole=True, low=1))
    weight = check_number("correlation_weight", correlation_weight, whole=False)
    rate = check_number("rate", rate, whole=False)
    batch_bags = int(check_number("batch_bags", batch_bags, whole=True, low=2))
    rng = np.random.default_rng(int(check_number("seed", seed, whole=True)))
    text = read_bitext(parallel, min_count)
    sides = text.bags()
    n_pairs = sides[0].shape[0]
    if n_pairs < 2 * merge:
        raise CorpusError(
            f"{parallel.where}: at least two bags are needed, of {merge} sentence pairs each, but "
            f"there are {n_pairs} usable pairs"
        )
    a, b = (
        rng.normal(0, vector_size**-0.5, (n, vector_size)).astype(np.float32) for n in text.sizes
    )
    parameters = Parameters(
        (a, b), (_log_chances(sides[0], merge), _log_chances(sides[1], merge)),
        np.zeros(vector_size, np.float32),
    )  # fmt: skip
    descents = [AdaGrad(array, rate) for array in parameters.arrays]

    def step(bags: Sequence[Any]) -> float:
        loss, found = gradients(parameters, bags, weight)
        for descent, gradient in zip(descents, found.arrays, strict=True):
            descent.step(gradient / np.float32(bags[0].shape[0]))
        return loss

    for epoch in range(1, epochs + 1):
        bags = _merged(sides, merge, rng)
        run_epoch(epoch, bags, step, size=batch_bags, rng=rng, unit="pair of bags")
    return text.space(parameters.vectors)


@dataclass(frozen=True)
class Parameters:
    """What is learned, or its gradients.

    Attributes
    ----------
    vectors : (ndarray, ndarray), shape (n_words, dim) each
        w, of the words of each language.
    biases : (ndarray, ndarray), shape (n_words,) each
        b, of the words of each language.
    start : ndarray, shape (dim,)
        c, which both languages' codes begin with.
    """

    vectors: tuple[Matrix, Matrix]
    biases: tuple[Matrix, Matrix]
    start: Matrix

    @property
    def arrays(self) -> tuple[Matrix, ...]:
        """All arrays."""
        return *self.vectors, *self.biases, self.start


def gradients(
    parameters: Parameters, bags: Sequence[Any], weight: float
) -> tuple[float, Parameters]:
    """Compute the loss of a batch, summed over its pairs of bags, and its gradients.

    Parameters
    ----------
    parameters : Parameters
    bags : sequence of two scipy.sparse.csr_array, shape (n, n_words) each
        Binary; bag i of the one language belongs to bag i of the other.
    weight : float
        Of the correlation.
    """
    n = bags[0].shape[0]
    sums = [
        bag @ vectors + parameters.start
        for bag, vectors in zip(bags, parameters.vectors, strict=True)
    ]
    codes = np.tanh(np.vstack(sums))
    loss = 0.0
    of_codes = np.zeros_like(codes)
    of_vectors, of_biases = [], []
    for bag, vectors, bias in zip(bags, parameters.vectors, parameters.biases, strict=True):
        lost, of_code, of_vector, of_bias = reconstruction(
            codes, vectors, bias, np.tile(bag.toarray(), (2, 1))
        )
        loss += lost
        of_codes += of_code
        of_vectors.append(of_vector)
        of_biases.append(of_bias)
    of_codes *= 1 - codes * codes
    of_sums = of_codes[:n], of_codes[n:]
    if weight:
        found, *directions = correlation(*sums)
        loss -= weight * n * found
        for of_sum, direction in zip(of_sums, directions, strict=True):
            of_sum -= weight * n * direction
    for bag, of_sum, of_vector in zip(bags, of_sums, of_vectors, strict=True):
        of_vector += bag.T @ of_sum
    return loss, Parameters(
        (of_vectors[0], of_vectors[1]), (of_biases[0], of_biases[1]), of_codes.sum(axis=0)
    )


def reconstruction(
    codes: Matrix, vectors: Matrix, bias: Matrix, bags: Matrix
) -> tuple[float, Matrix, Matrix, Matrix]:
    """Cross entropy of bags given codes, and its gradients.

    ``- sum x log p + (1 - x) log(1 - p)`` over all bags and words, where ``p = sigmoid(z)`` with
    ``z = codes vectors' + bias``; that is ``sum log(1 + exp z) - x z``.

    Parameters
    ----------
    codes : ndarray, shape (n, dim)
    vectors : ndarray, shape (n_words, dim)
    bias : ndarray, shape (n_words,)
    bags : ndarray, shape (n, n_words)
        x, of zeros and ones.

    Returns
    -------
    loss : float
    of_codes, of_vectors, of_bias : ndarray
    """
    logits = codes @ vectors.T
    logits += bias
    np.minimum(logits, _LARGEST, out=logits)
    loss = -float(np.vdot(logits, bags))
    # In place, and with one exponential for loss and chances: most of the time is spent here.
    chances = np.exp(logits, out=logits)
    sums = chances + 1
    chances /= sums
    loss += float(np.log(sums, out=sums).sum(dtype=np.float64))
    chances -= bags
    return loss, chances @ vectors, chances.T @ codes, chances.sum(axis=0)


def correlation(a: Matrix, b: Matrix) -> tuple[float, Matrix, Matrix]:
    """Sum of the correlations of column k of the one with column k of the other, and gradients.

    Parameters
    ----------
    a, b : ndarray, shape (n, dim)

    Returns
    -------
    total : float
    of_a, of_b : ndarray, shape (n, dim)
    """
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    squares = [(side * side).sum(axis=0) + _SMALL for side in (a, b)]
    lengths = np.sqrt(squares[0] * squares[1])
    found = (a * b).sum(axis=0) / lengths
    return (
        float(found.sum()),
        b / lengths - a * (found / squares[0]),
        a / lengths - b * (found / squares[1]),
    )


def _log_chances(bags: Any, merge: int) -> Matrix:
    """Return the log of each word's chance to be in a merged bag: what its bias begins with."""
    n_bags, n_words = bags.shape
    # A word that stands in no usable pair counts as half a one.
    shares = np.maximum(np.bincount(bags.indices, minlength=n_words), 0.5) / n_bags
    chances = np.log(1 - (1 - shares) ** merge)
    return np.asarray(chances, np.float32)


def _merged(sides: Sequence[Any], merge: int, rng: np.random.Generator) -> list[Any]:
    """Join the bags of `merge` pairs drawn at random into one; what is left over waits."""
    order = rng.permutation(sides[0].shape[0])
    order = order[: len(order) // merge * merge]
    ends = np.arange(0, len(order) + 1, merge)
    joined = sparse.csr_array(
        (np.ones(len(order), np.float32), order, ends), (len(ends) - 1, sides[0].shape[0])
    )
    bags = [joined @ side for side in sides]
    for bag in bags:
        bag.data[:] = 1
    return bags
