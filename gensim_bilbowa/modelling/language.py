"""One language's gensim model."""

from __future__ import annotations

import logging
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Any, ClassVar

import numpy as np
from gensim.models import Word2Vec
from numpy.typing import NDArray

from gensim_bilbowa.corpora.unsplit import warn_unsplit
from gensim_bilbowa.errors import AlreadyTrainingError, ConfigError
from gensim_bilbowa.kernels import Matrix, Subwords, Tree
from gensim_bilbowa.modelling.counting import WordCounter
from gensim_bilbowa.modelling.frequencies import noise_weights, subsampling_keep
from gensim_bilbowa.modelling.matrices import add_rows, lock_names, matrix_of, own_memory, put_back
from gensim_bilbowa.modelling.starts import Start
from gensim_bilbowa.running.interrupts import uninterrupted
from gensim_bilbowa.vectors.counts import attributes
from gensim_bilbowa.vectors.keyed import CrossLingualKeyedVectors
from gensim_bilbowa.vectors.plain import PlainGensim
from gensim_bilbowa.vectors.subwords import adopt

__all__ = ["WEIGHTS", "LanguageModel"]

# The output weights that a model may have: of negative sampling, and of hierarchical softmax.
WEIGHTS = ("syn1neg", "syn1")

logger = logging.getLogger(__name__)

# Rows of a matrix.
_TURNED_AT_ONCE = 1 << 14
# For a job of gensim's to end.
_PATIENCE_SECONDS = 10.0


class LanguageModel(PlainGensim, Word2Vec):  # type: ignore[misc]
    """gensim's ``Word2Vec`` of one language of a :class:`~gensim_bilbowa.BilBOWA`.

    Saved, pickled or copied by itself it is a plain ``Word2Vec``.

    Attributes
    ----------
    language : str
        Code of the language.
    """

    _plain: ClassVar[type] = Word2Vec
    _ours: ClassVar[frozenset[str]] = frozenset({"language", "_gensim_jobs"})

    def __init__(self, language: str, seed: int, **parameters: Any) -> None:
        self.language = language
        self._gensim_jobs: list[None] = []
        self.wv = CrossLingualKeyedVectors(parameters["vector_size"])
        self.wv.language = language
        # One seed for all would start word i of every language with the same vector.
        super().__init__(seed=zlib.crc32(f"{seed} {language}".encode()), **parameters)

    @classmethod
    def adopt(cls, model: Word2Vec, language: str) -> LanguageModel:
        """Return a plain model as an object of this class; arrays are shared."""
        adopted = cls.__new__(cls)
        adopted.__dict__.update(model.__dict__)
        adopted.language = language
        adopted._gensim_jobs = []
        adopted.wv = adopt(model.wv, language)
        return adopted

    @property
    def counts(self) -> NDArray[np.int64]:
        """Corpus count of each word, shape (n_words,)."""
        return np.asarray(self.wv.expandos["count"], dtype=np.int64)

    def make_vocabulary(
        self, counter: WordCounter, *, update: bool = False, keep_raw_vocab: bool = False,
        trim_rule: Any = None, lockf: float | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        """Settle the vocabulary from counts and allocate the weights.

        With `update`, `lockf` becomes the lock factor of the words that were there before.
        """
        logger.info(
            "%s: collected %i word types from a corpus of %i raw words and %i sentences",
            self.language, len(counter.counts), counter.words, counter.sentences,
        )  # fmt: skip
        warn_unsplit(self.language, counter.counts)
        self.raw_vocab = counter.counts
        self.corpus_count = counter.sentences
        self.corpus_total_words = counter.words
        types = len(self.raw_vocab)
        most = max(self.raw_vocab.values(), default=0)
        report = self.prepare_vocab(
            update=update, keep_raw_vocab=keep_raw_vocab, trim_rule=trim_rule, **kwargs
        )
        if len(self.wv) < 2:
            raise ConfigError(
                f"the {self.language!r} vocabulary has {len(self.wv)} words, at least 2 are "
                f"needed: {self.corpus_total_words} words of {types} types were read, the most "
                f"frequent {most} times, and min_count is {self.effective_min_count}"
            )
        self.estimate_memory(vocab_size=report["num_retained_words"])
        if update and lockf is not None:
            self.lock(lockf)
        self.prepare_weights(update=update)
        self.fit_arrays()
        self.wv.norms = None
        self.add_lifecycle_event("build_vocab", update=update, trim_rule=str(trim_rule))

    def lock(self, factor: float) -> None:
        """Put a factor on later updates of all words that have vectors."""
        self.wv.vectors_lockf = np.full(len(self.wv.vectors), factor, np.float32)

    def init_weights(self) -> None:
        """Start anew, as gensim's method of this name."""
        super().init_weights()
        for name in WEIGHTS:
            if hasattr(self, name):  # zeros; in memory that training needs no second copy of
                setattr(self, name, Matrix(len(self.wv), self.wv.vector_size).array)

    def make_cum_table(self, domain: int = 2**31 - 1) -> None:
        """Make the table of noise words, as gensim's method of this name; all are of the text."""
        counts = self.counts if len(self.wv) else np.zeros(0, np.int64)
        shares = np.cumsum(noise_weights(counts, self.ns_exponent))
        self.cum_table = np.round(shares / shares[-1:] * domain).astype(np.uint32)

    def create_binary_tree(self) -> None:
        """Make the tree of hierarchical softmax, as gensim's method of this name.

        Words that the text does not have count as if it had them once: of many counts of 0 the tree
        would be hundreds of nodes deep.
        """
        if not len(self.wv):
            return  # `make_vocabulary` refuses that
        counts = self.wv.expandos["count"]
        self.wv.expandos["count"] = np.maximum(counts, 1)
        try:
            super().create_binary_tree()
        finally:
            self.wv.expandos["count"] = counts

    def train(self, *args: Any, **kwargs: Any) -> Any:
        """Train this language alone, by gensim; see ``Word2Vec.train``."""
        self.check_arrays()
        return super().train(*args, **kwargs)

    def score(self, *args: Any, **kwargs: Any) -> Any:
        """Log probabilities of sentences; see ``Word2Vec.score``."""
        self.check_arrays()
        return super().score(*args, **kwargs)

    def fit_arrays(self) -> None:
        """Give words that were added to the vectors weights (zero) and lock factors (one)."""
        size = len(self.wv)
        for name in WEIGHTS:
            weights = getattr(self, name, None)
            if weights is not None and len(weights) < size:
                rows = np.zeros((size - len(weights), self.wv.vector_size), np.float32)
                setattr(self, name, np.vstack([weights, rows]))
        self.fit_lockf("vectors_lockf")
        codes = self.wv.expandos.get("code", ())
        if self.hs and len(codes) and not isinstance(codes[-1], np.ndarray):
            self.create_binary_tree()

    def fit_lockf(self, name: str) -> None:
        """Give words that were added lock factors of one, where each word has its own."""
        lockf = getattr(self.wv, name)
        if 1 < len(lockf) < len(self.wv):
            more = np.ones(len(self.wv) - len(lockf), np.float32)
            setattr(self.wv, name, np.concatenate([lockf, more]))

    def check_arrays(self) -> None:
        """Make sure that compiled routines can write to the arrays; copy read-only maps."""
        if self.wv.in_training:
            raise AlreadyTrainingError(f"{self.language!r} is being trained")
        self.fit_arrays()
        for owner, name, rows in self.matrices():
            array = getattr(owner, name)
            shape = (rows, self.wv.vector_size)
            if (
                not isinstance(array, np.ndarray)
                or array.dtype != np.float32
                or array.shape != shape
            ):
                raise ConfigError(
                    f"{self.language!r}: {name} must be a float32 array of shape {shape}, got "
                    f"{getattr(array, 'dtype', type(array).__name__)} {getattr(array, 'shape', '')}"
                )
            if not array.flags.writeable:
                logger.info("%s: copying read-only %s into memory", self.language, name)
            if not array.flags.c_contiguous or not array.flags.writeable:
                own_memory(owner, name)
        for name in lock_names(self.wv):
            self.check_lockf(name)

    def check_lockf(self, name: str) -> None:
        """Refuse lock factors that compiled routines cannot read, or that are not finite."""
        lockf = getattr(self.wv, name)
        if lockf.dtype != np.float32 or lockf.ndim != 1 or len(lockf) == 0:
            raise ConfigError(f"{self.language!r}: {name} must be a float32 vector")
        if not np.isfinite(lockf).all():
            raise ConfigError(f"{self.language!r}: {name} is not finite")

    @contextmanager
    def padded(self) -> Iterator[None]:
        """Lay the arrays out as our steps want them, and put them back at the end.

        Meanwhile they are views with gaps between the rows, and the arrays that were there, which
        are put back, are void and read-only. Norms are computed anew each time.
        """
        self.check_arrays()
        self.wv.in_training = True
        laid_out: list[tuple[Matrix, Any, str, NDArray[np.float32]]] = []
        try:
            self._wait_for_gensim()
            for owner, name, _ in self.matrices():
                if Matrix.of(getattr(owner, name)) is None:
                    own_memory(owner, name)
                array = getattr(owner, name)
                matrix = matrix_of(array)
                laid_out.append((matrix, owner, name, array))
                array.setflags(write=False)
                matrix.lay_out(True, owner, name)
            yield
        finally:
            with uninterrupted():
                put_back(laid_out)
                self.wv.in_training = False
                self.wv.renew_norms()
            self.compose()

    # Threads of gensim's own training go on after Ctrl-C. They find their arrays anew for each job,
    # so it is jobs that must not run together with ours.

    def _do_train_job(self, *args: Any, **kwargs: Any) -> Any:
        return self._unless_ours_runs(super()._do_train_job, (0, 0), *args, **kwargs)

    def _do_train_epoch(self, *args: Any, **kwargs: Any) -> Any:
        return self._unless_ours_runs(super()._do_train_epoch, (0, 0, 0), *args, **kwargs)

    def _unless_ours_runs(self, job: Any, nothing: Any, *args: Any, **kwargs: Any) -> Any:
        self._gensim_jobs.append(None)
        try:
            return nothing if self.wv.in_training else job(*args, **kwargs)
        finally:
            self._gensim_jobs.pop()

    def _wait_for_gensim(self) -> None:
        end = monotonic() + _PATIENCE_SECONDS
        while self._gensim_jobs:
            if monotonic() > end:
                raise AlreadyTrainingError(f"{self.language!r} is still being trained by gensim")
            sleep(0.01)

    def matrices(self) -> list[tuple[Any, str, int]]:
        """Return the owner, the name and the rows of each array that training writes to."""
        size = len(self.wv)
        weights = [(self, name, size) for name in WEIGHTS if getattr(self, name, None) is not None]
        return [(self.wv, "vectors", size), *weights]

    @property
    def own_vectors(self) -> NDArray[np.float32]:
        """The words' rows that training moves, shape (n_words, vector_size)."""
        return self.wv.vectors  # type: ignore[no-any-return]

    def subwords(self) -> Subwords | None:
        """Return what words are made of besides their own rows: nothing."""
        return None

    def tree(self) -> Tree:
        """Return the words' ways in the tree of hierarchical softmax, while arrays are padded."""
        points, codes = (list(self.wv.expandos[name]) for name in ("point", "code"))
        offsets = np.cumsum([0, *map(len, points)], dtype=np.int64)
        signs = 1 - 2 * np.concatenate(codes).astype(np.float32)
        return Tree(matrix_of(self.syn1), offsets, np.concatenate(points).astype(np.int32), signs)

    def compose(self) -> None:
        """Bring the vectors up to what training moved; here they are the same."""

    def move_vectors(self, words: NDArray[np.int64], moves: NDArray[np.float32]) -> None:
        """Add to the vectors of some words, times their lock factors.

        Parameters
        ----------
        words : ndarray of int64, shape (n,)
            Each once.
        moves : ndarray of float32, shape (n, vector_size) or wider
            Changed in place; what is beyond `vector_size` does not matter.
        """
        add_rows(self.wv.vectors, words, moves, self.wv.vectors_lockf)

    def turn(self, rotation: NDArray[np.float32]) -> None:
        """Turn all vectors and weights, which leaves what they say of this language as it is.

        Parameters
        ----------
        rotation : ndarray of float32, shape (vector_size, vector_size)
            Orthogonal; a row times it is the new row.
        """
        for owner, name, rows in self.matrices():
            array = getattr(owner, name)
            for start in range(0, rows, _TURNED_AT_ONCE):
                block = array[start : start + _TURNED_AT_ONCE]
                block[...] = block @ rotation
        self.compose()

    @property
    def locked(self) -> bool:
        """Whether any of the vectors, of words or n-grams, has a lock factor other than one."""
        return any((getattr(self.wv, name) != 1).any() for name in lock_names(self.wv))

    def move_contexts(self, words: NDArray[np.int64], moves: NDArray[np.float32]) -> None:
        """Add to the context vectors of some words, as :meth:`move_vectors`; they have no locks."""
        add_rows(self.syn1neg, words, moves, np.ones(1, np.float32))

    def start_from(self, start: Start, counter: WordCounter | None = None) -> None:
        """Copy vocabulary, vectors and weights; words without counts get those of a text."""
        wv = self.wv
        wv.index_to_key = list(start.wv.index_to_key)
        wv.key_to_index = {word: index for index, word in enumerate(wv.index_to_key)}
        wv.next_index = len(wv)
        wv.expandos = {name: np.array(values) for name, values in attributes(start.wv).items()}
        wv.expandos.pop("sample_int", None)  # made for the start's sample, not for ours
        wv.vectors = Matrix(len(wv), wv.vector_size).array
        wv.vectors[...] = start.wv.vectors
        lockf = getattr(start.wv, "vectors_lockf", np.ones(1))
        wv.vectors_lockf = np.array(lockf, dtype=np.float32)
        self.corpus_count = start.corpus_count
        self.corpus_total_words = start.corpus_total_words
        least = start.effective_min_count
        self.effective_min_count = self.min_count if least is None else least
        if "count" not in wv.expandos and counter is not None:
            counts = [counter.counts.get(word, 0) for word in wv.index_to_key]
            if not any(counts):
                raise start.strange(len(counter.counts))
            wv.expandos["count"] = np.array(counts, np.int64)
            self.corpus_count, self.corpus_total_words = counter.sentences, counter.words
        given = {name: getattr(start, name) for name in WEIGHTS}
        self.restore_tables(**{
            name: None if array is None else np.array(array, dtype=np.float32, order="C")
            for name, array in given.items()
        })  # fmt: skip

    def restore_tables(
        self, *, syn1neg: NDArray[np.float32] | None, syn1: NDArray[np.float32] | None
    ) -> None:
        """Put saved or copied weights in place, zeros for missing ones, and derived tables."""
        shape = (len(self.wv), self.wv.vector_size)
        if "count" not in self.wv.expandos:
            raise ConfigError(
                f"{self.language!r}: the vocabulary has no counts, which training needs; give text "
                "of this language, which has them"
            )
        if "sample_int" not in self.wv.expandos:
            self.wv.expandos["sample_int"] = subsampling_keep(self.counts, self.sample)
        if self.negative:
            self.syn1neg = np.zeros(shape, np.float32) if syn1neg is None else syn1neg
            self.make_cum_table()
        if self.hs:
            self.syn1 = np.zeros(shape, np.float32) if syn1 is None else syn1
            self.create_binary_tree()
