"""A frozen language keeps its vectors to the bit while the others are fitted to it."""

from __future__ import annotations

import numpy as np
import pytest
from gensim.models.callbacks import CallbackAny2Vec
from samples import SMALL, made_up_pairs

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.errors import ConfigError


def right(model, source, target, words=20):
    answers = model.wv[source].most_similar_cross_batch(
        [f"{source[0]}{i}" for i in range(words)], 1, target
    )
    return np.mean([a[0][0] == f"{target[0]}{i}" for i, a in enumerate(answers)])


@pytest.fixture(scope="module")
def english(pairs):
    """English alone that has been trained, as bytes of its vectors can show."""
    return BilBOWA(parallel={("en", "de"): pairs}, **{**SMALL, "epochs": 30})["en"]


def bits(array):
    return np.ascontiguousarray(array).tobytes()


@pytest.mark.parametrize("order", [("en", "de"), ("de", "en")])
def test_frozen_vectors_keep_every_bit_and_others_are_fitted_to_them(pairs, english, order):
    swapped = pairs if order[0] == "en" else [pair[::-1] for pair in pairs]
    model = BilBOWA.from_models(
        {"en": english}, parallel={order: swapped}, freeze=["en"],
        **{**SMALL, "epochs": 30},
    )  # fmt: skip
    assert bits(model.wv_en.vectors) == bits(english.wv.vectors)
    assert right(model, "en", "de") >= 0.8
    assert right(model, "de", "en") >= 0.8


def test_a_negative_zero_stays_one(pairs, english):
    model = BilBOWA.from_models({"en": english}, **SMALL)
    model.wv_en.vectors[:, 3] = -0.0
    before = bits(model.wv_en.vectors)
    model.build_vocab({"de": [b for _, b in pairs]})
    model.train(parallel={("en", "de"): pairs}, freeze=["en"])
    assert bits(model.wv_en.vectors) == before


@pytest.mark.parametrize("mode", [{"sg": 0}, {"hs": 1, "negative": 0}, {"shared_negatives": False}])
def test_other_modes_leave_a_frozen_language_alone(pairs, mode):
    model = BilBOWA(parallel={("en", "de"): pairs}, **{**SMALL, **mode})
    weights = "syn1" if mode.get("hs") else "syn1neg"
    before = bits(model.wv_en.vectors), bits(getattr(model["en"], weights))
    german = model.wv_de.vectors.copy()
    model.train(parallel={("en", "de"): pairs}, freeze=["en"], epochs=1)
    assert (bits(model.wv_en.vectors), bits(getattr(model["en"], weights))) == before
    assert (model.wv_de.vectors != german).any()


def test_output_weights_of_a_frozen_language_stay(small_model, pairs):
    before = small_model["en"].syn1neg.copy()
    small_model.train(parallel={("en", "de"): pairs}, freeze=["en"])
    np.testing.assert_array_equal(small_model["en"].syn1neg, before)


def test_text_of_a_frozen_language_is_not_read(small_model, pairs):
    class Unreadable(list):
        def __iter__(self):
            raise AssertionError("was read")

    words = sum(len(b) for _, b in pairs)
    _, raw = small_model.train(
        {"en": Unreadable()}, parallel={("en", "de"): pairs}, freeze=["en"], epochs=1
    )
    assert raw == words
    entry = small_model.loss_history[-1]
    assert set(entry["monolingual"]) == {"de"}
    assert entry["words"] == words


def test_pairs_of_two_frozen_languages_are_not_trained_on(pairs):
    parallel = {("en", "de"): pairs, ("de", "fr"): [(b, a) for a, b in pairs]}
    model = BilBOWA(parallel=parallel, **SMALL)
    before = {code: bits(model.wv[code].vectors) for code in model}
    model.train(parallel=parallel, freeze=["en", "de"], epochs=1)
    assert set(model.loss_history[-1]["crosslingual"]) == {"de-fr"}
    assert [bits(model.wv[code].vectors) == before[code] for code in model] == [True, True, False]


def test_freezing_ends_with_the_run_even_if_that_fails(small_model, pairs):
    class Failing(CallbackAny2Vec):
        def on_epoch_end(self, model):
            raise RuntimeError

    parallel = {("en", "de"): pairs}
    before = small_model.wv_en.vectors.copy()
    with pytest.raises(RuntimeError):
        small_model.train(parallel=parallel, freeze=["en"], callbacks=[Failing()])
    np.testing.assert_array_equal(small_model.wv_en.vectors, before)
    small_model.train(parallel=parallel, epochs=1)
    assert (small_model.wv_en.vectors != before).any()


def test_locks_of_words_outlast_freezing(small_model, pairs):
    lock = np.ones(len(small_model.wv_en), np.float32)
    lock[:5] = 0
    small_model.wv_en.vectors_lockf = lock
    small_model.train(parallel={("en", "de"): pairs}, freeze=["en"], epochs=1)
    assert small_model.wv_en.vectors_lockf is lock


def test_one_code_may_stand_alone(small_model, pairs):
    before = bits(small_model.wv_en.vectors)
    small_model.train(parallel={("en", "de"): pairs}, freeze="en", epochs=1)
    assert bits(small_model.wv_en.vectors) == before


def test_norms_and_answers_are_right_after_freezing(small_model, pairs):
    small_model.wv_de.fill_norms()
    small_model.train(parallel={("en", "de"): pairs}, freeze=["en"], epochs=1)
    for wv in small_model.wv.values():
        wv.fill_norms()
        np.testing.assert_allclose(wv.norms, np.linalg.norm(wv.vectors, axis=1), rtol=1e-5)


def test_unknown_languages_and_all_languages_are_refused(small_model, pairs):
    parallel = {("en", "de"): pairs}
    with pytest.raises(ConfigError, match=r"freeze: no language \['fr'\]; there are \['en', 'de'"):
        small_model.train(parallel=parallel, freeze=["fr"])
    with pytest.raises(ConfigError, match=r"all languages of the text are frozen: \['de', 'en'\]"):
        small_model.train(parallel=parallel, freeze=["en", "de"])


def test_a_new_language_joins_a_model_whose_languages_are_frozen(small_model):
    swedish = [(a, [w.replace("d", "s") for w in b]) for a, b in made_up_pairs(seed=5)]
    parallel = {("en", "sv"): swedish}
    small_model.train(parallel={("en", "de"): made_up_pairs()}, epochs=30)
    before = {code: bits(small_model.wv[code].vectors) for code in ("en", "de")}
    small_model.build_vocab({"sv": [b for _, b in swedish]}, update=True)
    small_model.train(parallel=parallel, freeze=["en"], epochs=30)
    assert {code: bits(small_model.wv[code].vectors) for code in ("en", "de")} == before
    assert right(small_model, "en", "sv") >= 0.8
    assert right(small_model, "de", "sv") >= 0.6  # were never paired


def test_a_frozen_language_of_subwords_keeps_its_words_and_ngrams(pairs):
    ngrams = {"subwords": ["en"], "min_n": 1, "max_n": 2, "bucket": 50}
    model = BilBOWA(parallel={("en", "de"): pairs}, **{**SMALL, **ngrams})
    names = ("vectors_vocab", "vectors_ngrams", "vectors")
    model.wv_en.vectors_ngrams[:, 2] = -0.0
    model["en"].compose()
    before = {name: bits(getattr(model.wv_en, name)) for name in names}
    german = bits(model.wv_de.vectors)
    model.train(parallel={("en", "de"): pairs}, freeze=["en"])
    assert {name: bits(getattr(model.wv_en, name)) for name in names} == before
    assert bits(model.wv_de.vectors) != german
