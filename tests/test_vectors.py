"""Answers equal the formulas, also where vectors tie, vanish or are given by the user."""

from __future__ import annotations

import copy
import gzip
import pickle

import numpy as np
import pytest
from gensim.models import KeyedVectors, Word2Vec
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from samples import keyed, made_up_pairs, space

from gensim_bilbowa import BilBOWA, CrossLingualKeyedVectors, CrossLingualVectors
from gensim_bilbowa.errors import (
    ConfigError,
    CorpusError,
    CorpusNotFoundError,
    FormatError,
    UnknownLanguageError,
    UnknownWordError,
)
from gensim_bilbowa.evaluation import invert, read_dictionary, word_translation
from gensim_bilbowa.vectors import retrieval

METHODS = ["cosine", "csls"]


@pytest.fixture(scope="module")
def model():
    return BilBOWA(parallel={("en", "de"): made_up_pairs(200, words=30)}, vector_size=8, epochs=2,
                   workers=1, min_count=1)  # fmt: skip


def drawn(seed=0, dim=6, **sizes):
    rng = np.random.default_rng(seed)
    return space(**{code: rng.normal(size=(n, dim)) for code, n in sizes.items()})


def unit(matrix):
    norms = np.linalg.norm(matrix, axis=-1, keepdims=True)
    return np.divide(matrix, norms, out=np.zeros(matrix.shape), where=norms > 0)


def formula(a, b, method, k=10):
    """All scores of all pairs, as written in Conneau et al. (2018), in float64."""
    cos = unit(a.astype(np.float64)) @ unit(b.astype(np.float64)).T
    if method == "cosine":
        return cos
    r_a = np.sort(cos, axis=1)[:, -k:].mean(axis=1)
    r_b = np.sort(cos, axis=0)[-k:].mean(axis=0)
    return 2 * cos - r_a[:, None] - r_b


# ---- scores

COMPONENT = st.floats(-4, 4, width=16)


@settings(max_examples=60)
@given(
    arrays(np.float32, st.tuples(st.integers(1, 7), st.just(3)), elements=COMPONENT),
    arrays(np.float32, st.tuples(st.integers(1, 9), st.just(3)), elements=COMPONENT),
    st.sampled_from(METHODS),
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
@given(axis_vectors(), axis_vectors(), st.sampled_from(METHODS), st.sampled_from([1, 2, 4]),
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


@pytest.mark.parametrize("method", METHODS)
def test_language_without_words_has_no_neighbours(method):
    en = CrossLingualVectors({"en": keyed("en", np.eye(3)), "de": KeyedVectors(3)})["en"]
    assert en.most_similar_cross("en1", method=method) == []
    assert en.most_similar_cross("en1", None, method=method).shape == (0,)


@pytest.mark.parametrize("method", METHODS)
def test_vectors_that_are_all_zero_give_zeros(method):
    en = space(en=np.zeros((3, 4)), de=np.zeros((5, 4)))["en"]
    assert en.most_similar_cross("en1", None, method=method).tolist() == [0] * 5
    assert en.similarity_cross("en1", "de1") == 0


def test_tiny_vectors_have_a_direction():
    en = space(en=np.full((1, 4), 1e-15), de=np.vstack([-np.ones(4), np.full(4, 1e-12)]))["en"]
    assert en.most_similar_cross("en0") == [("de1", pytest.approx(1)), ("de0", pytest.approx(-1))]


@pytest.mark.parametrize("method", METHODS)
def test_trained_vectors_score_by_the_formula(model, method):
    expected = formula(model.wv_en.vectors, model.wv_de.vectors, method)
    for i in range(5):
        np.testing.assert_allclose(
            model.wv_en.most_similar_cross(i, None, method=method), expected[i], atol=1e-5
        )


# ---- what is asked


@pytest.mark.parametrize("method", METHODS)
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


@pytest.mark.parametrize("method", METHODS)
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


# ---- the space


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


# ---- dictionaries


def test_dictionary_in_an_archive_with_windows_lines_is_read(tmp_path):
    (tmp_path / "d.gz").write_bytes(gzip.compress("\ufeffdog\tHund\r\n\r\ncat\tKatze\r\n".encode()))
    assert read_dictionary(tmp_path / "d.gz") == {"dog": {"Hund"}, "cat": {"Katze"}}


def test_table_may_have_words_of_several_parts_and_spare_spaces(tmp_path):
    (tmp_path / "d").write_text("New York \t Nueva York\n", encoding="utf-8")
    assert read_dictionary(tmp_path / "d") == {"New York": {"Nueva York"}}


def test_lower_casing_joins_entries(tmp_path):
    (tmp_path / "d").write_text("Turkey Türkei\nturkey Pute\n", encoding="utf-8")
    assert read_dictionary(tmp_path / "d", lowercase=True) == {"turkey": {"türkei", "pute"}}


def test_unreadable_dictionary_is_located(tmp_path):
    with pytest.raises(CorpusNotFoundError, match="nowhere"):
        read_dictionary(tmp_path / "nowhere")
    (tmp_path / "d").write_bytes(b"a\tb\nc\t\xff\n")
    with pytest.raises(CorpusError, match="d, line 2, byte 3"):
        read_dictionary(tmp_path / "d")
    (tmp_path / "d").write_text("a b\n\na\n", encoding="utf-8")
    with pytest.raises(FormatError, match="d, line 3: two words are wanted, got 'a'"):
        read_dictionary(tmp_path / "d")


@given(st.dictionaries(st.sampled_from("abcd"), st.sets(st.sampled_from("wxyz"), min_size=1)))
def test_dictionary_turned_round_twice_is_the_same(dictionary):
    assert invert(invert(dictionary)) == dictionary


@pytest.mark.parametrize("use", [invert, lambda d: word_translation(drawn(en=3, de=3)["en"], d)])
def test_string_where_a_set_of_words_is_wanted_is_refused(use):
    with pytest.raises(ConfigError, match=r"translations of 'en1' must be .* the str 'de1'"):
        use({"en1": "de1"})


# ---- word translation


def on_a_circle(code, degrees):
    angles = np.radians(degrees)
    return keyed(code, np.column_stack([np.cos(angles), np.sin(angles)]))


def test_translation_scores_are_those_counted_by_hand():
    vectors = CrossLingualVectors({
        "en": on_a_circle("en", [0, 0, 0, 0]),
        "de": on_a_circle("de", range(0, 60, 5)),  # de0 is nearest to all, then de1, de2, ...
    })  # fmt: skip
    gold = {
        "en0": ["de0"],  # rank 1
        "en1": {"de4", "de9", "nowhere"},  # rank 5
        "en2": ("de5",),  # rank 6
        "en3": ["de11"],  # rank 12, beyond the tenth
        "nowhere": ["de0"],
    }
    score = word_translation(vectors["en"], gold, method="cosine")
    assert score.precision == {1: 1 / 4, 5: 2 / 4}
    assert score.mrr == pytest.approx((1 + 1 / 5 + 1 / 6 + 0) / 4)
    assert (score.words, score.coverage) == (4, 4 / 5)


@pytest.mark.parametrize("method", METHODS)
def test_translation_scores_are_those_of_single_questions(model, method):
    gold = {f"e{i}": {f"d{i}"} for i in range(30)}
    score = word_translation(model.wv_en, gold, method=method, precision_at=(1, 3, 100))
    first = [model.wv_en.most_similar_cross(f"e{i}", 3, method=method) for i in range(30)]
    for n in (1, 3):
        hits = [f"d{i}" in dict(found[:n]) for i, found in enumerate(first)]
        assert score.precision[n] == pytest.approx(np.mean(hits))
    assert score.precision[100] == 1
    assert score.words == 30


def test_target_language_is_chosen_and_asked_for():
    vectors = drawn(en=12, de=12, fr=12)
    with pytest.raises(ConfigError, match="say lang="):
        word_translation(vectors["en"], {"en1": ["de1"]})
    assert word_translation(vectors["en"], {"en1": ["fr1"]}, lang="fr").words == 1
    with pytest.raises(ConfigError, match=r"none of .* in 'en' .* in 'fr'"):
        word_translation(vectors["en"], {"en1": ["de1"]}, lang="fr")


def test_method_of_translation_must_be_known():
    with pytest.raises(ConfigError, match=r"'csls' or .*, not 'dot'"):
        word_translation(drawn(en=3, de=3)["en"], {"en1": ["de1"]}, method="dot")


def test_words_with_zero_vectors_are_counted_and_not_nan():
    matrix = np.eye(4)
    matrix[2] = 0
    vectors = space(en=matrix, de=matrix)
    score = word_translation(vectors["en"], {f"en{i}": [f"de{i}"] for i in range(4)})
    assert score.words == 4
    assert np.isfinite(score.mrr)
    assert score.precision[1] >= 3 / 4
