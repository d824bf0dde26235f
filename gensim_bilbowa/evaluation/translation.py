"""Word translation: how often the best answers to the words of a dictionary are right."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.evaluation.case import CASES, Case, forms, known_form
from gensim_bilbowa.evaluation.ranks import MRR_DEPTH, RankedScore, checked_places, first_right
from gensim_bilbowa.evidence import Cooccurrence, Evidence, Spelling, count_pairs
from gensim_bilbowa.formats.dictionaries import Dictionary, check_dictionary
from gensim_bilbowa.lexicons import LexiconMethod, best_targets
from gensim_bilbowa.parameters import check_choice
from gensim_bilbowa.vectors.keyed import CrossLingualKeyedVectors

__all__ = ["Answers", "TranslationScore", "score_translations", "word_translation"]

Answers: TypeAlias = Mapping[str, Sequence[str]] | Callable[[list[str]], Iterable[Sequence[str]]]


@dataclass(frozen=True, eq=False, repr=False)
class TranslationScore(RankedScore):
    """Result of :func:`word_translation` and :func:`score_translations`.

    Attributes
    ----------
    ranks : ndarray of float64, shape (words,)
        Place of the first right translation of each word asked, from 1; infinity where none was
        found.
    precision_at : tuple of int
        The k of P@k.
    unknown : int
        Source words of the dictionary that the system does not know. They are not asked.
    unanswerable : int
        Source words it knows, but none of whose translations. They are not asked either.
    """

    unknown: int
    unanswerable: int

    @property
    def words(self) -> int:
        """Words asked: those known that have a known translation."""
        return len(self.ranks)

    @property
    def coverage(self) -> float:
        """Words asked, as a share of the dictionary's source words.

        Times P@k this is the share of the whole dictionary that is translated right.
        """
        return self.words / (self.words + self.unknown + self.unanswerable)

    def _facts(self) -> dict[str, Any]:
        return super()._facts() | {"words": self.words, "coverage": self.coverage}


def score_translations(
    ranked: Answers,
    dictionary: Dictionary,
    *,
    sources: Container[str] | None = None,
    targets: Container[str] | None = None,
    case: Case = "exact",
    precision_at: Iterable[int] = (1, 5),
) -> TranslationScore:
    """Compare the ranked answers of any system with a dictionary.

    Parameters
    ----------
    ranked : mapping from str to sequence of str, or callable
        The answers to each word, best first. A callable gets the list of the words that are asked
        and returns the answers to each of them: as many as the largest of `precision_at`, and ten
        for the MRR.
    dictionary : mapping from str to str iterables
        Right translations; any one of them counts.
    sources : container of str, optional
        Words that the system knows. Default: the words of a mapping; for a callable, all words. A
        word that is known and has no answers counts as wrong.
    targets : container of str, optional
        Words that the system can answer with. A word none of whose translations is among them is
        not asked. Default: all words.
    case : {"exact", "lower", "fallback"}
        How the words of the dictionary are looked up: as they are written; lower-cased; or as they
        are written and, where that is unknown, lower-cased. Words that become the same are asked
        once, with the translations of all of them.
    precision_at : iterable of int
        The k of P@k.

    Raises
    ------
    ConfigError
        If no word of the dictionary can be asked, or a parameter cannot work.

    Examples
    --------
    >>> answers = {"dog": ["hund", "katze"], "cat": ["hund", "katze"], "sea": ["see"]}
    >>> score = score_translations(answers, {"dog": ["hund"], "cat": ["katze", "kater"]})
    >>> score.precision
    {1: 0.5, 5: 1.0}
    >>> score.mrr
    0.75
    """
    check_dictionary(dictionary)
    check_choice("case", case, CASES)
    if not callable(ranked):
        check_dictionary(ranked, "ranked: ")
        sources = ranked if sources is None else sources
    places = checked_places(precision_at)
    return _score(ranked, dictionary, sources, targets, case, places, ("sources", "targets"))


def word_translation(
    source: CrossLingualKeyedVectors,
    dictionary: Dictionary,
    *,
    lang: str | None = None,
    method: LexiconMethod = "csls",
    precision_at: Iterable[int] = (1, 5),
    k: int = 10,
    parallel: Any = None,
    case: Case = "exact",
) -> TranslationScore:
    """Translate each source word of a dictionary and compare.

    Candidates are all words of the other language, as in Conneau et al. (2018).

    Parameters
    ----------
    source : CrossLingualKeyedVectors
        For example ``model.wv_en``.
    dictionary : mapping from str to str iterables
        Right translations; any one of them counts.
    lang : str, optional
        The other language, where there are several.
    method : {"csls", "cosine", "inverted_softmax", "hybrid", "llr"}
        As for :func:`~gensim_bilbowa.lexicons.extract_lexicon`.
    precision_at : iterable of int
        The k of P@k.
    k : int
        Neighbourhood of CSLS.
    parallel : ParallelSentences, list of them, dict or Cooccurrence, optional
        Text that "hybrid" and "llr" count in, or what was counted there for this direction: see
        :func:`~gensim_bilbowa.lexicons.count_pairs`, for many calls with the same text. Without,
        "hybrid" takes what a model knows of the text that it was trained on.
    case : {"exact", "lower", "fallback"}
        As for :func:`score_translations`: "lower" for vectors of lower-cased text.

    Raises
    ------
    ConfigError
        If no word of the dictionary can be asked, or a parameter cannot work.
    """
    check_dictionary(dictionary)
    check_choice("case", case, CASES)
    target = source.other_language(lang)
    places = checked_places(precision_at)
    counts = parallel
    if parallel is not None and not isinstance(parallel, Cooccurrence):
        counts = count_pairs(parallel, source, target)
    evidence = None
    if method == "hybrid" and counts is None:
        evidence = source.evidence(lang)
    elif method == "hybrid":
        alike = Spelling.compare(source.index_to_key, target.index_to_key)
        evidence = Evidence.of(counts.aligned, alike)

    def ranked(words: list[str]) -> Iterable[list[str]]:
        indices, _ = best_targets(
            source, target, np.array([source.key_to_index[word] for word in words]),
            np.arange(len(target)), max(MRR_DEPTH, *places), method=method, k=k,
            evidence=evidence, counts=counts,
        )  # fmt: skip
        return ([target.index_to_key[index] for index in row] for row in indices.tolist())

    return _score(
        ranked, dictionary, source.key_to_index, target.key_to_index, case, places,
        (repr(source.language), repr(target.language)),
    )  # fmt: skip


def _score(
    ranked: Answers, dictionary: Dictionary, sources: Container[str] | None,
    targets: Container[str] | None, case: Case, places: tuple[int, ...], names: tuple[str, str],
) -> TranslationScore:  # fmt: skip
    right: dict[str, set[str]] = {}
    unknown = set()
    for written, translations in dictionary.items():
        asked = forms(written, case)[0] if sources is None else known_form(written, sources, case)
        if asked is None:
            unknown.add(forms(written, case)[-1])
            continue
        wanted = right.setdefault(asked, set())
        for translation in translations:
            if targets is None:
                wanted.update(forms(translation, case))
            elif (form := known_form(translation, targets, case)) is not None:
                wanted.add(form)
    words = [word for word, wanted in right.items() if wanted]
    if not words:
        raise ConfigError(
            f"none of the dictionary's {len(dictionary)} words can be asked: {len(unknown)} are "
            f"not in {names[0]} and {len(right)} have no translation in {names[1]}; is the "
            "dictionary the other way round, or in another case?"
        )
    answers = ranked(words) if callable(ranked) else [ranked.get(word, ()) for word in words]
    return TranslationScore(
        first_right(answers, map(right.__getitem__, words)), places,
        unknown=len(unknown), unanswerable=len(right) - len(words),
    )  # fmt: skip
