"""What a lexicon has of each translation pair."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["LexiconEntry"]


class LexiconEntry(NamedTuple):
    """A translation pair.

    Attributes
    ----------
    source, target : str
    score : float
        Of the method asked for; higher is better.
    rank : int
        1 for the best translation of `source`, and so on.
    source_count, target_count : int
        Counts of the two words in the text that the vectors were trained on; 0 if not known.
    examples : tuple of (str, str)
        Sentence pairs with the two words in them.
    """

    source: str
    target: str
    score: float
    rank: int
    source_count: int
    target_count: int
    examples: tuple[tuple[str, str], ...] = ()
