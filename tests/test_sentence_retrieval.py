"""Sentence retrieval as a measure."""

from __future__ import annotations

import numpy as np
import pytest
from samples import space

from gensim_bilbowa.errors import ConfigError, ParallelDataError
from gensim_bilbowa.evaluation import sentence_retrieval


@pytest.fixture(scope="module")
def vectors():
    rng = np.random.default_rng(1)
    both = rng.normal(size=(40, 6))
    return space(en=both, de=both + rng.normal(size=both.shape))


@pytest.fixture(scope="module")
def texts():
    words = np.random.default_rng(2).integers(40, size=(30, 4))
    return [[[f"{code}{word}" for word in row] for row in words] for code in ("en", "de")]


def plain(vectors, texts, **settings):
    settings = {"remove_common": False, **settings}
    return sentence_retrieval(vectors["en"], vectors["de"], *texts, **settings)


def test_ranks_are_those_of_all_cosines_sorted(vectors, texts):
    means = [
        np.array([np.mean([vectors[code][word] for word in text], axis=0) for text in side])
        for code, side in zip(("en", "de"), texts, strict=True)
    ]
    x, y = (rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in means)
    places = 1 + (x @ y.T > np.diag(x @ y.T)[:, None]).sum(axis=1)
    score = plain(vectors, texts, method="cosine", precision_at=(1, 3, 30))
    assert score.ranks.tolist() == places.tolist()
    assert score.precision[3] == np.mean(places <= 3)
    assert score.mrr == pytest.approx(np.mean(np.where(places <= 10, 1 / places, 0)))
    assert (score.sentences, score.unknown) == (30, 0)


@pytest.mark.parametrize("method", ["cosine", "csls", "inverted_softmax"])
def test_answers_are_those_of_the_query_for_similar_sentences(vectors, texts, method):
    found = vectors["en"].most_similar_sentences_batch(
        *texts, topn=1, method=method, remove_common=False
    )
    right = [answers[0][0] == row for row, answers in enumerate(found)]
    assert plain(vectors, texts, method=method).precision[1] == np.mean(right)


def test_place_beyond_those_asked_for_is_infinite(vectors, texts):
    ranks = plain(vectors, texts, method="cosine", precision_at=[1]).ranks
    assert set(ranks) <= {*range(1, 11), np.inf}


def test_translation_equal_to_the_right_one_is_right():
    words = np.eye(3)
    twice = [["en1"], ["en2"], ["en1"]], [["de1"], ["de2"], ["de1"]]
    assert plain(space(en=words, de=words), twice, method="cosine").ranks.tolist() == [1, 1, 1]


def test_other_order_of_words_is_another_translation_though_it_has_the_same_vector(vectors):
    turned = [["en1", "en2"], ["en2", "en1"]], [["de1", "de2"], ["de2", "de1"]]
    assert plain(vectors, turned, method="cosine").ranks.tolist() == [1, 2]


def test_pair_with_a_side_without_known_words_is_wrong_and_counted(vectors):
    texts = [["en1"], ["x"], ["en3"]], [["de1"], ["de2"], []]
    score = plain(vectors, texts, method="cosine")
    assert score.ranks.tolist() == [1, np.inf, np.inf]
    assert score.unknown == 2
    assert score.precision[1] == pytest.approx(1 / 3)


def test_vectors_of_any_system_are_measured():
    rows = np.random.default_rng(3).normal(size=(20, 4))
    score = sentence_retrieval(None, None, rows, 2 * rows)
    assert score.precision[1] == 1
    assert score.interval() == (1, 1)


def test_files_are_read_by_lines(vectors, texts, tmp_path):
    paths = [tmp_path / "en", tmp_path / "de"]
    for path, side in zip(paths, texts, strict=True):
        path.write_text("".join(" ".join(text) + "\n" for text in side), encoding="utf-8")
    assert plain(vectors, paths).ranks.tolist() == plain(vectors, texts).ranks.tolist()


@pytest.mark.parametrize(
    ("texts", "error", "message"),
    [
        (([["en1"]], [["de1"], ["de2"]]), ParallelDataError, "translations as .* got 2 and 1"),
        (([["x"]], [["de1"]]), ConfigError, "none of the 1 pairs has known words on both sides"),
        (([], []), ConfigError, "none of the 0 pairs"),
        ((np.ones((2, 5)), [["de1"]]), ConfigError, r"sentences: .* shape \(n, 6\)"),
        (([["en1"]], np.ones(6)), ConfigError, r"translations: .* shape \(n, 6\)"),
    ],
)
def test_what_cannot_be_measured_is_an_error(vectors, texts, error, message):
    with pytest.raises(error, match=message):
        plain(vectors, texts)


def test_sentences_without_word_vectors_are_refused():
    with pytest.raises(ConfigError, match="translations: without word vectors those of the sent"):
        sentence_retrieval(None, None, np.ones((1, 2)), [["a"]])


def test_unknown_method_is_refused(vectors, texts):
    with pytest.raises(ConfigError, match="method must be"):
        plain(vectors, texts, method="llr")
