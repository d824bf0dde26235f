"""What is known of a language in general, to tell what is a term from what is just a word."""

from __future__ import annotations

import heapq
import logging
import math
import numbers
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.corpora import LineCorpus
from gensim_bilbowa.corpora.sentences import check_sentence
from gensim_bilbowa.errors import ConfigError, FormatError
from gensim_bilbowa.tokenization.codes import primary
from gensim_bilbowa.tokenization.tokenizer import Tokenizer, lower_case

__all__ = ["General", "GeneralLanguage", "bare"]

logger = logging.getLogger(__name__)

# Counts, or a text as tokens, or a file of either.
General: TypeAlias = str | os.PathLike[str] | Mapping[str, float] | Iterable[Sequence[str]]

# wordfreq's names of languages that go by other codes elsewhere.
_OTHERWISE = {"no": "nb", "nn": "nb", "bs": "sh", "hr": "sh", "sr": "sh", "tl": "fil"}
# Whose words it takes apart.
_TAKEN_APART = {"ko"}
_COUNT = re.compile(
    r"(?:\d+[\t ]+)?(?P<word>\S*[^\W\d]\S*?)[\t ,;]+(?P<count>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"
)
# Lines by which a file of counts is told from running text: more than half of them are counts. The
# first one may be a header.
_LOOKED_AT = 50
_MILLION = 1e6


class GeneralLanguage:
    """How often words stand in a language in general.

    Parameters
    ----------
    counts : mapping from str to float
        Of words in small letters, without the apostrophe of an elision, of any total.
    language : str
    normal : callable, optional
        From a word to how `counts` has it.
    """

    def __init__(
        self, counts: Mapping[str, float], language: str, normal: Callable[[str], str] = str
    ) -> None:
        self.language = language
        self._normal = normal
        try:
            total = math.fsum(counts.values())
        except OverflowError:  # of what no float holds
            total = math.inf
        if not counts or not total > 0 or min(counts.values()) < 0 or not math.isfinite(total):
            raise ConfigError(
                f"general {language!r} language: counts of words are wanted, positive and finite"
            )
        self._counts = counts
        self._factor = _MILLION / total

    @classmethod
    def known(cls, language: str) -> GeneralLanguage | None:
        """Return what the package wordfreq knows; None if it is not installed, or knows nothing."""
        try:
            import wordfreq
        except ImportError:
            logger.warning(
                "terms are told from words of any text by the %r text alone: for counts of the "
                "language, pip install 'gensim_bilbowa[terms]', or give your own (--general)",
                language,
            )  # fmt: skip
            return None
        code = primary(language)

        try:
            if code in _TAKEN_APART:
                raise LookupError(code)
            counts = wordfreq.get_frequency_dict(_OTHERWISE.get(code, code))
        except (LookupError, ValueError):  # a ValueError of what is no code of ISO 639
            logger.warning(
                "terms are told from words of any text by the %r text alone: wordfreq has no "
                "counts of the language's words; give your own (--general)", language,
            )  # fmt: skip
            return None
        return cls(counts, language, _spelling_of_wordfreq(code))

    @classmethod
    def of(cls, given: General, language: str) -> GeneralLanguage:
        """Count, or read counts.

        Parameters
        ----------
        given : path, mapping or iterable of token lists
            A file has a word and its count on each line, or else is running text.
        language : str

        Raises
        ------
        ConfigError
            If there is no word, or a count that is none.
        FormatError
            If a file has no word, or a line of one with counts has none.
        CorpusError, CorpusFileError
            If a file cannot be read, or a list of tokens is none.
        """
        code = primary(language)
        if isinstance(given, str | os.PathLike):
            return cls(_of_file(os.fspath(given), language), language)
        if isinstance(given, Mapping):
            counts = Counter[str]()
            for word, count in given.items():
                if not isinstance(word, str) or not isinstance(count, numbers.Real):
                    raise ConfigError(
                        f"general {language!r} language: counts by words are wanted, got "
                        f"{count!r:.60} of {word!r:.60}"
                    )
                try:
                    number = float(count)
                except OverflowError:  # of what no float holds
                    number = math.inf
                counts[bare(lower_case(word, code))] += number  # type: ignore[assignment]
            return cls(counts, language)
        if not isinstance(given, Iterable):
            raise ConfigError(
                f"general {language!r} language: a path, counts by words or lists of tokens are "
                f"wanted, got {type(given).__name__}"
            )
        where = f"general {language!r} language"
        sentences = (check_sentence(tokens, n, where) for n, tokens in enumerate(given, 1))
        words = chain.from_iterable(sentences)
        return cls(Counter(bare(lower_case(word, code)) for word in words), language)

    def per_million(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Return how often each word stands in a million.

        It is 0 of words that are not known; of one with hyphens, that of its rarest part.
        """
        return self._factor * np.array([self._count(word) for word in words], np.float64)

    def _count(self, word: str) -> float:
        found = self._counts.get(self._normal(bare(word)))
        if found is None and "-" in word.strip("-"):
            return min(self._counts.get(self._normal(part), 0.0) for part in word.split("-"))
        return found or 0.0

    def ranks(self, words: Sequence[str], most: int) -> NDArray[np.int64]:
        """Return each word's place, from 0, among the `most` most frequent; `most` of others."""
        # Some of the first are numbers and signs.
        by_count = heapq.nsmallest(
            2 * most, ((-count, word) for word, count in self._counts.items())
        )
        letters = [word for _, word in by_count if word[:1].isalpha()][:most]
        places = {word: place for place, word in enumerate(letters)}
        return np.array([places.get(self._normal(bare(word)), most) for word in words], np.int64)


def bare(word: str) -> str:
    """Return a word without the apostrophe of an elision."""
    return word.rstrip("'\u2019")


def _spelling_of_wordfreq(code: str) -> Callable[[str], str]:
    """Return what writes words in small letters as wordfreq has them: straße as strasse."""
    if code == "zh":
        try:
            from wordfreq.chinese import simplify_chinese
        except ImportError:  # it wants jieba
            return str
        return simplify_chinese
    from wordfreq.preprocess import preprocess_text

    taken_as: Any = code  # of the languages' type

    return lambda word: word if word.isascii() else preprocess_text(word, taken_as)


def _of_file(path: str, language: str) -> Mapping[str, float]:
    """Return the counts in a file, or those of its text."""
    code = primary(language)
    split = Tokenizer(language)
    lines = enumerate(LineCorpus(path, tokenizer=lambda line: [line.strip()]), 1)
    written = ((number, line) for number, (line,) in lines if line)
    first = [*islice(written, _LOOKED_AT)]
    rows = sum(_COUNT.fullmatch(line) is not None for _, line in first)
    of_counts = 2 * rows > len(first)
    counts: Counter[str] = Counter()
    for place, (number, line) in enumerate(chain(first, written)):
        row = _COUNT.fullmatch(line) if of_counts else None
        if row is not None:
            word = bare(lower_case(row["word"], code))
            counts[word] += float(row["count"])  # type: ignore[assignment]
        elif not of_counts:
            counts.update(map(bare, split(line)))
        elif place:  # no header
            raise FormatError(
                f"{path}, line {number}: a word and its count are wanted, as in the other lines, "
                f"got {line!r:.60}"
            )
    if not counts:
        raise FormatError(
            f"{path}: running text is wanted, or a word and its count in each line; there is no "
            "word"
        )
    return counts
