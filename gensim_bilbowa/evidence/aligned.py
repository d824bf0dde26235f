"""What sentence pairs tell of the translations of words: counts of words that are aligned."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

import numpy as np
from scipy import sparse

from gensim_bilbowa.corpora import EncodedCorpus
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.evidence.alignment import Pairs, estimate
from gensim_bilbowa.evidence.spelling import spelt, stems
from gensim_bilbowa.kernels import Alike
from gensim_bilbowa.running.stages import Report, unreported
from gensim_bilbowa.teams import Team

__all__ = ["AlignedCounts", "align", "text_number"]

logger = logging.getLogger(__name__)

# Of the alignment, by measurement on English with German, French and small languages.
_STEM_PASSES = 2
_PASSES = 2
_POSITION = 2.0
_NULL = 0.08
_LIKENESS = 3.0
# Counts below this are taken for none: of each direction, and of both together.
_LEAST = 1e-3
_FLOOR = 0.05
# Words of a side that are aligned at most.
_MOST_WORDS = 1 << 25


def text_number(sides: Iterable[tuple[EncodedCorpus, EncodedCorpus]]) -> int:
    """Return what tells a text between two languages from others: a checksum of its sides."""
    number = 0
    for both in sides:
        for side in both:
            number = side.checksum(number)
    return number


class AlignedCounts(Mapping[tuple[str, str], Any]):
    """For pairs of languages, how often each word of one is aligned to each word of the other.

    A mapping from pairs of language codes to scipy.sparse.csr_array of float32. A count is the
    geometric mean of how often a word is expected to be aligned to the other one in sentence pairs,
    and the other one to it.

    Attributes
    ----------
    version : int
        Another number after each change, and of each object.
    """

    _versions = count()

    def __init__(self) -> None:
        self.version = next(self._versions)
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

    def add(self, source: str, target: str, counts: Any, *texts: int) -> None:
        """Add counts of two languages to those that are there.

        Parameters
        ----------
        source, target : str
        counts : scipy.sparse.csr_array of float32, shape (n_source, n_target)
            Stays as it is, and may be shared.
        *texts : int
            Numbers that tell the sentence pairs from others.

        Raises
        ------
        ConfigError
            If a count is negative or not finite.
        """
        codes = (target, source) if (target, source) in self._counts else (source, target)
        counts = sparse.csr_array(counts if codes == (source, target) else counts.T.tocsr())
        known = self.between(*codes, counts.shape)
        counts = _canonical(counts if known is None else sparse.csr_array(known + counts))
        if not (counts.data < np.inf).all() or (counts.data < 0).any():
            raise ConfigError(
                f"the counts of {codes[0]!r} and {codes[1]!r} must be finite and not negative"
            )
        self._counts[codes] = counts
        self._texts.setdefault(codes, []).extend(texts)
        self.version = next(self._versions)

    def knows(self, source: str, target: str, text: int) -> bool:
        """Say whether the counts of some sentence pairs were added already."""
        return any(
            text in self._texts.get(codes, ()) for codes in ((source, target), (target, source))
        )

    def texts(self, source: str, target: str) -> list[int]:
        """Return the numbers of the sentence pairs of two languages."""
        codes = (source, target) if (source, target) in self._texts else (target, source)
        return list(self._texts.get(codes, ()))

    def forget(self, language: str) -> None:
        """Remove what there is of a language."""
        for codes in [codes for codes in self._counts if language in codes]:
            del self._counts[codes], self._texts[codes]
        self.version = next(self._versions)

    def check(self, sizes: Mapping[str, int]) -> None:
        """Refuse counts of other languages, and of more words than there are.

        Parameters
        ----------
        sizes : mapping from str to int
            Number of words of each language.

        Raises
        ------
        ConfigError
        """
        for codes, counts in self.items():
            for code, size in zip(codes, counts.shape, strict=True):
                if code not in sizes:
                    raise ConfigError(
                        f"there are aligned words of {code!r}; the languages are {list(sizes)}"
                    )
                if size > sizes[code]:
                    raise ConfigError(
                        f"{'-'.join(codes)}: aligned words among {size:,} of {code!r}, which has "
                        f"{sizes[code]:,}"
                    )

    def __copy__(self) -> AlignedCounts:
        # The arrays are shared: none is ever changed in place.
        copied = AlignedCounts()
        copied._counts = dict(self._counts)
        copied._texts = {codes: list(texts) for codes, texts in self._texts.items()}
        return copied

    def __getitem__(self, codes: tuple[str, str]) -> Any:
        return self._counts[codes]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)


def _canonical(counts: Any) -> Any:
    """Return counts as float32, each once and none of zero, in the order of rows and columns."""
    counts = counts.astype(np.float32, copy=False)
    if not counts.has_canonical_format:
        counts = counts.copy()
        counts.sum_duplicates()
    if not counts.data.all():
        counts = counts.copy()
        counts.eliminate_zeros()
    return counts


def align(
    parts: Sequence[Pairs],
    words: Sequence[str],
    others: Sequence[str],
    *,
    workers: int = 1,
    report: Report = unreported,
    team: Team | None = None,
) -> Any:
    """Align the words of sentence pairs in both directions.

    By IBM model 1 (Brown et al. 1993), of each direction by itself, with a prior on positions,
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
    team : Team, optional
        Of which each rank does its part of the work, and gets the whole result; all must call.

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
        pairs, sizes, _PASSES, position=_POSITION, null=_NULL, least=_LEAST, floor=_FLOOR,
        workers=workers, classes=(stems(words), stems(others)), class_passes=_STEM_PASSES,
        alike=Alike(_LIKENESS, *spelt(words, others)), report=report, team=team,
    )  # fmt: skip
    counts = alignment.forth  # both have the same entries
    counts.data = np.sqrt(counts.data * alignment.back.data)
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
        _joined(
            [_taken(part[side], some[::step]) for part, some in zip(parts, chosen, strict=True)]
        )
        for side in (0, 1)
    )
    return one, other


def _taken(side: EncodedCorpus, sentences: Any) -> EncodedCorpus:
    return side if len(sentences) == len(side) else side.take(sentences)


def _joined(parts: Sequence[EncodedCorpus]) -> EncodedCorpus:
    if len(parts) == 1:
        return parts[0]
    ids = np.concatenate([part.ids for part in parts])
    lengths = np.concatenate([part.lengths for part in parts])
    return EncodedCorpus(ids, np.append(0, np.cumsum(lengths)), len(ids))
