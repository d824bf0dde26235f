"""Corpora as word indices: read once, then trained on without touching Python objects."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa import kernels
from gensim_bilbowa.corpora.cache import EncodingCache, Used
from gensim_bilbowa.corpora.compiled_reading import TextFile, read_sides
from gensim_bilbowa.corpora.encoded import EncodedCorpus, EncodedSide
from gensim_bilbowa.corpora.inputs import Inputs
from gensim_bilbowa.corpora.parallel import ParallelSentences
from gensim_bilbowa.errors import CorpusError
from gensim_bilbowa.running.stages import Report, unreported
from gensim_bilbowa.teams import Team

__all__ = [
    "EncodedInputs",
    "EncodedPairs",
    "encode_files",
    "encode_in_team",
    "encode_inputs",
    "encode_pairs",
    "encode_sentences",
    "encode_usable_pairs",
]

logger = logging.getLogger(__name__)

# A smaller share of usable pairs than this is worth a warning: something may not fit.
_FEW = 0.1
_BATCH_TOKENS = 1 << 16
_REPORTED_PAIRS = 1 << 12
_UNKNOWN = -1


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
    """An array that is appended to, in memory or, once told so, in an unnamed file."""

    def __init__(self, dtype: Any) -> None:
        self._dtype = np.dtype(dtype)
        self._chunks: list[NDArray[Any]] = []
        self._file: IO[bytes] | None = None
        self.nbytes = 0

    def append(self, chunk: NDArray[Any]) -> None:
        self.nbytes += chunk.nbytes
        if self._file is None:
            self._chunks.append(chunk)
        else:
            _write(self._file, [chunk])

    def spill(self) -> None:
        """Go on in a file, with what is there."""
        self._file = tempfile.TemporaryFile(prefix="bilbowa-")  # noqa: SIM115
        _write(self._file, self._chunks)
        self._chunks = []

    def finish(self) -> NDArray[Any]:
        if self._file is None:
            return np.concatenate([np.empty(0, self._dtype), *self._chunks])
        # An empty file cannot be mapped.
        array = np.memmap(self._file, self._dtype, "r") if self.nbytes else np.empty(0, self._dtype)
        self.close()
        return array

    def close(self) -> None:
        """Close the file; a map of it stays, and the file is gone with the map."""
        if self._file is not None:
            with suppress(OSError):  # again the one of the write that failed
                self._file.close()


def _write(file: IO[bytes], chunks: Iterable[NDArray[Any]]) -> None:
    try:
        for chunk in chunks:
            file.write(chunk.tobytes())
        file.flush()
    except OSError as error:
        error.filename = tempfile.gettempdir()
        raise


class _Encoder:
    """Turns batches of sentences into an `EncodedCorpus`."""

    def __init__(self, key_to_index: Mapping[str, int], memory_limit: int) -> None:
        self._get = key_to_index.get
        self._limit = memory_limit
        self._spilled = False
        self._ids = _GrowingArray(np.int32)
        self._offsets = _GrowingArray(np.int64)
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
        self.extend(ids[known], known_before[ends], n)
        self._tokens, self._lengths = [], []

    def extend(self, ids: NDArray[np.int32], ends: NDArray[np.int64], raw_words: int) -> None:
        """Append encoded sentences; `ends` are those of the sentences within `ids`."""
        self._ids.append(ids)
        self._offsets.append(self._total + ends)
        if not self._spilled and self._ids.nbytes + self._offsets.nbytes > self._limit:
            self._spilled = True
            self._ids.spill()
            self._offsets.spill()
            logger.info(
                "encoded text exceeds %i bytes, continuing in files in %s",
                self._limit, tempfile.gettempdir(),
            )  # fmt: skip
        self._total += len(ids)
        self._raw_words += raw_words

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


def encode_files(
    files: Sequence[TextFile],
    vocabularies: Sequence[Mapping[str, int]],
    memory_limit: int,
    *,
    workers: int = 1,
    cache: EncodingCache | None = None,
) -> list[EncodedSide]:
    """Encode files as :func:`read_sides` reads them, a vocabulary for each side.

    Sides that `cache` has are not read again; those that it lacks are put there.
    """
    entries = cache.entries(files, vocabularies) if cache is not None else []
    if entries and all(found := [entry.load() for entry in entries]):
        return [side for side in found if side is not None]
    tables = [kernels.Vocabulary(vocabulary) for vocabulary in vocabularies]
    blank: list[list[NDArray[np.bool_]]] = [[np.zeros(0, np.bool_)] for _ in tables]
    with ExitStack() as stack:
        encoders = [stack.enter_context(_Encoder({}, memory_limit)) for _ in tables]
        results = read_sides(files, lambda side, _, text: tables[side].encode(text), workers)
        for number, (ids, known, blanks, words) in stack.enter_context(closing(results)):
            encoders[number].extend(ids, np.cumsum(known), words)
            blank[number].append(blanks)
        sides = [
            EncodedSide(encoder.finish(), np.concatenate(parts))
            for encoder, parts in zip(encoders, blank, strict=True)
        ]
    for entry, side in zip(entries, sides, strict=bool(entries)):
        entry.store(side)
    return sides


def encode_pairs(
    pairs: ParallelSentences,
    vocabularies: tuple[Mapping[str, int], Mapping[str, int]],
    memory_limit: int,
    *,
    workers: int = 1,
    cache: EncodingCache | None = None,
    report: Report = unreported,
) -> EncodedPairs:
    """Encode both sides of parallel text and find the pairs that can be used, if any.

    `report` is called with the pairs done, now and then, unless compiled code reads files.
    """
    if pairs.files is not None:
        (a, no_a), (b, no_b) = encode_files(
            pairs.files, vocabularies, memory_limit, workers=workers, cache=cache
        )
        pairs.check_lengths(len(a), len(b))
        sides, blank = (a, b), int(np.count_nonzero(no_a | no_b))
    else:
        sides, blank = _encode_iterable(pairs, vocabularies, memory_limit, report)
    usable = np.flatnonzero((sides[0].lengths > 0) & (sides[1].lengths > 0)).astype(np.int64)
    unknown = len(sides[0]) - blank - len(usable)
    few = len(usable) < _FEW * (len(sides[0]) - blank)
    logger.log(
        logging.WARNING if few else logging.INFO,
        "encoded %i %s-%s sentence pairs: %i usable, %i with a blank side, %i without a known "
        "word on one side; unknown words: %.1f%% and %.1f%%",
        len(sides[0]), *pairs.languages, len(usable), blank, unknown,
        *(100 * (1 - len(side.ids) / max(side.raw_words, 1)) for side in sides),
    )  # fmt: skip
    return EncodedPairs(pairs.languages, sides, usable, blank, unknown)


def encode_usable_pairs(pairs: ParallelSentences, *args: Any, **options: Any) -> EncodedPairs:
    """Encode parallel text as :func:`encode_pairs` does; raise CorpusError if no pair is usable."""
    encoded = encode_pairs(pairs, *args, **options)
    if not len(encoded.usable):
        raise CorpusError(
            f"{pairs.where}: none of its {len(encoded.sides[0])} pairs has a known word on both "
            f"sides ({encoded.blank} have a blank side). Are the languages {pairs.languages} in "
            "this order, and the words cut and cased as in the vocabularies?"
        )
    return encoded


def _encode_iterable(
    pairs: ParallelSentences,
    vocabularies: tuple[Mapping[str, int], Mapping[str, int]],
    memory_limit: int,
    report: Report,
) -> tuple[tuple[EncodedCorpus, EncodedCorpus], int]:
    blank = 0
    with (
        _Encoder(vocabularies[0], memory_limit) as left,
        _Encoder(vocabularies[1], memory_limit) as right,
    ):
        for number, (source, target) in enumerate(pairs, start=1):
            blank += not source or not target
            left.add(source)
            right.add(target)
            if number % _REPORTED_PAIRS == 0:
                report(number)
        return (left.finish(), right.finish()), blank


def encode_inputs(
    inputs: Inputs,
    vocabularies: Mapping[str, Mapping[str, int]],
    memory_limit: int,
    *,
    workers: int = 1,
    cache: EncodingCache | None = None,
) -> EncodedInputs:
    """Encode all corpora; raise CorpusError for one that there is nothing to learn from."""
    encoded = EncodedInputs([], [])
    for code in inputs.texts:
        if (files := inputs.files(code)) is not None:
            ((corpus, _),) = encode_files(
                files, [vocabularies[code]], memory_limit, workers=workers, cache=cache
            )
        else:
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
        pairs = encode_usable_pairs(parallel, (a, b), memory_limit, workers=workers, cache=cache)
        encoded.pairs.append(pairs)
        encoded.texts.extend(
            (code, side)
            for code, side in zip(pairs.languages, pairs.sides, strict=True)
            if code not in inputs.texts
        )
    return encoded


def encode_in_team(
    inputs: Inputs, vocabularies: Mapping[str, Mapping[str, int]], memory_limit: int, *,
    workers: int, cache: EncodingCache | None, team: Team,
) -> EncodedInputs:  # fmt: skip
    """Do as :func:`encode_inputs` on every rank of a team.

    Where rank 0 has a cache it goes first, and the others take of it what they find there.
    """
    encode = partial(
        encode_inputs, inputs, vocabularies, memory_limit, workers=workers, cache=cache
    )
    if team.size == 1 or not team.broadcast(cache is not None):
        return encode()
    if not team.rank:
        encoded = encode()
        team.broadcast(cache.used if cache is not None else {})
        return encoded
    lent: Used = team.broadcast({})
    if cache is not None:
        cache.lent = lent
    return encode()
