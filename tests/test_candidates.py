"""What may be a term: sequences of words, how they hold together, and how free they stand."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gensim_bilbowa.terminology import cohesion
from gensim_bilbowa.terminology.candidates import LONGEST, Candidates, find_candidates
from gensim_bilbowa.terminology.cohesion import attraction, coherent, freedom

WORDS = 5


class Text:
    """Sentences of words by number, with tokens before which something was cut out."""

    def __init__(self, sentences, outer=(), inner=(), cuts=()):
        self.sentences = [list(sentence) for sentence in sentences]
        self.ids = np.array([word for sentence in sentences for word in sentence], np.int32)
        self.offsets = np.append(0, np.cumsum([len(s) for s in sentences])).astype(np.int64)
        self.outer, self.inner = (np.isin(np.arange(WORDS), list(some)) for some in (outer, inner))
        self.breaks = np.zeros(len(self.ids), bool)
        self.breaks[[place % len(self.ids) for place in cuts if len(self.ids)]] = True

    def find(self, **options):
        return find_candidates(
            self.ids, self.offsets, self.outer, self.inner, self.breaks, **options
        )

    def parts(self):
        """Yield for each sentence its words, and at which of them something was cut out."""
        for sentence, start in zip(self.sentences, self.offsets.tolist(), strict=False):
            cut = self.breaks[start : start + len(sentence)].tolist()
            yield sentence, {at for at, is_cut in enumerate(cut) if is_cut}

    def occurrences(self):
        """Return for each sentence all that may be a term in it, as (begin, end, words)."""
        return [
            [
                (begin, end, tuple(sentence[begin:end]))
                for begin in range(len(sentence))
                for end in range(begin + 1, min(begin + LONGEST, len(sentence)) + 1)
                if self.outer[[sentence[begin], sentence[end - 1]]].all()
                and (self.outer | self.inner)[sentence[begin:end]].all()
                and not cuts & {*range(begin + 1, end)}
            ]
            for sentence, cuts in self.parts()
        ]

    def frequent(self, min_count=1):
        """Return what of it stands often enough, and how often."""
        counts = Counter(term for some in self.occurrences() for _, _, term in some)
        return {term: count for term, count in counts.items() if count >= min_count}


some_words = st.sets(st.integers(0, WORDS - 1))
sentences = st.lists(st.lists(st.integers(0, WORDS - 1), max_size=9), max_size=8)
texts = st.builds(Text, sentences, some_words, some_words, st.lists(st.integers(0, 70), max_size=4))
least_counts = st.integers(1, 4)


def terms_of(found):
    return [tuple(found.words_of(term).tolist()) for term in range(len(found))]


def counts_of(found):
    """Return what was found, with its counts."""
    terms = terms_of(found)
    assert len(set(terms)) == len(terms)
    return dict(zip(terms, found.counts.tolist(), strict=True))


def spans_of(found):
    """Return for each sentence the occurrences, as (begin, end, words)."""
    terms = terms_of(found)
    spans = [(begin, end, terms[term]) for begin, end, term in found.spans.tolist()]
    bounds = found.span_offsets.tolist()
    assert (bounds[0], bounds[-1]) == (0, len(spans))
    return [spans[begin:end] for begin, end in pairwise(bounds)]


# ---- beside a plain count


@given(texts, least_counts)
def test_terms_and_counts_are_those_of_a_plain_counter(text, min_count):
    found = text.find(min_count=min_count)
    assert counts_of(found) == text.frequent(min_count)
    assert found.lengths.tolist() == [len(term) for term in terms_of(found)]


@given(texts, least_counts)
def test_occurrences_are_all_there_are_in_the_order_of_the_text(text, min_count):
    found = text.find(min_count=min_count)
    frequent = text.frequent(min_count)
    assert spans_of(found) == [
        [span for span in some if span[2] in frequent] for some in text.occurrences()
    ]


@given(texts, st.data())
def test_some_of_the_terms_are_kept_with_their_occurrences(text, data):
    found = text.find(min_count=1)
    size = len(found)
    kept = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)), bool)
    some = found.keep(kept)
    terms = [term for term, is_kept in zip(terms_of(found), kept, strict=True) if is_kept]
    assert terms_of(some) == terms
    assert counts_of(some) == {term: counts_of(found)[term] for term in terms}
    assert spans_of(some) == [[s for s in row if s[2] in terms] for row in spans_of(found)]
    assert terms_of(found.keep(np.ones(size, bool))) == terms_of(found)


@given(texts, st.data())
def test_words_of_several_terms_come_one_after_the_other(text, data):
    found = text.find(min_count=1)
    numbers = (
        st.lists(st.sampled_from(range(len(found))), max_size=6) if len(found) else st.just([])
    )
    some = np.array(data.draw(numbers), np.int64)
    words, offsets = found.words_of_all(some)
    assert [tuple(words[begin:end].tolist()) for begin, end in pairwise(offsets.tolist())] == [
        terms_of(found)[term] for term in some
    ]


# ---- by hand

OPEN, DE, FILE, STOP = range(4)


def test_words_between_others_are_no_begin_and_no_end_of_a_term():
    # "base de données": neither "base de" nor "de données" is a term, nor "de".
    text = Text([[OPEN, DE, FILE]] * 2, outer=[OPEN, FILE], inner=[DE])
    assert counts_of(text.find()) == {(OPEN,): 2, (FILE,): 2, (OPEN, DE, FILE): 2}


def test_words_that_no_term_has_end_it():
    text = Text([[OPEN, STOP, FILE]] * 2, outer=[OPEN, FILE])
    assert counts_of(text.find()) == {(OPEN,): 2, (FILE,): 2}


def test_terms_do_not_go_on_where_something_was_cut_out():
    text = Text([[OPEN, FILE], [OPEN, FILE], [OPEN, FILE]], outer=[OPEN, FILE], cuts=[1])
    assert counts_of(text.find())[OPEN, FILE] == 2
    assert spans_of(text.find())[0] == [(0, 1, (OPEN,)), (1, 2, (FILE,))]


def test_terms_do_not_go_on_in_the_next_sentence():
    text = Text([[OPEN], [FILE]] * 3, outer=[OPEN, FILE])
    assert counts_of(text.find()) == {(OPEN,): 3, (FILE,): 3}


def test_without_cuts_no_token_is_taken_for_one():
    text = Text([[OPEN, FILE]] * 2, outer=[OPEN, FILE])
    found = find_candidates(text.ids, text.offsets, text.outer, text.inner)
    assert counts_of(found) == counts_of(text.find())


def test_terms_of_one_word_may_overlap():
    text = Text([[OPEN] * 4], outer=[OPEN])
    assert counts_of(text.find()) == {(OPEN,): 4, (OPEN,) * 2: 3, (OPEN,) * 3: 2}


def test_terms_have_five_words_at_most_and_stand_twice_unless_told_otherwise():
    text = Text([[OPEN] * 7, [FILE]], outer=[OPEN, FILE])
    assert max(text.find().lengths) == LONGEST == 5
    assert (FILE,) not in counts_of(text.find())


@pytest.mark.parametrize("rows", [[], [[]], [[], []], [[STOP]], [[STOP], [], [STOP, STOP]]])
def test_text_without_a_term_has_no_candidates(rows):
    text = Text(rows, outer=[OPEN])
    found = text.find()
    assert (len(found), len(found.words), found.offsets.tolist()) == (0, 0, [0])
    assert (found.spans.shape, found.spans.dtype) == ((0, 3), np.int32)
    assert found.span_offsets.tolist() == [0] * (len(rows) + 1)
    none = np.zeros(0, bool)
    assert len(found.keep(none)) == 0
    assert [len(part) for part in found.words_of_all(np.zeros(0, np.int64))] == [0, 1]
    assert [len(side) for side in free(text, found)] == [0, 0]
    assert len(attraction(found, np.bincount(text.ids, minlength=WORDS))) == 0
    assert holds(text) == set()


def test_a_text_of_no_words_at_all_has_no_candidates():
    none = np.zeros(0, bool)
    found = find_candidates(np.zeros(0, np.int32), np.zeros(1, np.int64), none, none)
    assert (len(found), found.span_offsets.tolist()) == (0, [0])


def test_candidates_of_which_none_is_kept_are_none():
    text = Text([[OPEN, FILE]] * 2, outer=[OPEN, FILE])
    none = text.find().keep(np.zeros(3, bool))
    assert (len(none), none.spans.shape) == (0, (0, 3))
    assert none.span_offsets.tolist() == [0, 0, 0]


# ---- attraction


def test_attraction_is_normalised_mutual_information():
    # Of 10 words a and b stand 4 times each, 2 times together: p(a b) = 0.2, p(a) = p(b) = 0.4.
    text = Text([[0, 1], [0, 1], [0, 2, 1], [0, 2, 1]], outer=[0, 1])
    found = dict(
        zip(terms_of(text.find()), attraction(text.find(), text_counts(text)), strict=True)
    )
    assert found == {
        (0,): 1, (1,): 1, (0, 1): pytest.approx(log(0.2 / (0.4 * 0.4)) / -log(0.2)),
    }  # fmt: skip


def text_counts(text):
    return np.bincount(text.ids, minlength=WORDS)


def test_words_that_never_stand_apart_attract_each_other_fully():
    text = Text([[0, 1, 2]] * 3 + [[3]] * 5, outer=[0, 1, 2])
    np.testing.assert_allclose(attraction(text.find(), text_counts(text)), 1)


def test_words_that_stand_together_by_chance_do_not_attract_each_other():
    # p(a b) = 1/4 * 1/4 by 16 words of which four are a, four b, and one is both.
    text = Text([[0, 1], *[[0], [1]] * 3, *[[2]] * 8], outer=[0, 1])
    found = text.find(min_count=1)
    np.testing.assert_allclose(attraction(found, text_counts(text)), [1, 1, 0], atol=1e-12)


@given(texts)
def test_attraction_is_that_of_plain_python(text):
    found = text.find(min_count=1)
    counts, total = Counter(text.ids.tolist()), len(text.ids)
    expected = []
    for term, count in counts_of(found).items():
        together = log(count / total)
        apart = sum(log(counts[word] / total) for word in term)
        others = len(term) - 1
        expected.append((together - apart) / (others * -together) if others else 1)
    np.testing.assert_allclose(attraction(found, text_counts(text)), expected, atol=1e-9)


# ---- freedom


def free(text, found, heavy=range(WORDS)):
    is_heavy = np.isin(np.arange(WORDS), list(heavy))
    return freedom(found, text.ids, text.offsets, text.breaks, is_heavy)


def of_terms(text, heavy=range(WORDS), **options):
    """Return the freedom of each term, before it and after it."""
    found = text.find(**options)
    return dict(zip(terms_of(found), zip(*free(text, found, heavy), strict=True), strict=True))


def test_freedom_is_the_entropy_of_the_neighbours():
    # Before 0 stand 1, 1, 2, 3: an entropy of 3/2 bits of 2. After it always 4.
    text = Text([[1, 0, 4], [1, 0, 4], [2, 0, 4], [3, 0, 4]], outer=[0])
    assert of_terms(text)[(0,)] == (pytest.approx(0.75), pytest.approx(0, abs=1e-12))


def test_at_the_ends_of_sentences_each_neighbour_is_another_one():
    text = Text([[0], [0], [0], [0]], outer=[0])
    assert of_terms(text)[(0,)] == (pytest.approx(1), pytest.approx(1))


def test_where_something_was_cut_out_the_neighbour_is_another_one():
    there, cut = (Text([[1, 0, 2]] * 4, outer=[0], cuts=cuts) for cuts in ([], [1, 4, 7, 10]))
    assert of_terms(there)[(0,)] == (pytest.approx(0, abs=1e-12), pytest.approx(0, abs=1e-12))
    assert of_terms(cut)[(0,)] == (pytest.approx(1), pytest.approx(0, abs=1e-12))


def test_words_that_no_term_begins_or_ends_with_are_other_neighbours_each_time():
    text = Text([[1, 0, 2]] * 4, outer=[0])
    nothing, fully = pytest.approx(0, abs=1e-12), pytest.approx(1)
    assert of_terms(text, heavy=[0, 1, 2])[(0,)] == (nothing, nothing)
    assert of_terms(text, heavy=[0, 2])[(0,)] == (fully, nothing)
    assert of_terms(text, heavy=[0, 1])[(0,)] == (nothing, fully)


def test_what_stands_once_is_not_free():
    assert of_terms(Text([[1, 0, 2]], outer=[0]), min_count=1)[(0,)] == (0, 0)


def test_freedom_counts_where_terms_times_neighbours_are_beyond_32_bits():
    # One of the five words has a large number: the fifth term times as many words is 2 ** 32. An
    # array of one value takes no memory for the words that are not there.
    rng = np.random.default_rng(0)
    text = Text(rng.integers(0, WORDS, (40, 6)).tolist(), outer=range(WORDS))
    found = text.find()
    found = found.keep(found.lengths == 1)
    assert len(found) == WORDS
    large = np.array([0, 1, 2, 3, 2**30 - 1], np.int32)[text.ids]
    for ids in (large, 2**30 - 1 - large):
        heavy = np.broadcast_to(True, 2**30)
        measured = freedom(found, ids, text.offsets, text.breaks, heavy)
        np.testing.assert_allclose(measured, free(text, found, range(WORDS)))


@given(texts, some_words)
def test_freedom_is_that_of_plain_python(text, heavy):
    neighbours = defaultdict(lambda: (Counter(), Counter()))
    parts = zip(text.parts(), text.occurrences(), strict=True)
    for number, ((sentence, cuts), some) in enumerate(parts):
        for begin, end, term in some:
            before = {begin - 1} - {-1} if begin not in cuts else ()
            after = {end} - {len(sentence)} if end not in cuts else ()
            for counts, places in zip(neighbours[term], (before, after), strict=True):
                words = [sentence[at] for at in places if sentence[at] in heavy]
                counts[words[0] if words else (number, begin)] += 1

    def variety(counts):
        total = counts.total()
        entropy = -sum(count / total * log(count / total) for count in counts.values())
        return entropy / log(max(total, 2))

    found = of_terms(text, heavy, min_count=1)
    assert found.keys() == neighbours.keys()
    for term, sides in neighbours.items():
        assert found[term] == pytest.approx([variety(side) for side in sides], abs=1e-9)


# ---- both together


def holds(text, light=()):
    """Return the terms that hold together."""
    found = text.find()
    is_light = np.isin(np.arange(WORDS), list(light))
    held = coherent(found, text.ids, text.offsets, text.breaks, text.outer, is_light)
    return {term for term, is_held in zip(terms_of(found), held, strict=True) if is_held}


def test_a_part_of_a_term_does_not_stand_by_itself():
    # "free savings account": no two of the words ever stand without the third.
    text = Text([[0, 1, 2], [3, 0, 1, 2], [0, 1, 2, 4], [3], [4], [4], [3]] * 2, outer=range(5))
    assert holds(text) & {(0, 1), (1, 2), (0, 1, 2)} == {(0, 1, 2)}


def test_words_that_are_beside_each_other_by_chance_are_no_term():
    text = Text([[0, 1], [1, 0], [0, 0], [1, 1]] * 3, outer=[0, 1])
    assert holds(text) == {(0,), (1,)}


@pytest.mark.parametrize("light", [0, 1])
def test_terms_that_begin_or_end_with_a_light_word_must_hold_together_more(monkeypatch, light):
    # An attraction of 0.139, see above.
    monkeypatch.setattr(cohesion, "_LEAST_ATTRACTION", 0.1)
    monkeypatch.setattr(cohesion, "_LEAST_OF_LIGHT", 0.2)
    text = Text([[0, 1], [0, 1], [0, 2, 1], [0, 2, 1]], outer=[0, 1])
    assert holds(text) == {(0,), (1,), (0, 1)}
    assert holds(text, [light]) == {(0,), (1,)}
    assert holds(text, [2]) == {(0,), (1,), (0, 1)}


@given(texts, some_words)
def test_terms_are_coherent_by_attraction_and_freedom_on_both_sides(text, light):
    found = text.find()
    heavy = set(np.flatnonzero(text.outer).tolist()) - light
    attractions = dict(zip(terms_of(found), attraction(found, text_counts(text)), strict=True))
    expected = {
        term
        for term, sides in of_terms(text, heavy).items()
        if len(term) == 1
        or (
            min(sides) >= cohesion._LEAST_FREEDOM
            and attractions[term]
            >= (
                cohesion._LEAST_OF_LIGHT
                if {term[0], term[-1]} & light
                else cohesion._LEAST_ATTRACTION
            )
        )
    }
    assert holds(text, light) == expected


def test_candidates_are_what_they_are_made_of():
    found = Candidates(
        np.array([3, 1, 2], np.int32), np.array([0, 1, 3]), np.array([5, 2]),
        np.zeros((0, 3), np.int32), np.zeros(1, np.int64),
    )  # fmt: skip
    assert (len(found), found.lengths.tolist()) == (2, [1, 2])
    assert found.words_of(1).tolist() == [1, 2]
