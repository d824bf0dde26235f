"""Word similarity, and the analogies of gensim."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from samples import keyed, space

from gensim_bilbowa.errors import ConfigError, CorpusNotFoundError, FormatError
from gensim_bilbowa.evaluation import read_similarities, word_similarity


@pytest.fixture(scope="module")
def drawn():
    rng = np.random.default_rng(4)
    return space(e=rng.normal(size=(30, 5)), d=rng.normal(size=(30, 5)))


@pytest.fixture(scope="module")
def rows():
    """Pairs of different words, some unknown, with tied judgements."""
    rng = np.random.default_rng(5)
    drawn = rng.integers([0, 1, 0], [35, 35, 10], (60, 3))
    return [(f"e{a}", f"e{(a + b) % 35}", int(c)) for a, b, c in drawn]


@pytest.fixture(scope="module")
def file(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("similar") / "pairs.tsv"
    lines = ["# judged by nobody", "", "word1\tword2\tscore"]
    path.write_text(
        "\n".join([*lines, *("\t".join(map(str, row)) for row in rows)]) + "\n", encoding="utf-8"
    )
    return path


def test_within_a_language_it_is_what_gensim_computes(drawn, file):
    score = word_similarity(drawn["e"], None, file)
    _, expected, unknown = drawn["e"].evaluate_word_pairs(str(file), case_insensitive=False)
    assert score.spearman == pytest.approx(expected.statistic, abs=1e-6)
    assert score.pvalue == pytest.approx(expected.pvalue, rel=1e-4)
    assert 100 * (1 - score.coverage) == pytest.approx(unknown)


def test_lower_case_is_what_gensim_computes_without_regard_to_case(drawn, rows, tmp_path):
    path = tmp_path / "upper.tsv"
    path.write_text(
        "".join(f"{a.upper()}\t{b.upper()}\t{c}\n" for a, b, c in rows), encoding="utf-8"
    )
    score = word_similarity(drawn["e"], None, path, case="lower")
    _, expected, _ = drawn["e"].evaluate_word_pairs(str(path))
    assert score.spearman == pytest.approx(expected.statistic, abs=1e-6)
    with pytest.raises(ConfigError, match="3 pairs of words with vectors are wanted, got 0 in 60"):
        word_similarity(drawn["e"], None, path)


def test_across_languages_first_and_second_words_have_vectors_of_their_own(drawn):
    pairs = [("e1", "d1", 3.0), ("e2", "d7", 1.0), ("e3", "d9", 2.0), ("e4", "e1", 9.0)]
    score = word_similarity(drawn["e"], drawn["d"], pairs)
    cosines = [drawn["e"].similarity_cross(a, b) for a, b, _ in pairs[:3]]
    assert score.cosines == pytest.approx(cosines, abs=1e-6)
    assert score.judgements.tolist() == [3, 1, 2]
    assert (score.pairs, score.unknown, score.coverage) == (3, 1, 0.75)


def test_correlation_is_the_one_computed_by_hand():
    angles = np.array([0, 0.1, 0.2, 0.3, 0.4])
    vectors = keyed("w", np.column_stack([np.cos(angles), np.sin(angles)]))
    # Cosines fall from w1 to w4. Ranks 4 3 2 1 and 3 4 2 1: 1 - 6 * 2 / (4 * 15).
    pairs = [("w0", "w1", 7), ("w0", "w2", 8), ("w0", "w3", 5), ("w0", "w4", 1)]
    assert word_similarity(vectors, None, pairs).spearman == pytest.approx(0.8)


def test_interval_is_that_of_scipy_with_one_correlation_at_a_time(drawn, file):
    score = word_similarity(drawn["e"], None, file)
    expected = scipy.stats.bootstrap(
        (score.cosines, score.judgements), lambda x, y: scipy.stats.spearmanr(x, y).statistic,
        paired=True, vectorized=False, method="percentile", n_resamples=200,
        random_state=np.random.default_rng(7),
    ).confidence_interval  # fmt: skip
    found = score.interval(resamples=200, seed=7)
    assert found == pytest.approx((expected.low, expected.high))
    assert found.low < score.spearman < found.high


def test_resample_without_variation_counts_as_no_correlation():
    vectors = keyed("w", np.array([[1, 0], [1, 0.1], [1, 0.5], [1, 2]]))
    score = word_similarity(vectors, None, [("w0", f"w{i}", -i) for i in (1, 2, 3)])
    assert score.spearman == pytest.approx(1)
    assert score.interval(level=0.999) == pytest.approx((0, 1))


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([("w0", "w1", 5), ("w1", "w2", 5), ("w2", "w3", 5)], "3 pairs have the judgement 5"),
        ([("w0", "w0", 1), ("w1", "w1", 2), ("w2", "w2", 3)], "3 pairs have the cosine 1"),
        ([("w0", "w1", 1), ("w1", "w2", 2)], "3 pairs of words with vectors are wanted, got 2"),
        ([("w0", "w1", 1), ("w1", "w2", 2), ("w2", "w3", np.nan)], "judgement .* not finite"),
    ],
)
def test_nothing_to_correlate_is_an_error(pairs, message):
    vectors = keyed("w", np.diag([1, 2, 4, 8]))
    with pytest.raises(ConfigError, match=message):
        word_similarity(vectors, None, pairs)


def test_vectors_of_two_spaces_are_refused():
    with pytest.raises(ConfigError, match="vectors of one space are wanted, got 2 and 3"):
        word_similarity(keyed("a", np.eye(2)), keyed("b", np.eye(3)), [])


def test_files_have_tabs_or_white_space(tmp_path):
    path = tmp_path / "EN-DE-SEMEVAL17.txt"
    path.write_text("New York\tBig Apple\t4\ntiger  katze 2.5\n", encoding="utf-8")
    assert read_similarities(path) == [("New York", "Big Apple", 4), ("tiger", "katze", 2.5)]


@pytest.mark.parametrize("line", ["a\tb", "a\tb\tmuch", "a\tb\tnan", "a b 1 2", "word"])
def test_line_that_is_no_judgement_is_located(tmp_path, line):
    path = tmp_path / "pairs"
    path.write_text(f"# comment\na\tb\t1\n{line}\n", encoding="utf-8")
    with pytest.raises(FormatError, match="pairs, line 3: two words and a number"):
        read_similarities(path)


def test_only_one_line_can_be_a_header(tmp_path):
    path = tmp_path / "pairs"
    path.write_text("word1\tword2\tscore\nword1\tword2\tscore\n", encoding="utf-8")
    with pytest.raises(FormatError, match="pairs, line 2"):
        read_similarities(path)


def test_missing_file_is_an_error(tmp_path):
    with pytest.raises(CorpusNotFoundError):
        read_similarities(tmp_path / "nowhere")


def test_analogies_are_gensims(tmp_path):
    vectors = space(en=np.array([[1, 0, 0], [1, 1, 0], [0.1, 0, 1], [0.1, 1, 1]]))["en"]
    path = tmp_path / "questions-words.txt"
    path.write_text(": made up\nen0 en1 en2 en3\nen0 en1 en2 en0\n", encoding="utf-8")
    accuracy, sections = vectors.evaluate_word_analogies(str(path), case_insensitive=False)
    assert accuracy == 0.5
    assert sections[0]["correct"] == [("en0", "en1", "en2", "en3")]
