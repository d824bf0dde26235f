"""What ranks words of one language as translations of another's, and how often it is right."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.errors import ConfigError, UnknownWordError
from gensim_bilbowa.evaluation import Dictionary, TranslationScore, score_translations
from gensim_bilbowa.evaluation.case import Case
from gensim_bilbowa.evaluation.ranks import MRR_DEPTH, checked_places
from gensim_bilbowa.parameters import check_number
from gensim_bilbowa.vectors.retrieval import best_columns

__all__ = ["Ranker", "ranked_translation"]

# Scores that are computed at once.
_BLOCK = 1 << 24


class Ranker(ABC):
    """Ranks the words of one language as translations of words of another.

    A derived class says how: it has :meth:`scores`.

    Parameters
    ----------
    languages : (str, str)
        That of the words asked, and that of the answers.
    source, target : sequence of str
        The vocabularies of the two languages.

    Attributes
    ----------
    languages : (str, str)
    source, target : dict from str to int
        The words of each language with their indices.
    """

    def __init__(
        self, languages: tuple[str, str], source: Iterable[str], target: Iterable[str]
    ) -> None:
        self.languages = languages
        self.source: dict[str, int] = {word: index for index, word in enumerate(source)}
        self.target: dict[str, int] = {word: index for index, word in enumerate(target)}
        for language, words in zip(languages, (self.source, self.target), strict=True):
            if not words:
                raise ConfigError(f"no words of {language!r} to rank or to be asked")

    @abstractmethod
    def scores(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Score all words of the target language for some words of the source language.

        Parameters
        ----------
        words : sequence of str
            Words of `source`.

        Returns
        -------
        ndarray of float32, shape (len(words), len(target))
            Higher is better; minus infinity for what is no candidate at all.
        """

    def rank(
        self, words: str | Iterable[str], topn: int = 10
    ) -> dict[str, list[tuple[str, float]]]:
        """Rank the words of the target language for some words of the source language.

        Parameters
        ----------
        words : iterable of str, or str
            Words of `source`.
        topn : int
            How many to return for each, at least 1; there are fewer where there are not so many
            candidates.

        Returns
        -------
        dict from str to list of (str, float)
            For each word asked, target words with their scores, best first; ties go to the word
            that stands first in `target`.

        Raises
        ------
        UnknownWordError
            If a word is not one of `source`.
        """
        topn = min(int(check_number("topn", topn, whole=True, low=1)), len(self.target))
        asked = list(dict.fromkeys([words] if isinstance(words, str) else words))
        for word in asked:
            if word not in self.source:
                raise UnknownWordError(
                    f"{word!r} is not among the {len(self.source):,} words of "
                    f"{self.languages[0]!r} that can be asked"
                )
        names = list(self.target)
        found = {}
        step = max(1, _BLOCK // len(names))
        for start in range(0, len(asked), step):
            block = asked[start : start + step]
            columns, scores = best_columns(self.scores(block), topn)
            for word, row, values in zip(block, columns.tolist(), scores.tolist(), strict=True):
                found[word] = [
                    (names[column], value)
                    for column, value in zip(row, values, strict=True)
                    if value > -np.inf
                ]
        return found

    def __repr__(self) -> str:
        a, b = self.languages
        sizes = f"{a}: {len(self.source):,} words, {b}: {len(self.target):,} words"
        return f"{type(self).__name__}<{sizes}>"


def ranked_translation(
    ranker: Ranker,
    dictionary: Dictionary,
    *,
    precision_at: Iterable[int] = (1, 5),
    case: Case = "exact",
) -> TranslationScore:
    """Measure a ranker as :func:`~gensim_bilbowa.evaluation.word_translation` measures vectors.

    Parameters
    ----------
    ranker : Ranker
    dictionary, precision_at, case
        As for :func:`~gensim_bilbowa.evaluation.score_translations`. Words are asked that the
        ranker knows and that have a translation among the words which it ranks.

    Raises
    ------
    ConfigError
        If no word of the dictionary can be asked.
    """
    places = checked_places(precision_at)

    def ranked(words: list[str]) -> Iterable[list[str]]:
        answers = ranker.rank(words, max(MRR_DEPTH, *places))
        return ([target for target, _ in answers[word]] for word in words)

    return score_translations(
        ranked, dictionary, sources=ranker.source, targets=ranker.target, case=case,
        precision_at=places,
    )  # fmt: skip
