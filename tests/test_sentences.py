"""Sentences' vectors equal the formulas; retrieval and mining equal slow twins of them."""

from __future__ import annotations

import copy
import logging

import numpy as np
import pytest
from gensim.models import FastText, KeyedVectors
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import SMALL, made_up_pairs

from gensim_bilbowa import BilBOWA, CrossLingualVectors
from gensim_bilbowa.errors import ConfigError, TokenError, UnknownLanguageError
from gensim_bilbowa.vectors import mining, retrieval, sentences
from gensim_bilbowa.vectors.sentences import sentence_vectors

WORDS, DIM = 30, 5


def keyed(code, seed, *, counts=True):
    rng = np.random.default_rng(seed)
    vectors = KeyedVectors(DIM)
    vectors.add_vectors(
        [f"{code}{i}" for i in range(WORDS)],
        (rng.normal(size=(WORDS, DIM)) + 0.5).astype(np.float32),
    )
    if counts:
        vectors.expandos["count"] = np.sort(rng.integers(1, 1000, WORDS))[::-1]
    return vectors


@pytest.fixture(scope="module")
def vectors():
    return CrossLingualVectors({"en": keyed("e", 0), "de": keyed("d", 1)})


@pytest.fixture
def en(vectors):
    return vectors["en"]


@pytest.fixture(scope="module")
def trained():
    pairs = made_up_pairs(400)
    model = BilBOWA(parallel={("en", "de"): pairs}, **{**SMALL, "epochs": 15})
    unseen = made_up_pairs(80, seed=7)
    return model.wv, [a for a, _ in unseen], [b for _, b in unseen]


def drawn(code, n, seed=0, longest=9):
    rng = np.random.default_rng(seed)
    return [
        [f"{code}{i}" for i in rng.integers(0, WORDS, rng.integers(1, longest))] for _ in range(n)
    ]


def twin(kv, sentence, weighting, remove_common):
    """A sentence's vector, word by word in float64."""
    total = sum(kv.get_vecattr(word, "count") for word in kv.index_to_key)
    share = {word: kv.get_vecattr(word, "count") / total for word in kv.index_to_key}
    weigh = {
        "mean": lambda word: 1.0,
        "idf": lambda word: np.log(1 / share[word]),
        "sif": lambda word: 1e-3 / (1e-3 + share[word]),
    }[weighting]
    known = [word for word in sentence if word in share]
    if not known:
        return np.zeros(DIM)
    mean = sum(weigh(w) * kv[w].astype(float) for w in known) / sum(map(weigh, known))
    if remove_common:
        common = sum(share[w] * weigh(w) * kv[w].astype(float) for w in kv.index_to_key)
        common /= np.linalg.norm(common)
        mean = mean - (mean @ common) * common
    return mean


SENTENCES = st.lists(
    st.lists(st.integers(0, WORDS + 5).map("e{}".format), max_size=12), max_size=12
)


# ---- vectors


@settings(max_examples=60)
@given(SENTENCES, st.sampled_from(["mean", "idf", "sif"]), st.booleans(), st.integers(1, 5))
def test_vectors_equal_the_formula_in_blocks_of_any_size(texts, weighting, remove_common, block):
    kv = CrossLingualVectors({"en": keyed("e", 0)})["en"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentences, "_BLOCK", block)
        found = kv.sentence_vectors(texts, weighting, remove_common=remove_common)
    assert found.dtype == np.float32
    assert found.shape == (len(texts), DIM)
    for row, text in zip(found, texts, strict=True):
        np.testing.assert_allclose(row, twin(kv, text, weighting, remove_common), atol=2e-5)


@pytest.mark.parametrize("weighting", ["mean", "idf", "sif"])
def test_vector_depends_on_the_words_alone(en, weighting):
    texts = drawn("e", 40)
    together = en.sentence_vectors(texts, weighting)
    for i in (0, 17, 39):
        alone = en.sentence_vectors([texts[i][::-1]], weighting)
        np.testing.assert_array_equal(alone[0], together[i])


def test_common_direction_is_gone_and_none_means_mean(en):
    counts = [en.get_vecattr(word, "count") for word in en.index_to_key]
    common = np.average(en.vectors, axis=0, weights=counts)
    rows = en.sentence_vectors(drawn("e", 20), None)
    np.testing.assert_allclose(rows @ common, 0, atol=1e-5)
    np.testing.assert_array_equal(rows, en.sentence_vectors(drawn("e", 20)))


def test_mapping_gives_the_weights_and_other_words_have_none(en):
    found = en.sentence_vectors(
        [["e1", "e2", "e3"]], {"e1": 3, "e2": 1, "unknown": 9}, remove_common=False
    )
    np.testing.assert_allclose(found[0], (3 * en["e1"] + en["e2"]) / 4, rtol=1e-5)


def test_sentences_without_known_words_are_zero_and_counted_in_the_log(en, caplog):
    with caplog.at_level(logging.WARNING):
        found = en.sentence_vectors([["e1"], [], ["what", "else"]])
    assert found.any(axis=1).tolist() == [True, False, False]
    assert "2 of 3 have no word that the 'en' vectors know" in caplog.text


@pytest.fixture(scope="module")
def fasttext():
    """FastText vectors of a few words, as plain gensim's; words of a letter have no n-gram."""
    text = [["house", "houses", "a"], ["mouse", "cat"], ["house", "cat", "a"]] * 20
    return FastText(text, vector_size=8, min_count=1, min_n=4, max_n=5, bucket=99, epochs=1).wv


@pytest.mark.parametrize("remove_common", [False, True])
@pytest.mark.parametrize("weighting", ["mean", "idf", "sif", {"house": 2, "mousy": 3, "b": 7}])
@pytest.mark.parametrize("block", [1, 9])
def test_words_that_have_ngrams_alone_are_in_the_mean(
    fasttext, weighting, remove_common, block, monkeypatch
):
    monkeypatch.setattr(sentences, "_BLOCK", block)
    text = [["house", "mousy", "mousy", "b", "housing"], ["b"], ["housing"], ["a", "cat"]]
    counts = {word: fasttext.get_vecattr(word, "count") for word in fasttext.index_to_key}
    total = sum(counts.values())

    def weight(word):
        share = counts.get(word, 1) / total
        ways = {"mean": 1, "idf": -np.log(share), "sif": 1e-3 / (1e-3 + share)}
        return weighting.get(word, 0) if isinstance(weighting, dict) else ways[weighting]

    def mean(words):
        words = [word for word in words if weight(word) and fasttext.get_vector(word).any()]
        if not words:
            return np.zeros(8)
        return np.average([fasttext.get_vector(w) for w in words], axis=0,
                          weights=[weight(w) for w in words])  # fmt: skip

    found = sentence_vectors(fasttext, text, weighting, remove_common=remove_common)
    common = sum(counts[w] * weight(w) * fasttext[w].astype(float) for w in counts)
    common /= np.linalg.norm(common)
    for row, words in zip(found, text, strict=True):
        expected = mean(words)
        expected -= (expected @ common) * common * remove_common
        np.testing.assert_allclose(row, expected, atol=1e-6)


def test_words_outside_the_vocabulary_do_not_tell_what_came_before(fasttext):
    text = [["zebras", "house", "lions", "tigers"], ["tigers", "zebras"], ["lions", "house"]]
    together = sentence_vectors(fasttext, text)
    for words, row in zip(text, together, strict=True):
        np.testing.assert_array_equal(sentence_vectors(fasttext, [words[::-1]])[0], row)


def test_weights_of_words_outside_the_vocabulary_are_checked_too(fasttext):
    with pytest.raises(ConfigError, match="the weight of 'mousy' must be at least 0, not -1"):
        sentence_vectors(fasttext, [], {"mousy": -1})
    with pytest.raises(ConfigError, match="gives weight to none of the 5 words"):
        sentence_vectors(fasttext, [], {"b": 1})
    assert sentence_vectors(fasttext, [["mousy"]], {"mousy": 1}, remove_common=False).any()


def test_a_sentence_of_words_outside_the_vocabulary_finds_its_words(fasttext):
    space = CrossLingualVectors({"en": fasttext, "de": copy.deepcopy(fasttext)})
    texts = [["housing"], ["mousetrap"], ["cats"]]
    found = space["en"].most_similar_sentences_batch(texts, texts, 1, method="cosine")
    assert [row[0][0] for row in found] == [0, 1, 2]


def test_no_sentences_are_no_vectors(en):
    assert en.sentence_vectors([]).shape == (0, DIM)


def test_generators_and_files_are_read(en, tmp_path):
    texts = [["e1", "e2"], ["e3"]]
    file = tmp_path / "text.en"
    file.write_text("".join(" ".join(text) + "\n" for text in texts), encoding="utf-8")
    expected = en.sentence_vectors(texts)
    np.testing.assert_array_equal(en.sentence_vectors(iter(texts)), expected)
    np.testing.assert_array_equal(en.sentence_vectors(file), expected)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (["e1 e2"], r"sentence 1: a list of tokens is wanted, got the str 'e1 e2'"),
        ([["e1"], [1]], r"sentence 2, token 1: a string is wanted"),
        ([None], r"sentence 1: a list of tokens is wanted"),
    ],
)
def test_other_things_than_token_lists_are_refused(en, bad, message):
    with pytest.raises(TokenError, match=message):
        en.sentence_vectors(bad)


@pytest.mark.parametrize(
    "weighting", ["tfidf", 3, {}, {"unknown": 1.0}, {"e1": -1}, {"e1": np.nan}]
)
def test_weightings_that_cannot_work_are_refused(en, weighting):
    with pytest.raises(ConfigError, match="weight"):
        en.sentence_vectors([["e1"]], weighting)


@pytest.mark.parametrize(
    ("options", "culprit"),
    [
        ({"weighting": "idf", "remove_common": False}, "weighting='idf'"),
        ({"weighting": "sif", "remove_common": False}, "weighting='sif'"),
        ({}, "remove_common=True"),
    ],
)
def test_missing_counts_are_asked_for(options, culprit):
    kv = CrossLingualVectors({"en": keyed("e", 0, counts=False)})["en"]
    with pytest.raises(ConfigError, match=rf"{culprit} needs the words' counts.*'en'.*fvocab="):
        kv.sentence_vectors([["e1"]], **options)
    assert kv.sentence_vectors([["e1"]], remove_common=False).any()


def test_counts_that_gensim_makes_up_are_none(vectors, tmp_path):
    path, counts = tmp_path / "en.vec", tmp_path / "en.counts"
    vectors["en"].save_word2vec_format(path, fvocab=counts)
    bare = KeyedVectors.load_word2vec_format(str(path))
    with pytest.raises(ConfigError, match="needs the words' counts"):
        CrossLingualVectors({"en": bare})["en"].sentence_vectors([["e1"]])
    full = KeyedVectors.load_word2vec_format(str(path), fvocab=str(counts))
    np.testing.assert_allclose(
        CrossLingualVectors({"en": full})["en"].sentence_vectors([["e1"]], "idf"),
        vectors["en"].sentence_vectors([["e1"]], "idf"), rtol=1e-5,
    )  # fmt: skip


# ---- retrieval


@pytest.mark.parametrize("method", ["cosine", "csls", "inverted_softmax"])
def test_translations_of_unseen_sentences_are_found(trained, method):
    wv, english, german = trained
    for source, asked, among in (("en", english, german), ("de", german, english)):
        found = wv[source].most_similar_sentences_batch(asked, among, 1, method=method)
        right = [row[0][0] == i for i, row in enumerate(found)]
        assert np.mean(right) > 0.9


@pytest.mark.parametrize("options", [{}, {"method": "cosine"}, {"method": "inverted_softmax"}])
def test_scores_equal_the_formulas(vectors, options):
    asked, among = drawn("e", 20), drawn("d", 30)
    a, b = (
        [twin(vectors[code], text, "sif", True) for text in texts]
        for code, texts in (("en", asked), ("de", among))
    )
    unit = [np.array(m) / np.linalg.norm(m, axis=1, keepdims=True) for m in (a, b)]
    cos = unit[0] @ unit[1].T
    expected = {
        None: 2 * cos - np.sort(cos, 1)[:, -4:].mean(1)[:, None] - np.sort(cos, 0)[-4:].mean(0),
        "cosine": cos,
        "inverted_softmax": 30 * cos - np.logaddexp.reduce(30 * cos, axis=0),
    }[options.get("method")]
    found = vectors["en"].most_similar_sentences_batch(asked, among, weighting="sif", **options)
    for row, scores in zip(found, expected, strict=True):
        assert [i for i, _ in row] == np.argsort(-scores)[:10].tolist()
        np.testing.assert_allclose([s for _, s in row], np.sort(scores)[:-11:-1], atol=2e-4)


def test_vectors_stand_for_their_sentences_on_both_sides(vectors):
    en, de = vectors["en"], vectors["de"]
    asked, among = drawn("e", 5), drawn("d", 8)
    rows, targets = en.sentence_vectors(asked), de.sentence_vectors(among)
    expected = en.most_similar_sentences_batch(asked, among, 3)
    assert en.most_similar_sentences_batch(rows, targets, 3) == expected
    assert en.most_similar_sentences_batch(asked, targets * 7, 3)[0][0][0] == expected[0][0][0]
    single = en.most_similar_sentences(asked[0], among, 3)
    assert en.most_similar_sentences(rows[0], targets, 3) == single
    cosines = en.most_similar_sentences_batch(asked, among, 3, method="cosine")
    np.testing.assert_allclose(single, cosines[0], rtol=1e-5)


def test_vectors_need_no_other_language():
    alone = CrossLingualVectors({"en": keyed("e", 0)})["en"]
    targets = alone.sentence_vectors([["e3"], ["e4"]])
    assert alone.most_similar_sentences(["e4"], targets, 1) == [(1, pytest.approx(1))]
    with pytest.raises(UnknownLanguageError, match="stand alone"):
        alone.most_similar_sentences(["e4"], [["d1"]])


def test_ties_go_to_the_lower_position_and_topn_bounds(vectors):
    en = vectors["en"]
    found = en.most_similar_sentences(["e1"], [["d1"], ["d2"], ["d1"], ["d2"]])
    assert sorted(i for i, _ in found) == [0, 1, 2, 3]
    assert [i for i, _ in found] in ([0, 2, 1, 3], [1, 3, 0, 2])
    assert len(en.most_similar_sentences(["e1"], [["d1"], ["d2"]], 1)) == 1
    assert en.most_similar_sentences(["e1"], []) == []
    assert en.most_similar_sentences_batch([], [["d1"]]) == []


@pytest.mark.parametrize("method", ["cosine", "csls", "inverted_softmax"])
def test_sentence_without_known_words_is_similar_to_nothing(vectors, method):
    asked = [["e1"], ["what"]]
    found = vectors["en"].most_similar_sentences_batch(asked, [["d1"], []], method=method)
    assert np.isfinite([score for row in found for _, score in row]).all()
    assert vectors["en"].most_similar_sentences(["what"], [["d1"]]) == [(0, 0.0)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"topn": -1}, "topn"),
        ({"topn": None}, "topn"),
        ({"method": "dot"}, "method must be"),
        ({"k": 0}, "k must be"),
        ({"beta": 0}, "beta must be"),
        ({"others": np.ones((3, DIM + 1))}, r"others: .*\(n, 5\) are wanted.*\(3, 6\)"),
        ({"others": np.ones(DIM)}, r"others: .*shape \(5,\)"),
        ({"others": np.full((2, DIM), np.nan)}, "others: vector 0 has NaN"),
    ],
)
def test_bad_options_are_refused(en, options, message):
    with pytest.raises(ConfigError, match=message):
        en.most_similar_sentences_batch([["e1"]], **{"others": [["d1"]], **options})


def test_sentence_asked_must_be_a_token_list(en):
    with pytest.raises(TokenError, match=r"sentence asked, sentence 1: .* 'e1 e2'"):
        en.most_similar_sentences("e1 e2", [["d1"]])


# ---- mining


def at_length_one(n, seed, dim=4):
    rows = np.random.default_rng(seed).normal(size=(n, dim)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def mined_by_hand(a, b, k, margin, mutual):
    """Margin mining as in the paper, pair by pair."""
    cos = a.astype(float) @ b.astype(float).T
    score = np.empty_like(cos)
    for x, y in np.ndindex(cos.shape):
        mean = np.mean(np.sort(cos[x])[-k:]) / 2 + np.mean(np.sort(cos[:, y])[-k:]) / 2
        score[x, y] = {
            "absolute": cos[x, y],
            "distance": cos[x, y] - mean,
            "ratio": cos[x, y] / max(mean, 1e-3),
        }[margin]
    forward = {(x, int(score[x].argmax())) for x in range(len(a))}
    backward = {(int(score[:, y].argmax()), y) for y in range(len(b))}
    candidates = forward & backward if mutual else forward | backward
    pairs, used = [], (set(), set())
    for x, y in sorted(candidates, key=lambda pair: -score[pair]):
        if x not in used[0] and y not in used[1]:
            used[0].add(x)
            used[1].add(y)
            pairs.append((x, y, score[x, y]))
    return pairs


@settings(max_examples=60)
@given(
    st.integers(1, 12), st.integers(1, 12), st.integers(0, 1000), st.integers(1, 14),
    st.sampled_from(["distance", "ratio", "absolute"]), st.booleans(),
    st.tuples(st.integers(1, 7), st.integers(1, 7)),
)  # fmt: skip
def test_mining_equals_the_paper_in_tiles_of_any_size(n, m, seed, k, margin, mutual, tile):
    a, b = at_length_one(n, seed), at_length_one(m, seed + 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(retrieval, "_TILE", tile)
        found = mining.mine(a, b, k=k, margin=margin, mutual=mutual)
    expected = mined_by_hand(a, b, k, margin, mutual)
    assert {pair[:2] for pair in found} == {pair[:2] for pair in expected}
    np.testing.assert_allclose([s for *_, s in found], [s for *_, s in expected], rtol=2e-3)
    assert [s for *_, s in found] == sorted((s for *_, s in found), reverse=True)


@pytest.mark.parametrize("tile", [(1, 1), (2, 3), (100, 100)])
def test_ties_in_mining_go_to_the_lower_positions(monkeypatch, tile):
    # Equal cosines of unlike rows, so that none is left out as a copy of another.
    monkeypatch.setattr(retrieval, "_TILE", tile)
    points = np.eye(6, dtype=np.float32)[:3]
    others = np.float32(0.6) * np.eye(6, dtype=np.float32)[[0, 0, 1, 1, 2, 2]]
    others += np.float32(0.8) * np.eye(6, dtype=np.float32)[[3, 4, 3, 4, 3, 4]]
    found = mining.mine(points, others, k=2)
    assert [pair[:2] for pair in found] == [(0, 0), (1, 2), (2, 4)]
    turned = mining.mine(others, points, k=2)
    assert [pair[:2] for pair in turned] == [(0, 0), (2, 1), (4, 2)]


def test_rows_that_differ_in_the_sign_of_zero_are_equal(caplog):
    points = np.float32([[1, 0.0], [1, -0.0], [0.6, 0.8]])
    found = mining.mine(points, points[[0, 2]])
    assert [pair[:2] for pair in found] == [(0, 0), (2, 1)]
    assert "1 equal to an earlier one" in caplog.text


@pytest.mark.parametrize("margin", ["distance", "ratio", "absolute"])
def test_hidden_pairs_are_mined(trained, margin):
    wv, english, german = trained
    hidden = 30
    found = wv["en"].mine_sentences(english[:55], german[:hidden] + german[55:], margin=margin)
    best = [(i, j) for i, j, _ in found[:25]]
    assert np.mean([i == j and i < hidden for i, j in best]) > 0.7


def test_min_score_cuts_the_list(trained):
    wv, english, german = trained
    whole = wv["en"].mine_sentences(english, german)
    bound = whole[20][2]
    cut = wv["en"].mine_sentences(english, german, min_score=bound)
    assert cut == [pair for pair in whole if pair[2] >= bound]
    assert wv["en"].mine_sentences(english, german, min_score=9) == []


def test_equal_and_empty_sentences_are_mined_once_or_never_and_counted(trained, caplog):
    wv, english, german = trained
    once = wv["en"].mine_sentences(english[:20], german[:20])
    texts = [english[0][::-1], *english[:20], [], ["what"], english[3]]
    with caplog.at_level(logging.WARNING):
        found = wv["en"].mine_sentences(texts, german[:20])
    assert [(max(i - 1, 0), j, s) for i, j, s in found] == once
    assert "sentences: 4 of 24 are not mined: 2 without known words, 2 equal to" in caplog.text


def test_nothing_is_mined_from_nothing(en):
    assert en.mine_sentences([], [["d1"]]) == []
    assert en.mine_sentences([["what"]], [["d1"]]) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin": "cosine"}, "margin must be 'distance' or 'ratio' or 'absolute'"),
        ({"k": 0}, "k must be"),
        ({"k": True}, "k must be"),
        ({"k": "1"}, "k must be"),
        ({"min_score": np.nan}, "min_score"),
        ({"min_score": "1"}, "min_score"),
    ],
)
def test_bad_mining_options_are_refused(en, options, message):
    with pytest.raises(ConfigError, match=message):
        en.mine_sentences([["e1"]], [["d1"]], **options)
