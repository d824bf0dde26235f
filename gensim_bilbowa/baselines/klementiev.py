"""Klementiev et al. (2012): monolingual models tied by the alignments of their words."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import numpy as np
from gensim.models.callbacks import CallbackAny2Vec
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa.baselines.bitext import Bitext, read_bitext
from gensim_bilbowa.baselines.ibm1 import align_words
from gensim_bilbowa.baselines.skipgram import skip_grams
from gensim_bilbowa.corpora import Corpus, ParallelSentences
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.parameters import check_number
from gensim_bilbowa.vectors import CrossLingualVectors

__all__ = ["AlignmentRegularizer", "klementiev"]

logger = logging.getLogger(__name__)

Matrix = NDArray[np.float32]


def klementiev(
    parallel: ParallelSentences,
    sentences: Mapping[str, Corpus] | None = None,
    *,
    step: float = 0.5,
    passes: int = 1,
    alignment_epochs: int = 5,
    min_count: int = 5,
    epochs: int = 10,
    **parameters: Any,
) -> CrossLingualVectors:
    """Train a model for each language, and after each epoch pull aligned words together.

    The multitask learning of Klementiev et al. (2012) in the paper's terms: two monolingual losses
    and the exact cross-lingual objective ``sum_ij a_ij || r_i - s_j ||^2``, whose weights a_ij say
    how often word i is aligned to word j. Two things are of today: the monolingual model is a
    skip-gram with negative sampling in place of a neural language model, and the words are aligned
    by IBM model 1, where they had GIZA++: a_ij is the geometric mean of the expected counts of both
    directions, for which both must agree.

    Parameters
    ----------
    parallel : ParallelSentences
        Text whose words are aligned.
    sentences : dict from str to corpus, optional
        Monolingual text of the two languages; default: the sides of `parallel`.
    step : float
        Size of a step down the gradient of the cross-lingual objective, above 0 and at most 1: how
        far each word goes to the mean of the words that it is aligned to.
    passes : int
        How many such steps follow on each epoch.
    alignment_epochs : int
        Passes of IBM model 1.
    min_count, epochs, **parameters
        As for :class:`~gensim_bilbowa.BilBOWA`, with its defaults but for `epochs`.

    Returns
    -------
    CrossLingualVectors

    Raises
    ------
    ConfigError, CorpusError
        If a parameter is out of range, text cannot be used, or no words are aligned.

    Examples
    --------
    >>> from gensim_bilbowa import ParallelSentences
    >>> from gensim_bilbowa.datasets import SyntheticCorpus
    >>> corpus = SyntheticCorpus(2000, seed=1)
    >>> parallel = ParallelSentences(corpus.pairs("en", "de"), languages=("en", "de"))
    >>> vectors = klementiev(parallel, vector_size=40, epochs=5, seed=1, workers=1)
    >>> vectors["en"].most_similar_cross("dog", topn=1)[0][0]
    'Hund'
    """
    step = check_number("step", step, whole=False, high=1)
    if not step:
        raise ConfigError("step must be above 0: nothing ties the languages otherwise")
    passes = int(check_number("passes", passes, whole=True, low=1))
    alignment_epochs = int(check_number("alignment_epochs", alignment_epochs, whole=True, low=1))
    text = read_bitext(parallel, min_count)
    texts = {code: parallel.side(code) for code in text.languages} | dict(sentences or {})
    if len(texts) > 2:
        raise ConfigError(f"sentences of {text.languages} are wanted, got {list(sentences or {})}")
    pull = _Pull(text, alignment_weights(text, alignment_epochs), step, passes)
    model = skip_grams(texts, callbacks=[pull], min_count=min_count, epochs=epochs, **parameters)
    return model.wv


def alignment_weights(text: Bitext, epochs: int) -> Any:
    """Return how often words are aligned: the geometric mean of both directions of IBM model 1.

    Returns
    -------
    scipy.sparse.csr_array of float64, shape of the text's vocabularies
    """
    n, m = text.sizes
    forth, back = (align_words(direction, epochs).forth for direction in (text, text.turned()))
    return (forth[:n, :m] * back[:m, :n].T).sqrt().tocsr()


class AlignmentRegularizer:
    """The exact cross-lingual objective: ``1/2 sum_ij a_ij || r_i - s_j ||^2``.

    Parameters
    ----------
    weights : scipy.sparse array, shape (n, m)
        a_ij, at least 0.
    """

    def __init__(self, weights: Any) -> None:
        self._weights = sparse.csr_array(weights)
        self._sums = [self._weights.sum(axis=axis) for axis in (1, 0)]
        self._means = [_shares(side) for side in (self._weights, self._weights.T)]

    def loss(self, r: Matrix, s: Matrix) -> float:
        """Return the objective for vectors of shapes (n, dim) and (m, dim)."""
        # sum_ij a_ij (|r_i|^2 + |s_j|^2 - 2 r_i s_j), without a row for each a_ij.
        r, s = np.asarray(r, np.float64), np.asarray(s, np.float64)
        lengths = [np.einsum("ij,ij->i", side, side) for side in (r, s)]
        squares = sum(float(a @ b) for a, b in zip(self._sums, lengths, strict=True))
        return squares / 2 - float(np.vdot(r, self._weights @ s))

    def descend(self, r: Matrix, s: Matrix, step: float) -> None:
        """Go down the gradient, in place; each word's step is divided by the sum of its weights.

        Word i of the one language goes by `step` of the way to the mean of the other language's
        words, weighted by a_ij, and the other language does so at the same time. Words without
        weights stay.
        """
        moves = [
            step * (means @ others - tied * own)
            for (means, tied), own, others in zip(self._means, (r, s), (s, r), strict=True)
        ]
        r += moves[0]
        s += moves[1]


def _shares(weights: Any) -> tuple[Any, Matrix]:
    """Divide rows by their sums; also return which rows have one, shape (n, 1)."""
    sums = weights.sum(axis=1)
    scale = sparse.diags_array(1 / np.where(sums > 0, sums, 1))
    return (scale @ weights).tocsr().astype(np.float32), (sums > 0).astype(np.float32)[:, None]


class _Pull(CallbackAny2Vec):  # type: ignore[misc]
    """Pulls the aligned words of a model together at the end of each epoch."""

    def __init__(self, text: Bitext, weights: Any, step: float, passes: int) -> None:
        self._text = text
        self._weights = weights.tocoo()
        self._step = step
        self._passes = passes
        self._regularizer: AlignmentRegularizer | None = None

    def _in_vocabularies(self, model: Any) -> AlignmentRegularizer:
        """Return the regularizer for the model's vocabularies, which may be other text's."""
        rows = []
        for code, vocabulary in zip(self._text.languages, self._text.vocabularies, strict=True):
            find = model.wv[code].key_to_index.get
            rows.append(np.array([find(word, -1) for word in vocabulary]))
        row, column = (own[c] for own, c in zip(rows, self._weights.coords, strict=True))
        known = (row >= 0) & (column >= 0)
        if not self._weights.data[known].any():
            raise ConfigError(
                "no words of the parallel text are aligned that are in both vocabularies"
            )
        logger.info(
            "%s: of the %i and %i words of the parallel text %i and %i are not trained on",
            "-".join(self._text.languages), *self._text.sizes, *(int((r < 0).sum()) for r in rows),
        )  # fmt: skip
        shape = [len(model.wv[code]) for code in self._text.languages]
        return AlignmentRegularizer(
            sparse.coo_array((self._weights.data[known], (row[known], column[known])), shape=shape)
        )

    def on_epoch_end(self, model: Any) -> None:
        """Go down the gradient."""
        if self._regularizer is None:
            self._regularizer = self._in_vocabularies(model)
        r, s = (model.wv[code].vectors for code in self._text.languages)
        for _ in range(self._passes):
            self._regularizer.descend(r, s, self._step)
        logger.info("cross-lingual loss: %.4g", self._regularizer.loss(r, s))
