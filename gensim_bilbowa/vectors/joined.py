"""One language's vectors and the others of their space: what is known of two languages."""

from __future__ import annotations

from collections.abc import Callable, ItemsView
from typing import Any, ClassVar, Protocol, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.errors import ConfigError, UnknownLanguageError, UnknownWordError
from gensim_bilbowa.evidence import AlignedCounts, Evidence, Spelling, Words
from gensim_bilbowa.evidence.matching import Matching
from gensim_bilbowa.running.stages import Report, unreported
from gensim_bilbowa.vectors.counts import counts_or_ones
from gensim_bilbowa.vectors.language import LanguageVectors
from gensim_bilbowa.vectors.retrieval import (
    Method,
    Scoring,
    at_length_one,
    check_method,
    log_partition,
    neighbourhoods,
)

__all__ = ["JoinedVectors"]

Vectors = TypeVar("Vectors", covariant=True)


class Space(Protocol[Vectors]):
    """What a language's vectors see of the space that they are in."""

    aligned: AlignedCounts

    def items(self) -> ItemsView[str, Vectors]:
        """Return all languages of the space."""


class JoinedVectors(LanguageVectors):
    """A language's vectors that know the others of their space.

    What is computed of two whole vocabularies is kept until these change.
    """

    _ours: ClassVar[frozenset[str]] = LanguageVectors._ours | {"_space", "_crowding", "_made"}

    def _stand_alone(self, language: str | None) -> None:
        super()._stand_alone(language)
        self._space: Space[Self] | None = None
        self._crowding: dict[tuple[str, str, float], tuple[Any, Any, NDArray[np.float32]]] = {}
        self._made: dict[tuple[str, str], tuple[Any, Any]] = {}

    def get_index(self, key: Any, default: Any = None) -> int:
        """Return the row of a word; the error for an unknown one names the language."""
        try:
            index: int = super().get_index(key, default)
        except KeyError:
            raise UnknownWordError(self._unknown(key)) from None
        return index

    def _unknown(self, key: Any) -> str:
        name = f"the {self.language!r} vocabulary" if self.language else "the vocabulary"
        message = f"{key!r} is not in {name} ({len(self):,} words)"
        others = [
            code for code, other in (self._space or {}).items()
            if other is not self and key in other.key_to_index
        ]  # fmt: skip
        return message + (f"; it is a word of {', '.join(map(repr, others))}" if others else "")

    def other_language(self, lang: str | None = None) -> Self:
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

    def evidence(self, lang: str | None = None) -> Evidence:
        """Return what tells of translations beside vectors: aligned counts, and spelling.

        It is kept until the counts or the vocabularies change.
        """
        other = self.other_language(lang)

        def make() -> Evidence:
            alike = Spelling.compare(self.index_to_key, other.index_to_key)
            return Evidence.of(self.aligned(lang), alike)

        return cast(Evidence, self._until_more_is_known("evidence", other, make))

    def matching(self, other: JoinedVectors) -> Matching | None:
        """Return what tells which words of this language and another one translate each other.

        None where the space has no aligned counts of the two. It is kept until these change.
        """
        codes = self.language, other.language
        aligned: Any = {} if self._space is None else self._space.aligned
        if codes not in aligned and codes[::-1] not in aligned:
            return None

        def make() -> Matching:
            words = (Words(kv.index_to_key, counts_or_ones(kv)) for kv in (self, other))
            return Matching(self.aligned(str(other.language)), *words)

        return cast(Matching, self._until_more_is_known("matching", other, make))

    def _until_more_is_known(self, kind: str, other: JoinedVectors, make: Callable[[], Any]) -> Any:
        """Return what is made of the aligned counts with a language, and keep it that long."""
        assert self._space is not None, "there is another language"
        state = self._space.aligned.version, len(self), len(other)
        key = kind, str(other.language)
        kept = self._made.get(key)
        if kept is None or kept[0] != state:
            kept = self._made[key] = state, make()
        return kept[1]
