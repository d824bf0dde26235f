"""IBM model 1: probabilities of word translations from sentence pairs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.baselines.bitext import Bitext, read_bitext
from gensim_bilbowa.baselines.ranking import Ranker
from gensim_bilbowa.corpora import EncodedCorpus, ParallelSentences
from gensim_bilbowa.evidence.alignment import Alignment, estimate
from gensim_bilbowa.parameters import check_number

__all__ = ["IBM1", "align_words"]


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
    Pairs of tokens are not stored: memory is that of the text, and twelve bytes for each two words
    that stand in a sentence pair together.

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
        text = read_bitext(parallel, min_count, source)
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
    source, target = (side.take(text.pairs.usable) for side in text.pairs.sides)
    n_source, n_target = text.sizes
    if null:
        source = _with_empty_word(source, n_source)
        n_source += 1
    return estimate((source, target), (n_source, n_target), epochs, likelihoods=True)


def _with_empty_word(side: EncodedCorpus, word: int) -> EncodedCorpus:
    ids = np.insert(side.ids, side.offsets[1:], word)
    return EncodedCorpus(ids, side.offsets + np.arange(len(side.offsets)), side.raw_words)
