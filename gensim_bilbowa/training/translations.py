"""How many words the vectors translate as the parallel text does, while they are trained.

A dictionary is not needed: the words that go together most in the sentence pairs are each other's
translations by another method, and the better the vectors are the more they agree with it.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.corpora import EncodedCorpus, EncodedPairs
from gensim_bilbowa.evidence import Cooccurrence, mutual_best
from gensim_bilbowa.modelling.language import LanguageModel
from gensim_bilbowa.training.schedule import Schedule
from gensim_bilbowa.vectors.retrieval import at_length_one, mean_of_largest

__all__ = ["WordPairs", "shared_first"]

logger = logging.getLogger("gensim_bilbowa.training")

_MOST_SENTENCES = 2_000
_MOST_WORDS = 500
_FEWEST_WORDS = 10
# Of CSLS.
_K = 10

Words = NDArray[np.int64]


def shared_first(points: NDArray[np.float32], others: NDArray[np.float32]) -> float:
    """Share of the rows whose nearest by CSLS is the row of the same number, of both directions.

    Parameters
    ----------
    points, others : ndarray of float32, shape (n, dim)
        Rows of length 1.
    """
    cosines = points @ others.T
    near, near_there = (
        mean_of_largest(np.ascontiguousarray(table), _K) for table in (cosines, cosines.T)
    )
    right = np.arange(len(points))
    # What a query's own neighbourhood takes off is the same for all its targets.
    forth = (2 * cosines - near_there).argmax(axis=1) == right
    back = (2 * cosines.T - near).argmax(axis=1) == right
    return float(forth.mean() + back.mean()) / 2


class WordPairs:
    """Words that are each other's best in the parallel text of a training.

    They are found by :func:`~gensim_bilbowa.lexicons.mutual_best` in at most 2,000 of the
    sentence pairs, evenly spaced. Of these words at most 500 are asked, evenly spaced from the
    frequent to the rare ones, and at most half the square root of the words of all text: the time
    grows with the square of their number, and is to be a small part of an epoch's.
    """

    def __init__(self, schedule: Schedule, languages: Mapping[str, LanguageModel]) -> None:
        parallel: dict[tuple[str, str], list[EncodedPairs]] = {}
        for source in schedule.pairs:
            parallel.setdefault(source.pairs.languages, []).append(source.pairs)
        total = sum(text.words for text in schedule.texts)
        total += sum(pairs.words for pairs in schedule.pairs)
        most = min(_MOST_WORDS, math.isqrt(total) // 2)
        self._words: dict[tuple[str, str], tuple[Words, Words]] = {}
        for codes, parts in parallel.items():
            sizes = len(languages[codes[0]].wv), len(languages[codes[1]].wv)
            counts = Cooccurrence.count(_sample(parts), sizes)
            words, others = mutual_best(counts)
            chosen = _evenly(len(words), most)
            logger.info(
                "%s: %i words are each other's best by LLR in %i sentence pairs, %i are asked",
                "-".join(codes), len(words), counts.pairs, len(chosen),
            )  # fmt: skip
            if len(chosen) >= _FEWEST_WORDS:
                self._words[codes] = words[chosen], others[chosen]

    def translated(self, languages: Mapping[str, LanguageModel]) -> dict[str, float]:
        """Ask for the words' translations among each other, by CSLS.

        Returns
        -------
        dict from str to float
            For each pair of languages, as "en-de", the share of the words with the right one in
            first place, mean of both directions. Pairs with fewer than ten words are left out.
        """
        return {
            "-".join(codes): shared_first(
                *(
                    at_length_one(languages[code].wv.vectors[chosen])
                    for code, chosen in zip(codes, words, strict=True)
                )
            )
            for codes, words in self._words.items()
        }


def _sample(parts: Sequence[EncodedPairs]) -> list[tuple[EncodedCorpus, EncodedCorpus]]:
    """Take evenly spaced sentence pairs of all parts."""
    ends = np.cumsum([len(part.usable) for part in parts])
    chosen = _evenly(int(ends[-1]), _MOST_SENTENCES)
    taken = []
    for part, end in zip(parts, ends, strict=True):
        start = end - len(part.usable)
        sentences = part.usable[chosen[(start <= chosen) & (chosen < end)] - start]
        one, other = (side.take(sentences) for side in part.sides)
        taken.append((one, other))
    return taken


def _evenly(n: int, most: int) -> Words:
    """Return at most so many of the numbers from 0 to n, evenly spaced."""
    return np.arange(n) if n <= most else np.arange(most) * n // most
