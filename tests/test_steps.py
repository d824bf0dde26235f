"""gensim's own routines on rows that are padded for ours."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from gensim.models import Word2Vec
from gensim.models.word2vec_inner import train_batch_cbow, train_batch_sg

from gensim_bilbowa.kernels import Matrix
from gensim_bilbowa.training.steps import _GensimView, _PaddedVectors

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
