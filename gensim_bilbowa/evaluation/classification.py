"""Cross-lingual document classification: learned from one language's documents, asked in another.

The task of Klementiev, Titov and Bhattarai (2012), which the paper of BilBOWA takes over.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from gensim.models import KeyedVectors
from numpy.typing import NDArray
from scipy.sparse import issparse

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.evaluation.intervals import Interval, bootstrap
from gensim_bilbowa.extras import needing
from gensim_bilbowa.parameters import check_number
from gensim_bilbowa.vectors.retrieval import at_length_one
from gensim_bilbowa.vectors.sentences import Weighting, sentence_vectors

__all__ = ["ClassificationScore", "Labelled", "averaged_perceptron", "document_classification"]

logger = logging.getLogger(__name__)

# Documents, as token lists or as a matrix with a row each, and the label of each.
Labelled: TypeAlias = tuple[Any, Sequence[str]]

# Those of Klementiev et al. (2012).
_SIZES = (100, 200, 500, 1_000, 5_000, 10_000)
_EPOCHS = 10


@dataclass(frozen=True, eq=False)
class ClassificationScore:
    """Result of :func:`document_classification` for one size of the training set.

    Attributes
    ----------
    size : int
        Documents learned from.
    accuracies : ndarray of float64, shape (n_seeds,)
        Share of the test documents that got the right label, for each seed.
    hits : ndarray of float64, shape (n_test,)
        For each test document the share of seeds for which it got the right label.
    majority : float
        Accuracy of answering always with the most frequent label of the whole training set.
    unknown : (int, int)
        Documents without any known word (rows of zeros), of all for training and of those for the
        test. They are not left out.
    """

    size: int
    accuracies: NDArray[np.float64]
    hits: NDArray[np.float64]
    majority: float
    unknown: tuple[int, int]

    @property
    def mean(self) -> float:
        """Mean accuracy."""
        return float(self.accuracies.mean())

    @property
    def spread(self) -> float:
        """Standard deviation of the accuracy over the seeds (with n - 1); 0 for a single seed."""
        return float(self.accuracies.std(ddof=1)) if len(self.accuracies) > 1 else 0.0

    def interval(self, *, level: float = 0.95, resamples: int = 1000, seed: int = 0) -> Interval:
        """Confidence interval of the mean accuracy, by percentile bootstrap over test documents.

        It tells what another test set might say. What another training set might, the spread tells.

        Parameters
        ----------
        level : float
            Confidence, 0 to 1.
        resamples : int
        seed : int
        """
        return bootstrap(np.mean, self.hits, level=level, resamples=resamples, seed=seed)

    def __repr__(self) -> str:
        return (
            f"ClassificationScore<size: {self.size:,}, accuracy: {self.mean:.3f}, spread: "
            f"{self.spread:.3f}, majority: {self.majority:.3f}>"
        )


def averaged_perceptron(seed: int = 0) -> Any:
    """Return scikit-learn's averaged perceptron: ten epochs of the classic update of step 1.

    Of more than two classes each is told from all others, and the most certain answer taken. On
    sparse matrices scikit-learn moves the intercept by smaller steps, 0.01.

    Parameters
    ----------
    seed : int
        Of the order of the documents.

    Returns
    -------
    sklearn.linear_model.SGDClassifier
    """
    linear_model = _scikit_learn("linear_model")
    return linear_model.SGDClassifier(
        loss="perceptron", penalty=None, learning_rate="constant", eta0=1.0, average=True,
        max_iter=_EPOCHS, tol=None, random_state=seed,
    )  # fmt: skip


def document_classification(
    source: KeyedVectors | None,
    target: KeyedVectors | None,
    train: Labelled,
    test: Labelled,
    *,
    sizes: Iterable[int] | None = None,
    seeds: Iterable[int] = range(10),
    classifier: Any = None,
    weighting: Weighting = "idf",
    remove_common: bool = False,
) -> list[ClassificationScore]:
    """Train a classifier on documents of one language, and apply it as it is to another's.

    As in the paper (Gouws et al. 2015) a document is the sum of the vectors of its words, weighted
    by idf; its length is scaled to 1, so that long documents do not count for more. The classifier
    is an averaged perceptron.

    Parameters
    ----------
    source, target : gensim.models.KeyedVectors or None
        The vectors of the two languages, of one space: ``model.wv_en``, ``model.wv_de``. The same
        twice is the accuracy within a language. None where documents are given as a matrix.
    train, test : (documents, labels)
        Of the source and of the target language. Documents are token lists, split as the training
        text of the vectors was, or a matrix of shape (n, d), an array or SciPy's sparse, with
        a row for each: of systems without word vectors. A matrix is taken as it is.
        :func:`read_documents` returns such pairs.
    sizes : iterable of int, optional
        Numbers of documents to learn from. Default: those of 100, 200, 500, 1,000, 5,000 and
        10,000 that are smaller than the training set, and all.
    seeds : iterable of int
        For each one the training set is shuffled (no regard is paid to classes), and for each size
        the first documents are taken; it is the ``random_state`` of the classifier, too.
    classifier : scikit-learn estimator, optional
        Anything with ``fit`` and ``predict``; it is cloned. Default: :func:`averaged_perceptron`.
    weighting : {"mean", "idf", "sif"}, mapping from str to float, or None
        See :meth:`~gensim_bilbowa.CrossLingualKeyedVectors.sentence_vectors`. "idf" is from the
        counts of the vectors' training text, so no document of the test set plays a part in it.
        For idf from documents, give the mapping.
    remove_common : bool
        See the same.

    Returns
    -------
    list of ClassificationScore
        One for each size, in the order given.

    Raises
    ------
    ConfigError
        If documents and labels are not of one number, a size is more than there are documents, all
        documents drawn have one label, no document has a known word, or the words' counts are
        needed and not there.
    ImportError
        If scikit-learn is missing.

    Examples
    --------
    >>> import numpy as np
    >>> english = np.array([[1, 0], [2, 0], [0, 1], [0, 2]])
    >>> german = np.array([[3, 0], [0, 3], [1, 0]])
    >>> train, test = (english, ["pet", "pet", "sea", "sea"]), (german, ["pet", "sea", "sea"])
    >>> document_classification(None, None, train, test, seeds=[1])
    [ClassificationScore<size: 4, accuracy: 0.667, spread: 0.000, majority: 0.333>]
    """
    base = _scikit_learn("base")
    settings = {"weighting": weighting, "remove_common": remove_common}
    learned, labels = _labelled(source, train, "training documents", settings)
    asked, right = _labelled(target, test, "test documents", settings)
    if learned.shape[1] != asked.shape[1]:
        raise ConfigError(
            f"documents in one space are wanted, got training documents of {learned.shape[1]} "
            f"dimensions and test documents of {asked.shape[1]}"
        )
    n = len(labels)
    if sizes is None:
        sizes = [*(size for size in _SIZES if size < n), n]
    sizes = [int(check_number("sizes", size, whole=True, low=1, high=n)) for size in sizes]
    seeds = [int(check_number("seeds", seed, whole=True, high=2**32 - 1)) for seed in seeds]
    if not sizes or not seeds:
        raise ConfigError(f"at least one size and one seed are wanted, got {sizes} and {seeds}")
    strange = sorted(set(right.tolist()) - set(labels.tolist()))
    if strange:
        logger.warning("the training documents have no label of %s, which cannot be found", strange)

    hits = np.empty((len(sizes), len(seeds), len(right)), bool)
    for column, seed in enumerate(seeds):
        order = np.random.default_rng(seed).permutation(n)
        for row, size in enumerate(sizes):
            drawn = order[:size]
            if len(set(labels[drawn])) < 2:
                raise ConfigError(
                    f"the {size} documents drawn with seed {seed} have one label all, "
                    f"{str(labels[drawn[0]])!r}: more documents or another seed are wanted"
                )
            chosen = averaged_perceptron() if classifier is None else base.clone(classifier)
            if "random_state" in chosen.get_params():
                chosen.set_params(random_state=seed)
            hits[row, column] = chosen.fit(learned[drawn], labels[drawn]).predict(asked) == right
    names, counts = np.unique(labels, return_counts=True)
    majority = float((right == names[counts.argmax()]).mean())
    unknown = (_empty(learned), _empty(asked))
    return [
        ClassificationScore(size, found.mean(axis=1), found.mean(axis=0), majority, unknown)
        for size, found in zip(sizes, hits, strict=True)
    ]


def _scikit_learn(module: str) -> Any:
    with needing("eval", "document classification needs scikit-learn"):
        return importlib.import_module(f"sklearn.{module}")


def _labelled(
    vectors: KeyedVectors | None, given: Labelled, where: str, settings: dict[str, Any]
) -> tuple[Any, NDArray[Any]]:
    """Return documents as a matrix, and their labels."""
    documents, labels = given
    if getattr(documents, "ndim", 0) == 2:
        matrix = documents.tocsr() if issparse(documents) else np.asarray(documents)
        if not np.isfinite(matrix.data if issparse(matrix) else matrix).all():
            raise ConfigError(f"{where}: there is NaN or infinity in the matrix")
    elif vectors is None:
        raise ConfigError(
            f"{where}: without vectors a matrix of shape (n, d) is wanted, got "
            f"{type(documents).__name__}"
        )
    else:
        matrix = at_length_one(sentence_vectors(vectors, documents, where=where, **settings))
    names = np.asarray(labels)
    if names.shape != (matrix.shape[0],) or not len(names):
        raise ConfigError(
            f"{where}: one label for each is wanted, got labels of shape {names.shape} for "
            f"{matrix.shape[0]:,} documents"
        )
    if _empty(matrix) == len(names):
        raise ConfigError(
            f"{where}: none of the {len(names):,} has a known word; are they of another language, "
            "or in another case?"
        )
    return matrix, names


def _empty(matrix: Any) -> int:
    """Count the rows of zeros."""
    return int(np.count_nonzero(abs(matrix).sum(axis=1) == 0))
