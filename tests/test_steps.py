"""What the two sides of pairs weigh, and gensim's own routines on rows padded for ours."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from gensim.models import Word2Vec
from gensim.models.word2vec_inner import train_batch_cbow, train_batch_sg

from gensim_bilbowa.kernels import Matrix
from gensim_bilbowa.training.steps import _GensimView, _PaddedVectors, _weights

WEIGHTS = ("syn1", "syn1neg")


def padded(array):
    owner = SimpleNamespace()
    matrix = Matrix(*array.shape)
    matrix.array[...] = array
    matrix.lay_out(True, owner, "rows")
    return matrix.whole


@pytest.mark.parametrize(("sg", "hs", "negative"), [(1, 1, 0), (0, 0, 5), (0, 1, 5), (1, 1, 5)])
def test_gensims_routines_do_the_same_on_padded_rows(sg, hs, negative):
    rng = np.random.default_rng(0)
    text = [[f"w{i}" for i in rng.integers(0, 30, 12)] for _ in range(100)]
    model = Word2Vec(text, vector_size=17, min_count=1, hs=hs, negative=negative, sg=sg, workers=1,
                     epochs=1, sample=0)  # fmt: skip
    results = []
    for arrange in (np.array, padded):
        vectors = arrange(model.wv.vectors)
        weights = {n: arrange(getattr(model, n)) if hasattr(model, n) else None for n in WEIGHTS}
        view = _GensimView(
            _PaddedVectors(vectors, vectors.shape[1], model.wv.vectors_lockf,
                           model.wv.key_to_index, model.wv.expandos),
            *weights.values(), model.cum_table, np.random.RandomState(3), hs, negative, 0, 1, 5,
            True,
        )  # fmt: skip
        memory = [np.zeros(vectors.shape[1], np.float32) for _ in range(2)]
        if sg:
            train_batch_sg(view, text, 0.05, memory[0], True)
        else:
            train_batch_cbow(view, text, 0.05, *memory, True)
        for array in (vectors, *weights.values()):
            if array is not None:
                assert not array[:, 17:].any()
                results.append(array[:, :17])
    for plain, wide in zip(results[: len(results) // 2], results[len(results) // 2 :], strict=True):
        np.testing.assert_allclose(plain, wide, atol=5e-4)


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
