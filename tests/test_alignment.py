"""Vectors trained apart are joined as the formulas, scikit-learn and gensim say."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from gensim.models import KeyedVectors, Word2Vec
from gensim.models.translation_matrix import TranslationMatrix
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import keyed

from gensim_bilbowa import CrossLingualKeyedVectors, CrossLingualVectors
from gensim_bilbowa.errors import ConfigError, FormatError, UnknownLanguageError
from gensim_bilbowa.vectors.alignment import align

METHODS = ["procrustes", "cca", "translation_matrix"]


def rotation(rng, dim):
    return np.linalg.qr(rng.normal(size=(dim, dim)))[0]


def apart(seed=0, words=80, dim=6, noise=0.05, codes=("en", "de")):
    """Languages whose i-th words mean the same, each turned by a rotation of its own."""
    rng = np.random.default_rng(seed)
    meaning = rng.normal(size=(words, dim))
    return {
        code: keyed(code, (meaning + noise * rng.normal(size=meaning.shape)) @ rotation(rng, dim))
        for code in codes
    }


def pairs(n=40, one="en", other="de"):
    return [(f"{one}{i}", f"{other}{i}") for i in range(n)]


def unit(matrix):
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.divide(matrix, norms, out=np.zeros(matrix.shape), where=norms > 0)


def prepared(matrix):
    matrix = unit(matrix.astype(np.float64))
    return unit(matrix - matrix.mean(axis=0))


def cosines(vectors, one="en", other="de"):
    return vectors[one].unit_vectors() @ vectors[other].unit_vectors().T


def right(vectors, one="en", other="de"):
    """Share of words whose nearest word of the other language means the same."""
    best = cosines(vectors, one, other).argmax(axis=1)
    return np.mean(best == np.arange(len(best)))


# ---- the formulas


@pytest.mark.parametrize("method", METHODS)
def test_a_rotation_is_undone_for_words_outside_the_dictionary(method):
    all_directions = {"dimensions": 6} if method == "cca" else {}
    assert right(align(apart(noise=0), pairs(20), method=method, **all_directions)) == 1


@pytest.mark.parametrize("centre", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_procrustes_equals_the_formula(seed, centre):
    given = apart(seed, noise=0.5)
    prepare = prepared if centre else lambda matrix: unit(matrix.astype(np.float64))
    x, y = prepare(given["en"].vectors), prepare(given["de"].vectors)
    u, _, v = np.linalg.svd(y[:40].T @ x[:40])
    joined = align(given, pairs(), centre=centre)
    np.testing.assert_allclose(joined["en"].vectors, x, atol=1e-5)
    np.testing.assert_allclose(joined["de"].vectors, y @ u @ v, atol=1e-5)


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40))
def test_procrustes_keeps_the_similarities_within_a_language(seed, n):
    given = apart(seed)
    y = prepared(given["de"].vectors)
    joined = align(given, pairs(n))
    np.testing.assert_allclose(cosines(joined, "de", "de"), y @ y.T, atol=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_translation_matrix_finds_the_words_that_gensims_own_finds(seed):
    given = apart(seed, noise=0.4)
    swapped = [(target, source) for source, target in pairs()]
    words = given["de"].index_to_key
    expected = TranslationMatrix(given["de"], given["en"], swapped).translate(
        words, 5, source_lang_vec=given["de"], target_lang_vec=given["en"]
    )
    joined = align(given, pairs(), method="translation_matrix")
    for word in words:
        found = [near for near, _ in joined["de"].most_similar_cross(word, 5)]
        assert found == list(expected[word])


def test_translation_matrix_equals_least_squares():
    given = apart(noise=0.4)
    x, y = (unit(given[code].vectors.astype(np.float64)) for code in ("en", "de"))
    expected = unit(y @ np.linalg.lstsq(y[:40], x[:40], rcond=None)[0])
    joined = align(given, pairs(), method="translation_matrix")
    np.testing.assert_allclose(joined["de"].vectors, expected, atol=1e-5)


@pytest.mark.parametrize("dimensions", [1, 3, 6])
def test_cca_equals_the_formula(dimensions):
    """Eigenvectors of the whitened covariances (Hotelling 1936), which the package never forms."""
    given = apart(noise=0.4)
    x, y = (prepared(given[code].vectors) for code in ("en", "de"))
    a, b = (side[:40] - side[:40].mean(axis=0) for side in (x, y))

    def inverse_root(covariance):
        values, vectors = np.linalg.eigh(covariance)
        return vectors / np.sqrt(values) @ vectors.T

    root_a, root_b = inverse_root(a.T @ a), inverse_root(b.T @ b)
    u, _, v = np.linalg.svd(root_a @ a.T @ b @ root_b)
    expected = unit(x @ root_a @ u[:, :dimensions]) @ unit(y @ root_b @ v[:dimensions].T).T
    joined = align(given, pairs(), method="cca", dimensions=dimensions)
    np.testing.assert_allclose(cosines(joined), expected, atol=1e-4)


def test_cca_finds_the_correlations_that_scikit_learn_finds(caplog):
    cross_decomposition = pytest.importorskip("sklearn.cross_decomposition")
    caplog.set_level(logging.INFO, "gensim_bilbowa")
    given = apart(noise=0.6)
    a, b = (prepared(given[code].vectors)[:40] for code in ("en", "de"))
    peer = cross_decomposition.CCA(n_components=6, scale=False, max_iter=10_000, tol=1e-12)
    scores = peer.fit_transform(a, b)
    peers = [np.corrcoef(scores[0][:, n], scores[1][:, n])[0, 1] for n in range(6)]
    align(given, pairs(), method="cca", dimensions=6)
    assert (
        f"canonical correlations from {max(peers):.3f} to {min(peers):.3f} in 6 dimensions"
        in caplog.text
    )


def test_cca_keeps_four_fifths_of_the_smaller_size_by_default():
    given = {"en": apart(dim=10)["en"], "de": apart(dim=20)["de"]}
    joined = align(given, pairs(), method="cca")
    assert joined["en"].vector_size == joined["de"].vector_size == 8


def test_cca_leaves_out_directions_that_the_pairs_do_not_span():
    given = apart(dim=6)
    for kv in given.values():
        kv.vectors[:, 5] = 0
    joined = align(given, pairs(), method="cca")
    assert joined["en"].vector_size == 5
    assert np.isfinite(joined["en"].vectors).all()
    with pytest.raises(ConfigError, match="span 5 dimensions, 6 are asked for"):
        align(given, pairs(), method="cca", dimensions=6)


def test_cca_refuses_pairs_that_are_all_of_one_word():
    given = apart()
    with pytest.raises(ConfigError, match="the pairs have but one vector of 'en'"):
        align(given, {"en0": [f"de{i}" for i in range(40)]}, method="cca")


@pytest.mark.parametrize("method", ["cca", "translation_matrix"])
def test_unlike_sizes_are_joined_where_the_method_allows(method):
    rng = np.random.default_rng(0)
    meaning = rng.normal(size=(80, 5))
    given = {"en": keyed("en", meaning), "de": keyed("de", meaning @ rng.normal(size=(5, 8)))}
    joined = align(given, pairs(), method=method)
    assert joined["en"].vector_size == joined["de"].vector_size
    assert right(joined) > 0.9


def test_unlike_sizes_are_refused_by_procrustes():
    given = {"en": apart(dim=4)["en"], "de": apart(dim=5)["de"]}
    with pytest.raises(ConfigError, match=r"one vector size .* got \{'en': 4, 'de': 5\}"):
        align(given, pairs())


# ---- several languages


@pytest.mark.parametrize("method", ["procrustes", "translation_matrix"])
@pytest.mark.parametrize(
    "links",
    [
        [("en", "de"), ("en", "fr")],
        [("de", "en"), ("fr", "de")],
        [("fr", "de"), ("fr", "en")],
    ],
)
def test_languages_are_linked_to_the_first_directly_or_through_others(links, method):
    given = apart(codes=("en", "de", "fr"))
    joined = align(given, {link: pairs(30, *link) for link in links}, method=method)
    assert list(joined) == ["en", "de", "fr"]
    for one, other in [("en", "de"), ("en", "fr"), ("de", "fr")]:
        assert right(joined, one, other) == 1


def test_all_dictionaries_of_a_language_count_for_its_map():
    given = apart(codes=("en", "de", "fr"), noise=0.5)
    two = {("en", "de"): pairs(), ("en", "fr"): pairs(30, "en", "fr")}
    joined = align(given, {**two, ("de", "fr"): pairs(35, "de", "fr")})
    x, z = (prepared(given[code].vectors) for code in ("en", "fr"))
    de = align({"en": given["en"], "de": given["de"]}, pairs())["de"].vectors
    u, _, v = np.linalg.svd(z[:30].T @ x[:30] + z[:35].T @ de[:35])
    np.testing.assert_allclose(joined["fr"].vectors, z @ u @ v, atol=1e-5)


def test_a_chain_whose_maps_lead_to_zero_is_refused():
    given = {code: keyed(code, np.eye(3)) for code in ("en", "de", "fr")}
    links = {("en", "de"): pairs(1), ("de", "fr"): [("de1", "fr1")]}
    with pytest.raises(ConfigError, match=r"fr: its 1 pairs are with words .* mapped to zero"):
        align(given, links, method="translation_matrix")


def test_a_language_without_a_link_is_refused():
    given = apart(codes=("en", "de", "fr", "es"))
    links = {("en", "de"): pairs(), ("fr", "es"): pairs(9, "fr", "es")}
    with pytest.raises(ConfigError, match=r"other languages from \['en', 'de'\].*'fr', 'es'"):
        align(given, links)


def test_one_dictionary_for_three_languages_is_refused():
    with pytest.raises(ConfigError, match=r"must say which two .*\('en', 'de'\)"):
        align(apart(codes=("en", "de", "fr")), pairs())


def test_cca_of_three_languages_is_refused():
    with pytest.raises(ConfigError, match="'cca' joins two languages"):
        align(apart(codes=("en", "de", "fr")), method="cca")


@pytest.mark.parametrize("codes", [("en",), ("en", "en"), ("en", "de", "fr")])
def test_a_key_that_is_not_two_languages_is_refused(codes):
    with pytest.raises(ConfigError, match="a dictionary's key must be two languages"):
        align(apart(), {codes: pairs()})


def test_a_dictionary_of_an_unknown_language_is_refused():
    with pytest.raises(UnknownLanguageError, match="no language 'xx'"):
        align(apart(), {("en", "xx"): pairs()})


# ---- dictionaries


def test_every_form_of_a_dictionary_gives_the_same_space(tmp_path):
    given = apart(noise=0.3)
    path = tmp_path / "en-de.tsv"
    path.write_text(
        "".join(f"{source}\t{target}\n" for source, target in pairs()), encoding="utf-8"
    )
    expected = align(given, pairs())
    for form in (
        {source: {target} for source, target in pairs()},
        iter(reversed(pairs())),
        [*pairs(), *pairs()],
        path,
        str(path),
        {("en", "de"): path},
        {("de", "en"): [(target, source) for source, target in pairs()]},
    ):
        joined = align(given, form)
        np.testing.assert_allclose(joined["de"].vectors, expected["de"].vectors, atol=1e-5)


@pytest.mark.parametrize("method", METHODS)
def test_dictionaries_of_both_directions_count(method):
    given = apart(noise=0.3)
    back = [(f"de{i}", f"en{i}") for i in range(20, 40)]
    joined = align(given, {("en", "de"): pairs(20), ("de", "en"): back}, method=method)
    expected = align(given, pairs(40), method=method)
    np.testing.assert_allclose(cosines(joined), cosines(expected), atol=1e-4)


def test_without_a_dictionary_words_spelt_alike_are_the_pairs(caplog):
    caplog.set_level(logging.INFO, "gensim_bilbowa")
    given = apart(noise=0, words=40)
    same = {code: KeyedVectors(6) for code in given}
    for code, kv in given.items():
        words = [str(i) if i < 20 else f"{code}{i}" for i in range(40)]
        same[code].add_vectors(words, kv.vectors)
    assert right(align(same)) == 1
    assert "en-de: 20 of the 20 words spelt alike are used" in caplog.text


def test_no_words_spelt_alike_are_an_error():
    with pytest.raises(ConfigError, match="en-de: none of the 0 words spelt alike"):
        align(apart())


def test_pairs_without_vectors_are_counted(caplog):
    align(apart(), [*pairs(), ("en0", "nowhere"), ("nothing", "de1"), ("no", "non")])
    assert (
        "en-de: 40 of the 43 pairs of the dictionary are used "
        "(41 have a vector in 'en', 41 in 'de')" in caplog.text
    )
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_words_with_zero_vectors_do_not_count_as_known(caplog):
    given = apart(noise=0)
    given["de"].vectors[3] = 0
    joined = align(given, pairs(), method="translation_matrix")
    assert "en-de: 39 of the 40 pairs" in caplog.text
    assert not joined["de"].vectors[3].any()
    assert np.isfinite(joined["de"].vectors).all()


def test_a_dictionary_the_other_way_round_is_an_error():
    with pytest.raises(
        ConfigError,
        match=r"none of the 40 pairs .*0 have a vector in 'en', 0 in 'de'.*other way round",
    ):
        align(apart(), [(target, source) for source, target in pairs()])


@pytest.mark.parametrize("method", ["procrustes", "translation_matrix"])
def test_fewer_pairs_than_dimensions_are_warned_of(method, caplog):
    joined = align(apart(), pairs(3), method=method)
    assert "de: 3 pairs for vectors of size 6 do not determine the map" in caplog.text
    assert np.isfinite(joined["de"].vectors).all()


def test_cca_refuses_fewer_pairs_than_dimensions():
    with pytest.raises(ConfigError, match=r"en-de: 'cca' wants more pairs .*\(6\), got 6"):
        align(apart(), pairs(6), method="cca")


@pytest.mark.parametrize(
    ("dictionary", "message"),
    [
        ({"en1": "de1"}, "translations of 'en1' must be a set or list"),
        (["ab", "cd"], "a pair of words is wanted, got 'ab'"),
        ([("en1", "de1", "fr1")], "a pair of words is wanted"),
        ([("en1", 1)], "a pair of words is wanted"),
        ({"en1": [1]}, r"a pair of words is wanted, got \('en1', 1\)"),
        ([3], "a pair of words is wanted, got 3"),
        (7, "a dictionary is wanted, got int"),
    ],
)
def test_what_is_no_dictionary_is_refused(dictionary, message):
    with pytest.raises(ConfigError, match=message):
        align(apart(), dictionary)


def test_a_line_that_is_no_pair_is_named(tmp_path):
    path = tmp_path / "dictionary.tsv"
    path.write_text("en1\tde1\nen2\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"dictionary\.tsv, line 2"):
        align(apart(), path)


# ---- what is given and what comes out


@pytest.mark.parametrize("method", METHODS)
def test_the_result_is_like_a_trained_models_vectors(method):
    given = apart()
    for n, word in enumerate(given["en"].index_to_key):
        given["en"].set_vecattr(word, "count", 1000 - n)
    joined = align(given, pairs(), method=method)
    assert isinstance(joined, CrossLingualVectors)
    for code in given:
        assert isinstance(joined[code], CrossLingualKeyedVectors)
        assert joined[code].index_to_key == given[code].index_to_key
        assert joined[code].vectors.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(joined[code].vectors, axis=1), 1, atol=1e-5)
    assert joined["en"].get_vecattr("en7", "count") == 993
    assert right(joined.refine(always=True)) > 0.9


@pytest.mark.parametrize("method", METHODS)
def test_the_given_vectors_stay_as_they_are(method):
    given = apart()
    before = {code: kv.vectors.copy() for code, kv in given.items()}
    joined = align(given, pairs(), method=method)
    for code, kv in given.items():
        joined[code].vectors[:] = 0
        np.testing.assert_array_equal(kv.vectors, before[code])


@pytest.mark.parametrize("method", METHODS)
def test_arrays_of_any_order_and_precision_give_the_same(method):
    given = apart(noise=0.3)
    expected = align(given, pairs(), method=method)
    for kv in given.values():
        kv.vectors = np.asfortranarray(kv.vectors.astype(np.float64))
    np.testing.assert_allclose(
        cosines(align(given, pairs(), method=method)), cosines(expected), atol=1e-4
    )


@pytest.mark.parametrize("method", METHODS)
def test_vectors_that_are_not_finite_are_refused(method):
    given = apart()
    given["de"].vectors[3, 1] = np.nan
    with pytest.raises(ConfigError, match="'de': the vector of 'de3' is not finite"):
        align(given, pairs(), method=method)


def test_a_model_in_place_of_its_vectors_is_refused():
    model = Word2Vec([["en1", "en2"]] * 9, vector_size=6, min_count=1, workers=1)
    with pytest.raises(ConfigError, match=r"KeyedVectors is wanted, got Word2Vec; pass its \.wv"):
        align({"en": model, "de": apart()["de"]}, pairs())


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"method": "svd"}, "'procrustes' or 'cca' or 'translation_matrix', not 'svd'"),
        ({"dimensions": 3}, "dimensions is for 'cca', not for 'procrustes'"),
        ({"method": "cca", "dimensions": 0}, "dimensions must be a whole number of 1 to 6, got 0"),
        ({"method": "cca", "dimensions": 1.5}, "dimensions must be a whole number .*, got 1.5"),
        ({"method": "cca", "dimensions": "3"}, "dimensions must be a whole number .*, got '3'"),
        ({"centre": "no"}, "centre must be True or False, not 'no'"),
        ({"method": "cca", "dimensions": 7}, "dimensions must be a whole number of 1 to 6, got 7"),
        ({"method": "cca", "centre": False}, "'cca' always centres"),
    ],
)
def test_parameters_out_of_range_are_refused(bad, message):
    with pytest.raises(ConfigError, match=message):
        align(apart(), pairs(), **bad)


@pytest.mark.parametrize(
    ("given", "dictionary", "message"),
    [
        (None, None, "a mapping from languages to their vectors is wanted, got NoneType"),
        ([], None, "a mapping from languages to their vectors is wanted, got list"),
        ({"a1": None}, None, "two or more languages"),
        ({"a1": None, "b": None}, None, "'a1': a gensim KeyedVectors is wanted, got NoneType"),
        ({1: None, 2: None}, None, "a language code such as 'en' .* is wanted, got 1"),
        (apart(), {"en1": None}, "the translations of 'en1' must be a set or list, got the None"),
        (apart(), {"en1": 3}, "the translations of 'en1' must be a set or list, got the int 3"),
        (apart(), 3, "a dictionary is wanted, got int"),
    ],
)
def test_what_is_no_vectors_or_dictionary_is_refused(given, dictionary, message):
    with pytest.raises(ConfigError, match=message):
        align(given, dictionary)


def test_one_language_is_refused():
    with pytest.raises(ConfigError, match=r"two or more languages are wanted, got \['en'\]"):
        align(apart(codes=("en",)), pairs())
