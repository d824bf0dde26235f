"""A model that starts from vectors, of gensim or from files, and not only from models."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from gensim.models import FastText, KeyedVectors, Word2Vec
from samples import SMALL, keyed

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.errors import ConfigError, CorpusError, FormatError, TokenError

EN_DE = ("en", "de")


@pytest.fixture
def given():
    """Vectors of e0 to e59, as published ones: without counts and output weights."""
    return keyed("e", np.random.default_rng(0).normal(0, 0.3, (60, 20)))


@pytest.fixture(params=["vectors", "text", "binary", "glove"])
def source(request, given, tmp_path):
    """The vectors, and files of them in each format."""
    if request.param == "vectors":
        return given
    path = tmp_path / f"wiki.en.{'bin' if request.param == 'binary' else 'vec'}"
    given.save_word2vec_format(
        str(path), binary=request.param == "binary", write_header=request.param != "glove"
    )
    return path


def counts(pairs):
    text = [w for a, _ in pairs for w in a]
    return [text.count(f"e{i}") for i in range(60)]


def test_all_words_of_the_vectors_are_kept_with_the_counts_of_the_text(source, given, pairs):
    model = BilBOWA.from_models({"en": source}, parallel={EN_DE: pairs}, freeze=["en"], **SMALL)
    assert model.wv_en.index_to_key == given.index_to_key
    np.testing.assert_allclose(model.wv_en.vectors, given.vectors, atol=1e-6)
    assert model.wv_en.expandos["count"].tolist() == counts(pairs)
    assert len(model.wv_de) == 40


def test_others_are_fitted_to_frozen_vectors(given, pairs):
    model = BilBOWA.from_models(
        {"en": given}, parallel={EN_DE: pairs}, freeze=["en"], **{**SMALL, "epochs": 30}
    )
    answers = model.wv_de.most_similar_cross_batch([f"d{i}" for i in range(20)], 1)
    assert sum(a[0][0] == f"e{i}" for i, a in enumerate(answers)) >= 16


def test_vectors_that_are_not_frozen_learn(given, pairs):
    before = given.vectors.copy()
    model = BilBOWA.from_models({"en": given}, parallel={EN_DE: pairs}, **SMALL)
    vectors = model.wv_en.vectors
    assert (vectors[:40] != before[:40]).any(axis=1).all()
    # Words that are not in the text turn with the language, and say the same of each other.
    np.testing.assert_allclose(
        vectors[40:] @ vectors[40:].T, before[40:] @ before[40:].T, atol=1e-4
    )
    assert (vectors[40:] != before[40:]).any()
    np.testing.assert_array_equal(given.vectors, before)
    model = BilBOWA.from_models({"en": given}, parallel={EN_DE: pairs}, **SMALL, alignment=False)
    np.testing.assert_array_equal(model.wv_en.vectors[40:], before[40:])


@pytest.mark.parametrize("exponent", [0, -0.5, 0.75])
@pytest.mark.parametrize("sg", [0, 1])
def test_words_that_the_text_lacks_are_no_noise(given, pairs, sg, exponent):
    options = {**SMALL, "sg": sg, "ns_exponent": exponent}
    model = BilBOWA.from_models({"en": given}, parallel={EN_DE: pairs}, **options)
    assert model["en"].syn1neg[:40].any(axis=1).all()
    assert not model["en"].syn1neg[40:].any()


def test_words_of_the_text_have_their_vectors_from_the_start(given, pairs, caplog):
    start = keyed("e", given.vectors[:30])
    start.add_vectors(["unwanted"], np.ones((1, 20)))
    parallel = {EN_DE: pairs}
    plain = BilBOWA(**SMALL)
    plain.build_vocab(parallel=parallel)
    seen = {}

    class Watch:
        def on_train_begin(self, model):
            seen.update(vectors=model.wv_en.vectors.copy(), words=list(model.wv_en.index_to_key))

        on_epoch_begin = on_epoch_end = on_train_end = lambda self, model: None

    with caplog.at_level(logging.INFO):
        BilBOWA.from_models(
            {"en": start}, parallel=parallel, vocabulary="text", callbacks=[Watch()], **SMALL
        )
    assert seen["words"] == plain.wv_en.index_to_key
    for row, word in enumerate(seen["words"]):
        known = word in start
        np.testing.assert_array_equal(
            seen["vectors"][row], start[word] if known else plain.wv_en.vectors[row]
        )
    assert ("en: 30 of 40 words have a vector to start from, the others start at random; 1 of the "
            "start's 31 words are not in the text") in caplog.text  # fmt: skip


def test_a_frozen_language_with_the_words_of_the_text_has_none_without_a_vector(given, pairs):
    start = keyed("e", given.vectors[:30])
    model = BilBOWA.from_models(
        {"en": start}, parallel={EN_DE: pairs}, vocabulary="text", freeze=["en"], **SMALL
    )
    assert set(model.wv_en.index_to_key) == set(start.index_to_key)
    for word in start.index_to_key:
        np.testing.assert_array_equal(model.wv_en[word], start[word])


def test_output_weights_of_a_model_come_along_to_the_words_of_the_text(pairs):
    word2vec = Word2Vec([a for a, _ in pairs], vector_size=20, min_count=1, epochs=1, workers=1)
    seen = {}

    class Watch:
        def on_train_begin(self, model):
            seen.update({w: model["en"].syn1neg[i].copy()
                         for i, w in enumerate(model.wv_en.index_to_key)})  # fmt: skip

        on_epoch_begin = on_epoch_end = on_train_end = lambda self, model: None

    more = [*pairs, (["e1", "new"], ["d1", "neu"])]
    BilBOWA.from_models(
        {"en": word2vec}, parallel={EN_DE: more}, vocabulary="text", callbacks=[Watch()], **SMALL
    )
    np.testing.assert_array_equal(seen["e3"], word2vec.syn1neg[word2vec.wv.get_index("e3")])
    assert not seen["new"].any()


def test_counts_of_the_vectors_count_more_than_those_of_the_text(given, pairs, tmp_path):
    for index, word in enumerate(given.index_to_key):
        given.set_vecattr(word, "count", 100 - index)
    model = BilBOWA.from_models({"en": given}, parallel={EN_DE: pairs}, **SMALL)
    assert model.wv_en.get_vecattr("e3", "count") == 97
    given.save_word2vec_format(str(tmp_path / "en.vec"), fvocab=str(tmp_path / "en.counts"))
    model = BilBOWA.from_models({"en": tmp_path / "en.vec"}, parallel={EN_DE: pairs}, **SMALL)
    assert model.wv_en.get_vecattr("e3", "count") == 97


def test_counts_that_gensim_makes_up_are_not_taken(given, pairs, tmp_path):
    given.save_word2vec_format(str(tmp_path / "en.vec"))
    loaded = KeyedVectors.load_word2vec_format(str(tmp_path / "en.vec"))
    assert loaded.get_vecattr("e59", "count") == 1
    model = BilBOWA.from_models({"en": loaded}, parallel={EN_DE: pairs}, **SMALL)
    assert model.wv_en.get_vecattr("e59", "count") == 0


def test_new_words_of_the_text_can_be_added_afterwards(given, pairs):
    start = keyed("e", given.vectors[:30])
    model = BilBOWA.from_models({"en": start}, parallel={EN_DE: pairs}, **SMALL)
    model.build_vocab({"en": [a for a, _ in pairs]}, update=True)
    assert model.wv_en.index_to_key[:30] == start.index_to_key
    assert len(model.wv_en) == 40


@pytest.mark.parametrize("mode", [{"hs": 1, "negative": 0}, {"sg": 0}])
def test_other_modes_start_from_vectors_too(given, pairs, mode):
    for vocabulary in ("start", "text"):
        model = BilBOWA.from_models(
            {"en": given}, parallel={EN_DE: pairs}, vocabulary=vocabulary, **{**SMALL, **mode}
        )
        assert np.isfinite(model.wv_en.vectors).all()


def test_a_model_that_started_from_vectors_is_saved_and_goes_on(given, pairs, tmp_path):
    model = BilBOWA.from_models({"en": given}, parallel={EN_DE: pairs}, freeze=["en"], **SMALL)
    model.save(tmp_path / "m")
    loaded = BilBOWA.load(tmp_path / "m")
    loaded.train(parallel={EN_DE: pairs}, freeze=["en"])
    np.testing.assert_array_equal(loaded.wv_en.vectors, given.vectors)


def test_starts_that_do_not_fit_are_refused(given, pairs, tmp_path):
    parallel = {EN_DE: pairs}
    with pytest.raises(ConfigError, match=r"one vector_size.*\{'en': 20\} and vector_size=30"):
        BilBOWA.from_models({"en": given}, parallel=parallel, vector_size=30)
    with pytest.raises(ConfigError, match=r"'en'.*no counts.*give text"):
        BilBOWA.from_models({"en": given})
    with pytest.raises(ConfigError, match="vocabulary must be 'start' or 'text', not 'both'"):
        BilBOWA.from_models({"en": given}, parallel=parallel, vocabulary="both")
    with pytest.raises(ConfigError, match="there is no text of 'en'"):
        BilBOWA.from_models({"en": given}, parallel={("de", "fr"): pairs}, vocabulary="text")
    ngrams = FastText([["a", "b"]], vector_size=20, min_count=1, bucket=50)
    with pytest.raises(ConfigError, match=r"vocabulary='text': models\['en'\] is a FastText"):
        BilBOWA.from_models({"en": ngrams}, parallel=parallel, vocabulary="text")
    with pytest.raises(ConfigError, match="has no vocabulary"):
        BilBOWA.from_models({"en": KeyedVectors(20)}, parallel=parallel)
    with pytest.raises(ConfigError, match=r"freeze: no model of \['fr'\]"):
        BilBOWA.from_models({"en": given}, parallel=parallel, freeze=["fr"], **SMALL)
    with pytest.raises(TokenError, match="restartable"):
        BilBOWA.from_models({"en": given}, parallel={EN_DE: iter(pairs)})
    given.vectors[3, 1] = np.nan
    with pytest.raises(ConfigError, match="'e3' is not finite"):
        BilBOWA.from_models({"en": given}, parallel=parallel)
    (tmp_path / "en.vec").write_text("2 2\ne0 1 nan\ne1 0 1\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"en\.vec, line 2"):
        BilBOWA.from_models({"en": tmp_path / "en.vec"}, parallel=parallel)
    with pytest.raises(FileNotFoundError, match="no such file of word vectors"):
        BilBOWA.from_models({"en": tmp_path / "gone.vec"}, parallel=parallel)


def test_a_start_without_a_word_of_the_text_is_an_error(given, pairs):
    other = keyed("x", given.vectors)
    for vocabulary in ("start", "text"):
        with pytest.raises(ConfigError, match="'en': none of the text's 40 words is among the 60"):
            BilBOWA.from_models(
                {"en": other}, parallel={EN_DE: pairs}, vocabulary=vocabulary, **SMALL
            )
    with pytest.raises(ConfigError, match="'en': none of the text's 40 words is among the 60"):
        BilBOWA.from_models(
            {"en": other}, parallel={EN_DE: pairs}, vocabulary="text", freeze=["en"], **SMALL
        )
    for index, word in enumerate(other.index_to_key):
        other.set_vecattr(word, "count", 60 - index)
    with pytest.raises(CorpusError, match="none of its 300 pairs"):
        BilBOWA.from_models({"en": other}, parallel={EN_DE: pairs}, **SMALL)


def test_a_language_that_starts_at_random_cannot_be_frozen(given, pairs):
    with pytest.raises(ConfigError, match=r"freeze: no model of \['de'\] that could stay"):
        BilBOWA.from_models({"en": given}, parallel={("en", "de"): pairs}, freeze=["de"], **SMALL)
