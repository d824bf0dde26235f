"""IBM model 1: probabilities of word translations from sentence pairs."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa.baselines.bitext import Bitext, read_bitext
from gensim_bilbowa.baselines.ranking import Ranker
from gensim_bilbowa.corpora import EncodedCorpus, ParallelSentences
from gensim_bilbowa.errors import UnknownLanguageError
from gensim_bilbowa.evidence import bags
from gensim_bilbowa.parameters import check_number

__all__ = ["IBM1", "Alignment", "align_words"]

logger = logging.getLogger(__name__)

# Pairs of words whose posteriors are computed at once.
_BLOCK = 1 << 21


@dataclass(frozen=True)
class Alignment:
    """Word translation probabilities, and the counts that they come from.

    Attributes
    ----------
    probabilities : scipy.sparse.csr_array of float64, shape (n_source, n_target)
        t(f | e), of each target word for each source word; with the empty word a row more, the
        last one.
    counts : scipy.sparse.csr_array of float64, of the same shape
        How often each target word is expected to be aligned to each source word in the text.
    log_likelihoods : list of float
        Of the target sentences given the source sentences, before each epoch's update.
    """

    probabilities: Any
    counts: Any
    log_likelihoods: list[float]


class IBM1(Ranker):
    """Rank words by their translation probabilities under IBM model 1 (Brown et al. 1993).

    Each word f of a target sentence comes from one word e of the source sentence, or from the
    empty word, each as likely as the other. Expectation maximisation from uniform t(f | e) counts,
    for each token f of a sentence pair, ``t(f | e) / sum over e' of t(f | e')`` for each token e,
    and takes the counts' shares as the new t(f | e); the likelihood rises to its only maximum.

    Parameters
    ----------
    parallel : ParallelSentences
    source : str, optional
        Language of the words to be asked; default: the first of `parallel`.
    epochs : int
        Passes over the text.
    null : bool
        Whether target words may come from the empty word, which stands in each source sentence.
    min_count : int
        Leave out words that are rarer.

    Attributes
    ----------
    alignment : Alignment

    Raises
    ------
    ConfigError, CorpusError
        If a parameter is out of range, or nothing can be counted in the text.
    UnknownLanguageError
        If `source` is no language of the text.

    Notes
    -----
    Four bytes of memory for each pair of words in a sentence pair: 150 MB for 100,000 pairs of 20
    words.

    Examples
    --------
    After two passes over the text of Koehn (2010):

    >>> from gensim_bilbowa import ParallelSentences
    >>> pairs = [("the house", "das Haus"), ("the book", "das Buch"), ("a book", "ein Buch")]
    >>> parallel = ParallelSentences(
    ...     [(a.split(), b.split()) for a, b in pairs], languages=("en", "de"))
    >>> ranked = IBM1(parallel, epochs=2, null=False, min_count=1).rank("the")
    >>> [(word, round(probability, 4)) for word, probability in ranked["the"]]
    [('das', 0.6364), ('Buch', 0.1818), ('Haus', 0.1818)]
    """

    def __init__(
        self,
        parallel: ParallelSentences,
        *,
        source: str | None = None,
        epochs: int = 10,
        null: bool = True,
        min_count: int = 5,
    ) -> None:
        epochs = int(check_number("epochs", epochs, whole=True, low=1))
        text = read_bitext(parallel, min_count)
        if source not in (None, *text.languages):
            raise UnknownLanguageError(f"{parallel.where}: no side is {source!r}")
        if source == text.languages[1]:
            text = text.turned()
        super().__init__(text.languages, *text.vocabularies)
        self.alignment = align_words(text, epochs, null=null)

    def scores(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return t(f | e) of all target words; those that never meet are no candidates."""
        rows = self.alignment.probabilities[[self.source[word] for word in words]]
        table: NDArray[np.float32] = rows.toarray().astype(np.float32)
        table[table == 0] = -np.inf
        return table


def align_words(text: Bitext, epochs: int, *, null: bool = True) -> Alignment:
    """Estimate IBM model 1 for the second language's words given the first's.

    Parameters
    ----------
    text : Bitext
    epochs : int
    null : bool
        As for :class:`IBM1`.
    """
    source, target = (_usable(side, text) for side in text.pairs.sides)
    n_source, n_target = text.sizes
    if null:
        source = _with_empty_word(source, n_source)
        n_source += 1
    pattern = _cooccurring(source, target, (n_source, n_target))
    places = [
        (np.searchsorted(pattern, keys).astype(np.int32), starts)
        for keys, starts in _word_pairs(source, target, n_target)
    ]
    words, targets = np.divmod(pattern, n_target)
    probabilities = np.full(len(pattern), 1 / n_target)
    chance = float(np.log(source.lengths) @ target.lengths)  # of the alignments, which are uniform
    log_likelihoods = []
    for epoch in range(1, epochs + 1):
        counts = np.zeros(len(pattern))
        log_likelihood = -chance
        for block, starts in places:
            posterior = probabilities[block]
            totals = np.add.reduceat(posterior, starts)
            log_likelihood += float(np.log(totals).sum())
            posterior /= np.repeat(totals, np.diff(starts, append=len(block)))
            counts += np.bincount(block, posterior, minlength=len(pattern))
        probabilities = counts / np.bincount(words, counts)[words]
        log_likelihoods.append(log_likelihood)
        logger.info("epoch %i: log likelihood %.1f", epoch, log_likelihood)
    shape = (n_source, n_target)
    return Alignment(
        sparse.csr_array((probabilities, (words, targets)), shape=shape),
        sparse.csr_array((counts, (words, targets)), shape=shape),
        log_likelihoods,
    )


def _usable(side: EncodedCorpus, text: Bitext) -> EncodedCorpus:
    """Return the sentences of the pairs that have known words on both sides."""
    kept = np.zeros(len(side), bool)
    kept[text.pairs.usable] = True
    ids = side.ids[np.repeat(kept, side.lengths)]
    return EncodedCorpus(ids, np.append(0, np.cumsum(side.lengths[kept])), side.raw_words)


def _with_empty_word(side: EncodedCorpus, word: int) -> EncodedCorpus:
    ids = np.insert(side.ids, side.offsets[1:], word)
    return EncodedCorpus(ids, side.offsets + np.arange(len(side.offsets)), side.raw_words)


def _cooccurring(
    source: EncodedCorpus, target: EncodedCorpus, sizes: tuple[int, int]
) -> NDArray[np.int64]:
    """Return the keys ``e n_target + f`` of words that stand in the same pairs, ascending."""
    a, b = (
        bags(side, size, np.float64) for side, size in zip((source, target), sizes, strict=True)
    )
    table = (a.T @ b).tocoo()
    row, column = table.coords
    return np.sort(row.astype(np.int64) * sizes[1] + column)


def _word_pairs(
    source: EncodedCorpus, target: EncodedCorpus, n_target: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield the keys of all pairs of tokens, target token by target token, in blocks.

    Yields
    ------
    keys : ndarray of int64, shape (n,)
    starts : ndarray of int64
        Where each target token's pairs begin.
    """
    sizes = source.lengths * target.lengths
    ends = np.cumsum(sizes)
    marks = np.arange(0, ends[-1], _BLOCK)
    bounds = np.unique(np.append(np.searchsorted(ends, marks, side="right"), len(source)))
    for first, last in pairwise(bounds.tolist()):
        words = target.ids[target.offsets[first] : target.offsets[last]]
        sentence = np.repeat(np.arange(first, last), target.lengths[first:last])
        repeats = source.lengths[sentence]
        starts = np.cumsum(repeats) - repeats
        within = np.arange(repeats.sum()) - np.repeat(starts, repeats)
        partners = source.ids[np.repeat(source.offsets[sentence], repeats) + within]
        yield partners.astype(np.int64) * n_target + np.repeat(words, repeats), starts
