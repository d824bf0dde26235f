"""Sentences compared by their translated words beside their vectors."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from samples import SMALL, made_up_pairs
from scipy import sparse

from gensim_bilbowa import BilBOWA, CrossLingualVectors, kernels
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.evidence.alignment_weights import Words
from gensim_bilbowa.evidence.matching import Matching
from gensim_bilbowa.vectors import retrieval
from gensim_bilbowa.vectors.points import WithWords, distinct, nonzero, products
from gensim_bilbowa.vectors.sentence_points import LEXICAL, compared

METHODS = ["cosine", "csls", "inverted_softmax"]


@pytest.fixture(scope="module")
def model():
    return BilBOWA(parallel={("en", "de"): made_up_pairs()}, **{**SMALL, "epochs": 10})


@pytest.fixture(scope="module")
def bare(model):
    """The same vectors without counts of aligned words."""
    return CrossLingualVectors(model.wv)


@pytest.fixture(scope="module")
def texts():
    pairs = made_up_pairs(40, seed=3)
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def dense(wv, ours, theirs, lexical=LEXICAL):
    """Scores by the equation of the class, of words that are aligned often or not at all."""
    space = {"en": wv["en"], "de": wv["de"]}
    counts = wv["en"].aligned("de").toarray()
    sides = {"en": ours, "de": theirs}
    vectors, bags, words = {}, {}, {}
    for code, sentences in sides.items():
        rows = space[code].sentence_vectors(sentences)
        vectors[code] = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        unseen = sorted({w for s in sentences for w in s if w not in space[code]})
        words[code] = [*space[code].index_to_key, *unseen]
        known = [space[code].get_vecattr(w, "count") for w in space[code].index_to_key]
        idf = np.log(sum(known) / np.array(known + [1] * len(unseen)))
        bags[code] = np.array([[w in s for w in words[code]] for s in sentences]) * np.sqrt(idf)
    matrix = np.zeros((len(words["en"]), len(words["de"])))
    matrix[: counts.shape[0], : counts.shape[1]] = counts
    for row, word in enumerate(words["en"]):
        if word not in space["en"] and word in words["de"]:
            matrix[row, words["de"].index(word)] = 3

    def shares(m):
        part = m / np.maximum(m.sum(axis=1, keepdims=True), 1e-9)
        return np.where(part < 0.02, 0, part)

    def unit(m):
        return m / np.maximum(np.linalg.norm(m, axis=1, keepdims=True), 1e-9)

    there = unit(bags["en"] @ shares(matrix)) @ unit(bags["de"]).T
    back = unit(bags["en"]) @ unit(bags["de"] @ shares(matrix.T)).T
    cosines = vectors["en"] @ vectors["de"].T
    return (1 - lexical) * cosines + lexical * (there + back) / 2


def scored(wv, ours, theirs, **options):
    """All scores as a matrix."""
    found = wv["en"].most_similar_sentences_batch(ours, theirs, len(theirs), **options)
    result = np.empty((len(ours), len(theirs)))
    for row, answer in enumerate(found):
        for column, score in answer:
            result[row, column] = score
    return result


# ---- values


@pytest.mark.parametrize("lexical", [LEXICAL, 0.2, 1])
def test_scores_equal_the_equation(model, texts, lexical):
    ours, theirs = texts
    got = scored(model.wv, ours, theirs, method="cosine", lexical=lexical)
    np.testing.assert_allclose(got, dense(model.wv, ours, theirs, lexical), atol=2e-6)


def test_words_outside_the_vocabulary_that_are_the_same_translate_each_other(model, texts):
    ours, theirs = ([*side[:5]] for side in texts)
    ours[0], theirs[3] = [*ours[0], "2026"], [*theirs[3], "2026"]
    ours.append(["2026"])
    got = scored(model.wv, ours, theirs, method="cosine")
    np.testing.assert_allclose(got, dense(model.wv, ours, theirs), atol=2e-6)
    assert got[5, 3] > 0.1
    assert (np.delete(got[5], 3) == 0).all()


@pytest.mark.parametrize("method", METHODS)
def test_methods_are_those_of_the_scores(model, texts, method):
    ours, theirs = texts
    s = dense(model.wv, ours, theirs)
    expected = {
        "cosine": s,
        "csls": 2 * s - np.sort(s, 1)[:, -4:].mean(1)[:, None] - np.sort(s, 0)[-4:].mean(0),
        "inverted_softmax": 30 * s - np.logaddexp.reduce(30 * s, axis=0),
    }[method]
    got = scored(model.wv, ours, theirs, method=method)
    np.testing.assert_allclose(got, expected, atol=2e-4)


def test_one_sentence_gets_the_scores_of_the_batch(model, texts):
    ours, theirs = texts
    expected = scored(model.wv, ours, theirs, method="cosine")
    found = model.wv["en"].most_similar_sentences(ours[7], theirs, 5)
    np.testing.assert_allclose([s for _, s in found], np.sort(expected[7])[:-6:-1], atol=1e-5)


def test_the_languages_may_be_turned(model, texts):
    ours, theirs = texts
    there = scored(model.wv, ours, theirs, method="cosine")
    found = model.wv["de"].most_similar_sentences_batch(theirs, ours, 1, method="cosine")
    best = [answer[0] for answer in found]
    np.testing.assert_allclose([score for _, score in best], there.max(axis=0), atol=1e-6)


def test_mined_pairs_are_those_of_the_margin(model, texts):
    ours, theirs = texts
    s = dense(model.wv, ours, theirs)
    means = np.sort(s, 1)[:, -4:].mean(1)[:, None] + np.sort(s, 0)[-4:].mean(0)
    (i, j, score), *_ = model.wv["en"].mine_sentences(ours, theirs)
    margins = s - means / 2
    assert (i, j) == np.unravel_index(margins.argmax(), s.shape)
    assert score == pytest.approx(margins.max(), abs=1e-5)


def test_order_of_sentences_does_not_matter(model, texts):
    ours, theirs = texts
    straight = scored(model.wv, ours, theirs, method="cosine")
    turned = scored(model.wv, ours[::-1], theirs[::-1], method="cosine")
    np.testing.assert_allclose(turned[::-1, ::-1], straight, atol=1e-6)


# ---- without words


@pytest.mark.parametrize("method", METHODS)
def test_vectors_alone_are_to_the_bit_those_of_a_space_without_counts(model, bare, texts, method):
    found = model.wv["en"].most_similar_sentences_batch(*texts, 3, method=method, lexical=0)
    assert found == bare["en"].most_similar_sentences_batch(*texts, 3, method=method)
    mined = model.wv["en"].mine_sentences(*texts, lexical=0)
    assert mined == bare["en"].mine_sentences(*texts)


def test_sentences_given_as_vectors_are_compared_by_vectors_alone(model, texts):
    ours, theirs = texts
    expected = model.wv["en"].most_similar_sentences_batch(ours, theirs, 3, lexical=0)
    rows = model.wv["de"].sentence_vectors(theirs)
    assert model.wv["en"].most_similar_sentences_batch(ours, rows, 3) == expected


@pytest.mark.parametrize("lexical", [-0.1, 1.5, np.nan, "1"])
def test_shares_that_are_none_are_refused(model, texts, lexical):
    with pytest.raises(ConfigError, match="lexical"):
        model.wv["en"].most_similar_sentences_batch(*texts, lexical=lexical)


# ---- edges


def test_sentences_without_words_are_similar_to_nothing(model, caplog):
    ours, theirs = [[], ["unheard"], ["e1", "e2"]], [["d1", "d2"], [], ["of"]]
    got = scored(model.wv, ours, theirs, method="cosine")
    assert got[2, 0] > 0.5
    assert np.count_nonzero(got) == 1
    with caplog.at_level(logging.WARNING):
        assert [pair[:2] for pair in model.wv["en"].mine_sentences(ours, theirs)] == [(2, 0)]
    assert "2 of 3 are not mined: 2 without known words" in caplog.text
    assert model.wv["en"].most_similar_sentences_batch([], theirs) == []
    assert model.wv["en"].most_similar_sentences_batch(ours, []) == [[], [], []]


def test_generators_and_files_are_read_once(model, texts, tmp_path):
    ours, theirs = texts
    expected = model.wv["en"].most_similar_sentences_batch(ours, theirs, 2)
    assert model.wv["en"].most_similar_sentences_batch(iter(ours), iter(theirs), 2) == expected
    file = tmp_path / "text.de"
    file.write_text("".join(" ".join(text) + "\n" for text in theirs), encoding="utf-8")
    assert model.wv["en"].most_similar_sentences_batch(ours, file, 2) == expected


def test_long_sentences_are_compared(model):
    rng = np.random.default_rng(1)
    ids = [rng.integers(20 * row, 20 * row + 20, 1000) for row in (0, 1)]
    ours, theirs = ([[f"{code}{i}" for i in row] for row in ids] for code in "ed")
    got = scored(model.wv, ours, theirs, method="cosine")
    assert got.argmax(axis=1).tolist() == [0, 1]
    np.testing.assert_allclose(got, dense(model.wv, ours, theirs), atol=2e-6)


def test_counts_that_grow_are_looked_at_anew(texts):
    model = BilBOWA(parallel={("en", "de"): made_up_pairs(50)}, **SMALL)
    first = model.wv["en"].matching(model.wv["de"])
    assert model.wv["en"].matching(model.wv["de"]) is first
    sizes = len(model.wv["en"]), len(model.wv["de"])
    model.wv.aligned.add("en", "de", sparse.csr_array(np.ones(sizes, np.float32)))
    assert model.wv["en"].matching(model.wv["de"]) is not first


@pytest.mark.parametrize("tile", [(1, 1), (3, 5), (1024, 1024)])
def test_tiles_do_not_show(model, texts, monkeypatch, tile):
    expected = scored(model.wv, *texts)
    mined = model.wv["en"].mine_sentences(*texts)
    monkeypatch.setattr(retrieval, "_TILE", tile)
    monkeypatch.setattr(retrieval, "_BLOCK_BYTES", 4 * 40 * tile[0])
    np.testing.assert_allclose(scored(model.wv, *texts), expected, atol=1e-5)
    again = model.wv["en"].mine_sentences(*texts)
    assert [pair[:2] for pair in again] == [pair[:2] for pair in mined]


def test_no_more_than_a_tile_is_computed_at_once(model, texts, monkeypatch):
    sizes = []
    plain = WithWords.products

    def watched(self, others):
        sizes.append((len(self), len(others)))
        return plain(self, others)

    monkeypatch.setattr(retrieval, "_TILE", (7, 11))
    monkeypatch.setattr(retrieval, "_BLOCK_BYTES", 4 * 40 * 7)
    monkeypatch.setattr(WithWords, "products", watched)
    model.wv["en"].most_similar_sentences_batch(*texts)
    assert max(rows for rows, _ in sizes) == 7
    assert {columns for _, columns in sizes} == {11, 40 % 11, 40}


# ---- parts


def test_shares_are_those_of_counts_stems_and_spelling():
    counts = sparse.csr_array(np.float32([[4, 1, 0], [0, 0, 5], [0, 0, 0]]))
    ours = Words(["house", "tree", "museum"], np.array([5, 5, 1]))
    theirs = Words(["haus", "hütte", "baum"], np.array([5, 2, 5]))
    matching = Matching(counts, ours, theirs)
    there, back = matching.shares(
        np.array([0, 1, 2]), ["houses", "2026"], np.array([0, 1, 2]), ["2026", "museums"]
    )
    there = there.toarray()
    np.testing.assert_allclose(there[0], [0.8, 0.2, 0, 0, 0], rtol=1e-6)
    np.testing.assert_allclose(there[1], [0, 0, 1, 0, 0])
    np.testing.assert_allclose(there[2], [0, 0, 0, 0, 1])  # by spelling
    np.testing.assert_allclose(there[3], [0.8, 0.2, 0, 0, 0], rtol=1e-6)  # by the stem of house
    np.testing.assert_allclose(there[4], [0, 0, 0, 1, 0])
    assert there.dtype == np.float32
    back = back.toarray()
    np.testing.assert_allclose(back[0], [1, 0, 0, 0, 0])
    np.testing.assert_allclose(back[4], [0, 0, 1, 0, 0])


def test_words_that_stand_in_most_sentences_count_as_others_do():
    rng = np.random.default_rng(2)
    often = np.repeat([0.05, 0.9], 15)
    words = [
        sparse.csr_array(np.float32(rng.random((9, 30)) * (rng.random((9, 30)) < often)))
        for _ in range(2)
    ]
    vectors = [rng.random((9, 4)).astype(np.float32) for _ in range(2)]
    one, other = WithWords.pair(tuple(vectors), tuple(words))
    assert one.vectors.shape[1] > 4
    assert 0 < one.words.nnz < words[0].nnz
    expected = vectors[0] @ vectors[1].T + (words[0] @ words[1].T).toarray()
    np.testing.assert_allclose(products(one, other), expected, rtol=1e-5)


def test_equal_and_zero_points_are_known():
    words = sparse.csr_array(np.float32([[1, 0], [0, 0], [1, 0], [0, 2], [0, 0]]))
    points = WithWords(np.float32([[0, 0], [0, 0], [0, -0.0], [0, 0], [1, 0]]), words)
    assert distinct(points).tolist() == [0, 3, 4]
    assert nonzero(points).tolist() == [True, False, True, True, True]


def test_sparse_products_are_added():
    rng = np.random.default_rng(4)
    a, b = (sparse.random_array(shape, density=0.3, rng=rng, dtype=np.float32).tocsr()
            for shape in ((7, 5), (5, 11)))  # fmt: skip
    out = rng.random((7, 11)).astype(np.float32)
    expected = out + (a @ b).toarray()
    kernels.add_products(out, a, b)
    np.testing.assert_allclose(out, expected, rtol=1e-6)
    with pytest.raises(ValueError, match="shapes do not fit"):
        kernels.add_products(out, b, a)


def test_points_have_words_only_where_they_are_told(model, bare, texts):
    points, others = compared(model.wv["en"], model.wv["de"], *texts)
    assert isinstance(points, WithWords)
    assert isinstance(others, WithWords)
    points, _ = compared(bare["en"], bare["de"], *texts)
    assert isinstance(points, np.ndarray)
