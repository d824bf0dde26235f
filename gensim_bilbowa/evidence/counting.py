"""Counting words of two vocabularies in parallel text."""

from __future__ import annotations

from typing import Any, Protocol

from gensim_bilbowa.corpora import (
    EncodedCorpus,
    ParallelSentences,
    collect_parallel,
    encode_usable_pairs,
)
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.evidence.aligned import align
from gensim_bilbowa.evidence.cooccurrence import Cooccurrence
from gensim_bilbowa.running.stages import Report, unreported

__all__ = ["Vocabulary", "count_pairs", "encode_sides", "texts_between"]

_MEMORY = 1 << 30


class Vocabulary(Protocol):
    """A language's words, as its ``KeyedVectors`` hold them."""

    language: str | None
    key_to_index: dict[str, int]


def count_pairs(
    parallel: Any, source: Vocabulary, target: Vocabulary, *, workers: int = 1
) -> Cooccurrence:
    """Count in parallel text how often words of two languages stand in the same sentence pairs.

    Parameters
    ----------
    parallel, workers
        As for :func:`~gensim_bilbowa.lexicons.extract_lexicon`.
    source, target : CrossLingualKeyedVectors
        Those of the two languages, for their vocabularies.
    """
    texts = texts_between(parallel, str(source.language), str(target.language))
    sides = [encode_sides(text, source, target, workers) for text in texts]
    sizes = len(source.key_to_index), len(target.key_to_index)
    words, others = list(source.key_to_index), list(target.key_to_index)
    return Cooccurrence.count(sides, sizes, lambda: align(sides, words, others, workers=workers))


def texts_between(parallel: Any, source: str, target: str) -> list[ParallelSentences]:
    """Return those of some parallel texts that are of two languages; it is an error if none is."""
    given = collect_parallel(parallel, [source, target])
    texts = [text for text in given if set(text.languages) == {source, target}]
    if not texts:
        raise ConfigError(
            f"parallel text of {source!r} and {target!r} is wanted, got "
            f"{[text.languages for text in given]}"
        )
    return texts


def encode_sides(
    text: ParallelSentences,
    source: Vocabulary,
    target: Vocabulary,
    workers: int,
    report: Report = unreported,
) -> tuple[EncodedCorpus, EncodedCorpus]:
    """Encode parallel text, the source language's side first; report the pairs done."""
    straight = text.languages[0] == source.language
    a, b = (source, target) if straight else (target, source)
    encoded = encode_usable_pairs(
        text, (a.key_to_index, b.key_to_index), _MEMORY, workers=workers, report=report
    )
    return encoded.sides if straight else encoded.sides[::-1]
