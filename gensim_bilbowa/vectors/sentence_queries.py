"""Questions about sentences that one language's vectors answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from gensim.models import KeyedVectors
from numpy.typing import NDArray

from gensim_bilbowa.corpora.sentences import Corpus, check_sentence
from gensim_bilbowa.evidence import Words
from gensim_bilbowa.evidence.matching import Matching
from gensim_bilbowa.parameters import check_number
from gensim_bilbowa.vectors.counts import counts_or_ones
from gensim_bilbowa.vectors.lexical import LEXICAL, Given, compared
from gensim_bilbowa.vectors.mining import Margin, mine
from gensim_bilbowa.vectors.points import Points
from gensim_bilbowa.vectors.retrieval import (
    Method,
    Scoring,
    check_method,
    log_partition,
    nearest,
    neighbourhoods,
)
from gensim_bilbowa.vectors.sentences import Weighting, are_vectors, sentence_vectors

if TYPE_CHECKING:
    from gensim_bilbowa.vectors.keyed import CrossLingualKeyedVectors

__all__ = ["SentenceQueries", "most_similar"]


def most_similar(
    asked: Points, among: Points, topn: int, method: Method = "csls", k: int = 4, beta: float = 30.0
) -> list[list[tuple[int, float]]]:
    """Answer :meth:`SentenceQueries.most_similar_sentences_batch` for points."""
    scoring = Scoring()
    if method == "csls":
        scoring = Scoring.csls(neighbourhoods(among, asked, k)[0], k)
    elif method == "inverted_softmax":
        scoring = Scoring.inverted_softmax(log_partition(among, asked, beta), beta)
    positions, scores = nearest(asked, among, topn, scoring=scoring)
    return [
        list(zip(*row, strict=True))
        for row in zip(positions.tolist(), scores.tolist(), strict=True)
    ]


class SentenceQueries:
    """Mixin of :class:`CrossLingualKeyedVectors`: what is asked of it about sentences.

    A sentence's vector is the mean of the vectors of its words, which training brings near to that
    of its translation. Words are compared by the counts of those that were aligned in training.
    """

    if TYPE_CHECKING:
        language: str | None
        vector_size: int
        index_to_key: list[str]
        _space: Any

        def __len__(self) -> int:
            """Of gensim's KeyedVectors."""

        def aligned(self, lang: str | None = None) -> Any:
            """Of CrossLingualKeyedVectors."""

        def _until_more_is_known(self, kind: str, other: Any, make: Callable[[], Any]) -> Any:
            """Of CrossLingualKeyedVectors."""

        def other_language(self, lang: str | None = None) -> CrossLingualKeyedVectors:
            """Of CrossLingualKeyedVectors."""

    def sentence_vectors(
        self, sentences: Corpus, weighting: Weighting = "mean", *, remove_common: bool = True
    ) -> NDArray[np.float32]:
        """Compute a vector for each sentence or document of this language.

        It is the weighted mean of the vectors of the words that are in the vocabulary, and, where
        words are made of n-grams (fastText), of other words that have an n-gram, without the
        component that all text has in common. It depends on the sentence's words alone, not on
        their order nor on the other sentences.

        Parameters
        ----------
        sentences : iterable of list of str, or path
            Tokenised as the training text was. A file is read as for training, one sentence a line.
        weighting : {"mean", "idf", "sif"}, mapping from str to float, or None
            Weight of a word w, whose share of the vocabulary's counts is p(w) (a model knows no
            number of documents):

            - "mean" or None: 1. The words' vectors are not scaled to one length before, which
              weighs them already: those of very frequent words are short.
            - "idf": ``log(1 / p(w))``.
            - "sif": ``a / (a + p(w))`` with a = 0.001 (Arora et al. 2017, smooth inverse
              frequency).
            - a mapping gives the weights itself, at least 0; words that it lacks have none:
              ``dict.fromkeys(wv.index_to_key, 1)`` leaves out words outside the vocabulary.

            Words outside the vocabulary have the weight of one that stands in the text once.
        remove_common : bool
            Remove from each vector its component along the mean of all words of the training text,
            as the vocabulary's counts tell it and `weighting` weighs it. (Arora et al. remove the
            first singular vector of the sentences at hand, which is near to it.)

        Returns
        -------
        ndarray of float32, shape (n_sentences, vector_size)
            Zeros for a sentence without such words; they are counted in a warning of the log.

        Raises
        ------
        TokenError
            If something in place of a token list is a string, or not a list of strings.
        ConfigError
            If the words' counts are needed ("idf", "sif", `remove_common`) and not there.

        Examples
        --------
        >>> import numpy as np
        >>> from gensim_bilbowa import CrossLingualKeyedVectors
        >>> en = CrossLingualKeyedVectors(2)
        >>> en.add_vectors(["old", "house"], [[0, 2], [4, 0]])
        >>> en.sentence_vectors([["an", "old", "house"], ["house"]], remove_common=False)
        array([[2., 1.],
               [4., 0.]], dtype=float32)
        """
        return sentence_vectors(self, sentences, weighting, remove_common=remove_common)

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
        if isinstance(sentence, np.ndarray) and are_vectors(sentence):
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

    def matching(self, other: CrossLingualKeyedVectors) -> Matching | None:
        """Return what tells which words of this language and another one translate each other.

        None where the space has no aligned counts of the two. It is kept until these change.
        """
        codes = self.language, other.language
        aligned: Any = {} if self._space is None else self._space.aligned
        if codes not in aligned and codes[::-1] not in aligned:
            return None

        def make() -> Matching:
            both = (cast(KeyedVectors, vectors) for vectors in (self, other))
            words = (Words(vectors.index_to_key, counts_or_ones(vectors)) for vectors in both)
            return Matching(self.aligned(str(other.language)), *words)

        return cast(Matching, self._until_more_is_known("matching", other, make))

    def _sides(
        self, others: Given, lang: str | None
    ) -> tuple[CrossLingualKeyedVectors, CrossLingualKeyedVectors]:
        own = cast("CrossLingualKeyedVectors", self)
        return own, own if lang is None and are_vectors(others) else self.other_language(lang)
