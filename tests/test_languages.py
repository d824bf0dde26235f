"""Several languages in one model, joined by pairs in any way that leads from one to the other."""

from __future__ import annotations

import numpy as np
import pytest

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.datasets import SyntheticCorpus, dictionary
from gensim_bilbowa.evaluation import word_translation

SMALL = {"vector_size": 40, "epochs": 8, "workers": 1, "seed": 1}
CHANCE = 0.01


@pytest.fixture(scope="module")
def corpus():
    """Sentences of three languages by code, in which line i says the same."""
    return dict(
        zip(("en", "de", "es"), zip(*SyntheticCorpus(2000, seed=1), strict=True), strict=True)
    )


def pairs(corpus, source, target):
    return list(zip(corpus[source], corpus[target], strict=True))


def accuracy(model, source, target):
    return word_translation(model.wv[source], dictionary(source, target), lang=target).precision[1]


def trained(corpus, *links, **options):
    parallel = {link: pairs(corpus, *link) for link in links}
    return BilBOWA(parallel=parallel, **{**SMALL, **options})


@pytest.fixture(scope="module")
def star(corpus):
    """English with two others, which no pairs join."""
    return trained(corpus, ("en", "de"), ("en", "es"))


@pytest.mark.parametrize("other", ["de", "es"])
def test_a_pair_beside_others_is_learnt_about_as_well_as_alone(corpus, star, other):
    alone = trained(corpus, ("en", other))
    for source, target in (("en", other), (other, "en")):
        together = accuracy(star, source, target)
        assert together >= accuracy(alone, source, target) - 0.05


def test_languages_without_pairs_meet_through_a_third(star):
    assert accuracy(star, "de", "es") >= 50 * CHANCE
    assert accuracy(star, "es", "de") >= 50 * CHANCE


def test_the_ends_of_a_chain_meet(corpus):
    chain = trained(corpus, ("de", "en"), ("es", "en"))
    assert chain.languages == ["de", "en", "es"]
    assert accuracy(chain, "de", "es") >= 50 * CHANCE


def test_a_circle_of_pairs_is_no_contradiction(corpus):
    circle = trained(corpus, ("en", "de"), ("de", "es"), ("es", "en"))
    assert min(accuracy(circle, a, b)
               for a, b in (("en", "de"), ("de", "es"), ("es", "en"))) >= 0.6  # fmt: skip


def test_languages_that_nothing_joins_are_warned_of_and_do_not_meet(corpus, caplog):
    apart = BilBOWA(
        {"es": corpus["es"]},
        parallel={("en", "de"): pairs(corpus, "en", "de")}, **SMALL,
    )  # fmt: skip
    assert "no cross-lingual training between en/de and es" in caplog.text
    assert accuracy(apart, "es", "en") < 0.2
    assert accuracy(apart, "en", "de") >= 0.6


def test_every_pair_is_passed_over_as_often_as_alone(star):
    entry = star.loss_history[0]
    assert set(entry["crosslingual"]) == {"en-de", "en-es"}
    assert entry["pairs"] + entry["emptied_pairs"] == 3 * (2000 + 2000)


def test_text_given_by_itself_is_read_once_however_many_pairs_its_language_is_in(corpus):
    links = {("en", "de"): pairs(corpus, "en", "de"), ("en", "es"): pairs(corpus, "en", "es")}
    english = corpus["en"]
    once, twice = (BilBOWA(**{**SMALL, "epochs": 1}) for _ in range(2))
    for model, text in ((once, {"en": english}), (twice, None)):
        model.build_vocab(text, parallel=links)
        model.train(text, parallel=links)
    counts = [model.wv_en.get_vecattr("the", "count") for model in (once, twice)]
    assert counts == [sum(s.count("the") for s in english), 2 * counts[0]]


def test_a_language_in_the_middle_does_not_move_ends_that_are_frozen(corpus, star):
    before = {code: star.wv[code].vectors.copy() for code in ("en", "de")}
    star.train(parallel={("en", "es"): pairs(corpus, "en", "es")}, freeze=["en"], epochs=1)
    for code, vectors in before.items():
        np.testing.assert_array_equal(star.wv[code].vectors, vectors)
