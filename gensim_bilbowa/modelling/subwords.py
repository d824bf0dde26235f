"""One language's gensim model where words are made of n-grams: FastText."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from gensim.models import FastText, Word2Vec
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa.errors import ConfigError, FormatError
from gensim_bilbowa.kernels import Subwords
from gensim_bilbowa.modelling.counting import WordCounter
from gensim_bilbowa.modelling.language import LanguageModel
from gensim_bilbowa.modelling.matrices import add_rows, matrix_of
from gensim_bilbowa.modelling.starts import Start
from gensim_bilbowa.parameters import NGRAMS, check_parameters
from gensim_bilbowa.vectors.ngrams import has_subwords
from gensim_bilbowa.vectors.subwords import SubwordKeyedVectors

__all__ = ["SubwordModel", "adopt_model", "check_ngrams", "check_room"]

# Characters of all n-grams of a word, which are made at once: those of 3 to 6 characters have as
# many in a word of 50,000. And bytes that those of all words take: each has 4.
_LONGEST_NGRAMS = 1 << 20
_LARGEST_NGRAMS = 1 << 26
_NGRAMS_PER_BYTE = 16

# Parameters of Word2Vec that gensim's FastText does not take.
_NOT_FASTTEXT = ("compute_loss", "comment")


class SubwordModel(LanguageModel, FastText):  # type: ignore[misc]
    """A :class:`~gensim_bilbowa.modelling.language.LanguageModel` that is a ``FastText``.

    Saved, pickled or copied by itself it is a plain one.
    """

    _plain: ClassVar[type] = FastText

    def __init__(
        self, language: str, seed: int, *, min_n: int, max_n: int, bucket: int, **parameters: Any
    ) -> None:
        others = {name: parameters.pop(name) for name in _NOT_FASTTEXT}
        super().__init__(language, seed, min_n=min_n, max_n=max_n, bucket=bucket, **parameters)
        self.__dict__.update(others)
        self.wv = SubwordKeyedVectors(parameters["vector_size"], min_n, max_n, bucket)
        self.wv.language = language

    @property
    def own_vectors(self) -> NDArray[np.float32]:
        """The words' own rows, shape (n_words, vector_size), to be composed with the n-grams'."""
        return self.wv.vectors_vocab  # type: ignore[no-any-return]

    def subwords(self) -> Subwords:
        """Return what the words are made of besides, while the arrays are padded."""
        wv = self.wv
        ngrams, (offsets, ids) = matrix_of(wv.vectors_ngrams), wv.parts()
        return Subwords(ngrams, offsets, ids, wv.vectors_vocab_lockf, wv.vectors_ngrams_lockf)

    def matrices(self) -> list[tuple[Any, str, int]]:
        """Return the owner, the name and the rows of each array that training writes to."""
        wv = self.wv
        own = [(wv, "vectors_vocab", len(wv)), (wv, "vectors_ngrams", wv.bucket)]
        return [*own, *super().matrices()[1:]]

    def lock(self, factor: float) -> None:
        """Put a factor on later updates of all words that have vectors, and of their n-grams.

        New words may have some of these n-grams, too: were they to learn, so would the old words.
        """
        wv = self.wv
        wv.vectors_vocab_lockf = np.full(len(wv.vectors_vocab), factor, np.float32)
        wv.vectors_ngrams_lockf = np.ones(wv.bucket, np.float32)
        wv.vectors_ngrams_lockf[wv.parts()[1]] = factor

    def fit_arrays(self) -> None:
        """Give words that were added to the vectors weights (zero) and lock factors (one)."""
        super().fit_arrays()
        self.fit_lockf("vectors_vocab_lockf")

    def check_arrays(self) -> None:
        """Make sure that training can write to the arrays, and that there are n-grams."""
        super().check_arrays()
        if not any(len(buckets) for buckets in self.wv.buckets_word):
            raise ConfigError(
                f"no word of {self.language!r} has an n-gram of {self.wv.min_n} to "
                f"{self.wv.max_n} characters: lower min_n, or train it without subwords"
            )

    def move_vectors(self, words: NDArray[np.int64], moves: NDArray[np.float32]) -> None:
        """Add to the words' own rows, and to an n-gram's row the mean of its words' moves.

        So a word moves as it should where all words with its n-grams do, and unknown words move
        with the known ones. `vectors_lockf` is of what a word moves, its n-grams too.
        """
        wv = self.wv
        factors = wv.vectors_lockf[words % len(wv.vectors_lockf)]
        free = factors != 0  # n-grams of locked words alone keep every bit
        words, moves = words[free], moves[free, : wv.vector_size] * factors[free, None]
        offsets, ids = wv.parts()
        ones = np.ones(len(ids), np.float32)
        words_of = sparse.csr_array((ones, ids, offsets), shape=(len(wv), wv.bucket)).T.tocsr()
        moved = words_of[:, words].tocsr()
        buckets = np.flatnonzero(np.diff(moved.indptr))
        means = moved[buckets] @ moves
        means /= words_of.sum(axis=1)[buckets, None].astype(np.float32)
        add_rows(wv.vectors_vocab, words, moves, wv.vectors_vocab_lockf)
        add_rows(wv.vectors_ngrams, buckets, means, wv.vectors_ngrams_lockf)
        self.compose()

    def compose(self) -> None:
        """Bring the vectors up to what training made of their own rows and the n-grams'."""
        self.wv.adjust_vectors()

    def estimate_memory(
        self, vocab_size: int | None = None, report: dict[str, int] | None = None
    ) -> dict[str, int]:
        """Estimate the bytes needed, as ``Word2Vec.estimate_memory``, with those of the n-grams."""
        row = self.vector_size * np.dtype(np.float32).itemsize
        size = vocab_size or len(self.wv)
        ours = {"vectors_vocab": size * row, "vectors_ngrams": self.wv.bucket * row}
        return Word2Vec.estimate_memory(self, size, {**(report or {}), **ours})  # type: ignore[no-any-return]

    def start_from(self, start: Start, counter: WordCounter | None = None) -> None:
        """Copy vocabulary, vectors and weights of a FastText; see ``LanguageModel.start_from``."""
        super().start_from(start, counter)
        wv = self.wv
        self.restore_ngrams(*(
            np.array(array, dtype=np.float32, order="C")
            for array in (start.wv.vectors_vocab, start.wv.vectors_ngrams)
        ))  # fmt: skip
        for name in ("vectors_vocab_lockf", "vectors_ngrams_lockf"):
            setattr(wv, name, np.array(getattr(start.wv, name, np.ones(1)), dtype=np.float32))

    def restore_ngrams(
        self, vectors_vocab: NDArray[np.float32], vectors_ngrams: NDArray[np.float32]
    ) -> None:
        """Put saved or copied rows in place, and compose the words' vectors of them."""
        self.wv.vectors_vocab, self.wv.vectors_ngrams = vectors_vocab, vectors_ngrams
        self.wv.recalc_char_ngram_buckets()
        self.wv.adjust_vectors()


def check_ngrams(**values: Any) -> dict[str, int]:
    """Return what a language's n-grams are, all of `NGRAMS`, or raise ConfigError."""
    missing = [name for name in NGRAMS if name not in values]
    if missing:
        raise ConfigError(f"{missing} of the n-grams are wanted, too")
    return check_parameters(values)


def check_room(words: Sequence[str], ngrams: Mapping[str, int], given: int) -> None:
    """Refuse words of a file that would take far more memory than they have, as n-grams.

    Parameters
    ----------
    words : sequence of str
    ngrams : mapping from str to int
        Of `NGRAMS`.
    given : int
        Bytes of the words and their vectors.

    Raises
    ------
    FormatError
        If a word's n-grams have more than 1 Mi characters, or those of all words take more than
        64 MiB and 16 times what is given.
    """
    # With the signs of both ends; there is one n-gram of its own length, and one more of each less.
    size = np.fromiter(map(len, words), np.int64, len(words)) + 2
    low, high = ngrams["min_n"], np.minimum(size, ngrams["max_n"])
    kinds = np.maximum(high - low + 1, 0)
    characters = kinds * (low + high) // 2
    squares = high * (high + 1) * (2 * high + 1) // 6 - (low - 1) * low * (2 * low - 1) // 6
    longest = (size + 1) * characters - np.where(kinds, squares, 0)
    if len(words) and longest.max() > _LONGEST_NGRAMS:
        word = words[int(longest.argmax())]
        raise FormatError(
            f"the n-grams of {low} to {ngrams['max_n']} characters of {word!r:.60}, which has "
            f"{len(word):,}, have more than {_LONGEST_NGRAMS:,} characters"
        )
    room = 4 * int((kinds * (size + 1) - characters).sum())
    if room > _LARGEST_NGRAMS + _NGRAMS_PER_BYTE * given:
        raise FormatError(
            f"the n-grams of {low} to {ngrams['max_n']} characters of {len(words):,} words take "
            f"{room:,} bytes, which is too many for words and vectors of {given:,}"
        )


def adopt_model(model: Word2Vec, language: str) -> LanguageModel:
    """Return a plain model as an object of the class of ours that fits; arrays are shared."""
    kind = SubwordModel if has_subwords(model.wv) else LanguageModel
    return kind.adopt(model, language)
