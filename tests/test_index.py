from __future__ import annotations

import copy
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from gensim.models import KeyedVectors

from gensim_bilbowa import ApproximateIndex, CrossLingualVectors
from gensim_bilbowa.errors import ConfigError, UnknownLanguageError, UnknownWordError
from gensim_bilbowa.vectors.retrieval import METHODS


def space(seed=0, dim=8, **sizes):
    rng = np.random.default_rng(seed)
    vectors = {}
    for code, n in sizes.items():
        vectors[code] = KeyedVectors(dim)
        vectors[code].add_vectors(
            [f"{code}{i}" for i in range(n)], rng.normal(size=(n, dim)).astype(np.float32)
        )
    return CrossLingualVectors(vectors)


def agree(found, exact):
    assert [word for word, _ in found] == [word for word, _ in exact]
    np.testing.assert_allclose([s for _, s in found], [s for _, s in exact], atol=1e-4)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("topn", [0, 1, 5, 500])
def test_index_that_looks_at_all_words_answers_as_the_exact_search(method, topn):
    en = space(en=60, de=200)["en"]
    index = ApproximateIndex(en, method=method, effort=1000)
    assert index.recall == 1
    for question in ("en3", 7, en["en9"] * 3):
        agree(
            index.most_similar_cross(question, topn),
            en.most_similar_cross(question, topn, method=method),
        )
    together = index.most_similar_cross_batch(["en1", "en2"], topn)
    for word, found in zip(("en1", "en2"), together, strict=True):
        agree(found, en.most_similar_cross(word, topn, method=method))


def test_recall_is_the_share_of_exact_answers_found():
    en = space(en=400, de=4000, dim=64)["en"]
    index = ApproximateIndex(en, method="csls", effort=1)
    hits = [
        len({w for w, _ in index.most_similar_cross(i)}
            & {w for w, _ in en.most_similar_cross(i, method="csls")})
        for i in range(400)
    ]  # fmt: skip
    assert index.recall == pytest.approx(np.mean(hits) / 10)
    assert 0.3 < index.recall < 1
    assert ApproximateIndex(en, method="csls", effort=500).recall > index.recall


def test_first_words_alone_are_indexed():
    en = space(en=20, de=50)["en"]
    index = ApproximateIndex(en, restrict_vocab=7)
    found = index.most_similar_cross("en1", 50)
    exact = en.most_similar_cross("en1", 50, method="csls", restrict_vocab=7)
    assert [word for word, _ in found] == [word for word, _ in exact]
    # One mean of all scores is another.
    np.testing.assert_allclose(
        np.diff([s for _, s in found]), np.diff([s for _, s in exact]), atol=1e-4
    )
    assert index.recall == 1
    assert "7 words" in repr(index)


def test_zero_vectors_give_no_nan():
    vectors = space(en=5, de=30)
    vectors["en"].vectors[2] = vectors["de"].vectors[3] = 0
    index = ApproximateIndex(vectors["en"], method="csls")
    for word in ("en1", "en2"):
        assert np.isfinite([score for _, score in index.most_similar_cross(word, 30)]).all()


@pytest.mark.parametrize("changed", ["en", "de"])
def test_index_of_vectors_that_changed_is_refused(changed):
    vectors = space(en=5, de=30)
    index = ApproximateIndex(vectors["en"])
    vectors[changed].add_vectors(["new"], np.ones((1, 8)))
    with pytest.raises(ConfigError, match="changed since this index"):
        index.most_similar_cross("en1")


def test_index_is_refused_while_training_changes_the_vectors():
    vectors = space(en=5, de=30)
    index = ApproximateIndex(vectors["en"])
    for code in ("en", "de"):
        vectors[code].in_training = True
        with pytest.raises(ConfigError, match="changed since this index"):
            index.most_similar_cross("en1")
        vectors[code].in_training = False
    assert index.most_similar_cross("en1", 1)


def test_norms_computed_anew_from_the_same_vectors_are_no_change():
    vectors = space(en=5, de=30)
    index = ApproximateIndex(vectors["en"])
    before = index.most_similar_cross("en1")
    vectors["de"].fill_norms(force=True)
    assert index.most_similar_cross("en1") == before


def test_words_with_equal_vectors_count_as_found():
    vectors = space(en=20, de=60)
    vectors["de"].vectors[:] = vectors["de"].vectors[0]
    assert ApproximateIndex(vectors["en"], effort=1).recall == 1


def test_threads_that_ask_for_unlike_numbers_of_words_get_their_own_answers():
    en = space(en=100, de=3000, dim=64)["en"]
    index = ApproximateIndex(en, effort=1)
    asked = [(word, topn) for word in range(100) for topn in (1, 40)] * 5
    alone = {(word, topn): index.most_similar_cross(word, topn) for word, topn in asked}
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda pair: index.most_similar_cross(*pair), asked))
    assert together == [alone[pair] for pair in asked]


def test_index_without_words_is_refused():
    with pytest.raises(ConfigError, match="no 'de' words to index"):
        ApproximateIndex(space(en=5, de=0)["en"])


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, pickle.dumps])
def test_copies_are_refused(way):
    index = ApproximateIndex(space(en=5, de=30)["en"])
    with pytest.raises(TypeError, match="cannot be copied or pickled"):
        way(index)


def test_questions_that_cannot_be_answered_say_why():
    vectors = space(en=5, de=30, fr=9)
    with pytest.raises(ConfigError, match="say lang="):
        ApproximateIndex(vectors["en"])
    with pytest.raises(UnknownLanguageError, match="'xx'"):
        ApproximateIndex(vectors["en"], "xx")
    with pytest.raises(ConfigError, match="method must be"):
        ApproximateIndex(vectors["en"], "de", "dot")
    with pytest.raises(ConfigError, match="effort must be"):
        ApproximateIndex(vectors["en"], "de", effort=0)
    index = ApproximateIndex(vectors["en"], "de")
    with pytest.raises(UnknownWordError, match="'de1' is not in the 'en' vocabulary"):
        index.most_similar_cross("de1")
    with pytest.raises(ConfigError, match="topn must be"):
        index.most_similar_cross("en1", None)
    with pytest.raises(ConfigError, match="list of words is wanted"):
        index.most_similar_cross_batch("en1")
    assert index.most_similar_cross_batch([]) == []


def test_missing_library_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(ImportError, match=r"gensim_bilbowa\[ann\]"):
        ApproximateIndex(space(en=5, de=5)["en"])
