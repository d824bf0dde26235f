"""Parallel text with its two vocabularies, as the systems that learn from it alone read it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.corpora import EncodedPairs, Inputs, ParallelSentences, encode_usable_pairs
from gensim_bilbowa.errors import ConfigError, UnknownLanguageError
from gensim_bilbowa.evidence import bags
from gensim_bilbowa.formats.assembly import keyed_vectors
from gensim_bilbowa.modelling.counting import WordCounter
from gensim_bilbowa.parameters import check_number
from gensim_bilbowa.vectors import CrossLingualVectors

__all__ = ["MEMORY", "Bitext", "frequent_words", "read_bitext"]

# Bytes of encoded text that are not written to a file.
MEMORY = 1 << 30
_PROGRESS = 100_000


@dataclass(frozen=True)
class Bitext:
    """Parallel text as word indices.

    Attributes
    ----------
    languages : (str, str)
    vocabularies : (dict from str to int, dict from str to int)
        The words of each language, the most frequent first, words as frequent in order.
    counts : (ndarray of int64, ndarray of int64)
        How often each word stands in the text.
    pairs : EncodedPairs
    """

    languages: tuple[str, str]
    vocabularies: tuple[dict[str, int], dict[str, int]]
    counts: tuple[NDArray[np.int64], NDArray[np.int64]]
    pairs: EncodedPairs

    @property
    def sizes(self) -> tuple[int, int]:
        """Words of the two vocabularies."""
        a, b = self.vocabularies
        return len(a), len(b)

    def turned(self) -> Bitext:
        """Return the same with the languages in the other order."""
        pairs = self.pairs
        return Bitext(
            self.languages[::-1], self.vocabularies[::-1], self.counts[::-1],
            replace(pairs, languages=pairs.languages[::-1], sides=pairs.sides[::-1]),
        )  # fmt: skip

    def bags(self) -> tuple[Any, Any]:
        """Return the bags of words of the usable pairs.

        Returns
        -------
        scipy.sparse.csr_array of float32, shape (n_pairs, n_words), for each side
            How often a sentence has a word.
        """
        a, b = (
            bags(side, size, np.float32)[self.pairs.usable]
            for side, size in zip(self.pairs.sides, self.sizes, strict=True)
        )
        return a, b

    def space(self, vectors: tuple[NDArray[Any], NDArray[Any]]) -> CrossLingualVectors:
        """Return the words of both languages with these vectors, and with their counts."""
        return CrossLingualVectors({
            code: keyed_vectors(
                words, np.ascontiguousarray(rows, np.float32), {"count": counts.copy()}
            )
            for code, words, rows, counts in zip(
                self.languages, self.vocabularies, vectors, self.counts, strict=True
            )
        })  # fmt: skip


def read_bitext(parallel: ParallelSentences, min_count: int, source: str | None = None) -> Bitext:
    """Read parallel text twice: for its vocabularies, and to encode it.

    Parameters
    ----------
    parallel : ParallelSentences
    min_count : int
        Leave out words that are rarer.
    source : str, optional
        The language to come first; default: that of `parallel`.

    Raises
    ------
    ConfigError
        If `parallel` is something else, or a vocabulary is empty.
    CorpusError
        If no pair has a known word on both sides, or the text can be read only once.
    UnknownLanguageError
        If `source` is no language of the text.
    """
    if not isinstance(parallel, ParallelSentences):
        raise ConfigError(
            f"parallel must be a ParallelSentences, got {type(parallel).__name__}; put sentence "
            "pairs into one: ParallelSentences(pairs, languages=('en', 'de'))"
        )
    min_count = int(check_number("min_count", min_count, whole=True))
    parallel.require_restartable()
    a, b = frequent_words(Inputs({}, [parallel]), min_count)
    words = tuple({word: index for index, word in enumerate(kept)} for kept in (a, b))
    text = Bitext(
        parallel.languages, (words[0], words[1]),
        (np.array(list(a.values()), np.int64), np.array(list(b.values()), np.int64)),
        encode_usable_pairs(parallel, (words[0], words[1]), MEMORY),
    )  # fmt: skip
    if source not in (None, *text.languages):
        raise UnknownLanguageError(f"{parallel.where}: no side is {source!r}")
    return text.turned() if source == text.languages[1] else text


def frequent_words(inputs: Inputs, min_count: int) -> list[dict[str, int]]:
    """Count the words of each language: those that are not too rare, the most frequent first."""
    counters = {code: WordCounter(code, None, _PROGRESS, None) for code in inputs.languages}
    inputs.count(counters, workers=1)
    return [_frequent(counter, min_count) for counter in counters.values()]


def _frequent(counter: WordCounter, min_count: int) -> dict[str, int]:
    kept = sorted(
        ((word, count) for word, count in counter.counts.items() if count >= min_count),
        key=lambda item: (-item[1], item[0]),
    )
    if not kept:
        raise ConfigError(
            f"no word of {counter.language!r} is left: {counter.words} words of "
            f"{len(counter.counts)} types were read, the most frequent "
            f"{max(counter.counts.values(), default=0)} times, and min_count is {min_count}"
        )
    return dict(kept)
