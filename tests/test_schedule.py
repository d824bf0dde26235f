from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from draws import chi_square, is_usual
from hypothesis import given, settings
from hypothesis import strategies as st
from schedules import corpus, parallel, schedule

from gensim_bilbowa.training import PairSource, TextSource


@settings(max_examples=60)
@given(st.lists(st.integers(0, 30), max_size=60), st.integers(1, 50))
def test_spans_of_a_text_cover_each_sentence_once(lengths, batch_words):
    source = TextSource("en", corpus(lengths), batch_words)
    pieces = list(source.pieces(0))
    covered = [s for (first, last), _, _ in pieces for s in range(first, last)]
    assert len(pieces) == source.work(0)[0]
    assert sum(words for *_, words in pieces) == sum(lengths)
    assert covered == sorted(set(covered))
    assert sum(np.array(lengths, int)[covered]) == sum(lengths)


def test_spans_hold_about_batch_words():
    source = TextSource("en", corpus([7] * 1000), 100)
    words = [words for *_, words in source.pieces(0)]
    assert max(words) <= 100 + 7
    assert len(words) == 70


@settings(max_examples=60)
@given(st.integers(1, 40), st.floats(0.1, 7), st.integers(1, 60))
def test_each_pair_is_visited_as_often_as_the_passes_say(n, passes, batch_words):
    source = PairSource(parallel([3] * n, [4] * n), passes, batch_words, seed=1)
    epochs = 5
    order = np.concatenate(
        [np.empty(0, int), *(piece[1] for e in range(epochs) for piece in source.pieces(e))]
    )
    visits = np.bincount(order, minlength=n)
    assert len(order) == round(passes * epochs * n)
    assert visits.max() - visits.min() <= 1
    for e in range(epochs):
        assert len(list(source.pieces(e))) == source.work(e)[0]


def test_every_pass_has_an_order_of_its_own():
    source = PairSource(parallel([3] * 50, [4] * 50), 2, 10_000, seed=1)
    passes = [
        piece[1][at : at + 50] for e in range(2) for piece in source.pieces(e) for at in (0, 50)
    ]
    assert all(sorted(p) == list(range(50)) for p in passes)
    assert len({tuple(p) for p in passes}) == 4


def test_orders_of_successive_passes_are_uniform_and_independent():
    n, passes = 4, 12_000
    source = PairSource(parallel([1] * n, [1] * n), 2, 10_000, seed=1)
    of = {order: i for i, order in enumerate(permutations(range(n)))}
    drawn = [
        of[tuple(both[at : at + n].tolist())]
        for epoch in range(passes // 2) for _, both, _ in source.pieces(epoch) for at in (0, n)
    ]  # fmt: skip
    within = np.zeros((24, 24))
    np.add.at(within, (drawn[::2], drawn[1::2]), 1)
    assert is_usual(chi_square(within, passes / 2 / 24**2), 24**2 - 1)
    between = np.zeros((24, 24))
    np.add.at(between, (drawn[1:-1:2], drawn[2::2]), 1)
    assert is_usual(chi_square(between, (passes / 2 - 1) / 24**2), 24**2 - 1)


def test_unusable_pairs_are_not_visited():
    source = PairSource(parallel([3, 0, 2, 1], [4, 4, 0, 1]), 1, 100, seed=1)
    assert sorted(np.concatenate([piece[1] for piece in source.pieces(0)])) == [0, 3]


def test_jobs_of_all_sources_advance_at_the_same_pace():
    texts = [TextSource("en", corpus([10] * 400), 100), TextSource("de", corpus([10] * 40), 100)]
    pairs = [PairSource(parallel([5] * 100, [5] * 100), 2, 100, seed=1)]
    owners = np.array([job.source for job in schedule(texts, pairs).epoch(0)])
    for source in range(3):
        mine = np.flatnonzero(owners == source)
        ideal = (np.arange(len(mine)) + 0.5) / len(mine) * len(owners)
        assert np.abs(mine + 0.5 - ideal).max() <= len(owners) / len(mine) * 0.5 + 2


def test_texts_of_one_length_take_turns():
    texts = [TextSource(code, corpus([10] * 400), 100) for code in ("en", "de", "fr")]
    owners = [job.source for job in schedule(texts, []).epoch(0)]
    assert owners == [0, 1, 2] * 40


def test_learning_rate_falls_in_one_line_over_the_work_of_all_epochs():
    plan = schedule(
        [TextSource("en", corpus([10] * 200), 50)],
        [PairSource(parallel([5] * 100, [5] * 100), 1, 50, seed=1)],
        epochs=3, start_alpha=0.3, end_alpha=0.1,
    )  # fmt: skip
    done, total = 0, 3 * (2000 + 1000)
    for epoch in range(3):
        for job in plan.epoch(epoch):
            assert job.alpha == pytest.approx(0.3 - 0.2 * done / total)
            done += job.words
    assert plan.alpha() == pytest.approx(0.1)


def test_seeds_differ_between_jobs_epochs_and_runs():
    texts = [TextSource("en", corpus([10] * 200), 50)]
    seeds = [
        job.seed
        for first in (0, 5)
        for epoch in (0, 1)
        for job in schedule(texts, [], epochs=2, first_epoch=first).epoch(epoch)
    ]
    assert len(set(seeds)) == len(seeds)
    again = [job.seed for job in schedule(texts, []).epoch(0)]
    assert again == seeds[: len(again)]


def test_jobs_from_one_on_are_those_of_the_whole_epoch():
    def make(**options):
        sources = (
            [TextSource("en", corpus([7] * 100), 50)],
            [PairSource(parallel([3] * 30, [4] * 30), 1.5, 20, seed=1)],
        )
        return schedule(*sources, epochs=2, **options)

    whole = make()
    jobs = [list(whole.epoch(number)) for number in range(2)]
    assert len(jobs[1]) == whole.jobs(1)
    done = sum(job.words for job in (*jobs[0], *jobs[1][:5]))
    rest = list(make(done=done).epoch(1, 5))
    assert [vars(job) | {"order": None} for job in rest] == [
        vars(job) | {"order": None} for job in jobs[1][5:]
    ]
    for ours, theirs in zip(rest, jobs[1][5:], strict=True):
        np.testing.assert_array_equal(ours.order, theirs.order)


def test_number_of_jobs_is_known_beforehand_in_each_epoch_of_a_later_run():
    plan = schedule(
        [], [PairSource(parallel([3] * 7, [4] * 7), 0.4, 1, seed=1)], epochs=5, first_epoch=3
    )
    assert [plan.jobs(n) for n in range(5)] == [len(list(plan.epoch(n))) for n in range(5)]
    assert len({plan.jobs(n) for n in range(5)}) > 1
