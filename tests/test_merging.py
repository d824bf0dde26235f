"""What ranks have learnt, put together: the arithmetic, and who does what."""

from __future__ import annotations

import numpy as np
import pytest
import twin
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays as any_array
from schedules import corpus, parallel, schedule

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.kernels import Matrix, add_up, take_step, write_changes
from gensim_bilbowa.teams import Team, simulate
from gensim_bilbowa.training import Merger, PairSource, TextSource, merging
from gensim_bilbowa.training.dealing import make_deal

NUMBERS = st.floats(-(2.0**90), 2.0**90, width=32)


def bits(array):
    return np.ascontiguousarray(array, np.float32).view(np.uint32)


def halves(values):
    """bfloat16 of rows, by the kernel."""
    values = np.atleast_2d(np.asarray(values, np.float32))
    out = np.empty(values.shape, np.uint16)
    write_changes(values, np.zeros_like(values), out)
    return out


@given(any_array(np.float32, st.integers(1, 40), elements=st.floats(width=32, allow_nan=False)))
def test_bfloat16_is_the_nearest_one(values):
    expected = bits(twin.as_sent(values, True)) >> 16
    np.testing.assert_array_equal(halves(values)[0], expected)


def test_bfloat16_of_known_numbers():
    # The last two lie in the midst of two halves, and go to the even one.
    numbers = [1.0, -2.5, 3.14159274, 0.0, np.inf, 1 + 2**-8, 1 + 3 * 2**-8]
    assert [hex(half) for half in halves(numbers)[0]] == [
        "0x3f80", "0xc020", "0x4049", "0x0", "0x7f80", "0x3f80", "0x3f82",
    ]  # fmt: skip


def test_what_is_not_a_number_stays_so():
    (half,) = halves([np.nan])[0]
    assert np.isnan(np.uint32(int(half) << 16).view(np.float32))


@pytest.mark.parametrize("kind", [np.float32, np.uint16])
@given(st.data())
def test_arithmetic_is_that_of_the_twin(kind, data):
    n, rows, dim = data.draw(st.tuples(st.integers(1, 5), st.integers(1, 7), st.integers(1, 9)))
    shape = (n, rows, dim)
    ranks = data.draw(any_array(np.float32, shape, elements=NUMBERS))
    common, velocity = (
        data.draw(any_array(np.float32, shape[1:], elements=NUMBERS)) for _ in range(2)
    )
    with np.errstate(all="ignore"):
        expected, moved = twin.merge(ranks, common, velocity, kind is np.uint16)
    sent = np.empty(shape, kind)
    tables = [Matrix(rows, dim) for _ in ranks]
    for table, array, changes in zip(tables, ranks, sent, strict=True):
        table.array[...] = array
        write_changes(common, table.array, changes)
    step = np.empty(rows * dim, kind)
    add_up(sent.reshape(n, -1), 1 - 1 / n, velocity.reshape(-1), step)
    for table in tables:
        own = common.copy()
        take_step(step.reshape(rows, dim), own, table.array)
        np.testing.assert_array_equal(bits(own), bits(expected))
        np.testing.assert_array_equal(bits(table.array), bits(expected))
    np.testing.assert_array_equal(bits(velocity), bits(moved))


def test_rows_that_nobody_moved_keep_every_bit():
    common = np.array([[-0.0, 0.0, 1e-45]], np.float32)
    sent, step = np.empty((2, 3), np.float32), np.empty(3, np.float32)
    for changes in sent:
        write_changes(common, common.copy(), changes[None])
    add_up(sent, 0.5, np.zeros(3, np.float32), step)
    taken, now = common.copy(), np.empty_like(common)
    take_step(step[None], taken, now)
    np.testing.assert_array_equal(bits(taken), bits(common))
    np.testing.assert_array_equal(bits(now), bits(common))


def test_arrays_that_do_not_fit_are_refused():
    rows, other = np.zeros((3, 4), np.float32), np.zeros((3, 5), np.float32)
    for wrong in (
        lambda: write_changes(rows, other, rows),
        lambda: write_changes(rows, rows, rows[:2]),
        lambda: write_changes(rows, np.zeros((4, 3), np.float32).T, rows),
        lambda: take_step(rows[:2], rows, rows.copy()),
        lambda: take_step(rows, rows, rows[::-1]),
        lambda: take_step(rows, rows, np.lib.stride_tricks.as_strided(rows, rows.shape, (0, 4))),
        lambda: add_up(rows, 0.5, np.zeros(3, np.float32), np.zeros(4, np.float32)),
        lambda: add_up(rows[:0], 0.5, np.zeros(4, np.float32), np.zeros(4, np.float32)),
    ):
        with pytest.raises(ValueError, match="wanted"):
            wrong()


class Language:
    """What a merger needs of a language."""

    def __init__(self, *arrays):
        self.names = [f"array{i}" for i in range(len(arrays))]
        vars(self).update(zip(self.names, arrays, strict=True))

    def matrices(self):
        return [(self, name, len(getattr(self, name))) for name in self.names]


def run_all(parts):
    for part in parts:
        part(None)


class Tally:
    def share(self, team):
        team.wait()


def two_languages():
    texts = [TextSource(code, corpus([4] * 40), 10) for code in ("en", "de")]
    return schedule(texts, [PairSource(parallel([4] * 20, [5] * 20), 1, 10, seed=1)])


@pytest.mark.parametrize("bf16", [False, True])
@pytest.mark.parametrize("bytes_at_once", [1, 200, 1 << 22])
@pytest.mark.parametrize(("size", "workers"), [(2, 1), (3, 2), (5, 16)])
def test_merges_are_those_of_the_twin_however_they_are_sent(
    monkeypatch, size, workers, bytes_at_once, bf16
):
    monkeypatch.setattr(merging, "_BYTES", bytes_at_once)
    rng = np.random.default_rng(0)
    starts = [rng.normal(size=shape).astype(np.float32) for shape in ((11, 3), (2, 3), (1, 7))]
    moves = rng.normal(size=(3, size, 3, 100)).astype(np.float32)

    def moved(array, merge, rank, number):
        return array + moves[merge, rank, number, : array.size].reshape(array.shape)

    def work(team):
        first, second, third = (start.copy() for start in starts)
        languages = {"en": Language(first, second), "de": Language(third)}
        merger = Merger(team, two_languages(), languages, (), {}, workers)
        for merge in range(3):
            for number, array in enumerate((first, second, third)):
                array[...] = moved(array, merge, team.rank, number)
            merger.merge(Tally(), run_all)
        return first, second, third, merger.velocity()

    *results, (*arrays, velocity) = simulate(size, work, bf16=bf16)
    for number, (start, name) in enumerate(
        zip(starts, ("en/array0", "en/array1", "de/array0"), strict=True)
    ):
        common, speed = start, np.zeros_like(start)
        for merge in range(3):
            ranks = [moved(common, merge, rank, number) for rank in range(size)]
            common, speed = twin.merge(ranks, common, speed, bf16)
        for result in (*results, arrays):
            np.testing.assert_array_equal(bits(result[number]), bits(common))
        np.testing.assert_array_equal(bits(velocity[name]), bits(speed))


def test_a_merger_goes_on_from_the_velocity_it_is_given():
    start = np.arange(12, dtype=np.float32).reshape(4, 3)
    known = np.linspace(1, 2, 12, dtype=np.float32).reshape(4, 3)

    def work(team):
        array = start.copy()
        merger = Merger(team, two_languages(), {"en": Language(array)}, (), {"en/array0": known})
        before = merger.velocity()["en/array0"]
        merger.merge(Tally(), run_all)
        return before, array

    for before, array in simulate(3, work):
        np.testing.assert_array_equal(before, known)
        np.testing.assert_array_equal(bits(array), bits(twin.merge([start] * 3, start, known)[0]))


def test_moves_are_those_of_rank_0_and_turn_the_velocity_too():
    known = np.random.default_rng(0).normal(size=(5, 3)).astype(np.float32)
    rotation = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0].astype(np.float32)

    def work(team):
        arrays = {code: np.zeros((5, 3), np.float32) for code in ("en", "de")}
        languages = {code: Language(array) for code, array in arrays.items()}
        velocities = {"en/array0": known, "de/array0": known}
        merger = Merger(team, two_languages(), languages, (), velocities)

        def move():
            assert team.rank == 0
            arrays["en"] += 1
            arrays["de"] += 2
            return [("en", rotation), ("en", rotation)]

        merger.follow(move)
        velocity = merger.velocity()
        merger.merge(Tally(), run_all)
        return velocity, arrays

    for velocity, arrays in simulate(3, work):
        np.testing.assert_allclose(velocity["en/array0"], known @ rotation @ rotation, atol=1e-6)
        np.testing.assert_array_equal(velocity["de/array0"], known)
        # What they all have is what the next merge goes on from.
        for code, start in (("en", 1), ("de", 2)):
            moved = np.full((5, 3), start, np.float32)
            expected = twin.merge([moved] * 3, moved, velocity[f"{code}/array0"])[0]
            np.testing.assert_array_equal(bits(arrays[code]), bits(expected))


# ---- who does what


def team_of(size, **options):
    team = Team(**options)
    team.size = size
    return team


def plan(texts, pairs, epochs=2, **options):
    """A schedule of texts with so many words, and of pairs with so many pairs of ten words."""
    sources = [TextSource(code, corpus([10] * (words // 10)), 50) for code, words in texts.items()]
    both = []
    for codes, n in pairs.items():
        both.append(PairSource(parallel([5] * n, [5] * n, codes), 1, 50, seed=1))
    return schedule(sources, both, epochs=epochs, **options)


HUB = {("en", "de"): 200, ("en", "fr"): 200, ("en", "cs"): 200}
TEXTS = {"en": 3000, "de": 3000, "fr": 3000, "cs": 3000}
SIZES = dict.fromkeys(TEXTS, 1000)


def test_without_owners_ranks_take_turns():
    work = plan(TEXTS, HUB)
    deal = make_deal(work, SIZES, (), team_of(3, owners=False))
    ranks = deal.ranks(work, 0)
    assert deal.owners == {}
    assert ranks.tolist() == [job % 3 for job in range(work.jobs(0))]


def test_languages_around_a_hub_belong_to_ranks_where_that_sends_less():
    work = plan(TEXTS, HUB, pulls=20)
    deal = make_deal(work, SIZES, (), team_of(3))
    assert sorted(deal.owners) == ["cs", "de", "fr"]
    assert sorted(deal.owners.values()) == [0, 1, 2]
    turns, ranks = work.turns(0), deal.ranks(work, 0)
    for number, source in enumerate(work.sources):
        codes = [source.language] if number < 4 else source.pairs.languages
        owners = {deal.owners[code] for code in codes if code in deal.owners}
        if owners:
            assert {*ranks[turns == number]} == owners
    words = np.bincount(ranks, weights=np.array(work.words_of_a_job(0))[turns])
    assert words.max() < 1.05 * words.mean()


@pytest.mark.parametrize(("size", "pairs", "texts"), [
    (2, {("en", "de"): 200}, {"en": 3000, "de": 3000}),  # one would have two thirds of the work
    (6, HUB, TEXTS),  # three would have none but the hub's text
    (2, {("en", "de"): 200, ("de", "fr"): 200, ("fr", "en"): 200}, {}),
])  # fmt: skip
def test_languages_belong_to_nobody_where_that_would_keep_ranks_waiting(size, pairs, texts):
    assert make_deal(plan(texts, pairs), SIZES, (), team_of(size)).owners == {}


def test_a_language_with_most_of_the_work_is_shared():
    deal = make_deal(plan({**TEXTS, "de": 30_000}, HUB), SIZES, (), team_of(3))
    assert sorted(deal.owners) == ["cs", "fr"]
    assert deal.owners["cs"] != deal.owners["fr"]


def test_as_few_languages_are_shared_as_can_be():
    # Two hubs, linked by pairs of their own: to share one of them is not enough.
    pairs = {("en", "fr"): 200, ("en", "de"): 200, ("en", "nl"): 200, ("fr", "it"): 200,
             ("fr", "es"): 200}  # fmt: skip
    texts = dict.fromkeys(("en", "fr", "de", "nl", "it", "es"), 3000)
    deal = make_deal(plan(texts, pairs), dict.fromkeys(texts, 10), (), team_of(4))
    assert sorted(deal.owners) == ["de", "es", "it", "nl"]
    # Between two ranks the work can be divided with the first of them alone.
    deal = make_deal(plan(texts, pairs), dict.fromkeys(texts, 10), (), team_of(2))
    assert sorted(deal.owners) == ["de", "es", "fr", "it", "nl"]
    assert deal.owners["fr"] == deal.owners["it"] == deal.owners["es"]


def test_separate_pairs_of_languages_are_merged_not_at_all():
    texts = {"en": 3000, "de": 3000, "fr": 3000, "it": 3000}
    deal = make_deal(plan(texts, {("en", "de"): 300, ("fr", "it"): 300}),
                     dict.fromkeys(texts, 10), (), team_of(2))  # fmt: skip
    assert sorted(deal.owners) == ["de", "en", "fr", "it"]
    assert deal.owners["en"] == deal.owners["de"] != deal.owners["fr"] == deal.owners["it"]


def test_a_frozen_hub_is_not_merged():
    texts = {code: words for code, words in TEXTS.items() if code != "en"}
    sizes = dict.fromkeys(texts, 10)
    deal = make_deal(plan(texts, HUB), sizes, {"en"}, team_of(3))
    assert sorted(deal.owners.items()) == sorted(
        (code, deal.owners[code]) for code in ("de", "fr", "cs")
    )
    assert sorted(deal.owners.values()) == [0, 1, 2]


def test_owners_can_be_forced():
    deal = make_deal(plan({"en": 3000, "de": 3000}, {("en", "de"): 200}),
                     {"en": 10, "de": 10}, (), team_of(2, owners=True))  # fmt: skip
    assert len(deal.owners) == 1


def test_owners_without_a_language_to_own_are_an_error():
    work = plan({}, {("en", "de"): 200})
    with pytest.raises(ConfigError, match="no language"):
        make_deal(work, {}, {"en", "de"}, team_of(2, owners=True))


@given(st.integers(1, 9), st.integers(1, 400), st.integers(0, 7), st.integers(0, 5))
def test_places_are_as_many_as_asked_and_in_order(epochs, times, jobs_de, jobs_en):
    texts = {"en": 50 * jobs_en + 50, "de": 50 * jobs_de}
    work = plan(texts, {}, epochs=epochs)
    places = [work.places(times, epoch) for epoch in range(epochs)]
    assert sum(map(len, places)) == times
    for epoch, found in enumerate(places):
        assert found == sorted(found)
        assert all(0 < place <= work.jobs(epoch) for place in found)
    assert places[-1][-1] == work.jobs(epochs - 1)
