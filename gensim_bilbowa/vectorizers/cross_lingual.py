"""Documents of any language as vectors of one space, for scikit-learn."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from gensim.models import KeyedVectors
from numpy.typing import NDArray

from gensim_bilbowa.errors import ConfigError, TokenError, UnknownLanguageError
from gensim_bilbowa.extras import needing
from gensim_bilbowa.vectors.retrieval import at_length_one
from gensim_bilbowa.vectors.sentences import Weighting, sentence_vectors

with needing("eval", "transformers of documents need scikit-learn"):
    from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin

if TYPE_CHECKING:
    from typing import Self

    from gensim_bilbowa.model import BilBOWA

__all__ = ["CrossLingualVectorizer", "DocumentTransformer", "check_column"]


class DocumentTransformer(
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """What transformers of documents of several languages have in common."""

    lang: str
    vectors: Mapping[str, KeyedVectors] | BilBOWA
    tokenizer: Callable[[str], list[str]] | None
    lowercase: bool

    def in_language(self, lang: str) -> Self:
        """Return the same for documents of another language; all else is shared."""
        other: Self = copy.copy(self).set_params(lang=lang)
        return other

    def _spaces(self) -> Mapping[str, KeyedVectors]:
        spaces = getattr(self.vectors, "wv", self.vectors)
        if not isinstance(spaces, Mapping):
            raise ConfigError(
                "vectors must be a CrossLingualVectors, a BilBOWA model or a mapping from language "
                f"codes to KeyedVectors, not {type(self.vectors).__name__}"
            )
        return spaces

    def _own_vectors(self) -> KeyedVectors:
        spaces = self._spaces()
        if self.lang not in spaces:
            raise UnknownLanguageError(
                f"no vectors of language {self.lang!r}; there are {sorted(spaces) or 'none'}"
            )
        own = spaces[self.lang]
        if not isinstance(own, KeyedVectors):
            raise ConfigError(
                f"{self.lang!r}: a gensim KeyedVectors is wanted, got {type(own).__name__}"
            )
        return own

    def _tokens(self, documents: Iterable[Any]) -> Iterator[list[str]]:
        split = self.tokenizer or str.split
        for position, document in enumerate(documents):
            if isinstance(document, str):
                yield split(document.lower() if self.lowercase else document)
                continue
            if isinstance(document, bytes) or not isinstance(document, Iterable):
                raise TokenError(
                    f"document X[{position}]: a string or a list of strings is wanted, got "
                    f"{document!r:.60} ({type(document).__name__})"
                )
            tokens = list(document)
            for token in tokens:
                if not isinstance(token, str):
                    raise TokenError(
                        f"document X[{position}]: a list of strings is wanted, got {token!r:.60} "
                        f"({type(token).__name__}) in it"
                    )
            yield [token.lower() for token in tokens] if self.lowercase else tokens

    def __sklearn_clone__(self) -> Self:
        # What is large, or has no copies, is shared.
        shared = ("vectors", "tokenizer", "parallel")
        other = type(self)(**{
            name: value if name in shared else copy.deepcopy(value)
            for name, value in self.get_params(deep=False).items()
        })  # fmt: skip
        if hasattr(self, "_sklearn_output_config"):
            other._sklearn_output_config = copy.deepcopy(self._sklearn_output_config)
        return other

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.transformer_tags.preserves_dtype = []
        return tags


class CrossLingualVectorizer(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    DocumentTransformer,
):
    """Turn documents into vectors in the space that all languages share, shape (n, vector_size).

    What is learned from documents of one language, a classifier for instance, then works on those
    of the others. Each vector is :meth:`CrossLingualKeyedVectors.sentence_vectors` of the document.
    Nothing is learned here: :meth:`fit` checks the parameters only, and may be left out. Documents
    are given as to scikit-learn's own text vectorizers.

    Parameters
    ----------
    lang : str
        Language of the documents.
    vectors : CrossLingualVectors, BilBOWA, or mapping from str to gensim.models.KeyedVectors
        The languages' vectors. Clones share them.
    weighting : {"mean", "idf", "sif"}, mapping from str to float, or None
        See :meth:`CrossLingualKeyedVectors.sentence_vectors`.
    remove_common : bool
        See the same.
    tokenizer : callable from str to list of str, optional
        For documents that are strings. It must split text as the training text was split; by
        default that is at white space.
    lowercase : bool
        Lower-case documents first; for models of lower-cased text.
    normalize : bool
        Scale each vector to length 1 (one without known words stays zero).

    Examples
    --------
    >>> from gensim_bilbowa import BilBOWA, CrossLingualVectorizer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> pairs = [(["a", "dog"], ["ein", "Hund"]), (["the", "sea"], ["das", "Meer"])] * 200
    >>> model = BilBOWA(parallel={("en", "de"): pairs}, vector_size=10, sample=0, workers=1)
    >>> vectorizer = CrossLingualVectorizer("en", model, remove_common=False)
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
        weighting: Weighting = "mean",
        remove_common: bool = True,
        tokenizer: Callable[[str], list[str]] | None = None,
        lowercase: bool = False,
        normalize: bool = True,
    ) -> None:
        self.lang = lang
        self.vectors = vectors
        self.weighting = weighting
        self.remove_common = remove_common
        self.tokenizer = tokenizer
        self.lowercase = lowercase
        self.normalize = normalize

    def fit(self, X: Iterable[Any], y: Any = None) -> CrossLingualVectorizer:
        """Check the parameters. The documents are not read.

        Raises
        ------
        UnknownLanguageError
            If there are no vectors of language `lang`.
        ConfigError
            If another parameter cannot work.
        TokenError
            If `X` is one string, or has more than one column.
        """
        check_column(X)
        sentence_vectors(self._own_vectors(), [], self.weighting, remove_common=self.remove_common)
        return self

    def transform(self, X: Iterable[Any]) -> NDArray[np.float32]:
        """Compute the documents' vectors.

        Parameters
        ----------
        X : iterable of str or of list of str
            Documents, or those already split into tokens: a list, a generator, a pandas Series, a
            one-dimensional array.

        Returns
        -------
        ndarray of float32, shape (n_documents, vector_size)

        Raises
        ------
        TokenError
            If a document is missing (None, NaN), of bytes, or not text for another reason. It
            names the position, counted from 0.
        """
        check_column(X)
        vectors = sentence_vectors(
            self._own_vectors(), self._tokens(X), self.weighting,
            remove_common=self.remove_common, where=f"{self.lang!r} documents",
        )  # fmt: skip
        return at_length_one(vectors) if self.normalize else vectors

    @property
    def _n_features_out(self) -> int:
        return int(self._own_vectors().vector_size)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags


def check_column(documents: Any) -> None:
    """Refuse what would be taken for other documents than it has: a string, a table."""
    if isinstance(documents, str | bytes):
        raise TokenError(
            f"X: a list or column of documents is wanted, got the {type(documents).__name__} "
            f"{documents[:40]!r}"
        )
    shape = getattr(documents, "shape", (0,))
    if len(shape) != 1:
        raise TokenError(
            f"X: a list or column of documents is wanted, got one of shape {shape}; "
            "select one column"
        )
    if not isinstance(documents, Iterable):
        raise TokenError(
            f"X: a list or column of documents is wanted, got {type(documents).__name__}"
        )
