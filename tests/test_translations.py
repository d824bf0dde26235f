"""What is measured without a dictionary equals its definition, written out in NumPy."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from gensim.models import KeyedVectors
from gensim.models.callbacks import CallbackAny2Vec
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import SMALL, keyed, made_up_pairs

from gensim_bilbowa import BilBOWA, ParallelSentences
from gensim_bilbowa.corpora import EncodedCorpus
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.evaluation import agreement
from gensim_bilbowa.evidence import association
from gensim_bilbowa.lexicons import Cooccurrence, count_pairs, mutual_best
from gensim_bilbowa.training.translations import shared_first


def unit(matrix):
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def csls(x, y, k):
    cos = unit(x) @ unit(y).T
    r_x = np.sort(cos, axis=1)[:, -k:].mean(axis=1)
    r_y = np.sort(cos, axis=0)[-k:].mean(axis=0)
    return 2 * cos - r_x[:, None] - r_y


def corpus(sentences):
    offsets = np.cumsum([0, *map(len, sentences)]).astype(np.int64)
    ids = np.array([word for sentence in sentences for word in sentence], np.int32)
    return EncodedCorpus(ids, offsets, len(ids))


# ---- agreement


@settings(max_examples=30)
@given(st.integers(0, 1000), st.integers(1, 30), st.integers(1, 30), st.integers(1, 12))
def test_agreement_is_the_share_of_mutual_neighbours(seed, n, m, k):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(n, 5)), rng.normal(size=(m, 5))
    scores = csls(x, y, k)
    there, back = scores.argmax(axis=1), scores.argmax(axis=0)
    mutual = sum(back[there[i]] == i for i in range(n))
    assert agreement(keyed("a", x), keyed("b", y), k=k) == pytest.approx(mutual / min(n, m))


def test_agreement_looks_at_the_first_words_only():
    x = np.eye(4)
    y = x[[0, 1, 2, 2]]
    y[2:] *= -1  # far from all words
    assert agreement(keyed("a", x), keyed("b", y), k=1, max_words=2) == 1
    assert agreement(keyed("a", x), keyed("b", y), k=1, max_words=None) < 1


@pytest.mark.parametrize(
    ("source", "target", "options", "message"),
    [
        (keyed("a", np.eye(2)), keyed("b", np.eye(3)), {}, "got 2 and 3 dimensions"),
        (keyed("a", np.eye(2)), KeyedVectors(2), {}, "target has no words"),
        (keyed("a", np.eye(2) * np.nan), keyed("b", np.eye(2)), {}, "not finite"),
        (keyed("a", np.eye(2)), keyed("b", np.eye(2)), {"k": 0}, "k must be"),
        (keyed("a", np.eye(2)), keyed("b", np.eye(2)), {"max_words": 0}, "max_words must be"),
    ],
)
def test_agreement_refuses_what_has_none(source, target, options, message):
    with pytest.raises(ConfigError, match=message):
        agreement(source, target, **options)


# ---- words that are each other's best in parallel text


@settings(max_examples=30)
@given(st.integers(0, 1000), st.integers(1, 40), st.floats(0, 12))
def test_mutual_best_are_the_maxima_of_both_directions(seed, n, least):
    rng = np.random.default_rng(seed)
    sides = [[rng.choice(6, rng.integers(1, 5)) for _ in range(n)] for _ in range(2)]
    counts = Cooccurrence.count([tuple(map(corpus, sides))], (6, 6))
    a, b = (np.array([[w in s for w in range(6)] for s in side]) for side in sides)
    both = a.T.astype(int) @ b
    one, other = a.sum(0)[:, None] - both, b.sum(0) - both
    llr = np.where(both * n > a.sum(0)[:, None] * b.sum(0), association(
        both, one, other, n - both - one - other), 0).astype(np.float32)  # fmt: skip
    expected = [
        (i, llr[i].argmax())
        for i in range(6)
        if llr[i].max() > least and llr[:, llr[i].argmax()].argmax() == i
    ]
    words, others = (found.tolist() for found in mutual_best(counts, least))
    assert list(zip(words, others, strict=True)) == expected


def test_sides_of_different_length_have_nothing_in_common():
    with pytest.raises(ValueError, match="the sides differ in length: 1, 2"):
        Cooccurrence.count([(corpus([[0]]), corpus([[0], [0]]))], (1, 1))


def test_words_that_never_meet_are_nobodys_best():
    counts = Cooccurrence.count([(corpus([[0], [0]]), corpus([[0], [0]]))], (2, 3))
    assert [len(found) for found in mutual_best(counts)] == [0, 0]


# ---- while training


@settings(max_examples=30)
@given(st.integers(0, 1000), st.integers(1, 40))
def test_share_of_words_first_is_that_of_both_directions(seed, n):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 4))
    y = x + rng.normal(size=(n, 4))
    scores = csls(x, y, 10)
    right = np.arange(n)
    expected = np.mean([scores.argmax(axis=axis) == right for axis in (0, 1)])
    found = shared_first(*(unit(rows).astype(np.float32) for rows in (x, y)))
    assert found == pytest.approx(expected)


def test_last_entry_is_that_of_the_trained_vectors(pairs):
    model = BilBOWA(parallel={("en", "de"): pairs}, **SMALL)
    words = mutual_best(count_pairs({("en", "de"): pairs}, model.wv_en, model.wv_de))
    rows = [unit(model.wv[code].vectors[w]) for code, w in zip(("en", "de"), words, strict=True)]
    assert model.loss_history[-1]["translations"] == {"en-de": pytest.approx(shared_first(*rows))}


def test_share_rises_with_training(pairs):
    options = {**SMALL, "epochs": 6, "alignment": False}
    model = BilBOWA(parallel={("en", "de"): pairs}, **options)
    shares = [entry["translations"]["en-de"] for entry in model.loss_history]
    assert shares[0] < 0.6 < 0.9 < shares[-1]


def test_asking_changes_no_vector(pairs, monkeypatch):
    asked = BilBOWA(parallel={("en", "de"): pairs}, **SMALL)
    monkeypatch.setattr("gensim_bilbowa.training.translations.WordPairs.translated", lambda *_: {})
    unasked = BilBOWA(parallel={("en", "de"): pairs}, **SMALL)
    assert (asked.wv_de.vectors == unasked.wv_de.vectors).all()


def test_text_with_few_such_words_has_no_share(caplog):
    caplog.set_level(logging.INFO, logger="gensim_bilbowa")
    pairs = [(["a", "cat"], ["eine", "katze"])] * 9
    model = BilBOWA(parallel={("en", "de"): pairs}, **SMALL)
    assert [entry["translations"] for entry in model.loss_history] == [{}] * 3
    assert "en-de: 0 words are each other's best" in caplog.text


def test_every_language_pair_has_its_share():
    pairs = {codes: made_up_pairs() for codes in (("en", "de"), ("sv", "en"))}
    model = BilBOWA(parallel=pairs, **SMALL)
    assert list(model.loss_history[0]["translations"]) == ["en-de", "sv-en"]


def test_two_texts_of_a_language_pair_are_counted_together(pairs, caplog):
    caplog.set_level(logging.INFO, logger="gensim_bilbowa")
    model = BilBOWA(**SMALL)
    model.build_vocab(parallel=_text(pairs))
    for parallel in (_text(pairs), [_text(pairs[:100]), _text(pairs[100:])]):
        model.train(parallel=parallel)
    found = [line for line in caplog.messages if "each other's best" in line]
    assert found[0] == found[1]
    assert "in 300 sentence pairs" in found[0]


def _text(pairs):
    return ParallelSentences(pairs, languages=("en", "de"))


def test_progress_has_the_shares_of_the_epoch_before(pairs):
    class Watch(CallbackAny2Vec):
        def __init__(self):
            self.seen = []

        def on_progress(self, model, progress):
            self.seen.append((progress.epoch, dict(progress.translations)))

    watch = Watch()
    model = BilBOWA(parallel={("en", "de"): pairs}, callbacks=[watch], **SMALL)
    assert watch.seen[0] == (1, {})
    shares = [entry["translations"] for entry in model.loss_history]
    assert dict(watch.seen) == dict(enumerate(shares, start=1))


@settings(max_examples=30)
@given(st.lists(st.lists(st.integers(0, 9), max_size=5), min_size=1, max_size=20), st.data())
def test_taken_sentences_are_those_asked_for(sentences, data):
    rows = data.draw(st.lists(st.integers(0, len(sentences) - 1), max_size=20))
    taken = corpus(sentences).take(np.array(rows, np.int64))
    found = [part.tolist() for part in np.split(taken.ids, taken.offsets[1:-1])][: len(taken)]
    assert found == [sentences[row] for row in rows]
