"""Short units of a text that have a term and its translation."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.corpora import TextUnit
from gensim_bilbowa.terminology.links import Links
from gensim_bilbowa.terminology.term import TermExample
from gensim_bilbowa.terminology.text import TermText

__all__ = ["choose_examples"]

# Examples are the better the nearer to this length.
_WORDS = 10
# What a link that is not sure is worth, in words that are too many.
_UNSURE = 40
# Units with more words, on either side, are no examples.
_MOST_WORDS = 200
# Nor are those with characters that files cannot hold.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]").search
# Units that are looked at for each example: some are the same text.
_LOOKED_AT = 4


def choose_examples(
    text: TermText, links: Links, of_links: NDArray[np.int64], asked: NDArray[np.int64], number: int
) -> list[tuple[TermExample, ...]]:
    """Return units for each of some pairs of terms.

    Parameters
    ----------
    text : TermText
    links : Links
    of_links : ndarray of int64, shape (n_links,)
        What tells the pair of terms that each link is of.
    asked : ndarray of int64
        The pairs that units are wanted for.
    number : int
        Units of each, at most.
    """
    if not number or not len(asked):
        return [() for _ in asked]
    lengths = [np.diff(side.offsets)[links.pairs] for side in text.sides]
    oddness = sum(abs(length - _WORDS) for length in lengths) + _UNSURE * (1 - links.weights)
    short = np.maximum(*lengths) <= _MOST_WORDS
    chosen = np.flatnonzero(np.isin(of_links, asked) & short)
    order = chosen[np.lexsort((links.pairs[chosen], oddness[chosen], of_links[chosen]))]
    keys = of_links[order]
    first, last = (np.searchsorted(keys, asked, side=side) for side in ("left", "right"))
    last = np.minimum(last, first + _LOOKED_AT * number)
    looked_at = [
        dict.fromkeys(links.pairs[order[start:end]].tolist())
        for start, end in zip(first.tolist(), last.tolist(), strict=True)
    ]
    units = text.units.some(unit for some in looked_at for unit in some)
    return [_different([units[unit] for unit in some], number) for some in looked_at]


def _different(units: list[TextUnit], number: int) -> tuple[TermExample, ...]:
    """Return the first units that are not alike."""
    found: dict[tuple[str, str], TermExample] = {}
    for unit in units:
        if _CONTROL(unit.source) or _CONTROL(unit.target):
            continue
        key = unit.source.casefold(), unit.target.casefold()
        found.setdefault(key, TermExample(unit.source, unit.target, unit.file, unit.id))
    return tuple(found.values())[:number]
