"""Translations by spelling: words that look alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.baselines.ranking import Ranker
from gensim_bilbowa.extras import needing
from gensim_bilbowa.parameters import MOST_WORKERS, check_number

__all__ = ["EditDistance"]


class EditDistance(Ranker):
    """Rank words by how alike they are spelt.

    The score is 1 less the Levenshtein distance (insertions, deletions and substitutions of
    characters) by the length of the longer word: 1 for the same word, 0 for words that have
    nothing in common.

    Parameters
    ----------
    source, target : iterable of str
        The words that can be asked, and those that are ranked; ``model.wv_en.index_to_key``, for
        instance. Of words as alike the first wins, so that frequent words should come first.
    languages : (str, str)
        Of `source` and `target`.
    workers : int
        Threads.

    Raises
    ------
    ConfigError
        If there are no words.
    ImportError
        If rapidfuzz is not there.

    Examples
    --------
    >>> EditDistance(["night"], ["nacht", "licht"], languages=("en", "de")).rank("night")
    {'night': [('nacht', 0.6000000238418579), ('licht', 0.6000000238418579)]}
    """

    def __init__(
        self,
        source: Iterable[str],
        target: Iterable[str],
        *,
        languages: tuple[str, str],
        workers: int = 1,
    ) -> None:
        with needing("baselines", "EditDistance needs rapidfuzz"):
            from rapidfuzz import distance, process
        self._compare = process.cdist
        self._measure = distance.Levenshtein.normalized_similarity
        self._workers = int(check_number("workers", workers, whole=True, low=1, high=MOST_WORKERS))
        super().__init__(languages, source, target)
        self._targets = list(self.target)

    def scores(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the similarities of some words with all target words."""
        table = self._compare(
            words, self._targets, scorer=self._measure, dtype=np.float32, workers=self._workers
        )
        return np.asarray(table)
