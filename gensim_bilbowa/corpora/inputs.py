"""What a user passes as corpora, sorted into texts by language and parallel texts."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from gensim_bilbowa.corpora.compiled_reading import TextFile, count_words, is_plain
from gensim_bilbowa.corpora.kinds import text_of
from gensim_bilbowa.corpora.parallel import ParallelSentences
from gensim_bilbowa.corpora.sentences import (
    Checked,
    Corpus,
    Sentences,
    as_sentences,
    require_restartable,
    way_of,
)
from gensim_bilbowa.errors import ConfigError, CorpusError

__all__ = ["Files", "Inputs", "Parallel", "Texts", "collect", "collect_parallel"]

# What users give.
Texts = Mapping[str, Corpus]
Files = Mapping[str, "str | os.PathLike[str]"]
Parallel = (
    ParallelSentences | Iterable[ParallelSentences] | Mapping[tuple[str, str], Any] | Iterable[Any]
)

Sink = TypeVar("Sink", bound="SentenceSink")


class SentenceSink(Protocol):
    """What takes sentences, one at a time."""

    def add(self, sentence: list[str]) -> None:
        """Take a sentence."""


class WordSink(SentenceSink, Protocol):
    """What also takes sentences that were counted together."""

    def progress(self, sentences: int, words: int) -> None:
        """Take note that so many more were read."""

    def add_counts(self, counts: Mapping[str, int]) -> None:
        """Take the counts of their words."""


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

    def without(self, frozen: Container[str]) -> Inputs:
        """Leave out the text that only frozen languages would learn from."""
        return Inputs(
            {code: text for code, text in self.texts.items() if code not in frozen},
            [pairs for pairs in self.parallel if any(c not in frozen for c in pairs.languages)],
        )

    def text(self, language: str) -> Sentences:
        """Return a language's own text, checked sentence by sentence as it is read."""
        return Checked(self.texts[language], f"{language!r} text")

    def files(self, language: str) -> list[TextFile] | None:
        """Return the file of a language's own text, or None if it is no file."""
        text = self.texts[language]
        return [TextFile(text)] if is_plain(text) else None

    def read(self, sinks: Mapping[str, SentenceSink]) -> None:
        """Read the text of some languages once, each sentence into its language's sink.

        A language without text of its own has its sides of the parallel text.
        """
        for language, sink in sinks.items():
            if language in self.texts:
                _read_text(self.text(language), sink)
        for pairs, a, b in self._parallel_for(sinks):
            _read_pairs(pairs, a, b)

    def count(self, sinks: Mapping[str, WordSink], workers: int) -> None:
        """Do as :meth:`read`, but count files in compiled code, in `workers` threads."""
        for language, sink in sinks.items():
            if language not in self.texts:
                continue
            if (files := self.files(language)) is not None:
                _count(files, [sink], workers)
            else:
                _read_text(self.text(language), sink)
        for pairs, a, b in self._parallel_for(sinks):
            if pairs.files is not None:
                pairs.check_lengths(*_count(pairs.files, [a, b], workers))
            else:
                _read_pairs(pairs, a, b)

    def _parallel_for(
        self, sinks: Mapping[str, Sink]
    ) -> Iterator[tuple[ParallelSentences, Sink | None, Sink | None]]:
        """Yield the parallel texts that some sinks learn from, with the sinks of their sides."""
        sides = {code: sink for code, sink in sinks.items() if code not in self.texts}
        for pairs in self.parallel:
            a, b = (sides.get(code) for code in pairs.languages)
            if a is not None or b is not None:
                yield pairs, a, b

    def ways(self) -> Iterator[tuple[str, str, Any]]:
        """Yield the language of each text, its name and what splits it, see `way_of`."""
        for code, text in self.texts.items():
            yield code, "its own text", way_of(text)
        for pairs in self.parallel:
            for part in pairs.parts:
                for code, way in zip(part.languages, part.ways, strict=True):
                    yield code, repr(part), way

    def spaces(self, linked: bool = True) -> list[list[str]]:
        """Group the languages that parallel text links, directly or through others."""
        groups = [[code] for code in self.languages]
        for pair in (set(pairs.languages) for pairs in self.parallel if linked):
            joined = [code for group in groups if pair & set(group) for code in group]
            groups = [joined, *(group for group in groups if not pair & set(group))]
        return groups

    def require_text(self) -> None:
        """Refuse to do without any."""
        if not self.languages:
            raise ConfigError("text is needed: corpus_iterable, corpus_file or parallel")

    def require_restartable(self) -> None:
        """Refuse corpora that can be read only once."""
        for language, text in self.texts.items():
            require_restartable(text, f"{language!r} text")
        for pairs in self.parallel:
            pairs.require_restartable()


def _read_text(sentences: Sentences, sink: SentenceSink) -> None:
    for sentence in sentences:
        sink.add(sentence)


def _read_pairs(pairs: ParallelSentences, a: SentenceSink | None, b: SentenceSink | None) -> None:
    for source, target in pairs:
        if a is not None:
            a.add(source)
        if b is not None:
            b.add(target)


def _count(
    files: Sequence[TextFile], sinks: Sequence[WordSink | None], workers: int
) -> tuple[int, ...]:
    """Count the words of files, those of side i into sink i; return the sentences of each side."""
    sentences = [0] * len(sinks)

    def on_block(side: int, lines: int, words: int) -> None:
        sentences[side] += lines
        if (sink := sinks[side]) is not None:
            sink.progress(lines, words)

    for sink, counts in zip(sinks, count_words(files, workers, on_block), strict=True):
        if sink is not None:
            sink.add_counts(counts)
    return tuple(sentences)


def collect(
    sentences: Texts | None, corpus_file: Files | None, parallel: Parallel | None
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
            texts[code] = (
                text_of(corpus, code)
                if isinstance(corpus, str | os.PathLike)
                else as_sentences(corpus, f"{code!r} text")
            )
    return Inputs(texts, collect_parallel(parallel, list(texts)))


def collect_parallel(parallel: Any, languages: list[str]) -> list[ParallelSentences]:
    """Sort out a user's `parallel`; `languages` are those of text that names none, if two."""
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
        isinstance(value, tuple | list)
        and len(value) == 2
        and all(isinstance(side, str | os.PathLike) for side in value)
    ):
        return ParallelSentences(value[0], value[1], languages=codes)
    try:
        return ParallelSentences(value, languages=codes)
    except CorpusError as error:
        raise ConfigError(f"parallel: {error}") from error
