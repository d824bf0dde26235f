"""Words as they are written, each with its small letters, and where words are no neighbours."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.corpora import EncodedCorpus
from gensim_bilbowa.corpora.files import Split
from gensim_bilbowa.corpora.pieces import PieceTable
from gensim_bilbowa.corpora.sentences import check_sentence
from gensim_bilbowa.ragged import places_of
from gensim_bilbowa.tokenization.codes import primary
from gensim_bilbowa.tokenization.markup import GAP
from gensim_bilbowa.tokenization.tokenizer import Tokenizer, lower_case

__all__ = ["WrittenSide", "WrittenText"]

# A piece that stands for a gap. No text has it once a tokenizer has made a space of it.
_CUT = "\u200b"
# Its number among words.
_NO_WORD = -1

# A word as it is written, and in small letters.
Form: TypeAlias = tuple[str, str]
# Of all words of some texts, and how many each text has.
Numbers: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int64]]


@dataclass(frozen=True)
class WrittenText:
    """One language's side of a text, as numbers of words in the case that they are written in.

    Attributes
    ----------
    words : list of str
        As they are written. The same one stands here twice if its small letters depend on what is
        around it, as a sigma at the end of a word.
    ids : ndarray of int32, shape (n_tokens,)
        Numbers of all words of all units, one unit after the other.
    offsets : ndarray of int64, shape (n_units + 1,)
        Unit i is ``ids[offsets[i]:offsets[i + 1]]``.
    breaks : ndarray of bool, shape (n_tokens,)
        Whether a token is no neighbour of the one before it: it is the first of its unit, or
        something stood between them that is no word, as a placeholder or a line break of HTML.
    lower : ndarray of int32, shape (n_words,)
        For each word the number of its small letters in `lower_words`.
    lower_words : list of str
    """

    words: list[str]
    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]
    breaks: NDArray[np.bool_]
    lower: NDArray[np.int32]
    lower_words: list[str]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def lower_corpus(self) -> EncodedCorpus:
        """The units as numbers of `lower_words`."""
        return EncodedCorpus(self.lower[self.ids], self.offsets, len(self.ids))

    @cached_property
    def capital(self) -> NDArray[np.bool_]:
        """Whether each token begins with a capital."""
        return np.array([word[:1].isupper() for word in self.words], bool)[self.ids]

    @cached_property
    def lower_counts(self) -> NDArray[np.int64]:
        """How often each of `lower_words` stands in the text."""
        return self.lower_corpus.counts(len(self.lower_words))


class WrittenSide:
    """Makes a :class:`WrittenText` of texts that come a few hundred at a time.

    Parameters
    ----------
    language : str
        Whose rules make small letters of words that no tokenizer has made.
    """

    def __init__(self, language: str) -> None:
        self._language = primary(language)
        self._words: dict[Form, int] = {}
        self._lower_words: dict[str, int] = {}
        self._lower = array("i")
        self._ids: list[NDArray[np.int32]] = []
        self._counts: list[NDArray[np.int64]] = []
        self._breaks: list[NDArray[np.bool_]] = []
        self._ways: dict[object, Callable[[Sequence[str]], Numbers]] = {}
        self._splits: list[Split] = []
        self._texts = 0

    def add(self, texts: Sequence[str], split: Split) -> None:
        """Take texts, and what splits them into the tokens that are wanted, but for case."""
        # Two tokenizers may be equal; that other functions are alone may not even be asked.
        key = split if type(split) is Tokenizer else id(split)
        if key not in self._ways:
            self._ways[key] = self._way(split)
            self._splits.append(split)  # or its id might become another's
        ids, counts = self._ways[key](texts)
        self._texts += len(texts)
        cut = ids == _NO_WORD
        ends = np.cumsum(counts)
        begins = np.append(False, cut)
        begins[np.append(0, ends)] = True
        self._breaks.append(begins[:-1][~cut])
        self._ids.append(ids[~cut])
        words_before = np.append(0, np.cumsum(~cut))
        self._counts.append(np.diff(words_before[np.append(0, ends)]))

    def finish(self) -> WrittenText:
        """Return all that was added."""
        counts = np.concatenate([np.zeros(1, np.int64), *self._counts])
        return WrittenText(
            [written for written, _ in self._words],
            np.concatenate([np.empty(0, np.int32), *self._ids]),
            np.cumsum(counts),
            np.concatenate([np.empty(0, np.bool_), *self._breaks]),
            np.array(self._lower, np.int32),
            list(self._lower_words),
        )

    def _numbers_of(self, forms: Iterable[Form | None]) -> Iterator[int]:
        for form in forms:
            if form is None:
                yield _NO_WORD
                continue
            number = self._words.setdefault(form, len(self._words))
            if number == len(self._lower):
                self._lower.append(self._lower_words.setdefault(form[1], len(self._lower_words)))
            yield number

    def _way(self, split: Split) -> Callable[[Sequence[str]], Numbers]:
        """Return what makes numbers of texts that are split so."""
        if type(split) is Tokenizer:
            forms = _TokenizerForms(split)
            if not split.unspaced:
                return _KnownPieces(forms.bare, forms.of_piece, self._numbers_of).numbers
            return lambda texts: self._each(map(forms.of_text, texts))

        def small(words: Iterable[str]) -> Iterator[Form]:
            return ((word, lower_case(word, self._language)) for word in words)

        if split is str.split:
            return _KnownPieces(str, lambda piece: small([piece]), self._numbers_of).numbers
        where = f"{self._language!r} text, {split!r:.60}"
        return lambda texts: self._each(
            small(check_sentence(split(text), number, where))
            for number, text in enumerate(texts, start=self._texts + 1)
        )

    def _each(self, texts: Iterable[Iterable[Form | None]]) -> Numbers:
        numbers = [[*self._numbers_of(forms)] for forms in texts]
        counts = np.fromiter(map(len, numbers), np.int64, len(numbers))
        return np.fromiter(chain.from_iterable(numbers), np.int32, counts.sum()), counts


class _KnownPieces:
    """Numbers of texts whose words stand between white space, each piece taken apart once."""

    def __init__(
        self, prepare: Callable[[str], str], forms: Callable[[str], Iterable[Form | None]],
        numbers_of: Callable[[Iterable[Form | None]], Iterable[int]],
    ) -> None:  # fmt: skip
        self._table = PieceTable(prepare)
        self._forms = forms
        self._numbers_of = numbers_of
        self._numbers = array("i")
        self._starts = array("q", [0])

    def numbers(self, texts: Sequence[str]) -> Numbers:
        (pieces, counts), new = self._table.numbers(texts)
        for piece in new:
            self._numbers.extend(self._numbers_of(self._forms(piece)))
            self._starts.append(len(self._numbers))
        places, ends = places_of(np.array(self._starts, np.int64), pieces)
        of_texts = np.append(0, np.cumsum(counts))
        return np.array(self._numbers, np.int32)[places], np.diff(ends[of_texts])


class _TokenizerForms:
    """The tokens that a tokenizer finds in pieces of bare text, as written and in small letters."""

    def __init__(self, split: Tokenizer) -> None:
        self._split = split

    def bare(self, text: str) -> str:
        return self._split.bare(text).replace(GAP, f" {_CUT} ")

    def of_text(self, text: str) -> Iterator[Form | None]:
        return chain.from_iterable(map(self.of_piece, self.bare(text).split()))

    def of_piece(self, piece: str) -> list[Form | None]:
        if piece == _CUT:
            return [None]
        split = self._split
        as_is, lower = split.cased(piece, lowercase=False), split.cased(piece, lowercase=True)
        written = split.tokens_of(as_is)
        if as_is == lower:
            return [*zip(written, written, strict=True)]
        if not split.lowercase:
            return [(word, split.cased(word, lowercase=True)) for word in written]
        small = split.tokens_of(lower)
        # Rarely small letters are split otherwise; they are what is wanted, and no case is known.
        if [*map(self._small, written)] != [*map(_same_sigma, small)]:
            written = small
        return [*zip(written, small, strict=True)]

    def _small(self, word: str) -> str:
        return _same_sigma(self._split.cased(word, lowercase=True))


def _same_sigma(word: str) -> str:
    """Return a word in which a sigma is the same wherever it stands."""
    return word.replace("ς", "σ")
