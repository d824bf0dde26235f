"""One language's vectors, as gensim's KeyedVectors, with a way to the other languages."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, cast, get_args

import numpy as np
from gensim.models import KeyedVectors
from numpy.typing import NDArray

from gensim_bilbowa.errors import ConfigError, FormatError, UnknownLanguageError, UnknownWordError
from gensim_bilbowa.evidence import Evidence, Spelling
from gensim_bilbowa.formats.assembly import check_finite
from gensim_bilbowa.formats.word2vec import check_words
from gensim_bilbowa.kernels import Matrix
from gensim_bilbowa.parameters import check_number
from gensim_bilbowa.stages import Report, unreported
from gensim_bilbowa.staging import staged
from gensim_bilbowa.vectors.counts import attributes
from gensim_bilbowa.vectors.plain import PlainGensim
from gensim_bilbowa.vectors.retrieval import (
    Method,
    Scoring,
    at_length_one,
    best_columns,
    check_method,
    log_partition,
    nearest,
    neighbourhoods,
)
from gensim_bilbowa.vectors.sentence_queries import SentenceQueries

if TYPE_CHECKING:
    from gensim_bilbowa.vectors.space import CrossLingualVectors

__all__ = ["WORD_METHODS", "CrossLingualKeyedVectors", "WordMethod", "check_keyed", "grown"]

WordMethod: TypeAlias = Literal["cosine", "csls", "inverted_softmax", "hybrid"]
WORD_METHODS: tuple[WordMethod, ...] = get_args(WordMethod)


def check_keyed(vectors: object, where: str) -> None:
    """Refuse what is no gensim ``KeyedVectors``."""
    if not isinstance(vectors, KeyedVectors):
        hint = "; pass its .wv" if hasattr(vectors, "wv") else ""
        raise ConfigError(
            f"{where}: a gensim KeyedVectors is wanted, got {type(vectors).__name__}{hint}"
        )


def _check_answer(topn: int | None, restrict_vocab: int | None) -> None:
    for name, value in {"topn": topn, "restrict_vocab": restrict_vocab}.items():
        if value is not None:
            check_number(name, value, whole=True)


def grown(
    vectors: NDArray[np.float32] | None, shape: tuple[int, int], seed: int
) -> NDArray[np.float32]:
    """Return vectors with more rows, with gensim's start vectors; the same ones if they fit.

    The memory is such that training needs no second copy of it.
    """
    if vectors is not None and vectors.shape == shape:
        return vectors
    rows = Matrix(*shape).array
    np.random.default_rng(seed).random(dtype=np.float32, out=rows)
    rows *= 2.0
    rows -= 1.0
    rows /= shape[1]
    if vectors is not None:
        rows[: len(vectors)] = vectors
    return rows


class CrossLingualKeyedVectors(SentenceQueries, PlainGensim, KeyedVectors):  # type: ignore[misc]
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

    vectors: Any  # gensim's
    norms: Any  # gensim's: None until they are asked for

    _plain: ClassVar[type] = KeyedVectors
    _ours: ClassVar[frozenset[str]] = frozenset(
        {"language", "in_training", "_space", "_crowding", "_made"}
    )

    def __init__(
        self, vector_size: int, count: int = 0, dtype: Any = np.float32, mapfile_path: Any = None
    ) -> None:
        super().__init__(vector_size, count, dtype=dtype, mapfile_path=mapfile_path)
        self._stand_alone(None)

    def _stand_alone(self, language: str | None) -> None:
        self.language = language
        self.in_training = False
        self._space: CrossLingualVectors | None = None
        self._crowding: dict[tuple[str, str, float], tuple[Any, Any, NDArray[np.float32]]] = {}
        self._made: dict[tuple[str, str], tuple[Any, Any]] = {}

    @classmethod
    def adopt(cls, vectors: KeyedVectors, language: str) -> CrossLingualKeyedVectors:
        """Return plain vectors as an object of this class; the arrays are shared.

        Counts that gensim made up are left out.
        """
        adopted = cls.__new__(cls)
        adopted.__dict__.update(vectors.__dict__, expandos=attributes(vectors))
        adopted._stand_alone(language)
        return adopted

    # Two KeyedVectors methods are extended, which all of gensim's queries pass through, and the one
    # that makes the vectors.

    def fill_norms(self, force: bool = False) -> None:
        """Compute the norms if they are missing, and always while training changes the vectors.

        Raises
        ------
        ConfigError
            If a vector's length is not finite, naming the word.
        """
        training = self.in_training
        filled = self.norms is not None and not force and not training
        # A number that training changes between the two readings for its square may seem negative.
        with np.errstate(over="ignore", invalid="ignore"):
            super().fill_norms(force=force or training)
            if training and not self.in_training:  # it ended meanwhile, in another thread
                super().fill_norms(force=True)
        # While training changes the vectors, it is training that says so.
        if not filled and not self.in_training and not np.isfinite(self.norms).all():
            try:
                check_finite(self, repr(self.language))
            except ConfigError:
                self.norms = None
                raise

    def renew_norms(self) -> None:
        """Bring the norms up to date if there are any, for vectors that were changed.

        They are never missing meanwhile: other threads may be in the midst of a question, between
        ``fill_norms()`` and the use of `norms`.
        """
        if self.norms is not None:
            try:
                self.fill_norms(force=True)
            except BaseException:
                self.norms = None
                raise

    def get_index(self, key: Any, default: Any = None) -> int:
        """Return the row of a word; the error for an unknown one names the language."""
        try:
            index: int = super().get_index(key, default)
        except KeyError:
            raise UnknownWordError(self._unknown(key)) from None
        return index

    def get_vector(self, key: Any, norm: bool = False) -> NDArray[np.float32]:
        """Return a word's vector, as gensim's method of this name; while training runs, a copy."""
        vector: NDArray[np.float32] = super().get_vector(key, norm=norm)
        return vector.copy() if self.in_training else vector

    def resize_vectors(self, seed: int = 0) -> None:
        """Make room for all words, as gensim's method of this name, with the same start vectors."""
        self.vectors = grown(self.vectors, (len(self.index_to_key), self.vector_size), seed)
        self.allocate_vecattrs()
        self.norms = None

    # Three more are mended: gensim's own leave stale norms, and fail on extras and lock factors.

    def add_vector(self, key: Any, vector: Any) -> int:
        """Add one vector, as gensim's method of this name, and forget the norms."""
        index: int = super().add_vector(key, vector)
        self.norms = None
        return index

    def add_vectors(
        self, keys: Any, weights: Any, extras: Any = None, replace: bool = False
    ) -> None:
        """Add vectors, as gensim's method of this name, and forget the norms.

        Parameters
        ----------
        keys : list of str
        weights : array-like, shape (n_keys, vector_size)
        extras : dict from str to array-like of length n_keys, optional
            Attributes of the keys, see gensim's ``set_vecattr``.
        replace : bool
            Give keys that exist already the new vectors and attributes, too.
        """
        names = [keys] if isinstance(keys, str | int | np.integer) else list(keys)
        set_anew = [replace or key not in self.key_to_index for key in names]
        super().add_vectors(keys, weights, replace=replace)
        self.allocate_vecattrs()
        for attribute, values in (extras or {}).items():
            for key, value, anew in zip(names, np.atleast_1d(values), set_anew, strict=True):
                if anew:
                    self.set_vecattr(key, attribute, value)
        self.norms = None

    def intersect_word2vec_format(
        self, fname: Any, lockf: float = 0.0, binary: bool = False, encoding: str = "utf8",
        unicode_errors: str = "strict",
    ) -> None:  # fmt: skip
        """Take over the vectors that a word2vec file has for words of this vocabulary.

        Parameters
        ----------
        fname : str or path-like
        lockf : float
            Factor on later updates of the words found; the default of 0 keeps their vectors.
        binary, encoding, unicode_errors
            As in gensim's ``load_word2vec_format``.

        Raises
        ------
        ConfigError
            If the file's vectors have another size.
        FormatError
            If a vector in it is not finite.
        """
        given = KeyedVectors.load_word2vec_format(
            os.fspath(fname), binary=binary, encoding=encoding, unicode_errors=unicode_errors
        )
        if given.vector_size != self.vector_size:
            raise ConfigError(
                f"{os.fspath(fname)} has vectors of size {given.vector_size}, "
                f"{self.vector_size} is wanted"
            )
        check_finite(given, os.fspath(fname), FormatError)
        found = [word for word in given.index_to_key if word in self.key_to_index]
        rows = [self.key_to_index[word] for word in found]
        factors = np.resize(getattr(self, "vectors_lockf", np.ones(1)), len(self))
        factors[rows] = lockf
        self.vectors_lockf = factors.astype(np.float32)
        if not self.vectors.flags.writeable:
            self.vectors = np.array(self.vectors)  # was mapped from a file
        self.vectors[rows] = given.vectors[[given.key_to_index[word] for word in found]]
        self.norms = None
        self.add_lifecycle_event(
            "intersect_word2vec_format",
            msg=f"{len(found)} of {len(self)} words found in {fname}, which has "
            f"{len(given) - len(found)} more",
        )

    def _unknown(self, key: Any) -> str:
        name = f"the {self.language!r} vocabulary" if self.language else "the vocabulary"
        message = f"{key!r} is not in {name} ({len(self):,} words)"
        others = [
            code for code, other in (self._space or {}).items()
            if other is not self and key in other.key_to_index
        ]  # fmt: skip
        return message + (f"; it is a word of {', '.join(map(repr, others))}" if others else "")

    def other_language(self, lang: str | None = None) -> CrossLingualKeyedVectors:
        """Return the vectors of language `lang`; None stands for the only other one."""
        others = {code: other for code, other in (self._space or {}).items() if other is not self}
        if lang is None:
            if len(others) == 1:
                return next(iter(others.values()))
            if not others:
                raise UnknownLanguageError("these vectors stand alone: there is no other language")
            raise ConfigError(f"several other languages: say lang= one of {sorted(others)}")
        if lang not in others:
            raise UnknownLanguageError(
                f"no other language {lang!r}; there are {sorted(others) or 'none'}"
            )
        return others[lang]

    def aligned(self, lang: str | None = None) -> Any:
        """How often words here are aligned to words of another language in the text of training.

        Returns
        -------
        scipy.sparse.csr_array of float32, shape (n_words, n_words_of_the_other), or None
            None if nothing is known of the two languages; see
            :func:`~gensim_bilbowa.evidence.align`.
        """
        other = self.other_language(lang)
        assert self._space is not None, "there is another language"
        return self._space.aligned.between(
            str(self.language), str(other.language), (len(self), len(other))
        )

    def unit_vectors(self) -> NDArray[np.float32]:
        """All vectors at length 1 (zero vectors stay zero), shape (n_words, vector_size)."""
        self.fill_norms()
        return at_length_one(self.vectors, self.norms)

    def crowding(
        self, lang: str | None = None, k: int = 10, *, report: Report = unreported
    ) -> NDArray[np.float32]:
        """Mean cosine of each word here to its `k` nearest words of another language.

        It is kept, with that of the other language's words, until one of the two languages' vectors
        change (their norms are computed anew).

        Parameters
        ----------
        lang : str, optional
        k : int
        report : callable
            Called with the part that is done, from 0 to 1, now and then, if it is not kept.

        Returns
        -------
        ndarray of float32, shape (n_words,)
        """
        return self._kept(
            lang, ("csls", k), lambda here, there: neighbourhoods(here, there, k, report)
        )

    def log_partition(
        self, lang: str | None = None, beta: float = 30.0, *, report: Report = unreported
    ) -> NDArray[np.float32]:
        """Log of the sum over another language's words of exp(beta cosine), for each word here.

        It is kept, and reported, as :meth:`crowding` is.

        Returns
        -------
        ndarray of float32, shape (n_words,)
        """
        return self._kept(
            lang, ("inverted_softmax", beta),
            lambda here, there: (log_partition(here, there, beta, report), None),
        )  # fmt: skip

    def _kept(
        self, lang: str | None, what: tuple[str, float],
        compute: Callable[[Any, Any], tuple[NDArray[np.float32], NDArray[np.float32] | None]],
    ) -> NDArray[np.float32]:  # fmt: skip
        """Return what was computed for these norms of both languages, or compute it.

        A second result is the same for the other language's words.
        """
        other = self.other_language(lang)
        self.fill_norms()
        other.fill_norms()
        kept = self._crowding.get((str(other.language), *what))
        if kept is not None and kept[0] is self.norms and kept[1] is other.norms:
            return kept[2]
        norms = self.norms, other.norms
        values, theirs = compute(
            at_length_one(self.vectors, norms[0]), at_length_one(other.vectors, norms[1])
        )
        self._crowding[(str(other.language), *what)] = (*norms, values)
        if theirs is not None:
            other._crowding[(str(self.language), *what)] = (*norms[::-1], theirs)
        return values

    def scoring(
        self, lang: str | None = None, method: Method = "cosine", *, k: int = 10, beta: float = 30.0
    ) -> Scoring:
        """Return what turns cosines of words here to all words there into scores.

        Parameters
        ----------
        lang, method, k, beta
            As for :meth:`most_similar_cross`.
        """
        check_method(method, k, beta)
        other = self.other_language(lang)
        if method == "csls":
            return Scoring.csls(other.crowding(self.language, k), k)
        if method == "inverted_softmax":
            return Scoring.inverted_softmax(other.log_partition(self.language, beta), beta)
        return Scoring()

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
        if method not in WORD_METHODS:
            wanted = " or ".join(map(repr, WORD_METHODS))
            raise ConfigError(f"method must be {wanted}, not {method!r}")
        if method != "hybrid":
            return self.scoring(lang, method, k=k, beta=beta), None
        if not all(isinstance(word, str | int | np.integer) for word in words):
            raise ConfigError("method 'hybrid' asks for words, not for vectors; take 'csls'")
        indices = np.array([self.get_index(word) for word in words], np.int64)
        other = self.other_language(lang)
        evidence = self.evidence(lang).among(indices, np.arange(len(other)))
        return self.scoring(lang, "csls", k=k), evidence.add_to

    def evidence(self, lang: str | None = None) -> Evidence:
        """Return what tells of translations beside vectors: aligned counts, and spelling.

        It is kept until the counts or the vocabularies change.
        """
        other = self.other_language(lang)

        def make() -> Evidence:
            alike = Spelling.compare(self.index_to_key, other.index_to_key)
            return Evidence.of(self.aligned(lang), alike)

        return cast(Evidence, self._until_more_is_known("evidence", other, make))

    def _until_more_is_known(
        self, kind: str, other: CrossLingualKeyedVectors, make: Callable[[], Any]
    ) -> Any:
        """Return what is made of the aligned counts with a language, and keep it that long."""
        assert self._space is not None, "there is another language"
        state = self._space.aligned.version, len(self), len(other)
        key = kind, str(other.language)
        kept = self._made.get(key)
        if kept is None or kept[0] != state:
            kept = self._made[key] = state, make()
        return kept[1]

    def scored(
        self, indices: NDArray[np.int64], scores: NDArray[np.float32]
    ) -> list[tuple[str, float]]:
        """Return words by their indices, each with its score; an index of -1 stands for none."""
        return [
            (self.index_to_key[index], score)
            for index, score in zip(indices.tolist(), scores.tolist(), strict=True)
            if index >= 0
        ]

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

    def query(self, word_or_vector: Any) -> NDArray[np.float32]:
        """Return the vector of a word, or the given one, at length 1; zero stays zero."""
        if isinstance(word_or_vector, str | int | np.integer):
            vector, name = self.get_vector(word_or_vector), f"of {word_or_vector!r}"
        else:
            name = "asked for"
            try:
                vector = np.asarray(word_or_vector, dtype=np.float32)
            except (TypeError, ValueError) as error:
                raise ConfigError(
                    f"one word or one vector is wanted, got {word_or_vector!r:.60}"
                ) from error
            if vector.shape != (self.vector_size,):
                raise ConfigError(
                    f"a word or a vector of shape ({self.vector_size},) is wanted, "
                    f"got one of shape {vector.shape}"
                )
        with np.errstate(over="ignore"):
            norm = np.linalg.norm(vector)
        if not np.isfinite(norm):
            raise ConfigError(f"the vector {name} has NaN or infinity in it, or is too long")
        return np.asarray(vector / norm if norm > 0 else vector, dtype=np.float32)

    def queries(
        self, words_or_vectors: Sequence[str | int] | NDArray[Any]
    ) -> list[NDArray[np.float32]]:
        """Return the vector of each of many words, see :meth:`query`."""
        if isinstance(words_or_vectors, str):
            raise ConfigError(
                f"a list of words is wanted, got the word {words_or_vectors!r}; "
                "most_similar_cross asks for one"
            )
        return [self.query(one) for one in words_or_vectors]

    def save_word2vec_format(
        self, fname: Any, fvocab: Any = None, binary: bool = False, **kwargs: Any
    ) -> None:
        """Save in word2vec's text or binary format, as gensim does.

        Parameters
        ----------
        fname : str or path-like
        fvocab : str or path-like, optional
            Also save the words with their counts to this file. Loading with
            ``KeyedVectors.load_word2vec_format(fname, fvocab=fvocab)`` restores them, if no word
            has white space beyond ASCII in it; :func:`gensim_bilbowa.formats.read_vectors` always.
        binary : bool

        Raises
        ------
        FormatError
            If a word is empty, has white space of ASCII in it or is no valid Unicode, which this
            format cannot hold.
        """
        check_words(self.index_to_key, f"the {self.language!r} vectors")
        paths = [None if path is None else os.fspath(path) for path in (fname, fvocab)]
        if kwargs.get("append") or any("://" in path for path in paths if path):
            super().save_word2vec_format(paths[0], fvocab=paths[1], binary=binary, **kwargs)
            return
        with staged(*(paths if fvocab is not None else paths[:1])) as (vectors, *counts):
            super().save_word2vec_format(
                str(vectors), fvocab=str(counts[0]) if counts else None, binary=binary, **kwargs
            )
