"""Documents of any language as the words of one, for scikit-learn."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any

import numpy as np
from gensim.models import KeyedVectors
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import softmax

from gensim_bilbowa.corpora import collect_parallel, encode_sentences
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.evidence import Spelling, bags
from gensim_bilbowa.evidence.matching import Matching
from gensim_bilbowa.extras import needing
from gensim_bilbowa.lexicons import extract_lexicon
from gensim_bilbowa.parameters import check_number
from gensim_bilbowa.vectorizers.cross_lingual import (
    CrossLingualVectorizer,
    DocumentTransformer,
    check_column,
)
from gensim_bilbowa.vectors import CrossLingualKeyedVectors

with needing("eval", "TranslatingVectorizer needs scikit-learn"):
    from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
    from sklearn.utils.validation import check_is_fitted

if TYPE_CHECKING:
    from gensim_bilbowa.model import BilBOWA

__all__ = ["TranslatingVectorizer"]

logger = logging.getLogger(__name__)

# How alike in spelling a word without a vector must be to another to be taken for it.
_LEAST_LIKENESS = 0.5
_GRAMS = (2, 5)
_MEMORY = 1 << 30


class TranslatingVectorizer(DocumentTransformer):
    """Turn documents of any language into features in the words of one.

    The language of the documents given to :meth:`fit` is the one translated into, `pivot_`. A
    document of another language becomes the words of that one. The words that a word was aligned to
    in the sentence pairs of training share its weight by how often they were; rare words are told
    of by their spelling and the words that begin as they do, too. Where the vectors know no such
    counts of the two languages, the `topn` translations that
    :func:`~gensim_bilbowa.lexicons.extract_lexicon` finds and scores ("hybrid") share it by a
    softmax of the scores. A word without a vector becomes the word of the pivot language that is
    spelt most like it, if any is, and the translations of words that begin as it does. The
    features of a document are side by
    side, each part scaled to length 1 and by its weight:

    - its words, ``log(1 + weight)`` times idf;
    - the character n-grams of its words, of 2 to 5 characters, the same way;
    - its vector, as of :class:`CrossLingualVectorizer`.

    It carries topics and the like to another language more accurately than vectors alone, with
    more features and more time.

    Parameters
    ----------
    lang : str
        Language of the documents.
    vectors : CrossLingualVectors, BilBOWA, or mapping from str to gensim.models.KeyedVectors
        The languages' vectors. Clones share them.
    parallel : ParallelSentences, list of them or dict, optional
        Text that the vectors were trained on, as for :class:`BilBOWA`: its documents count in the
        idf, and where the vectors have no counts of aligned words it makes translations more
        accurate.
    word_weight, ngram_weight, vector_weight : float
        Of the parts; one of weight 0 is left out.
    topn : int
        Most translations of a word by the lexicon.
    temperature : float
        Of the lexicon's softmax: the smaller, the more weight the best translation gets.
    tokenizer, lowercase
        As for :class:`CrossLingualVectorizer`.

    Attributes
    ----------
    pivot_ : str
        Language of the documents it was fitted to.
    words_ : list of str
        The words that are features: those with a vector, then others of the documents.

    Examples
    --------
    >>> from gensim_bilbowa import BilBOWA, TranslatingVectorizer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> pairs = [(["a", "dog"], ["ein", "Hund"]), (["the", "sea"], ["das", "Meer"])] * 200
    >>> parallel = {("en", "de"): pairs}
    >>> model = BilBOWA(parallel=parallel, vector_size=10, sample=0, workers=1)
    >>> vectorizer = TranslatingVectorizer("en", model, parallel=parallel)
    >>> english = make_pipeline(vectorizer, LogisticRegression())
    >>> english = english.fit(["a dog", "the sea", "dog", "sea"], ["pet", "water"] * 2)

    The same classifier for German:

    >>> german = make_pipeline(vectorizer.in_language("de"), *english[1:])
    >>> german.predict(["ein Hund", "das Meer"]).tolist()
    ['pet', 'water']
    """

    def __init__(
        self,
        lang: str,
        vectors: Mapping[str, KeyedVectors] | BilBOWA,
        *,
        parallel: Any = None,
        word_weight: float = 2.0,
        ngram_weight: float = 2.0,
        vector_weight: float = 1.0,
        topn: int = 5,
        temperature: float = 0.2,
        tokenizer: Callable[[str], list[str]] | None = None,
        lowercase: bool = False,
    ) -> None:
        self.lang = lang
        self.vectors = vectors
        self.parallel = parallel
        self.word_weight = word_weight
        self.ngram_weight = ngram_weight
        self.vector_weight = vector_weight
        self.topn = topn
        self.temperature = temperature
        self.tokenizer = tokenizer
        self.lowercase = lowercase

    def fit(self, X: Iterable[Any], y: Any = None) -> TranslatingVectorizer:
        """Learn the words and n-grams that are features, and in how many documents they are.

        Parameters
        ----------
        X : iterable of str or of list of str
            Documents of language `lang`, as for :meth:`CrossLingualVectorizer.transform`.
        y : ignored

        Raises
        ------
        UnknownLanguageError
            If there are no vectors of language `lang`.
        ConfigError
            If another parameter cannot work.
        TokenError
            As for :meth:`CrossLingualVectorizer.transform`.
        """
        check_number("topn", self.topn, whole=True, low=1)
        check_number("temperature", self.temperature, whole=False, low=1e-3)
        for name, weight in self._weights().items():
            check_number(name, weight, whole=False)
        if not any(self._weights().values()):
            raise ConfigError(f"all weights are 0: one of {', '.join(self._weights())} is wanted")
        check_column(X)
        own = self._own_vectors()
        documents = list(self._tokens(X))
        self.pivot_ = self.lang
        self.words_ = list(dict.fromkeys([*own.index_to_key, *_words(documents)]))
        self._index = {word: index for index, word in enumerate(self.words_)}
        # Of each word by itself, so that a translated document has those of its words.
        self._ngrams = CountVectorizer(analyzer="char_wb", ngram_range=_GRAMS)
        self._ngrams_of_words = self._ngrams.fit_transform(self.words_).astype(np.float32)
        counted = _bags(chain(documents, self._parallel_documents()), self._index)
        self._word_idf = TfidfTransformer().fit(counted)
        self._ngram_idf = TfidfTransformer().fit(counted @ self._ngrams_of_words)
        self._translations: dict[str, Any] = {}
        return self

    def transform(self, X: Iterable[Any]) -> Any:
        """Compute the documents' features.

        Parameters
        ----------
        X : iterable of str or of list of str
            Documents of language `lang`, which may have been changed since :meth:`fit`. The first
            call for a language finds the translations of all its words.

        Returns
        -------
        scipy.sparse.csr_matrix of float32, shape (n_documents, n_features)

        Raises
        ------
        TokenError
            As for :meth:`CrossLingualVectorizer.transform`.
        """
        check_is_fitted(self, "pivot_")
        check_column(X)
        documents = list(self._tokens(X))
        words = self._bags(documents)
        parts = []
        if self.word_weight:
            parts.append(self.word_weight * _weighted(words, self._word_idf))
        if self.ngram_weight:
            ngrams = words @ self._ngrams_of_words
            parts.append(self.ngram_weight * _weighted(ngrams, self._ngram_idf))
        if self.vector_weight:
            vectors = CrossLingualVectorizer(self.lang, self.vectors).transform(documents)
            parts.append(self.vector_weight * sparse.csr_array(vectors))
        return sparse.csr_matrix(sparse.hstack(parts), dtype=np.float32)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the features: ``word=dog``, ``ngram=og``, ``vector=0``."""
        check_is_fitted(self, "pivot_")
        size = self._spaces()[self.pivot_].vector_size
        names = {
            "word": self.words_,
            "ngram": self._ngrams.get_feature_names_out(),
            "vector": range(size),
        }
        weights = self._weights()
        return np.array(
            [f"{part}={name}" for part in names if weights[f"{part}_weight"]
             for name in names[part]],
            dtype=object,
        )  # fmt: skip

    def _weights(self) -> dict[str, float]:
        return {
            "word_weight": self.word_weight,
            "ngram_weight": self.ngram_weight,
            "vector_weight": self.vector_weight,
        }

    def _parallel_documents(self) -> Iterator[Sequence[str]]:
        texts = collect_parallel(self.parallel, list(self._spaces()))
        for text in texts:
            text.require_restartable()
        for text in texts:
            if self.lang in text.languages:
                side = text.languages.index(self.lang)
                yield from (pair[side] for pair in text)

    def _bags(self, documents: Sequence[Sequence[str]]) -> Any:
        """Return the documents' words of the pivot language, shape (n_documents, n_words)."""
        if self.lang == self.pivot_:
            return _bags(documents, self._index)
        known = self._own_vectors().key_to_index
        if self.lang not in self._translations:
            self._translations[self.lang] = self._translate(known)
        strange = {
            word: row for row, word in enumerate(dict.fromkeys(_words(documents)) - known.keys())
        }
        return (
            _bags(documents, known) @ self._translations[self.lang]
            + _bags(documents, strange) @ self._strange(list(strange))
        )  # fmt: skip

    def _translate(self, known: Mapping[str, int]) -> Any:
        """Return the share of each word's translations, shape (len(known), n_words)."""
        spaces = self._spaces()
        matching = self._matching()
        if matching is not None:
            pivot = len(spaces[self.pivot_])
            others = self.words_[pivot:]
            return matching.shares(np.arange(len(known)), [], np.arange(pivot), others)[0]
        lexicon = extract_lexicon(
            spaces, self.lang, self.pivot_, topn=self.topn, mutual=False, parallel=self.parallel
        )
        shares = sparse.lil_array((len(known), len(self.words_)), dtype=np.float32)
        for word, entries in groupby(lexicon, key=lambda entry: entry.source):
            found = list(entries)
            scores = np.array([entry.score for entry in found]) / self.temperature
            shares[known[word], [self._index[entry.target] for entry in found]] = softmax(scores)
        return shares.tocsr()

    def _matching(self) -> Matching | None:
        spaces = self._spaces()
        own, pivot = spaces[self.lang], spaces[self.pivot_]
        return own.matching(pivot) if isinstance(own, CrossLingualKeyedVectors) else None

    def _strange(self, words: Sequence[str]) -> Any:
        """Return what words without a vector become, by spelling and by their stems."""
        found = self._spelt_alike(words)
        matching = self._matching()
        if matching is not None:
            none = np.empty(0, np.int64)
            stems, _ = matching.shares(none, words, none, [])
            stems.resize(found.shape)
            found = sparse.csr_array(found + stems)
        return found

    def _spelt_alike(self, words: Sequence[str]) -> Any:
        """Return the likeness of each word to the one spelt most like it, the same shape."""
        if not words:
            return sparse.csr_array((0, len(self.words_)), dtype=np.float32)
        likeness = Spelling.compare(words, self.words_).likeness(slice(0, len(words)))
        alike = likeness.data > _LEAST_LIKENESS
        rows, columns, values = likeness.row[alike], likeness.col[alike], likeness.data[alike]
        # Row by row the most alike first; of those equal the first, which is the most frequent.
        order = np.lexsort((columns, -values, rows))
        best = order[np.flatnonzero(np.diff(rows[order], prepend=-1))]
        logger.info(
            "%s: %i of %i words without a vector are spelt like one of %s",
            self.lang, len(best), len(words), self.pivot_,
        )  # fmt: skip
        shape = len(words), len(self.words_)
        return sparse.csr_array((values[best], (rows[best], columns[best])), shape=shape)


def _words(documents: Iterable[Sequence[str]]) -> Iterable[str]:
    return (word for document in documents for word in document)


def _bags(documents: Iterable[Sequence[str]], index: Mapping[str, int]) -> Any:
    """Count the words of an index in documents, shape (n_documents, len(index))."""
    return bags(encode_sentences(documents, index, _MEMORY), len(index), np.float32)


def _weighted(counts: Any, idf: Any) -> Any:
    return idf.transform(counts.log1p())
