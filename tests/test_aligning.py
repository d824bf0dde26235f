"""Word alignment: its kernel, what is counted of both directions, and what is made of it."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
import twin
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import LONG, bilbowa_threads
from scipy import sparse

from gensim_bilbowa.corpora import EncodedCorpus
from gensim_bilbowa.evidence import (
    AlignedCounts,
    Evidence,
    Spelling,
    Words,
    align,
    translation_weights,
)
from gensim_bilbowa.evidence import aligned as aligned_module
from gensim_bilbowa.evidence import alignment as alignment_module
from gensim_bilbowa.evidence.alignment import estimate
from gensim_bilbowa.evidence.spelling import spelt, stems
from gensim_bilbowa.kernels import Alike, Bitext, Classes, Rows
from gensim_bilbowa.kernels import Spelling as Pieces
from gensim_bilbowa.teams import simulate

pytestmark = pytest.mark.usefixtures("no_thread_is_left")

RUN, STOP = np.zeros(1, np.int32), np.ones(1, np.int32)


def encoded(sentences):
    ids = np.array([word for sentence in sentences for word in sentence], np.int32)
    offsets = np.append(0, np.cumsum([len(sentence) for sentence in sentences])).astype(np.int64)
    return EncodedCorpus(ids, offsets, len(ids))


def sides(pairs):
    return tuple(encoded(side) for side in zip(*pairs, strict=True))


def made_up(n_pairs, sizes, lengths, seed=0):
    """Sentence pairs, as ids."""
    rng = np.random.default_rng(seed)
    return [
        tuple(rng.integers(0, size, rng.integers(*lengths)).astype(np.int32) for size in sizes)
        for _ in range(n_pairs)
    ]


def turned(pairs):
    return [pair[::-1] for pair in pairs]


@pytest.fixture
def in_parts(monkeypatch):
    """Sets the parts that the work is cut into."""

    def cut(pairs, words):
        monkeypatch.setattr(alignment_module, "_PAIR_PARTS", pairs)
        monkeypatch.setattr(alignment_module, "_WORD_PARTS", words)

    return cut


def of_words(words, others, weight):
    """What spelling makes of t, for the kernel and for the twin."""
    likeness = Spelling.compare(words, others).likeness(slice(0, len(words))).toarray()
    return Alike(weight, *spelt(words, others)), np.exp(weight * likeness.astype(np.float64))


def assert_counts(found, expected, **tolerance):
    """Those of an estimate, forth and back, are these."""
    for counts, of_twin in zip((found.forth, found.back), expected, strict=True):
        np.testing.assert_allclose(counts.toarray(), of_twin, **tolerance)


def assert_same_counts(found, expected):
    """To the bit."""
    for name in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


# ---- the estimate beside its twin

SIZES = 7, 9
texts_of_both = st.lists(
    st.tuples(*(st.lists(st.integers(0, n - 1), min_size=1, max_size=9) for n in SIZES)).map(
        lambda pair: tuple(np.array(side, np.int32) for side in pair)
    ),
    min_size=1, max_size=8,
)  # fmt: skip


@settings(max_examples=60)
@given(
    texts_of_both,
    st.integers(1, 4),
    st.sampled_from([0.0, 0.5, 2.0]),
    st.sampled_from([0.0, 0.08, 0.5]),
    st.sampled_from([0.0, 0.0123456]),
    st.integers(1, 70),
)
def test_counts_are_those_of_the_dense_twin(pairs, passes, position, null, least, parts):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment_module, "_PAIR_PARTS", parts)
        patch.setattr(alignment_module, "_WORD_PARTS", parts)
        found = estimate(
            sides(pairs), SIZES, passes, position=position, null=null, least=least,
            likelihoods=least == 0,
        )  # fmt: skip
    *counts, sums = twin.align(pairs, SIZES, passes, position=position, null=null, least=least)
    assert_counts(found, counts, rtol=1e-3, atol=1e-5)
    if least == 0:
        assert found.log_likelihoods == pytest.approx(sums, rel=1e-4, abs=1e-4)


LETTERS = st.text("abc", min_size=1, max_size=5)


@settings(max_examples=60)
@given(
    texts_of_both,
    st.lists(LETTERS, min_size=SIZES[0], max_size=SIZES[0], unique=True),
    st.lists(LETTERS, min_size=SIZES[1], max_size=SIZES[1], unique=True),
    st.integers(1, 3),
    st.integers(1, 3),
)
def test_classes_and_spelling_are_those_of_the_dense_twin(pairs, words, others, passes, coarse):
    alike, boost = of_words(words, others, 3.0)
    classes = stems(words), stems(others)
    options = {"position": 2.0, "null": 0.08, "least": 1.23456e-3, "classes": classes,
               "class_passes": coarse}  # fmt: skip
    found = estimate(sides(pairs), SIZES, passes, alike=alike, **options)
    *counts, _ = twin.align(pairs, SIZES, passes, boost=boost, **options)
    assert_counts(found, counts, rtol=2e-3, atol=1e-4)


@pytest.mark.parametrize("lengths", LONG.values(), ids=LONG)
@pytest.mark.parametrize("position", [0.0, 2.0])
def test_long_sentences_are_those_of_the_dense_twin(lengths, position):
    rng = np.random.default_rng(1)
    sizes = 40, 50
    pairs = [
        tuple(
            rng.integers(0, size, n).astype(np.int32)
            for size, n in zip(sizes, lengths, strict=True)
        ),
        *made_up(20, sizes, (1, 12)),
    ]
    found = estimate(sides(pairs), sizes, 3, position=position, null=0.08, likelihoods=True)
    *counts, sums = twin.align(pairs, sizes, 3, position=position, null=0.08)
    assert_counts(found, counts, rtol=1e-3, atol=1e-4)
    assert found.log_likelihoods == pytest.approx(sums, rel=1e-4)


def test_either_direction_is_that_of_the_dense_twin():
    pairs = made_up(60, (15, 25), (1, 15))
    for given_pairs, sizes in ((pairs, (15, 25)), (turned(pairs), (25, 15))):
        found = estimate(sides(given_pairs), sizes, 4, position=2.0, null=0.08)
        *counts, _ = twin.align(given_pairs, sizes, 4, position=2.0, null=0.08)
        assert_counts(found, counts, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("classes", [False, True])
def test_what_goes_back_is_what_goes_forth_in_the_other_order(classes):
    sizes = 30, 40
    pairs = made_up(80, sizes, (1, 15))
    options = {"position": 2.0, "null": 0.08, "least": 1.234e-3}
    labels = tuple(np.arange(n, dtype=np.int32) // 3 for n in sizes)
    one, other = (
        estimate(
            sides(in_order), sizes[::way], 4, class_passes=2,
            classes=labels[::way] if classes else None, **options,
        )
        for in_order, way in ((pairs, 1), (turned(pairs), -1))
    )  # fmt: skip
    assert_counts(one, [other.back.toarray().T, other.forth.toarray().T], rtol=1e-3, atol=1e-4)


def test_counts_of_both_ways_have_the_same_entries():
    found = estimate(sides(made_up(200, (30, 40), (1, 15))), (30, 40), 4, null=0.1, least=0.05)
    np.testing.assert_array_equal(found.forth.indptr, found.back.indptr)
    np.testing.assert_array_equal(found.forth.indices, found.back.indices)
    some = found.forth.data < 0.05
    assert (some & (found.back.data >= 0.05)).any()
    assert not (some & (found.back.data < 0.05)).any()


@pytest.mark.parametrize("parts", [(1, 1), (3, 2), (8, 64), (500, 500)])
def test_parts_of_the_work_change_nothing_but_the_order_of_sums(in_parts, parts):
    pairs = made_up(80, (30, 40), (1, 15))
    whole = estimate(sides(pairs), (30, 40), 4, position=2.0, null=0.08)
    in_parts(*parts)
    found = estimate(sides(pairs), (30, 40), 4, position=2.0, null=0.08)
    assert_counts(found, [whole.forth.toarray(), whole.back.toarray()], rtol=1e-4)


@pytest.mark.parametrize("n_pairs", [1, 7, 400])
def test_result_does_not_depend_on_the_number_of_workers(n_pairs):
    pairs = sides(made_up(n_pairs, (50, 60), (1, 15)))
    words, others = ([f"{code}{i:02}" for i in range(n)] for code, n in (("e", 50), ("d", 60)))
    one, *more = (align([pairs], words, others, workers=workers) for workers in (1, 2, 5))
    for other in more:
        assert_same_counts(other, one)


@pytest.mark.parametrize("size", [2, 3, 70])
@pytest.mark.parametrize("n_pairs", [1, 7, 400])
def test_ranks_of_a_team_find_together_what_one_finds_alone(n_pairs, size):
    pairs = sides(made_up(n_pairs, (50, 60), (1, 15)))
    words, others = ([f"{code}{i:02}" for i in range(n)] for code, n in (("e", 50), ("d", 60)))
    alone = align([pairs], words, others)
    assert alone.nnz
    for found in simulate(size, lambda team: align([pairs], words, others, team=team)):
        assert_same_counts(found, alone)


def test_ranks_take_turns_with_the_parts(monkeypatch):
    """Each part of each step is done once, and each rank does as many, but for one."""
    done = []

    class Noted(alignment_module._Steps):
        def all(self, work, parts):
            def noted(part, stop):
                done.append((self._done, self._team.rank, part))
                return work(part, stop)

            return super().all(noted, parts)

    monkeypatch.setattr(alignment_module, "_Steps", Noted)
    pairs = sides(made_up(400, (50, 60), (1, 15)))
    simulate(3, lambda team: estimate(pairs, (50, 60), 2, team=team))
    for step in range(4):
        parts = [part for number, _, part in done if number == step]
        ranks = [rank for number, rank, _ in done if number == step]
        assert len(set(parts)) == len(parts) > 6
        counts = [ranks.count(rank) for rank in range(3)]
        assert max(counts) - min(counts) <= 1


def test_words_that_do_not_stand_in_the_text_are_aligned_to_none():
    found = estimate(sides([([1], [2]), ([3], [2])]), (6, 4), 3)
    for counts in (found.forth, found.back):
        assert counts.toarray().tolist() == [
            [0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]
        ]  # fmt: skip


# ---- values by hand

# Koehn (2010), chapter 4: "the house", "the book", "a book"; "das Haus", "das Buch", "ein Buch".
KOEHN = [([0, 1], [0, 1]), ([0, 2], [0, 2]), ([3, 2], [3, 2])]


@pytest.mark.parametrize(
    ("passes", "the_das", "the_buch", "house_haus"),
    [(1, 0.5, 0.25, 0.5), (2, 0.6364, 0.1818, 0.5714), (3, 0.7479, 0.1208, 0.6534)],
)
def test_probabilities_are_koehns(passes, the_das, the_buch, house_haus):
    table = estimate(sides(KOEHN), (4, 4), passes).probabilities.toarray()
    found = [table[0, 0], table[0, 2], table[1, 1], table[2, 2], table[3, 3]]
    expected = [the_das, the_buch, house_haus, the_das, house_haus]
    assert found == pytest.approx(expected, abs=5e-5)


def test_likelihoods_are_koehns():
    # Perplexities of 4096 before the first pass and 202.3 after it.
    found = estimate(sides(KOEHN), (4, 4), 2, likelihoods=True).log_likelihoods
    assert np.exp2(-np.array(found) / np.log(2)) == pytest.approx([4096, 202.3], abs=0.05)


def test_likelihoods_are_computed_if_asked_for_only():
    assert estimate(sides(KOEHN), (4, 4), 3).log_likelihoods == []


def test_nothing_takes_its_part_of_each_token():
    # P(nothing) = 1 / 4: of two tokens of one word, three quarters each come from the source word;
    # and so do three quarters of that from them.
    found = estimate(sides([([0], [0, 0])]), (1, 1), 1, null=0.25)
    assert_counts(found, ([[1.5]], [[0.75]]), rtol=1e-6)


def test_a_prior_on_positions_takes_the_nearer_word():
    # u = 1 for words at the same place, exp(-2 / 2) for the others.
    found = estimate(sides([([0, 1], [0, 1])]), (2, 2), 1, position=2.0)
    near = 1 / (1 + np.exp(-1))
    assert_counts(found, [[[near, 1 - near], [1 - near, near]]] * 2, rtol=1e-5)


@given(texts_of_both, st.sampled_from([0.0, 0.2]))
def test_the_likelihood_never_falls(pairs, null):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment_module, "_NULL_LEAST", 1e-9)
        found = estimate(sides(pairs), SIZES, 8, null=null, likelihoods=True)
    assert len(found.log_likelihoods) == 8
    assert (np.diff(found.log_likelihoods) >= -1e-4).all()


@given(texts_of_both)
def test_each_token_is_counted_once(pairs):
    found = estimate(sides(pairs), SIZES, 3, position=2.0)
    ours, theirs = (
        np.bincount(np.concatenate(side), minlength=n)
        for side, n in zip(zip(*pairs, strict=True), SIZES, strict=True)
    )
    np.testing.assert_allclose(found.forth.sum(axis=0), theirs, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(found.back.sum(axis=1), ours, rtol=1e-4, atol=1e-4)


def test_classes_without_passes_are_not_begun_with():
    pairs = sides(made_up(20, SIZES, (1, 6)))
    classes = tuple(np.zeros(n, np.int32) for n in SIZES)
    with_classes = estimate(pairs, SIZES, 2, classes=classes, class_passes=0)
    without = estimate(pairs, SIZES, 2)
    assert_counts(with_classes, [without.forth.toarray(), without.back.toarray()], rtol=0)


# ---- what is aligned in both directions

EN = ["house", "book", "the", "a"]
DE = ["Haus", "Buch", "das", "ein"]


def test_words_of_both_directions_are_found():
    rng = np.random.default_rng(0)
    pairs = [(ids, rng.permutation(ids)) for ids in (rng.integers(0, 4, 3) for _ in range(200))]
    counts = align([sides(pairs)], EN, DE).toarray()
    assert counts.argmax(axis=1).tolist() == [0, 1, 2, 3]
    assert counts.dtype == np.float32


def test_counts_are_the_geometric_mean_of_both_directions():
    pairs = made_up(100, (4, 4), (1, 6))
    forth, back, _ = twin.align(
        pairs, (4, 4), 2, position=2.0, null=0.08, class_passes=2, least=1e-3,
        classes=(stems(EN), stems(DE)), boost=of_words(EN, DE, 3.0)[1],
    )  # fmt: skip
    expected = np.sqrt(forth * back)
    found = align([sides(pairs)], EN, DE).toarray()
    np.testing.assert_allclose(found, np.where(expected < 0.05, 0, expected), rtol=2e-3)


def test_the_other_order_of_languages_gives_the_transpose():
    pairs = made_up(100, (4, 4), (1, 6))
    one = align([sides(pairs)], EN, DE)
    other = align([sides(turned(pairs))], DE, EN)
    np.testing.assert_allclose(other.toarray(), one.toarray().T, rtol=1e-5)


def test_texts_are_aligned_together():
    pairs = made_up(60, (4, 4), (1, 6))
    whole = align([sides(pairs)], EN, DE)
    parts = align([sides(pairs[:25]), sides(pairs[25:])], EN, DE)
    assert (parts != whole).nnz == 0


def test_pairs_with_an_empty_side_tell_nothing():
    pairs = made_up(60, (4, 4), (1, 6))
    none = np.empty(0, np.int32)
    more = [pairs[0], (none, pairs[1][1]), *pairs[1:], (pairs[2][0], none), (none, none)]
    assert (align([sides(more)], EN, DE) != align([sides(pairs)], EN, DE)).nnz == 0


@pytest.mark.parametrize("pairs", [[([], [])], [([], [1]), ([2], [])]])
def test_text_without_a_usable_pair_tells_nothing(pairs):
    found = align([sides(pairs)], EN, DE)
    assert (found.shape, found.nnz, found.dtype) == ((4, 4), 0, np.float32)


def test_one_pair_of_one_word_is_aligned():
    assert align([sides([([0], [0])])], ["yes"], ["ja"]).toarray() == pytest.approx(0.92, abs=0.05)


def test_of_very_long_text_pairs_are_left_out_evenly(monkeypatch):
    pairs = made_up(60, (4, 4), (2, 3))
    monkeypatch.setattr(aligned_module, "_MOST_WORDS", 60)
    found = align([sides(pairs)], EN, DE)
    monkeypatch.undo()
    assert (found != align([sides(pairs[::2])], EN, DE)).nnz == 0


def test_progress_goes_from_0_to_1_and_never_falls():
    seen = []
    align([sides(made_up(50, (4, 4), (1, 6)))], EN, DE, report=seen.append, workers=2)
    assert seen == sorted(seen)
    assert 0 < seen[0] < 0.05
    assert seen[-1] == 1


# ---- the end by Ctrl-C


@pytest.mark.parametrize("at", [0.0, 0.3, 0.7, 0.99])
@pytest.mark.parametrize("workers", [1, 3])
def test_ctrl_c_ends_it_at_once(at, workers):
    later = []

    def report(part):
        if part > at:
            later.append(part)
            raise KeyboardInterrupt

    pairs = sides(made_up(300, (4, 4), (1, 6)))
    with pytest.raises(KeyboardInterrupt):
        align([pairs], EN, DE, workers=workers, report=report)
    assert len(later) == 1
    assert not bilbowa_threads()


def test_error_in_a_part_reaches_the_caller(monkeypatch):
    class Failing(Bitext):
        def rows(self, *arguments, **options):
            raise MemoryError("no room")

    monkeypatch.setattr(alignment_module, "Bitext", Failing)
    with pytest.raises(MemoryError, match="no room"):
        estimate(sides(KOEHN), (4, 4), 2, workers=2)


def small_text(**options):
    one, other = sides(KOEHN)
    given = {"source": one.ids, "source_offsets": one.offsets, "target": other.ids,
             "target_offsets": other.offsets, "source_words": 4, "target_words": 4,
             "position": 0.0, **options}  # fmt: skip
    return Bitext(*given.values())


HALVES = np.full(6, 0.5, np.float32)
GAINS = HALVES, HALVES


def test_stop_flag_leaves_out_what_is_left_to_do():
    text = small_text()
    before, sums = text.rows(0, 4, GAINS, RUN)
    assert len(before.columns) == 10
    assert sums.sum() == before.values[:, 1].sum() == 6
    stopped, sums = text.rows(0, 4, GAINS, STOP)
    assert stopped.starts.tolist() == [0] * 5
    assert not sums.any()
    assert len(text.rows(0, 4, GAINS, STOP, before=before, sums=np.ones(4))[0].columns) == 0
    gains = HALVES.copy(), HALVES.copy()
    null = np.ones(4, np.float32), np.ones(4, np.float32)
    text.gains(0, 3, [before], np.ones(4), HALVES, 0.0, null, gains, False, STOP)
    assert gains[0].tolist() == [0] * 6
    assert gains[1].tolist() == HALVES.tolist()


# ---- what the border refuses


def ids(*values):
    return np.array(values, np.int32)


def offsets(*values):
    return np.array(values, np.int64)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"source": ids(0, 1, 0, 2, 3, 4)}, "not that of a word"),
        ({"source": ids(0, 1, 0, 2, 3, -1)}, "not that of a word"),
        ({"target": ids(0, 1, 0, 2, 3, 4)}, "not that of a word"),
        ({"source_words": 3}, "not that of a word"),
        ({"target_words": 0}, "not that of a word"),
        ({"source_offsets": offsets(0, 2, 2, 6)}, "a sentence is empty"),
        ({"target_offsets": offsets(0, 4, 2, 6)}, "a sentence is empty"),
        ({"source_offsets": offsets(0, 2, 4, 5)}, "offsets must run"),
        ({"source_offsets": offsets(1, 2, 4, 6)}, "offsets must run"),
        ({"source_offsets": offsets(0)}, "offsets must run"),
        ({"source_offsets": offsets()}, "offsets must run"),
        ({"source": ids(), "source_offsets": offsets(0)}, "offsets must run"),
        ({"source_offsets": offsets(0, 2, 6)}, "differ in length"),
        ({"source": np.zeros(6)}, "mismatch"),
        ({"source": np.zeros((6, 1), np.int32)}, "wrong number of dimensions"),
        ({"source_offsets": ids(0, 2, 4, 6)}, "mismatch"),
        ({"source": np.zeros(12, np.int32)[::2]}, "not C-contiguous"),
        ({"position": -1.0}, "position must be"),
        ({"position": 100.0}, "position must be"),
        ({"position": float("nan")}, "position must be"),
    ],
)
def test_text_that_does_not_fit_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        small_text(**options)


def floats(*shape):
    return np.ones(shape, np.float32)


@pytest.mark.parametrize(
    ("starts", "columns", "values", "message"),
    [
        (offsets(), ids(), floats(0, 2), "starts must rise"),
        (offsets(0, 1), ids(), floats(0, 2), "starts must rise"),
        (offsets(1, 1), ids(0), floats(1, 2), "starts must rise"),
        (offsets(0, 2, 1, 3), ids(0, 0, 0), floats(3, 2), "starts decrease"),
        (offsets(0, 1), ids(0), floats(2, 2), "two values for each"),
        (offsets(0, 1), ids(0), floats(1, 1), "two values for each"),
        (offsets(0, 1), ids(-1), floats(1, 2), "negative"),
        (offsets(0, 1), ids(0), floats(1), "wrong number of dimensions"),
        (offsets(0, 1), ids(0), np.ones((1, 2)), "mismatch"),
        (offsets(0, 1), ids(0), floats(1, 4)[:, ::2], "not C-contiguous"),
    ],
)
def test_rows_that_are_none_are_refused(starts, columns, values, message):
    with pytest.raises(ValueError, match=message):
        Rows(0, starts, columns, values)
    with pytest.raises(ValueError, match="starts must rise"):
        Rows(-1, offsets(0), ids(), floats(0, 2))


def rows_of(n, columns=(), first=0):
    """Rows of which the first has some columns."""
    columns = ids(*columns)
    starts = np.full(n + 1, len(columns), np.int64)
    starts[0] = 0
    return Rows(first, starts, columns, floats(len(columns), 2))


@pytest.mark.parametrize(
    ("source", "target", "rows", "sums", "message"),
    [
        (ids(), ids(0), rows_of(1), 1, "of no words"),
        (ids(0), ids(), rows_of(1), 1, "of no words"),
        (ids(-1), ids(0), rows_of(1), 1, "negative"),
        (ids(0), ids(-1), rows_of(1), 1, "negative"),
        (ids(1), ids(0), rows_of(1), 1, "a row for each class"),
        (ids(0), ids(0), rows_of(1, first=1), 1, "a row for each class"),
        (ids(0), ids(1), rows_of(1), 1, "a sum for each class"),
        (ids(0), ids(0), rows_of(1, [1]), 1, "a sum for each class"),
        (ids(0), ids(0), rows_of(1), 0, "a sum for each class"),
    ],
)
def test_classes_that_do_not_fit_are_refused(source, target, rows, sums, message):
    with pytest.raises(ValueError, match=message):
        Classes(source, target, rows, np.ones(sums))


def test_spelling_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="not that of a word"):
        Pieces(offsets(0, 1), ids(3), 3)
    with pytest.raises(ValueError, match="a sentence is empty"):
        Pieces(offsets(0, 1, 1), ids(0), 3)
    for starts in (offsets(), offsets(1), offsets(0, 2)):
        with pytest.raises(ValueError, match="offsets must run"):
            Pieces(starts, ids(0), 3)
    one, other = Pieces(offsets(0, 1), ids(0), 3), Pieces(offsets(0, 1), ids(0), 4)
    with pytest.raises(ValueError, match="different pieces"):
        one.most_alike(other)
    with pytest.raises(ValueError, match="different pieces"):
        Alike(1.0, one, other)


def spelling(words):
    return Pieces(np.arange(words + 1), np.zeros(words, np.int32), 1)


SUMS = np.ones(4)


def classes_of(source, target):
    return Classes(ids(*[0] * source), ids(*[0] * target), rows_of(1), np.ones(1))


@pytest.mark.parametrize(
    ("given_rows", "options", "message"),
    [
        ((-1, 4, GAINS, RUN), {}, "no such words"),
        ((0, 5, GAINS, RUN), {}, "no such words"),
        ((3, 2, GAINS, RUN), {}, "no such words"),
        ((0, 4, (HALVES[:5], HALVES), RUN), {}, "for each target token"),
        ((0, 4, (HALVES, HALVES[:5]), RUN), {}, "for each target token"),
        ((0, 4, GAINS, RUN[:0]), {}, "stop flag"),
        ((0, 4, GAINS, RUN), {"before": rows_of(3), "sums": SUMS}, "of other words"),
        ((1, 4, GAINS, RUN), {"before": rows_of(3), "sums": SUMS}, "of other words"),
        ((0, 4, GAINS, RUN), {"before": rows_of(4, [4]), "sums": SUMS}, "of other words"),
        ((0, 4, GAINS, RUN), {"before": rows_of(4, [0] * 5), "sums": SUMS}, "of other words"),
        ((0, 4, GAINS, RUN), {"before": rows_of(4), "sums": SUMS[:3]}, "a sum for each"),
        ((0, 4, GAINS, RUN), {"before": rows_of(4)}, "a sum for each"),
        ((0, 4, GAINS, RUN), {"classes": classes_of(1, 4)}, "classes are those of other words"),
        ((0, 4, GAINS, RUN), {"classes": classes_of(4, 1)}, "classes are those of other words"),
        ((0, 4, GAINS, RUN), {"alike": Alike(1.0, spelling(4), spelling(3))},
         "spelling is that of other words"),
        ((0, 4, GAINS, RUN), {"alike": Alike(1.0, spelling(3), spelling(4))},
         "spelling is that of other words"),
    ],
)  # fmt: skip
def test_rows_of_other_words_are_refused(given_rows, options, message):
    with pytest.raises(ValueError, match=message):
        small_text().rows(*given_rows, **options)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"first": -1}, "no such pairs"),
        ({"last": 4}, "no such pairs"),
        ({"first": 2, "last": 1}, "no such pairs"),
        ({"norms": HALVES[:5]}, "for each target token"),
        ({"gains": (floats(7), floats(6))}, "for each target token"),
        ({"gains": (floats(6), floats(7))}, "for each target token"),
        ({"null": (floats(3), floats(4))}, "for each target word"),
        ({"null": (floats(4), floats(3))}, "for each target word"),
        ({"sums": SUMS[:3]}, "a sum for each target word"),
        ({"stop": RUN[:0]}, "stop flag"),
        ({"rows": []}, "a row for each source word"),
        ({"rows": [rows_of(3)]}, "a row for each source word"),
        ({"rows": [rows_of(5)]}, "a row for each source word"),
        ({"rows": [rows_of(2), rows_of(2, first=1)]}, "one after the other"),
        ({"rows": [rows_of(2, first=2), rows_of(2)]}, "one after the other"),
        ({"rows": [rows_of(4, [4])]}, "one after the other"),
    ],
)
def test_gains_of_other_words_are_refused(changed, message):
    given_gains = {"first": 0, "last": 3, "rows": [rows_of(4)], "sums": SUMS, "norms": HALVES,
                   "share": 0.0, "null": (floats(4), floats(4)), "gains": (floats(6), floats(6)),
                   "asked": False, "stop": RUN, **changed}  # fmt: skip
    with pytest.raises(ValueError, match=message):
        small_text().gains(*given_gains.values())


def test_norms_of_other_pairs_are_refused():
    with pytest.raises(ValueError, match="no such pairs"):
        small_text().norms(0, 4, floats(6))
    with pytest.raises(ValueError, match="for each target token"):
        small_text().norms(0, 3, floats(5))


def test_first_gains_of_other_words_are_refused():
    with pytest.raises(ValueError, match="no such words"):
        small_text().begin(0, 5, 0.0, floats(6))
    with pytest.raises(ValueError, match="for each target token and each source token"):
        small_text().begin(0, 4, 0.0, floats(5))
    with pytest.raises(ValueError, match="for each target token and each source token"):
        small_text().reordered(floats(5), by_token=True)


def test_norms_and_first_gains_are_of_sums_of_u():
    pairs = [(ids(0, 1, 2), ids(0, 1)), (ids(1), ids(1, 0, 2, 3))]
    one, other = sides(pairs)
    text = Bitext(one.ids, one.offsets, other.ids, other.offsets, 3, 4, 2.0)
    norms, back = floats(6), floats(4)
    text.norms(0, 2, norms)
    text.begin(0, 3, 0.25, back)
    forth, sums = (
        np.concatenate([twin.near(len(a), len(b), 2.0).sum(axis=axis) for a, b in pairs])
        for axis in (0, 1)
    )
    np.testing.assert_allclose(norms, forth, rtol=1e-5)
    by_token = text.reordered(back, by_token=True)
    np.testing.assert_allclose(by_token, 1 / (1.25 * sums), rtol=1e-5)


@given(texts_of_both)
def test_numbers_of_places_are_in_the_order_of_words_and_back_in_that_of_tokens(pairs):
    one, other = sides(pairs)
    text = Bitext(one.ids, one.offsets, other.ids, other.offsets, *SIZES, 0.0)
    numbers = np.arange(len(one.ids), dtype=np.float32)
    by_place = text.reordered(numbers, by_token=False)
    assert by_place.tolist() == np.argsort(one.ids, kind="stable").tolist()
    assert text.reordered(by_place, by_token=True).tolist() == numbers.tolist()


def test_a_text_says_how_large_it_is():
    text = small_text(target_words=5)
    assert (text.pairs, text.tokens, text.words) == (3, (6, 6), (5, 4))
    assert text.work.tolist() == [4, 2, 4, 2]


# ---- spelling


def folded(word):
    letters = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in letters if not unicodedata.combining(c))


WORDS = st.lists(st.text("abcä", min_size=0, max_size=6), min_size=1, max_size=8)


@given(*(st.lists(st.text(st.characters(), max_size=5), max_size=6) for _ in range(2)))
def test_likeness_is_the_cosine_of_sets_of_trigrams(words, others):
    def grams(word):
        marked = f"<{folded(word)}>"
        return {marked[i : i + 3] for i in range(len(marked) - 2)} or {marked}

    found = Spelling.compare(words, others).likeness(slice(0, len(words))).toarray()
    for i, one in enumerate(map(grams, words)):
        for j, other in enumerate(map(grams, others)):
            cosine = len(one & other) / (len(one) * len(other)) ** 0.5
            assert found[i, j] == pytest.approx(cosine, abs=1e-6)


@given(WORDS, WORDS)
def test_most_alike_are_those_of_the_likeness_of_all(words, others):
    one, other = spelt(words, others)
    best, likeness = one.most_alike(other)
    expected = Spelling.compare(words, others).likeness(slice(0, len(words))).toarray()
    np.testing.assert_allclose(likeness, expected.max(axis=1), rtol=1e-5)
    for i, j in enumerate(best):
        if j < 0:
            assert not expected[i].any()
        else:
            assert expected[i, j] == pytest.approx(likeness[i], rel=1e-5)


def test_of_words_that_are_as_alike_the_first_is_taken():
    one, other = spelt(["tree"], ["house", "trees", "treet", "trees"])
    assert one.most_alike(other)[0].tolist() == [1]


def test_words_that_share_nothing_are_like_none():
    one, other = spelt(["tree"], ["дом"])
    best, likeness = one.most_alike(other)
    assert (best.tolist(), likeness.tolist()) == ([-1], [0])


@given(WORDS, WORDS, st.floats(-2, 2, width=32), st.data())
def test_likeness_that_is_added_is_that_of_the_sparse_product(words, others, weight, data):
    known = Spelling.compare(words, others)
    first = data.draw(st.integers(0, len(words)))
    last = data.draw(st.integers(first, len(words)))
    before = np.random.default_rng(0).normal(size=(last - first, len(others))).astype(np.float32)
    scores = before.copy()
    known.add_to(scores, slice(first, last), weight)
    likeness = known.likeness(slice(first, last)).toarray()
    np.testing.assert_allclose(scores, before + weight * likeness, atol=1e-5)
    one, other = spelt(words, others)
    again = before.copy()
    one.add_likeness(other, first, last, weight, again)
    np.testing.assert_array_equal(again, scores)


@pytest.mark.parametrize(
    ("span", "shape", "message"),
    [
        ((-1, 1), (2, 3), "no such words"),
        ((0, 3), (3, 3), "no such words"),
        ((2, 1), (1, 3), "no such words"),
        ((0, 2), (1, 3), "a row for each word"),
        ((0, 2), (2, 2), "a row for each word"),
        ((0, 0), (1, 3), "a row for each word"),
    ],
)
def test_likeness_is_not_added_to_scores_of_other_words(span, shape, message):
    one, other = spelt(["tree", "cat"], ["tree", "cat", "sea"])
    with pytest.raises(ValueError, match=message):
        one.add_likeness(other, *span, 1.0, floats(*shape))
    with pytest.raises(ValueError, match="different pieces"):
        one.add_likeness(spelling(3), 0, 2, 1.0, floats(2, 3))
    with pytest.raises(ValueError, match="not C-contiguous"):
        one.add_likeness(other, 0, 2, 1.0, floats(2, 6)[:, ::2])


def test_some_words_are_as_alike_as_among_all():
    words, others = ["tree", "trees", "cat"], ["street", "cat", "tree", "sea"]
    ours, theirs = np.array([2, 0]), np.array([1, 2, 3])
    some = Spelling.compare(words, others).among(ours, theirs)
    whole = Spelling.compare(words, others).likeness(slice(None)).toarray()
    np.testing.assert_array_equal(some.likeness(slice(None)).toarray(), whole[np.ix_(ours, theirs)])
    scores = np.zeros((2, 3), np.float32)
    some.add_to(scores, slice(None), 1.0)
    np.testing.assert_allclose(scores, whole[np.ix_(ours, theirs)], rtol=1e-6)


@pytest.mark.parametrize(("words", "others"), [([], ["tree"]), (["tree"], []), ([], [])])
def test_no_words_are_like_none(words, others):
    known = Spelling.compare(words, others)
    shape = len(words), len(others)
    assert known.likeness(slice(None)).shape == shape
    known.add_to(np.zeros(shape, np.float32), slice(None), 1.0)
    one, other = spelt(words, others)
    best, likeness = one.most_alike(other)
    assert best.tolist() == [-1] * len(words)
    assert likeness.tolist() == [0] * len(words)
    some = Spelling.compare(["tree"], ["tree"]).among(*map(np.arange, shape))
    assert some.likeness(slice(None)).shape == shape


# ---- the score of what sentence pairs and spelling tell


def added(evidence, shape, words=slice(None)):
    scores = np.zeros(shape, np.float32)
    evidence.add_to(scores[words], words)
    return scores


def test_score_of_aligned_words_is_of_their_count_and_its_share():
    # a = 3 of 4 in its row and 3 in its column: 0.2 log 4 + 0.6 3 / sqrt(4 3); the others likewise.
    found = added(Evidence.of(counts_of([3, 1], [0, 5])), (2, 2))
    expected = [
        [0.2 * np.log(4) + 0.6 * 3 / np.sqrt(4 * 3), 0.2 * np.log(2) + 0.6 / np.sqrt(4 * 6)],
        [0, 0.2 * np.log(6) + 0.6 * 5 / np.sqrt(5 * 6)],
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_spelling_is_added_with_its_weight():
    alike = Spelling.compare(["music"], ["Musik", "Baum"])
    for given_weight, weight in (({}, 0.7), ({"weight": 2.0}, 2.0)):
        evidence = Evidence.of(counts_of([0, 4]), alike, **given_weight)
        assert evidence.weight == weight
        expected = [[weight * 0.6, 0.2 * np.log(5) + 0.6]]
        np.testing.assert_allclose(added(evidence, (1, 2)), expected, rtol=1e-6)
        found = added(Evidence.of(None, alike, **given_weight), (1, 2))
        np.testing.assert_allclose(found, [[weight * 0.6, 0]], rtol=1e-6)
    for nothing in (None, counts_of([0, 0])):
        assert not added(Evidence.of(nothing), (1, 2)).any()


@pytest.mark.parametrize("counted", [True, False])
@pytest.mark.parametrize("spelt_too", [True, False])
def test_evidence_of_some_words_and_of_the_other_order_is_a_part_of_the_whole(counted, spelt_too):
    words, others = ["tree", "trees", "cat"], ["street", "cat", "tree", "sea"]
    rng = np.random.default_rng(0)
    counts = sparse.csr_array(np.round(rng.random((3, 4)) * 3, 1).astype(np.float32))
    alike = Spelling.compare(words, others)
    evidence = Evidence.of(counts if counted else None, alike if spelt_too else None, 0.3)
    whole = added(evidence, (3, 4))
    assert whole.any() == (counted or spelt_too)
    np.testing.assert_allclose(added(evidence.turned(), (4, 3)), whole.T, rtol=1e-6)
    ours, theirs = np.array([2, 0]), np.array([1, 2, 3])
    part = whole[np.ix_(ours, theirs)]
    np.testing.assert_allclose(added(evidence.among(ours, theirs), (2, 3)), part, rtol=1e-6)
    np.testing.assert_allclose(added(evidence, (3, 4), slice(1, 3))[1:], whole[1:], rtol=1e-6)


# ---- counts of several texts


def counts_of(*rows):
    return sparse.csr_array(np.array(rows, np.float32))


def test_counts_are_found_in_either_order():
    known = AlignedCounts()
    known.add("en", "de", counts_of([1, 0, 2], [0, 3, 0]))
    assert known.between("en", "de", (2, 3)).toarray().tolist() == [[1, 0, 2], [0, 3, 0]]
    assert known.between("de", "en", (3, 2)).toarray().tolist() == [[1, 0], [0, 3], [2, 0]]
    assert known.between("en", "fr", (2, 3)) is None
    assert list(known) == [("en", "de")]
    assert len(known) == 1


def test_words_that_were_added_have_no_counts():
    known = AlignedCounts()
    known.add("en", "de", counts_of([1, 2]))
    assert known.between("en", "de", (2, 3)).toarray().tolist() == [[1, 2, 0], [0, 0, 0]]
    assert known.between("de", "en", (3, 2)).toarray().tolist() == [[1, 0], [2, 0], [0, 0]]
    assert known["en", "de"].shape == (1, 2)


def test_counts_of_further_text_are_added():
    known = AlignedCounts()
    known.add("en", "de", counts_of([1, 2]), 17)
    known.add("de", "en", counts_of([5, 0], [0, 0], [1, 4]), 18)
    assert known["en", "de"].toarray().tolist() == [[6, 2, 1], [0, 0, 4]]
    assert list(known) == [("en", "de")]
    assert known.texts("en", "de") == [17, 18]


def test_texts_are_known_by_their_numbers_in_either_order():
    known = AlignedCounts()
    known.add("en", "de", counts_of([1, 2]), 17)
    known.add("en", "fr", counts_of([1, 2]))
    assert known.knows("en", "de", 17)
    assert known.knows("de", "en", 17)
    assert not known.knows("en", "de", 18)
    assert not known.knows("en", "fr", 17)


def test_a_forgotten_language_is_in_no_counts():
    known = AlignedCounts()
    for codes in (("en", "de"), ("fr", "en"), ("de", "fr")):
        known.add(*codes, counts_of([1]), 17)
    known.forget("en")
    assert list(known) == [("de", "fr")]
    assert not known.knows("en", "de", 17)
    assert known.knows("de", "fr", 17)


# ---- weights


def weights(counts, ours, theirs, spelling_weight=0.0):
    def side(words):
        return Words(list(words), np.array(list(words.values()), np.int64))

    found = translation_weights(counts, side(ours), side(theirs), spelling_weight)
    return [matrix.toarray().tolist() for matrix in found]


def sharpened(counts):
    """a (a / m)^(m / (m + 20)), with m of the largest of its row and of its column."""
    a = np.array(counts, float)
    m = np.sqrt(a.max(axis=1, keepdims=True) * a.max(axis=0))
    return np.where(a > 0, a * (a / np.where(m > 0, m, 1)) ** (m / (m + 20)), 0)


def test_weights_are_the_sharper_the_more_is_known():
    # The best word of both weighs what it counts. Of one with 5, where 20 and 20 are the largest,
    # 5 (1 / 4)^(1 / 2); where 180 and 20 are, 5 (5 / 60)^(60 / 80).
    ours, theirs = (dict.fromkeys(words, 5) for words in (["tree", "cat"], ["Baum", "Tier"]))
    there, back = weights(counts_of([20, 5], [0, 20]), ours, theirs)
    np.testing.assert_allclose(there, [[20, 2.5], [0, 20]], rtol=1e-6)
    np.testing.assert_allclose(back, [[20, 0], [2.5, 20]], rtol=1e-6)
    there, _ = weights(counts_of([180, 5], [0, 20]), ours, theirs)
    np.testing.assert_allclose(there, [[180, 5 * (1 / 12) ** 0.75], [0, 20]], rtol=1e-6)


@given(st.integers(0, 1000))
def test_weights_of_well_known_words_are_those_of_numpy(seed):
    rng = np.random.default_rng(seed)
    counts = np.round(np.exp(rng.normal(size=(5, 6)) * 2) * (rng.random((5, 6)) < 0.5), 2)
    counts[range(5), range(5)] += 3
    counts[0, 5] += 3
    # Words of stems of their own that are aligned: nothing is told of them by others.
    ours, theirs = (dict.fromkeys((str(i) * 4 for i in range(n)), 1) for n in (5, 6))
    there, back = weights(counts_of(*counts), ours, theirs)
    expected = sharpened(counts)
    known = expected.sum(axis=1) >= 3
    np.testing.assert_allclose(np.array(there)[known], expected[known], rtol=1e-4)
    known = expected.sum(axis=0) >= 3
    np.testing.assert_allclose(np.array(back)[known], expected.T[known], rtol=1e-4)


def test_little_known_words_are_told_of_by_their_stems():
    # By stem "hous" is aligned to "haus" 3 times: 3 / (3 + 1) of half a count, of which "Haus" has
    # three quarters, as it has of the text. Back, "house" has nine tenths.
    there, back = weights(
        counts_of([0, 0], [3, 0]), {"houses": 1, "house": 9}, {"Haus": 3, "Hausen": 1}
    )
    np.testing.assert_allclose(there, [[0.375 * 0.75, 0.375 * 0.25], [3, 0]])
    np.testing.assert_allclose(back, [[0, 3], [0.375 * 0.1, 0.375 * 0.9]])


def test_small_parts_of_what_stems_tell_are_left_out():
    there, _ = weights(
        counts_of([0, 0], [3, 0]), {"houses": 1, "house": 9}, {"Haus": 999, "Hausen": 1}
    )
    np.testing.assert_allclose(there, [[0.375 * 0.999, 0], [3, 0]])


def test_words_most_alike_in_spelling_weigh_so_many_counts():
    # Three trigrams in common of five: <mu, mus, usi.
    there, back = weights(counts_of([0, 0]), {"music": 5}, {"Musik": 5, "Baum": 5}, 2.0)
    np.testing.assert_allclose(there, [[1.2, 0]], rtol=1e-6)
    np.testing.assert_allclose(back, [[1.2], [0]], rtol=1e-6)


@pytest.mark.parametrize(
    ("counts", "ours", "theirs"),
    [
        ([[3]], ["music"], ["Musik"]),  # both known well
        ([[0]], ["hand"], ["Sand"]),  # 2 of 4 in common: no more than half
        ([[0], [0]], ["musical", "music"], ["Musik"]),  # "Musik" is more like "music"
    ],
)
def test_other_words_alike_in_spelling_weigh_nothing_more(counts, ours, theirs):
    ours, theirs = dict.fromkeys(ours, 5), dict.fromkeys(theirs, 5)
    there, _ = weights(counts_of(*counts), ours, theirs, 2.0)
    assert there[0] == counts[0]


def test_vocabularies_without_words_have_no_weights():
    none = Words([], np.zeros(0, np.int64))
    some = Words(["a"], np.ones(1, np.int64))
    there, back = translation_weights(sparse.csr_array((0, 1), dtype=np.float32), none, some, 3.0)
    assert (there.shape, back.shape) == ((0, 1), (1, 0))
