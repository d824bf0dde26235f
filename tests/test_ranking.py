from __future__ import annotations

import math
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import made_up_pairs
from scipy.stats import chi2_contingency

from gensim_bilbowa import ParallelSentences
from gensim_bilbowa.baselines import (
    Association,
    ContextVectors,
    EditDistance,
    Ranker,
    association,
    ranked_translation,
)
from gensim_bilbowa.baselines.contexts import neighbour_counts
from gensim_bilbowa.corpora import encode_sentences
from gensim_bilbowa.errors import ConfigError, CorpusError, UnknownLanguageError, UnknownWordError

EN_DE = ("en", "de")
cells = st.tuples(*[st.integers(0, 1000)] * 4).filter(any)


class Table(Ranker):
    """Ranks by a given table: word e<i> is row i, d<j> column j."""

    def __init__(self, table):
        self.table = np.asarray(table, np.float32)
        n, m = self.table.shape
        super().__init__(EN_DE, [f"e{i}" for i in range(n)], [f"d{j}" for j in range(m)])

    def scores(self, words):
        return self.table[[self.source[word] for word in words]]


def parallel(*pairs, languages=EN_DE):
    return ParallelSentences([(a.split(), b.split()) for a, b in pairs], languages=languages)


TOY = parallel(("the house", "das haus"), ("the book", "das buch"), ("a book", "ein buch"))


# ---- measures of association


@pytest.mark.parametrize(
    ("table", "value"),
    [((110, 2442, 111, 29114), 270.72), ((29, 13, 123, 31612), 263.90)],
    ids=["the swiss", "can be"],
)
def test_llr_is_dunnings_table(table, value):
    assert association(*table, "llr") == pytest.approx(value, abs=0.005)


def test_chi_square_and_t_are_manning_and_schuetzes():
    # Foundations of Statistical NLP, 1999: new companies, cow and vache.
    assert association(8, 15820, 4667, 14287181, "chi2") == pytest.approx(1.55, abs=0.005)
    assert association(59, 6, 8, 570934, "chi2") == pytest.approx(456400, abs=1)
    assert association(8, 15820, 4667, 14287173, "t") == pytest.approx(0.999932, abs=2e-6)


def test_t_by_hand():
    assert association(1, 1, 0, 2, "t") == pytest.approx(1 - 2 * 1 / 4)
    assert association(4, 1, 0, 5, "t") == pytest.approx((4 - 5 * 4 / 10) / 2)


def test_dice_by_hand():
    assert association(3, 1, 2, 10, "dice") == pytest.approx(2 * 3 / (4 + 5))


@given(cells)
def test_chi_square_is_scipys(table):
    k = np.reshape(table, (2, 2))
    if not (k.sum(axis=0).all() and k.sum(axis=1).all()):
        assert association(*table, "chi2") == 0
    else:
        expected = chi2_contingency(k, correction=False).statistic
        assert association(*table, "chi2") == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(cells)
def test_llr_is_scipys(table):
    k = np.reshape(table, (2, 2))
    if k.sum(axis=0).all() and k.sum(axis=1).all():
        wanted = chi2_contingency(k, correction=False, lambda_="log-likelihood").statistic
        assert association(*table, "llr") == pytest.approx(wanted, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("measure", ["llr", "dice", "chi2", "t"])
def test_independent_words_are_not_associated(measure):
    value = association(2, 4, 4, 8, measure)
    assert value == pytest.approx(1 / 3 if measure == "dice" else 0, abs=1e-12)


def test_words_that_never_meet_have_the_lowest_t():
    assert association(0, 3, 4, 5, "t") == -np.inf


def test_an_unknown_measure_is_refused():
    with pytest.raises(ConfigError, match=r"'llr' or 'dice' or 'chi2' or 't', not 'pmi'"):
        association(1, 1, 1, 1, "pmi")
    with pytest.raises(ConfigError, match=r"not 'pmi'"):
        Association(TOY, "pmi")


# ---- ranking


def test_the_best_come_first_and_ties_in_the_order_of_the_vocabulary():
    ranker = Table([[0.1, 0.5, 0.5, 0.9]])
    assert [word for word, _ in ranker.rank(["e0"], topn=3)["e0"]] == ["d3", "d1", "d2"]


def test_what_is_no_candidate_is_not_ranked():
    assert Table([[-np.inf, 2]]).rank("e0") == {"e0": [("d1", 2.0)]}


def test_answers_stand_in_the_order_asked_once_each():
    assert list(Table(np.eye(3)).rank(["e2", "e0", "e2"], topn=1)) == ["e2", "e0"]


def test_an_unknown_word_is_named_with_its_language():
    with pytest.raises(UnknownWordError, match=r"'x' is not among the 3 words of 'en'"):
        Table(np.eye(3)).rank(["e0", "x"])


@pytest.mark.parametrize("topn", [0, -1, 1.5, True])
def test_topn_is_checked(topn):
    with pytest.raises(ConfigError, match="topn must be a whole number"):
        Table(np.eye(3)).rank(["e0"], topn=topn)


def test_blocks_give_what_the_whole_gives(monkeypatch):
    ranker = Table(np.random.default_rng(0).random((7, 5)))
    whole = ranker.rank(ranker.source, topn=4)
    monkeypatch.setattr("gensim_bilbowa.baselines.ranking._BLOCK", 10)
    assert ranker.rank(ranker.source, topn=4) == whole


def test_precision_and_mrr_by_hand():
    ranker = Table([[3, 2, 1], [3, 2, 1], [3, 2, 1]])
    score = ranked_translation(
        ranker,
        {"e0": ["d0"], "e1": ["d1", "other"], "e2": ["d2"], "e9": ["d0"], "e3": ["other"]},
        precision_at=(1, 2),
    )
    assert score.precision == {1: pytest.approx(1 / 3), 2: pytest.approx(2 / 3)}
    assert score.mrr == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    assert (score.words, score.coverage) == (3, pytest.approx(3 / 5))


def test_a_dictionary_without_a_known_pair_is_refused():
    with pytest.raises(ConfigError, match="none of the dictionary's 1 words can be asked"):
        ranked_translation(Table(np.eye(2)), {"d0": ["e0"]})


def test_a_vocabulary_without_words_is_refused():
    with pytest.raises(ConfigError, match="no words of 'de'"):
        EditDistance(["a"], [], languages=EN_DE)


# ---- counting


@pytest.mark.parametrize("source", EN_DE)
@pytest.mark.parametrize("measure", ["llr", "dice", "chi2", "t"])
def test_association_counts_sentence_pairs(measure, source):
    pairs = made_up_pairs(60, words=9)
    ranker = Association(
        ParallelSentences(pairs, languages=EN_DE), measure, source=source, min_count=1
    )
    sides = [[set(pair[side]) for pair in pairs] for side in ((0, 1) if source == "en" else (1, 0))]
    for word, answers in ranker.rank(ranker.source, topn=9).items():
        expected = {}
        for other in ranker.target:
            table = Counter((word in a, other in b) for a, b in zip(*sides, strict=True))
            k = [table[place] for place in ((1, 1), (1, 0), (0, 1), (0, 0))]
            value = float(association(*k, measure))
            if value > 0 and (measure == "dice" or k[0] * k[3] > k[1] * k[2]):
                expected[other] = value
        assert dict(answers) == pytest.approx(expected, rel=1e-4)


def test_a_language_that_the_text_has_not_is_refused():
    with pytest.raises(UnknownLanguageError, match="no side is 'fr'"):
        Association(TOY, source="fr", min_count=1)


def test_a_count_that_no_word_reaches_is_refused():
    with pytest.raises(ConfigError, match=r"no word of 'en' is left: 6 words of 4 types .* is 5"):
        Association(TOY)


def test_text_that_can_be_read_once_is_refused():
    once = ParallelSentences(iter([(["a"], ["b"])]), languages=EN_DE)
    with pytest.raises(CorpusError, match="can be read once"):
        Association(once, min_count=1)


def test_something_else_than_parallel_text_is_refused():
    with pytest.raises(ConfigError, match="parallel must be a ParallelSentences, got list"):
        Association([(["a"], ["b"])])


# ---- spelling


def levenshtein(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, start=1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


def test_the_published_distance_of_kitten_and_sitting():
    ranker = EditDistance(["kitten"], ["sitting"], languages=EN_DE)
    assert ranker.rank("kitten")["kitten"][0][1] == pytest.approx(1 - 3 / 7)


@given(st.lists(st.text("abäü", min_size=1, max_size=6), min_size=1, max_size=5, unique=True))
def test_spelling_is_scored_by_the_levenshtein_distance(words):
    ranker = EditDistance(words, words, languages=EN_DE)
    for word, answers in ranker.rank(words, len(words)).items():
        for other, score in answers:
            longer = max(len(word), len(other))
            assert score == pytest.approx(1 - levenshtein(word, other) / longer, abs=1e-6)


def test_without_rapidfuzz_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    with pytest.raises(ImportError, match=r"pip install 'gensim_bilbowa\[baselines\]'"):
        EditDistance(["a"], ["b"], languages=EN_DE)


# ---- contexts


@given(
    st.lists(st.lists(st.integers(0, 4), max_size=7), max_size=5),
    st.integers(1, 8),
)
def test_neighbours_are_counted_within_the_window_and_the_sentence(sentences, window):
    expected = np.zeros((5, 5))
    for sentence in sentences:
        for i, a in enumerate(sentence):
            for j, b in enumerate(sentence):
                expected[a, b] += 0 < abs(i - j) <= window
    words = {f"w{i}": i for i in range(5)}
    text = encode_sentences([[f"w{i}" for i in s] for s in sentences], words, 1 << 20)
    assert (neighbour_counts(text, 5, window).toarray() == expected).all()


# "a" has the contexts x twice and y once; "A" has X once, "B" has Y once.
CONTEXTS = {
    "en": [["a", "x"], ["a", "x"], ["a", "y"]],
    "de": [["A", "X"], ["B", "Y"]],
}
SEEDS = {"x": ["X"], "y": ["Y"]}


def contexts(**options):
    return ContextVectors(CONTEXTS, SEEDS, min_count=1, **options)


def test_the_cosine_of_counts_by_hand():
    answers = dict(contexts(weighting="count").rank("a")["a"])
    assert answers["A"] == pytest.approx(2 / math.sqrt(5), abs=1e-6)
    assert answers["B"] == pytest.approx(1 / math.sqrt(5), abs=1e-6)


def test_the_cosine_of_logs_by_hand():
    answers = dict(contexts(weighting="log").rank("a")["a"])
    length = math.hypot(math.log(3), math.log(2))
    assert answers["A"] == pytest.approx(math.log(3) / length, abs=1e-6)


def test_mutual_information_by_hand():
    # Contexts of en: a-x 2, a-y 1, y and x have no seed around them. PMI of a with each is
    # log(2 * 3 / (3 * 2)) = 0: a is all that they stand with.
    assert dict(contexts().rank("a")["a"])["A"] == 0
    # With z beside x: n = 4, log(2 * 4 / (3 * 3)) < 0, log(1 * 4 / (3 * 1)) > 0: y alone is left.
    ranker = ContextVectors({**CONTEXTS, "en": [*CONTEXTS["en"], ["z", "x"]]}, SEEDS, min_count=1)
    answers = dict(ranker.rank("a")["a"])
    assert (answers["A"], answers["B"]) == (0, pytest.approx(1))


def test_translations_of_a_word_share_its_counts():
    ranker = ContextVectors(CONTEXTS, {"x": ["X", "Y"]}, min_count=1, weighting="count")
    answers = dict(ranker.rank("a")["a"])
    assert answers["A"] == pytest.approx(math.sqrt(0.5))
    assert answers["B"] == pytest.approx(math.sqrt(0.5))


def test_seeds_out_of_the_vocabulary_are_counted_in_the_log(caplog):
    ContextVectors(CONTEXTS, {**SEEDS, "q": ["Q"]}, min_count=1)
    assert "2 of the dictionary's 3 pairs are used" in caplog.text


def test_a_dictionary_the_other_way_round_is_refused():
    with pytest.raises(ConfigError, match="none of the dictionary's 2 pairs"):
        ContextVectors(CONTEXTS, {"X": ["x"], "Y": ["y"]}, min_count=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"window": 0}, "window must be a whole number of 1 or more"),
        ({"weighting": "idf"}, "weighting must be 'count' or 'log' or 'ppmi'"),
    ],
)
def test_parameters_of_contexts_are_checked(options, message):
    with pytest.raises(ConfigError, match=message):
        contexts(**options)


def test_contexts_want_two_languages():
    with pytest.raises(ConfigError, match=r"two languages is wanted, got \['en'\]"):
        ContextVectors({"en": CONTEXTS["en"]}, SEEDS)
