"""Questions that a text asks its own vectors, of sentence pairs that are held out."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.corpora import ParallelSentences
from gensim_bilbowa.corpora.sentences import Pair
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.evaluation import invert, sentence_retrieval, word_translation
from gensim_bilbowa.evidence import count_pairs, mutual_best
from gensim_bilbowa.model import BilBOWA

__all__ = ["HeldOut"]

logger = logging.getLogger("gensim_bilbowa.tuning")

# With fewer no difference could be told from luck.
_FEWEST = 20
_MOST_HELD_OUT = 1_000

Scores = NDArray[np.float64]


class HeldOut:
    """Sentence pairs that no model learns from.

    Pairs that are equal to one held out are left out of the training, too. Monolingual text is
    taken as it is.

    Parameters
    ----------
    parallel : list of ParallelSentences
    share : float
        Of the pairs of each text to hold out, at most 1,000.
    seed : int

    Attributes
    ----------
    parallel : list of ParallelSentences
        What is left to learn from.
    texts : list of ParallelSentences
        The pairs held out of each.
    """

    def __init__(self, parallel: list[ParallelSentences], share: float, seed: int) -> None:
        self.parallel = []
        self.texts = []
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
            left = _Without(pairs, held_out)
            self.parallel.append(ParallelSentences(left, languages=pairs.languages))
            self.texts.append(ParallelSentences(held_out, languages=pairs.languages))

    def words(self, model: BilBOWA) -> Scores:
        """Return 1 / rank of the translations of words, by CSLS among all words.

        Those are asked that are each other's best by LLR in the pairs held out, in both directions.
        They are the same for all models that have the same vocabulary.
        """
        ranks = []
        for codes in dict.fromkeys(tuple(sorted(pairs.languages)) for pairs in self.texts):
            a, b = (model.wv[code] for code in codes)
            theirs = [pairs for pairs in self.texts if set(pairs.languages) == set(codes)]
            words, others = mutual_best(count_pairs(theirs, a, b))
            if not len(words):
                continue
            dictionary = {
                a.index_to_key[word]: [b.index_to_key[other]]
                for word, other in zip(words.tolist(), others.tolist(), strict=True)
            }
            for source, target, right in ((a, b, dictionary), (b, a, invert(dictionary))):
                score = word_translation(source, right, lang=target.language, precision_at=(1,))
                ranks.append(score.ranks)
        if (number := sum(map(len, ranks)) // 2) < _FEWEST:
            raise ConfigError(
                f"at least {_FEWEST} pairs of words that are each other's best in the sentence "
                f"pairs held out are wanted to judge by, there are {number}: more sentence pairs, "
                "a larger held_out or a smaller min_count is needed"
            )
        return 1 / np.concatenate(ranks)

    def sentences(self, model: BilBOWA) -> Scores:
        """Return 1 / rank of the translation of each sentence, by CSLS among all held out."""
        ranks = []
        for pairs in self.texts:
            sides = [(model.wv[code], list(pairs.side(code))) for code in pairs.languages]
            for (source, asked), (target, among) in (sides, sides[::-1]):
                score = sentence_retrieval(source, target, asked, among, precision_at=(1,))
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
