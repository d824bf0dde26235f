"""What a user passes as corpora, sorted into texts by language and parallel texts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gensim_bilbowa.corpora.parallel import ParallelSentences
from gensim_bilbowa.corpora.sentences import (
    Checked,
    Corpus,
    Sentences,
    as_sentences,
    require_restartable,
)
from gensim_bilbowa.errors import ConfigError, CorpusError

__all__ = ["Inputs", "collect"]


@dataclass(frozen=True)
class Inputs:
    """Corpora by language and language pair.

    Attributes
    ----------
    texts : dict from str to iterable of token lists
        Monolingual text of the languages that have some of their own.
    parallel : list of ParallelSentences
    """

    texts: dict[str, Sentences]
    parallel: list[ParallelSentences]

    @property
    def languages(self) -> list[str]:
        """All languages, in the order in which they were given."""
        named = [*self.texts, *(code for pairs in self.parallel for code in pairs.languages)]
        return list(dict.fromkeys(named))

    def text(self, language: str) -> Sentences:
        """Return a language's text, or its sides of the parallel text if it has none."""
        if language in self.texts:
            return Checked(self.texts[language], f"{language!r} text")
        return _Chain([p.side(language) for p in self.parallel if language in p.languages])

    def spaces(self, linked: bool = True) -> list[list[str]]:
        """Group the languages that parallel text links, directly or through others."""
        groups = [[code] for code in self.languages]
        for pair in (set(pairs.languages) for pairs in self.parallel if linked):
            joined = [code for group in groups if pair & set(group) for code in group]
            groups = [joined, *(group for group in groups if not pair & set(group))]
        return groups

    def require_restartable(self) -> None:
        """Refuse corpora that can be read only once."""
        for language, text in self.texts.items():
            require_restartable(text, f"{language!r} text")
        for pairs in self.parallel:
            pairs.require_restartable()


class _Chain:
    """Several restartable iterables, one after the other."""

    def __init__(self, parts: list[Iterable[list[str]]]) -> None:
        self._parts = parts

    def __iter__(self) -> Iterator[list[str]]:
        for part in self._parts:
            yield from part


def collect(
    sentences: Mapping[str, Corpus] | None,
    corpus_file: Mapping[str, str | os.PathLike[str]] | None,
    parallel: Any,
) -> Inputs:
    """Sort out what stands in a user's `sentences`, `corpus_file` and `parallel`."""
    texts: dict[str, Sentences] = {}
    for name, given in (("sentences", sentences), ("corpus_file", corpus_file)):
        if given is None:
            continue
        if not isinstance(given, Mapping):
            raise ConfigError(
                f"{name} must map languages to corpora, as in {{'en': ..., 'de': ...}}; "
                f"got {type(given).__name__}"
            )
        for code, corpus in given.items():
            if code in texts:
                raise ConfigError(f"{code!r} stands in both sentences and corpus_file")
            if name == "corpus_file" and not isinstance(corpus, str | os.PathLike):
                raise ConfigError(f"corpus_file[{code!r}] must be a path, got {corpus!r:.60}")
            texts[code] = as_sentences(corpus, f"{code!r} text")
    return Inputs(texts, _collect_parallel(parallel, list(texts)))


def _collect_parallel(parallel: Any, languages: list[str]) -> list[ParallelSentences]:
    if parallel is None:
        return []
    if isinstance(parallel, ParallelSentences):
        return [parallel]
    if isinstance(parallel, Mapping):
        return [_from_files_or_pairs(value, pair) for pair, value in parallel.items()]
    if isinstance(parallel, list | tuple) and parallel:
        ours = [isinstance(item, ParallelSentences) for item in parallel]
        if all(ours):
            return list(parallel)
        if any(ours):
            raise ConfigError("parallel mixes ParallelSentences with something else")
    if len(languages) != 2:
        raise ConfigError(
            "parallel text needs its languages: ParallelSentences(..., languages=('en', 'de')) or "
            "{('en', 'de'): ...}"
        )
    return [_from_files_or_pairs(parallel, languages)]


def _from_files_or_pairs(value: Any, languages: Any) -> ParallelSentences:
    if isinstance(value, ParallelSentences):
        if set(value.languages) != set(languages):
            raise ConfigError(f"{value!r} stands under the languages {languages!r}")
        return value
    if isinstance(languages, str) or not isinstance(languages, Iterable):
        raise ConfigError(f"a pair of languages is wanted as key, got {languages!r}")
    codes = list(languages)
    if (
        isinstance(value, tuple)
        and len(value) == 2
        and all(isinstance(side, str | os.PathLike) for side in value)
    ):
        return ParallelSentences(value[0], value[1], languages=codes)
    try:
        return ParallelSentences(value, languages=codes)
    except CorpusError as error:
        raise ConfigError(f"parallel: {error}") from error
