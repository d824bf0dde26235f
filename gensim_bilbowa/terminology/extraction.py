"""From translated text to a list of its terms."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.corpora import ParallelSentences
from gensim_bilbowa.errors import ConfigError, ParallelDataError
from gensim_bilbowa.evidence import align
from gensim_bilbowa.parameters import MOST_WORKERS, check_languages, check_number, two_languages
from gensim_bilbowa.running.stages import Report, stage
from gensim_bilbowa.terminology.general import General, GeneralLanguage
from gensim_bilbowa.terminology.glossary import Glossary
from gensim_bilbowa.terminology.glossary_report import report_of
from gensim_bilbowa.terminology.inflection import word_classes
from gensim_bilbowa.terminology.known import KnownTerms
from gensim_bilbowa.terminology.links import find_links
from gensim_bilbowa.terminology.listing import Listing
from gensim_bilbowa.terminology.scoring import score_pairs
from gensim_bilbowa.terminology.side import Groups, TermSide
from gensim_bilbowa.terminology.termlist import TermList
from gensim_bilbowa.terminology.text import TermText
from gensim_bilbowa.terminology.vectors import given_vectors, trained_vectors
from gensim_bilbowa.tokenization.tokenizer import Tokenizer

__all__ = ["terms"]


def terms(
    source: Any,
    languages: Sequence[str] | None = None,
    *,
    model: Any = None,
    general: Mapping[str, General] | None = None,
    glossary: Glossary | str | os.PathLike[str] | None = None,
    all: bool = False,
    group: bool = True,
    inconsistent: bool = False,
    topn: int = 3,
    min_count: int = 2,
    min_score: float | None = None,
    examples: int = 2,
    workers: int | None = None,
    progress: bool = False,
    **reading: Any,
) -> TermList:
    """Find the terms of a translated text, of one word or several, and what translates them.

    Parameters
    ----------
    source : path, list of paths, ParallelSentences or list of them
        Translation files, tables, folders, patterns or archives of such, as for
        :class:`~gensim_bilbowa.ParallelSentences`.
    languages : (str, str), optional
        Codes of source and target; needed for paths. Default: those of the first text.
    model : BilBOWA, CrossLingualVectors or path, optional
        Vectors that were trained before. A path where nothing is yet is where to save the model
        that is trained. Default: vectors are trained on the text, with parameters for its size.
    general : dict from language to path, mapping or iterable, optional
        How often words stand in a language in general, to tell terms from words of any text: a file
        with a word and its count in each line or with running text, counts by words, or lists of
        tokens. Default: what the package wordfreq knows (``gensim_bilbowa[terms]``); of a language
        without any, words of the grammar are told by the text itself.
    glossary : Glossary or path, optional
        Known terms: what is among them is marked, and the list's `report` says what of them the
        text has, what it contradicts, and how many of them were found.
    all : bool
        Also list words of any text, parts of phrases, terms whose translation is not sure, and
        translations that are rare or go on from others.
    group : bool
        List inflected forms together, under the most frequent one.
    inconsistent : bool
        List terms first that are translated in more than one way.
    topn : int
        Most translations of a term. Unless `all` are asked for, those after the first have a share
        of an eighth at least, stand for it twice, translate no two other terms more often, are
        nouns if the first is. And none is another one that is half as frequent with more added.
    min_count : int
        Times that a term must stand in the text, on both sides.
    min_score : float, optional
        Leave out translations that score less.
    examples : int
        Units of the text to show with each translation.
    workers : int, optional
        Threads. Default: as many as there are processors.
    progress : bool
        Show bars on standard error for what takes more than a moment.
    **reading
        How paths are read: `columns`, `skip_bad`, `errors` and `tokenizer` of
        :class:`~gensim_bilbowa.ParallelSentences`; but the text of tables, too, is split by a
        :class:`~gensim_bilbowa.Tokenizer`.

    Returns
    -------
    TermList
        By termhood (:func:`~gensim_bilbowa.terminology.termhood.termhood`), times how far a term
        is a noun, and one term.

    Raises
    ------
    ConfigError
        If a parameter cannot be.
    CorpusError
        If a text cannot be read.
    ParallelDataError
        If there is no text, or too little of one side to train vectors.

    Examples
    --------
    >>> from gensim_bilbowa import ParallelSentences
    >>> lines = [("operating system", "Betriebssystem"), ("the system", "das System"),
    ...          ("install the operating system", "das Betriebssystem installieren"),
    ...          ("a new system", "ein neues System"), ("the program", "das Programm"),
    ...          ("install a new program", "ein neues Programm installieren")] * 5
    >>> pairs = [(source.split(), target.split()) for source, target in lines]
    >>> found = terms(ParallelSentences(pairs, languages=("en", "de")), all=True)
    >>> {term.text: term.translations[0].text for term in found}["operating system"]
    'Betriebssystem'
    """
    topn = int(check_number("topn", topn, whole=True, low=1))
    min_count = int(check_number("min_count", min_count, whole=True, low=1))
    examples = int(check_number("examples", examples, whole=True))
    if min_score is not None:
        check_number("min_score", min_score, whole=False, low=-np.inf)
    workers = min(os.cpu_count() or 1, MOST_WORKERS) if workers is None else workers
    workers = int(check_number("workers", workers, whole=True, low=1, high=MOST_WORKERS))
    asked = None if languages is None else two_languages(languages)
    texts = _texts(source, asked, reading)
    codes = asked or texts[0].languages
    vectors = given_vectors(model, codes)
    known = _general({} if general is None else general, codes)
    if isinstance(glossary, str | os.PathLike):
        glossary = Glossary.read(glossary, codes)
    elif glossary is not None and not isinstance(glossary, Glossary):
        raise ConfigError(f"glossary must be a Glossary or a path, not {type(glossary).__name__}")
    text = TermText.read(texts, codes)
    if not len(text):
        raise ParallelDataError(f"{texts[0].where}: there is no pair")
    if vectors is None:
        place = None if model is None else Path(model)
        vectors = trained_vectors(text, texts, place, workers=workers, progress=progress)
    one, other = (
        TermSide.of(code, side, known[code], min_count)
        for code, side in zip(codes, text.sides, strict=True)
    )
    sides = one, other
    with stage("alignment", shown=progress) as report:
        aligned = align(
            [(one.text.lower_corpus, other.text.lower_corpus)], one.text.lower_words,
            other.text.lower_words, workers=workers, report=report,
        )  # fmt: skip
    with stage("terms", shown=progress) as report:
        links = find_links(
            (one.ids, other.ids), (one.text.offsets, other.text.offsets),
            (one.candidates, other.candidates), (one.kinds.outer, other.kinds.outer), aligned,
            workers=workers, report=report,
        )  # fmt: skip
    groups = _groups(sides, (aligned, aligned.T.tocsr()), group)
    with stage("scores", shown=progress) as report:
        pairs = score_pairs(sides, groups, links, vectors, report)
    found = Listing(text, sides, groups, links, pairs).terms(
        topn=topn, min_score=min_score, examples=examples, everything=all,
        inconsistent=inconsistent,
    )  # fmt: skip
    if glossary is None:
        return found
    with stage("glossary", shown=progress, total=len(text), unit=" units") as report:
        known_terms = KnownTerms(glossary, codes)
        segments = _reported(text, report)
        return replace(known_terms.mark(found), report=report_of(found, known_terms, segments))


def _texts(
    source: Any, languages: tuple[str, str] | None, reading: Mapping[str, Any]
) -> list[ParallelSentences]:
    """Return what is to be read."""
    if languages is not None:
        check_languages(languages)
    given = source if isinstance(source, list | tuple) else [source]
    texts = [text for text in given if isinstance(text, ParallelSentences)]
    if texts and len(texts) == len(given):
        if reading:
            raise ConfigError(f"{sorted(reading)} are of paths; the texts given are read already")
        return texts
    if texts:
        raise ConfigError("paths or ParallelSentences are wanted, not some of each")
    if languages is None:
        raise ConfigError("languages: the codes of source and target are wanted, as ('en', 'de')")
    running = {code: Tokenizer(code, markup=True) for code in languages}
    return [ParallelSentences(source, languages=languages, **{"tokenizer": running, **reading})]


def _general(
    given: Mapping[str, General], codes: tuple[str, str]
) -> dict[str, GeneralLanguage | None]:
    """Return what is known of the two languages."""
    if not isinstance(given, Mapping):
        raise ConfigError(
            "general: what there is of each language is wanted, as {'en': 'counts.txt'}, got "
            f"{given!r:.60}"
        )
    if strange := sorted(set(given) - set(codes)):
        raise ConfigError(f"general: {strange} are none of the languages {list(codes)}")
    return {
        code: GeneralLanguage.of(given[code], code)
        if code in given
        else GeneralLanguage.known(code)
        for code in codes
    }


def _reported(text: TermText, report: Report) -> Iterator[tuple[str, str]]:
    """Yield the texts of all units, and say how many."""
    for number, unit in enumerate(text.units, start=1):
        yield unit.source, unit.target
        report(number)


def _groups(
    sides: tuple[TermSide, TermSide], aligned: tuple[Any, Any], group: bool
) -> tuple[Groups, Groups]:
    """Put the forms of terms together, or leave each alone."""
    one, other = sides
    found = tuple(np.arange(len(side.counts), dtype=np.int32) for side in sides)
    if group:
        first = _classes(one, other, aligned[0]), _classes(other, one, aligned[1])
        found = (
            _classes(one, other, aligned[0], first[1]),
            _classes(other, one, aligned[1], first[0]),
        )
    ours, theirs = (
        Groups.of_classes(side.candidates, classes, side.letters)
        for side, classes in zip(sides, found, strict=True)
    )
    return ours, theirs


def _classes(
    side: TermSide, other: TermSide, aligned: Any, other_classes: NDArray[np.int32] | None = None
) -> NDArray[np.int32]:
    asked = np.zeros(len(side.counts), bool)
    asked[side.candidates.words] = True
    return word_classes(
        side.text.lower_words, side.counts, side.capitals, aligned, other.text.lower_words,
        side.language, asked & side.kinds.outer, other_classes,
    )  # fmt: skip
