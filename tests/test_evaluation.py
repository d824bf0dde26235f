"""Word translation, its dictionaries and its intervals."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given
from hypothesis import strategies as st
from samples import keyed, space
from scores import drawn

from gensim_bilbowa import CrossLingualVectors
from gensim_bilbowa.errors import ConfigError, CorpusError, CorpusNotFoundError, FormatError
from gensim_bilbowa.evaluation import (
    invert,
    read_dictionary,
    score_translations,
    word_translation,
)
from gensim_bilbowa.evaluation.intervals import bootstrap


def test_dictionaries_are_read(tmp_path):
    (tmp_path / "tabs").write_text(
        "dog\tHund\ndog\tKöter\n\nNew York\tNeu York\n", encoding="utf-8"
    )
    (tmp_path / "muse").write_text("cat Katze\ndog hund\n", encoding="utf-8")
    assert read_dictionary(tmp_path / "tabs") == {
        "dog": {"Hund", "Köter"},
        "New York": {"Neu York"},
    }
    both = read_dictionary(tmp_path / "tabs", tmp_path / "muse", lowercase=True)
    assert both["dog"] == {"hund", "köter"}
    assert both["cat"] == {"katze"}


@pytest.mark.parametrize("line", ["one", "a b c", "a\tb\tc", "a\t", "\tb"])
def test_line_that_is_no_pair_is_located(tmp_path, line):
    (tmp_path / "d").write_text(f"a\tb\n{line}\n", encoding="utf-8")
    with pytest.raises(FormatError, match="d, line 2: two words"):
        read_dictionary(tmp_path / "d")


def test_inverting_keeps_every_pair():
    assert invert({"a": {"x", "y"}, "b": {"x"}}) == {"x": {"a", "b"}, "y": {"a"}}


def test_order_of_an_inverted_dictionary_is_not_that_of_a_set():
    words = [f"w{i:02}" for i in range(50)]
    assert list(invert({"a": set(words), "b": {"w49", "v"}})) == [*words, "v"]


def words_on_a_circle(code, angles):
    kv = KeyedVectors(2)
    kv.add_vectors([f"{code}{i}" for i in range(len(angles))],
                   np.array([[np.cos(a), np.sin(a)] for a in angles], np.float32))  # fmt: skip
    return kv


def test_scores_are_those_counted_by_hand():
    vectors = CrossLingualVectors({
        "en": words_on_a_circle("e", [0.0, 0.2, 0.4, 0.6]),
        "de": words_on_a_circle("d", [0.01, 0.21, 0.41, 0.61]),
    })  # fmt: skip
    gold = {
        "e0": {"d0"},  # rank 1
        "e1": {"d0", "nowhere"},  # rank 2: d1, d0, d2, d3
        "e2": {"d0"},  # rank 4: d2, d1 or d3, d0
        "e3": {"nowhere"},  # no target has a vector
        "nowhere": {"d0"},
    }
    score = word_translation(vectors["en"], gold, method="cosine", precision_at=(1, 2, 4))
    assert score.words == 3
    assert score.coverage == pytest.approx(3 / 5)
    assert score.precision == pytest.approx({1: 1 / 3, 2: 2 / 3, 4: 1.0})
    assert score.mrr == pytest.approx((1 + 1 / 2 + 1 / 4) / 3)
    assert word_translation(vectors["en"], {"e0": {"d0"}}, method="csls").precision[1] == 1


def test_nothing_to_ask_is_an_error():
    vectors = CrossLingualVectors({"en": words_on_a_circle("e", [0.0]),
                                   "de": words_on_a_circle("d", [0.0])})  # fmt: skip
    with pytest.raises(ConfigError, match="none of the dictionary's 1 words"):
        word_translation(vectors["en"], {"d0": {"e0"}})
    with pytest.raises(ConfigError, match="none of the dictionary's 0 words"):
        word_translation(vectors["en"], {})


def test_muse_dictionary_is_scored_as_published(tmp_path):
    # Its test sets have one space or one tab, and a line for each translation of a word.
    path = tmp_path / "en-de.5000-6500.txt"
    path.write_text("e0 d1\ne0 d0\ne1\td0\ne2 nowhere\n", encoding="utf-8")
    vectors = CrossLingualVectors({"en": words_on_a_circle("e", [0.0, 0.2, 0.4]),
                                   "de": words_on_a_circle("d", [0.01, 0.21, 0.41])})  # fmt: skip
    score = word_translation(
        vectors["en"], read_dictionary(path), method="cosine", precision_at=(1, 2, 3)
    )
    assert (score.words, score.unknown, score.unanswerable) == (2, 0, 1)
    assert score.ranks.tolist() == [1, 2]


# ---- answers of any system

LETTERS = st.sampled_from("abcdefghijklmnopqrst")


@given(
    st.dictionaries(LETTERS, st.lists(LETTERS, unique=True)),
    st.dictionaries(LETTERS, st.sets(LETTERS, min_size=1), min_size=1),
)
def test_measures_are_those_of_their_definitions(ranked, dictionary):
    asked = [word for word in dictionary if word in ranked]
    if not asked:
        with pytest.raises(ConfigError, match="none of the dictionary's"):
            score_translations(ranked, dictionary)
        return
    score = score_translations(ranked, dictionary, precision_at=(1, 3, 20))
    for k, share in score.precision.items():
        right = [bool(set(ranked[word][:k]) & dictionary[word]) for word in asked]
        assert share == pytest.approx(sum(right) / len(asked))
    reciprocals = [
        max([1 / (1 + ranked[w].index(t)) for t in dictionary[w] if t in ranked[w][:10]], default=0)
        for w in asked
    ]
    assert score.mrr == pytest.approx(sum(reciprocals) / len(asked))
    assert score.coverage == len(asked) / len(dictionary)


def test_callable_is_asked_for_the_words_that_can_be_answered():
    asked = []

    def ranked(words):
        asked.extend(words)
        return [["x"] for _ in words]

    score = score_translations(
        ranked, {"a": ["x"], "b": ["y"], "c": ["nowhere"], "d": ["x"]}, sources="abc", targets="xyz"
    )
    assert asked == ["a", "b"]
    assert score.precision[1] == 0.5
    assert (score.words, score.unknown, score.unanswerable) == (2, 1, 1)
    assert score.coverage == 0.5


def test_known_word_without_answers_counts_as_wrong():
    score = score_translations({"a": ["x"]}, {"a": ["x"], "b": ["y"]}, sources=["a", "b"])
    assert (score.precision[1], score.mrr, score.coverage) == (0.5, 0.5, 1)


@pytest.mark.parametrize(
    ("case", "asked", "unknown"),
    [("exact", ["dog", "Reading"], 2), ("lower", ["dog", "reading"], 0),
     ("fallback", ["dog", "Reading"], 0)],
)  # fmt: skip
def test_case_decides_how_words_are_looked_up(case, asked, unknown):
    seen = []

    def ranked(words):
        seen.extend(words)
        return [["hund"] for _ in words]

    dictionary = {"dog": ["hund"], "Dog": ["Hund"], "DOG": ["Hund"], "Reading": ["hund"]}
    score = score_translations(
        ranked, dictionary, sources={"dog", "Reading", "reading"}, targets={"hund"}, case=case
    )
    assert seen == asked
    assert score.unknown == unknown
    assert score.precision[1] == 1


def test_words_that_become_the_same_share_their_translations():
    dictionary = {"Dog": ["Hund"], "dog": ["KÖTER"]}
    answers = {"dog": ["katze", "köter"]}
    score = score_translations(answers, dictionary, case="lower")
    assert (score.words, score.ranks.tolist()) == (1, [2])


def test_vectors_are_asked_by_the_same_policies():
    vectors = CrossLingualVectors({"en": words_on_a_circle("e", [0.0, 0.2]),
                                   "de": words_on_a_circle("d", [0.0, 0.2])})  # fmt: skip
    dictionary = {"E0": {"D0"}, "e1": {"D1"}}
    with pytest.raises(ConfigError, match=r"1 are not in 'en' and 1 have no translation in 'de'"):
        word_translation(vectors["en"], dictionary)
    assert word_translation(vectors["en"], dictionary, case="lower").precision[1] == 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"case": "upper"}, "case must be 'exact' or 'lower' or 'fallback', not 'upper'"),
        ({"precision_at": ()}, "precision_at must be at least one"),
        ({"precision_at": (0,)}, "precision_at must be a whole number of 1"),
    ],
)
def test_parameters_that_cannot_work_are_refused(settings, message):
    with pytest.raises(ConfigError, match=message):
        score_translations({"a": ["x"]}, {"a": ["x"]}, **settings)


def test_string_in_place_of_answers_is_refused():
    with pytest.raises(ConfigError, match="ranked: the translations of 'a'"):
        score_translations({"a": "x"}, {"a": ["x"]})


# ---- intervals


def scores_of(ranks):
    answers = {str(i): [""] * int(rank - 1) + ["x"] for i, rank in enumerate(ranks)}
    return score_translations(answers, {word: ["x"] for word in answers})


def test_interval_is_that_of_resampled_words():
    rng = np.random.default_rng(5)
    ranks = rng.integers(1, 5, 400)
    resampled = [rng.choice(ranks == 1, 400).mean() for _ in range(4000)]
    found = scores_of(ranks).interval(1, resamples=4000)
    assert found == pytest.approx(np.percentile(resampled, [2.5, 97.5]), abs=0.006)


def test_intervals_hold_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(6)
    held = 0
    for _ in range(150):
        low, high = bootstrap(np.mean, rng.random(200) < 0.3, level=0.9, resamples=200)
        held += low <= 0.3 <= high
    assert 0.85 <= held / 150 <= 0.95


def test_interval_depends_on_its_seed_alone():
    score = scores_of([1, 2, 1, 3, 1, 9])
    assert score.interval("mrr", seed=3) == score.interval("mrr", seed=3)
    assert score.interval("mrr", seed=3) != score.interval("mrr", seed=4)


def test_lower_level_has_a_narrower_interval():
    score = scores_of([1, 2, 1, 3, 1, 9] * 10)
    (low, high), (least, most) = score.interval(5, level=0.5), score.interval(5, level=0.99)
    assert least < low < score.precision[5] < high < most


def test_sure_measure_has_an_interval_of_one_point():
    assert scores_of([1] * 5).interval(1) == (1, 1)


def test_interval_of_what_was_not_measured_is_refused():
    with pytest.raises(ConfigError, match=r"P@k is known for k in \(1, 5\), not for 3"):
        scores_of([1, 2]).interval(3)


def test_one_word_has_no_interval():
    with pytest.raises(ConfigError, match="at least two questions, there is 1"):
        scores_of([1]).interval()


def test_score_shows_its_numbers():
    assert repr(scores_of([1, 2])) == (
        "TranslationScore<P@1: 0.500, P@5: 1.000, MRR: 0.750, words: 2, coverage: 1.000>"
    )


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


@pytest.mark.parametrize("method", ["cosine", "csls"])
def test_translation_scores_are_those_of_single_questions(small_model, method):
    gold = {f"e{i}": {f"d{i}"} for i in range(30)}
    score = word_translation(small_model.wv_en, gold, method=method, precision_at=(1, 3, 100))
    first = [small_model.wv_en.most_similar_cross(f"e{i}", 3, method=method) for i in range(30)]
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
