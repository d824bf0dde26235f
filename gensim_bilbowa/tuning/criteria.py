"""Questions that a text asks its own vectors: words of its sentence pairs, or pairs held out."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.corpora import ParallelSentences
from gensim_bilbowa.corpora.parallel import Pair
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.evaluation import invert, sentence_retrieval, word_translation
from gensim_bilbowa.lexicons import count_pairs, mutual_best
from gensim_bilbowa.model import BilBOWA

__all__ = ["HeldOutSentences", "Judge", "MutualWords"]

logger = logging.getLogger("gensim_bilbowa.tuning")

# With fewer no difference could be told from luck.
_FEWEST = 20
_MOST_HELD_OUT = 1_000

Scores = NDArray[np.float64]


class Judge(Protocol):
    """What models are judged by.

    Attributes
    ----------
    parallel : list of ParallelSentences
        What they may learn from.
    """

    parallel: list[ParallelSentences]

    def __call__(self, model: BilBOWA) -> Scores:
        """Return the score of each question, the same questions for models of one vocabulary."""


class MutualWords:
    """Translation of the words that are each other's best by LLR in the parallel text.

    Nothing is held out: LLR does not learn, and what it counts is not what the losses are of. All
    words of the other language are candidates, by CSLS; both directions are asked.

    Parameters
    ----------
    parallel : list of ParallelSentences
    workers : int
        Threads that read text from files.
    """

    def __init__(self, parallel: list[ParallelSentences], workers: int) -> None:
        self.parallel = parallel
        self._workers = workers
        self._words: dict[tuple[str, str], dict[str, list[str]]] = {}

    def __call__(self, model: BilBOWA) -> Scores:
        """Return 1 / rank of the translation of each word."""
        self._words = self._words or self._find(model)
        ranks = [
            word_translation(model.wv[a], dictionary, lang=b, precision_at=(1,)).ranks
            for codes, words in self._words.items()
            for (a, b), dictionary in ((codes, words), (codes[::-1], invert(words)))
        ]
        return 1 / np.concatenate(ranks)

    def _find(self, model: BilBOWA) -> dict[tuple[str, str], dict[str, list[str]]]:
        found = {}
        for codes in dict.fromkeys(tuple(sorted(pairs.languages)) for pairs in self.parallel):
            a, b = (model.wv[code] for code in codes)
            theirs = [pairs for pairs in self.parallel if set(pairs.languages) == set(codes)]
            words, others = mutual_best(count_pairs(theirs, a, b, workers=self._workers))
            if len(words):
                found[codes[0], codes[1]] = {
                    a.index_to_key[word]: [b.index_to_key[other]]
                    for word, other in zip(words.tolist(), others.tolist(), strict=True)
                }
        number = sum(map(len, found.values()))
        logger.info("%i pairs of words are each other's best by LLR: they are asked", number)
        if number < _FEWEST:
            raise ConfigError(
                f"at least {_FEWEST} pairs of words that are each other's best in the parallel "
                f"text are wanted to judge by, there are {number}: more sentence pairs, or a "
                "smaller min_count, are needed"
            )
        return found


class HeldOutSentences:
    """Retrieval of the translations of sentence pairs that are left out of the training.

    Pairs that are equal to one held out are left out, too. Monolingual text is taken as it is. For
    each parallel text both directions are asked.

    Parameters
    ----------
    parallel : list of ParallelSentences
    share : float
        Of the pairs of each text to hold out, at most 1,000.
    seed : int
    """

    def __init__(self, parallel: list[ParallelSentences], share: float, seed: int) -> None:
        self.parallel = []
        self._held_out = []
        for number, pairs in enumerate(parallel):
            rows = np.array([row for row, (a, b) in enumerate(pairs) if a and b], np.int64)
            most = min(_MOST_HELD_OUT, round(share * len(rows)))
            if most < _FEWEST:
                raise ConfigError(
                    f"{pairs.where}: at least {_FEWEST} sentence pairs are wanted to judge by, "
                    f"held_out={share:g} of {len(rows)} is {most}"
                )
            drawn = np.random.default_rng([seed, number]).permutation(len(rows))[:most]
            chosen = set(rows[drawn].tolist())
            held_out = [pair for row, pair in enumerate(pairs) if row in chosen]
            logger.info("%s: %i sentence pairs are held out", pairs.where, len(held_out))
            self.parallel.append(
                ParallelSentences(_Without(pairs, held_out), languages=pairs.languages)
            )
            self._held_out.append((pairs.languages, held_out))

    def __call__(self, model: BilBOWA) -> Scores:
        """Return 1 / rank of the translation of each sentence."""
        ranks = []
        for (a, b), pairs in self._held_out:
            asked, among = ([pair[side] for pair in pairs] for side in (0, 1))
            for source, target, texts in ((a, b, (asked, among)), (b, a, (among, asked))):
                score = sentence_retrieval(
                    model.wv[source], model.wv[target], *texts, precision_at=(1,)
                )
                ranks.append(score.ranks)
        return 1 / np.concatenate(ranks)


class _Without:
    """Pairs but for some, read anew for each iteration."""

    def __init__(self, pairs: ParallelSentences, left_out: list[Pair]) -> None:
        self._pairs = pairs
        self._left_out = set(map(_key, left_out))

    def __iter__(self) -> Iterator[Pair]:
        return (pair for pair in self._pairs if _key(pair) not in self._left_out)


def _key(pair: Pair) -> tuple[tuple[str, ...], ...]:
    return tuple(map(tuple, pair))
