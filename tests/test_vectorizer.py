"""The vectorizer behaves as scikit-learn's own, and carries a classifier to other languages."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest
from gensim.models import KeyedVectors
from samples import SMALL, made_up_pairs
from sklearn.base import clone
from sklearn.exceptions import SkipTestWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils import estimator_checks

import gensim_bilbowa
from gensim_bilbowa import BilBOWA, CrossLingualVectorizer
from gensim_bilbowa.errors import ConfigError, TokenError, UnknownLanguageError


@pytest.fixture(scope="module")
def model():
    return BilBOWA(parallel={("en", "de"): made_up_pairs(400)}, **{**SMALL, "epochs": 10})


@pytest.fixture
def vectorizer(model):
    return CrossLingualVectorizer("en", model)


# ---- scikit-learn's rules

# check_estimator runs one of its checks alone on estimators of text: the rest would give them
# matrices of numbers. These need no numbers.
CHECKS = [
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_estimator_tags_renamed",
    "check_get_params_invariance",
    "check_mixin_order",
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_set_params",
    "check_valid_tag_types",
]


@pytest.mark.parametrize("check", CHECKS)
def test_scikit_learns_checks_pass(vectorizer, check):
    getattr(estimator_checks, check)("CrossLingualVectorizer", vectorizer)


def test_check_estimator_passes(vectorizer):
    with pytest.warns(SkipTestWarning, match="Can't test estimator"):
        results = estimator_checks.check_estimator(vectorizer)
    assert {result["status"] for result in results} == {"passed"}


def test_clones_share_the_vectors_and_nothing_else(model):
    weights = {"e1": 1.0}
    first = CrossLingualVectorizer("en", model, weighting=weights).set_output(transform="default")
    second = clone(first)
    assert second is not first
    assert second.vectors is model
    assert second.get_params()["weighting"] == weights
    assert second.weighting is not weights
    second.set_output(transform="polars")
    assert first._sklearn_output_config == {"transform": "default"}


def test_feature_names_number_the_components(vectorizer):
    names = vectorizer.get_feature_names_out()
    assert names.tolist() == [f"crosslingualvectorizer{i}" for i in range(20)]


def test_parameters_can_be_searched(vectorizer, documents):
    english, _, topics = documents
    search = GridSearchCV(
        Pipeline([("vectorizer", vectorizer), ("classifier", LogisticRegression())]),
        {"vectorizer__weighting": ["mean", "idf", "sif"]}, cv=2,
    )  # fmt: skip
    assert search.fit(english, topics).best_score_ > 0.8


# ---- across languages


def test_classifier_of_english_is_right_on_german(vectorizer, documents):
    english, german, topics = documents
    pipe = Pipeline([("vectorizer", vectorizer), ("classifier", LogisticRegression(C=100))])
    pipe.fit(english, topics)
    assert pipe.score(english, topics) > 0.9
    pipe.set_params(vectorizer__lang="de")
    assert pipe.score(german, topics) > 0.9


def test_in_language_leaves_the_first_as_it_is(vectorizer, documents, model):
    english, german, topics = documents
    pipe = make_pipeline(vectorizer, LogisticRegression(C=100)).fit(english, topics)
    other = make_pipeline(vectorizer.in_language("de"), *pipe[1:])
    assert other.score(german, topics) > 0.9
    assert (pipe[0].lang, other[0].lang) == ("en", "de")
    assert other[0].vectors is model


def test_pickled_pipeline_predicts_the_same(vectorizer, documents):
    english, _, topics = documents
    pipe = make_pipeline(
        vectorizer.set_params(vectors=vectorizer.vectors.wv), LogisticRegression()
    ).fit(english, topics)
    again = pickle.loads(pickle.dumps(pipe))
    np.testing.assert_array_equal(again.predict(english), pipe.predict(english))


# ---- documents


def test_rows_are_the_sentence_vectors_at_length_one(model, vectorizer):
    tokens = [["e1", "e2", "new"], ["e3"], []]
    expected = model.wv_en.sentence_vectors(tokens)
    plain = CrossLingualVectorizer("en", model, normalize=False).transform(tokens)
    np.testing.assert_array_equal(plain, expected)
    found = vectorizer.fit_transform(tokens)
    assert found.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), [1, 1, 0], rtol=1e-5)
    np.testing.assert_allclose(found[0] * np.linalg.norm(expected[0]), expected[0], rtol=1e-4)


@pytest.mark.parametrize(
    "kind", [list, tuple, iter, np.array, lambda x: np.array(x, dtype=object)],
    ids=["list", "tuple", "iterator", "array", "objects"],
)  # fmt: skip
def test_documents_come_in_any_column(vectorizer, kind):
    documents = ["e1 e2", "e3"]
    expected = vectorizer.transform([["e1", "e2"], ["e3"]])
    np.testing.assert_array_equal(vectorizer.fit_transform(kind(documents)), expected)


def test_pandas_columns_come_and_go(vectorizer):
    pandas = pytest.importorskip("pandas")
    column = pandas.Series(["e1 e2", "e3"], index=[7, 9])
    frame = vectorizer.set_output(transform="pandas").fit_transform(column)
    assert frame.index.tolist() == [7, 9]
    np.testing.assert_array_equal(
        frame.to_numpy(), vectorizer.set_output(transform="default").transform(["e1 e2", "e3"])
    )
    with pytest.raises(TokenError, match=r"X\[1\]: .*nan"):
        vectorizer.transform(pandas.Series(["e1", np.nan], dtype=object))
    with pytest.raises(TokenError, match=r"shape \(2, 1\); select one column"):
        vectorizer.transform(pandas.DataFrame({"text": column}))


def test_text_is_split_and_lower_cased_as_asked(model):
    expected = CrossLingualVectorizer("en", model).transform([["e1", "e2"]])
    commas = CrossLingualVectorizer("en", model, tokenizer=lambda s: s.split(","), lowercase=True)
    np.testing.assert_array_equal(commas.transform(["E1,e2"]), expected)
    np.testing.assert_array_equal(commas.transform([["E1", "e2"]]), expected)


@pytest.mark.parametrize("bad", [None, float("nan"), b"e2", 3, ["e1", None], ["e1", b"e2"]])
def test_documents_that_are_no_text_are_refused_by_position(vectorizer, bad):
    with pytest.raises(TokenError, match=r"document X\[1\]: "):
        vectorizer.transform(["e1", bad])


@pytest.mark.parametrize("bad", ["e1 e2", b"e1", np.array([["e1"], ["e2"]]), np.array("e1"), 7])
@pytest.mark.parametrize("method", ["fit", "transform"])
def test_what_is_no_column_of_documents_is_refused(vectorizer, method, bad):
    with pytest.raises(TokenError, match="X: a list or column of documents is wanted"):
        getattr(vectorizer, method)(bad)


# ---- parameters


def test_vectors_may_be_a_model_its_vectors_or_plain_ones(model):
    plain = KeyedVectors(20)
    plain.add_vectors(model.wv_en.index_to_key, model.wv_en.vectors)
    plain.expandos["count"] = model.wv_en.expandos["count"]
    expected = CrossLingualVectorizer("en", model).transform(["e1 e2"])
    for vectors in (model.wv, {"en": plain}):
        found = CrossLingualVectorizer("en", vectors).transform(["e1 e2"])
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"lang": "fr"}, UnknownLanguageError, r"'fr'; there are \['de', 'en'\]"),
        ({"vectors": None}, ConfigError, "mapping from language codes"),
        ({"vectors": {"en": 1}}, ConfigError, "'en': a gensim KeyedVectors is wanted, got int"),
        ({"weighting": "tfidf"}, ConfigError, "weighting must be"),
    ],
)
def test_fit_refuses_parameters_that_cannot_work(vectorizer, options, error, message):
    with pytest.raises(error, match=message):
        vectorizer.set_params(**options).fit(["e1"])


# ---- scikit-learn is optional


def test_package_does_not_import_scikit_learn():
    code = "import gensim_bilbowa, sys; sys.exit('sklearn' in sys.modules)"
    subprocess.run([sys.executable, "-P", "-c", code], check=True)


def test_missing_scikit_learn_is_told_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.base", None)
    monkeypatch.delitem(sys.modules, "gensim_bilbowa.vectorizers.cross_lingual")
    with pytest.raises(ImportError, match=r"scikit-learn: pip install 'gensim_bilbowa\[eval\]'"):
        gensim_bilbowa.CrossLingualVectorizer  # noqa: B018


def test_unknown_attributes_of_the_package_stay_unknown():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        gensim_bilbowa.nothing  # noqa: B018
