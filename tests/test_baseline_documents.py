from __future__ import annotations

import logging
import math
import pickle
import sys
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import made_up_pairs

from gensim_bilbowa import ParallelSentences
from gensim_bilbowa.baselines import (
    IBM1,
    EditDistance,
    WordByWord,
    bag_of_words,
    best_translations,
    glossed,
)
from gensim_bilbowa.errors import ConfigError, CorpusError, TokenError

PAIRS = ParallelSentences(made_up_pairs(150, words=8), languages=("en", "de"))
MODEL = IBM1(PAIRS, source="de", min_count=1)
TEXT = [["a", "b", "a"], ["b", "c"]]


def test_the_best_translations_are_those_ranked_first():
    expected = {word: MODEL.rank(word)[word][0][0] for word in MODEL.source}
    assert best_translations(MODEL) == expected


def test_words_without_a_candidate_have_no_best_translation():
    pairs = ParallelSentences([(["a"], ["x"]), (["b"], [])], languages=("en", "de"))
    assert best_translations(IBM1(pairs, min_count=1)) == {"a": "x"}


def test_glossed_words_keep_their_order_and_unknown_ones_stay(caplog):
    caplog.set_level(logging.INFO)
    documents = [["x", "q", "x"], []]
    assert glossed(documents, {"x": "y"}) == [["y", "q", "y"], []]
    assert "1 of 3 words have no translation" in caplog.text


@pytest.mark.parametrize("translate", [lambda d: glossed(d, {}), WordByWord(MODEL, TEXT).translate])
def test_documents_that_are_strings_are_refused(translate):
    with pytest.raises(TokenError, match="documents, sentence 1: a list of tokens is wanted"):
        translate(["das haus"])


def score_by_hand(row, document, lm_weight):
    """What a row of words scores; counts of TEXT: a 2, b 2, c 1; ab 1, ba 1, bc 1."""
    words, total = {"a": 2, "b": 2, "c": 1}, 5 + 3
    followed, pairs = {"a": 1, "b": 2}, {"ab": 1, "ba": 1, "bc": 1}
    score = 0.0
    for i, (target, word) in enumerate(zip(row, document, strict=True)):
        share = (words.get(target, 0) + 1) / total
        if i:
            together = pairs.get(row[i - 1] + target, 0) / followed.get(row[i - 1], 1)
            share = 0.7 * together + 0.3 * share
        score += lm_weight * math.log(share)
        score += math.log(dict(CHANCES[word])[target]) if word in CHANCES else 0
    return score


CHANCES = {
    "x": [("a", 0.5), ("b", 0.3), ("c", 0.2)],
    "y": [("c", 0.6), ("a", 0.4)],
}


class Fixed(IBM1):
    """Translates by CHANCES."""

    def __init__(self):
        self.languages = ("de", "en")
        self.source = {"x": 0, "y": 1}

    def rank(self, words, topn=10):
        return {word: CHANCES[word][:topn] for word in words}


@given(st.lists(st.sampled_from("xyq"), max_size=5), st.sampled_from([0.0, 0.5, 3.0]))
def test_the_row_of_words_is_the_best_of_all(document, lm_weight):
    (found,) = WordByWord(Fixed(), TEXT, lm_weight=lm_weight).translate([document])
    candidates = [[t for t, _ in CHANCES.get(word, [(word, 1)])] for word in document]
    best = max(score_by_hand(row, document, lm_weight) for row in product(*candidates))
    assert score_by_hand(found, document, lm_weight) == pytest.approx(best)


def test_without_a_language_model_each_word_gets_its_likeliest_translation():
    documents = [pair[1] for pair in made_up_pairs(20, words=8, seed=5)]
    found = WordByWord(MODEL, PAIRS.side("en"), lm_weight=0).translate(documents)
    assert found == glossed(documents, best_translations(MODEL))


def test_word_by_word_wants_probabilities():
    with pytest.raises(ConfigError, match="model must be an IBM1, got EditDistance"):
        WordByWord(EditDistance(["a"], ["b"], languages=("en", "de")), TEXT)


def test_word_by_word_wants_text():
    with pytest.raises(CorpusError, match="'en' text: there is no word in it"):
        WordByWord(MODEL, [[]])


@pytest.mark.parametrize("options", [{"candidates": 0}, {"lm_weight": -1}])
def test_parameters_are_checked(options):
    (name,) = options
    with pytest.raises(ConfigError, match=f"{name} must be a"):
        WordByWord(MODEL, TEXT, **options)


def test_a_bag_of_words_classifies_translated_documents():
    pipeline = bag_of_words().fit([["dog"], ["sea"]] * 4, ["pet", "water"] * 4)
    german = glossed([["hund"], ["meer"]], {"hund": "dog", "meer": "sea"})
    assert pickle.loads(pickle.dumps(pipeline)).predict(german).tolist() == ["pet", "water"]


def test_without_scikit_learn_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    with pytest.raises(ImportError, match=r"pip install 'gensim_bilbowa\[baselines\]'"):
        bag_of_words()
