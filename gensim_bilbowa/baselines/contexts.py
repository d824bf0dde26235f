"""Translations by context: words of two languages that stand among each other's translations."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import norm

from gensim_bilbowa.baselines.bitext import MEMORY, frequent_words
from gensim_bilbowa.baselines.ranking import Ranker
from gensim_bilbowa.corpora import Corpus, EncodedCorpus, collect, encode_sentences
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.formats.dictionaries import Dictionary, check_dictionary
from gensim_bilbowa.parameters import check_choice, check_number

__all__ = ["ContextVectors", "ContextWeighting", "neighbour_counts"]

logger = logging.getLogger(__name__)

ContextWeighting: TypeAlias = Literal["count", "log", "ppmi"]


class ContextVectors(Ranker):
    """Rank words by the cosine of what stands around them, seen through a seed dictionary.

    This is the "word co-occurrence" of Mikolov et al. (2013) and of the BilBOWA paper, after Rapp
    (1999). A word's vector counts the words of the seed dictionary that stand within `window`
    words of it; the dictionary maps that of the source language to words of the target language,
    and the cosine compares. No parallel text is needed.

    Parameters
    ----------
    sentences : dict from str to corpus
        Text of two languages, as for :class:`~gensim_bilbowa.BilBOWA`: first that of the words to
        be asked.
    dictionary : mapping from str to str iterables
        Translations of words of the first language. Those of one word share its counts equally.
        Words that are not in the vocabularies are left out and counted in the log.
    window : int
        How many words before and after a word count as its context, within a sentence.
    min_count : int
        Leave out words that are rarer.
    weighting : {"ppmi", "count", "log"}
        What becomes of a count k: "ppmi" takes the positive pointwise mutual information of word
        and context, ``max(0, log(k n / (k_i. k_.j)))`` (Church and Hanks 1990); "count" k itself,
        as the papers say, which is far less accurate; "log" ``log(1 + k)``.

    Raises
    ------
    ConfigError
        If a parameter is out of range, the languages are not two, or no pair of the dictionary has
        both its words in the text.

    Examples
    --------
    >>> english = ["cats drink milk", "dogs chew bones"]
    >>> german = ["katzen trinken milch", "hunde nagen knochen"]
    >>> ranker = ContextVectors(
    ...     {"en": [s.split() for s in english], "de": [s.split() for s in german]},
    ...     {"drink": ["trinken"], "milk": ["milch"], "chew": ["nagen"], "bones": ["knochen"]},
    ...     min_count=1)
    >>> ranker.rank("cats", topn=1)["cats"][0][0]
    'katzen'
    """

    def __init__(
        self,
        sentences: Mapping[str, Corpus],
        dictionary: Dictionary,
        *,
        window: int = 10,
        min_count: int = 5,
        weighting: ContextWeighting = "ppmi",
    ) -> None:
        window = int(check_number("window", window, whole=True, low=1))
        min_count = int(check_number("min_count", min_count, whole=True))
        check_choice("weighting", weighting, get_args(ContextWeighting))
        check_dictionary(dictionary)
        inputs = collect(sentences, None, None)
        if len(inputs.languages) != 2:
            raise ConfigError(f"text of two languages is wanted, got {inputs.languages or 'none'}")
        inputs.require_restartable()
        words = frequent_words(inputs, min_count)
        super().__init__((inputs.languages[0], inputs.languages[1]), *words)
        rows, columns = self._seeds(dictionary)
        contexts = np.unique(rows), np.unique(columns)
        vectors = []
        for code, vocabulary, kept in zip(
            self.languages, (self.source, self.target), contexts, strict=True
        ):
            text = encode_sentences(inputs.text(code), vocabulary, MEMORY)
            counts = neighbour_counts(text, len(vocabulary), window)
            vectors.append(_weighted(counts[:, kept], weighting))
        places = (np.searchsorted(contexts[0], rows), np.searchsorted(contexts[1], columns))
        shares = 1 / np.bincount(places[0])[places[0]]
        seeds = sparse.csr_array((shares, places), shape=[len(kept) for kept in contexts])
        self._source_vectors = _at_length_one(vectors[0] @ seeds)
        self._target_vectors = _at_length_one(vectors[1])

    def _seeds(self, dictionary: Dictionary) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the indices of the pairs that are in the vocabularies, in a fixed order."""
        given = {(word, one) for word, targets in dictionary.items() for one in targets}
        known = sorted(
            (self.source[word], self.target[one])
            for word, one in given
            if word in self.source and one in self.target
        )
        if not known:
            raise ConfigError(
                f"none of the dictionary's {len(given)} pairs has both its words in the text; is "
                "it the other way round, or in another case?"
            )
        logger.log(
            logging.WARNING if len(known) < len(given) else logging.INFO,
            "%s-%s: %i of the dictionary's %i pairs are used, the others have a word that is not "
            "in the vocabulary", *self.languages, len(known), len(given),
        )  # fmt: skip
        rows, columns = np.array(known, np.int64).T
        return rows, columns

    def scores(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the cosines of some words with all words of the other language."""
        asked = self._source_vectors[[self.source[word] for word in words]]
        return np.asarray((asked @ self._target_vectors.T).todense(), np.float32)


def neighbour_counts(text: EncodedCorpus, n_words: int, window: int) -> Any:
    """Count how often words stand within `window` words of each other in a sentence.

    Parameters
    ----------
    text : EncodedCorpus
    n_words : int
        Size of the vocabulary.
    window : int
        Known words before and after.

    Returns
    -------
    scipy.sparse.csr_array of float64, shape (n_words, n_words)
        Symmetric.
    """
    sentence = np.repeat(np.arange(len(text)), text.lengths)
    counts = sparse.csr_array((n_words, n_words))
    for distance in range(1, min(window, int(text.lengths.max(initial=0)) - 1) + 1):
        together = np.flatnonzero(sentence[distance:] == sentence[:-distance])
        places = (text.ids[together], text.ids[together + distance])
        ones = np.ones(len(together))
        counts += sparse.coo_array((ones, places), shape=(n_words, n_words)).tocsr()
    return (counts + counts.T).tocsr()


def _weighted(counts: Any, weighting: ContextWeighting) -> Any:
    if weighting == "log":
        return counts.log1p()
    if weighting == "ppmi":
        table = counts.tocoo()
        row, column = table.coords
        rows, columns = counts.sum(axis=1), counts.sum(axis=0)
        values = np.log(table.data * rows.sum() / (rows[row] * columns[column]))
        kept = values > 0
        return sparse.coo_array(
            (values[kept], (row[kept], column[kept])), shape=counts.shape
        ).tocsr()
    return counts


def _at_length_one(rows: Any) -> Any:
    lengths = norm(rows, axis=1)
    return sparse.diags_array(1 / np.where(lengths > 0, lengths, 1)) @ rows.tocsr()
