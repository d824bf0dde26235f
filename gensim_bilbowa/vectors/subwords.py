"""One language's vectors where words are made of n-grams, as gensim's FastTextKeyedVectors."""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn

import numpy as np
from gensim.models import KeyedVectors
from gensim.models.fasttext import FastTextKeyedVectors
from numpy.typing import NDArray

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.vectors.keyed import CrossLingualKeyedVectors
from gensim_bilbowa.vectors.language import grown
from gensim_bilbowa.vectors.ngrams import has_subwords

__all__ = ["SubwordKeyedVectors", "adopt"]

# Words whose vectors are composed at once.
_BATCH = 4096


class SubwordKeyedVectors(CrossLingualKeyedVectors, FastTextKeyedVectors):  # type: ignore[misc]
    """gensim's ``FastTextKeyedVectors`` of one language, next to those of others.

    The vector of a word is the mean of its own row of `vectors_vocab` and the rows of
    `vectors_ngrams` that the hashes of its n-grams name; that of a word outside the vocabulary is
    the mean of its n-grams' rows alone. So ``get_vector``, ``most_similar``, ``most_similar_cross``
    and ``similarity_cross`` take any word, and ``sentence_vectors`` those that have an n-gram. What
    looks at whole vocabularies ("csls", lexicons, word translation) looks at the words of the
    vocabulary, as ever.

    Saved, pickled or copied by itself it is a plain ``FastTextKeyedVectors``.

    Parameters
    ----------
    vector_size : int
    min_n, max_n : int
        Characters of the shortest and the longest n-grams, with ``<`` and ``>`` for the word's
        ends.
    bucket : int
        Rows of `vectors_ngrams`.
    """

    vectors_vocab: Any
    vectors_ngrams: Any

    _plain: ClassVar[type] = FastTextKeyedVectors

    def __init__(self, vector_size: int, min_n: int, max_n: int, bucket: int) -> None:
        FastTextKeyedVectors.__init__(self, vector_size, min_n, max_n, bucket)
        for name in ("vectors_lockf", "vectors_vocab_lockf", "vectors_ngrams_lockf"):
            setattr(self, name, np.ones(1, np.float32))
        self._stand_alone(None)

    def get_vector(self, key: Any, norm: bool = False) -> NDArray[np.float32]:
        """Return the vector of a word, by the word or its index; it need not be known.

        Parameters
        ----------
        key : str or int
        norm : bool
            Return it at length 1.

        Returns
        -------
        ndarray of float32, shape (vector_size,)
            Zeros for an unknown word that is too short to have an n-gram.
        """
        if isinstance(key, str) and key not in self.key_to_index:
            vector: NDArray[np.float32] = FastTextKeyedVectors.get_vector(self, key)
            length = np.linalg.norm(vector) if norm else 1.0
            return vector / length if length > 0 else vector
        vector = KeyedVectors.get_vector(self, key, norm=norm)
        return vector.copy() if self.in_training else vector

    def resize_vectors(self, seed: int = 0) -> None:
        """Make room for all words, as gensim's method of this name, with the same start vectors."""
        size = self.vector_size
        self.vectors_vocab = grown(self.vectors_vocab, (len(self.index_to_key), size), seed)
        self.vectors_ngrams = grown(self.vectors_ngrams, (self.bucket, size), seed + 1)
        self.allocate_vecattrs()
        self.recalc_char_ngram_buckets()
        self.adjust_vectors()

    def parts(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return the n-grams of all words: word i has ``ids[offsets[i]:offsets[i + 1]]``.

        Returns
        -------
        offsets : ndarray of int64, shape (n_words + 1,)
        ids : ndarray of int32
            Rows of `vectors_ngrams`.
        """
        counts = [len(buckets) for buckets in self.buckets_word]
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return offsets, np.concatenate([*self.buckets_word, []]).astype(np.int32)

    # Numbers that training has driven out of range are an error of its own.
    @np.errstate(over="ignore", invalid="ignore")
    def adjust_vectors(self) -> None:
        """Compose the words' vectors anew, in place, as gensim's method of this name."""
        words = len(self.index_to_key)
        shape = (words, self.vector_size)
        if self.vectors.shape != shape or not self.vectors.flags.writeable:
            self.vectors = np.empty(shape, np.float32)
        offsets, ids = self.parts()
        for start in range(0, words, _BATCH):
            stop = min(start + _BATCH, words)
            rows = np.array(self.vectors_vocab[start:stop])
            counts = np.diff(offsets[start : stop + 1])
            filled = np.flatnonzero(counts)
            if len(filled):
                first = offsets[start]
                ngrams = self.vectors_ngrams[ids[first : offsets[stop]]]
                rows[filled] += np.add.reduceat(ngrams, offsets[start + filled] - first)
            self.vectors[start:stop] = rows / (counts + 1).astype(np.float32)[:, None]
        self.renew_norms()

    # A vector that is composed cannot be set: gensim would, and forget it with the next training.

    def _refuse(self) -> NoReturn:
        raise ConfigError(
            f"the vectors of {self.language!r} are made of n-grams and cannot be set; "
            "change vectors_vocab or vectors_ngrams and call adjust_vectors()"
        )

    def add_vector(self, key: Any, vector: Any) -> int:
        """Raise ConfigError: vectors are made of n-grams."""
        self._refuse()

    def add_vectors(
        self, keys: Any, weights: Any, extras: Any = None, replace: bool = False
    ) -> None:
        """Raise ConfigError: vectors are made of n-grams."""
        self._refuse()

    def intersect_word2vec_format(self, fname: Any, *args: Any, **kwargs: Any) -> None:
        """Raise ConfigError: vectors are made of n-grams."""
        self._refuse()


def adopt(vectors: KeyedVectors, language: str) -> CrossLingualKeyedVectors:
    """Return plain vectors as an object of the class of ours that fits; the arrays are shared."""
    kind = SubwordKeyedVectors if has_subwords(vectors) else CrossLingualKeyedVectors
    return kind.adopt(vectors, language)
