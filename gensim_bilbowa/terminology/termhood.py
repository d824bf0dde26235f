"""How much a term belongs to its text, and not just to its language."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.terminology.cohesion import attraction
from gensim_bilbowa.terminology.inflection import CAPITAL_NOUNS
from gensim_bilbowa.terminology.side import Groups, TermSide
from gensim_bilbowa.tokenization.codes import primary

__all__ = ["nominality", "termhood", "unithood"]

_MILLION = 1e6
# Added to what is counted in a million words, here and in general, so that rare words do not come
# before those that the text is about ("simple maths", Kilgarriff 2009).
_SMOOTHING = 1.0
# Of how frequent a word is in general.
_LEAST_RATIO = 0.5
# A word that is so frequent in general, in a million, is half as much of a term.
_COMMON = 200.0
# A term stands at the end of a phrase as often, or it is less of one; what is never a noun is a
# term so far.
_NOUN_ENDS = 0.3
_NO_NOUN = 0.25
# Several words that attract each other so much, or less, are one term, or are it so far.
_ONE_TERM = 0.8
_NO_TERM = 0.4
_LEAST_UNIT = 0.5
# Names are written with a capital, and stand before other nouns.
_NAME = 0.8


def termhood(side: TermSide, groups: Groups, alone: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the termhood of groups of candidates, 0 or less for words that are of any text.

    ``log(1 + n) * (mean(k) + min(k)) / 2``: n is how often a term stands by itself, that is not in
    a longer one (so far as C-value, Frantzi et al. 2000); k is of its words but those of the
    grammar, ``200 / (200 + g) * log((f + 1) / (g / 2 + 1))`` of a word that stands f times in a
    million words here, and g times in general, without the factor where it is negative. Without
    counts of the language it is ``1 - 2 e``, with e how sure the word is to be of the grammar.

    Parameters
    ----------
    side : TermSide
    groups : Groups
    alone : ndarray of float, shape (n_groups,)
        n.
    """
    words, offsets = side.candidates.words_of_all(groups.heads)
    if not len(words):
        return np.zeros(0)
    counts = side.kinds.outer[words].astype(np.float64)
    if side.general is None:
        empty = side.kinds.emptiness
        of_words = 1 - 2 * (np.zeros(len(side.counts)) if empty is None else empty)[words]
    else:
        here = side.counts[words] / side.counts.sum() * _MILLION
        general = side.general.per_million(side.text.lower_words)[words]
        of_words = np.log((here + _SMOOTHING) / (general * _LEAST_RATIO + _SMOOTHING))
        of_words = np.where(of_words > 0, of_words * _COMMON / (_COMMON + general), of_words)
    sums, numbers = (
        np.add.reduceat(values, offsets[:-1]) for values in (of_words * counts, counts)
    )
    least = np.minimum.reduceat(np.where(counts > 0, of_words, np.inf), offsets[:-1])
    return np.asarray(np.log1p(alone) * (sums / numbers + least) / 2)


def nominality(side: TermSide, groups: Groups) -> NDArray[np.float64]:
    """Return how far groups of candidates are nouns, as nearly all terms are; from 0.25 to 1.

    In German, nouns have a capital. Elsewhere a noun, or several words that end with one, stands at
    the end of a phrase more often than verbs and adjectives, whose objects and nouns follow them;
    so does not a name that stands before nouns, which has a capital.
    """
    words, offsets = side.candidates.words_of_all(groups.heads)
    if not len(words):
        return np.zeros(0)
    capital = np.maximum.reduceat(side.capitals[words], offsets[:-1])
    if primary(side.language) in CAPITAL_NOUNS:
        return np.where(capital > 0.5, 1.0, _NO_NOUN)
    ends = side.ends_phrases[groups.heads] / _NOUN_ENDS
    return np.where(capital >= _NAME, 1.0, np.clip(ends, _NO_NOUN, 1))


def unithood(side: TermSide, groups: Groups, as_one_word: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return how far groups of candidates are one term, and not words for themselves.

    From 0.5 to 1: it is 1 of single words, of what is translated by a single word, and where words
    attract each other (:func:`~gensim_bilbowa.terminology.cohesion.attraction`) by 0.8 or more.

    Parameters
    ----------
    side : TermSide
    groups : Groups
    as_one_word : ndarray of bool, shape (n_groups,)
        Whether the other language has one word for it.
    """
    held = attraction(side.candidates, side.counts)[groups.heads]
    part = np.clip((held - _NO_TERM) / (_ONE_TERM - _NO_TERM), 0, 1)
    whole = as_one_word | (side.candidates.lengths[groups.heads] == 1)
    return np.where(whole, 1.0, _LEAST_UNIT + (1 - _LEAST_UNIT) * part)
