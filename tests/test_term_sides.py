"""One side of a text: its candidates, and where they and their words stand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from term_sides import candidate, side_of

from gensim_bilbowa import Tokenizer
from gensim_bilbowa.terminology.general import GeneralLanguage
from gensim_bilbowa.terminology.side import TermSide
from gensim_bilbowa.terminology.written import WrittenSide


def written(*texts, language="en"):
    side = WrittenSide(language)
    if texts:
        side.add(texts, Tokenizer(language, markup=True))
    return side.finish()


def by_word(side, values):
    return dict(zip(side.text.lower_words, np.asarray(values).tolist(), strict=True))


# ---- what is found


def general(words):
    """A language whose most frequent words are these, before many of no text."""
    counts = dict.fromkeys(words.split(), 10000)
    return GeneralLanguage(counts | {f"other{i}": 1000 - i for i in range(300)}, "en")


def plain_terms(side):
    return {side.plain(term) for term in range(len(side.candidates))}


def test_terms_are_found_but_no_words_of_the_grammar_and_no_numbers():
    text = written(
        "Open the file system!", "The file system has 12 files.", "Mount a file system", "12 files"
    )
    side = TermSide.of("en", text, general("the a has"), 2)
    assert plain_terms(side) == {"file", "system", "files", "file system"}
    assert by_word(side, side.counts)["the"] == 2
    assert side.ids.tolist() == text.lower[text.ids].tolist()


def test_terms_that_stand_less_often_are_not_found():
    text = written("Open the file", "Close the file")
    assert plain_terms(TermSide.of("en", text, general("the"), 3)) == set()
    assert plain_terms(TermSide.of("en", text, general("the"), 2)) == {"file"}
    assert plain_terms(TermSide.of("en", text, general("the"), 1)) >= {"file", "open", "close"}


@pytest.mark.parametrize("texts", [[], [""], ["", ""], ["12 + 13"], ["%s"], ["the"]])
@pytest.mark.parametrize("known", [None, general("the")])
def test_text_without_terms_has_no_candidates(texts, known):
    side = TermSide.of("en", written(*texts), known, 2)
    assert len(side.candidates) == 0
    words = len(side.text.lower_words)
    of_words = side.counts, side.capitals
    assert [len(values) for values in of_words] == [words] * 2
    assert [len(values) for values in (side.begins, side.ends_phrases)] == [0, 0]
    assert len(side.sentence_starts) == len(side.ids)


SIGNS = st.sampled_from([*"abAB.,:1", "the", " ", " ", "%s", "<br/>", "-"])
TEXTS = st.lists(st.lists(SIGNS, max_size=12).map("".join), max_size=6)


@given(TEXTS, st.integers(1, 3))
def test_whatever_the_text_its_occurrences_are_those_of_the_terms(texts, min_count):
    side = TermSide.of("en", written(*texts), None, min_count)
    found = side.candidates
    assert (found.counts >= min_count).all()
    assert np.bincount(found.spans[:, 2], minlength=len(found)).tolist() == found.counts.tolist()
    for begin, (start, end, term) in zip(side.begins.tolist(), found.spans.tolist(), strict=True):
        words = side.ids[begin : begin + end - start]
        assert words.tolist() == found.words_of(term).tolist()


# ---- where it stands


def test_begins_are_places_in_the_whole_text():
    side = side_of(["tree", "the tree", "", "tree"], grammar="the")
    assert side.begins.tolist() == [0, 2, 3]


def test_capitals_are_counted_within_sentences_alone():
    side = side_of(["Das Konto", "Konto: Neues Konto", "das konto", "Neues"], "de")
    # Three times within: Konto, Konto, konto. What stands first, or after a sign, does not count.
    found = by_word(side, side.capitals)
    assert found["konto"] == pytest.approx(2 / 3)
    assert found["das"] == found["neues"] == 0


def test_a_sentence_starts_at_its_first_word_and_after_signs_and_cuts():
    side = side_of(["Open: The file %s now, or", "never"])
    words = [side.text.words[word] for word in side.text.ids]
    starts = [w for w, first in zip(words, side.sentence_starts, strict=True) if first]
    assert starts == ["Open", "The", "now", "or", "never"]


def test_the_end_of_a_phrase_is_where_no_word_follows():
    side = side_of(["open file", "file, open", "open file %s", "file system open"])
    found = side.ends_phrases
    assert found[candidate(side, "file")] == pytest.approx(3 / 4)
    assert found[candidate(side, "open")] == pytest.approx(2 / 4)
    assert found[candidate(side, "open file")] == 1
    assert found[candidate(side, "system")] == 0
