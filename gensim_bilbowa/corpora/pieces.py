"""Sentences as numbers: of their words, or of what stands between white space in running text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.kernels import WordTable
from gensim_bilbowa.tokenization.tokenizer import Tokenizer

__all__ = ["PieceTable", "Pieces", "Words"]

_HALF = re.compile("[\ud800-\udfff]")

Numbers = tuple[NDArray[np.int32], NDArray[np.int32]]


class Words(dict[str, int]):
    """Sentences of tokens as the tokens' numbers.

    Attributes
    ----------
    characters : int
        Of all words.
    """

    def __init__(self) -> None:
        super().__init__()
        self._words: list[str] = []
        self.characters = 0

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        self._words.append(word)
        self.characters += len(word)
        return number

    def numbers(self, sentences: Sequence[Sequence[str]]) -> Numbers:
        """Return the numbers of all tokens, and how many of them each sentence has."""
        counts = np.fromiter(map(len, sentences), np.int32, len(sentences))
        tokens = chain.from_iterable(sentences)
        return np.fromiter(map(self.__getitem__, tokens), np.int32, counts.sum()), counts

    def sentence(self, numbers: Sequence[int]) -> list[str]:
        """Return the tokens that have these numbers."""
        return [*map(self._words.__getitem__, numbers)]


class PieceTable:
    """Texts as the numbers of what stands between white space.

    Parameters
    ----------
    prepare : callable
        What is done with a text before.
    """

    def __init__(self, prepare: Callable[[str], str]) -> None:
        self._prepare = prepare
        self._table = WordTable()

    def numbers(self, texts: Sequence[str]) -> tuple[Numbers, list[str]]:
        """Return the numbers of all pieces, and how many each text has; and the pieces new here."""
        lines = [*map(self._prepare, texts)]
        whole = "\n".join(lines)
        if whole.count("\n") >= len(lines):
            whole = "\n".join(" ".join(line.split("\n")) for line in lines)
        try:
            data = f"{whole}\n".encode()
        except UnicodeEncodeError:  # half a character, which no file can have
            data = _HALF.sub("\ufffd", f"{whole}\n").encode()
        ids, counts, new = self._table.number(data)
        return (ids, counts.astype(np.int32)), new


class Pieces:
    """Texts as the numbers of what stands between white space, each of which is split once.

    Attributes
    ----------
    characters : int
        Of all pieces.
    """

    def __init__(self, split: Tokenizer) -> None:
        self._split = split
        self.characters = 0
        self._table = PieceTable(split.prepared)
        self._tokens: list[list[str]] = []

    def __len__(self) -> int:
        return len(self._tokens)

    def numbers(self, texts: Sequence[str]) -> Numbers:
        """Return the numbers of all pieces, and how many of them each text has."""
        numbers, new = self._table.numbers(texts)
        self._tokens += map(self._split.tokens_of, new)
        self.characters += sum(map(len, new))
        return numbers

    def sentence(self, numbers: Sequence[int]) -> list[str]:
        """Return the tokens of the pieces that have these numbers."""
        return [*chain.from_iterable(map(self._tokens.__getitem__, numbers))]
