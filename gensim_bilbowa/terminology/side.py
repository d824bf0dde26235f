"""One language's side of a text, with what may be a term in it."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.terminology.candidates import Candidates, find_candidates
from gensim_bilbowa.terminology.cohesion import coherent
from gensim_bilbowa.terminology.general import GeneralLanguage
from gensim_bilbowa.terminology.wordkinds import WordKinds
from gensim_bilbowa.terminology.written import WrittenText
from gensim_bilbowa.tokenization.codes import primary
from gensim_bilbowa.tokenization.tokenizer import WITHOUT_SPACES

__all__ = ["Groups", "TermSide"]


@dataclass(frozen=True)
class TermSide:
    """The words of one language, and the candidates for terms among them.

    Attributes
    ----------
    language : str
    text : WrittenText
    general : GeneralLanguage or None
    kinds : WordKinds
    ids : ndarray of int32, shape (n_tokens,)
        The text in small letters.
    counts : ndarray of int64, shape (n_words,)
    candidates : Candidates
    """

    language: str
    text: WrittenText
    general: GeneralLanguage | None
    kinds: WordKinds
    ids: NDArray[np.int32]
    counts: NDArray[np.int64]
    candidates: Candidates

    @classmethod
    def of(
        cls, language: str, text: WrittenText, general: GeneralLanguage | None, min_count: int
    ) -> TermSide:
        """Find the candidates in a text."""
        kinds = WordKinds.of(text, general)
        ids = text.lower_corpus.ids
        found = find_candidates(
            ids, text.offsets, kinds.outer, kinds.inner, text.breaks, min_count=min_count
        )
        found = found.keep(
            coherent(found, ids, text.offsets, text.breaks, kinds.outer, kinds.light)
        )
        return cls(language, text, general, kinds, ids, text.lower_counts, found)

    @property
    def letters(self) -> list[str] | None:
        """The words, of a language that puts no spaces between them."""
        return self.text.lower_words if primary(self.language) in WITHOUT_SPACES else None

    def plain(self, term: int) -> str:
        """Return a candidate in small letters, with spaces between its words."""
        words = self.candidates.words_of(term).tolist()
        return " ".join(self.text.lower_words[word] for word in words)

    @cached_property
    def begins(self) -> NDArray[np.int64]:
        """The token of the text with which each occurrence of a candidate begins."""
        return self.candidates.begins(self.text.offsets)

    @cached_property
    def ends_phrases(self) -> NDArray[np.float64]:
        """The part of each candidate's occurrences after which no word stands."""
        spans = self.candidates.spans
        after = self.begins + spans[:, 1] - spans[:, 0]
        ends = np.append(self.text.breaks | ~(self.kinds.outer | self.kinds.inner)[self.ids], True)
        last = np.bincount(spans[:, 2], ends[after], len(self.candidates))
        return np.asarray(last / np.maximum(self.candidates.counts, 1))

    @cached_property
    def capitals(self) -> NDArray[np.float64]:
        """The part of each word's occurrences within sentences that have a capital."""
        inside = ~self.sentence_starts
        all_of_them = np.bincount(self.ids, inside, len(self.counts))
        capitals = np.bincount(self.ids, self.text.capital & inside, len(self.counts))
        return np.asarray(capitals / np.maximum(all_of_them, 1))

    @cached_property
    def sentence_starts(self) -> NDArray[np.bool_]:
        """Whether each token stands where a capital says nothing: at a begin, or after a sign."""
        has_letter = np.array([any(map(str.isalnum, word)) for word in self.text.words], bool)
        starts = self.text.breaks.copy()
        starts[1:] |= ~has_letter[self.text.ids[:-1]]
        return starts


@dataclass(frozen=True)
class Groups:
    """Candidates of one language that are forms of one term.

    Attributes
    ----------
    of : ndarray of int64, shape (n_candidates,)
        The group of each candidate.
    heads : ndarray of int64, shape (n_groups,)
        The most frequent candidate of each.
    counts : ndarray of int64, shape (n_groups,)
        How often all forms stand in the text.
    """

    of: NDArray[np.int64]
    heads: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def of_classes(
        cls, candidates: Candidates, classes: NDArray[np.int32],
        letters: Sequence[str] | None = None,
    ) -> Groups:  # fmt: skip
        """Put candidates together whose words have the same classes.

        Parameters
        ----------
        candidates : Candidates
        classes : ndarray of int32, shape (n_words,)
        letters : sequence of str, optional
            The words, of a language without spaces: what is written alike is one, wherever its
            words were taken to end.
        """
        words = classes[candidates.words].tolist()
        bounds = itertools.pairwise(candidates.offsets.tolist())
        keys: Iterable[Hashable] = (tuple(words[start:end]) for start, end in bounds)
        if letters is not None:
            keys = ("".join(letters[word] for word in key) for key in keys)  # type: ignore[attr-defined]
        index: dict[Hashable, int] = {}
        of = np.array([index.setdefault(key, len(index)) for key in keys], np.int64)
        order = np.lexsort((np.arange(len(of)), -candidates.counts, of))
        heads = order[np.unique(of[order], return_index=True)[1]]
        counts = np.bincount(of, candidates.counts, len(index)).astype(np.int64)
        return cls(of, heads, counts)

    def forms_of(self, groups: NDArray[np.int64]) -> list[list[int]]:
        """Return the candidates of some groups, the head first."""
        order = np.lexsort((self.heads[self.of] != np.arange(len(self.of)), self.of))
        first, last = (np.searchsorted(self.of[order], groups, side=s) for s in ("left", "right"))
        return [order[a:b].tolist() for a, b in zip(first.tolist(), last.tolist(), strict=True)]
