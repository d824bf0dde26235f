"""Refinement equals the formula of Artetxe et al. (2018), and its extension to more languages."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import space
from scipy import sparse

from gensim_bilbowa import CrossLingualKeyedVectors, CrossLingualVectors, ParallelSentences
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.evidence import Evidence, Spelling, count_pairs
from gensim_bilbowa.vectors.mapping import centred
from gensim_bilbowa.vectors.refinement import mutual_neighbours
from gensim_bilbowa.vectors.retrieval import at_length_one
from gensim_bilbowa.vectors.space import refine, refine_by


def related(seed=0, words=60, dim=8, noise=0.4, codes=("en", "de")):
    """Languages whose i-th words mean the same, each with noise of its own."""
    rng = np.random.default_rng(seed)
    meaning = rng.normal(size=(words, dim)) * np.linspace(2, 0.3, dim) + 0.5
    return space(**{code: meaning + noise * rng.normal(size=meaning.shape) for code in codes})


def unit(matrix):
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.divide(matrix, norms, out=np.zeros(matrix.shape), where=norms > 0)


def prepared(matrix):
    matrix = unit(matrix.astype(np.float64))
    there = matrix.any(axis=1)
    matrix[there] -= matrix[there].mean(axis=0)
    return unit(matrix)


def csls(x, y, k):
    cos = x @ y.T
    r_x = np.sort(cos, axis=1)[:, -k:].mean(axis=1)
    r_y = np.sort(cos, axis=0)[-k:].mean(axis=0)
    return 2 * cos - r_x[:, None] - r_y


def mutual(x, y, k):
    """The pairs that are each other's best by CSLS."""
    table = csls(x, y, k)
    best, back = table.argmax(axis=1), table.argmax(axis=0)
    rows = [i for i in range(len(x)) if back[best[i]] == i]
    return rows, best[rows], table[rows, best[rows]]


def artetxe(x, y, rounds=4, k=10, reweight=0.5):
    """The formula for two languages, as published, in float64."""
    x0, y0 = prepared(x), prepared(y)
    x, y = x0, y0
    for _ in range(rounds):
        i, j, _ = mutual(x, y, k)
        u, s, v = np.linalg.svd(x0[i].T @ y0[j])
        x, y = unit(x0 @ u * s**reweight), unit(y0 @ v.T * s**reweight)
    return x, y


def cosines(vectors, one, other):
    return vectors[one].unit_vectors() @ vectors[other].unit_vectors().T


def info(caplog):
    return [record.getMessage() for record in caplog.records if record.levelno == logging.INFO]


@pytest.mark.parametrize("reweight", [0, 0.5, 1])
@pytest.mark.parametrize("rounds", [1, 4])
@pytest.mark.parametrize("seed", range(3))
def test_two_languages_equal_the_published_formula(seed, rounds, reweight):
    vectors = related(seed)
    x, y = artetxe(vectors["en"].vectors, vectors["de"].vectors, rounds, 5, reweight)
    refined = vectors.refine(rounds=rounds, k=5, reweight=reweight, spelling=0, always=True)
    np.testing.assert_allclose(cosines(refined, "en", "de"), x @ y.T, atol=1e-4)
    np.testing.assert_allclose(cosines(refined, "en", "en"), x @ x.T, atol=1e-4)


def test_several_languages_get_the_orthogonal_parts_of_joint_eigenvectors():
    codes = ("en", "de", "fr")
    vectors = related(codes=codes)
    start = [prepared(vectors[code].vectors) for code in codes]
    joint = np.zeros((24, 24))
    for a in range(3):
        for b in range(a + 1, 3):
            i, j, _ = mutual(start[a], start[b], k=10)
            block = start[a][i].T @ start[b][j]
            joint[8 * a : 8 * a + 8, 8 * b : 8 * b + 8] = block
            joint[8 * b : 8 * b + 8, 8 * a : 8 * a + 8] = block.T
    values, eigenvectors = np.linalg.eigh(joint)
    expected = []
    for a in range(3):
        u, _, v = np.linalg.svd(eigenvectors[8 * a : 8 * a + 8, -8:])
        expected.append(unit(start[a] @ (u @ v) * values[-8:] ** 0.5))
    refined = vectors.refine(rounds=1, spelling=0, always=True)
    for a in range(3):
        for b in range(3):
            np.testing.assert_allclose(
                cosines(refined, codes[a], codes[b]), expected[a] @ expected[b].T, atol=1e-4
            )


def test_languages_that_are_turned_against_each_other_are_brought_together():
    rng = np.random.default_rng(0)
    meaning = rng.normal(size=(300, 20))
    turn, _ = np.linalg.qr(np.eye(20) + 0.25 * rng.normal(size=(20, 20)))
    vectors = space(en=meaning, de=meaning @ turn * np.sign(np.diag(turn)))

    def right(some):
        return np.mean(cosines(some, "en", "de").argmax(axis=1) == np.arange(300))

    assert right(vectors) < 0.9
    assert right(vectors.refine(always=True)) == 1


def test_the_order_of_languages_does_not_matter():
    vectors = related(codes=("en", "de", "fr"))
    reverse = CrossLingualVectors({code: vectors[code] for code in ("fr", "de", "en")})
    np.testing.assert_allclose(
        cosines(vectors.refine(always=True), "en", "de"),
        cosines(reverse.refine(always=True), "en", "de"),
        atol=1e-4,
    )


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(1, 12), st.integers(1, 15))
def test_mutual_neighbours_are_each_others_best(seed, n, m, k):
    rng = np.random.default_rng(seed)
    x, y = (unit(rng.normal(size=(size, 5))).astype(np.float32) for size in (n, m))
    rows, columns, scores = mutual_neighbours(x, y, k)
    expected = mutual(x.astype(np.float64), y.astype(np.float64), k)
    assert rows.tolist() == list(expected[0])
    assert columns.tolist() == expected[1].tolist()
    np.testing.assert_allclose(scores, expected[2], atol=1e-5)


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.sets(st.integers(0, 19)), st.integers(1, 30))
def test_zero_vectors_stay_zero_and_all_others_get_length_one(seed, empty, max_words):
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(25, 4))
    matrix[list(empty)] = 0
    refined = refine(
        space(en=matrix, de=rng.normal(size=(30, 4))), rounds=2, max_words=max_words, always=True
    )
    lengths = np.linalg.norm(refined["en"].vectors, axis=1)
    assert np.flatnonzero(lengths == 0).tolist() == sorted(empty)
    np.testing.assert_allclose(np.delete(lengths, sorted(empty)), 1, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(refined["de"].vectors, axis=1), 1, atol=1e-5)


def test_words_that_get_zero_vectors_are_counted_in_the_log(caplog):
    matrix = np.random.default_rng(0).normal(size=(20, 3))
    matrix[[4, 7]] = 0
    space(en=matrix, de=matrix[:4]).refine(rounds=1, always=True)
    assert "en: 2 of 20 words have zero vectors" in caplog.text


def test_a_vector_that_is_the_mean_of_all_becomes_zero_not_noise():
    matrix = np.array([[3, 4], [4, 3], [1, 1]]) / 7
    assert not centred(matrix[[0, 0]]).any()
    assert np.isfinite(centred(matrix)).all()


@pytest.mark.parametrize("scale", [1e-30, 1, 1e30])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_of_any_length_order_and_type_are_brought_to_length_one(dtype, order, scale):
    matrix = np.random.default_rng(0).normal(size=(7, 3))
    rows = at_length_one(np.array(matrix * scale, dtype=dtype, order=order))
    np.testing.assert_allclose(rows, unit(matrix), atol=1e-6)
    assert rows.dtype == np.float32
    assert rows.flags.c_contiguous


def test_max_words_looks_at_the_first_words_and_maps_all():
    vectors = related(words=80)
    i, j, _ = mutual(*(prepared(kv.vectors)[:30] for kv in vectors.values()), k=10)
    x0, y0 = (prepared(kv.vectors) for kv in vectors.values())
    u, s, v = np.linalg.svd(x0[i].T @ y0[j])
    refined = vectors.refine(rounds=1, max_words=30, spelling=0, always=True)
    expected = unit(x0 @ u * s**0.5) @ unit(y0 @ v.T * s**0.5).T
    assert len(refined["en"]) == 80
    np.testing.assert_allclose(cosines(refined, "en", "de"), expected, atol=1e-4)


def test_max_words_none_looks_at_all():
    vectors = related()
    np.testing.assert_array_equal(
        vectors.refine(max_words=None, always=True)["en"].vectors,
        vectors.refine(max_words=60, always=True)["en"].vectors,
    )


def test_the_given_space_stays_as_it_is():
    vectors = related()
    before = {code: kv.vectors.copy() for code, kv in vectors.items()}
    refined = vectors.refine(always=True)
    refined["en"].vectors[:] = 0
    refined["en"].add_vectors(["new"], np.ones((1, 8)))
    for code, kv in vectors.items():
        np.testing.assert_array_equal(kv.vectors, before[code])
        assert "new" not in kv


def test_words_counts_and_attributes_are_kept():
    vectors = related()
    for n, word in enumerate(vectors["en"].index_to_key):
        vectors["en"].set_vecattr(word, "count", 1000 - n)
        vectors["en"].set_vecattr(word, "tag", f"tag{n}")
    refined = vectors.refine(always=True)
    assert list(refined) == ["en", "de"]
    assert refined["en"].index_to_key == vectors["en"].index_to_key
    assert refined["en"].get_vecattr("en7", "count") == 993
    assert refined["en"].get_vecattr("en7", "tag") == "tag7"
    refined["en"].set_vecattr("en7", "count", 1)
    assert vectors["en"].get_vecattr("en7", "count") == 993


def test_the_result_is_like_a_trained_models_vectors():
    en = related().refine(always=True)["en"]
    assert isinstance(en, CrossLingualKeyedVectors)
    assert en.vectors.dtype == np.float32
    assert en.vectors.flags.c_contiguous
    assert en.most_similar_cross("en3", 1, method="csls")[0][0] == "de3"


@pytest.mark.parametrize("codes", [("en", "de"), ("de", "en")])
def test_sentence_pairs_and_spelling_are_evidence_for_the_dictionary(codes):
    vectors = related(words=40, noise=1.5)
    vectors = CrossLingualVectors({code: vectors[code] for code in codes})
    pairs = [([f"en{i}", f"en{(i * 7) % 40}"], [f"de{(i * 7) % 40}", f"de{i}"]) for i in range(40)]
    parallel = ParallelSentences(pairs, languages=("en", "de"))
    x0, y0 = (prepared(vectors[code].vectors) for code in codes)
    sides = [vectors[code] for code in codes]
    counts = count_pairs(parallel, *sides).aligned.toarray()
    shares = counts / np.sqrt(counts.sum(axis=1, keepdims=True) * counts.sum(axis=0))
    alike = Spelling.compare(*(side.index_to_key for side in sides)).likeness(slice(0, 40))
    table = csls(x0, y0, 10) + 0.2 * np.log1p(counts) + 0.6 * shares + 0.4 * alike.toarray()
    best, back = table.argmax(axis=1), table.argmax(axis=0)
    i = [row for row in range(40) if back[best[row]] == row]
    u, s, v = np.linalg.svd(x0[i].T @ y0[best[i]])
    expected = unit(x0 @ u * s**0.5) @ unit(y0 @ v.T * s**0.5).T
    refined = vectors.refine(rounds=1, spelling=0.4, parallel=parallel, always=True)
    np.testing.assert_allclose(cosines(refined, *codes), expected, atol=1e-4)
    # What is known of the text of training takes the place of text.
    vectors.aligned.add(*codes, sparse.csr_array(counts))
    refined = vectors.refine(rounds=1, spelling=0.4, always=True)
    np.testing.assert_allclose(cosines(refined, *codes), expected, atol=1e-4)
    assert (refined.aligned[codes] != vectors.aligned[codes]).nnz == 0


def test_each_rounds_pairs_and_mean_scores_are_logged(caplog):
    caplog.set_level(logging.INFO, "gensim_bilbowa")
    vectors = related()
    vectors.refine(rounds=2, spelling=0, always=True)
    rows, _, scores = mutual(*(prepared(kv.vectors) for kv in vectors.values()), k=10)
    first, second = info(caplog)
    assert first == (
        f"refinement, round 1, en-de: {len(rows)} mutual pairs, mean score {scores.mean():.4f}"
    )
    assert second.startswith("refinement, round 2, en-de: ")


def test_fewer_pairs_than_dimensions_are_warned_of(caplog):
    rng = np.random.default_rng(0)
    refined = space(en=rng.normal(size=(5, 12)), de=rng.normal(size=(6, 12))).refine(always=True)
    assert "fewer mutual pairs than the vectors' 12 dimensions: {'en-de': " in caplog.text
    assert np.isfinite(refined["en"].vectors).all()


@pytest.mark.parametrize("rows", [0, 1, 3])
def test_a_language_without_any_direction_is_named(rows):
    vectors = space(en=np.random.default_rng(0).normal(size=(9, 4)), de=np.ones((rows, 4)))
    with pytest.raises(ConfigError, match=f"'de': all {rows} vectors are zero once"):
        vectors.refine(always=True)


def test_languages_without_mutual_pairs_are_named(monkeypatch):
    none = np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32)
    monkeypatch.setattr("gensim_bilbowa.vectors.refinement.mutual_neighbours", lambda *given: none)
    with pytest.raises(ConfigError, match="no word of 'en' and word of 'de'"):
        related().refine(always=True)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"rounds": 0}, "rounds must be .* got 0"),
        ({"rounds": True}, "rounds must be .* got True"),
        ({"k": 0}, "k must be .* got 0"),
        ({"k": 1.5}, r"k must be .* got 1\.5"),
        ({"max_words": 0}, "max_words must be .* got 0"),
        ({"k": None}, "k must be .* got None"),
        ({"reweight": 1.5}, r"reweight must be a number of 0 to 1, got 1\.5"),
        ({"reweight": -1}, "reweight must be .* got -1"),
    ],
)
def test_parameters_out_of_range_are_refused(bad, message):
    with pytest.raises(ConfigError, match=message):
        related().refine(**bad, always=True)


def test_one_language_is_refused():
    with pytest.raises(ConfigError, match=r"two or more languages are wanted, got \['en'\]"):
        related(codes=("en",)).refine(always=True)


def test_vectors_that_are_not_finite_are_refused():
    vectors = related()
    vectors["de"].vectors[3, 1] = np.nan
    with pytest.raises(ConfigError, match="'de': the vector of 'de3' is not finite"):
        vectors.refine(always=True)


def turned_apart(words, dim=12, seed=0):
    """Two languages of one meaning, one of them in other directions, and what shows the words."""
    rng = np.random.default_rng(seed)
    meaning = rng.normal(size=(words, dim))
    other = meaning @ np.linalg.qr(rng.normal(size=(dim, dim)))[0]
    names = [f"word{i:03}x{i:03}" for i in range(words)]
    evidence = Evidence(None, Spelling.compare(names, names), 5.0)
    return space(en=meaning, de=other), {("en", "de"): evidence}


def test_vectors_that_agree_better_when_refined_are_refined():
    vectors, evidences = turned_apart(200)
    refined = refine_by(vectors, evidences)
    rows, columns, _ = mutual_neighbours(
        *(refined[code].unit_vectors() for code in ("en", "de")), 10
    )
    np.testing.assert_array_equal(rows, columns)
    assert len(rows) > 190


def test_vectors_that_agree_as_well_as_refined_ones_are_left(caplog):
    vectors = related(noise=0.01)
    with caplog.at_level(logging.INFO):
        assert refine_by(vectors, {("en", "de"): Evidence()}) is vectors
    assert "not refined: 60 words were each other's nearest" in caplog.text


def test_too_few_words_that_agree_are_not_refined_by():
    vectors, evidences = turned_apart(11)
    assert refine_by(vectors, evidences, k=1) is vectors


def test_what_would_be_no_better_stays_as_it_is():
    vectors = related()
    assert vectors.refine() is vectors
    assert vectors.refine(always=True) is not vectors
