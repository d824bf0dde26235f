"""Corpora as word indices: read once, then trained on without touching Python objects."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.corpora.inputs import Inputs
from gensim_bilbowa.corpora.parallel import ParallelSentences
from gensim_bilbowa.errors import CorpusError

__all__ = [
    "EncodedCorpus",
    "EncodedInputs",
    "EncodedPairs",
    "encode_inputs",
    "encode_pairs",
    "encode_sentences",
]

logger = logging.getLogger(__name__)

_BATCH_TOKENS = 1 << 16
_UNKNOWN = -1
_BLOCK = 1 << 22


@dataclass(frozen=True)
class EncodedCorpus:
    """Sentences as word indices; unknown words are left out, as in gensim.

    Attributes
    ----------
    ids : ndarray of int32, shape (n_tokens,)
        Word indices of all sentences, one after the other.
    offsets : ndarray of int64, shape (n_sentences + 1,)
        Sentence i is ``ids[offsets[i]:offsets[i + 1]]``.
    raw_words : int
        Number of tokens read, unknown ones included.
    """

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]
    raw_words: int

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def counts(self, n_words: int) -> NDArray[np.int64]:
        """Tokens of each word, shape (n_words,)."""
        total = np.zeros(n_words, np.int64)
        # In blocks, since bincount makes 64-bit copies of what it counts.
        for start in range(0, len(self.ids), _BLOCK):
            total += np.bincount(self.ids[start : start + _BLOCK], minlength=n_words)
        return total

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Known words of each sentence, shape (n_sentences,)."""
        return np.diff(self.offsets)


@dataclass(frozen=True)
class EncodedPairs:
    """Parallel text as word indices.

    Attributes
    ----------
    languages : (str, str)
    sides : (EncodedCorpus, EncodedCorpus)
        Of equal length; sentence i of one translates sentence i of the other.
    usable : ndarray of int64
        The pairs with a known word on both sides.
    blank, unknown : int
        Pairs left out: with a side that was blank, or without a known word.
    """

    languages: tuple[str, str]
    sides: tuple[EncodedCorpus, EncodedCorpus]
    usable: NDArray[np.int64]
    blank: int
    unknown: int


@dataclass(frozen=True)
class EncodedInputs:
    """All corpora of a training run.

    Attributes
    ----------
    texts : list of (str, EncodedCorpus)
        Language and text; a language without text of its own has its sides of `pairs` here.
    pairs : list of EncodedPairs
    """

    texts: list[tuple[str, EncodedCorpus]]
    pairs: list[EncodedPairs]


class _GrowingArray:
    """An array that is appended to, in memory up to a limit and in an unnamed file beyond."""

    def __init__(self, dtype: Any, limit: int) -> None:
        self._dtype = np.dtype(dtype)
        self._limit = limit
        self._chunks: list[NDArray[Any]] = []
        self._bytes = 0
        self._file: IO[bytes] | None = None

    def append(self, chunk: NDArray[Any]) -> None:
        self._bytes += chunk.nbytes
        if self._file is None and self._bytes > self._limit:
            self._file = tempfile.TemporaryFile(prefix="bilbowa-")  # noqa: SIM115
            for earlier in self._chunks:
                self._file.write(earlier.tobytes())
            self._chunks = []
            logger.info(
                "encoded text exceeds %i bytes, continuing in a file in %s",
                self._limit, tempfile.gettempdir(),
            )  # fmt: skip
        if self._file is None:
            self._chunks.append(chunk)
        else:
            self._file.write(chunk.tobytes())

    def finish(self) -> NDArray[Any]:
        if self._file is None:
            return np.concatenate([np.empty(0, self._dtype), *self._chunks])
        self._file.flush()
        array = np.memmap(self._file, dtype=self._dtype, mode="r")
        self.close()
        return array

    def close(self) -> None:
        """Close the file; a map of it stays, and the file is gone with the map."""
        if self._file is not None:
            self._file.close()


class _Encoder:
    """Turns batches of sentences into an `EncodedCorpus`."""

    def __init__(self, key_to_index: Mapping[str, int], memory_limit: int) -> None:
        self._get = key_to_index.get
        self._ids = _GrowingArray(np.int32, memory_limit)
        self._offsets = _GrowingArray(np.int64, memory_limit)
        self._offsets.append(np.zeros(1, np.int64))
        self._tokens: list[str] = []
        self._lengths: list[int] = []
        self._total = 0
        self._raw_words = 0

    def add(self, sentence: Sequence[str]) -> None:
        self._tokens += sentence
        self._lengths.append(len(sentence))
        if len(self._tokens) >= _BATCH_TOKENS or len(self._lengths) >= _BATCH_TOKENS:
            self._flush()

    def _flush(self) -> None:
        n = len(self._tokens)
        ids = np.fromiter(map(self._get, self._tokens, repeat(_UNKNOWN)), np.int32, count=n)
        known = ids != _UNKNOWN
        known_before = np.zeros(n + 1, np.int64)
        np.cumsum(known, out=known_before[1:])
        ends = np.cumsum(np.asarray(self._lengths, np.int64))
        self._ids.append(ids[known])
        self._offsets.append(self._total + known_before[ends])
        self._total += int(known_before[-1])
        self._raw_words += n
        self._tokens, self._lengths = [], []

    def finish(self) -> EncodedCorpus:
        self._flush()
        return EncodedCorpus(self._ids.finish(), self._offsets.finish(), self._raw_words)

    def __enter__(self) -> _Encoder:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._ids.close()
        self._offsets.close()


def encode_sentences(
    sentences: Iterable[Sequence[str]], key_to_index: Mapping[str, int], memory_limit: int
) -> EncodedCorpus:
    """Encode sentences; arrays of more than `memory_limit` bytes go to a temporary file."""
    with _Encoder(key_to_index, memory_limit) as encoder:
        for sentence in sentences:
            encoder.add(sentence)
        return encoder.finish()


def encode_pairs(
    pairs: ParallelSentences,
    vocabularies: tuple[Mapping[str, int], Mapping[str, int]],
    memory_limit: int,
) -> EncodedPairs:
    """Encode both sides of parallel text and find the pairs that can be used."""
    blank = 0
    with (
        _Encoder(vocabularies[0], memory_limit) as left,
        _Encoder(vocabularies[1], memory_limit) as right,
    ):
        for source, target in pairs:
            blank += not source or not target
            left.add(source)
            right.add(target)
        sides = left.finish(), right.finish()
    usable = np.flatnonzero((sides[0].lengths > 0) & (sides[1].lengths > 0)).astype(np.int64)
    unknown = len(sides[0]) - blank - len(usable)
    logger.info(
        "encoded %i %s-%s sentence pairs: %i usable, %i with a blank side, %i without a known "
        "word on one side; unknown words: %.1f%% and %.1f%%",
        len(sides[0]), *pairs.languages, len(usable), blank, unknown,
        *(100 * (1 - len(side.ids) / max(side.raw_words, 1)) for side in sides),
    )  # fmt: skip
    return EncodedPairs(pairs.languages, sides, usable, blank, unknown)


def encode_inputs(
    inputs: Inputs, vocabularies: Mapping[str, Mapping[str, int]], memory_limit: int
) -> EncodedInputs:
    """Encode all corpora; raise CorpusError for one that there is nothing to learn from."""
    encoded = EncodedInputs([], [])
    for code in inputs.texts:
        corpus = encode_sentences(inputs.text(code), vocabularies[code], memory_limit)
        if not len(corpus.ids):
            raise CorpusError(
                f"{code!r} text: no known word in it ({len(corpus)} sentences, "
                f"{corpus.raw_words} words), though the vocabulary has "
                f"{len(vocabularies[code])} words. Can it be read more than once?"
            )
        encoded.texts.append((code, corpus))
    for parallel in inputs.parallel:
        a, b = (vocabularies[code] for code in parallel.languages)
        pairs = encode_pairs(parallel, (a, b), memory_limit)
        if not len(pairs.usable):
            raise CorpusError(
                f"{parallel.where}: none of its {len(pairs.sides[0])} pairs has a known word on "
                f"both sides ({pairs.blank} have a blank side). Are the languages "
                f"{parallel.languages} in this order?"
            )
        encoded.pairs.append(pairs)
        encoded.texts.extend(
            (code, side)
            for code, side in zip(pairs.languages, pairs.sides, strict=True)
            if code not in inputs.texts
        )
    return encoded
