"""Words that are each other's best in parallel text: translations without vectors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.lexicons.cooccurrence import Cooccurrence, association

__all__ = ["mutual_best"]


def mutual_best(counts: Cooccurrence) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find the words that go together with each other more than with any other word.

    They are each other's best by the log-likelihood ratio (LLR, Dunning 1993), of which they have
    more than two words that stand in a single sentence pair, and both of them nowhere else: so that
    what is met once does not count. (That is about ``2 (1 + log n)`` in n pairs: 13 in 300, 20 in
    10,000.)

    Parameters
    ----------
    counts : Cooccurrence
        As :func:`count_pairs` returns it.

    Returns
    -------
    ndarray of int64 and ndarray of int64, both of shape (n_found,)
        Words of the first language, ascending, and of the second.

    Examples
    --------
    >>> from gensim_bilbowa import BilBOWA
    >>> from gensim_bilbowa.lexicons import count_pairs
    >>> pairs = {("en", "de"): [(["a", "dog"], ["ein", "hund"]), (["a", "cat"], ["ein", "kater"]),
    ...                         (["dog"], ["hund"]), (["sun"], ["sonne"]), (["sea"], ["meer"])]}
    >>> model = BilBOWA(vector_size=2, min_count=1)
    >>> model.build_vocab(parallel=pairs)
    >>> words, others = mutual_best(count_pairs(pairs, model.wv_en, model.wv_de))
    >>> [(model.wv_en.index_to_key[i], model.wv_de.index_to_key[j]) for i, j in zip(words, others)]
    [('a', 'ein'), ('dog', 'hund')]
    """
    ratio = counts.llr(slice(None)).tocsr()
    there, back = (np.asarray(ratio.argmax(axis=axis)).ravel() for axis in (1, 0))
    words = np.arange(len(there))
    once = association(*np.array([1, 0, 0, max(counts.pairs - 1, 0)]), "llr").astype(np.float32)
    kept = (back[there] == words) & (ratio.max(axis=1).toarray().ravel() > once)
    return words[kept], there[kept]
