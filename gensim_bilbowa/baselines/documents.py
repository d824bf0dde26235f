"""Documents in words of another language: the baselines for classification across languages."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from gensim_bilbowa.baselines.ibm1 import IBM1
from gensim_bilbowa.baselines.ranking import Ranker
from gensim_bilbowa.corpora import Corpus
from gensim_bilbowa.corpora.sentences import Checked, as_sentences
from gensim_bilbowa.errors import ConfigError, CorpusError
from gensim_bilbowa.extras import needing
from gensim_bilbowa.parameters import check_number

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

__all__ = ["WordByWord", "bag_of_words", "best_translations", "glossed"]

logger = logging.getLogger(__name__)

Documents = Iterable[Sequence[str]]

# What the bigrams' shares weigh, against those of single words.
_BIGRAMS = 0.7


def best_translations(ranker: Ranker) -> dict[str, str]:
    """Return the best translation of each word that a ranker knows and has a candidate for.

    Examples
    --------
    >>> from gensim_bilbowa.baselines import EditDistance
    >>> best_translations(EditDistance(["night"], ["licht", "tag"], languages=("en", "de")))
    {'night': 'licht'}
    """
    ranked = ranker.rank(ranker.source, topn=1)
    return {word: answers[0][0] for word, answers in ranked.items() if answers}


def glossed(documents: Documents, translations: Mapping[str, str]) -> list[list[str]]:
    """Replace each word of documents by its translation; words without one stay as they are.

    With the words that each word is most often aligned to this is the "glossed" baseline of
    Klementiev et al. (2012) and of the BilBOWA paper.

    Parameters
    ----------
    documents : iterable of token lists
    translations : mapping from str to str
        Such as ``best_translations(IBM1(parallel, source="de"))``, or of a lexicon
        ``{entry.source: entry.target for entry in lexicon if entry.rank == 1}``.

    Returns
    -------
    list of list of str

    Raises
    ------
    CorpusError
        If a document is no list of tokens.

    Examples
    --------
    >>> glossed([["das", "haus", "2024"]], {"das": "the", "haus": "house"})
    [['the', 'house', '2024']]
    """
    return [
        [translations.get(word, word) for word in document]
        for document in _checked(documents, translations)
    ]


class WordByWord:
    """Machine translation, word by word: the likeliest row of the words' translations.

    The paper's "MT" baseline is a phrase-based system; this stands in its place where there is
    none. Word i of a document becomes the word e_i, in the same order, such that the sum of
    ``log t(e_i | f_i) + lm_weight log p(e_i | e_i-1)`` is largest (Viterbi search), with t of IBM
    model 1 and p of a bigram model, ``0.7 c(d, e) / c(d) + 0.3 (c(e) + 1) / (N + V)``. Words are
    neither moved, left out nor put in.

    Parameters
    ----------
    model : IBM1
        From the documents' language.
    sentences : corpus
        Text of the language that is translated to, for the bigrams; ``parallel.side("en")`` for
        instance.
    candidates : int
        Translations of each word that are tried.
    lm_weight : float
        Weight of the bigram model; 0 takes the likeliest translation of each word.

    Raises
    ------
    ConfigError
        If a parameter is out of range, or `model` is something else.
    CorpusError
        If there is no word in `sentences`.

    Examples
    --------
    >>> from gensim_bilbowa import ParallelSentences
    >>> from gensim_bilbowa.baselines import IBM1
    >>> pairs = [("the house", "das haus"), ("the book", "das buch"), ("a book", "ein buch")]
    >>> parallel = ParallelSentences(
    ...     [(a.split(), b.split()) for a, b in pairs], languages=("en", "de"))
    >>> model = IBM1(parallel, source="de", min_count=1)
    >>> WordByWord(model, parallel.side("en")).translate([["ein", "haus"]])
    [['a', 'house']]
    """

    def __init__(
        self, model: IBM1, sentences: Corpus, *, candidates: int = 5, lm_weight: float = 0.2
    ) -> None:
        if not isinstance(model, IBM1):
            raise ConfigError(f"model must be an IBM1, got {type(model).__name__}")
        topn = int(check_number("candidates", candidates, whole=True, low=1))
        self._lm_weight = check_number("lm_weight", lm_weight, whole=False)
        self._candidates = {
            word: [(target, float(np.log(chance))) for target, chance in answers]
            for word, answers in model.rank(model.source, topn).items()
            if answers
        }
        self._words: Counter[str] = Counter()
        self._followed: Counter[str] = Counter()
        self._pairs: Counter[tuple[str, str]] = Counter()
        where = f"{model.languages[1]!r} text"
        for sentence in Checked(as_sentences(sentences, where), where):
            self._words.update(sentence)
            self._followed.update(sentence[:-1])
            self._pairs.update(pairwise(sentence))
        if not self._words:
            raise CorpusError(f"{where}: there is no word in it")
        self._total = self._words.total() + len(self._words)

    def translate(self, documents: Documents) -> list[list[str]]:
        """Translate documents; words that the model does not know stay as they are.

        Parameters
        ----------
        documents : iterable of token lists

        Returns
        -------
        list of list of str

        Raises
        ------
        CorpusError
            If a document is no list of tokens.
        """
        return [self._best(document) for document in _checked(documents, self._candidates)]

    def _best(self, document: Sequence[str]) -> list[str]:
        # For each candidate of the word at hand: the score of the best row that ends in it.
        ends: dict[str, float] = {}
        origins: list[dict[str, str]] = []
        for word in document:
            candidates = self._candidates.get(word) or [(word, 0.0)]
            scores, came = {}, {}
            for target, chance in candidates:
                if ends:
                    before, score = max(
                        ((d, s + self._lm_weight * self._log_bigram(d, target))
                         for d, s in ends.items()),
                        key=lambda end: end[1],
                    )  # fmt: skip
                    came[target] = before
                else:
                    score = self._lm_weight * float(np.log(self._share(target)))
                scores[target] = score + chance
            ends = scores
            origins.append(came)
        row = [max(ends, key=ends.__getitem__)] if ends else []
        for came in reversed(origins[1:]):
            row.append(came[row[-1]])
        return row[::-1]

    def _share(self, word: str) -> float:
        return (self._words[word] + 1) / self._total

    def _log_bigram(self, before: str, word: str) -> float:
        share = self._pairs[before, word] / max(self._followed[before], 1)
        return float(np.log(_BIGRAMS * share + (1 - _BIGRAMS) * self._share(word)))


def bag_of_words() -> Pipeline:
    """Return scikit-learn's logistic regression on tf-idf weights of documents' words.

    Documents are token lists. Trained on documents of one language it classifies those that
    :func:`glossed` or :class:`WordByWord` have brought into its words.

    Returns
    -------
    sklearn.pipeline.Pipeline

    Raises
    ------
    ImportError
        If scikit-learn is not there.

    Examples
    --------
    >>> classifier = bag_of_words().fit([["a", "dog"], ["the", "sea"]] * 5, ["pet", "water"] * 5)
    >>> classifier.predict([["my", "dog"]]).tolist()
    ['pet']
    """
    with needing("baselines", "bag_of_words needs scikit-learn"):
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
    return make_pipeline(
        TfidfVectorizer(analyzer=list, sublinear_tf=True), LogisticRegression(C=10, max_iter=1000)
    )


def _checked(documents: Documents, known: Mapping[str, object]) -> list[list[str]]:
    """Return documents, checked; the log says how many words are not known."""
    checked = [list(document) for document in Checked(documents, "documents")]  # type: ignore[arg-type]
    words = [word for document in checked for word in document]
    missing = sum(word not in known for word in words)
    logger.info("%i of %i words have no translation and stay as they are", missing, len(words))
    return checked
