"""Forms of one word, told by how they begin and by what translates them."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa.evidence.alignment_weights import membership, over, totals
from gensim_bilbowa.evidence.spelling import stems
from gensim_bilbowa.tokenization.codes import primary

__all__ = ["CAPITAL_NOUNS", "word_classes"]

# Letters of an ending at most; in languages that put many endings behind each other, more.
_ENDING = 3
_LONG_ENDING = 6
_LONG_ENDINGS = {"az", "crh", "et", "eu", "fi", "hu", "kk", "ky", "se", "ta", "te", "tr", "uz"}
# More words that begin alike are no forms of one: part numbers, names of parameters.
_MOST_FORMS = 64
# The stem: letters, and the part of the longer word, at least.
_STEM = 3
_STEM_SHARE = 0.55
# Words with the same pair of endings and the same translations, for these to be endings, and their
# part of all words with that pair.
_LEAST_PAIRS = 3
_LEAST_SHARE = 0.4
# How alike the translations of two forms are: the cosine of what they are aligned to, by how that
# begins, and by the forms that it is of. The second one is asked for where two words differ by
# endings that less than so many of all forms differ by: person, personal.
_LEAST_ALIKE = 0.6
_LEAST_SAME = 0.45
_PRODUCTIVE = 0.05
# Languages that begin nouns with a capital.
CAPITAL_NOUNS = {"bar", "de", "gsw", "lb", "nds"}


def word_classes(
    words: Sequence[str],
    counts: NDArray[np.int64],
    capitals: NDArray[np.float64],
    aligned: Any,
    others: Sequence[str],
    language: str,
    asked: NDArray[np.bool_],
    other_classes: NDArray[np.int32] | None = None,
) -> NDArray[np.int32]:
    """Return for each word the most frequent form of it.

    Two words are forms of one if they differ by an ending, other words with the same translations
    differ by the same two, and both are aligned to words that begin alike, or to forms of the same
    words; to these anyway if their endings are rare.

    Parameters
    ----------
    words : sequence of str
        In small letters.
    counts : ndarray of int64, shape (n_words,)
    capitals : ndarray of float, shape (n_words,)
        The part of a word's occurrences that have a capital, where that says something.
    aligned : scipy.sparse.csr_array, shape (n_words, n_others)
        How often each word is aligned to those of the other language.
    others : sequence of str
    language : str
    asked : ndarray of bool, shape (n_words,)
        Words that are looked at; each other one stays alone.
    other_classes : ndarray of int32, shape (n_others,), optional
        What this returned for the other language.

    Returns
    -------
    ndarray of int32, shape (n_words,)
        Indices of words; its own for one without a more frequent form.
    """
    classes = np.arange(len(words), dtype=np.int32)
    pairs = np.array([*_pairs(words, counts, asked, primary(language))], np.int64).reshape(-1, 2)
    if not len(pairs):
        return classes
    rarer, more = pairs.T
    alike = _alike(aligned, stems(others), pairs)
    same = alike if other_classes is None else _alike(aligned, other_classes, pairs)
    kept = np.maximum(alike, same) >= _LEAST_ALIKE
    if primary(language) in CAPITAL_NOUNS:
        kept &= (capitals[rarer] > 0.5) == (capitals[more] > 0.5)
    endings = [_endings(words[a], words[b]) for a, b in pairs.tolist()]
    seen = Counter(endings)
    alike_with = Counter(ending for ending, is_kept in zip(endings, kept, strict=True) if is_kept)
    if other_classes is not None:
        least = _PRODUCTIVE * alike_with.total()
        productive = np.array([alike_with[ending] >= least for ending in endings], bool)
        kept &= productive | (same >= _LEAST_SAME)
    # The most frequent form first; each rarer one goes to it, if it is none of another's.
    for number in sorted(np.flatnonzero(kept).tolist(), key=lambda n: -counts[more[n]]):
        form, head = pairs[number].tolist()
        support = alike_with[endings[number]]
        if support < _LEAST_PAIRS or support < _LEAST_SHARE * seen[endings[number]]:
            continue
        if classes[form] == form and classes[head] == head:
            classes[form] = head
    return _without_chains(classes)


def _without_chains(classes: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return classes in which a form of a form is alone: only endings of the first are known."""
    heads = classes == np.arange(len(classes))
    return np.where(heads[classes], classes, np.arange(len(classes))).astype(np.int32)


def _pairs(
    words: Sequence[str], counts: NDArray[np.int64], asked: NDArray[np.bool_], code: str
) -> Iterator[tuple[int, int]]:
    """Yield words that differ by endings, the rarer one first."""
    longest = _LONG_ENDING if code in _LONG_ENDINGS else _ENDING
    by_stem: defaultdict[str, list[int]] = defaultdict(list)
    folded = {
        number: _folded(words[number])
        for number in np.flatnonzero(asked).tolist()
        if not any(map(str.isdigit, words[number]))  # of codes the digits tell which
    }
    for number, word in folded.items():
        for length in range(max(_STEM, len(word) - longest), len(word) + 1):
            if length >= _STEM_SHARE * len(word):
                by_stem[word[:length]].append(number)
    for stem, forms in by_stem.items():
        if len(forms) > _MOST_FORMS:
            continue
        for place, one in enumerate(forms):
            for other in forms[:place]:
                a, b = folded[one], folded[other]
                if a[len(stem) : len(stem) + 1] == b[len(stem) : len(stem) + 1] != "":
                    continue  # they share more
                if max(len(a), len(b)) * _STEM_SHARE > len(stem):
                    continue
                first, second = (one, other) if (counts[one], -one) < (counts[other], -other) else (
                    other, one)  # fmt: skip
                yield first, second


def _endings(word: str, other: str) -> tuple[str, str]:
    """Return what follows what two words share."""
    a, b = _folded(word), _folded(other)
    shared = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), None)
    shared = min(len(a), len(b)) if shared is None else shared
    one, two = sorted((a[shared:], b[shared:]))
    return one, two


def _alike(
    aligned: Any, labels: NDArray[np.int32], pairs: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return how alike the words of pairs are in what they are aligned to, by its labels."""
    rows = sparse.csr_array(aligned @ membership(labels))
    rows = sparse.csr_array(over(np.sqrt(totals(rows.multiply(rows)))) @ rows)
    one, other = pairs.T
    return totals(rows[one].multiply(rows[other]))


def _folded(word: str) -> str:
    """Return a word without accents, which inflection may change."""
    if word.isascii():
        return word
    letters = unicodedata.normalize("NFD", word)
    return "".join(c for c in letters if not unicodedata.combining(c))
