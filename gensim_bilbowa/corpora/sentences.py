"""What may stand for a corpus, turned into a restartable iterable of sentences."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from gensim.models.word2vec import LineSentence

from gensim_bilbowa.corpora.files import LineCorpus, Split
from gensim_bilbowa.errors import BilBOWAError, CorpusError, TokenError
from gensim_bilbowa.tokenization.tokenizers import TOKENS

__all__ = [
    "Checked",
    "Corpus",
    "Pair",
    "Sentences",
    "as_sentences",
    "check_sentence",
    "require_restartable",
    "way_of",
    "with_place",
]

Row = TypeVar("Row")
Sentences: TypeAlias = Iterable[list[str]]
Pair: TypeAlias = tuple[list[str], list[str]]
Corpus: TypeAlias = "str | os.PathLike[str] | Sentences"


def as_sentences(
    corpus: Corpus, where: str, errors: str = "strict", tokenizer: Split | None = None
) -> Sentences:
    """Turn a path, a ``LineSentence`` or any iterable of token lists into sentences.

    A path is read by :class:`LineCorpus`, with `errors` and `tokenizer`, and so is a gensim
    ``LineSentence`` over a path, which would drop blank lines and split long ones.
    """
    if isinstance(corpus, str | os.PathLike):
        return LineCorpus(corpus, errors=errors, tokenizer=tokenizer)
    lines: Any = corpus
    if type(lines) is LineSentence and isinstance(lines.source, str | os.PathLike):
        return LineCorpus(lines.source, limit=lines.limit, errors=errors, tokenizer=tokenizer)
    if not isinstance(corpus, Iterable):
        raise CorpusError(
            f"{where}: a path or an iterable of token lists is wanted, got {type(corpus).__name__}"
        )
    return corpus


def way_of(corpus: Any, tokenizer: Split | None = None) -> Any:
    """Return what splits a corpus: a function, None for white space, `TOKENS` if it has tokens."""
    if tokenizer is not None:
        return tokenizer
    return getattr(corpus, "tokenizer", TOKENS)


def require_restartable(corpus: Any, where: str) -> None:
    """Refuse what can be iterated only once: a generator, map, zip, open file or pipe."""
    if isinstance(corpus, Iterator):
        raise TokenError(
            f"{where}: a restartable iterable is needed, since it is read more than once; got "
            f"{type(corpus).__name__}, which can be read once. Give a list, a path, or an object "
            "whose __iter__ starts anew"
        )
    path = corpus.path if isinstance(corpus, LineCorpus) else corpus
    if isinstance(path, str) and (Path(path).is_fifo() or Path(path).is_char_device()):
        raise TokenError(
            f"{where}: {path} is a pipe or terminal, which can be read once, but text is read more "
            "than once; write it to a file first"
        )


def check_sentence(sentence: Any, number: int, where: str) -> list[str]:
    """Return the sentence if it is a list (or tuple) of strings, else say what is wrong."""
    if isinstance(sentence, str | bytes):
        raise TokenError(
            f"{where}, sentence {number}: a list of tokens is wanted, got the "
            f"{type(sentence).__name__} {sentence[:40]!r}; split it into tokens first"
        )
    try:
        tokens = sentence if isinstance(sentence, list) else list(sentence)
    except TypeError as error:
        raise TokenError(
            f"{where}, sentence {number}: a list of tokens is wanted, got {sentence!r:.60}"
        ) from error
    if not set(map(type, tokens)) <= {str}:
        for position, token in enumerate(tokens, start=1):
            if not isinstance(token, str):
                raise TokenError(
                    f"{where}, sentence {number}, token {position}: a string is wanted, got "
                    f"{token!r:.60} ({type(token).__name__})"
                )
    return tokens


def with_place(rows: Iterable[Row], where: str, unit: str) -> Iterator[Row]:
    """Yield the rows; an error of the user's own iterable gets a note that says how far it was."""
    number = 0
    try:
        for row in rows:
            yield row
            number += 1
    except Exception as error:
        if not isinstance(error, BilBOWAError):
            error.add_note(f"raised while reading {where}, after {unit} {number}")
        raise


class Checked:
    """Sentences with a name for error messages, each one checked as it passes."""

    def __init__(self, sentences: Sentences, where: str) -> None:
        self.sentences = sentences
        self.where = where

    def __iter__(self) -> Iterator[list[str]]:
        rows = with_place(self.sentences, self.where, "sentence")
        for number, sentence in enumerate(rows, start=1):
            yield check_sentence(sentence, number, self.where)
