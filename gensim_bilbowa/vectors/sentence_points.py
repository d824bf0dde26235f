"""Sentences of two languages as points: vectors, with translated words beside them."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Any, TypeAlias

import numpy as np
from gensim.models import KeyedVectors
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa.corpora import EncodedCorpus
from gensim_bilbowa.corpora.sentences import Checked, Corpus, as_sentences
from gensim_bilbowa.evidence import bags
from gensim_bilbowa.evidence.matching import Matching
from gensim_bilbowa.parameters import check_number
from gensim_bilbowa.vectors.counts import counts_or_ones
from gensim_bilbowa.vectors.joined import JoinedVectors
from gensim_bilbowa.vectors.points import Points, WithWords
from gensim_bilbowa.vectors.retrieval import at_length_one
from gensim_bilbowa.vectors.sentences import (
    Weighting,
    are_vectors,
    check_vectors,
    sentence_vectors,
    word_weights,
)

__all__ = ["LEXICAL", "Given", "compared"]

# Sentences as token lists, or their vectors, shape (n, vector_size).
Given: TypeAlias = "Corpus | NDArray[Any]"

# The share that words have in a score, by measurement on English with six languages.
LEXICAL = 0.75


def compared(
    ours: JoinedVectors,
    theirs: JoinedVectors,
    sentences: Given,
    others: Given,
    weighting: Weighting = "mean",
    *,
    remove_common: bool = True,
    lexical: float = LEXICAL,
) -> tuple[Points, Points]:
    """Return the points whose products are the scores of sentences of two languages.

    With words where the space has aligned counts of both languages and both texts are given as
    words, by vectors alone otherwise.

    Parameters
    ----------
    ours, theirs : JoinedVectors
        Of the two languages, of one space.
    sentences, others, weighting, remove_common, lexical
        As for :meth:`CrossLingualKeyedVectors.most_similar_sentences_batch`.

    Returns
    -------
    points : ndarray of float32, shape (n, vector_size), or WithWords
    others : the same of the others
    """
    check_number("lexical", lexical, whole=False, low=0, high=1)
    matching = None
    if lexical and not (are_vectors(sentences) or are_vectors(others)):
        matching = ours.matching(theirs)
    if matching is None:
        return (
            _units(ours, sentences, "sentences", weighting, remove_common),
            _units(theirs, others, "others", weighting, remove_common),
        )
    sides, units = [], []
    for vectors, given, where in ((ours, sentences, "sentences"), (theirs, others, "others")):
        word_weights(vectors, weighting)  # which refuses what cannot work before all is read
        text = _Text.read(vectors, given, where)
        units.append(_units(vectors, text, where, weighting, remove_common))
        units[-1] *= np.float32(sqrt(1 - lexical))
        sides.append(text)
    words = _translated(matching, *sides)
    for side in words:
        side.data *= np.float32(sqrt(lexical / 2))
    return WithWords.pair((units[0], units[1]), words)


def _units(
    vectors: KeyedVectors, given: Any, where: str, weighting: Weighting, remove_common: bool
) -> NDArray[np.float32]:
    if are_vectors(given):
        rows = check_vectors(given, vectors.vector_size, where)
    else:
        rows = sentence_vectors(vectors, given, weighting, remove_common=remove_common, where=where)
    return at_length_one(rows)


@dataclass(frozen=True)
class _Text:
    """Sentences, read once, in little memory.

    Attributes
    ----------
    vectors : gensim.models.KeyedVectors
    words : list of str
        Those of the sentences, each once.
    sentences : EncodedCorpus
        As places in `words`.
    """

    vectors: KeyedVectors
    words: list[str]
    sentences: EncodedCorpus

    @classmethod
    def read(cls, vectors: KeyedVectors, given: Any, where: str) -> _Text:
        numbers: dict[str, int] = {}
        ids, ends = array("i"), array("q", [0])
        for sentence in Checked(as_sentences(given, where), where):
            ids.fromlist([numbers.setdefault(word, len(numbers)) for word in sentence])
            ends.append(len(ids))
        # Those of the vocabulary, then others in the order of the alphabet, so that nothing depends
        # on the order of the sentences.
        known = vectors.key_to_index
        words = sorted(numbers, key=lambda word: (known.get(word, len(known)), word))
        places = np.empty(len(words), np.int32)
        places[[numbers[word] for word in words]] = np.arange(len(words), dtype=np.int32)
        encoded = places[np.frombuffer(ids, np.int32)], np.frombuffer(ends, np.int64)
        return cls(vectors, words, EncodedCorpus(*encoded, len(ids)))

    def __iter__(self) -> Iterator[list[str]]:
        return self.sentences.decoded(self.words)

    def known(self) -> NDArray[np.int64]:
        rows = (self.vectors.key_to_index.get(word) for word in self.words)
        return np.array([row for row in rows if row is not None], np.int64)

    def weighted(self, weights: NDArray[np.float32]) -> Any:
        """Return the weights of each sentence's words, each once, (n_sentences, len(words))."""
        matrix = bags(self.sentences, len(self.words), np.float32)
        matrix.data = weights[matrix.indices]
        return matrix


def _importance(text: _Text, known: NDArray[np.int64]) -> NDArray[np.float32]:
    """Square root of the idf of each word of a text: in a product of two it is the idf."""
    counts = np.maximum(counts_or_ones(text.vectors), 1)
    of_text = np.append(counts[known], np.ones(len(text.words) - len(known), np.int64))
    return np.asarray(np.sqrt(np.log(counts.sum() / of_text).clip(0)), np.float32)


def _translated(matching: Matching, ours: _Text, theirs: _Text) -> tuple[Any, Any]:
    """Return the words of each text, and what they are translated to.

    Of one text the words and their translations stand side by side, of the other the translations
    and the words, each half of length 1 (or 0).

    Returns
    -------
    scipy.sparse.csr_array of float32, shape (n, n_words), and the same, shape (n_others, n_words)
    """
    texts = ours, theirs
    known = [text.known() for text in texts]
    unseen = [text.words[len(ids) :] for text, ids in zip(texts, known, strict=True)]
    shares = matching.shares(known[0], unseen[0], known[1], unseen[1])
    own, translated = [], []
    for side, text in enumerate(texts):
        weighed = text.weighted(_importance(text, known[side]))
        translated.append(_unit_rows(weighed @ shares[side]))
        # Words of which nothing is known make a sentence like no other, as those without vectors.
        told = np.diff(translated[side].indptr) > 0
        weighed.data[~np.repeat(told, np.diff(weighed.indptr))] = 0
        weighed.eliminate_zeros()
        size = len(text.vectors)
        columns = np.append(known[side], size + np.arange(len(unseen[side])))
        shape = weighed.shape[0], size + len(unseen[side])
        placed = weighed.data, columns[weighed.indices], weighed.indptr
        own.append(_unit_rows(sparse.csr_array(placed, shape)))
    return (
        sparse.csr_array(sparse.hstack([own[0], translated[0]], format="csr")),
        sparse.csr_array(sparse.hstack([translated[1], own[1]], format="csr")),
    )


def _unit_rows(matrix: Any) -> Any:
    matrix = sparse.csr_array(matrix, dtype=np.float32)
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    squares = np.bincount(rows, matrix.data.astype(np.float64) ** 2, minlength=matrix.shape[0])
    lengths = np.sqrt(np.where(squares > 0, squares, 1))
    matrix.data = (matrix.data / lengths[rows]).astype(np.float32)
    return matrix
