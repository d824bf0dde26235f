"""Links between spans of words: the kernel beside its twin, and what its border refuses."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import twin
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import LONG

from gensim_bilbowa.kernels import Entries, SpannedSide, span_links

RUN, STOP = np.zeros(1, np.int32), np.ones(1, np.int32)
SIZES = 6, 8
TERMS = 5, 4


def ids(*values):
    return np.array(values, np.int32)


def offsets(*values):
    return np.array(values, np.int64)


def floats(*values):
    return np.array(values, np.float32)


def entries(forth, back):
    """Two matrices with the same places that are not 0."""
    forth, back = np.asarray(forth, np.float32), np.asarray(back, np.float32)
    rows, columns = np.nonzero(forth)
    starts = np.append(0, np.cumsum(np.bincount(rows, minlength=len(forth))))
    return Entries(
        forth.shape, starts, columns.astype(np.int32), forth[rows, columns], back[rows, columns]
    )


def packed(sentences):
    return np.append(0, np.cumsum([len(sentence) for sentence in sentences])).astype(np.int64)


def spanned(sentences, spans, frequencies, counts, terms):
    """A side of sentences, each with its spans."""
    tokens = np.array([token for sentence in sentences for token in sentence], np.int32)
    rows = np.array([span for some in spans for span in some], np.int32).reshape(-1, 3)
    return SpannedSide(tokens, packed(sentences), rows, packed(spans), frequencies, counts, terms)


class Made:
    """Sentence pairs with words and spans at random, for the kernel and for the twin."""

    def __init__(self, pairs, seed, sizes=SIZES, counting=0.7, longest=3):
        rng = np.random.default_rng(seed)
        self.pairs = [tuple(np.array(side, np.int32) for side in pair) for pair in pairs]
        self.counts = tuple(rng.random(n) < counting for n in sizes)
        self.frequencies = tuple(rng.random(n).astype(np.float32) for n in sizes)
        known = rng.random(sizes) < 0.6
        self.t = tuple((rng.random(sizes) * known).astype(np.float32) for _ in sizes)
        self.spans = tuple(
            [
                [
                    (start, end, int(rng.integers(terms)))
                    for start in range(len(sentence))
                    for end in range(start + 1, min(start + longest, len(sentence)) + 1)
                    if counts[sentence[start:end]].any()
                    and rng.random() < min(0.6, 30 / len(sentence))
                ]
                for sentence in side
            ]
            for side, counts, terms in zip(
                zip(*self.pairs, strict=True), self.counts, TERMS, strict=True
            )
        )
        self.sides = tuple(
            spanned(sentences, spans, frequencies, counts, terms)
            for sentences, spans, frequencies, counts, terms in zip(
                zip(*self.pairs, strict=True), self.spans, self.frequencies, self.counts, TERMS,
                strict=True,
            )
        )  # fmt: skip

    def links(self, position=0.0, null_share=0.0, least=0.0, terms=None, **where):
        where = {"first": 0, "last": len(self.pairs), "stop": RUN, **where}
        return span_links(
            *self.sides, entries(*self.t), *where.values(), terms=terms, position=position,
            null_share=null_share, least=least,
        )  # fmt: skip

    def links_of_twin(self, position=0.0, null_share=0.0, least=0.0):
        return twin.span_links(
            self.pairs, self.spans, self.t, self.frequencies, self.counts, position, null_share,
            least,
        )  # fmt: skip

    def worths(self, links, of_terms):
        """What links are worth, in the kernel's precision."""
        rows, columns = (
            np.array([span[2] for some in spans for span in some], int)[places]
            for spans, places in zip(self.spans, (links["source"], links["target"]), strict=True)
        )
        return links["link"] * np.asarray(of_terms, np.float32)[rows, columns]


def assert_links(found, expected, rtol=1e-4):
    assert found[["pair", "source", "target"]].tolist() == [link[:3] for link in expected]
    values = [link[3] for link in expected]
    np.testing.assert_allclose(found["link"], values, rtol=rtol, atol=1e-6)


# ---- values by hand


def one_pair(source, target, forth, back, spans, counts=(True, True), frequencies=0.0):
    """A pair of which all words count, or those of some ids."""
    sides = [
        spanned([tokens], [some], np.full(n, frequencies, np.float32),
                np.full(n, True) if of_side is True else np.array(of_side), 9)
        for tokens, some, of_side, n in zip(
            (source, target), spans, counts, np.shape(forth), strict=True
        )
    ]  # fmt: skip
    return *sides, entries(forth, back), 0, 1, RUN


def test_link_is_the_geometric_mean_of_what_comes_from_either():
    # "operating system" and "Betriebssystem", each word half as probable as all: both tokens come
    # from it, and it from either. A word alone explains half of it: sqrt(1/2 * 1).
    words = [[0.5], [0.5]]
    spans = [(0, 1, 0), (0, 2, 1), (1, 2, 2)], [(0, 1, 0)]
    found = span_links(*one_pair([0, 1], [0], words, words, spans))
    assert found["link"] == pytest.approx([np.sqrt(0.5), 1.0, np.sqrt(0.5)])
    assert found[["pair", "source", "target"]].tolist() == [(0, 0, 0), (0, 1, 0), (0, 2, 0)]


def test_words_that_do_not_count_are_not_missed():
    # "base de données" and "database": "de" comes from nothing, and need not.
    words = [[0.5], [0.0], [0.5]]
    spans = [(0, 3, 0)], [(0, 1, 0)]
    there, all_of_them = (
        span_links(*one_pair([0, 1, 2], [0], words, words, spans, counts))
        for counts in (([True, False, True], True), (True, True))
    )
    assert there["link"] == pytest.approx([1.0])
    assert all_of_them["link"] == pytest.approx([np.sqrt(2 / 3)])


def test_words_that_do_not_count_take_their_part_all_the_same():
    words = [[0.5], [0.5]]
    spans = [(0, 1, 0)], [(0, 1, 0)]
    arguments = one_pair([0, 1], [0], words, words, spans, ([True, False], True))
    assert span_links(*arguments)["link"] == pytest.approx([np.sqrt(0.5)])


def test_nothing_takes_its_part():
    # Forth 0.5 / (0.5 + 1/4 * 0.4), back the same of 0.25.
    arguments = one_pair([0], [0], [[0.5]], [[0.25]], ([(0, 1, 0)], [(0, 1, 0)]), frequencies=0.4)
    found = span_links(*arguments, null_share=0.25)
    assert found["link"] == pytest.approx([np.sqrt(0.5 / 0.6 * 0.25 / 0.35)])


def test_the_nearer_word_is_the_likelier():
    # u = 1 at the same place, exp(-2 / 2) at the other one.
    spans = [(0, 1, 0)], [(0, 1, 0), (1, 2, 0)]
    found = span_links(*one_pair([0, 0], [0, 0], [[0.7]], [[0.2]], spans), position=2.0)
    near = 1 / (1 + np.exp(-1))
    assert found["link"] == pytest.approx([near, 1 - near])


def test_what_is_worth_more_wins_over_the_larger_link():
    # The link of the whole is 1, those of its parts less; terms say that a part is meant.
    words = [[0.5], [0.5]]
    spans = [(0, 1, 0), (0, 2, 1), (1, 2, 2)], [(0, 1, 0)]
    arguments = one_pair([0, 1], [0], words, words, spans)
    worths = np.zeros((9, 9))
    worths[:3, 0] = 0.1, 0.5, 0.9
    found = span_links(*arguments, terms=entries(worths, worths))
    assert found[["source", "target"]].tolist() == [(2, 0)]
    assert found["link"] == pytest.approx([np.sqrt(0.5)])


def test_of_links_that_are_worth_the_same_the_first_is_kept():
    words = [[0.5], [0.5]]
    spans = [(0, 1, 0), (1, 2, 0)], [(0, 1, 0)]
    arguments = one_pair([0, 1], [0], words, words, spans)
    worths = np.ones((9, 9))
    found = span_links(*arguments, terms=entries(worths, worths))
    assert found[["source", "target"]].tolist() == [(0, 0)]


def test_terms_that_are_worth_nothing_have_no_link():
    arguments = one_pair([0], [0], [[1.0]], [[1.0]], ([(0, 1, 0)], [(0, 1, 0)]))
    none = np.zeros((9, 9))
    assert len(span_links(*arguments, terms=entries(none, none))) == 0
    assert len(span_links(*arguments)) == 1


# ---- beside the twin

texts = st.lists(
    st.tuples(*(st.lists(st.integers(0, n - 1), max_size=9) for n in SIZES)), min_size=1, max_size=6
)
settings_of_the_kernel = st.fixed_dictionaries({
    "position": st.sampled_from([0.0, 1.0, 5.0]),
    "null_share": st.sampled_from([0.0, 0.08, 1.0]),
    "least": st.sampled_from([0.0, 0.2345678]),
})  # fmt: skip
seeds = st.integers(0, 2**32 - 1)


@settings(max_examples=150)
@given(texts, seeds, settings_of_the_kernel)
def test_links_are_those_of_the_twin(pairs, seed, options):
    text = Made(pairs, seed)
    assert_links(text.links(**options), text.links_of_twin(**options))


@settings(max_examples=150)
@given(texts, seeds, settings_of_the_kernel)
def test_best_links_are_those_of_the_twin(pairs, seed, options):
    text = Made(pairs, seed)
    # Few values, so that some are worth the same, and some nothing.
    of_terms = np.random.default_rng(seed).integers(0, 3, TERMS)
    found = text.links(**options, terms=entries(of_terms, of_terms))
    every = text.links(**options)
    expected = twin.best_links(every.tolist(), text.worths(every, of_terms).tolist())
    assert found.tolist() == expected


@pytest.mark.parametrize("lengths", LONG.values(), ids=LONG)
@pytest.mark.parametrize("position", [0.0, 2.0])
def test_links_of_long_sentences_are_those_of_the_twin(lengths, position):
    rng = np.random.default_rng(1)
    pairs = [
        tuple(rng.integers(0, size, n) for size, n in zip(SIZES, of_pair, strict=True))
        for of_pair in ((5, 4), lengths, (3, 6))
    ]
    text = Made(pairs, 2, counting=1.0)
    expected = text.links_of_twin(position=position, null_share=0.08)
    assert [link[0] for link in expected].count(1) >= 5
    assert_links(text.links(position=position, null_share=0.08), expected)


@settings(max_examples=50)
@given(texts, seeds, st.data())
def test_links_of_some_pairs_are_a_part_of_those_of_all(pairs, seed, data):
    text = Made(pairs, seed)
    first = data.draw(st.integers(0, len(pairs)))
    last = data.draw(st.integers(first, len(pairs)))
    whole = text.links(null_share=0.08)
    some = whole[(whole["pair"] >= first) & (whole["pair"] < last)]
    np.testing.assert_array_equal(text.links(null_share=0.08, first=first, last=last), some)


def test_links_are_at_most_one():
    rng = np.random.default_rng(0)
    text = Made([(rng.integers(0, 6, 12), rng.integers(0, 8, 12)) for _ in range(50)], 1)
    for options in ({}, {"position": 1.0, "null_share": 0.08}):
        found = text.links(**options)["link"]
        assert len(found) > 100
        assert found.min() > 0
        assert found.max() <= 1 + 1e-6


# ---- pairs with nothing, and with more than there is room for


def empty_side(sentences=1, words=0, terms=0):
    none = [[]] * sentences
    return spanned(none, none, np.zeros(words, np.float32), np.zeros(words, bool), terms)


@pytest.mark.parametrize("sentences", [0, 1, 3])
def test_sides_without_words_have_no_links(sentences):
    one, other = empty_side(sentences), empty_side(sentences)
    none = entries(np.zeros((0, 0)), np.zeros((0, 0)))
    for terms in (None, none):
        found = span_links(one, other, none, 0, sentences, RUN, terms=terms)
        assert (len(found), found.dtype.names) == (0, ("pair", "source", "target", "link"))


@pytest.mark.parametrize(
    "spans",
    [([[], []], [[(0, 1, 0)], [(0, 1, 0)]]), ([[(0, 1, 0)], []], [[], [(0, 1, 0)]]),
     ([[], []], [[], []])],
)  # fmt: skip
def test_pairs_without_spans_on_both_sides_have_no_links(spans):
    one, other = (spanned([[0], [0]], some, floats(0.5), np.array([True]), 1) for some in spans)
    assert len(span_links(one, other, entries([[1.0]], [[1.0]]), 0, 2, RUN)) == 0


def test_words_that_are_never_aligned_have_no_links():
    none = np.zeros((1, 1))
    arguments = one_pair([0], [0], none, none, ([(0, 1, 0)], [(0, 1, 0)]), frequencies=0.5)
    for null_share in (0.0, 0.08):
        assert len(span_links(*arguments, null_share=null_share)) == 0


def crowded(sentences):
    """The same word 129 times in each sentence, with spans of one word and of two."""
    spans = [(start, start + n, n - 1) for start in range(129) for n in (1, 2) if start + n <= 129]
    return spanned([[0] * 129] * sentences, [spans] * sentences, floats(1.0), np.array([True]), 2)


def test_links_of_a_pair_are_found_however_many():
    # Each token comes from each with 1/129, so that the link of s words and t is sqrt(s t) / 129.
    one, other = crowded(3), crowded(3)
    found = span_links(one, other, entries([[1.0]], [[1.0]]), 0, 3, RUN)
    assert len(found) == 3 * 257**2 > 1 << 14
    np.testing.assert_array_equal(found["pair"], np.repeat(np.arange(3), 257**2))
    places = np.arange(257**2)
    lengths = np.array([1, 2] * 128 + [1])
    for pair in range(3):
        some = found[pair * 257**2 : (pair + 1) * 257**2]
        np.testing.assert_array_equal(some["source"], 257 * pair + places // 257)
        np.testing.assert_array_equal(some["target"], 257 * pair + places % 257)
        expected = np.sqrt(np.outer(lengths, lengths)).ravel() / 129
        np.testing.assert_allclose(some["link"], expected, rtol=1e-4)


def test_best_links_are_found_among_however_many():
    one, other = crowded(2), crowded(2)
    worths = np.array([[1.0, 0.0], [0.0, 0.0]])  # of single words
    words = entries([[1.0]], [[1.0]])
    found = span_links(one, other, words, 0, 2, RUN, terms=entries(worths, worths), position=1.0)
    # The nearest is worth most: each stands beside that at its own place.
    np.testing.assert_array_equal(found["source"], found["target"])
    assert len(found) == 2 * 129


# ---- the stop flag, and threads


def test_stop_flag_leaves_out_what_is_left_to_do():
    text = Made([([0, 1, 2], [0, 1, 2, 3])] * 5, 3, counting=1.0)
    assert len(text.links()) > 0
    assert len(text.links(stop=STOP)) == 0


@pytest.mark.usefixtures("no_thread_is_left")
def test_threads_at_once_find_the_same():
    rng = np.random.default_rng(0)
    text = Made([(rng.integers(0, 6, 9), rng.integers(0, 8, 9)) for _ in range(40)], 1)
    alone = text.links(null_share=0.08)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: text.links(null_share=0.08), range(12)):
            np.testing.assert_array_equal(found, alone)


# ---- what the border refuses

# Two sentences of three words and one, with two spans and one.
GIVEN = {
    "ids": ids(0, 1, 2, 1), "offsets": offsets(0, 3, 4),
    "spans": np.array([(0, 2, 0), (1, 3, 1), (0, 1, 1)], np.int32),
    "span_offsets": offsets(0, 2, 3), "frequencies": floats(0.25, 0.5, 0.25),
    "counts": np.array([True, True, False]), "terms": 2,
}  # fmt: skip


def side(**changed):
    return SpannedSide(*{**GIVEN, **changed}.values())


def spans_of(*rows):
    return {"spans": np.array(rows, np.int32).reshape(-1, 3)}


def test_a_side_says_how_large_it_is():
    found = side()
    assert (found.sentences, found.words, found.terms) == (2, 3, 2)
    assert (found.longest, found.most_spans) == (3, 2)


def test_arrays_that_may_not_be_written_are_read():
    locked = {name: value for name, value in GIVEN.items() if name != "terms"}
    for name, value in locked.items():
        locked[name] = value.copy()
        locked[name].flags.writeable = False
    assert side(**locked).sentences == 2


OUT_OF_ORDER = "not of the sentences, or out of order"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"ids": ids(0, 1, 3, 1)}, OUT_OF_ORDER),
        ({"ids": ids(0, 1, -1, 1)}, OUT_OF_ORDER),
        ({"ids": ids(0, 1, 2)}, "offsets must run"),
        ({"ids": ids()}, "offsets must run"),
        ({"ids": GIVEN["ids"].astype(np.int64)}, "mismatch"),
        ({"ids": GIVEN["ids"].astype(np.uint32)}, "mismatch"),
        ({"ids": GIVEN["ids"][:, None]}, "wrong number of dimensions"),
        ({"ids": ids(0, 9, 1, 9, 2, 9, 1, 9)[::2]}, "not C-contiguous"),
        ({"offsets": offsets(1, 3, 4)}, "offsets must run"),
        ({"offsets": offsets(0, 3, 5)}, "offsets must run"),
        ({"offsets": offsets(0, 4)}, "spans of each sentence"),
        ({"offsets": offsets()}, "spans of each sentence"),
        # Offsets that rise beyond the end and come back: nothing may be read by them.
        (
            {
                "offsets": offsets(0, 10**9, 4),
                **spans_of((0, 2, 0), (10**8, 10**8 + 2, 0), (0, 1, 1)),
            },
            OUT_OF_ORDER,
        ),
        ({"offsets": offsets(0, -(10**9), 4)}, OUT_OF_ORDER),
        ({"offsets": ids(0, 3, 4)}, "mismatch"),
        ({"span_offsets": offsets(0, 2, 4)}, "offsets must run"),
        ({"span_offsets": offsets(1, 2, 3)}, "offsets must run"),
        ({"span_offsets": offsets(0, 10**9, 3)}, OUT_OF_ORDER),
        ({"span_offsets": offsets(0, -(10**9), 3)}, OUT_OF_ORDER),
        ({"span_offsets": offsets(0, 3)}, "spans of each sentence"),
        ({"span_offsets": ids(0, 2, 3)}, "mismatch"),
        (spans_of((0, 2, 0), (1, 3, 1)), "offsets must run"),
        (spans_of((0, 2, 0), (1, 4, 1), (0, 1, 1)), OUT_OF_ORDER),  # goes on in the next sentence
        (spans_of((0, 2, 0), (1, 3, 1), (1, 2, 1)), OUT_OF_ORDER),  # after the end
        (spans_of((-1, 2, 0), (1, 3, 1), (0, 1, 1)), OUT_OF_ORDER),
        (spans_of((1, 1, 0), (1, 3, 1), (0, 1, 1)), OUT_OF_ORDER),  # of no words
        (spans_of((2, 1, 0), (2, 3, 1), (0, 1, 1)), OUT_OF_ORDER),
        (spans_of((1, 3, 1), (0, 2, 0), (0, 1, 1)), OUT_OF_ORDER),
        (spans_of((0, 2, 2), (1, 3, 1), (0, 1, 1)), OUT_OF_ORDER),  # another term
        (spans_of((0, 2, -1), (1, 3, 1), (0, 1, 1)), OUT_OF_ORDER),
        (spans_of((0, 2, 0), (2, 3, 1), (0, 1, 1)), OUT_OF_ORDER),  # no word of it counts
        ({"spans": GIVEN["spans"].astype(np.int64)}, "mismatch"),
        ({"spans": GIVEN["spans"].astype(np.float64)}, "mismatch"),
        ({"spans": GIVEN["spans"][:, :2]}, "first token, end and term"),
        ({"spans": GIVEN["spans"][0]}, "wrong number of dimensions"),
        ({"frequencies": floats(0.5, 0.5)}, "spans of each sentence"),
        ({"frequencies": np.ones(3)}, "mismatch"),
        ({"counts": np.array([True, True])}, "spans of each sentence"),
        ({"counts": np.ones(3, np.int64)}, "spans of each sentence"),
        ({"terms": 1}, OUT_OF_ORDER),
        ({"terms": -1}, OUT_OF_ORDER),
    ],
)
def test_sides_that_do_not_fit_are_refused(changed, message):
    with pytest.raises(ValueError, match=message):
        side(**changed)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"shape": (3, 3)}, "starts must run"),
        ({"shape": (-1, 3), "starts": offsets()}, "starts must run"),
        ({"shape": (2**63 - 1, 3)}, "starts must run"),
        ({"shape": (2, 2)}, "columns of each row"),
        ({"shape": (2, -1)}, "columns of each row"),
        ({"starts": offsets()}, "starts must run"),
        ({"starts": offsets(1, 1, 3)}, "starts must run"),
        ({"starts": offsets(0, 1, 4)}, "starts must run"),
        ({"starts": offsets(0, 10**9, 3)}, "columns of each row"),
        ({"starts": offsets(0, -(10**9), 3)}, "columns of each row"),
        ({"starts": ids(0, 1, 3)}, "mismatch"),
        ({"columns": ids(0, 1, 3)}, "columns of each row"),
        ({"columns": ids(-1, 1, 2)}, "columns of each row"),
        ({"columns": ids(0, 2, 1)}, "columns of each row"),
        ({"columns": ids(0, 1, 1)}, "columns of each row"),
        ({"columns": ids(0, 1)}, "starts must run"),
        ({"columns": offsets(0, 1, 2)}, "mismatch"),
        ({"forth": floats(1, 1)}, "starts must run"),
        ({"back": floats(1, 1, 1, 1)}, "starts must run"),
        ({"forth": np.ones(3)}, "mismatch"),
        ({"back": np.ones((3, 1), np.float32)}, "wrong number of dimensions"),
    ],
)
def test_entries_that_are_none_are_refused(changed, message):
    given_entries = {"shape": (2, 3), "starts": offsets(0, 1, 3), "columns": ids(0, 1, 2),
                     "forth": floats(1, 1, 1), "back": floats(1, 1, 1), **changed}  # fmt: skip
    with pytest.raises(ValueError, match=message):
        Entries(*given_entries.values())


def matrix(rows, columns):
    return entries(np.ones((rows, columns)), np.ones((rows, columns)))


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("changed", "options", "message"),
    [
        ({"target": empty_side(3, 3)}, {}, "differ in length"),
        ({"first": -1}, {}, "no such pairs"),
        ({"last": 3}, {}, "no such pairs"),
        ({"first": 2, "last": 1}, {}, "no such pairs"),
        ({"words": matrix(2, 3)}, {}, "a row for each source word"),
        ({"words": matrix(3, 4)}, {}, "a row for each source word"),
        ({"stop": RUN[:0]}, {}, "a stop flag is wanted"),
        ({"stop": RUN.astype(np.int64)}, {}, "mismatch"),
        ({}, {"terms": matrix(3, 2)}, "a row for each source term"),
        ({}, {"terms": matrix(2, 1)}, "a row for each source term"),
        *(
            ({}, {name: value}, "must be numbers from 0")
            for name in ("position", "null_share", "least")
            for value in (-1.0, NAN)
        ),
        # Infinite, or so once it is a float of 32 bits.
        *(
            ({}, {name: value}, "must be numbers from 0")
            for name in ("position", "null_share")
            for value in (INF, 1e39)
        ),
    ],
)
def test_texts_that_do_not_fit_are_refused(changed, options, message):
    given_text = {"source": side(), "target": side(), "words": matrix(3, 3), "first": 0, "last": 2,
                  "stop": RUN, **changed}  # fmt: skip
    with pytest.raises(ValueError, match=message):
        span_links(*given_text.values(), **options)


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_none_is_no_side_and_no_matrix(missing):
    arguments = [side(), side(), matrix(3, 3)]
    arguments[missing] = None
    with pytest.raises(TypeError, match="incorrect type"):
        span_links(*arguments, 0, 2, RUN)


@settings(max_examples=200)
@given(
    st.lists(st.integers(-2, 5), max_size=6), st.lists(st.integers(-2, 8), max_size=4),
    st.lists(st.tuples(*[st.integers(-2, 5)] * 3), max_size=5),
    st.lists(st.integers(-2, 8), max_size=4), st.integers(0, 5), st.integers(-1, 5),
)  # fmt: skip
def test_whatever_is_not_refused_has_links(tokens, places, spans, span_places, words, terms):
    try:
        made = SpannedSide(
            ids(*tokens), offsets(*places), **spans_of(*spans), span_offsets=offsets(*span_places),
            frequencies=np.ones(words, np.float32), counts=np.ones(words, bool), terms=terms,
        )  # fmt: skip
    except ValueError:
        return
    assert made.longest <= len(tokens)
    found = span_links(made, made, matrix(words, words), 0, made.sentences, RUN)
    assert len(found) >= len(spans)
