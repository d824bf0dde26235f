"""The vectors of several languages in one space."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gensim.models import KeyedVectors

from gensim_bilbowa.errors import ConfigError, UnknownLanguageError
from gensim_bilbowa.vectors.keyed import CrossLingualKeyedVectors, check_finite, check_keyed

__all__ = ["CrossLingualVectors"]


class CrossLingualVectors(Mapping[str, CrossLingualKeyedVectors]):
    """A mapping from language codes to the languages' vectors.

    Parameters
    ----------
    vectors : mapping from str to gensim.models.KeyedVectors
        Of one space and size, for example loaded from word2vec files that a model saved. Arrays
        are shared, the given objects stay as they are.

    Examples
    --------
    >>> import numpy as np
    >>> from gensim.models import KeyedVectors
    >>> en, de = KeyedVectors(2), KeyedVectors(2)
    >>> en.add_vectors(["house"], np.eye(2)[:1])
    >>> de.add_vectors(["haus", "und"], np.eye(2))
    >>> vectors = CrossLingualVectors({"en": en, "de": de})
    >>> vectors["en"].most_similar_cross("house", topn=1)
    [('haus', 1.0)]
    """

    def __init__(self, vectors: Mapping[str, KeyedVectors]) -> None:
        for code, kv in vectors.items():
            check_keyed(kv, repr(code))
        sizes = {code: kv.vector_size for code, kv in vectors.items()}
        if len(set(sizes.values())) > 1:
            raise ConfigError(f"one vector size is wanted for all languages, got {sizes}")
        self._languages: dict[str, CrossLingualKeyedVectors] = {}
        for code, kv in vectors.items():
            check_finite(kv, repr(code))
            adopted = CrossLingualKeyedVectors.adopt(kv, code)
            # So that words added here are not added there, where the array stays as it is.
            adopted.index_to_key = list(kv.index_to_key)
            adopted.key_to_index = dict(kv.key_to_index)
            adopted.expandos = dict(kv.expandos)
            self.join(code, adopted)

    def join(self, language: str, vectors: CrossLingualKeyedVectors) -> None:
        """Add a language, or put new vectors in its place."""
        vectors.language = language
        vectors._space = self
        self._languages[language] = vectors

    def refine(
        self, *, rounds: int = 4, k: int = 10, max_words: int | None = 20_000
    ) -> CrossLingualVectors:
        """Return these vectors refined by the translations they find themselves.

        See :func:`gensim_bilbowa.vectors.refinement.refine` for the method and the parameters.
        """
        from gensim_bilbowa.vectors.refinement import refine  # makes a new space: builds on this

        return refine(self, rounds=rounds, k=k, max_words=max_words)

    def __getitem__(self, language: str) -> CrossLingualKeyedVectors:
        try:
            return self._languages[language]
        except KeyError:
            raise UnknownLanguageError(
                f"no language {language!r}; there are {sorted(self._languages) or 'none'}"
            ) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._languages)

    def __len__(self) -> int:
        return len(self._languages)

    def __contains__(self, language: object) -> bool:
        return language in self._languages

    def __reduce__(self) -> Any:
        # Each language's vectors are pickled as plain ones and adopted anew.
        return type(self), (dict(self._languages),)

    def __repr__(self) -> str:
        inner = ", ".join(f"{code}: {len(kv):,} words" for code, kv in self.items())
        return f"CrossLingualVectors<{inner}>"
