"""More text for a trained model: what is new is learnt, what was there is kept."""

from __future__ import annotations

import numpy as np
import pytest
from samples import SMALL, made_up_pairs

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.errors import ConfigError

EN_DE = ("en", "de")
SUBWORDS = {**SMALL, "subwords": True, "min_n": 2, "max_n": 3, "bucket": 500}


def shifted(n=200, by=20, seed=7):
    """Pairs of which some words are new and some old."""
    more = made_up_pairs(n, seed=seed)
    return [([f"e{int(w[1:]) + by}" for w in a], [f"d{int(w[1:]) + by}" for w in b])
            for a, b in more]  # fmt: skip


def right(model, words, source="en", target="de"):
    asked = [f"{source[0]}{i}" for i in words]
    answers = model.wv[source].most_similar_cross_batch(asked, 1, target)
    return np.mean([a[0][0] == f"{target[0]}{i}" for i, a in zip(words, answers, strict=True)])


@pytest.fixture
def model(pairs):
    return BilBOWA(parallel={EN_DE: pairs}, **{**SMALL, "epochs": 30})


def test_counts_are_those_of_both_texts(model, pairs):
    more = shifted()
    model.build_vocab(parallel={EN_DE: more}, update=True)
    text = [w for a, _ in [*pairs, *more] for w in a]
    for word in ("e0", "e25", "e50"):
        assert model.wv_en.get_vecattr(word, "count") == text.count(word)


def test_subsampling_and_noise_after_an_update_are_by_the_counts_of_both(model, pairs):
    more = shifted()
    model.build_vocab(parallel={EN_DE: more}, update=True)
    fresh = BilBOWA(**SMALL)
    fresh.build_vocab(parallel={EN_DE: [*pairs, *more]})
    model.sample = fresh.sample = 1e-2
    for each in (model, fresh):
        each.train(parallel={EN_DE: more}, epochs=1)
    for word in fresh.wv_en.index_to_key:
        assert (model.wv_en.get_vecattr(word, "sample_int")
                == fresh.wv_en.get_vecattr(word, "sample_int"))  # fmt: skip


def test_new_words_find_their_translations(model):
    more = shifted()
    model.build_vocab(parallel={EN_DE: more}, update=True)
    model.train(parallel={EN_DE: more}, epochs=30)
    assert right(model, range(40, 50)) >= 0.8


def test_a_lock_keeps_old_words_and_lets_new_ones_learn(model, pairs):
    more = shifted()
    before = {code: model.wv[code].vectors.copy() for code in EN_DE}
    model.build_vocab(parallel={EN_DE: more}, update=True, lockf=0)
    model.train(parallel={EN_DE: more}, epochs=30)
    for code in EN_DE:
        np.testing.assert_array_equal(model.wv[code].vectors[:40], before[code])
    assert right(model, range(40, 50)) >= 0.8
    assert right(model, range(20)) >= 0.8


def test_a_lock_is_of_the_languages_that_have_text(model):
    model.build_vocab({"en": [["e0", "new"]]}, update=True, lockf=0.25)
    np.testing.assert_array_equal(model.wv_en.vectors_lockf, [0.25] * 40 + [1])
    np.testing.assert_array_equal(model.wv_de.vectors_lockf, [1])


def test_a_lock_is_saved_and_of_all_words_of_the_second_update(model, tmp_path):
    model.build_vocab({"en": [["e0", "new"]]}, update=True, lockf=0)
    model.save(tmp_path / "m")
    loaded = BilBOWA.load(tmp_path / "m")
    np.testing.assert_array_equal(loaded.wv_en.vectors_lockf, [0] * 40 + [1])
    loaded.build_vocab({"en": [["e0", "newer"]]}, update=True, lockf=0)
    np.testing.assert_array_equal(loaded.wv_en.vectors_lockf, [0] * 41 + [1])


def test_a_lock_without_an_update_or_out_of_range_is_refused(model, pairs):
    with pytest.raises(ConfigError, match="lockf is of words that were there before"):
        model.build_vocab(parallel={EN_DE: pairs}, lockf=0)
    with pytest.raises(ConfigError, match=r"lockf must be a number of 0 or more, got -1"):
        model.build_vocab(parallel={EN_DE: pairs}, update=True, lockf=-1)


def test_a_language_is_added_to_a_trained_model(model, pairs):
    french = {("en", "fr"): [(a, [w.replace("d", "f") for w in b]) for a, b in pairs]}
    before = model.wv_en.index_to_key.copy(), model.wv_de.vectors.copy()
    model.build_vocab(parallel=french, update=True)
    assert model.languages == ["en", "de", "fr"]
    assert model.wv_en.index_to_key == before[0]
    model.train(parallel=french, epochs=30)
    np.testing.assert_array_equal(model.wv_de.vectors, before[1])
    assert right(model, range(20), "en", "fr") >= 0.8


def test_learning_starts_at_alpha_again_unless_told(model, pairs):
    model.train(parallel={EN_DE: pairs}, epochs=2)
    assert model.loss_history[-2]["alpha"] == pytest.approx(0.05, abs=0.01)
    model.train(parallel={EN_DE: pairs}, epochs=2, start_alpha=0.02)
    assert model.loss_history[-2]["alpha"] == pytest.approx(0.01, abs=0.002)


def test_a_lock_keeps_old_words_that_share_ngrams_with_new_ones(pairs):
    model = BilBOWA(parallel={EN_DE: pairs}, **SUBWORDS)
    before = model.wv_en.vectors.tobytes()
    model.build_vocab(parallel={EN_DE: [*pairs, *shifted()]}, update=True, lockf=0)
    started = model.wv_en.vectors[40:].copy()
    model.train(parallel={EN_DE: [*pairs, *shifted()]})
    assert model.wv_en.vectors[:40].tobytes() == before
    assert (model.wv_en.vectors[40:] != started).any(axis=1).all()


def test_a_lock_of_words_with_ngrams_is_of_their_parts(pairs):
    model = BilBOWA(parallel={EN_DE: pairs}, **SUBWORDS)
    model.build_vocab({"en": [["e0", "new"]]}, update=True, lockf=0.25)
    wv = model.wv_en
    np.testing.assert_array_equal(wv.vectors_vocab_lockf, [0.25] * 40 + [1])
    old = np.unique(np.concatenate(list(wv.buckets_word[:40])))
    assert (wv.vectors_ngrams_lockf[old] == 0.25).all()
    assert (np.delete(wv.vectors_ngrams_lockf, old) == 1).all()
    np.testing.assert_array_equal(wv.vectors_lockf, [1])  # else the factor would work twice


def test_new_words_are_not_locked_by_factors_that_old_ones_have(pairs):
    model = BilBOWA(parallel={EN_DE: pairs}, **SUBWORDS)
    model.wv_en.vectors_vocab_lockf = np.eye(1, 40, dtype=np.float32)[0] * -1 + 1  # of word 0: 0
    model.build_vocab({"en": [["new", "e0"]]}, update=True)
    before = model.wv_en.vectors_vocab.copy()
    model.train(parallel={EN_DE: [*pairs, (["new", "e1"], ["d2", "d3"])]})
    moved = (model.wv_en.vectors_vocab != before).any(axis=1)
    np.testing.assert_array_equal(moved, [False] + [True] * 40)


def test_a_frozen_language_gets_no_new_words(model, pairs):
    counts = model.wv_en.expandos["count"].copy()
    more = [(a, [f"s{w[1:]}" for w in b]) for a, b in [*pairs, *shifted()]]
    model.build_vocab(parallel={("en", "es"): more}, update=True, freeze=["en"])
    assert len(model.wv_en) == 40
    np.testing.assert_array_equal(model.wv_en.expandos["count"], counts)
    assert "s45" in model.wv_es.key_to_index


@pytest.mark.parametrize(
    ("options", "message"),
    [({"freeze": ["en"]}, "needs update=True"),
     ({"freeze": ["fr"], "update": True}, r"no language \['fr'\]"),
     ({"freeze": ["en", "de"], "update": True}, "all languages of the text are frozen")],
)  # fmt: skip
def test_what_cannot_be_frozen_is_refused(model, pairs, options, message):
    with pytest.raises(ConfigError, match=message):
        model.build_vocab(parallel={EN_DE: pairs}, **options)


def test_min_count_that_was_changed_is_that_of_the_update(pairs):
    model = BilBOWA(parallel={EN_DE: pairs}, **{**SMALL, "min_count": 5})
    model.min_count = 2
    model.build_vocab({"en": [["once", "twice", "twice"]]}, update=True)
    assert "twice" in model.wv_en.key_to_index
    assert "once" not in model.wv_en.key_to_index


def test_a_language_without_subwords_cannot_get_any(model, pairs):
    model.subwords = ["de"]
    with pytest.raises(ConfigError, match="'de' was built without, and stays so"):
        model.build_vocab(parallel={EN_DE: pairs}, update=True)
    with pytest.raises(ConfigError, match="'de' was built without, and stays so"):
        model.train(parallel={EN_DE: pairs})
    model.build_vocab({"es": [["perro", "gato"]]}, update=True)  # of which no subwords are wanted
