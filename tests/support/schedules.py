"""Text of so many words, and the schedule of a training on it."""

from __future__ import annotations

import numpy as np

from gensim_bilbowa.corpora import EncodedCorpus, EncodedPairs
from gensim_bilbowa.training import Schedule

__all__ = ["corpus", "parallel", "schedule"]


def corpus(lengths):
    offsets = np.cumsum([0, *lengths]).astype(np.int64)
    return EncodedCorpus(np.zeros(offsets[-1], np.int32), offsets, int(offsets[-1]))


def parallel(lengths_a, lengths_b, codes=("en", "de")):
    sides = corpus(lengths_a), corpus(lengths_b)
    usable = np.flatnonzero((sides[0].lengths > 0) & (sides[1].lengths > 0)).astype(np.int64)
    return EncodedPairs(codes, sides, usable, 0, 0)


def schedule(texts, pairs, **options):
    settings = {"epochs": 1, "start_alpha": 0.1, "end_alpha": 0.0, "seed": 1, **options}
    return Schedule(texts, pairs, **settings)
