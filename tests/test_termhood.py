"""How much of a term a candidate is, by hand."""

from __future__ import annotations

from dataclasses import replace
from math import log

import numpy as np
import pytest
from term_sides import groups_of, side_of

from gensim_bilbowa.terminology import termhood as module
from gensim_bilbowa.terminology.emptiness import emptiness
from gensim_bilbowa.terminology.general import GeneralLanguage
from gensim_bilbowa.terminology.termhood import nominality, termhood, unithood
from gensim_bilbowa.terminology.wordkinds import WordKinds

# Six words in the text, each of three twice.
TREES = ["the red tree", "the tree", "red"]
HERE = 2 / 6 * 1e6


def knowing(side, **per_million):
    """A side whose language has some words so often in a million."""
    counts = per_million | {"any other": 1e6 - sum(per_million.values())}
    return replace(side, general=GeneralLanguage(counts, side.language))


def unsure(side, sure=None):
    """A side with how sure its words are to be of the grammar; by default as its text tells it."""
    told = WordKinds.of(side.text, None).emptiness
    if sure is not None:
        told = np.array([sure[word] for word in side.text.lower_words])
    return replace(side, kinds=replace(side.kinds, emptiness=told))


def of_word(here, general):
    """k of a word, by its counts in a million."""
    ratio = log((here + module._SMOOTHING) / (general * module._LEAST_RATIO + module._SMOOTHING))
    return ratio * module._COMMON / (module._COMMON + general) if ratio > 0 else ratio


def by_term(side, values):
    """Values of candidates that are no forms of each other, by the candidate."""
    return {side.plain(term): float(value) for term, value in enumerate(values)}


def hoods(side, alone=3.0):
    groups = groups_of(side)
    return by_term(side, termhood(side, groups, np.full(len(groups.heads), alone)))


def wholes(side, *as_one_word):
    groups = groups_of(side)
    asked = np.array([side.plain(head) in as_one_word for head in groups.heads.tolist()], bool)
    return by_term(side, unithood(side, groups, asked))


# ---- termhood


def test_a_word_is_a_term_by_how_often_it_stands_here_and_in_general():
    found = hoods(knowing(side_of(TREES, grammar="the"), red=100, tree=1))
    assert found["tree"] == pytest.approx(log(4) * 200 / 201 * log((HERE + 1) / 1.5))
    assert found["tree"] == pytest.approx(log(4) * of_word(HERE, 1))
    assert found["red"] == pytest.approx(log(4) * of_word(HERE, 100))
    assert found["red"] < found["tree"]


def test_a_word_that_nobody_has_counted_stands_nowhere_in_general():
    found = hoods(knowing(side_of(TREES, grammar="the"), red=100))
    assert found["tree"] == pytest.approx(log(4) * log(HERE + 1))


def test_several_words_are_a_term_by_their_mean_and_their_least():
    found = hoods(knowing(side_of(TREES, grammar="the"), red=5000, tree=1))
    red, tree = of_word(HERE, 5000), of_word(HERE, 1)
    assert 0 < red < tree / 10
    assert found["red tree"] == pytest.approx(log(4) * ((red + tree) / 2 + red) / 2)


def test_words_rarer_than_in_general_are_none_however_common():
    found = hoods(knowing(side_of(TREES, grammar="the"), red=9e5, tree=1))
    less = log((HERE + module._SMOOTHING) / (9e5 * module._LEAST_RATIO + module._SMOOTHING))
    assert less < 0
    assert found["red"] == pytest.approx(log(4) * less)
    assert found["red tree"] == pytest.approx(log(4) * ((less + of_word(HERE, 1)) / 2 + less) / 2)


def test_words_of_the_grammar_within_a_term_do_not_count():
    side = side_of(["bill of sale", "the bill"], grammar="the of")
    found = hoods(knowing(side, of=9e5, bill=10, sale=1))
    bill, sale = of_word(2 / 5 * 1e6, 10), of_word(1 / 5 * 1e6, 1)
    least = min(bill, sale)
    assert found["bill of sale"] == pytest.approx(log(4) * ((bill + sale) / 2 + least) / 2)


@pytest.mark.parametrize("known", [True, False])
def test_what_stands_by_itself_more_often_is_more_of_a_term(known):
    side = side_of(TREES, grammar="the")
    side = knowing(side, red=1) if known else side
    groups = groups_of(side)
    values = termhood(side, groups, np.arange(len(groups.heads), dtype=float))
    once = hoods(side, 1.0)
    for number, value in enumerate(values.tolist()):
        expected = once[side.plain(groups.heads[number])] * log(1 + number) / log(2)
        assert value == pytest.approx(expected)


def test_a_group_is_as_much_of_a_term_as_its_most_frequent_form():
    side = knowing(side_of(["trees", "trees", "tree"]), tree=1, trees=700)
    found = termhood(side, groups_of(side, "tree trees"), np.array([3.0]))
    assert found == pytest.approx([log(4) * of_word(2 / 3 * 1e6, 700)])


def test_without_counts_rare_words_are_terms_as_they_stand():
    # None of them stands often enough to be taken for a word of the grammar.
    found = hoods(unsure(side_of(TREES, grammar="the")))
    assert set(found) == {"red", "tree", "red tree"}
    assert list(found.values()) == pytest.approx([log(4)] * 3)


def test_without_counts_a_word_is_none_in_so_far_as_it_is_one_of_the_grammar():
    sure = {"the": 1.0, "red": 0.9, "tree": 0.25}
    found = hoods(unsure(side_of(TREES, grammar="the"), sure))
    assert found["red"] == pytest.approx(log(4) * -0.8)
    assert found["tree"] == pytest.approx(log(4) * 0.5)
    assert found["red tree"] == pytest.approx(log(4) * (-0.15 - 0.8) / 2)


def test_without_counts_words_of_the_grammar_are_told_by_the_text():
    side = side_of([f"{word} of {word}s" for word in ("tree", "leaf", "root", "seed")] * 3)
    told = emptiness(side.text, side.kinds.outer | side.kinds.inner)
    sure = dict(zip(side.text.lower_words, told.tolist(), strict=True))
    assert 0 < sure["tree"] < sure["of"]
    found = hoods(unsure(side))
    for word in ("of", "tree"):
        assert found[word] == pytest.approx(log(4) * (1 - 2 * sure[word]))


# ---- nouns


@pytest.mark.parametrize("language", ["de", "de-AT", "lb"])
def test_nouns_have_a_capital_where_all_do(language):
    side = side_of(["das neue Konto", "das Konto", "ein konto öffnen", "ein Öffnen"], language,
                   "das ein")  # fmt: skip
    found = by_term(side, nominality(side, groups_of(side)))
    assert found["konto"] == 1  # two times of three
    assert found["neue"] == module._NO_NOUN
    assert found["neue konto"] == found["konto öffnen"] == 1
    assert found["öffnen"] == module._NO_NOUN  # one time of two


def test_nouns_end_phrases():
    # open: one time of five; file: four; print: never.
    side = side_of(["open file"] * 4 + ["file open", "print menu"])
    found = by_term(side, nominality(side, groups_of(side)))
    assert found["open"] == pytest.approx(0.2 / module._NOUN_ENDS)
    assert module._NO_NOUN < found["open"] < 1
    assert found["file"] == found["menu"] == found["open file"] == 1
    assert found["print"] == module._NO_NOUN
    assert found["file open"] == 1


def test_names_have_a_capital_and_end_no_phrase():
    names = ["the Linux kernel"] * 4 + ["the linux kernel"]
    side = side_of([*names, "Print kernel", "the Main kernel", "the main kernel"], grammar="the")
    found = by_term(side, nominality(side, groups_of(side)))
    # Four times of five; once, where a capital says nothing; one time of two.
    assert found["linux"] == 1
    assert found["print"] == found["main"] == module._NO_NOUN


# ---- units


# Of 16 words: red and tree twice, beside each other once; big and leaf never apart.
UNITS = ["red tree", "red", "tree", "big leaf", *"bcdfghijkl"]


def test_words_that_attract_each_other_are_one_term():
    side = side_of(UNITS)
    assert side.counts.sum() == 16
    found = wholes(side)
    held = 0.5  # (log(1 / 16) - 2 log(2 / 16)) / -log(1 / 16)
    part = (held - module._NO_TERM) / (module._ONE_TERM - module._NO_TERM)
    assert 0 < part < 1
    least = module._LEAST_UNIT
    assert found.pop("red tree") == pytest.approx(least + (1 - least) * part)
    assert set(found.values()) == {1.0}  # single words, and what attracts each other fully
    assert "big leaf" in found


def test_words_that_stand_together_by_chance_are_no_term():
    side = side_of(["red tree", *["red", "tree"] * 7])
    # 16 words, of which each is every second: less than by chance.
    assert wholes(side)["red tree"] == module._LEAST_UNIT


def test_words_that_are_one_in_the_other_language_are_a_term():
    assert wholes(side_of(UNITS), "red tree")["red tree"] == 1


@pytest.mark.parametrize("texts", [[], ["12"], [""]])
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("known", [True, False])
def test_no_candidates_have_no_termhood(texts, language, known):
    side = side_of(texts, language)
    side = knowing(side, red=1) if known else side
    groups = groups_of(side)
    found = termhood(side, groups, np.zeros(0)), nominality(side, groups)
    assert [values.shape for values in found] == [(0,), (0,)]
