"""Answers equal the formulas, also where vectors tie, vanish or are given by the user."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from samples import keyed, made_up_pairs, space
from scores import drawn, formula, of_words, unit

from gensim_bilbowa import BilBOWA, CrossLingualKeyedVectors, CrossLingualVectors, kernels
from gensim_bilbowa.errors import ConfigError, UnknownLanguageError, UnknownWordError
from gensim_bilbowa.vectors import retrieval


@pytest.fixture(scope="module")
def model():
    return BilBOWA(parallel={("en", "de"): made_up_pairs(200, words=30)}, vector_size=8, epochs=2,
                   workers=1, min_count=1)  # fmt: skip


@pytest.mark.parametrize("k", [1, 3, 10, 500])
@pytest.mark.parametrize("seed", range(3))
def test_scores_equal_the_formulas(seed, k):
    vectors = drawn(seed, en=40, de=60)
    en, de = vectors["en"], vectors["de"]
    cos = unit(en.vectors) @ unit(de.vectors).T
    scaled = formula(en.vectors, de.vectors, "csls", k)
    for i in (0, 17, 39):
        np.testing.assert_allclose(en.most_similar_cross(f"en{i}", None), cos[i], atol=1e-6)
        np.testing.assert_allclose(
            en.most_similar_cross(f"en{i}", None, method="csls", k=k), scaled[i], atol=1e-5
        )
        for method, expected in (("cosine", cos[i]), ("csls", scaled[i])):
            got = en.most_similar_cross(f"en{i}", 5, method=method, k=k)
            best = np.argsort(-expected)[:5]
            assert [word for word, _ in got] == [f"de{j}" for j in best]
            np.testing.assert_allclose([score for _, score in got], expected[best], atol=1e-5)


@pytest.mark.parametrize(("topn", "count"), [(0, 0), (1, 1), (7, 7), (100, 7)])
@pytest.mark.parametrize("method", ["cosine", "csls"])
def test_topn_bounds_the_answer(topn, count, method):
    assert len(drawn(en=5, de=7)["en"].most_similar_cross("en1", topn, method=method)) == count


def test_restrict_vocab_searches_the_first_words():
    en = drawn(en=5, de=50)["en"]
    got = en.most_similar_cross("en1", 50, restrict_vocab=10)
    assert {word for word, _ in got} == {f"de{i}" for i in range(10)}
    full = dict(en.most_similar_cross("en1", 50))
    assert all(score == pytest.approx(full[word]) for word, score in got)


def test_ties_go_to_the_more_frequent_word():
    vectors = CrossLingualVectors(
        {"en": of_words(["e"], np.ones((1, 2))), "de": of_words(list("abcd"), np.ones((4, 2)))}
    )
    assert [w for w, _ in vectors["en"].most_similar_cross("e", 3)] == ["a", "b", "c"]


@pytest.mark.parametrize("method", ["cosine", "csls"])
def test_zero_vectors_are_similar_to_nothing(method):
    matrix = np.eye(3)
    matrix[1] = 0
    vectors = CrossLingualVectors(
        {"en": of_words(list("abc"), matrix), "de": of_words(list("xyz"), matrix)}
    )
    for word in "abc":
        scores = vectors["en"].most_similar_cross(word, None, method=method)
        assert np.isfinite(scores).all()
    assert vectors["en"].most_similar_cross("b", None).tolist() == [0, 0, 0]
    assert vectors["en"].similarity_cross("a", "x") == 1
    assert vectors["en"].similarity_cross("b", "x") == 0


def test_vectors_and_indices_are_queries_too():
    en = drawn(en=5, de=9)["en"]
    by_word = en.most_similar_cross("en3")
    assert en.most_similar_cross(3) == by_word
    assert en.most_similar_cross(np.int64(3)) == by_word
    assert [w for w, _ in en.most_similar_cross(en["en3"] * 7)] == [w for w, _ in by_word]
    with pytest.raises(ConfigError, match=r"shape \(6,\) is wanted.*\(4,\)"):
        en.most_similar_cross(np.ones(4))


def test_unknown_word_is_named_with_its_language_and_where_it_exists():
    vectors = drawn(en=5, de=9, fr=3)
    with pytest.raises(UnknownWordError) as caught:
        vectors["en"].most_similar_cross("de3", lang="de")
    assert (
        str(caught.value) == "'de3' is not in the 'en' vocabulary (5 words); it is a word of 'de'"
    )
    with pytest.raises(KeyError, match=r"'nowhere' is not in the 'de' vocabulary \(9 words\)$"):
        vectors["en"].similarity_cross("en1", "nowhere", lang="de")
    with pytest.raises(KeyError, match="'en' vocabulary"):
        vectors["en"].get_vector("nowhere")


def test_other_language_is_chosen_or_asked_for():
    vectors = drawn(en=5, de=9, fr=3)
    with pytest.raises(ConfigError, match=r"lang= one of \['de', 'fr'\]"):
        vectors["en"].most_similar_cross("en1")
    assert vectors["en"].most_similar_cross("en1", 1, "fr")[0][0].startswith("fr")
    with pytest.raises(UnknownLanguageError, match="'xx'"):
        vectors["en"].most_similar_cross("en1", lang="xx")
    with pytest.raises(UnknownLanguageError, match="'en'"):
        vectors["en"].most_similar_cross("en1", lang="en")
    with pytest.raises(UnknownLanguageError, match="stand alone"):
        drawn(en=3)["en"].most_similar_cross("en1")
    with pytest.raises(UnknownLanguageError, match="'xx'"):
        vectors["xx"]


@pytest.mark.parametrize(
    "bad",
    [{"method": "dot"}, {"topn": -1}, {"topn": True}, {"k": 0}, {"beta": 0}, {"beta": np.nan}],
)
def test_bad_options_are_refused(bad):
    with pytest.raises(ConfigError):
        drawn(en=3, de=3)["en"].most_similar_cross("en1", **bad)


def test_crowding_is_kept_until_vectors_change():
    vectors = drawn(en=30, de=30)
    first = vectors["de"].crowding("en")
    assert vectors["de"].crowding("en") is first
    vectors["en"].vectors[:] = vectors["en"].vectors[::-1] * 2 + 1
    vectors["en"].fill_norms(force=True)
    again = vectors["de"].crowding("en")
    r = np.sort(unit(vectors["de"].vectors) @ unit(vectors["en"].vectors).T, axis=1)[:, -10:]
    np.testing.assert_allclose(again, r.mean(axis=1), atol=1e-5)


def test_added_vectors_are_found_at_once():
    vectors = drawn(en=5, de=9)
    en, de = vectors["en"], vectors["de"]
    en.most_similar_cross("en1", method="csls")
    de.add_vectors(["new", "de1"], np.vstack([en["en1"], en["en1"]]), extras={"count": [7, 8]})
    assert en.most_similar_cross("en1", 1, method="csls")[0][0] == "new"
    assert de.get_vecattr("new", "count") == 7
    assert de.get_vecattr("de1", "count") == 0
    assert en.similarity_cross("en1", "de1") < 0.99
    de.add_vectors(["de1"], en["en2"].reshape(1, -1), extras={"count": [9]}, replace=True)
    assert en.most_similar_cross("en2", 1)[0] == ("de1", pytest.approx(1))
    assert de.get_vecattr("de1", "count") == 9
    de["de2"] = en["en3"]
    assert en.most_similar_cross("en3", 1)[0][0] == "de2"
    with pytest.warns(UserWarning, match="costly"):
        de.add_vector("newest", en["en4"])
    assert en.most_similar_cross("en4", 1)[0][0] == "newest"


def test_blocks_do_not_change_neighbours(monkeypatch):
    rng = np.random.default_rng(0)
    a, b = (unit(rng.normal(size=(n, 8))).astype(np.float32) for n in (57, 83))
    whole = retrieval.nearest(a, b, 6)
    monkeypatch.setattr(retrieval, "_BLOCK_BYTES", 4 * 83 * 5)
    blocks = retrieval.nearest(a, b, 6)
    np.testing.assert_array_equal(whole[0], blocks[0])
    np.testing.assert_allclose(whole[1], blocks[1], atol=1e-6)


@pytest.mark.parametrize("tile", [(1, 1), (5, 7), (64, 200), (1024, 16384)])
@pytest.mark.parametrize("k", [1, 10, 60, 1000])
@pytest.mark.parametrize("level", kernels.levels())
def test_neighbourhoods_equal_the_formula_in_tiles_of_any_size(monkeypatch, tile, k, level):
    monkeypatch.setattr(retrieval, "_TILE", tile)
    before = kernels.level()
    kernels.use_level(level)
    rng = np.random.default_rng(0)
    a, b = (unit(rng.normal(size=(n, 8))).astype(np.float32) for n in (57, 301))
    of_a, of_b = retrieval.neighbourhoods(a, b, k)
    kernels.use_level(before)
    cos = a @ b.T
    np.testing.assert_allclose(of_a, np.sort(cos, axis=1)[:, -k:].mean(axis=1), atol=1e-6)
    np.testing.assert_allclose(of_b, np.sort(cos, axis=0)[-k:].mean(axis=0), atol=1e-6)


def brute_inverted_softmax(a, b, beta):
    weights = beta * (unit(a.astype(np.float64)) @ unit(b.astype(np.float64)).T)
    return weights - np.logaddexp.reduce(weights, axis=0)


@pytest.mark.parametrize("beta", [0.5, 30.0, 300.0])
@pytest.mark.parametrize("tile", [(7, 9), (1024, 16384)])
def test_inverted_softmax_equals_the_formula(monkeypatch, beta, tile):
    monkeypatch.setattr(retrieval, "_TILE", tile)
    vectors = drawn(en=40, de=60)
    en = vectors["en"]
    expected = brute_inverted_softmax(en.vectors, vectors["de"].vectors, beta)
    options = {"method": "inverted_softmax", "beta": beta}
    for i in (0, 39):
        np.testing.assert_allclose(
            en.most_similar_cross(i, None, **options), expected[i], rtol=1e-5, atol=3e-6 * beta
        )
        best = np.argsort(-expected[i])[:3]
        assert [w for w, _ in en.most_similar_cross(i, 3, **options)] == [f"de{j}" for j in best]
    np.testing.assert_allclose(np.exp(expected).sum(axis=0), 1)  # probabilities


METHODS = [{}, {"method": "csls", "k": 3}, {"method": "inverted_softmax", "beta": 10.0}]


@pytest.mark.parametrize("options", METHODS)
@pytest.mark.parametrize(("topn", "restrict"), [(0, None), (4, None), (50, None), (4, 7), (9, 0)])
def test_batch_equals_single_queries(options, topn, restrict):
    en = drawn(en=20, de=30)["en"]
    words = [f"en{i}" for i in range(20)]
    batch = en.most_similar_cross_batch(words, topn, restrict_vocab=restrict, **options)
    assert len(batch) == 20
    for word, found in zip(words, batch, strict=True):
        single = en.most_similar_cross(word, topn, restrict_vocab=restrict, **options)
        assert [w for w, _ in found] == [w for w, _ in single]
        np.testing.assert_allclose([s for _, s in found], [s for _, s in single], rtol=1e-4)
    vectors = en.most_similar_cross_batch(en.vectors * 3, topn, restrict_vocab=restrict, **options)
    assert [[w for w, _ in row] for row in vectors] == [[w for w, _ in row] for row in batch]


def test_batch_takes_lists_of_words_alone():
    en = drawn(en=5, de=7)["en"]
    assert en.most_similar_cross_batch([]) == []
    with pytest.raises(ConfigError, match="list of words"):
        en.most_similar_cross_batch("en1")
    with pytest.raises(ConfigError, match="topn must be a number"):
        en.most_similar_cross_batch(["en1"], None)
    with pytest.raises(UnknownWordError, match="'nowhere'"):
        en.most_similar_cross_batch(["en1", "nowhere"])


@pytest.mark.parametrize("method", ["cosine", "csls", "inverted_softmax"])
def test_zero_vectors_give_no_nan_in_a_batch(method):
    matrix = np.eye(4)
    matrix[1] = 0
    words = list("abcd")
    en = CrossLingualVectors({"en": of_words(words, matrix), "de": of_words(words, matrix)})["en"]
    scores = [s for row in en.most_similar_cross_batch(words, 4, method=method) for _, s in row]
    assert len(scores) == 16
    assert np.isfinite(scores).all()


def test_both_languages_crowding_takes_one_comparison(monkeypatch):
    vectors = drawn(en=30, de=40)
    vectors["en"].crowding("de")
    monkeypatch.setattr(retrieval.kernels, "keep_largest", None)
    vectors["de"].crowding("en")


def test_batched_neighbours_equal_single_queries():
    vectors = drawn(en=20, de=30)
    en, de = vectors["en"], vectors["de"]
    indices, scores = retrieval.nearest(
        en.unit_vectors(), de.unit_vectors(), 4, scoring=en.scoring(method="csls")
    )
    for i in range(20):
        single = en.most_similar_cross(f"en{i}", 4, method="csls")
        assert [w for w, _ in single] == [f"de{j}" for j in indices[i]]
        np.testing.assert_allclose([s for _, s in single], scores[i], atol=1e-5)


# ---- scores

BY_FORMULA = ["cosine", "csls"]


COMPONENT = st.floats(-4, 4, width=16)


@settings(max_examples=60)
@given(
    arrays(np.float32, st.tuples(st.integers(1, 7), st.just(3)), elements=COMPONENT),
    arrays(np.float32, st.tuples(st.integers(1, 9), st.just(3)), elements=COMPONENT),
    st.sampled_from(BY_FORMULA),
    st.integers(1, 12),
)
def test_scores_equal_the_formula(a, b, method, k):
    en = space(en=a, de=b)["en"]
    expected = formula(a, b, method, k)
    for i in range(len(a)):
        scores = en.most_similar_cross(i, None, method=method, k=k)
        assert scores.dtype == np.float32
        np.testing.assert_allclose(scores, expected[i], atol=2e-6)


@st.composite
def axis_vectors(draw):
    """Signed axes of different lengths, or zero: all similarities are exact, and many tie."""
    n = draw(st.sampled_from([4, 8, 16]))
    axes = draw(st.lists(st.integers(-3, 3), min_size=n, max_size=n))
    matrix = np.zeros((n, 3), np.float32)
    for row, axis in enumerate(axes):
        if axis:
            matrix[row, abs(axis) - 1] = np.sign(axis) * draw(st.sampled_from([0.5, 1, 4]))
    return matrix


@settings(max_examples=80)
@given(axis_vectors(), axis_vectors(), st.sampled_from(BY_FORMULA), st.sampled_from([1, 2, 4]),
       st.integers(0, 20))  # fmt: skip
def test_ties_go_to_the_lower_index(a, b, method, k, topn):
    en = space(en=a, de=b)["en"]
    expected = formula(a, b, method, k)
    for i in range(len(a)):
        best = np.argsort(-expected[i], kind="stable")[:topn]
        found = en.most_similar_cross(i, topn, method=method, k=k)
        assert found == [(f"de{j}", expected[i, j]) for j in best]


def test_ties_of_many_words_go_to_the_most_frequent():
    en = space(en=np.ones((2, 4)), de=np.ones((5000, 4)))["en"]
    assert [word for word, _ in en.most_similar_cross("en0", 3)] == ["de0", "de1", "de2"]


@settings(max_examples=60)
@given(axis_vectors(), axis_vectors(), st.integers(0, 20), st.integers(1, 500), st.booleans())
def test_blocks_do_not_show_in_nearest_neighbours(a, b, topn, block_bytes, scaled):
    a, b = unit(a).astype(np.float32), unit(b).astype(np.float32)
    crowding = retrieval.neighbourhoods(b, a, 4)[0]
    scoring = retrieval.Scoring.csls(crowding, 4) if scaled else None
    whole = retrieval.nearest(a, b, topn, scoring=scoring)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(retrieval, "_BLOCK_BYTES", block_bytes)
        parts = retrieval.nearest(a, b, topn, scoring=scoring)
        patch.setattr(retrieval, "_TILE", (1 + block_bytes % 7, 1 + block_bytes % 11))
        for found, (x, y) in zip(retrieval.neighbourhoods(a, b, 4), ((a, b), (b, a)), strict=True):
            np.testing.assert_array_equal(found, formula_crowding(x, y, 4).astype(np.float32))
    np.testing.assert_array_equal(whole[0], parts[0])
    np.testing.assert_array_equal(whole[1], parts[1])
    scores = formula(a, b, "csls" if scaled else "cosine", 4)
    np.testing.assert_array_equal(whole[0], np.argsort(-scores, axis=1, kind="stable")[:, :topn])


def formula_crowding(a, b, k):
    return np.sort(unit(a) @ unit(b).T, axis=1)[:, -k:].mean(axis=1)


@pytest.mark.parametrize("topn", [0, 3])
def test_no_queries_have_no_neighbours(topn):
    indices, scores = retrieval.nearest(
        np.empty((0, 4), np.float32), np.ones((5, 4), np.float32), topn
    )
    assert indices.shape == scores.shape == (0, topn)


@pytest.mark.parametrize("method", BY_FORMULA)
def test_language_without_words_has_no_neighbours(method):
    en = CrossLingualVectors({"en": keyed("en", np.eye(3)), "de": KeyedVectors(3)})["en"]
    assert en.most_similar_cross("en1", method=method) == []
    assert en.most_similar_cross("en1", None, method=method).shape == (0,)


@pytest.mark.parametrize("method", BY_FORMULA)
def test_vectors_that_are_all_zero_give_zeros(method):
    en = space(en=np.zeros((3, 4)), de=np.zeros((5, 4)))["en"]
    assert en.most_similar_cross("en1", None, method=method).tolist() == [0] * 5
    assert en.similarity_cross("en1", "de1") == 0


def test_tiny_vectors_have_a_direction():
    en = space(en=np.full((1, 4), 1e-15), de=np.vstack([-np.ones(4), np.full(4, 1e-12)]))["en"]
    assert en.most_similar_cross("en0") == [("de1", pytest.approx(1)), ("de0", pytest.approx(-1))]


@pytest.mark.parametrize("method", BY_FORMULA)
def test_trained_vectors_score_by_the_formula(model, method):
    expected = formula(model.wv_en.vectors, model.wv_de.vectors, method)
    for i in range(5):
        np.testing.assert_allclose(
            model.wv_en.most_similar_cross(i, None, method=method), expected[i], atol=1e-5
        )


# ---- what is asked


@pytest.mark.parametrize("method", BY_FORMULA)
def test_no_topn_gives_the_scores_of_the_searched_words(method):
    en = drawn(en=4, de=20)["en"]
    whole = en.most_similar_cross("en1", None, method=method)
    assert whole.shape == (20,)
    np.testing.assert_array_equal(
        en.most_similar_cross("en1", None, method=method, restrict_vocab=6), whole[:6]
    )


@pytest.mark.parametrize(("restrict", "count"), [(0, 0), (3, 3), (20, 10), (500, 10), (None, 10)])
def test_restrict_vocab_bounds_the_words_searched(restrict, count):
    found = drawn(en=4, de=20)["en"].most_similar_cross("en1", restrict_vocab=restrict)
    assert len(found) == count


def test_restrict_vocab_leaves_the_scores():
    en = drawn(en=4, de=20)["en"]
    whole = dict(en.most_similar_cross("en1", 20, method="csls"))
    some = en.most_similar_cross("en1", 20, method="csls", restrict_vocab=5)
    assert some == sorted(((w, whole[w]) for w, _ in some), key=lambda pair: -pair[1])


@pytest.mark.parametrize(
    "options",
    [{"restrict_vocab": -1}, {"topn": -3}, {"topn": False}, {"k": -1}, {"method": "CSLS"},
     {"restrict_vocab": 1.5}, {"topn": 1.5}, {"k": 1.5}, {"k": "3"}, {"k": None}, {"beta": "3"},
     {"beta": 1e300}, {"beta": 0}],
)  # fmt: skip
def test_option_that_makes_no_sense_is_named(options):
    with pytest.raises(ConfigError, match=next(iter(options))):
        drawn(en=3, de=3)["en"].most_similar_cross("en1", **options)
    with pytest.raises(ConfigError, match=next(iter(options))):
        drawn(en=3, de=3)["en"].most_similar_cross_batch(["en1"], **options)


@pytest.mark.parametrize("method", BY_FORMULA)
def test_length_of_an_asked_vector_does_not_matter(method):
    en = drawn(en=4, de=20)["en"]
    by_word = en.most_similar_cross("en2", 20, method=method)
    for factor in (1e-6, 3, 1e6):
        found = en.most_similar_cross(en["en2"] * factor, 20, method=method)
        assert [w for w, _ in found] == [w for w, _ in by_word]
        np.testing.assert_allclose([s for _, s in found], [s for _, s in by_word], atol=1e-5)


def test_list_of_numbers_and_other_types_of_number_are_vectors():
    en = space(en=np.eye(3), de=np.eye(3))["en"]
    for vector in ([0, 1, 0], (0.0, 1.0, 0.0), np.array([0, 1, 0]), np.array([0, 1, 0], "f8")):
        assert en.most_similar_cross(vector, 1) == [("de1", 1.0)]


@pytest.mark.parametrize("vector", [np.ones((1, 6)), np.ones((6, 1)), np.ones(5), np.ones(()), []])
def test_vector_of_the_wrong_shape_is_refused(vector):
    with pytest.raises(ConfigError, match=r"vector of shape \(6,\) is wanted, got one of shape"):
        drawn(en=3, de=3)["en"].most_similar_cross(vector)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_vector_that_is_not_finite_is_refused(bad):
    with pytest.raises(ConfigError, match="NaN or infinity"):
        drawn(en=3, de=3)["en"].most_similar_cross([0, 1, 2, bad, 4, 5])


@pytest.mark.parametrize("several", [["en1", "en2"], {"en1": 1}, b"en1"])
def test_what_is_neither_word_nor_vector_is_refused(several):
    with pytest.raises(ConfigError, match="one word or one vector is wanted"):
        drawn(en=3, de=3)["en"].most_similar_cross(several)


@pytest.mark.parametrize("word", ["nowhere", "", 3, -1, 10**12, np.int64(99)])
def test_unknown_word_is_a_key_error_that_reads_as_a_sentence(word):
    with pytest.raises(UnknownWordError) as caught:
        drawn(en=3, de=9)["en"].most_similar_cross(word)
    assert isinstance(caught.value, KeyError)
    assert str(caught.value) == f"{word!r} is not in the 'en' vocabulary (3 words)"


def test_unknown_word_that_other_languages_have_says_which():
    vectors = CrossLingualVectors({
        "en": keyed("en", np.eye(2)), "de": keyed("x", np.eye(2)), "fr": keyed("x", np.eye(2)),
    })  # fmt: skip
    with pytest.raises(UnknownWordError, match=r"it is a word of 'de', 'fr'$"):
        vectors["en"].similarity_cross("x1", "x1", lang="de")


def test_unknown_word_of_the_other_language_names_that_language():
    with pytest.raises(UnknownWordError, match=r"'en1' is not in the 'de' vo.*a word of 'en'"):
        drawn(en=3, de=3)["en"].similarity_cross("en1", "en1")


def test_words_of_gensims_own_queries_are_named_with_the_language(model):
    for ask in (model.wv_en.__getitem__, model.wv_en.get_vector, model.wv_en.get_index,
                lambda word: model.wv_en.similarity("e1", word)):  # fmt: skip
        with pytest.raises(UnknownWordError, match="'d1' is not in the 'en' vocabulary"):
            ask("d1")


def test_gensims_defaults_for_unknown_words_are_kept(model):
    assert model.wv_en.get_index("nowhere", -7) == -7
    assert "nowhere" not in model.wv_en
    assert model.wv_en.has_index_for("e1")


def test_vectors_alone_say_so():
    alone = CrossLingualKeyedVectors(3)
    alone.add_vectors(["a"], np.ones((1, 3), np.float32))
    with pytest.raises(UnknownLanguageError, match="stand alone"):
        alone.most_similar_cross("a")
    with pytest.raises(UnknownWordError, match=r"'b' is not in the vocabulary \(1 words\)"):
        alone.get_index("b")


def test_third_language_makes_lang_necessary():
    vectors = drawn(en=3, de=3, fr=3)
    for ask in (vectors["en"].most_similar_cross, lambda w: vectors["en"].similarity_cross(w, w),
                lambda w: vectors["en"].crowding()):  # fmt: skip
        with pytest.raises(ConfigError, match=r"say lang= one of \['de', 'fr'\]"):
            ask("en1")


def test_similarity_is_the_same_both_ways_and_as_in_the_list(model):
    ((word, score),) = model.wv_en.most_similar_cross("e1", 1)
    assert model.wv_en.similarity_cross("e1", word) == pytest.approx(score, abs=1e-6)
    assert model.wv_de.similarity_cross(word, "e1") == pytest.approx(score, abs=1e-6)


# ---- what is kept between questions


@pytest.mark.parametrize("changed", ["en", "de"])
def test_crowding_is_renewed_with_the_norms_of_either_language(changed):
    vectors = drawn(en=20, de=20)
    before = vectors["en"].crowding("de", 4)
    vectors[changed].vectors *= np.linspace(-1, 1, 6, dtype=np.float32)
    assert vectors["en"].crowding("de", 4) is before
    vectors[changed].fill_norms(force=True)
    expected = formula_crowding(vectors["en"].vectors, vectors["de"].vectors, 4)
    np.testing.assert_allclose(vectors["en"].crowding("de", 4), expected, atol=1e-5)


def test_crowding_is_kept_for_each_size_and_language():
    vectors = drawn(en=20, de=20, fr=20)
    kept = {(lang, k): vectors["en"].crowding(lang, k) for lang in ("de", "fr") for k in (2, 5)}
    for (lang, k), values in kept.items():
        assert vectors["en"].crowding(lang, k) is values
        expected = formula_crowding(vectors["en"].vectors, vectors[lang].vectors, k)
        np.testing.assert_allclose(values, expected, atol=1e-5)


def test_training_renews_csls(model):
    trained = copy.deepcopy(model)
    trained.wv_en.most_similar_cross("e1", method="csls")
    trained.train(parallel={("en", "de"): made_up_pairs(200, words=30)}, epochs=3)
    expected = formula(trained.wv_en.vectors, trained.wv_de.vectors, "csls")
    scores = trained.wv_en.most_similar_cross("e1", None, method="csls")
    np.testing.assert_allclose(scores, expected[trained.wv_en.get_index("e1")], atol=1e-5)


def test_norms_are_fresh_while_vectors_change_in_training():
    en = drawn(en=5, de=5)["en"]
    en.fill_norms()
    en.in_training = True
    en.vectors *= 7
    assert en.similarity("en1", "en2") <= 1.0001
    np.testing.assert_allclose(np.linalg.norm(en.unit_vectors(), axis=1), 1, rtol=1e-5)
