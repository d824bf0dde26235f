"""Document classification across languages."""

from __future__ import annotations

import logging
import sys

import numpy as np
import pytest
from samples import keyed
from scipy.sparse import csr_array, csr_matrix
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.neighbors import KNeighborsClassifier

from gensim_bilbowa.errors import ConfigError, TokenError
from gensim_bilbowa.evaluation import averaged_perceptron, document_classification

LABELS = ("animals", "houses", "water")


def drawn_documents(code, n, seed):
    """Documents of 60 words, of which each label has 20 of its own; a third of them are noise."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(3, size=n)
    texts = []
    for label in labels:
        own = 20 * label + rng.integers(20, size=6)
        words = np.where(rng.random(6) < 1 / 3, rng.integers(60, size=6), own)
        texts.append([f"{code}{word}" for word in words])
    return texts, [LABELS[label] for label in labels]


def drawn_vectors(code):
    rng = np.random.default_rng(1)
    centres = np.repeat(rng.normal(size=(3, 8)), 20, axis=0)
    vectors = keyed(code, centres + rng.normal(size=(60, 8)))
    for index in range(60):
        vectors.set_vecattr(f"{code}{index}", "count", 1000 // (1 + index % 20))
    return vectors


EN, DE = drawn_vectors("e"), drawn_vectors("d")
TRAIN, TEST = drawn_documents("e", 150, 2), drawn_documents("d", 80, 3)


@pytest.fixture(scope="module")
def scores():
    return document_classification(EN, DE, TRAIN, TEST, seeds=range(4))


def test_what_one_language_teaches_is_known_in_the_other(scores):
    assert scores[-1].mean > 0.7 > scores[-1].majority + 0.2


def test_sizes_are_those_of_the_literature_up_to_all(scores):
    assert [score.size for score in scores] == [100, 150]


def test_mean_spread_and_hits_are_of_the_accuracies(scores):
    for score in scores:
        assert score.accuracies.shape == (4,)
        assert score.hits.shape == (80,)
        assert score.mean == pytest.approx(score.hits.mean())
        assert score.spread == pytest.approx(np.std(score.accuracies, ddof=1))


def test_interval_is_over_the_test_documents(scores):
    rng = np.random.default_rng(0)
    resampled = [rng.choice(scores[0].hits, 80).mean() for _ in range(3000)]
    expected = np.percentile(resampled, [2.5, 97.5])
    assert scores[0].interval(resamples=3000) == pytest.approx(expected, abs=0.015)


def test_majority_is_the_label_most_frequent_in_training(scores):
    names, counts = np.unique(TRAIN[1], return_counts=True)
    assert scores[0].majority == np.mean(np.array(TEST[1]) == names[counts.argmax()])


def idf_sums(vectors, texts):
    """Slow and obvious: the sum of the words' vectors, weighted by idf, at length 1."""
    counts = {word: vectors.get_vecattr(word, "count") for word in vectors.index_to_key}
    idf = {word: np.log(sum(counts.values()) / count) for word, count in counts.items()}
    sums = np.array([sum(idf[word] * vectors[word] for word in text) for text in texts])
    return sums / np.linalg.norm(sums, axis=1, keepdims=True)


def test_documents_are_sums_weighted_by_idf(scores):
    matrices = idf_sums(EN, TRAIN[0]), idf_sums(DE, TEST[0])
    again = document_classification(
        None, None, (matrices[0], TRAIN[1]), (matrices[1], TEST[1]), seeds=range(4)
    )
    for score, other in zip(scores, again, strict=True):
        assert score.accuracies == pytest.approx(other.accuracies, abs=0.02)


def test_classifier_is_the_averaged_perceptron():
    rng = np.random.default_rng(4)
    points = rng.normal(size=(50, 3))
    labels = points @ [1, -2, 0.5] + rng.normal(size=50) > 0.3
    weights, sums = np.zeros(4), np.zeros(4)
    for _ in range(10):
        for point, label in zip(np.column_stack([points, np.ones(50)]), labels, strict=True):
            sign = 1 if label else -1
            if sign * (weights @ point) <= 0:
                weights = weights + sign * point
            sums += weights
    found = averaged_perceptron().set_params(shuffle=False).fit(points, labels)
    assert [*found.coef_[0], found.intercept_[0]] == pytest.approx(sums / 500)


def test_same_seeds_give_the_same_accuracies(scores):
    again = document_classification(EN, DE, TRAIN, TEST, seeds=range(4))
    assert [s.accuracies.tolist() for s in again] == [s.accuracies.tolist() for s in scores]


def test_each_seed_draws_other_documents_and_larger_sets_hold_the_smaller():
    seen = []

    class Recorder(KNeighborsClassifier):
        def fit(self, documents, labels):
            seen.append(documents[:, 0].tolist())
            return super().fit(documents, labels)

    rows, labels = np.arange(1.0, 21)[:, None], np.arange(20) % 2
    document_classification(
        None, None, (rows, labels), (rows, labels), sizes=[8, 20], seeds=[1, 2],
        classifier=Recorder(1),
    )  # fmt: skip
    (small, full, other, _) = seen
    assert full[:8] == small != other
    assert sorted(full) == rows[:, 0].tolist()


def test_any_classifier_can_be_used():
    given = LogisticRegression()
    (score,) = document_classification(
        EN, DE, TRAIN, TEST, sizes=[150], seeds=[0, 1], classifier=given
    )
    assert score.mean > 0.7
    assert not hasattr(given, "coef_")  # a copy was trained
    assert score.spread < 0.02  # all documents in another order


@pytest.mark.parametrize("kind", [csr_array, csr_matrix])
def test_sparse_matrices_are_taken_too(kind):
    def bags(code, texts):
        return np.array([[text.count(f"{code}{i}") for i in range(60)] for text in texts], float)

    dense = [(bags("e", TRAIN[0]), TRAIN[1]), (bags("d", TEST[0]), TEST[1])]
    sparse = [(kind(matrix), labels) for matrix, labels in dense]
    (expected,), (found,) = (
        document_classification(
            None, None, *sides, sizes=[150], seeds=[0], classifier=RidgeClassifier()
        )
        for sides in (dense, sparse)
    )
    assert found.hits.tolist() == expected.hits.tolist()
    assert document_classification(None, None, *sparse, sizes=[150], seeds=[0])[0].mean > 0.7


def test_documents_without_known_words_are_counted_and_stay():
    train = ([*TRAIN[0], ["x"], []], [*TRAIN[1], "water", "water"])
    test = ([*TEST[0], ["e1"]], [*TEST[1], "water"])
    (score,) = document_classification(EN, DE, train, test, sizes=[152], seeds=[0])
    assert score.unknown == (2, 1)
    assert len(score.hits) == 81


def test_label_that_cannot_be_learned_is_said_in_the_log(caplog):
    with caplog.at_level(logging.WARNING):
        document_classification(
            EN, DE, TRAIN, ([*TEST[0], ["d1"]], [*TEST[1], "wine"]), sizes=[150], seeds=[0]
        )
    assert "no label of ['wine']" in caplog.text


def test_one_seed_has_no_spread():
    (score,) = document_classification(EN, DE, TRAIN, TEST, sizes=[150], seeds=[0])
    assert score.spread == 0
    assert repr(score).startswith("ClassificationScore<size: 150, accuracy: 0.")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sizes": [151]}, "sizes must be a whole number of 1 to 150, got 151"),
        ({"sizes": []}, r"at least one size and one seed are wanted, got \[\]"),
        ({"seeds": []}, "at least one size and one seed"),
        ({"seeds": [-1]}, "seeds must be a whole number"),
        ({"sizes": [1]}, "the 1 documents drawn with seed 0 have one label all"),
        ({"train": (TRAIN[0], TRAIN[1][1:])}, "training documents: one label for each"),
        ({"test": ([], [])}, "test documents: one label for each"),
        ({"test": TRAIN}, "test documents: none of the 150 has a known word"),
        ({"source": None}, "training documents: without vectors a matrix of shape"),
        ({"test": (np.ones((3, 9)), list("abc"))}, "of 8 dimensions and test documents of 9"),
        ({"test": (np.full((3, 8), np.nan), list("abc"))}, "test documents: there is NaN"),
        ({"weighting": "tf"}, "weighting must be"),
        ({"source": keyed("e", np.eye(60, 8))}, "needs the words' counts"),
    ],
)
def test_what_cannot_work_is_refused(changes, message):
    given = {"source": EN, "target": DE, "train": TRAIN, "test": TEST, "seeds": [0], **changes}
    with pytest.raises(ConfigError, match=message):
        document_classification(**given)


def test_document_that_is_a_string_is_located():
    with pytest.raises(TokenError, match="test documents, sentence 2: a list of tokens"):
        document_classification(EN, DE, TRAIN, ([["d1"], "d2 d3"], ["water", "water"]))


def test_missing_library_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.base", None)
    with pytest.raises(ImportError, match=r"pip install 'gensim_bilbowa\[eval\]'"):
        document_classification(EN, DE, TRAIN, TEST)
