"""How terms are written in a text, most often."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gensim_bilbowa.terminology.side import TermSide
from gensim_bilbowa.tokenization.tokenizer import is_unspaced

__all__ = ["spellings"]

# What an occurrence counts where a capital may be that of a sentence.
_AT_START = 0.1


def spellings(side: TermSide, terms: Iterable[int]) -> dict[int, str]:
    """Return how some candidates are written most often, by their numbers.

    Occurrences that begin a sentence, where a capital says nothing, count a tenth.
    """
    found: dict[int, str] = {}
    candidates, text = side.candidates, side.text
    asked = np.zeros(len(candidates), bool)
    asked[np.fromiter(terms, np.int64)] = True
    lengths = candidates.lengths
    of_spans = candidates.spans[:, 2]
    weights = np.where(side.sentence_starts, _AT_START, 1.0)
    for length in np.unique(lengths[asked]).tolist():
        chosen = (asked & (lengths == length))[of_spans]
        begins = side.begins[chosen]
        written = text.ids[begins[:, None] + np.arange(length)]
        rows = np.column_stack([of_spans[chosen], written])
        ways, number = np.unique(rows, axis=0, return_inverse=True)
        counts = np.bincount(number.ravel(), weights[begins], len(ways))
        best = np.lexsort((-counts, ways[:, 0]))
        best = best[np.unique(ways[best, 0], return_index=True)[1]]
        for term, *words in ways[best].tolist():
            found[term] = _joined([text.words[word] for word in words])
    return found


def _joined(words: list[str]) -> str:
    """Put words together as they are written."""
    text = words[0]
    for word in words[1:]:
        close = text.endswith("'") or (is_unspaced(text[-1]) and is_unspaced(word[0]))
        text += word if close else f" {word}"
    return text
