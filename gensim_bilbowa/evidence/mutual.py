"""Words that are each other's best in parallel text: translations without vectors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.evidence.cooccurrence import Cooccurrence

__all__ = ["mutual_best"]


def mutual_best(
    counts: Cooccurrence, least: float = 10.0
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find the words that go together with each other more than with any other word.

    Parameters
    ----------
    counts : Cooccurrence
        As :func:`count_pairs` returns it.
    least : float
        The log-likelihood ratio (LLR, Dunning 1993) that two words need more of. Of two that have
        nothing to do with each other 1 in 600 has more than 10.

    Returns
    -------
    ndarray of int64 and ndarray of int64, both of shape (n_found,)
        Words of the first language, ascending, and of the second: each is the other one's best by
        LLR. Of equals it is the first of the vocabulary.

    Examples
    --------
    >>> from gensim_bilbowa import BilBOWA
    >>> from gensim_bilbowa.lexicons import count_pairs
    >>> pairs = {("en", "de"): [(["a", "dog"], ["ein", "hund"]), (["a", "cat"], ["ein", "kater"]),
    ...                         (["dog"], ["hund"]), (["sun"], ["sonne"]), (["sea"], ["meer"])]}
    >>> model = BilBOWA(vector_size=2, min_count=1)
    >>> model.build_vocab(parallel=pairs)
    >>> words, others = mutual_best(count_pairs(pairs, model.wv_en, model.wv_de), least=6)
    >>> [(model.wv_en.index_to_key[i], model.wv_de.index_to_key[j]) for i, j in zip(words, others)]
    [('dog', 'hund'), ('a', 'ein')]
    """
    ratio = counts.llr(slice(None)).tocsr()
    there, back = (np.asarray(ratio.argmax(axis=axis)).ravel() for axis in (1, 0))
    words = np.arange(len(there))
    kept = (back[there] == words) & (ratio.max(axis=1).toarray().ravel() > least)
    return words[kept], there[kept]
