"""What trained vectors are asked: translations, sentences, topics, similarities, missing words."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from texts import SIMILARITIES, Dictionary, Pairs, Sentences, similarities, topics

from gensim_bilbowa import CrossLingualVectorizer, TranslatingVectorizer
from gensim_bilbowa.evaluation import word_similarity, word_translation
from gensim_bilbowa.evidence import Cooccurrence, Evidence, Spelling, count_pairs, mutual_best
from gensim_bilbowa.lexicons import LexiconMethod
from gensim_bilbowa.vectors.space import refine_by

Codes = tuple[str, str]

# Each with its method. The lexicon is that of extract_lexicon: by vectors that are refined where
# that is better, counts and spelling.
SYSTEMS: dict[str, LexiconMethod] = {
    "llr": "llr", "csls": "csls", "hybrid": "hybrid", "refined": "csls", "lexicon": "hybrid",
}  # fmt: skip
_REFINED = {"refined", "lexicon"}
# The log-likelihood ratio of words that take the place of a dictionary.
_SURE = 30
# Of the cloze: words on each side; wrong words beside the right one; the most frequent words, which
# are signs and function words for the most part, and not asked for.
_WINDOW = 5
_WRONG = 9
_FREQUENT = 50


class Translations:
    """Word translation of two languages, by vectors and by what is counted in parallel text.

    It is counted once for all seeds: they have the same vocabularies.

    Parameters
    ----------
    parallel : list of pairs, or paths
    codes : (str, str)
    workers : int
        Threads that read.
    """

    def __init__(self, parallel: Any, codes: Codes, workers: int = 1) -> None:
        self._parallel = parallel
        self._codes = codes
        self._workers = workers
        self._vocabularies: list[list[str]] = []
        self._counts: dict[str, Cooccurrence] = {}

    def counts(self, wv: Any) -> dict[str, Cooccurrence]:
        """Of each direction, by the language that is asked."""
        vocabularies = [wv[code].index_to_key for code in self._codes]
        if vocabularies != self._vocabularies:
            sides = (wv[code] for code in self._codes)
            there = count_pairs({self._codes: self._parallel}, *sides, workers=self._workers)
            self._counts = dict(zip(self._codes, (there, there.turned()), strict=True))
            self._vocabularies = [list(words) for words in vocabularies]
        return self._counts

    def sure(self, wv: Any) -> Dictionary:
        """Words that are each other's best by the counts, where there is no dictionary."""
        ours, theirs = (wv[code].index_to_key for code in self._codes)
        found = mutual_best(self.counts(wv)[self._codes[0]], least=_SURE)
        return {ours[a]: {theirs[b]} for a, b in zip(*found, strict=True)}

    def scores(
        self, wv: Any, asked: Iterable[tuple[str, str, Mapping[str, Any]]], systems: Iterable[str]
    ) -> dict[str, dict[str, float]]:
        """Return P@1 and P@5 in percent, of each system.

        Parameters
        ----------
        asked : iterable of (str, str, dictionary)
            A name, the language asked, and the right translations. What none of whose words is
            known is left out.
        systems : iterable of str
            Of `SYSTEMS`.
        """
        asked, systems = list(asked), list(systems)
        counts = {} if {*systems} == {"csls"} else self.counts(wv)
        refined = wv
        if not _REFINED.isdisjoint(systems):
            alike = Spelling.compare(*(wv[code].index_to_key for code in self._codes))
            evidence = Evidence.of(counts[self._codes[0]].aligned, alike)
            refined = refine_by(wv, {self._codes: evidence})
        rows: dict[str, dict[str, float]] = {}
        for system in systems:
            rows[system] = {}
            for name, code, gold in asked:
                if not any(word in wv[code] for word in gold):
                    continue
                other = self._codes[self._codes[0] == code]
                score = word_translation(
                    (refined if system in _REFINED else wv)[code], gold, lang=other,
                    method=SYSTEMS[system], parallel=counts.get(code),
                )  # fmt: skip
                for k, precision in score.precision.items():
                    rows[system][f"{name} @{k}"] = 100 * precision
        return rows


def retrieval(
    wv: Any, codes: Codes, sentences: tuple[Sentences, Sentences], *, words: bool = False
) -> list[float]:
    """P@1 in percent of the translations of sentences among all of them, both ways.

    By the search that users call, by vectors alone or with the words' help. One that is equal
    to the translation is right, too.
    """
    found = []
    how = {} if words else {"lexical": 0}
    for source, target, asked, among in (
        (*codes, *sentences), (*codes[::-1], *sentences[::-1]),
    ):  # fmt: skip
        answers = wv[source].most_similar_sentences_batch(asked, among, 1, target, **how)
        right = [among[answer[0][0]] == text for answer, text in zip(answers, among, strict=True)]
        found.append(100 * statistics.mean(right))
    return found


def topic_accuracy(
    model: Any, data: Path, codes: Codes, parallel: Mapping[Codes, Pairs] | None
) -> tuple[dict[str, float], dict[str, float]]:
    """Accuracy in percent of a classifier of SIB-200's topics, learned from each language.

    Across languages and within this one, by the documents' vectors (tx, tw) and, given the parallel
    text, by the words that the documents are translated into (tt, ttw).
    """
    makers: dict[tuple[str, str], Callable[[str], Any]] = {
        ("tx", "tw"): lambda code: CrossLingualVectorizer(code, model)
    }
    if parallel is not None:
        makers["tt", "ttw"] = lambda code: TranslatingVectorizer(code, model, parallel=parallel)
    found: tuple[dict[str, float], dict[str, float]] = ({}, {})
    for row, (source, target) in zip(found, (codes, codes[::-1]), strict=True):
        train, own, other = (
            tuple(zip(*topics(data, code)[part].values(), strict=True))
            for code, part in ((source, "train"), (source, "test"), (target, "test"))
        )
        for names, make in makers.items():
            first = make(source)
            classifier = make_pipeline(first, LogisticRegression(C=10, max_iter=1000)).fit(*train)
            across = make_pipeline(first.in_language(target), *classifier[1:])
            row[names[0]] = 100 * across.score(*other)
            row[names[1]] = 100 * classifier.score(*own)
    return found


def similarity(wv: Any, data: Path) -> dict[str, float]:
    """Spearman's correlation in percent, of each list, and the mean."""
    row = {}
    for code, lists in SIMILARITIES.items():
        for name, file in lists.items():
            judged = similarities(data, code, file)
            score = word_similarity(wv[code], None, judged, case="lower")
            row[f"{code} {name}"] = 100 * score.spearman
    return {"ws": statistics.mean(row.values()), **row}


def cloze(wv: Any, outputs: np.ndarray, sentences: Sequence[Sequence[str]]) -> float:
    """Percent of words, taken out of sentences, that are chosen from among ten by their contexts.

    All known words but the most frequent ones are asked for, and the wrong words drawn from among
    them, the same for all models of one vocabulary. Chosen is the word whose output vector has the
    highest product with the mean of the vectors of the known words at most five away, which is how
    the model itself tells words.
    """
    rng = np.random.default_rng(1)
    right = []
    for sentence in sentences:
        ids = [wv.key_to_index[word] for word in sentence if word in wv.key_to_index]
        for place, word in enumerate(ids):
            around = ids[max(0, place - _WINDOW) : place] + ids[place + 1 : place + 1 + _WINDOW]
            if word < _FREQUENT or not around:
                continue
            wrong = rng.integers(_FREQUENT, len(outputs), _WRONG)
            scores = outputs[[word, *wrong]] @ wv.vectors[around].mean(axis=0)
            # One that is drawn by chance is no wrong answer.
            right.append(scores[0] > scores[1:][wrong != word].max(initial=-np.inf))
    return 100 * float(np.mean(right))
