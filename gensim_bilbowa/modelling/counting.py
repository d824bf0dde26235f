"""How often each word stands in a language's text."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from gensim_bilbowa._gensim import prune_vocab

__all__ = ["WordCounter"]

logger = logging.getLogger(__name__)

# In characters; a longer one is no word, and would have n-grams without end.
_LONGEST_WORD = 1000


class WordCounter:
    """Counts the words of a language's sentences, as gensim's ``scan_vocab``.

    Parameters
    ----------
    language : str
    max_vocab_size : int or None
        Prune the rarest words whenever there are more.
    progress_per : int
        Log after so many sentences.
    trim_rule : callable or None
    """

    def __init__(
        self, language: str, max_vocab_size: int | None, progress_per: int, trim_rule: Any
    ) -> None:
        self.language = language
        self.counts: Counter[str] = Counter()
        self.sentences = 0
        self.words = 0
        self._max_vocab_size = max_vocab_size
        self._progress_per = progress_per
        self._trim_rule = trim_rule
        self._min_reduce = 1

    def add(self, sentence: Sequence[str]) -> None:
        """Count a sentence."""
        self.counts.update(sentence)
        self.words += len(sentence)
        self.sentences += 1
        if self._max_vocab_size and len(self.counts) > self._max_vocab_size:
            prune_vocab(self.counts, self._min_reduce, trim_rule=self._trim_rule)
            self._min_reduce += 1
        if self.sentences % self._progress_per == 0:
            logger.info(
                "PROGRESS: %s: at sentence #%i, processed %i words, keeping %i word types",
                self.language, self.sentences, self.words, len(self.counts),
            )  # fmt: skip

    def progress(self, sentences: int, words: int) -> None:
        """Note that so many more sentences were read, whose counts are to follow."""
        before = self.sentences // self._progress_per
        self.sentences += sentences
        self.words += words
        if self.sentences // self._progress_per > before:
            logger.info(
                "PROGRESS: %s: at sentence #%i, processed %i words",
                self.language, self.sentences, self.words,
            )  # fmt: skip

    def add_counts(self, counts: Mapping[str, int]) -> None:
        """Add counts of sentences that :meth:`progress` was told of."""
        self.counts.update(counts)

    def found(self) -> tuple[Counter[str], int, int]:
        """Return the counts of words, and the numbers of sentences and words.

        What is too long to be a word is left out, which is logged.
        """
        if long := [word for word in self.counts if len(word) > _LONGEST_WORD]:
            logger.warning(
                "%s: %i words of more than %i characters are left out, such as %.60r",
                self.language, len(long), _LONGEST_WORD, long[0],
            )  # fmt: skip
            for word in long:
                del self.counts[word]
        return self.counts, self.sentences, self.words

    def take(self, found: tuple[Counter[str], int, int]) -> None:
        """Have what another counter of the same text has found."""
        self.counts, self.sentences, self.words = found
