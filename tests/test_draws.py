"""What training draws at random has the distributions that it is documented to have.

With one worker and with two, over all jobs and epochs of a training. Each test has a fixed seed and
would fail once in a million seeds.
"""

from __future__ import annotations

import numpy as np
import pytest
from draws import by_word, chi_square, distance_of_sets, is_usual, trained

# Every test here is run with each instruction set that this processor has.
pytestmark = pytest.mark.usefixtures("level")

workers = pytest.mark.parametrize("workers", [1, 2])
EPOCHS = 20


# Sentences of two words, which stand nowhere else: what is predicted from either is known.
COUPLES = {("a", "b"): 900, ("c", "d"): 500, ("e", "f"): 300, ("g", "h"): 150, ("i", "j"): 80}


def couples(seed, prefix=""):
    rows = [[prefix + word for word in couple] for couple, n in COUPLES.items() for _ in range(n)]
    np.random.default_rng(seed).shuffle(rows)
    return rows


def noise_statistic(noise, model, context, own, windows, negative, shared, exponent):
    """How far the noise words that stood against `own`, predicted from `context`, are from those
    of the power of the counts: the statistic and its degrees of freedom.
    """
    wv = model.wv_en
    words = [word for word in wv.index_to_key if word != own] + [own]
    hits = noise[by_word(model, "en", words)][:, context]
    chance = np.array([wv.get_vecattr(word, "count") for word in words]) ** exponent
    chance /= chance.sum()
    assert hits[-1] == 0  # noise that is the word itself is left out
    if shared:  # and so are words drawn twice
        return distance_of_sets(hits[:-1], windows, chance, negative), len(words) - 1
    hits[-1] = windows * negative - hits.sum()
    return chi_square(hits, windows * negative * chance), len(words) - 1


def noise_of_text(ledger, model, negative, shared, exponent):
    noise = -ledger.targets(0)
    statistic = freedom = 0
    for couple, n in COUPLES.items():
        for own, context in (couple, couple[::-1]):
            row, column = by_word(model, "en", [own, context])
            noise[row, column] += EPOCHS * n
            one, more = noise_statistic(
                noise, model, column, own, EPOCHS * n, negative, shared, exponent
            )
            statistic, freedom = statistic + one, freedom + more
    return statistic, freedom


def texts():
    return {"en": couples(1), "de": couples(2)}


@workers
@pytest.mark.parametrize("mode", [{}, {"shared_negatives": False}, {"sg": 0}])
@pytest.mark.parametrize("negative", [1, 5])
def test_noise_words_follow_the_power_of_their_counts(monkeypatch, mode, negative, workers):
    shared = mode.get("shared_negatives", True)
    ledger, model = trained(
        monkeypatch, texts(), window=2, negative=negative, epochs=EPOCHS, workers=workers, **mode
    )
    assert is_usual(*noise_of_text(ledger, model, negative, shared, 0.75))
    # and the test would notice if they did not
    assert not is_usual(*noise_of_text(ledger, model, negative, shared, 0.7))


@workers
@pytest.mark.parametrize("shared", [True, False])
def test_reach_of_a_window_is_uniform(monkeypatch, shared, workers):
    window, n, words = 6, 300, [f"w{i}" for i in range(30)]
    # Noise is only one word, which stands alone: of the others a count is too low for the power.
    sentences = [words] * n + [["noise"]] * 30_000
    ledger, model = trained(
        monkeypatch, {"en": sentences, "de": sentences}, window=window, negative=1, epochs=5,
        ns_exponent=30, shared_negatives=shared, workers=workers,
    )  # fmt: skip
    rows = by_word(model, "en", words)
    hits = ledger.targets(0)[np.ix_(rows, rows)]
    left = np.array([[hits[i, i - d] for d in range(1, window + 1)] for i in range(window, 30)])
    right = np.array([[hits[i, i + d] for d in range(1, window + 1)] for i in range(30 - window)])
    np.testing.assert_array_equal(left[: len(right) - window], right[window:])
    at_least = np.append(right, np.zeros((len(right), 1), int), axis=1)
    reach = at_least[:, :-1] - at_least[:, 1:]
    assert (reach.sum(axis=1) == 5 * n).all()
    assert is_usual(chi_square(reach, 5 * n / window), len(right) * (window - 1))


def test_a_window_that_does_not_shrink_reaches_as_far_each_time(monkeypatch):
    words = [f"w{i}" for i in range(9)]
    sentences = [words] * 50 + [["noise"]] * 10_000
    ledger, model = trained(
        monkeypatch, {"en": sentences, "de": sentences}, window=3, negative=1, epochs=2,
        ns_exponent=30, shrink_windows=False, workers=1,
    )  # fmt: skip
    rows = by_word(model, "en", words)
    away = np.abs(np.subtract.outer(np.arange(9), np.arange(9)))
    expected = 100 * ((away > 0) & (away <= 3))
    np.testing.assert_array_equal(ledger.targets(0)[np.ix_(rows, rows)], expected)


# Frequent words, each time beside a word that is too rare to be left out.
FREQUENT = {f"f{i}": 400 + 500 * i for i in range(6)}
RARE = 200


def beside_rare_words(seed, prefix):
    tokens = [word for word, n in FREQUENT.items() for _ in range(n)]
    np.random.default_rng(seed).shuffle(tokens)
    return [[prefix + token, f"{prefix}r{i // RARE}"] for i, token in enumerate(tokens)]


def kept_statistic(kept, n_words, sample):
    """How far the numbers of kept tokens of the frequent words are from word2vec's chance."""
    counts = np.array([*FREQUENT.values()])
    ratio = counts / (sample * n_words)
    chance = (np.sqrt(ratio) + 1) / ratio
    assert chance.max() < 1
    expected = EPOCHS * counts * chance
    return ((kept - expected) ** 2 / (expected * (1 - chance))).sum(), len(counts)


@workers
def test_subsampling_keeps_a_word_of_text_with_its_chance(monkeypatch, workers):
    sentences = beside_rare_words(1, "")
    sample = 120 / (2 * len(sentences))
    ledger, model = trained(
        monkeypatch, {"en": sentences, "de": [["x", "y"]]}, sample=sample, negative=1,
        ns_exponent=-30, epochs=EPOCHS, workers=workers,
    )  # fmt: skip
    rare = [word for word in model.wv_en.index_to_key if word.startswith("r")]
    columns = by_word(model, "en", rare)
    hits = ledger.targets(0)[np.ix_(by_word(model, "en", FREQUENT), columns)]
    assert is_usual(*kept_statistic(hits.sum(axis=1), 2 * len(sentences), sample))
    assert not is_usual(*kept_statistic(hits.sum(axis=1), 2 * len(sentences), 1.1 * sample))


@pytest.mark.slow
@workers
def test_subsampling_keeps_a_word_of_pairs_with_its_chance(monkeypatch, workers):
    pairs = list(zip(beside_rare_words(1, "a"), beside_rare_words(2, "b"), strict=True))
    sample = 120 / (2 * len(pairs))
    ledger, model = trained(
        monkeypatch, parallel={("en", "de"): pairs}, xling_sample=sample, xling_passes=2,
        epochs=EPOCHS // 2, workers=workers,
    )  # fmt: skip
    for side, (language, prefix) in enumerate((("en", "a"), ("de", "b"))):
        words = [word for word in model.wv[language].index_to_key if word.startswith(f"{prefix}r")]
        moves = ledger.moves(side)
        counts = [model.wv[language].get_vecattr(word, "count") for word in words]
        np.testing.assert_array_equal(
            moves[by_word(model, language, words)], EPOCHS * np.array(counts)
        )
        kept = moves[by_word(model, language, [prefix + word for word in FREQUENT])]
        assert is_usual(*kept_statistic(kept, 2 * len(pairs), sample))
        assert not is_usual(*kept_statistic(kept, 2 * len(pairs), 1.1 * sample))


@workers
@pytest.mark.parametrize("passes", [1, 2, 0.5])
def test_each_pair_moves_its_words_once_a_pass(monkeypatch, passes, workers):
    pairs = [([f"a{i}"], [f"b{i}"] * (1 + i % 3)) for i in range(500)]
    ledger, model = trained(
        monkeypatch, parallel={("en", "de"): pairs}, xling_passes=passes, epochs=4,
        batch_words=70, workers=workers,
    )  # fmt: skip
    visits = int(4 * passes)
    times = np.array([1 + i % 3 for i in range(500)])
    a, b = (by_word(model, code, [f"{x}{i}" for i in range(500)])
            for code, x in (("en", "a"), ("de", "b")))  # fmt: skip
    np.testing.assert_array_equal(ledger.moves(0)[a], visits)
    np.testing.assert_array_equal(ledger.moves(1)[b], visits * times)
    order = np.concatenate(ledger.orders)
    np.testing.assert_array_equal(np.bincount(order), visits)


def test_draws_do_not_depend_on_the_number_of_workers(monkeypatch):
    pairs = [(a, b) for a, b in zip(couples(1), couples(2), strict=True)]
    found = []
    for number in (1, 2, 3):
        ledger, _ = trained(
            monkeypatch, parallel={("en", "de"): pairs}, epochs=2, sample=1e-2, xling_sample=1e-2,
            xling_passes=1, workers=number,
        )  # fmt: skip
        found.append([of(side) for of in (ledger.targets, ledger.moves) for side in (0, 1)])
    for other in found[1:]:
        for one, same in zip(found[0], other, strict=True):
            assert one.any()
            np.testing.assert_array_equal(one, same)


def test_draws_of_two_epochs_differ(monkeypatch):
    pairs = [([f"a{i}"], [f"b{i}"]) for i in range(50)]
    ledger, _ = trained(
        monkeypatch, parallel={("en", "de"): pairs}, epochs=40, batch_words=1000, xling_passes=1,
        workers=1,
    )  # fmt: skip
    assert len({tuple(order.tolist()) for order in ledger.orders}) == 40
