"""What sentence pairs tell of the translations of words: counts of words that are aligned."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from gensim_bilbowa.corpora import EncodedCorpus
from gensim_bilbowa.evidence.alignment import Pairs, estimate
from gensim_bilbowa.evidence.spelling import spelt, stems
from gensim_bilbowa.kernels import Alike

__all__ = ["AlignedCounts", "align"]

logger = logging.getLogger(__name__)

# Of the alignment, by measurement on English with German, French and small languages.
_STEM_PASSES = 3
_PASSES = 3
_POSITION = 2.0
_NULL = 0.08
_LIKENESS = 3.0
# Counts below this are taken for none: of each direction, and of both together.
_LEAST = 1e-3
_FLOOR = 0.05
# Words of a side that are aligned at most.
_MOST_WORDS = 1 << 25


class AlignedCounts(Mapping[tuple[str, str], Any]):
    """For pairs of languages, how often each word of one is aligned to each word of the other.

    A mapping from pairs of language codes to scipy.sparse.csr_array of float32; see :func:`align`.

    Attributes
    ----------
    version : int
        Another number after each change.
    """

    def __init__(self) -> None:
        self.version = 0
        self._counts: dict[tuple[str, str], Any] = {}
        self._texts: dict[tuple[str, str], list[int]] = {}

    def between(self, source: str, target: str, sizes: tuple[int, int]) -> Any:
        """Return the counts of two languages in this order, or None.

        Returns
        -------
        scipy.sparse.csr_array of float32 of shape `sizes`, or None
            Words that were added to the vocabularies since have none.
        """
        counts = self._counts.get((source, target))
        if counts is None:
            counts = self._counts.get((target, source))
            counts = None if counts is None else sparse.csr_array(counts.T.tocsr())
        if counts is not None and counts.shape != sizes:
            counts = counts.copy()
            counts.resize(sizes)
        return counts

    def add(self, source: str, target: str, counts: Any, text: int | None = None) -> None:
        """Add counts of two languages to those that are there.

        Parameters
        ----------
        source, target : str
        counts : scipy.sparse.csr_array of float32, shape (n_source, n_target)
        text : int, optional
            A number that tells the sentence pairs from others.
        """
        codes = (target, source) if (target, source) in self._counts else (source, target)
        counts = sparse.csr_array(counts if codes == (source, target) else counts.T.tocsr())
        self.version += 1
        known = self.between(*codes, counts.shape)
        self._counts[codes] = counts if known is None else sparse.csr_array(known + counts)
        self._texts.setdefault(codes, []).extend([] if text is None else [text])

    def knows(self, source: str, target: str, text: int) -> bool:
        """Say whether the counts of some sentence pairs were added already."""
        return any(
            text in self._texts.get(codes, ()) for codes in ((source, target), (target, source))
        )

    def texts(self, source: str, target: str) -> list[int]:
        """Return the numbers of the sentence pairs of two languages, in the order of the keys."""
        return list(self._texts[source, target])

    def forget(self, language: str) -> None:
        """Remove what there is of a language."""
        self.version += 1
        for codes in [codes for codes in self._counts if language in codes]:
            del self._counts[codes], self._texts[codes]

    def __getitem__(self, codes: tuple[str, str]) -> Any:
        return self._counts[codes]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)


def align(
    parts: Sequence[Pairs],
    words: Sequence[str],
    others: Sequence[str],
    *,
    workers: int = 1,
    report: Callable[[float], None] = lambda part: None,
) -> Any:
    """Align the words of sentence pairs in both directions.

    By IBM model 1 (:func:`~gensim_bilbowa.evidence.alignment.estimate`) with a prior on positions,
    whose probabilities begin as those of the words' first four letters, and grow by likeness in
    spelling.

    Parameters
    ----------
    parts : sequence of (EncodedCorpus, EncodedCorpus)
        The two sides of each text. Pairs with an empty side tell nothing. Of very long text (33
        million words a side) pairs are left out evenly.
    words, others : sequence of str
        The two vocabularies.
    workers : int
        Threads; the result does not depend on them.
    report : callable
        Called with the part that is done, from 0 to 1, now and then.

    Returns
    -------
    scipy.sparse.csr_array of float32, shape (n_words, n_others)
        The geometric mean of how often a word is expected to be aligned to the other one in the
        text, and the other one to it, where that is 0.05 or more.
    """
    pairs = _usable(parts)
    sizes = len(words), len(others)
    if not len(pairs[0]):
        return sparse.csr_array(sizes, dtype=np.float32)
    alignment = estimate(
        pairs, sizes, _PASSES, position=_POSITION, null=_NULL, least=_LEAST, workers=workers,
        classes=(stems(words), stems(others)), class_passes=_STEM_PASSES,
        alike=Alike(_LIKENESS, *spelt(words, others)), report=report,
    )  # fmt: skip
    counts = alignment.forth  # both have the same entries
    counts.data = np.sqrt(counts.data * alignment.back.data)
    counts.data[counts.data < _FLOOR] = 0
    counts.eliminate_zeros()
    counts.sort_indices()
    return counts


def _usable(parts: Sequence[Pairs]) -> Pairs:
    """Put the sentence pairs together that have words on both sides."""
    chosen = [np.flatnonzero((a.lengths > 0) & (b.lengths > 0)) for a, b in parts]
    total = max(
        sum(int(part[side].lengths[some].sum()) for part, some in zip(parts, chosen, strict=True))
        for side in (0, 1)
    )
    step = max(1, -(-total // _MOST_WORDS))
    if step > 1:
        logger.info("alignment: one of %i sentence pairs is looked at", step)
    one, other = (
        _joined([part[side].take(some[::step]) for part, some in zip(parts, chosen, strict=True)])
        for side in (0, 1)
    )
    return one, other


def _joined(parts: Sequence[EncodedCorpus]) -> EncodedCorpus:
    if len(parts) == 1:
        return parts[0]
    ids = np.concatenate([part.ids for part in parts])
    lengths = np.concatenate([part.lengths for part in parts])
    return EncodedCorpus(ids, np.append(0, np.cumsum(lengths)), len(ids))
