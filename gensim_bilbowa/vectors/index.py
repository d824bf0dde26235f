"""An approximate index of a language's vectors, for single questions to large vocabularies."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.extras import needing
from gensim_bilbowa.parameters import check_number
from gensim_bilbowa.vectors.keyed import CrossLingualKeyedVectors
from gensim_bilbowa.vectors.retrieval import Method, Scoring, best_columns, nearest

__all__ = ["ApproximateIndex"]

logger = logging.getLogger(__name__)

# Of the graph: links of a node, and candidates while it is built.
_LINKS, _BUILD_EFFORT = 32, 80
# For each answer asked for, so many are looked up by cosine and scored.
_CANDIDATES = 10
_TESTED = 500
# By how much two computations of the same cosine differ at most.
_ROUNDING = 1e-6


class ApproximateIndex:
    """Answers ``most_similar_cross`` from a graph of nearest neighbours instead of all words.

    A question takes a time that hardly grows with the vocabulary, and misses a few answers:
    `recall` says how many. Candidates are found by cosine (hierarchical navigable small world
    graphs, Malkov and Yashunin 2018, by faiss) and scored as the exact methods score them.

    Building takes long, and for many questions at once ``most_similar_cross_batch`` of the
    vectors themselves is fast and exact: use an index for single ones in a service.

    Parameters
    ----------
    vectors : CrossLingualKeyedVectors
        Of the language that questions are in, for example ``model.wv_en``.
    lang : str, optional
        The language of the answers; may be left out where there is one other.
    method, k, beta
        As for :meth:`~gensim_bilbowa.CrossLingualKeyedVectors.most_similar_cross`.
    restrict_vocab : int, optional
        Index only the first (most frequent) words; CSLS's mean for a question is then over these.
    effort : int
        Words that a question looks at, at least (``efSearch``): more find more, and take longer.

    Attributes
    ----------
    recall : float
        Share of the ten best answers of up to 500 words of the language that the index finds.

    Raises
    ------
    ImportError
        If faiss is not installed: it comes with ``gensim_bilbowa[ann]``.

    Examples
    --------
    >>> from gensim_bilbowa import BilBOWA
    >>> from gensim_bilbowa.datasets import SyntheticCorpus
    >>> pairs = {("en", "de"): SyntheticCorpus(2000, seed=1).pairs("en", "de")}
    >>> model = BilBOWA(parallel=pairs, vector_size=40, epochs=5, workers=1)
    >>> index = ApproximateIndex(model.wv_en, "de")
    >>> index.most_similar_cross("dog", topn=1)[0][0]
    'Hund'
    >>> index.recall > 0.9
    True
    """

    def __init__(
        self,
        vectors: CrossLingualKeyedVectors,
        lang: str | None = None,
        method: Method = "csls",
        *,
        restrict_vocab: int | None = None,
        k: int = 10,
        beta: float = 30.0,
        effort: int = 256,
    ) -> None:
        self._vectors = vectors
        self._other = vectors.other_language(lang)
        self._effort = int(check_number("effort", effort, whole=True, low=1))
        if restrict_vocab is not None:
            check_number("restrict_vocab", restrict_vocab, whole=True, low=1)
        self._scoring = vectors.scoring(lang, method, k=k, beta=beta)
        vectors.fill_norms()
        targets = self._other.unit_vectors()[:restrict_vocab]
        if not len(targets):
            raise ConfigError(f"there are no {self._other.language!r} words to index")
        self._norms = vectors.norms, self._other.norms
        self._words = len(targets)
        faiss = _faiss()
        self._search_parameters = faiss.SearchParametersHNSW
        self._graph = faiss.IndexHNSWFlat(vectors.vector_size, _LINKS, faiss.METRIC_INNER_PRODUCT)
        self._graph.hnsw.efConstruction = _BUILD_EFFORT
        self._graph.add(targets)
        self.recall = self._measure(targets)
        logger.info(
            "index of %i %r words: finds %.1f%% of the ten best by %s",
            self._words, self._other.language, 100 * self.recall, method,
        )  # fmt: skip

    def __reduce__(self) -> str:
        raise TypeError(
            "an index cannot be copied or pickled: make one from the vectors, where it is wanted"
        )

    def __repr__(self) -> str:
        return (
            f"ApproximateIndex<{self._vectors.language} to {self._other.language}: "
            f"{self._words:,} words; recall {self.recall:.3f}>"
        )

    def most_similar_cross(
        self, word_or_vector: str | int | NDArray[np.float32], topn: int = 10
    ) -> list[tuple[str, float]]:
        """Find the words of the other language that are most similar to a word of this one.

        Parameters
        ----------
        word_or_vector : str, int or ndarray of shape (vector_size,)
        topn : int

        Returns
        -------
        list of (str, float)
            As :meth:`~gensim_bilbowa.CrossLingualKeyedVectors.most_similar_cross`, but for a few
            missing words.

        Raises
        ------
        ConfigError
            If either language's vectors have changed since the index was made.
        """
        (answer,) = self._answers([self._vectors.query(word_or_vector)], topn)
        return answer

    def most_similar_cross_batch(
        self, words_or_vectors: Sequence[str | int] | NDArray[Any], topn: int = 10
    ) -> list[list[tuple[str, float]]]:
        """Find the most similar words of the other language for many words at once.

        Parameters
        ----------
        words_or_vectors : sequence of str or int, or ndarray of shape (n, vector_size)
        topn : int

        Returns
        -------
        list of list of (str, float)
        """
        return self._answers(self._vectors.queries(words_or_vectors), topn)

    def _answers(
        self, queries: Sequence[NDArray[np.float32]], topn: int
    ) -> list[list[tuple[str, float]]]:
        topn = int(check_number("topn", topn, whole=True))
        for kv, norms in zip((self._vectors, self._other), self._norms, strict=True):
            if kv.in_training or not (kv.norms is norms or np.array_equal(kv.norms, norms)):
                raise ConfigError("the vectors have changed since this index of them was made")
        if not queries:
            return []
        found, scores = self._find(np.asarray(queries, np.float32), topn, self._scoring)
        return [self._other.scored(*row) for row in zip(found, scores, strict=True)]

    def _find(
        self, queries: NDArray[np.float32], topn: int, scoring: Scoring
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        topn = min(topn, self._words)
        candidates = min(max(_CANDIDATES * topn, scoring.k, 1), self._words)
        # Given with each search and not to the graph, which several threads may be searching.
        effort = self._search_parameters(efSearch=min(max(self._effort, candidates), self._words))
        cosines, ids = self._graph.search(queries, candidates, params=effort)
        penalty = scoring.penalty
        scoring = replace(scoring, penalty=None if penalty is None else penalty[ids])
        # A graph in pieces may not lead to as many as asked for: -1 stands for none.
        scores = np.where(ids >= 0, scoring(np.where(ids >= 0, cosines, -1)), -np.inf)
        best, values = best_columns(scores.astype(np.float32), topn)
        return np.take_along_axis(ids, best, axis=1), values

    def _measure(self, targets: NDArray[np.float32]) -> float:
        asked = np.linspace(0, len(self._vectors) - 1, min(_TESTED, len(self._vectors)))
        queries = self._vectors.unit_vectors()[asked.astype(np.int64)]
        # What is taken off all answers of a question depends on how many of them there are.
        scoring = self._scoring.among(slice(self._words))
        _, exact = nearest(queries, targets, 10, scoring=scoring)
        _, found = self._find(queries, 10, scoring)
        # By scores and not by words: of words with equal vectors any one is right.
        enough = exact[:, -1:] - scoring.scale * _ROUNDING
        return float(np.count_nonzero(found >= enough) / max(exact.size, 1))


def _faiss() -> Any:
    with needing("ann", "an index needs faiss"), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of its wrapper's own making
        import faiss
    return faiss
