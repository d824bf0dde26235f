"""Trainings that end within an epoch, to be gone on with."""

from __future__ import annotations

import numpy as np
from samples import SMALL, arrays, made_up_pairs

from gensim_bilbowa.callbacks import Checkpoint

__all__ = ["MODES", "OPTIONS", "PAIRS", "Died", "Dying", "assert_same", "three_languages"]

OPTIONS = {**SMALL, "batch_words": 200, "epochs": 2}
PAIRS = {("en", "de"): made_up_pairs()}


class Died(Exception):
    pass


class Dying(Checkpoint):
    """Writes a checkpoint within an epoch, and then ends the training."""

    def __init__(self, folder, epochs, polls):
        super().__init__(folder, every_minutes=1e6)
        self._left = epochs, polls
        self._begun = False

    def on_epoch_begin(self, model):
        self._begun = True

    def wants_pause(self):
        if not self._begun:  # words are being aligned
            return False
        epochs, polls = self._left
        self._left = epochs, polls - (epochs == 0)  # about two for each job
        return epochs == 0 and polls <= 0

    def on_pause(self, model):
        self._save(model)
        raise Died

    def on_epoch_end(self, model):
        self._left = self._left[0] - 1, self._left[1]


def assert_same(one, other):
    assert arrays(one).keys() == arrays(other).keys()
    for name, array in arrays(one).items():
        np.testing.assert_array_equal(array, arrays(other)[name], str(name))
    histories = [
        [{name: value for name, value in entry.items() if name != "seconds"}
         for entry in model.loss_history] for model in (one, other)
    ]  # fmt: skip
    assert histories[0] == histories[1]
    for name in ("epochs_trained", "running_training_loss"):
        assert getattr(one, name) == getattr(other, name)
    assert [one[code].train_count for code in one] == [other[code].train_count for code in other]


def three_languages():
    more = made_up_pairs(100, seed=2)
    pairs = {**PAIRS, ("en", "fr"): [(a, [f"f{w}" for w in b]) for a, b in more]}
    texts = {"en": [a for a, _ in made_up_pairs(200, seed=3)]}
    return texts, pairs


MODES = {
    "skip-gram": {},
    "no shared negatives": {"shared_negatives": False},
    "subwords": {"subwords": True, "min_n": 2, "bucket": 100},
    "hierarchical softmax": {"hs": 1, "negative": 0},
    "cbow": {"sg": 0},
    "half a pass over the pairs": {"xling_passes": 0.5},
    "subsampling": {"sample": 1e-2},
}
