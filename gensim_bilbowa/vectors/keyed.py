"""One language's vectors, as gensim's KeyedVectors, with a way to the other languages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.corpora.sentences import check_sentence
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.parameters import check_choice, check_number
from gensim_bilbowa.vectors.joined import JoinedVectors
from gensim_bilbowa.vectors.mining import Margin, mine
from gensim_bilbowa.vectors.retrieval import (
    Method,
    Scoring,
    best_columns,
    check_method,
    most_similar,
    nearest,
)
from gensim_bilbowa.vectors.sentence_points import LEXICAL, Given, compared
from gensim_bilbowa.vectors.sentences import Weighting, are_vectors

__all__ = ["WORD_METHODS", "CrossLingualKeyedVectors", "WordMethod"]

WordMethod: TypeAlias = Literal["cosine", "csls", "inverted_softmax", "hybrid"]
WORD_METHODS: tuple[WordMethod, ...] = get_args(WordMethod)


def _check_answer(topn: int | None, restrict_vocab: int | None) -> None:
    for name, value in {"topn": topn, "restrict_vocab": restrict_vocab}.items():
        if value is not None:
            check_number(name, value, whole=True)


class CrossLingualKeyedVectors(JoinedVectors):
    """gensim's ``KeyedVectors`` of one language, next to those of others in the same space.

    Everything of gensim's class works; ``most_similar_cross`` and ``similarity_cross`` ask
    another language for words, ``most_similar_sentences`` and ``mine_sentences`` for sentences.
    Saved, pickled or copied by itself it is a plain
    ``KeyedVectors``; put loaded ones together again with :class:`CrossLingualVectors`.

    Attributes
    ----------
    language : str or None
        Code of the language.
    """

    def most_similar_cross(
        self,
        word_or_vector: str | int | NDArray[np.float32],
        topn: int | None = 10,
        lang: str | None = None,
        method: WordMethod = "cosine",
        *,
        restrict_vocab: int | None = None,
        k: int = 10,
        beta: float = 30.0,
    ) -> list[tuple[str, float]] | NDArray[np.float32]:
        """Find the words of another language that are most similar to a word of this one.

        Parameters
        ----------
        word_or_vector : str, int or ndarray of shape (vector_size,)
            A word of this language, its index, or any vector of the shared space.
        topn : int or None
            How many words to return; None returns the scores of the whole vocabulary.
        lang : str, optional
            The other language; may be left out where there is one.
        method : {"cosine", "csls", "inverted_softmax", "hybrid"}
            "csls" corrects for hubs, words that are near to everything (Conneau et al. 2018):
            ``2 cos(x, y) - r(x) - r(y)`` with r the mean cosine to the `k` nearest words of the
            other language. "inverted_softmax" (Smith et al. 2017) does so by the log probability
            that y is asked for by x among all words of this language. Both translate more
            accurately; their first call compares the two whole vocabularies. "hybrid" adds to
            CSLS what the training text tells of the two words, and their likeness in spelling, as
            :func:`~gensim_bilbowa.lexicons.extract_lexicon` does; it asks for words of the
            vocabulary.
        restrict_vocab : int, optional
            Search only the first (most frequent) words of the other language.
        k : int
            Size of the neighbourhood for "csls".
        beta : float
            Inverse temperature of "inverted_softmax", from 1e-6 to 1e6.

        Returns
        -------
        list of (str, float), or ndarray of float32 of shape (n_words,) if `topn` is None
            Best first. A zero vector is similar to nothing: cosine 0.

        Raises
        ------
        UnknownWordError
            If the word is not in this language's vocabulary (also a KeyError).
        UnknownLanguageError
            If there is no such language.

        See Also
        --------
        most_similar_cross_batch : many words at once.
        """
        _check_answer(topn, restrict_vocab)
        other = self.other_language(lang)
        query = self.query(word_or_vector)
        scoring, add = self._scoring_and_evidence([word_or_vector], lang, method, k, beta)
        other.fill_norms()
        norms = other.norms
        cosines = np.asarray((other.vectors @ query) / np.where(norms > 0, norms, 1), np.float32)
        scores = scoring(cosines[None, :])
        if add is not None:
            add(scores, slice(0, 1))
        scores = scores[:, :restrict_vocab]
        if topn is None:
            return np.asarray(scores[0])
        (best,), (values,) = best_columns(scores, min(topn, scores.shape[1]))
        return other.scored(best, values)

    def most_similar_cross_batch(
        self,
        words_or_vectors: Sequence[str | int] | NDArray[Any],
        topn: int = 10,
        lang: str | None = None,
        method: WordMethod = "cosine",
        *,
        restrict_vocab: int | None = None,
        k: int = 10,
        beta: float = 30.0,
    ) -> list[list[tuple[str, float]]]:
        """Find the most similar words of another language for many words at once.

        Parameters
        ----------
        words_or_vectors : sequence of str or int, or ndarray of shape (n, vector_size)
            Words of this language, their indices, or any vectors of the shared space.
        topn : int
            How many words to return for each.
        lang, method, restrict_vocab, k, beta
            As for :meth:`most_similar_cross`.

        Returns
        -------
        list of list of (str, float)
            For each word what :meth:`most_similar_cross` returns, up to rounding.
        """
        if topn is None:
            raise ConfigError("topn must be a number here; most_similar_cross takes None")
        _check_answer(topn, restrict_vocab)
        other = self.other_language(lang)
        queries = self.queries(words_or_vectors)
        scoring, add = self._scoring_and_evidence(words_or_vectors, lang, method, k, beta)
        indices, scores = nearest(
            np.array(queries, np.float32).reshape(-1, self.vector_size), other.unit_vectors(), topn,
            scoring=scoring, among=restrict_vocab, add=add,
        )  # fmt: skip
        return [other.scored(*row) for row in zip(indices, scores, strict=True)]

    def _scoring_and_evidence(
        self, words: Sequence[Any] | NDArray[Any], lang: str | None, method: WordMethod, k: int,
        beta: float,
    ) -> tuple[Scoring, Callable[[NDArray[np.float32], slice], None] | None]:  # fmt: skip
        """Return what makes scores of cosines, and what is added to those of the words asked."""
        check_choice("method", method, WORD_METHODS)
        if method != "hybrid":
            return self.scoring(lang, method, k=k, beta=beta), None
        if not all(isinstance(word, str | int | np.integer) for word in words):
            raise ConfigError("method 'hybrid' asks for words, not for vectors; take 'csls'")
        indices = np.array([self.get_index(word) for word in words], np.int64)
        other = self.other_language(lang)
        evidence = self.evidence(lang).among(indices, np.arange(len(other)))
        return self.scoring(lang, "csls", k=k), evidence.add_to

    def similarity_cross(self, word: str, other_word: str, lang: str | None = None) -> float:
        """Cosine similarity of a word of this language to a word of another one.

        Parameters
        ----------
        word, other_word : str
            A word of this language, and one of the other.
        lang : str, optional
            The other language; may be left out where there is one.
        """
        other = self.other_language(lang)
        return float(np.dot(self.query(word), other.query(other_word)))

    def most_similar_sentences(
        self,
        sentence: Sequence[str] | NDArray[Any],
        others: Given,
        topn: int = 10,
        lang: str | None = None,
        *,
        weighting: Weighting = "mean",
        remove_common: bool = True,
        lexical: float = LEXICAL,
    ) -> list[tuple[int, float]]:
        """Find the sentences of another language that are most similar to one of this language.

        By the cosine of their vectors, and by their words where the space knows which words of the
        two languages were aligned in sentence pairs (``aligned``)::

            score = (1 - lexical) cos(v(x), v(y)) + lexical (cos(T(x), y) + cos(x, U(y))) / 2

        Here v(x) is the vector of a sentence. x and y are the words of the two, each once, weighted
        by the square root of their idf, which is the log of one in the word's share of the
        vocabulary's counts. T and U translate words by the shares of their aligned counts (of 0.02
        or more). A word that is aligned less than three times in all, or not in the vocabulary, is
        told of by words that begin with the same four letters, and by the word of the other
        sentences that is spelt most like it, if that holds the other way round: a name or number
        that stands in both texts is its own translation.

        CSLS and inverted softmax compare all that is asked, see
        :meth:`most_similar_sentences_batch`.

        Parameters
        ----------
        sentence : list of str, or ndarray of shape (vector_size,)
        others : iterable of list of str, path, or ndarray of shape (n_others, vector_size)
            Sentences of language `lang`, or their vectors from :meth:`sentence_vectors`: compute
            these once where many questions are asked.
        topn : int
            How many to return.
        lang : str, optional
            The other language; may be left out where there is one, and for vectors.
        weighting, remove_common
            As for :meth:`sentence_vectors`, of both languages' sentences, for their vectors; a
            mapping holds the words of both.
        lexical : float
            From 0 to 1: the share of the score that the words have beside the vectors; 0 compares
            vectors alone. So does any other where the space has no aligned counts of the two
            languages, or sentences are given as vectors, which do not tell their words.

        Returns
        -------
        list of (int, float)
            Positions in `others`, from 0, and scores from -1 to 1, best first; ties go to the
            lower position. A sentence without known words, or words that are spelt as in the
            others, is similar to nothing: 0.

        Raises
        ------
        TokenError, ConfigError
            As :meth:`sentence_vectors`.
        UnknownLanguageError
            If there is no such language.
        """
        if are_vectors(sentence):
            asked: Given = sentence[None]
        else:
            asked = [check_sentence(sentence, 1, "sentence asked")]
        (found,) = self.most_similar_sentences_batch(
            asked, others, topn, lang, "cosine", weighting=weighting, remove_common=remove_common,
            lexical=lexical,
        )  # fmt: skip
        return found

    def most_similar_sentences_batch(
        self,
        sentences: Given,
        others: Given,
        topn: int = 10,
        lang: str | None = None,
        method: Method = "csls",
        *,
        k: int = 4,
        beta: float = 30.0,
        weighting: Weighting = "mean",
        remove_common: bool = True,
        lexical: float = LEXICAL,
    ) -> list[list[tuple[int, float]]]:
        """Find the most similar sentences of another language for many sentences at once.

        Parameters
        ----------
        sentences : iterable of list of str, path, or ndarray of shape (n, vector_size)
            Of this language.
        others, topn, lang, weighting, remove_common, lexical
            As for :meth:`most_similar_sentences`.
        method : {"csls", "cosine", "inverted_softmax"}
            As for :meth:`most_similar_cross`, of the scores of :meth:`most_similar_sentences` in
            place of cosines. What is corrected for are sentences of `others` that
            are near to many of `sentences`, so answers depend on what is asked together, and the
            few sentences of a small batch correct little.
        k : int
            Size of the neighbourhood for "csls".
        beta : float
            Inverse temperature of "inverted_softmax".

        Returns
        -------
        list of list of (int, float)
            For each sentence positions in `others`, from 0, and scores, best first.
        """
        check_method(method, k, beta)
        check_number("topn", topn, whole=True)
        asked, among = compared(
            *self._sides(others, lang), sentences, others, weighting, remove_common=remove_common,
            lexical=lexical,
        )  # fmt: skip
        return most_similar(asked, among, int(topn), method, k, beta)

    def mine_sentences(
        self,
        sentences: Given,
        others: Given,
        lang: str | None = None,
        *,
        k: int = 4,
        margin: Margin = "distance",
        min_score: float | None = None,
        mutual: bool = False,
        weighting: Weighting = "mean",
        remove_common: bool = True,
        lexical: float = LEXICAL,
    ) -> list[tuple[int, int, float]]:
        """Find translation pairs in two texts that are not aligned (Artetxe and Schwenk 2019).

        A pair's score compares s, its score by :meth:`most_similar_sentences`, with m, the mean of
        those of both its sentences with their `k` nearest of the other language.

        Parameters
        ----------
        sentences, others, lang, weighting, remove_common, lexical
            As for :meth:`most_similar_sentences_batch`.
        k : int
            Size of the neighbourhood.
        margin : {"distance", "ratio", "absolute"}
            Score ``s - m``, ``s / m`` (with m at least 0.001) or s itself.
        min_score : float, optional
            Leave out pairs with a lower score. It decides between precision and recall: find it by
            reading pairs; by "distance" it was 0.05 to 0.1 in our trials, by "ratio" 1.15 to 1.2.
            By default every sentence may get a pair, as long as there are any.
        mutual : bool
            Take only pairs of which each is the best for the other. By default they are candidates
            where one is the best for the other, and taken in the order of their scores, each
            sentence once.

        Returns
        -------
        list of (int, int, float)
            Positions in `sentences` and `others`, from 0, and the score, best first. A sentence
            without known words is in no pair; of sentences with the same words only the first one
            may be. Both are counted in a warning of the log.
        """
        points, among = compared(
            *self._sides(others, lang), sentences, others, weighting, remove_common=remove_common,
            lexical=lexical,
        )  # fmt: skip
        return mine(points, among, k=k, margin=margin, min_score=min_score, mutual=mutual)

    def _sides(
        self, others: Given, lang: str | None
    ) -> tuple[CrossLingualKeyedVectors, CrossLingualKeyedVectors]:
        return self, self if lang is None and are_vectors(others) else self.other_language(lang)
