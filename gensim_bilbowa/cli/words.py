"""Words as people type them, found among those of a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

import click

from gensim_bilbowa.tokenization.codes import primary
from gensim_bilbowa.tokenization.tokenizer import lower_case
from gensim_bilbowa.tokenization.tokenizers import Split
from gensim_bilbowa.vectors import CrossLingualKeyedVectors

__all__ = ["Asked"]


class Asked:
    """Finds in a vocabulary what is asked for.

    Parameters
    ----------
    vectors : CrossLingualKeyedVectors
    tokenizers : callable
        Returns what splits the text of languages, when it is needed: it may need a package.
    """

    def __init__(
        self, vectors: CrossLingualKeyedVectors, tokenizers: Callable[[], Mapping[str, Split]]
    ) -> None:
        self._vectors = vectors
        self._tokenizers = tokenizers
        self._said: set[str] = set()

    def words(self, text: str) -> list[str]:
        """Return a text's words; what is a word of the vocabulary as it stands is not split."""
        return [text] if text in self._vectors.key_to_index else self._split(text)

    def typed(self, text: str) -> list[str]:
        """Return the words of a text as :meth:`words` does, and say if they are others."""
        words = self.words(text) or [text]
        if words != [text]:
            click.echo(f"bilbowa: {text!r} is looked up as {' '.join(map(repr, words))}", err=True)
        return words

    def known(self, word: str) -> str:
        """Return a word as the vocabulary writes it: if it is not there, in another case.

        That is said once for each word. One that is unknown in any case is returned as it is.
        """
        if word in self._vectors.key_to_index:
            return word
        found = self._by_lower_case.get(self._lower(word), word)
        if found != word and word not in self._said:
            self._said.add(word)
            click.echo(
                f"bilbowa: {word!r} is not in the {self._vectors.language!r} vocabulary; "
                f"{found!r} is taken",
                err=True,
            )
        return found

    @cached_property
    def _split(self) -> Split:
        return self._tokenizers().get(str(self._vectors.language), str.split)

    @cached_property
    def _by_lower_case(self) -> dict[str, str]:
        # The most frequent ones are first in the vocabulary.
        return {self._lower(word): word for word in reversed(self._vectors.index_to_key)}

    def _lower(self, word: str) -> str:
        return lower_case(word, primary(self._vectors.language))
