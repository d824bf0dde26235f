"""One language's vectors by themselves, as gensim's KeyedVectors."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from gensim.models import KeyedVectors
from numpy.typing import NDArray

from gensim_bilbowa.corpora.sentences import Corpus
from gensim_bilbowa.errors import ConfigError, FormatError
from gensim_bilbowa.files.staging import staged
from gensim_bilbowa.formats.assembly import check_finite
from gensim_bilbowa.formats.word2vec import check_words
from gensim_bilbowa.kernels import Matrix
from gensim_bilbowa.vectors.counts import attributes
from gensim_bilbowa.vectors.plain import PlainGensim
from gensim_bilbowa.vectors.retrieval import at_length_one
from gensim_bilbowa.vectors.sentences import Weighting, sentence_vectors

__all__ = ["LanguageVectors", "grown"]


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


class LanguageVectors(PlainGensim, KeyedVectors):  # type: ignore[misc]
    """gensim's ``KeyedVectors`` of one language, with vectors of sentences; norms are never stale.

    Attributes
    ----------
    language : str or None
        Code of the language.
    """

    vectors: Any  # gensim's
    norms: Any  # gensim's: None until they are asked for

    _plain: ClassVar[type] = KeyedVectors
    _ours: ClassVar[frozenset[str]] = frozenset({"language", "in_training"})

    def __init__(
        self, vector_size: int, count: int = 0, dtype: Any = np.float32, mapfile_path: Any = None
    ) -> None:
        super().__init__(vector_size, count, dtype=dtype, mapfile_path=mapfile_path)
        self._stand_alone(None)

    def _stand_alone(self, language: str | None) -> None:
        self.language = language
        self.in_training = False

    @classmethod
    def adopt(cls, vectors: KeyedVectors, language: str) -> Self:
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

    def unit_vectors(self) -> NDArray[np.float32]:
        """All vectors at length 1 (zero vectors stay zero), shape (n_words, vector_size)."""
        self.fill_norms()
        return at_length_one(self.vectors, self.norms)

    def scored(
        self, indices: NDArray[np.int64], scores: NDArray[np.float32]
    ) -> list[tuple[str, float]]:
        """Return words by their indices, each with its score; an index of -1 stands for none."""
        return [
            (self.index_to_key[index], score)
            for index, score in zip(indices.tolist(), scores.tolist(), strict=True)
            if index >= 0
        ]

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
