"""Upper and lower case: how the words of a test set are looked up among those of a system."""

from __future__ import annotations

from collections.abc import Container
from typing import Literal, TypeAlias, get_args

__all__ = ["CASES", "Case", "forms", "known_form"]

Case: TypeAlias = Literal["exact", "lower", "fallback"]
CASES: tuple[Case, ...] = get_args(Case)


def forms(word: str, case: Case) -> tuple[str, ...]:
    """Return the forms of a word that are looked up, in this order.

    Parameters
    ----------
    case : {"exact", "lower", "fallback"}
        The word as it is written; lower-cased; or as it is written and, where that is unknown,
        lower-cased.
    """
    if case == "exact":
        return (word,)
    return (word.lower(),) if case == "lower" else (word, word.lower())


def known_form(word: str, known: Container[str], case: Case) -> str | None:
    """Return the first form of a word that is known, or None."""
    return next((form for form in forms(word, case) if form in known), None)
