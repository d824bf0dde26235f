"""Documents of other languages become the words of the one that a classifier was trained on."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from samples import SMALL, made_up_pairs, space
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from gensim_bilbowa import (
    BilBOWA,
    CrossLingualVectorizer,
    CrossLingualVectors,
    TranslatingVectorizer,
)
from gensim_bilbowa.errors import ConfigError, TokenError, UnknownLanguageError
from gensim_bilbowa.lexicons import extract_lexicon

PARALLEL = {("en", "de"): made_up_pairs(400)}
ONLY_WORDS = {"ngram_weight": 0, "vector_weight": 0}
ONLY_NGRAMS = {"word_weight": 0, "vector_weight": 0}


@pytest.fixture(scope="module")
def model():
    return BilBOWA(parallel=PARALLEL, **{**SMALL, "epochs": 10})


def test_a_classifier_works_in_another_language(model, documents):
    english, german, topics = documents
    vectorizer = TranslatingVectorizer("en", model, parallel=PARALLEL)
    classifier = make_pipeline(vectorizer, LogisticRegression()).fit(english[:80], topics[:80])
    assert classifier.score(english[80:], topics[80:]) > 0.9
    classifier.set_params(translatingvectorizer__lang="de")
    assert classifier.score(german[80:], topics[80:]) > 0.9


# ---- values


def test_words_and_ngrams_of_the_own_language_are_as_of_scikit_learn(model, documents):
    english = documents[0]
    for kind, only, peer in (
        ("word", ONLY_WORDS, CountVectorizer(analyzer=str.split)),
        ("ngram", ONLY_NGRAMS, CountVectorizer(analyzer="char_wb", ngram_range=(2, 5))),
    ):
        counts = peer.fit_transform(english)
        expected = TfidfTransformer().fit(counts).transform(counts.log1p()).toarray()
        vectorizer = TranslatingVectorizer("en", model, **only).fit(english)
        got = vectorizer.transform(english).toarray()
        names = list(vectorizer.get_feature_names_out())
        columns = [names.index(f"{kind}={name}") for name in peer.get_feature_names_out()]
        np.testing.assert_allclose(got[:, columns], 2 * expected, rtol=1e-5, atol=1e-7)
        assert got.sum() == pytest.approx(got[:, columns].sum())


@pytest.mark.parametrize("source", ["lexicon", "aligned"])
def test_words_are_shared_by_their_translations(model, documents, source):
    english, german = documents[:2]
    vectors = CrossLingualVectors(model.wv) if source == "lexicon" else model
    vectorizer = TranslatingVectorizer("en", vectors, topn=3, temperature=0.5, **ONLY_WORDS)
    vectorizer.fit(english)
    shares = {}
    if source == "lexicon":
        lexicon = extract_lexicon(CrossLingualVectors(model.wv), "de", "en", topn=3, mutual=False)
        for entry in lexicon:
            shares.setdefault(entry.source, {})[entry.target] = np.exp(entry.score / 0.5)
    else:
        counts = model.wv["de"].aligned("en").toarray()
        assert (counts.sum(axis=1) >= 3).all()  # so that only these tell
        for row, word in enumerate(model.wv["de"].index_to_key):
            part = counts[row] / counts[row].sum()
            kept = np.flatnonzero(part >= 0.02)
            targets = [model.wv["en"].index_to_key[column] for column in kept]
            shares[word] = dict(zip(targets, part[kept], strict=True))
    n = len(english)
    in_documents = {
        word: sum(word in document.split() for document in english) for word in vectorizer.words_
    }
    idf = {word: np.log((1 + n) / (1 + df)) + 1 for word, df in in_documents.items()}
    row = dict.fromkeys(vectorizer.words_, 0.0)
    for word in german[0].split():
        whole = sum(shares[word].values()) if source == "lexicon" else 1
        for target, share in shares[word].items():
            row[target] += share / whole
    expected = np.array([np.log1p(share) * idf[word] for word, share in row.items()])
    got = vectorizer.in_language("de").transform(german[:1]).toarray()[0]
    np.testing.assert_allclose(got, 2 * expected / np.linalg.norm(expected), rtol=1e-4, atol=1e-6)


def test_vectors_are_those_of_the_other_vectorizer(model, documents):
    english, german = documents[:2]
    vectorizer = TranslatingVectorizer("en", model, word_weight=0, ngram_weight=0, vector_weight=3)
    vectorizer.fit(english)
    expected = 3 * CrossLingualVectorizer("de", model).transform(german)
    got = vectorizer.in_language("de").transform(german).toarray()
    np.testing.assert_allclose(got, expected, rtol=1e-5)


def test_words_without_a_vector_become_those_spelt_alike():
    vectors = space(en=np.eye(3), de=np.eye(3))
    vectorizer = TranslatingVectorizer("en", vectors, **ONLY_WORDS)
    vectorizer.fit(["e0 e1 e2 museum", "e0 university", "e1 museums"])
    names = vectorizer.get_feature_names_out()
    german = vectorizer.in_language("de")

    def found(document):
        return names[german.transform([document]).indices].tolist()

    assert found("Museum") == ["word=museum"]
    assert found("universität") == ["word=university"]
    assert found("Straße") == []


def test_words_without_a_vector_become_translations_of_those_that_begin_alike():
    text = [(["the", "library"], ["die", "Bücherei"]), (["the", "sea"], ["das", "Meer"])] * 20
    text += [(["a", "library"], ["eine", "Bücherei"]), (["a", "sea"], ["ein", "Meer"])] * 20
    model = BilBOWA(parallel={("en", "de"): text}, **SMALL)
    vectorizer = TranslatingVectorizer("en", model, **ONLY_WORDS).fit(["the library a sea"])
    names = vectorizer.get_feature_names_out()
    found = vectorizer.in_language("de").transform(["Büchereien"]).toarray()[0]
    assert names[found.argmax()] == "word=library"


def test_parallel_text_counts_in_the_idf(model, documents):
    english = documents[0]
    pairs = [(["e1"], ["d1"])] * 1000
    text = {("en", "de"): pairs}
    vectorizer = TranslatingVectorizer("en", model, parallel=text, **ONLY_WORDS).fit(english)
    row = dict(zip(vectorizer.get_feature_names_out(),
                   vectorizer.transform(["e1 e2"]).toarray()[0], strict=True))  # fmt: skip
    n = len(english) + 1000
    df = [sum(word in d.split() for d in english) for word in ("e1", "e2")]
    idf = [np.log((1 + n) / (1 + d)) + 1 for d in (df[0] + 1000, df[1])]
    assert row["word=e2"] / row["word=e1"] == pytest.approx(idf[1] / idf[0], rel=1e-5)


# ---- scikit-learn's rules


def test_it_is_fitted_first(model):
    with pytest.raises(NotFittedError):
        TranslatingVectorizer("en", model).transform(["e1"])


def test_clones_share_vectors_and_text_and_are_not_fitted(model, documents):
    first = TranslatingVectorizer("en", model, parallel=PARALLEL).fit(documents[0])
    second = clone(first)
    assert second.vectors is model
    assert second.parallel is PARALLEL
    with pytest.raises(NotFittedError):
        second.transform(["e1"])


def test_features_have_as_many_names_as_columns(model, documents):
    vectorizer = TranslatingVectorizer("en", model).fit(documents[0])
    features = vectorizer.transform(documents[0])
    assert isinstance(features, sparse.csr_matrix)
    assert features.dtype == np.float32
    names = vectorizer.get_feature_names_out()
    assert features.shape == (len(documents[0]), len(names))
    assert len(set(names)) == len(names)


def test_parameters_are_searched(model, documents):
    english, _, topics = documents
    pipeline = make_pipeline(TranslatingVectorizer("en", model), LogisticRegression())
    grid = {"translatingvectorizer__word_weight": [0, 1]}
    search = GridSearchCV(pipeline, grid, cv=2).fit(english, topics)
    assert search.best_score_ > 0.9


def test_a_pickled_classifier_predicts_the_same(model, documents):
    english, german, topics = documents
    vectorizer = TranslatingVectorizer("en", model.wv, parallel=PARALLEL)
    classifier = make_pipeline(vectorizer, LogisticRegression()).fit(english, topics)
    classifier.set_params(translatingvectorizer__lang="de")
    again = pickle.loads(pickle.dumps(classifier))
    np.testing.assert_array_equal(again.predict(german), classifier.predict(german))


# ---- errors


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"topn": 0}, "topn"),
        ({"temperature": 0}, "temperature"),
        ({"word_weight": -1}, "word_weight"),
        ({"word_weight": 0, **ONLY_WORDS}, "all weights are 0"),
    ],
)
def test_parameters_that_cannot_work_are_named(model, parameters, words):
    with pytest.raises(ConfigError, match=words):
        TranslatingVectorizer("en", model, **parameters).fit(["e1"])


def test_parallel_text_that_can_be_read_once_is_refused(model):
    vectorizer = TranslatingVectorizer("en", model, parallel=iter(PARALLEL["en", "de"]))
    with pytest.raises(TokenError, match="restartable"):
        vectorizer.fit(["e1"])


def test_other_languages_and_documents_are_refused(model):
    vectorizer = TranslatingVectorizer("en", model).fit(["e1"])
    with pytest.raises(UnknownLanguageError, match="'fr'"):
        vectorizer.in_language("fr").transform(["x"])
    with pytest.raises(TokenError, match=r"X\[1\]"):
        vectorizer.transform(["e1", None])


def test_documents_without_known_words_have_no_features(model):
    vectorizer = TranslatingVectorizer("en", model, vector_weight=0).fit(["e1 e2"])
    assert vectorizer.transform(["zzz", ""]).nnz == 0
    assert vectorizer.in_language("de").transform(["ßß", ""]).nnz == 0
