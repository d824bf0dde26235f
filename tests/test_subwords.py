from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from gensim.models import FastText, Word2Vec
from gensim.models.callbacks import CallbackAny2Vec
from gensim.models.fasttext import FastTextKeyedVectors
from samples import SMALL

from gensim_bilbowa import BilBOWA, CrossLingualVectors
from gensim_bilbowa.errors import ConfigError, FormatError, UnknownWordError

NGRAMS = {"min_n": 2, "max_n": 3, "bucket": 500}
SUBWORDS = {**SMALL, "subwords": True, **NGRAMS}

# Stems and endings: word i of one language has the stem and the ending of word i of the other.
STEMS = ["lamp", "door", "fish", "moon", "gold", "tree", "king", "ship", "corn", "wolf"]
STAMME = ["zuvit", "qarop", "bexil", "hodun", "migek", "fatuz", "ryqol", "senax", "vupim", "jocar"]
ENDINGS = [("", ""), ("s", "oj"), ("less", "sen"), ("like", "eca")]


def inflected_pairs(n, seed, without=()):
    """Sentence pairs of such words of two stems, but not those (stem, ending) named."""
    rng = np.random.default_rng(seed)
    words = [
        [(STEMS[i] + a, STAMME[i] + b) for j, (a, b) in enumerate(ENDINGS) if (i, j) not in without]
        for i in range(len(STEMS))
    ]
    pairs = []
    for _ in range(n):
        some = [word for i in rng.choice(10, 2, replace=False) for word in words[i]]
        chosen = rng.choice(len(some), 5)
        pairs.append(([some[i][0] for i in chosen], [some[i][1] for i in rng.permutation(chosen)]))
    return pairs


@pytest.fixture
def model(pairs):
    return BilBOWA(parallel={("en", "de"): pairs}, **SUBWORDS)


def composed(wv):
    """What gensim makes of the rows of words and n-grams."""
    plain = FastTextKeyedVectors(wv.vector_size, wv.min_n, wv.max_n, wv.bucket)
    plain.index_to_key, plain.key_to_index = wv.index_to_key, wv.key_to_index
    plain.vectors_vocab, plain.vectors_ngrams = wv.vectors_vocab, wv.vectors_ngrams
    plain.recalc_char_ngram_buckets()
    plain.adjust_vectors()
    return plain.vectors


def test_language_is_a_gensim_fasttext(model):
    assert isinstance(model["en"], FastText)
    assert isinstance(model.wv_en, FastTextKeyedVectors)
    assert (model.wv_en.min_n, model.wv_en.max_n, model.wv_en.bucket) == (2, 3, 500)


def test_vectors_are_composed_as_gensim_composes_them(model):
    for wv in model.wv.values():
        np.testing.assert_allclose(wv.vectors, composed(wv), atol=1e-6)


def test_start_vectors_are_those_of_gensim(pairs):
    model = BilBOWA(**SUBWORDS)
    model.build_vocab(parallel={("en", "de"): pairs})
    plain = FastText(vector_size=20, min_count=1, seed=model["en"].seed, sg=1, **NGRAMS)
    plain.build_vocab([p[0] for p in pairs])
    assert plain.wv.index_to_key == model.wv_en.index_to_key
    np.testing.assert_array_equal(plain.wv.vectors_vocab, model.wv_en.vectors_vocab)
    np.testing.assert_array_equal(plain.wv.vectors_ngrams, model.wv_en.vectors_ngrams)
    np.testing.assert_allclose(plain.wv.vectors, model.wv_en.vectors, atol=1e-6)


@pytest.mark.parametrize("workers", [1, 2])
def test_words_seen_or_not_find_their_translations(workers):
    unseen = [(i, (i % 3) + 1) for i in range(10)]
    model = BilBOWA(
        parallel={("en", "xx"): inflected_pairs(600, 1, without=unseen)},
        **{**SUBWORDS, "epochs": 8, "workers": workers},
    )
    for i, stem in enumerate(STEMS):
        for j, (ending, _) in enumerate(ENDINGS):
            word = stem + ending
            assert (word in model.wv_en.key_to_index) == ((i, j) not in unseen)
            assert word in model.wv_en
            assert model.wv_en.most_similar_cross(word, topn=1)[0][0].startswith(STAMME[i])


def test_unseen_word_is_the_mean_of_its_ngrams(model):
    plain = model.wv_en._as_plain()
    np.testing.assert_array_equal(model.wv_en.get_vector("e99"), plain.get_vector("e99"))
    ours, gensims = model.wv_en.most_similar("e99"), plain.most_similar("e99")
    assert [word for word, _ in ours] == [word for word, _ in gensims]
    assert np.linalg.norm(model.wv_en.get_vector("e99", norm=True)) == pytest.approx(1)
    np.testing.assert_array_equal(model.wv_en["e99"], plain["e99"])


def test_questions_across_languages_take_unseen_words(model):
    wv = model.wv_en
    expected = wv.most_similar_cross(wv.get_vector("e99"), topn=3)
    assert wv.most_similar_cross("e99", topn=3) == expected
    batch = wv.most_similar_cross_batch(["e1", "e99"], topn=3, method="csls")
    assert [word for word, _ in batch[1]] == [
        word for word, _ in wv.most_similar_cross("e99", topn=3, method="csls")
    ]
    query, other = wv.query("e99"), model.wv_de.query("d77")
    assert wv.similarity_cross("e99", "d77") == pytest.approx(query @ other)


def test_known_words_are_found_by_index_too(model):
    np.testing.assert_array_equal(model.wv_en.get_vector(3), model.wv_en.vectors[3])
    assert model.wv_en.most_similar_cross(3) == model.wv_en.most_similar_cross(
        model.wv_en.index_to_key[3]
    )


def test_word_too_short_for_an_ngram_has_a_zero_vector(pairs):
    options = {**SUBWORDS, "min_n": 4, "max_n": 4}
    model = BilBOWA(parallel={("en", "de"): pairs}, **options)
    for norm in (False, True):
        assert not model.wv_en.get_vector("x", norm=norm).any()
    assert [score for _, score in model.wv_en.most_similar_cross("x", topn=2)] == [0, 0]


def test_one_language_can_have_subwords_alone(pairs):
    model = BilBOWA(parallel={("en", "de"): pairs}, **{**SUBWORDS, "subwords": ["de"]})
    assert not isinstance(model["en"], FastText)
    assert isinstance(model["de"], FastText)
    with pytest.raises(UnknownWordError):
        model.wv_en.most_similar_cross("e99")
    assert len(model.wv_de.most_similar_cross("d99")) == 10


def test_subwords_of_a_language_that_is_not_there_are_refused(pairs):
    with pytest.raises(ConfigError, match=r"subwords names \['fr'\]"):
        BilBOWA(parallel={("en", "de"): pairs}, **{**SUBWORDS, "subwords": ["de", "fr"]})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"subwords": "de"}, "list of language codes"),
        ({"subwords": 1}, "list of language codes"),
        ({"subwords": ["d e"]}, "language code"),
        ({"min_n": 7}, "max_n must be min_n=7 or more"),
        ({"min_n": 0}, "min_n must be"),
        ({"bucket": 0}, "bucket must be"),
    ],
)
def test_parameters_that_cannot_work_are_refused(options, message):
    with pytest.raises(ConfigError, match=message):
        BilBOWA(**options)


@pytest.mark.parametrize("mode", [{"sg": 0}, {"hs": 1, "negative": 0}, {"sg": 0, "hs": 1}])
def test_all_modes_train_subwords(pairs, mode):
    before = BilBOWA(**{**SUBWORDS, **mode})
    before.build_vocab(parallel={("en", "de"): pairs})
    model = BilBOWA(parallel={("en", "de"): pairs}, **{**SUBWORDS, **mode, "epochs": 15})
    for code in ("en", "de"):
        wv = model.wv[code]
        assert (wv.vectors_ngrams != before.wv[code].vectors_ngrams).any()
        assert np.isfinite(wv.vectors).all()
    hits = sum(model.wv_en.most_similar_cross(f"e{i}", 1, "de")[0][0] == f"d{i}" for i in range(10))
    assert hits >= 6


def test_vocabulary_without_any_ngram_is_refused(pairs):
    with pytest.raises(ConfigError, match="no word of 'en' has an n-gram of 9 to 9"):
        BilBOWA(parallel={("en", "de"): pairs}, **{**SUBWORDS, "min_n": 9, "max_n": 9})


def test_callbacks_see_composed_vectors(pairs):
    seen = []

    class Watch(CallbackAny2Vec):
        def on_epoch_end(self, model):
            wv = model.wv_en
            seen.append(np.abs(wv.vectors - composed(wv)).max())

    BilBOWA(parallel={("en", "de"): pairs}, callbacks=[Watch()], **SUBWORDS)
    assert len(seen) == SUBWORDS["epochs"]
    assert max(seen) < 1e-6


def test_vectors_are_composed_when_training_fails(pairs):
    class Fail(CallbackAny2Vec):
        def on_epoch_begin(self, model):
            if model.epochs_trained:
                model.wv_en.vectors_vocab[0] = 7
                raise ZeroDivisionError

    model = BilBOWA(**SUBWORDS)
    model.build_vocab(parallel={("en", "de"): pairs})
    with pytest.raises(ZeroDivisionError):
        model.train(parallel={("en", "de"): pairs}, callbacks=[Fail()])
    np.testing.assert_allclose(model.wv_en.vectors, composed(model.wv_en), atol=1e-6)
    assert model.wv_en.vectors_vocab[0, 0] == 7


@pytest.mark.parametrize("name", ["vectors_lockf", "vectors_vocab_lockf", "vectors_ngrams_lockf"])
def test_lock_factor_of_zero_keeps_what_it_is_of(pairs, name):
    model = BilBOWA(**SUBWORDS)
    model.build_vocab(parallel={("en", "de"): pairs})
    wv = model.wv_en
    before = wv.vectors_vocab.copy(), wv.vectors_ngrams.copy()
    setattr(wv, name, np.zeros(1, np.float32))
    model.train(parallel={("en", "de"): pairs})
    assert np.array_equal(before[0], wv.vectors_vocab) == (name != "vectors_ngrams_lockf")
    assert np.array_equal(before[1], wv.vectors_ngrams) == (name != "vectors_vocab_lockf")


def test_lock_factors_of_another_type_are_refused(model, pairs):
    model.wv_en.vectors_ngrams_lockf = np.ones(1)
    with pytest.raises(ConfigError, match="vectors_ngrams_lockf must be a float32"):
        model.train(parallel={("en", "de"): pairs})


def test_new_words_join_with_their_ngrams(model, pairs):
    before = model.wv_en.vectors_vocab.copy()
    more = [*pairs, (["e1", "e1234"], ["d1", "d1234"])] * 2
    model.build_vocab(parallel={("en", "de"): more}, update=True)
    wv = model.wv_en
    row = wv.key_to_index["e1234"]
    assert row == len(before)
    np.testing.assert_array_equal(wv.vectors_vocab[:row], before)
    np.testing.assert_allclose(wv.vectors, composed(wv), atol=1e-6)
    model.train(parallel={("en", "de"): more})
    np.testing.assert_allclose(wv.vectors, composed(wv), atol=1e-6)


def test_vectors_cannot_be_set(model, tmp_path):
    wv = model.wv_en
    with pytest.raises(ConfigError, match="made of n-grams"):
        wv["e1"] = np.zeros(20)
    with pytest.raises(ConfigError, match="made of n-grams"):
        wv.add_vector("new", np.zeros(20))
    wv.save_word2vec_format(tmp_path / "en")
    with pytest.raises(ConfigError, match="made of n-grams"):
        wv.intersect_word2vec_format(tmp_path / "en")


def assert_same(a, b):
    for code in a.languages:
        assert type(a[code]) is type(b[code])
        assert type(a.wv[code]) is type(b.wv[code])
        for name in ("vectors", "vectors_vocab", "vectors_ngrams", "vectors_ngrams_lockf"):
            if hasattr(a.wv[code], name):
                np.testing.assert_array_equal(getattr(a.wv[code], name), getattr(b.wv[code], name))


@pytest.mark.parametrize("mmap", [None, "r"])
def test_saved_model_comes_back_and_trains_on(pairs, tmp_path, mmap):
    model = BilBOWA(parallel={("en", "de"): pairs}, **{**SUBWORDS, "subwords": ["en"]})
    model.save(tmp_path / "m", sep_limit=0)
    loaded = BilBOWA.load(tmp_path / "m", mmap=mmap)
    assert loaded.subwords == ["en"]
    assert_same(model, loaded)
    for one in (model, loaded):
        one.train(parallel={("en", "de"): pairs}, epochs=1)
    assert_same(model, loaded)


def test_saved_model_with_wrong_ngrams_is_refused(model, tmp_path):
    model.wv_en.bucket = 400
    model.save(tmp_path / "m")
    with pytest.raises(FormatError, match=r"vectors_ngrams has shape \(500, 20\)"):
        BilBOWA.load(tmp_path / "m")


def test_plain_gensim_opens_what_a_language_saves(model, tmp_path):
    model.wv_en.save(tmp_path / "kv")
    model["en"].save(tmp_path / "ft")
    code = f"""
        import sys
        sys.modules["gensim_bilbowa"] = None
        from gensim.models import FastText
        from gensim.models.fasttext import FastTextKeyedVectors
        kv = FastTextKeyedVectors.load({str(tmp_path / "kv")!r})
        model = FastText.load({str(tmp_path / "ft")!r})
        assert type(kv) is type(model.wv) is FastTextKeyedVectors
        assert (model.wv.vectors == kv.vectors).all()
        print(kv.most_similar("e99"))
        model.train([["e1", "e2", "e3"]] * 50, total_examples=50, epochs=1)
    """
    result = subprocess.run(
        [sys.executable, "-P", "-c", textwrap.dedent(code)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    expected = model.wv_en.most_similar("e99")
    found = eval(result.stdout)
    assert [word for word, _ in found] == [word for word, _ in expected]
    np.testing.assert_allclose([s for _, s in found], [s for _, s in expected], atol=1e-6)


def test_copies_are_whole_models_and_parts_plain_ones(model):
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert_same(model, other)
        assert other.wv_en is other["en"].wv
        assert other.wv_en.vectors_vocab is not model.wv_en.vectors_vocab
    assert type(copy.deepcopy(model["en"])) is FastText
    assert type(pickle.loads(pickle.dumps(model.wv_en))) is FastTextKeyedVectors


def test_space_of_plain_fasttext_vectors_takes_unseen_words(model):
    plain = {code: copy.deepcopy(model.wv[code]) for code in model.languages}
    space = CrossLingualVectors(plain)
    assert space["en"].most_similar_cross("e99") == model.wv_en.most_similar_cross("e99")


def test_fasttext_models_are_started_from(pairs):
    texts = {"en": [p[0] for p in pairs], "de": [p[1] for p in pairs]}
    start = {
        "en": FastText(texts["en"], vector_size=20, min_count=1, sg=1, epochs=1, **NGRAMS),
        "de": Word2Vec(texts["de"], vector_size=20, min_count=1, sg=1, epochs=1),
    }
    model = BilBOWA.from_models(start, **SMALL)
    assert isinstance(model["en"], FastText)
    assert not isinstance(model["de"], FastText)
    np.testing.assert_array_equal(model.wv_en.vectors_ngrams, start["en"].wv.vectors_ngrams)
    np.testing.assert_allclose(model.wv_en.vectors, start["en"].wv.vectors, atol=1e-6)
    model.train(parallel={("en", "de"): pairs})
    assert not np.array_equal(model.wv_en.vectors_ngrams, start["en"].wv.vectors_ngrams)


def test_model_without_ngrams_cannot_become_a_fasttext(pairs):
    text = [p[0] for p in pairs]
    start = Word2Vec(text, vector_size=20, min_count=1, epochs=1)
    with pytest.raises(ConfigError, match="no FastText with n-grams"):
        BilBOWA.from_models({"en": start}, **SUBWORDS)
    whole = FastText(text, vector_size=20, min_count=1, epochs=1, bucket=0)
    model = BilBOWA.from_models({"en": whole}, **SMALL)  # a FastText without n-grams is a Word2Vec
    np.testing.assert_array_equal(model.wv_en.vectors, whole.wv.vectors)


def test_gensim_trains_a_language_alone(model, pairs):
    before = model.wv_en.vectors_ngrams.copy()
    model["en"].train([p[0] for p in pairs], total_examples=len(pairs), epochs=1)
    assert not np.array_equal(before, model.wv_en.vectors_ngrams)
    np.testing.assert_allclose(model.wv_en.vectors, composed(model.wv_en), atol=1e-6)


def test_memory_is_estimated_with_the_ngrams(model):
    estimate = model.estimate_memory({"en": 1000, "de": 10})
    assert estimate["vectors_ngrams"] == 2 * 500 * 20 * 4
    assert estimate["vectors_vocab"] == estimate["vectors"] == 1010 * 20 * 4
    assert estimate["total"] == sum(v for name, v in estimate.items() if name != "total")


def test_refined_vectors_are_of_known_words(model):
    refined = model.refine(rounds=1, always=True)
    with pytest.raises(UnknownWordError):
        refined["en"].most_similar_cross("e99")


def test_one_seed_gives_the_same_vectors_twice(pairs):
    one, other = (BilBOWA(parallel={("en", "de"): pairs}, **SUBWORDS) for _ in range(2))
    assert_same(one, other)


def synonyms_found(wv):
    """For how many words the nearest of the other stems' words has the stem that stands by it."""
    right = []
    for stem, other in zip(STEMS, STAMME, strict=True):
        for ending, _ in ENDINGS:
            nearest = wv.most_similar(stem + ending, topn=None)
            best = max((s + e for s in STAMME for _, e in ENDINGS),
                       key=lambda word: nearest[wv.key_to_index[word]])  # fmt: skip
            right.append(best.startswith(other))
    return np.mean(right)


def test_vectors_are_as_good_as_those_of_gensim():
    sentences = [one + other for one, other in inflected_pairs(600, 1)]
    parallel = {("en", "xx"): [(s, s) for s in sentences]}
    options = {"vector_size": 20, "min_count": 1, "sample": 0, "negative": 5, "window": 10,
               "epochs": 1, "workers": 1, "alpha": 0.05, **NGRAMS}  # fmt: skip
    ours = BilBOWA(parallel=parallel, subwords=True, xling_weight=0, **options)
    plain = FastText(sentences, sg=1, **options)
    gensims = synonyms_found(plain.wv)
    assert gensims > 0.5
    assert synonyms_found(ours.wv_en) > gensims - 0.1
