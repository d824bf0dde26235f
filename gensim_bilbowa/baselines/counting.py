"""Translations by counting in parallel text: words that stand in the same sentence pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.baselines.bitext import read_bitext
from gensim_bilbowa.baselines.ranking import Ranker
from gensim_bilbowa.corpora import ParallelSentences
from gensim_bilbowa.evidence import Cooccurrence, Measure
from gensim_bilbowa.parameters import check_choice

__all__ = ["Association"]


class Association(Ranker):
    """Rank words by how strongly they go together in sentence pairs.

    A word counts once for each pair that it stands in, however often. Words that never stand
    together, or, save for "dice", no more often than by chance, are no candidates.

    Parameters
    ----------
    parallel : ParallelSentences
    measure : {"llr", "dice", "chi2", "t"}
        See :func:`association`. "llr" is the most accurate.
    source : str, optional
        Language of the words to be asked; default: the first of `parallel`.
    min_count : int
        Leave out words that are rarer.

    Raises
    ------
    ConfigError, CorpusError
        If the measure is unknown, or nothing can be counted in the text.
    UnknownLanguageError
        If `source` is no language of the text.

    Examples
    --------
    >>> from gensim_bilbowa import ParallelSentences
    >>> pairs = [("the house", "das haus"), ("the book", "das buch"), ("a book", "ein buch")]
    >>> parallel = ParallelSentences(
    ...     [(a.split(), b.split()) for a, b in pairs], languages=("en", "de"))
    >>> Association(parallel, "dice", min_count=1).rank("book", topn=2)
    {'book': [('buch', 1.0), ('ein', 0.6666666865348816)]}
    """

    def __init__(
        self,
        parallel: ParallelSentences,
        measure: Measure = "llr",
        *,
        source: str | None = None,
        min_count: int = 5,
    ) -> None:
        check_choice("measure", measure, get_args(Measure))
        text = read_bitext(parallel, min_count, source)
        super().__init__(text.languages, *text.vocabularies)
        self.measure = measure
        self._counts = Cooccurrence.count([text.pairs.sides], text.sizes)

    def scores(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the measure of some words with all words of the other language."""
        rows = np.array([self.source[word] for word in words], np.int64)
        asked = self._counts.among(rows, np.arange(len(self.target)))
        found = asked.association(slice(None), self.measure)
        table = np.full(found.shape, -np.inf, np.float32)
        table[found.coords] = found.data
        return table
