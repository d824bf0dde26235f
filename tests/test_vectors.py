"""The space of all languages: which vectors it takes, and what it is then."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from gensim.models import KeyedVectors, Word2Vec
from samples import keyed, made_up_pairs, space
from scores import drawn, of_words

from gensim_bilbowa import BilBOWA, CrossLingualVectors
from gensim_bilbowa.errors import ConfigError

METHODS = ["cosine", "csls"]


@pytest.fixture(scope="module")
def model():
    return BilBOWA(parallel={("en", "de"): made_up_pairs(200, words=30)}, vector_size=8, epochs=2,
                   workers=1, min_count=1)  # fmt: skip


def test_words_added_to_the_space_leave_the_given_vectors_whole():
    given_vectors = keyed("en", np.eye(3))
    vectors = CrossLingualVectors({"en": given_vectors, "de": keyed("de", np.eye(3))})
    vectors["en"].add_vectors(["new"], np.ones((1, 3)), extras={"count": [5]})
    assert "new" not in given_vectors
    assert len(given_vectors) == len(given_vectors.vectors) == 3
    assert [word for word, _ in given_vectors.most_similar("en0")] == ["en1", "en2"]


def test_whole_models_are_refused_with_the_way_to_their_vectors():
    word2vec = Word2Vec([["a", "b"]], min_count=1, vector_size=3)
    with pytest.raises(ConfigError, match=r"'en': a gensim KeyedVectors is wanted.*pass its \.wv"):
        CrossLingualVectors({"en": word2vec})
    with pytest.raises(ConfigError, match="got dict"):
        CrossLingualVectors({"en": {"a": [1, 2]}})


def test_vectors_that_are_not_finite_name_language_word_and_number():
    matrix = np.ones((5, 3))
    matrix[2:4, 1] = np.nan
    with pytest.raises(ConfigError, match=r"'de'.* 'de2' is not finite \(2 such words of 5\)"):
        space(en=np.ones((5, 3)), de=matrix)


def test_sizes_that_differ_are_named():
    with pytest.raises(ConfigError, match=r"\{'en': 3, 'de': 4\}"):
        space(en=np.ones((2, 3)), de=np.ones((2, 4)))


def test_space_is_a_mapping_in_the_given_order():
    vectors = drawn(fr=2, en=3, de=4)
    assert list(vectors) == ["fr", "en", "de"]
    assert len(vectors) == 3
    assert "en" in vectors
    assert "xx" not in vectors
    assert {code: len(kv) for code, kv in vectors.items()} == {"fr": 2, "en": 3, "de": 4}
    assert vectors.get("xx") is None


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))])
def test_copy_of_a_space_is_a_space(way):
    vectors = drawn(en=5, de=9)
    copied = way(vectors)
    assert copied["en"].most_similar_cross("en1") == vectors["en"].most_similar_cross("en1")
    assert copied["en"] is not vectors["en"]
    assert vectors["de"].other_language() is vectors["en"]
    assert copied["de"].other_language() is copied["en"]


def test_vectors_of_a_trained_model_answer_alone_as_in_the_model(model):
    apart = CrossLingualVectors({code: copy.deepcopy(kv) for code, kv in model.wv.items()})
    for method in METHODS:
        assert apart["en"].most_similar_cross("e1", method=method) == (
            model.wv_en.most_similar_cross("e1", method=method)
        )


def test_double_precision_vectors_are_searched(model):
    plain = KeyedVectors(8, dtype=np.float64)
    plain.add_vectors(model.wv_de.index_to_key, model.wv_de.vectors.astype(np.float64))
    apart = CrossLingualVectors({"en": copy.deepcopy(model.wv_en), "de": plain})
    for method in METHODS:
        found = apart["en"].most_similar_cross("e1", 3, method=method)
        assert [w for w, _ in found] == [
            w for w, _ in model.wv_en.most_similar_cross("e1", 3, method=method)
        ]


def test_vectors_that_do_not_fit_are_refused():
    kv = of_words(["a", "b"], np.eye(2))
    with pytest.raises(ConfigError, match="one vector size"):
        CrossLingualVectors({"en": kv, "de": of_words(["x"], np.ones((1, 3)))})
    kv.vectors[1, 0] = np.inf
    with pytest.raises(ConfigError, match=r"'en': the vector of 'b' is not finite"):
        CrossLingualVectors({"en": kv})


def test_vectors_so_long_that_their_length_overflows_are_refused():
    kv = of_words(["a", "b"], np.eye(2))
    kv.vectors[1, 0] = 1e19
    CrossLingualVectors({"en": kv})
    kv.vectors[1, 0] = 1e20
    with pytest.raises(ConfigError, match=r"the vector of 'b' is too long for single precision"):
        CrossLingualVectors({"en": kv})
    vectors = drawn(en=3, de=3)
    with pytest.raises(ConfigError, match="or is too long"):
        vectors["en"].most_similar_cross(np.full(vectors["en"].vector_size, 1e20))
    vectors["en"].vectors[1] = 1e20
    vectors["en"].norms = None
    for word in ("en0", "en1"):
        with pytest.raises(ConfigError, match=r"the vector of 'en1' .*is too long"):
            vectors["en"].most_similar_cross(word, method="csls")


def test_given_vectors_stay_plain_and_are_shared():
    kv = of_words(["a", "b"], np.eye(2))
    vectors = CrossLingualVectors({"en": kv})
    assert type(kv) is KeyedVectors
    assert vectors["en"].vectors is kv.vectors
    assert list(vectors) == ["en"]
    assert repr(vectors) == "CrossLingualVectors<en: 2 words>"
