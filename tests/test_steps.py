"""What the two sides of pairs weigh, and words as noise."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from gensim_bilbowa.modelling.frequencies import noise_weights
from gensim_bilbowa.training.steps import _weights


def weights_of(*texts):
    """The sides' weights where those of a text are 1 on average; a text is (languages, words)."""
    sources = [
        SimpleNamespace(pairs=SimpleNamespace(languages=codes), work=lambda epoch, n=words: (1, n))
        for codes, words in texts
    ]
    return _weights(SimpleNamespace(pairs=sources, first_epoch=0), 1.0)


def test_two_languages_weigh_the_same_however_many_files_they_have():
    assert weights_of((("en", "de"), 100)) == [(1, 1)]
    assert weights_of((("en", "de"), 100), (("de", "en"), 20)) == [(1, 1), (1, 1)]


def test_a_language_between_others_weighs_less_and_they_more():
    star = weights_of((("en", "de"), 100), (("fr", "en"), 100), (("en", "cs"), 100))
    for sides in (star[0], star[1][::-1], star[2]):
        # Shares 1/3 and 1.
        assert sides == pytest.approx((2 / 10, 18 / 10))


def test_languages_that_are_all_paired_weigh_the_same():
    circle = weights_of((("en", "de"), 100), (("de", "fr"), 100), (("fr", "en"), 100))
    assert circle == [(1, 1)] * 3


def test_a_small_text_leaves_a_language_with_a_large_one_in_its_place():
    (one, _), (small_one, small_other) = weights_of((("en", "de"), 900), (("en", "fr"), 100))
    assert one == pytest.approx(2 * 0.81 / 1.81)
    assert (small_one, small_other) == pytest.approx((2 * 0.01 / 1.01, 2 / 1.01))


def test_texts_without_usable_pairs_have_no_weight():
    assert weights_of((("en", "de"), 0)) == [(0, 0)]


@pytest.mark.parametrize("exponent", [0.75, 0.0, -0.5, 3.0])
def test_noise_weights_are_as_powers_of_the_counts(exponent):
    counts = np.array([900, 30, 0, 1, 30])
    weights = noise_weights(counts, exponent)
    power = np.where(counts > 0, np.maximum(counts, 1.0) ** exponent, 0)
    np.testing.assert_allclose(weights, power / power.max())


@pytest.mark.parametrize("exponent", [300.0, -300.0, 1e308, -1e308])
def test_no_exponent_of_noise_leaves_the_range_of_floats(exponent):
    weights = noise_weights(np.array([10**12, 10**6, 0, 1]), exponent)
    assert weights.tolist() == ([1, 0, 0, 0] if exponent > 0 else [0, 0, 0, 1])


def test_words_without_any_count_weigh_alike_as_noise():
    assert noise_weights(np.zeros(3, np.int64), 0.75).tolist() == [1, 1, 1]
